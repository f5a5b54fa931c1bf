//! Reads the repository's files for the rules: tracked files, and a source file's code without its tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A tracked file.
pub(crate) struct Entry {
    /// This file's path from the repository's root, with `/`.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
}

/// Folders to skip without git.
const UNTRACKED_FOLDERS: &[&str] = &[".git", "target"];
/// Extensions of files to skip without git.
const UNTRACKED_ENDINGS: &[&str] = &[".snap.new", ".pending-snap"];

/// Lists all tracked files, sorted by path.
pub(crate) fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let root = root();
        let mut paths = tracked_by_git(&root).unwrap_or_else(|| walked(&root));
        paths.sort();
        let read = |path: String| Some(Entry { bytes: std::fs::read(root.join(&path)).ok()?, path });
        paths.into_iter().filter_map(read).collect()
    })
}

/// Lists all tracked Rust source files.
pub(crate) fn sources() -> impl Iterator<Item = &'static Entry> {
    entries().iter().filter(|entry| entry.path.ends_with(".rs"))
}

/// Returns a path below the library's sources, or below the engine's inside them, as in the crate's root; `None`
/// elsewhere.
pub(crate) fn in_library(path: &str) -> Option<&str> {
    path.strip_prefix("src/engine/").or_else(|| path.strip_prefix("src/"))
}

/// Returns the tracked file at a path.
pub(crate) fn entry(path: &str) -> Option<&'static Entry> {
    entries().iter().find(|entry| entry.path == path)
}

impl Entry {
    /// Returns this file's text, if it is text.
    pub(crate) fn text(&self) -> Option<&str> {
        if self.bytes.contains(&0) { None } else { std::str::from_utf8(&self.bytes).ok() }
    }

    /// Lists a source file's lines outside tests and comments, with their numbers from 1. Skips everything after the
    /// first `#[cfg(test)]`, because unit tests are at the end of a file.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let tests_only = self.path.ends_with("/tests.rs") || self.path.split('/').any(|part| part == "tests");
        let text = if tests_only { "" } else { self.text().unwrap_or_default() };
        text.lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line))
            .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the paths tracked by git below `root`; `None` if git is missing or this is not a checkout.
fn tracked_by_git(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]).output().ok()?;
    let list = String::from_utf8(output.stdout).ok()?;
    let paths: Vec<String> = list.split('\0').filter(|path| !path.is_empty()).map(String::from).collect();
    (output.status.success() && paths.iter().any(|path| path == "Cargo.toml")).then_some(paths)
}

/// Lists all files below `root`, except those known to be untracked.
fn walked(root: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let Ok(listing) = std::fs::read_dir(root.join(&folder)) else { continue };
        for item in listing.flatten() {
            let Ok(name) = item.file_name().into_string() else { continue };
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if item.path().is_dir() {
                if !UNTRACKED_FOLDERS.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if !UNTRACKED_ENDINGS.iter().any(|ending| name.ends_with(ending)) {
                paths.push(path);
            }
        }
    }
    paths
}
