//! Decodes Mega Man Legends 2 models independently, to check the library's decoder.
//!
//! This follows the [format reference](pspge::reference::formats::mml2) and shares no code with the library, so that
//! both are unlikely to make the same mistake. To keep it easy to check, it uses plain offsets and plain arithmetic,
//! and panics on invalid files.

/// A triangle's corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OracleCorner {
    /// Position in metres, y up.
    pub position: [f64; 3],
    /// Texture coordinates in texels, within a page of 256×256.
    pub uv: [u8; 2],
    /// Red, green, blue; 0x80 is 1.0.
    pub color: [u8; 3],
}

/// A submesh's triangles, sorted by material; triangles without flags come first.
#[derive(Clone, Debug, Default)]
pub struct OracleMesh {
    /// Whether the game hides this submesh at first.
    pub is_hidden: bool,
    /// Counter-clockwise as seen from outside.
    pub triangles: Vec<[OracleCorner; 3]>,
}

/// A section in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OracleSection {
    /// Offset in the file.
    pub offset: usize,
    /// Type; 0 for an empty sector.
    pub kind: usize,
    /// Size of the unpacked payload in bytes.
    pub size: usize,
    /// Length in the file, in bytes.
    pub length: usize,
}

/// An affine matrix: three axes and a translation.
type Matrix = [[f64; 3]; 4];

fn u16_at(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

fn i16_at(bytes: &[u8], at: usize) -> f64 {
    f64::from(i16::from_le_bytes([bytes[at], bytes[at + 1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u16_at(bytes, at) | u16_at(bytes, at + 2) << 16
}

/// Lists an archive's sections, including empty sectors.
#[must_use]
pub fn sections(file: &[u8]) -> Vec<OracleSection> {
    let mut found = Vec::new();
    let mut offset = 0;
    while offset < file.len() {
        let [kind, size, sectors] = [0, 4, 8].map(|field| u32_at(file, offset + field));
        let is_empty = file[offset..offset + 0x30].iter().all(|byte| *byte == 0);
        let length = if is_empty { 0x800 } else { sectors * 0x800 };
        found.push(OracleSection { offset, kind, size, length });
        offset += length;
    }
    found
}

/// Finds the payload in the archive's entity section, which must be stored uncompressed.
#[must_use]
pub fn entities(file: &[u8]) -> &[u8] {
    let section = sections(file).into_iter().find(|section| section.kind == 10).expect("an entity section");
    &file[section.offset + 0x30..][..section.size]
}

/// Extracts a signed 10-bit field.
fn field(word: usize, number: usize) -> f64 {
    let value = i16::try_from(word >> (number * 10) & 0x3FF).expect("ten bits");
    f64::from(if value >= 512 { value - 1024 } else { value })
}

fn apply(matrix: &Matrix, point: [f64; 3]) -> [f64; 3] {
    [0, 1, 2]
        .map(|axis| (0..3).map(|column| matrix[column][axis] * point[column]).sum::<f64>() + matrix[3][axis])
}

/// Multiplies matrices: the product applies `inner` first, then `outer`.
fn chain(outer: &Matrix, inner: &Matrix) -> Matrix {
    let linear = [outer[0], outer[1], outer[2], [0.0; 3]];
    [apply(&linear, inner[0]), apply(&linear, inner[1]), apply(&linear, inner[2]), apply(outer, inner[3])]
}

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]];

/// Computes the rotation around an axis; the angle is in 1/4096 turns.
#[expect(clippy::disallowed_methods, reason = "an oracle is compared with a tolerance")]
fn turn(axis: usize, angle: f64) -> Matrix {
    let (sine, cosine) = (angle / 2048.0 * std::f64::consts::PI).sin_cos();
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut matrix = IDENTITY;
    matrix[next][next] = cosine;
    matrix[next][last] = sine;
    matrix[last][next] = -sine;
    matrix[last][last] = cosine;
    matrix
}

/// Computes the bones' matrices in console space, at rest or in the pose at offset `pose`.
fn bones(data: &[u8], skeleton: usize, parents: &[Option<usize>], pose: Option<usize>) -> Vec<Matrix> {
    let mut world: Vec<Matrix> = Vec::new();
    for (bone, parent) in parents.iter().enumerate() {
        let mut local = IDENTITY;
        if let Some(pose) = pose {
            let word = u32_at(data, pose + 4 + bone * 4);
            let angle = |axis| field(word, axis) * f64::from(1 << (word >> 30));
            local = chain(&chain(&turn(0, angle(0)), &turn(1, angle(1))), &turn(2, angle(2)));
        }
        local[3] = [0, 1, 2].map(|axis| i16_at(data, skeleton + bone * 6 + axis * 2));
        if let (0, Some(pose)) = (bone, pose) {
            let word = u32_at(data, pose);
            for (axis, part) in local[3].iter_mut().enumerate() {
                *part += field(word, axis) * f64::from(1 << (word >> 30));
            }
        }
        // In all these files, parents precede their children.
        world.push(parent.map_or(local, |parent| chain(&world[parent], &local)));
    }
    world
}

/// Reads submeshes. Vertex slots persist from a submesh to the next, so a single reader has to read them all.
struct MeshReader<'a> {
    data: &'a [u8],
    /// The address of `data`, to subtract from pointers.
    base: usize,
    slots: Vec<[f64; 3]>,
    unit: f64,
}

impl MeshReader<'_> {
    fn read(&mut self, header: usize, shades: usize, bone: &Matrix, is_hidden: bool) -> OracleMesh {
        let data = self.data;
        let [triangles, quads, vertices] = [0, 1, 2].map(|field| usize::from(data[header + field]));
        let exponent = i32::from(i8::from_le_bytes([data[header + 3]]));
        let factor = if exponent < 0 { 0.5 } else { f64::from(1 << exponent) };
        let [triangle_data, quad_data, vertex_data] =
            [4, 8, 12].map(|field| u32_at(data, header + field).saturating_sub(self.base));
        let mut points = Vec::new();
        for vertex in 0..vertices {
            let word = u32_at(data, vertex_data + vertex * 4);
            let local = [0, 1, 2].map(|axis| field(word, axis) * factor);
            let mut point = apply(bone, local);
            let shade = &data[shades + vertex * 4..][..4];
            let slot = usize::from(shade[3] & 0x3F);
            // A weld code keeps this point for later submeshes, or takes such a point, to join parts without a gap.
            match shade[3] >> 6 {
                2 => self.slots[slot] = point,
                3 => point = self.slots[slot],
                _ => {}
            }
            points.push((point, [shade[0], shade[1], shade[2]]));
        }
        let mut found: Vec<((usize, bool), [OracleCorner; 3])> = Vec::new();
        for (start, count, is_quad) in [(triangle_data, triangles, false), (quad_data, quads, true)] {
            for face in 0..count {
                let at = start + face * 12;
                let word = u32_at(data, at + 8);
                let corners: Vec<OracleCorner> = (0..4)
                    .map(|corner| {
                        let ([x, y, z], color) = points[word >> (corner * 7) & 0x7F];
                        let position = [x * self.unit, -y * self.unit, -z * self.unit];
                        OracleCorner {
                            position,
                            uv: [data[at + corner * 2], data[at + corner * 2 + 1]],
                            color,
                        }
                    })
                    .collect();
                let state = (word >> 28 & 3, word >> 30 != 0);
                found.push((state, [corners[0], corners[2], corners[1]]));
                if is_quad {
                    found.push((state, [corners[1], corners[2], corners[3]]));
                }
            }
        }
        found.sort_by_key(|(state, _)| *state);
        OracleMesh { is_hidden, triangles: found.into_iter().map(|(_, triangle)| triangle).collect() }
    }
}

/// Decodes an entity's submeshes at a level of detail, at rest or in pose `pose` from key set `set`.
#[must_use]
pub fn entity(data: &[u8], index: usize, level: usize, pose: Option<(usize, usize)>) -> Vec<OracleMesh> {
    let entry = 4 + index * 16;
    let model = u32_at(data, entry + 4);
    let count = usize::from(data[model + level]);
    let table = u32_at(data, model + 4 + level * 4);
    let (skeleton, hierarchy) = (u32_at(data, model + 0x10), u32_at(data, model + 0x14));
    let mut parents = Vec::new();
    if hierarchy != 0 {
        let bone_count = usize::from(data[hierarchy + 1]);
        for bone in 0..bone_count {
            let links = (0..usize::from(data[model])).map(|link| hierarchy + link * 4);
            let link = links.into_iter().find(|link| usize::from(data[link + 2]) == bone);
            let parent = usize::from(data[link.expect("every bone has a link") + 1]);
            parents.push((parent != bone_count).then_some(parent));
        }
    }
    let pose = pose.map(|(set, pose)| {
        let tracks = u32_at(data, entry + 8);
        u32_at(data, tracks + set * 4) + pose * 4 * (parents.len() + 1)
    });
    let world = bones(data, skeleton, &parents, pose);
    // 0x1000 scales by 1, for 0.01 metres per unit.
    let unit = i16_at(data, model + 0x30) / 4096.0 * 0.01;
    let mut reader = MeshReader { data, base: 0, slots: vec![[0.0; 3]; 64], unit };
    let mut shades = u32_at(data, model + 0x20 + level * 4);
    let mut meshes = Vec::new();
    for mesh in 0..count {
        let header = table + mesh * 16;
        let link = hierarchy + mesh * 4;
        let (bone, hidden) = match hierarchy {
            0 => (&IDENTITY, false),
            _ => (&world[usize::from(data[link + 2])], data[link + 3] & 0x80 != 0),
        };
        meshes.push(reader.read(header, shades, bone, hidden));
        shades += usize::from(data[header + 2]) * 4;
    }
    meshes
}

/// Decodes a player's strips with all alternatives, at rest or in the pose at an offset from the base address.
#[must_use]
pub fn player(file: &[u8], pose: Option<usize>) -> Vec<OracleMesh> {
    // This lays out the three sections as in the console's memory.
    let mut memory = Vec::new();
    for section in sections(file).iter().filter(|section| section.kind == 1) {
        let offset = u32_at(file, section.offset + 0xC) - 0x8011_0800;
        memory.resize(offset, 0);
        memory.extend_from_slice(&file[section.offset + 0x30..][..section.size]);
    }
    let parents =
        [-1, 0, 0, 2, 3, 0, 5, 6, 0, 8, 9, 10, 8, 12, 13].map(|parent| usize::try_from(parent).ok());
    let world = bones(&memory, 0, &parents, pose);
    let mut reader = MeshReader { data: &memory, base: 0, slots: vec![[0.0; 3]; 64], unit: 0.00125 };
    let mut meshes = Vec::new();
    for (start, bones) in [
        (0x80, &[0, 8, 9, 10, 12, 13][..]),
        (0xB60, &[1, 1, 1]),
        (0x1800, &[11, 14]),
        (0x1DD0, &[5, 6, 7]),
        (0x2220, &[5, 6, 7]),
        (0x26F0, &[2, 3, 4]),
    ] {
        for (strip, bone) in bones.iter().enumerate() {
            let header = start + strip * 0x18;
            let shades = u32_at(&memory, header + 0x10);
            meshes.push(reader.read(header, shades, &world[*bone], false));
        }
    }
    meshes
}

/// Decodes a weapon's strips on the bones in a player's arm.
#[must_use]
pub fn weapon(file: &[u8], arm: [[f64; 3]; 3]) -> Vec<OracleMesh> {
    let is_it =
        |section: &&OracleSection| section.kind == 1 && u32_at(file, section.offset + 0xC) == 0x8011_3340;
    let section = sections(file).iter().find(is_it).copied().expect("a weapon section");
    let data = &file[section.offset + 0x30..][..section.size];
    let base = 0x8011_3340 - 0x8011_0800;
    let mut reader = MeshReader { data, base, slots: vec![[0.0; 3]; 64], unit: 0.00125 };
    let mut bone = IDENTITY;
    let mut meshes = Vec::new();
    for (strip, offset) in arm.iter().enumerate() {
        bone[3] = [0, 1, 2].map(|axis| bone[3][axis] + offset[axis]);
        let header = strip * 0x18;
        let shades = u32_at(data, header + 0x10) - base;
        meshes.push(reader.read(header, shades, &bone, false));
    }
    meshes
}
