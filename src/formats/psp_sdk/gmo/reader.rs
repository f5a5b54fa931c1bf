//! Shared by all readers for parts: notes, fields to show, and references between blocks.

use super::chunk::Chunk;
use super::problem::GmoProblem;
use super::raw::{block, command};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::text::{decode_name_lossy, until_zero};
use crate::model::Field;

/// Field names for the strings in a FileInfo command.
const INFO: [&str; 4] = ["source file", "user", "date", "tool"];
/// The most fields to keep.
const FIELDS_MAX: usize = 1024;
/// The most bytes to show of a field.
const FIELD_BYTES: usize = 4096;

/// Collects notes and fields while a file is read.
pub(super) struct Reader {
    pub(super) fields: Vec<Field>,
    pub(super) warnings: Warnings,
}

/// How many blocks of each type a model has, to check references to them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) bones: usize,
    pub(super) parts: usize,
    pub(super) materials: usize,
    pub(super) textures: usize,
}

impl Reader {
    pub(super) fn warn(&mut self, error: FormatError) {
        self.warnings.push(error);
    }

    /// Returns a part, or adds a warning if it cannot be read.
    pub(super) fn or_leave_out<T>(&mut self, what: &'static str, read: Result<T, FormatError>) -> Option<T> {
        let leave_out = |error: FormatError| {
            let reason = error.kind.to_string();
            self.warnings.push(FormatError { kind: GmoProblem::Broken { what, reason }.into(), ..error });
        };
        read.map_err(leave_out).ok()
    }

    /// Follows the reference in argument `number` to a block of type `kind`, of which there are `count`. Returns
    /// `None` for an empty reference, and warns about any that leads nowhere.
    pub(super) fn reference(
        &mut self,
        chunk: &Chunk<'_>,
        number: u64,
        (kind, count, name): (u16, usize, &'static str),
    ) -> Option<usize> {
        let value = chunk.word(number).ok()?;
        if value == 0 || value == u32::MAX {
            return None;
        }
        // The level between type and index counts ancestors. This ignores it, because converters write other levels,
        // and the PSP loads their files.
        let index = (value & 0xFFF) as usize;
        let found = (value >> 16 & 0x7FFF == u32::from(kind) && index < count).then_some(index);
        if found.is_none() {
            let at = number.saturating_mul(4);
            self.warn(chunk.args.error(at, GmoProblem::Reference { value, kind: name }));
        }
        found
    }

    /// Keeps a field to show, as long as there is room.
    pub(super) fn field(&mut self, name: String, view: View<'_>, value: String) {
        if self.fields.len() < FIELDS_MAX {
            self.fields.push(Field { name, offset: view.file_offset(0), value });
        }
    }

    /// Keeps a chunk without effect on the picture, and warns if its meaning is not known.
    pub(super) fn keep(&mut self, chunk: &Chunk<'_>) {
        match (chunk.is_command, chunk.kind) {
            (_, command::FILE_INFO) => {
                for (name, value) in INFO.into_iter().zip(chunk.args.bytes().split(|byte| *byte == 0)) {
                    if !value.is_empty() {
                        self.field(name.to_owned(), chunk.view, decode_name_lossy(value));
                    }
                }
            }
            (_, command::BLIND_DATA) => {
                let bytes = chunk.args.bytes();
                let name = until_zero(bytes);
                let data = bytes.get(name.len().saturating_add(1).next_multiple_of(4)..).unwrap_or_default();
                self.field(format!("blind data {}", decode_name_lossy(name)), chunk.view, hex(data));
            }
            (false, block::BLIND) => {
                let name = chunk.name.clone().unwrap_or_default();
                self.field(format!("blind block {name}"), chunk.view, hex(chunk.args.bytes()));
                for child in chunk.children(&mut self.warnings) {
                    if child.is_command {
                        self.keep(&child);
                    }
                }
            }
            (true, command::BOUNDING_BOX) => {
                if let Ok(numbers) = chunk.floats::<6>(0) {
                    self.field("bounding box".to_owned(), chunk.view, format!("{numbers:?}"));
                }
            }
            (true, kind) => {
                self.warn(chunk.error(GmoProblem::Command(kind)));
                self.field(format!("command {kind:#x}"), chunk.view, hex(chunk.args.bytes()));
            }
            (false, kind) => self.warn(chunk.error(GmoProblem::Block(kind))),
        }
    }
}

/// Writes bytes as hexadecimal digits, and how many are left out.
fn hex(bytes: &[u8]) -> String {
    let shown = bytes.iter().take(FIELD_BYTES).map(|byte| format!("{byte:02x}")).collect::<String>();
    match bytes.len().checked_sub(FIELD_BYTES).filter(|more| *more > 0) {
        Some(more) => format!("{shown} and {more} more bytes"),
        None => shown,
    }
}
