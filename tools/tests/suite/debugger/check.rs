//! Tests `pspge check`: text, JSON, SARIF, `--allow`, `--deny`, `--explain`, `--list`, batches, and the exit status.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ge_tests::snapshot;
use serde_json::Value;

use crate::support::{
    command, copy_sample, empty_folder, portable_text, pspge_at, pspge_in, sample_bytes, samples, text,
};

/// A through-mode triangle.
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

/// Runs `check --sarif` in a folder, and returns the log and the exit status. The log has to be complete.
fn sarif(folder: &Path, arguments: &str) -> (Value, Option<i32>) {
    let output = pspge_in(folder, &format!("check {arguments} --sarif"));
    let log: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{arguments}: {error}: {}{}", text(&output.stdout), text(&output.stderr));
    });
    assert_whole(folder, &log);
    let status = output.status.code();
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"].as_i64(), status.map(i64::from), "{arguments}");
    (log, status)
}

/// Checks the demands of SARIF 2.1.0 and its readers: members, rules, indices, and files that exist.
fn assert_whole(folder: &Path, log: &Value) {
    let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let is_level = |value: &Value| matches!(value.as_str(), Some("error" | "warning" | "note"));
    assert!(
        text(&log["$schema"]).is_some_and(|schema| schema.ends_with("/sarif-schema-2.1.0.json")),
        "{log}"
    );
    assert_eq!(log["version"], "2.1.0", "the version of SARIF");
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1), "one run for all inputs");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints", "columns are characters");
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "pspge", "the tool");
    assert_eq!(driver["version"], env!("CARGO_PKG_VERSION"), "its version");
    assert_eq!(driver["semanticVersion"], driver["version"], "the same in both forms");
    assert!(text(&driver["informationUri"]).is_some_and(|uri| uri.starts_with("https://")), "{driver}");
    let rules = driver["rules"].as_array().expect("rules");
    for rule in rules {
        let is_whole = ["shortDescription", "fullDescription", "help"].map(|name| text(&rule[name]["text"]));
        assert!(is_whole.iter().all(Option::is_some) && text(&rule["name"]).is_some(), "{rule}");
        assert!(is_level(&rule["defaultConfiguration"]["level"]), "{rule}");
    }
    let ids: BTreeSet<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    let codes: BTreeSet<&str> = pspge::check::Rule::ALL.iter().map(|rule| rule.code()).collect();
    assert_eq!((&ids, rules.len()), (&codes, codes.len()), "every rule once");
    let mut prints = BTreeSet::new();
    for result in run["results"].as_array().expect("results") {
        let index =
            result["ruleIndex"].as_u64().and_then(|index| usize::try_from(index).ok()).expect("an index");
        assert_eq!(rules.get(index).map(|rule| &rule["id"]), Some(&result["ruleId"]), "{result}");
        assert!(is_level(&result["level"]) && text(&result["message"]["text"]).is_some(), "{result}");
        assert!(result["occurrenceCount"].as_u64().is_some_and(|count| count > 0), "{result}");
        let print = text(&result["partialFingerprints"]["messageHash/v1"]).expect("a fingerprint");
        let input = text(&result["properties"]["input"]).expect("the input");
        let [location] = result["locations"].as_array().expect("locations").as_slice() else {
            panic!("one place: {result}");
        };
        let uri = assert_place(folder, location);
        assert!(prints.insert((input, uri, print)), "fingerprints differ: {result}");
        for logical in location["logicalLocations"].as_array().into_iter().flatten() {
            let names = ["name", "fullyQualifiedName", "kind"].map(|name| text(&logical[name]));
            assert!(names.iter().all(Option::is_some), "{logical}");
        }
    }
    let invocation = &run["invocations"][0];
    let notifications = invocation["toolExecutionNotifications"].as_array().expect("notifications");
    assert_eq!(invocation["executionSuccessful"], notifications.is_empty(), "{invocation}");
    for notification in notifications {
        assert!(text(&notification["message"]["text"]).is_some(), "{notification}");
        assert_eq!(notification["level"], "error", "{notification}");
    }
}

/// Checks that a place is in a file that exists, and returns its URI.
fn assert_place(folder: &Path, location: &Value) -> Option<String> {
    let physical = location.get("physicalLocation")?;
    let uri = physical["artifactLocation"]["uri"].as_str().expect("a URI").to_owned();
    assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\'), "{uri}");
    let name = uri.replace("%20", " ").replace("%23", "#").replace("%C3%BC", "\u{fc}");
    let bytes = fs::read(folder.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let Some(region) = physical.get("region") else { return Some(uri) };
    let number = |name: &str| region[name].as_u64().and_then(|number| usize::try_from(number).ok());
    match (number("startLine"), number("startColumn")) {
        (Some(line), Some(column)) => {
            let text = String::from_utf8(bytes).expect("assembly text");
            let line = text.lines().nth(line - 1).unwrap_or_else(|| panic!("no line: {region}"));
            assert!((1..=line.chars().count()).contains(&column), "{region}");
        }
        _ => {
            let end = number("byteOffset").expect("an offset") + number("byteLength").expect("a length");
            assert!(end <= bytes.len(), "{region}");
        }
    }
    Some(uri)
}

fn results<'l>(log: &'l Value, rule: &str) -> Vec<&'l Value> {
    let results = log["runs"][0]["results"].as_array().expect("results");
    results.iter().filter(|result| result["ruleId"] == rule).collect()
}

/// Returns a rule's only result.
fn result<'l>(log: &'l Value, rule: &str) -> &'l Value {
    let [result] = results(log, rule)[..] else { panic!("one {rule}: {:#}", log["runs"][0]["results"]) };
    result
}

#[test]
fn sarif_points_at_lines_and_columns() {
    let folder = folder("sarif_lines");
    let (log, status) = sarif(&folder, "lists/warning.ge");
    assert_eq!(status, Some(0), "warnings");
    let empty = result(&log, "empty-scissor");
    let place = &empty["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "lists/warning.ge");
    assert_eq!(place["region"], serde_json::json!({ "startLine": 3, "startColumn": 66 }));
    let line = fs::read_to_string(folder.join("lists/warning.ge")).expect("text");
    let line = line.lines().nth(2).expect("line 3");
    assert!(line.get(65..).is_some_and(|rest| rest.starts_with("PRIM ")), "the draw is there: {line}");
    assert_eq!(empty["level"], "warning");
    assert_eq!(result(&log, "dither-without-effect")["level"], "note");
    let draw = &empty["locations"][0]["logicalLocations"][0];
    let expected = serde_json::json!({
        "name": "draw 0", "fullyQualifiedName": "lists/warning.ge: draw 0", "kind": "draw",
    });
    assert_eq!(draw, &expected);
    let properties = &empty["properties"];
    assert_eq!((&properties["draw"], &properties["command"]), (&0.into(), &8.into()), "{properties}");
    assert_eq!(properties["address"], 0x0880_0020, "{properties}");
    let whole = result(&log, "nothing-drawn");
    let place = &whole["locations"][0]["physicalLocation"];
    assert_eq!(place, &serde_json::json!({ "artifactLocation": { "uri": "lists/warning.ge" } }), "no region");
    let (denied, status) = sarif(&folder, "lists/warning.ge --deny warnings --allow hints");
    assert_eq!((status, &result(&denied, "empty-scissor")["level"]), (Some(1), &"error".into()));
    assert!(results(&denied, "dither-without-effect").is_empty(), "allowed");
}

#[test]
fn sarif_fingerprints_stay_if_lines_move() {
    let folder = folder("sarif_fingerprints");
    let prints = |log: &Value| -> Vec<(String, String)> {
        let print = |result: &Value| {
            (result["ruleId"].to_string(), result["partialFingerprints"]["messageHash/v1"].to_string())
        };
        log["runs"][0]["results"].as_array().expect("results").iter().map(print).collect()
    };
    for name in ["lists/warning.ge", "lists/error.ge"] {
        let (before, _) = sarif(&folder, name);
        let text = fs::read_to_string(folder.join(name)).expect("text");
        // This moves lines, addresses and command numbers.
        let moved = format!("; A comment.\n\n    NOP | NOP | NOP\n{text}");
        fs::write(folder.join(name), moved).expect("the file can be written");
        let (after, _) = sarif(&folder, name);
        assert_eq!(prints(&before), prints(&after), "{name}");
        let lines = |log: &Value| log["runs"][0]["results"].to_string();
        assert_ne!(lines(&before), lines(&after), "{name}: the places moved");
    }
}

#[test]
fn sarif_is_one_log_for_all_inputs() {
    let folder = folder("sarif_inputs");
    fs::write(folder.join("wrong.ge"), ".ge 1\n    PRIM primitive=CIRCLES\n    NOPE\n")
        .expect("can be written");
    let (log, status) = sarif(&folder, ". --threads 2");
    assert_eq!(status, Some(1), "an input failed");
    let inputs: Vec<&str> = log["runs"][0]["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter_map(|result| result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str())
        .collect();
    let expected =
        ["lists/error.ge", "lists/error.ge", "lists/warning.ge", "lists/warning.ge", "lists/warning.ge"];
    assert_eq!(inputs, expected, "in the order of inputs");
    let notifications = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    let place = |number: usize| &notifications[number]["locations"][0]["physicalLocation"];
    assert_eq!(notifications.as_array().map(Vec::len), Some(3), "a model and two errors in a list");
    assert_eq!(place(0)["artifactLocation"]["uri"], "cut.pmo");
    assert_eq!(notifications[0]["properties"]["code"], "truncated");
    for (number, line) in [(1, 2), (2, 3)] {
        assert_eq!(place(number)["artifactLocation"]["uri"], "wrong.ge");
        assert_eq!(place(number)["region"]["startLine"], line);
        assert_eq!(notifications[number]["properties"]["code"], "assembly");
    }
    let (again, _) = sarif(&folder, ". --threads 1");
    assert_eq!(log, again, "for any number of threads");
}

#[test]
fn sarif_tells_of_inputs_that_cannot_be_opened() {
    let folder = folder("sarif_errors");
    for (arguments, status, code, uri) in [
        ("cut.pmo", 3, "truncated", "cut.pmo"),
        ("missing.ge", 4, "not-found", "missing.ge"),
        ("lists/clean.ge missing.ge", 1, "not-found", "missing.ge"),
        ("cut.pmo#1", 3, "no-container", "cut.pmo"),
    ] {
        let (log, found) = sarif(&folder, arguments);
        assert_eq!(found, Some(status), "{arguments}");
        assert_eq!(log["runs"][0]["results"], serde_json::json!([]), "{arguments}");
        let notification = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
        assert_eq!(notification["properties"]["code"], code, "{arguments}: {notification}");
        let place = &notification["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(place, uri, "{arguments}");
    }
    fs::create_dir(folder.join("empty")).expect("the folder can be created");
    let (log, status) = sarif(&folder, "empty");
    assert_eq!(status, Some(3), "an empty folder");
    let notifications = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notifications[0]["properties"]["code"], "empty-folder");
    for arguments in ["check --sarif", "check lists/clean.ge --sarif --json", "check --list --sarif"] {
        let output = pspge_in(&folder, arguments);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{arguments}");
    }
}

#[test]
fn sarif_without_findings_is_empty() {
    let folder = folder("sarif_clean");
    let (log, status) = sarif(&folder, "lists/clean.ge");
    assert_eq!(status, Some(0));
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn sarif_names_only_files_that_exist() {
    let folder = folder("sarif_files");
    // If two writes meet, the second is reported: in the built-in text here, and then after it.
    for (list, line) in [
        ("SCISSOR2 x=0 y=0\n.include <psp/screen>\n.include <psp/clear>\nFINISH | END\n", None),
        (".include <psp/screen>\nSCISSOR2 x=9 y=9\n.include <psp/clear>\nFINISH | END\n", Some(2)),
    ] {
        fs::write(folder.join("screen.ge"), list).expect("the file can be written");
        let (log, _) = sarif(&folder, "screen.ge");
        let lines: Vec<Option<u64>> = results(&log, "overwritten-write")
            .iter()
            .map(|result| result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64())
            .collect();
        assert_eq!(lines, Vec::from_iter(line.map(Some)), "findings in built-in texts are left out: {list}");
    }

    // The included file is in a folder whose name needs escapes.
    fs::create_dir(folder.join("d\u{fc}nn #1")).expect("the folder can be created");
    let warning = fs::read_to_string(folder.join("lists/warning.ge")).expect("text");
    fs::write(folder.join("d\u{fc}nn #1/part.ge"), warning).expect("the file can be written");
    fs::write(folder.join("d\u{fc}nn #1/all.ge"), ".include \"part.ge\"\n").expect("the file can be written");
    let log = pspge_at(&folder, &["check", "d\u{fc}nn #1/all.ge", "--sarif"]).stdout;
    let log: Value = serde_json::from_slice(&log).expect("a log");
    assert_whole(&folder, &log);
    let uri = |rule| &result(&log, rule)["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri("empty-scissor"), "d%C3%BCnn%20%231/part.ge", "the included text");
    assert_eq!(uri("nothing-drawn"), "d%C3%BCnn%20%231/all.ge", "the input");

    // Standard input is no file.
    let input = fs::File::open(folder.join("lists/warning.ge")).expect("the file can be opened");
    let output =
        command(&["check", "-", "--sarif"]).current_dir(&folder).stdin(input).output().expect("runs");
    let log: Value = serde_json::from_slice(&output.stdout).expect("a log");
    assert_whole(&folder, &log);
    let empty = result(&log, "empty-scissor");
    assert!(empty["locations"][0].get("physicalLocation").is_none(), "{empty}");
    assert_eq!(empty["properties"]["line"], 3, "the line is still known");
}

#[test]
fn sarif_points_at_bytes_of_other_files() {
    let folder = folder("sarif_bytes");
    copy_sample("rover.rlb", &folder.join("rover.rlb"));
    copy_sample("lampwing.pac", &folder.join("lampwing.pac"));
    let (log, _) = sarif(&folder, "rover.rlb lampwing.pac lampwing.pac#0");
    let regions = log["runs"][0]["results"].as_array().expect("results").iter();
    let regions = regions.filter(|result| {
        let region = &result["locations"][0]["physicalLocation"]["region"];
        region["byteOffset"] == result["properties"]["fileOffset"] && region["byteOffset"].is_u64()
    });
    assert!(regions.count() > 0, "{:#}", log["runs"][0]["results"]);
    // SHADEMODE GOURAUD is repeated.
    let repeated = results(&log, "repeated-write");
    assert_eq!(repeated.len(), 2, "the container, and its member by number");
    for result in repeated {
        let region = &result["locations"][0]["physicalLocation"]["region"];
        let offset = region["byteOffset"].as_u64().and_then(|offset| usize::try_from(offset).ok());
        let start = offset.expect("an offset");
        let word = sample_bytes("lampwing.pac").get(start..start + 4).map(<[u8]>::to_vec);
        assert_eq!((word, &region["byteLength"]), (Some(vec![1, 0, 0, 0x50]), &4.into()), "{result}");
    }
    // Offsets in a dump count bytes in its payload, which is stored compressed.
    let dump = pspge_in(&folder, "pack lists/warning.ge -o frame.ppdmp");
    assert!(dump.status.success(), "{}", text(&dump.stderr));
    let (log, _) = sarif(&folder, "frame.ppdmp");
    let empty = result(&log, "empty-scissor");
    assert!(empty["properties"]["fileOffset"].is_u64(), "{empty}");
    assert!(empty["locations"][0]["physicalLocation"].get("region").is_none(), "{empty}");
}
