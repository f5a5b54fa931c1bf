//! Replaces files of an archive.
//!
//! # Invariants
//! Every other file keeps its bytes, its name and its place in the order. Only offsets in the list at the end move.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::problem::ZipProblem;
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;

const LOCAL: [u8; 4] = *b"PK\x03\x04";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const END: [u8; 4] = *b"PK\x05\x06";
const DESCRIPTOR: [u8; 4] = *b"PK\x07\x08";
/// The flag that sizes and checksum follow the data.
const HAS_DESCRIPTOR: u16 = 1 << 3;
/// Methods of compression.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// The header in front of a file's data.
#[derive(Clone, Copy, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned)]
#[repr(C)]
struct Local {
    magic: [u8; 4],
    version: U16,
    packed: Packed,
    name: U16,
    extra: U16,
}

/// How a file is packed.
#[derive(Clone, Copy, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned)]
#[repr(C)]
struct Packed {
    flags: U16,
    method: U16,
    time: U32,
    checksum: U32,
    length: U32,
    unpacked: U32,
}

/// An entry of the list of all files.
#[derive(Clone, Copy, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned)]
#[repr(C)]
struct Central {
    magic: [u8; 4],
    version_made: U16,
    version: U16,
    packed: Packed,
    name: U16,
    extra: U16,
    comment: U16,
    disk: U16,
    attributes: [u8; 6],
    header: U32,
}

/// The end of the archive.
#[derive(Clone, Copy, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned)]
#[repr(C)]
struct End {
    magic: [u8; 4],
    counts: [u8; 8],
    length: U32,
    list: U32,
}

/// A file with other contents: what stands in place of these bytes of the archive.
struct Splice {
    start: u64,
    end: u64,
    packed: Packed,
    bytes: Vec<u8>,
}

/// Returns the archive with other contents of the files whose headers start at these offsets. `list` is where the list of all
/// files starts.
pub(super) fn replace(
    view: View<'_>,
    list: u64,
    files: &BTreeMap<u64, &[u8]>,
) -> Result<Vec<u8>, FormatError> {
    let entries = entries(view, list)?;
    let mut splices = Vec::new();
    for (header, contents) in files {
        let is_own = |(_, entry): &&(u64, Central)| u64::from(entry.header.get()) == *header;
        let found = entries.iter().find(is_own);
        let (at, entry) = found.ok_or_else(|| view.error(*header, ZipProblem::Unlisted))?;
        let splice = splice(view, *header, entry.packed, contents)?;
        if splice.end > list {
            return Err(view.error(*at, ZipProblem::Unlisted));
        }
        splices.push(splice);
    }
    let mut new = Vec::new();
    let mut at = 0;
    for splice in &splices {
        let kept = splice.start.checked_sub(at);
        let kept = kept.ok_or_else(|| view.error(splice.start, ZipProblem::Unlisted))?;
        new.extend_from_slice(view.slice(at, kept)?);
        new.extend_from_slice(&splice.bytes);
        at = splice.end;
    }
    new.extend_from_slice(view.slice(at, list.saturating_sub(at))?);
    let moved = |offset: U32| {
        let before = splices.iter().filter(|splice| splice.start < u64::from(offset.get()));
        let moved = before.fold(u64::from(offset.get()), |offset, splice| {
            let old = splice.end.saturating_sub(splice.start);
            offset.saturating_add(splice.bytes.len() as u64).saturating_sub(old)
        });
        u32::try_from(moved).map(U32::new).map_err(|_| view.error(list, ZipProblem::Large))
    };
    let mut behind = list;
    for (at, mut entry) in entries {
        if let Some(splice) = splices.iter().find(|splice| splice.start == u64::from(entry.header.get())) {
            entry.packed = splice.packed;
        }
        entry.header = moved(entry.header)?;
        new.extend_from_slice(entry.as_bytes());
        let names = at.saturating_add(size_of::<Central>() as u64);
        behind = names.saturating_add(entry.names());
        new.extend_from_slice(view.slice(names, entry.names())?);
    }
    // A large archive has further records here, which would have to be moved, too.
    let mut end: End = view.read(behind)?;
    if end.magic != END || end.list.get() == u32::MAX {
        return Err(view.error(behind, ZipProblem::Large));
    }
    end.list = moved(end.list)?;
    new.extend_from_slice(end.as_bytes());
    let comment = behind.saturating_add(size_of::<End>() as u64);
    new.extend_from_slice(view.slice(comment, view.len().saturating_sub(comment))?);
    Ok(new)
}

/// Reads the list of all files, with the offset of each entry.
fn entries(view: View<'_>, list: u64) -> Result<Vec<(u64, Central)>, FormatError> {
    let mut entries = Vec::new();
    let mut at = list;
    while view.slice(at, 4)? == CENTRAL {
        let entry: Central = view.read(at)?;
        entries.push((at, entry));
        at = at.saturating_add(size_of::<Central>() as u64).saturating_add(entry.names());
    }
    Ok(entries)
}

impl Central {
    /// Bytes of the names and comments behind the entry.
    fn names(&self) -> u64 {
        [self.name, self.extra, self.comment].iter().map(|length| u64::from(length.get())).sum()
    }
}

/// Packs new contents of the file whose header starts at `start`.
fn splice(view: View<'_>, start: u64, old: Packed, contents: &[u8]) -> Result<Splice, FormatError> {
    let large = || view.error(start, ZipProblem::Large);
    let mut local: Local = view.read(start)?;
    let is_large = |packed: &Packed| packed.length.get() == u32::MAX || packed.unpacked.get() == u32::MAX;
    if local.magic != LOCAL || is_large(&local.packed) || is_large(&old) {
        return Err(large());
    }
    let names = start.saturating_add(size_of::<Local>() as u64);
    let names_length = u64::from(local.name.get()).saturating_add(local.extra.get().into());
    let data = names.saturating_add(names_length);
    let mut end = data.saturating_add(old.length.get().into());
    if old.flags.get() & HAS_DESCRIPTOR != 0 {
        let has_magic = view.slice(end, 4).is_ok_and(|magic| magic == DESCRIPTOR);
        end = end.saturating_add(if has_magic { 16 } else { 12 });
    }
    let (method, bytes) = match old.method.get() {
        STORED => (STORED, contents.to_vec()),
        _ => (DEFLATED, deflated(contents).ok_or_else(large)?),
    };
    let mut checksum = Crc::new();
    checksum.update(contents);
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).map(U32::new).map_err(|_| large());
    let packed = Packed {
        flags: U16::new(old.flags.get() & !HAS_DESCRIPTOR),
        method: U16::new(method),
        time: old.time,
        checksum: U32::new(checksum.sum()),
        length: length(&bytes)?,
        unpacked: length(contents)?,
    };
    local.packed = packed;
    let mut spliced = local.as_bytes().to_vec();
    spliced.extend_from_slice(view.slice(names, names_length)?);
    spliced.extend_from_slice(&bytes);
    Ok(Splice { start, end, packed, bytes: spliced })
}

fn deflated(contents: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(contents).ok()?;
    encoder.finish().ok()
}
