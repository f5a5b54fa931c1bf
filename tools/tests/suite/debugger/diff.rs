//! Tests `pspge diff`: the first event where two runs differ, and comparison with another renderer's pictures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{copy_sample, list_folder, pspge_at, pspge_in, text};

/// A clear, a rectangle, a transfer of its first row, and a triangle below it with a depth test.
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x110000 | ZBUFWIDTH width=512
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 0xffff
    BASE hi(screen) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(screen)
    CLEARMODE enabled=1 color=1 stencil=1 depth=1 | PRIM primitive=RECTANGLES count=2 | CLEARMODE enabled=0
    PRIM primitive=RECTANGLES count=2
    TRANSFERSRC 0 | TRANSFERSRCW width=512 high=4 | TRANSFERDST 0x40000 | TRANSFERDSTW width=512 high=4
    TRANSFERSIZE x=63 y=0 | TRANSFERSTART 1
    ZTESTENABLE 1 | ZTEST GREATER_EQUAL
    PRIM primitive=TRIANGLES count=3
    FINISH | END
.align 4
screen: .rgba #101820ff | .s16 0 0 0 | .align 4 | .rgba #101820ff | .s16 480 272 0 | .align 4
    .rgba #5a6b7cff | .s16 0 0 0 | .align 4 | .rgba #5a6b7cff | .s16 240 100 0 | .align 4
    .rgba #ff0000ff | .s16 0 200 5 | .align 4 | .rgba #ff0000ff | .s16 64 200 5 | .align 4
    .rgba #ff0000ff | .s16 0 264 5 | .align 4
";

/// Makes a folder with the list, a copy, and a list whose triangle has another colour, set by its last vertex.
fn folder(name: &str) -> PathBuf {
    let folder = list_folder(name, LIST);
    fs::write(folder.join("copy.ge"), LIST).expect("the file can be written");
    let other = LIST.replace(".rgba #ff0000ff | .s16 0 264 5", ".rgba #ff2000ff | .s16 0 264 5");
    fs::write(folder.join("other.ge"), other).expect("the file can be written");
    folder
}

fn diff(folder: &Path, arguments: &[&str]) -> Output {
    pspge_at(folder, &[&["diff"], arguments].concat())
}

fn result(output: &Output) -> (Option<i32>, String) {
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    (output.status.code(), text(&output.stdout))
}

fn document(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Uses this program, with some options, as the other renderer.
fn renderer(options: &str) -> String {
    format!("'{}' {options}", env!("CARGO_BIN_EXE_pspge"))
}

#[test]
fn equal_runs_do_not_differ() {
    let folder = folder("equal");
    for arguments in [&["list.ge", "copy.ge"][..], &["list.ge", "--b", "--arithmetic hardware --reference"]] {
        let (status, output) = result(&diff(&folder, arguments));
        assert_eq!(status, Some(0), "{output}");
        assert!(output.ends_with("the runs do not differ: each event leaves the same bytes\n"), "{output}");
    }
}

#[test]
fn options_of_a_side_are_found_at_their_draw() {
    let folder = folder("options");
    let (status, output) = result(&diff(&folder, &["list.ge", "--b", "--set ZTEST=LESS@2"]));
    assert_eq!(status, Some(1), "{output}");
    for part in [
        "the first difference is draw 2, event 3: 2016 pixels of the colour buffer from 0,200 to 62,262",
        "    ZTEST\n        A GREATER_EQUAL ",
        "        B LESS                                             ; set by an option\n",
        "fragments.depth ",
        "in A, up to the event: pixel 0,200 at",
        "verdict: draw 2 of 3, triangle 0: written, #ff0000ff over #101820ff",
        "triangle 0: killed by depth: 0x0005 LESS 0x0000 fails",
    ] {
        assert!(output.contains(part), "{part:?} in:\n{output}");
    }
    let (status, output) = result(&diff(&folder, &["list.ge", "--a", "--skip 1", "--b", "--skip event:2"]));
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains("the first difference is draw 1, event 1: 24000 pixels"), "{output}");
    assert!(output.contains("\nA leaves it out\n"), "{output}");
}

#[test]
fn two_files_are_compared() {
    let folder = folder("files");
    let output = diff(&folder, &["list.ge", "other.ge", "--json"]);
    let document = document(&output);
    assert_eq!((output.status.code(), &document["is_different"]), (Some(1), &true.into()), "{document}");
    assert_eq!((&document["event"], &document["draw"]), (&3.into(), &2.into()), "{document}");
    assert_eq!(document["pixels"]["a"]["color"], serde_json::json!([255, 0, 0, 255]), "{document}");
    assert_eq!(document["pixels"]["b"]["color"], serde_json::json!([255, 32, 0, 255]), "{document}");
    let paths: Vec<&str> = document["values"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|value| value["path"].as_str())
        .collect();
    for path in ["vertex_data.hash", "source_vertices[2].model.color[1]"] {
        assert!(paths.contains(&path), "{path} in {paths:?}");
    }
    assert_eq!(document["registers"], serde_json::json!([]), "no register differs");
    let histories =
        [&document["a_pixel"], &document["b_pixel"]].map(|pixel| pixel["after"]["color"][1].clone());
    assert_eq!(histories.map(|green| green.as_u64()), [Some(0), Some(32)], "both histories");
}

#[test]
fn transfers_and_ends_are_compared() {
    let folder = folder("ends");
    fs::write(folder.join("short.ge"), LIST.replace("PRIM primitive=TRIANGLES count=3", ""))
        .expect("written");
    fs::write(folder.join("narrow.ge"), LIST.replace("TRANSFERSIZE x=63", "TRANSFERSIZE x=31"))
        .expect("written");
    let (status, output) = result(&diff(&folder, &["list.ge", "short.ge"]));
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains("event 3 is another one in the second run"), "{output}");
    assert!(output.contains("in B: none: the run has ended"), "{output}");
    let (status, output) = result(&diff(&folder, &["list.ge", "narrow.ge"]));
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains("transfer.width"), "{output}");
}

#[test]
fn two_events_are_compared() {
    let folder = folder("events");
    let (status, output) = result(&diff(&folder, &["list.ge", "--a", "--at 0", "--b", "--at 2"]));
    assert_eq!(status, Some(1), "{output}");
    for part in [
        "draw 0 and draw 2 differ in 8 registers and 98 other values\n",
        "  in A: event 0, draw 0 at",
        "  in B: event 3, draw 2 at",
        "    ZTESTENABLE\n        A 0                                                ; start\n        B 1 ",
        "    state.clear.depth                        A true, B false\n",
    ] {
        assert!(output.contains(part), "{part:?} in:\n{output}");
    }
    let (status, output) =
        result(&diff(&folder, &["list.ge", "copy.ge", "--a", "--at 1", "--b", "--at event:1"]));
    assert_eq!(status, Some(0), "{output}");
    assert!(output.ends_with("draw 1 and draw 1 have the same state and the same data\n"), "{output}");
    // A draw and a transfer have no descriptions in common, but their entries differ.
    let output = diff(&folder, &["list.ge", "--a", "--at 1", "--b", "--at event:2", "--json"]);
    let document = document(&output);
    assert_eq!(document["text"], "draw 1 and event 2 differ in 4 registers and 4 other values", "{document}");
    assert_eq!(
        (&document["event"], &document["byte_count"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
}

#[test]
fn pictures_show_both_sides() {
    let folder = folder("pictures");
    let output = pspge_in(&folder, "diff list.ge other.ge -o out.png");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let picture = image::open(folder.join("out.png")).expect("a picture").into_rgb8();
    assert_eq!(picture.dimensions(), (3 * 480, 272), "three panels");
    assert_eq!(picture.get_pixel(10, 10), picture.get_pixel(960 + 10, 10), "the rectangle is equal");
    assert_eq!(picture.get_pixel(480 + 10, 10).0, [0; 3], "no difference there");
    assert_ne!(picture.get_pixel(480, 200).0, [0; 3], "a difference there");
}

#[test]
fn models_are_compared() {
    let folder = folder("models");
    copy_sample("lampwing.pac", &folder.join("lampwing.pac"));
    let (status, output) = result(&diff(&folder, &["lampwing.pac", "--b", "--yaw 5"]));
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains("matrix, elements"), "{output}");
}

#[test]
fn another_renderer_is_searched() {
    let folder = folder("renderer");
    for options in ["render {in} --until draw:{until} -o {out}", "render {in} -o {out}"] {
        let (status, output) = result(&diff(&folder, &["list.ge", "--renderer", &renderer(options)]));
        assert_eq!(status, Some(0), "{output}");
        assert!(output.ends_with("the pictures after the last draw do not differ\n"), "{output}");
    }
    // The other renderer gets a wrong rule.
    let wrong = "render {in} --until draw:{until} -o {out} --set MASKRGB=0x0000ff";
    let output = diff(&folder, &["list.ge", "--renderer", &renderer(wrong), "--json"]);
    let document = document(&output);
    assert_eq!((output.status.code(), &document["draw"]), (Some(1), &0.into()), "{document}");
    let wrong = "render {in} -o {out} --set ZTEST=LESS";
    let (status, output) =
        result(&diff(&folder, &["list.ge", "--renderer", &renderer(wrong), "-o", "out.png"]));
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains("the first difference is draw 2: 2016 pixels of the pictures"), "{output}");
    assert!(output.contains("verdict: draw 2 of 3, triangle 0: written"), "{output}");
    assert!(folder.join("out.png").exists(), "the picture");
    let (status, output) =
        result(&diff(&folder, &["list.ge", "--renderer", &renderer(wrong), "--tolerance", "255"]));
    assert_eq!(status, Some(0), "{output}");
}

/// The pixel's history belongs to the buffer shown in the pictures.
#[test]
fn another_renderer_differs_in_another_buffer() {
    let folder = folder("buffer");
    let list =
        "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
        BASE hi(v) | VTYPE color=ABGR8888 position=BITS16 through=1
        VADDR lo(v) | PRIM primitive=RECTANGLES count=2
        FRAMEBUFPTR 0x88000 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
        FRAMEBUFPTR 0 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2 | FINISH | END
        .align 4
        v: .rgba #5a6b7cff | .s16 0 0 0 | .align 4 | .rgba #5a6b7cff | .s16 240 100 0 | .align 4";
    fs::write(folder.join("two.ge"), list).expect("the file can be written");
    let wrong = renderer("render {in} -o {out} --set MASKRGB=0x0000ff@1");
    let output = diff(&folder, &["two.ge", "--renderer", &wrong, "--json"]);
    let document = document(&output);
    assert_eq!((output.status.code(), &document["draw"]), (Some(1), &1.into()), "{document}");
    let history = &document["a_pixel"];
    assert_eq!(history["target"]["address"], 0x0408_8000, "the buffer of draw 1: {history}");
    assert_eq!(history["entries"][0]["draw"], 1, "its only writer: {history}");
}

#[test]
fn wrong_uses_are_refused() {
    let folder = folder("wrong");
    let failing = renderer("render {in} -o {out} --until draw:9");
    let silent = renderer("info {in} --report={out}");
    for (arguments, status, part) in [
        (&["list.ge"][..], 2, "nothing to compare with"),
        (&["list.ge", "missing.ge"], 4, "missing.ge"),
        (&["list.ge", "--b", "--skip x"], 2, "--skip"),
        (&["list.ge", "--b", "--set 'DITHERENABLE=1"], 2, "a quote is not closed"),
        (&["list.ge", "--b", "--solo event"], 2, "--solo"),
        (&["list.ge", "--b", "--at 1"], 2, "the options of both sides"),
        (&["list.ge", "--a", "--at 1", "--b", "--at 7"], 2, "the run has 3 draws"),
        (&["list.ge", "copy.ge", "-o", "out.jpg"], 2, "must be .png"),
        (&["list.ge", "--renderer", "other {in}"], 2, "{out}"),
        (&["list.ge", "--renderer", "./no-such-program {in} {out}"], 4, "no-such-program"),
        (&["list.ge", "--renderer", &failing], 4, "beyond the end"),
        (&["list.ge", "--renderer", &silent], 4, "a picture that cannot be read"),
        (&["list.ge", "--a", "--skip 1", "--renderer", &failing], 2, "--a and --renderer"),
    ] {
        let output = diff(&folder, arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {error}");
        assert!(error.contains(part) && error.lines().count() == 1, "{arguments:?}: {error}");
    }
    let output = diff(&folder, &["list.ge", "--b", "--set DITHERENABLE=1@77"]);
    assert_eq!(output.status.code(), Some(0), "nothing changes");
    assert!(text(&output.stderr).contains("changed nothing"), "{}", text(&output.stderr));
}
