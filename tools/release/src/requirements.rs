//! Looks for the programs a release needs besides Cargo, to name all missing programs before anything is built.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::plan::Part;
use crate::workspace::{self, Workspace};

/// The Rust target for the engine in browsers.
const BROWSER: &str = "wasm32-unknown-unknown";

/// Returns a message for each program or Rust target that these parts miss.
#[must_use]
pub fn missing(workspace: &Workspace, parts: &[Part], target: &str) -> Vec<String> {
    let mut found = Vec::new();
    if parts.contains(&Part::Wheel) && !answers("maturin") {
        found.push(
            "maturin is not installed; `pip install maturin` or `cargo install --locked maturin` installs it, and \
             `--skip wheel` makes a release without Python"
                .to_owned(),
        );
    }
    let is_built_for_target = |part: &Part| matches!(part, Part::Command | Part::C | Part::Wheel);
    if parts.iter().any(is_built_for_target) && target != workspace.host() && !has_target(target) {
        found.push(format!(
            "the Rust target {target} is not installed; `rustup target add {target}` installs it"
        ));
    }
    // `cargo dev web` installs the target itself, if rustup is there.
    if parts.iter().any(|part| needs_engine(*part)) && !has_target(BROWSER) && !answers("rustup") {
        found.push(format!(
            "the Rust target {BROWSER} is not installed, and rustup is not there to install it"
        ));
    }
    found
}

/// Whether a part contains the engine for browsers.
#[must_use]
pub fn needs_engine(part: Part) -> bool {
    matches!(part, Part::Crates | Part::Page | Part::Command)
}

fn answers(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether the standard library for a Rust target is installed.
fn has_target(target: &str) -> bool {
    let mut command = Command::new("rustc");
    command.args(["--print", "target-libdir", "--target", target]);
    workspace::output(&mut command).is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_programs_are_recognised() {
        assert!(answers("rustc"), "it builds this test");
        assert!(!answers("pspge-no-such-program"), "it does not exist");
    }

    #[test]
    fn missing_targets_are_named() {
        let workspace = Workspace::open(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("a workspace");
        assert!(has_target(workspace.host()), "that of this machine");
        assert!(missing(&workspace, &[Part::C], workspace.host()).is_empty(), "nothing is missing for it");
        let found = missing(&workspace, &[Part::C], "no-such-target");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("rustup target add no-such-target"), "{found:?}");
        assert!(missing(&workspace, &[], "no-such-target").is_empty(), "no part needs it");
    }
}
