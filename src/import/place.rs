//! Finds a part inside nested containers, and puts other bytes in its place.

use crate::formats::core::geometry::{GeometryError, GeometryProblem};
use crate::formats::core::slice::FileSlice;
use crate::formats::{self, Format, FormatError};

/// A part in a file: the file itself, or a member.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    /// The members that lead to it by number, the outermost first.
    path: Vec<usize>,
    /// The part's bytes.
    pub(super) slice: FileSlice<'a>,
    /// Its format, if known.
    pub(super) format: Option<Format>,
}

impl<'a> Place<'a> {
    /// Finds the innermost part around byte `at` in a file. `format` is the file's.
    pub(super) fn find(file: FileSlice<'a>, format: Option<Format>, at: u64) -> Result<Self, GeometryError> {
        let mut place = Self { path: Vec::new(), slice: file, format };
        while let Some(container) = place.format.filter(|format| format.is_container()) {
            let holds = |member: &FileSlice<'_>| {
                let end = member.offset.saturating_add(member.bytes.len() as u64);
                (member.offset..end).contains(&at) && member.bytes.len() < place.slice.bytes.len()
            };
            let named = container.members_of(place.slice).map_err(located)?;
            let mut members = named.iter().enumerate();
            let found = members.find_map(|(number, (_, member))| Some((number, (*member).filter(holds)?)));
            let (number, slice) = found.ok_or_else(|| kind_of(container))?;
            place.path.push(number);
            place.format = formats::sniff(slice.bytes);
            place.slice = slice;
        }
        Ok(place)
    }

    /// Returns a file with other bytes for this part. The file must have the same members as the file in which this
    /// was found.
    pub(super) fn put(
        &self,
        file: FileSlice<'_>,
        format: Option<Format>,
        bytes: Vec<u8>,
    ) -> Result<Vec<u8>, GeometryError> {
        put(file, format, &self.path, bytes)
    }
}

fn put(
    slice: FileSlice<'_>,
    format: Option<Format>,
    path: &[usize],
    bytes: Vec<u8>,
) -> Result<Vec<u8>, GeometryError> {
    let (Some((number, rest)), Some(format)) = (path.split_first(), format) else { return Ok(bytes) };
    let unknown = || GeometryError::from(kind_of(format));
    let replace_member = format.descriptor().replace_member.ok_or_else(unknown)?;
    let named = format.members_of(slice).map_err(located)?;
    let member = named.get(*number).and_then(|(_, member)| *member).ok_or_else(unknown)?;
    let new = put(member, formats::sniff(member.bytes), rest, bytes)?;
    if new == member.bytes {
        return Ok(slice.bytes.to_vec());
    }
    replace_member(slice.view(format.name()), *number, &new).map_err(|error| located(error).into())
}

pub(super) fn located(error: FormatError) -> GeometryProblem {
    GeometryProblem::Format(Box::new(error))
}

/// The error for a format whose geometry cannot be written.
pub(super) fn kind_of(format: Format) -> GeometryProblem {
    GeometryProblem::Kind(format!("a {}", format.descriptor().title))
}
