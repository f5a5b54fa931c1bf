//! Parse options for this game's files.

use crate::formats::core::euler::EulerOrder;
use crate::formats::core::options::{ParseOption, ParseOptions};

/// Chooses the order for rotations by three angles. Source: [PMP map](crate::reference::formats::bbs#pmp-map).
pub(super) const Z_TURNS_FIRST: ParseOption = ParseOption {
    name: "z-turns-first",
    about: "Birth by Sleep maps and animations: rotate around z first, not x",
};

/// Chooses the winding for front faces. Source: [as GE state](crate::reference::formats::bbs#as-ge-state).
pub(super) const CLOCKWISE_FRONT: ParseOption =
    ParseOption { name: "clockwise-front", about: "Birth by Sleep models: clockwise faces are front faces" };

/// Picks the rotation order. This game's order is unknown: x first, as in other games from the series (inferred), or
/// z first, as a tool has it for the next game's maps.
pub(super) fn euler_order(options: ParseOptions<'_>) -> EulerOrder {
    if options.has(Z_TURNS_FIRST) { EulerOrder::Z_FIRST } else { EulerOrder::X_FIRST }
}
