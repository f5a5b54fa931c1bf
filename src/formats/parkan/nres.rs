//! NRes: containers in Parkan: Iron Strategy. Its models are containers, too. Source:
//! [NRes container](crate::reference::formats::parkan#nres-container).
//!
//! # Invariants
//! Entries lie between header and directory; any other entry is empty. Offsets count from the container's start,
//! even if it is itself an entry.

use thiserror::Error;
use zerocopy::little_endian::{I32, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::formats::core::slice::{NamedView, NamedViews};
use crate::formats::core::text::until_zero;
use crate::model::FileNoteKind;

/// An error or warning for an NRes container.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NresProblem {
    /// The magic is not `NRes`.
    #[error("not an NRes container")]
    Magic,
    /// The version is not supported.
    #[error("NRes version {0:#x} is unknown; it is read like 0x100")]
    Version(u32),
    /// The size in the header differs from the file's length.
    #[error("the header says {declared} bytes, there are {actual}; the directory is looked for at both ends")]
    FileSize {
        /// Size in the header.
        declared: u32,
        /// Length of the file.
        actual: u64,
    },
    /// The directory is larger than the file, or its entry count is negative.
    #[error("a directory of {0} entries does not fit after the header")]
    Directory(i32),
    /// An entry's data are not between header and directory.
    #[error(
        "entry {entry} lies at {offset:#x} with {size} bytes, which is not between header and directory; it is left out"
    )]
    Outside {
        /// The entry's number.
        entry: usize,
        /// Offset in its directory entry.
        offset: u32,
        /// Size in its directory entry.
        size: u32,
    },
    /// Two entries overlap.
    #[error("entry {second} begins inside entry {first}")]
    Overlap {
        /// The entry that begins first.
        first: usize,
        /// The entry that begins inside it.
        second: usize,
    },
    /// A name fills its field and has no final zero.
    #[error("the name of entry {0} has no end")]
    NameEnd(usize),
    /// An entry has an empty name.
    #[error("entry {0} has no name")]
    Nameless(usize),
    /// The sort indices are not a permutation.
    #[error("sort index {index} of entry {entry} is not in range or occurs twice")]
    SortIndex {
        /// The entry's number.
        entry: usize,
        /// Its sort index.
        index: u32,
    },
    /// The sort indices do not sort the names.
    #[error("the sort indices do not follow the names; names are looked up one by one")]
    SortOrder,
}

impl FormatProblem for NresProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a container and is none"),
        Refusal::new("Directory", "the directory does not fit into the file, so that no entry can be found"),
    ];

    fn code(&self) -> &'static str {
        match self {
            Self::Version(_) => "unsupported-version",
            _ => "damaged",
        }
    }

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Nameless(_) | Self::Overlap { .. } => FileNoteKind::Unusual,
            Self::Version(_) => FileNoteKind::Guessed,
            Self::Outside { .. } => FileNoteKind::LeftOut,
            _ => FileNoteKind::Mismatch,
        }
    }
}

/// Every container starts with this.
pub(super) const MAGIC: [u8; 4] = *b"NRes";
/// The only known version.
const VERSION: u32 = 0x100;
/// Bytes in the header.
const HEADER: u64 = 16;
/// Bytes per directory entry.
const ENTRY: u64 = 64;

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    version: U32,
    count: I32,
    size: U32,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawEntry {
    type_id: U32,
    attribute1: U32,
    attribute2: U32,
    size: U32,
    attribute3: U32,
    name: [u8; 36],
    offset: U32,
    sort_index: U32,
}

/// A parsed and validated container.
#[derive(Clone, Debug)]
pub(super) struct Nres<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) warnings: Warnings,
}

/// An entry in a container.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    pub(super) type_id: u32,
    /// `attr1`, `attr2`, `attr3`.
    pub(super) attributes: [u32; 3],
    pub(super) name: String,
    pub(super) data: View<'a>,
    /// Where its directory entry is in the container.
    pub(super) at: u64,
    /// Whether its bytes cannot be found. It is empty then.
    pub(super) is_lost: bool,
}

/// Recognises a container by its magic, whatever its version.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Lists a container's members in directory order.
pub(super) fn members_of(file: View<'_>) -> Result<NamedViews<'_>, FormatError> {
    let mut members = Vec::new();
    for entry in read(file)?.entries {
        let name = Some(entry.name).filter(|name| !name.is_empty());
        members.push((!entry.is_lost).then_some(NamedView { name, view: entry.data }));
    }
    Ok(members)
}

/// Lists the types of a container's entries, to recognise models quickly. This checks nothing else, and lists no
/// types if the directory cannot be found.
pub(super) fn types_of(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let view = View::new(bytes, 0, "nres", FileRole::Input);
    let directory = directory(view, &mut Warnings::default()).map_or(&[][..], |(_, directory)| directory);
    directory.iter().map(|entry| entry.type_id.get())
}

/// Locates the directory, and returns it with its offset. It ends with the file, or at the place that the header
/// gives if entries fit better there.
fn directory<'a>(file: View<'a>, warnings: &mut Warnings) -> Result<(u64, &'a [RawEntry]), FormatError> {
    let header: Header = file.read(0)?;
    if header.magic != MAGIC {
        return Err(file.error(0, NresProblem::Magic));
    }
    if header.version.get() != VERSION {
        warnings.push(file.error(4, NresProblem::Version(header.version.get())));
    }
    let declared = header.size.get();
    if u64::from(declared) != file.len() {
        warnings.push(file.error(12, NresProblem::FileSize { declared, actual: file.len() }));
    }
    let count = u64::try_from(header.count.get()).ok();
    let at_end = |end: u64| {
        let start = end.checked_sub(count?.saturating_mul(ENTRY)).filter(|&start| start >= HEADER)?;
        Some((start, file.array::<RawEntry>(start, count?).ok()?))
    };
    // To choose between both ends, this counts the entries that would lie outside.
    let outside =
        |(start, entries): &(u64, &[RawEntry])| entries.iter().filter(|raw| !is_between(raw, *start)).count();
    let found = [file.len(), declared.into()].into_iter().filter_map(at_end).min_by_key(outside);
    found.ok_or_else(|| file.error(8, NresProblem::Directory(header.count.get())))
}

/// Returns whether an entry's data are between header and directory.
fn is_between(raw: &RawEntry, directory: u64) -> bool {
    let offset = u64::from(raw.offset.get());
    offset >= HEADER && offset.saturating_add(raw.size.get().into()) <= directory
}

/// Parses a container's directory.
///
/// # Errors
/// If there is none.
pub(super) fn read(file: View<'_>) -> Result<Nres<'_>, FormatError> {
    let mut warnings = Warnings::default();
    let (start, directory) = directory(file, &mut warnings)?;
    let mut nres = Nres { entries: Vec::with_capacity(directory.len()), warnings };
    let entry_offsets = (start..).step_by(64);
    for (number, (raw, at)) in directory.iter().zip(entry_offsets.clone()).enumerate() {
        let (offset, size) = (raw.offset.get(), raw.size.get());
        let is_lost = !is_between(raw, start);
        if is_lost {
            let kind = NresProblem::Outside { entry: number, offset, size };
            nres.warnings.push(file.error(at.saturating_add(56), kind));
        }
        let end = raw.name.iter().position(|byte| *byte == 0);
        if end.is_none() {
            nres.warnings.push(file.error(at.saturating_add(20), NresProblem::NameEnd(number)));
        }
        let length = end.unwrap_or(raw.name.len());
        if length == 0 {
            nres.warnings.push(file.error(at.saturating_add(20), NresProblem::Nameless(number)));
        }
        nres.entries.push(Entry {
            type_id: raw.type_id.get(),
            attributes: [raw.attribute1.get(), raw.attribute2.get(), raw.attribute3.get()],
            name: text(raw.name.get(..length).unwrap_or_default()),
            data: if is_lost { file.view(0, 0)? } else { file.view(offset.into(), size.into())? },
            at,
            is_lost,
        });
    }
    check_overlap(file, directory, start, &mut nres.warnings);
    // This checks the indices but does not use them, because names are looked up in turn.
    if let Some(order) = sort_order(file, directory, start, &mut nres.warnings)
        && !is_sorted(&order)
    {
        nres.warnings.push(file.error(start, NresProblem::SortOrder));
    }
    Ok(nres)
}

/// Code page 1251 from 0x80 to 0xBF. Above, 0xC0 to 0xFF are U+0410 and up.
// A table of 64 characters replaces a dependency on an encoding library.
const UPPER_HALF: &str = "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\u{a0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{ad}®Ї°±Ііґµ¶·ё№є»јЅѕї";

/// Decodes text in code page 1251.
pub(super) fn text(bytes: &[u8]) -> String {
    let decode = |&byte: &u8| match byte {
        0..=0x7F => char::from(byte),
        0x80..=0xBF => {
            UPPER_HALF.chars().nth(usize::from(byte & 0x3F)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        0xC0.. => char::from_u32(0x410_u32.saturating_add(u32::from(byte & 0x3F)))
            .unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    bytes.iter().map(decode).collect()
}

/// Warns if payloads overlap. There may be gaps.
fn check_overlap(file: View<'_>, directory: &[RawEntry], start: u64, warnings: &mut Warnings) {
    let mut used: Vec<(u64, u64, usize)> = directory
        .iter()
        .enumerate()
        .filter(|(_, raw)| raw.size.get() > 0 && is_between(raw, start))
        .map(|(number, raw)| {
            let offset = u64::from(raw.offset.get());
            (offset, offset.saturating_add(u64::from(raw.size.get())), number)
        })
        .collect();
    used.sort_unstable();
    for (one, other) in used.iter().zip(used.iter().skip(1)) {
        if other.0 < one.1 {
            let at = start.saturating_add((other.2 as u64).saturating_mul(ENTRY)).saturating_add(56);
            warnings.push(file.error(at, NresProblem::Overlap { first: one.2, second: other.2 }));
        }
    }
}

/// Sorts names by the sort indices. This warns if they are no permutation.
fn sort_order<'a>(
    file: View<'_>,
    directory: &'a [RawEntry],
    start: u64,
    warnings: &mut Warnings,
) -> Option<Vec<&'a [u8]>> {
    let mut taken = vec![false; directory.len()];
    let mut names = Vec::with_capacity(directory.len());
    for (entry, raw) in directory.iter().enumerate() {
        let index = raw.sort_index.get();
        let position = usize::try_from(index).unwrap_or(usize::MAX);
        let (Some(taken @ false), Some(named)) = (taken.get_mut(position), directory.get(position)) else {
            let at = start.saturating_add((entry as u64).saturating_mul(ENTRY)).saturating_add(60);
            warnings.push(file.error(at, NresProblem::SortIndex { entry, index }));
            return None;
        };
        *taken = true;
        names.push(until_zero(&named.name));
    }
    Some(names)
}

/// Returns whether names ascend if case is ignored. This accepts both foldings, because they sort `_` differently.
fn is_sorted(names: &[&[u8]]) -> bool {
    let by = |fold: fn(&u8) -> u8| names.is_sorted_by_key(|name| name.iter().map(fold).collect::<Vec<_>>());
    by(u8::to_ascii_lowercase) || by(u8::to_ascii_uppercase)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "tests may panic")]
mod tests;
