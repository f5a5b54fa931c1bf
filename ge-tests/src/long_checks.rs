//! Decides how thorough a run is: `PSPGE_LONG_CHECKS` asks for everything, and without it a sample has to do, so that a
//! machine with two cores is done within half an hour.

/// Checks whether a run was asked for everything.
#[must_use]
pub fn are_wanted() -> bool {
    std::env::var_os("PSPGE_LONG_CHECKS").is_some_and(|value| !value.is_empty())
}

/// Returns how often to repeat a random test: `all` times, or half as often unless everything is wanted.
#[must_use]
pub fn rounds(all: u64) -> u64 {
    if are_wanted() { all } else { all.div_ceil(2) }
}

/// Returns the step from one damaged place of a file to the next: `all`, or about six times as much unless everything is
/// wanted. A longer step is odd and no multiple of three, so that it reaches every field of records of two, three or four
/// words.
#[must_use]
pub fn step(all: usize) -> usize {
    if are_wanted() { all } else { all * 6 + 1 }
}
