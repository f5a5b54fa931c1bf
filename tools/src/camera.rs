//! Where a model is seen from, as users say it.

use pspge::scene::camera::Camera;

use crate::input::finite;

/// The camera around a model.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct CameraArgs {
    /// Where a model is seen from
    #[arg(long, value_enum, default_value = "three-quarter")]
    view: View,

    /// Turn the camera around the model, in degrees, on top of --view
    #[arg(long, value_name = "DEGREES", default_value = "0", allow_negative_numbers = true, value_parser = finite)]
    yaw: f64,

    /// Raise the camera, in degrees, on top of --view
    #[arg(long, value_name = "DEGREES", default_value = "0", allow_negative_numbers = true, value_parser = finite)]
    pitch: f64,

    /// Magnify; 1 shows the whole model
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = positive)]
    zoom: f64,
}

/// A named viewpoint, of a model that stands upright and faces the viewer.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum View {
    /// At its front
    Front,
    /// At its back
    Back,
    /// At its left side
    Left,
    /// At its right side
    Right,
    /// From above
    Top,
    /// From below
    Bottom,
    /// From the front, the left and above
    ThreeQuarter,
}

impl Default for CameraArgs {
    fn default() -> Self {
        Self { view: View::ThreeQuarter, yaw: 0.0, pitch: 0.0, zoom: 1.0 }
    }
}

impl CameraArgs {
    pub(crate) fn camera(&self) -> Camera {
        let (yaw, pitch) = match self.view {
            View::Front => (0.0, 0.0),
            View::Back => (180.0, 0.0),
            View::Left => (90.0, 0.0),
            View::Right => (270.0, 0.0),
            View::Top => (0.0, 90.0),
            View::Bottom => (0.0, -90.0),
            View::ThreeQuarter => (35.0, 20.0),
        };
        Camera { yaw: yaw + self.yaw, pitch: pitch + self.pitch, zoom: self.zoom }
    }
}

fn positive(text: &str) -> Result<f64, &'static str> {
    finite(text).ok().filter(|number| *number > 0.0).ok_or("a number above 0")
}
