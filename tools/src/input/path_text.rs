//! Shows paths as text: inputs have names in messages, documents and outputs, and a path need not be valid text.
//!
//! # Invariants
//! [`shown`] gives different texts for different paths, and [`path`] leads from each back to its path.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::builder::{OsStringValueParser, TypedValueParser};

/// The paths that are not valid text, found by the texts that show them.
static PATHS: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());

/// Parses an input's name, `FILE` or `FILE#MEMBER`, where the file may have any name that the system allows.
pub(crate) fn input_parser() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|name: OsString| input(&name))
}

/// Shows an input's name as text.
pub(crate) fn input(name: &OsStr) -> String {
    if let Some(text) = name.to_str() {
        return text.to_owned();
    }
    match split_member(name) {
        Some((file, member)) if !Path::new(name).exists() => {
            format!("{}#{}", shown(Path::new(file)), decoded(member))
        }
        _ => shown(Path::new(name)),
    }
}

pub(crate) fn shown(path: &Path) -> String {
    if let Some(text) = path.to_str() {
        return text.to_owned();
    }
    let mut text = decoded(path.as_os_str());
    let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
    if Path::new(&text).exists() || paths.get(&text).is_some_and(|known| known != path) {
        // A file or another path already goes by this text, so this path is escaped to differ.
        text = path.as_os_str().as_encoded_bytes().escape_ascii().to_string();
    }
    paths.insert(text.clone(), path.to_owned());
    text
}

/// Returns the path that a text shows.
pub(crate) fn path(text: impl AsRef<Path>) -> PathBuf {
    let path = text.as_ref();
    let known = path.to_str().and_then(|text| {
        let paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
        paths.get(text).cloned()
    });
    known.unwrap_or_else(|| path.to_owned())
}

/// Decodes a name, only to show it or to name an output after it.
pub(crate) fn decoded(name: &OsStr) -> String {
    #[cfg(unix)]
    if let Some(text) = pspge::formats::decode_name(std::os::unix::ffi::OsStrExt::as_bytes(name)) {
        return text.into_owned();
    }
    name.to_string_lossy().into_owned()
}

/// Turns a line in a list of files into an input's name. Where the system's names are not bytes, it has to be UTF-8.
///
/// # Errors
/// If it is not UTF-8 there.
pub(crate) fn of_line(line: &[u8]) -> Result<String, std::str::Utf8Error> {
    #[cfg(unix)]
    return Ok(input(std::os::unix::ffi::OsStrExt::from_bytes(line)));
    #[cfg(not(unix))]
    return std::str::from_utf8(line).map(str::to_owned);
}

/// Splits a name that is not valid text at its first `#`.
fn split_member(name: &OsStr) -> Option<(&OsStr, &OsStr)> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let bytes = name.as_bytes();
        let at = bytes.iter().position(|byte| *byte == b'#')?;
        let (file, member) = bytes.split_at(at);
        Some((OsStr::from_bytes(file), OsStr::from_bytes(member.get(1..)?)))
    }
    #[cfg(not(unix))]
    {
        let _ = name;
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn texts_lead_back_to_paths() {
        let raw = OsStr::from_bytes(b"some/\x97\xB3.pac");
        assert_eq!(shown(Path::new(raw)), "some/竜.pac", "decoded");
        assert_eq!(path("some/竜.pac").as_os_str(), raw, "and back");
        assert_eq!(path("other.pac"), Path::new("other.pac"), "a path that is text");
        let with_member = OsStr::from_bytes(b"some/\x97\xB3.pac#0");
        assert_eq!(input(with_member), "some/竜.pac#0", "with a member");
        assert_eq!(of_line(b"some/\x97\xB3.pac#0"), Ok("some/竜.pac#0".to_owned()), "in a list");
        let unknown = shown(Path::new(OsStr::from_bytes(b"\xFF.pac")));
        let other = shown(Path::new(OsStr::from_bytes(b"\xFE.pac")));
        assert_ne!(unknown, other, "two names that cannot be decoded");
        assert_eq!(path(other).as_os_str().as_bytes(), b"\xFE.pac");
    }
}
