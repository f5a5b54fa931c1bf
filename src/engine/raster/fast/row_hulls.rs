//! A range of columns for each row in a band, around all pixels in a batch's closed segments. It may contain other
//! pixels too, but this is enough to tell quickly that a pixel cannot repeat.

/// How many rows the largest target has.
const ROWS: usize = 1024;

#[derive(Clone, Debug)]
pub(super) struct RowHulls {
    rows: Vec<Hull>,
    /// The first row that is not empty, then the row after the last.
    first: usize,
    end: usize,
}

/// Columns. There are at most 1024, so 16 bits are enough.
#[derive(Clone, Copy, Debug)]
struct Hull {
    first: u16,
    /// The column after the last.
    end: u16,
}

const EMPTY: Hull = Hull { first: u16::MAX, end: 0 };

impl Default for RowHulls {
    fn default() -> Self {
        Self { rows: vec![EMPTY; ROWS], first: ROWS, end: 0 }
    }
}

impl RowHulls {
    /// Removes all pixels.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        if let Some(rows) = self.rows.get_mut(self.first..self.end) {
            rows.fill(EMPTY);
        }
        (self.first, self.end) = (ROWS, 0);
    }

    /// Adds `count` pixels in row `y`, from column `x` on.
    #[inline(always)]
    pub(super) fn add(&mut self, x: usize, count: usize, y: usize) {
        if let Some(hull) = self.rows.get_mut(y) {
            *hull = Hull { first: hull.first.min(column(x)), end: hull.end.max(column(x + count)) };
            (self.first, self.end) = (self.first.min(y), self.end.max(y + 1));
        }
    }

    /// Returns whether any of `count` pixels in row `y`, from column `x` on, is inside that row's range.
    #[inline(always)]
    pub(super) fn overlaps(&self, x: usize, count: usize, y: usize) -> bool {
        self.rows.get(y).is_none_or(|hull| column(x) < hull.end && column(x + count) > hull.first)
    }
}

#[inline(always)]
fn column(x: usize) -> u16 {
    u16::try_from(x).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_all_pixels() {
        let mut hulls = RowHulls::default();
        assert!(!hulls.overlaps(0, 1024, 5), "empty");
        hulls.add(10, 4, 5);
        hulls.add(14, 2, 6);
        for (x, count, y, expected) in [
            (10, 1, 5, true),
            (13, 9, 5, true),
            (14, 9, 5, false),
            (0, 10, 5, false),
            (0, 11, 5, true),
            (10, 4, 6, false),
        ] {
            assert_eq!(hulls.overlaps(x, count, y), expected, "{count} from ({x}, {y})");
        }
        hulls.add(20, 1, 5);
        assert!(hulls.overlaps(16, 1, 5), "between two runs");
        hulls.clear();
        assert!(!hulls.overlaps(0, 1024, 5) && !hulls.overlaps(0, 1024, 6), "cleared");
        assert!(hulls.overlaps(0, 1, ROWS), "rows that do not exist are never free");
    }
}
