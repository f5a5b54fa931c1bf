//! Writes skeleton, skins and actions for a rigged model.
//!
//! Source: [skeleton](pspge::reference::formats::pmdl#skeleton),
//! [actions](pspge::reference::formats::pmdl#actions).

use super::{ByteWriter, DrawFormat, Encoding, Rig};

/// An animation for the bones.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) name: &'static str,
    /// In seconds.
    pub(crate) duration: f64,
    pub(crate) tracks: Vec<Track>,
}

/// A bone's curves: x, y and z, with w first for rotations.
#[derive(Debug, Default)]
pub(crate) struct Track {
    pub(crate) bone: usize,
    pub(crate) scale: Option<[Curve; 3]>,
    pub(crate) rotation: Option<[Curve; 4]>,
    pub(crate) location: Option<[Curve; 3]>,
}

/// Keys: time, value and slope.
pub(crate) type Curve = Vec<[f64; 3]>;

/// How far Bézier handles are from their key, in seconds.
const HANDLE: f64 = 0.2;

/// Writes the sections, and the bones' names to `names`.
pub(crate) fn write(rig: &Rig, encoding: Encoding, out: &mut ByteWriter, names: &mut ByteWriter) {
    let bones = rig.bones.iter().enumerate().map(|(number, bone)| {
        let mut entry = ByteWriter::new(encoding.big_endian);
        entry.u32(names.len());
        names.raw(bone.name.as_bytes());
        names.raw(&[0]);
        entry.vector(bone.head);
        entry.u32(bone.parent.unwrap_or(usize::MAX));
        let children: Vec<usize> =
            (0..rig.bones.len()).filter(|child| rig.bones[*child].parent == Some(number)).collect();
        entry.u32(children.len());
        children.into_iter().for_each(|child| entry.u32(child));
        entry
    });
    section(bones.collect(), out);
    if encoding.draw_format == DrawFormat::General {
        let skins = rig.skins.iter().map(|skin| {
            let mut entry = ByteWriter::new(encoding.big_endian);
            entry.u32(skin.len());
            skin.iter().for_each(|bone| entry.u32(usize::from(*bone)));
            entry
        });
        section(skins.collect(), out);
    }
    let actions: Vec<ByteWriter> = rig.actions.iter().map(|action| write_action(action, encoding)).collect();
    let length: usize = actions.iter().map(ByteWriter::len).sum();
    out.u32(actions.len());
    out.u32(8 + 4 * actions.len() + length);
    table(actions.iter().map(ByteWriter::len), out);
    actions.iter().for_each(|action| out.raw(&action.bytes));
    table(rig.actions.iter().map(|action| action.name.len() + 1), out);
    for action in &rig.actions {
        out.raw(action.name.as_bytes());
        out.raw(&[0]);
    }
}

/// Writes a section: length, count, offsets, entries.
fn section(entries: Vec<ByteWriter>, out: &mut ByteWriter) {
    let length: usize = entries.iter().map(ByteWriter::len).sum();
    out.u32(8 + 4 * entries.len() + length);
    out.u32(entries.len());
    table(entries.iter().map(ByteWriter::len), out);
    entries.iter().for_each(|entry| out.raw(&entry.bytes));
}

/// Writes offsets for consecutive entries with these lengths.
fn table(lengths: impl Iterator<Item = usize>, out: &mut ByteWriter) {
    let mut at = 0;
    for length in lengths {
        out.u32(at);
        at += length;
    }
}

fn write_action(action: &Action, encoding: Encoding) -> ByteWriter {
    let mut out = ByteWriter::new(encoding.big_endian);
    out.u32(action.tracks.len());
    out.f32(action.duration);
    for track in &action.tracks {
        let flag = |present: bool, bit: usize| usize::from(present) << bit;
        out.u32(
            track.bone
                | flag(track.scale.is_some(), 29)
                | flag(track.rotation.is_some(), 30)
                | flag(track.location.is_some(), 31),
        );
        let all = track.scale.iter().flatten();
        let all = all.chain(track.rotation.iter().flatten()).chain(track.location.iter().flatten());
        for curve in all {
            out.u32(curve.len());
            for &[time, value, slope] in curve {
                // A Bézier curve needs a handle on either side of every key, on the tangent.
                for step in [-HANDLE, 0.0, HANDLE] {
                    out.f32(time + step);
                    out.f32(value + step * slope);
                }
            }
        }
    }
    out
}
