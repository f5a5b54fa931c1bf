//! Parse options of this game's files.

use crate::formats::core::options::ParseOption;

/// The sense of quaternions.
pub(super) const STANDARD_ROTATION: ParseOption = ParseOption {
    name: "standard-rotation",
    about: "Parkan models: quaternions rotate as everywhere else, not as found in the game's program",
};

/// The order of the components of 32-bit texels.
pub(super) const DIRECT3D_TEXELS: ParseOption = ParseOption {
    name: "direct3d-texels",
    about: "Parkan textures: texels of 32 bits are blue, green, red, alpha, not alpha, red, green, blue",
};

/// The meaning of stream 18.
pub(super) const VERTEX_COLORS: ParseOption = ParseOption {
    name: "vertex-colors",
    about: "Parkan models: the four bytes that some have for each vertex are colours",
};
