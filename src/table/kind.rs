//! The tables, their names and their metadata.

use std::fmt;

/// Name and version for the schema of all tables. A new column keeps the version. Raise it if a column disappears, or
/// changes its type or meaning, because stored queries would then fail or mislead.
pub const SCHEMA: &str = "pspge.table/1";

/// Metadata key for [`SCHEMA`].
pub(super) const METADATA_SCHEMA: &str = "pspge.schema";
/// Metadata key for the table's name.
pub(super) const METADATA_TABLE: &str = "pspge.table";

/// A table that [`write()`](super::write()) can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// A row for each input: figures, result and notes.
    Frames,
    /// A row for each draw, with the state at it.
    Draws,
    /// A row for each executed command.
    Commands,
    /// A row for each distinct texture used by a frame's draws.
    Textures,
    /// A row for each vertex in each draw.
    Vertices,
    /// A row for each pixel in the final picture.
    Pixels,
}

impl Table {
    /// All tables.
    pub const ALL: [Self; 6] =
        [Self::Frames, Self::Draws, Self::Commands, Self::Textures, Self::Vertices, Self::Pixels];

    /// Returns this table's name, which is also the stem of its file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Draws => "draws",
            Self::Commands => "commands",
            Self::Textures => "textures",
            Self::Vertices => "vertices",
            Self::Pixels => "pixels",
        }
    }

    /// Finds a table by its name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name() == name)
    }

    /// Returns a sentence on this table's rows, for help texts and the reference page.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Frames => "One row for each input, also for those that failed: figures, result and notes.",
            Self::Draws => "One row for each draw: its vertices, its results, and the state at it.",
            Self::Commands => "One row for each executed command.",
            Self::Textures => {
                "One row for each distinct texture that the draws of a frame use, with each palette."
            }
            Self::Vertices => {
                "One row for each vertex of each draw, as `pspge decode` prints them: vertices that a draw uses \
                 several times appear once, in the order of their index."
            }
            Self::Pixels => "One row for each pixel of the picture at the end of the run, row by row.",
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for table in Table::ALL {
            assert_eq!(Table::from_name(table.name()), Some(table), "{table}");
        }
        assert_eq!(Table::from_name("Frames"), None, "names are in lower case");
    }
}
