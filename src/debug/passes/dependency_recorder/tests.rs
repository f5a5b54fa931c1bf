//! Lists whose dependencies are known.

use super::*;
use crate::asm::assemble;
use crate::debug::memory::written_bytes::WrittenBytes;
use crate::debug::passes::frame_graph::{Edge, EdgeKind, FrameGraph, Node};
use crate::ge::capture::{Action, Event};
use crate::ge::limits::{Limit, Limits};
use crate::ge::registers::texture::PixelFormat;

/// A colour buffer with 64 pixels per row, and a depth buffer.
const START: &str = "
    FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63
    ZBUFPTR 0x110000 | ZBUFWIDTH width=64
    BASE hi(small) | VTYPE texcoord=BITS16 position=BITS16 through=1
    TEXFORMAT ABGR8888 | TEXSIZE0 width_log2=4 height_log2=4 | TEXBUFWIDTH0 width=64 high=4
    CLUTFORMAT format=ABGR8888 mask=0xff
";

/// Rectangles at the upper left: 8x8 texels on 8x8 pixels, 16x16 on 16x16, and 8x8 pixels with the texels from 8 on.
const END: &str = "
    FINISH | END
    .align 16
    small: .s16 0 0 0 0 0 8 8 8 8 0
    large: .s16 0 0 0 0 0 16 16 16 16 0
    other: .s16 8 8 0 0 0 16 16 8 8 0
";

fn dependencies(list: &str) -> Dependencies {
    dependencies_with(list, Vec::new())
}

fn dependencies_with(list: &str, actions: Vec<Action>) -> Dependencies {
    let mut capture = assemble(&format!("{START}{list}{END}")).expect("a program").capture();
    // Actions happen before the second colour buffer is selected.
    let is_place = |word: &u32| capture.memory.read_u32(capture.start.offset(word * 4)) == 0x9C04_0000;
    let at = capture.start.offset((0..400).find(is_place).unwrap_or(0) * 4);
    capture.events = actions.into_iter().map(|action| Event { at, action }).collect();
    Shot::new(capture).dependencies(None)
}

/// Lists the edges as text.
fn edges(found: &Dependencies) -> Vec<String> {
    let name = |node: Node| match node {
        Node::Pass(number) => format!("pass {number}"),
        Node::Transfer(event) => format!("transfer {event}"),
        Node::Copy(event) => format!("copy {event}"),
        Node::Screen(None) => "screen".to_owned(),
        Node::Screen(Some(event)) => format!("screen {event}"),
    };
    let graph = FrameGraph::new(found);
    let text = |edge: &Edge| {
        format!("{} -> {}: {}, {} bytes", name(edge.from), name(edge.to), edge.kind, edge.bytes)
    };
    graph.edges.iter().map(text).collect()
}

const RECTANGLE: &str = "PRIM primitive=RECTANGLES count=2";

#[test]
fn targets_are_sampled() {
    let found = dependencies(&format!(
        "VADDR lo(small) | {RECTANGLE}
         FRAMEBUFPTR 0x40000 | TEXENABLE 1 | TEXADDR0 0 | VADDR lo(large) | {RECTANGLE}
         VADDR lo(other) | {RECTANGLE}"
    ));
    assert_eq!(found.passes.len(), 2, "two targets");
    // The third draw samples texels never drawn. Alpha is not drawn.
    assert_eq!(
        edges(&found),
        ["pass 0 -> pass 1: texture, 192 bytes", "pass 1 -> screen: screen, 768 bytes"]
    );
    let [texture, screen] = found.reads.as_slice() else { panic!("two reads") };
    assert_eq!(
        (texture.reader, texture.unwritten),
        (Some(EventNumber(1)), 1024 - 192),
        "the texels around it"
    );
    let writers: Vec<u32> = screen.writers.iter().map(|part| part.writer.0).collect();
    assert_eq!(writers, [1, 2], "the last draw covers a part of the one before");
    let drawn = found.passes[0].drawn.clone().expect("pixels");
    assert_eq!((drawn.columns, drawn.rows, found.passes[0].pixels), (0..8, 0..8, 64), "the drawn pixels");
}

#[test]
fn views_and_formats_share_bytes() {
    // This reads a 32-bit target's bytes as 8-bit indices, through the mirror of VRAM; 8x8 pixels are 32 bytes in a
    // row.
    let found = dependencies(&format!(
        "VADDR lo(small) | {RECTANGLE}
         FRAMEBUFPTR 0x40000 | TEXENABLE 1 | TEXFORMAT CLUT8 | TEXADDR0 0x400000 | TEXBUFWIDTH0 width=256 high=4
         VADDR lo(large) | {RECTANGLE}"
    ));
    assert_eq!(edges(&found)[0], "pass 0 -> pass 1: texture, 96 bytes", "16 bytes of 8 rows, without alpha");
}

#[test]
fn transfers_and_copies_pass_on() {
    let transfer = "TRANSFERSRC 0 | TRANSFERSRCW width=64 high=4 | TRANSFERDST 0x900000
        TRANSFERDSTW width=64 high=8 | TRANSFERSIZE x=15 y=15 | TRANSFERSTART BITS32";
    let found = dependencies(&format!(
        "VADDR lo(small) | {RECTANGLE} | {transfer}
         VADDR lo(small) | {RECTANGLE}
         FRAMEBUFPTR 0x40000 | TEXENABLE 1 | TEXADDR0 0x900000 | TEXBUFWIDTH0 width=64 high=8
         VADDR lo(large) | {RECTANGLE}"
    ));
    let expected = [
        "transfer 1 -> pass 2: texture, 1024 bytes",
        "pass 0 -> transfer 1: copy, 192 bytes",
        "pass 2 -> screen: screen, 768 bytes",
    ];
    assert_eq!(edges(&found), expected, "the transfer splits the pass");
    let graph = FrameGraph::new(&found);
    assert!(!graph.is_read(Node::Pass(1)), "nobody reads the second pass");
    let shown: Vec<bool> = (0..3).map(|pass| graph.shown().contains(&Node::Pass(pass))).collect();
    assert_eq!(shown, [true, false, true], "through the transfer");

    let ram = Address::new(0x0890_0000);
    let copy = Action::Copy { to: ram, from: Address::vram(0), length: 64 * 16 * 4 };
    let upload = Action::Fill { to: Address::new(0x0898_0000), value: 3, length: 4096 };
    let found = dependencies_with(
        &format!(
            "VADDR lo(small) | {RECTANGLE}
             FRAMEBUFPTR 0x40000 | TEXENABLE 1 | TEXADDR0 0x900000 | TEXBUFWIDTH0 width=64 high=8
             VADDR lo(large) | {RECTANGLE}
             TEXADDR0 0x980000 | VADDR lo(large) | {RECTANGLE}"
        ),
        vec![copy, upload],
    );
    let expected = [
        "copy 1 -> pass 1: texture, 1024 bytes",
        "pass 0 -> copy 1: copy, 192 bytes",
        "pass 1 -> screen: screen, 768 bytes",
    ];
    assert_eq!(edges(&found), expected, "the fill is an upload");
}

#[test]
fn palettes_come_from_their_load() {
    let found = dependencies(&format!(
        "VADDR lo(small) | {RECTANGLE}
         CLUTADDRUPPER 0x4 | CLUTADDR 0 | LOADCLUT 1
         VADDR lo(small) | {RECTANGLE}
         FRAMEBUFPTR 0x40000 | TEXENABLE 1 | TEXFORMAT CLUT4 | TEXADDR0 0x900000 | TEXBUFWIDTH0 width=64 high=8
         VADDR lo(large) | {RECTANGLE}"
    ));
    assert_eq!(edges(&found)[0], "pass 0 -> pass 1: palette, 24 bytes", "eight colours without alpha");
    let palette = &found.reads[0];
    assert_eq!(palette.writers[0].writer, EventNumber(0), "as it was at the load");
}

#[test]
fn depth_is_sampled() {
    let depth = "ZTESTENABLE 1 | ZTEST GREATER_EQUAL";
    let found = dependencies(&format!(
        "CLEARMODE enabled=1 depth=1 | VADDR lo(large) | {RECTANGLE} | CLEARMODE enabled=0
         {depth} | VADDR lo(small) | {RECTANGLE}
         FRAMEBUFPTR 0x40000 | ZTESTENABLE 0 | TEXENABLE 1 | TEXFORMAT BGR5650 | TEXADDR0 0x710000
         VADDR lo(large) | {RECTANGLE}"
    ));
    // Depth 0 over depth 0: the draw changes none, so the clear is the writer.
    assert_eq!(found.reads[0].writers.as_ref(), [WrittenBytes { writer: EventNumber(0), bytes: 512 }]);
    assert!(found.passes[0].depth.is_some_and(|depth| depth.is_tested && depth.is_stored), "its use");
    let found = dependencies(&format!(
        "CLEARMODE enabled=1 depth=1 | VADDR lo(large) | {RECTANGLE} | CLEARMODE enabled=0
         FRAMEBUFPTR 0x40000 | {depth} | VADDR lo(small) | {RECTANGLE}"
    ));
    assert_eq!(edges(&found)[0], "pass 0 -> pass 1: old depth, 128 bytes", "another pass tests against it");
}

#[test]
fn own_targets_and_old_colors() {
    let found = dependencies(&format!(
        "VADDR lo(small) | {RECTANGLE} | TEXENABLE 1 | TEXADDR0 0 | VADDR lo(large) | {RECTANGLE}
         FRAMEBUFPTR 0x40000 | TEXENABLE 0 | VADDR lo(small) | {RECTANGLE}
         FRAMEBUFPTR 0 | BLENDENABLE 1 | BLENDMODE source=FIXED destination=FIXED equation=ADD
         BLENDFIXEDB #ffffff | VADDR lo(small) | {RECTANGLE}"
    ));
    let expected = ["pass 0 -> pass 0: texture, 192 bytes", "pass 0 -> pass 2: old colour, 192 bytes"];
    assert_eq!(edges(&found)[..2], expected, "itself, and what it blends with");
    let graph = FrameGraph::new(&found);
    let read: Vec<bool> = (0..3).map(|pass| graph.is_read(Node::Pass(pass))).collect();
    assert_eq!(read, [true, false, true], "nobody reads the second target");
}

#[test]
fn vertices_and_screens_read() {
    let transfer = "TRANSFERSRC 0 | TRANSFERSRCW width=64 high=4 | TRANSFERDST 0x20000
        TRANSFERDSTW width=64 high=4 | TRANSFERSIZE x=15 y=0 | TRANSFERSTART BITS32";
    let display = Display { address: Address::vram(0), stride: 64, format: PixelFormat::ABGR8888 };
    let found = dependencies_with(
        &format!(
            "VADDR lo(small) | {RECTANGLE} | {transfer}
             FRAMEBUFPTR 0x40000 | BASE 4 | VADDR 0x020000 | {RECTANGLE}"
        ),
        vec![Action::Display(display)],
    );
    let expected = [
        "transfer 1 -> pass 1: vertices, 20 bytes",
        "pass 0 -> transfer 1: copy, 24 bytes",
        "pass 0 -> screen 2: screen, 192 bytes",
    ];
    assert_eq!(edges(&found), expected, "the end shows what was selected");
    assert!(FrameGraph::new(&found).edges.iter().any(|edge| edge.kind == EdgeKind::Vertices), "vertices");
}

#[test]
fn runs_stop_before_an_event_and_at_limits() {
    let list = format!("VADDR lo(small) | {RECTANGLE} | VADDR lo(small) | {RECTANGLE}");
    let capture = assemble(&format!("{START}{list}{END}")).expect("a program").capture();
    let shot = Shot::new(capture);
    let found = shot.dependencies(Some(EventNumber(1)));
    assert_eq!((found.passes.len(), found.timeline.len(), found.reads.len()), (1, 1, 0), "one draw");
    let mut writers = Vec::new();
    let translation = found.memory.translation();
    found.writers.visit(Address::vram(0), 40, translation, |part, writer| writers.push((part.end, writer)));
    assert_eq!(writers[..2], [(3, Some(EventNumber(0))), (4, None)], "colour, alpha");
    let limits = Limits::default().with(Limit::Memory, 64);
    let found = shot.with_limits(limits).dependencies(None);
    assert_eq!(found.limit_hit.map(|hit| hit.limit), Some(Limit::Memory), "the limit ends the run");
}
