//! PAM: animations. Source: [PAM animation](crate::reference::formats::bbs#pam-animation).
//!
//! # Invariants
//! Key frames ascend, and ranges are finite. Damaged parts become warnings. The work is in proportion to the file
//! size, even if animations share data.

use std::sync::Arc;

use thiserror::Error;
use zerocopy::little_endian::{F32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::options::euler_order;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::euler::EulerOrder;
use crate::formats::core::options::ParseOptions;
use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::formats::core::text::decode_padded;
use crate::model::{Animation, AnimationSet, Field, FileNote, FileNoteKind};

mod sample;

use sample::{CHANNELS, Channel, ChannelSampler, Curve};

/// Magic to recognise a file by.
pub(super) const MAGIC: [u8; 4] = *b"PAM\0";
/// A lone animation may be followed by fewer zero bytes than this.
const PADDING_MAX: usize = 16;
/// Budget for reading animation bytes, as a multiple of the file size, because crafted animations may share data.
const REREADS_MAX: u64 = 16;
/// This budget never exceeds so many bytes.
const READ_MAX: u64 = 64 << 20;

/// An error or a warning in a PAM file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PamProblem {
    /// Wrong magic, and no lone animation either.
    #[error("not a PAM file")]
    Magic,
    /// No animation is readable.
    #[error("none of the {0} animations can be read")]
    NoAnimation(usize),
    /// The file is a lone animation without a header.
    #[error("the file is one animation without the header of a PAM file")]
    SingleAnimation,
    /// The header promises more animations than fit into the file.
    #[error("the header says {stated} animations, the file has room for {actual}; those are used")]
    Count {
        /// The count in the header.
        stated: u32,
        /// How many whole entries this file has.
        actual: usize,
    },
    /// An animation is unreadable.
    #[error("animation \"{name}\" is left out: {reason}")]
    Broken {
        /// Its name.
        name: String,
        /// The error.
        reason: String,
    },
    /// An animation ends before its last channel.
    #[error("animation \"{name}\" is cut off; bones from {bone} on stay at rest")]
    Cut {
        /// Its name.
        name: String,
        /// The first bone with missing channels.
        bone: usize,
    },
    /// Channel flags above the nine known bits.
    #[error("channel flags {0:#06x} have bits above the nine channels of a bone; those are ignored")]
    Flags(u16),
    /// A channel's range is infinite or NaN.
    #[error("the range of a channel is not finite; the channel is left out")]
    NotFinite,
    /// A channel has too few or too many keys.
    #[error("a channel has {keys} keys in an animation of {frames} frames")]
    Keys {
        /// The channel's key count.
        keys: u16,
        /// The animation's frame count.
        frames: u16,
    },
    /// A key lies after the end of the animation.
    #[error("a key is at frame {frame} of {frames}")]
    KeyFrame {
        /// The key's frame.
        frame: u16,
        /// The animation's frame count.
        frames: u16,
    },
    /// Keys are out of order.
    #[error("a key at frame {frame} follows one at frame {before}; keys are put in order")]
    KeyOrder {
        /// The key's frame.
        frame: u16,
        /// The previous key's frame.
        before: u16,
    },
    /// Animations share the same data too often, so reading on would take too long.
    #[error("the animations share the same data too often; those from {0} on are left out")]
    TooMuchWork(usize),
    /// The animation was made for a different bone count.
    #[error("the animation moves {moved} bones, the model has {bones}; they are matched by their numbers")]
    BoneCount {
        /// Bones in the animation.
        moved: usize,
        /// Bones in the model.
        bones: usize,
    },
    /// The model has no bones.
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

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
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

/// A checked PAM file.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Pam<'a> {
    view: View<'a>,
    /// `None` for a lone animation.
    version: Option<u16>,
    clips: Vec<Clip>,
    empty: usize,
    warnings: Warnings,
}

/// A readable animation.
#[derive(Clone, Debug)]
struct Clip {
    name: String,
    /// Offset to this animation's header in the view.
    at: u64,
    header: ClipHeader,
    sampler: Arc<ChannelSampler>,
    channels: usize,
    keys: usize,
}

/// Recognises a PAM file by its magic. A lone animation has no magic, so its whole structure must fit.
pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    let view = View::new(bytes, 0, "pam", FileRole::Input);
    bytes.starts_with(&MAGIC) || single_clip(view, EulerOrder::X_FIRST).is_some()
}

/// Reads a file, and leaves out damaged animations.
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
        // The caller insists on animations, so a damaged file is likelier than a different kind.
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
        let name = decode_padded(&entry.name);
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

/// Reads a file without header, name and table, if it is exactly an animation; otherwise `None`.
fn single_clip(view: View<'_>, order: EulerOrder) -> Option<Clip> {
    let (clip, is_whole, warnings) = whole_clip(view, order)?;
    let ClipHeader { frame_rate, padding, frames, loop_from, loop_to, .. } = clip.header;
    let loops = [loop_from, loop_to].into_iter().all(|frame| frame.get() <= frames.get());
    let is_plausible = frame_rate != 0 && padding == 0 && loops && warnings.as_slice().is_empty();
    (is_whole && is_plausible).then_some(clip)
}

/// Reads such a file despite some damage: it must end with its channels, or have nothing odd inside them.
fn odd_clip(view: View<'_>, order: EulerOrder) -> Option<(Clip, Warnings)> {
    let (clip, is_whole, warnings) = whole_clip(view, order)?;
    (is_whole || warnings.as_slice().is_empty()).then_some((clip, warnings))
}

/// Reads the animation at the start, together with whether the file ends there and all warnings. `None` if this
/// animation moves nothing, because almost any bytes would pass for an empty animation.
fn whole_clip(view: View<'_>, order: EulerOrder) -> Option<(Clip, bool, Warnings)> {
    let mut warnings = Warnings::default();
    let (clip, end) = read_clip(view, 0, String::new(), order, &mut warnings).ok()?;
    // This allows less than 16 bytes of zero padding.
    let rest = view.slice(end, view.len().saturating_sub(end)).ok()?;
    let is_whole = rest.len() < PADDING_MAX && rest.iter().all(|&byte| byte == 0);
    (clip.channels > 0 && clip.header.frames.get() > 0).then_some((clip, is_whole, warnings))
}

/// Reads an animation, and returns its end offset with it.
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
                // Without its first channel there is nothing to show; afterwards this keeps the channels so far.
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

/// Reads the channel at the cursor; `None` if its range is not finite. `frames` is the animation's length, which
/// decides how numbers are stored.
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
    // Key counts and key frames take 8 bits if the frame count fits into 8 bits, else 16.
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
        // Every frame has a value, so the file stores no frame numbers.
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
            // This sort is stable, so the first key for a frame wins.
            keys.sort_by_key(|&(frame, _)| frame);
            keys.dedup_by_key(|(frame, _)| *frame);
        }
        Curve::Keys(keys)
    };
    Ok(is_finite.then_some(Channel { max, min, curve }))
}

impl Pam<'_> {
    /// Explains why the animations do not fit a model with `bones` bones: [`PamProblem::BoneCount`], or
    /// [`PamProblem::NoBones`] without a skeleton. `None` if they fit.
    pub(in crate::formats) fn misfit(&self, bones: Option<usize>) -> Option<FormatError> {
        let Some(bones) = bones else { return Some(self.view.error_of_whole(PamProblem::NoBones)) };
        let clip = self.clips.iter().find(|clip| usize::from(clip.header.bones) != bones)?;
        let moved = clip.header.bones.into();
        Some(self.view.error(clip.at.saturating_add(6), PamProblem::BoneCount { moved, bones }))
    }

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

    /// Lists uninterpreted fields for inspection.
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

    pub(in crate::formats) fn notes(&self) -> impl Iterator<Item = FileNote> {
        let message = format!("{} entries of the animation table are empty", self.empty);
        let empty = (self.empty > 0).then(|| FileNote::new(FileNoteKind::Unusual, message));
        self.warnings.notes().chain(empty)
    }

    /// Converts this file to an animation set, for use without a model.
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
