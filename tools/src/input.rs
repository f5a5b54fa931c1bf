//! The INPUT of a command: reading files, and finding out what they are.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use pspge::asm::{self, Program, Segment};
use pspge::formats::{self, Content, Format, FormatError, Member, Readings, Request, Role, Selection};
use pspge::ge::address::{Address, USER_RAM_BASE};
use pspge::ge::limits::Limits;
use pspge::model::Model;

use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::output;

/// Largest file that is read: far more than the machine's memory.
const LARGEST: u64 = 256 << 20;

/// Which file, and what belongs to it.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// File to read; `FILE#MEMBER` for a member of a container, `-` for standard input
    ///
    /// Members of a BIN archive are `N` or `entity:N` for its models, `player`, `weapon`, `section:N` (`section:N/M` for
    /// model M of a section) and `textures`.
    #[arg(value_name = "INPUT")]
    pub(crate) input: String,

    #[command(flatten)]
    pub(crate) how: OpenOptions,
}

/// How to read an input, what belongs to it, and what of it is wanted.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct OpenOptions {
    /// Read INPUT as this format instead of recognising it: pmo, tmh, ahi, pac, pmdl, bbs-pmo, pmp, tim2, bon, pam, arc,
    /// mml2, msh, texm, nres, ppdmp, zip, ge (assembly text) or list (the words of a display list, run from the first
    /// one on)
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<String>,

    /// Textures of a model that has them in a separate file: the file, or a folder that holds it. Without it, a file
    /// beside INPUT with the same name and the ending .tmh or .tm2 is used; for models of Parkan Material.lib,
    /// Textures.lib and the file with the ending .wea
    #[arg(long, value_name = "DIR|FILE")]
    pub(crate) textures: Option<PathBuf>,

    /// Skeleton of a model that has it in a separate file. Without it, a file beside INPUT with the same name and
    /// the ending .ahi or .bon is used
    #[arg(long, value_name = "FILE")]
    pub(crate) skeleton: Option<PathBuf>,

    /// Second file of a model whose mesh data stand apart
    #[arg(long, value_name = "FILE")]
    pub(crate) second: Option<PathBuf>,

    /// Animations of a model that has them in a separate file. Without it, a file beside INPUT with the same name
    /// and the ending .pam is used
    #[arg(long, value_name = "FILE")]
    pub(crate) animations: Option<PathBuf>,

    /// Move a model as in this animation, by name or number
    #[arg(long, value_name = "NAME|INDEX")]
    pub(crate) anim: Option<String>,

    /// The moment of --anim, in frames from 0; need not be a whole number
    #[arg(long, value_name = "F", default_value = "0", allow_negative_numbers = true, value_parser = finite, requires = "anim")]
    pub(crate) frame: f64,

    /// Level of detail of a model that has several; 0 is the finest
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) lod: usize,

    /// Group of alternative parts of a model that has several, such as intact and damaged
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) group: usize,

    /// Show the parts that a model hides, too
    #[arg(long)]
    pub(crate) hidden: bool,

    /// Follow another reading of a format where its documents disagree, or show what is only guessed; several may be
    /// given
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) reading: Vec<Reading>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Readings that are not the usual ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Reading {
    /// Parkan models: quaternions rotate as everywhere else, not as found in the game's program
    StandardRotation,
    /// Parkan textures: texels of 32 bits are blue, green, red, alpha, not alpha, red, green, blue
    Direct3dTexels,
    /// Parkan models: the four bytes that some have for each vertex are colours
    VertexColors,
    /// Birth by Sleep maps and animations: angles turn around z first, not x
    ZTurnsFirst,
    /// Birth by Sleep models: faces whose corners turn clockwise are the front
    ClockwiseFront,
}

/// A number, neither infinite nor none.
pub(crate) fn finite(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or("a number")
}

/// What INPUT turned out to be.
#[derive(Debug)]
pub(crate) enum Input {
    /// A file of one of the library's formats.
    File {
        /// The format.
        format: Format,
        /// Members, where it is a container.
        members: Vec<Member>,
        /// Counts of a container as a whole.
        counts: Vec<(String, u64)>,
        /// What can be done with it.
        content: Content,
    },
    /// A display list of its own.
    Program {
        /// The list and its data.
        program: Program,
        /// The name of its format: `ge` or `list`.
        format: &'static str,
    },
}

impl InputArgs {
    /// What INPUT may take.
    pub(crate) fn limits(&self) -> Limits {
        self.how.limits.limits()
    }

    /// The file's name without a member.
    pub(crate) fn path(&self) -> &str {
        self.split().0
    }

    /// The file's name without folders and ending, to name results after.
    pub(crate) fn stem(&self) -> String {
        let stem = Path::new(self.path()).file_stem().unwrap_or_default().to_string_lossy();
        if stem == "-" { "input".to_owned() } else { stem.into_owned() }
    }

    fn split(&self) -> (&str, Option<&str>) {
        split(&self.input)
    }

    /// Reads INPUT and what belongs to it.
    pub(crate) fn load(&self) -> Result<Input, Failure> {
        self.load_for(false)
    }

    /// The same, for all textures of a container where its format tells them from those of a model.
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
        let is_parkan = matches!(format.or_else(|| formats::sniff(&bytes)), Some(Format::Msh | Format::Nres));
        let library = if is_parkan { self.library()? } else { Vec::new() };
        let library_files: Vec<_> = library.iter().map(Companion::file).collect();
        let textures = match &self.how.textures {
            Some(path) if is_parkan && path.is_dir() => None,
            Some(path) if path.is_dir() => Some(textures_in(path, &self.stem())?),
            Some(path) => Some(path.clone()),
            None => self.beside(&bytes, Companion::TEXTURES),
        };
        let skeleton = self.how.skeleton.clone().or_else(|| self.beside(&bytes, Companion::SKELETONS));
        let companion = |path: Option<PathBuf>| -> Result<Option<Companion>, Failure> {
            path.map(|path| Ok(Companion { bytes: read(&path)?, name: path.display().to_string() }))
                .transpose()
        };
        let textures = companion(textures)?;
        let skeleton = companion(skeleton)?;
        let second = companion(self.how.second.clone())?;
        let animations = self.how.animations.clone().or_else(|| self.beside(&bytes, Companion::ANIMATIONS));
        let animations = companion(animations)?;
        let request = Request {
            input: formats::File { name: path, bytes: &bytes },
            member,
            format,
            textures: textures.as_ref().map(Companion::file),
            skeleton: skeleton.as_ref().map(Companion::file),
            mesh_data: second.as_ref().map(Companion::file),
            animations: animations.as_ref().map(Companion::file),
            library: &library_files,
            selection: Selection {
                level_of_detail: self.how.lod,
                group: self.how.group,
                hidden: self.how.hidden,
            },
            readings: self.readings(),
            all_textures,
            limits: self.limits(),
        };
        let mut opened = formats::open(&request).map_err(|error| {
            let name = |companion: &Option<Companion>| companion.as_ref().map(|file| file.name.clone());
            let at_fault = match error.role {
                Role::Input => None,
                Role::Textures => name(&textures),
                Role::Skeleton => name(&skeleton),
                Role::MeshData => name(&second),
                Role::Animations => name(&animations),
                Role::Library(number) => library.get(number).map(|file| file.name.clone()),
            };
            located(&at_fault.unwrap_or_else(|| self.input.clone()), &error)
        })?;
        if let Some(wanted) = &self.how.anim {
            let Content::Model(model) = &mut opened.content else {
                return Err(Failure::file(&self.input, "--anim: nothing here moves"));
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

    /// The files in which a model of Parkan may find its materials and textures: all of the folder that was given, else
    /// those beside INPUT that have the usual names.
    fn library(&self) -> Result<Vec<Companion>, Failure> {
        let own = Path::new(self.path());
        let (folder, all) = match &self.how.textures {
            Some(path) if path.is_dir() => (path.clone(), true),
            Some(_) => return Ok(Vec::new()),
            None => (own.parent().map(Path::to_owned).unwrap_or_default(), false),
        };
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let usual = ["material.lib".to_owned(), "textures.lib".to_owned(), format!("{}.wea", self.stem())];
        let belongs = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            path != own && (all || usual.iter().any(|usual| usual.eq_ignore_ascii_case(&name)))
        };
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if all => return Err(Failure::file(folder.display(), error)),
            // INPUT may be standard input, or in a folder that cannot be listed.
            Err(_) => return Ok(Vec::new()),
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.is_file() && belongs(path));
        paths.sort();
        let mut files = Vec::new();
        let mut left = LARGEST;
        for path in paths {
            let length = std::fs::metadata(&path).map_or(0, |file| file.len());
            let Some(rest) = left.checked_sub(length) else {
                return Err(Failure::file(
                    folder.display(),
                    format_args!("holds more than {} MiB", LARGEST >> 20),
                ));
            };
            left = rest;
            files.push(Companion { bytes: read(&path)?, name: path.display().to_string() });
        }
        Ok(files)
    }

    fn readings(&self) -> Readings {
        let has = |reading| self.how.reading.contains(&reading);
        Readings {
            standard_rotation: has(Reading::StandardRotation),
            direct3d_texels: has(Reading::Direct3dTexels),
            vertex_colors: has(Reading::VertexColors),
            z_turns_first: has(Reading::ZTurnsFirst),
            clockwise_front: has(Reading::ClockwiseFront),
        }
    }

    fn animate(&self, model: &mut Model, wanted: &str) -> Result<(), Failure> {
        let by_name = model.animations.iter().position(|animation| animation.name.as_deref() == Some(wanted));
        let by_number = || wanted.parse().ok().filter(|&number| number < model.animations.len());
        let Some(number) = by_name.or_else(by_number) else {
            let message = match model.animations.len() {
                0 => format!("--anim {wanted}: the model has no animations"),
                count => {
                    format!("--anim {wanted}: no such animation, there are {count} (pspge info lists them)")
                }
            };
            return Err(Failure::file(&self.input, message));
        };
        model.animate(number, self.how.frame);
        Ok(())
    }

    /// A file beside INPUT, whose `bytes` tell its format, with the same name, another ending and the right content.
    fn beside(&self, bytes: &[u8], kinds: &[Kind]) -> Option<PathBuf> {
        let (path, member) = self.split();
        let model = formats::sniff(bytes);
        let (_, ending, format) = kinds.iter().copied().find(|(kind, ..)| Some(*kind) == model)?;
        let path = Path::new(path).with_extension(ending);
        let usable = member.is_none() && path != Path::new(self.path()) && path.is_file();
        let is_right = |path: &Path| read(path).is_ok_and(|bytes| formats::sniff(&bytes) == Some(format));
        (usable && is_right(&path)).then_some(path)
    }
}

#[derive(Debug)]
struct Companion {
    name: String,
    bytes: Vec<u8>,
}

/// The format of a model, and the ending and format of what may stand beside it.
type Kind = (Format, &'static str, Format);

impl Companion {
    const TEXTURES: &'static [Kind] = &[
        (Format::Pmo, "tmh", Format::Tmh),
        (Format::BbsPmo, "tm2", Format::Tim2),
        (Format::Pmp, "tm2", Format::Tim2),
    ];
    const SKELETONS: &'static [Kind] =
        &[(Format::Pmo, "ahi", Format::Ahi), (Format::BbsPmo, "bon", Format::Bon)];
    const ANIMATIONS: &'static [Kind] = &[(Format::BbsPmo, "pam", Format::Pam)];

    fn file(&self) -> formats::File<'_> {
        formats::File { name: &self.name, bytes: &self.bytes }
    }
}

/// A file and its member. A file whose name contains `#` is taken by its whole name where it exists.
pub(crate) fn split(input: &str) -> (&str, Option<&str>) {
    match input.split_once('#') {
        Some((path, member)) if !Path::new(input).exists() => (path, Some(member)),
        _ => (input, None),
    }
}

/// `FILE: at 0xOFFSET: what is wrong`.
pub(crate) fn located(name: &str, error: &FormatError) -> Failure {
    Failure::file(name, error)
}

fn unknown_format(name: &str) -> Failure {
    let names: Vec<&str> = Format::all().map(Format::name).chain(["ge", "list"]).collect();
    Failure::usage(format_args!("--format {name}: no such format; there are {}", names.join(", ")))
}

/// The one texture file in a folder: that with INPUT's name, else the first by name.
fn textures_in(folder: &Path, stem: &str) -> Result<PathBuf, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::file(folder.display(), error))?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort_by_key(|path| (path.file_stem().is_none_or(|name| name != stem), path.clone()));
    files
        .into_iter()
        .find(|path| {
            let format = read(path).ok().and_then(|bytes| formats::sniff(&bytes));
            matches!(format, Some(Format::Tmh | Format::Tim2))
        })
        .ok_or_else(|| Failure::file(folder.display(), "holds no file with textures"))
}

fn program(name: &str, bytes: &[u8]) -> Result<Input, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Failure::file(name, format_args!("at 0x{:x}: not UTF-8 text", error.valid_up_to()))
    })?;
    let program = asm::assemble(text).map_err(|error| Failure::file(name, error))?;
    Ok(Input::Program { program, format: "ge" })
}

/// The words of a list, placed at the start of user memory.
fn raw_list(name: &str, bytes: Vec<u8>) -> Result<Input, Failure> {
    const ROOM: usize = 24 << 20;
    if bytes.len() > ROOM {
        return Err(Failure::file(
            name,
            format_args!("at 0x{ROOM:x}: a list longer than user memory (24 MiB)"),
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

/// Reads a file, or standard input for a single dash.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: std::io::Error| Failure::file(path.display(), error);
    let mut bytes = Vec::new();
    let length = if path == Path::new("-") {
        std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?
    } else {
        if path.is_dir() {
            return Err(Failure::file(path.display(), "is a folder"));
        }
        File::open(path).map_err(failed)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?
    };
    if path != Path::new("-") {
        output::protect(path);
    }
    if length as u64 > LARGEST {
        return Err(Failure::file(path.display(), format_args!("larger than {} MiB", LARGEST >> 20)));
    }
    Ok(bytes)
}
