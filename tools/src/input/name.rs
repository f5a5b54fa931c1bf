//! Splits an input's name into a file and a member in it.

use std::path::Path;

use super::path_text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InputName<'a> {
    /// The file's path, or `-`.
    pub(crate) path: &'a str,
    /// The member, if named.
    pub(crate) member: Option<&'a str>,
}

impl<'a> InputName<'a> {
    /// Splits a name into file and member. An existing file with the whole name, including the `#`, takes
    /// precedence.
    pub(crate) fn parse(name: &'a str) -> Self {
        match name.split_once('#') {
            Some((path, member)) if !path_text::path(name).exists() => Self { path, member: Some(member) },
            _ => Self { path: name, member: None },
        }
    }

    /// Whether all members in a container are meant: `FILE#*` or `FILE#MEMBER/*`.
    pub(crate) fn wants_members(self) -> bool {
        self.member.is_some_and(|member| member == "*" || member.ends_with("/*"))
    }

    /// Returns the file's name without folders and extension, for titles inside outputs.
    pub(crate) fn stem(self) -> String {
        let stem = Path::new(self.path).file_stem().unwrap_or_default().to_string_lossy();
        if stem == "-" { "input".to_owned() } else { stem.into_owned() }
    }
}
