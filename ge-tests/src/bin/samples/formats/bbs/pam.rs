//! Writes PAM animations.
//!
//! Source: [PAM animation](pspge::reference::formats::bbs#pam-animation).

use crate::bytes::{put_f32, put_u16, put_u32};
use crate::modelling::maths::round;

/// A channel's value over time.
pub(crate) enum Curve {
    Constant(f64),
    /// A value for every frame.
    Every(fn(f64) -> f64),
    /// Values at some frames.
    Keys(&'static [(u16, f64)]),
}

/// A bone's numbered channels: translation 0 to 2, rotation 3 to 5, scale 6 to 8.
pub(crate) type Channels = Vec<(usize, Curve)>;

pub(crate) struct Clip {
    pub(crate) name: &'static str,
    pub(crate) frames: u16,
    pub(crate) bones: Vec<Channels>,
}

/// Encodes the file. `None` becomes an empty entry.
pub(crate) fn write(clips: &[Option<Clip>]) -> Vec<u8> {
    let mut out = b"PAM\0".to_vec();
    put_u32(&mut out, clips.len());
    out.extend([0; 6]);
    put_u16(&mut out, 1);
    let mut data = Vec::new();
    for clip in clips {
        let at = 0x10 + 0x10 * clips.len() + data.len();
        put_u32(&mut out, if clip.is_some() { at } else { 0 });
        let end = out.len() + 12;
        out.extend(clip.as_ref().map_or("", |clip| clip.name).as_bytes());
        out.resize(end, 0);
        if let Some(clip) = clip {
            clip.write(&mut data);
        }
    }
    out.extend(data);
    out
}

impl Clip {
    fn write(&self, out: &mut Vec<u8>) {
        put_u16(out, 1);
        // Frames per second, and frames to blend in.
        out.extend([30, 8]);
        put_u16(out, usize::from(self.frames) - 1);
        out.extend([u8::try_from(self.bones.len()).unwrap_or(0), 0]);
        put_u16(out, self.frames.into());
        put_u16(out, 0);
        for channels in &self.bones {
            put_u16(out, channels.iter().map(|(bit, _)| 1 << bit).sum());
        }
        for (_, curve) in self.bones.iter().flatten() {
            self.write_curve(out, curve);
        }
    }

    fn write_curve(&self, out: &mut Vec<u8>, curve: &Curve) {
        let keys: Vec<(u16, f64)> = match curve {
            Curve::Constant(value) => vec![(0, *value)],
            Curve::Every(value) => (0..self.frames).map(|frame| (frame, value(frame.into()))).collect(),
            Curve::Keys(keys) => keys.to_vec(),
        };
        let extreme = |pick: fn(f64, f64) -> f64| keys.iter().map(|key| key.1).reduce(pick).unwrap_or(0.0);
        let (high, low) = (extreme(f64::max), extreme(f64::min));
        put_f32(out, high);
        put_f32(out, low);
        self.put_number(out, u16::try_from(keys.len()).unwrap_or(0));
        if keys.len() == 1 {
            return;
        }
        for (frame, value) in keys {
            if matches!(curve, Curve::Keys(_)) {
                self.put_number(out, frame);
            }
            let steps = round((value - low) / (high - low) * 65535.0);
            put_u16(out, usize::try_from(steps).unwrap_or(0));
        }
    }

    fn put_number(&self, out: &mut Vec<u8>, number: u16) {
        let [low, high] = number.to_le_bytes();
        out.push(low);
        if self.frames > 255 {
            out.push(high);
        }
    }
}
