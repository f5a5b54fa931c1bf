//! Decodes names in files and archives, whose encoding is seldom stated.

use std::borrow::Cow;

use encoding_rs::SHIFT_JIS;

/// Decodes a name as UTF-8 or, if it is not valid, as Shift-JIS, because most tools for the PSP are Japanese.
/// Returns `None` if it is neither.
///
/// ```
/// use pspge::formats::decode_name;
///
/// assert_eq!(decode_name("竜.pac".as_bytes()).as_deref(), Some("竜.pac"));
/// assert_eq!(decode_name(b"\x97\xB3.pac").as_deref(), Some("竜.pac"));
/// assert_eq!(decode_name(b"\xFF.pac"), None);
/// ```
#[must_use]
pub fn decode_name(bytes: &[u8]) -> Option<Cow<'_, str>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.into()),
        Err(_) => SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes),
    }
}

/// Decodes a name like [`decode_name`], but replaces the bytes of names in other encodings.
#[must_use]
pub(crate) fn decode_name_lossy(bytes: &[u8]) -> String {
    decode_name(bytes).unwrap_or_else(|| String::from_utf8_lossy(bytes)).into_owned()
}

/// Decodes a zero-padded field like [`decode_name_lossy`].
#[must_use]
pub(crate) fn decode_padded(field: &[u8]) -> String {
    decode_name_lossy(until_zero(field))
}

/// Cuts a field before its first zero byte. A field without one is whole.
#[must_use]
pub(crate) fn until_zero(field: &[u8]) -> &[u8] {
    field.split(|&byte| byte == 0).next().unwrap_or_default()
}
