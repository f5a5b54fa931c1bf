//! File formats: recognises a file by its content and makes the content ready to draw.
//!
//! All formats share the code in [`core`]. Each format is a folder, or a file in its game's folder, and declares
//! itself in a [`Descriptor`]. To add a format, list its descriptor in `STANDARD`: there is no other list.
//! [`Registry::standard`] holds them all, and [the reference](crate::reference::formats) describes their files.
//!
//! # Invariants
//! This module does not access the file system: input is bytes, and other files come through a [`FileProvider`].
//! Hostile bytes lead to a located [`FormatError`], never to a panic or to disproportionate work and memory.
//!
//! ```
//! use pspge::formats::{self, Format, Registry};
//!
//! assert_eq!(formats::sniff(b"PPSSPPGE\x06\x00\x00\x00").map(Format::name), Some("ppdmp"));
//! assert_eq!(Registry::standard().sniff(b"dear diary"), None);
//! ```

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

#[doc(hidden)]
pub mod bbs;
#[doc(hidden)]
pub mod core;
#[doc(hidden)]
pub mod mml2;
#[doc(hidden)]
pub mod monster_hunter;
#[doc(hidden)]
pub mod parkan;
#[doc(hidden)]
pub mod pmdl;
pub mod ppdmp;
#[doc(hidden)]
pub mod psp_sdk;
#[doc(hidden)]
pub mod zip;

#[doc(inline)]
pub use self::core::{cursor, loader, state_writer};

pub use self::core::content::{Content, Recording};
pub use self::core::descriptor::{
    Companion, CompanionFile, Contents, Descriptor, Format, Member, Members, NameList, NameRule, OpenContext,
    Search,
};
pub use self::core::error::{FileRole, FormatError};
pub use self::core::files::{FileError, FileProvider, NoFiles, ProvidedFile};
pub use self::core::members::listing::ListedMember;
pub use self::core::open::{Opened, open_with};
pub use self::core::options::{ParseOption, ParseOptions, Selection};
pub use self::core::problem::{FormatProblem, Problem, Refusal};
pub use self::core::registry::Registry;
pub use self::core::request::Request;
pub use self::core::slice::File;
#[doc(hidden)]
pub use self::core::{
    drawables::DrawableMember, members::listing::holds_members, members::together::Together,
    open::takes_companion, problem::SHARED_REFUSALS, suggest::Choices, text::decode_name,
};

/// All formats, in the order to try them: most formats with a magic first, and formats recognised by plausible
/// contents last, because these could also match files in other formats.
static STANDARD: [&Descriptor; 24] = [
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
    &psp_sdk::GIM,
    &psp_sdk::GMO,
    &psp_sdk::RCO,
    &psp_sdk::PTF,
    &psp_sdk::AMD,
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
    /// Creates a registry with this library's formats.
    #[must_use]
    pub fn standard() -> Self {
        Self::new(&STANDARD)
    }
}

impl Format {
    /// Iterates over this library's formats, in the order to try them.
    pub fn all() -> impl Iterator<Item = Self> {
        STANDARD.iter().map(|descriptor| descriptor.format())
    }

    /// Finds a format by name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name() == name)
    }
}

/// Recognises a file's format by its content; `None` if it is unknown.
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    Registry::standard().sniff(bytes)
}

/// Opens a file in any of this library's formats.
///
/// # Errors
/// Returns a located error if the format is unknown or the contents are invalid.
pub fn open(request: &Request<'_>) -> Result<Opened, FormatError> {
    open_with(&Registry::standard(), request)
}

/// Lists the drawable members in a container, even from containers inside it.
///
/// # Errors
/// Returns a located error if the file is no container, or if the container or the path to it is invalid.
#[doc(hidden)]
pub fn drawable_members(request: &Request<'_>) -> Result<Vec<DrawableMember>, FormatError> {
    core::drawables::drawable_members(&Registry::standard(), request)
}

/// Lists all members of the container that a request leads to, one level deep. Other content has none.
///
/// # Errors
/// Returns a located error if the container or the path to it is invalid.
pub fn list_members(request: &Request<'_>) -> Result<Vec<ListedMember>, FormatError> {
    core::members::listing::list_members(&Registry::standard(), request)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "tests may panic")]
mod tests;
