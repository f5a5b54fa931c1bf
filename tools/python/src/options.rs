//! Options as Python passes them: dictionaries that use the command's option names as keys.

use std::str::FromStr;
use std::sync::Arc;

use pspge::debug::memory::image::parse_address;
use pspge::debug::what_if::edit::{Edit, EditError, Replacement};
use pspge::export::{Placement, UpAxis};
use pspge::ge::draw_set::DrawSet;
use pspge::image::RgbaImage;
use pspge::scene::camera::Camera;
use pspge::{Address, Arithmetic, Error, Limit, Limits, Pose, RunSpec, View};
use pyo3::FromPyObject;

use crate::failure::Failure;

/// How to open a file.
#[derive(Clone, Debug, Default, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct OpenOptions {
    /// The member to open in a container.
    pub(crate) member: Option<String>,
    /// The format's name, for a file that does not tell its own.
    pub(crate) format: Option<String>,
    /// A file with textures: its name and content.
    pub(crate) textures: Option<(String, Vec<u8>)>,
    /// A file with a skeleton.
    pub(crate) skeleton: Option<(String, Vec<u8>)>,
    /// The mesh data file of a two-file model.
    pub(crate) mesh_data: Option<(String, Vec<u8>)>,
    /// A file with animations.
    pub(crate) animations: Option<(String, Vec<u8>)>,
    /// The model's level of detail; 0 is the finest.
    pub(crate) lod: Option<usize>,
    /// Which group of alternative parts to draw.
    pub(crate) group: Option<usize>,
    /// Whether to draw a model's hidden parts, too.
    pub(crate) hidden: bool,
    /// Names of ways to read fields where documents on a format disagree.
    pub(crate) parse_option: Vec<String>,
    /// Limits by name; `None` removes one.
    pub(crate) limits: Vec<(String, Option<u64>)>,
}

/// A texture replacement: the texture's address, the picture's bytes of red, green, blue and alpha, its width and
/// height, and the draws to change, if not all.
type ReplacementArray = (String, Vec<u8>, [u32; 2], Option<String>);

/// How to run a list.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RunOptions {
    /// The arithmetic's name.
    arithmetic: Option<String>,
    /// How many threads draw.
    pub(crate) threads: u32,
    /// The name of a viewpoint around a model.
    view: Option<String>,
    /// Angle around a model in degrees, added to the view's.
    yaw: Option<f64>,
    /// Angle above a model in degrees, added to the view's.
    pitch: Option<f64>,
    /// Magnification; 1 shows the whole model.
    zoom: Option<f64>,
    /// The name or number of an animation to pose the model.
    pub(crate) anim: Option<String>,
    /// The animation frame, from 0.
    pub(crate) frame: Option<f64>,
    /// Registers to give other values, each as `NAME=VALUE[@DRAWS]`.
    set: Vec<String>,
    /// Draws and events to leave out.
    skip: Option<String>,
    /// Draws to keep while all others are left out.
    solo: Option<String>,
    /// Draws to show as triangle edges only.
    wireframe: Option<String>,
    /// `off` reads texels from memory instead of the texture cache; `off@DRAWS` does this for some draws.
    cache: Option<String>,
    /// Pictures to sample instead of textures.
    replace_texture: Vec<ReplacementArray>,
}

/// Parses an option, and names it in the error.
pub(crate) fn parse<T: FromStr>(name: &str, text: &str) -> Result<T, Failure>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error| Failure::usage(format_args!("{name}={text:?}: {error}")))
}

/// Parses an option that may be left out.
pub(crate) fn parse_optional<T: FromStr>(name: &str, text: Option<&str>) -> Result<Option<T>, Failure>
where
    T::Err: std::fmt::Display,
{
    text.map(|text| parse(name, text)).transpose()
}

/// Parses an address.
pub(crate) fn address(name: &str, text: &str) -> Result<Address, Failure> {
    parse_address(text).map_err(|error| Failure::usage(format_args!("{name}: {error}")))
}

/// Parses how geometry lies in other programs' files: the upward axis, and a factor for all lengths.
pub(crate) fn placement(up: &str, scale: f64) -> Result<Placement, Failure> {
    let up = match up {
        "y" => UpAxis::Y,
        "z" => UpAxis::Z,
        other => return Err(Failure::usage(format_args!("up={other:?}: use \"y\" or \"z\""))),
    };
    Placement::new(scale, up).map_err(Failure::usage)
}

/// Checks that a run has the draws named by an option.
pub(crate) fn check_draws(name: &str, wanted: Option<&DrawSet>, draws: u64) -> Result<(), Failure> {
    let Some(wanted) = wanted else { return Ok(()) };
    wanted.check(draws).map_err(|error| Failure::inapplicable(format_args!("{name}=\"{wanted}\""), error))
}

impl OpenOptions {
    /// Applies the given limits to the defaults.
    pub(crate) fn limits(&self) -> Result<Limits, Failure> {
        let mut limits = Limits::default();
        for (name, value) in &self.limits {
            let limit = Limit::from_name(&name.replace('_', "-")).ok_or_else(|| {
                let names = Limit::ALL.map(Limit::name).join(", ");
                Failure::usage(format_args!("limits: unknown limit {name:?}; use one of {names}"))
            })?;
            limits = match value {
                Some(value) => limits.with(limit, *value),
                None => limits.without(limit),
            };
        }
        Ok(limits)
    }
}

impl RunOptions {
    /// The arithmetic, if given.
    pub(crate) fn arithmetic(&self) -> Result<Option<Arithmetic>, Failure> {
        match self.arithmetic.as_deref() {
            None => Ok(None),
            Some("hardware") => Ok(Some(Arithmetic::Hardware)),
            Some("single") => Ok(Some(Arithmetic::Single)),
            Some(other) => {
                Err(Failure::usage(format_args!("arithmetic={other:?}: use \"hardware\" or \"single\"")))
            }
        }
    }

    /// The camera: the view's angles plus those given.
    pub(crate) fn camera(&self) -> Result<Camera, Failure> {
        let view = match self.view.as_deref() {
            None => View::default(),
            Some(name) => View::from_name(name).ok_or_else(|| {
                let names = View::ALL.map(View::name).join(", ");
                Failure::usage(format_args!("view={name:?}: use one of {names}"))
            })?,
        };
        let finite = |name: &str, value: Option<f64>, default: f64| match value {
            Some(value) if !value.is_finite() => {
                Err(Failure::usage(format_args!("{name}={value}: expected a finite number")))
            }
            value => Ok(value.unwrap_or(default)),
        };
        let zoom = finite("zoom", self.zoom, 1.0)?;
        if zoom <= 0.0 {
            return Err(Failure::usage(format_args!("zoom={zoom}: expected a number above 0")));
        }
        let Camera { yaw, pitch, .. } = view.camera();
        Ok(Camera {
            yaw: yaw + finite("yaw", self.yaw, 0.0)?,
            pitch: pitch + finite("pitch", self.pitch, 0.0)?,
            zoom,
        })
    }

    /// Names the given options that only models have, to refuse them elsewhere.
    pub(crate) fn given_for_models(&self) -> impl Iterator<Item = &'static str> + use<> {
        let given = [
            ("view", self.view.is_some()),
            ("yaw", self.yaw.is_some()),
            ("pitch", self.pitch.is_some()),
            ("zoom", self.zoom.is_some()),
            ("anim", self.anim.is_some()),
            ("frame", self.frame.is_some()),
        ];
        given.into_iter().filter_map(|(option, is_given)| is_given.then_some(option))
    }

    /// Whether there are changes to try.
    pub(crate) fn has_changes(&self) -> bool {
        let texts = [&self.skip, &self.solo, &self.wireframe, &self.cache];
        !self.set.is_empty() || !self.replace_texture.is_empty() || texts.iter().any(|text| text.is_some())
    }

    /// Writes the changes as words of a command line, for documents that name a run by its options.
    pub(crate) fn changes_text(&self) -> Result<String, Failure> {
        let text = |edit: &Edit| match edit {
            Edit::ReplaceTexture(Replacement { text, .. }) => {
                let address = text.split('@').next().unwrap_or_default();
                format!("--replace-texture {address}=array")
            }
            edit => edit.to_string(),
        };
        let words: Vec<String> = self.edits()?.iter().map(text).collect();
        Ok(words.join(" "))
    }

    /// The changes to try, in the order to apply them.
    fn edits(&self) -> Result<Vec<Edit>, Failure> {
        let mut edits = Vec::new();
        for text in &self.set {
            edits.push(Edit::Set(parse("set", text)?));
        }
        for (at, pixels, [width, height], draws) in &self.replace_texture {
            let picture = RgbaImage::from_raw(*width, *height, pixels.clone())
                .ok_or_else(|| Failure::usage("replace_texture: the picture is incomplete"))?;
            let on_draws = draws.as_ref().map(|draws| format!("@{draws}")).unwrap_or_default();
            edits.push(Edit::ReplaceTexture(Replacement {
                text: format!("{at}{on_draws}"),
                address: address("replace_texture", at)?,
                picture: Arc::new(picture),
                events: parse_optional("replace_texture", draws.as_deref())?,
            }));
        }
        edits.extend(parse_optional("skip", self.skip.as_deref())?.map(Edit::Skip));
        edits.extend(parse_optional("solo", self.solo.as_deref())?.map(Edit::Solo));
        edits.extend(parse_optional("wireframe", self.wireframe.as_deref())?.map(Edit::Wireframe));
        edits.extend(parse_optional("cache", self.cache.as_deref())?.map(Edit::Cache));
        Ok(edits)
    }

    /// Translates these options for the library.
    pub(crate) fn spec(&self, limits: Limits) -> Result<RunSpec, Failure> {
        let mut spec = RunSpec::default()
            .camera(self.camera()?)
            .edits(self.edits()?)
            .threads(self.threads)
            .limits(limits);
        spec.arithmetic = self.arithmetic()?;
        spec.pose = match (&self.anim, self.frame) {
            (None, Some(_)) => return Err(Failure::usage("frame needs anim")),
            (None, None) => None,
            (Some(animation), frame) => {
                Some(Pose { animation: animation.clone(), frame: frame.unwrap_or(0.0) })
            }
        };
        Ok(spec)
    }

    /// Turns the error of a run with these options into a failure, to name the option at fault.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        let Error::Pose(error) = error else { return error.into() };
        let animation = self.anim.as_deref().unwrap_or_default();
        match self.frame {
            Some(frame) => Failure::inapplicable(format_args!("anim={animation:?}, frame={frame}"), error),
            None => Failure::inapplicable(format_args!("anim={animation:?}"), error),
        }
    }
}

/// Turns an edit's error into a failure that names the edit's argument.
pub(crate) fn edit_failure(error: &EditError) -> Failure {
    let option = match error.edit.trim_start_matches('-').split_once([' ', '=']) {
        Some((name, value)) => format!("{}={value:?}", name.replace('-', "_")),
        None => error.edit.clone(),
    };
    Failure::inapplicable(option, &error.reason)
}
