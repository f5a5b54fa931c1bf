//! Runs of the command, and the files of the tests: folders and samples.

#![allow(dead_code, reason = "each test uses some of them")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Returns a new, empty folder of this name. Tests of other files have other folders.
pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME")).join(name);
    // It fails if no earlier run has created the folder.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be created");
    folder
}

/// Returns the folder of the samples.
pub(crate) fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample")
}

/// Returns the path of a sample.
pub(crate) fn sample(name: &str) -> String {
    samples().join(name).display().to_string()
}

/// Returns the bytes of a sample.
pub(crate) fn sample_bytes(name: &str) -> Vec<u8> {
    fs::read(samples().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Copies a sample. Creates the folder of the copy.
pub(crate) fn copy_sample(name: &str, to: &Path) {
    fs::create_dir_all(to.parent().expect("a parent")).expect("the folder can be created");
    fs::copy(samples().join(name), to).unwrap_or_else(|error| panic!("{name}: {error}"));
}

/// Returns the command with arguments, without standard input.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pspge"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the command.
pub(crate) fn pspge(arguments: &[&str]) -> Output {
    command(arguments).output().expect("runs")
}

/// Runs the command in a folder.
pub(crate) fn pspge_at(folder: &Path, arguments: &[&str]) -> Output {
    command(arguments).current_dir(folder).output().expect("runs")
}

/// Runs the command in a folder, its arguments separated by blanks.
pub(crate) fn pspge_in(folder: &Path, arguments: &str) -> Output {
    pspge_at(folder, &arguments.split(' ').collect::<Vec<_>>())
}

/// Returns the text that the command has written.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// Returns the same with the separators of paths that all systems but Windows have.
pub(crate) fn portable_text(bytes: &[u8]) -> String {
    text(bytes).replace('\\', "/")
}
