//! Tests `pspge trim` and `pspge reduce`: their files and texts, and wrong uses.

use std::fs;
use std::path::Path;

use crate::support::{list_and_model, pspge_at, pspge_in, text};

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

fn lines(folder: &Path, arguments: &str) -> Vec<String> {
    let output = pspge_in(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// Returns the last line in a pixel's history.
fn verdict(folder: &Path, arguments: &str) -> String {
    let last = lines(folder, arguments).pop().unwrap_or_default();
    last.strip_prefix("verdict: ").unwrap_or(&last).to_owned()
}

#[test]
fn trimmed_draws_start_from_the_pixels_before_them() {
    let folder = list_and_model("trimmed", LIST);
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
    let folder = list_and_model("reduced", LIST);
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
    let printed = lines(&folder, "reduce list.ge --keep region:0,0,20x10 --trials 5 -o region.ppdmp");
    assert!(printed[0].contains("after 5 trials; 200 pixels from 0,0 on"), "{printed:?}");
}

#[test]
fn wrong_uses_are_refused() {
    let folder = list_and_model("wrong", LIST);
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
        ("reduce list.ge -o x.ppdmp", "--keep <PIXELS>"),
        (
            "reduce list.ge --renderer x\t{in}{out} --trials 4 -o x.ppdmp",
            "--trials 4: with --renderer, 4 of them look at the run and the result",
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

/// Uses this program, with some options, as the other renderer.
fn renderer(options: &str) -> String {
    format!("'{}' render {{in}} -o {{out}} -q {options}", env!("CARGO_BIN_EXE_pspge"))
}

/// Reduces the list to another renderer's fault, and returns the exit status, the document and the errors.
fn reduce_fault(folder: &Path, command: &str, more: &str) -> (Option<i32>, serde_json::Value, String) {
    let more: Vec<&str> = more.split_whitespace().collect();
    let arguments = ["reduce", "list.ge", "--renderer", command, "-o", "small.ppdmp", "--json"];
    let output = pspge_at(folder, &[&arguments[..], &more].concat());
    let document = serde_json::from_slice(&output.stdout).expect("JSON");
    (output.status.code(), document, text(&output.stderr))
}

fn codes(document: &serde_json::Value) -> Vec<&str> {
    let notes = document["notes"].as_array().expect("notes");
    notes.iter().filter_map(|note| note["code"].as_str()).collect()
}

/// The other renderer does not blend, which is wrong in the left half of the screen.
#[test]
fn faults_of_another_renderer_are_kept() {
    let folder = list_and_model("fault", LIST);
    let wrong = renderer("--set BLENDENABLE=0");
    let (status, document, error) = reduce_fault(&folder, &wrong, "--trials 150");
    assert_eq!(status, Some(0), "{error}");
    assert_eq!((&document["pixels"], &document["before"]["draws"]), (&(240 * 272).into(), &3.into()));
    let after = &document["after"];
    assert_eq!(after["draws"], 1, "the blended rectangle: {document:#}");
    assert!(after["commands"].as_u64().is_some_and(|commands| commands < 10), "{after}");
    let fault = &document["renderer"];
    assert_eq!((&fault["kind"], &fault["is_unstable"]), (&"picture".into(), &false.into()), "{fault}");
    assert!(fault["runs"].as_u64().is_some_and(|runs| runs <= 150), "{fault}");
    assert!(
        fault["text"].as_str().is_some_and(|text| text.contains(" of 65280 pixels still differ")),
        "{fault}"
    );
    assert!(codes(&document).contains(&"renderer-differs"), "{document:#}");
    // The result by itself shows the fault.
    lines(&folder, "render small.ppdmp -o own.png -q");
    lines(&folder, "render small.ppdmp -o other.png -q --set BLENDENABLE=0");
    let compared = pspge_in(&folder, "compare own.png other.png");
    assert_eq!(compared.status.code(), Some(1), "{}", text(&compared.stdout));
    let (_, again, _) = reduce_fault(&folder, &wrong, "--trials 150");
    assert_eq!(again, document, "the same each time");
}

#[test]
fn kept_pixels_bound_the_fault() {
    let folder = list_and_model("bounded", LIST);
    // The renderer only draws a single bit of red, and the background has no other.
    let wrong = renderer("--set MASKRGB=0x0000ef");
    let (_, document, _) = reduce_fault(&folder, &wrong, "--keep region:300,0,9x9 --trials 60");
    assert_eq!((&document["pixels"], &document["after"]["draws"]), (&81.into(), &1.into()), "{document:#}");
    let pixel = document["renderer"]["pixel"].as_array().expect("a pixel");
    assert!(pixel[0].as_u64().is_some_and(|x| (300..309).contains(&x)), "{pixel:?}");
    let output = pspge_at(&folder, &["reduce", "list.ge", "--renderer", &wrong, "-o", "x", "--trials", "9"]);
    let printed = text(&output.stdout);
    assert!(printed.contains("after 5 trials; ") && printed.contains(" here and #"), "{printed}");
    for (command, more, message) in [
        (wrong.as_str(), "--keep pixel:460,200", "both renderers draw the same in the pixels to keep"),
        (&renderer(""), "", "--renderer cannot apply: both renderers draw the same"),
        (&wrong, "--tolerance 255", "--renderer cannot apply: both renderers draw the same"),
        (&renderer("--size 64x64"), "", "the sizes differ"),
    ] {
        let (status, document, _) = reduce_fault(&folder, command, more);
        let error = document["error"]["message"].as_str().unwrap_or_default();
        assert_eq!((status, error.contains(message)), (Some(2), true), "{command} {more}: {document:#}");
    }
}

/// Uses shell scripts as renderers.
#[cfg(unix)]
mod scripts {
    use super::*;

    /// Writes a script that counts its runs in `runs`, and returns the command. `$1` is the dump, `$2` the picture.
    fn script(folder: &Path, text: &str) -> String {
        let pspge = env!("CARGO_BIN_EXE_pspge");
        let counts = "echo x >> runs; count=$(wc -l < runs)";
        fs::write(folder.join("draw.sh"), format!("pspge='{pspge}'\n{counts}\n{text}")).expect("a script");
        // A script written by an earlier part of the test has counted its own runs.
        let _ = fs::remove_file(folder.join("runs"));
        "sh draw.sh {in} {out}".to_owned()
    }

    fn runs(folder: &Path) -> usize {
        fs::read_to_string(folder.join("runs")).expect("runs").lines().count()
    }

    #[test]
    fn unstable_renderers_are_noticed() {
        let folder = list_and_model("unstable", LIST);
        let odd = r#"[ $((count % 2)) = 1 ] && more='--set BLENDENABLE=0'
            exec "$pspge" render "$1" -o "$2" -q $more"#;
        let (status, document, error) = reduce_fault(&folder, &script(&folder, odd), "");
        let message = document["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(status, Some(4), "{error}");
        assert_eq!(
            message, "draws differently when run again: no pixel differs in both of its pictures",
            "{document:#}"
        );
        assert_eq!(runs(&folder), 2, "no trial is made");
        let also_wrong = r#"[ $((count % 2)) = 1 ] && more='--skip 2'
            exec "$pspge" render "$1" -o "$2" -q --set BLENDENABLE=0 $more"#;
        let (status, document, error) = reduce_fault(&folder, &script(&folder, also_wrong), "--trials 20");
        assert_eq!(status, Some(0), "{error}");
        assert_eq!(document["renderer"]["is_unstable"], true, "{document:#}");
        assert!(codes(&document).contains(&"renderer-unstable"), "{document:#}");
        let once = r#"[ $count = 2 ] && exit 7
            exec "$pspge" render "$1" -o "$2" -q"#;
        let (_, document, _) = reduce_fault(&folder, &script(&folder, once), "");
        let message = document["error"]["message"].as_str().unwrap_or_default();
        let expected =
            "draws differently when run again: it first drew a picture, then ended with exit status: 7";
        assert!(message.starts_with(expected), "{document:#}");
    }

    #[test]
    fn failures_count_only_if_the_whole_run_fails() {
        let folder = list_and_model("crashes", LIST);
        // This renderer fails at each list that blends.
        let blending = r#""$pspge" trace "$1" | grep -q 'BLENDENABLE 0*1' && { echo cannot blend; exit 7; }
            exec "$pspge" render "$1" -o "$2" -q"#;
        let (status, document, error) = reduce_fault(&folder, &script(&folder, blending), "--trials 60");
        assert_eq!(status, Some(0), "{error}");
        let fault = &document["renderer"];
        assert_eq!(
            (&fault["kind"], &fault["pixel"]),
            (&"crashed".into(), &serde_json::Value::Null),
            "{fault}"
        );
        assert_eq!(fault["text"], "the renderer still ended with exit status: 7: cannot blend", "{fault}");
        let after = &document["after"];
        assert_eq!(
            (&after["draws"], &after["commands"]),
            (&0.into(), &1.into()),
            "BLENDENABLE alone: {after}"
        );
        // This renderer is wrong, and also fails at lists with less than two draws.
        let small = r#"[ $("$pspge" trace "$1" --draws | grep -c '^draw') -lt 2 ] && exit 7
            exec "$pspge" render "$1" -o "$2" -q --set BLENDENABLE=0"#;
        let (status, document, error) = reduce_fault(&folder, &script(&folder, small), "--trials 40");
        assert_eq!(status, Some(0), "{error}");
        assert_eq!(
            (&document["renderer"]["kind"], &document["after"]["draws"]),
            (&"picture".into(), &2.into())
        );
    }

    #[test]
    fn runs_of_the_renderer_are_bounded() {
        let folder = list_and_model("runs", LIST);
        let wrong = r#"exec "$pspge" render "$1" -o "$2" -q --set BLENDENABLE=0"#;
        let (status, document, error) = reduce_fault(&folder, &script(&folder, wrong), "--trials 12");
        assert_eq!(status, Some(0), "{error}");
        assert_eq!((runs(&folder), &document["renderer"]["runs"]), (12, &12.into()), "{document:#}");
        assert_eq!(
            (&document["is_minimal"], &document["trials"]),
            (&false.into(), &8.into()),
            "{document:#}"
        );
        assert!(codes(&document).contains(&"trials"), "{document:#}");
        let slow = script(&folder, "sleep 9");
        let (status, document, error) = reduce_fault(&folder, &slow, "--trials 6 --timeout 0.2");
        assert_eq!((status, runs(&folder)), (Some(0), 6), "{error}");
        assert_eq!(document["renderer"]["kind"], "timed-out", "{document:#}");
    }
}
