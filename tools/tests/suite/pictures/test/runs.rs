//! Tests how `pspge test` reports runs: repeated runs, their times and arithmetic, damage without a reference, and
//! several references side by side.

use super::*;

#[test]
fn damaged_dumps_are_errors_without_a_reference() {
    let folder = folder("damaged_alone");
    let dump = fs::read(folder.join("cases/a.ppdmp")).expect("the case");
    fs::write(folder.join("cases/b.ppdmp"), &dump[..dump.len() / 2]).expect("a file");
    fs::write(folder.join("cases/c.ppdmp"), "no dump").expect("a file");
    // An archive may hold anything, and so may other files.
    fs::write(folder.join("cases/d.bin"), "no dump").expect("a file");
    let (status, judgements) = judge(&folder, &["cases"]);
    let outcomes: Vec<_> =
        judgements.iter().map(|judgement| (&judgement["case"], &judgement["outcome"])).collect();
    let expected = [("a.ppdmp", "passed"), ("b.ppdmp", "error"), ("c.ppdmp", "error")];
    let expected = expected.map(|(case, outcome)| (Value::from(case), Value::from(outcome)));
    assert_eq!(outcomes, expected.iter().map(|(case, outcome)| (case, outcome)).collect::<Vec<_>>(), "each");
    assert_eq!(status, Some(1), "the run fails");
    assert!(
        judgements[1]["message"].as_str().is_some_and(|text| text.starts_with("at 0x")),
        "with the offset"
    );
}

#[test]
fn mistakes_in_expectations_have_a_line() {
    let folder = folder("mistakes");
    for (text, place) in [
        (
            "# One.\n[[expect]]\ncase = \"a\"\nkind = \"b\"\nreason = \"c\"\npixel = 1\n",
            "6:1: unknown field `pixel`",
        ),
        ("[[expect]]\ncase = 5\n", "2:8: invalid type"),
        ("[[require]]\n\n[[require]]\nmatch = \"near\"\nmax_mse = 1.0\n", "1:1: a requirement has either"),
        ("[[require]]\ncase = \"\u{e4}\" x\n", "2:12: "),
    ] {
        fs::write(folder.join("cases/pspge-test.toml"), text).expect("a mistake");
        let output = test(&folder, &["cases"]);
        let message = portable_text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(message.contains(&format!("cases/pspge-test.toml:{place}")), "{message}");
    }
}

#[test]
fn judgements_name_their_arithmetic() {
    let folder = folder("arithmetic");
    let columns = ["--renderer", "pspge", "--renderer", "pspge-single", "--renderer", &renderer("")];
    let (_, judgements) = judge(&folder, &[&["cases", "-o", "out"], &columns[..]].concat());
    let names: Vec<_> = judgements.iter().map(|judgement| judgement["arithmetic"].clone()).collect();
    assert_eq!(names, ["hardware".into(), "single".into(), Value::Null], "by renderer");
    let junit = fs::read_to_string(folder.join("out/junit.xml")).expect("a report");
    assert_eq!(junit.matches("<property name=\"arithmetic\" value=\"single\"/>").count(), 1, "{junit}");
}

#[test]
fn junit_has_times() {
    let folder = folder("times");
    assert!(test(&folder, &["cases", "-o", "out", "-q"]).status.success(), "passed");
    let junit = fs::read_to_string(folder.join("out/junit.xml")).expect("a report");
    let times: Vec<f64> =
        junit.split(" time=\"").skip(1).filter_map(|rest| rest.split_once('"')?.0.parse().ok()).collect();
    assert!(times.len() == 3 && times.iter().all(|time| *time > 0.0), "run, renderer and case: {junit}");
}

#[test]
fn references_are_judged_side_by_side() {
    let folder = folder("side_by_side");
    fs::copy(folder.join("cases/a.png"), folder.join("cases/a-psp1000.png")).expect("a reference");
    let other = pspge_in(&folder, "render cases/a.ppdmp -o cases/a-psp3000.png --skip 70 -q");
    assert!(other.status.success(), "another console");
    let arguments = ["cases", "--reference", "psp1000", "--reference", "psp3000", "--reference", "none"];
    let (_, judgement) = judge_one(&folder, &arguments);
    assert_eq!(judgement["reference"], "a-psp1000.png", "the first that exists");
    let (status, judgements) = judge(&folder, &[&arguments[..], &["--each-reference"]].concat());
    let found: Vec<_> = judgements
        .iter()
        .map(|judgement| {
            ["renderer", "outcome", "reference"].map(|member| judgement[member].as_str().unwrap_or(""))
        })
        .collect();
    let expected = [
        ["pspge-psp1000", "passed", "a-psp1000.png"],
        ["pspge-psp3000", "failed", "a-psp3000.png"],
        ["pspge-none", "passed", "a.png"],
    ];
    assert_eq!((status, found), (Some(1), expected.to_vec()), "each");
    let output = test(&folder, &["cases", "--each-reference"]);
    assert_eq!(output.status.code(), Some(2), "it needs references");
}

/// This renderer is wrong in its first run, and right from the second on.
#[cfg(unix)]
#[test]
fn renderers_that_draw_differently_are_noted() {
    let folder = folder("retry");
    let program = env!("CARGO_BIN_EXE_pspge");
    let script = |first: &str, later: &str| {
        let text = format!("#!/bin/sh\nif [ -e ran ]; then {later}; else : >ran; {first}; fi\n");
        fs::write(folder.join("draw.sh"), text).expect("a script");
        let _ = fs::remove_file(folder.join("ran"));
    };
    let draw = |options: &str| format!("'{program}' render \"$1\" -o \"$2\" -q {options}");
    let run = |retry: &str| {
        judge_one(
            &folder,
            &["cases", "--renderer", "other=sh draw.sh {in} {out}", "--retry", retry, "-o", "out"],
        )
    };
    script(&draw("--skip 70"), &draw(""));
    let (status, judgement) = run("0");
    assert_eq!((status, &judgement["outcome"]), (Some(1), &"failed".into()), "without another run");
    script(&draw("--skip 70"), &draw(""));
    let (status, judgement) = run("2");
    assert_eq!((status, &judgement["outcome"]), (Some(0), &"passed".into()), "{judgement}");
    let message = "draws differently when run again: 1 of 2 runs are wrong";
    assert_eq!(judgement["message"], message, "{judgement}");
    assert_eq!(judgement["notes"][0]["code"], "draws-differently", "{judgement}");
    let junit = fs::read_to_string(folder.join("out/junit.xml")).expect("a report");
    assert!(junit.contains(&format!("<flakyFailure message=\"{message}\"")), "{junit}");
    // This renderer is always wrong, but not in the same way.
    script("exit 1", &draw("--skip 70"));
    let (status, judgement) = run("2");
    assert_eq!((status, &judgement["outcome"]), (Some(1), &"failed".into()), "{judgement}");
    let text = judgement["message"].as_str().expect("a message");
    assert!(text.ends_with("; draws differently when run again: 3 of 3 runs are wrong"), "{text}");
    // This renderer is wrong in the same way each time, so it draws alike.
    script(&draw("--skip 70"), &draw("--skip 70"));
    let (_, judgement) = run("1");
    assert_eq!(judgement["notes"].as_array().map(Vec::len), Some(0), "{judgement}");
}
