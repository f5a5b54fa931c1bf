//! The content of an input.

use pspge::Asset;
use pspge::asm::Program;
use pspge::formats::{CompanionFile, Content, Format, Member, Opened};
use pspge::model::FileNote;

/// A recognised input.
#[derive(Debug)]
pub(crate) enum Input {
    /// A file of one of the library's formats.
    File {
        /// The format.
        format: Format,
        /// Members of a container; empty for other formats.
        members: Vec<Member>,
        /// Counts of a container as a whole.
        counts: Box<[(String, u64)]>,
        /// The files that were read with it.
        companions: Box<[CompanionFile]>,
        /// Its content.
        content: Content,
    },
    /// A display list on its own.
    Program {
        /// The list and its data.
        program: Program,
        /// The name of its format: `ge` or `list`.
        format: &'static str,
    },
}

impl Input {
    /// Returns the name of the input's format.
    pub(crate) const fn format_name(&self) -> &'static str {
        match self {
            Self::File { format, .. } => format.name(),
            Self::Program { format, .. } => format,
        }
    }

    /// Returns whether the input holds a display list or a model.
    pub(crate) const fn is_drawable(&self) -> bool {
        match self {
            Self::Program { .. } => true,
            Self::File { content, .. } => matches!(content, Content::Model(_) | Content::Frame { .. }),
        }
    }

    /// Returns the input for the library. `name` is the one that its errors and traces show.
    pub(crate) fn into_asset(self, name: &str) -> Asset {
        match self {
            Self::File { format, members, counts, companions, content } => {
                let (counts, companions) = (counts.into_vec(), companions.into_vec());
                Asset::from_opened(name, Opened { format, members, counts, companions, content })
            }
            Self::Program { program, .. } => Asset::from_program(name, program),
        }
    }

    /// Returns the input's kind in words, for messages.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Program { .. } => "a display list",
            Self::File { content, .. } => content.kind(),
        }
    }

    /// Returns the notes on the file.
    pub(crate) fn notes(&self) -> &[FileNote] {
        match self {
            Self::File { content, .. } => content.notes(),
            Self::Program { .. } => &[],
        }
    }
}
