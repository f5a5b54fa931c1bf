//! The request to open a file.

use super::descriptor::Format;
use super::files::{FileProvider, NoFiles};
use super::options::{ParseOptions, Selection};
use super::slice::File;
use crate::ge::limits::Limits;

/// A file to open, the files that belong to it, and how to read them.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The file to open.
    pub input: File<'a>,
    /// A member of the file, if it is a container: a number, or the name of a format for the first member of
    /// that format; `/` or `#` lead into containers within containers.
    pub member: Option<&'a str>,
    /// The format to read it as; `None` to recognise it.
    pub format: Option<Format>,
    /// A file with textures, or a container that holds one.
    pub textures: Option<File<'a>>,
    /// A folder with textures, instead of such a file.
    pub texture_folder: Option<&'a dyn FileProvider>,
    /// A file with a skeleton, or a container that holds one.
    pub skeleton: Option<File<'a>>,
    /// The second file of a model, with its mesh data.
    pub mesh_data: Option<File<'a>>,
    /// A file with animations, or a container that holds one.
    pub animations: Option<File<'a>>,
    /// Files that hold materials and textures by name: those that belong to a model are found in them, and the others
    /// do no harm.
    pub library: &'a [File<'a>],
    /// The files in the input's folder, in which companions that are not given are looked for.
    pub files: &'a dyn FileProvider,
    /// Which of a model's alternatives to draw.
    pub selection: Selection,
    /// Choices on which a format's documents disagree.
    pub parse_options: ParseOptions<'a>,
    /// Open a container for all textures in it rather than for the model, if the format tells them apart.
    pub all_textures: bool,
    /// How much the file may unpack to.
    pub limits: Limits,
}

impl<'a> Request<'a> {
    /// Opens `bytes` by their content, without any other file.
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
