//! Reads key sets, and the clips that play their poses.
//!
//! # Invariants
//! Every frame in a clip refers to a pose inside the file. Source:
//! [key sets](crate::reference::formats::mml2#key-sets) and [clips](crate::reference::formats::mml2#clips).

use std::collections::HashMap;

use super::pointers::PointerSpace;
use super::problem::Mml2Problem;
use super::raw::{self, NO_CLIP};
use crate::formats::core::error::{FormatError, Warnings};
use crate::model::Field;

/// Larger tables are invalid, because clips name key sets in a single byte.
const MAX_TABLE: u64 = 1024;
/// The high nibble that marks in-between frames.
const BETWEEN: u8 = 0x10;
/// Marks the last frame's code if the clip loops or stops there.
const LAST: u8 = 0x80;
/// The last frame's code if the clip stops.
const STOP: u8 = 0xFF;

/// A model's key sets and clips.
#[derive(Debug, Default)]
pub(super) struct AnimationData {
    /// Each set's consecutive poses, as indices into [`Self::poses`].
    pub(super) sets: Vec<Vec<usize>>,
    pub(super) clips: Vec<Clip>,
    /// How many entries in the clip table are empty.
    pub(super) absent: usize,
    /// Poses for key sets and clips to refer to.
    pub(super) poses: Vec<Pose>,
}

impl AnimationData {
    /// Appends another model's data, and renumbers them to follow the existing data. Use this to add a weapon to its
    /// player.
    pub(super) fn append(&mut self, mut other: Self) {
        let (sets, poses, clips) = (self.sets.len(), self.poses.len(), self.clips.len());
        let table = clips.saturating_add(self.absent);
        for set in &mut other.sets {
            set.iter_mut().for_each(|pose| *pose = pose.saturating_add(poses));
        }
        for clip in &mut other.clips {
            clip.set = clip.set.saturating_add(sets);
            clip.number = clip.number.saturating_add(table);
            clip.frames.iter_mut().for_each(|frame| frame.pose = frame.pose.saturating_add(poses));
        }
        self.sets.append(&mut other.sets);
        self.clips.append(&mut other.clips);
        self.poses.append(&mut other.poses);
        self.absent = self.absent.saturating_add(other.absent);
    }

    /// Returns clip data that pspge does not use: how many frames have events.
    pub(super) fn fields(&self) -> impl Iterator<Item = Field> {
        self.clips.iter().filter(|clip| clip.events > 0).map(|clip| Field {
            name: format!("events of clip {}", clip.number),
            offset: clip.offset,
            value: format!("{} of {} frames", clip.events, clip.frames.len()),
        })
    }

    /// Counts all poses in key sets and all frames in clips, to charge the work.
    pub(super) fn length(&self) -> u64 {
        let poses = self.sets.iter().map(Vec::len);
        poses
            .chain(self.clips.iter().map(|clip| clip.frames.len()))
            .fold(0, |sum, length| sum.saturating_add(length as u64))
    }
}

/// A root word and then a rotation word per bone, as stored in the file.
pub(super) type Pose = Vec<u32>;

/// A clip: a sequence of timed poses.
#[derive(Clone, Debug)]
pub(super) struct Clip {
    pub(super) number: usize,
    pub(super) set: usize,
    pub(super) frames: Vec<Frame>,
    /// The frame after the last; `None` if the clip stops.
    pub(super) loop_start: Option<usize>,
    /// How many frames have an event, whose meaning is unknown.
    pub(super) events: usize,
    /// Where it is in the file.
    pub(super) offset: u64,
}

/// A frame in a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// Index into [`AnimationData::poses`].
    pub(super) pose: usize,
    /// Duration in 1/30 second.
    pub(super) ticks: u8,
    /// How far to go to the clip's next different pose, in sixteenths.
    pub(super) sixteenths: u8,
}

/// Reads the table of key sets at offset `at` in the view. It has a pointer per set, which is 0 for a missing
/// set.
pub(super) fn read_table(space: PointerSpace<'_>, at: u64) -> Result<Vec<u32>, FormatError> {
    // The first key set follows the table, so its pointer tells how long the table is.
    let first = space.view.word(at)?;
    let start = space.resolve("key sets", first, 0, at)?;
    let count = start.checked_sub(at).filter(|bytes| *bytes > 0).map(|bytes| bytes / 4);
    let Some(count) = count.filter(|count| *count <= MAX_TABLE) else {
        return Err(space.view.error(at, Mml2Problem::Table));
    };
    let words: &[zerocopy::little_endian::U32] = space.view.array(at, count)?;
    Ok(words.iter().map(|word| word.get()).collect())
}

/// Reads poses on demand, and each only once.
struct Poses<'a> {
    space: PointerSpace<'a>,
    words: u64,
    by_offset: HashMap<u64, usize>,
    poses: Vec<Pose>,
}

impl Poses<'_> {
    fn stride(&self) -> u64 {
        self.words.saturating_mul(4)
    }

    fn number(&mut self, at: u64) -> Result<usize, FormatError> {
        if let Some(number) = self.by_offset.get(&at) {
            return Ok(*number);
        }
        let words: &[zerocopy::little_endian::U32] = self.space.view.array(at, self.words)?;
        let number = self.poses.len();
        self.poses.push(words.iter().map(|word| word.get()).collect());
        self.by_offset.insert(at, number);
        Ok(number)
    }
}

/// Where a model's key sets are.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeySetSource<'a> {
    pub(super) space: PointerSpace<'a>,
    /// The pointers to key sets, as from [`read_table`].
    pub(super) table: &'a [u32],
    /// Where the table is in the view.
    pub(super) at: u64,
    /// Where other data start, sorted. A key set ends at the next of these.
    pub(super) boundaries: &'a [u64],
    /// How many bones a pose has.
    pub(super) bones: u64,
}

/// Reads the key sets. This reads clips too, if `clips` gives a pointer space and the offset of their table.
pub(super) fn read(
    source: KeySetSource<'_>,
    clips: Option<(PointerSpace<'_>, u64)>,
    warnings: &mut Warnings,
) -> Result<AnimationData, FormatError> {
    let KeySetSource { space, table, at, boundaries, bones } = source;
    let words = bones.saturating_add(1);
    let mut poses = Poses { space, words, by_offset: HashMap::new(), poses: Vec::new() };
    let mut animation = AnimationData::default();
    let mut starts = Vec::new();
    for (number, pointer) in table.iter().enumerate() {
        let next = table.get(number.saturating_add(1));
        let field = at.saturating_add((number as u64).saturating_mul(4));
        let resolve = |pointer| space.resolve("poses of a key set", pointer, 0, field);
        let start = Some(*pointer).filter(|pointer| *pointer != 0).map(resolve);
        let start = start.and_then(|start| start.map_err(|error| warnings.push(error)).ok());
        let mut set = Vec::new();
        // If several sets share a pointer, the last has the poses, and the others are empty.
        if let Some(start) = start.filter(|_| next != Some(pointer)) {
            let next = boundaries.partition_point(|boundary| *boundary <= start);
            let end = boundaries.get(next).copied().unwrap_or(u64::MAX).min(space.view.len());
            let count = end.saturating_sub(start).checked_div(poses.stride()).unwrap_or(0);
            for pose in 0..count {
                let pose_at = start.saturating_add(pose.saturating_mul(poses.stride()));
                set.push(poses.number(pose_at)?);
            }
        }
        starts.push(start);
        animation.sets.push(set);
    }
    if let Some((space, at)) = clips
        && let Err(error) = read_clips(space, at, &mut poses, &starts, &mut animation, warnings)
    {
        warnings.push(error);
    }
    animation.poses = poses.poses;
    Ok(animation)
}

fn read_clips(
    space: PointerSpace<'_>,
    table: u64,
    poses: &mut Poses<'_>,
    starts: &[Option<u64>],
    animation: &mut AnimationData,
    warnings: &mut Warnings,
) -> Result<(), FormatError> {
    // The first clip follows the table. Empty entries may precede its pointer.
    let mut count = 0;
    for number in 0..MAX_TABLE {
        let field = table.saturating_add(number.saturating_mul(4));
        if field.saturating_add(4) > space.view.len() {
            break;
        }
        let pointer = space.view.word(field)?;
        count = number.saturating_add(1);
        if pointer != NO_CLIP {
            let start = space.resolve("clips", pointer, 0, field)?;
            count = start.checked_sub(table).map_or(0, |bytes| bytes / 4);
            if count <= number || count > MAX_TABLE {
                return Err(space.view.error(field, Mml2Problem::Table));
            }
            break;
        }
    }
    for number in 0..count {
        let field = table.saturating_add(number.saturating_mul(4));
        let pointer = space.view.word(field)?;
        if pointer == NO_CLIP {
            animation.absent = animation.absent.saturating_add(1);
            continue;
        }
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        let at = space.resolve("frames of a clip", pointer, size_of::<raw::Clip>() as u64, field);
        match at.and_then(|at| read_clip(space, at, number, poses, starts, &animation.sets, warnings)) {
            Ok(clip) => animation.clips.push(clip),
            Err(error) => warnings.push(error),
        }
    }
    Ok(())
}

fn read_clip(
    space: PointerSpace<'_>,
    at: u64,
    number: usize,
    poses: &mut Poses<'_>,
    starts: &[Option<u64>],
    sets: &[Vec<usize>],
    warnings: &mut Warnings,
) -> Result<Clip, FormatError> {
    let header: raw::Clip = space.view.read(at)?;
    let set = usize::from(header.set);
    let Some(Some(start)) = starts.get(set).copied() else {
        return Err(space.view.error(at, Mml2Problem::NoSet { set, sets: starts.len() }));
    };
    let own = sets.get(set).map_or(0, Vec::len);
    let frames_at = at.saturating_add(size_of::<raw::Clip>() as u64);
    let frames: &[raw::Frame] = space.view.array(frames_at, header.frames.into())?;
    if frames.is_empty() {
        return Err(space.view.error(at.saturating_add(1), Mml2Problem::NoFrames));
    }
    let offset = space.view.file_offset(at);
    let mut clip = Clip { number, set, frames: Vec::new(), loop_start: None, events: 0, offset };
    let mut leaves_set = false;
    for (frame, frame_at) in frames.iter().zip((frames_at..).step_by(4)) {
        let offset = u64::from(frame.pose).saturating_mul(poses.stride());
        let outside = |_| space.view.error(frame_at, Mml2Problem::NoPose { pose: frame.pose, set });
        let pose = poses.number(start.saturating_add(offset)).map_err(outside)?;
        leaves_set |= usize::from(frame.pose) >= own;
        // Codes above this range occur only in last frames.
        let is_between = frame.code & 0xF0 == BETWEEN;
        let sixteenths = if is_between { frame.code & 0x0F } else { 0 };
        clip.frames.push(Frame { pose, ticks: frame.ticks, sixteenths });
        clip.events = clip.events.saturating_add(usize::from(frame.event != 0));
    }
    if leaves_set {
        warnings.push(space.view.error(at, Mml2Problem::PosesOutsideSet { clip: number, set }));
    }
    let last = frames.last().map_or(0, |frame| frame.code);
    if last & LAST != 0 && last != STOP {
        let target = usize::from(last & !LAST);
        clip.loop_start = Some(target).filter(|target| *target < clip.frames.len());
    }
    if header.zero.get() != 0 {
        warnings.push(space.view.error(at.saturating_add(2), Mml2Problem::NotZero));
    }
    Ok(clip)
}
