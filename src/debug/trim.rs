//! Trims a run to a range of events, as a capture that replays alone to the same result.
//!
//! Memory and registers before the first event become the capture's start state. From VRAM this takes only the bytes
//! read by the kept events, and the pixels that they may touch. All other bytes are 0, to keep the capture small.
//!
//! # Invariants
//! Replaying the capture leaves the same bytes as the run up to the last event, in all pixels that the kept draws
//! may touch. If the capture cannot hold something, this is noted.
//!
//! ```
//! use pspge::debug::{trim, Session, SessionOptions};
//!
//! let list = "BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=POINTS count=1
//!             PRIM primitive=POINTS count=1 | FINISH | END | v: .s16 0 0 0 0 0 0";
//! let mut session = Session::open(pspge::asm::assemble(list)?.capture(), SessionOptions::default());
//! let event = session.timeline().event_of_draw(1).map(|event| event.number).ok_or("a draw")?;
//! let trimmed = trim::trim(&mut session, event..=event, trim::TrimOptions::default())?;
//! assert_eq!((trimmed.counts.draws, trimmed.counts.run_draws), (1, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use thiserror::Error;

use super::session::{NoSuchEvent, Session};
use super::timeline::EventNumber;
use crate::debug::memory::free_ram::FreeRam;
use crate::ge::address::RAM_SIZE_MAX;
use crate::ge::capture::Capture;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use collector::{AccessDetail, Collected, Collector, CollectorStart};
use excerpt::{Excerpt, Item, ItemStep};

pub(crate) mod carried_steps;
pub(crate) mod collector;
mod draw_reach;
pub(crate) mod excerpt;

/// Tells how to trim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrimOptions {
    /// Keeps all of VRAM, so that players also show the picture around the draws.
    pub whole_vram: bool,
}

/// A trimmed run.
#[derive(Clone, Debug)]
pub struct Trimmed {
    /// The capture, whose list has no calls and jumps.
    pub capture: Capture,
    /// How large it is, and how large the run was.
    pub counts: TrimCounts,
    /// Everything that this capture cannot hold.
    pub notes: Vec<TrimNote>,
}

/// How large a trimmed run and the whole run are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrimCounts {
    /// How many draws the excerpt has.
    pub draws: u64,
    /// How many block transfers the excerpt has.
    pub transfers: u64,
    /// How many actions by the CPU the excerpt has, as far as they change memory or its translation.
    pub actions: u64,
    /// How many commands the excerpt has, without pointers and list flow.
    pub commands: u64,
    /// How many bytes in VRAM are not 0 in the start state.
    pub vram_bytes: u64,
    /// How many commands repeat what earlier draws leave for later draws, such as vertices in an unfinished strip.
    pub carried_commands: u64,
    /// How many draws the whole run has.
    pub run_draws: u64,
    /// How many commands the whole run has.
    pub run_commands: u64,
}

/// The things that a trimmed capture cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrimNote {
    /// Earlier draws leave attributes or vertices that no list can repeat.
    CarriedState,
    /// Earlier draws have left texels in the texture cache, and the kept draws may sample them before a TEXFLUSH.
    TextureCache,
}

impl fmt::Display for TrimNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CarriedState => "earlier draws hand on vertices or attributes that the list cannot repeat",
            Self::TextureCache => "earlier draws have left texels in the texture cache, which starts empty",
        })
    }
}

/// Tells why a run cannot be trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TrimError {
    /// The run has no such event.
    #[error(transparent)]
    NoSuchEvent(#[from] NoSuchEvent),
    /// Main RAM has no room for the list or its data.
    #[error("main RAM has no room for the list: the run uses nearly all of its {} MiB", RAM_SIZE_MAX >> 20)]
    NoRoom,
}

/// Trims a session's run to the events in a range. The session is then after the range's last event.
///
/// # Errors
/// If the run has no such events, or if main RAM has no room for the list.
pub fn trim(
    session: &mut Session,
    events: RangeInclusive<EventNumber>,
    options: TrimOptions,
) -> Result<Trimmed, TrimError> {
    let Part { mut excerpt, collected, carried, notes } =
        Part::collect(session, events, AccessDetail::Together)?;
    if !options.whole_vram {
        let mut needed = crate::debug::memory::vram_set::VramSet::default();
        for access in collected.accesses.values() {
            needed.extend(&access.reads);
            needed.extend(&access.writes);
        }
        needed.clear_others(Arc::make_mut(&mut excerpt.memory).vram_mut());
    }
    let report = &session.replayed().report;
    let counts = TrimCounts {
        carried_commands: carried as u64,
        vram_bytes: excerpt.memory.vram().iter().filter(|byte| **byte != 0).count() as u64,
        run_draws: report.draws,
        run_commands: report.commands,
        ..TrimCounts::of(&collected.items)
    };
    let capture = excerpt.to_capture().ok_or(TrimError::NoRoom)?;
    Ok(Trimmed { capture, counts, notes })
}

/// Part of a run, as an excerpt.
pub(super) struct Part {
    pub(super) excerpt: Excerpt,
    pub(super) collected: Collected,
    /// How many steps at the excerpt's start repeat the state left by earlier draws.
    pub(super) carried: usize,
    pub(super) notes: Vec<TrimNote>,
}

impl Part {
    /// Collects the events in a range. The session is then after the range's last event.
    ///
    /// # Errors
    /// If the run has no such events, or if main RAM has no room for the steps' data.
    pub(super) fn collect(
        session: &mut Session,
        events: RangeInclusive<EventNumber>,
        detail: AccessDetail,
    ) -> Result<Self, TrimError> {
        let (first, last) = events.into_inner();
        if last >= session.end() || first > last {
            return Err(NoSuchEvent { event: last.max(first), count: session.timeline().len() }.into());
        }
        session.seek(first)?;
        let mut memory = session.memory().clone();
        let registers = session.registers().clone();
        let mut notes = Vec::new();
        let carried = session.carried();
        let arithmetic = session.options().raster.arithmetic;
        let mut raster = session.raster_checkpoint();
        raster.load_texels(&memory);
        let start = CollectorStart { first, registers: &registers, free: FreeRam::find(&memory), raster };
        let mut collector = Collector::new(start, arithmetic, detail);
        session.advance_with(last.next(), &mut collector);
        let mut collected = collector.finish();
        if collected.is_full {
            return Err(TrimError::NoRoom);
        }
        if collected.samples_kept_texels {
            notes.push(TrimNote::TextureCache);
        }
        let before = carried_steps::steps(
            &carried,
            &registers,
            &collected.items,
            &mut collected.free,
            &mut collected.data,
        );
        let before = before.unwrap_or_else(|| {
            notes.push(TrimNote::CarriedState);
            Vec::new()
        });
        add_data(&mut memory, &collected);
        let count = before.len();
        let items = before.into_iter().chain(collected.items.iter().cloned()).collect();
        let excerpt =
            Excerpt { memory: Arc::new(memory), registers, items, free: collected.free, shown: None };
        Ok(Self { excerpt, collected, carried: count, notes })
    }
}

fn add_data(memory: &mut Memory, collected: &Collected) {
    for (address, bytes) in &collected.data {
        memory.write(*address, bytes);
    }
}

impl TrimCounts {
    /// Counts an excerpt's steps.
    pub(super) fn of(items: &[Item]) -> Self {
        let mut counts = Self::default();
        for item in items {
            match (&item.step, item.opcode()) {
                (ItemStep::Action(_), _) => counts.actions += 1,
                (_, Some(Opcode::TRANSFERSTART)) => counts.transfers += 1,
                _ => counts.draws += u64::from(item.event.is_some()),
            }
            counts.commands += u64::from(!matches!(item.step, ItemStep::Action(_)));
        }
        counts
    }
}

#[cfg(test)]
mod tests;
