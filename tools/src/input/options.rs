//! Options for reading an input: format, companion files, and which parts of a model to use.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use pspge::formats::{Registry, Selection};
use pspge::ge::limits::Limits;
use pspge::inspect::PartSpec;
use serde::Serialize;

use crate::format_help;
use crate::limits::LimitArgs;

/// Groups [`FileOptions`] in the help. Each option sets this heading, because a heading for the whole group would
/// also apply to the options after it.
const HEADING: &str = "Input options";

/// Groups [`ModelOptions`] in the help.
const MODEL_HEADING: &str = "Model options";

/// Options for reading an input.
#[derive(Clone, Debug, clap::Args, Serialize)]
pub(crate) struct OpenOptions {
    #[command(flatten)]
    pub(crate) model: ModelOptions,

    #[command(flatten)]
    pub(crate) files: FileOptions,
}

/// Options that select or pose parts of a model.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub(crate) struct ModelOptions {
    /// Pose a model by this animation, given by name or number
    #[arg(long, help_heading = MODEL_HEADING, value_name = "NAME|INDEX")]
    pub(crate) anim: Option<String>,

    /// Frame of --anim, counted from 0 (the default); may be fractional
    #[arg(long, help_heading = MODEL_HEADING, value_name = "F", requires = "anim")]
    #[arg(allow_negative_numbers = true, value_parser = finite)]
    pub(crate) frame: Option<f64>,

    /// Level of detail of a model; 0, the default, is the finest
    #[arg(long, help_heading = MODEL_HEADING, value_name = "N")]
    pub(crate) lod: Option<usize>,

    /// Group of alternative parts of a model, such as intact (0, the default) and damaged
    #[arg(long, help_heading = MODEL_HEADING, value_name = "N", hide_short_help = true)]
    pub(crate) group: Option<usize>,

    /// Also draw the hidden parts of a model
    #[arg(long, help_heading = MODEL_HEADING, hide_short_help = true)]
    pub(crate) hidden: bool,
}

/// Options for reading a file: its format and its companion files. Short help leaves most of them out.
#[derive(Clone, Debug, clap::Args, Serialize)]
pub(crate) struct FileOptions {
    /// Separate textures of a model: the file, or a folder that holds it
    #[arg(long, help_heading = HEADING, value_name = "DIR|FILE", long_help = format_help::textures())]
    pub(crate) textures: Option<PathBuf>,

    /// Skeleton of a model that has it in a separate file
    #[arg(long, help_heading = HEADING, value_name = "FILE", long_help = format_help::skeleton())]
    #[arg(hide_short_help = true)]
    pub(crate) skeleton: Option<PathBuf>,

    /// Mesh data file of a two-file model
    #[arg(long, help_heading = HEADING, value_name = "FILE", long_help = format_help::mesh_data())]
    #[arg(hide_short_help = true)]
    pub(crate) mesh_data: Option<PathBuf>,

    /// Animations of a model that has them in a separate file
    #[arg(long, help_heading = HEADING, value_name = "FILE", long_help = format_help::animations())]
    #[arg(hide_short_help = true)]
    pub(crate) animations: Option<PathBuf>,

    /// Read INPUT as this format instead of recognising it
    #[arg(long, help_heading = HEADING, value_name = "NAME", long_help = format_help::formats())]
    #[arg(hide_short_help = true)]
    pub(crate) format: Option<String>,

    /// Choose how to read a field where the format's documents disagree; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = parse_options(), hide_short_help = true)]
    pub(crate) parse_option: Vec<String>,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) limits: LimitArgs,
}

impl ModelOptions {
    /// Names the given options, as in messages.
    pub(crate) fn given(&self) -> impl Iterator<Item = String> + use<> {
        let given = [
            self.anim.as_ref().map(|_| "--anim".to_owned()),
            self.lod.map(|level| format!("--lod {level}")),
            self.group.map(|group| format!("--group {group}")),
            self.hidden.then(|| "--hidden".to_owned()),
        ];
        given.into_iter().flatten()
    }

    /// Takes the alternatives that a page has chosen, and the pose at rest, because pages pose models themselves.
    pub(crate) fn choose(&mut self, part: &PartSpec) {
        let PartSpec { lod, group, hidden, .. } = *part;
        *self = Self { anim: None, frame: None, lod, group, hidden };
    }

    /// Returns which of a model's alternatives to draw.
    pub(crate) fn selection(&self) -> Selection {
        Selection {
            level_of_detail: self.lod.unwrap_or(0),
            group: self.group.unwrap_or(0),
            hidden: self.hidden,
        }
    }
}

impl OpenOptions {
    /// Returns the options that decide what an input holds, as words, to let another command open it in the same
    /// way. Options that choose a model's alternatives are left out, because a page chooses others.
    pub(crate) fn words(&self) -> Vec<String> {
        let FileOptions { textures, skeleton, mesh_data, animations, format, parse_option, .. } = &self.files;
        let paths = [
            ("--textures", textures),
            ("--skeleton", skeleton),
            ("--mesh-data", mesh_data),
            ("--animations", animations),
        ];
        let paths =
            paths.into_iter().filter_map(|(name, path)| Some((name, path.as_ref()?.display().to_string())));
        let formats = format.iter().map(|format| ("--format", format.clone()));
        let parse = parse_option.iter().map(|option| ("--parse-option", option.clone()));
        let named = paths.chain(formats).chain(parse);
        named.flat_map(|(name, value)| [name.to_owned(), value]).collect()
    }

    pub(crate) fn limits(&self) -> Limits {
        self.files.limits.limits()
    }
}

impl FileOptions {
    pub(crate) fn limits(&self) -> Limits {
        self.limits.limits()
    }
}

/// Parses `--parse-option`. The formats declare which values exist.
fn parse_options() -> PossibleValuesParser {
    let options = Registry::standard().parse_options();
    options.into_iter().map(|option| PossibleValue::new(option.name).help(option.about)).into()
}

pub(crate) fn finite(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or("expected a finite number")
}

/// Parses a positive number of seconds, at most a day.
pub(crate) fn seconds(text: &str) -> Result<f64, &'static str> {
    const DAY: f64 = 24.0 * 60.0 * 60.0;
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds <= DAY);
    seconds.ok_or("expected a number of seconds, above 0 and at most 86400")
}
