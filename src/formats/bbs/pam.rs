//! PAM: animations. Source: [PAM animation](crate::reference::formats::bbs#pam-animation).
//!
//! # Invariants
//! Key frames ascend and are inside the animation. The work is in proportion to the file size, even if
//! animations share data.

use std::sync::Arc;

use thiserror::Error;
use zerocopy::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::euler::EulerOrder;
use super::text::text;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::FormatError;
use crate::formats::core::options::ParseOptions;
use crate::formats::core::problem::FormatProblem;
use crate::model::{Animation, AnimationSet, Field, FileNote, FileNoteKind};

mod sample;

use sample::{CHANNELS, Channel, ChannelSampler, Curve};

/// First bytes of every file.
pub(super) const MAGIC: [u8; 4] = *b"PAM\0";
/// Limit on bytes read for animations, in multiples of the file size, in case animations share data.
const REREADS_MAX: u64 = 16;
/// Limit on bytes read for animations.
const READ_MAX: u64 = 64 << 20;

/// Errors of PAM files.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PamProblem {
    /// Wrong magic.
    #[error("not a PAM file")]
    Magic,
    /// More animations than fit into the file.
    #[error("{0} animations cannot be in a file of this size")]
    Count(u32),
    /// An animation outside the file.
    #[error("the animation at {0:#x} starts after the end of the file")]
    Outside(u32),
    /// Bits of channel flags above the nine known.
    #[error("channel flags {0:#06x} have bits above the nine channels of a bone")]
    Flags(u16),
    /// An infinite or NaN range of a channel.
    #[error("the range of a channel is not finite")]
    NotFinite,
    /// Too few or too many keys.
    #[error("a channel has {keys} keys in an animation of {frames} frames")]
    Keys {
        /// Number of keys of the channel.
        keys: u16,
        /// Number of frames of the animation.
        frames: u16,
    },
    /// A key outside the animation.
    #[error("a key is at frame {frame} of {frames}")]
    KeyFrame {
        /// The key's frame.
        frame: u16,
        /// Number of frames of the animation.
        frames: u16,
    },
    /// Keys out of order.
    #[error("a key at frame {frame} follows one at frame {before}")]
    KeyOrder {
        /// The key's frame.
        frame: u16,
        /// Frame of the previous key.
        before: u16,
    },
    /// Animations that share the same data too often.
    #[error("the animations share the same data too often")]
    TooMuchWork,
    /// An animation for another number of bones.
    #[error("the animation moves {moved} bones, the model has {bones}")]
    BoneCount {
        /// Number of bones of the animation.
        moved: usize,
        /// Number of bones of the model.
        bones: usize,
    },
    /// A model without bones.
    #[error("the model has no bones to animate")]
    NoBones,
}

impl FormatProblem for PamProblem {
    fn code(&self) -> &'static str {
        match self {
            Self::BoneCount { .. } | Self::NoBones => "wrong-companion",
            Self::TooMuchWork => "too-much-work",
            _ => "damaged",
        }
    }
}

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
struct ClipHeader {
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
    assert!(size_of::<ClipHeader>() == 0x0C, "an animation's header");
};

/// A file, read and checked.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Pam<'a> {
    view: View<'a>,
    version: u16,
    clips: Vec<Clip>,
    empty: usize,
}

/// One animation.
#[derive(Clone, Debug)]
struct Clip {
    name: String,
    /// Offset of its header in the view.
    at: u64,
    header: ClipHeader,
    sampler: Arc<ChannelSampler>,
    channels: usize,
    keys: usize,
}

impl std::fmt::Debug for ClipHeader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClipHeader")
            .field("frames", &self.frames)
            .field("bones", &self.bones)
            .finish_non_exhaustive()
    }
}

/// Recognises a PAM file by its first bytes.
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
    let mut budget = view.len().saturating_mul(REREADS_MAX).min(READ_MAX);
    for (at, entry) in (start..).step_by(size_of::<Entry>()).zip(entries) {
        if entry.offset.get() == 0 {
            pam.empty = pam.empty.saturating_add(1);
            continue;
        }
        if u64::from(entry.offset.get()) >= view.len() {
            return Err(view.error(at, PamProblem::Outside(entry.offset.get())));
        }
        let (clip, end) =
            read_clip(view, entry.offset.get().into(), text(&entry.name), EulerOrder::of(options))?;
        let bytes = end.saturating_sub(clip.at);
        budget = budget.checked_sub(bytes).ok_or_else(|| view.error(at, PamProblem::TooMuchWork))?;
        pam.clips.push(clip);
    }
    Ok(pam)
}

/// Reads one animation, and returns it with its end offset.
fn read_clip(view: View<'_>, at: u64, name: String, order: EulerOrder) -> Result<(Clip, u64), FormatError> {
    let mut cursor = Cursor::new(view, at);
    let header: ClipHeader = cursor.read()?;
    let flags_at = cursor.at();
    let flags: &[U16] = view.array(flags_at, header.bones.into())?;
    let mut cursor = Cursor::new(view, flags_at.saturating_add(u64::from(header.bones).saturating_mul(2)));
    let (mut bones, mut channels, mut keys) = (Vec::new(), 0_usize, 0_usize);
    for (at, flags) in (flags_at..).step_by(2).zip(flags) {
        let flags = flags.get();
        if flags >> CHANNELS != 0 {
            return Err(view.error(at, PamProblem::Flags(flags)));
        }
        let mut bone: [Option<Channel>; CHANNELS] = Default::default();
        for (_, slot) in bone.iter_mut().enumerate().filter(|(bit, _)| flags >> bit & 1 != 0) {
            let channel = read_channel(view, &mut cursor, header.frames.get())?;
            channels = channels.saturating_add(1);
            keys = keys.saturating_add(channel.keys());
            *slot = Some(channel);
        }
        bones.push(bone);
    }
    let sampler = Arc::new(ChannelSampler { bones, order });
    Ok((Clip { name, at, header, sampler, channels, keys }, cursor.at()))
}

/// Reads the channel at the cursor, of an animation with `frames` frames.
fn read_channel<'a>(view: View<'a>, cursor: &mut Cursor<'a>, frames: u16) -> Result<Channel, FormatError> {
    let start = cursor.at();
    let [max, min] = cursor.read::<[F32; 2]>()?.map(|value| value.get());
    if !max.is_finite() || !min.is_finite() {
        return Err(view.error(start, PamProblem::NotFinite));
    }
    // Key counts and key frames have 8 bits if the frame count fits into them, else 16.
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
    Ok(Channel { max, min, curve })
}

impl Pam<'_> {
    /// Checks that all animations have the bone count of a model.
    ///
    /// # Errors
    /// [`PamProblem::BoneCount`] if one differs, [`PamProblem::NoBones`] if the model has no skeleton.
    pub(in crate::formats) fn check_bones(&self, bones: Option<usize>) -> Result<(), FormatError> {
        let Some(bones) = bones else { return Err(self.view.error_of_whole(PamProblem::NoBones)) };
        match self.clips.iter().find(|clip| usize::from(clip.header.bones) != bones) {
            Some(clip) => {
                let moved = clip.header.bones.into();
                Err(self.view.error(clip.at.saturating_add(6), PamProblem::BoneCount { moved, bones }))
            }
            None => Ok(()),
        }
    }

    /// Lists the animations.
    pub(in crate::formats) fn animations(&self) -> Vec<Animation> {
        let animation = |clip: &Clip| Animation {
            name: Some(clip.name.clone()).filter(|name| !name.is_empty()),
            frames: clip.header.frames.get().into(),
            frames_per_second: Some(clip.header.frame_rate.into()).filter(|rate: &f32| *rate > 0.0),
            channels: clip.channels,
            keys: clip.keys,
            sampler: Arc::<ChannelSampler>::clone(&clip.sampler),
        };
        self.clips.iter().map(animation).collect()
    }

    /// Lists the uninterpreted fields of the animations.
    pub(in crate::formats) fn fields(&self) -> Vec<Field> {
        let field = |clip: &Clip| {
            let ClipHeader { flag, blend_frames, loop_from, loop_to, padding, .. } = clip.header;
            let padding = if padding == 0 { String::new() } else { format!(", padding {padding}") };
            Field {
                name: format!("animation {}", clip.name),
                offset: self.view.file_offset(clip.at),
                value: format!(
                    "flag {flag}, {blend_frames} frames to blend in, loops from frame {loop_from} to {loop_to}{padding}"
                ),
            }
        };
        self.clips.iter().map(field).collect()
    }

    /// Returns the note on empty entries, if there are some.
    pub(in crate::formats) fn notes(&self) -> Option<FileNote> {
        let message = format!("{} entries of the animation table are empty", self.empty);
        (self.empty > 0).then(|| FileNote::new(FileNoteKind::Unusual, message))
    }

    /// Converts the file to a set of animations without a model.
    pub(in crate::formats) fn animation_set(&self) -> AnimationSet {
        AnimationSet {
            animations: self.animations(),
            version: Some(self.version.to_string()),
            bones: self.clips.iter().map(|clip| usize::from(clip.header.bones)).max().unwrap_or(0),
            notes: self.notes().into_iter().chain(self.fields().iter().map(FileNote::from)).collect(),
        }
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
