//! Trimmed lists leave the same VRAM as the whole run.

use super::*;
use crate::asm::assemble;
use crate::debug::session::SessionOptions;
use crate::ge::address::Address;
use crate::ge::capture::{Action, Event};
use crate::ge::edram::Translation;
use crate::ge::registers::Registers;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::replay;
use crate::run::sink::NullObserver;

const HEADER: &str =
    "FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63
    MAXZ 0xffff | BASE hi(v) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(v) | ";

/// Four vertices with different colours.
const VERTICES: &str = "
    FINISH | END | .align 4
    v: .rgba #ff0000ff | .s16 1 1 0 | .align 4 | .rgba #00ff00ff | .s16 30 2 0 | .align 4
       .rgba #0000ffff | .s16 2 40 0 | .align 4 | .rgba #ffff00ff | .s16 50 50 0 | .align 4
       .rgba #ff00ffff | .s16 10 60 0 | .align 4 | .rgba #00ffffff | .s16 60 9 0 | .align 4";

fn capture(list: &str) -> Capture {
    assemble(&format!("{HEADER}{list}{VERTICES}")).expect("a program").capture()
}

fn session(capture: Capture) -> Session {
    Session::open(capture, SessionOptions::default())
}

fn replayed(mut capture: Capture) -> Memory {
    let options = RasterOptions::default();
    let limits = crate::ge::limits::Limits::default();
    let raster = &mut Rasterizer::new(options);
    replay::run(&mut capture, options.arithmetic, raster, &mut NullObserver, &limits);
    capture.memory
}

/// Checks all ranges of events: with all of VRAM, each leaves the same VRAM as the run. Returns the trimmed single
/// events.
fn check(capture: Capture) -> Vec<Trimmed> {
    let mut session = session(capture);
    let end = session.end().0;
    let mut single = Vec::new();
    for first in 0..end {
        for last in first..end {
            let events = EventNumber(first)..=EventNumber(last);
            let whole = TrimOptions { whole_vram: true };
            let trimmed = trim(&mut session, events.clone(), whole).expect("it can be trimmed");
            assert_eq!(trimmed.notes, [], "events {first} to {last}");
            let memory = replayed(trimmed.capture);
            assert!(memory.vram() == session.memory().vram(), "VRAM after events {first} to {last}");
            assert_eq!(memory.translation(), session.memory().translation(), "translation after {last}");
            if first == last {
                single.push(trim(&mut session, events, TrimOptions::default()).expect("it can be trimmed"));
            }
        }
    }
    single
}

#[test]
fn calls_jumps_and_pointers_are_resolved() {
    let single = check(capture(
        "PRIM primitive=RECTANGLES count=2 | CALL lo(sub) | BASE hi(far) | BASE hi(v)
         PRIM primitive=POINTS count=1 | JUMP lo(end)
         sub: PRIM primitive=TRIANGLES count=3 | OFFSETADDR 0x10 | ORIGIN | RET
         far: NOP
         end: BBOX 1 | BJUMP lo(last) | NOP
         last: VADDR lo(v) | PRIM primitive=LINES count=2",
    ));
    let draws: Vec<u64> = single.iter().map(|trimmed| trimmed.counts.draws).collect();
    assert_eq!(draws, [1, 1, 1, 1], "each alone");
    for trimmed in &single {
        assert_eq!(trimmed.counts.commands, 1, "registers are part of the start state");
        assert_eq!(trimmed.counts.carried_commands, 0, "no carried state");
    }
}

#[test]
fn unfinished_primitives_go_on() {
    for primitive in
        ["POINTS", "LINES", "LINE_STRIP", "TRIANGLES", "TRIANGLE_STRIP", "TRIANGLE_FAN", "RECTANGLES"]
    {
        for count in 1..4 {
            check(capture(&format!(
                "PRIM primitive={primitive} count={count} | PRIM primitive=CONTINUE count=1
                 FOGENABLE 1 | PRIM primitive=CONTINUE count=1"
            )));
        }
    }
    let single = check(capture("PRIM primitive=TRIANGLE_STRIP count=3 | PRIM primitive=CONTINUE count=1"));
    let carried: Vec<bool> = single.iter().map(|trimmed| trimmed.counts.carried_commands > 0).collect();
    assert_eq!(carried, [false, true], "the second one needs the first");
}

#[test]
fn immediate_vertices_started_earlier_are_repeated() {
    let vertex = |x: u32, y: u32, color: &str, primitive: u32| {
        format!(
            "VSCX {} | VSCY {} | VSCZ 7 | VCV {color} | VFC 200 | VSCV #102030 | VTCQ 1 | .word {:#x}\n",
            0x8000 + x * 16,
            0x8000 + y * 16,
            0xF700_00FF_u32 | primitive << 8
        )
    };
    for primitive in 0..7 {
        let list = [
            vertex(1, 1, "#ff0000", primitive),
            vertex(30, 2, "#00ff00", 7),
            vertex(2, 40, "#0000ff", 7),
            vertex(50, 50, "#ffff00", 7),
            vertex(40, 3, "#ff00ff", 7),
        ];
        check(capture(&list.concat()));
    }
}

/// The second draw takes the first draw's texture coordinates, and the third the normal that replaces zeros.
#[test]
fn attributes_and_zero_normals_of_earlier_draws_are_repeated() {
    let list = "
        TEXENABLE 1 | TEXFUNC function=REPLACE use_alpha=1 | TEXFORMAT ABGR8888 | TEXADDR0 lo(texels)
        TEXBUFWIDTH0 width=4 high=hi(texels) | TEXSIZE0 width_log2=2 height_log2=2
        BASE hi(t) | VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(t) | PRIM primitive=POINTS count=1
        VTYPE position=BITS16 through=1 | VADDR lo(p) | PRIM primitive=RECTANGLES count=2
        FINISH | END | .align 16
        texels: .rgba #000000ff | .rgba #111111ff | .rgba #222222ff | .rgba #333333ff
                .rgba #444444ff | .rgba #555555ff | .rgba #666666ff | .rgba #777777ff
                .rgba #888888ff | .rgba #999999ff | .rgba #aaaaaaff | .rgba #bbbbbbff
                .rgba #ccccccff | .rgba #ddddddff | .rgba #eeeeeeff | .rgba #ffffffff
        t: .s16 3 2 40 40 0
        p: .s16 5 5 0 20 20 0 | .align 4";
    let single = check(capture(list));
    assert!(single[1].counts.carried_commands > 0, "texture coordinates");
    let pixel =
        |trimmed: &Trimmed| replayed(trimmed.capture.clone()).read_u32(Address::vram((8 * 64 + 8) * 4));
    assert_eq!(pixel(&single[1]), 0x00BB_BBBB, "the texel of the first draw");
}

#[test]
fn actions_of_the_cpu_are_kept_with_their_results() {
    let mut capture = capture(
        "PRIM primitive=RECTANGLES count=2
         second: PRIM primitive=RECTANGLES count=2
         third: TRANSFERSRC 0 | TRANSFERSRCW width=64 high=4 | TRANSFERDST 0x8000 | TRANSFERDSTW width=64 high=4
         TRANSFERSIZE x=31 y=7 | TRANSFERSTART 1 | PRIM primitive=POINTS count=1",
    );
    let at = |command: u32| capture.start.offset(command * 4);
    let data = Address::new(0x0900_0000);
    let restored = Registers::with([
        (Opcode::FRAMEBUFWIDTH, 128),
        (Opcode::FRAMEBUFPIXFORMAT, 3),
        (Opcode::SCISSOR2, 63 | 63 << 10),
        (Opcode::REGION2, 63 | 63 << 10),
        (Opcode::VTYPE, 1 << 23 | 2 << 7 | 7 << 2),
        (Opcode::WORLDMATRIXDATA, 0x3F_8000),
        (Opcode::BASE, capture.registers.argument(Opcode::BASE)),
    ]);
    let events = [
        (10, Action::Copy { to: Address::vram(0x4000), from: data, length: 64 }),
        (10, Action::CopyUndrawn { to: Address::vram(0), from: data, length: 0x4000 }),
        (10, Action::Fill { to: Address::vram(0x200), value: 0x55, length: 300 }),
        (10, Action::LoadPalette { from: data, length: 500 }),
        (11, Action::Translate(Translation::Width512)),
        (11, Action::Restore(Box::new(restored))),
    ];
    capture.events = events.map(|(command, action)| Event { at: at(command), action }).into();
    let bytes: Vec<u8> =
        (0..0x4000_u32).map(|number| number.to_le_bytes()[0] ^ number.to_le_bytes()[1]).collect();
    capture.memory.write(data, &bytes);
    let single = check(capture);
    let actions: Vec<u64> = single.iter().map(|trimmed| trimmed.counts.actions).collect();
    assert_eq!(actions, [0, 0, 1, 1, 1, 0, 1, 0, 0, 0], "those that change memory");
    for trimmed in &single {
        let is_plain = |event: &Event| {
            matches!(event.action, Action::Copy { .. } | Action::Fill { .. } | Action::Translate(_))
        };
        assert!(trimmed.capture.events.iter().all(is_plain), "actions that dumps can hold");
    }
}

#[test]
fn only_needed_bytes_of_vram_are_kept() {
    let mut capture = capture("PRIM primitive=POINTS count=1");
    capture.memory.vram_mut().fill(0x11);
    let mut session = session(capture);
    let only = EventNumber(0)..=EventNumber(0);
    let trimmed = trim(&mut session, only.clone(), TrimOptions::default()).expect("it can be trimmed");
    assert!((4..=25 * 4).contains(&trimmed.counts.vram_bytes), "{} bytes", trimmed.counts.vram_bytes);
    let whole = trim(&mut session, only, TrimOptions { whole_vram: true }).expect("it can be trimmed");
    assert_eq!(whole.counts.vram_bytes, 2 << 20, "all");
}

#[test]
fn missing_events_are_named() {
    let mut session = session(capture("PRIM primitive=POINTS count=1"));
    let beyond = EventNumber(0)..=EventNumber(1);
    let error = trim(&mut session, beyond, TrimOptions::default()).expect_err("there is one event");
    assert_eq!(error.to_string(), "event 1 is beyond the end: the run has 1 events, 0 to 0");
}
