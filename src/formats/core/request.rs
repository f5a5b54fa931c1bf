//! The request to open a file.

use super::descriptor::Format;
use super::files::{FileProvider, NoFiles};
use super::options::{ParseOptions, Selection};
use super::slice::File;
use crate::ge::limits::Limits;

/// Says which file to open, which files belong to it, and how to read them.
///
/// ```
/// use pspge::{Limit, Limits, Request};
///
/// // Allow only 1000 commands.
/// let limits = Limits::default().with(Limit::Commands, 1000);
/// let request = Request { limits, ..Request::new("list.ge", b"FINISH | END") };
/// assert!(pspge::open_with(&request).is_ok());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The file to open.
    pub input: File<'a>,
    /// A member to open if the file is a container: its number, its name, or a format's name for the first member in
    /// that format. `/` or `#` lead into containers within containers. In an archive, a file's name comes first; its
    /// folders may be left out if no other file has this name.
    pub member: Option<&'a str>,
    /// Forces this format; `None` recognises it.
    pub format: Option<Format>,
    /// A file with textures, or a container with such a file.
    pub textures: Option<File<'a>>,
    /// A folder to search for textures, instead of such a file.
    pub texture_folder: Option<&'a dyn FileProvider>,
    /// A file with a skeleton, or a container with such a file.
    pub skeleton: Option<File<'a>>,
    /// A model's second file, with its mesh data.
    pub mesh_data: Option<File<'a>>,
    /// A file with animations, or a container with such a file.
    pub animations: Option<File<'a>>,
    /// Files with named materials and textures. The model picks those it needs; the others do no harm.
    pub library: &'a [File<'a>],
    /// The input's folder, to look for missing companions.
    pub files: &'a dyn FileProvider,
    /// Which alternatives of the model to draw.
    pub selection: Selection,
    /// Parse options to apply, for formats whose documents disagree.
    pub parse_options: ParseOptions<'a>,
    /// Opens a container for all its textures rather than for the model, if the format tells them apart.
    pub all_textures: bool,
    /// Bounds for unpacking.
    pub limits: Limits,
}

impl<'a> Request<'a> {
    /// Opens `bytes` by their content, without other files.
    #[must_use]
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self {
            input: File { name, bytes },
            member: None,
            format: None,
            textures: None,
            texture_folder: None,
            skeleton: None,
            mesh_data: None,
            animations: None,
            library: &[],
            files: &NoFiles,
            selection: Selection::default(),
            parse_options: ParseOptions::default(),
            all_textures: false,
            limits: Limits::default(),
        }
    }
}
