//! Reads and writes in all regions.

use super::*;

#[test]
fn mirrors_show_the_same_bytes() {
    let mut memory = Memory::default();
    memory.write_u32(Address::new(0x4880_0000), 0x1234_5678);
    assert_eq!(memory.read_u32(Address::new(0x0880_0000)), 0x1234_5678, "uncached mirror");
    memory.write_u32(Address::new(0x0460_0000), 0xAABB_CCDD);
    let linear = Translation::default().to_linear(VramView::Depth32, 0);
    assert_eq!(memory.read_u32(Address::vram(linear)), 0xAABB_CCDD, "depth view");
    assert_eq!(memory.read_u32(Address::new(0x0400_0000 + linear)), 0xAABB_CCDD, "linear view");
}

#[test]
fn unmapped_memory_reads_zero_and_drops_writes() {
    let mut memory = Memory::new(RamSize::Small);
    for raw in [0, 0x0000_FFFE, 0x0500_0000, 0x0A00_0000, 0x0FFF_FFFE] {
        memory.write_u32(Address::new(raw), 0xFFFF_FFFF);
        assert_eq!(memory.read_u8(Address::new(raw)), 0, "{raw:#x}");
    }
    // The write at 0x0000FFFE reached the first two bytes of the scratchpad.
    assert_eq!(memory.read_u32(Address::new(0x0001_0000)), 0x0000_FFFF, "half inside");
    let mut around = vec![7; 0x8000];
    memory.read(Address::new(0x0000_E123), &mut around);
    let (before, inside) = around.split_at(0x1EDD);
    assert!(before.iter().all(|byte| *byte == 0), "zeros before it");
    assert_eq!(
        (&inside[..3], inside[0x4000..].iter().max()),
        (&[0xFF, 0xFF, 0][..], Some(&0)),
        "and after it"
    );
    memory.write(Address::new(0x09FF_F000), &[9; 0x3000]);
    let mut end = vec![7; 0x4000];
    memory.read(Address::new(0x09FF_E800), &mut end);
    assert!(end.chunks(0x800).map(|piece| piece[0x7FF]).eq([0, 9, 9, 0, 0, 0, 0, 0]), "the last page of RAM");
}

#[test]
fn versions_change_with_the_bytes() {
    let mut memory = Memory::default();
    for start in [Address::new(0x0880_FFFE), Address::vram(0x3FFE)] {
        let version = |memory: &Memory| memory.version(start, 4).expect("both exist");
        memory.write(start, &[1, 2, 3, 4]);
        let before = version(&memory);
        memory.write(start, &[1, 2, 3, 4]);
        memory.write(start.offset(0x10_0000), &[5]);
        assert_eq!(version(&memory), before, "no change at {start:?}");
        memory.write(start.offset(3), &[5]);
        assert_ne!(version(&memory), before, "on the second page");
        assert_ne!(
            memory.clone().version(start, 4),
            memory.version(start, 4),
            "a clone has versions of its own"
        );
    }
    let start = Address::vram(0);
    let mut seen = vec![memory.version(start, 0x8000)];
    memory.vram_mut()[0] = 1;
    seen.push(memory.version(start, 0x8000));
    memory.vram_part_mut(0x7FFF..0x8000).expect("it exists")[0] = 1;
    seen.push(memory.version(start, 0x8000));
    memory.ram_and_vram_mut().1.bytes_mut(std::iter::once(0x4800..0x4801))[0x4800] = 1;
    seen.push(memory.version(start, 0x8000));
    memory.write_u8(Address::new(0x0420_0000), 7);
    seen.push(memory.version(start, 0x8000));
    assert!(seen.windows(2).all(|pair| pair[0] != pair[1]), "every way to change VRAM: {seen:?}");
    memory.vram_part_mut(0x8000..0x9000);
    assert_eq!(seen.last(), Some(&memory.version(start, 0x8000)), "a change after them");
    assert_eq!(memory.version(Address::new(0x0420_0000), 4), None, "permuted");
    assert_eq!(memory.version(Address::new(0x0001_0000), 4), None, "the scratchpad");
    assert_eq!(memory.version(Address::vram(VRAM_SIZE - 2), 4), None, "beyond the end");
}

#[test]
fn tracks_mapped_and_supplied_memory() {
    let mut memory = Memory::new(RamSize::Small);
    let end = Address::new(0x0A00_0000 - 4);
    assert!(memory.is_mapped(end, 4), "the last word exists");
    assert!(!memory.is_mapped(end, 5), "one byte too far");
    assert!(memory.is_mapped(Address::new(0x041F_FFFC), 64), "VRAM goes on in its next view");
    assert!(!memory.is_supplied(end), "never written");
    memory.write_u8(end, 1);
    assert!(memory.is_supplied(end), "written");
    let mut crossing = [0; 4];
    memory.write(Address::new(0x0901_FFFE), &[1, 2, 3, 4]);
    memory.read(Address::new(0x0901_FFFE), &mut crossing);
    assert_eq!(crossing, [1, 2, 3, 4], "across two pages");
    let copy = memory.clone();
    assert_eq!(copy.slice(Address::new(0x0901_FFFE), 4), Some(&crossing[..]), "both are copied");
    assert!(copy.is_supplied(Address::new(0x0902_0000)), "and so is their supply");
    memory.write(Address::new(0x0900_0001), &[1; 31]);
    assert!(memory.is_supplied(Address::new(0x0900_0010)), "second line");
    assert!(!memory.is_supplied(Address::new(0x0900_0020)), "third line");
}
