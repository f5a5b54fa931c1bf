//! Tests what-if options: they change a run's registers, draws and textures, and wrong or useless changes are
//! reported.

use std::fs;
use std::path::Path;

use crate::support::{copy_sample, list_folder, pspge_in, text};

/// A clear, a textured through-mode rectangle, a transfer of the screen's first row, and a red triangle.
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 0xffff
    BASE hi(screen) | VTYPE color=ABGR8888 position=BITS16 through=1
    VADDR lo(screen) | CLEARMODE enabled=1 color=1 stencil=1 | PRIM primitive=RECTANGLES count=2 | CLEARMODE enabled=0
    TEXENABLE 1 | TEXFUNC function=REPLACE use_alpha=1 | TEXFORMAT ABGR8888 | TEXADDR0 lo(texels)
    TEXBUFWIDTH0 width=4 high=8 | TEXSIZE0 width_log2=1 height_log2=1
    VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(sprite) | PRIM primitive=RECTANGLES count=2
    TEXENABLE 0 | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(triangle)
    TRANSFERSRC 0 | TRANSFERSRCW width=512 high=4 | TRANSFERDST 0x110000 | TRANSFERDSTW width=512 high=4
    TRANSFERSIZE x=63 y=0 | TRANSFERSTART 1
    PRIM primitive=TRIANGLES count=3
    FINISH | END
.align 16
texels: .rgba #00ff00ff | .rgba #00ff00ff | .rgba #000000ff | .rgba #000000ff
    .rgba #00ff00ff | .rgba #00ff00ff | .rgba #000000ff | .rgba #000000ff
screen: .rgba #101820ff | .s16 0 0 0 | .align 4 | .rgba #101820ff | .s16 480 272 0 | .align 4
sprite: .s16 0 0 100 100 0 | .s16 2 2 102 102 0
.align 4
triangle: .rgba #ff0000ff | .s16 0 0 0 | .align 4 | .rgba #ff0000ff | .s16 64 0 0 | .align 4
    .rgba #ff0000ff | .s16 0 64 0 | .align 4
";

/// Returns the colours at (10, 10), in the triangle, and at (101, 101), in the rectangle.
fn colors(folder: &Path, options: &str) -> [[u8; 3]; 2] {
    let arguments = format!("render list.ge -o out.png {options}");
    let output = pspge_in(folder, arguments.trim_end());
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
    let picture = image::open(folder.join("out.png")).expect("a picture").into_rgb8();
    [[10, 10], [101, 101]].map(|[x, y]| picture.get_pixel(x, y).0)
}

#[test]
fn draws_change_as_asked() {
    let folder = list_folder("what-if-draws", LIST);
    image::RgbaImage::from_pixel(2, 2, image::Rgba([0, 0, 255, 255]))
        .save(folder.join("blue.png"))
        .expect("written");
    let (red, green, blue, ground) = ([255, 0, 0], [0, 255, 0], [0, 0, 255], [0x10, 0x18, 0x20]);
    for (options, expected) in [
        ("", [red, green]),
        ("--skip 2", [ground, green]),
        ("--skip event:3", [ground, green]),
        ("--skip 1-", [ground, ground]),
        ("--solo 2", [red, [0, 0, 0]]),
        ("--wireframe", [ground, green]),
        ("--wireframe=0-1", [red, green]),
        ("--set MASKRGB=0x0000ff@2", [[0x10, 0, 0], green]),
        ("--set MASKRGB=0x0000ff@event:3", [[0x10, 0, 0], green]),
        ("--set PRIM.count=2@2", [ground, green]),
    ] {
        assert_eq!(colors(&folder, options), expected, "{options}");
    }
    let trace = text(&pspge_in(&folder, "trace list.ge --draws --only 1").stdout);
    let (_, at) = trace.split_once("ABGR8888 at ").expect("a texture");
    let address = at.split([' ', '\n']).next().unwrap_or_default();
    assert_eq!(colors(&folder, &format!("--replace-texture {address}=blue.png")), [red, blue], "{trace}");
    assert_eq!(colors(&folder, &format!("--replace-texture {address}=blue.png@1 --skip 2")), [ground, blue]);
}

#[test]
fn draw_and_memory_take_changes() {
    let folder = list_folder("what-if-commands", LIST);
    let output = |arguments: &str| pspge_in(&folder, arguments);
    let draw = text(&output("draw list.ge 2 --set ZTESTENABLE=1 --set ZTEST=NEVER@2").stdout);
    assert!(draw.contains("depth NEVER"), "{draw}");
    let left_out = output("draw list.ge 2 --skip 2");
    assert_eq!(left_out.status.code(), Some(2), "no draw to explain");
    assert!(text(&left_out.stderr).contains("is left out"), "{}", text(&left_out.stderr));
    let bytes = |arguments: &str| text(&output(arguments).stdout);
    let address = "0x04000000 --length 16";
    let changed = bytes(&format!("memory list.ge {address} --skip 2"));
    assert_ne!(bytes(&format!("memory list.ge {address}")), changed, "the first pixel");
    let unused = output(&format!("memory list.ge {address} --skip 99"));
    assert!(text(&unused.stderr).contains("--skip 99 changed nothing"), "{}", text(&unused.stderr));
}

#[test]
fn transfers_change_as_asked() {
    let folder = list_folder("what-if-transfers", LIST);
    let value = |options: &str| {
        let arguments = format!("pixel list.ge 0,0 --target 0x110000,512,ABGR8888 {options}");
        let output = pspge_in(&folder, arguments.trim_end());
        assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
        text(&output.stdout).contains("#101820ff after the last event")
    };
    assert!(value(""), "copied");
    assert!(!value("--skip event:2"), "not copied");
    assert!(!value("--set TRANSFERDST=0x120000@event:2"), "to another place");
}

#[test]
fn other_commands_take_changes() {
    let folder = list_folder("what-if-commands", LIST);
    let trace = text(&pspge_in(&folder, "trace list.ge --draws --set CULLENABLE=1@2").stdout);
    let lines: Vec<&str> = trace.lines().collect();
    assert!(lines.iter().filter(|line| line.contains("| cull")).count() == 1, "{trace}");
    let pixel = text(&pspge_in(&folder, "pixel list.ge 10,10 --skip 2").stdout);
    assert!(pixel.contains("verdict: draw 0 of 3"), "{pixel}");
    let export = pspge_in(&folder, "export list.ge -o out.glb --through --skip 2");
    assert!(export.status.success(), "{}", text(&export.stderr));
    copy_sample("lampwing.pac", &folder.join("lampwing.pac"));
    let model = pspge_in(&folder, "render lampwing.pac -o model.png --skip 1-");
    assert!(model.status.success(), "{}", text(&model.stderr));
    let picture = image::open(folder.join("model.png")).expect("a picture").into_rgb8();
    let first = picture.get_pixel(0, 0);
    assert!(picture.pixels().all(|pixel| pixel == first), "the clear alone");
    let export = pspge_in(&folder, "export lampwing.pac -o model.glb --skip 1");
    assert_eq!(export.status.code(), Some(2), "a model is exported as a whole");
}

#[test]
fn useless_and_wrong_changes_are_reported() {
    let folder = list_folder("what-if-wrong", LIST);
    let output = pspge_in(&folder, "render list.ge -o out.png --set CULLENABLE=1@7-9");
    assert!(output.status.success(), "only a note");
    let note = "note: list.ge: --set CULLENABLE=1@7-9 changed nothing: the run has no such draw\n";
    assert_eq!(text(&output.stderr), note);
    fs::write(folder.join("text.png"), "no picture").expect("written");
    for (options, message) in [
        (
            "--skip event:9",
            "list.ge: --skip event:9 cannot apply: event 9 is beyond the end: the run has 4 events, 0 to 3",
        ),
        ("--set JUMP=0", "JUMP cannot be set for a draw: it is part of the list's flow"),
        ("--set CULL", "expected REGISTER.FIELD=VALUE, REGISTER=VALUE or MATRIX[ELEMENT]=VALUE"),
        ("--replace-texture 0x08000000=none.png", "none.png"),
        ("--replace-texture 0x08000000=text.png", "text.png"),
        ("--replace-texture 8", "expected ADDRESS=FILE[@DRAWS]"),
    ] {
        let output = pspge_in(&folder, &format!("render list.ge -o out.png {options}"));
        assert!(!output.status.success(), "{options}");
        let error = text(&output.stderr);
        assert!(error.contains(message), "{options}: {error}");
    }
}
