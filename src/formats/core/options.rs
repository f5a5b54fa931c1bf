//! Choices of how to read a file: parse options, and alternatives of a model.

use crate::ge::limits::Limits;

/// A way to read a field on which a format's documents disagree, or that is only guessed. Off unless chosen, for files
/// that show it to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseOption {
    /// The name by which users choose it. Formats that share an option declare it with the same text.
    pub name: &'static str,
    /// Its effect, in one line.
    pub about: &'static str,
}

/// The parse options that were chosen, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions<'a>(&'a [&'a str]);

impl<'a> ParseOptions<'a> {
    /// Chooses the options of these names.
    #[must_use]
    pub const fn new(names: &'a [&'a str]) -> Self {
        Self(names)
    }

    /// Returns whether an option was chosen.
    #[must_use]
    pub fn has(self, option: ParseOption) -> bool {
        self.0.contains(&option.name)
    }

    /// Returns the names of the chosen options.
    #[must_use]
    pub const fn names(self) -> &'a [&'a str] {
        self.0
    }
}

/// Which of a model's alternatives to draw. [`Model::alternatives`](crate::model::Model::alternatives) lists those that it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Level of detail; 0 is the finest. Of a model without this level, the next finer one is drawn.
    pub level_of_detail: usize,
    /// Group of alternative parts, such as intact and damaged. Of a model without this group, group 0 is drawn.
    pub group: usize,
    /// Draw also the parts that the model hides. Has no effect if it hides none.
    pub hidden: bool,
}

/// How a format is to read a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions<'a> {
    /// Which of a model's alternatives to draw.
    pub selection: Selection,
    /// The parse options that were chosen.
    pub parse: ParseOptions<'a>,
    /// Open a container for all textures in it rather than for the model, if the format tells them apart.
    pub all_textures: bool,
    /// How much the file may unpack to.
    pub limits: Limits,
}
