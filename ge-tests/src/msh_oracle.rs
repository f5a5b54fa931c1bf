//! Decodes Parkan's models independently, to check the library's decoder.
//!
//! This follows the [format reference](pspge::reference::formats::parkan) and shares no code with the library, so
//! that both are unlikely to make the same mistake. To keep it easy to check, it uses plain offsets and double
//! arithmetic, and panics on invalid files.

/// A batch as a node draws it, in model space.
#[derive(Clone, Debug, PartialEq)]
pub struct OracleBatch {
    /// Node number.
    pub node: usize,
    /// Slot number.
    pub slot: usize,
    /// Batch number in the file.
    pub batch: usize,
    /// Material number.
    pub material: usize,
    /// For each index in order: the position, transformed by the node.
    pub positions: Vec<[f64; 3]>,
    /// For each index in order: texture coordinates, i16/1024.
    pub texcoords: Vec<[f64; 2]>,
    /// For each index in order: the normal, s8/128, not transformed.
    pub normals: Vec<[f64; 3]>,
    /// For each index in order: four bytes from stream type 18; empty if this file lacks the stream.
    pub colors: Vec<[u8; 4]>,
}

/// Time and variant to read a model with.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Time in frames; `None` for the fallback poses.
    pub time: Option<f64>,
    /// Level of detail.
    pub level: usize,
    /// Group.
    pub group: usize,
    /// Whether to use a quaternion's standard rotation matrix, instead of the game's own.
    pub standard_rotation: bool,
}

/// A rotation in rows, and a translation.
type Matrix = ([[f64; 3]; 3], [f64; 3]);

/// Decodes every batch drawn by a node.
#[must_use]
pub fn read(file: &[u8], options: ReadOptions) -> Vec<OracleBatch> {
    let stream = |stream_type| find(file, stream_type).map(|(data, _)| data);
    let required =
        |stream_type| stream(stream_type).unwrap_or_else(|| panic!("type {stream_type} is missing"));
    let (nodes, slots, batches) = (required(1), required(2), required(13));
    let (positions, indices) = (required(3), required(6));
    let world = world_matrices(file, options);
    let mut out = Vec::new();
    for (node, world) in world.iter().enumerate() {
        let slot = u16_at(nodes, node * 38 + 8 + (options.level * 5 + options.group) * 2);
        if slot == 0xFFFF {
            continue;
        }
        let at = 0x8C + slot * 68;
        for batch in u16_at(slots, at + 4)..u16_at(slots, at + 4) + u16_at(slots, at + 6) {
            let at = batch * 20;
            let (count, first) = (u16_at(batches, at + 8), u32_at(batches, at + 10));
            let vertices: Vec<usize> = (first..first + count)
                .map(|place| u32_at(batches, at + 16) + u16_at(indices, place * 2))
                .collect();
            let each = |read: &dyn Fn(usize) -> [f64; 3]| vertices.iter().map(|&v| read(v)).collect();
            out.push(OracleBatch {
                node,
                slot,
                batch,
                material: u16_at(batches, at + 2),
                positions: each(&|v| apply(world, [0, 4, 8].map(|i| f32_at(positions, v * 12 + i)))),
                texcoords: stream(5).map_or(Vec::new(), |data| {
                    let part = |v: usize, i: usize| f64::from(i16_at(data, v * 4 + i)) / 1024.0;
                    vertices.iter().map(|&v| [part(v, 0), part(v, 2)]).collect()
                }),
                normals: stream(4).map_or(Vec::new(), |data| {
                    each(&|v| [0, 1, 2].map(|i| f64::from(data[v * 4 + i].cast_signed()) / 128.0))
                }),
                colors: stream(18).map_or(Vec::new(), |data| {
                    vertices.iter().map(|&v| [0, 1, 2, 3].map(|i| data[v * 4 + i])).collect()
                }),
            });
        }
    }
    out
}

/// Computes every node's matrix in model space.
#[must_use]
pub fn world_matrices(file: &[u8], options: ReadOptions) -> Vec<Matrix> {
    let (nodes, _) = find(file, 1).expect("nodes");
    let (keys, _) = find(file, 8).expect("keys");
    let (map, frames) = find(file, 19).expect("a frame map");
    let key = |number: usize| {
        let at = number * 24;
        let quaternion = [16, 18, 20, 22].map(|i| f64::from(i16_at(keys, at + i)) / 32767.0);
        ([0, 4, 8].map(|i| f32_at(keys, at + i)), f32_at(keys, at + 12), quaternion)
    };
    let mut world_matrices: Vec<Matrix> = Vec::new();
    for at in (0..nodes.len()).step_by(38) {
        let (start, fallback) = (u16_at(nodes, at + 4), u16_at(nodes, at + 6));
        let frame = options.time.map(frame_of).filter(|&frame| frame >= 0);
        let frame = frame.and_then(|frame| usize::try_from(frame).ok()).filter(|&frame| frame < frames);
        let mapped = frame.filter(|_| start != 0xFFFF).map(|frame| u16_at(map, (start + frame) * 2));
        // The fallback is the last key, so there is no key after it to interpolate to.
        let (position, quaternion) = match (mapped.filter(|&number| number < fallback), options.time) {
            (Some(number), Some(time)) => {
                let ((p0, t0, q0), (p1, t1, q1)) = (key(number), key(number + 1));
                if time == t0 {
                    (p0, q0)
                } else if time == t1 {
                    (p1, q1)
                } else {
                    let alpha = (time - t0) / (t1 - t0);
                    ([0, 1, 2].map(|i| p0[i] + (p1[i] - p0[i]) * alpha), slerp(q0, q1, alpha))
                }
            }
            _ => {
                let (position, _, quaternion) = key(fallback);
                (position, quaternion)
            }
        };
        let local = (rows(quaternion, options.standard_rotation), position);
        let parent = u16_at(nodes, at + 2);
        world_matrices.push(if parent == 0xFFFF { local } else { multiply(&world_matrices[parent], &local) });
    }
    world_matrices
}

/// Rounds time - 0.5 to the nearest integer, ties to even.
#[expect(clippy::cast_possible_truncation, reason = "test times are small")]
fn frame_of(time: f64) -> i64 {
    let (down, part) = ((time - 0.5).floor(), (time - 0.5) - (time - 0.5).floor());
    let down = down as i64;
    if part > 0.5 || part == 0.5 && down % 2 != 0 { down + 1 } else { down }
}

/// Interpolates quaternions given as x, y, z, w.
#[expect(clippy::disallowed_methods, reason = "compared within a tolerance")]
fn slerp(from: [f64; 4], to: [f64; 4], alpha: f64) -> [f64; 4] {
    let dot: f64 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    // A quaternion and its opposite are the same rotation. To go the shorter way, this takes the nearer of the two.
    let (dot, to) = if dot < 0.0 { (-dot, to.map(|part| -part)) } else { (dot, to) };
    // For a tiny angle, dividing by its sine would be inexact, and a straight line is as good.
    let (w0, w1) = if 1.0 - dot <= 1e-5 {
        (1.0 - alpha, alpha)
    } else {
        let theta = dot.acos();
        let w1 = (alpha * theta).sin() / theta.sin();
        ((alpha * theta).cos() - w1 * dot, w1)
    };
    [0, 1, 2, 3].map(|i| w0 * from[i] + w1 * to[i])
}

/// Returns the rows for the document's rotation matrix, or for its transpose, which is the standard matrix.
fn rows([x, y, z, w]: [f64; 4], standard: bool) -> [[f64; 3]; 3] {
    let rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    if standard { [0, 1, 2].map(|i| [0, 1, 2].map(|j| rows[j][i])) } else { rows }
}

fn apply((rows, translation): &Matrix, point: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| (0..3).map(|j| rows[i][j] * point[j]).sum::<f64>() + translation[i])
}

fn multiply(outer: &Matrix, inner: &Matrix) -> Matrix {
    let cell = |i: usize, j: usize| (0..3).map(|k| outer.0[i][k] * inner.0[k][j]).sum::<f64>();
    ([0, 1, 2].map(|i| [0, 1, 2].map(|j| cell(i, j))), apply(outer, inner.1))
}

/// Finds a stream by type, and returns its bytes and its second attribute.
fn find(file: &[u8], stream_type: usize) -> Option<(&[u8], usize)> {
    let count = u32_at(file, 8);
    let directory = u32_at(file, 12) - 64 * count;
    let entry = (0..count).map(|i| directory + 64 * i).find(|&at| u32_at(file, at) == stream_type)?;
    let start = u32_at(file, entry + 56);
    Some((&file[start..start + u32_at(file, entry + 12)], u32_at(file, entry + 8)))
}

fn u16_at(data: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([data[at], data[at + 1]]))
}

fn i16_at(data: &[u8], at: usize) -> i16 {
    i16::from_le_bytes([data[at], data[at + 1]])
}

fn u32_at(data: &[u8], at: usize) -> usize {
    u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]) as usize
}

fn f32_at(data: &[u8], at: usize) -> f64 {
    f64::from(f32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]))
}
