//! The key to tie rows to their frame: the columns in all tables.

use arrow_array::types::UInt32Type;

use super::column::Column;
use crate::pipeline::texture::content_hash::ContentHash;

/// Identifies a frame. All tables have these columns, to join their rows by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameKey {
    /// The input's number in these tables, from 0. Only this differs between two inputs with equal bytes.
    pub frame: u32,
    /// The file's hash; `None` if the file cannot be read.
    pub file_hash: Option<ContentHash>,
    /// The member inside a container, as the user named it; `None` for the file itself.
    pub member: Option<String>,
}

/// Returns the key columns. `key` finds the key in a row.
pub(super) fn columns<R: 'static>(key: fn(&R) -> &FrameKey) -> Vec<Column<R>> {
    vec![
        Column::number::<UInt32Type>(
            "frame",
            "Number of the input, from 0: the key by which tables are joined.",
            move |row| key(row).frame,
        ),
        Column::maybe_text(
            "file_hash",
            "Hash of the file: XXH3 with seed 0, as 16 hexadecimal digits. Null if the file cannot be read.",
            move |row| key(row).file_hash.map(|hash| hash.to_string().into()),
        ),
        Column::maybe_text(
            "member",
            "The member of a container, as the user named it. Null for the file itself.",
            move |row| key(row).member.as_deref().map(Into::into),
        ),
    ]
}
