//! Declares a format, and gives it the context to open a file.
//!
//! Recognition, the list of formats, companion search, parse options and help texts all read descriptors, so that
//! adding a format takes one [`Descriptor`] and one line in a [`super::registry::Registry`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{Hash, Hasher};

use super::content::Content;
use super::cursor::View;
use super::error::{FileRole, FormatError};
use super::geometry::{GeometryError, NewSurface, WrittenModel};
use super::members::archived_files::OpenArchive;
use super::options::{OpenOptions, ParseOption};
use super::problem::{Problem, Refusal};
use super::slice::{File, FileSlice, NamedMembers, NamedView, NamedViews};
use crate::ge::limits::Limits;

/// Declares a format: how to recognise its files and how to open them.
#[derive(Debug)]
pub struct Descriptor {
    /// The name users type; unique, in lower case.
    pub name: &'static str,
    /// Full name with its origin, in a few words.
    pub title: &'static str,
    /// Describes its files in one sentence.
    pub about: &'static str,
    /// Recognises a file in this format by its bytes.
    pub sniff: fn(&[u8]) -> bool,
    /// The bytes every file begins with; empty if the format has no magic.
    pub magic: &'static [u8],
    /// Explains why bytes are no such file although they begin like one, for example because their table is cut off.
    /// Called only if no format recognises them. Leave it out if the magic suffices.
    pub looks_like: fn(View<'_>) -> Option<FormatError>,
    /// How to find members in its files.
    pub members: Members,
    /// Help on naming members, in one sentence; empty if numbers and format names suffice.
    pub member_help: &'static str,
    /// Companion files to look for.
    pub companions: &'static [Companion],
    /// The role its files play for others, if any.
    pub serves_as: Option<FileRole>,
    /// Parse options this format knows.
    pub options: &'static [ParseOption],
    /// Problems that refuse a file, with the reasons.
    pub refusals: &'static [Refusal],
    /// How to change packed parts of its files, if textures are in some.
    pub packing: Option<Packing>,
    /// How to write other geometry into its models, if that is possible.
    pub geometry: Option<WriteGeometry>,
    /// How to replace a member of its files, if that is possible.
    pub replace_member: Option<ReplaceMember>,
    /// Whether its files hold something to draw. The members of a container do not count.
    pub is_drawable: bool,
    /// Opens a file, or a member of a container, as this format.
    pub open: for<'a, 'c> fn(&'c OpenContext<'a>) -> Result<Contents, FormatError>,
}

impl Descriptor {
    /// Creates a descriptor that recognises no file, as a base for struct update syntax.
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
            packing: None,
            geometry: None,
            replace_member: None,
            is_drawable: false,
            open: |context| Err(context.slice.error(Problem::Unknown)),
        }
    }

    /// Returns a handle to this format.
    #[must_use]
    pub const fn format(&'static self) -> Format {
        Format(self)
    }
}

/// Contents for parts of a file, by the offsets at which they start.
pub type Parts = BTreeMap<u64, Vec<u8>>;

/// Unpacks parts of a file, and packs them again after changes.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    /// Unpacks the parts that start at these offsets.
    pub unpack: fn(View<'_>, &BTreeSet<u64>) -> Result<Parts, FormatError>,
    /// Returns the file with new contents for the parts at these offsets. All others keep their bytes, but may move.
    pub replace: fn(View<'_>, &Parts) -> Result<Vec<u8>, FormatError>,
}

/// Writes new geometry into a model, whose lists and vertices may be in a second file.
pub(crate) type WriteGeometry =
    fn(View<'_>, Option<View<'_>>, &[NewSurface]) -> Result<WrittenModel, GeometryError>;

/// Replaces a member by its number, and returns the container. Other members keep their bytes, but may move.
pub(crate) type ReplaceMember = fn(View<'_>, usize, &[u8]) -> Result<Vec<u8>, FormatError>;

/// How to find members in a file.
#[derive(Clone, Copy, Debug)]
pub enum Members {
    /// There are none.
    None,
    /// They are slices of its bytes, and open like files.
    Slices {
        /// Reads the container's table.
        read: for<'a> fn(View<'a>) -> Result<NamedViews<'a>, FormatError>,
        /// Counts members without reading the table. Only containers that can do this are searched for a companion,
        /// also within each other, because the search must know its cost in advance.
        count: Option<fn(View<'_>) -> Result<u64, FormatError>>,
    },
    /// The format names parts itself: [`OpenContext::part`].
    Parts {
        /// Lists the parts, within limits. Each has a name.
        list: ListParts,
    },
    /// They are packed, and open like files in folders: with those next to them as companions.
    Archived {
        /// Reads the list of files.
        open: OpenArchive,
    },
}

/// Lists members for a format that names them itself, within limits.
pub(crate) type ListParts = fn(View<'_>, &Limits) -> Result<Vec<Member>, FormatError>;

/// A file that may come with the input.
#[derive(Clone, Copy, Debug)]
pub struct Companion {
    /// Its purpose. A given file for this role takes precedence; [`FileRole::Library`] files come from the texture
    /// folder.
    pub role: FileRole,
    /// Where to look for it.
    pub search: Search,
}

/// Where to look for a companion in the input's folder.
#[derive(Clone, Copy, Debug)]
pub enum Search {
    /// The file with the input's name and this extension, if it has this format. Only for whole files, not for
    /// members.
    Extension(&'static str, &'static Descriptor),
    /// All files with these names, ignoring case; `*` stands for the input's name without extension. A given texture
    /// folder replaces them with all its files.
    Names(&'static [&'static str]),
    /// All files with the names that the input itself lists, ignoring case. A given texture folder replaces them
    /// with all its files.
    Listed(NameList),
    /// The first file in this format with a name derived from the input's, ignoring case. Also for members.
    Derived(NameRule, &'static Descriptor),
    /// Nowhere: the user has to name it. Also applies to texture files.
    Given(&'static str),
}

/// Lists the companion names found in the input.
#[derive(Clone, Copy, Debug)]
pub struct NameList {
    /// Returns the names for the input's bytes, without folders. Damaged bytes give none.
    pub names: fn(&[u8]) -> Vec<String>,
    /// The names in a few words, for help.
    pub help: &'static str,
}

/// Derives a companion's name from the input's.
#[derive(Clone, Copy, Debug)]
pub struct NameRule {
    /// Returns possible names, likeliest first, for the input's name without folders.
    pub names: fn(&str) -> Vec<String>,
    /// The rule in a few words, for help.
    pub help: &'static str,
}

/// A handle to a format. Handles are equal if the names are.
///
/// ```
/// let format = pspge::Format::from_name("ppdmp").expect("a known format");
/// assert_eq!(format.name(), "ppdmp");
/// for format in pspge::Format::all() {
///     println!("{format}");
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Format(&'static Descriptor);

impl Format {
    /// Returns the name users type.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the format's declaration.
    #[must_use]
    pub const fn descriptor(self) -> &'static Descriptor {
        self.0
    }

    /// Checks whether its members are slices of its bytes.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self.0.members, Members::Slices { .. })
    }

    /// Reads a container's members.
    ///
    /// # Errors
    /// [`Problem::NoContainer`] if this format is no container, and errors in the container's table.
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

/// Finds the first format that recognises `bytes`.
#[must_use]
pub fn sniff(formats: &[Format], bytes: &[u8]) -> Option<Format> {
    formats.iter().copied().find(|format| (format.descriptor().sniff)(bytes))
}

/// Gives a format the file to open, and everything around it.
#[derive(Clone, Debug)]
pub struct OpenContext<'a> {
    /// The bytes to open: a whole file, or a container member.
    pub slice: FileSlice<'a>,
    /// Members in the same container, itself included.
    pub siblings: NamedMembers<'a>,
    /// The container it is in.
    pub container: Option<FileSlice<'a>>,
    /// Rest of the path to a member, for formats that name their own parts.
    pub part: Option<String>,
    /// Files to use with the input.
    pub companions: Companions<'a>,
    /// How to read this file.
    pub options: OpenOptions<'a>,
    /// All known formats, in the order in which they are tried.
    pub formats: &'a [Format],
}

impl OpenContext<'_> {
    /// Recognises a format by its content.
    #[must_use]
    pub fn sniff(&self, bytes: &[u8]) -> Option<Format> {
        sniff(self.formats, bytes)
    }

    /// Checks whether `bytes` have this format.
    #[must_use]
    pub fn is(&self, bytes: &[u8], format: &'static Descriptor) -> bool {
        self.sniff(bytes) == Some(format.format())
    }
}

/// Files to use with the input, by role.
#[derive(Clone, Debug, Default)]
pub struct Companions<'a> {
    /// A file with textures, or a container with such a file.
    pub textures: Option<File<'a>>,
    /// A file with a skeleton, or a container with such a file.
    pub skeleton: Option<File<'a>>,
    /// A model's second file, with its mesh data.
    pub mesh_data: Option<File<'a>>,
    /// A file with animations, or a container with such a file.
    pub animations: Option<File<'a>>,
    /// Files with named materials and textures, for the model to pick from.
    pub library: Vec<File<'a>>,
}

impl<'a> Companions<'a> {
    /// Looks up the file for a role.
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

    /// Iterates over all files with their roles.
    pub fn iter(&self) -> impl Iterator<Item = (FileRole, File<'a>)> {
        let roles = [FileRole::Textures, FileRole::Skeleton, FileRole::MeshData, FileRole::Animations];
        let library = (0..self.library.len()).map(FileRole::Library);
        roles.into_iter().chain(library).filter_map(|role| Some((role, self.get(role)?)))
    }
}

/// A file available to the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanionFile {
    /// The role it plays for the input.
    pub role: FileRole,
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Set if the user named it; otherwise it was found in the input's folder or the texture folder.
    pub is_given: bool,
}

/// The result from opening a file as a format.
#[derive(Debug)]
pub struct Contents {
    /// Members, if the file is a container.
    pub members: Vec<Member>,
    /// Totals for a container or an animation file, or for the member if the request asks for it, under the names
    /// its documents use. Empty for other formats.
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
///
/// ```
/// let asset = pspge::open("list.ge", b"FINISH | END")?;
/// for member in asset.members() {
///     let member: &pspge::Member = member;
///     println!("{} at 0x{:x}", member.index, member.offset);
/// }
/// # Ok::<(), pspge::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// This member's number.
    pub index: usize,
    /// Its name, if the container gives one.
    pub name: Option<String>,
    /// Its kind, as stated by the container.
    pub kind: Option<String>,
    /// Its format; `None` if it is empty or was not recognised.
    pub format: Option<Format>,
    /// Whether it holds something to draw. For an inner container, its own members do not count.
    pub is_drawable: bool,
    /// Where it starts in the file, in bytes.
    pub offset: u64,
    /// Its length in bytes; 0 for empty entries.
    pub length: u64,
}
