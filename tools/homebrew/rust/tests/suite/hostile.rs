//! Checks that wrong lists end, with a message, and leave a dump that opens.

use pspge::ge::address::Address;
use pspge::{Capture, Command, Opcode};
use pspge_capture::LeftOut;

use crate::machine;

/// Captures a list in assembly text, and returns why the dump is not whole.
fn left_out(text: &str) -> Option<LeftOut> {
    let list = pspge::asm::assemble(text).expect("a correct text").capture();
    let (dump, left_out) = machine::capture(&list);
    machine::open(&dump);
    left_out
}

#[test]
fn wrong_lists_end_with_a_message() {
    let draw = "VTYPE position=BITS16 through=1 | PRIM primitive=POINTS count=3 | FINISH | END";
    for (text, expected) in [
        ("start: BASE hi(start) | JUMP lo(start)".to_owned(), LeftOut::TooManyCommands),
        ("start: BASE hi(start) | CALL lo(start)".to_owned(), LeftOut::TooManyCommands),
        ("BASE 0x4 | JUMP 0xfffffc".to_owned(), LeftOut::ListOutside),
        ("NOP".to_owned(), LeftOut::TooManyCommands),
        (format!("BASE 0 | VADDR 0 | {draw}"), LeftOut::Vertices),
        (format!("BASE 0xc | VADDR 0 | {draw}"), LeftOut::Vertices),
        ("END".to_owned(), LeftOut::OrphanEnd),
        ("CLUTADDR 0 | CLUTADDRUPPER 0xc | LOADCLUT 1 | FINISH | END".to_owned(), LeftOut::Palette),
        (
            "TRANSFERDSTW width=0 high=8 | TRANSFERSTART BITS16 | FINISH | END".to_owned(),
            LeftOut::TransferToMemory,
        ),
        (
            "TRANSFERDSTW width=0 high=4 | TRANSFERSTART BITS16 | FINISH | END".to_owned(),
            LeftOut::TransferSource,
        ),
        (format!("BASE 8 | VADDR 0 | TEXENABLE 1 | {draw}"), LeftOut::Texture),
        ("SIGNAL behavior=0x20\nEND 0\nFINISH | END".to_owned(), LeftOut::AddressSignal),
    ] {
        assert_eq!(left_out(&text), Some(expected), "{text}");
    }
}

/// Without a draw, a dump shows the framebuffer in the registers at the start.
#[test]
fn frames_without_draws_show_the_framebuffer() {
    let mut list = pspge::asm::assemble("FINISH | END").expect("a list").capture();
    for (opcode, argument) in
        [(Opcode::FRAMEBUFPTR, 0x8_8000), (Opcode::FRAMEBUFWIDTH, 512), (Opcode::FRAMEBUFPIXFORMAT, 1)]
    {
        list.registers.write(Command::new(opcode, argument));
    }
    list.memory.write_u32(Address::vram(0x8_8000), 0x7C1F_001F);
    let (dump, left_out) = machine::capture(&list);
    assert_eq!(left_out, None, "nothing is missing");
    let image = machine::open(&dump).render(&pspge::RunSpec::default()).expect("a picture");
    assert_eq!([0, 1].map(|x| image.get_pixel(x, 0).0), [[255, 0, 0, 255], [255, 0, 255, 255]], "two pixels");
}

/// Random words, mostly commands that have an effect here.
#[test]
fn random_lists_end() {
    const OPCODES: [u8; 30] = [
        0x01, 0x02, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0E, 0x0F, 0x10, 0x12, 0x13, 0x14,
        0x1E, 0xA0, 0xA8, 0xB0, 0xB1, 0xB2, 0xB3, 0xB5, 0xB8, 0xC2, 0xC4, 0xEA, 0xF7,
    ];
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(state >> 33).expect("31 bits")
    };
    for number in 0..60 {
        let start = Address::new(0x0880_0000);
        let mut list: Capture = pspge::asm::assemble("FINISH | END").expect("a list").capture();
        for word in 0..4096 {
            let opcode = OPCODES[random() as usize % OPCODES.len()];
            // Small arguments stay near the list, to make jumps come back.
            let argument =
                if random() % 4 == 0 { random() & 0xFF_FFFF } else { 0x08_0000 | random() & 0x3FFC };
            list.memory.write_u32(start.offset(4 * word), u32::from(opcode) << 24 | argument);
        }
        let (dump, left_out) = machine::capture(&list);
        let records = machine::open(&dump).dump().map_or(0, |dump| dump.records.len());
        assert!(records >= 2, "{number}: a context and a display, {left_out:?}");
    }
}
