//! Tests on lists that cover each fate of a primitive.

use super::*;
use crate::asm::assemble;
use crate::debug::SessionOptions;
use crate::ge::overrides::{Change, Override, Scope};
use crate::pipeline::draw::primitive_record::Outcode;
use crate::raster::RasterOptions;

/// Buffers, scissor, and for transformed vertices unit matrices and the usual viewport.
const SETUP: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x110000 | ZBUFWIDTH width=512
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 65535 | BASE hi(v)
    WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
    VIEWMATRIXNUMBER 0 | VIEWMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
    PROJMATRIXNUMBER 0 | PROJMATRIXDATA 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1
    VIEWPORTXSCALE 240.0 | VIEWPORTYSCALE -136.0 | VIEWPORTZSCALE 32767.0
    VIEWPORTXCENTER 2048.0 | VIEWPORTYCENTER 2048.0 | VIEWPORTZCENTER 32767.0
    OFFSETX 28928 | OFFSETY 30592 | VADDR lo(v)\n";

fn report_of(list: &str, arithmetic: Arithmetic) -> DrawReport {
    let text = format!("{SETUP}{list}");
    let capture = assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).capture();
    let raster = RasterOptions { arithmetic, ..RasterOptions::default() };
    let mut session = Session::open(capture, SessionOptions { raster, ..SessionOptions::default() });
    explain(&mut session, EventNumber(0)).expect("a draw")
}

/// Returns fate and reason for the first primitive from three float vertices, with these settings.
fn fate(settings: &str, vertices: &str) -> (PrimitiveFate, String) {
    let list = format!(
        "{settings} | PRIM primitive=TRIANGLES count=3 | FINISH | END | .align 4 | v: .f32 {vertices}"
    );
    let report = report_of(&list, Arithmetic::Hardware);
    let primitive = &report.primitives[0];
    let counts = primitive.counts();
    assert_eq!(counts.covered, counts.killed() + counts.passed, "{settings}: one fate each");
    (primitive.fate(), primitive.reason(&report.vertices))
}

#[test]
fn primitives_in_through_mode_have_a_fate() {
    let through = "VTYPE position=FLOAT through=1";
    let triangle = "10 10 0  30 10 0  10 30 0";
    for (settings, vertices, expected, reason) in [
        ("NOP", triangle, PrimitiveFate::Drawn, "drawn: 190 fragments"),
        ("CULLENABLE 1", triangle, PrimitiveFate::Culled, "culled: it runs clockwise"),
        ("CULLENABLE 1", "10 10 0  10 30 0  30 10 0", PrimitiveFate::Drawn, "drawn: 190 fragments"),
        (
            "CULLENABLE 1 | CULL 1",
            "10 10 0  10 30 0  30 10 0",
            PrimitiveFate::Culled,
            "culled: it runs counter-clockwise",
        ),
        ("CULLENABLE 1", "10 10 0  20 20 0  30 30 0", PrimitiveFate::NoArea, "it has no area"),
        ("NOP", "10 10 0  20 20 0  30 30 0", PrimitiveFate::NoArea, "it has no area"),
        (
            "NOP",
            "10.0625 10.0625 0  10.25 10.0625 0  10.0625 10.25 0",
            PrimitiveFate::NoPixel,
            "it lies between the centres of pixels",
        ),
        (
            "NOP",
            "2010 10 0  2030 10 0  2010 30 0",
            PrimitiveFate::OutsideBuffer,
            "outside the 1024x1024 pixels of a buffer",
        ),
        (
            "NOP",
            "510 10 0  530 10 0  510 30 0",
            PrimitiveFate::OutsideScissor,
            "all of its 190 pixels are outside the scissor",
        ),
        (
            "ALPHATESTENABLE 1 | ALPHATEST function=NEVER mask=255",
            triangle,
            PrimitiveFate::Killed,
            "killed by alpha 190",
        ),
        (
            "SCISSOR1 x=10 y=20",
            triangle,
            PrimitiveFate::Drawn,
            "drawn: 45 of 190 fragments, killed by scissor 145",
        ),
    ] {
        let found = fate(&format!("{through} | {settings}"), vertices);
        assert_eq!(found, (expected, reason.to_owned()), "{settings}: {vertices}");
    }
}

#[test]
fn transformed_primitives_have_a_fate() {
    let clamp = "DEPTHCLAMPENABLE 1";
    let w_is_z = "PROJMATRIXNUMBER 0 | PROJMATRIXDATA 1 0 0 0  0 1 0 0  0 0 1 1  0 0 0 0";
    for (settings, vertices, expected, reason) in [
        ("NOP", "0 0 0  0.5 0 0  0 0.5 0", PrimitiveFate::Drawn, "drawn: 4080 fragments"),
        (
            "NOP",
            "-2 0 0  -3 0 0  -2 0.5 0",
            PrimitiveFate::Dropped,
            "dropped: all vertices are outside the left side of the view volume",
        ),
        (
            "NOP",
            "2 2 0  3 2 0  2 2.5 0",
            PrimitiveFate::Dropped,
            "dropped: all vertices are outside the right and top side of the view volume",
        ),
        (
            clamp,
            "0 0 2  1 0 2  0 1 2",
            PrimitiveFate::Dropped,
            "dropped: all vertices are outside the far side of the view volume",
        ),
        (
            clamp,
            "0 0 0  20 0 0  0 0.5 0",
            PrimitiveFate::Dropped,
            "dropped: a vertex is outside the 4096x4096 screen space",
        ),
        (
            "NOP",
            "0 0 0  0.5 0 0  0 0.5 1.5",
            PrimitiveFate::Dropped,
            "dropped: the depth of a vertex is outside 0 to 65535",
        ),
        (
            w_is_z,
            "0 0 1  0.5 0 1  0 -0.5 -0.5",
            PrimitiveFate::Dropped,
            "dropped: w of a vertex is 0 or negative",
        ),
        (
            &format!("{clamp} | {w_is_z}"),
            "0.1 0 1  0.5 0 1  0.1 -0.5 -0.5",
            PrimitiveFate::OutsideScreen,
            "dropped: a vertex that near clipping left is outside the 4096x4096 screen space \
             (clipped at the near plane to 2 parts)",
        ),
        (
            "VIEWPORTXSCALE nan(0x7FC000) | DEPTHCLAMPENABLE 1 | PROJMATRIXNUMBER 0 | PROJMATRIXDATA nan(0x7FC000)",
            "0 0 0  0.5 0 0  0 0.5 0",
            PrimitiveFate::Dropped,
            "dropped: a vertex is outside the 4096x4096 screen space (vertex 0 is NaN)",
        ),
    ] {
        let found = fate(&format!("VTYPE position=FLOAT | {settings}"), vertices);
        assert_eq!(found, (expected, reason.to_owned()), "{settings}: {vertices}");
    }
}

#[test]
fn near_clipping_makes_parts() {
    for (vertices, parts) in [("0 0 0  0.5 0 0  0 0.5 -2", 2), ("0 0 0  0.5 0 -2  0 0.5 -2", 1)] {
        let list = format!(
            "DEPTHCLAMPENABLE 1 | VTYPE position=FLOAT | PRIM primitive=TRIANGLES count=3 | FINISH | END
             .align 4 | v: .f32 {vertices}"
        );
        let report = report_of(&list, Arithmetic::Hardware);
        let primitive = &report.primitives[0];
        assert!(primitive.record.clipped, "{vertices}: clipped");
        assert_eq!(primitive.record.parts.len(), parts, "{vertices}");
        assert_eq!(primitive.fate(), PrimitiveFate::Drawn, "{vertices}");
        let sum: u64 = primitive.outcomes.iter().map(|outcome| outcome.counts.passed).sum();
        assert_eq!(sum, report.counts.passed, "{vertices}: the parts together are the draw");
        assert_eq!(report.pixels.overdraw().0, 1, "{vertices}: the parts do not overlap");
    }
}

#[test]
fn vertices_at_each_stage() {
    let list = "WORLDMATRIXNUMBER 9 | WORLDMATRIXDATA 0.25 0 0 | VIEWMATRIXNUMBER 9 | VIEWMATRIXDATA 0 0.5 0
        VTYPE position=FLOAT color=ABGR8888 index=BITS8 | IADDR lo(indices) | PRIM primitive=POINTS count=2
        FINISH | END | indices: .u8 1 0 | .align 4
        v: .rgba #01020304 | .f32 0 0 0 | .rgba #05060708 | .f32 0.25 0 0.5";
    for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
        let report = report_of(list, arithmetic);
        let (source, vertex) = (&report.source[0], &report.vertices[0]);
        assert_eq!(source.place.map(|(index, _)| index), Some(1), "the second vertex in memory");
        assert_eq!((source.model.position, source.frames.len()), ([0.25, 0.0, 0.5], 1), "as read");
        let spaces = vertex.spaces.expect("transformed");
        assert_eq!(spaces.world, [0.5, 0.0, 0.5], "world");
        assert_eq!(spaces.view, [0.5, 0.5, 0.5], "view");
        assert_eq!(spaces.clip, [0.5, 0.5, 0.5, 1.0], "clip");
        assert_eq!((vertex.screen.x, vertex.screen.y), (360 * 16, 68 * 16), "screen, in 1/16 pixel");
        assert_eq!((vertex.screen.color, vertex.outcode), ([5, 6, 7, 8], Outcode::empty()), "unlit");
        assert_eq!((report.counts.passed, report.primitives.len()), (2, 2), "two points");
    }
}

#[test]
fn patches_and_draws_of_registers() {
    let points: String = (0..16).map(|n| format!("{} {} 0  ", n % 4 * 20 + 10, n / 4 * 20 + 10)).collect();
    let list = format!(
        "PATCHDIVISION u=2 v=2 | VTYPE position=FLOAT through=1 | BEZIER u_count=4 v_count=4 | FINISH | END
         .align 4 | v: .f32 {points}"
    );
    let patch = report_of(&list, Arithmetic::Hardware);
    assert_eq!(
        (patch.source.len(), patch.vertices.len()),
        (16, 9),
        "control points and tessellated vertices"
    );
    assert_eq!(patch.primitives.len(), 8, "triangles of four quads");
    let numbers: Vec<u32> = patch.primitives.iter().map(|primitive| primitive.record.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7], "numbered");
    assert_eq!(patch.counts.passed, 60 * 60, "a square");
    let immediate = report_of(
        "VTYPE through=1 | VSCX 28672 | VSCY 30720 | VAP alpha=255 primitive=POINTS | FINISH | END | v:",
        Arithmetic::Hardware,
    );
    assert_eq!((immediate.source.len(), immediate.vertices.len()), (0, 1), "in screen space only");
    assert_eq!((immediate.vertices[0].model, immediate.vertices[0].spaces), (None, None), "no other space");
    assert_eq!(immediate.primitives.len(), 1, "one primitive");
}

#[test]
fn merged_triangles_keep_their_numbers() {
    let list = "VTYPE position=FLOAT through=1 | PRIM primitive=TRIANGLES count=6 | FINISH | END | .align 4
        v: .f32 10 10 0  30 10 0  30 30 0  10 10 0  30 30 0  10 30 0";
    let strip =
        "VTYPE position=FLOAT through=1 | PRIM primitive=TRIANGLE_STRIP count=5 | FINISH | END | .align 4
        v: .f32 10 10 0  30 10 0  10 30 0  30 30 0  40 40 0";
    let hardware = report_of(list, Arithmetic::Hardware);
    assert_eq!((hardware.primitives.len(), hardware.counts.passed), (2, 400), "two triangles");
    let odd = report_of(strip, Arithmetic::Single);
    let numbers: Vec<u32> = odd.primitives.iter().map(|primitive| primitive.record.number).collect();
    assert_eq!(numbers, [0, 1, 2], "an odd number of vertices is not merged");
    let even = report_of(&strip.replace("count=5", "count=4"), Arithmetic::Single);
    let merged = &even.primitives[0].record;
    assert_eq!((even.primitives.len(), merged.number, merged.merged), (1, 0, 2), "one rectangle");
    assert_eq!((&merged.vertices[..], even.counts.passed), (&[0, 1, 2, 3][..], 400), "of all vertices");
}

#[test]
fn overdraw_and_errors() {
    let list = "VTYPE position=FLOAT through=1 | PRIM primitive=RECTANGLES count=4
        TRANSFERSTART 1 | FINISH | END | .align 4 | v: .f32 0 0 0  8 4 0  4 0 0  12 4 0";
    let twice = report_of(list, Arithmetic::Hardware);
    assert_eq!((twice.counts.passed, twice.pixels.overdraw()), (64, (2, 48)), "half of each twice");
    let capture = assemble(&format!("{SETUP}{list}")).expect("a list").capture();
    let mut session = Session::open(capture, SessionOptions::default());
    let of = |session: &mut Session, event| {
        explain(session, EventNumber(event)).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(of(&mut session, 0), Ok(()), "the draw");
    let transfer = of(&mut session, 1).expect_err("not a draw");
    assert!(transfer.ends_with("is not a draw") && transfer.contains("block transfer"), "{transfer}");
    for event in [2, 9] {
        let beyond = of(&mut session, event).expect_err("beyond the end");
        assert!(beyond.contains("beyond the end"), "{beyond}");
    }
}

#[test]
fn limits_cut_reports_short() {
    use crate::ge::limits::{Limit, Limits};
    let list = "VTYPE position=FLOAT through=1 | PRIM primitive=RECTANGLES count=4
        FINISH | END | .align 4 | v: .f32 0 0 0  8 4 0  4 0 0  12 4 0";
    let capture = assemble(&format!("{SETUP}{list}")).expect("a list").capture();
    for (limit, value) in [(Limit::Memory, 2000), (Limit::Pixels, 300)] {
        let limits = Limits::default().with(limit, value);
        let options = SessionOptions { limits, ..SessionOptions::default() };
        let mut session = Session::open(capture.clone(), options);
        let Ok(report) = explain(&mut session, EventNumber(0)) else { continue };
        assert_eq!(report.limit_hit.map(|hit| hit.limit), Some(limit), "{limit:?}");
    }
}

/// A draw that reads memory is counted as if there were no texture cache, although the cache keeps the texels from
/// the draw before.
#[test]
fn a_draw_without_the_cache_counts_texels_of_memory() {
    let list = format!(
        "{SETUP}
        VTYPE texcoord=BITS16 position=BITS16 through=1 | TEXENABLE 1 | TEXFUNC function=REPLACE use_alpha=1
        TEXFORMAT ABGR8888 | TEXSIZE0 width_log2=3 height_log2=3 | ALPHATESTENABLE 1 | ALPHATEST function=GREATER reference=0 mask=0xFF
        TEXADDR0 lo(opaque) | TEXBUFWIDTH0 width=8 high=hi(opaque) | PRIM primitive=RECTANGLES count=2
        TEXADDR0 lo(clear) | TEXBUFWIDTH0 width=8 high=hi(clear) | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
        FINISH | END
        .align 16 | v: .u16 0 0  0 0 0  8 8  8 8 0
        .align 16 | opaque: .fill 256 255
        .align 16 | clear: .space 256"
    );
    let killed = |uncached: bool| {
        let mut capture = assemble(&list).unwrap_or_else(|error| panic!("{error}")).capture();
        if uncached {
            let (scope, changes) = (Scope::draws("1".parse().expect("a set")), vec![Change::Uncached]);
            capture.overrides.push(Override { text: String::new(), scope, texture: None, changes });
        }
        let mut session = Session::open(capture, SessionOptions::default());
        explain(&mut session, EventNumber(1)).expect("a draw").counts.alpha
    };
    assert_eq!((killed(false), killed(true)), (0, 64), "fragments that the alpha test kills");
}
