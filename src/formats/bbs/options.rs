//! Parse options of this game's files.

use crate::formats::core::options::ParseOption;

/// The order of rotations by three angles.
pub(super) const Z_TURNS_FIRST: ParseOption = ParseOption {
    name: "z-turns-first",
    about: "Birth by Sleep maps and animations: angles turn around z first, not x",
};

/// The front side of faces.
pub(super) const CLOCKWISE_FRONT: ParseOption = ParseOption {
    name: "clockwise-front",
    about: "Birth by Sleep models: faces whose corners turn clockwise are the front",
};
