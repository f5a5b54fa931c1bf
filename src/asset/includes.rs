//! Reads the files that assembly text includes, from the input's folder.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::asm::{IncludeProvider, IncludedFile, resolve};
use crate::formats::FileProvider;

/// Reads included files through the provider for the input's folder.
#[derive(Debug)]
pub(super) struct FolderIncludes<'a> {
    folder: &'a dyn FileProvider,
    /// Maps the names that the provider returned to paths in the folder, because a file's own includes are relative
    /// to its path.
    paths: RefCell<HashMap<String, String>>,
}

impl<'a> FolderIncludes<'a> {
    pub(super) fn new(folder: &'a dyn FileProvider) -> Self {
        Self { folder, paths: RefCell::default() }
    }
}

impl IncludeProvider for FolderIncludes<'_> {
    fn read(&self, path: &str, from: &str) -> Result<Option<IncludedFile>, String> {
        // No path is known for the main text, because it is in the folder itself.
        let from = self.paths.borrow().get(from).cloned().unwrap_or_default();
        let path = resolve(path, &from);
        match self.folder.read(&path) {
            Ok(Some(file)) => {
                self.paths.borrow_mut().insert(file.name.clone(), path);
                Ok(Some(IncludedFile { name: file.name, bytes: file.bytes }))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(error.message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{FileError, ProvidedFile};

    #[derive(Debug)]
    struct Files;

    impl FileProvider for Files {
        fn folder(&self) -> String {
            "levels".to_owned()
        }

        fn names(&self) -> Vec<String> {
            Vec::new()
        }

        fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
            let text = match name {
                "lib/a.ge" => ".include \"b.ge\"",
                "lib/b.ge" => "FINISH | END",
                "locked.ge" => {
                    return Err(FileError { name: name.to_owned(), message: "no permission".to_owned() });
                }
                _ => return Ok(None),
            };
            let name = format!("levels/{name}");
            Ok(Some(ProvidedFile { name, bytes: text.as_bytes().to_vec() }))
        }
    }

    #[test]
    fn paths_are_relative_to_the_input() {
        let open = |text: &str| {
            let request =
                crate::Request { files: &Files, ..crate::Request::new("levels/one.ge", text.as_bytes()) };
            crate::open_with(&request).map(|asset| asset.format()).map_err(|error| error.to_string())
        };
        assert_eq!(open(".include \"lib/a.ge\""), Ok("ge"), "an include inside an include");
        assert_eq!(
            open(".include \"locked.ge\""),
            Err("levels/one.ge:1:10: cannot read 'locked.ge': no permission".to_owned()),
            "the reason of the provider"
        );
        assert_eq!(
            open("NOP\n.include \"b.ge\""),
            Err("levels/one.ge:2:10: file 'b.ge' not found".to_owned()),
            "not in the folder of the input"
        );
    }
}
