//! What an archive is opened with.

use crate::formats::core::cursor::View;
use crate::formats::core::options::Selection;
use crate::ge::limits::Limits;

/// A file to open, and what may come with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArchiveRequest<'a> {
    pub(super) file: View<'a>,
    /// Which member is wanted.
    pub(super) part: Option<&'a str>,
    pub(super) selection: Selection,
    /// Whether all textures are wanted instead of a model.
    pub(super) all_textures: bool,
    /// An archive whose images are in video memory already.
    pub(super) textures: Option<View<'a>>,
    /// An archive with the other of a player and a weapon.
    pub(super) second: Option<View<'a>>,
    pub(super) limits: Limits,
}
