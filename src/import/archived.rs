//! Changes files in an archive: unpacks those to change, and puts the others back as they are.

use std::collections::BTreeMap;

use crate::formats::core::members::archived_files::ArchivedFiles;
use crate::formats::core::problem::Problem;
use crate::formats::core::slice::FileSlice;
use crate::formats::{self, File, FileRole, FormatError, Members};
use crate::ge::limits::{Limit, Limits};

/// An archive, and new contents for some files.
#[derive(Debug)]
pub(super) struct Archived<'a> {
    input: File<'a>,
    files: Box<dyn ArchivedFiles + 'a>,
    changed: BTreeMap<usize, Vec<u8>>,
}

impl<'a> Archived<'a> {
    /// Reads an archive's file list.
    pub(super) fn open(input: File<'a>) -> Result<Self, FormatError> {
        let slice = FileSlice::whole(input, FileRole::Input);
        let format = formats::sniff(input.bytes).ok_or_else(|| slice.error(Problem::Unknown))?;
        let Members::Archived { open } = format.descriptor().members else {
            return Err(slice.error(Problem::NoContainer(format.name())));
        };
        Ok(Self { input, files: open(slice.view(format.name()))?, changed: BTreeMap::new() })
    }

    /// Unpacks a file. Its name is the archive's name, then its own, as in [`formats::Opened::archived`] and for
    /// companions. Returns `None` if it is not in the archive.
    pub(super) fn unpack(&self, name: &str) -> Result<Option<Vec<u8>>, FormatError> {
        let Some(number) = self.number_of(name) else { return Ok(None) };
        let limits = Limits::default();
        let bytes = self.files.unpack(number, limits.decoded_bytes.saturating_add(1))?;
        if bytes.len() as u64 > limits.decoded_bytes {
            let input = FileSlice::whole(self.input, FileRole::Input);
            return Err(input.error(Problem::Limit(limits.hit(Limit::DecodedBytes))));
        }
        Ok(Some(bytes))
    }

    /// Gives a file new contents, unless they equal the old.
    pub(super) fn replace(&mut self, name: &str, old: &[u8], new: Vec<u8>) {
        if let Some(number) = self.number_of(name).filter(|_| old != new) {
            self.changed.insert(number, new);
        }
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, FormatError> {
        if self.changed.is_empty() {
            Ok(self.input.bytes.to_vec())
        } else {
            self.files.replace(&self.changed)
        }
    }

    fn number_of(&self, name: &str) -> Option<usize> {
        let own = name.strip_prefix(self.input.name)?.strip_prefix('/')?;
        self.files.list().iter().position(|file| file.name == own)
    }
}
