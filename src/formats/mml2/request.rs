//! Requests to open an archive.

use crate::formats::core::cursor::View;
use crate::formats::core::options::Selection;
use crate::ge::limits::Limits;

/// An archive to open, and its companions.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArchiveRequest<'a> {
    pub(super) file: View<'a>,
    /// The member to open, by name.
    pub(super) part: Option<&'a str>,
    pub(super) selection: Selection,
    /// Whether to open all textures instead of a model.
    pub(super) all_textures: bool,
    /// An archive whose images to load into video memory first.
    pub(super) textures: Option<View<'a>>,
    /// An archive with a player's weapon, or with a weapon's player.
    pub(super) second: Option<View<'a>>,
    pub(super) limits: Limits,
}
