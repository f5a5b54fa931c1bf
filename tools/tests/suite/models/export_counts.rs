//! Compares the counts in `info` with the glTF file that `export` writes.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{pspge, samples};

fn info(input: &str) -> Option<Value> {
    let output = pspge(&["info", input, "--json"]);
    output.status.success().then(|| serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// Returns the exported glTF's JSON, or `None` if the input has no geometry.
fn exported(input: &str) -> Option<Value> {
    let output = pspge(&["export", input, "-o", "-", "--merge", "none"]);
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("nothing to export"), "{input}: {message}");
        return None;
    }
    let length = u32::from_le_bytes(output.stdout[12..16].try_into().expect("four bytes"));
    Some(serde_json::from_slice(&output.stdout[20..20 + length as usize]).expect("JSON"))
}

/// Counts vertices, triangles, meshes, bones and animations in a glTF file.
fn count(file: Option<&Value>) -> [u64; 5] {
    let list = |name: &str| {
        let items = file.and_then(|file| file.get(name)?.as_array());
        items.cloned().unwrap_or_default()
    };
    let accessors = list("accessors");
    let length = |accessor: &Value| {
        accessors[usize::try_from(accessor.as_u64().expect("a number")).expect("small")]["count"]
            .as_u64()
            .expect("a count")
    };
    let meshes = list("meshes");
    let primitives = || meshes.iter().flat_map(|mesh| mesh["primitives"].as_array().expect("primitives"));
    let vertices = primitives().map(|primitive| length(&primitive["attributes"]["POSITION"])).sum();
    let triangles = primitives().filter(|primitive| primitive.get("mode").is_none_or(|mode| *mode == 4));
    let triangles = triangles.map(|primitive| length(&primitive["indices"]) / 3).sum();
    let bones = list("nodes").iter().filter(|node| node["extras"].get("bone").is_some()).count();
    let animations = list("animations").len();
    [vertices, triangles, meshes.len() as u64, bones as u64, animations as u64]
}

/// Compares the counts for a file and its members. Returns how many inputs have geometry to export.
fn check(path: &Path) -> usize {
    let mut exports = 0;
    let mut inputs = vec![path.display().to_string()];
    while let Some(input) = inputs.pop() {
        let Some(info) = info(&input) else { continue };
        let number = |from: &Value, name: &str| from.get(name).and_then(Value::as_u64).unwrap_or(0);
        if number(&info, "draws") > 0 {
            let file = exported(&input);
            exports += usize::from(file.is_some());
            let [vertices, triangles, meshes, bones, animations] = count(file.as_ref());
            let expected = info.get("exported").filter(|counts| counts.is_object()).unwrap_or(&info);
            assert_eq!(vertices, number(expected, "vertices"), "{input}: vertices");
            assert_eq!(triangles, number(expected, "triangles"), "{input}: triangles");
            if info["exported"].is_object() {
                assert_eq!(meshes, number(expected, "meshes"), "{input}: meshes");
            }
            assert_eq!(bones, number(&info, "bones"), "{input}: bones");
            assert_eq!(animations, number(&info, "animations"), "{input}: animations");
        }
        let depth = input.split_once('#').map_or(0, |(_, member)| member.matches('/').count() + 1);
        let members = info.get("members").and_then(Value::as_array).cloned().unwrap_or_default();
        for index in members.iter().filter(|member| depth < 3 && !member["format"].is_null()) {
            let separator = if depth == 0 { '#' } else { '/' };
            inputs.push(format!("{input}{separator}{}", index["index"]));
        }
    }
    exports
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    paths
}

#[test]
fn counts_of_bundled_samples_match() {
    let count: usize = files(&samples()).iter().map(|path| check(path)).sum();
    assert!(count >= 15, "only {count} models");
}

#[test]
fn counts_of_corpus_match() {
    let Some(corpus) = std::env::var_os("PSPGE_CORPUS").map(PathBuf::from) else {
        // The test harness captures `eprintln!`, but not this, so that the message always shows.
        let skipped = "skipped: PSPGE_CORPUS is not set; counts of its models and frames are not compared";
        writeln!(io::stderr(), "{skipped}").expect("standard error is open");
        return;
    };
    let folders: Vec<PathBuf> =
        files(&corpus.join("models")).into_iter().filter(|path| path.is_dir()).collect();
    let count: usize = folders.iter().flat_map(|folder| files(folder)).map(|path| check(&path)).sum();
    assert!(count >= 40, "only {count} models");
    for name in ["nova", "monster-hunter-3rd", "coded-arms"] {
        let frame = corpus.join("frames").join(format!("{name}.ppdmp"));
        assert_eq!(check(&frame), 1, "{name}: the frame has geometry to export");
    }
}
