//! Runs the command, and makes files for tests: folders and samples.

use std::fs;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use ge_tests::schema_check;
use serde_json::Value;

/// Creates a new, empty folder. Each test file has its own, so that tests do not disturb each other.
#[track_caller]
pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let file = Path::new(Location::caller().file()).file_stem().expect("a file of tests");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file).join(name);
    // Removing fails if no earlier run has created the folder.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be created");
    folder
}

/// Creates a new folder with a list as `list.ge`.
#[track_caller]
pub(crate) fn list_folder(name: &str, list: &str) -> PathBuf {
    let folder = empty_folder(name);
    fs::write(folder.join("list.ge"), list).expect("the file can be written");
    folder
}

pub(crate) fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample")
}

pub(crate) fn sample(name: &str) -> String {
    samples().join(name).display().to_string()
}

pub(crate) fn sample_bytes(name: &str) -> Vec<u8> {
    fs::read(samples().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Copies a sample, and creates the folder for it.
pub(crate) fn copy_sample(name: &str, to: &Path) {
    fs::create_dir_all(to.parent().expect("a parent")).expect("the folder can be created");
    fs::copy(samples().join(name), to).unwrap_or_else(|error| panic!("{name}: {error}"));
}

/// Copies a sample into a folder.
pub(crate) fn put_sample(folder: &Path, name: &str) {
    copy_sample(name, &folder.join(name));
}

/// Creates a new folder with a list as `list.ge`, and a sample of a model.
#[track_caller]
pub(crate) fn list_and_model(name: &str, list: &str) -> PathBuf {
    let folder = list_folder(name, list);
    put_sample(&folder, "lampwing.pac");
    folder
}

/// Prepares the command with arguments and no standard input.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pspge"));
    command.args(arguments).stdin(Stdio::null());
    command
}

pub(crate) fn pspge(arguments: &[&str]) -> Output {
    command(arguments).output().expect("runs")
}

pub(crate) fn pspge_at(folder: &Path, arguments: &[&str]) -> Output {
    command(arguments).current_dir(folder).output().expect("runs")
}

/// Runs the command in a folder, its arguments separated by blanks.
pub(crate) fn pspge_in(folder: &Path, arguments: &str) -> Output {
    pspge_at(folder, &arguments.split(' ').collect::<Vec<_>>())
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// Converts output to text with the same path separators on all systems.
pub(crate) fn portable_text(bytes: &[u8]) -> String {
    text(bytes).replace('\\', "/")
}

/// Runs a command that succeeds, and returns its printed text.
pub(crate) fn output(folder: &Path, arguments: &str) -> String {
    let output = pspge_in(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs a command, and returns the only document it prints, checked by its schema.
pub(crate) fn document(folder: &Path, arguments: &str) -> Value {
    let [document] =
        schema_check::checked(&pspge_in(folder, arguments).stdout).try_into().expect("one document");
    document
}

/// Runs a command in a folder, its arguments separated by blanks. It has to succeed. Returns its printed text.
pub(crate) fn succeeds(folder: &Path, arguments: &str) -> String {
    let output = pspge_in(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments}: {}", portable_text(&output.stderr));
    portable_text(&output.stdout)
}

/// Runs a command that has to fail. Returns its exit status and its error.
pub(crate) fn fails(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let output = pspge_in(folder, arguments);
    assert_ne!(output.status.code(), Some(0), "{arguments}: {}", portable_text(&output.stdout));
    (output.status.code(), portable_text(&output.stderr))
}

pub(crate) fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}
