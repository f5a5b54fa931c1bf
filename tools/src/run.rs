//! Resolves arithmetic, places and draws as users name them.

use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::{Source, source_of};
use pspge::ge::draw_set::DrawSet;

use crate::terminal::failure::Failure;

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ArithmeticArg {
    /// As the PSP: 16 significant bits, pixels sampled at their centres
    Hardware,
    /// As emulators: IEEE single precision, triangles sampled at 7/16 of a pixel, colours rounded
    Single,
}

impl From<ArithmeticArg> for Arithmetic {
    fn from(arithmetic: ArithmeticArg) -> Self {
        match arithmetic {
            ArithmeticArg::Hardware => Self::Hardware,
            ArithmeticArg::Single => Self::Single,
        }
    }
}

/// Returns the offset in the input file for data loaded at `address`, if the file holds it.
pub(crate) fn file_offset(sources: &[Source], address: Address) -> Option<u64> {
    Some(source_of(sources, address)?.1)
}

/// Checks that a run has all draws an option names.
///
/// # Errors
/// Names the draws missing from the run.
pub(crate) fn check_draws(
    input: &str,
    option: &str,
    wanted: Option<&DrawSet>,
    draws: u64,
) -> Result<(), Failure> {
    let checked = wanted.map_or(Ok(()), |wanted| wanted.check(draws));
    checked.map_err(|error| Failure::inapplicable(input, option, error))
}
