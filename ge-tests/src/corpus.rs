//! Finds files from outside this project: real inputs made by others, through the variable `PSPGE_CORPUS`.

use std::path::{Path, PathBuf};

use crate::input;

/// Returns a folder in the corpus. If `PSPGE_CORPUS` is not set, prints a message to say so and returns `None`.
#[must_use]
pub fn folder(name: &str) -> Option<PathBuf> {
    let Some(corpus) = std::env::var_os("PSPGE_CORPUS") else {
        // The test harness shows this message with --nocapture.
        eprintln!("SKIPPED: PSPGE_CORPUS is not set, so {name} was not read");
        return None;
    };
    let corpus = Path::new(&corpus);
    // Tests run in their package's folder, but a relative path starts at the workspace.
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = if corpus.is_absolute() { corpus.to_owned() } else { workspace.join(corpus) };
    Some(folder.join(name))
}

/// Reads a file from the corpus.
///
/// # Panics
/// If the file cannot be read, because a corpus has to be complete once the variable is set.
#[must_use]
pub fn read(folder: &Path, name: &str) -> Vec<u8> {
    input::read(&folder.join(name))
}
