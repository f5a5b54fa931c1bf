//! ZIP archives: models with their textures as people share them, and frame dumps as attached to bug reports.
//!
//! # Invariants
//! A file is unpacked only as far as asked.

mod problem;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Write};

use problem::{FILES_MAX, ZipProblem};
use zip::result::ZipResult;
use zip::{ZipArchive, ZipWriter};

use super::core::members::archived_files::{ArchivedFile, ArchivedFiles};
use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::{Descriptor, Members};
use crate::formats::core::error::FormatError;
use crate::formats::core::problem::{FormatProblem as _, Problem};
use crate::formats::core::text::decode_name;

/// Describes ZIP archives, to recognise and open them.
pub static FORMAT: Descriptor = Descriptor {
    title: "ZIP archive",
    about: "A ZIP archive with files of other formats, opened as the first model or frame in it. Files in the same \
        folder of the archive belong together.",
    sniff,
    magic: b"PK\x03\x04",
    members: Members::Archived { open },
    // Archives inside containers or other archives are not opened, so that none can nest without end.
    open: |context| Err(context.slice.error(Problem::TooDeep(1))),
    refusals: ZipProblem::REFUSALS,
    ..Descriptor::new("zip")
};

/// Recognises an archive by its first bytes.
fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// An archive, after reading its list of files.
#[derive(Debug)]
struct Archive<'a> {
    view: View<'a>,
    archive: ZipArchive<Cursor<&'a [u8]>>,
    list: Vec<ArchivedFile>,
    /// For each file in the list, its number in the archive, which also counts folders.
    numbers: Vec<usize>,
}

/// Reads the list of files.
fn open(view: View<'_>) -> Result<Box<dyn ArchivedFiles + '_>, FormatError> {
    let unreadable = |error: &dyn ToString| view.error_of_whole(ZipProblem::Archive(error.to_string()));
    let archive = ZipArchive::new(Cursor::new(view.bytes())).map_err(|error| unreadable(&error))?;
    if archive.len() > FILES_MAX {
        return Err(view.error_of_whole(ZipProblem::TooMany(archive.len())));
    }
    let (mut list, mut numbers) = (Vec::new(), Vec::new());
    for number in 0..archive.len() {
        let file = archive.by_index_data(number).map_err(|error| unreadable(&error))?;
        if file.is_dir() {
            continue;
        }
        let name = name_of(file.name_raw(), file.name()).map_err(|error| unreadable(&error))?;
        // Some programs for Windows separate folders in their own way.
        let name = name.replace('\\', "/");
        list.push(ArchivedFile { name, offset: file.header_start(), size: file.size() });
        numbers.push(number);
    }
    Ok(Box::new(Archive { view, archive, list, numbers }))
}

/// Returns a file's name, from its bytes and as `zip` decodes them. Without the UTF-8 flag, a name has the encoding
/// of the system that wrote the archive. Code page 437 decodes any bytes, so it comes last.
fn name_of<'n>(raw: &'n [u8], decoded: ZipResult<Cow<'n, str>>) -> ZipResult<Cow<'n, str>> {
    decode_name(raw).map_or(decoded, Ok)
}

impl Archive<'_> {
    /// Returns the archive with new contents for these files. All others stay packed as they are.
    fn with(&self, files: &BTreeMap<usize, Vec<u8>>) -> ZipResult<Vec<u8>> {
        let mut old = self.archive.clone();
        let mut new = ZipWriter::new(Cursor::new(Vec::new()));
        new.set_raw_comment(old.comment().into())?;
        for number in 0..old.len() {
            let file = old.by_index_raw(number)?;
            let listed = self.numbers.iter().position(|known| *known == number);
            match listed.and_then(|listed| files.get(&listed)) {
                Some(contents) => {
                    let name = name_of(file.name_raw(), file.name())?.into_owned();
                    new.start_file(name, file.options())?;
                    new.write_all(contents)?;
                }
                None => new.raw_copy_file(file)?,
            }
        }
        Ok(new.finish()?.into_inner())
    }
}

impl ArchivedFiles for Archive<'_> {
    fn list(&self) -> &[ArchivedFile] {
        &self.list
    }

    fn unpack(&self, number: usize, most: u64) -> Result<Vec<u8>, FormatError> {
        let unreadable =
            |error: &dyn ToString| self.view.error_of_whole(ZipProblem::Archive(error.to_string()));
        let number = self.numbers.get(number).copied().unwrap_or(usize::MAX);
        // The copy shares the list. It has a cursor of its own, because reading moves it.
        let mut archive = self.archive.clone();
        let file = archive.by_index(number).map_err(|error| unreadable(&error))?;
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
        Ok(bytes)
    }

    fn replace(&self, files: &BTreeMap<usize, Vec<u8>>) -> Result<Vec<u8>, FormatError> {
        let unwritten =
            |error: zip::result::ZipError| self.view.error_of_whole(ZipProblem::Archive(error.to_string()));
        self.with(files).map_err(unwritten)
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "tests may panic")]
mod tests {
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::formats::core::error::FileRole;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer.start_file(*name, SimpleFileOptions::default()).expect("a new file");
            writer.write_all(bytes).expect("room");
        }
        writer.finish().expect("room").into_inner()
    }

    fn opened(bytes: &[u8]) -> Result<Box<dyn ArchivedFiles + '_>, FormatError> {
        open(View::new(bytes, 0, "zip", FileRole::Input))
    }

    /// Builds an archive with this name, even if the writer cannot write it, by replacing a name of the same length.
    fn renamed(name: &[u8]) -> Vec<u8> {
        let placeholder = "n".repeat(name.len());
        let mut bytes = archive(&[(&placeholder, b"content")]);
        for at in 0..bytes.len() - name.len() {
            if bytes[at..].starts_with(placeholder.as_bytes()) {
                bytes[at..at + name.len()].copy_from_slice(name);
            }
        }
        bytes
    }

    #[test]
    fn unpacks_files_as_far_as_asked() {
        let content = [5; 1000];
        let bytes = archive(&[("readme", b"text"), ("folder/file", &content)]);
        assert!(sniff(&bytes) && bytes.len() < 600, "compressed");
        let archive = opened(&bytes).expect("an archive");
        let files: Vec<(&str, u64)> =
            archive.list().iter().map(|file| (file.name.as_str(), file.size)).collect();
        assert_eq!(files, [("readme", 4), ("folder/file", 1000)]);
        assert_eq!(archive.unpack(1, u64::MAX).as_deref(), Ok(content.as_slice()), "whole");
        assert_eq!(archive.unpack(1, 3).as_deref(), Ok([5; 3].as_slice()), "the beginning");
        assert!(archive.unpack(2, 3).is_err(), "no such file");
    }

    #[test]
    fn replaces_files_and_keeps_the_others() {
        let bytes = archive(&[("readme", b"text"), ("folder/file", &[5; 1000]), ("last", &[7; 300])]);
        let old = opened(&bytes).expect("an archive");
        let raw = |bytes: &[u8], number: usize| {
            let mut archive = ZipArchive::new(Cursor::new(bytes.to_vec())).expect("an archive");
            let mut raw = Vec::new();
            archive.by_index_raw(number).expect("a file").read_to_end(&mut raw).expect("readable");
            raw
        };
        for contents in [vec![], vec![6; 5000], (0..=255).collect::<Vec<u8>>()] {
            let new = old.replace(&BTreeMap::from([(1, contents.clone())])).expect("replaced");
            let names = |archive: &dyn ArchivedFiles| -> Vec<String> {
                archive.list().iter().map(|file| file.name.clone()).collect()
            };
            let again = opened(&new).expect("an archive");
            assert_eq!(names(&*again), names(&*old), "names");
            assert_eq!(again.list()[1].size, contents.len() as u64, "the size");
            assert_eq!(again.unpack(1, u64::MAX).as_ref(), Ok(&contents), "new contents");
            for other in [0, 2] {
                assert_eq!(raw(&new, other), raw(&bytes, other), "packed as before");
                assert_eq!(again.unpack(other, u64::MAX), old.unpack(other, u64::MAX), "as before");
            }
            let both = BTreeMap::from([(0, contents.clone()), (2, contents.clone())]);
            let new = again.replace(&both).expect("replaced");
            let again = opened(&new).expect("an archive");
            for number in 0..3 {
                assert_eq!(again.unpack(number, u64::MAX).as_ref(), Ok(&contents), "file {number}");
            }
        }
    }

    #[test]
    fn replaces_files_whose_sizes_follow_them() {
        // A writer that cannot go back writes sizes after the data.
        let mut writer = ZipWriter::new_stream(Vec::new());
        for (name, bytes) in [("first", [1; 100]), ("second", [2; 100])] {
            writer.start_file(name, SimpleFileOptions::default()).expect("a new file");
            writer.write_all(&bytes).expect("room");
        }
        let bytes = writer.finish().expect("room").into_inner();
        assert!(bytes.windows(4).any(|four| four == b"PK\x07\x08"), "sizes behind the data");
        let new = opened(&bytes).and_then(|archive| archive.replace(&BTreeMap::from([(0, vec![3; 50])])));
        let new = new.expect("replaced");
        let again = opened(&new).expect("an archive");
        assert_eq!(again.unpack(0, 100).as_deref(), Ok([3; 50].as_slice()), "new contents");
        assert_eq!(again.unpack(1, 200).as_deref(), Ok([2; 100].as_slice()), "as before");
    }

    #[test]
    fn damaged_archives_are_replaced_or_refused() {
        let bytes = archive(&[("first", &[5; 106]), ("second", b"text")]);
        let (mut replaced, mut refused) = (0, 0);
        for at in 0..bytes.len() {
            for value in [0, 1, 0xFF, bytes[at] ^ 0x55] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                let new =
                    opened(&damaged).and_then(|files| files.replace(&BTreeMap::from([(0, vec![6; 9])])));
                match new {
                    Ok(new) => {
                        assert!(new.len() < 2 * bytes.len(), "byte {at}: {} bytes", new.len());
                        replaced += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(replaced > 100 && refused > 50, "{replaced} replaced, {refused} refused");
    }

    #[test]
    fn names_are_in_the_encoding_that_decodes_them() {
        for (raw, name) in [
            ("竜/頭.pac".as_bytes(), "竜/頭.pac"),
            (b"\x97\xB3/\x93\xAA.pac".as_slice(), "竜/頭.pac"),
            // This letter's second byte is that of a backslash.
            (b"\x83\x5C.pac", "ソ.pac"),
            (b"caf\x82.pac", "café.pac"),
            (b"set\\file.pac", "set/file.pac"),
        ] {
            let bytes = renamed(raw);
            let archive = opened(&bytes).expect("an archive");
            assert_eq!(archive.list()[0].name, name, "{raw:02x?}");
            let new = archive.replace(&BTreeMap::from([(0, b"new".to_vec())])).expect("replaced");
            let again = opened(&new).expect("an archive");
            assert_eq!((again.list()[0].name.as_str(), again.list()[0].size), (name, 3), "replaced");
        }
    }

    #[test]
    fn rejects_damaged_archives() {
        let bytes = archive(&[("file", &[5; 106])]);
        let unpacked = |bytes: &[u8]| opened(bytes)?.unpack(0, 107);
        for length in 0..bytes.len() {
            assert!(unpacked(&bytes[..length]).is_err(), "{length} bytes");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            // Undetected damage is in a part that does not affect the contents.
            if let Ok(found) = unpacked(&damaged) {
                assert_eq!(found, [5; 106], "byte {at}");
            }
        }
    }
}
