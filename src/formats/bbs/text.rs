//! Text in fields of fixed length.

/// Returns the text of a zero-padded field. Names are ASCII in all known files.
pub(super) fn text(field: &[u8]) -> String {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    let (text, _) = field.split_at(end);
    String::from_utf8_lossy(text).into_owned()
}
