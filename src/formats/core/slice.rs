//! A request's files, parts of them, and container members.

use super::cursor::View;
use super::error::{FileRole, FormatError};
use super::problem::Problem;

/// A file's bytes, and its name as in [`crate::ge::capture::Source`].
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The name.
    pub name: &'a str,
    /// All bytes in the file.
    pub bytes: &'a [u8],
}

/// A file from the request, or a member of it.
#[derive(Clone, Copy, Debug)]
pub struct FileSlice<'a> {
    /// The file's name.
    pub name: &'a str,
    /// The file's role in the request.
    pub role: FileRole,
    /// Where the bytes start in the file.
    pub offset: u64,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl<'a> FileSlice<'a> {
    /// Covers a whole file.
    #[must_use]
    pub const fn whole(file: File<'a>, role: FileRole) -> Self {
        Self { name: file.name, role, offset: 0, bytes: file.bytes }
    }

    /// Creates a view to read the bytes; `format` names the format in error messages.
    #[must_use]
    pub const fn view(self, format: &'static str) -> View<'a> {
        View::new(self.bytes, self.offset, format, self.role)
    }

    /// Creates an error about the slice as a whole. It has an offset only if the slice is a member of its file.
    #[must_use]
    pub fn error(self, kind: impl Into<Problem>) -> FormatError {
        let offset = Some(self.offset).filter(|&offset| offset > 0);
        FormatError { format: None, role: self.role, file: None, offset, kind: kind.into() }
    }
}

/// Views for a container's members, in order; `None` for empty entries.
pub(crate) type NamedViews<'a> = Vec<Option<NamedView<'a>>>;

/// A member's bytes, and its name in the container.
#[derive(Clone, Debug)]
pub struct NamedView<'a> {
    /// The name.
    pub name: Option<String>,
    /// The bytes.
    pub view: View<'a>,
}

/// A container's members with their names, in order; `None` for empty entries.
pub(crate) type NamedMembers<'a> = Vec<(Option<String>, Option<FileSlice<'a>>)>;
