//! Parse options of this game's files.

use crate::formats::core::options::ParseOption;

/// The order of rotations by three angles. Source: [PMP map](crate::reference::formats::bbs#pmp-map).
pub(super) const Z_TURNS_FIRST: ParseOption = ParseOption {
    name: "z-turns-first",
    about: "Birth by Sleep maps and animations: rotate around z first, not x",
};

/// The winding of front faces. Source: [as GE state](crate::reference::formats::bbs#as-ge-state).
pub(super) const CLOCKWISE_FRONT: ParseOption =
    ParseOption { name: "clockwise-front", about: "Birth by Sleep models: clockwise faces are front faces" };
