//! Records lists and replays the dumps.

use super::*;
use crate::ge::address::RAM_BASE;
use crate::ge::list::ListBuilder;
use crate::ge::overrides::Overrides;
use crate::ge::registers::vertex::PrimitiveType;
use crate::run::sink::NullObserver;

const TEXTURE: Address = Address::new(0x0890_0000);
const PALETTE: Address = Address::new(0x0890_1000);
const VERTICES: Address = Address::new(0x0890_2000);
const INDICES: Address = Address::new(0x0890_3000);

/// Draws a textured rectangle from RAM. After block transfers from RAM and within VRAM it draws another, with the
/// first render target as its texture.
fn capture() -> Capture {
    let mut memory = Memory::default();
    let texels: Vec<u8> = (0..=255).cycle().take(16 * 16).collect();
    memory.write(TEXTURE, &texels);
    let palette: Vec<u8> = (0..1024_u32).flat_map(|i| [i.to_le_bytes()[0].wrapping_mul(37)]).collect();
    memory.write(PALETTE, &palette);
    // u, v, x, y and z with 16 bits each.
    let corners: [[u16; 5]; 3] = [[0; 5], [7, 7, 7, 7, 7], [16, 16, 40, 40, 0]];
    let bytes: Vec<u8> = corners.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
    memory.write(VERTICES, &bytes);
    memory.write(INDICES, &[0, 2]);
    memory.write(Address::vram(0x18_0000), &[0x40; 64]);
    let mut list = ListBuilder::new(Address::new(0x0880_0000));
    let sub = Address::new(0x0880_1000);
    for (opcode, argument) in [
        (Opcode::VTYPE, 1 << 23 | 2 << 7 | 2 | 1 << 11),
        (Opcode::FRAMEBUFWIDTH, 64),
        (Opcode::FRAMEBUFPIXFORMAT, 3),
        (Opcode::SCISSOR2, 63 | 63 << 10),
        (Opcode::REGION2, 63 | 63 << 10),
        (Opcode::TEXENABLE, 1),
        (Opcode::TEXFUNC, 1 << 8 | 3),
        (Opcode::TEXFORMAT, 5),
        (Opcode::CLUTFORMAT, 0xFF03),
        (Opcode::CLUTADDR, PALETTE.get()),
        (Opcode::CLUTADDRUPPER, 0x08_0000),
        (Opcode::LOADCLUT, 32),
        (Opcode::TEXSIZE0, 4 | 4 << 8),
        (Opcode::TEXADDR0, TEXTURE.get()),
        (Opcode::TEXBUFWIDTH0, 0x08_0000 | 16),
    ] {
        list.set(opcode, argument);
    }
    list.address(Opcode::CALL, sub);
    for (opcode, argument) in [
        (Opcode::TRANSFERSRC, TEXTURE.get()),
        (Opcode::TRANSFERSRCW, 0x08_0008),
        (Opcode::TRANSFERDST, 0x10_0000),
        (Opcode::TRANSFERDSTW, 0x04_0008),
        (Opcode::TRANSFERSIZE, 7 | 7 << 10),
        (Opcode::TRANSFERSTART, 1),
        // The texture is the first render target, its palette the transferred bytes.
        (Opcode::CLUTADDR, 0x10_0000),
        (Opcode::CLUTADDRUPPER, 0x04_0000),
        (Opcode::LOADCLUT, 8),
        (Opcode::TEXADDR0, 0),
        (Opcode::TEXBUFWIDTH0, 0x04_0000 | 256),
        (Opcode::FRAMEBUFPTR, 0x08_0000),
    ] {
        list.set(opcode, argument);
    }
    list.address(Opcode::CALL, sub);
    list.finish();
    list.store(&mut memory);
    let mut draw = ListBuilder::new(sub);
    draw.address(Opcode::VADDR, VERTICES).address(Opcode::IADDR, INDICES);
    draw.prim(PrimitiveType::RECTANGLES, 2).set(Opcode::RET, 0);
    draw.store(&mut memory);
    Capture {
        memory,
        registers: Registers::new(),
        start: list.start(),
        stall: None,
        sources: Vec::new(),
        events: Vec::new(),
        overrides: Overrides::default(),
    }
}

fn record(capture: &mut Capture) -> Dump {
    let mut recorder = Recorder::new(capture, *b"TEST00001", &Limits::default());
    let mut raster = Rasterizer::new(RasterOptions::default());
    let replayed = replay::run(capture, Arithmetic::Hardware, &mut raster, &mut recorder, &Limits::default());
    recorder.finish(&replayed.registers).expect("a small dump")
}

#[test]
fn replay_draws_the_same_pixels() {
    let mut original = capture();
    let dump = record(&mut original);
    let mut copy = dump.capture("copy").expect("a runnable dump");
    let mut raster = Rasterizer::new(RasterOptions::default());
    let replayed =
        replay::run(&mut copy, Arithmetic::Hardware, &mut raster, &mut NullObserver, &Limits::default());
    assert!(original.memory.vram() == copy.memory.vram(), "all of VRAM");
    assert!(original.memory.vram()[0x8_0000..0x8_4000].iter().any(|byte| *byte != 0), "something was drawn");
    let shown = replayed.display.expect("a display");
    assert_eq!((shown.address, shown.stride), (Address::vram(0x8_0000), 64), "the last framebuffer");
    assert_eq!(replayed.report.draws, 2, "both draws");
}

#[test]
fn records_follow_the_order_of_a_recording() {
    let dump = record(&mut capture());
    let kinds: Vec<RecordKind> = dump.records.iter().map(|record| record.kind).collect();
    let expected = [
        RecordKind::Init,
        RecordKind::Clut,
        RecordKind::MemCpyDest,
        RecordKind::MemCpyData,
        RecordKind::Registers,
        RecordKind::Clut,
        RecordKind::Registers,
        RecordKind::Texture(0),
        RecordKind::Indices,
        RecordKind::Vertices,
        RecordKind::Registers,
        RecordKind::TransferSrc,
        RecordKind::Registers,
        RecordKind::ClutAddr,
        RecordKind::Clut,
        RecordKind::Registers,
        RecordKind::Framebuf(0),
        RecordKind::Indices,
        RecordKind::Vertices,
        RecordKind::Registers,
        RecordKind::Display,
    ];
    assert_eq!(kinds, expected, "order of records");
    assert_eq!(dump.records[9].length, 30, "vertices up to the largest index");
    assert_eq!(dump.word(&dump.records[16], 2) & 1, 1, "a render target of this recording");
    assert!(dump.command_words().all(|(_, word)| word >> 24 != 0x0A), "no calls");
    assert!(dump.records.iter().all(|record| RAM_BASE + record.start >= RAM_BASE), "within main RAM");
}
