//! Tests `pspge pixel`: a pixel's history as text, its buffers, and wrong uses.

use crate::support::{copy_sample, empty_folder, list_folder, output, pspge_in, text};

/// A clear, a rectangle covering its half, and a triangle into another buffer.
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 0xffff
    BASE hi(screen) | VTYPE color=ABGR8888 position=BITS16 through=1
    VADDR lo(screen) | CLEARMODE enabled=1 color=1 stencil=1 | PRIM primitive=RECTANGLES count=2 | CLEARMODE enabled=0
    BLENDENABLE 1 | BLENDMODE source=SOURCE_ALPHA destination=ONE_MINUS_SOURCE_ALPHA
    PRIM primitive=RECTANGLES count=2
    FRAMEBUFPTR 0x088000 | FRAMEBUFPIXFORMAT BGR5650 | BLENDENABLE 0
    PRIM primitive=TRIANGLES count=3
    FRAMEBUFPTR 0 | FRAMEBUFPIXFORMAT ABGR8888 | FINISH | END
.align 4
screen: .rgba #101820ff | .s16 0 0 0 | .align 4 | .rgba #101820ff | .s16 480 272 0 | .align 4
    .rgba #5a6b7c80 | .s16 0 0 0 | .align 4 | .rgba #5a6b7c80 | .s16 240 272 0 | .align 4
    .rgba #ff0000ff | .s16 0 0 0 | .align 4 | .rgba #ff0000ff | .s16 64 0 0 | .align 4
    .rgba #ff0000ff | .s16 0 64 0 | .align 4
";

/// Returns the last line printed by a command.
fn verdict(folder: &std::path::Path, arguments: &str) -> String {
    let output = pspge_in(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
    text(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn verdicts_name_the_last_writer() {
    let folder = list_folder("verdicts", LIST);
    for (arguments, expected) in [
        (
            "pixel list.ge 10,20",
            "draw 1 of 3, rectangle 0: written, #35414eff over #101820ff by SOURCE_ALPHA, ONE_MINUS_SOURCE_ALPHA",
        ),
        ("pixel list.ge 300,20", "draw 0 of 3, rectangle 0: cleared, #101820ff over #00000000"),
        (
            "pixel list.ge 10,20 --target 0x04088000",
            "draw 2 of 3, triangle 0: written, #ff0000ff over #000000ff",
        ),
        (
            "pixel list.ge 10,20 --target 0x88000,512,BGR5650",
            "draw 2 of 3, triangle 0: written, #ff0000ff over #000000ff",
        ),
        (
            "pixel list.ge 300,20 --target 0x04088000",
            "no event writes the pixel: #000000ff from start to end",
        ),
    ] {
        assert_eq!(verdict(&folder, arguments), format!("verdict: {expected}"), "{arguments}");
    }
}

#[test]
fn draws_select_entries() {
    let folder = list_folder("draws", LIST);
    let all = text(&pspge_in(&folder, "pixel list.ge 10,20").stdout);
    assert!(all.contains("event 0, draw 0 at ") && all.contains("event 1, draw 1 at "), "{all}");
    let one = text(&pspge_in(&folder, "pixel list.ge 10,20 --draws 1-2").stdout);
    assert!(!one.contains("event 0, draw 0 at ") && one.contains("event 1, draw 1 at "), "{one}");
    assert_eq!(all.lines().last(), one.lines().last(), "the verdict is about the whole run");
}

#[test]
fn models_have_pixels_too() {
    let folder = empty_folder("models");
    copy_sample("lampwing.pac", &folder.join("lampwing.pac"));
    let verdict = verdict(&folder, "pixel lampwing.pac 240,136 --view front");
    assert!(verdict.starts_with("verdict: draw "), "{verdict}");
}

#[test]
fn wrong_uses_are_errors() {
    let folder = list_folder("errors", LIST);
    copy_sample("swatches.tm2", &folder.join("swatches.tm2"));
    for (arguments, status, message) in [
        (
            "pixel list.ge 512,0",
            2,
            "X,Y cannot apply: no pixel 512,0: the buffer has columns 0 to 511 and rows 0 to 1023",
        ),
        ("pixel list.ge 5", 2, "expected X,Y"),
        (
            "pixel list.ge 5,6 --target 0x04100000",
            2,
            "--target cannot apply: no draw has its colour buffer at 0x04100000",
        ),
        ("pixel list.ge 5,6 --target 0x04100000,512,RGB", 2, "no format"),
        ("pixel list.ge 5,6 --target 0x01000000,512,BGR5650", 2, "no memory at"),
        ("pixel list.ge 5,6 --draws 7", 2, "the run has 3 draws, 0 to 2, but not 7"),
        ("pixel list.ge 5,6 --view back", 2, "is not a model"),
        ("pixel swatches.tm2 5,6", 3, "no display list"),
        ("pixel absent 5,6", 4, "absent"),
    ] {
        let output = pspge_in(&folder, arguments);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments}: {shown}");
        assert!(shown.contains(message), "{arguments}: {shown}");
    }
}

#[test]
fn pixels_of_another_buffer_are_one_line() {
    let list = "
        FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
        BASE hi(large) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(large) | PRIM primitive=RECTANGLES count=2
        FRAMEBUFPIXFORMAT BGR5650 | FRAMEBUFPTR 0x1000 | FRAMEBUFWIDTH width=64 | SCISSOR2 x=63 y=63
        VADDR lo(small) | PRIM primitive=RECTANGLES count=2
        FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | FRAMEBUFPTR 0
        FINISH | END
        .align 16
        large: .rgba #ff8000 | .s16 0 0 0 0 | .rgba #ff8000 | .s16 480 272 0 0
        small: .rgba #2040c0 | .s16 0 0 0 0 | .rgba #2040c0 | .s16 64 64 0 0
    ";
    let folder = list_folder("other_buffer", list);
    let text = output(&folder, "pixel list.ge 5,3");
    let fragments: Vec<&str> = text.lines().filter(|line| line.starts_with("  rectangle")).collect();
    let expected = [
        "  rectangle 0: written, #ff800000 over #00000000",
        "  rectangle 0, pixels 10,16 and 11,16 of its buffer: written, #04c204c2 over #ff800000",
    ];
    assert_eq!(fragments, expected, "{text}");
}
