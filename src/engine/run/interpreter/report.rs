//! A run's result, to tell why it ended, with counts and notes.

use crate::ge::address::Address;
use crate::ge::note::Note;

/// Why a run ended.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// let mut capture = pspge::asm::assemble("FINISH | END")?.capture();
/// let limits = pspge::Limits::default();
/// let (sink, observer) = (&mut pspge::NullSink, &mut pspge::NullObserver);
/// let run = pspge::replay(&mut capture, pspge::Arithmetic::Hardware, sink, observer, &limits);
/// assert_eq!(run.report.ending, pspge::Ending::Finished);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Ending {
    /// FINISH and END ended the list.
    Finished,
    /// A signal asked the list to pause at this FINISH. Resuming continues after it.
    Paused,
    /// The firmware does not know this signal, so the hardware waits forever.
    Hung,
    /// A patch is divided more than 64 times, so the hardware waits forever.
    HungAtPatch,
    /// The list ran into missing memory.
    Unmapped,
    /// A limit was exceeded.
    LimitReached,
    /// The observer stopped the run.
    Stopped,
    /// The list reached its stall address. Resuming continues there.
    Stalled,
}

/// A run's result. Counts accumulate over [`super::Interpreter::resume`].
///
/// ```
/// # extern crate pspge_engine as pspge;
/// /// Returns whether a run did everything that the list asked for.
/// fn is_complete(report: &pspge::Report) -> bool {
///     report.ending == pspge::Ending::Finished && report.notes.is_empty()
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Why this run ended.
    pub ending: Ending,
    /// The next command's address. This is the command that was not executed, or the word after END.
    pub at: Address,
    /// How many commands were executed since the list's start.
    pub commands: u64,
    /// How many draws were executed since the list's start.
    pub draws: u64,
    /// How many vertices these draws and bounding-box tests had.
    pub vertices: u64,
    /// How much these vertices cost ([`Limits::vertices`](crate::ge::limits::Limits::vertices)).
    pub vertex_cost: u64,
    /// How many vertices and control points divided patches had
    /// ([`Limits::patch_vertices`](crate::ge::limits::Limits::patch_vertices)).
    pub patch_vertices: u64,
    /// How many pixels block transfers moved.
    pub transferred_pixels: u64,
    /// How many block transfers were executed since the list's start.
    pub transfers: u64,
    /// How many draws, block transfers and CPU actions happened since the list's start.
    pub events: u64,
    /// How many draws and transfers each of the run's [`Overrides`](crate::ge::overrides::Overrides) changed.
    pub overridden: Vec<u64>,
    /// The texts of overrides that changed nothing, to warn about them. They are set when the run has ended.
    pub unused_overrides: Vec<String>,
    /// Notes since the run started or was resumed.
    pub notes: Vec<Note>,
    /// How many notes were dropped because of [`Limits::notes`](crate::ge::limits::Limits::notes).
    pub notes_dropped: u64,
}

impl Report {
    /// Creates the report for a run before its first command.
    pub(in crate::run) const fn new(at: Address) -> Self {
        Self {
            ending: Ending::LimitReached,
            at,
            commands: 0,
            draws: 0,
            vertices: 0,
            vertex_cost: 0,
            patch_vertices: 0,
            transferred_pixels: 0,
            transfers: 0,
            events: 0,
            overridden: Vec::new(),
            unused_overrides: Vec::new(),
            notes: Vec::new(),
            notes_dropped: 0,
        }
    }

    /// Keeps a note, or only counts it if there are `limit` notes already. Notes about limits are always kept,
    /// because they explain the ending.
    pub(in crate::run) fn push_note(&mut self, note: Note, limit: usize) {
        if self.notes.len() < limit || note.limit_hit().is_some() {
            self.notes.push(note);
        } else {
            self.notes_dropped = self.notes_dropped.saturating_add(1);
        }
    }

    /// Appends the report on this run's next part. Counts already accumulate, but notes do not.
    #[must_use]
    pub(in crate::run) fn followed_by(self, part: Self, limit: usize) -> Self {
        let dropped = self.notes_dropped.saturating_add(part.notes_dropped);
        let mut whole = Self { notes: self.notes, notes_dropped: dropped, ..part };
        part.notes.into_iter().for_each(|note| whole.push_note(note, limit));
        whole
    }
}
