//! What `info` counts in a model or a frame is what a file that `export` writes holds, counted in the file's own JSON.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn pspge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pspge")).args(arguments).output().expect("runs")
}

fn info(input: &str) -> Option<Value> {
    let output = pspge(&["info", input, "--json"]);
    output.status.success().then(|| serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// The JSON of what is exported; `None` where there is nothing.
fn exported(input: &str) -> Option<Value> {
    let output = pspge(&["export", input, "-o", "-"]);
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("nothing to export"), "{input}: {message}");
        return None;
    }
    let length = u32::from_le_bytes(output.stdout[12..16].try_into().expect("four bytes"));
    Some(serde_json::from_slice(&output.stdout[20..20 + length as usize]).expect("JSON"))
}

/// Vertices, triangles, meshes, bones and animations of a file.
fn counted(file: Option<&Value>) -> [u64; 5] {
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

/// Compares a file, and what is in it; gives how many had something to export.
fn check(path: &Path) -> usize {
    let mut count = 0;
    let mut inputs = vec![path.display().to_string()];
    while let Some(input) = inputs.pop() {
        let Some(info) = info(&input) else { continue };
        let number = |from: &Value, name: &str| from.get(name).and_then(Value::as_u64).unwrap_or(0);
        if number(&info, "draws") > 0 {
            let file = exported(&input);
            count += usize::from(file.is_some());
            let [vertices, triangles, meshes, bones, animations] = counted(file.as_ref());
            let told = info.get("exported").unwrap_or(&info);
            assert_eq!(vertices, number(told, "vertices"), "{input}: vertices");
            assert_eq!(triangles, number(told, "triangles"), "{input}: triangles");
            if info.get("exported").is_some() {
                assert_eq!(meshes, number(told, "meshes"), "{input}: meshes");
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
    count
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    paths
}

#[test]
fn the_bundled_samples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample");
    let count: usize = files(&folder).iter().map(|path| check(path)).sum();
    assert!(count >= 15, "only {count} models");
}

#[test]
fn models_and_frames_of_the_corpus() {
    let Some(corpus) = std::env::var_os("PSPGE_CORPUS").map(PathBuf::from) else {
        // Past the test harness, which keeps what tests print to itself.
        let skipped = "skipped: PSPGE_CORPUS is not set; counts of its models and frames are not compared";
        writeln!(io::stderr(), "{skipped}").expect("can be written");
        return;
    };
    let folders: Vec<PathBuf> =
        files(&corpus.join("models")).into_iter().filter(|path| path.is_dir()).collect();
    let count: usize = folders.iter().flat_map(|folder| files(folder)).map(|path| check(&path)).sum();
    assert!(count >= 40, "only {count} models");
    for name in ["nova", "monster-hunter-3rd", "coded-arms"] {
        let frame = corpus.join("frames").join(format!("{name}.ppdmp"));
        assert_eq!(check(&frame), 1, "{name}: something to export");
    }
}
