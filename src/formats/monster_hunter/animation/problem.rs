//! Errors and warnings for animation packs.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::model::FileNoteKind;

/// A problem in an animation pack.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AnimationProblem {
    /// These tables do not belong to a pack.
    #[error("not an animation pack: its tables do not follow one another")]
    Tables,
    /// The first clip belongs to neither game.
    #[error("not an animation pack: its first clip starts with {0:#010x}")]
    Clip(u32),
    /// A clip is left out.
    #[error("the clip of stream {stream}, slot {slot} is left out: {problem}")]
    LeftOut {
        /// Which stream.
        stream: usize,
        /// The first slot with this clip.
        slot: usize,
        /// Why the clip is left out.
        problem: ClipProblem,
    },
    /// A clip is used, but something in it is odd.
    #[error("stream {stream}, slot {slot}: {problem}")]
    InClip {
        /// Which stream.
        stream: usize,
        /// The first slot with this clip.
        slot: usize,
        /// The oddity.
        problem: ClipProblem,
    },
    /// There are more slots than the game can reach.
    #[error(
        "stream {stream} has {slots} slots; the game reaches the first 100 only, and the others are left out"
    )]
    Slots {
        /// Which stream.
        stream: usize,
        /// How many slots this stream has.
        slots: usize,
    },
    /// The model has no skeleton.
    #[error("the model has no skeleton: the animations are left out")]
    NoSkeleton,
    /// A part's bone count differs from its track count.
    #[error("part {part} of the skeleton has {bones} bones, its clips have up to {tracks} tracks")]
    PartSize {
        /// Which part.
        part: usize,
        /// How many bones this part has.
        bones: usize,
        /// The largest track count in its clips.
        tracks: usize,
    },
    /// There are more tracks than bones in the skeleton.
    #[error("the clips have up to {tracks} tracks, of which {used} have a bone")]
    MoreTracks {
        /// The largest track count in the clips.
        tracks: usize,
        /// How many tracks have a bone.
        used: usize,
    },
    /// No file states which bones the tracks move.
    #[error(
        "track 0 is taken to move bone {first} and later tracks the bones after it, because the files do not state it; \
         monsters that skip bones need the parse option of their number"
    )]
    AssumedBones {
        /// The bone for track 0.
        first: usize,
    },
}

/// A problem in a clip, track, channel or key.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClipProblem {
    /// A header has the wrong tag.
    #[error("its {section} has the tag {found:#010x}")]
    Tag {
        /// The section: a clip, a track or a channel.
        section: &'static str,
        /// The tag.
        found: u32,
    },
    /// A section leaves its surrounding section, or is smaller than its header.
    #[error("a {section} of {size} bytes does not fit, {available} are left")]
    Size {
        /// The section: a clip, a track or a channel.
        section: &'static str,
        /// Its size in bytes.
        size: u64,
        /// Bytes left.
        available: u64,
    },
    /// The keys need more or fewer bytes than the channel has.
    #[error("a channel of {size} bytes has {keys} keys of 8 bytes")]
    KeyCount {
        /// The key count.
        keys: u32,
        /// The channel's size in bytes, including its header.
        size: u64,
    },
    /// Clips share data too often, so reading on would take too long.
    #[error("clips share the same data too often")]
    TooMuchWork,
    /// A section has an unusual tag, but can be read.
    #[error("a {section} has the tag {found:#010x}, not {expected:#010x}")]
    OddTag {
        /// The section: a track or a channel.
        section: &'static str,
        /// The tag.
        found: u32,
        /// The tag to match its content.
        expected: u32,
    },
    /// A channel's component is unknown in this game.
    #[error("channel {0:#06x} is unknown in this game and is left out")]
    Component(u16),
    /// A component has a second channel.
    #[error("channel {0:#06x} occurs twice in a track; the last one counts")]
    Twice(u16),
    /// A channel has no keys.
    #[error("channel {0:#06x} has no keys")]
    NoKeys(u16),
    /// Keys are out of order.
    #[error("a key at frame {frame} follows one at frame {before} and is left out")]
    KeyOrder {
        /// The key's frame.
        frame: i16,
        /// The previous key's frame.
        before: i16,
    },
    /// A loop starts outside the clip.
    #[error("the clip repeats from frame {start}, and ends at frame {last}")]
    LoopStart {
        /// The first repeated frame.
        start: f32,
        /// The last frame.
        last: i16,
    },
}

impl FormatProblem for AnimationProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Tables", "the tables of streams and slots do not follow one another: it is no pack"),
        Refusal::new("Clip", "the first clip is of neither game, so that the encoding is not known"),
    ];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::LeftOut { .. } | Self::Slots { .. } | Self::NoSkeleton | Self::MoreTracks { .. } => {
                FileNoteKind::LeftOut
            }
            Self::InClip { problem, .. } => match problem {
                ClipProblem::OddTag { .. } | ClipProblem::NoKeys(_) => FileNoteKind::Unusual,
                ClipProblem::Component(_) | ClipProblem::KeyOrder { .. } => FileNoteKind::LeftOut,
                _ => FileNoteKind::Mismatch,
            },
            Self::AssumedBones { .. } => FileNoteKind::Guessed,
            _ => FileNoteKind::Mismatch,
        }
    }
}
