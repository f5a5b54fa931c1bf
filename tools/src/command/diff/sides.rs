//! Opens a side for the comparison.

use pspge::documents::diff::comparison::DiffSide;

use super::side_options::SideOptions;
use crate::frame::FrameArgs;
use crate::input::options::OpenOptions;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// Options shared by both runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared<'a> {
    pub(super) open: &'a OpenOptions,
    pub(super) frame: &'a FrameArgs,
}

impl Shared<'_> {
    /// Opens an input with a run's own options. Returns `None` if it holds no display list.
    ///
    /// # Errors
    /// If the input cannot be opened, or an option does not apply to it.
    pub(super) fn side(
        &self,
        input: &str,
        options: &SideOptions,
        notes: &mut Notes,
    ) -> Result<Option<DiffSide>, Failure> {
        let frame = options.frame(self.frame);
        let Some(mut shot) = frame.open(self.open, Some(options.what_if()), input, 1, notes)? else {
            return Ok(None);
        };
        shot.raster.engine = options.engine();
        let name =
            if options.text().is_empty() { input.to_owned() } else { format!("{input} {}", options.text()) };
        Ok(Some(DiffSide { input: input.to_owned(), name, shot }))
    }
}
