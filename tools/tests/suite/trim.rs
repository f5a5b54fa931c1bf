//! Tests `pspge trim` and `pspge reduce`: their files and texts, and wrong uses.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{copy_sample, empty_folder, pspge_in, text};

/// A clear, a rectangle blended over its half, and a triangle elsewhere.
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 0xffff
    BASE hi(screen) | VTYPE color=ABGR8888 position=BITS16 through=1
    VADDR lo(screen) | CLEARMODE enabled=1 color=1 stencil=1 | PRIM primitive=RECTANGLES count=2 | CLEARMODE enabled=0
    BLENDENABLE 1 | BLENDMODE source=SOURCE_ALPHA destination=ONE_MINUS_SOURCE_ALPHA
    PRIM primitive=RECTANGLES count=2
    BLENDENABLE 0 | PRIM primitive=TRIANGLES count=3
    FINISH | END
.align 4
screen: .rgba #101820ff | .s16 0 0 0 | .align 4 | .rgba #101820ff | .s16 480 272 0 | .align 4
    .rgba #5a6b7c80 | .s16 0 0 0 | .align 4 | .rgba #5a6b7c80 | .s16 240 272 0 | .align 4
    .rgba #ff0000ff | .s16 300 0 0 | .align 4 | .rgba #ff0000ff | .s16 400 0 0 | .align 4
    .rgba #ff0000ff | .s16 300 64 0 | .align 4
";

/// Makes a folder with the list and a sample.
fn folder(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    fs::write(folder.join("list.ge"), LIST).expect("the file can be written");
    copy_sample("lampwing.pac", &folder.join("lampwing.pac"));
    folder
}

/// Runs a command, and returns the lines it prints.
fn lines(folder: &Path, arguments: &str) -> Vec<String> {
    let output = pspge_in(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// Returns the last line of a pixel's history.
fn verdict(folder: &Path, arguments: &str) -> String {
    let last = lines(folder, arguments).pop().unwrap_or_default();
    last.strip_prefix("verdict: ").unwrap_or(&last).to_owned()
}

#[test]
fn trimmed_draws_start_from_the_pixels_before_them() {
    let folder = folder("trimmed");
    let printed = lines(&folder, "trim list.ge --draws 1 -o one.ppdmp");
    assert_eq!(printed[0], "one.ppdmp: draws 1 to 1", "{printed:?}");
    assert_eq!(printed[1], "  draws: 1 of 3", "{printed:?}");
    let expected =
        "draw 0 of 1, rectangle 0: written, #35414eff over #101820ff by SOURCE_ALPHA, ONE_MINUS_SOURCE_ALPHA";
    assert_eq!(verdict(&folder, "pixel one.ppdmp 10,20"), expected, "blended with the clear");
    let elsewhere = verdict(&folder, "pixel one.ppdmp 460,20");
    assert_eq!(
        elsewhere, "no event writes the pixel: #00000000 from start to end",
        "bytes that are not needed are 0"
    );
    lines(&folder, "trim list.ge --draws 1- --whole-vram -o rest.ppdmp");
    assert!(verdict(&folder, "pixel rest.ppdmp 460,20").contains("#10182"), "all of VRAM");
    let same = lines(&folder, "trim lampwing.pac --draws 20-22 -o part.ppdmp");
    assert!(same[1].starts_with("  draws: 3 of "), "a model: {same:?}");
}

#[test]
fn reduced_runs_keep_their_pixel() {
    let folder = folder("reduced");
    let printed = lines(&folder, "reduce list.ge --keep pixel:10,20 -o small.ppdmp");
    assert!(printed[0].contains("pixel 10,20 is #35414eff"), "{printed:?}");
    assert_eq!(printed[1], "  draws: 2 of 3", "{printed:?}");
    assert!(printed[8].starts_with("  event 1, draw 1 at 0x"), "{printed:?}");
    assert!(printed[9].starts_with("  start: ") && printed[9].contains("FRAMEBUFWIDTH"), "{printed:?}");
    let kept = verdict(&folder, "pixel small.ppdmp 10,20");
    assert!(kept.contains("written, #35414eff over #101820ff"), "{kept}");
    lines(&folder, "render list.ge -o other.png --until draw:1");
    let printed = lines(&folder, "reduce list.ge --keep diff:other.png -o triangle.ppdmp");
    assert_eq!(printed[1], "  draws: 1 of 3", "only the triangle differs: {printed:?}");
    let printed = lines(&folder, "reduce list.ge --keep region:0,0,20x10 --trials 5 -o region.ppdmp -q");
    assert!(printed[0].contains("after 5 trials; 200 pixels from 0,0 on"), "{printed:?}");
}

#[test]
fn wrong_uses_are_refused() {
    let folder = folder("wrong");
    for (arguments, message) in [
        ("trim list.ge --draws 3 -o x.ppdmp", "--draws cannot apply: the run has 3 draws, 0 to 2, but not 3"),
        ("trim list.ge --draws 0,2 -o x.ppdmp", "--draws 0,2: expected one range of draws"),
        ("trim list.ge --draws 0 -o - --json", "both would go to standard output"),
        ("reduce list.ge --keep 3,4 -o x.ppdmp", "expected pixel:X,Y, region:X,Y,WxH or diff:OTHER"),
        ("reduce list.ge --keep pixel:512,4 -o x.ppdmp", "--keep cannot apply: no pixel 512,4"),
        (
            "reduce list.ge --keep diff:list.ge -o x.ppdmp",
            "--keep cannot apply: no pixel differs from list.ge",
        ),
        (
            "reduce list.ge --keep diff:list.ge --target 0x04000000 -o x.ppdmp",
            "--target and --keep diff: pictures show the screen",
        ),
    ] {
        let output = pspge_in(&folder, arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(error.contains(message), "{arguments}: {error}");
        assert!(!folder.join("x.ppdmp").exists(), "{arguments}: no output");
    }
}
