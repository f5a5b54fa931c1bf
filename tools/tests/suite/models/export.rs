//! Tests `export`: members in containers, scale and axis, file names, and options that cannot apply.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::support::{empty_folder, pspge_at, sample, text};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let output = pspge_at(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    output
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn pac(path: &Path, members: &[&[u8]]) {
    let number = |value: usize| u32::try_from(value).expect("small").to_le_bytes();
    let mut bytes = number(members.len()).to_vec();
    let mut at = 4 + 8 * members.len();
    for member in members {
        bytes.extend(number(at));
        bytes.extend(number(member.len()));
        at += member.len();
    }
    bytes.extend(members.concat());
    fs::write(path, bytes).expect("the file can be written");
}

fn json(path: &Path) -> Value {
    let bytes = fs::read(path).expect("a file");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).expect("JSON")
}

#[test]
fn all_members_of_nested_containers_are_exported() {
    let folder = empty_folder("members");
    let model = fs::read(sample("lampwing.pmo")).expect("a sample");
    let textures = fs::read(sample("lampwing.tmh")).expect("a sample");
    pac(&folder.join("inner.pac"), &[&model, &textures, &model]);
    let inner = fs::read(folder.join("inner.pac")).expect("just written");
    pac(&folder.join("outer.pac"), &[&textures, &inner, &model]);
    let output = run(&folder, &["export", "outer.pac#*", "-o", "all"]);
    assert_eq!(names(&folder.join("all")), ["outer.pac.1-0.glb", "outer.pac.1-2.glb", "outer.pac.2.glb"]);
    assert!(text(&output.stderr).contains("3 exported"), "{}", text(&output.stderr));
    run(&folder, &["export", "outer.pac#1/*", "-o", "some"]);
    assert_eq!(names(&folder.join("some")), ["outer.pac.1-0.glb", "outer.pac.1-2.glb"], "of a member");
    run(&folder, &["export", "outer.pac#1/2", "-o", "one.glb"]);
    let same = |name: &str| fs::read(folder.join(name)).expect("a file");
    assert!(same("one.glb") == same("all/outer.pac.1-2.glb"), "a chosen member is the same file");
    let output = run(&folder, &["export", "outer.pac", "-o", "first.glb"]);
    let note = "the container holds 3 models; this is the first";
    assert!(text(&output.stderr).contains(note), "{}", text(&output.stderr));
}

#[test]
fn every_container_says_how_many_models_it_holds() {
    let folder = empty_folder("counts");
    for (name, expected) in [("rover.rlb", None), ("reedling.arc", None), ("robot.bin", Some("3 models"))] {
        let output = run(&folder, &["export", &sample(name), "-o", "x.glb"]);
        let notes = text(&output.stderr);
        let all = folder.join(name);
        run(&folder, &["export", &format!("{}#*", sample(name)), "-o", &all.display().to_string()]);
        let count = names(&all).len();
        let note = format!("the container holds {count} models; this is the first");
        assert_eq!(notes.contains(&note), count > 1, "{name} with {count} models: {notes}");
        if let Some(expected) = expected {
            assert!(note.contains(expected), "{name}: {note}");
        }
    }
}

#[test]
fn scale_and_axis_place_everything() {
    let folder = empty_folder("placed");
    run(&folder, &["export", &sample("lampwing.pac"), "-o", "x.glb", "--scale", "0.01", "--up", "z"]);
    let file = json(&folder.join("x.glb"));
    let nodes = file["nodes"].as_array().expect("nodes");
    let root = nodes.iter().find(|node| node["name"] == "placement").expect("a root");
    let numbers: Vec<f64> =
        root["matrix"].as_array().expect("a matrix").iter().filter_map(Value::as_f64).collect();
    let expected = [0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, -0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let off = numbers.iter().zip(expected).map(|(found, expected)| (found - expected).abs());
    assert!(numbers.len() == 16 && off.fold(0.0, f64::max) < 1e-8, "{numbers:?}");
    run(&folder, &["export", &sample("lampwing.pac"), "-o", "plain.obj"]);
    run(&folder, &["export", &sample("lampwing.pac"), "-o", "small.obj", "--scale", "0.5", "--up", "z"]);
    let positions = |name: &str| -> Vec<[f32; 3]> {
        let text = fs::read_to_string(folder.join(name)).expect("a text");
        let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
        let numbers = |line: &str| line.split(' ').map(|number| number.parse().expect("a number")).collect();
        lines.map(numbers).map(|numbers: Vec<f32>| [numbers[0], numbers[1], numbers[2]]).collect()
    };
    let (plain, small) = (positions("plain.obj"), positions("small.obj"));
    assert!(plain.len() > 100, "vertices");
    let halved: Vec<[f32; 3]> = plain.iter().map(|[x, y, z]| [x / 2.0, -z / 2.0, y / 2.0]).collect();
    assert!(small == halved, "a half is exact");
}

#[test]
fn files_of_different_inputs_have_different_names() {
    let folder = empty_folder("names");
    fs::copy(sample("lampwing.pac"), folder.join("two words.pac")).expect("copied");
    fs::copy(sample("lampwing.pac"), folder.join("two_words.pac")).expect("copied");
    let output = pspge_at(&folder, &["export", "two words.pac", "two_words.pac", "-o", "obj", "--to", "obj"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let error = text(&output.stderr);
    assert!(error.contains("error: two_words.pac: its output obj"), "{error}");
    assert!(error.contains("is also that of two words.pac"), "{error}");
    run(&folder, &["export", "two words.pac", "two_words.pac", "-o", "gltf", "--to", "gltf"]);
    let found = names(&folder.join("gltf"));
    for stem in ["two words.pac", "two_words.pac"] {
        let own: Vec<&String> = found.iter().filter(|name| name.starts_with(stem)).collect();
        assert!(own.len() > 3, "{stem}: {found:?}");
        assert!(own.iter().any(|name| name.ends_with(".png")), "{stem}: pictures of its own: {found:?}");
    }
}

#[test]
fn options_that_cannot_apply_are_refused() {
    let folder = empty_folder("refused");
    fs::write(folder.join("x.ge"), "FINISH | END").expect("the file can be written");
    let model = sample("lampwing.pac");
    run(&folder, &["pack", &model, "-o", "x.ppdmp"]);
    let animated = sample("reedling.arc");
    for (arguments, message) in [
        (vec![model.as_str(), "--draws", "3"], "--draws cannot apply: a model is exported as a whole"),
        (vec![&model, "--through"], "--through cannot apply: a model is exported as a whole"),
        (vec![&model, "--space", "view"], "--space cannot apply: a model is exported as a whole"),
        (
            vec![&animated, "--anim", "0", "--frame", "2"],
            "--frame cannot apply: glTF holds the whole animation",
        ),
        (vec!["x.ppdmp", "--anim", "0"], "--anim cannot apply: a frame dump is not a model"),
        (vec!["x.ppdmp", "--draws", "0,5000-"], "--draws 5000- cannot apply: it has "),
        (vec!["x.ge", "--draws", "0"], "--draws 0 cannot apply: it has no draws"),
        (vec![&model, "--scale", "0"], "a scale of 0e0: expected a number from 1.2e-38 to 3.4e38"),
        (vec![&model, "--scale", "-1"], "a scale of -1e0"),
        (vec![&model, "--scale", "nan"], "a scale of NaN"),
        (vec![&model, "--scale", "inf"], "a scale of inf"),
        (vec![&model, "--scale", "big"], "expected a number above 0, such as 0.01"),
        (vec!["x.ppdmp", "--draws", "9-3"], "the range 9-3 ends before it starts"),
        (vec![&model, "--to", "obj"], "the extension does not fit --to obj"),
    ] {
        let output = pspge_at(&folder, &[&["export", "-o", "out.glb"], arguments.as_slice()].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
        assert!(!folder.join("out.glb").exists(), "{arguments:?}: no output");
    }
    run(&folder, &["export", &animated, "--anim", "0", "--frame", "2", "-o", "posed.obj"]);
}

/// A draw has the same number as in `trace`.
#[test]
fn draws_have_the_numbers_of_a_trace() {
    let folder = empty_folder("draws");
    run(&folder, &["pack", &sample("lampwing.pac"), "-o", "x.ppdmp"]);
    let trace = text(&run(&folder, &["trace", "x.ppdmp", "--draws", "-q"]).stdout);
    assert!(trace.contains('1'), "{trace}");
    run(&folder, &["export", "x.ppdmp", "-q", "--draws", "2,4-5", "--merge", "none", "-o", "x.glb"]);
    let file = json(&folder.join("x.glb"));
    let nodes = file["nodes"].as_array().expect("nodes").clone();
    let draws: Vec<(String, u64)> = nodes
        .iter()
        .filter_map(|node| Some((node["name"].as_str()?.to_owned(), node["extras"]["draw"].as_u64()?)))
        .collect();
    let expected = [2, 4, 5].map(|number| (format!("draw_{number:04}"), number));
    assert_eq!(draws, expected, "by their numbers");
}
