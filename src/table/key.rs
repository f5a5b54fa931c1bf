//! The key of a frame: the columns that all tables share.

use arrow_array::types::UInt32Type;

use super::column::Column;
use crate::pipeline::texture::content_hash::ContentHash;

/// The key of a frame. All tables have its columns, so that rows of one can be joined with those of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameKey {
    /// Number of the input among those of the tables, from 0. It is the only part that is different for two inputs with
    /// equal bytes.
    pub frame: u32,
    /// Hash of the file; `None` if it cannot be read.
    pub file_hash: Option<ContentHash>,
    /// The member of a container, as the user named it; `None` for the file itself.
    pub member: Option<String>,
}

/// Returns the columns of the key of a row.
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
