//! Evaluates Monster Hunter animations independently, to check the library.
//!
//! This follows the [format reference](pspge::reference::formats::pmo#animation-packs) and shares no code with the
//! library. It also works in another way: it treats curves as Bézier curves, and keeps a pose as a rotation, a
//! position and a size instead of matrices. It panics on invalid files.

use crate::pmo_oracle::OracleDraw;

type Vector = [f64; 3];
/// Three rows.
type Rotation = [Vector; 3];

const UPRIGHT: Rotation = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A bone in the model.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    turn: Rotation,
    at: Vector,
    size: Vector,
}

/// Which bones to move by the tracks.
#[derive(Clone, Copy, Debug)]
pub enum Tracks {
    /// Bones in the same part as the stream, as in Freedom Unite.
    OfParts,
    /// Bones from this number on, as in Portable 3rd.
    From(usize),
}

/// Computes the bones for a frame in an action; at rest without a pack.
#[must_use]
pub fn joints(ahi: &[u8], pack: Option<(&[u8], Tracks)>, action: usize, frame: f64) -> Vec<Joint> {
    let bone_size = if word(ahi, 0) == 0xC000_0000 { 0x10C } else { 0x5C };
    let first = 0xC + word(ahi, 0x14);
    let bones: Vec<usize> = (0..word(ahi, 4) - 1).map(|bone| first + bone * bone_size + 0xC).collect();
    let float = |at: usize| f64::from(f32::from_bits(u32::try_from(word(ahi, at)).expect("a word")));
    // Scale, rotation, translation.
    let mut values: Vec<[Vector; 3]> = bones
        .iter()
        .map(|at| [0x10, 0x20, 0x30].map(|field| [0, 4, 8].map(|axis| float(at + field + axis))))
        .collect();
    if let Some((pack, tracks)) = pack {
        let parts = if let Tracks::From(_) = tracks { 1 } else { (word(pack, 4) / 8 - 1) / 2 };
        for part in 0..parts {
            let moved: Vec<usize> = match tracks {
                Tracks::OfParts => {
                    (0..bones.len()).filter(|bone| word(ahi, bones[*bone] + 0x44) == part).collect()
                }
                Tracks::From(first) => (first..bones.len()).collect(),
            };
            let stream = 2 * part + action / 100;
            let clip = word(pack, word(pack, 8 * stream + 4) + 4 * (action % 100));
            if clip != 0xFFFF_FFFF {
                apply(pack, clip, frame, &moved, &mut values);
            }
        }
    }
    let mut joints: Vec<Joint> = Vec::new();
    for (at, [scale, rotation, translation]) in bones.iter().zip(values) {
        let parent = word(ahi, at + 4);
        let above =
            joints.get(parent).copied().unwrap_or(Joint { turn: UPRIGHT, at: [0.0; 3], size: [1.0; 3] });
        let offset = turned(&above.turn, times(above.size, translation));
        joints.push(Joint {
            turn: product(&above.turn, &euler(rotation)),
            at: [0, 1, 2].map(|axis| above.at[axis] + offset[axis]),
            size: times(above.size, scale),
        });
    }
    joints
}

/// Moves a draw's vertices from rest to a pose.
#[must_use]
pub fn skinned(draw: &OracleDraw, rest: &[Joint], pose: &[Joint]) -> Vec<Vector> {
    let move_by = |bone: u8, point: Vector| {
        let (rest, pose) = (&rest[usize::from(bone)], &pose[usize::from(bone)]);
        let from_joint = [0, 1, 2].map(|axis| point[axis] - rest.at[axis]);
        // To invert a rotation, transpose it.
        let own: Vector = [0, 1, 2].map(|axis: usize| {
            (0..3).map(|row| rest.turn[row][axis] * from_joint[row]).sum::<f64>() / rest.size[axis]
        });
        let moved = turned(&pose.turn, times(pose.size, own));
        [0, 1, 2].map(|axis| pose.at[axis] + moved[axis])
    };
    let skin = |(position, weights): (&[f32; 3], &Vec<f32>)| {
        let mut sum = [0.0; 3];
        for (bone, weight) in draw.bones.iter().zip(weights) {
            let moved = move_by(*bone, position.map(f64::from));
            for (sum, value) in sum.iter_mut().zip(moved) {
                *sum += f64::from(*weight) * value;
            }
        }
        sum
    };
    draw.positions.iter().zip(&draw.weights).map(skin).collect()
}

/// Sets the values moved by a clip.
fn apply(pack: &[u8], clip: usize, frame: f64, moved: &[usize], values: &mut [[Vector; 3]]) {
    let unite = word(pack, clip) == 0x8000_0002;
    let header = if unite { clip + 4 } else { clip };
    let looping = [word(pack, header + 8), word(pack, header + 12)];
    let mut at = header + 16;
    let mut channels: Vec<(usize, usize, Vec<[f64; 4]>)> = Vec::new();
    for track in 0..word(pack, header) {
        let count = if unite { word(pack, at + 4) } else { half(pack, at) };
        at += if unite { 12 } else { 4 };
        for _ in 0..count {
            let bit = half(pack, at);
            let keys = if unite { word(pack, at + 4) } else { half(pack, at + 2) };
            at += if unite { 12 } else { 8 };
            let key = |key: usize| [0, 2, 4, 6].map(|field| signed(pack, at + 8 * key + field));
            channels.push((track, bit, (0..keys).map(key).collect()));
            at += 8 * keys;
        }
    }
    let last = channels.iter().filter_map(|(_, _, keys)| keys.last()).map(|key| key[1]).fold(0.0, f64::max);
    let mut time = frame;
    let start = f64::from(f32::from_bits(u32::try_from(looping[1]).expect("a word")));
    // A looping clip goes on from its start frame after its end.
    while looping[0] != 0 && time > last {
        time += start - last;
    }
    for (track, bit, keys) in channels {
        let (property, axis, unit) = match bit.trailing_zeros() as usize {
            bit @ 0..=2 => (0, bit, 1.0 / 16.0),
            bit @ 3..=5 => (1, bit - 3, std::f64::consts::PI / 8192.0),
            bit @ 6..=8 => (2, bit - 6, 1.0 / 16.0),
            bit => (0, bit - 9, 1.0 / 256.0),
        };
        values[moved[track]][property][axis] = curve(&keys, time) * unit;
    }
}

/// Evaluates keys, each with value, frame, slope before and slope after.
fn curve(keys: &[[f64; 4]], time: f64) -> f64 {
    if let [first, ..] = keys
        && time <= first[1]
    {
        return first[0];
    }
    for pair in keys.windows(2) {
        let ([from, start, _, leaving], [to, end, arriving, _]) = (pair[0], pair[1]);
        if time <= end {
            // A cubic curve's inner points are on the tangents, a third of the time away from the keys.
            let third = (end - start) / 3.0;
            let mut points = [from, from + leaving * third, to - arriving * third, to];
            let part = (time - start) / (end - start);
            // De Casteljau's algorithm finds the curve's point by interpolation alone.
            for length in (1..4).rev() {
                for point in 0..length {
                    points[point] += (points[point + 1] - points[point]) * part;
                }
            }
            return points[0];
        }
    }
    keys.last().expect("a key")[0]
}

/// Computes a rotation around x, then y, then z.
fn euler([x, y, z]: Vector) -> Rotation {
    let about = |angle: f64, one: usize, other: usize| {
        let mut turn = UPRIGHT;
        turn[one][one] = libm::cos(angle);
        turn[other][other] = libm::cos(angle);
        turn[one][other] = -libm::sin(angle);
        turn[other][one] = libm::sin(angle);
        turn
    };
    product(&about(z, 0, 1), &product(&about(y, 2, 0), &about(x, 1, 2)))
}

/// Combines rotations, to rotate by `second`, then by `first`.
fn product(first: &Rotation, second: &Rotation) -> Rotation {
    first.map(|row| [0, 1, 2].map(|column| (0..3).map(|inner| row[inner] * second[inner][column]).sum()))
}

fn turned(turn: &Rotation, point: Vector) -> Vector {
    turn.map(|row| (0..3).map(|axis| row[axis] * point[axis]).sum())
}

fn times(one: Vector, other: Vector) -> Vector {
    [0, 1, 2].map(|axis| one[axis] * other[axis])
}

fn half(data: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([data[at], data[at + 1]]))
}

fn signed(data: &[u8], at: usize) -> f64 {
    f64::from(i16::from_le_bytes([data[at], data[at + 1]]))
}

fn word(data: &[u8], at: usize) -> usize {
    half(data, at) | half(data, at + 2) << 16
}
