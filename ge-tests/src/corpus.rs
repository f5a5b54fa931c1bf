//! Files that the project does not hold: real inputs made by others, found through an environment variable.

use std::path::{Path, PathBuf};

use crate::input;

/// A folder of the corpus; `None`, after saying so, where `PSPGE_CORPUS` is not set.
#[must_use]
pub fn folder(name: &str) -> Option<PathBuf> {
    let Some(corpus) = std::env::var_os("PSPGE_CORPUS") else {
        // The test harness shows it with --nocapture.
        eprintln!("SKIPPED: PSPGE_CORPUS is not set, so {name} was not read");
        return None;
    };
    let corpus = Path::new(&corpus);
    // Tests run in their package's folder, the variable counts from the workspace's.
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = if corpus.is_absolute() { corpus.to_owned() } else { workspace.join(corpus) };
    Some(folder.join(name))
}

/// A file of the corpus.
///
/// # Panics
/// Where the file cannot be read: the variable is set, so it has to be there.
#[must_use]
pub fn read(folder: &Path, name: &str) -> Vec<u8> {
    input::read(&folder.join(name))
}
