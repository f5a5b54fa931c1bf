//! Decides how thorough a run is: `PSPGE_LONG_CHECKS` asks for everything, and without it a sample has to do, so that a
//! machine with two cores is done within half an hour.

/// Checks whether a run was asked for everything.
#[must_use]
pub fn are_wanted() -> bool {
    std::env::var_os("PSPGE_LONG_CHECKS").is_some_and(|value| !value.is_empty())
}

/// Returns how often to repeat a random test: `all` times, or a third as often unless everything is wanted.
#[must_use]
pub fn rounds(all: u64) -> u64 {
    if are_wanted() { all } else { all.div_ceil(3) }
}

/// Returns the step from one damaged place of a file to the next: `all`, or about six times as much unless everything is
/// wanted. A longer step is odd and no multiple of three, so that it reaches every field of records of two, three or four
/// words.
#[must_use]
pub fn step(all: usize) -> usize {
    if are_wanted() { all } else { all * 6 + 1 }
}

/// Returns all of a test's inputs, or unless everything is wanted a third of them, from number `first` of the first three on.
/// Tests that choose different numbers share the inputs out among them.
pub fn sample<T>(inputs: impl IntoIterator<Item = T>, first: usize) -> impl Iterator<Item = T> {
    let (skipped, step) = if are_wanted() { (0, 1) } else { (first, 3) };
    inputs.into_iter().skip(skipped).step_by(step)
}
