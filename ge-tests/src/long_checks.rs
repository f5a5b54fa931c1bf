//! Decides how thorough a run is. To check everything, set `PSPGE_LONG_CHECKS`. Without it a sample has to do, for a
//! machine with two cores to be done within half an hour.

/// Tells whether this run has to check everything.
#[must_use]
pub fn are_wanted() -> bool {
    std::env::var_os("PSPGE_LONG_CHECKS").is_some_and(|value| !value.is_empty())
}

/// Returns how often to repeat a random test: `all` times, or a third as often unless everything is wanted.
#[must_use]
pub fn rounds(all: u64) -> u64 {
    if are_wanted() { all } else { all.div_ceil(3) }
}

/// Returns the step from a damaged place in a file to the next: `all`, or about six times as much unless everything
/// is wanted. To reach every field of records with two, three or four words, a longer step is odd and no multiple of
/// three.
#[must_use]
pub fn step(all: usize) -> usize {
    if are_wanted() { all } else { all * 6 + 1 }
}

/// Returns a test's inputs: all if everything is wanted, otherwise every third, from number `first` of the first
/// three on. Tests with different numbers share the inputs out among them.
pub fn sample<T>(inputs: impl IntoIterator<Item = T>, first: usize) -> impl Iterator<Item = T> {
    let (skipped, step) = if are_wanted() { (0, 1) } else { (first, 3) };
    inputs.into_iter().skip(skipped).step_by(step)
}
