//! What can be wrong with a file: one small type that says where and what.
//!
//! # Invariants
//! Every error is located. Offsets count from the start of the file that the user named, also inside containers.

use thiserror::Error;

use super::Format;
use super::ahi::AhiProblem;
use super::bbs::{ArcProblem, BbsPmoProblem, BonProblem, PamProblem, PmpProblem};
use super::mml2::Mml2Problem;
use super::msh::MshProblem;
use super::nres::NresProblem;
use super::pac::PacProblem;
use super::pmdl::PmdlProblem;
use super::pmo::PmoProblem;
use super::ppdmp::PpdmpProblem;
use super::texm::TexmProblem;
use super::tim2::Tim2Problem;
use super::tmh::TmhProblem;
use super::zip::ZipProblem;
use crate::ge::limits::LimitHit;

/// Something wrong, and where. Prints as `at 0xOFFSET: what is wrong`, on one line whatever the names are that the file
/// holds; the caller knows the file's name.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("at {offset:#x}: {}", one_line(kind))]
pub struct FormatError {
    /// The format that was being read; `None` where the file was not recognised.
    pub format: Option<Format>,
    /// Which of the files of a request is at fault.
    pub role: Role,
    /// Where in that file, in bytes from its start.
    pub offset: u64,
    /// What is wrong.
    pub kind: Problem,
}

/// The words, without what would end the line or what a terminal would obey: names come from files.
fn one_line(kind: &Problem) -> String {
    kind.to_string().replace(char::is_control, "\u{FFFD}")
}

/// What a file of a request is there for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// The file to open.
    #[default]
    Input,
    /// The file with its textures.
    Textures,
    /// The file with its skeleton.
    Skeleton,
    /// The second file of a model, with its mesh data.
    MeshData,
    /// The file with its animations.
    Animations,
    /// The file with this number of those that stand around it.
    Library(usize),
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Problem {
    /// No adapter knows the file.
    #[error("not a file of a known format")]
    Unknown,
    /// There is nothing in the file.
    #[error("the file is empty")]
    Empty,
    /// The file ends too early.
    #[error("{needed} bytes are needed here, {available} are left")]
    Truncated {
        /// Bytes that the structure needs.
        needed: u64,
        /// Bytes there are.
        available: u64,
    },
    /// Nothing has this name or number in the container.
    #[error("the container has no member \"{0}\"")]
    NoMember(String),
    /// A member was asked of something that has none.
    #[error("a file of format {0} has no members")]
    NoContainer(Format),
    /// Containers within containers, too many.
    #[error("containers are nested more than {0} deep")]
    TooDeep(usize),
    /// A companion file is of another format.
    #[error("expected {expected}, found {}", found.map_or("something unknown", Format::name))]
    WrongCompanion {
        /// What belongs here.
        expected: Format,
        /// What the file is.
        found: Option<Format>,
    },
    /// The PSP has less memory than that.
    #[error("{0} bytes do not fit into the machine's memory any more")]
    OutOfMemory(u64),
    /// It would unpack to more than a limit allows.
    #[error("{0}")]
    Limit(LimitHit),
    /// Something particular to Monster Hunter models.
    #[error(transparent)]
    Pmo(#[from] PmoProblem),
    /// Something particular to TMH textures.
    #[error(transparent)]
    Tmh(#[from] TmhProblem),
    /// Something particular to AHI skeletons.
    #[error(transparent)]
    Ahi(#[from] AhiProblem),
    /// Something particular to frame dumps.
    #[error(transparent)]
    Ppdmp(#[from] PpdmpProblem),
    /// Something particular to ZIP archives.
    #[error(transparent)]
    Zip(#[from] ZipProblem),
    /// Something particular to PMDL models.
    #[error(transparent)]
    Pmdl(#[from] PmdlProblem),
    /// Something particular to Parkan's models.
    #[error(transparent)]
    Msh(#[from] MshProblem),
    /// Something particular to Parkan's containers.
    #[error(transparent)]
    Nres(#[from] NresProblem),
    /// Something particular to Parkan's textures.
    #[error(transparent)]
    Texm(#[from] TexmProblem),
    /// Something particular to archives of Mega Man Legends 2.
    #[error(transparent)]
    Mml2(#[from] Mml2Problem),
    /// Something particular to PAC containers.
    #[error(transparent)]
    Pac(#[from] PacProblem),
    /// Something particular to Birth by Sleep models.
    #[error(transparent)]
    BbsPmo(#[from] BbsPmoProblem),
    /// Something particular to Birth by Sleep maps.
    #[error(transparent)]
    Pmp(#[from] PmpProblem),
    /// Something particular to TIM2 textures.
    #[error(transparent)]
    Tim2(#[from] Tim2Problem),
    /// Something particular to BON skeletons.
    #[error(transparent)]
    Bon(#[from] BonProblem),
    /// Something particular to PAM animations.
    #[error(transparent)]
    Pam(#[from] PamProblem),
    /// Something particular to ARC containers.
    #[error(transparent)]
    Arc(#[from] ArcProblem),
}

/// Warnings of a reader: things that are wrong but do not stop it.
/// The same type as errors, so that they are located and printed alike.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    list: Vec<FormatError>,
    dropped: usize,
}

/// More warnings than this tell nobody anything.
const KEPT: usize = 64;

impl Warnings {
    /// Keeps a warning, unless there are very many already.
    pub fn push(&mut self, warning: FormatError) {
        if self.list.len() < KEPT {
            self.list.push(warning);
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// The same warnings, each changed by `change`.
    #[must_use]
    pub fn map(self, change: impl FnMut(FormatError) -> FormatError) -> Self {
        Self { list: self.list.into_iter().map(change).collect(), dropped: self.dropped }
    }

    /// The warnings kept, in the order they were found.
    #[must_use]
    pub fn as_slice(&self) -> &[FormatError] {
        &self.list
    }

    /// The warnings as lines of text.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let more = (self.dropped > 0).then(|| format!("{} more warnings", self.dropped));
        self.list.iter().map(ToString::to_string).chain(more)
    }
}
