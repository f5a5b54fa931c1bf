//! File formats: recognising a file by its content, and making what is in it ready to draw.
//!
//! # Invariants
//! Nothing here reads or writes files: input is bytes, also that of companion files. Hostile bytes lead to a
//! located [`FormatError`], never to a panic or to work and memory out of proportion.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::fmt;

use crate::ge::capture::Capture;
use crate::ge::limits::Limits;
use crate::model::{AnimationSet, Model, Skeleton, TextureSet};

mod ahi;
mod bbs;
pub mod cursor;
pub mod error;
mod load;
mod mml2;
mod msh;
mod nres;
mod pac;
mod parkan;
mod pmdl;
mod pmo;
pub mod ppdmp;
mod request;
mod texm;
mod tim2;
mod tmh;
mod zip;

pub use ahi::AhiProblem;
pub use bbs::{ArcProblem, BbsPmoProblem, BonProblem, PamProblem, PmpProblem};
use cursor::View;
use error::Problem;
pub use error::{FormatError, Role};
pub use mml2::Mml2Problem;
pub use msh::MshProblem;
pub use nres::NresProblem;
pub use pac::PacProblem;
pub use pmdl::PmdlProblem;
pub use pmo::PmoProblem;
use ppdmp::Dump;
pub use ppdmp::PpdmpProblem;
pub use request::{File, Readings, Request, Selection};
pub use texm::TexmProblem;
pub use tim2::Tim2Problem;
pub use tmh::TmhProblem;
pub use zip::ZipProblem;

/// A format that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A model of Monster Hunter Freedom Unite or Portable 3rd.
    Pmo,
    /// Textures of these.
    Tmh,
    /// A skeleton of these.
    Ahi,
    /// A container of these.
    Pac,
    /// A model of the PSPL toolchain.
    Pmdl,
    /// A model of Parkan: Iron Strategy.
    Msh,
    /// A texture of it.
    Texm,
    /// A container of these.
    Nres,
    /// An archive of Mega Man Legends 2 for the PlayStation.
    Mml2,
    /// A frame recorded by PPSSPP.
    Ppdmp,
    /// An archive with one file of another format in it.
    Zip,
    /// A model of Birth by Sleep.
    BbsPmo,
    /// A map of Birth by Sleep.
    Pmp,
    /// Textures of these.
    Tim2,
    /// A skeleton of these.
    Bon,
    /// Animations of these.
    Pam,
    /// A container of these.
    Arc,
}

/// What is known about a format.
struct Adapter {
    format: Format,
    name: &'static str,
    sniff: fn(&[u8]) -> bool,
    /// The members of a container whose members are pieces of its bytes.
    members: Option<for<'a> fn(View<'a>) -> Result<NamedViews<'a>, FormatError>>,
}

/// Views of a container's members, in order; `None` for empty entries.
type NamedViews<'a> = Vec<Option<NamedView<'a>>>;

/// A member's bytes, and its name where the container gives one.
#[derive(Clone, Debug)]
struct NamedView<'a> {
    name: Option<String>,
    view: View<'a>,
}

/// All formats, in the order in which they are tried: those with a magic first, those that only have to make
/// sense last.
static ADAPTERS: [Adapter; 17] = [
    Adapter { format: Format::Ppdmp, name: "ppdmp", sniff: ppdmp::sniff, members: None },
    Adapter { format: Format::Zip, name: "zip", sniff: zip::sniff, members: None },
    Adapter { format: Format::Pmo, name: "pmo", sniff: pmo::sniff, members: None },
    Adapter { format: Format::Pmdl, name: "pmdl", sniff: pmdl::sniff, members: None },
    Adapter { format: Format::Tmh, name: "tmh", sniff: tmh::sniff, members: None },
    Adapter { format: Format::BbsPmo, name: "bbs-pmo", sniff: bbs::pmo::sniff, members: None },
    Adapter { format: Format::Pmp, name: "pmp", sniff: bbs::pmp::sniff, members: None },
    Adapter { format: Format::Tim2, name: "tim2", sniff: tim2::sniff, members: None },
    Adapter { format: Format::Bon, name: "bon", sniff: bbs::bon::sniff, members: None },
    Adapter { format: Format::Pam, name: "pam", sniff: bbs::pam::sniff, members: None },
    Adapter { format: Format::Arc, name: "arc", sniff: bbs::arc::sniff, members: Some(bbs::arc::members_of) },
    Adapter { format: Format::Mml2, name: "mml2", sniff: mml2::sniff, members: None },
    Adapter { format: Format::Ahi, name: "ahi", sniff: ahi::sniff, members: None },
    Adapter { format: Format::Msh, name: "msh", sniff: msh::sniff, members: None },
    Adapter { format: Format::Nres, name: "nres", sniff: nres::sniff, members: Some(nres::members_of) },
    Adapter { format: Format::Texm, name: "texm", sniff: texm::sniff, members: None },
    Adapter { format: Format::Pac, name: "pac", sniff: pac::sniff, members: Some(pac::members_of) },
];

/// The format of a file, by its content.
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    ADAPTERS.iter().find(|adapter| (adapter.sniff)(bytes)).map(|adapter| adapter.format)
}

impl Format {
    /// All formats, in the order in which they are tried.
    pub fn all() -> impl Iterator<Item = Self> {
        ADAPTERS.iter().map(|adapter| adapter.format)
    }

    /// Whether its members are pieces of its bytes.
    fn is_container(self) -> bool {
        ADAPTERS.iter().any(|adapter| adapter.format == self && adapter.members.is_some())
    }

    /// The name by which users speak of it.
    #[must_use]
    pub fn name(self) -> &'static str {
        ADAPTERS.iter().find(|adapter| adapter.format == self).map_or("unknown", |adapter| adapter.name)
    }

    /// The format of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        ADAPTERS.iter().find(|adapter| adapter.name == name).map(|adapter| adapter.format)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What was in a file.
#[derive(Debug)]
pub struct Opened {
    /// The format of what was opened: of the member, where one was asked for.
    pub format: Format,
    /// Members, where it is a container.
    pub members: Vec<Member>,
    /// Counts of a container as a whole, by the names that its documents use; where a member was asked for, only what
    /// is known of that one. Empty for other formats.
    pub counts: Vec<(String, u64)>,
    /// What can be done with it.
    pub content: Content,
}

/// What can be done with an opened file.
#[derive(Debug)]
pub enum Content {
    /// It can be drawn. A container is what the first model in it is.
    Model(Box<Model>),
    /// It holds textures only.
    Textures(TextureSet),
    /// It holds a skeleton only.
    Skeleton {
        /// The skeleton.
        skeleton: Skeleton,
        /// Which game's variant of the format it is.
        version: &'static str,
        /// What the user should know.
        notes: Vec<String>,
    },
    /// It holds animations only.
    Animations(AnimationSet),
    /// It is a recorded frame.
    Dump {
        /// The file.
        dump: Box<Dump>,
        /// What to run.
        capture: Box<Capture>,
    },
    /// It is a container in which nothing can be drawn.
    Archive,
}

/// A member of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its number.
    pub index: usize,
    /// Its name, where the container gives one.
    pub name: Option<String>,
    /// What the container says it is.
    pub kind: Option<String>,
    /// What it is; `None` where it was not recognised or is empty.
    pub format: Option<Format>,
    /// Where it stands in the file.
    pub offset: u64,
    /// Its length in bytes; 0 for empty entries.
    pub length: u64,
}

/// Containers within containers that are looked into.
const DEEPEST: usize = 4;
/// Members that a search for a format looks at.
const SEARCHED: u64 = 0x4000;

/// A piece of a request's file.
#[derive(Clone, Copy)]
struct Piece<'a> {
    name: &'a str,
    role: Role,
    offset: u64,
    bytes: &'a [u8],
}

/// The members of a container; `None` for empty entries.
type Members<'a> = Vec<Option<Piece<'a>>>;

/// The same with their names.
type NamedMembers<'a> = Vec<(Option<String>, Option<Piece<'a>>)>;

/// What a request means: a piece, what stands beside it, and what of it is wanted.
struct Target<'a> {
    piece: Piece<'a>,
    /// The members of the container it stands in, itself included.
    siblings: NamedMembers<'a>,
    /// That container.
    container: Option<Piece<'a>>,
    /// The rest of the path to a member, for formats that name their own parts.
    part: Option<String>,
}

impl<'a> Piece<'a> {
    const fn whole(file: File<'a>, role: Role) -> Self {
        Self { name: file.name, role, offset: 0, bytes: file.bytes }
    }

    const fn view(self, format: Format) -> View<'a> {
        View::new(self.bytes, self.offset, format, self.role)
    }

    const fn error(self, kind: Problem) -> FormatError {
        FormatError { format: None, role: self.role, offset: self.offset, kind }
    }

    /// The members with their names, where the piece is a container of `format`.
    fn named_members(self, format: Format) -> Result<NamedMembers<'a>, FormatError> {
        let read = ADAPTERS.iter().find(|adapter| adapter.format == format).and_then(|found| found.members);
        let Some(read) = read else { return Err(self.error(Problem::NoContainer(format))) };
        let piece = |view: View<'a>| Self { offset: view.file_offset(0), bytes: view.bytes(), ..self };
        let named = |member: Option<NamedView<'a>>| match member {
            Some(NamedView { name, view }) => (name, Some(piece(view))),
            None => (None, None),
        };
        Ok(read(self.view(format))?.into_iter().map(named).collect())
    }

    fn members(self, format: Format) -> Result<Members<'a>, FormatError> {
        Ok(self.named_members(format)?.into_iter().map(|(_, piece)| piece).collect())
    }
}

/// Opens a file.
///
/// # Errors
/// A located error where the bytes are not what they should be.
pub fn open(request: &Request<'_>) -> Result<Opened, FormatError> {
    let input = Piece::whole(request.input, Role::Input);
    let is_zip = request.format == Some(Format::Zip) || request.format.is_none() && zip::sniff(input.bytes);
    if is_zip {
        // One layer only: what is inside has another format.
        let inside = |bytes: &[u8]| sniff(bytes).is_some_and(|format| format != Format::Zip);
        let bytes = zip::unpack(input.view(Format::Zip), &request.limits, inside)?;
        let input = File { bytes: &bytes, ..request.input };
        return open_file(&Request { input, format: None, ..*request });
    }
    open_file(request)
}

fn open_file(request: &Request<'_>) -> Result<Opened, FormatError> {
    let target = find_member(request)?;
    let Target { piece, siblings, container, part } = &target;
    let piece = *piece;
    let format = match request.format.or_else(|| sniff(piece.bytes)) {
        Some(format) => format,
        None if request.input.bytes.is_empty() => return Err(piece.error(Problem::Empty)),
        None => return Err(piece.error(Problem::Unknown)),
    };
    if part.is_some() && format != Format::Mml2 {
        return Err(piece.error(Problem::NoContainer(format)));
    }
    let mut members = Vec::new();
    let mut counts = Vec::new();
    let content = match format {
        Format::Pmo => model(request, piece, &unnamed(siblings))?,
        Format::Tmh => {
            let tmh = tmh::read(piece.view(format))?;
            Content::Textures(tmh.texture_set(piece.name)?)
        }
        Format::Ahi => {
            let ahi::Ahi { skeleton, version, warnings } = ahi::read(piece.view(format))?;
            Content::Skeleton { skeleton, version, notes: warnings.lines().collect() }
        }
        Format::Pmdl => Content::Model(Box::new(pmdl::read(piece.view(format))?.lower()?)),
        Format::Msh => Content::Model(Box::new(parkan::model(request, piece, *container)?)),
        Format::Nres => {
            let named = piece.named_members(format)?;
            members = describe(piece, &named);
            parkan::archive(request, piece, &named)?
        }
        Format::Texm => {
            let texture = std::iter::once((None, piece.view(format)));
            Content::Textures(texm::texture_set(texture, request.readings)?)
        }
        Format::Mml2 => {
            let opened = mml2::open(&mml2_source(request, piece, part.as_deref())?)?;
            (members, counts) = (opened.members, opened.counts);
            opened.content
        }
        Format::Ppdmp => dump(piece, &request.limits)?,
        Format::Zip => return Err(piece.error(Problem::TooDeep(1))),
        Format::BbsPmo => bbs::open::model(request, piece, siblings)?,
        Format::Pmp => bbs::open::map(request, piece, siblings)?,
        Format::Tim2 => bbs::open::textures(piece)?,
        Format::Bon => bbs::open::bones(piece)?,
        Format::Pam => bbs::open::animations(request, piece)?,
        Format::Arc => {
            let named = piece.named_members(format)?;
            members = describe(piece, &named);
            bbs::open::archive(request, &named)?
        }
        Format::Pac => {
            let named = piece.named_members(format)?;
            members = describe(piece, &named);
            let pieces = named.into_iter().map(|(_, piece)| piece).collect();
            match first_of(Format::Pmo, &pieces, DEEPEST, &mut SEARCHED.clone()) {
                Some((found, siblings)) => model(request, found, &siblings)?,
                None => Content::Archive,
            }
        }
    };
    Ok(Opened { format, members, counts, content })
}

/// Members for those to whom names mean nothing.
fn unnamed<'a>(members: &NamedMembers<'a>) -> Members<'a> {
    members.iter().map(|(_, piece)| *piece).collect()
}

fn dump(piece: Piece<'_>, limits: &Limits) -> Result<Content, FormatError> {
    let dump = ppdmp::read(piece.view(Format::Ppdmp), limits)?;
    let located = |problem| piece.view(Format::Ppdmp).error(dump.records_offset(), problem);
    let capture = dump.capture(piece.name).map_err(located)?;
    Ok(Content::Dump { dump: Box::new(dump), capture: Box::new(capture) })
}

/// Follows a request's path to a member as far as containers go.
fn find_member<'a>(request: &Request<'a>) -> Result<Target<'a>, FormatError> {
    let mut piece = Piece::whole(request.input, Role::Input);
    let (mut siblings, mut container) = (Vec::new(), None);
    let path: Vec<&str> = request.member.into_iter().flat_map(|path| path.split(['/', '#'])).collect();
    for (depth, wanted) in path.iter().enumerate() {
        if depth >= DEEPEST {
            return Err(piece.error(Problem::TooDeep(DEEPEST)));
        }
        let forced = if depth == 0 { request.format } else { None };
        let Some(format) = forced.filter(|format| format.is_container()).or_else(|| sniff(piece.bytes))
        else {
            return Err(piece.error(Problem::Unknown));
        };
        if !format.is_container() {
            let part = path.get(depth..).map(|rest| rest.join("/"));
            return Ok(Target { piece, siblings, container, part });
        }
        let named = piece.named_members(format)?;
        let by_number = || named.get(wanted.parse::<usize>().ok()?)?.1;
        let by_name = || {
            let is = |name: &Option<String>, same: fn(&str, &str) -> bool| {
                name.as_deref().is_some_and(|name| same(name, wanted))
            };
            let exactly = named.iter().find(|(name, _)| is(name, |one, other| one == other));
            exactly.or_else(|| named.iter().find(|(name, _)| is(name, str::eq_ignore_ascii_case)))?.1
        };
        let by_format = || {
            let format = Format::from_name(wanted)?;
            named.iter().filter_map(|(_, member)| *member).find(|member| sniff(member.bytes) == Some(format))
        };
        let found = by_number().or_else(by_name).or_else(by_format);
        container = Some(piece);
        piece = found.ok_or_else(|| piece.error(Problem::NoMember((*wanted).to_owned())))?;
        siblings = named;
    }
    Ok(Target { piece, siblings, container, part: None })
}

fn describe(container: Piece<'_>, members: &[(Option<String>, Option<Piece<'_>>)]) -> Vec<Member> {
    let describe = |(index, (name, piece)): (usize, &(Option<String>, Option<Piece<'_>>))| {
        let (format, offset, length) = match piece {
            Some(piece) => (sniff(piece.bytes), piece.offset, piece.bytes.len() as u64),
            None => (None, container.offset, 0),
        };
        Member { index, name: name.clone(), kind: None, format, offset, length }
    };
    members.iter().enumerate().map(describe).collect()
}

/// The first member of a format, with its siblings; containers within are looked into afterwards.
fn first_of<'a>(
    format: Format,
    pieces: &Members<'a>,
    depth: usize,
    budget: &mut u64,
) -> Option<(Piece<'a>, Members<'a>)> {
    *budget = budget.checked_sub(pieces.len() as u64)?;
    let mut inner = Vec::new();
    for piece in pieces.iter().flatten().copied() {
        match sniff(piece.bytes) {
            Some(found) if found == format => return Some((piece, pieces.clone())),
            Some(Format::Pac) => inner.push(piece),
            _ => {}
        }
    }
    let depth = depth.checked_sub(1)?;
    inner.into_iter().find_map(|piece| {
        // Not even read where there are too many.
        let affordable = pac::count(piece.view(Format::Pac)).is_ok_and(|count| count <= *budget);
        first_of(format, &affordable.then(|| piece.members(Format::Pac).ok())??, depth, budget)
    })
}

/// A model with its companions: those that were given, else those of its container.
fn model<'a>(
    request: &Request<'a>,
    piece: Piece<'a>,
    siblings: &Members<'a>,
) -> Result<Content, FormatError> {
    let companion = |file: Option<File<'a>>, role: Role, format: Format| match file {
        Some(file) => companion_of(Piece::whole(file, role), format).map(Some),
        None => Ok(sibling_of(piece, format, siblings)),
    };
    let second = request.mesh_data.map(|file| Piece::whole(file, Role::MeshData));
    let read = pmo::read(piece.view(Format::Pmo), second.map(|second| second.view(Format::Pmo)))?;
    let textures = companion(request.textures, Role::Textures, Format::Tmh)?;
    let skeleton = companion(request.skeleton, Role::Skeleton, Format::Ahi)?;
    let mut companions =
        pmo::Companions { mesh_data: second.map(|second| second.name), ..pmo::Companions::default() };
    let mut notes = Vec::new();
    if let Some(textures) = textures {
        companions.textures = Some((textures.name, tmh::read(textures.view(Format::Tmh))?));
    }
    if let Some(skeleton) = skeleton {
        let ahi = ahi::read(skeleton.view(Format::Ahi))?;
        notes.extend(ahi.warnings.lines().map(|line| format!("skeleton: {line}")));
        companions.skeleton = Some(ahi.skeleton);
    }
    let mut model = read.lower(piece.name, companions)?;
    model.notes.extend(notes);
    let others = siblings.iter().flatten().filter(|sibling| pmo::sniff(sibling.bytes)).count();
    if request.member.is_none() && others > 1 {
        model.notes.push(format!("the container holds {others} models; this is the first"));
    }
    Ok(Content::Model(Box::new(model)))
}

/// An archive of Mega Man Legends 2 with its companions.
fn mml2_source<'a>(
    request: &Request<'a>,
    piece: Piece<'a>,
    part: Option<&'a str>,
) -> Result<mml2::Source<'a>, FormatError> {
    let companion = |file: Option<File<'a>>, role: Role| {
        let piece = file.map(|file| companion_of(Piece::whole(file, role), Format::Mml2)).transpose();
        Ok(piece?.map(|piece| piece.view(Format::Mml2)))
    };
    Ok(mml2::Source {
        file: piece.view(Format::Mml2),
        part,
        selection: request.selection,
        all_textures: request.all_textures,
        textures: companion(request.textures, Role::Textures)?,
        second: companion(request.mesh_data, Role::MeshData)?,
        limits: request.limits,
    })
}

/// What belongs to a model in its container: the first member of the format between it and the next model, else
/// the only one there is.
fn sibling_of<'a>(model: Piece<'a>, format: Format, siblings: &Members<'a>) -> Option<Piece<'a>> {
    let known: Vec<(Option<Format>, Piece<'a>)> =
        siblings.iter().flatten().map(|&piece| (sniff(piece.bytes), piece)).collect();
    let behind = known.iter().skip_while(|(_, piece)| piece.offset != model.offset).skip(1);
    let mut behind = behind.take_while(|(found, _)| *found != Some(Format::Pmo));
    let mut all = known.iter().filter(|(found, _)| *found == Some(format));
    let only = all.next().filter(|_| all.next().is_none());
    behind.find(|(found, _)| *found == Some(format)).or(only).map(|&(_, piece)| piece)
}

/// The piece of a companion file that has the wanted format.
fn companion_of(piece: Piece<'_>, format: Format) -> Result<Piece<'_>, FormatError> {
    let found = sniff(piece.bytes);
    match found {
        Some(other) if other == format => return Ok(piece),
        Some(Format::Pac) => {
            if let Some((piece, _)) =
                first_of(format, &piece.members(Format::Pac)?, DEEPEST, &mut SEARCHED.clone())
            {
                return Ok(piece);
            }
        }
        _ => {}
    }
    Err(piece.error(Problem::WrongCompanion { expected: format, found }))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
