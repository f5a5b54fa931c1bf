//! What to open, with what, how to read it, and which of a model's alternatives.

use super::Format;
use crate::ge::limits::Limits;

/// A file's bytes and the name under which [`crate::ge::capture::Source`] mentions them.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The name.
    pub name: &'a str,
    /// All bytes of the file.
    pub bytes: &'a [u8],
}

/// What to open, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The file to open.
    pub input: File<'a>,
    /// A member of the file, where it is a container: a number, or the name of a format for the first member of
    /// that format; `/` or `#` lead into containers within containers.
    pub member: Option<&'a str>,
    /// The format to read it as; `None` to recognise it.
    pub format: Option<Format>,
    /// A file with textures, or a container that holds one.
    pub textures: Option<File<'a>>,
    /// A file with a skeleton, or a container that holds one.
    pub skeleton: Option<File<'a>>,
    /// The second file of a model, with its mesh data.
    pub mesh_data: Option<File<'a>>,
    /// A file with animations, or a container that holds one.
    pub animations: Option<File<'a>>,
    /// Files around the input that hold materials and textures by name: those that belong to a model are found in
    /// them, and the others do no harm.
    pub library: &'a [File<'a>],
    /// Which of a model's alternatives to draw.
    pub selection: Selection,
    /// Which reading to follow where documents disagree.
    pub readings: Readings,
    /// Open a container for all textures in it rather than for the model, where the format tells them apart.
    pub all_textures: bool,
    /// How much the file may unpack to.
    pub limits: Limits,
}

/// Other readings of a format than the usual ones, for files that show them to be right. All are off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// Parkan: quaternions rotate as they do everywhere else, instead of as the game's program was found to do.
    pub standard_rotation: bool,
    /// Parkan: texels of 32 bits hold blue, green, red and alpha, as Direct3D has them, instead of alpha, red, green
    /// and blue.
    pub direct3d_texels: bool,
    /// Parkan: the four bytes that some models have for each vertex (type 18) are colours.
    pub vertex_colors: bool,
    /// Birth by Sleep: three angles turn around z first, then y and x, instead of around x first.
    pub z_turns_first: bool,
    /// Birth by Sleep: the front of a face is where its corners turn clockwise.
    pub clockwise_front: bool,
}

/// Which of a model's alternatives to draw, where its format has some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Level of detail; 0 is the finest. Levels that a part lacks give its coarsest.
    pub level_of_detail: usize,
    /// Group of alternative parts, such as intact and damaged.
    pub group: usize,
    /// Draw what the model hides, too.
    pub hidden: bool,
}

impl<'a> Request<'a> {
    /// Opens `bytes` for what they are, with nothing else.
    #[must_use]
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        let selection = Selection { level_of_detail: 0, group: 0, hidden: false };
        Self {
            input: File { name, bytes },
            member: None,
            format: None,
            textures: None,
            skeleton: None,
            mesh_data: None,
            animations: None,
            library: &[],
            selection,
            readings: Readings {
                standard_rotation: false,
                direct3d_texels: false,
                vertex_colors: false,
                z_turns_first: false,
                clockwise_front: false,
            },
            all_textures: false,
            limits: Limits::default(),
        }
    }
}
