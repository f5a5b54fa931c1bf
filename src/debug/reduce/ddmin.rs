//! Removes elements from a list while a test still holds. This is delta debugging.
//!
//! # Invariants
//! The result depends only on the list and the test. Unless the test gives up, no single element can be
//! removed from the result.

/// Removes elements in ever smaller runs. To learn whether the effect is still there, this calls `test` with the
/// remaining elements. The test must hold for all elements; it returns `None` to give up.
pub(super) fn minimize<T: Clone>(elements: Vec<T>, test: &mut dyn FnMut(&[T]) -> Option<bool>) -> Vec<T> {
    let mut kept = elements;
    if kept.is_empty() {
        return kept;
    }
    // Trying nothing at all comes first. If the effect needs no element, this saves all other trials.
    match test(&[]) {
        Some(true) => return Vec::new(),
        Some(false) => {}
        None => return kept,
    }
    let mut size = kept.len().div_ceil(2);
    loop {
        let mut has_removed = false;
        let mut start = 0_usize;
        // The last element stays, because the empty list has failed already.
        while start < kept.len() && kept.len() > 1 {
            let end = start.saturating_add(size).min(kept.len());
            let rest = kept.iter().take(start).chain(kept.iter().skip(end));
            let candidate: Vec<T> = rest.cloned().collect();
            match test(&candidate) {
                Some(true) => {
                    // The next run has moved up to `start`, so this stays.
                    kept = candidate;
                    has_removed = true;
                }
                Some(false) => start = end,
                None => return kept,
            }
        }
        // Single elements are tried again until none can go, because a removal may make others possible.
        if size > 1 {
            size = size.min(kept.len()).div_ceil(2);
        } else if !has_removed {
            return kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_test_needs_is_left() {
        let mut trials = 0;
        let found = minimize((0..1000).collect(), &mut |kept| {
            trials += 1;
            Some([3, 500, 501, 999].iter().all(|needed| kept.contains(needed)))
        });
        assert_eq!(found, [3, 500, 501, 999], "in order");
        assert!(trials < 150, "{trials} trials");
        assert_eq!(minimize(vec![1, 2, 3], &mut |_| Some(true)), [0; 0], "nothing is needed");
        assert!(minimize(Vec::<u8>::new(), &mut |_| None).is_empty(), "nothing to remove");
    }

    /// Removing 7 is possible only after 8 is gone.
    #[test]
    fn single_elements_are_tried_until_none_can_go() {
        let found = minimize((0..10).collect(), &mut |kept| {
            Some(kept.contains(&2) && (kept.contains(&7) || !kept.contains(&8)))
        });
        assert_eq!(found, [2], "one is left");
    }

    #[test]
    fn the_last_list_that_holds_is_left_if_the_test_gives_up() {
        let mut trials = 0;
        let found = minimize((0..16).collect(), &mut |kept| {
            trials += 1;
            (trials <= 3).then(|| kept.contains(&12))
        });
        assert_eq!(found, (8..16).collect::<Vec<_>>(), "the first half went");
    }
}
