//! Tries some of the damaged files that `cargo dev hostile mutate` generates by the thousand, including files that
//! once caused faults: none may cause a panic, and errors must have an offset.
//!
//! For the corpus part, set `PSPGE_CORPUS`; the bundled samples are always damaged.

use std::path::Path;

use ge_tests::{exercise, input, mutate};
use pspge::ge::limits::{Limit, Limits};

/// Low limits, for tests without optimisation.
fn limits() -> Limits {
    Limits::default().with(Limit::Pixels, 2_000_000).with(Limit::Vertices, 200_000)
}

#[test]
fn damaged_files_are_opened_or_refused() {
    let seeds = mutate::seeds();
    let (mut opened, mut refused) = (0, 0);
    for number in 0..300 {
        let damaged = mutate::damaged(&seeds, 0, number).expect("at least one sample");
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
    let bytes = |number| mutate::damaged(&seeds, 9, number).expect("at least one sample").bytes;
    assert!((0..20).all(|number| bytes(number) == bytes(number)), "the same number gives the same bytes");
    assert!((0..20).any(|number| bytes(number) != bytes(number + 1)), "other numbers give other bytes");
}

/// To keep faults from coming back, inputs for this test are kept under `cases/hostile`, shrunk by
/// `cargo dev hostile minimise`. At present no such input is known.
#[test]
fn former_findings_do_not_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/hostile");
    if !folder.exists() {
        eprintln!("skipped: no former findings are kept in {}", folder.display());
        return;
    }
    for path in input::entries(&folder) {
        let bytes = input::read(&path);
        // Whether it opens or refuses the file, it must return.
        let _ = exercise::file(&path.display().to_string(), &bytes, &Limits::default());
    }
}
