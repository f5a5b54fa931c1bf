//! Checks pointers: they count from a base and must point into a view.

use super::problem::Mml2Problem;
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;

/// A view, and where pointers into it start to count.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointerSpace<'a> {
    pub(super) view: View<'a>,
    /// The pointer to the view's first byte.
    pub(super) base: u64,
}

impl<'a> PointerSpace<'a> {
    /// Resolves a pointer to `length` bytes. Returns their offset in the view. `field` is the pointer's own offset,
    /// for errors.
    pub(super) fn resolve(
        self,
        target: &'static str,
        pointer: u32,
        length: u64,
        field: u64,
    ) -> Result<u64, FormatError> {
        self.resolve_aligned(target, pointer, length, field, 4)
    }

    /// Does the same as [`Self::resolve`] for data whose alignment is not 4.
    pub(super) fn resolve_aligned(
        self,
        target: &'static str,
        pointer: u32,
        length: u64,
        field: u64,
        alignment: u32,
    ) -> Result<u64, FormatError> {
        let into = u64::from(pointer).checked_sub(self.base);
        let found = into.filter(|into| into.saturating_add(length) <= self.view.len());
        found
            .filter(|_| pointer != 0 && pointer.is_multiple_of(alignment))
            .ok_or_else(|| self.view.error(field, Mml2Problem::Pointer { target, pointer }))
    }
}
