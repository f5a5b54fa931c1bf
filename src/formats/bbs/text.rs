//! Decodes text in fixed-length fields.

use crate::formats::core::text::decode_name_lossy;

/// Decodes a zero-padded field.
pub(super) fn text(field: &[u8]) -> String {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    let (text, _) = field.split_at(end);
    decode_name_lossy(text)
}
