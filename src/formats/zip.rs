//! ZIP archives around a single file, because frame dumps are attached to bug reports in this form.
//!
//! # Invariants
//! Declared sizes are checked before memory is allocated. At most a byte more than the declared size is unpacked.

use std::io::{Cursor, Read};

use thiserror::Error;
use zip::ZipArchive;

use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::{Descriptor, Members};
use crate::formats::core::error::FormatError;
use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::ge::limits::{Limit, Limits};

/// Limit for members, so that a crafted archive costs little time.
const MEMBERS_MAX: usize = 4096;

/// Archives.
pub static FORMAT: Descriptor = Descriptor {
    title: "ZIP archive",
    about: "A ZIP archive with one file of another format in it.",
    sniff,
    magic: b"PK\x03\x04",
    members: Members::Wrapped { unpack },
    // Wrappers inside containers or other wrappers are not opened, so that none can nest without end.
    open: |context| Err(context.slice.error(Problem::TooDeep(1))),
    refusals: ZipProblem::REFUSALS,
    ..Descriptor::new("zip")
};

/// Recognises an archive by its first bytes.
fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// An error in a ZIP archive.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ZipProblem {
    /// The archive cannot be read.
    #[error("the archive cannot be read: {0}")]
    Archive(String),
    /// The archive has too many members.
    #[error("the archive has {0} members; the limit is {MEMBERS_MAX}")]
    TooMany(usize),
    /// No member has a known format, or several have.
    #[error("{}", match .0 {
        0 => "none of the files in the archive has a known format".to_owned(),
        count => format!("{count} files in the archive have known formats: unpack the one that is meant"),
    })]
    NotOne(usize),
}

impl FormatProblem for ZipProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Archive", "the member that is meant cannot be unpacked"),
        Refusal::new("TooMany", "a limit of this program protects against archives that never end"),
        Refusal::new("NotOne", "which of the members is meant is not known"),
    ];

    fn code(&self) -> &'static str {
        match self {
            Self::NotOne(0) => "no-known-member",
            Self::NotOne(_) => "several-known-members",
            Self::TooMany(_) => "too-large",
            _ => "damaged",
        }
    }
}

/// Unpacks the only member whose first bytes satisfy `is_wanted`.
fn unpack(
    view: View<'_>,
    limits: &Limits,
    is_wanted: &dyn Fn(&[u8]) -> bool,
) -> Result<Vec<u8>, FormatError> {
    let unreadable = |error: &dyn ToString| view.error_of_whole(ZipProblem::Archive(error.to_string()));
    let mut archive = ZipArchive::new(Cursor::new(view.bytes())).map_err(|error| unreadable(&error))?;
    if archive.len() > MEMBERS_MAX {
        return Err(view.error_of_whole(ZipProblem::TooMany(archive.len())));
    }
    let mut found = Vec::new();
    for member in 0..archive.len() {
        let mut start = Vec::new();
        let file = archive.by_index(member).map_err(|error| unreadable(&error))?;
        // Ignore damage here: it is reported when this member is unpacked in full.
        let _ = file.take(64).read_to_end(&mut start);
        if is_wanted(&start) {
            found.push(member);
        }
    }
    let &[member] = found.as_slice() else {
        return Err(view.error_of_whole(ZipProblem::NotOne(found.len())));
    };
    let file = archive.by_index(member).map_err(|error| unreadable(&error))?;
    let size = file.size();
    if size > limits.decoded_bytes {
        return Err(view.error_of_whole(Problem::Limit(limits.hit(Limit::DecodedBytes))));
    }
    let mut bytes = Vec::new();
    // Bound this read, because the declared size may be wrong.
    file.take(size.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "tests may panic")]
mod tests {
    use std::io::Write;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;
    use crate::formats::core::error::FileRole;

    fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in members {
            writer.start_file(*name, SimpleFileOptions::default()).expect("a new member");
            writer.write_all(bytes).expect("room");
        }
        writer.finish().expect("room").into_inner()
    }

    fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
        unpacked_within(bytes, &Limits::default())
    }

    fn unpacked_within(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, FormatError> {
        let view = View::new(bytes, 0, "zip", FileRole::Input);
        unpack(view, limits, &|start| start.starts_with(b"wanted"))
    }

    #[test]
    fn unpacks_the_only_known_member() {
        let wanted = [b"wanted".as_slice(), &[5; 1000]].concat();
        let bytes = archive(&[("readme", b"text"), ("folder/file", &wanted)]);
        assert!(sniff(&bytes) && bytes.len() < 600, "compressed");
        assert_eq!(unpacked(&bytes), Ok(wanted), "whole");
    }

    #[test]
    fn rejects_members_over_the_limit() {
        let bytes = archive(&[("file", &[b"wanted".as_slice(), &[5; 1000]].concat())]);
        let limits = Limits::default().with(Limit::DecodedBytes, 1005);
        let error = unpacked_within(&bytes, &limits).expect_err("a byte too large");
        assert_eq!(error.kind, Problem::Limit(limits.hit(Limit::DecodedBytes)), "{error}");
        assert!(unpacked_within(&bytes, &limits.with(Limit::DecodedBytes, 1006)).is_ok(), "just fits");
    }

    #[test]
    fn rejects_none_and_several_known_members() {
        for (count, members) in [
            (0, [("a", b"text".as_slice()), ("b", b"text")]),
            (2, [("a", b"wanted 1".as_slice()), ("b", b"wanted 2")]),
        ] {
            let error = unpacked(&archive(&members)).expect_err("not one");
            assert_eq!(error.kind, ZipProblem::NotOne(count).into(), "{error}");
        }
    }

    #[test]
    fn rejects_damaged_archives() {
        let bytes = archive(&[("file", &[b"wanted".as_slice(), &[5; 100]].concat())]);
        for length in 0..bytes.len() {
            assert!(unpacked(&bytes[..length]).is_err(), "{length} bytes");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            // Undetected damage is in a part that does not affect the contents.
            if let Ok(found) = unpacked(&damaged) {
                assert_eq!(found.len(), 106, "byte {at}");
            }
        }
    }
}
