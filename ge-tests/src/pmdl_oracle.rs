//! Decodes PMDL models independently, to check the library's decoder.
//!
//! This follows the [format reference](pspge::reference::formats::pmdl) and shares no code with the library, so that
//! both are unlikely to make the same mistake. To keep it easy to check, it uses plain offsets and double arithmetic,
//! and panics on invalid files.

/// A model at rest.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// Meshes in file order.
    pub meshes: Vec<OracleMesh>,
    /// Bones in file order.
    pub bones: Vec<OracleBone>,
    /// Actions in file order.
    pub actions: Vec<OracleAction>,
}

/// A mesh's primitives.
#[derive(Clone, Debug, Default)]
pub struct OracleMesh {
    /// Shader number.
    pub shader: Option<usize>,
    /// The bounding box from minimum to maximum.
    pub bounds: [[f64; 3]; 2],
    /// Triangles with three different corners, counter-clockwise as seen from outside.
    pub triangles: Vec<[OracleVertex; 3]>,
    /// Lines.
    pub lines: Vec<[OracleVertex; 2]>,
    /// Points.
    pub points: Vec<OracleVertex>,
}

/// A vertex as stored in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct OracleVertex {
    /// Tells this vertex from others in its mesh: its number, or its array indices.
    id: [usize; 3],
    /// Position in model space.
    pub position: [f64; 3],
    /// Normal as stored.
    pub normal: [f64; 3],
    /// Texture coordinates in the first layer, v upwards; `None` if the mesh has no layer.
    pub texcoord: Option<[f64; 2]>,
    /// Bones and their non-zero weights; `None` for the share that does not move.
    pub weights: Vec<(Option<usize>, f64)>,
}

/// A bone at rest.
#[derive(Clone, Debug)]
pub struct OracleBone {
    /// Its name.
    pub name: String,
    /// Position in model space.
    pub head: [f64; 3],
    /// The parent bone.
    pub parent: Option<usize>,
}

/// An animation.
#[derive(Clone, Debug)]
pub struct OracleAction {
    /// Its name.
    pub name: String,
    /// Duration in seconds.
    pub duration: f64,
    /// Bone number and ten curves, which may be empty: scale x, y, z, rotation w, x, y, z and location x, y, z.
    tracks: Vec<(usize, Vec<Vec<Key>>)>,
}

/// Time and value for the left handle, the key and the right handle.
type Key = [[f64; 2]; 3];

/// Three matrix rows; the last column is the translation.
pub type Matrix = [[f64; 4]; 3];

/// The file's bytes, its byte order and its pointer size.
#[derive(Clone, Copy)]
struct Reader<'a> {
    bytes: &'a [u8],
    big: bool,
    pointer: usize,
}

impl Reader<'_> {
    fn u16(self, at: usize) -> usize {
        let bytes = [self.bytes[at], self.bytes[at + 1]];
        usize::from(if self.big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    fn u32(self, at: usize) -> usize {
        let bytes = [0, 1, 2, 3].map(|i| self.bytes[at + i]);
        (if self.big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }) as usize
    }

    fn f32(self, at: usize) -> f64 {
        f64::from(f32::from_bits(u32::try_from(self.u32(at)).expect("32 bits")))
    }

    fn floats<const N: usize>(self, at: usize) -> [f64; N] {
        std::array::from_fn(|i| self.f32(at + 4 * i))
    }

    fn text(self, at: usize) -> String {
        let bytes = self.bytes[at..].iter().copied().take_while(|&byte| byte != 0).collect();
        String::from_utf8(bytes).expect("text")
    }
}

/// Reads a model.
#[must_use]
pub fn read(bytes: &[u8]) -> Oracle {
    let big = &bytes[4..8] == b"_BIG";
    let pointer = usize::from(bytes[if big { 11 } else { 8 }]);
    let file = Reader { bytes, big, pointer };
    let rigged = &bytes[0xC..0x10] == b"PAR1";
    let format = &bytes[0x10..0x14];
    let (mut bones, mut actions, mut skins) = (Vec::new(), Vec::new(), Vec::new());
    if rigged {
        let mut section = 0x40;
        bones = read_bones(file, section);
        section += file.u32(section);
        if format == b"_GEN" {
            skins = entries(file, section)
                .map(|at| (0..file.u32(at)).map(|i| file.u32(at + 4 + 4 * i)).collect())
                .collect();
            section += file.u32(section);
        }
        actions = read_actions(file, section);
    }
    let mut meshes = Vec::new();
    for number in 0..file.u32(0x30) {
        let start = file.u32(0x2C);
        let header = start + 24 * number;
        let index = start + file.u32(header + 20);
        let platform = index + file.u32(index + 4);
        let mut at = platform + 3 * file.pointer;
        for mesh in 0..file.u32(index) {
            let head = index + 8 + mesh * if file.pointer == 8 { 40 } else { 32 };
            let shader = Some(file.u32(head + 24)).filter(|&shader| shader != 0xFFFF_FFFF);
            let bounds = [file.floats(head), file.floats(head + 12)];
            let mut out = OracleMesh { shader, bounds, ..OracleMesh::default() };
            if format == b"__GX" {
                gx_mesh(file, [start, header, platform, mesh], rigged, &mut out);
            } else {
                let wide = format == b"_COL";
                let count = file.u32(at);
                at += 4;
                for _ in 0..count {
                    let skin = (rigged && !wide).then(|| &skins[file.u32(at)]);
                    at += if skin.is_some() { 4 } else { 0 };
                    general_primitive(file, [start, header, at], wide, skin, &mut out);
                    at += 12;
                }
            }
            meshes.push(out);
        }
    }
    Oracle { meshes, bones, actions }
}

/// Lists the offsets of a section's entries.
fn entries(file: Reader<'_>, section: usize) -> impl Iterator<Item = usize> + '_ {
    let count = file.u32(section + 4);
    (0..count).map(move |i| section + 8 + 4 * count + file.u32(section + 8 + 4 * i))
}

fn read_bones(file: Reader<'_>, section: usize) -> Vec<OracleBone> {
    let bone = |at: usize| OracleBone {
        name: file.text(file.u32(0x38) + file.u32(at)),
        head: file.floats(at + 4),
        parent: Some(file.u32(at + 16)).filter(|&parent| parent != 0xFFFF_FFFF),
    };
    entries(file, section).map(bone).collect()
}

fn read_actions(file: Reader<'_>, section: usize) -> Vec<OracleAction> {
    let count = file.u32(section);
    let strings = section + file.u32(section + 4);
    let action = |number: usize| {
        let mut at = section + 8 + 4 * count + file.u32(section + 8 + 4 * number);
        let (tracks, duration) = (file.u32(at), file.f32(at + 4));
        at += 8;
        let mut track = || {
            let head = file.u32(at);
            at += 4;
            let mut curves = Vec::new();
            for (bit, components) in [(29, 3), (30, 4), (31, 3)] {
                for _ in 0..components {
                    let mut keys = Vec::new();
                    if head >> bit & 1 == 1 {
                        let count = file.u32(at);
                        let key = |i: usize| [0, 8, 16].map(|part| file.floats(at + 4 + 24 * i + part));
                        keys = (0..count).map(key).collect();
                        at += 4 + 24 * count;
                    }
                    curves.push(keys);
                }
            }
            (head & 0x1FFF_FFFF, curves)
        };
        let tracks = (0..tracks).map(|_| track()).collect();
        let name = file.text(strings + 4 * count + file.u32(strings + 4 * number));
        OracleAction { name, duration, tracks }
    };
    (0..count).map(action).collect()
}

fn general_primitive(
    file: Reader<'_>,
    [start, header, prim]: [usize; 3],
    wide: bool,
    skin: Option<&Vec<usize>>,
    out: &mut OracleMesh,
) {
    let (layers, slots) = (file.u16(header), file.u16(header + 2));
    let (vertices, elements) = (start + file.u32(header + 4), start + file.u32(header + 12));
    let stride = 24 + 8 * layers + 4 * slots;
    let vertex = |element: usize| {
        let number = if wide { file.u32(elements + 4 * element) } else { file.u16(elements + 2 * element) };
        let at = vertices + stride * number;
        let slot = |slot: usize| file.f32(at + 24 + 8 * layers + 4 * slot);
        let mut weights = Vec::new();
        if let Some(skin) = skin {
            weights.push((None, slot(0)));
            weights.extend(skin.iter().enumerate().map(|(i, &bone)| (Some(bone), slot(1 + i))));
            weights.retain(|(_, weight)| *weight != 0.0);
        }
        OracleVertex {
            id: [number, 0, 0],
            position: file.floats(at),
            normal: file.floats(at + 12),
            texcoord: (layers > 0).then(|| file.floats(at + 24)),
            weights,
        }
    };
    let first = file.u32(prim + 4);
    let vertices: Vec<OracleVertex> = (first..first + file.u32(prim + 8)).map(vertex).collect();
    assemble(file.u32(prim), &vertices, out);
}

fn gx_mesh(
    file: Reader<'_>,
    [start, header, platform, mesh]: [usize; 4],
    rigged: bool,
    out: &mut OracleMesh,
) {
    let layers = file.u16(header);
    let buffer = start + file.u32(header + 4);
    let counts = if rigged { buffer + 4 } else { buffer };
    let (positions, texcoords) = (file.u32(counts), file.u32(counts + 4));
    let position_at = |i: usize| buffer + 32 + 12 * i;
    let texcoord_at = |i: usize| buffer + 32 + 24 * positions + 8 * i;
    let mut rig = Vec::new();
    if rigged {
        let mut at = buffer + file.u32(buffer) + 2 * file.pointer;
        for _ in 0..positions {
            let count = file.u32(at);
            let mut weights = vec![(None, file.f32(at + 4))];
            weights.extend((0..count).map(|i| (Some(file.u32(at + 8 + 8 * i)), file.f32(at + 12 + 8 * i))));
            weights.retain(|(_, weight)| *weight != 0.0);
            rig.push(weights);
            at += 8 + 8 * count;
        }
    }
    // GX lists are big-endian in every file, whatever the byte order elsewhere.
    let big = Reader { big: true, ..file };
    let mut at = platform + big.u32(platform + 8 * mesh);
    let end = at + big.u32(platform + 8 * mesh + 4);
    while at < end {
        let command = file.bytes[at];
        // Zeros only pad the list.
        if command == 0 {
            at += 1;
            continue;
        }
        let count = big.u16(at + 1);
        let vertex = |i: usize| {
            let at = at + 3 + i * (4 + 2 * layers);
            let (position, normal) = (big.u16(at), big.u16(at + 2));
            let texcoord = if layers > 0 { big.u16(at + 4) } else { 0 };
            assert!(position < positions && (layers == 0 || texcoord < texcoords), "inside the arrays");
            OracleVertex {
                id: [position, normal, texcoord],
                position: file.floats(position_at(position)),
                normal: file.floats(position_at(positions + normal)),
                texcoord: (layers > 0).then(|| file.floats(texcoord_at(texcoord))),
                weights: rig.get(position).cloned().unwrap_or_default(),
            }
        };
        let vertices: Vec<OracleVertex> = (0..count).map(vertex).collect();
        let kind = match command {
            0x90 => 1,
            0x98 => 3,
            0xA0 => 2,
            0xA8 => 4,
            0xB0 => 5,
            0xB8 => 0,
            other => panic!("GX command {other:#x} does not occur in these models"),
        };
        assemble(kind, &vertices, out);
        at += 3 + count * (4 + 2 * layers);
    }
}

/// Adds a primitive's triangles, lines or points; `kind` is the type number in general buffers.
fn assemble(kind: usize, vertices: &[OracleVertex], out: &mut OracleMesh) {
    let v = |i: usize| vertices[i].clone();
    let mut triangle = |a: usize, b: usize, c: usize| {
        let corners = [v(a), v(b), v(c)];
        let [a, b, c] = corners.each_ref().map(|corner| corner.id);
        // A triangle with two equal corners has no area, so this leaves it out.
        if a != b && b != c && a != c {
            out.triangles.push(corners);
        }
    };
    let count = vertices.len();
    match kind {
        0 => out.points.extend(vertices.iter().cloned()),
        1 => (0..count / 3).for_each(|i| triangle(3 * i, 3 * i + 1, 3 * i + 2)),
        2 => (2..count).for_each(|i| triangle(0, i - 1, i)),
        3 => (2..count)
            .for_each(|i| if i % 2 == 0 { triangle(i - 2, i - 1, i) } else { triangle(i - 1, i - 2, i) }),
        4 => (0..count / 2).for_each(|i| out.lines.push([v(2 * i), v(2 * i + 1)])),
        5 => (1..count).for_each(|i| out.lines.push([v(i - 1), v(i)])),
        other => panic!("primitive type {other} does not exist"),
    }
}

impl Oracle {
    /// Computes the bones' matrices in model space at a time in an action, in seconds.
    #[must_use]
    pub fn pose(&self, action: &OracleAction, time: f64) -> Vec<Matrix> {
        (0..self.bones.len()).map(|bone| self.bone(action, time, bone)).collect()
    }

    fn bone(&self, action: &OracleAction, time: f64, number: usize) -> Matrix {
        let bone = &self.bones[number];
        let mut translation = bone.head;
        if let Some(parent) = bone.parent {
            let from = self.bones[parent].head;
            translation = [0, 1, 2].map(|axis| translation[axis] - from[axis]);
        }
        let mut local = rotation([1.0, 0.0, 0.0, 0.0]);
        let mut scale = [1.0; 3];
        if let Some((_, curves)) = action.tracks.iter().find(|(bone, _)| *bone == number) {
            let value = |curve: usize, default: f64| evaluate(&curves[curve], time).unwrap_or(default);
            scale = [0, 1, 2].map(|axis| value(axis, 1.0));
            local = rotation([value(3, 1.0), value(4, 0.0), value(5, 0.0), value(6, 0.0)]);
            if bone.parent.is_none() {
                translation = [0, 1, 2].map(|axis| translation[axis] + value(7 + axis, 0.0));
            }
        }
        // The scale applies along the parent's axes, after the bone's own rotation and translation.
        for axis in 0..3 {
            local[axis][3] = translation[axis];
            local[axis] = local[axis].map(|element| element * scale[axis]);
        }
        match bone.parent {
            Some(parent) => product(&self.bone(action, time, parent), &local),
            None => local,
        }
    }

    /// Computes a vertex's position in a pose.
    #[must_use]
    pub fn posed(&self, vertex: &OracleVertex, pose: &[Matrix]) -> [f64; 3] {
        if vertex.weights.is_empty() {
            return vertex.position;
        }
        let mut sum = [0.0; 3];
        for &(bone, weight) in &vertex.weights {
            let moved = match bone {
                None => vertex.position,
                Some(bone) => {
                    let head = self.bones[bone].head;
                    let p = [0, 1, 2].map(|axis| vertex.position[axis] - head[axis]);
                    pose[bone].map(|[x, y, z, t]| x * p[0] + y * p[1] + z * p[2] + t)
                }
            };
            sum = [0, 1, 2].map(|axis| sum[axis] + weight * moved[axis]);
        }
        sum
    }
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| {
        let mut out = [0.0, 0.0, 0.0, row[3]];
        for (inner, factor) in row.into_iter().take(3).enumerate() {
            for column in 0..4 {
                out[column] += factor * b[inner][column];
            }
        }
        out
    })
}

fn rotation([w, x, y, z]: [f64; 4]) -> Matrix {
    let length = (w * w + x * x + y * y + z * z).sqrt();
    let [w, x, y, z] = [w, x, y, z].map(|part| part / length);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y), 0.0],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x), 0.0],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y), 0.0],
    ]
}

fn evaluate(keys: &[Key], time: f64) -> Option<f64> {
    let (first, last) = (keys.first()?, keys.last()?);
    if time <= first[1][0] {
        return Some(first[1][1]);
    }
    if time > last[1][0] {
        return Some(last[1][1]);
    }
    let pair = keys.windows(2).find(|pair| pair[0][1][0] < time && time <= pair[1][1][0])?;
    let points = [pair[0][1], pair[0][2], pair[1][0], pair[1][1]];
    // A Bézier curve gives time and value by a parameter. To find this parameter for the wanted time, use bisection.
    let [mut low, mut high] = [0.0, 1.0];
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if casteljau(points, middle)[0] < time { low = middle } else { high = middle }
    }
    Some(casteljau(points, high)[1])
}

fn casteljau(mut points: [[f64; 2]; 4], part: f64) -> [f64; 2] {
    for last in (1..4).rev() {
        for i in 0..last {
            points[i] = [0, 1].map(|k| points[i][k] * (1.0 - part) + points[i + 1][k] * part);
        }
    }
    points[0]
}
