//! Decodes text in fixed-length fields.

/// Decodes a zero-padded field. All known files use ASCII; other bytes become replacement characters.
pub(super) fn text(field: &[u8]) -> String {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    let (text, _) = field.split_at(end);
    String::from_utf8_lossy(text).into_owned()
}
