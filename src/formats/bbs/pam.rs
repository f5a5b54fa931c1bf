//! PAM: animations. Source: [PAM animation](crate::reference::formats::bbs#pam-animation).
//!
//! # Invariants
//! Key frames ascend, and ranges are finite. Damaged parts become warnings. The work is in proportion to the file size, even if
//! animations share data.

use std::sync::Arc;

use thiserror::Error;
use zerocopy::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::options::euler_order;
use super::text::text;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::euler::EulerOrder;
use crate::formats::core::options::ParseOptions;
use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::model::{Animation, AnimationSet, Field, FileNote, FileNoteKind};

mod sample;

use sample::{CHANNELS, Channel, ChannelSampler, Curve};

/// First bytes of every file.
pub(super) const MAGIC: [u8; 4] = *b"PAM\0";
/// Padding after a single animation is shorter than this.
const PADDING_MAX: usize = 16;
/// Limit on bytes read for animations, in multiples of the file size, in case animations share data.
const REREADS_MAX: u64 = 16;
/// Limit on bytes read for animations.
const READ_MAX: u64 = 64 << 20;

/// Errors and notes of PAM files.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PamProblem {
    /// Wrong magic, and no single animation either.
    #[error("not a PAM file")]
    Magic,
    /// Animations of which none can be read.
    #[error("none of the {0} animations can be read")]
    NoAnimation(usize),
    /// One animation as a file of its own.
    #[error("the file is one animation without the header of a PAM file")]
    SingleAnimation,
    /// More animations than fit into the file.
    #[error("the header says {stated} animations, the file has room for {actual}; those are used")]
    Count {
        /// The count in the header.
        stated: u32,
        /// The number of whole entries in the file.
        actual: usize,
    },
    /// An animation that cannot be read.
    #[error("animation \"{name}\" is left out: {reason}")]
    Broken {
        /// Its name.
        name: String,
        /// The error.
        reason: String,
    },
    /// An animation that ends before its last channel.
    #[error("animation \"{name}\" is cut off; bones from {bone} on stay at rest")]
    Cut {
        /// Its name.
        name: String,
        /// The first bone without all of its channels.
        bone: usize,
    },
    /// Bits of channel flags above the nine known.
    #[error("channel flags {0:#06x} have bits above the nine channels of a bone; those are ignored")]
    Flags(u16),
    /// An infinite or NaN range of a channel.
    #[error("the range of a channel is not finite; the channel is left out")]
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
    #[error("a key at frame {frame} follows one at frame {before}; keys are put in order")]
    KeyOrder {
        /// The key's frame.
        frame: u16,
        /// Frame of the previous key.
        before: u16,
    },
    /// Animations that share the same data too often.
    #[error("the animations share the same data too often; those from {0} on are left out")]
    TooMuchWork(usize),
    /// An animation for another number of bones.
    #[error("the animation moves {moved} bones, the model has {bones}; they are matched by their numbers")]
    BoneCount {
        /// Number of bones of the animation.
        moved: usize,
        /// Number of bones of the model.
        bones: usize,
    },
    /// A model without bones.
    #[error("the model has no bones to animate; the animations are not used")]
    NoBones,
}

impl FormatProblem for PamProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as animations and is none"),
        Refusal::new("NoAnimation", "no clip can be read"),
    ];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::SingleAnimation => FileNoteKind::Unusual,
            Self::Broken { .. } | Self::Cut { .. } | Self::NotFinite | Self::TooMuchWork(_) => {
                FileNoteKind::LeftOut
            }
            Self::NoBones => FileNoteKind::UnusedCompanion,
            _ => FileNoteKind::Mismatch,
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

/// The animations of a file.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Pam<'a> {
    view: View<'a>,
    /// `None` for a single animation.
    version: Option<u16>,
    clips: Vec<Clip>,
    empty: usize,
    warnings: Warnings,
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

/// Recognises a PAM file by its first bytes, and a single animation by its whole structure.
pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    let view = View::new(bytes, 0, "pam", FileRole::Input);
    bytes.starts_with(&MAGIC) || single_clip(view, EulerOrder::X_FIRST).is_some()
}

/// Reads a file. Animations that are damaged are left out.
pub(in crate::formats) fn read<'a>(
    view: View<'a>,
    options: ParseOptions<'_>,
) -> Result<Pam<'a>, FormatError> {
    let order = euler_order(options);
    let mut pam = Pam { view, version: None, clips: Vec::new(), empty: 0, warnings: Warnings::default() };
    if let Some(clip) = single_clip(view, order) {
        pam.clips.push(clip);
        pam.warnings.push(view.error(0, PamProblem::SingleAnimation));
        return Ok(pam);
    }
    let header: Header = view.read(0)?;
    if header.magic != MAGIC {
        // Somebody says that it is a file of animations, so a damaged one is likelier than a file of something else.
        let (clip, warnings) = odd_clip(view, order).ok_or_else(|| view.error(0, PamProblem::Magic))?;
        pam.clips.push(clip);
        pam.warnings.push(view.error(0, PamProblem::SingleAnimation));
        pam.warnings.extend(&warnings);
        return Ok(pam);
    }
    pam.version = Some(header.version.get());
    let stated = header.animations.get();
    let start = size_of::<Header>() as u64;
    let entries: &[Entry] = view.array_prefix(start, stated.into());
    if (entries.len() as u64) < stated.into() {
        pam.warnings.push(view.error(4, PamProblem::Count { stated, actual: entries.len() }));
    }
    let mut budget = view.len().saturating_mul(REREADS_MAX).min(READ_MAX);
    for (number, (at, entry)) in (start..).step_by(size_of::<Entry>()).zip(entries).enumerate() {
        if entry.offset.get() == 0 {
            pam.empty = pam.empty.saturating_add(1);
            continue;
        }
        let name = text(&entry.name);
        match read_clip(view, entry.offset.get().into(), name.clone(), order, &mut pam.warnings) {
            Ok((clip, end)) => {
                let Some(left) = budget.checked_sub(end.saturating_sub(clip.at)) else {
                    pam.warnings.push(view.error(at, PamProblem::TooMuchWork(number)));
                    break;
                };
                budget = left;
                pam.clips.push(clip);
            }
            Err(error) => {
                let reason = error.to_string();
                pam.warnings.push(view.error(at, PamProblem::Broken { name, reason }));
            }
        }
    }
    if pam.clips.is_empty() && pam.empty < entries.len() {
        return Err(view.error(4, PamProblem::NoAnimation(entries.len())));
    }
    Ok(pam)
}

/// Reads a file that is one animation, without header, name and table; `None` if it is not exactly that.
fn single_clip(view: View<'_>, order: EulerOrder) -> Option<Clip> {
    let (clip, is_whole, warnings) = whole_clip(view, order)?;
    let ClipHeader { frame_rate, padding, frames, loop_from, loop_to, .. } = clip.header;
    let loops = [loop_from, loop_to].into_iter().all(|frame| frame.get() <= frames.get());
    let is_plausible = frame_rate != 0 && padding == 0 && loops && warnings.as_slice().is_empty();
    (is_whole && is_plausible).then_some(clip)
}

/// Reads such a file in which something is damaged: it ends where its channels do, or nothing in them is odd.
fn odd_clip(view: View<'_>, order: EulerOrder) -> Option<(Clip, Warnings)> {
    let (clip, is_whole, warnings) = whole_clip(view, order)?;
    (is_whole || warnings.as_slice().is_empty()).then_some((clip, warnings))
}

/// Reads the animation at the start of a file. Returns it with whether the file ends there, and with what is odd; `None` if
/// it moves nothing.
fn whole_clip(view: View<'_>, order: EulerOrder) -> Option<(Clip, bool, Warnings)> {
    let mut warnings = Warnings::default();
    let (clip, end) = read_clip(view, 0, String::new(), order, &mut warnings).ok()?;
    // The file may be padded.
    let rest = view.slice(end, view.len().saturating_sub(end)).ok()?;
    let is_whole = rest.len() < PADDING_MAX && rest.iter().all(|&byte| byte == 0);
    (clip.channels > 0 && clip.header.frames.get() > 0).then_some((clip, is_whole, warnings))
}

/// Reads one animation, and returns it with its end offset.
fn read_clip(
    view: View<'_>,
    at: u64,
    name: String,
    order: EulerOrder,
    warnings: &mut Warnings,
) -> Result<(Clip, u64), FormatError> {
    let mut cursor = Cursor::new(view, at);
    let header: ClipHeader = cursor.read()?;
    let flags_at = cursor.at();
    let flags: &[U16] = view.array(flags_at, header.bones.into())?;
    let mut cursor = Cursor::new(view, flags_at.saturating_add(u64::from(header.bones).saturating_mul(2)));
    let (mut bones, mut channels, mut keys) = (Vec::new(), 0_usize, 0_usize);
    'bones: for (at, flags) in (flags_at..).step_by(2).zip(flags) {
        let flags = flags.get();
        if flags >> CHANNELS != 0 {
            warnings.push(view.error(at, PamProblem::Flags(flags)));
        }
        let mut bone: [Option<Channel>; CHANNELS] = Default::default();
        for (_, slot) in bone.iter_mut().enumerate().filter(|(bit, _)| flags >> bit & 1 != 0) {
            match read_channel(view, &mut cursor, header.frames.get(), warnings) {
                Ok(channel) => *slot = channel,
                Err(error) if channels == 0 => return Err(error),
                Err(error) => {
                    let cut = PamProblem::Cut { name: name.clone(), bone: bones.len() };
                    warnings.push(FormatError { kind: cut.into(), ..error });
                    break 'bones;
                }
            }
            channels = channels.saturating_add(1);
            keys = keys.saturating_add(slot.as_ref().map_or(0, Channel::keys));
        }
        bones.push(bone);
    }
    let sampler = Arc::new(ChannelSampler { bones, order });
    Ok((Clip { name, at, header, sampler, channels, keys }, cursor.at()))
}

/// Reads the channel at the cursor, of an animation with `frames` frames; `None` if its range is not finite.
fn read_channel<'a>(
    view: View<'a>,
    cursor: &mut Cursor<'a>,
    frames: u16,
    warnings: &mut Warnings,
) -> Result<Option<Channel>, FormatError> {
    let start = cursor.at();
    let [max, min] = cursor.read::<[F32; 2]>()?.map(|value| value.get());
    let is_finite = max.is_finite() && min.is_finite();
    if !is_finite {
        warnings.push(view.error(start, PamProblem::NotFinite));
    }
    // Key counts and key frames have 8 bits if the frame count fits into them, else 16.
    let is_short = frames <= 0xFF;
    let number = |cursor: &mut Cursor<'_>| -> Result<u16, FormatError> {
        Ok(if is_short { u16::from(cursor.read::<u8>()?) } else { u16::from_le_bytes(cursor.read()?) })
    };
    let count_at = cursor.at();
    let count = number(cursor)?;
    if count == 0 || count > frames {
        warnings.push(view.error(count_at, PamProblem::Keys { keys: count, frames }));
    }
    let curve = if count <= 1 {
        Curve::Constant
    } else if count == frames {
        let values: &[U16] = view.array(cursor.at(), count.into())?;
        let end = cursor.at().saturating_add(u64::from(count).saturating_mul(2));
        *cursor = Cursor::new(view, end);
        Curve::EveryFrame(values.iter().map(|value| value.get()).collect())
    } else {
        let mut keys: Vec<(u16, u16)> = Vec::new();
        let mut is_sorted = true;
        for _ in 0..count {
            let at = cursor.at();
            let frame = number(cursor)?;
            if frame >= frames {
                warnings.push(view.error(at, PamProblem::KeyFrame { frame, frames }));
            }
            if let Some(&(before, _)) = keys.last().filter(|(before, _)| *before >= frame) {
                is_sorted = false;
                warnings.push(view.error(at, PamProblem::KeyOrder { frame, before }));
            }
            keys.push((frame, u16::from_le_bytes(cursor.read()?)));
        }
        if !is_sorted {
            keys.sort_by_key(|&(frame, _)| frame);
            keys.dedup_by_key(|(frame, _)| *frame);
        }
        Curve::Keys(keys)
    };
    Ok(is_finite.then_some(Channel { max, min, curve }))
}

impl Pam<'_> {
    /// Returns the reason why the animations do not fit a model with this number of bones, if they do not:
    /// [`PamProblem::BoneCount`], or [`PamProblem::NoBones`] without a skeleton.
    pub(in crate::formats) fn misfit(&self, bones: Option<usize>) -> Option<FormatError> {
        let Some(bones) = bones else { return Some(self.view.error_of_whole(PamProblem::NoBones)) };
        let clip = self.clips.iter().find(|clip| usize::from(clip.header.bones) != bones)?;
        let moved = clip.header.bones.into();
        Some(self.view.error(clip.at.saturating_add(6), PamProblem::BoneCount { moved, bones }))
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
                name: format!("animation {}", clip.name).trim_end().to_owned(),
                offset: self.view.file_offset(clip.at),
                value: format!(
                    "flag {flag}, {blend_frames} frames to blend in, loops from frame {loop_from} to {loop_to}{padding}"
                ),
            }
        };
        self.clips.iter().map(field).collect()
    }

    /// Returns what is odd about the file.
    pub(in crate::formats) fn notes(&self) -> impl Iterator<Item = FileNote> {
        let message = format!("{} entries of the animation table are empty", self.empty);
        let empty = (self.empty > 0).then(|| FileNote::new(FileNoteKind::Unusual, message));
        self.warnings.notes().chain(empty)
    }

    /// Converts the file to a set of animations without a model.
    pub(in crate::formats) fn animation_set(&self) -> AnimationSet {
        AnimationSet {
            animations: self.animations(),
            version: self.version.map(|version| version.to_string()),
            bones: self.clips.iter().map(|clip| usize::from(clip.header.bones)).max().unwrap_or(0),
            notes: self.notes().chain(self.fields().iter().map(FileNote::from)).collect(),
        }
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
