//! Decides how thorough a run is: `PSPGE_LONG_CHECKS` asks for everything, and without it a sample has to do, so that a
//! machine with two cores is done within half an hour.

/// Checks whether a run was asked for everything.
#[must_use]
pub fn are_wanted() -> bool {
    std::env::var_os("PSPGE_LONG_CHECKS").is_some_and(|value| !value.is_empty())
}

/// Returns a step for the places of a file to damage: three times as long unless everything is wanted. Three has no factor
/// in common with the sizes of most records, so all their fields have their turn.
#[must_use]
pub fn step(all: usize) -> usize {
    if are_wanted() { all } else { all * 3 }
}
