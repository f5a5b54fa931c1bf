//! Damaged files, a few of those that `cargo dev hostile mutate` makes by the thousand: none panics, and what is refused
//! is refused with a place. And the inputs that once went wrong.
//!
//! The corpus part needs `PSPGE_CORPUS`; the bundled samples are always damaged.

use std::path::Path;

use ge_tests::{exercise, input, mutate};
use pspge::ge::limits::{Limit, Limits};

/// Small, for tests without optimisation.
fn limits() -> Limits {
    Limits::default().with(Limit::Pixels, 2_000_000).with(Limit::Vertices, 200_000)
}

#[test]
fn damaged_files_are_opened_or_refused() {
    let seeds = mutate::seeds();
    let (mut opened, mut refused) = (0, 0);
    for number in 0..300 {
        let damaged = mutate::damaged(&seeds, 0, number).expect("there are samples");
        match exercise::file(&damaged.name, &damaged.bytes, &limits()) {
            Ok(_) => opened += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(opened > 30 && refused > 30, "{opened} opened, {refused} refused");
}

#[test]
fn damage_depends_only_on_seed_and_number() {
    let seeds = mutate::seeds();
    let bytes = |number| mutate::damaged(&seeds, 9, number).expect("there are samples").bytes;
    assert!((0..20).all(|number| bytes(number) == bytes(number)), "twice the same");
    assert!((0..20).any(|number| bytes(number) != bytes(number + 1)), "others differ");
}

/// Files under `cases/hostile` did something wrong once; `cargo dev hostile minimise` makes them.
#[test]
fn former_findings_do_not_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/hostile");
    if !folder.exists() {
        return;
    }
    for path in input::entries(&folder) {
        let bytes = input::read(&path);
        // Refused or not, it comes back.
        let _ = exercise::file(&path.display().to_string(), &bytes, &Limits::default());
    }
}
