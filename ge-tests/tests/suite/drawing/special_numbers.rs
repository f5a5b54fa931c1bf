//! Tries infinities, NaN, denormals and the largest float in every float operand of a list. The drawn pixels are
//! defined, and equal for both rasterizers and any number of threads.
//!
//! For each operand and value, the snapshot holds how many pixels are drawn in hardware and in single arithmetic, and
//! the middle pixel's colour. For the rules, see [`pspge::ge::arithmetic`].

use std::fmt::Write as _;
use std::path::Path;

use ge_tests::{input, snapshot};
use pspge::asm;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::Limits;
use pspge::raster::{Engine, RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::NullObserver;

/// The special values' names and bits as IEEE singles. Commands take the upper 24 bits.
const SPECIAL_VALUES: [(&str, u32); 6] = [
    ("inf", 0x7F80_0000),
    ("-inf", 0xFF80_0000),
    ("nan", 0x7FC0_0000),
    ("-nan", 0xFFC0_0000),
    ("denormal", 0x0001_2300),
    ("largest", 0x7F7F_FF00),
];

/// Commands to try, with a float operand `$x`.
const COMMANDS: &[(&str, &str)] = &[
    ("WORLD, x of the x axis", "WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA $x"),
    ("WORLD, x of the z axis", "WORLDMATRIXNUMBER 6 | WORLDMATRIXDATA $x"),
    ("WORLD, translation", "WORLDMATRIXNUMBER 9 | WORLDMATRIXDATA $x"),
    ("VIEW, z of the x axis", "VIEWMATRIXNUMBER 2 | VIEWMATRIXDATA $x"),
    ("VIEW, translation", "VIEWMATRIXNUMBER 11 | VIEWMATRIXDATA $x"),
    ("projection, x of the x axis", "PROJMATRIXNUMBER 0 | PROJMATRIXDATA $x"),
    ("projection, w of the z axis", "PROJMATRIXNUMBER 11 | PROJMATRIXDATA $x"),
    ("projection, w of the translation", "PROJMATRIXNUMBER 15 | PROJMATRIXDATA $x"),
    ("BONE, x of the x axis", "BONEMATRIXNUMBER 0 | BONEMATRIXDATA $x"),
    ("BONE, translation", "BONEMATRIXNUMBER 9 | BONEMATRIXDATA $x"),
    ("texture matrix", "TEXMAPMODE mode=MATRIX source=UV | TGENMATRIXNUMBER 0 | TGENMATRIXDATA $x"),
    ("texture matrix, q", "TEXMAPMODE mode=MATRIX source=UV | TGENMATRIXNUMBER 11 | TGENMATRIXDATA $x"),
    ("morph weight", "MORPHWEIGHT0 $x"),
    ("viewport, scale of x", "VIEWPORTXSCALE $x"),
    ("viewport, scale of z", "VIEWPORTZSCALE $x"),
    ("viewport, center of y", "VIEWPORTYCENTER $x"),
    ("viewport, center of z", "VIEWPORTZCENTER $x"),
    ("viewport, center of clamped z", "DEPTHCLAMPENABLE 1 | VIEWPORTZCENTER $x"),
    ("texture scale", "TEXSCALEU $x"),
    ("texture offset", "TEXOFFSETV $x"),
    ("slope of texture levels", "TEXLEVEL mode=SLOPE | TEXLODSLOPE $x"),
    ("direction of a light", "LIGHTINGENABLE 1 | LX0 $x"),
    ("position of a light", "LIGHTINGENABLE 1 | LIGHTTYPE0 kind=POINT | LX0 $x"),
    ("attenuation", "LIGHTINGENABLE 1 | LIGHTTYPE0 kind=POINT | LKA0 $x"),
    ("attenuation by distance", "LIGHTINGENABLE 1 | LIGHTTYPE0 kind=POINT | LKC0 $x"),
    ("direction of a spot light", "LIGHTINGENABLE 1 | LIGHTTYPE0 kind=SPOT | LDZ0 $x"),
    ("cutoff of a spot light", "LIGHTINGENABLE 1 | LIGHTTYPE0 kind=SPOT | LDX0 0.5 | LDZ0 1 | LKO0 $x"),
    ("exponent of a spot light", "LIGHTINGENABLE 1 | LIGHTTYPE0 kind=SPOT | LDX0 0.5 | LDZ0 1 | LKS0 $x"),
    ("exponent of shine", "LIGHTINGENABLE 1 | LIGHTTYPE0 computation=SPECULAR | MATERIALSPECULARCOEF $x"),
    ("end of fog", "FOGENABLE 1 | FOG1 $x | FOG2 0.25"),
    ("slope of fog", "FOGENABLE 1 | FOG1 1 | FOG2 $x"),
];

/// Vertex components in memory order, with their values in the first, second and third vertex.
const COMPONENTS: [(&str, [f32; 3]); 9] = [
    ("weight", [1.0; 3]),
    ("u", [0.0, 1.0, 0.0]),
    ("v", [0.0, 0.0, 1.0]),
    ("x of the normal", [0.0; 3]),
    ("y of the normal", [0.0; 3]),
    ("z of the normal", [1.0; 3]),
    ("x", [-0.1, 0.1, -0.1]),
    ("y", [-0.1, -0.1, 0.1]),
    ("z", [0.0; 3]),
];

/// The primitive to draw.
#[derive(Clone, Copy)]
enum Shape {
    Triangle,
    /// A triangle with a second morph frame.
    Morph,
    Rectangle,
    /// A triangle in through mode.
    Flat,
    Patch,
}

/// Writes a list to draw a lit and textured primitive. In `special`, component and bits replace a component in the
/// second vertex.
fn list(shape: Shape, command: &str, special: Option<(usize, u32)>) -> String {
    let prelude = input::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/prelude.ge"));
    let mut text = String::from_utf8(prelude).expect("the prelude is text");
    let (through, count) = match shape {
        Shape::Triangle | Shape::Morph => (0, 3),
        Shape::Rectangle => (0, 2),
        Shape::Flat => (1, 3),
        Shape::Patch => (0, 16),
    };
    // Texels have different colours, to tell which texel is sampled.
    let texels: String = (0..16_u32)
        .map(|texel| {
            format!(
                "            .rgba #{:02x}{:02x}{:02x}ff\n",
                0x80 + 7 * texel,
                0xF0 - 9 * texel,
                0xC0 ^ texel
            )
        })
        .collect();
    let further = usize::from(matches!(shape, Shape::Morph));
    let draw = match shape {
        Shape::Triangle | Shape::Morph | Shape::Flat => "PRIM primitive=TRIANGLES count=3",
        Shape::Rectangle => "PRIM primitive=RECTANGLES count=2",
        Shape::Patch => "PATCHDIVISION u=3 v=3 | BEZIER u_count=4 v_count=4",
    };
    write!(
        text,
        "
        BONEMATRIXNUMBER 0 | BONEMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
        TGENMATRIXNUMBER 0 | TGENMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
        TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXFUNC function=MODULATE use_alpha=0 | TEXSIZE0 width_log2=2 height_log2=2
        TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=4 high=hi(texels)
        MORPHWEIGHT0 1 | MORPHWEIGHT1 0
        LIGHTENABLE0 1 | LX0 0 | LY0 0 | LZ0 1 | LKA0 1 | LAC0 #202020 | LDC0 #c0c0c0 | LSC0 #400000
        MATERIALAMBIENT #ffffff | MATERIALDIFFUSE #ffffff | MATERIALSPECULAR #ffffff | MATERIALSPECULARCOEF 1
        FOGCOLOR #4080c0
        {command}
        BASE hi(vertices) | VADDR lo(vertices)
        VTYPE weight=FLOAT texcoord=FLOAT color=ABGR8888 normal=FLOAT position=FLOAT morph_count={further} through={through}
        {draw}
        FINISH | END
        .align 16
        texels:
{texels}        vertices:
        "
    )
    .expect("text takes everything");
    for number in (0..count).flat_map(|number| std::iter::repeat_n(number, 1 + further)) {
        for (component, (_, values)) in COMPONENTS.iter().enumerate() {
            let value = match shape {
                Shape::Triangle | Shape::Morph => values[number],
                Shape::Flat if component >= 6 => values[number] * 200.0 + 100.0,
                Shape::Flat => values[number],
                // This is the opposite corner.
                Shape::Rectangle => values[number].max(values[number * 2]),
                // This is a grid with 4×4 control points.
                Shape::Patch if component == 6 => {
                    0.066 * (f32::from(u8::try_from(number % 4).unwrap_or(0)) - 1.5)
                }
                Shape::Patch if component == 7 => {
                    0.066 * (f32::from(u8::try_from(number / 4).unwrap_or(0)) - 1.5)
                }
                Shape::Patch => values[0],
            };
            let bits = match special {
                Some((at, bits)) if at == component && number == 1 => bits,
                _ => value.to_bits(),
            };
            writeln!(text, ".word {bits:#010x}").expect("text takes everything");
            // The colour follows the texture coordinates.
            if component == 2 {
                text.push_str(".rgba #ffffffff\n");
            }
        }
    }
    text
}

fn draw(capture: &Capture, options: RasterOptions) -> Vec<u8> {
    let mut capture = capture.clone();
    let mut raster = Rasterizer::new(options);
    replay::run(&mut capture, options.arithmetic, &mut raster, &mut NullObserver, &Limits::default());
    capture.memory.vram().to_vec()
}

/// Counts the drawn pixels and reads the middle pixel's colour. Checks that all rasterizers agree.
fn drawn(name: &str, text: &str) -> String {
    let program = asm::assemble(text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    let capture = program.capture();
    let show = |arithmetic: Arithmetic| {
        let options = RasterOptions { arithmetic, ..RasterOptions::default() };
        let vram = draw(&capture, RasterOptions { engine: Engine::Reference, ..options });
        for threads in 1..=3 {
            let fast = draw(&capture, RasterOptions { threads, ..options });
            assert!(fast == vram, "{name}, {arithmetic:?}: {threads} threads draw different pixels");
        }
        let pixels: Vec<&[u8]> =
            vram[..512 * 272 * 4].chunks_exact(4).filter(|pixel| pixel[..3] != [0; 3]).collect();
        match pixels.get(pixels.len() / 2) {
            Some(middle) => {
                format!("{} #{:02x}{:02x}{:02x}", pixels.len(), middle[0], middle[1], middle[2])
            }
            None => "nothing".to_owned(),
        }
    };
    let [hardware, single] = [Arithmetic::Hardware, Arithmetic::Single].map(show);
    if hardware == single { hardware } else { format!("{hardware}; singles {single}") }
}

#[test]
fn special_values_draw_as_accepted() {
    let mut table = String::new();
    let mut add = |name: &str, list: &dyn Fn(u32) -> String| {
        writeln!(table, "{name}").expect("text takes everything");
        for (number, bits) in SPECIAL_VALUES {
            let result = drawn(&format!("{name}, {number}"), &list(bits));
            writeln!(table, "    {number:8} {result}").expect("text takes everything");
        }
    };
    for (name, command) in COMMANDS {
        let shape = if command.starts_with("MORPH") { Shape::Morph } else { Shape::Triangle };
        add(name, &|bits| list(shape, &command.replace("$x", &format!("bits({:#08x})", bits >> 8)), None));
    }
    let shapes = [
        ("of a triangle", Shape::Triangle),
        ("of a rectangle", Shape::Rectangle),
        ("in through mode", Shape::Flat),
        ("of a control point", Shape::Patch),
    ];
    for (what, shape) in shapes {
        for (component, (name, _)) in COMPONENTS.iter().enumerate() {
            let lit = if component < 3 { "" } else { "LIGHTINGENABLE 1" };
            add(&format!("{name} {what}"), &|bits| list(shape, lit, Some((component, bits))));
        }
    }
    snapshot::assert("special_numbers", &table);
}
