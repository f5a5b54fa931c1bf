//! The text and the JSON document of `pspge info` for each bundled sample, in `snapshots/info`.

use std::fs;
use std::path::Path;
use std::process::Command;

use ge_tests::schema_check;

/// The samples with a snapshot.
const SAMPLES: &[&str] = &[
    "anemone-gx.pmdl",
    "anemone.pmdl",
    "lampwing-102.pmo",
    "lampwing.ahi",
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

/// Returns the output of a command in the folder of the samples, after the command itself.
fn transcript(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pspge"));
    let output = command.args(arguments).current_dir(folder).output().expect("runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    if arguments.contains(&"--json") {
        assert_eq!(schema_check::checked(&output.stdout).len(), 1, "{arguments:?}: one document");
    }
    let text = String::from_utf8(output.stdout).expect("text");
    format!("$ pspge {}\n{text}", arguments.join(" "))
}

#[test]
fn info_of_samples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample");
    let entries = fs::read_dir(&folder).expect("the folder of samples");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| !name.ends_with(".png"))
        .collect();
    names.sort();
    assert_eq!(names, SAMPLES, "every sample has a snapshot");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/info");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for name in SAMPLES {
        let text = [transcript(&folder, &["info", name]), transcript(&folder, &["info", name, "--json"])];
        settings.bind(|| insta::assert_snapshot!(*name, text.concat()));
    }
}
