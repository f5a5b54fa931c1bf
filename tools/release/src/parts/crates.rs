//! Builds the crates from their packed files alone, as crates.io would take them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::Build;
use crate::plan::{PACKAGES, Part};
use crate::workspace;

/// crates.io takes crates up to this size, in bytes.
const MAX_BYTES: u64 = 10 << 20;
/// Every crate must have these files.
const REQUIRED: &[&str] = &["Cargo.toml", "Cargo.lock", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// The engine for browsers in the command's crate, because `pspge view -o` needs it.
pub const ENGINE: &[&str] = &["page/engine/engine.wasm.gz", "page/engine/glue.js"];
/// Files with these extensions serve only tests and documentation.
const UNWANTED: &[&str] = &["gltf", "glb", "pac", "pmo", "png", "ppdmp", "mjs", "snap", "tsv"];

/// Packs the crates, and builds each from its packed files. Returns the crates.
pub(super) fn build(build: &Build<'_>) -> Result<Vec<PathBuf>> {
    for package in PACKAGES {
        let files = list(build.workspace.root(), package)?;
        let mut problems = problems(&files);
        let without = |name: &&&str| package == "pspge-tools" && !files.iter().any(|file| file == **name);
        problems.extend(ENGINE.iter().filter(without).map(|name| format!("{name} is missing")));
        if !problems.is_empty() {
            bail!("the crate {package}: {}", problems.join("; "));
        }
    }
    // Cargo unpacks the library into a cache named by the target folder and never looks at it again, so that an
    // earlier library could be built. A new folder avoids this.
    let target = build.workspace.target_folder();
    let folder = tempfile::Builder::new().prefix("publish-").tempdir_in(target)?;
    // The first task builds each crate and asks crates.io; only the second task keeps the crates.
    for task in [["publish", "--dry-run"], ["package", "--no-verify"]] {
        let mut command = build.workspace.cargo();
        // Cargo calls the engine uncommitted, because it is built and not in the repository.
        command.args(task).args(["--locked", "--allow-dirty"]).env("CARGO_TARGET_DIR", folder.path());
        for package in PACKAGES {
            command.args(["--package", package]);
        }
        workspace::run(&mut command)?;
    }
    let mut crates = Vec::new();
    for name in build.plan.files(Part::Crates) {
        let path = build.copy(&folder.path().join("package").join(&name), &name)?;
        let bytes = path.metadata().with_context(|| name.clone())?.len();
        if bytes > MAX_BYTES {
            bail!("{name} has {bytes} bytes; crates.io takes up to {MAX_BYTES}");
        }
        crates.push(path);
    }
    Ok(crates)
}

/// Lists the files Cargo packs into a package's crate, as paths with `/`.
///
/// # Errors
///
/// If Cargo fails.
pub fn list(root: &Path, package: &str) -> Result<Vec<String>> {
    let mut command = workspace::cargo(root);
    command.args([
        "package",
        "--list",
        "--locked",
        "--offline",
        "--allow-dirty",
        "--quiet",
        "--package",
        package,
    ]);
    Ok(workspace::output(&mut command)?.lines().map(|line| line.replace('\\', "/")).collect())
}

/// Finds problems with a crate's files: a missing licence or page, tests, and data for tests.
#[must_use]
pub fn problems(files: &[String]) -> Vec<String> {
    let missing = REQUIRED.iter().filter(|name| !files.iter().any(|file| file == **name));
    let mut problems: Vec<String> = missing.map(|name| format!("{name} is missing")).collect();
    for file in files {
        let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        let is_test = file.split('/').any(|folder| folder == "tests") || stem.ends_with("/tests");
        if is_test || UNWANTED.contains(&extension) {
            problems.push(format!("{file} does not belong to a crate"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_have_licences_and_no_tests() {
        let files: Vec<String> =
            REQUIRED.iter().chain(&["src/lib.rs", "src/latest.rs"]).map(|name| (*name).to_owned()).collect();
        assert_eq!(problems(&files), [""; 0], "a crate as it should be");
        assert_eq!(problems(&files[1..]), ["Cargo.toml is missing"], "the first file is left out");
        for unwanted in ["src/ge/tests.rs", "src/tests/vertex.rs", "sample/lampwing.pac", "frame.png"] {
            let with = [&files[..], &[unwanted.to_owned()]].concat();
            assert_eq!(problems(&with), [format!("{unwanted} does not belong to a crate")], "{unwanted}");
        }
    }

    #[test]
    fn crates_of_this_workspace_have_no_problems() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for package in PACKAGES {
            let files = list(&root, package).expect("Cargo lists the files");
            assert!(files.len() > 100, "{package}: all sources, not {}", files.len());
            assert_eq!(problems(&files), [""; 0], "{package}");
        }
    }
}
