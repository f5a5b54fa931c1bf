//! Options for reading a file: the selection among a model's alternatives, and parse options.

use crate::ge::limits::Limits;

/// A choice of how to read a field on which a format's documents disagree or which is only inferred. Off by
/// default; for files that show that the default is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseOption {
    /// Name for users. Formats that share an option declare it with the same text.
    pub name: &'static str,
    /// One line on its effect.
    pub about: &'static str,
}

/// The chosen parse options, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions<'a>(&'a [&'a str]);

impl<'a> ParseOptions<'a> {
    /// Returns the options of these names.
    #[must_use]
    pub const fn new(names: &'a [&'a str]) -> Self {
        Self(names)
    }

    /// Returns whether an option is chosen.
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

/// The selection among a model's alternatives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Level of detail; 0 is the finest. Parts without that level use their coarsest.
    pub level_of_detail: usize,
    /// Group of alternative parts, such as intact and damaged.
    pub group: usize,
    /// Whether to draw the parts that the model hides, too.
    pub hidden: bool,
}

/// Options with which a format reads a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions<'a> {
    /// The selection among a model's alternatives.
    pub selection: Selection,
    /// The chosen parse options.
    pub parse: ParseOptions<'a>,
    /// Whether to open all textures of a container instead of its model, for formats that distinguish
    /// them.
    pub all_textures: bool,
    /// Limits on the size of unpacked data.
    pub limits: Limits,
}
