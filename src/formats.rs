//! File formats: recognises a file by its content and makes the content ready to draw.
//!
//! [`core`] holds the code that all formats share. Each format is a folder, or a file in the folder of its
//! game, and declares itself in a [`Descriptor`]; `STANDARD` is the only list of formats.
//!
//! # Invariants
//! This module does not access the file system: input is bytes, and other files come through a
//! [`FileProvider`]. Hostile bytes lead to a located [`FormatError`], never to a panic or to disproportionate
//! work and memory.
//!
//! ```
//! use pspge::formats::{self, Format, Registry};
//!
//! assert_eq!(formats::sniff(b"PPSSPPGE\x06\x00\x00\x00").map(Format::name), Some("ppdmp"));
//! assert_eq!(Registry::standard().sniff(b"dear diary"), None);
//! ```

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

pub mod bbs;
pub mod core;
pub mod mml2;
pub mod monster_hunter;
pub mod parkan;
pub mod pmdl;
pub mod ppdmp;
pub mod zip;

pub use self::core::content::{Content, Recording};
pub use self::core::descriptor::{
    Companion, CompanionFile, Contents, Descriptor, Format, Member, Members, NameRule, OpenContext, Search,
};
pub use self::core::drawables::DrawableMember;
pub use self::core::error::{FileRole, FormatError};
pub use self::core::files::{FileError, FileProvider, NoFiles, ProvidedFile};
pub use self::core::open::{Opened, open_with, takes_companion};
pub use self::core::options::{ParseOption, ParseOptions, Selection};
pub use self::core::problem::{FormatProblem, Problem, Refusal, SHARED_REFUSALS};
pub use self::core::registry::Registry;
pub use self::core::request::Request;
pub use self::core::slice::File;
pub use self::core::suggest::Choices;
pub use self::core::together::Together;

/// All formats, in the order in which they are tried: most formats with a magic first, formats recognised by
/// plausible contents last.
static STANDARD: [&Descriptor; 19] = [
    &ppdmp::FORMAT,
    &zip::FORMAT,
    &monster_hunter::PMO,
    &pmdl::FORMAT,
    &monster_hunter::TMH,
    &bbs::PMO,
    &bbs::PMP,
    &bbs::TIM2,
    &bbs::BON,
    &bbs::PAM,
    &bbs::ARC,
    &mml2::FORMAT,
    &monster_hunter::AHI,
    &parkan::MSH,
    &parkan::NRES,
    &parkan::TEXM,
    &monster_hunter::ANIMATIONS,
    &monster_hunter::PAC,
    &monster_hunter::MESH,
];

impl Registry {
    /// Returns the formats of this library.
    #[must_use]
    pub fn standard() -> Self {
        Self::new(&STANDARD)
    }
}

impl Format {
    /// Returns the formats of this library, in the order in which they are tried.
    pub fn all() -> impl Iterator<Item = Self> {
        STANDARD.iter().map(|descriptor| descriptor.format())
    }

    /// Returns the format with the given name, if it exists.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name() == name)
    }
}

/// Returns the format of a file, recognised by its content; `None` if it is unknown.
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    Registry::standard().sniff(bytes)
}

/// Opens a file in any format of this library.
///
/// # Errors
/// Returns a located error if the format is unknown or the contents are invalid.
pub fn open(request: &Request<'_>) -> Result<Opened, FormatError> {
    open_with(&Registry::standard(), request)
}

/// Lists the members of a container that can be drawn, also those of containers in it.
///
/// # Errors
/// Returns a located error if the file is no container, or if the container or the path to it is invalid.
pub fn drawable_members(request: &Request<'_>) -> Result<Vec<DrawableMember>, FormatError> {
    core::drawables::drawable_members(&Registry::standard(), request)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "tests may panic")]
mod tests;
