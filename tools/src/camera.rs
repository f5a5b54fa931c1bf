//! The camera options: `--view`, `--yaw`, `--pitch` and `--zoom`.

use pspge::scene::camera::Camera;

use crate::input::options::finite;

/// Groups the camera options in the help.
pub(crate) const HEADING: &str = "Camera options of a model";

/// A camera that orbits a model.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct CameraArgs {
    /// Side to look at a model from [default: three-quarter]
    #[arg(long, help_heading = HEADING, value_enum)]
    view: Option<View>,

    /// Turn the camera around the model by this angle, added to --view
    #[arg(long, help_heading = HEADING, value_name = "DEGREES", hide_short_help = true)]
    #[arg(allow_negative_numbers = true, value_parser = finite)]
    yaw: Option<f64>,

    /// Raise the camera by this angle, added to --view
    #[arg(long, help_heading = HEADING, value_name = "DEGREES", hide_short_help = true)]
    #[arg(allow_negative_numbers = true, value_parser = finite)]
    pitch: Option<f64>,

    /// Magnification; 1 shows the whole model
    #[arg(long, help_heading = HEADING, value_name = "FACTOR", value_parser = positive)]
    zoom: Option<f64>,
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

impl CameraArgs {
    /// Returns the camera: given angles are added to the view's.
    pub(crate) fn camera(&self) -> Camera {
        let view = match self.view.unwrap_or(View::ThreeQuarter) {
            View::Front => pspge::View::Front,
            View::Back => pspge::View::Back,
            View::Left => pspge::View::Left,
            View::Right => pspge::View::Right,
            View::Top => pspge::View::Top,
            View::Bottom => pspge::View::Bottom,
            View::ThreeQuarter => pspge::View::ThreeQuarter,
        };
        let Camera { yaw, pitch, .. } = view.camera();
        Camera {
            yaw: yaw + self.yaw.unwrap_or(0.0),
            pitch: pitch + self.pitch.unwrap_or(0.0),
            zoom: self.zoom.unwrap_or(1.0),
        }
    }

    /// Names the options given, so that callers can report those they ignore.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> + use<> {
        let given = [
            ("--view", self.view.is_some()),
            ("--yaw", self.yaw.is_some()),
            ("--pitch", self.pitch.is_some()),
            ("--zoom", self.zoom.is_some()),
        ];
        given.into_iter().filter_map(|(option, is_given)| is_given.then_some(option))
    }
}

fn positive(text: &str) -> Result<f64, &'static str> {
    finite(text).ok().filter(|number| *number > 0.0).ok_or("expected a number above 0")
}
