//! Problems of animation packs.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::model::FileNoteKind;

/// A problem of an animation pack.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AnimationProblem {
    /// Tables that are not those of a pack.
    #[error("not an animation pack: its tables do not follow one another")]
    Tables,
    /// A first clip of neither game.
    #[error("not an animation pack: its first clip starts with {0:#010x}")]
    Clip(u32),
    /// A clip that is left out.
    #[error("the clip of stream {stream}, slot {slot} is left out: {problem}")]
    LeftOut {
        /// The stream.
        stream: usize,
        /// The first slot with this clip.
        slot: usize,
        /// What is wrong with the clip.
        problem: ClipProblem,
    },
    /// Something odd about a clip that is read.
    #[error("stream {stream}, slot {slot}: {problem}")]
    InClip {
        /// The stream.
        stream: usize,
        /// The first slot with this clip.
        slot: usize,
        /// What is odd.
        problem: ClipProblem,
    },
    /// Slots that the game cannot reach.
    #[error(
        "stream {stream} has {slots} slots; the game reaches the first 100 only, and the others are left out"
    )]
    Slots {
        /// The stream.
        stream: usize,
        /// Number of its slots.
        slots: usize,
    },
    /// A model without skeleton.
    #[error("the model has no skeleton: the animations are left out")]
    NoSkeleton,
    /// A part that has another number of bones than tracks.
    #[error("part {part} of the skeleton has {bones} bones, its clips have up to {tracks} tracks")]
    PartSize {
        /// The part.
        part: usize,
        /// Number of its bones.
        bones: usize,
        /// Most tracks of a clip.
        tracks: usize,
    },
    /// Tracks for bones that the skeleton does not have.
    #[error("the clips have up to {tracks} tracks, of which {used} have a bone")]
    MoreTracks {
        /// Most tracks of a clip.
        tracks: usize,
        /// Number of tracks with a bone.
        used: usize,
    },
    /// Tracks whose bones are not stated.
    #[error(
        "track 0 is taken to move bone {first} and later tracks the bones after it, because the files do not state it; \
         monsters that skip bones need the parse option of their number"
    )]
    AssumedBones {
        /// The bone of track 0.
        first: usize,
    },
}

/// A problem of a clip, a track, a channel or a key.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ClipProblem {
    /// A header with the tag of something else.
    #[error("its {section} has the tag {found:#010x}")]
    Tag {
        /// The section: a clip, a track or a channel.
        section: &'static str,
        /// The tag.
        found: u32,
    },
    /// A section that leaves the one around it, or is smaller than its header.
    #[error("a {section} of {size} bytes does not fit, {available} are left")]
    Size {
        /// The section: a clip, a track or a channel.
        section: &'static str,
        /// Its size in bytes.
        size: u64,
        /// Bytes that are left.
        available: u64,
    },
    /// Keys that need another number of bytes than the channel has.
    #[error("a channel of {size} bytes has {keys} keys of 8 bytes")]
    KeyCount {
        /// Number of keys.
        keys: u32,
        /// Size of the channel in bytes, with its header.
        size: u64,
    },
    /// Clips that share data too often.
    #[error("clips share the same data too often")]
    TooMuchWork,
    /// A tag that differs from those of other files, of a section that is read.
    #[error("a {section} has the tag {found:#010x}, not {expected:#010x}")]
    OddTag {
        /// The section: a track or a channel.
        section: &'static str,
        /// The tag.
        found: u32,
        /// The tag that its content calls for.
        expected: u32,
    },
    /// A channel of an unknown component.
    #[error("channel {0:#06x} is unknown in this game and is left out")]
    Component(u16),
    /// A second channel of a component.
    #[error("channel {0:#06x} occurs twice in a track; the last one counts")]
    Twice(u16),
    /// A channel without keys.
    #[error("channel {0:#06x} has no keys")]
    NoKeys(u16),
    /// Keys that are not in order.
    #[error("a key at frame {frame} follows one at frame {before} and is left out")]
    KeyOrder {
        /// The key's frame.
        frame: i16,
        /// Frame of the previous key.
        before: i16,
    },
    /// A loop that starts outside the clip.
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
