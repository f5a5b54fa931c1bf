//! Builds test files: models, skeletons, containers.

/// A section: header fields and bytes.
#[derive(Clone, Debug)]
pub(in crate::formats::bbs) struct TestSection {
    pub(in crate::formats::bbs) vertices: u16,
    pub(in crate::formats::bbs) texture: u8,
    pub(in crate::formats::bbs) size: u8,
    pub(in crate::formats::bbs) flags: u32,
    pub(in crate::formats::bbs) group: u8,
    pub(in crate::formats::bbs) attribute: u16,
    pub(in crate::formats::bbs) bones: Option<[u8; 8]>,
    pub(in crate::formats::bbs) color: Option<[u8; 4]>,
    pub(in crate::formats::bbs) strips: Vec<u16>,
    pub(in crate::formats::bbs) data: Vec<u8>,
}

/// A model: mesh lists, textures, skeleton.
#[derive(Clone, Debug)]
pub(in crate::formats::bbs) struct TestModel {
    pub(in crate::formats::bbs) lists: [Vec<TestSection>; 2],
    /// Name, scroll speed and TIM2 bytes; no bytes for a texture in another file.
    pub(in crate::formats::bbs) textures: Vec<(&'static str, [f32; 2], Vec<u8>)>,
    pub(in crate::formats::bbs) bones: Option<Vec<u8>>,
    pub(in crate::formats::bbs) scale: f32,
    /// Offset to the model in its file.
    pub(in crate::formats::bbs) base: usize,
    /// Computes how many padding bytes follow a section with this end.
    pub(in crate::formats::bbs) padding: fn(usize) -> usize,
}

/// Builds a section with a triangle of s16 positions: (0, 0, 0), (0.5, 0, 0), (0, 0.5, 0).
pub(in crate::formats::bbs) fn triangle() -> TestSection {
    let corners: [[i16; 3]; 3] = [[0, 0, 0], [16384, 0, 0], [0, 16384, 0]];
    TestSection {
        vertices: 3,
        texture: 0xFF,
        size: 6,
        flags: 3 << 28 | 1 << 25 | 2 << 7,
        group: 0,
        attribute: 0,
        bones: None,
        color: None,
        strips: Vec::new(),
        data: corners.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

/// Builds the triangle with 8-bit weights for two bones: half and half, first only, second only.
pub(in crate::formats::bbs) fn skinned(bones: [u8; 2]) -> TestSection {
    let plain = triangle();
    let weights = [[64, 64], [128, 0], [0, 128]];
    let vertices = weights.iter().zip(plain.data.chunks(6));
    let data = vertices.flat_map(|(weights, position)| weights.iter().chain(position)).copied().collect();
    let mut all = [0xFF; 8];
    all[..2].copy_from_slice(&bones);
    TestSection { size: 8, flags: 3 << 28 | 1 << 14 | 1 << 9 | 2 << 7, bones: Some(all), data, ..plain }
}

/// Builds a skeleton with two bones: a root at the origin and its child 4 units above.
pub(in crate::formats::bbs) fn two_bones() -> Vec<u8> {
    bon(&[(None, [0.0; 3], [0.0; 3]), (Some(0), [0.0, 4.0, 0.0], [0.0, 4.0, 0.0])])
}

/// Builds a TIM2 picture with a single texel.
pub(in crate::formats::bbs) fn texel(color: [u8; 4]) -> Vec<u8> {
    let mut out = b"TIM2\x04\0\x01\0\0\0\0\0\0\0\0\0".to_vec();
    for word in [0x34_u32, 0, 4, 0x30, 0x0300_0100, 0x0001_0001] {
        out.extend(word.to_le_bytes());
    }
    out.resize(0x40, 0);
    out.extend(color);
    out
}

impl TestModel {
    /// Creates a model with a single mesh list and no textures or skeleton.
    pub(in crate::formats::bbs) fn new(sections: Vec<TestSection>) -> Self {
        let padding = |end: usize| end.next_multiple_of(4) - end;
        let lists = [sections, Vec::new()];
        Self { lists, textures: Vec::new(), bones: None, scale: 1.0, base: 0, padding }
    }

    /// Builds the bytes of the PMO.
    pub(in crate::formats::bbs) fn bytes(&self) -> Vec<u8> {
        let word = |value: usize| u32::try_from(value).expect("small").to_le_bytes();
        let half = |value: usize| u16::try_from(value & 0xFFFF).expect("masked").to_le_bytes();
        let mut body = Vec::new();
        let start = 0xA0 + 0x20 * self.textures.len();
        let mut offsets = [0; 2];
        for (list, offset) in self.lists.iter().zip(&mut offsets) {
            if list.is_empty() {
                continue;
            }
            *offset = start + body.len();
            for section in list {
                section.write(&mut body);
                let end = start + body.len();
                body.resize(body.len() + (self.padding)(end), 0);
            }
            body.resize(body.len() + 16, 0);
            body.resize(body.len().next_multiple_of(16), 0);
        }
        let mut skeleton = 0;
        if let Some(bones) = &self.bones {
            skeleton = start + body.len();
            body.extend(bones);
        }
        let mut table = Vec::new();
        for (name, scroll, tim2) in &self.textures {
            body.resize(body.len().next_multiple_of(16), 0);
            let offset = if tim2.is_empty() { 0 } else { self.base + start + body.len() };
            body.extend(tim2);
            table.extend(word(offset));
            let mut field = name.as_bytes().to_vec();
            field.resize(12, 0);
            table.extend(field);
            table.extend(scroll.iter().flat_map(|speed| speed.to_le_bytes()));
            table.extend([0; 8]);
        }
        let all = || self.lists.iter().flatten();
        let triangles: usize = all().map(TestSection::triangles).sum();
        let vertices: usize = all().map(|section| usize::from(section.vertices)).sum();
        let mut out = b"PMO\0\x01\x01\x03\0".to_vec();
        out.extend([u8::try_from(self.textures.len()).expect("few"), 0, 0, 8]);
        out.extend(word(skeleton));
        out.extend(word(offsets[0]));
        out.extend(half(triangles));
        out.extend(half(vertices));
        out.extend(self.scale.to_le_bytes());
        out.extend(word(offsets[1]));
        for corner in 0..8 {
            let side = |bit: usize| if corner >> bit & 1 == 0 { 0.0 } else { self.scale };
            out.extend([side(0), side(2), side(1), 1.0].iter().flat_map(|value: &f32| value.to_le_bytes()));
        }
        out.extend(table);
        out.extend(body);
        out
    }
}

impl TestSection {
    fn triangles(&self) -> usize {
        match (self.flags >> 28, self.strips.as_slice()) {
            (4, []) => usize::from(self.vertices) - 2,
            (4, strips) => strips.iter().map(|&length| usize::from(length).saturating_sub(2)).sum(),
            _ => usize::from(self.vertices / 3),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.vertices.to_le_bytes());
        out.extend([self.texture, self.size]);
        out.extend(self.flags.to_le_bytes());
        out.extend([self.group, u8::try_from(self.strips.len()).expect("few")]);
        out.extend(self.attribute.to_le_bytes());
        out.extend(self.bones.into_iter().flatten());
        out.extend(self.color.into_iter().flatten());
        out.extend(self.strips.iter().flat_map(|length| length.to_le_bytes()));
        out.extend(&self.data);
    }
}

/// Builds a container from these members. Members without bytes refer to another file.
pub(in crate::formats::bbs) fn arc(members: &[(&str, Option<&[u8]>)]) -> Vec<u8> {
    let number = |value: usize| u32::try_from(value).expect("small").to_le_bytes();
    let mut out = b"ARC\0\x01\0".to_vec();
    out.extend(u16::try_from(members.len()).expect("few").to_le_bytes());
    out.resize(0x10, 0);
    let mut data = Vec::new();
    for (name, bytes) in members {
        let at = 0x10 + 0x20 * members.len() + data.len();
        let folder = if bytes.is_some() { 0 } else { 0x4546_4645 };
        let length = bytes.map_or(0, <[u8]>::len);
        for value in [folder, if bytes.is_some() { at } else { 0 }, length, 0] {
            out.extend(number(value));
        }
        let mut field = name.as_bytes().to_vec();
        field.resize(16, 0);
        out.extend(field);
        data.extend(bytes.unwrap_or_default());
        data.resize(data.len().next_multiple_of(16), 0);
    }
    out.extend(data);
    out
}

/// Builds a skeleton from each bone's parent, its position relative to the parent, and its position in the model.
pub(in crate::formats::bbs) fn bon(bones: &[(Option<u16>, [f32; 3], [f32; 3])]) -> Vec<u8> {
    let short = |out: &mut Vec<u8>, value: u16| out.extend(value.to_le_bytes());
    let mut out = b"BON\0\0\0\0\0".to_vec();
    let count = u16::try_from(bones.len()).expect("few");
    [count, 0, count, 0].iter().for_each(|&value| short(&mut out, value));
    for (number, (parent, local, world)) in (0..).zip(bones) {
        for value in [number, 0, parent.unwrap_or(0xFFFF), 0, number, 0, 0, 0] {
            short(&mut out, value);
        }
        let mut name = format!("bone{number}").into_bytes();
        name.resize(16, 0);
        out.extend(name);
        for translation in [*local, world.map(|value| -value)] {
            for row in [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] {
                out.extend(row.iter().flat_map(|value: &f32| value.to_le_bytes()));
            }
            out.extend(translation.iter().chain(&[1.0]).flat_map(|value| value.to_le_bytes()));
        }
    }
    out
}
