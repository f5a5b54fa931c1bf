//! Parse options of this game's files.

use crate::formats::core::euler::EulerOrder;
use crate::formats::core::options::{ParseOption, ParseOptions};

/// The order of rotations by three angles. Source: [PMP map](crate::reference::formats::bbs#pmp-map).
pub(super) const Z_TURNS_FIRST: ParseOption = ParseOption {
    name: "z-turns-first",
    about: "Birth by Sleep maps and animations: rotate around z first, not x",
};

/// The winding of front faces. Source: [as GE state](crate::reference::formats::bbs#as-ge-state).
pub(super) const CLOCKWISE_FRONT: ParseOption =
    ParseOption { name: "clockwise-front", about: "Birth by Sleep models: clockwise faces are front faces" };

/// Returns the order of rotations that the options choose. It is unknown for this game: x first, as in other games of
/// the series (inferred), or z first, as one tool has it for maps of the next game.
pub(super) fn euler_order(options: ParseOptions<'_>) -> EulerOrder {
    if options.has(Z_TURNS_FIRST) { EulerOrder::Z_FIRST } else { EulerOrder::X_FIRST }
}
