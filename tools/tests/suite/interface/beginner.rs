//! Three programs that somebody can write from `pspge help` alone: a cube with a camera, sprites from a sheet, and a
//! pass into a texture. When this puts a beginner's mistake into a program, pspge must name it at its line.

use std::fs;

use crate::support::{empty_folder, pspge_in, text};

const PROGRAMS: [(&str, &str); 3] = [
    ("cube.ge", include_str!("beginner/cube.ge")),
    ("sprites.ge", include_str!("beginner/sprites.ge")),
    ("mirror.ge", include_str!("beginner/mirror.ge")),
];

/// A program, a right text in it, the mistake to put in its place, part of the expected message, and text from the
/// line it names.
const MISTAKES: &[(&str, &str, &str, &str, &str)] = &[
    ("cube.ge", "ZTEST GREATER_EQUAL", "ZTEST GREATEREQUAL", "GREATER_EQUAL)", "ZTEST"),
    ("cube.ge", "SHADEMODE GOURAUD", "SHADE GOURAUD", "did you mean 'SHADEMODE'", "SHADE"),
    ("cube.ge", "VADDR lo(corners)", "VADDR lo(corner)", "did you mean 'corners'", "VADDR"),
    ("cube.ge", "PRIM primitive=TRIANGLES count=36", "PRIM primitive=TRIANGLES", "count", "PRIM"),
    (
        "cube.ge",
        "PRIM primitive=TRIANGLES count=36",
        "PRIM type=TRIANGLES count=36",
        "no field 'type'",
        "PRIM",
    ),
    ("cube.ge", "FINISH\nEND\n", "", "END is missing", ""),
    ("cube.ge", "FINISH\nEND\n", "END\n", "end-without-finish", "END"),
    ("cube.ge", "FINISH\nEND\n", "FINISH\nNOP\nEND\n", "finish-without-end", "FINISH"),
    ("cube.ge", "count=36", "count=3600", "unwritten-indices", "PRIM"),
    ("cube.ge", "count=36", "count=2", "too-few-vertices", "PRIM"),
    (
        "cube.ge",
        "VIEWMATRIXDATA 1 0 0  0 0.9 0.436  0 -0.436 0.9  0 0 -4",
        "VIEWMATRIXDATA 0 0 0  0 0 0  0 0 0  0 0 0",
        "zero-matrix",
        "PRIM",
    ),
    ("cube.ge", "  0 0 -4", "  0 0 4", "behind-camera", "PRIM"),
    ("cube.ge", "\n.align 16\ncorners:", "\n.space 5\ncorners:", "unaligned-vertices", "PRIM"),
    ("cube.ge", "position=FLOAT index", "index", "no-position", "PRIM"),
    ("sprites.ge", "TEXFLUSH\n", "TEXFLUSH 1 2\n", "expected the end of the statement", "TEXFLUSH"),
    ("sprites.ge", "LOADCLUT 2\n", "", "palette-never-loaded", "PRIM"),
    ("sprites.ge", "LOADCLUT 2\n", "LOADCLUT 0\n", "empty-palette-load", "LOADCLUT"),
    ("sprites.ge", "ALPHATEST function=GREATER", "ALPHATEST function=NEVER", "test-never", "PRIM"),
    ("sprites.ge", "texcoord=BITS16 position", "position", "texture-without-coordinates", "PRIM"),
    ("sprites.ge", ".align 16\nsheet:", ".space 8\nsheet:", "unaligned-address", "PRIM"),
    ("sprites.ge", "TEXBUFWIDTH0 width=32 high=hi(sheet)", "TEXBUFWIDTH0 width=32 high=0", "texture", "PRIM"),
    ("mirror.ge", "SCISSOR2 x=63 y=63\nREGION2 x=63 y=63\n", "", "buffer-too-narrow", ".include <psp/clear>"),
    ("mirror.ge", "TEXADDR0 lo(target)", "TEXADDR0 0", "unwritten-vram", "PRIM"),
    ("mirror.ge", "TEXSIZE0 width_log2=6", "TEXSIZE0 width_log2=10", "texture-too-large", "PRIM"),
    (
        "mirror.ge",
        "TEXADDR0 lo(target)",
        "TEXADDR0 lo(target) | TEXADR1 0",
        "did you mean 'TEXADDR1'",
        "TEXADDR0",
    ),
];

#[test]
fn programs_are_clean_and_draw() {
    let folder = empty_folder("programs");
    for (name, list) in PROGRAMS {
        fs::write(folder.join(name), list).expect("the file can be written");
        let found = pspge_in(&folder, &format!("check {name}"));
        assert_eq!(text(&found.stdout), format!("{name}: no findings\n"), "{name}: {}", text(&found.stderr));
    }
}

#[test]
fn mistakes_are_named_at_their_line() {
    let folder = empty_folder("mistakes");
    let mut wrong = Vec::new();
    for (name, right, mistake, message, place) in MISTAKES {
        let (_, list) = PROGRAMS.iter().find(|(program, _)| program == name).expect("a program");
        assert_eq!(list.matches(right).count(), 1, "{name} has {right:?} once");
        let list = list.replace(right, mistake);
        fs::write(folder.join(name), &list).expect("the file can be written");
        let found = pspge_in(&folder, &format!("check {name}"));
        let found = text(&found.stdout) + &text(&found.stderr);
        let is_named = |line: &str| {
            // The form is `FILE:LINE:COLUMN: …`, after `error: ` if the text does not assemble.
            let line = line.strip_prefix("error: ").unwrap_or(line);
            let number = line
                .strip_prefix(name)
                .and_then(|rest| rest.split(':').nth(1))
                .and_then(|number| number.parse::<usize>().ok());
            let named = number.and_then(|number| list.lines().nth(number - 1)).unwrap_or_default();
            line.contains(message) && (place.is_empty() || named.contains(place))
        };
        if !found.lines().any(is_named) {
            wrong.push(format!("{mistake:?} in place of {right:?}:\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
