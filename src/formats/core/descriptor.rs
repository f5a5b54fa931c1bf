//! Descriptors of formats, and the context in which a format opens a file.
//!
//! Recognition, the list of formats, companion search, parse options and help texts come from descriptors, so
//! that a format is one [`Descriptor`] and one line in a [`super::registry::Registry`].

use std::fmt;
use std::hash::{Hash, Hasher};

use super::content::Content;
use super::cursor::View;
use super::error::{FileRole, FormatError, Problem};
use super::options::{OpenOptions, ParseOption};
use super::slice::{File, FileSlice, NamedMembers, NamedView, NamedViews};
use crate::ge::limits::Limits;

/// A format: how to recognise its files and how to open them.
#[derive(Debug)]
pub struct Descriptor {
    /// Short name for users, unique, in lower case.
    pub name: &'static str,
    /// Full name with the game, in a few words.
    pub title: &'static str,
    /// One sentence on the content of its files.
    pub about: &'static str,
    /// Returns whether bytes are a file of this format.
    pub sniff: fn(&[u8]) -> bool,
    /// How to find its members.
    pub members: Members,
    /// One sentence on how users name its members; empty if members have only numbers and names of formats.
    pub member_help: &'static str,
    /// Files that may accompany a file of this format.
    pub companions: &'static [Companion],
    /// The role of such a file as a companion of others.
    pub serves_as: Option<FileRole>,
    /// Its parse options.
    pub options: &'static [ParseOption],
    /// Opens a file, or a member of a container, as this format.
    pub open: for<'a, 'c> fn(&'c OpenContext<'a>) -> Result<Contents, FormatError>,
}

impl Descriptor {
    /// Creates a descriptor with a name only, as a base for struct update syntax. It recognises no file.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            title: "",
            about: "",
            sniff: |_| false,
            members: Members::None,
            member_help: "",
            companions: &[],
            serves_as: None,
            options: &[],
            open: |context| Err(context.slice.error(Problem::Unknown)),
        }
    }

    /// Returns the handle of this format.
    #[must_use]
    pub const fn format(&'static self) -> Format {
        Format(self)
    }
}

/// How to find the members of a file.
#[derive(Clone, Copy, Debug)]
pub enum Members {
    /// The format has no members.
    None,
    /// The members are slices of its bytes and can be opened like files.
    Slices {
        /// Reads the container's table.
        read: for<'a> fn(View<'a>) -> Result<NamedViews<'a>, FormatError>,
        /// Counts the members without reading the table. [`OpenContext::companion_of`] searches only containers
        /// with this function, also nested ones.
        count: Option<fn(View<'_>) -> Result<u64, FormatError>>,
    },
    /// The format resolves names of members itself: [`OpenContext::part`].
    Parts,
    /// The file is a wrapper around one file of another format, which is opened instead.
    Wrapped {
        /// Unpacks that file: the only one with first bytes that the given function recognises.
        unpack: fn(View<'_>, &Limits, &dyn Fn(&[u8]) -> bool) -> Result<Vec<u8>, FormatError>,
    },
}

/// A file that may accompany the input, and how to find it.
#[derive(Clone, Copy, Debug)]
pub struct Companion {
    /// Its role. A file of this role in the request takes precedence; for [`FileRole::Library`], so do
    /// textures.
    pub role: FileRole,
    /// How to find it.
    pub search: Search,
}

/// How to find a companion in the folder of the input.
#[derive(Clone, Copy, Debug)]
pub enum Search {
    /// The file with the input's name and this extension, if it has this format. Not used for members.
    Extension(&'static str, &'static Descriptor),
    /// All files with one of these names, ignoring case. `*` is the input's name without extension. If the
    /// request has a texture folder, all of its files instead.
    Names(&'static [&'static str]),
}

/// A handle to a format. Equal handles have equal names.
#[derive(Clone, Copy)]
pub struct Format(&'static Descriptor);

impl Format {
    /// Returns its short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns its descriptor.
    #[must_use]
    pub const fn descriptor(self) -> &'static Descriptor {
        self.0
    }

    /// Returns whether the format is a container of members that can be opened like files.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self.0.members, Members::Slices { .. })
    }

    /// Reads the members of a container.
    ///
    /// # Errors
    /// [`Problem::NoContainer`] for other formats, and errors of the container's table.
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

/// Everything a format needs to open a file.
#[derive(Clone, Debug)]
pub struct OpenContext<'a> {
    /// The bytes to open: a whole file, or a member of a container.
    pub slice: FileSlice<'a>,
    /// The members of the container that holds the slice, including the slice itself.
    pub siblings: NamedMembers<'a>,
    /// That container.
    pub container: Option<FileSlice<'a>>,
    /// The rest of the path to a member, for formats that resolve it themselves.
    pub part: Option<String>,
    /// Whether the request names a member rather than the whole file.
    pub is_member: bool,
    /// Files that accompany the input.
    pub companions: Companions<'a>,
    /// Options for reading it.
    pub options: OpenOptions<'a>,
    /// All known formats, in the order in which they are tried.
    pub formats: &'a [Format],
}

impl OpenContext<'_> {
    /// Recognises the format of bytes by their content.
    #[must_use]
    pub fn sniff(&self, bytes: &[u8]) -> Option<Format> {
        sniff(self.formats, bytes)
    }

    /// Returns whether bytes are recognised as a format.
    #[must_use]
    pub fn is(&self, bytes: &[u8], format: &'static Descriptor) -> bool {
        self.sniff(bytes) == Some(format.format())
    }
}

/// Files that accompany the input, by role.
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
    /// Files with named materials and textures; a model uses those that it names.
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
}

/// The result of opening a file.
#[derive(Debug)]
pub struct Contents {
    /// Members of a container; empty for other formats.
    pub members: Vec<Member>,
    /// Named counts of a container as a whole, or only of the requested member. Empty for other formats.
    pub counts: Vec<(String, u64)>,
    /// Its content.
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
    /// Its name in the container.
    pub name: Option<String>,
    /// Its type according to the container.
    pub kind: Option<String>,
    /// Its format; `None` for empty and unrecognised members.
    pub format: Option<Format>,
    /// Offset of its first byte in the file.
    pub offset: u64,
    /// Its length in bytes; 0 for empty entries.
    pub length: u64,
}
