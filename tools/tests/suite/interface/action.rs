//! Tests the script, the action and the component for CI in `tools/action`. They run this build's program, in a
//! folder without anything from this machine.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use regex::Regex;
use serde_json::Value;

use crate::support::{copy_sample, empty_folder, pspge_in, text};

fn action() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("action")
}

fn read(name: &str) -> String {
    fs::read_to_string(action().join(name)).expect("a file of the action")
}

/// A list without findings.
const RIGHT: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    SHADEMODE GOURAUD | BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
    PRIM primitive=TRIANGLES count=3
    FINISH | END
.align 4
corners:
    .rgba #ff0000ff | .s16 240 20 0 | .align 4
    .rgba #80000aff | .s16 100 250 0 | .align 4
    .rgba #ffb000ff | .s16 380 250 0 | .align 4
";

/// A list whose second line is an error.
const WRONG: &str = "VTYPE position=BITS16 through=1\nPRIM primitive=TRIANGLES count=3\nFINISH | END\n";

/// Makes a checkout with lists and a frame, and its reference.
fn checkout(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    copy_sample("lampwing.pac", &folder.join("lampwing.pac"));
    for path in ["lists", "frames", "home"] {
        fs::create_dir_all(folder.join(path)).expect("a folder");
    }
    fs::write(folder.join("lists/a good.ge"), RIGHT).expect("a list");
    assert!(pspge_in(&folder, "pack lampwing.pac -o frames/a.ppdmp -q").status.success(), "packed");
    assert!(pspge_in(&folder, "render frames/a.ppdmp -o frames/a.png -q").status.success(), "drawn");
    folder
}

/// Runs the script in a checkout, with these variables and none from this machine.
fn run(folder: &Path, argument: &str, variables: &[(&str, &str)]) -> Output {
    Command::new("sh")
        .arg(action().join("run.sh"))
        .arg(argument)
        .current_dir(folder)
        .env_clear()
        .env("HOME", folder.join("home"))
        .env("PATH", "/usr/bin:/bin")
        .env("PSPGE_PROGRAM", env!("CARGO_BIN_EXE_pspge"))
        .envs(variables.iter().copied())
        .output()
        .expect("a shell")
}

/// Reads a document from the results.
fn document(folder: &Path, name: &str) -> Value {
    let bytes = fs::read(folder.join("pspge-results").join(name)).expect("a report");
    serde_json::from_slice(&bytes).expect("JSON")
}

#[cfg(unix)]
#[test]
fn script_writes_all_reports() {
    let folder = checkout("action_reports");
    let good = run(&folder, "run", &[("PSPGE_CHECK", "lists"), ("PSPGE_TEST", "frames")]);
    assert_eq!(good.status.code(), Some(0), "{}{}", text(&good.stdout), text(&good.stderr));
    let mut files: Vec<String> = fs::read_dir(folder.join("pspge-results"))
        .expect("the results")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    files.sort_unstable();
    let expected =
        ["check.sarif", "code-quality.json", "junit.xml", "report.html", "results.jsonl", "summary.md"];
    assert_eq!(files, expected, "the reports");
    assert_eq!(document(&folder, "code-quality.json"), Value::Array(Vec::new()), "no findings");
    assert_eq!(document(&folder, "check.sarif")["runs"][0]["results"], Value::Array(Vec::new()), "none");
    assert!(fs::read_dir(folder.join("home")).expect("home").next().is_none(), "nothing is left at home");
}

#[cfg(unix)]
#[test]
fn findings_and_failures_are_annotated() {
    let folder = checkout("action_failures");
    fs::write(folder.join("lists/bad [1].ge"), WRONG).expect("a list");
    let (output, summary) = (folder.join("output"), folder.join("summary"));
    let bad = run(
        &folder,
        "run",
        &[
            ("PSPGE_CHECK", "  lists/bad [1].ge\n\nlists/a good.ge\n"),
            ("PSPGE_CHECK_OPTIONS", "--deny=warnings\n"),
            ("PSPGE_TEST", "frames"),
            (
                "PSPGE_TEST_OPTIONS",
                &format!(
                    "--renderer\nother='{}' render {{in}} -o {{out}} -q --skip 70",
                    env!("CARGO_BIN_EXE_pspge")
                ),
            ),
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_OUTPUT", output.to_str().expect("text")),
            ("GITHUB_STEP_SUMMARY", summary.to_str().expect("text")),
        ],
    );
    let printed = text(&bad.stdout);
    assert_eq!(bad.status.code(), Some(1), "{printed}{}", text(&bad.stderr));
    assert!(printed.contains("::add-matcher::pspge-results/matcher.json"), "{printed}");
    assert!(printed.contains("lists/bad [1].ge:2:1: "), "{printed}");
    assert!(printed.contains("::error file=frames/a.ppdmp,title=a.ppdmp (other)::"), "{printed}");
    let told = fs::read_to_string(output).expect("outputs");
    let expected = "results=pspge-results\nsarif=pspge-results/check.sarif\nreport=pspge-results/report.html\n\
                    junit=pspge-results/junit.xml\nstatus=1\n";
    assert_eq!(told, expected, "the outputs of the step");
    assert!(
        fs::read_to_string(summary).expect("a summary").contains("| other | 0 | 1 |"),
        "the summary of the job"
    );
    let results = document(&folder, "check.sarif");
    let results = results["runs"][0]["results"].as_array().expect("results");
    let gitlab =
        [("PSPGE_CHECK", "lists"), ("PSPGE_CHECK_OPTIONS", "--deny=warnings"), ("GITLAB_CI", "true")];
    assert_eq!(run(&folder, "run", &gitlab).status.code(), Some(1), "the same findings");
    let issues = document(&folder, "code-quality.json");
    let issues = issues.as_array().expect("a list");
    assert!(!issues.is_empty() && issues.len() == results.len(), "both reports have each finding");
    let fingerprints: BTreeSet<_> = issues.iter().map(|issue| issue["fingerprint"].to_string()).collect();
    assert_eq!(fingerprints.len(), issues.len(), "fingerprints differ");
    assert_eq!(issues[0]["location"]["path"], "lists/bad [1].ge", "the path as it is");
    for issue in issues {
        let members: Vec<_> = issue.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(
            members,
            ["check_name", "description", "fingerprint", "location", "severity"],
            "of GitLab"
        );
        assert!(issue["location"]["lines"]["begin"].as_u64().is_some_and(|line| line > 0), "{issue}");
    }
    assert!(issues.iter().any(|issue| issue["location"]["lines"]["begin"] == 2), "the line of the draw");
}

/// The matcher's expressions have to find the place in each line that `check` prints.
#[test]
fn matcher_fits_the_lines_of_check() {
    let matcher: Value = serde_json::from_str(&read("matcher.json")).expect("JSON");
    let matchers = matcher["problemMatcher"].as_array().expect("a list");
    let owners: Vec<_> = matchers.iter().filter_map(|matcher| matcher["owner"].as_str()).collect();
    assert_eq!(owners, ["pspge", "pspge-hint"], "the owners that the script removes");
    for owner in owners {
        assert!(read("run.sh").contains(&format!("::remove-matcher owner={owner}::")), "{owner}");
    }
    let expressions: Vec<Regex> = matchers
        .iter()
        .map(|matcher| matcher["pattern"][0]["regexp"].as_str().expect("an expression"))
        .map(|expression| Regex::new(expression).expect("an expression"))
        .collect();
    let folder = empty_folder("action_matcher");
    fs::write(folder.join("a.ge"), WRONG.replace("FINISH", "VTYPE position=BITS16 through=1 | FINISH"))
        .expect("a list");
    let printed = text(&pspge_in(&folder, "check a.ge").stdout);
    let mut found = Vec::new();
    for line in printed.lines() {
        let fits: Vec<bool> = expressions.iter().map(|expression| expression.is_match(line)).collect();
        let has_place = line
            .strip_prefix("a.ge:")
            .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()));
        let is_hint = line.contains(" hint: ");
        assert_eq!(fits, [has_place && !is_hint, has_place && is_hint], "{line}");
        if let Some(parts) = expressions[0].captures(line) {
            found.push(["file", "line", "column", "severity", "code"].map(|part| {
                let number =
                    matchers[0]["pattern"][0][part].as_u64().and_then(|number| usize::try_from(number).ok());
                parts[number.expect("a number")].to_owned()
            }));
        }
    }
    let expected = ["a.ge", "2", "1", "error", "vertices-unmapped"].map(str::to_owned);
    assert_eq!(found, [expected], "{printed}");
    assert!(printed.contains(" hint: "), "{printed}");
}

#[cfg(unix)]
#[test]
fn statuses_are_those_of_the_worst_command() {
    let folder = checkout("action_status");
    fs::write(folder.join("damaged.ppdmp"), "PPSSPPGE").expect("a file");
    for (variables, status, part) in [
        (&[][..], 2, "there is nothing to do"),
        (&[("PSPGE_CHECK", "lists"), ("PSPGE_STRICT", "maybe")], 2, "PSPGE_STRICT is maybe"),
        (&[("PSPGE_CHECK", "lists"), ("PSPGE_CHECK_OPTIONS", "--wrong")], 2, "--wrong"),
        (&[("PSPGE_CHECK", "damaged.ppdmp"), ("PSPGE_TEST", "frames")], 3, "damaged.ppdmp"),
        (&[("PSPGE_CHECK", "lists"), ("PSPGE_TEST", "nowhere")], 4, "nowhere"),
        (&[("PSPGE_CHECK", "lists"), ("PSPGE_PROGRAM", "no-such-program")], 4, "is not on the path"),
        (&[("PSPGE_TEST", "frames"), ("PSPGE_STRICT", "true")], 0, ""),
    ] {
        let output = run(&folder, "run", variables);
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{variables:?}: {printed}");
        assert!(printed.contains(part), "{variables:?}: {printed}");
    }
    let output = run(&folder, "help", &[]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

/// Installs a release made by this test, from a folder instead of the net.
#[cfg(target_os = "linux")]
#[test]
fn releases_are_installed_by_their_checksum() {
    let has = |program: &str| {
        Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    if !has("curl") || !has("tar") || !has("sha256sum") {
        eprintln!("SKIPPED: no curl, tar or sha256sum");
        return;
    }
    let folder = empty_folder("action_install");
    let version = env!("CARGO_PKG_VERSION");
    let tag = format!("v{version}");
    let name = format!("pspge-{version}-{}-unknown-linux-gnu", std::env::consts::ARCH);
    let (release, archive) = (folder.join("releases").join(&tag), format!("{name}.tar.gz"));
    fs::create_dir_all(folder.join(&name)).expect("a folder");
    fs::create_dir_all(&release).expect("a folder");
    fs::create_dir_all(folder.join("home")).expect("a folder");
    fs::write(folder.join(&name).join("pspge"), "#!/bin/sh\necho pspge\n").expect("a program");
    let made = Command::new("tar").args(["-czf", &archive, &name]).current_dir(&folder).status();
    assert!(made.is_ok_and(|status| status.success()), "an archive");
    fs::rename(folder.join(&archive), release.join(&archive)).expect("moved");
    let sums = Command::new("sha256sum").arg(&archive).current_dir(&release).output().expect("a checksum");
    fs::write(release.join("SHA256SUMS"), &sums.stdout).expect("checksums");
    let path = folder.join("path");
    let address = format!("file://{}", folder.join("releases").display());
    let variables = [
        ("PSPGE_VERSION", tag.as_str()),
        ("PSPGE_RELEASES", address.as_str()),
        ("RUNNER_TEMP", folder.to_str().expect("text")),
        ("GITHUB_PATH", path.to_str().expect("text")),
    ];
    let output = run(&folder, "install", &variables);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let place = fs::read_to_string(&path).expect("the path");
    assert!(Path::new(place.trim()).join("pspge").is_file(), "{place}");
    fs::write(release.join("SHA256SUMS"), text(&sums.stdout).replacen(|_: char| true, "0", 4))
        .expect("changed");
    let output = run(&folder, "install", &variables);
    assert_eq!(output.status.code(), Some(3), "another checksum: {}", text(&output.stderr));
    assert!(text(&output.stderr).contains("has another checksum"), "{}", text(&output.stderr));
    fs::remove_file(release.join("SHA256SUMS")).expect("removed");
    assert_eq!(run(&folder, "install", &variables).status.code(), Some(4), "no such file");
}

/// Lists the names below a line such as `inputs:`, a level deeper.
fn names_below(file: &str, heading: &str) -> BTreeSet<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = file.lines().skip_while(|line| line.trim() != heading);
    let level = lines.next().map(indent).expect("the heading");
    lines
        .take_while(|line| line.trim().is_empty() || indent(line) > level)
        .filter(|line| indent(line) == level + 2)
        .filter_map(|line| Some(line.trim().split_once(':')?.0.to_owned()))
        .collect()
}

fn between(text: &str, before: &str, after: &str) -> BTreeSet<String> {
    text.split(before).skip(1).filter_map(|rest| Some(rest.split_once(after)?.0.trim().to_owned())).collect()
}

#[test]
fn inputs_reach_the_script() {
    let script = read("run.sh");
    // Variables in the script's head, which explains each.
    let documented: BTreeSet<String> = script
        .lines()
        .filter_map(|line| line.strip_prefix("#   PSPGE_"))
        .filter_map(|line| Some(format!("PSPGE_{}", line.split_whitespace().next()?)))
        .collect();
    let used: BTreeSet<String> = script
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split('$').skip(1))
        .map(|rest| rest.trim_start_matches('{'))
        .filter(|rest| rest.starts_with("PSPGE_"))
        .map(|rest| rest.chars().take_while(|letter| letter.is_ascii_uppercase() || *letter == '_').collect())
        .collect();
    assert_eq!(documented, used, "the head of the script names the variables that it reads");
    for (name, open, close, own) in [
        ("action.yml", "${{ inputs.", " }}", &["install", "upload", "artifact", "code-scanning"][..]),
        ("gitlab.yml", "$[[ inputs.", " ]]", &["ref", "image", "stage", "job"]),
    ] {
        let file = read(name);
        let inputs = names_below(&file, "inputs:");
        let mut reached = between(&file, open, close);
        // Conditions name inputs without brackets.
        reached.extend(between(&file, "if: inputs.", " "));
        reached.extend(between(&file, "&& inputs.", " "));
        assert_eq!(inputs, reached, "{name}: each input is used, and each that is used exists");
        let set: BTreeSet<String> = file
            .lines()
            .filter_map(|line| line.trim().split_once(": "))
            .filter(|(name, value)| name.starts_with("PSPGE_") && value.starts_with(open))
            .map(|(name, value)| {
                let input = value.trim_start_matches(open).trim_end_matches(close);
                assert_eq!(name, format!("PSPGE_{}", input.replace('-', "_").to_uppercase()), "named alike");
                input.to_owned()
            })
            .collect();
        let expected: BTreeSet<String> =
            inputs.iter().filter(|input| !own.contains(&input.as_str())).cloned().collect();
        assert_eq!(set, expected, "{name}: inputs that become variables");
        for input in &set {
            let variable = format!("PSPGE_{}", input.replace('-', "_").to_uppercase());
            assert!(used.contains(&variable), "{name}: the script reads {variable}");
        }
    }
    let action = read("action.yml");
    let told: BTreeSet<String> = script
        .lines()
        .filter_map(|line| line.split("tell ").nth(1))
        .filter_map(|rest| Some(rest.split_once(' ')?.0.to_owned()))
        .collect();
    assert_eq!(names_below(&action, "outputs:"), told, "the script tells each output");
    assert_eq!(between(&action, "value: ${{ steps.run.outputs.", " }}"), told, "and the action passes it on");
}
