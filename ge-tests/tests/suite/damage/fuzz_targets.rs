//! Runs the fuzz targets for `tools/fuzz` with the stable compiler, on their seeds and on damaged seeds.

use ge_tests::generate::Random;
use ge_tests::{fuzz, long_checks, mutate};

fn run(name: &str) {
    let (_, target) = fuzz::TARGETS.iter().find(|(target, _)| *target == name).expect("a target");
    let seeds = fuzz::seeds(name);
    // This many damaged variants are tried for each seed.
    let rounds = if long_checks::are_wanted() { 6 } else { 1 };
    assert!(seeds.len() >= 10, "{name}: {} seeds", seeds.len());
    target(&[]);
    let others = seeds.iter().cycle().skip(3).step_by(7);
    for ((number, (_, seed)), (_, other)) in long_checks::sample((0..).zip(&seeds).zip(others), 0) {
        target(seed);
        for round in 0..rounds {
            let mut random = Random::new(number * rounds + round + 1);
            let mut bytes = seed.clone();
            mutate::damage(&mut random, &mut bytes, other);
            target(&bytes);
        }
    }
}

#[test]
fn open() {
    run("open");
}

#[test]
fn replay() {
    run("replay");
}

#[test]
fn list() {
    run("list");
}

#[test]
fn assembler() {
    run("assembler");
}

#[test]
fn sameness() {
    run("sameness");
}

#[test]
fn export() {
    run("export");
}

#[test]
fn debugger() {
    run("debugger");
}

#[test]
fn inspector() {
    run("inspector");
}
