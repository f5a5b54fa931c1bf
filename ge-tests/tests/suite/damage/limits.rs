//! Checks that the default limits are at least ten times as high as any file needs.
//!
//! For the corpus part, set `PSPGE_CORPUS`; the bundled samples are always used.

use ge_tests::{exercise, long_checks, mutate};
use pspge::ge::limits::{Limit, Limits};

#[test]
fn files_stay_below_a_tenth_of_the_default_limits() {
    let usual = Limits::default();
    let tenth = Limit::ALL
        .into_iter()
        .filter(|limit| *limit != Limit::Time)
        .fold(usual, |limits, limit| limits.with(limit, usual.get(limit) / 10));
    let mut opened = 0;
    for seed in long_checks::sample(mutate::seeds(), 2) {
        // Some files only open together with another file, so this skips them.
        let Ok(usage) = exercise::file(&seed.name, &seed.bytes, &tenth) else { continue };
        opened += 1;
        assert_eq!(usage.limits_hit, [], "{}: hits a tenth of the default limits: {usage:?}", seed.name);
    }
    assert!(opened >= long_checks::rounds(15), "only {opened} files were opened");
}
