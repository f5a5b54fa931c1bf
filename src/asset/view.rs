//! Named viewpoints around a model.

use crate::scene::camera::Camera;

/// A named viewpoint around a model that stands upright and faces the viewer.
///
/// ```
/// let camera = pspge::View::Top.camera();
/// assert_eq!(camera.pitch, 90.0);
/// ```
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
    /// All viewpoints.
    pub const ALL: [Self; 7] =
        [Self::Front, Self::Back, Self::Left, Self::Right, Self::Top, Self::Bottom, Self::ThreeQuarter];

    /// Returns the name that options take, such as `three-quarter`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Back => "back",
            Self::Left => "left",
            Self::Right => "right",
            Self::Top => "top",
            Self::Bottom => "bottom",
            Self::ThreeQuarter => "three-quarter",
        }
    }

    /// Returns the viewpoint with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.name() == name)
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for view in View::ALL {
            assert_eq!(View::from_name(view.name()), Some(view), "{view:?}");
        }
        assert_eq!(View::from_name("above"), None, "unknown");
    }
}
