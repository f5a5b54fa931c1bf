//! Requests to open a file: the file, its companions, and the options.

use super::descriptor::Format;
use super::files::{FileProvider, NoFiles};
use super::options::{ParseOptions, Selection};
use super::slice::File;
use crate::ge::limits::Limits;

/// A request to open a file.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The file to open.
    pub input: File<'a>,
    /// A member of a container: its number or name, or the name of a format for the first member
    /// of that format. `/` or `#` separate the levels of nested containers.
    pub member: Option<&'a str>,
    /// The format; `None` to recognise it by content.
    pub format: Option<Format>,
    /// A file with textures, or a container that holds one.
    pub textures: Option<File<'a>>,
    /// A folder with textures, instead of a file.
    pub texture_folder: Option<&'a dyn FileProvider>,
    /// A file with a skeleton, or a container that holds one.
    pub skeleton: Option<File<'a>>,
    /// The second file of a model, with its mesh data.
    pub mesh_data: Option<File<'a>>,
    /// A file with animations, or a container that holds one.
    pub animations: Option<File<'a>>,
    /// Files with named materials and textures. A model uses those that it names and ignores the others.
    pub library: &'a [File<'a>],
    /// The files in the input's folder, for finding companions that are not given.
    pub files: &'a dyn FileProvider,
    /// The selection among a model's alternatives.
    pub selection: Selection,
    /// Choices of how to read fields on which a format's documents disagree.
    pub parse_options: ParseOptions<'a>,
    /// Whether to open all textures of a container instead of its model, for formats that distinguish
    /// them.
    pub all_textures: bool,
    /// Limits on the size of unpacked data.
    pub limits: Limits,
}

impl<'a> Request<'a> {
    /// Creates a request that recognises `bytes` by content and uses no other file.
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
