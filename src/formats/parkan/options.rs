//! Options for files on which the format's documents disagree. Source:
//! [disagreements](crate::reference::formats::parkan#disagreements).

use crate::formats::core::options::ParseOption;

/// Selects in which direction quaternions rotate. See
/// [rotation matrix](crate::reference::formats::parkan#rotation-matrix).
pub(super) const STANDARD_ROTATION: ParseOption = ParseOption {
    name: "standard-rotation",
    about: "Parkan models: quaternions rotate as everywhere else, not as found in the game's program",
};

/// Selects the channel order in 32-bit texels. See [Texm textures](crate::reference::formats::parkan#texm-textures).
pub(super) const DIRECT3D_TEXELS: ParseOption = ParseOption {
    name: "direct3d-texels",
    about: "Parkan textures: texels of 32 bits are blue, green, red, alpha, not alpha, red, green, blue",
};

/// Selects whether to draw stream 18 as colours. See [streams](crate::reference::formats::parkan#streams).
pub(super) const VERTEX_COLORS: ParseOption = ParseOption {
    name: "vertex-colors",
    about: "Parkan models: the four bytes that some have for each vertex are colours",
};
