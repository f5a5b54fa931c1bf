//! Tests `pspge check`: text, JSON, `--allow`, `--deny`, `--explain`, `--list`, batches, and the exit status.

use std::fs;
use std::path::PathBuf;

use ge_tests::snapshot;
use serde_json::Value;

#[path = "support/command.rs"]
mod support;

use support::{copy_sample, empty_folder, portable_text, pspge_in, samples};

/// A triangle in through mode.
const TRIANGLE: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=TRIANGLES count=3
    FINISH | END | .align 16 | v: .s16 10 10 0  99 10 0  10 99 0
";

/// Creates a folder with three lists, clean, with a warning and hints, and with an error, and a damaged model.
fn folder(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    fs::create_dir_all(folder.join("lists")).expect("the folder can be created");
    let write = |name: &str, text: &[u8]| {
        fs::write(folder.join(name), text).expect("the file can be written");
    };
    write("lists/clean.ge", TRIANGLE.as_bytes());
    let warning = TRIANGLE.replace("SCISSOR2 x=479 y=271", "SCISSOR2 x=0 y=0 | DITHERENABLE 1");
    write("lists/warning.ge", warning.as_bytes());
    write("lists/error.ge", TRIANGLE.replace("FINISH | END", "NOP").as_bytes());
    write("cut.pmo", b"pmo\x00102\x00");
    folder
}

/// Runs commands, and writes down their lines, outputs and exit statuses.
fn transcript(name: &str, commands: &[&str]) -> String {
    let folder = folder(name);
    let mut transcript = String::new();
    for arguments in commands {
        let output = pspge_in(&folder, arguments);
        transcript += &format!("$ pspge {arguments}\n{}", portable_text(&output.stdout));
        // The peak memory differs from machine to machine, so it is left out.
        for line in portable_text(&output.stderr).lines() {
            let line = line.split(", peak memory").next().unwrap_or_default();
            transcript += &format!("stderr: {line}\n");
        }
        transcript += &format!("status: {}\n\n", output.status.code().unwrap_or(-1));
    }
    transcript
}

#[test]
fn findings_decide_the_exit_status() {
    let commands = [
        "check lists/clean.ge",
        "check lists/warning.ge",
        "check lists/error.ge",
        "check lists/warning.ge --deny warnings",
        "check lists/warning.ge --deny dither-without-effect --allow empty-scissor,nothing-drawn",
        "check lists/warning.ge --allow warnings,hints",
        "check lists --threads 2",
        "check lists/warning.ge lists/error.ge --json",
        "check cut.pmo",
        "check lists/clean.ge --view front",
        "check lists/clean.ge --allow hints --deny hints",
        "check lists/clean.ge --deny empty-scisor",
        "check --explain empty-scissor",
        "check --explain hints",
        "check",
    ];
    snapshot::assert("check", &transcript("status", &commands));
}

#[test]
fn every_rule_is_listed_and_explained() {
    let folder = folder("rules");
    let list = portable_text(&pspge_in(&folder, "check --list").stdout);
    snapshot::assert("check_rules", &list);
    for line in list.lines() {
        let code = line.split(' ').next().expect("a code");
        let explained = pspge_in(&folder, &format!("check --explain {code}"));
        let text = portable_text(&explained.stdout);
        assert!(explained.status.success(), "{code}: {}", String::from_utf8_lossy(&explained.stderr));
        assert!(text.starts_with(code) && text.contains("Why: ") && text.contains("What to do: "), "{text}");
    }
}

#[test]
fn json_has_one_object_per_finding() {
    let folder = folder("json");
    copy_sample("rover.rlb", &folder.join("rover.rlb"));
    let output = pspge_in(&folder, "check rover.rlb lists/clean.ge --json");
    let lines = String::from_utf8(output.stdout).expect("text");
    let findings: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("one object per line")).collect();
    assert!(findings.len() > 3, "{lines}");
    for finding in &findings {
        assert_eq!(finding["schema"], "pspge.finding/1", "{finding}");
        assert_eq!(finding["input"], "rover.rlb", "the clean list has none: {finding}");
        assert!(finding["count"].as_u64().is_some_and(|count| count > 0), "{finding}");
        assert!(finding["message"].is_string() && finding["code"].is_string(), "{finding}");
    }
    let draw = findings.iter().find(|finding| finding["draw"].is_u64()).expect("a finding on a draw");
    assert!(draw["address"].is_u64() && draw["command"].is_u64(), "its place: {draw}");
}

#[test]
fn strict_counts_notes_of_the_file_as_errors() {
    let samples = samples();
    assert_eq!(pspge_in(&samples, "check rover.rlb").status.code(), Some(0), "warnings only");
    assert_eq!(pspge_in(&samples, "check rover.rlb --strict").status.code(), Some(1), "notes count");
    let allowed = "check rover.rlb --strict --allow file-problem";
    assert_eq!(pspge_in(&samples, allowed).status.code(), Some(0), "unless they are allowed");
}
