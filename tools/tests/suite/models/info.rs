//! Tests the text and the JSON document from `pspge info` for each bundled sample, in `snapshots/info`.

use std::fs;
use std::path::Path;

use ge_tests::{schema_check, snapshot};

use crate::support::{pspge_at, samples, text};

/// The samples with a snapshot.
const SAMPLES: &[&str] = &[
    "anemone-gx.pmdl",
    "anemone.pmdl",
    "beacon.gmo",
    "candle.gim",
    "harbour.rco",
    "lampwing-102.ahi",
    "lampwing-102.bin",
    "lampwing-102.pmo",
    "lampwing.ahi",
    "lampwing.bin",
    "lampwing.pac",
    "lampwing.pmo",
    "lampwing.tmh",
    "orchard-collision.pmdl",
    "orchard.pmdl",
    "reedling.arc",
    "reedling.bon",
    "reedling.pam",
    "reedling.pmo",
    "reedling.pmp",
    "robot.bin",
    "rover-24.msh",
    "rover-colors.msh",
    "rover-hull.texm",
    "rover.rlb",
    "swatches.tm2",
];

/// Runs a command in the samples' folder, and writes down the command and its output.
fn transcript(folder: &Path, arguments: &[&str]) -> String {
    let output = pspge_at(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    if arguments.contains(&"--json") {
        assert_eq!(schema_check::checked(&output.stdout).len(), 1, "{arguments:?}: one document");
    }
    format!("$ pspge {}\n{}", arguments.join(" "), text(&output.stdout))
}

#[test]
fn info_of_samples() {
    let folder = samples();
    let entries = fs::read_dir(&folder).expect("the folder of samples");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| !name.ends_with(".png"))
        .collect();
    names.sort();
    assert_eq!(names, SAMPLES, "every sample has a snapshot");
    for name in SAMPLES {
        let text = [transcript(&folder, &["info", name]), transcript(&folder, &["info", name, "--json"])];
        snapshot::assert(&format!("info/{name}"), &text.concat());
    }
}
