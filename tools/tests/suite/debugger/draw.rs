//! Tests `pspge draw`, and pictures that show a draw and overdraw: text, colours, and wrong uses.

use std::path::Path;

use ge_tests::{schema_check, snapshot};

use crate::support::{copy_sample, list_and_model, pspge_in, text};

/// A clear, a strip of indexed triangles in perspective, the last without area, and a rectangle partly hidden by
/// them.
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x110000 | ZBUFWIDTH width=512
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 65535 | BASE hi(screen)
    WORLDMATRIXNUMBER 0 | WORLDMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 0
    VIEWMATRIXNUMBER 0 | VIEWMATRIXDATA 1 0 0  0 1 0  0 0 1  0 0 -2
    PROJMATRIXNUMBER 0 | PROJMATRIXDATA 1 0 0 0  0 1 0 0  0 0 1 -1  0 0 1 0
    VIEWPORTXSCALE 240.0 | VIEWPORTYSCALE -136.0 | VIEWPORTZSCALE 32767.0
    VIEWPORTXCENTER 2048.0 | VIEWPORTYCENTER 2048.0 | VIEWPORTZCENTER 32767.0 | OFFSETX 28928 | OFFSETY 30592
    VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(screen)
    CLEARMODE enabled=1 color=1 stencil=1 depth=1 | PRIM primitive=RECTANGLES count=2 | CLEARMODE enabled=0
    ZTESTENABLE 1 | ZTEST GREATER | CULLENABLE 1 | CULL 1
    VTYPE color=ABGR8888 position=FLOAT index=BITS8 | VADDR lo(corners) | IADDR lo(order)
    PRIM primitive=TRIANGLE_STRIP count=5
    VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(behind) | PRIM primitive=RECTANGLES count=2
    FINISH | END
.align 4
screen: .rgba #102030ff | .s16 0 0 0 | .align 4 | .rgba #102030ff | .s16 480 272 0 | .align 4
behind: .rgba #ff8000ff | .s16 240 100 100 | .align 4 | .rgba #ff8000ff | .s16 400 200 100 | .align 4
corners: .rgba #ff0000ff | .f32 0 1 0 | .rgba #00ff00ff | .f32 1 1 0 | .rgba #0000ffff | .f32 0 -1 0.5
    .rgba #ffffffff | .f32 1 -1 0.5
order: .u8 0 1 2 3 3
";

/// Runs a command that succeeds, and returns its standard output and messages.
fn output(folder: &Path, arguments: &str) -> (String, String) {
    let output = pspge_in(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn draws_as_text() {
    let folder = list_and_model("text", LIST);
    let shown: Vec<String> = ["0", "1", "1 --vertices --primitives", "event:2 --arithmetic single"]
        .map(|arguments| {
            let (page, _) = output(&folder, &format!("draw list.ge {arguments}"));
            format!("$ pspge draw list.ge {arguments}\n{page}")
        })
        .into();
    snapshot::assert("draw_text", &shown.join("\n"));
}

#[test]
fn documents_are_the_same_on_every_run() {
    let folder = list_and_model("documents", LIST);
    for arguments in ["list.ge 1", "lampwing.pac 3", "lampwing.pac 3 --arithmetic single"] {
        let [first, second] = [(); 2].map(|()| output(&folder, &format!("draw {arguments} --json")).0);
        assert_eq!(first, second, "{arguments}");
        let [document] = schema_check::checked(first.as_bytes()).try_into().expect("one document");
        assert!(document["time"].is_null(), "{arguments}: not measured");
        assert!(document["is_complete"] == true, "{arguments}: complete");
    }
    let (timed, _) = output(&folder, "draw list.ge 1 --json --time");
    let [document] = schema_check::checked(timed.as_bytes()).try_into().expect("one document");
    assert!(document["time"]["median_us"].as_f64() > Some(0.0), "measured");
    assert!(output(&folder, "draw list.ge 1 --time").0.contains("µs, measured"), "marked as measured");
}

#[test]
fn highlighted_draws() {
    let folder = list_and_model("highlight", LIST);
    let pixel =
        |name: &str, x, y| image::open(folder.join(name)).expect("a picture").into_rgb8().get_pixel(x, y).0;
    let (_, message) = output(&folder, "render list.ge --highlight 2 -o two.png");
    let expected = "draw 2 has pixels from 240,100 to 399,199 (160x100 pixels): ";
    assert!(message.contains(expected), "{message}");
    assert!(
        message.contains(" written (#ff3030)") && message.contains(" killed by depth (#3060ff)"),
        "{message}"
    );
    assert_eq!(pixel("two.png", 390, 150), [0xFF, 0x30, 0x30], "written");
    assert_eq!(pixel("two.png", 245, 150), [0x30, 0x60, 0xFF], "behind the triangles");
    assert_eq!(pixel("two.png", 239, 150), [0xFF; 3], "the outline");
    assert_eq!(pixel("two.png", 10, 10), [0x0E; 3], "the rest is grey");
    let (_, message) = output(&folder, "render lampwing.pac --highlight 1 -o model.png --view front");
    assert!(message.contains("draw 1 has pixels from "), "{message}");
    let (_, message) = output(&folder, "render list.ge --highlight 0 --until draw:0 -o zero.png");
    assert!(message.contains("130560 written"), "{message}");
}

#[test]
fn pictures_of_overdraw() {
    let folder = list_and_model("overdraw", LIST);
    let (_, message) = output(&folder, "render list.ge --overdraw -o overdraw.png");
    assert!(message.contains("at most 2 fragments were written to a pixel, 1."), "{message}");
    assert!(message.contains("0 #000000, 1 #102060, 2 #1848b0"), "the scale: {message}");
    let picture = image::open(folder.join("overdraw.png")).expect("a picture").into_rgb8();
    assert_eq!(picture.get_pixel(10, 10).0, [0x10, 0x20, 0x60], "the clear");
    assert_eq!(picture.get_pixel(390, 150).0, [0x18, 0x48, 0xB0], "the rectangle over it");
    output(&folder, "render lampwing.pac --overdraw -o model.png");
}

#[test]
fn wrong_uses_are_errors() {
    let folder = list_and_model("wrong", LIST);
    copy_sample("swatches.tm2", &folder.join("swatches.tm2"));
    for (arguments, status, message) in [
        ("draw list.ge 3", 2, "N cannot apply: the run has 3 draws, 0 to 2, but not 3"),
        ("draw list.ge event:3", 2, "event:3 cannot apply: event 3 is beyond the end"),
        ("draw list.ge x", 2, "expected the number of a draw"),
        ("draw list.ge 1 --view back", 2, "is not a model"),
        ("draw list.ge 1 --json --vertices", 2, "cannot be used with"),
        ("draw swatches.tm2 0", 3, "no display list"),
        ("draw absent 0", 4, "absent"),
        ("render list.ge --highlight 3 -o a.png", 2, "--highlight 3 cannot apply: no draw 3"),
        ("render list.ge --highlight 1 --until draw:0 -o a.png", 2, "--highlight 1 cannot apply"),
        ("render list.ge --highlight 1 --size 960x544 -o a.png", 2, "--size 960x544 cannot apply"),
        ("render list.ge --overdraw --size 960x544 -o a.png", 2, "--size 960x544 cannot apply"),
        (
            "render list.ge --overdraw --buffer depth -o a.png",
            2,
            "--overdraw needs --buffer display or color",
        ),
        ("render list.ge --overdraw --highlight 1 -o a.png", 2, "cannot be used with"),
        ("render lampwing.pac --highlight 0 --size 600x600 -o a.png", 2, "--size 600x600 cannot apply"),
        ("render lampwing.pac --highlight 0 --turntable 4 -o a.png", 2, "cannot be used with"),
    ] {
        let output = pspge_in(&folder, arguments);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments}: {shown}");
        assert!(shown.contains(message), "{arguments}: {shown}");
    }
}
