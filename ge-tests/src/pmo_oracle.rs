//! Decodes Monster Hunter models independently, to check the library's decoder.
//!
//! This follows the [format reference](pspge::reference::formats::pmo) and shares no code with the library, so that
//! both are unlikely to make the same mistake. To keep it easy to check, it uses plain offsets and plain arithmetic,
//! and panics on invalid files.

/// The vertices and triangles for a PRIM, in model space at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct OracleDraw {
    /// The PRIM word's offset in the file with the mesh data.
    pub file_offset_of_prim: u64,
    /// Mesh number.
    pub mesh: usize,
    /// Group number in the whole file.
    pub group: usize,
    /// Material number, after the remap.
    pub material: usize,
    /// The material's texture number.
    pub texture: Option<usize>,
    /// With indices: all vertices from the vertex address up to this draw's largest index. Without: this draw's
    /// vertices. For example s16/32768, times the scale.
    pub positions: Vec<[f32; 3]>,
    /// For example u16/32768, times the mesh's scale, plus its offset. Empty if the vertices have none.
    pub uvs: Vec<[f32; 2]>,
    /// For example s8/128, not transformed. Empty if the vertices have none.
    pub normals: Vec<[f32; 3]>,
    /// Red, green, blue, alpha. Empty if the vertices have none.
    pub colors: Vec<[u8; 4]>,
    /// For example u8/128, a value for each weight. Empty if the vertices have none.
    pub weights: Vec<Vec<f32>>,
    /// The scale applied to positions.
    pub scale: [f32; 3],
    /// The skeleton's bone for each weight, from the palette, which persists between groups.
    pub bones: Vec<u8>,
    /// Vertex indices. To turn triangles the right way, two corners are swapped for odd triangles in strips and for
    /// reversed face order.
    pub triangles: Vec<[usize; 3]>,
}

impl OracleDraw {
    /// Lists the positions used by triangles.
    pub fn used_positions(&self) -> impl Iterator<Item = [f32; 3]> + '_ {
        self.triangles.iter().flatten().map(|&corner| self.positions[corner])
    }
}

/// Decodes all draws in a model with its mesh data in this file or in `second`.
#[must_use]
pub fn read(file: &[u8], second: Option<&[u8]>) -> Vec<OracleDraw> {
    let newer = &file[4..7] == b"102";
    let (data, data_base) = match second {
        Some(second) => (second, 0),
        None => (&file[u32_at(file, 0x34)..], u32_at(file, 0x34)),
    };
    let stride = if newer { 0x30 } else { 0x18 };
    let mut palette = [0u8; 8];
    let mut draws = Vec::new();
    for mesh in 0..u16_at(file, 0x1C) {
        let header = u32_at(file, 0x20) + mesh * stride;
        let (scale_at, uv_at, counts) =
            if newer { (header, header + 0x10, header + 0x28) } else { (0x10, header, header + 0x10) };
        let scale = [0, 4, 8].map(|i| f32_at(file, scale_at + i));
        let uv_scale = [0, 4].map(|i| f32_at(file, uv_at + i));
        let uv_offset = if newer { [8, 12].map(|i| f32_at(file, uv_at + i)) } else { [0.0; 2] };
        let first_material = u16_at(file, counts + 2);
        let first_group = u16_at(file, counts + 6);
        for group in first_group..first_group + u16_at(file, counts + 4) {
            let at = u32_at(file, 0x24) + group * 0x10;
            let slot = first_material + usize::from(file[at]);
            let remap = u32_at(file, 0x28);
            let material = if remap == 0 { slot } else { usize::from(file[remap + slot]) };
            let texture = u32_at(file, u32_at(file, 0x30) + material * 0x10 + 8);
            // A group sets only some slots, and the rest keep the bones from earlier groups.
            for entry in 0..usize::from(file[at + 1]) {
                let pair = u32_at(file, 0x2C) + (u16_at(file, at + 2) + entry) * 2;
                palette[usize::from(file[pair])] = file[pair + 1];
            }
            let list = List { data, start: u32_at(file, at + 4), scale, uv_scale, uv_offset };
            list.run(&mut |word_at, vertices, triangles| {
                let weights = vertices.weights.first().map_or(0, Vec::len);
                draws.push(OracleDraw {
                    file_offset_of_prim: (data_base + word_at) as u64,
                    mesh,
                    group,
                    material,
                    texture: (texture != 0xFFFF_FFFF).then_some(texture),
                    positions: vertices.positions,
                    uvs: vertices.uvs,
                    normals: vertices.normals,
                    colors: vertices.colors,
                    weights: vertices.weights,
                    scale,
                    bones: palette[..weights].to_vec(),
                    triangles,
                });
            });
        }
    }
    draws
}

struct List<'a> {
    data: &'a [u8],
    start: usize,
    scale: [f32; 3],
    uv_scale: [f32; 2],
    uv_offset: [f32; 2],
}

#[derive(Default)]
struct Vertices {
    positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    colors: Vec<[u8; 4]>,
    weights: Vec<Vec<f32>>,
}

impl List<'_> {
    fn run(&self, draw: &mut dyn FnMut(usize, Vertices, Vec<[usize; 3]>)) {
        let (mut origin, mut base, mut vertex, mut index, mut vtype, mut swapped) = (0, 0, 0, 0, 0, 0);
        for at in (self.start..).step_by(4) {
            let word = u32_at(self.data, at);
            let argument = word & 0x00FF_FFFF;
            match word >> 24 {
                0x14 => origin = at,
                0x10 => base = (argument & 0x000F_0000) << 8,
                0x01 => vertex = (origin + (base | argument)) & 0x0FFF_FFFF,
                0x02 => index = (origin + (base | argument)) & 0x0FFF_FFFF,
                0x12 => vtype = argument,
                0x9B => swapped = argument & 1,
                0x0B => return,
                0x04 => {
                    let count = argument & 0xFFFF;
                    let index_bytes = [0, 1, 2, 4][vtype >> 11 & 3];
                    let indices: Vec<usize> = (0..count)
                        .map(|i| match index_bytes {
                            0 => i,
                            1 => usize::from(self.data[index + i]),
                            2 => u16_at(self.data, index + 2 * i),
                            _ => u32_at(self.data, index + 4 * i),
                        })
                        .collect();
                    // An indexed draw does not say how many vertices there are, so the largest index has to tell.
                    let used = indices.iter().max().map_or(0, |largest| largest + 1);
                    let (vertices, size) = self.vertices(vertex, vtype, used);
                    draw(at, vertices, triangles(argument >> 16 & 7, &indices, swapped));
                    // After a draw, the GE's pointer is at the end of its data, for a next draw to go on from there.
                    if index_bytes == 0 {
                        vertex += count * size;
                    } else {
                        index += count * index_bytes;
                    }
                }
                _ => {}
            }
        }
    }

    /// Decodes `count` vertices. Also returns a vertex's size in bytes.
    fn vertices(&self, start: usize, vtype: usize, count: usize) -> (Vertices, usize) {
        let widths = [0usize, 1, 2, 4];
        let [uv, normal, position, weight] = [0, 5, 7, 9].map(|bit| widths[vtype >> bit & 3]);
        let color = [0, 0, 0, 0, 2, 2, 2, 4][vtype >> 2 & 7];
        let weights = if weight == 0 { 0 } else { (vtype >> 14 & 7) + 1 };
        let mut end = weight * weights;
        let mut place = |width: usize, elements: usize| {
            if width == 0 {
                return 0;
            }
            let at = end.div_ceil(width) * width;
            end = at + width * elements;
            at
        };
        let [uv_at, color_at, normal_at, position_at] =
            [(uv, 2), (color, 1), (normal, 3), (position, 3)].map(|(width, n)| place(width, n));
        let largest = [uv, color, normal, position, weight].into_iter().max().unwrap_or(1);
        let size = end.div_ceil(largest) * largest;
        let mut out = Vertices::default();
        for at in (0..count).map(|i| start + i * size) {
            let signed = |at: usize, width: usize, i: usize| signed(self.data, at + i * width, width);
            let unsigned = |at: usize, width: usize, i: usize| unsigned(self.data, at + i * width, width);
            out.positions.push([0, 1, 2].map(|i| signed(at + position_at, position, i) * self.scale[i]));
            if uv > 0 {
                let value = |i| unsigned(at + uv_at, uv, i) * self.uv_scale[i] + self.uv_offset[i];
                out.uvs.push([0, 1].map(value));
            }
            if normal > 0 {
                out.normals.push([0, 1, 2].map(|i| signed(at + normal_at, normal, i)));
            }
            if color > 0 {
                out.colors.push(color_of(self.data, at + color_at, vtype >> 2 & 7));
            }
            if weights > 0 {
                out.weights.push((0..weights).map(|i| unsigned(at, weight, i)).collect());
            }
        }
        (out, size)
    }
}

fn triangles(kind: usize, indices: &[usize], swapped: usize) -> Vec<[usize; 3]> {
    let wind = |corners: &[usize], swap: bool| {
        if swap { [corners[1], corners[0], corners[2]] } else { [corners[0], corners[1], corners[2]] }
    };
    match kind {
        3 => indices.chunks_exact(3).map(|corners| wind(corners, swapped == 1)).collect(),
        4 => {
            indices.windows(3).enumerate().map(|(k, corners)| wind(corners, (k + swapped) % 2 == 1)).collect()
        }
        other => panic!("primitive {other} does not occur in these models"),
    }
}

fn signed(data: &[u8], at: usize, width: usize) -> f32 {
    match width {
        1 => f32::from(data[at].cast_signed()) / 128.0,
        2 => f32::from(i16::from_le_bytes([data[at], data[at + 1]])) / 32768.0,
        _ => f32_at(data, at),
    }
}

fn unsigned(data: &[u8], at: usize, width: usize) -> f32 {
    match width {
        1 => f32::from(data[at]) / 128.0,
        2 => f32::from(u16::from_le_bytes([data[at], data[at + 1]])) / 32768.0,
        _ => f32_at(data, at),
    }
}

fn color_of(data: &[u8], at: usize, format: usize) -> [u8; 4] {
    if format == 7 {
        return [data[at], data[at + 1], data[at + 2], data[at + 3]];
    }
    let bits = u16_at(data, at);
    // To expand this field to 8 bits, repeat its upper bits.
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

fn u16_at(data: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([data[at], data[at + 1]]))
}

fn u32_at(data: &[u8], at: usize) -> usize {
    u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]) as usize
}

fn f32_at(data: &[u8], at: usize) -> f32 {
    f32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]])
}
