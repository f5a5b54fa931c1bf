//! Decodes Birth by Sleep models, maps and animations independently, to check the library's decoder.
//!
//! This follows the [format reference](pspge::reference::formats::bbs) and shares no code with the library, so that
//! both are unlikely to make the same mistake. To keep it easy to check, it uses plain offsets and double arithmetic,
//! and panics on invalid files.

/// A matrix as rows: `m[row][column]`, applied to column vectors.
pub type Matrix = [[f64; 4]; 4];

/// The identity matrix.
pub const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// A primitive from a section.
#[derive(Clone, Debug, PartialEq)]
pub struct OracleDraw {
    /// The section's number in its model, in file order.
    pub section: usize,
    /// The number by which the model's table lists this section's texture.
    pub texture: Option<usize>,
    /// Weights per vertex.
    pub weights: usize,
    /// The section's bones.
    pub bones: [u8; 8],
    /// Attribute bits.
    pub attribute: u16,
    /// Positions in the model's or map's space.
    pub positions: Vec<[f64; 3]>,
    /// Texture coordinates; empty if the vertices have none.
    pub uvs: Vec<[f64; 2]>,
    /// Red, green, blue, alpha per vertex; empty if the vertices have none.
    pub colors: Vec<[u8; 4]>,
    /// A colour for all vertices, if this section has a uniform colour.
    pub uniform: Option<[u8; 4]>,
    /// Vertex numbers; every other triangle of a strip is reversed.
    pub triangles: Vec<[usize; 3]>,
}

/// A bone in a model.
#[derive(Clone, Debug, PartialEq)]
pub struct OracleBone {
    /// The parent bone.
    pub parent: Option<usize>,
    /// Rest matrix, relative to the parent.
    pub local: Matrix,
    /// Matrix from model space to bone space.
    pub inverse_bind: Matrix,
}

/// Decodes a model at `base` in a file, to compare its draws. Bones are at `pose` (matrices relative to the parents)
/// or at rest.
#[must_use]
pub fn model(file: &[u8], base: usize, pose: Option<&[Matrix]>) -> Vec<OracleDraw> {
    let bones = skeleton(file, base);
    let locals: Vec<Matrix> = match pose {
        Some(pose) => pose.to_vec(),
        None => bones.iter().map(|bone| bone.local).collect(),
    };
    let mut world: Vec<Matrix> = Vec::new();
    for (bone, local) in bones.iter().zip(&locals) {
        // A parent comes before its bones, so its matrix is known already.
        world.push(bone.parent.map_or(*local, |parent| multiply(&world[parent], local)));
    }
    let skin: Vec<Matrix> =
        bones.iter().zip(&world).map(|(bone, world)| multiply(world, &bone.inverse_bind)).collect();
    let mut draws = Vec::new();
    let mut number = 0;
    for list in [u32_at(file, base + 0x10), u32_at(file, base + 0x1C)] {
        if list == 0 {
            continue;
        }
        let mut at = base + list;
        while u16_at(file, at) != 0 {
            at = section(file, base, at, number, &skin, &mut draws);
            number += 1;
        }
    }
    draws
}

/// Decodes a map's draws: first those in the first mesh list of every instance, and then those in the second
/// lists.
#[must_use]
pub fn map(file: &[u8]) -> Vec<OracleDraw> {
    let mut draws = Vec::new();
    for pass in 0..2 {
        for instance in 0..u16_at(file, 0x10) {
            let at = 0x20 + instance * 0x30;
            let float = |i: usize| f32_at(file, at + i * 4);
            let base = u32_at(file, at + 0x24);
            if base == 0 {
                continue;
            }
            let scale = [6, 7, 8].map(float);
            let mut matrix = euler([3, 4, 5].map(float));
            for row in &mut matrix {
                for (element, scale) in row.iter_mut().zip(scale) {
                    *element *= scale;
                }
            }
            for (row, i) in matrix.iter_mut().zip(0..3) {
                row[3] = float(i);
            }
            let mirrored = scale.iter().filter(|scale| **scale < 0.0).count() % 2 == 1;
            let first_sections = sections_of_first_list(file, base);
            for mut draw in model(file, base, None) {
                if (draw.section >= first_sections) != (pass == 1) {
                    continue;
                }
                draw.positions.iter_mut().for_each(|position| *position = transform(&matrix, *position));
                // A mirror image turns triangles inside out. To turn them back, swap two corners of each.
                if mirrored {
                    draw.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
                }
                draws.push(draw);
            }
        }
    }
    draws
}

/// Counts sections with strip lengths in the model at `base`, and those with an odd number of strips, because a 0
/// pads their list to an even number.
///
/// # Panics
/// If a list has an odd number of lengths, or a length of 0 before its end.
#[must_use]
pub fn strip_lists(file: &[u8], base: usize) -> [usize; 2] {
    let skin = vec![IDENTITY; skeleton(file, base).len()];
    let mut counts = [0; 2];
    for list in [u32_at(file, base + 0x10), u32_at(file, base + 0x1C)].into_iter().filter(|list| *list != 0) {
        let mut at = base + list;
        while u16_at(file, at) != 0 {
            let strips = usize::from(file[at + 9]);
            let bones = if skin.is_empty() { 0 } else { 8 };
            let color = u32_at(file, at + 4) >> 24 & 1;
            let start = at + 12 + bones + color * 4;
            let lengths: Vec<usize> = (0..strips).map(|strip| u16_at(file, start + strip * 2)).collect();
            assert_eq!(strips % 2, 0, "an even number of lengths at {at:#x}");
            let padding = lengths.iter().position(|length| *length == 0);
            assert!(padding.is_none_or(|padding| padding + 1 == strips), "padding at {at:#x}");
            counts[0] += usize::from(strips > 0);
            counts[1] += usize::from(padding.is_some());
            at = section(file, base, at, 0, &skin, &mut Vec::new());
        }
    }
    counts
}

/// Reads the bones for a model at `base`; empty if it is rigid.
#[must_use]
pub fn skeleton(file: &[u8], base: usize) -> Vec<OracleBone> {
    let offset = u32_at(file, base + 0x0C);
    if offset == 0 {
        return Vec::new();
    }
    let start = base + offset;
    (0..u16_at(file, start + 8))
        .map(|bone| {
            let at = start + 0x10 + bone * 0xA0;
            let parent = u16_at(file, at + 4);
            OracleBone {
                parent: (parent != 0xFFFF).then_some(parent),
                local: matrix_at(file, at + 0x20),
                inverse_bind: matrix_at(file, at + 0x60),
            }
        })
        .collect()
}

/// Computes the rotation around x, then y, then z, in this order.
#[must_use]
pub fn euler([x, y, z]: [f64; 3]) -> Matrix {
    let (sx, cx) = (libm::sin(x), libm::cos(x));
    let (sy, cy) = (libm::sin(y), libm::cos(y));
    let (sz, cz) = (libm::sin(z), libm::cos(z));
    let mut m = IDENTITY;
    m[0][..3].copy_from_slice(&[cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz]);
    m[1][..3].copy_from_slice(&[cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz]);
    m[2][..3].copy_from_slice(&[-sy, sx * cy, cx * cy]);
    m
}

/// Evaluates the nine channel values for each bone at `frame`; `None` for absent channels.
#[must_use]
pub fn pam_values(file: &[u8], animation: usize, frame: f64) -> Vec<[Option<f64>; 9]> {
    clip_values(file, u32_at(file, 0x10 + animation * 0x10), frame)
}

/// Does the same as [`pam_values`] for an animation at an offset.
#[must_use]
pub fn clip_values(file: &[u8], mut at: usize, frame: f64) -> Vec<[Option<f64>; 9]> {
    let (bones, frames) = (usize::from(file[at + 6]), u16_at(file, at + 8));
    let wide = frames > 255;
    let flags: Vec<usize> = (0..bones).map(|bone| u16_at(file, at + 12 + bone * 2)).collect();
    at += 12 + bones * 2;
    let mut all = Vec::new();
    for flags in flags {
        let mut values = [None; 9];
        for (bit, value) in values.iter_mut().enumerate() {
            if flags >> bit & 1 == 0 {
                continue;
            }
            let (high, low) = (f32_at(file, at), f32_at(file, at + 4));
            let count = if wide { u16_at(file, at + 8) } else { usize::from(file[at + 8]) };
            at += if wide { 10 } else { 9 };
            let mut keys: Vec<(f64, f64)> = Vec::new();
            // A constant channel has no keys: the upper end of its range is the value.
            for key in 0..if count == 1 { 0 } else { count } {
                let mut own = key;
                // Keys for all frames need no frame numbers, so the file leaves these out.
                if count != frames {
                    own = if wide { u16_at(file, at) } else { usize::from(file[at]) };
                    at += if wide { 2 } else { 1 };
                }
                keys.push((own as f64, low + (high - low) * u16_at(file, at) as f64 / 65535.0));
                at += 2;
            }
            *value = Some(interpolate(&keys, frame).unwrap_or(high));
        }
        all.push(values);
    }
    all
}

fn interpolate(keys: &[(f64, f64)], frame: f64) -> Option<f64> {
    let &(first, value) = keys.first()?;
    if frame <= first {
        return Some(value);
    }
    for pair in keys.windows(2) {
        let ((a, from), (b, to)) = (pair[0], pair[1]);
        if frame <= b {
            return Some(from + (to - from) * (frame - a) / (b - a));
        }
    }
    keys.last().map(|key| key.1)
}

fn sections_of_first_list(file: &[u8], base: usize) -> usize {
    let list = u32_at(file, base + 0x10);
    if list == 0 {
        return 0;
    }
    let (mut at, mut count) = (base + list, 0);
    while u16_at(file, at) != 0 {
        let skin = vec![IDENTITY; skeleton(file, base).len()];
        at = section(file, base, at, 0, &skin, &mut Vec::new());
        count += 1;
    }
    count
}

/// Reads a section, and returns the offset to read the next section from.
fn section(
    file: &[u8],
    base: usize,
    start: usize,
    number: usize,
    skin: &[Matrix],
    draws: &mut Vec<OracleDraw>,
) -> usize {
    let vertices = u16_at(file, start);
    let size = usize::from(file[start + 3]);
    let flags = u32_at(file, start + 4);
    let strips = usize::from(file[start + 9]);
    let mut at = start + 12;
    let mut bones = [0xFF; 8];
    if u32_at(file, base + 0x0C) != 0 {
        bones.copy_from_slice(&file[at..at + 8]);
        at += 8;
    }
    let mut uniform = None;
    if flags >> 24 & 1 == 1 {
        uniform = Some([file[at], file[at + 1], file[at + 2], file[at + 3]]);
        at += 4;
    }
    let mut lengths: Vec<usize> = (0..strips).map(|strip| u16_at(file, at + strip * 2)).collect();
    at += strips * 2;
    if lengths.last() == Some(&0) {
        // This 0 only pads the list to an even number.
        lengths.pop();
    }
    if lengths.is_empty() {
        lengths.push(vertices);
    }
    let scale = f32_at(file, base + 0x18);
    let mut first = at;
    for length in lengths {
        let mut draw = OracleDraw {
            section: number,
            texture: (file[start + 2] != 0xFF).then_some(file[start + 2].into()),
            weights: if flags >> 9 & 3 == 0 { 0 } else { (flags >> 14 & 7) + 1 },
            bones,
            attribute: u16::from_le_bytes([file[start + 10], file[start + 11]]),
            positions: Vec::new(),
            uvs: Vec::new(),
            colors: Vec::new(),
            uniform,
            triangles: triangles(flags >> 28, length),
        };
        for vertex in 0..length {
            read_vertex(file, first + vertex * size, flags, scale, skin, &mut draw);
        }
        draws.push(draw);
        first += length * size;
    }
    // The alignment counts from the model's start, which is aligned itself.
    base + (at + vertices * size - base).next_multiple_of(4)
}

fn read_vertex(file: &[u8], at: usize, flags: usize, scale: f64, skin: &[Matrix], draw: &mut OracleDraw) {
    let widths = [0, 1, 2, 4];
    let [uv, normal, position, weight] = [0, 5, 7, 9].map(|bit| widths[flags >> bit & 3]);
    let color = [0, 0, 0, 0, 2, 2, 2, 4][flags >> 2 & 7];
    let mut end = weight * draw.weights;
    let mut place = |width: usize, elements: usize| {
        if width == 0 {
            return 0;
        }
        // A component is aligned to its own width.
        let start = end.div_ceil(width) * width;
        end = start + width * elements;
        at + start
    };
    let [uv_at, color_at, _, position_at] =
        [(uv, 2), (color, 1), (normal, 3), (position, 3)].map(|(width, n)| place(width, n));
    if uv > 0 {
        draw.uvs.push([0, 1].map(|i| unsigned(file, uv_at + i * uv, uv)));
    }
    if color > 0 {
        draw.colors.push(color_of(file, color_at, flags >> 2 & 7));
    }
    let point = [0, 1, 2].map(|i| signed(file, position_at + i * position, position) * scale);
    let mut moved = [0.0; 3];
    // A rigid section has no weights, so all of it follows its only bone.
    if draw.weights == 0 {
        moved = skin.get(usize::from(draw.bones[0])).map_or(point, |bone| transform(bone, point));
    }
    for slot in 0..draw.weights {
        let share = unsigned(file, at + slot * weight, weight);
        let part = transform(&skin[usize::from(draw.bones[slot])], point);
        moved.iter_mut().zip(part).for_each(|(sum, part)| *sum += share * part);
    }
    draw.positions.push(moved);
}

fn triangles(kind: usize, length: usize) -> Vec<[usize; 3]> {
    match kind {
        3 => (0..length / 3).map(|i| [i * 3, i * 3 + 1, i * 3 + 2]).collect(),
        4 => (2..length).map(|i| if i % 2 == 0 { [i - 2, i - 1, i] } else { [i - 1, i - 2, i] }).collect(),
        5 => (2..length).map(|i| [0, i - 1, i]).collect(),
        other => panic!("primitive {other} does not occur"),
    }
}

/// Multiplies matrices: the product applies `second` first, then `first`.
#[must_use]
pub fn multiply(first: &Matrix, second: &Matrix) -> Matrix {
    let mut out = [[0.0; 4]; 4];
    for (row, out) in first.iter().zip(&mut out) {
        for (column, element) in out.iter_mut().enumerate() {
            *element = (0..4).map(|i| row[i] * second[i][column]).sum();
        }
    }
    out
}

/// Transforms a point.
#[must_use]
pub fn transform(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row| matrix[row][0] * x + matrix[row][1] * y + matrix[row][2] * z + matrix[row][3])
}

/// Reads sixteen floats: three axes and a translation, each with an unused fourth element.
fn matrix_at(file: &[u8], at: usize) -> Matrix {
    let mut out = IDENTITY;
    for column in 0..4 {
        for (row, values) in out.iter_mut().enumerate().take(3) {
            values[column] = f32_at(file, at + column * 16 + row * 4);
        }
    }
    out
}

fn signed(file: &[u8], at: usize, width: usize) -> f64 {
    match width {
        1 => f64::from(file[at].cast_signed()) / 128.0,
        2 => f64::from(i16::from_le_bytes([file[at], file[at + 1]])) / 32768.0,
        _ => f32_at(file, at),
    }
}

fn unsigned(file: &[u8], at: usize, width: usize) -> f64 {
    match width {
        1 => f64::from(file[at]) / 128.0,
        2 => u16_at(file, at) as f64 / 32768.0,
        _ => f32_at(file, at),
    }
}

fn color_of(file: &[u8], at: usize, format: usize) -> [u8; 4] {
    if format == 7 {
        return [file[at], file[at + 1], file[at + 2], file[at + 3]];
    }
    let bits = u16_at(file, at);
    let field = |low: usize, width: usize| {
        let value = bits >> low & ((1 << width) - 1);
        let spread = match width {
            1 => value * 255,
            4 => value * 17,
            _ => value << (8 - width) | value >> (2 * width - 8),
        };
        spread.to_le_bytes()[0]
    };
    match format {
        4 => [field(0, 5), field(5, 6), field(11, 5), 255],
        5 => [field(0, 5), field(5, 5), field(10, 5), field(15, 1)],
        _ => [field(0, 4), field(4, 4), field(8, 4), field(12, 4)],
    }
}

fn u16_at(file: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([file[at], file[at + 1]]))
}

fn u32_at(file: &[u8], at: usize) -> usize {
    u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]) as usize
}

fn f32_at(file: &[u8], at: usize) -> f64 {
    f32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]).into()
}
