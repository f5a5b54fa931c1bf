//! Finds files that do not belong to this project: real inputs by others, through the variable `PSPGE_CORPUS`.

use std::path::{Path, PathBuf};

use crate::input;

/// Returns a folder in the corpus. Prints a message and returns `None` if `PSPGE_CORPUS` is not set.
#[must_use]
pub fn folder(name: &str) -> Option<PathBuf> {
    let Some(corpus) = std::env::var_os("PSPGE_CORPUS") else {
        // The test harness shows it with --nocapture.
        eprintln!("SKIPPED: PSPGE_CORPUS is not set, so {name} was not read");
        return None;
    };
    let corpus = Path::new(&corpus);
    // Tests run in the folder of their package, but a relative path starts at the workspace.
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = if corpus.is_absolute() { corpus.to_owned() } else { workspace.join(corpus) };
    Some(folder.join(name))
}

/// Reads a file of the corpus.
///
/// # Panics
/// If the file cannot be read: since the variable is set, the file has to exist.
#[must_use]
pub fn read(folder: &Path, name: &str) -> Vec<u8> {
    input::read(&folder.join(name))
}
