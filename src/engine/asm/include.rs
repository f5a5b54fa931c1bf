//! Gives a text access to files through a trait, because the library itself does no input or output.

use std::collections::BTreeMap;
use std::fmt;

pub(crate) mod file_directive;
pub(crate) mod loaded;
pub(crate) mod source_map;

/// Reads the files named in `.include`, `.incbin` and `.texture`.
///
/// Implement this to assemble files from a disk. [`NoIncludes`] refuses all files, and [`MemoryFiles`] holds them in
/// memory. The assembler reads each file once, even if a text names it several times.
pub trait IncludeProvider: fmt::Debug {
    /// Reads the file `path` for the text `from`. `path` is relative to the folder of `from`; use [`resolve`] to
    /// join the two. `from` is the assembled text's name, or a name returned by this function before.
    ///
    /// Returns `None` if the file does not exist.
    ///
    /// # Errors
    /// Returns the reason if the file cannot be read, or is too large.
    fn read(&self, path: &str, from: &str) -> Result<Option<IncludedFile>, String>;
}

/// A file, as a provider returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludedFile {
    /// Its name with folders, for messages. Equal names mean the same file, so each file needs a single spelling.
    pub name: String,
    /// All its bytes.
    pub bytes: Vec<u8>,
}

/// A provider without files, to assemble texts on their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIncludes;

impl IncludeProvider for NoIncludes {
    fn read(&self, _: &str, _: &str) -> Result<Option<IncludedFile>, String> {
        Err("this text is assembled without access to files".to_owned())
    }
}

/// A provider with files in memory, by names with `/` between folders.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::asm::{AssemblyRequest, MemoryFiles, assemble_with};
///
/// let files = MemoryFiles::new([("lib/end.ge", b"FINISH | END".to_vec())]);
/// let request = AssemblyRequest { files: &files, ..AssemblyRequest::new("list.ge", ".include \"lib/end.ge\"") };
/// assert_eq!(assemble_with(&request)?.program.image()?.len(), 8);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles(BTreeMap<String, Vec<u8>>);

impl MemoryFiles {
    /// Creates the provider from names and contents.
    #[must_use]
    pub fn new<N: Into<String>>(files: impl IntoIterator<Item = (N, Vec<u8>)>) -> Self {
        Self(files.into_iter().map(|(name, bytes)| (name.into(), bytes)).collect())
    }
}

impl IncludeProvider for MemoryFiles {
    fn read(&self, path: &str, from: &str) -> Result<Option<IncludedFile>, String> {
        let name = resolve(path, from);
        Ok(self.0.get(&name).map(|bytes| IncludedFile { bytes: bytes.clone(), name }))
    }
}

/// Joins a path in the text `from` with this text's folder, and removes `.` and `..` if possible. An absolute path
/// is not joined.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// assert_eq!(pspge::asm::resolve("../sky.png", "levels/one/list.ge"), "levels/sky.png");
/// assert_eq!(pspge::asm::resolve("sky.png", "list.ge"), "sky.png");
/// ```
#[doc(hidden)]
#[must_use]
pub fn resolve(path: &str, from: &str) -> String {
    let folder = from.rfind('/').and_then(|end| from.get(..end)).unwrap_or_default();
    let joined = match folder {
        _ if path.starts_with('/') => path.to_owned(),
        "" if !from.starts_with('/') => path.to_owned(),
        _ => format!("{folder}/{path}"),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match (part, parts.last()) {
            ("." | "", _) => {}
            ("..", Some(&last)) if last != ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let root = if joined.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_including_text() {
        for (path, from, expected) in [
            ("a.ge", "", "a.ge"),
            ("a.ge", "list.ge", "a.ge"),
            ("a.ge", "x/list.ge", "x/a.ge"),
            ("./b/../a.ge", "x/list.ge", "x/a.ge"),
            ("../../a.ge", "x/list.ge", "../a.ge"),
            ("/a.ge", "x/list.ge", "/a.ge"),
            ("a.ge", "/list.ge", "/a.ge"),
            ("a.ge", "/x/list.ge", "/x/a.ge"),
            ("../../a.ge", "../list.ge", "../../../a.ge"),
        ] {
            assert_eq!(resolve(path, from), expected, "{path} in {from}");
        }
    }
}
