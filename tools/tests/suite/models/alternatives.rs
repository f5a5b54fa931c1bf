//! Tests options that select a model's alternatives. If the only input lacks them, this is an error; in a batch it
//! is a note, and an error again if no input can use the option.

use std::fs;
use std::path::{Path, PathBuf};

use ge_tests::schema_check;
use serde_json::Value;

use crate::support::{copy_sample, empty_folder, pspge_in, text};

/// Creates a folder with copies of samples.
fn folder_with(name: &str, samples: &[&str]) -> PathBuf {
    let folder = empty_folder(name);
    for sample in samples {
        copy_sample(sample, &folder.join("in").join(sample));
    }
    folder
}

/// Runs a command, its arguments separated by blanks, and returns its status, standard output and standard error.
fn pspge(folder: &Path, arguments: &str) -> (i32, String, String) {
    let output = pspge_in(folder, arguments);
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Command lines to draw, print or convert `INPUT`.
const COMMANDS: [&str; 7] = [
    "render INPUT -o out/",
    "export INPUT -o out/",
    "pack INPUT -o out/",
    "trace INPUT --draws",
    "decode INPUT",
    "info INPUT",
    "check INPUT",
];

#[test]
fn a_model_lists_its_alternatives_for_those_that_it_lacks() {
    let samples = ["rover.rlb", "robot.bin", "reedling.arc", "lampwing.pac"];
    let folder = folder_with("single", &samples);
    let table = [
        ("rover.rlb --lod 3", "--lod 3 cannot apply: the model has levels of detail 0, 1, 2"),
        ("rover.rlb --group 4", "--group 4 cannot apply: the model has groups 0, 1 at level of detail 0"),
        ("rover.rlb --hidden", "--hidden cannot apply: the model has no hidden parts at level of detail 0"),
        ("robot.bin --group 1", "--group 1 cannot apply: the model has only group 0 at level of detail 0"),
        ("reedling.arc --group 4", "--group 4 cannot apply: the model has groups 0, 1, 2, 3"),
        ("reedling.arc --lod 1", "--lod 1 cannot apply: the model has only level of detail 0"),
        ("lampwing.pac --lod 1", "--lod 1 cannot apply: the model has only level of detail 0"),
        ("lampwing.pac --group 1", "--group 1 cannot apply: the model has only group 0"),
        ("lampwing.pac --hidden", "--hidden cannot apply: the model has no hidden parts"),
    ];
    for (arguments, message) in table {
        let (input, _) = arguments.split_once(' ').expect("a file and an option");
        for command in COMMANDS {
            let line = command.replace("INPUT", &format!("in/{arguments}"));
            let (status, _, error) = pspge(&folder, &line);
            assert_eq!((status, error), (2, format!("error: in/{input}: {message}\n")), "{line}");
        }
    }
    let has = ["rover.rlb --lod 2 --group 1", "robot.bin --hidden --lod 1", "reedling.arc --group 3 --lod 0"];
    for arguments in has {
        for command in COMMANDS {
            let (status, _, error) = pspge(&folder, &command.replace("INPUT", &format!("in/{arguments}")));
            // `check` finds mistakes in the samples, so it may fail.
            assert!(status == 0 || status == 1 && command.starts_with("check"), "{arguments}: {error}");
        }
    }
}

#[test]
fn several_inputs_get_notes_and_need_one_to_which_an_option_applies() {
    let folder = folder_with("batch", &["rover.rlb", "robot.bin", "lampwing.pac"]);
    let dump = pspge(&folder, "-q pack in/lampwing.pac -o in/frame.ppdmp");
    assert_eq!(dump.0, 0, "{}", dump.2);
    for command in COMMANDS {
        let _ = fs::remove_dir_all(folder.join("out"));
        let line = command.replace("INPUT", "in --group 1 --lod 2");
        let (status, _, error) = pspge(&folder, &line);
        assert!(status == 0 || status == 1 && line.starts_with("check"), "{line}: {status} {error}");
        for note in [
            "in/frame.ppdmp: --lod 2 is ignored: a frame dump is not a model",
            "in/lampwing.pac: --lod 2 is ignored: the model has only level of detail 0",
            "in/lampwing.pac: --group 1 is ignored: the model has only group 0",
            "in/robot.bin: --group 1 is ignored: the model has only group 0 at level of detail 2",
        ] {
            assert!(error.contains(note), "{line}: {note} in {error}");
        }
        assert!(!error.contains("in/rover.rlb: --"), "both apply to it: {error}");
        let line = command.replace("INPUT", "in --lod 5");
        let (status, _, error) = pspge(&folder, &line);
        let last = error.lines().last().unwrap_or_default();
        assert_eq!((status, last), (2, "error: --lod 5 cannot apply to any of the inputs"), "{line}");
    }
    for command in ["render INPUT -o out/", "trace INPUT --draws", "pack INPUT -o out/", "check INPUT"] {
        let _ = fs::remove_dir_all(folder.join("out"));
        let line = command.replace("INPUT", "in --view front");
        let (_, _, error) = pspge(&folder, &line);
        let note = "note: in/frame.ppdmp: --view is ignored: a frame dump is not a model";
        assert!(error.contains(note), "{line}: {error}");
        let (status, _, error) = pspge(&folder, &command.replace("INPUT", "in/frame.ppdmp --view front"));
        let message = "error: in/frame.ppdmp: --view cannot apply: a frame dump is not a model\n";
        assert_eq!((status, error.as_str()), (2, message), "{command}");
    }
}

#[test]
fn info_lists_the_alternatives() {
    let folder = folder_with("info", &["rover.rlb", "robot.bin", "lampwing.tmh", "lampwing.pmo"]);
    let (_, text, _) = pspge(&folder, "info in/robot.bin");
    assert!(text.contains("\n  level of detail 2: group 0, 1 hidden meshes\n"), "{text}");
    let levels = |file: &str| {
        let (_, json, _) = pspge(&folder, &format!("info in/{file} --json"));
        let document = schema_check::checked(json.as_bytes()).pop().expect("a document");
        document["levels_of_detail"].clone()
    };
    let level = |level: u64, groups: &[u64]| -> Value {
        serde_json::json!({ "level": level, "groups": groups, "hidden_meshes": 0 })
    };
    let rover = [level(0, &[0, 1]), level(1, &[0, 1]), level(2, &[0, 1])];
    assert_eq!(levels("rover.rlb"), Value::from(rover.to_vec()), "as many as the file has");
    assert_eq!(levels("lampwing.pmo"), Value::from(vec![level(0, &[0])]), "a format without alternatives");
    assert_eq!(levels("lampwing.tmh"), Value::from(Vec::<Value>::new()), "no model");
}

#[test]
fn options_of_a_comparison_apply_to_one_of_its_sides() {
    let folder = folder_with("compare", &["rover.rlb", "lampwing.pac"]);
    let run = |arguments: &str| pspge(&folder, arguments);
    assert_eq!(run("render in/rover.rlb in/lampwing.pac -o pictures").0, 0, "pictures");
    assert_eq!(run("-q pack in/lampwing.pac -o lampwing.ppdmp").0, 0, "a dump");
    let wrong = [
        (
            "pictures/rover.rlb.png pictures/rover.rlb.png --lod 1",
            "pictures/rover.rlb.png: --lod 1 cannot apply: both inputs are pictures",
        ),
        (
            "lampwing.ppdmp pictures/lampwing.pac.png --view front",
            "lampwing.ppdmp: --view cannot apply: neither input is a model",
        ),
        (
            "pictures/rover.rlb.png in/rover.rlb --lod 4",
            "in/rover.rlb: --lod 4 cannot apply: the model has levels of detail 0, 1, 2",
        ),
        (
            "in/lampwing.pac in/rover.rlb --lod 4",
            "in/lampwing.pac: --lod 4 cannot apply: the model has only level of detail 0",
        ),
        (
            "lampwing.ppdmp in/lampwing.pac --hidden",
            "lampwing.ppdmp: --hidden cannot apply: a frame dump is not a model",
        ),
    ];
    for (arguments, message) in wrong {
        let (status, _, error) = run(&format!("compare {arguments}"));
        assert_eq!((status, error), (2, format!("error: {message}\n")), "{arguments}");
    }
    // The option applies to the other side.
    let (status, _, error) = run("compare in/lampwing.pac in/rover.rlb --lod 1");
    let note = "note: in/lampwing.pac: --lod 1 is ignored: the model has only level of detail 0";
    assert!(status == 1 && error.contains(note), "{status}: {error}");
    let (_, json, _) = run("compare in/rover.rlb lampwing.ppdmp --group 1 --json");
    let document = schema_check::checked(json.as_bytes()).pop().expect("a document");
    let notes = document["notes"].as_array().expect("notes");
    let note = notes.iter().find(|note| note["code"] == "option-ignored-by-one").expect("a note");
    let parts = ["severity", "file"].map(|name| note[name].as_str().expect("text"));
    assert_eq!(parts, ["information", "lampwing.ppdmp"], "no problem");
}

#[test]
fn options_of_compared_folders_apply_to_a_pair() {
    let folder = folder_with("folders", &["rover.rlb"]);
    let run = |arguments: &str| pspge(&folder, arguments);
    assert_eq!(run("render in -o pictures").0, 0, "a picture");
    for option in [
        "--size 100x100",
        "--wireframe",
        "--view front",
        "--background 000000",
        "--lod 1",
        "--limits memory=9",
    ] {
        let (status, out, error) = run(&format!("compare pictures pictures {option}"));
        let name = option.split(' ').next().unwrap_or(option);
        let shown = if name == "--lod" { option } else { name };
        let last = error.lines().last().unwrap_or_default();
        assert_eq!(
            (status, last),
            (2, format!("error: {shown} cannot apply to any of the inputs").as_str()),
            "{out}"
        );
        let note = format!("note: pictures/rover.rlb.png: {shown} is ignored: both inputs are pictures\n");
        assert!(error.contains(&note), "{error}");
    }
    // A single pair with a model suffices, even among pictures.
    assert_eq!(run("render in/rover.rlb -o mixed/other.png").0, 4, "the folder is missing");
    assert_eq!(run("render in/rover.rlb -o in/other.png --view front").0, 0, "another picture");
    let (status, out, error) = run("compare in in --lod 1");
    assert_eq!(status, 0, "{out}{error}");
    assert!(error.contains("in/other.png: --lod 1 is ignored: both inputs are pictures"), "{error}");
    let last = "error: --lod 7 cannot apply to any of the inputs";
    let (status, _, error) = run("compare in in --lod 7");
    assert_eq!((status, error.lines().last()), (2, Some(last)), "{error}");
}
