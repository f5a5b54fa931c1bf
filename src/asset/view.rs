//! Named viewpoints around a model.

use crate::scene::camera::Camera;

/// A named viewpoint around a model that stands upright and faces the viewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// In front of the model.
    Front,
    /// At its back.
    Back,
    /// At its left side.
    Left,
    /// At its right side.
    Right,
    /// Above it.
    Top,
    /// Below it.
    Bottom,
    /// In front, to its left and above.
    #[default]
    ThreeQuarter,
}

impl View {
    /// Returns the camera at this viewpoint, which shows the whole model.
    #[must_use]
    pub const fn camera(self) -> Camera {
        let (yaw, pitch) = match self {
            Self::Front => (0.0, 0.0),
            Self::Back => (180.0, 0.0),
            Self::Left => (90.0, 0.0),
            Self::Right => (270.0, 0.0),
            Self::Top => (0.0, 90.0),
            Self::Bottom => (0.0, -90.0),
            Self::ThreeQuarter => (35.0, 20.0),
        };
        Camera { yaw, pitch, zoom: 1.0 }
    }
}
