//! Reduces a run to its smallest part with the same effect on some pixels, to get at the cause of a fault.
//!
//! Delta debugging removes draws, transfers and the CPU's actions, then commands, registers in the start state,
//! vertices, and bytes in memory. Each trial replays the rest. A removal stays only if all kept pixels have exactly
//! the same bits as after the whole run, or if the caller's [`Fault`] remains.
//!
//! # Invariants
//! The result depends only on the capture, the kept pixels and the options.
//!
//! ```
//! use pspge::debug::Shot;
//! use pspge::debug::reduce::{self, KeptArea, TRIALS};
//!
//! let list = "FRAMEBUFWIDTH width=64 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63 | BASE hi(v)
//!     VTYPE color=ABGR8888 position=BITS16 through=1 | FOGENABLE 1
//!     VADDR lo(v) | PRIM primitive=POINTS count=2 | PRIM primitive=POINTS count=1 | FINISH | END | .align 4
//!     v: .rgba #ff0000ff | .s16 0 0 0 | .align 4 | .rgba #00ff00ff | .s16 3 2 0 | .align 4
//!        .rgba #0000ffff | .s16 9 9 0";
//! let capture = pspge::asm::assemble(list)?.capture();
//! let reduced =
//!     reduce::reduce(Shot::new(capture), None, &KeptArea::Pixel([3, 2]), TRIALS, &mut |_| {})?;
//! assert_eq!((reduced.after.draws, reduced.before.draws), (1, 2));
//! assert!(!reduced.capture.registers.is_on(pspge::Opcode::FOGENABLE));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeSet;

use thiserror::Error;

use super::session::{Session, SessionOptions};
use super::shot::Shot;
use super::timeline::{EventNumber, Timeline, TimelineEvent};
use super::trim::{Part, TrimCounts, TrimError};
use crate::debug::memory::vram_set::VramSet;
use crate::debug::pixel::history_recorder;
use crate::debug::pixel::target::{PixelTargetError, TargetName};
use crate::debug::trim::collector::{AccessDetail, Collected};
use crate::debug::trim::excerpt::{Excerpt, Item, ItemStep};
use crate::ge::capture::Capture;
use crate::ge::opcode::Opcode;
use crate::pipeline::framebuffer::COORDINATES;

mod bytes;
mod ddmin;
mod draw_size;
mod fault;
mod kept_pixels;
mod normalize;
mod start_registers;
mod trials;

pub use fault::Fault;
pub use kept_pixels::KeptPixels;
use trials::{Check, Trials};
pub use trials::{ReduceProgress, ReduceStage};

/// How many trials to make unless the caller says otherwise.
pub const TRIALS: u32 = 2000;
/// How often to remove events and commands at most. Few runs need a second round.
const ROUNDS: u32 = 3;

/// The pixels to keep, by column and row in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptArea {
    /// A single pixel.
    Pixel([u32; 2]),
    /// A rectangle: its upper left pixel, and its width and height.
    Region([u32; 2], [u32; 2]),
    /// A list of pixels.
    List(Vec<[u32; 2]>),
}

impl KeptArea {
    /// Returns whether this pixel is to be kept.
    #[must_use]
    pub fn contains(&self, [x, y]: [u32; 2]) -> bool {
        match self {
            Self::Pixel(position) => *position == [x, y],
            Self::Region([left, top], [width, height]) => {
                let is_inside =
                    |at: u32, start: u32, size: u32| at.checked_sub(start).is_some_and(|at| at < size);
                is_inside(x, *left, *width) && is_inside(y, *top, *height)
            }
            Self::List(positions) => positions.contains(&[x, y]),
        }
    }

    fn positions(&self) -> Vec<[u32; 2]> {
        match self {
            Self::Pixel(position) => vec![*position],
            Self::Region([left, top], size) => {
                let [width, height] = size.map(|size| size.min(COORDINATES));
                let column = move |x: u32| left.saturating_add(x);
                (0..height)
                    .flat_map(|y| (0..width).map(move |x| [column(x), top.saturating_add(y)]))
                    .collect()
            }
            Self::List(positions) => positions.clone(),
        }
    }
}

/// A reduced run.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The capture, whose list has no calls and jumps.
    pub capture: Capture,
    /// The kept pixels.
    pub kept: KeptPixels,
    /// How large the whole run is.
    pub before: ReducedCounts,
    /// How large the result is.
    pub after: ReducedCounts,
    /// The remaining events, in order.
    pub events: Vec<TimelineEvent>,
    /// Registers in the start state other than 0, by name, such as `VTYPE` or `matrix World`.
    pub registers: Vec<String>,
    /// How many trials were made.
    pub trials: u32,
    /// Whether all trials were used, so that the result may still contain something needless.
    pub is_unfinished: bool,
}

/// A run's size, to compare before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RunSize"))]
pub struct ReducedCounts {
    /// How many draws it has.
    pub draws: u64,
    /// How many block transfers it has.
    pub transfers: u64,
    /// How many actions by the CPU change memory or its translation.
    pub actions: u64,
    /// How many commands it has; after a reduction, without pointers and list flow.
    pub commands: u64,
    /// How many registers are not 0 at the start; each matrix and the palette count as one.
    pub registers: u64,
    /// How many of the bytes read or possibly written are not 0.
    pub bytes: u64,
}

impl ReducedCounts {
    fn of(excerpt: &Excerpt, trials: &Trials<'_>) -> Self {
        let TrimCounts { draws, transfers, actions, commands, .. } = TrimCounts::of(&excerpt.items);
        let registers = start_registers::names(&excerpt.registers).len() as u64;
        Self { draws, transfers, actions, commands, registers, bytes: bytes::count(excerpt, trials) }
    }
}

/// Why a run cannot be reduced.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReduceError {
    /// The buffer has no such pixel, or the run no buffer.
    #[error(transparent)]
    Target(#[from] PixelTargetError),
    /// The run cannot be taken apart.
    #[error(transparent)]
    Trim(#[from] TrimError),
    /// The list has no pixels.
    #[error("no pixels to keep")]
    NoPixels,
    /// The run's commands alone do not lead to the kept pixels.
    #[error("the commands of the run, without list flow, do not lead to the same pixels")]
    NotRepeated,
    /// The run does not have the fault.
    #[error("the run does not have the fault")]
    NoFault,
}

/// Reduces a run to its smallest part with the same effect on some pixels. These are in the named buffer, or in the
/// framebuffer shown on the screen at the end. This makes at most `max` trials, each within the run's limits, and
/// calls `progress` after each.
///
/// # Errors
/// If the run has no such buffer, or the buffer no such pixels.
pub fn reduce(
    shot: Shot,
    name: Option<TargetName>,
    area: &KeptArea,
    max: u32,
    progress: &mut dyn FnMut(ReduceProgress),
) -> Result<Reduced, ReduceError> {
    let target = history_recorder::find_target(&shot, name)?;
    let touching = match area {
        KeptArea::Pixel(position) => {
            let history = shot.history(Some(target.into()), *position)?;
            Some(history.entries.iter().map(|entry| entry.event.number).collect())
        }
        KeptArea::Region(..) | KeptArea::List(_) => None,
    };
    let (raster, limits) = (shot.raster, shot.limits);
    let mut session = opened(shot);
    let kept = KeptPixels::read(target, &area.positions(), session.memory())?;
    if kept.is_empty() {
        return Err(ReduceError::NoPixels);
    }
    let whole = Whole::collect(&mut session)?;
    drop(session);
    let trials = Trials::new(Check::Pixels(&kept), raster, &limits, max, progress);
    whole.reduce(&kept, touching, trials)
}

/// Reduces a run to its smallest part with the same fault. This makes at most `max` trials, asks the fault in each,
/// and calls `progress` after each.
///
/// # Errors
/// [`ReduceError::NoFault`] if the run does not have it.
pub fn reduce_fault(
    shot: Shot,
    fault: &mut dyn Fault,
    max: u32,
    progress: &mut dyn FnMut(ReduceProgress),
) -> Result<Reduced, ReduceError> {
    let target = history_recorder::find_target(&shot, None)?;
    let (raster, limits) = (shot.raster, shot.limits);
    let mut session = opened(shot);
    let memory = session.memory().clone();
    let mut whole = Whole::collect(&mut session)?;
    drop(session);
    whole.excerpt.shown = target.surface();
    let capture = whole.excerpt.to_capture().ok_or(TrimError::NoRoom)?;
    let pixels = fault.find(&capture).ok_or(ReduceError::NoFault)?;
    let kept = KeptPixels::read_existing(target, &pixels, &memory);
    let trials = Trials::new(Check::Fault(fault), raster, &limits, max, progress);
    whole.reduce(&kept, None, trials)
}

/// Runs the list once, without checkpoints.
fn opened(shot: Shot) -> Session {
    let Shot { capture, raster, limits } = shot;
    Session::open(capture, SessionOptions { raster, limits, checkpoint_bytes: 0 })
}

/// The whole run as an excerpt.
struct Whole {
    excerpt: Excerpt,
    /// How the events use memory; `None` for a run without events.
    collected: Option<Collected>,
    timeline: Timeline,
    /// How many commands the run has, with list flow.
    commands: u64,
}

impl Whole {
    fn collect(session: &mut Session) -> Result<Self, ReduceError> {
        let timeline = session.timeline().clone();
        // Without events, the pixels stay as they are at the start.
        let Some(last) = session.end().0.checked_sub(1) else {
            let excerpt = Excerpt::empty(session.memory().clone(), session.registers().clone());
            return Ok(Self { excerpt, collected: None, timeline, commands: 0 });
        };
        let events = EventNumber(0)..=EventNumber(last);
        let Part { excerpt, collected, .. } = Part::collect(session, events, AccessDetail::Each)?;
        let commands = session.replayed().report.commands;
        Ok(Self { excerpt, collected: Some(collected), timeline, commands })
    }

    fn reduce(
        self,
        kept: &KeptPixels,
        touching: Option<BTreeSet<EventNumber>>,
        mut trials: Trials<'_>,
    ) -> Result<Reduced, ReduceError> {
        let Self { mut excerpt, collected, timeline, commands } = self;
        let mut before = ReducedCounts::default();
        if let Some(collected) = collected {
            before = ReducedCounts { commands, ..ReducedCounts::of(&excerpt, &trials) };
            let likely = likely_events(&collected, touching, kept);
            excerpt = remove_all(excerpt, likely, &mut trials)?;
        }
        let after = ReducedCounts::of(&excerpt, &trials);
        let capture = excerpt.to_capture().ok_or(TrimError::NoRoom)?;
        let event = |item: &Item| timeline.get(item.event?).cloned();
        Ok(Reduced {
            capture,
            kept: kept.clone(),
            before,
            after,
            events: excerpt.items.iter().filter_map(event).collect(),
            registers: start_registers::names(&excerpt.registers),
            trials: trials.count,
            is_unfinished: trials.is_exhausted(),
        })
    }
}

/// Goes through all stages, from whole events down to single bytes.
fn remove_all(
    mut excerpt: Excerpt,
    likely: Vec<BTreeSet<EventNumber>>,
    trials: &mut Trials<'_>,
) -> Result<Excerpt, ReduceError> {
    if trials.holds(&excerpt) == Some(false) {
        return Err(ReduceError::NotRepeated);
    }
    for events in likely {
        let candidate = excerpt.with_events(&events);
        if trials.try_replace(&mut excerpt, candidate) {
            break;
        }
    }
    trials.stage = ReduceStage::Events;
    let candidate = normalize::normalized(&excerpt);
    trials.try_replace(&mut excerpt, candidate);
    bytes::drop_unused(&mut excerpt, trials);
    for _ in 0..ROUNDS {
        let before = excerpt.items.len();
        trials.stage = ReduceStage::Events;
        remove_items(&mut excerpt, trials, |item| item.event.is_some());
        let candidate = normalize::normalized(&excerpt);
        trials.try_replace(&mut excerpt, candidate);
        trials.stage = ReduceStage::Commands;
        remove_items(&mut excerpt, trials, |item| item.event.is_none());
        if excerpt.items.len() == before {
            break;
        }
    }
    trials.stage = ReduceStage::Registers;
    start_registers::reset(&mut excerpt, trials);
    trials.stage = ReduceStage::Vertices;
    draw_size::shorten(&mut excerpt, trials);
    bytes::drop_unused(&mut excerpt, trials);
    trials.stage = ReduceStage::Bytes;
    bytes::clear(&mut excerpt, trials);
    Ok(excerpt)
}

/// Removes steps selected by `is_removable`, as many as the kept pixels allow.
fn remove_items(excerpt: &mut Excerpt, trials: &mut Trials<'_>, is_removable: impl Fn(&Item) -> bool) {
    let removable = |(number, item): (usize, &Item)| is_removable(item).then_some(number);
    let numbers: Vec<usize> = excerpt.items.iter().enumerate().filter_map(removable).collect();
    let with = |kept: &[usize]| {
        let mut left = kept.iter().peekable();
        let is_left = |(number, item): (usize, &Item)| {
            (!is_removable(item) || left.next_if_eq(&&number).is_some()).then(|| item.clone())
        };
        let items = excerpt.items.iter().enumerate().filter_map(is_left).collect();
        Excerpt { items, ..excerpt.clone() }
    };
    let kept = ddmin::minimize(numbers, &mut |kept| trials.holds(&with(kept)));
    *excerpt = with(&kept);
}

impl Excerpt {
    /// Keeps only these events in this excerpt.
    fn with_events(&self, events: &BTreeSet<EventNumber>) -> Self {
        let stays = |item: &&Item| item.event.is_none_or(|event| events.contains(&event));
        Self { items: self.items.iter().filter(stays).cloned().collect(), ..self.clone() }
    }
}

/// Proposes sets of events that may suffice for the kept pixels, the smallest first. If a guess is right, it saves
/// most trials.
fn likely_events(
    collected: &Collected,
    touching: Option<BTreeSet<EventNumber>>,
    kept: &KeptPixels,
) -> Vec<BTreeSet<EventNumber>> {
    let mut pixels = VramSet::of_blocks(AccessDetail::BLOCK_SHIFT);
    for (start, length) in kept.ranges() {
        pixels.insert(kept.translation(), start, length);
    }
    let accesses = &collected.accesses;
    let writers = |bytes: &VramSet| {
        let writes = accesses.iter().filter(|(_, access)| access.writes.overlaps(bytes));
        writes.map(|(event, _)| *event).collect::<BTreeSet<_>>()
    };
    let touching = touching.unwrap_or_else(|| writers(&pixels));
    let is_other = |item: &&Item| {
        matches!(item.step, ItemStep::Action(_)) || item.opcode() == Some(Opcode::TRANSFERSTART)
    };
    let others = collected.items.iter().filter(is_other).filter_map(|item| item.event);
    let with_others: BTreeSet<EventNumber> = touching.iter().copied().chain(others).collect();
    // These events may also need everything whose results they read, and so on.
    let mut all = with_others.clone();
    let mut read = VramSet::of_blocks(AccessDetail::BLOCK_SHIFT);
    loop {
        let before = all.len();
        for event in &all {
            if let Some(access) = accesses.get(event) {
                read.extend(&access.reads);
            }
        }
        all.extend(writers(&read));
        if all.len() == before {
            break;
        }
    }
    vec![touching, with_others, all]
}

#[cfg(test)]
mod tests;
