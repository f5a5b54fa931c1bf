//! Reads files included by assembly text from disk.

use std::path::{Component, Path, PathBuf};

use pspge::asm::{IncludeProvider, IncludedFile};

use crate::input::files;
use crate::input::path_text;

/// Looks for an included file next to the including text, and then in other folders.
#[derive(Clone, Debug, Default)]
pub(crate) struct DiskIncludes {
    /// Folders to search if the including text's own folder does not have a file.
    pub(crate) folders: Vec<PathBuf>,
}

impl IncludeProvider for DiskIncludes {
    fn read(&self, path: &str, from: &str) -> Result<Option<IncludedFile>, String> {
        let from = path_text::path(from);
        let own = from.parent().unwrap_or(Path::new(""));
        for folder in [own].into_iter().chain(self.folders.iter().map(PathBuf::as_path)) {
            let path = simplified(&folder.join(path));
            if path.exists() {
                let bytes = files::read_bytes(&path).map_err(|error| error.to_string())?;
                return Ok(Some(IncludedFile { name: path_text::shown(&path), bytes }));
            }
        }
        Ok(None)
    }
}

/// Removes `.` and `FOLDER/..` from a path, but only if it still leads to the same file, because `..` after a linked
/// folder may lead elsewhere.
fn simplified(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let short: PathBuf = parts.iter().collect();
    let is_same = path.canonicalize().is_ok_and(|real| short.canonicalize().is_ok_and(|short| short == real));
    if is_same { short } else { path.to_owned() }
}
