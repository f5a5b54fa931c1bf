//! Writes animation packs for both games.
//!
//! Source: [animation packs](pspge::reference::formats::pmo#animation-packs).

use super::Version;
use crate::bytes::{put_f32, put_u16, put_u32};

/// How many slots a stream has.
const SLOTS: usize = 100;

/// A key: frame, value, and the slope before and after it, in the channel's steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) frame: i16,
    pub(crate) value: i16,
    pub(crate) slope: i16,
}

/// The curve for a component of a bone.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    /// The bit that tells which component this is.
    pub(crate) bit: usize,
    pub(crate) keys: Vec<Key>,
}

/// A clip: a track for each bone in a part.
#[derive(Clone, Debug)]
pub(crate) struct Clip {
    pub(crate) tracks: Vec<Vec<Channel>>,
    /// The frame from which the clip repeats; `None` if it stops.
    pub(crate) loop_start: Option<f64>,
}

/// Encodes a pack. Each stream lists slots and the clips in them, by number.
pub(crate) fn pack(streams: &[&[(usize, usize)]], clips: &[Clip], version: Version) -> Vec<u8> {
    let header = 8 * (streams.len() + 1);
    let end = header + 4 * SLOTS * streams.len();
    let bodies: Vec<Vec<u8>> = clips.iter().map(|clip| clip_section(clip, version)).collect();
    let offset = |clip: usize| end + bodies[..clip].iter().map(Vec::len).sum::<usize>();
    let mut file = Vec::new();
    for stream in 0..streams.len() {
        put_u32(&mut file, SLOTS);
        put_u32(&mut file, header + 4 * SLOTS * stream);
    }
    put_u32(&mut file, 0);
    put_u32(&mut file, end);
    for stream in streams {
        for slot in 0..SLOTS {
            let clip = stream.iter().find(|(filled, _)| *filled == slot).map(|(_, clip)| *clip);
            put_u32(&mut file, clip.map_or(0xFFFF_FFFF, offset));
        }
    }
    file.extend(bodies.into_iter().flatten());
    file
}

fn clip_section(clip: &Clip, version: Version) -> Vec<u8> {
    let tracks: Vec<u8> = clip.tracks.iter().flat_map(|track| track_section(track, version)).collect();
    let mut out = Vec::new();
    match version {
        Version::Unite => {
            for value in [0x8000_0002, clip.tracks.len(), 0x14 + tracks.len()] {
                put_u32(&mut out, value);
            }
        }
        Version::Portable3rd => {
            put_u32(&mut out, clip.tracks.len());
            put_u32(&mut out, 0x10 + tracks.len());
        }
    }
    put_u32(&mut out, usize::from(clip.loop_start.is_some()));
    put_f32(&mut out, clip.loop_start.unwrap_or(0.0));
    out.extend(tracks);
    out
}

fn track_section(track: &[Channel], version: Version) -> Vec<u8> {
    let channels: Vec<u8> = track.iter().flat_map(|channel| channel_section(channel, version)).collect();
    let mut out = Vec::new();
    match version {
        Version::Unite => {
            let mask = track.iter().fold(0, |mask, channel| mask | channel.bit);
            for value in [0x8000_0000 | mask, track.len(), 0xC + channels.len()] {
                put_u32(&mut out, value);
            }
        }
        Version::Portable3rd => {
            put_u16(&mut out, track.len());
            put_u16(&mut out, 4 + channels.len());
        }
    }
    out.extend(channels);
    out
}

fn channel_section(channel: &Channel, version: Version) -> Vec<u8> {
    let bytes = 8 * channel.keys.len();
    let mut out = Vec::new();
    match version {
        Version::Unite => {
            for value in [0x8012_0000 | channel.bit, channel.keys.len(), 0xC + bytes] {
                put_u32(&mut out, value);
            }
        }
        Version::Portable3rd => {
            put_u16(&mut out, channel.bit);
            put_u16(&mut out, channel.keys.len());
            put_u32(&mut out, 8 + bytes);
        }
    }
    for key in &channel.keys {
        out.extend([key.value, key.frame, key.slope, key.slope].map(i16::to_le_bytes).concat());
    }
    out
}
