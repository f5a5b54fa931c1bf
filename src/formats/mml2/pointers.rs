//! Pointers: what they count from, and whether they point at something.

use super::problem::Mml2Problem;
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;

/// Bytes that pointers lead into.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointerSpace<'a> {
    pub(super) view: View<'a>,
    /// What a pointer to the first byte is.
    pub(super) base: u64,
}

impl<'a> PointerSpace<'a> {
    /// Where in the view a pointer leads that stands at `field` of it and is to point at `length` bytes.
    pub(super) fn resolve(
        self,
        target: &'static str,
        pointer: u32,
        length: u64,
        field: u64,
    ) -> Result<u64, FormatError> {
        self.resolve_aligned(target, pointer, length, field, 4)
    }

    /// The same for what need only be aligned to `alignment`.
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
