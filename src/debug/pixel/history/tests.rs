//! Tests histories on small lists.

use super::*;
use crate::asm::assemble;
use crate::debug::Shot;
use crate::debug::pixel::target::{PixelTargetError, TargetName};
use crate::ge::capture::{Capture, Event};
use crate::ge::limits::{Limit, Limits};
use crate::raster::fragment_record::TestName;
use crate::raster::{Engine, RasterOptions};

/// Sets up a buffer with 64×64 pixels, 32 bits each, and depth; vertices have a colour and a position in pixels.
const SETUP: &str = "FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x100000 | ZBUFWIDTH width=64\n\
    SCISSOR2 x=31 y=31 | REGION2 x=63 y=63 | MAXZ 0xffff | BASE hi(v)\n\
    VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(v)\n";

/// Builds a list with these commands, which may draw the vertices in order.
fn capture(commands: &str, vertices: &str) -> Capture {
    let list = format!("{SETUP}{commands}\nFINISH | END\n.align 4\nv: {vertices}");
    assemble(&list).unwrap_or_else(|error| panic!("{error}\n{list}")).capture()
}

/// Records a pixel's history, which must be the same with both engines.
fn history(capture: &Capture, at: [u32; 2]) -> PixelHistory {
    let [fast, reference] = [Engine::Fast, Engine::Reference].map(|engine| {
        let raster = RasterOptions { engine, ..RasterOptions::default() };
        Shot::new(capture.clone()).with_raster(raster).history(None, at).expect("a history")
    });
    assert_eq!(fast.entries, reference.entries, "both engines");
    assert!(fast.entries.iter().all(|entry| entry.agrees), "explained as drawn: {fast}");
    fast
}

/// Returns the verdicts on all entries.
fn verdicts(history: &PixelHistory) -> Vec<String> {
    history.entries.iter().map(|entry| history.verdict_of(entry)).collect()
}

/// A rectangle with 20×20 pixels in a colour at a depth.
fn rectangle(color: &str, depth: u32) -> String {
    format!(".rgba {color} | .s16 0 0 0 | .align 4\n.rgba {color} | .s16 20 20 {depth} | .align 4\n")
}

#[test]
fn every_draw_has_its_verdict() {
    let vertices = ["#102030ff", "#5a6b7c80", "#ffffff10", "#00ff00ff", "#ff0000ff"]
        .map(|color| rectangle(color, 0x3000))
        .concat();
    let draw = "PRIM primitive=RECTANGLES count=2\n";
    let commands = format!(
        "CLEARMODE enabled=1 color=1 depth=1 | {draw} CLEARMODE enabled=0\n\
         BLENDENABLE 1 | BLENDMODE source=SOURCE_ALPHA destination=ONE_MINUS_SOURCE_ALPHA equation=ADD | {draw}\
         BLENDENABLE 0 | ALPHATESTENABLE 1 | ALPHATEST function=GREATER reference=32 mask=255 | {draw}\
         ALPHATESTENABLE 0 | ZTESTENABLE 1 | ZTEST GREATER | {draw}\
         ZTESTENABLE 0 | SCISSOR1 x=9 y=9 | {draw}"
    );
    let history = history(&capture(&commands, &vertices), [3, 4]);
    assert_eq!(
        verdicts(&history),
        [
            "draw 0 of 5, rectangle 0: cleared, #10203000 over #00000000",
            "draw 1 of 5, rectangle 0: written, #35455600 over #10203000 by SOURCE_ALPHA, ONE_MINUS_SOURCE_ALPHA",
            "draw 2 of 5, rectangle 0: killed by alpha: 0x10 GREATER 0x20 fails",
            "draw 3 of 5, rectangle 0: killed by depth: 0x3000 GREATER 0x3000 fails",
            "draw 4 of 5, rectangle 0: killed by the scissor: 3,4 is not in 9,9 to 31,31",
        ],
        "{history}"
    );
    assert_eq!(history.last_writer().map(|entry| entry.event.draw), Some(1), "the last that passed");
    assert_eq!(history.verdict(), verdicts(&history)[1], "the verdict");
    let blend = history.entries[1].fragments()[0].record.blend.expect("a blend");
    assert_eq!(
        (blend.source, blend.destination),
        ([0x5A, 0x6B, 0x7C, 0x80], [0x10, 0x20, 0x30, 0]),
        "operands"
    );
    assert_eq!(blend.source_values, [0x80; 3], "source alpha");
}

/// Stencil, colour test and masks.
#[test]
fn stencil_and_masks_are_explained() {
    let vertices = rectangle("#80ff00ff", 7).repeat(3);
    let draw = "PRIM primitive=RECTANGLES count=2\n";
    let commands = format!(
        "STENCILTESTENABLE 1 | STENCILTEST function=EQUAL reference=1 mask=255\n\
         STENCILOP stencil_fail=REPLACE depth_fail=KEEP pass=KEEP | {draw}\
         MASKRGB 0x00ff00 | {draw}\
         STENCILTESTENABLE 0 | MASKRGB 0 | COLORTESTENABLE 1 | COLORTEST NOT_EQUAL | COLORREF #80ff00\n\
         COLORTESTMASK #ffffff | {draw}"
    );
    let history = history(&capture(&commands, &vertices), [19, 0]);
    assert_eq!(
        verdicts(&history),
        [
            "draw 0 of 3, rectangle 0: killed by stencil: 0x01 EQUAL 0x00 fails; REPLACE changes the stencil from 0x00 \
             to 0x01",
            "draw 1 of 3, rectangle 0: written, #80000001 over #00000001, without the bits #00ff0000",
            "draw 2 of 3, rectangle 0: killed by colour: #80ff00 NOT_EQUAL #80ff00 fails",
        ],
        "{history}"
    );
    assert_eq!(history.last_writer().map(|entry| entry.event.draw), Some(1), "the last that passed");
}

#[test]
fn triangles_of_a_draw_are_told_apart() {
    let corner = |color: &str, x: i32, y: i32| format!(".rgba {color} | .s16 {x} {y} 5 | .align 4\n");
    let triangle = |color: &str| corner(color, 0, 0) + &corner(color, 30, 0) + &corner(color, 0, 30);
    // Without area: numbers continue as in the list.
    let empty = corner("#0000ffff", 25, 25).repeat(3);
    let vertices = triangle("#ff0000ff") + &empty + &triangle("#00ff00ff");
    let history = history(&capture("SHADEMODE FLAT | PRIM primitive=TRIANGLES count=9", &vertices), [5, 5]);
    let numbers: Vec<u32> = history.entries[0].fragments().iter().map(|fragment| fragment.number).collect();
    assert_eq!(numbers, [0, 2], "as in the list");
    assert_eq!(history.verdict(), "draw 0 of 1, triangle 2: written, #00ff0000 over #ff000000", "{history}");
    let [first, second] = [0, 1].map(|index| &history.entries[0].fragments()[index]);
    assert_eq!(first.after, second.before, "the second sees the first");
}

/// A texture, its level and its texels with their addresses and weights.
#[test]
fn texels_have_addresses_and_weights() {
    let commands = "TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXADDR0 lo(t) | TEXBUFWIDTH0 width=4 high=8\n\
        TEXSIZE0 width_log2=2 height_log2=2 | TEXFUNC function=REPLACE use_alpha=1\n\
        TEXFILTER minification=LINEAR magnify_linear=1\n\
        VTYPE texcoord=BITS16 position=BITS16 through=1 | PRIM primitive=RECTANGLES count=2";
    let vertices = ".s16 0 0 0 0 0 | .s16 4 4 8 8 0\n.align 16\nt: .fill 64 0x40";
    let capture = capture(commands, vertices);
    let history = history(&capture, [2, 1]);
    let record = &history.entries[0].fragments()[0].record;
    let texture = record.texture.as_ref().expect("a texture");
    let [level] = &texture.levels[..] else { panic!("one level: {history}") };
    // The pixel's centre is at texel 1.25, 0.75: 0.75 and 0.25 after the centre of texel 0, 0.
    assert_eq!(level.position, [12, 4], "in sixteenths");
    let weights: Vec<u16> = level.texels.iter().map(|texel| texel.weight).collect();
    assert_eq!(weights, [4 * 12, 12 * 12, 4 * 4, 12 * 4], "of 256");
    let first = level.texels[0].address.get();
    let offsets: Vec<u32> = level.texels.iter().map(|texel| texel.address.get() - first).collect();
    assert_eq!(offsets, [0, 4, 16, 20], "rows of 16 bytes");
    assert_eq!(texture.color, [0x40; 4], "filtered");
    assert_eq!(record.texture_function.expect("a function").result, [0x40; 4], "replaced");
}

#[test]
fn transfers_and_the_cpu_are_entries() {
    let commands = "PRIM primitive=RECTANGLES count=2\n\
        TRANSFERSRC 0x2000 | TRANSFERSRCW width=64 high=4 | TRANSFERDST 0 | TRANSFERDSTW width=64 high=4\n\
        TRANSFERSIZE x=7 y=7 | TRANSFERSTART 1\n\
        fill: TRANSFERSRC 0 | TRANSFERSRCW width=64 high=1 | TRANSFERSTART 1";
    let mut capture = capture(commands, &rectangle("#112233ff", 1));
    let fill =
        capture.start.offset(4 * u32::try_from(SETUP.split(['|', '\n']).count() - 1 + 7).expect("few"));
    let target = Address::vram((64 * 2 + 3) * 4 + 1);
    capture.memory.write(Address::vram(0x2000), &[0xAA; 0x1000]);
    capture.events = vec![
        Event { at: fill, action: Action::Fill { to: target, value: 0x55, length: 1 } },
        Event { at: fill, action: Action::Fill { to: Address::vram(0), value: 9, length: 4 } },
    ];
    let history = history(&capture, [3, 2]);
    assert_eq!(
        verdicts(&history),
        [
            "draw 0 of 1, rectangle 0: written, #11223300 over #00000000",
            "event 1, block transfer from 0x0400220c: copied, #aaaaaaaa over #11223300",
            "event 2, fill by the CPU with 0x55: written, #aa55aaaa over #aaaaaaaa",
            "event 4, block transfer: nothing copied, because memory is missing",
        ],
        "{history}"
    );
    assert_eq!(history.last, u32::from_le_bytes([0xAA, 0x55, 0xAA, 0xAA]), "the value at the end");
}

/// The pixel shows in each view of VRAM.
#[test]
fn buffers_have_addresses_in_every_view() {
    let capture = capture(
        "ZTESTENABLE 1 | ZTEST ALWAYS | PRIM primitive=RECTANGLES count=2",
        &rectangle("#112233ff", 0x1234),
    );
    let record = |name: &str| {
        let name: TargetName = name.parse().expect("a target");
        Shot::new(capture.clone()).history(Some(name), [3, 2])
    };
    let named = record("0x04000000").expect("a history");
    assert_eq!(named.entries, history(&capture, [3, 2]).entries, "the only buffer");
    let depth = record("0x04700000,64,BGR5650").expect("a history");
    assert_eq!(depth.last, 0x1234, "{depth}");
    assert!(depth.verdict().contains("written as depth, 0x1234 over 0x0000"), "{depth}");
    let error = record("0x04000010").expect_err("no draw is there");
    assert_eq!(error, PixelTargetError::NotDrawn(Address::vram(0x10)), "another address");
    let error = record("0x04000000,0,BGR5650").expect_err("no rows");
    assert_eq!(error, PixelTargetError::NoBuffer, "no row length");
    let outside = Shot::new(capture.clone()).history(None, [64, 0]);
    assert!(matches!(outside, Err(PixelTargetError::Outside { columns: 64, .. })), "the next row");
    for wrong in ["", "x", "0x0,512", "0x0,512,RGB", "0x0,512,BGR5650,1"] {
        assert!(wrong.parse::<TargetName>().is_err(), "{wrong}");
    }
}

#[test]
fn explanations_are_limited() {
    let capture =
        capture(&"VADDR lo(v) | PRIM primitive=RECTANGLES count=2\n".repeat(40), &rectangle("#112233ff", 1));
    let limits = Limits::default().with(Limit::Memory, 20_000);
    let history = Shot::new(capture).with_limits(limits).history(None, [3, 2]).expect("a history");
    assert!(history.limit_hit.is_some(), "the limit is named");
    assert!((1..40).contains(&history.entries.len()), "{} entries", history.entries.len());
    let tests = &history.entries[0].fragments()[0].record.tests;
    assert_eq!(tests.first().map(|test| test.test), Some(TestName::Scissor), "explained up to there");
}

#[test]
fn equal_writes_name_the_origin_of_the_value() {
    let capture = capture(
        "PRIM primitive=RECTANGLES count=2\nPRIM primitive=RECTANGLES count=2",
        &rectangle("#112233ff", 1).repeat(2),
    );
    let history = history(&capture, [3, 2]);
    assert_eq!(
        history.verdict(),
        "draw 1 of 2, rectangle 0: written, #11223300 over the same value; the value is that of draw 0 of 2, \
         rectangle 0: written, #11223300 over #00000000"
    );
    let elsewhere = self::history(&capture, [30, 30]);
    assert_eq!(elsewhere.verdict(), "no event writes the pixel: #00000000 from start to end");
}

/// Rules that few draws meet are told in words.
#[test]
fn vertices_tell_the_rules_that_they_meet() {
    let far = ".rgba #ff0000ff | .s16 -3000 -3000 0 | .align 4\n.rgba #ff0000ff | .s16 20 20 0 | .align 4\n";
    let draw = "PRIM primitive=RECTANGLES count=2\n";
    let texts = |history: &PixelHistory| {
        let rules = history.entries.iter().flat_map(|entry| &entry.rules);
        rules.map(ToString::to_string).collect::<Vec<_>>()
    };
    let clamped = history(&capture(draw, far), [3, 4]);
    let expected = ["through positions (1): x and y are clamped to -2048 to 2047.9375 pixels"];
    assert_eq!(texts(&clamped), expected, "a position beyond 12 bits");
    assert!(clamped.to_string().contains(&format!("    rule        {}\n", expected[0])), "{clamped}");
    let near = rectangle("#ff0000ff", 0);
    assert!(texts(&history(&capture(draw, &near), [3, 4])).is_empty(), "no rule");
    let corner = |at: u8| format!(".rgba #ff0000ff | .s16 {at} {at} 0 | .align 4\n").repeat(2);
    let frames = corner(0) + &corner(20);
    let morphed =
        "MORPHWEIGHT0 1 | MORPHWEIGHT1 -0.5\nVTYPE color=ABGR8888 position=BITS16 morph_count=1 through=1\n";
    let history = history(&capture(&format!("{morphed}{draw}"), &frames), [3, 4]);
    let expected = ["morphed colours: a negative sum becomes its magnitude, at most 255"];
    assert_eq!(texts(&history), expected, "a negative weight");
}
