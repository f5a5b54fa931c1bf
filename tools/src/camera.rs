//! The camera options: `--view`, `--yaw`, `--pitch` and `--zoom`.

use pspge::scene::camera::Camera;

use crate::input::finite;

/// A camera that orbits a model.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct CameraArgs {
    /// Side from which to look at a model
    #[arg(long, help_heading = "Camera options of a model", value_enum, default_value = "three-quarter")]
    view: View,

    /// Turn the camera around the model by this angle, added to --view
    #[arg(long, help_heading = "Camera options of a model", value_name = "DEGREES", default_value = "0", allow_negative_numbers = true, value_parser = finite)]
    yaw: f64,

    /// Raise the camera by this angle, added to --view
    #[arg(long, help_heading = "Camera options of a model", value_name = "DEGREES", default_value = "0", allow_negative_numbers = true, value_parser = finite)]
    pitch: f64,

    /// Magnification; 1 shows the whole model
    #[arg(long, help_heading = "Camera options of a model", value_name = "FACTOR", default_value = "1", value_parser = positive)]
    zoom: f64,
}

/// A named viewpoint. The model is upright and faces the viewer.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum View {
    /// From the front
    Front,
    /// From the back
    Back,
    /// From its left
    Left,
    /// From its right
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
    /// Returns the camera: the angles of the view plus those given.
    pub(crate) fn camera(&self) -> Camera {
        let view = match self.view {
            View::Front => pspge::View::Front,
            View::Back => pspge::View::Back,
            View::Left => pspge::View::Left,
            View::Right => pspge::View::Right,
            View::Top => pspge::View::Top,
            View::Bottom => pspge::View::Bottom,
            View::ThreeQuarter => pspge::View::ThreeQuarter,
        };
        let Camera { yaw, pitch, .. } = view.camera();
        Camera { yaw: yaw + self.yaw, pitch: pitch + self.pitch, zoom: self.zoom }
    }
}

fn positive(text: &str) -> Result<f64, &'static str> {
    finite(text).ok().filter(|number| *number > 0.0).ok_or("expected a number above 0")
}
