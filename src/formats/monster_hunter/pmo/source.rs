//! Shares a PMO's header with the readers for its tables.

use zerocopy::little_endian::F32;

use super::problem::PmoProblem;
use super::raw;
use crate::formats::core::cursor::View;
use crate::formats::core::error::Warnings;

/// The format's version; each game has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// `1.0`, Monster Hunter Freedom Unite.
    V10,
    /// `102`, Monster Hunter Portable 3rd.
    V102,
}

impl Version {
    /// Returns the version as stored in the file.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::V10 => "1.0",
            Self::V102 => "102",
        }
    }
}

/// The file and its header, to pass to each table's reader.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) file: View<'a>,
    pub(super) version: Version,
    pub(super) header: &'a raw::Header,
    /// The model's scale; finite.
    pub(super) scale: [f32; 3],
}

impl Source<'_> {
    /// Counts how many entries with `size` bytes fit from `start` to the next section, or to the file's end.
    pub(super) fn room(&self, start: u64, size: u64) -> u64 {
        let header = self.header;
        let sections = [
            header.mesh_headers,
            header.group_headers,
            header.material_remap,
            header.bone_data,
            header.materials,
            header.mesh_data,
        ];
        let offsets = sections.iter().map(|offset| u64::from(offset.get()));
        let end = offsets.filter(|&offset| offset > start).fold(self.file.len(), u64::min);
        end.saturating_sub(start).checked_div(size).unwrap_or(0)
    }

    /// Limits `counted` to the entries with `size` bytes in the file from `start` on, and warns at offset `at` if
    /// there are fewer.
    pub(super) fn clamp(
        &self,
        name: &'static str,
        [at, start, size]: [u64; 3],
        counted: u64,
        warnings: &mut Warnings,
    ) -> u64 {
        let room = self.file.len().saturating_sub(start).checked_div(size).unwrap_or(0);
        if counted > room {
            warnings.push(self.file.error(at, PmoProblem::TableShort { name, counted, room }));
        }
        counted.min(room)
    }
}

/// Replaces infinite and NaN values by `default`, and warns if there are any.
pub(super) fn finite<const N: usize>(
    file: View<'_>,
    offset: u64,
    values: [F32; N],
    default: f32,
    warnings: &mut Warnings,
) -> [f32; N] {
    let values = values.map(F32::get);
    if !values.iter().all(|value| value.is_finite()) {
        warnings.push(file.error(offset, PmoProblem::NotFinite(default)));
    }
    values.map(|value| if value.is_finite() { value } else { default })
}
