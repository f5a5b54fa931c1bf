//! Runs `info --json` over a folder of 3,000 files, to check that every line matches its schema and that every
//! member has a single type, because databases load such lines without a cast.
//!
//! `tools/load-json-lines.py` loads the lines written by this test with DuckDB and pandas.

use std::fs;

use ge_tests::schema_check;

use crate::support::{empty_folder, pspge_in, sample_bytes};

const FILES: usize = 3000;

/// Makes a file, and returns its name and content. Most are lists; every hundredth is a model, a dump, textures or a
/// container, and some are empty, damaged or unknown. The last two belong together.
fn file(number: usize, samples: &[(String, Vec<u8>)]) -> (String, Vec<u8>) {
    let (name, bytes) = &samples[number / 100 % samples.len()];
    let cut = bytes[..bytes.len() / 2].to_vec();
    match number % 100 {
        _ if number == FILES - 2 => (format!("{number:04}-pair.ahi"), sample("lampwing.ahi").1),
        _ if number == FILES - 1 => (format!("{:04}-pair.pmo", number - 1), sample("lampwing.pmo").1),
        0 => (format!("{number:04}-{name}"), bytes.clone()),
        50 => (format!("{number:04}-cut-{name}"), cut),
        70 => (format!("{number:04}-empty"), Vec::new()),
        90 => (format!("{number:04}.txt"), b"dear diary".to_vec()),
        _ => (format!("{number:04}.ge"), list(number).into_bytes()),
    }
}

fn sample(name: &str) -> (String, Vec<u8>) {
    (name.to_owned(), sample_bytes(name))
}

fn dump() -> (String, Vec<u8>) {
    let asset = pspge::open("list.ge", list(3).as_bytes()).expect("a list");
    let dump = asset.to_frame_dump(&pspge::RunSpec::default()).expect("a dump");
    ("frame.ppdmp".to_owned(), dump.to_bytes())
}

/// Makes a list. How many draws it has depends on `number`; some lists end with a note.
fn list(number: usize) -> String {
    let mut text = String::from("BASE hi(v) | VTYPE position=BITS16 | VADDR lo(v)\n");
    for _ in 0..number % 4 {
        text.push_str("PRIM primitive=TRIANGLES count=3 | VADDR lo(v)\n");
    }
    if number.is_multiple_of(7) {
        text.push_str("RET\n");
    }
    text.push_str("FINISH | END\n.align 4\n");
    text.push_str(&format!("v: .s16 0 0 0 {number} 0 0 0 {number} 0\n"));
    text
}

#[test]
fn lines_of_3000_files_have_stable_types() {
    let place = empty_folder("");
    let folder = place.join("in");
    fs::create_dir(&folder).expect("the folder can be created");
    let samples = [
        "lampwing.pac",
        "lampwing.ahi",
        "lampwing.tmh",
        "reedling.bon",
        "reedling.pam",
        "rover-24.msh",
        "rover.rlb",
        "swatches.tm2",
        "orchard.pmdl",
        "robot.bin",
    ];
    let samples: Vec<_> = samples.into_iter().map(sample).chain([dump()]).collect();
    for number in 0..FILES {
        let (name, bytes) = file(number, &samples);
        fs::write(folder.join(name), bytes).expect("the file can be written");
    }
    let output = pspge_in(&place, "info in --json --quiet");
    assert_eq!(output.status.code(), Some(1), "some files are damaged");
    let documents = schema_check::checked(&output.stdout);
    assert_eq!(documents.len(), FILES, "a line for each file");
    let inputs: Vec<&str> = documents.iter().filter_map(|document| document["input"].as_str()).collect();
    assert!(inputs.is_sorted() && inputs.len() == FILES, "in the order of their names");
    let failed = documents.iter().filter(|document| document["error"].is_object()).count();
    assert!((60..=90).contains(&failed), "empty, unknown and most cut files fail: {failed}");
    let found = crate::interface::types::assert_one_type_each("info", &documents);
    for (path, kind) in [
        (".draws", "whole number"),
        (".bounds.min[]", "float"),
        (".file_hash", "text"),
        (".members[].drawable", "boolean"),
        (".notes[].address", "whole number"),
        (".error.offset", "whole number"),
    ] {
        assert_eq!(found.get(path), Some(&kind), "{path}");
    }
    fs::write(place.join("info.jsonl"), &output.stdout).expect("the file can be written");
}
