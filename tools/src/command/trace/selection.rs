//! Selects which commands and draws a trace shows.

use std::cell::Cell;

use pspge::ge::draw_set::DrawSet;

/// Decides which commands and draws a trace shows, and counts them.
#[derive(Debug)]
pub(super) struct Selection<'a> {
    only: Option<&'a DrawSet>,
    first: Option<u64>,
    shown: Cell<u64>,
}

impl<'a> Selection<'a> {
    /// Selects these draws, or the commands leading to them, and at most the `first` of these.
    pub(super) const fn new(only: Option<&'a DrawSet>, first: Option<u64>) -> Self {
        Self { only, first, shown: Cell::new(0) }
    }

    /// Returns whether to show this draw, or a command before it, and counts it if so.
    pub(super) fn take(&self, draw: u64) -> bool {
        let is_shown = self.only.is_none_or(|only| only.contains(draw)) && !self.is_full();
        if is_shown {
            self.shown.set(self.shown.get().saturating_add(1));
        }
        is_shown
    }

    /// Whether the trace is complete before this draw, which stops the run.
    pub(super) fn is_over(&self, draw: u64) -> bool {
        self.is_full() || self.only.and_then(DrawSet::max).is_some_and(|last| draw > last)
    }

    fn is_full(&self) -> bool {
        self.first.is_some_and(|first| self.shown.get() >= first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_after_the_last_draw() {
        let only: DrawSet = "1,3-4".parse().expect("a set");
        let selection = Selection::new(Some(&only), None);
        let shown: Vec<u64> = (0..9).filter(|draw| selection.take(*draw)).collect();
        assert_eq!(shown, [1, 3, 4], "the selected ones");
        assert!(!selection.is_over(4) && selection.is_over(5), "nothing comes after draw 4");
    }

    #[test]
    fn counts_only_shown_draws() {
        let only: DrawSet = "2-".parse().expect("a set");
        let selection = Selection::new(Some(&only), Some(2));
        let shown: Vec<u64> = (0..9).filter(|draw| selection.take(*draw)).collect();
        assert_eq!(shown, [2, 3], "the first two of them");
        assert!(selection.is_over(4), "both are shown");
        assert!(Selection::new(None, Some(0)).is_over(0), "none is wanted");
    }
}
