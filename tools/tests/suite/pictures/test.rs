//! Tests `pspge test`: verdicts, reasons, expectations, reports, other renderers, and going on after an
//! interruption.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use ge_tests::long_checks;
use serde_json::Value;

#[cfg(unix)]
mod psp;
mod runs;
mod scenes;
use crate::support::{copy_sample, empty_folder, portable_text, pspge_at, pspge_in, text};

/// Makes a folder with the sample as a frame dump, and its picture as reference.
fn folder(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    copy_sample("lampwing.pac", &folder.join("lampwing.pac"));
    assert!(pspge_in(&folder, "pack lampwing.pac -o cases-a.ppdmp -q").status.success(), "packed");
    fs::create_dir_all(folder.join("cases")).expect("a folder");
    fs::rename(folder.join("cases-a.ppdmp"), folder.join("cases/a.ppdmp")).expect("a case");
    assert!(pspge_in(&folder, "render cases/a.ppdmp -o cases/a.png -q").status.success(), "drawn");
    folder
}

/// Makes a renderer from this program with some more options.
fn renderer(options: &str) -> String {
    format!("other='{}' render {{in}} -o {{out}} -q {options}", env!("CARGO_BIN_EXE_pspge"))
}

fn test(folder: &Path, arguments: &[&str]) -> Output {
    pspge_at(folder, &[&["test"], arguments].concat())
}

fn judge(folder: &Path, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let output = test(folder, &[arguments, &["--json", "-q"]].concat());
    let lines = text(&output.stdout);
    let parse = |line: &str| serde_json::from_str(line).expect("JSON");
    assert!(!lines.is_empty(), "{}", text(&output.stderr));
    (output.status.code(), lines.lines().map(parse).collect())
}

fn judge_one(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let (status, mut judgements) = judge(folder, arguments);
    assert_eq!(judgements.len(), 1, "{judgements:?}");
    (status, judgements.remove(0))
}

#[test]
fn exact_pictures_pass() {
    let folder = folder("exact");
    let (status, judgement) = judge_one(&folder, &["cases"]);
    assert_eq!((status, &judgement["outcome"]), (Some(0), &"passed".into()), "{judgement}");
    assert_eq!(judgement["picture"]["match"], "exact", "{judgement}");
    assert_eq!(judgement["reference"], "a.png", "below the folder");
    // Single precision differs along edges.
    let (status, judgement) = judge_one(&folder, &["cases", "--renderer", "pspge-single"]);
    assert_eq!((status, &judgement["outcome"]), (Some(1), &"failed".into()), "{judgement}");
    let (status, judgement) =
        judge_one(&folder, &["cases", "--renderer", "pspge-single", "--require", "area"]);
    assert_eq!((status, &judgement["outcome"]), (Some(0), &"passed".into()), "{judgement}");
    let output = test(&folder, &["cases", "--renderer", "pspge", "--renderer", "pspge-single"]);
    assert!(
        text(&output.stdout).starts_with("failed            a.ppdmp [pspge-single]: differs in "),
        "a line"
    );
    assert!(text(&output.stderr).contains("pspge: 1 passed; 1 of 1 pictures exact"), "a sum");
}

#[test]
fn models_and_lists_are_cases() {
    let folder = empty_folder("kinds");
    copy_sample("lampwing.pac", &folder.join("cases/models/lampwing.pac"));
    // Without a reference this file is no case.
    copy_sample("lampwing.tmh", &folder.join("cases/models/lampwing.tmh"));
    fs::write(folder.join("cases/list.ge"), PASSES).expect("a list");
    for (input, reference) in [("models/lampwing.pac", "ref/models/lampwing.png"), ("list.ge", "list.ge.png")]
    {
        let path = folder.join("cases").join(reference);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let path = path.display().to_string();
        let input = format!("cases/{input}");
        assert!(pspge_at(&folder, &["render", &input, "-o", &path, "-q"]).status.success(), "{input}");
    }
    let renderers = ["--renderer", "pspge", "--renderer", &renderer("")];
    let (status, judgements) = judge(&folder, &[&["cases"], &renderers[..]].concat());
    let lines: Vec<String> = judgements
        .iter()
        .map(|judgement| ["case", "renderer", "outcome"].map(|name| judgement[name].to_string()).join(" "))
        .collect();
    let expected = ["list.ge", "models/lampwing.pac"]
        .into_iter()
        .flat_map(|case| ["pspge", "other"].map(|renderer| format!("\"{case}\" \"{renderer}\" \"passed\"")));
    assert_eq!((status, lines), (Some(0), expected.collect()), "other renderers get them as frame dumps");
}

/// Each of these rules is wrong from this draw on in the sample, and changes the picture.
const WRONG: [(&str, u64); 11] = [
    ("--set TEXFUNC.function=4@30", 30),
    ("--set ZTEST=NEVER@40", 40),
    ("--set MATERIALAMBIENT=0x102030@44", 44),
    ("--set TEXENABLE=0@55", 55),
    ("--set CULL=0@61", 61),
    ("--skip 70", 70),
    ("--set TEXFILTER=0@84", 84),
    ("--set ZTEST=ALWAYS@90", 90),
    ("--set ALPHATEST.function=NEVER@100", 100),
    ("--set MASKRGB=0xffffff@110", 110),
    ("--set FOGENABLE=1@120", 120),
];

#[test]
fn wrong_rules_are_explained_by_region_and_draw() {
    let folder = folder("wrong");
    // The search and the explanation are the same for all rules, so every third rule has to do.
    let step = if long_checks::are_wanted() { 1 } else { 3 };
    for (number, (options, draw)) in WRONG.into_iter().enumerate().step_by(step) {
        // Both ways search by halves. The first is tried for all these rules, the second only for some, to save
        // time.
        let all = ["", "--until draw:{until}"];
        for until in &all[..if number % 4 == 0 { 2 } else { 1 }] {
            let (status, judgement) =
                judge_one(&folder, &["cases", "--renderer", &renderer(&format!("{options} {until}"))]);
            assert_eq!((status, &judgement["outcome"]), (Some(1), &"failed".into()), "{options} {until}");
            let found = &judgement["explanation"];
            assert_eq!(found["divergence"]["draw"], draw, "{options} {until}: {found}");
            assert_eq!(found["divergence"]["is_own_exact"], true, "{options}: pspge's own picture is right");
            // The region lies within the pixels covered by the draw.
            let arguments = ["draw", "cases/a.ppdmp", &draw.to_string(), "--json", "-q"];
            let report: Value =
                serde_json::from_slice(&pspge_at(&folder, &arguments).stdout).expect("a report");
            let (touched, region) = (&report["touched"], &found["region"]);
            let number =
                |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{options}: {touched} {region}"));
            for (axis, (start, side)) in [("x", "width"), ("y", "height")].into_iter().enumerate() {
                let [start, side] = [start, side].map(|name| number(&region[name]));
                let [first, last] = ["first", "last"].map(|corner| number(&touched[corner][axis]));
                assert!(first <= start && start + side <= last + 1, "{options}: {region} in {touched}");
            }
            let suspects = found["suspects"].as_array().expect("a list");
            assert!(suspects.iter().any(|event| event["draw"] == draw), "{options}: {suspects:?}");
            assert!(found["history"]["verdict"].as_str().is_some_and(|text| !text.is_empty()), "{options}");
        }
    }
}

/// Draws three rectangles into a buffer off the screen, which a fourth draws onto the screen, after a clear. A fifth
/// covers another part of the screen.
const PASSES: &str = "
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | BASE hi(v) | VTYPE color=ABGR8888 position=BITS16 through=1
    FRAMEBUFPTR 0x100000 | FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888
    VADDR lo(v) | PRIM primitive=RECTANGLES count=2 | PRIM primitive=RECTANGLES count=2 | PRIM primitive=RECTANGLES count=2
    FRAMEBUFPTR 0 | FRAMEBUFWIDTH width=512 | VADDR lo(screen) | PRIM primitive=RECTANGLES count=2
    TEXENABLE 1 | TEXFUNC function=REPLACE | TEXFORMAT ABGR8888 | TEXSIZE0 width_log2=6 height_log2=6
    TEXADDR0 0x100000 | TEXBUFWIDTH0 width=64 high=4 | TEXFLUSH
    VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(copy) | PRIM primitive=RECTANGLES count=2
    TEXENABLE 0 | VTYPE color=ABGR8888 position=BITS16 through=1
    VADDR lo(last) | PRIM primitive=RECTANGLES count=2
    FINISH | END
.align 4
v:  .rgba #203040ff | .s16 0 0 0 | .align 4 | .rgba #203040ff | .s16 64 64 0 | .align 4
    .rgba #ff0000ff | .s16 8 8 0 | .align 4 | .rgba #ff0000ff | .s16 24 24 0 | .align 4
    .rgba #00ff00ff | .s16 30 8 0 | .align 4 | .rgba #00ff00ff | .s16 50 24 0 | .align 4
screen: .rgba #101820ff | .s16 0 0 0 | .align 4 | .rgba #101820ff | .s16 480 272 0 | .align 4
copy: .s16 0 0 100 100 0 64 64 164 164 0 | .align 4
last: .rgba #0000ffff | .s16 300 10 0 | .align 4 | .rgba #0000ffff | .s16 400 20 0 | .align 4
";

#[test]
fn wrong_draws_are_found_in_buffers_that_are_sampled_later() {
    let folder = empty_folder("passes");
    fs::create_dir_all(folder.join("cases")).expect("a folder");
    fs::write(folder.join("passes.ge"), PASSES).expect("a list");
    assert!(pspge_in(&folder, "pack passes.ge -o cases/passes.ppdmp -q").status.success(), "packed");
    assert!(test(&folder, &["cases", "--add-references"]).status.success(), "drawn");
    for draw in [1, 2, 3, 4, 5] {
        let (_, judgement) =
            judge_one(&folder, &["cases", "--renderer", &renderer(&format!("--skip {draw}"))]);
        let found = &judgement["explanation"]["divergence"];
        assert_eq!(found["draw"], draw, "{judgement}");
    }
}

#[test]
fn failures_of_renderers_are_results() {
    let folder = folder("faults");
    let message = |renderer: &str, more: &[&str]| {
        let arguments = [&["cases", "--renderer", renderer], more].concat();
        let (status, judgement) = judge_one(&folder, &arguments);
        assert_eq!((status, &judgement["outcome"]), (Some(1), &"error".into()), "{judgement}");
        judgement["message"].as_str().expect("a message").to_owned()
    };
    let missing = message("no-such-program {in} {out}", &[]);
    assert!(missing.starts_with("cannot be run: no-such-program: "), "{missing}");
    let wrong = message(&renderer("--no-such-option"), &[]);
    assert!(wrong.starts_with("ended with exit status: 2: error: "), "{wrong}");
    let nothing = format!("'{}' info {{in}} -q --report {{out}}x", env!("CARGO_BIN_EXE_pspge"));
    assert!(message(&nothing, &[]).starts_with("wrote no picture: "), "no picture");
    let text = format!("'{}' info {{in}} -q --report {{out}}", env!("CARGO_BIN_EXE_pspge"));
    assert!(message(&text, &[]).starts_with("wrote a picture that cannot be read: "), "no PNG");
}

#[test]
fn damaged_cases_and_references_are_errors() {
    let folder = folder("damaged");
    let dump = fs::read(folder.join("cases/a.ppdmp")).expect("the case");
    fs::write(folder.join("cases/b.ppdmp"), &dump[..dump.len() / 2]).expect("a file");
    fs::copy(folder.join("cases/a.png"), folder.join("cases/b.png")).expect("a file");
    fs::write(folder.join("cases/c.ppdmp"), &dump).expect("a file");
    fs::write(folder.join("cases/c.png"), "no picture").expect("a file");
    fs::write(folder.join("cases/d.ppdmp"), &dump).expect("a file");
    fs::write(folder.join("cases/e.tmh"), "no case").expect("a file");
    let (status, judgements) = judge(&folder, &["cases"]);
    let outcomes: Vec<_> = judgements
        .iter()
        .map(|judgement| [&judgement["case"], &judgement["outcome"]].map(|text| text.as_str().expect("text")))
        .collect();
    let expected =
        [["a.ppdmp", "passed"], ["b.ppdmp", "error"], ["c.ppdmp", "error"], ["d.ppdmp", "without-reference"]];
    assert_eq!((status, outcomes), (Some(1), expected.to_vec()), "each for itself");
    assert!(
        judgements[1]["message"].as_str().is_some_and(|text| text.starts_with("at 0x")),
        "with the offset"
    );
    assert!(judgements[2]["message"].as_str().is_some_and(|text| text.contains("c.png")), "with the file");
}

#[test]
fn depth_buffers_are_compared() {
    let folder = folder("depth");
    assert!(
        pspge_in(&folder, "render cases/a.ppdmp -o depth.png --buffer depth -q").status.success(),
        "drawn"
    );
    let depth = image::open(folder.join("depth.png")).expect("a picture").into_luma16();
    let file = |depth: &image::ImageBuffer<image::Luma<u16>, Vec<u16>>| {
        let header = [depth.width(), depth.height()].into_iter().flat_map(u32::to_le_bytes);
        header.chain(depth.pixels().flat_map(|pixel| pixel.0[0].to_le_bytes())).collect::<Vec<u8>>()
    };
    fs::rename(folder.join("cases/a.png"), folder.join("cases/a-psp.png")).expect("a reference");
    fs::write(folder.join("cases/a-psp-depth.bin"), file(&depth)).expect("a reference");
    let (status, judgement) = judge_one(&folder, &["cases"]);
    assert_eq!((status, &judgement["depth"]["match"]), (Some(0), &"exact".into()), "{judgement}");
    let mut other = depth;
    for x in 200..240 {
        other.put_pixel(x, 130, image::Luma([7]));
    }
    fs::write(folder.join("cases/a-psp-depth.bin"), file(&other)).expect("a reference");
    let (status, judgement) = judge_one(&folder, &["cases"]);
    assert_eq!((status, &judgement["depth"]["differing_pixels"]), (Some(1), &40.into()), "{judgement}");
    let found = &judgement["explanation"];
    assert_eq!((&found["buffer"], &found["pixel"]["y"]), (&"depth".into(), &130.into()), "{found}");
    assert!(found["first_event"]["event"].is_u64(), "an event of the depth buffer: {found}");
    // A depth buffer alone is a reference, too.
    fs::rename(folder.join("cases/a-psp.png"), folder.join("a-psp.png")).expect("moved");
    let (status, judgement) = judge_one(&folder, &["cases"]);
    assert_eq!((status, &judgement["explanation"]["buffer"]), (Some(1), &"depth".into()), "{judgement}");
    let (status, judgement) = judge_one(&folder, &["cases", "--renderer", &renderer("")]);
    assert_eq!(
        (status, &judgement["outcome"]),
        (Some(1), &"error".into()),
        "nothing is compared: {judgement}"
    );
    fs::rename(folder.join("a-psp.png"), folder.join("cases/a-psp.png")).expect("moved");
    // If a renderer writes no depth buffer, this is noted, but not counted as its fault.
    let output = test(&folder, &["cases", "--renderer", &renderer("")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("note: cases/a.ppdmp: the depth buffer is not compared"), "said");
    assert_eq!(
        test(&folder, &["cases", "--renderer", &renderer(""), "--strict"]).status.code(),
        Some(1),
        "strict"
    );
    let error = fs::write(folder.join("cases/a-psp-depth.bin"), [1, 0, 0, 0, 1, 0, 0, 0, 5]);
    error.expect("a reference");
    let (_, judgement) = judge_one(&folder, &["cases"]);
    let message = judgement["message"].as_str().expect("a message");
    assert!(message.contains("a-psp-depth.bin: at 0x9: "), "{message}");
}

#[test]
fn expectations_must_hold() {
    let folder = folder("expectations");
    let wrong = renderer("--skip 70");
    let blessed = test(&folder, &["cases", "--renderer", &wrong, "--bless", "--reason", "a test"]);
    assert!(blessed.status.success(), "{}", text(&blessed.stderr));
    let path = folder.join("cases/pspge-test.toml");
    let written = fs::read_to_string(&path).expect("expectations");
    for part in
        ["[[expect]]", "case = \"a.ppdmp\"", "renderer = \"other\"", "reason = \"a test\"", "pixels = "]
    {
        assert!(written.contains(part), "{part}: {written}");
    }
    let (status, judgement) = judge_one(&folder, &["cases", "--renderer", &wrong]);
    assert_eq!((status, &judgement["outcome"]), (Some(0), &"expected-failure".into()), "{judgement}");
    assert_eq!(judgement["expectation"]["reason"], "a test", "{judgement}");
    let (status, judgement) = judge_one(&folder, &["cases", "--renderer", &renderer("--skip 40-90")]);
    assert_eq!(
        (status, &judgement["outcome"]),
        (Some(1), &"failed".into()),
        "more than expected: {judgement}"
    );
    let right = renderer("");
    let (status, judgement) = judge_one(&folder, &["cases", "--renderer", &right]);
    assert_eq!((status, &judgement["outcome"]), (Some(1), &"unexpected-pass".into()), "{judgement}");
    let kept = "# Kept.\n[[expect]]\ncase = \"b.ppdmp\"\nkind = \"x\"\nreason = \"y\"\n\n";
    fs::write(&path, format!("{kept}{written}")).expect("another entry");
    assert!(test(&folder, &["cases", "--renderer", &right, "--bless"]).status.success(), "blessed");
    let written = fs::read_to_string(&path).expect("expectations");
    assert_eq!(written.trim(), kept.trim(), "the others stay");
    fs::write(&path, "[[expect]]\ncase = 5\n").expect("a mistake");
    let output = test(&folder, &["cases"]);
    assert_eq!(output.status.code(), Some(3), "damaged");
    assert!(
        portable_text(&output.stderr).contains("cases/pspge-test.toml:2:8: "),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn collections_say_more_about_their_cases() {
    let folder = folder("collection");
    let root = folder.join("cases");
    fs::create_dir_all(root.join("dumps")).expect("a folder");
    fs::create_dir_all(root.join("ref")).expect("a folder");
    let dump = fs::read(root.join("a.ppdmp")).expect("the case");
    for name in ["1 GAME_0001 x", "2 y", "3 z"] {
        fs::write(root.join(format!("dumps/{name}.ppdmp")), &dump).expect("a case");
    }
    fs::rename(root.join("a.png"), root.join("ref/1 GAME_0001 x-psp.png")).expect("a reference");
    fs::remove_file(root.join("a.ppdmp")).expect("removed");
    let manifest = r#"[
        {"name": "1 GAME_0001 x", "issue": 1, "gameId": "GAME", "pspReference": true, "pspDepth": false, "notes": []},
        {"name": "2 y", "issue": null, "pspReference": false, "pspDepth": false, "notes": ["hangs the replayer"]},
        {"name": "3 z", "pspReference": true, "notes": []},
        {"name": "4 gone", "pspReference": true, "notes": []}]"#;
    fs::write(root.join("manifest.json"), manifest).expect("a manifest");
    let (status, judgements) = judge(&folder, &["cases"]);
    let line = |judgement: &Value| {
        let facts: Vec<String> = judgement["facts"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|fact| format!("{}={}", fact["name"], fact["value"]).replace('"', ""))
            .collect();
        let [case, outcome, message] = ["case", "outcome", "message"].map(|name| judgement[name].to_string());
        format!("{case} {outcome} {message} {}", facts.join(" ")).replace('"', "")
    };
    let lines: Vec<String> = judgements.iter().map(line).collect();
    let expected = [
        "4 gone.ppdmp error the manifest names it, but there is no such dump ",
        "dumps/1 GAME_0001 x.ppdmp passed null gameId=GAME issue=1",
        "dumps/2 y.ppdmp without-reference there is no reference notes=hangs the replayer",
        "dumps/3 z.ppdmp error the manifest promises a picture of a PSP, but there is none ",
    ];
    assert_eq!((status, lines), (Some(1), expected.map(str::to_owned).to_vec()), "by the manifest");
    let (status, judgements) = judge(&folder, &["cases", "--filter", "game_*", "--filter", "1 G"]);
    assert_eq!((status, judgements.len()), (Some(0), 1), "a filter");
    fs::write(root.join("manifest.json"), "[{]").expect("a mistake");
    let output = test(&folder, &["cases"]);
    assert_eq!(output.status.code(), Some(3), "damaged");
    assert!(
        portable_text(&output.stderr).contains("cases/manifest.json: at 0x2: "),
        "{}",
        text(&output.stderr)
    );
}

/// The files in a results folder, apart from pictures.
const FILES: [&str; 4] = ["report.html", "results.jsonl", "junit.xml", "summary.md"];

/// Removes the times from a JUnit report, because they differ from run to run.
fn without_times(report: &[u8]) -> String {
    let text = text(report);
    let mut parts = text.split(" time=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, rest| text + rest.split_once('"').map_or(rest, |(_, rest)| rest))
}

#[test]
fn equal_runs_write_equal_reports() {
    let folder = folder("reports");
    fs::copy(folder.join("cases/a.ppdmp"), folder.join("cases/<b>&\"'.ppdmp"))
        .and_then(|_| fs::copy(folder.join("cases/a.png"), folder.join("cases/<b>&\"'.png")))
        .expect("a hostile name");
    let wrong = renderer("--skip 70");
    let run = |output: &str, jobs: &str| {
        let arguments = ["cases", "--renderer", "pspge", "--renderer", &wrong, "-o", output, "--jobs", jobs];
        let done = test(&folder, &arguments);
        assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
        FILES.map(|name| without_times(&fs::read(folder.join(output).join(name)).expect("a report")))
    };
    let first = run("first", "1");
    for (output, jobs) in [("second", "3"), ("first", "2")] {
        for (name, (a, b)) in FILES.iter().zip(first.iter().zip(run(output, jobs))) {
            assert!(*a == b, "{output}/{name}");
        }
    }
    let [page, results, junit, summary] = first;
    assert!(
        page.contains("<script type=\"image/png\" id=\"picture-0\">") && !page.contains("<b>&"),
        "the page"
    );
    assert_eq!(results.lines().count(), 4, "two cases, two renderers");
    assert!(
        junit.contains("<testsuite name=\"other\" tests=\"2\"") && junit.contains("failures=\"2\""),
        "{junit}"
    );
    assert!(junit.contains("&lt;b&gt;&amp;"), "{junit}");
    assert!(summary.contains("| other | 0 | 2 |") && summary.contains("\\<b\\>"), "{summary}");
    assert!(!folder.join("first/unfinished.jsonl").exists(), "the run has ended");
}

#[test]
fn changes_since_an_earlier_run_are_reported() {
    let folder = folder("changes");
    let run = |options: &str| test(&folder, &["cases", "--renderer", &renderer(options), "-o", "out"]);
    assert_eq!(run("--skip 70").status.code(), Some(1), "it fails");
    assert_eq!(run("").status.code(), Some(0), "it passes");
    let page = fs::read_to_string(folder.join("out/report.html")).expect("a report");
    let start = page.find("\"changes\":[{").expect("a change");
    let change = &page[start..start + 200];
    assert!(change.contains("\"before\":{") && change.contains("\"failed\""), "{change}");
    assert!(!folder.join("out/pictures/a.ppdmp").exists(), "no failure, no pictures");
}

#[test]
fn annotations_are_lines_for_github() {
    let folder = folder("github");
    let output = test(&folder, &["cases", "--renderer", &renderer("--skip 70"), "--github", "-q"]);
    let lines = text(&output.stdout);
    let line = lines.lines().find(|line| line.starts_with("::error ")).expect("an annotation");
    assert!(
        line.contains("title=a.ppdmp (other)::differs in ") && line.contains("%0Afirst wrong: event "),
        "{line}"
    );
}

#[test]
fn missing_references_can_be_drawn() {
    let folder = folder("missing");
    fs::remove_file(folder.join("cases/a.png")).expect("removed");
    assert_eq!(test(&folder, &["cases", "--strict"]).status.code(), Some(1), "strict");
    assert!(test(&folder, &["cases", "--add-references"]).status.success(), "drawn");
    let (status, judgement) = judge_one(&folder, &["cases"]);
    assert_eq!((status, &judgement["outcome"]), (Some(0), &"passed".into()), "{judgement}");
}

#[test]
fn mistakes_on_the_command_line_are_named() {
    let folder = folder("usage");
    for (arguments, status, part) in [
        (&["nowhere"][..], 4, "nowhere: no such folder or configuration"),
        (&["cases", "--renderer", "draw {in}"], 2, "expected a command with {in} and {out}"),
        (&["cases", "--renderer", "pspge", "--renderer", "pspge"], 2, "two renderers are named \"pspge\""),
        (&["cases", "--filter", "nothing"], 3, "no case has a name that --filter selects"),
        (&["cases", "--require", "exact", "--max-mse", "1"], 2, "--max-mse"),
    ] {
        let output = test(&folder, arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(part), "{arguments:?}: {}", text(&output.stderr));
    }
}

/// Uses shell scripts as renderers.
#[cfg(unix)]
mod scripts {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn script(path: &Path, text: &str) {
        fs::write(path, format!("#!/bin/sh\n{text}")).expect("a script");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("it can be run");
    }

    /// Takes the options that PPSSPP's frame tests give to its headless program, and draws with this program.
    const HEADLESS: &str = r#"
for option in "$@"; do
    case $option in
        --graphics=*) backend=${option#*=} ;;
        --screenshot-save=*) picture=${option#*=} ;;
        --*) echo "unknown option $option"; exit 1 ;;
        *) dump=$option ;;
    esac
done
[ "$backend" = wrong ] && more='--skip 70'
[ "$backend" = broken ] && exit 7
exec PSPGE render "$dump" -o "$picture" -q $more
"#;

    #[test]
    fn configurations_of_ppsspp_are_read_unchanged() {
        let folder = folder("ppsspp");
        let headless = HEADLESS.replace("PSPGE", &format!("'{}'", env!("CARGO_BIN_EXE_pspge")));
        fs::create_dir_all(folder.join("build")).expect("a folder");
        script(&folder.join("build/PPSSPPHeadless"), &headless);
        for path in ["frametests/dumps/Depth", "frametests/ref/Depth"] {
            fs::create_dir_all(folder.join(path)).expect("a folder");
        }
        fs::rename(folder.join("cases/a.ppdmp"), folder.join("frametests/dumps/Depth/a.ppdmp"))
            .expect("a case");
        // PPSSPP writes the whole framebuffer.
        let screen = image::open(folder.join("cases/a.png")).expect("a picture").into_rgba8();
        let mut wide = image::RgbaImage::from_pixel(512, 272, image::Rgba([1, 2, 3, 4]));
        image::imageops::replace(&mut wide, &screen, 0, 0);
        wide.save(folder.join("frametests/ref/Depth/a-soft.png")).expect("a reference");
        let write = |max_mse: f64| {
            let config = format!(
                r#"{{"testRoot": "dumps", "refRoot": "ref", "outputRoot": "out", "headlessPath": "../build/PPSSPPHeadless",
                "timeout": 60, "maxMse": {max_mse:?}, "variants": {{
                "broken": {{"args": "--graphics=broken", "compare-suffix": "soft"}},
                "gl": "--graphics=opengl",
                "none": {{"args": "--graphics=x", "compare-suffix": "psp"}},
                "soft": "--graphics=software",
                "wrong": {{"args": "--graphics=wrong", "compare-suffix": "soft"}}}}}}"#
            );
            fs::write(folder.join("frametests/frametests.json"), config).expect("a configuration");
        };
        write(0.0);
        let judged = |more: &[&str]| {
            let (status, judgements) = judge(&folder, &[&["frametests/frametests.json"], more].concat());
            let outcome = |judgement: &Value| {
                ["renderer", "outcome"]
                    .map(|name| judgement[name].as_str().expect("text").to_owned())
                    .join(" ")
            };
            (status, judgements.iter().map(outcome).collect::<Vec<_>>())
        };
        // PPSSPP's runner calls these FAIL, NEW, ERROR, PASS and FAIL.
        let expected = ["broken error", "gl without-reference", "none error", "soft passed", "wrong failed"];
        assert_eq!(judged(&[]), (Some(1), expected.map(str::to_owned).to_vec()), "at no error");
        write(65025.0);
        let expected = ["broken error", "gl without-reference", "none error", "soft passed", "wrong passed"];
        assert_eq!(judged(&[]), (Some(1), expected.map(str::to_owned).to_vec()), "at any error");
        let expected = ["pspge-gl without-reference", "pspge-psp without-reference", "pspge-soft passed"];
        let own = judged(&["--renderer", "pspge"]);
        assert_eq!(own, (Some(0), expected.map(str::to_owned).to_vec()), "this renderer");
        let output = test(&folder, &["frametests/frametests.json"]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(folder.join("frametests/out/report.html").exists(), "in the configuration's folder");
    }

    #[test]
    fn renderers_that_take_too_long_are_ended() {
        let folder = folder("slow");
        script(&folder.join("slow.sh"), "sleep 60 & sleep 60\n");
        let arguments = ["cases", "--renderer", "./slow.sh {in} {out}", "--timeout", "0.3"];
        let (status, judgement) = judge_one(&folder, &arguments);
        let message = judgement["message"].as_str().expect("a message");
        assert_eq!((status, message), (Some(1), "timed out after 0.3 s"), "{judgement}");
    }

    #[test]
    fn an_interrupted_run_goes_on() {
        let folder = folder("interrupted");
        for name in ["b", "c", "d"] {
            for extension in ["ppdmp", "png"] {
                let copy = folder.join(format!("cases/{name}.{extension}"));
                fs::copy(folder.join(format!("cases/a.{extension}")), copy).expect("a case");
            }
        }
        // At the third case, this ends the judge itself, but only once.
        let lines = format!(
            "echo \"$1\" >> calls\ncase $1 in */c.ppdmp) [ -e ended ] || {{ touch ended; kill -9 $PPID; exit 1; }} ;; esac\n\
             exec '{}' render \"$1\" -o \"$2\" -q\n",
            env!("CARGO_BIN_EXE_pspge")
        );
        script(&folder.join("draw.sh"), &lines);
        let arguments = ["cases", "--renderer", "x=./draw.sh {in} {out}", "-o", "out", "--jobs", "1"];
        assert_eq!(test(&folder, &arguments).status.code(), None, "it is killed");
        let again = test(&folder, &arguments);
        assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
        assert!(text(&again.stderr).contains("going on after 2 of 4 cases"), "{}", text(&again.stderr));
        let calls = fs::read_to_string(folder.join("calls")).expect("calls");
        let names: Vec<&str> = calls.lines().filter_map(|line| line.rsplit('/').next()).collect();
        assert_eq!(
            names,
            ["a.ppdmp", "b.ppdmp", "c.ppdmp", "c.ppdmp", "d.ppdmp"],
            "each once, the third twice"
        );
        let results = fs::read_to_string(folder.join("out/results.jsonl")).expect("results");
        assert_eq!(results.lines().count(), 4, "nothing is lost");
        // A changed case is judged again, and so are all cases if options change.
        fs::remove_file(folder.join("calls")).expect("removed");
        assert_eq!(test(&folder, &arguments).status.code(), Some(0), "a finished run begins anew");
        let calls = fs::read_to_string(folder.join("calls")).expect("calls");
        assert_eq!(calls.lines().count(), 4, "all cases");
    }
}
