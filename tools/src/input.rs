//! The INPUT of a command: reading a file and recognising its format.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use pspge::asm::{self, Program, Segment};
use pspge::formats::{
    self, Content, File, Format, FormatError, Member, ParseOptions, Registry, Request, Selection,
};
use pspge::ge::address::{Address, USER_RAM_BASE};
use pspge::ge::limits::Limits;
use pspge::model::Model;

use crate::failure::Failure;
use crate::files::{Folder, read};
use crate::format_help;
use crate::limits::LimitArgs;

/// The INPUT argument and its options.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// File to read; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", long_help = format_help::input())]
    pub(crate) input: String,

    #[command(flatten)]
    pub(crate) how: OpenOptions,
}

/// Help heading of [`OpenOptions`]. Set per option: a heading of the whole group would also apply to the
/// options after it.
const HEADING: &str = "Input options";

/// Options for reading an input: its format, its companion files, and the selection of parts.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct OpenOptions {
    /// Read INPUT as this format instead of recognising it
    #[arg(long, help_heading = HEADING, value_name = "NAME", help = format_help::formats())]
    pub(crate) format: Option<String>,

    /// Textures of a model that has them in a separate file: the file, or a folder that holds it
    #[arg(long, help_heading = HEADING, value_name = "DIR|FILE", help = format_help::textures())]
    pub(crate) textures: Option<PathBuf>,

    /// Skeleton of a model that has it in a separate file
    #[arg(long, help_heading = HEADING, value_name = "FILE", help = format_help::skeleton())]
    pub(crate) skeleton: Option<PathBuf>,

    /// Mesh data file of a two-file model
    #[arg(long, help_heading = HEADING, value_name = "FILE")]
    pub(crate) mesh_data: Option<PathBuf>,

    /// Animations of a model that has them in a separate file
    #[arg(long, help_heading = HEADING, value_name = "FILE", help = format_help::animations())]
    pub(crate) animations: Option<PathBuf>,

    /// Pose a model by this animation, given by name or number
    #[arg(long, help_heading = HEADING, value_name = "NAME|INDEX")]
    pub(crate) anim: Option<String>,

    /// Frame of --anim, counted from 0; may be fractional
    #[arg(long, help_heading = HEADING, value_name = "F", default_value = "0", requires = "anim")]
    #[arg(allow_negative_numbers = true, value_parser = finite)]
    pub(crate) frame: f64,

    /// Level of detail of a model; 0 is the finest
    #[arg(long, help_heading = HEADING, value_name = "N", default_value = "0")]
    pub(crate) lod: usize,

    /// Group of alternative parts of a model, such as intact and damaged
    #[arg(long, help_heading = HEADING, value_name = "N", default_value = "0")]
    pub(crate) group: usize,

    /// Also draw the hidden parts of a model
    #[arg(long, help_heading = HEADING)]
    pub(crate) hidden: bool,

    /// Choose how to read a field on which the format's documents disagree; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = parse_options())]
    pub(crate) parse_option: Vec<String>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Returns the values of `--parse-option`, as declared by the formats.
fn parse_options() -> PossibleValuesParser {
    let options = Registry::standard().parse_options();
    options.into_iter().map(|option| PossibleValue::new(option.name).help(option.about)).into()
}

/// Parses a finite number.
pub(crate) fn finite(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or("expected a finite number")
}

/// A recognised input.
#[derive(Debug)]
pub(crate) enum Input {
    /// A file of one of the library's formats.
    File {
        /// The format.
        format: Format,
        /// Members of a container; empty for other formats.
        members: Vec<Member>,
        /// Counts of a container as a whole.
        counts: Vec<(String, u64)>,
        /// Its content.
        content: Content,
    },
    /// A display list on its own.
    Program {
        /// The list and its data.
        program: Program,
        /// The name of its format: `ge` or `list`.
        format: &'static str,
    },
}

impl InputArgs {
    /// Returns the limits for INPUT.
    pub(crate) fn limits(&self) -> Limits {
        self.how.limits.limits()
    }

    /// Returns the path of the file, without a member.
    pub(crate) fn path(&self) -> &str {
        self.split().0
    }

    /// Returns the file's name without folders and extension, for the names of output files.
    pub(crate) fn stem(&self) -> String {
        let stem = Path::new(self.path()).file_stem().unwrap_or_default().to_string_lossy();
        if stem == "-" { "input".to_owned() } else { stem.into_owned() }
    }

    fn split(&self) -> (&str, Option<&str>) {
        split(&self.input)
    }

    /// Reads INPUT and its companion files.
    pub(crate) fn load(&self) -> Result<Input, Failure> {
        self.load_for(false)
    }

    /// Does the same, but opens all textures of a container instead of its model, for formats that
    /// distinguish them.
    pub(crate) fn load_textures(&self) -> Result<Input, Failure> {
        self.load_for(true)
    }

    fn load_for(&self, all_textures: bool) -> Result<Input, Failure> {
        let (path, member) = self.split();
        let bytes = read(Path::new(path))?;
        let format = match self.how.format.as_deref() {
            Some("list") => return raw_list(path, bytes),
            Some("ge") => return program(path, &bytes),
            Some(name) => Some(Format::from_name(name).ok_or_else(|| unknown_format(name))?),
            None if asm::is_assembly(&bytes) => return program(path, &bytes),
            None => None,
        };
        let folder =
            self.how.textures.as_deref().filter(|path| path.is_dir()).map(Folder::open).transpose()?;
        let companion = |path: &Option<PathBuf>| -> Result<Option<Companion>, Failure> {
            let read =
                |path: &PathBuf| Ok(Companion { bytes: read(path)?, name: path.display().to_string() });
            path.as_ref().map(read).transpose()
        };
        let textures = if folder.is_some() { None } else { companion(&self.how.textures)? };
        let skeleton = companion(&self.how.skeleton)?;
        let mesh_data = companion(&self.how.mesh_data)?;
        let animations = companion(&self.how.animations)?;
        let parse_options: Vec<&str> = self.how.parse_option.iter().map(String::as_str).collect();
        let request = Request {
            member,
            format,
            textures: textures.as_ref().map(Companion::file),
            texture_folder: folder.as_ref().map(|folder| folder as &dyn formats::FileProvider),
            skeleton: skeleton.as_ref().map(Companion::file),
            mesh_data: mesh_data.as_ref().map(Companion::file),
            animations: animations.as_ref().map(Companion::file),
            files: &Folder::around(Path::new(path)),
            selection: Selection {
                level_of_detail: self.how.lod,
                group: self.how.group,
                hidden: self.how.hidden,
            },
            parse_options: ParseOptions::new(&parse_options),
            all_textures,
            limits: self.limits(),
            ..Request::new(path, &bytes)
        };
        let mut opened = formats::open(&request)
            .map_err(|error| located(error.file.as_deref().unwrap_or(&self.input), &error))?;
        if let Some(wanted) = &self.how.anim {
            let Content::Model(model) = &mut opened.content else {
                return Err(Failure::file(&self.input, "--anim: not a model"));
            };
            self.animate(model, wanted)?;
        }
        Ok(Input::File {
            format: opened.format,
            members: opened.members,
            counts: opened.counts,
            content: opened.content,
        })
    }

    /// Poses a model by the animation with the given name or number.
    fn animate(&self, model: &mut Model, wanted: &str) -> Result<(), Failure> {
        let by_name = model.animations.iter().position(|animation| animation.name.as_deref() == Some(wanted));
        let by_number = || wanted.parse().ok().filter(|&number| number < model.animations.len());
        let Some(number) = by_name.or_else(by_number) else {
            let message = match model.animations.len() {
                0 => format!("--anim {wanted}: the model has no animations"),
                count => {
                    format!("--anim {wanted}: no such animation; the model has {count}, listed by pspge info")
                }
            };
            return Err(Failure::file(&self.input, message));
        };
        model.animate(number, self.how.frame);
        Ok(())
    }
}

/// A companion file given on the command line.
#[derive(Debug)]
struct Companion {
    name: String,
    bytes: Vec<u8>,
}

impl Companion {
    fn file(&self) -> File<'_> {
        File { name: &self.name, bytes: &self.bytes }
    }
}

/// Splits INPUT into a file and a member. A file with the whole name, including the `#`, takes precedence.
pub(crate) fn split(input: &str) -> (&str, Option<&str>) {
    match input.split_once('#') {
        Some((path, member)) if !Path::new(input).exists() => (path, Some(member)),
        _ => (input, None),
    }
}

/// Creates the failure `FILE: at 0xOFFSET: message`.
pub(crate) fn located(name: &str, error: &FormatError) -> Failure {
    Failure::file(name, error)
}

fn unknown_format(name: &str) -> Failure {
    let names: Vec<&str> = Format::all().map(Format::name).chain(["ge", "list"]).collect();
    Failure::usage(format_args!("--format {name}: no such format; use one of {}", names.join(", ")))
}

/// Assembles the text of a display list.
fn program(name: &str, bytes: &[u8]) -> Result<Input, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Failure::file(name, format_args!("at 0x{:x}: not UTF-8 text", error.valid_up_to()))
    })?;
    let program = asm::assemble(text).map_err(|error| Failure::file(name, error))?;
    Ok(Input::Program { program, format: "ge" })
}

/// Places the words of a list at the start of user memory.
fn raw_list(name: &str, bytes: Vec<u8>) -> Result<Input, Failure> {
    const ROOM: usize = 24 << 20;
    if bytes.len() > ROOM {
        return Err(Failure::file(
            name,
            format_args!("at 0x{ROOM:x}: the list is longer than user memory (24 MiB)"),
        ));
    }
    let entry = Address::new(USER_RAM_BASE);
    let program = Program {
        segments: vec![Segment { address: entry, bytes }],
        entry,
        symbols: std::collections::BTreeMap::new(),
    };
    Ok(Input::Program { program, format: "list" })
}
