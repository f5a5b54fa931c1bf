//! Choices for reading a file: parse options, and the alternatives of a model.

use crate::ge::limits::Limits;

/// Another way to read a field, because a format's documents disagree on it or it is only guessed. Off by default;
/// turn it on for files that prove it right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseOption {
    /// The name users type. Formats that share an option declare it with the same text.
    pub name: &'static str,
    /// Its effect, in one line.
    pub about: &'static str,
}

/// The parse options to use, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions<'a>(&'a [&'a str]);

impl<'a> ParseOptions<'a> {
    /// Chooses options by name.
    #[must_use]
    pub const fn new(names: &'a [&'a str]) -> Self {
        Self(names)
    }

    /// Checks whether an option was chosen.
    #[must_use]
    pub fn has(self, option: ParseOption) -> bool {
        self.0.contains(&option.name)
    }

    /// Lists the chosen names.
    #[must_use]
    pub const fn names(self) -> &'a [&'a str] {
        self.0
    }
}

/// Which of a model's alternatives to draw. [`Model::alternatives`](crate::model::Model::alternatives) lists them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Level of detail; 0 is the finest. If the model lacks this level, the next finer level is drawn.
    pub level_of_detail: usize,
    /// Group of alternative parts, such as intact and damaged. If the model lacks this group, group 0 is drawn.
    pub group: usize,
    /// Also draws parts hidden by the model. Has no effect if it hides none.
    pub hidden: bool,
}

/// Tells a format how to read a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions<'a> {
    /// Which alternatives to draw.
    pub selection: Selection,
    /// The parse options to use.
    pub parse: ParseOptions<'a>,
    /// Opens a container for all its textures rather than for the model, if the format tells them apart.
    pub all_textures: bool,
    /// Bounds for unpacking.
    pub limits: Limits,
}
