//! Checks that a dump draws the same as its list.

use std::cell::RefCell;
use std::rc::Rc;

use pspge::formats::ppdmp::RecordKind;
use pspge::ge::address::Address;
use pspge::ge::capture::{Action, Event};
use pspge::{Command, Memory, Opcode};
use pspge_capture::Capture;

use crate::machine::{self, Machine};

#[test]
fn dumps_draw_what_lists_draw() {
    let (mut compared, mut left_out) = (0, Vec::new());
    for (name, list) in machine::lists() {
        let (dump, missing) = machine::capture(&list);
        let asset = machine::open(&dump);
        if let Some(missing) = missing {
            left_out.push(format!("{name}: {missing}"));
            continue;
        }
        let expected = machine::vram_after(&list);
        let drawn = machine::vram_after(&asset.to_capture().expect("a frame"));
        assert!(expected == drawn, "{name}: VRAM differs");
        compared += 1;
    }
    eprintln!("{compared} lists compared, {} left out: {left_out:#?}", left_out.len());
    assert!(compared > 50 && left_out.len() < 5, "most lists: {compared}, {left_out:#?}");
}

#[test]
fn picture_is_that_of_the_list() {
    let original = pspge::open("all.ge", machine::ALL.as_bytes()).expect("a list");
    let list = original.to_capture().expect("a list");
    let (dump, left_out) = machine::capture(&list);
    assert_eq!(left_out, None, "nothing is missing");
    let asset = machine::open(&dump);
    let records = &asset.dump().expect("a dump").records;
    for code in [0, 1, 2, 3, 4, 5, 9, 10, 0x10, 0x11, 0x18] {
        let kind = RecordKind::from_code(code).expect("a kind");
        assert!(records.iter().any(|record| record.kind == kind), "the list has a record {kind}");
    }
    let spec = pspge::RunSpec::default();
    let [expected, drawn] = [original, asset].map(|asset| asset.render(&spec).expect("a picture"));
    assert_ne!(expected.get_pixel(20, 20), expected.get_pixel(479, 271), "something is drawn");
    assert!(expected == drawn, "the pictures differ");
}

/// The kernel adds a palette load to a context, which moves the matrices after it.
fn with_palette(mut context: [u32; 512], palette: Address, blocks: u32) -> [u32; 512] {
    context.copy_within(226..511, 227);
    context[226] = Command::new(Opcode::LOADCLUT, blocks).word();
    for (opcode, argument) in [(Opcode::CLUTADDR, palette.get()), (Opcode::CLUTADDRUPPER, palette.get() >> 8)]
    {
        let word = Command::new(opcode, argument & 0xFF_FFFF).word();
        let register = context.iter_mut().skip(17).find(|old| **old >> 24 == word >> 24);
        *register.expect("a register of the context") = word;
    }
    context
}

#[test]
fn palette_of_the_context_is_loaded() {
    let text = "
        FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
        TEXENABLE 1 | TEXFUNC function=REPLACE use_alpha=0 | TEXFORMAT CLUT8 | CLUTFORMAT format=ABGR8888 mask=0xff
        TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=16 high=hi(texels) | TEXSIZE0 width_log2=2 height_log2=0
        BASE hi(corners) | VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(corners)
        PRIM primitive=RECTANGLES count=2
        FINISH | END
    .align 64
    palette:
        .rgba #ff0000ff #00ff00ff #0000ffff #ffffffff
    .align 64
    texels:
        .u8 0 1 2 3
    .align 16
    corners:
        .u16 0 0 | .s16 0 0 0 | .u16 4 1 | .s16 4 1 0
    ";
    let program = pspge::asm::assemble(text).expect("a correct list");
    let list = program.capture();
    let context = with_palette(machine::context(&list), program.symbols["palette"], 2);
    let machine = Machine::new(Rc::new(RefCell::new(list.memory.clone())));
    let Ok(mut capture) = Capture::start(machine, &context);
    let Ok(()) = capture.list(list.start.get(), 0);
    let Ok((machine, left_out)) = capture.finish();
    assert_eq!(left_out, None, "nothing is missing");
    let image = machine::open(&machine.file).render(&pspge::RunSpec::default()).expect("a picture");
    let colors = [0, 1, 2, 3].map(|x| image.get_pixel(x, 0).0);
    let expected = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255; 4]];
    assert_eq!(colors, expected, "the colours of the palette");
}

/// Acts as a program's CPU.
fn apply(action: &Action, memory: &mut Memory) {
    match *action {
        Action::Copy { to, from, length } => memory.copy(from, to, length as usize),
        Action::Fill { to, value, length } => memory.fill(to, value, length),
        _ => {}
    }
}

/// Captures frames of games again, with everything their CPU wrote while they were drawn.
#[test]
fn frames_of_games_are_captured_again() {
    let Some(corpus) = std::env::var_os("PSPGE_CORPUS") else {
        eprintln!("SKIPPED: PSPGE_CORPUS is not set");
        return;
    };
    let mut compared = 0;
    let folder = std::path::Path::new(&corpus).join("frames");
    for path in std::fs::read_dir(folder).expect("the frames").flatten().map(|entry| entry.path()) {
        if path.extension().is_none_or(|extension| extension != "ppdmp") {
            continue;
        }
        let frame = machine::open(&std::fs::read(&path).expect("a frame")).to_capture().expect("a frame");
        // No program copies memory but leaves out drawn pixels, restores registers or sets a translation this way,
        // so frames that need this are skipped.
        let is_of_program = |event: &Event| match event.action {
            Action::LoadPalette { .. } => event.at == frame.start,
            Action::CopyUndrawn { .. } | Action::Translate(_) | Action::Restore(_) => false,
            _ => true,
        };
        if frame.events.iter().all(is_of_program) {
            let name = path.display().to_string();
            capture_again(&name, &frame);
            compared += 1;
        }
    }
    assert!(compared >= 5, "{compared} frames");
}

fn capture_again(name: &str, frame: &pspge::Capture) {
    let memory = Rc::new(RefCell::new(frame.memory.clone()));
    let mut context = machine::context(frame);
    let mut events = frame.events.iter().peekable();
    while let Some(event) = events.next_if(|event| event.at == frame.start) {
        apply(&event.action, &mut memory.borrow_mut());
        if let Action::LoadPalette { from, .. } = event.action {
            context = with_palette(context, from, 32);
        }
    }
    let Ok(mut capture) = Capture::start(Machine::new(Rc::clone(&memory)), &context);
    let Ok(()) = capture.list(frame.start.get(), frame.start.get());
    for event in events {
        let Ok(()) = capture.resume(event.at.get());
        apply(&event.action, &mut memory.borrow_mut());
        if let Some((to, length)) = event.action.written() {
            let Ok(()) = capture.vram(to.get(), length);
        }
    }
    let Ok(()) = capture.resume(0);
    let Ok((machine, left_out)) = capture.finish();
    let again = machine::open(&machine.file).to_capture().expect("a frame");
    let is_equal = machine::vram_after(frame) == machine::vram_after(&again);
    eprintln!("{name}: {left_out:?}, {} bytes, equal: {is_equal}", machine.file.len());
    assert!(is_equal, "{name}: VRAM differs, {left_out:?}");
}
