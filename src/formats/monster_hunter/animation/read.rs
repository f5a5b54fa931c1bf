//! Reads a pack's tables and clips.
//!
//! # Invariants
//! Every section is inside the one around it. The work is in proportion to the file size, even if clips share data.

use std::collections::HashMap;
use std::sync::Arc;

use zerocopy::little_endian::{F32, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::curve::{Channel, Clip, Component, Key};
use super::pack::{Game, Pack, STREAM_SLOTS};
use super::problem::{AnimationProblem, ClipProblem};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};

/// Limit for streams. Known packs have at most 10.
const STREAMS_MAX: u64 = 64;
/// Marks an empty slot.
const EMPTY: u32 = 0xFFFF_FFFF;
/// Budget for clip bytes as a multiple of the file size, because crafted clips may share data.
const REREADS_MAX: u64 = 4;

/// Clip tag in Freedom Unite.
const CLIP: u32 = 0x8000_0002;
/// Track tag, without the bits for its channels.
const TRACK: u32 = 0x8000_0000;
/// Channel tag, without its bit.
const CHANNEL: u32 = 0x8012_0000;
/// Portable 3rd has fewer tracks than this.
const TRACKS_END: u32 = 0x1_0000;
/// First channel bit unknown in Freedom Unite.
const UNITE_BITS_END: u16 = 0x200;

/// The tables at the start of a pack.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// Each stream's slot count, and the offset to its slots.
    pub(super) streams: Vec<(u32, u64)>,
    /// Offset to the first clip.
    pub(super) end: u64,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Looping {
    is_on: U32,
    start: F32,
}

/// A clip, track or channel: its fields, and where to read its content.
struct Section {
    tag: u32,
    count: u32,
    /// Offset to its first byte.
    at: u64,
    /// Offset to its content.
    content: u64,
    /// Offset to its end.
    end: u64,
}

/// How deep a section is nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Clip,
    Track,
    Channel,
}

/// A problem, and the offset to report it at.
type Located = (u64, ClipProblem);

impl Tables {
    /// Finds the tables, which must follow each other without gaps. The file may end inside the slots.
    pub(super) fn find(file: View<'_>) -> Option<Self> {
        let header = u64::from(file.word(4).ok()?);
        // Before the first slots there are 8 bytes per stream and 8 bytes to end the table.
        let count = (header / 8).checked_sub(1).filter(|count| (1..=STREAMS_MAX).contains(count))?;
        let streams: &[[U32; 2]] = file.array(0, count).ok()?;
        let mut end = header;
        for [slots, table] in streams {
            if u64::from(table.get()) != end {
                return None;
            }
            end = end.saturating_add(u64::from(slots.get()).saturating_mul(4));
        }
        let [zero, stated_end]: [U32; 2] = file.read(count.saturating_mul(8)).ok()?;
        if header % 8 != 0 || zero.get() != 0 || u64::from(stated_end.get()) != end {
            return None;
        }
        let streams = streams.iter().map(|[slots, table]| (slots.get(), table.get().into()));
        Some(Self { streams: streams.collect(), end })
    }

    /// Recognises the game by the first clip. Portable 3rd has no tag, so its track count and size must be
    /// plausible.
    pub(super) fn game(&self, file: View<'_>) -> Option<Game> {
        let [first, size]: [U32; 2] = file.read(self.end).ok()?;
        let size = u64::from(size.get());
        match first.get() {
            CLIP => Some(Game::Unite),
            tracks if tracks < TRACKS_END => (size >= Level::Clip.header(Game::Portable3rd)
                && self.end.saturating_add(size) <= file.len())
            .then_some(Game::Portable3rd),
            _ => None,
        }
    }
}

impl Level {
    /// Returns the header size in bytes.
    const fn header(self, game: Game) -> u64 {
        match (self, game) {
            (Self::Clip, Game::Unite) => 0x14,
            (Self::Clip, Game::Portable3rd) => 0x10,
            (Self::Track | Self::Channel, Game::Unite) => 0xC,
            (Self::Track, Game::Portable3rd) => 4,
            (Self::Channel, Game::Portable3rd) => 8,
        }
    }

    /// Names the level for messages.
    const fn name(self) -> &'static str {
        match self {
            Self::Clip => "clip",
            Self::Track => "track",
            Self::Channel => "channel",
        }
    }
}

/// Reads the clips for all slots.
pub(super) fn pack<'a>(file: View<'a>, tables: &Tables, game: Game) -> Result<Pack<'a>, FormatError> {
    let mut warnings = Warnings::default();
    let mut clips: HashMap<u32, Option<Arc<Clip>>> = HashMap::new();
    let mut budget = file.len().saturating_mul(REREADS_MAX);
    let mut streams = Vec::new();
    for (stream, &(slots, table)) in tables.streams.iter().enumerate() {
        let entries: &[U32] = file.array(table, slots.into())?;
        if entries.len() > STREAM_SLOTS {
            let at = (stream as u64).saturating_mul(8);
            warnings.push(file.error(at, AnimationProblem::Slots { stream, slots: entries.len() }));
        }
        let mut read = Vec::new();
        for (slot, offset) in entries.iter().enumerate() {
            let offset = offset.get();
            if offset == EMPTY {
                read.push(None);
                continue;
            }
            // Slots may share a clip, so read each offset once.
            let clip = clips.entry(offset).or_insert_with(|| {
                let mut reader =
                    ClipReader { file, game, stream, slot, budget: &mut budget, warnings: &mut warnings };
                match reader.clip(offset.into()) {
                    Ok(clip) => Some(Arc::new(clip)),
                    Err((at, problem)) => {
                        warnings.push(file.error(at, AnimationProblem::LeftOut { stream, slot, problem }));
                        None
                    }
                }
            });
            read.push(clip.clone());
        }
        streams.push(read);
    }
    let clips = clips.into_values().flatten().collect();
    Ok(Pack { view: file, game, streams, clips, warnings })
}

/// Reads a single clip, and remembers the slot for messages.
struct ClipReader<'a, 'b> {
    file: View<'a>,
    game: Game,
    stream: usize,
    slot: usize,
    budget: &'b mut u64,
    warnings: &'b mut Warnings,
}

impl ClipReader<'_, '_> {
    /// Notes something odd.
    fn note(&mut self, at: u64, problem: ClipProblem) {
        let (stream, slot) = (self.stream, self.slot);
        self.warnings.push(self.file.error(at, AnimationProblem::InClip { stream, slot, problem }));
    }

    /// Reads a section's header. The section must end at or before `limit`.
    fn section(&self, level: Level, at: u64, limit: u64) -> Result<Section, Located> {
        let available = limit.saturating_sub(at);
        let header = level.header(self.game);
        let section = level.name();
        let misfit = |size: u64| (at, ClipProblem::Size { section, size, available });
        let words = |at: u64| self.file.word(at).map_err(|_| misfit(header));
        if available < header {
            return Err(misfit(header));
        }
        let first = words(at)?;
        // Unite stores a word for each number, but Portable 3rd packs them.
        let (tag, count, size) = match (self.game, level) {
            (Game::Unite, _) => (first, words(at.saturating_add(4))?, words(at.saturating_add(8))?),
            (Game::Portable3rd, Level::Clip) => (0, first, words(at.saturating_add(4))?),
            (Game::Portable3rd, Level::Track) => (0, first & 0xFFFF, first >> 16),
            (Game::Portable3rd, Level::Channel) => {
                (first & 0xFFFF, first >> 16, words(at.saturating_add(4))?)
            }
        };
        let size = u64::from(size);
        if size < header || size > available {
            return Err(misfit(size));
        }
        Ok(Section { tag, count, at, content: at.saturating_add(header), end: at.saturating_add(size) })
    }

    /// Reads the clip at `at`.
    fn clip(&mut self, at: u64) -> Result<Clip, Located> {
        let clip = self.section(Level::Clip, at, self.file.len())?;
        if self.game == Game::Unite && clip.tag != CLIP {
            return Err((at, ClipProblem::Tag { section: Level::Clip.name(), found: clip.tag }));
        }
        let size = clip.end.saturating_sub(at);
        *self.budget = self.budget.checked_sub(size).ok_or((at, ClipProblem::TooMuchWork))?;
        let mut tracks = Vec::new();
        let mut next = clip.content;
        for _ in 0..clip.count {
            let (track, end) = self.track(next, clip.end)?;
            tracks.push(track);
            next = end;
        }
        let keys = tracks.iter().flatten().filter_map(|channel| channel.keys.last());
        let last = keys.map(|key| key.frame.get()).max().unwrap_or(0);
        // The loop fields end the clip's header.
        let looping_at = clip.content.saturating_sub(size_of::<Looping>() as u64);
        let header = Level::Clip.header(self.game);
        let misfit = ClipProblem::Size { section: Level::Clip.name(), size: header, available: size };
        let looping: Looping = self.file.read(looping_at).map_err(|_| (at, misfit))?;
        let loop_start = (looping.is_on.get() != 0).then(|| {
            let start = looping.start.get();
            if (0.0..=f32::from(last)).contains(&start) {
                return f64::from(start);
            }
            self.note(looping_at.saturating_add(4), ClipProblem::LoopStart { start, last });
            0.0
        });
        let (mut channels, mut keys) = (0_usize, 0_usize);
        for channel in tracks.iter().flatten() {
            channels = channels.saturating_add(1);
            keys = keys.saturating_add(channel.keys.len());
        }
        Ok(Clip { tracks, last, loop_start, channels, keys })
    }

    /// Reads a track, and returns its end with it.
    fn track(&mut self, at: u64, limit: u64) -> Result<(Vec<Channel>, u64), Located> {
        let track = self.section(Level::Track, at, limit)?;
        let mut channels: Vec<Channel> = Vec::new();
        let (mut next, mut mask) = (track.content, 0);
        for _ in 0..track.count {
            let section = self.section(Level::Channel, next, track.end)?;
            next = section.end;
            let bit = u16::try_from(section.tag & 0xFFFF).unwrap_or(0);
            mask |= u32::from(bit);
            let Some(channel) = self.channel(&section, bit)? else { continue };
            // If a component occurs twice, the last channel wins.
            match channels.iter_mut().find(|known| known.component.is_same(channel.component)) {
                Some(known) => {
                    *known = channel;
                    self.note(section.at, ClipProblem::Twice(bit));
                }
                None => channels.push(channel),
            }
        }
        let expected = TRACK | mask;
        if self.game == Game::Unite && track.tag != expected {
            let section = Level::Track.name();
            self.note(at, ClipProblem::OddTag { section, found: track.tag, expected });
        }
        Ok((channels, track.end))
    }

    /// Reads a channel; `None` if it has no effect.
    fn channel(&mut self, channel: &Section, bit: u16) -> Result<Option<Channel>, Located> {
        let (at, size) = (channel.at, channel.end.saturating_sub(channel.at));
        let expected = CHANNEL | u32::from(bit);
        if self.game == Game::Unite && channel.tag != expected {
            let section = Level::Channel.name();
            self.note(at, ClipProblem::OddTag { section, found: channel.tag, expected });
        }
        let misfit = ClipProblem::KeyCount { keys: channel.count, size };
        let room =
            channel.end.saturating_sub(channel.content).checked_div(size_of::<Key>() as u64).unwrap_or(0);
        if u64::from(channel.count) > room {
            return Err((at, misfit));
        }
        let stored: &[Key] =
            self.file.array(channel.content, channel.count.into()).map_err(|_| (at, misfit.clone()))?;
        if u64::from(channel.count) < room {
            self.note(at, misfit);
        }
        let is_known = self.game == Game::Portable3rd || bit < UNITE_BITS_END;
        let Some(component) = Component::of_bit(bit).filter(|_| is_known) else {
            self.note(at, ClipProblem::Component(bit));
            return Ok(None);
        };
        // Keys out of order are dropped, because interpolation needs rising frames.
        let mut keys: Vec<Key> = Vec::new();
        for (at, key) in (channel.content..).step_by(size_of::<Key>()).zip(stored) {
            match keys.last().map(|before| before.frame.get()) {
                Some(before) if before >= key.frame.get() => {
                    self.note(at, ClipProblem::KeyOrder { frame: key.frame.get(), before });
                }
                _ => keys.push(*key),
            }
        }
        if keys.is_empty() {
            self.note(at, ClipProblem::NoKeys(bit));
            return Ok(None);
        }
        Ok(Some(Channel { component, keys }))
    }
}
