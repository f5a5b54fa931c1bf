//! Rules on draws, which mostly cover no pixel here.

use super::{CAMERA, CORNERS, DRAW, Row, commands, with_data};
use crate::check::Rule;

/// Two triangles. The first is beyond the view volume's right side, and culling drops the second.
const TWO: &str = "f: .f32 2 0 0  3 0 0  2 1 0  -0.5 -0.5 0  -0.5 0.5 0  0.5 -0.5 0";

pub(super) fn rows() -> Vec<Row> {
    let prim = |primitive: &str, count: u32| commands(format!("PRIM primitive={primitive} count={count}"));
    let draw = |state: &str| commands(format!("{state} | {DRAW}"));
    let mut rows = geometry();
    rows.extend(pixels());
    rows.extend([
        (Rule::EmptyDraw, prim("TRIANGLES", 0), prim("TRIANGLES", 3)),
        (Rule::TooFewVertices, prim("TRIANGLES", 2), prim("POINTS", 2)),
        (
            Rule::IncompletePrimitive,
            prim("TRIANGLES", 4),
            commands("PRIM primitive=TRIANGLES count=4 | PRIM primitive=CONTINUE count=2"),
        ),
        (Rule::NoPosition, draw("VTYPE color=ABGR8888 through=1"), draw("NOP")),
        (
            Rule::ZeroMorph,
            draw("VTYPE position=BITS16 morph_count=1 through=1"),
            draw("MORPHWEIGHT0 1 | VTYPE position=BITS16 morph_count=1 through=1"),
        ),
        (Rule::WeightsSum, weighted(64), weighted(128)),
        (Rule::VertexNotFinite, float("inf"), float("1")),
        (Rule::ThroughClamped, float("-2049"), float("-2048")),
        (Rule::NegativeColor, morphed("-2"), morphed("1")),
        (Rule::BoxBehind, bounded("-1"), bounded("1")),
    ]);
    rows
}

/// A vertex with a single 8-bit weight.
fn weighted(weight: u8) -> super::Input {
    let state = "VTYPE weight=BITS8 position=BITS8 | VADDR lo(w) | PRIM primitive=POINTS count=1";
    with_data(state, format!("w: .u8 {weight} 0 0 0"))
}

/// A vertex in this column.
fn float(x: &str) -> super::Input {
    let state = "VTYPE position=FLOAT through=1 | VADDR lo(f) | PRIM primitive=POINTS count=1";
    with_data(state, format!("f: .f32 {x} 0 0"))
}

/// A vertex with two frames in equal colours. The second frame has this weight.
fn morphed(weight: &str) -> super::Input {
    let state = format!(
        "MORPHWEIGHT0 1 | MORPHWEIGHT1 {weight} | VTYPE color=ABGR8888 position=BITS16 morph_count=1 through=1
         VADDR lo(m) | PRIM primitive=POINTS count=1"
    );
    with_data(state, "m: .rgba #40404040 | .s16 9 9 0 0 | .rgba #40404040 | .s16 9 9 0 0")
}

/// A bounding box at this z, with a camera that takes z for w.
fn bounded(z: &str) -> super::Input {
    let state = format!(
        "{CAMERA} | PROJMATRIXNUMBER 0 | PROJMATRIXDATA 1 0 0 0  0 1 0 0  0 0 0 1  0 0 0 0 | BBOX count=3"
    );
    with_data(state, format!("f: .f32 -0.1 -0.1 {z}  0.1 -0.1 {z}  0 0.1 {z}"))
}

/// Rules on primitives without a pixel.
fn geometry() -> Vec<Row> {
    let draw = |state: &str| commands(format!("{state} | {DRAW}"));
    let seen = |state: &str| with_data(format!("{CAMERA} | {state} | {DRAW}"), CORNERS);
    let corners =
        |positions: &str| with_data(format!("VADDR lo(c) | {DRAW}"), format!("c: .s16 {positions}"));
    let world = |axes: &str| seen(&format!("WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA {axes}"));
    vec![
        (Rule::ZeroMatrix, world("0 0 0  0 0 0  0 0 0  0 0 0"), seen("NOP")),
        (Rule::SingularMatrix, world("0 0 0  0 1 0  0 0 1  0 0 0"), seen("NOP")),
        (Rule::ZeroViewport, seen("VIEWPORTXSCALE 0"), seen("NOP")),
        (Rule::EmptyScissor, draw("SCISSOR1 x=9 y=9 | SCISSOR2 x=5 y=5"), draw("NOP")),
        (Rule::EmptyScissor, draw("REGION2 x=0 y=0"), draw("REGION2 x=100 y=100")),
        (Rule::OutsideScissor, draw("SCISSOR2 x=5 y=5"), draw("SCISSOR2 x=50 y=50")),
        (
            Rule::OutsideBuffer,
            corners("-30 -30 0  -20 -30 0  -30 -20 0"),
            corners("-30 -30 0  99 -30 0  -30 99 0"),
        ),
        (Rule::AllCulled, draw("CULLENABLE 1"), draw("CULLENABLE 1 | CULL COUNTERCLOCKWISE")),
        (Rule::OutsideView, world("1 0 0  0 1 0  0 0 1  5 0 0"), world("1 0 0  0 1 0  0 0 1  0.1 0 0")),
        (
            Rule::BehindCamera,
            seen("PROJMATRIXNUMBER 15 | PROJMATRIXDATA -1"),
            seen("PROJMATRIXNUMBER 15 | PROJMATRIXDATA 2"),
        ),
        (
            Rule::OutsideScreenSpace,
            seen("VIEWPORTXCENTER 5000 | DEPTHCLAMPENABLE 0"),
            seen("VIEWPORTXCENTER 2000 | DEPTHCLAMPENABLE 0"),
        ),
        (Rule::OutsideDepth, seen("VIEWPORTZCENTER -5 | DEPTHCLAMPENABLE 0"), seen("VIEWPORTZCENTER -5")),
        (
            Rule::AllDropped,
            with_data(format!("{CAMERA} | CULLENABLE 1 | PRIM primitive=TRIANGLES count=6"), TWO),
            with_data(format!("{CAMERA} | PRIM primitive=TRIANGLES count=6"), TWO),
        ),
        (Rule::NoArea, corners("10 10 0  20 10 0  30 10 0"), corners("10 10 0  20 10 0  30 20 0")),
        (Rule::TooSmall, corners("10 10 0  11 10 0  10 11 0"), corners("10 10 0  12 10 0  10 12 0")),
    ]
}

/// Rules on pixels failing all tests or changing nothing.
fn pixels() -> Vec<Row> {
    let draw = |state: &str| commands(format!("{state} | {DRAW}"));
    let seen = |state: &str| with_data(format!("{CAMERA} | {state} | {DRAW}"), CORNERS);
    let alpha = |test: &str| draw(&format!("ALPHATESTENABLE 1 | ALPHATEST {test} mask=255"));
    let far = |scissor: &str| {
        let state = format!("SCISSOR2 {scissor} | VADDR lo(c) | PRIM primitive=RECTANGLES count=2");
        with_data(state, "c: .s16 10 10 0  1000 1000 0")
    };
    vec![
        (Rule::DepthRangeRejects, seen("MINZ 60000"), seen("MINZ 30000")),
        (Rule::EmptyDepthRange, seen("MAXZ 0"), seen("MAXZ 40000")),
        (Rule::TestNever, alpha("function=NEVER"), alpha("function=EQUAL")),
        (Rule::AlphaTestRejects, alpha("function=GREATER"), alpha("function=GREATER_EQUAL")),
        (
            Rule::ColorTestRejects,
            draw("COLORTESTENABLE 1 | COLORTEST NOT_EQUAL | COLORTESTMASK #ffffff"),
            draw("COLORTESTENABLE 1 | COLORTEST EQUAL | COLORTESTMASK #ffffff"),
        ),
        (
            Rule::StencilTestRejects,
            draw("STENCILTESTENABLE 1 | STENCILTEST function=EQUAL reference=1 mask=255"),
            draw("STENCILTESTENABLE 1 | STENCILTEST function=EQUAL reference=0 mask=255"),
        ),
        (
            Rule::DepthTestRejects,
            draw("ZTESTENABLE 1 | ZTEST LESS"),
            draw("ZTESTENABLE 1 | ZTEST LESS_EQUAL"),
        ),
        (
            Rule::TestsReject,
            draw("ZTESTENABLE 1 | ZTEST LESS | ALPHATESTENABLE 1 | ALPHATEST function=GREATER mask=255"),
            draw("ZTESTENABLE 1 | ZTEST LESS | ALPHATESTENABLE 1 | ALPHATEST function=EQUAL mask=255"),
        ),
        (Rule::NoPixels, far("x=5 y=5"), far("x=100 y=100")),
        (
            Rule::WritesNothing,
            draw("MASKRGB 0xffffff | MASKALPHA 0xff"),
            draw("MASKRGB 0xfffffe | MASKALPHA 0xff"),
        ),
        (Rule::WritesNothing, draw("CLEARMODE enabled=1"), draw("CLEARMODE enabled=1 color=1")),
    ]
}
