//! The declaration of a format, and the context in which it opens a file.
//!
//! Recognition, the list of formats, companion search, parse options and help texts come from descriptors, so that a
//! format is one [`Descriptor`] and one line in a [`super::registry::Registry`].

use std::fmt;
use std::hash::{Hash, Hasher};

use super::content::Content;
use super::cursor::View;
use super::error::{FileRole, FormatError};
use super::options::{OpenOptions, ParseOption};
use super::problem::{Problem, Refusal};
use super::slice::{File, FileSlice, NamedMembers, NamedView, NamedViews};
use crate::ge::limits::Limits;

/// A format: how to recognise its files and how to open them.
#[derive(Debug)]
pub struct Descriptor {
    /// The name that users type; unique, in lower case.
    pub name: &'static str,
    /// Full name with its origin, in a few words.
    pub title: &'static str,
    /// The content of its files, in one sentence.
    pub about: &'static str,
    /// Returns whether bytes are a file of this format.
    pub sniff: fn(&[u8]) -> bool,
    /// The first bytes of every file; empty if the format has no magic.
    pub magic: &'static [u8],
    /// Explains why bytes that no format recognises are not a file of this one, if they begin like one: their table is
    /// cut off, for example. Formats whose magic suffices need none.
    pub looks_like: fn(View<'_>) -> Option<FormatError>,
    /// How its members are found.
    pub members: Members,
    /// Help on the names of members, in one sentence; empty if numbers and names of formats suffice.
    pub member_help: &'static str,
    /// Files that may come with one of this format.
    pub companions: &'static [Companion],
    /// The role that a file of this format plays for others, if there is one.
    pub serves_as: Option<FileRole>,
    /// The parse options it knows.
    pub options: &'static [ParseOption],
    /// The problems for which it refuses a file, with the reasons.
    pub refusals: &'static [Refusal],
    /// Whether its files hold something to draw. A container's own members do not count.
    pub is_drawable: bool,
    /// Opens a file, or a member of a container, as this format.
    pub open: for<'a, 'c> fn(&'c OpenContext<'a>) -> Result<Contents, FormatError>,
}

impl Descriptor {
    /// Returns a descriptor with a name only, which recognises no file: a base for struct update syntax.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            title: "",
            about: "",
            sniff: |_| false,
            magic: &[],
            looks_like: |_| None,
            members: Members::None,
            member_help: "",
            companions: &[],
            serves_as: None,
            options: &[],
            refusals: &[],
            is_drawable: false,
            open: |context| Err(context.slice.error(Problem::Unknown)),
        }
    }

    /// Returns the handle of this format.
    #[must_use]
    pub const fn format(&'static self) -> Format {
        Format(self)
    }
}

/// How the members of a file are found.
#[derive(Clone, Copy, Debug)]
pub enum Members {
    /// It has none.
    None,
    /// They are slices of its bytes, which can be opened like files.
    Slices {
        /// Reads the container's table.
        read: for<'a> fn(View<'a>) -> Result<NamedViews<'a>, FormatError>,
        /// Counts the members without reading the table. Containers that can do so are searched for a companion of
        /// the wanted format, also within each other; others are not.
        count: Option<fn(View<'_>) -> Result<u64, FormatError>>,
    },
    /// The format names them itself: [`OpenContext::part`].
    Parts {
        /// Lists them, within limits. Each has a name.
        list: ListParts,
    },
    /// It is a wrapper around one file of another format, which takes its place.
    Wrapped {
        /// Unpacks the only file that the given function accepts by its first bytes.
        unpack: Unpack,
    },
}

/// Lists the members of a file whose format names them itself, within limits.
pub type ListParts = fn(View<'_>, &Limits) -> Result<Vec<Member>, FormatError>;

/// Unpacks a file from a wrapper, within limits.
pub type Unpack = fn(View<'_>, &Limits, &dyn Fn(&[u8]) -> bool) -> Result<Vec<u8>, FormatError>;

/// A file that may come with the input, and its usual place.
#[derive(Clone, Copy, Debug)]
pub struct Companion {
    /// Its role. A file that is given for the role is used instead; [`FileRole::Library`] files
    /// come from the folder of textures.
    pub role: FileRole,
    /// Its usual place.
    pub search: Search,
}

/// The usual place of a companion in the folder of the input.
#[derive(Clone, Copy, Debug)]
pub enum Search {
    /// The file with the input's name and this extension, if it has this format. Only for whole files, not members.
    Extension(&'static str, &'static Descriptor),
    /// All files with one of these names, whatever their case. `*` is the input's name without extension. If a folder
    /// with textures is given, all of its files instead.
    Names(&'static [&'static str]),
    /// The first file of this format among those with names that the format derives from the input's. Their case does
    /// not matter. Also for members.
    Derived(NameRule, &'static Descriptor),
    /// Nowhere: only a file that the user names is used, also with a file of textures.
    Given(&'static str),
}

/// How a format names a companion after the input.
#[derive(Clone, Copy, Debug)]
pub struct NameRule {
    /// Returns the possible names, the most likely one first, from the input's name without folders.
    pub names: fn(&str) -> Vec<String>,
    /// The rule in a few words, for help.
    pub help: &'static str,
}

/// A handle to a format. Equal if the names are.
#[derive(Clone, Copy)]
pub struct Format(&'static Descriptor);

impl Format {
    /// Returns the name by which users speak of it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the format's declaration.
    #[must_use]
    pub const fn descriptor(self) -> &'static Descriptor {
        self.0
    }

    /// Returns whether its members are slices of its bytes.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self.0.members, Members::Slices { .. })
    }

    /// Reads the members of a slice, if this format is a container.
    ///
    /// # Errors
    /// [`Problem::NoContainer`] if it is not, and errors of the container's table.
    pub fn members_of<'a>(self, slice: FileSlice<'a>) -> Result<NamedMembers<'a>, FormatError> {
        let Members::Slices { read, .. } = self.0.members else {
            return Err(slice.error(Problem::NoContainer(self.name())));
        };
        let part = |view: View<'a>| FileSlice { offset: view.file_offset(0), bytes: view.bytes(), ..slice };
        let named = |member: Option<NamedView<'a>>| match member {
            Some(NamedView { name, view }) => (name, Some(part(view))),
            None => (None, None),
        };
        Ok(read(slice.view(self.name()))?.into_iter().map(named).collect())
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl Hash for Format {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.name())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns the first of these formats that recognises bytes.
#[must_use]
pub fn sniff(formats: &[Format], bytes: &[u8]) -> Option<Format> {
    formats.iter().copied().find(|format| (format.descriptor().sniff)(bytes))
}

/// The file that a format has to open, and everything around it.
#[derive(Clone, Debug)]
pub struct OpenContext<'a> {
    /// The bytes to open: a whole file, or a member of a container.
    pub slice: FileSlice<'a>,
    /// The members of the container that the slice is in, itself included.
    pub siblings: NamedMembers<'a>,
    /// That container.
    pub container: Option<FileSlice<'a>>,
    /// The rest of the path to a member, for formats that name their own parts.
    pub part: Option<String>,
    /// Files that come with the input.
    pub companions: Companions<'a>,
    /// How to read it.
    pub options: OpenOptions<'a>,
    /// All known formats, in the order in which they are tried.
    pub formats: &'a [Format],
}

impl OpenContext<'_> {
    /// Returns the format of bytes, by their content.
    #[must_use]
    pub fn sniff(&self, bytes: &[u8]) -> Option<Format> {
        sniff(self.formats, bytes)
    }

    /// Returns whether bytes have a format.
    #[must_use]
    pub fn is(&self, bytes: &[u8], format: &'static Descriptor) -> bool {
        self.sniff(bytes) == Some(format.format())
    }
}

/// Files that come with the input, by their roles.
#[derive(Clone, Debug, Default)]
pub struct Companions<'a> {
    /// A file with textures, or a container that holds one.
    pub textures: Option<File<'a>>,
    /// A file with a skeleton, or a container that holds one.
    pub skeleton: Option<File<'a>>,
    /// The second file of a model, with its mesh data.
    pub mesh_data: Option<File<'a>>,
    /// A file with animations, or a container that holds one.
    pub animations: Option<File<'a>>,
    /// Files that hold materials and textures by name: those that belong to a model are found in them.
    pub library: Vec<File<'a>>,
}

impl<'a> Companions<'a> {
    /// Returns the file of a role.
    #[must_use]
    pub fn get(&self, role: FileRole) -> Option<File<'a>> {
        match role {
            FileRole::Input => None,
            FileRole::Textures => self.textures,
            FileRole::Skeleton => self.skeleton,
            FileRole::MeshData => self.mesh_data,
            FileRole::Animations => self.animations,
            FileRole::Library(number) => self.library.get(number).copied(),
        }
    }

    /// Returns all files with their roles.
    pub fn iter(&self) -> impl Iterator<Item = (FileRole, File<'a>)> {
        let roles = [FileRole::Textures, FileRole::Skeleton, FileRole::MeshData, FileRole::Animations];
        let library = (0..self.library.len()).map(FileRole::Library);
        roles.into_iter().chain(library).filter_map(|role| Some((role, self.get(role)?)))
    }
}

/// A file that was available when an input was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanionFile {
    /// Its role.
    pub role: FileRole,
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Whether the user named it; otherwise it was found in the folder of the input or of textures.
    pub is_given: bool,
}

/// The result of opening a file as one format.
#[derive(Debug)]
pub struct Contents {
    /// Members, if it is a container.
    pub members: Vec<Member>,
    /// Counts of a container or an animation file as a whole, by the names that its documents use; if a member was
    /// asked for, the counts of that one. Empty for other formats.
    pub counts: Vec<(String, u64)>,
    /// The content.
    pub content: Content,
}

impl From<Content> for Contents {
    fn from(content: Content) -> Self {
        Self { members: Vec::new(), counts: Vec::new(), content }
    }
}

/// A member of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its number.
    pub index: usize,
    /// Its name, if the container gives one.
    pub name: Option<String>,
    /// Its kind, as the container states it.
    pub kind: Option<String>,
    /// Its format; `None` if it was not recognised or is empty.
    pub format: Option<Format>,
    /// Whether it holds something to draw. Members of a container in this one do not count.
    pub is_drawable: bool,
    /// Offset of its first byte in the file.
    pub offset: u64,
    /// Its length in bytes; 0 for empty entries.
    pub length: u64,
}
