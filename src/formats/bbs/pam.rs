//! PAM: animations. Source: the format document on Birth by Sleep models, §5.
//!
//! # Invariants
//! Key frames ascend and lie in their animation. What is read is in proportion to the file, also where animations
//! share their data.

use std::sync::Arc;

use thiserror::Error;
use zerocopy::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::euler::Order;
use super::text::text;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::{FormatError, FormatProblem};
use crate::formats::core::options::ParseOptions;
use crate::model::{Animation, AnimationSet, Field};

mod sample;

use sample::{CHANNELS, Channel, Curve, Motion};

/// First bytes of every file.
const MAGIC: [u8; 4] = *b"PAM\0";
/// How often the bytes of a file may be read, where animations share them, and how many in all.
const REREAD: u64 = 16;
const MOST_READ: u64 = 64 << 20;

/// What can be wrong with a PAM file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PamProblem {
    /// Another magic.
    #[error("not a PAM file")]
    Magic,
    /// More animations than bytes for them.
    #[error("{0} animations cannot be in a file of this size")]
    Count(u32),
    /// An animation outside the file.
    #[error("the animation at {0:#x} lies behind the end of the file")]
    Outside(u32),
    /// Channel flags beyond the nine.
    #[error("channel flags {0:#06x} have bits beyond the nine channels of a bone")]
    Flags(u16),
    /// A channel's range that is no number.
    #[error("the range of a channel is not finite")]
    NotFinite,
    /// Too few or too many keys.
    #[error("a channel has {keys} keys in an animation of {frames} frames")]
    Keys {
        /// Keys of the channel.
        keys: u16,
        /// Frames of the animation.
        frames: u16,
    },
    /// A key outside the animation.
    #[error("a key is at frame {frame} of {frames}")]
    KeyFrame {
        /// The key's frame.
        frame: u16,
        /// Frames of the animation.
        frames: u16,
    },
    /// Keys out of order.
    #[error("a key at frame {frame} follows one at frame {before}")]
    KeyOrder {
        /// The key's frame.
        frame: u16,
        /// That of the one before.
        before: u16,
    },
    /// Animations that use the same data over and over.
    #[error("the animations use the same data over and over")]
    TooMuchWork,
    /// Animations of another model.
    #[error("the animation moves {moved} bones, the model has {bones}")]
    Bones {
        /// Bones of the animation.
        moved: usize,
        /// Bones of the model.
        bones: usize,
    },
    /// Nothing to move.
    #[error("the model has no bones that animations could move")]
    NoBones,
}

impl FormatProblem for PamProblem {}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    animations: U32,
    _zero: [u8; 6],
    version: U16,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Entry {
    offset: U32,
    name: [u8; 12],
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Clip {
    flag: U16,
    frame_rate: u8,
    blend_frames: u8,
    loop_from: U16,
    bones: u8,
    padding: u8,
    frames: U16,
    loop_to: U16,
}

const _: () = {
    assert!(size_of::<Header>() == 0x10 && size_of::<Entry>() == 0x10, "header and entry");
    assert!(size_of::<Clip>() == 0x0C, "an animation's header");
};

/// A file, read and checked.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Pam<'a> {
    view: View<'a>,
    version: u16,
    clips: Vec<Read>,
    empty: usize,
}

/// One animation.
#[derive(Clone, Debug)]
struct Read {
    name: String,
    /// Offset in the view.
    at: u64,
    clip: Clip,
    motion: Arc<Motion>,
    channels: usize,
    keys: usize,
}

impl std::fmt::Debug for Clip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clip")
            .field("frames", &self.frames)
            .field("bones", &self.bones)
            .finish_non_exhaustive()
    }
}

/// Whether these are the first bytes of a PAM file.
pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a file.
pub(in crate::formats) fn read<'a>(
    view: View<'a>,
    options: ParseOptions<'_>,
) -> Result<Pam<'a>, FormatError> {
    let header: Header = view.read(0)?;
    if header.magic != MAGIC {
        return Err(view.error(0, PamProblem::Magic));
    }
    let count = header.animations.get();
    let start = size_of::<Header>() as u64;
    let entries: &[Entry] =
        view.array(start, count.into()).map_err(|_| view.error(4, PamProblem::Count(count)))?;
    let mut pam = Pam { view, version: header.version.get(), clips: Vec::new(), empty: 0 };
    let mut budget = view.len().saturating_mul(REREAD).min(MOST_READ);
    for (at, entry) in (start..).step_by(size_of::<Entry>()).zip(entries) {
        if entry.offset.get() == 0 {
            pam.empty = pam.empty.saturating_add(1);
            continue;
        }
        if u64::from(entry.offset.get()) >= view.len() {
            return Err(view.error(at, PamProblem::Outside(entry.offset.get())));
        }
        let (clip, end) = read_clip(view, entry.offset.get().into(), text(&entry.name), Order::of(options))?;
        let bytes = end.saturating_sub(clip.at);
        budget = budget.checked_sub(bytes).ok_or_else(|| view.error(at, PamProblem::TooMuchWork))?;
        pam.clips.push(clip);
    }
    Ok(pam)
}

/// Reads one animation, and finds where it ends.
fn read_clip(view: View<'_>, at: u64, name: String, order: Order) -> Result<(Read, u64), FormatError> {
    let mut cursor = Cursor::new(view, at);
    let clip: Clip = cursor.read()?;
    let flags_at = cursor.at();
    let flags: &[U16] = view.array(flags_at, clip.bones.into())?;
    let mut cursor = Cursor::new(view, flags_at.saturating_add(u64::from(clip.bones).saturating_mul(2)));
    let (mut bones, mut channels, mut keys) = (Vec::new(), 0_usize, 0_usize);
    for (at, flags) in (flags_at..).step_by(2).zip(flags) {
        let flags = flags.get();
        if flags >> CHANNELS != 0 {
            return Err(view.error(at, PamProblem::Flags(flags)));
        }
        let mut bone: [Option<Channel>; CHANNELS] = Default::default();
        for (_, slot) in bone.iter_mut().enumerate().filter(|(bit, _)| flags >> bit & 1 != 0) {
            let channel = read_channel(view, &mut cursor, clip.frames.get())?;
            channels = channels.saturating_add(1);
            keys = keys.saturating_add(channel.keys());
            *slot = Some(channel);
        }
        bones.push(bone);
    }
    let motion = Arc::new(Motion { bones, order });
    Ok((Read { name, at, clip, motion, channels, keys }, cursor.at()))
}

fn read_channel<'a>(view: View<'a>, cursor: &mut Cursor<'a>, frames: u16) -> Result<Channel, FormatError> {
    let start = cursor.at();
    let [high, low] = cursor.read::<[F32; 2]>()?.map(|value| value.get());
    if !high.is_finite() || !low.is_finite() {
        return Err(view.error(start, PamProblem::NotFinite));
    }
    // Counts and frames are as wide as the animation's frame count asks for.
    let is_short = frames <= 0xFF;
    let number = |cursor: &mut Cursor<'_>| -> Result<u16, FormatError> {
        Ok(if is_short { u16::from(cursor.read::<u8>()?) } else { u16::from_le_bytes(cursor.read()?) })
    };
    let count_at = cursor.at();
    let count = number(cursor)?;
    let curve = if count == 1 {
        Curve::Constant
    } else if count == 0 || count > frames {
        return Err(view.error(count_at, PamProblem::Keys { keys: count, frames }));
    } else if count == frames {
        let values: &[U16] = view.array(cursor.at(), count.into())?;
        let end = cursor.at().saturating_add(u64::from(count).saturating_mul(2));
        *cursor = Cursor::new(view, end);
        Curve::EveryFrame(values.iter().map(|value| value.get()).collect())
    } else {
        let mut keys: Vec<(u16, u16)> = Vec::new();
        for _ in 0..count {
            let at = cursor.at();
            let frame = number(cursor)?;
            if frame >= frames {
                return Err(view.error(at, PamProblem::KeyFrame { frame, frames }));
            }
            if let Some(&(before, _)) = keys.last().filter(|(before, _)| *before >= frame) {
                return Err(view.error(at, PamProblem::KeyOrder { frame, before }));
            }
            keys.push((frame, u16::from_le_bytes(cursor.read()?)));
        }
        Curve::Keys(keys)
    };
    Ok(Channel { high, low, curve })
}

impl Pam<'_> {
    /// The animations that move a skeleton of `bones` bones, which all have to.
    pub(in crate::formats) fn check_bones(&self, bones: Option<usize>) -> Result<(), FormatError> {
        let Some(bones) = bones else { return Err(self.view.error(0, PamProblem::NoBones)) };
        match self.clips.iter().find(|read| usize::from(read.clip.bones) != bones) {
            Some(read) => {
                let moved = read.clip.bones.into();
                Err(self.view.error(read.at.saturating_add(6), PamProblem::Bones { moved, bones }))
            }
            None => Ok(()),
        }
    }

    /// The animations.
    pub(in crate::formats) fn animations(&self) -> Vec<Animation> {
        let animation = |read: &Read| Animation {
            name: Some(read.name.clone()).filter(|name| !name.is_empty()),
            frames: read.clip.frames.get().into(),
            frames_per_second: Some(read.clip.frame_rate.into()).filter(|rate: &f32| *rate > 0.0),
            channels: read.channels,
            keys: read.keys,
            sampler: Arc::<Motion>::clone(&read.motion),
        };
        self.clips.iter().map(animation).collect()
    }

    /// What the animations say beyond their curves.
    pub(in crate::formats) fn fields(&self) -> Vec<Field> {
        let field = |read: &Read| {
            let Clip { flag, blend_frames, loop_from, loop_to, padding, .. } = read.clip;
            let padding = if padding == 0 { String::new() } else { format!(", padding {padding}") };
            Field {
                name: format!("animation {}", read.name),
                offset: self.view.file_offset(read.at),
                value: format!(
                    "flag {flag}, {blend_frames} frames to blend in, loops from frame {loop_from} to {loop_to}{padding}"
                ),
            }
        };
        self.clips.iter().map(field).collect()
    }

    /// What the user should know.
    pub(in crate::formats) fn notes(&self) -> Vec<String> {
        let empty =
            (self.empty > 0).then(|| format!("{} entries of the animation table are empty", self.empty));
        empty.into_iter().collect()
    }

    /// The animations on their own.
    pub(in crate::formats) fn animation_set(&self) -> AnimationSet {
        let fields = self.fields();
        let described = fields.iter().map(|field| format!("{}: {}", field.name, field.value));
        AnimationSet {
            animations: self.animations(),
            version: Some(self.version.to_string()),
            bones: self.clips.iter().map(|read| usize::from(read.clip.bones)).max().unwrap_or(0),
            notes: self.notes().into_iter().chain(described).collect(),
        }
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
