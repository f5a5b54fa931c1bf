//! Generates vertex formats, and vertices with random values.

use crate::generate::Random;

/// The parts in a vertex type; 0 for a missing component.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexFormat {
    /// Format for texture coordinates, 0 to 3.
    pub(super) texcoord: u32,
    /// Format for the colour, 0 or 4 to 7.
    pub(super) color: u32,
    /// Format for the normal, 0 to 3.
    pub(super) normal: u32,
    /// Format for the position, 1 to 3.
    pub(super) position: u32,
    /// Format for the weights, 0 to 3.
    pub(super) weight: u32,
    /// Weights per vertex, from 1.
    pub(super) weight_count: u32,
    /// Morph frames, from 1.
    pub(super) frames: u32,
    /// Through mode.
    pub(super) through: bool,
}

impl VertexFormat {
    /// Selects a format without weights and morph frames.
    pub(super) fn random(random: &mut Random, through: bool) -> Self {
        Self {
            texcoord: random.below(4),
            color: random.pick(&[0, 4, 5, 6, 7, 7]),
            normal: random.below(4),
            // In through mode, positions in bytes would all be the same pixel, so this uses wider positions there.
            position: if through || !random.once_in(3) { random.pick(&[2, 3, 3]) } else { 1 },
            weight: 0,
            weight_count: 1,
            frames: 1,
            through,
        }
    }

    /// Returns the argument for VTYPE.
    pub(super) fn argument(self) -> u32 {
        self.texcoord
            | self.color << 2
            | self.normal << 5
            | self.position << 7
            | self.weight << 9
            | (self.weight_count - 1) << 14
            | (self.frames - 1) << 18
            | u32::from(self.through) << 23
    }
}

/// How far positions spread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Smallest and largest x and y in through mode, in 1/16 pixel.
    pixels: (i32, i32),
    /// Otherwise, x and y are at most this far from 0, in thousandths.
    model: i32,
    /// z is at most this far from 0, in thousandths.
    depth: i32,
}

impl Extent {
    /// Covers about the target.
    pub(super) const SCREEN: Self = Self { pixels: (-160, 2200), model: 1100, depth: 900 };
    /// Smaller than two pixels.
    pub(super) const TINY: Self = Self { pixels: (900, 930), model: 15, depth: 900 };
    /// Reaches up to the whole screen space.
    pub(super) const TALL: Self = Self { pixels: (-32_000, 32_000), model: 31_000, depth: 100 };
    /// Reaches beyond the near plane and the sides, to be clipped.
    pub(super) const CLIPPED: Self = Self { pixels: (-160, 2200), model: 2500, depth: 2500 };
}

/// Generates a vertex.
pub(super) fn vertex(random: &mut Random, format: VertexFormat, extent: Extent) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..format.frames {
        let position = if format.through {
            let mut pixel = || number(random.between(extent.pixels.0, extent.pixels.1)) / 16.0;
            [pixel(), pixel(), number(random.between(0, 30_000))]
        } else {
            let mut place = |limit: i32| number(random.between(-limit, limit)) / 1000.0;
            [place(extent.model), place(extent.model), place(extent.depth)]
        };
        frame(random, format, position, &mut bytes);
    }
    bytes
}

/// Generates a control point for a net with four columns, near the place for its index.
pub(super) fn control_point(random: &mut Random, format: VertexFormat, index: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut place = |at: u16| f32::from(at) / 2.5 - 0.7 + number(random.between(-150, 150)) / 1000.0;
    let position = [place(index % 4), place(index / 4 % 4), place(1)];
    frame(random, VertexFormat { frames: 1, ..format }, position, &mut bytes);
    bytes
}

/// Appends a morph frame: weights, texture coordinates, colour, normal, position.
fn frame(random: &mut Random, format: VertexFormat, position: [f32; 3], bytes: &mut Vec<u8>) {
    let start = bytes.len();
    let mut largest = 1;
    let mut component = |bytes: &mut Vec<u8>, size: usize, values: &[[u8; 4]]| {
        if size > 0 {
            largest = largest.max(size);
            while !(bytes.len() - start).is_multiple_of(size) {
                bytes.push(0);
            }
            bytes.extend(values.iter().flat_map(|value| &value[..size]));
        }
    };
    let size = |format: u32| [0, 1, 2, 4][format as usize % 4];
    let weights: Vec<[u8; 4]> = (0..if format.weight == 0 { 0 } else { format.weight_count })
        .map(|_| element(random, format.weight, (0, 1200)))
        .collect();
    component(bytes, size(format.weight), &weights);
    let range = if format.through { (-20_000, 200_000) } else { (-500, 2500) };
    let coordinates = [element(random, format.texcoord, range), element(random, format.texcoord, range)];
    component(bytes, size(format.texcoord), &coordinates);
    let color = random.bits().to_le_bytes();
    component(bytes, [0, 0, 0, 0, 2, 2, 2, 4][format.color as usize % 8], &[color]);
    let is_zero = random.once_in(5);
    let normal: Vec<[u8; 4]> = (0..3).map(|_| element(random, format.normal, (-1000, 1000))).collect();
    component(bytes, size(format.normal), if is_zero { &[[0; 4]; 3] } else { &normal });
    let position: Vec<[u8; 4]> = position.iter().map(|&value| coordinate(random, format, value)).collect();
    component(bytes, size(format.position), &position);
    while !(bytes.len() - start).is_multiple_of(largest) {
        bytes.push(0);
    }
}

/// Generates a number: a float in thousandths within the range, or any integer.
fn element(random: &mut Random, format: u32, range: (i32, i32)) -> [u8; 4] {
    if format == 3 {
        wide(random.between(range.0, range.1)).to_le_bytes()
    } else {
        random.bits().to_le_bytes()
    }
}

/// Converts thousandths to a float.
fn wide(thousandths: i32) -> f32 {
    number(thousandths / 1000) + number(thousandths % 1000) / 1000.0
}

/// Converts a position's coordinate to this format; integers are near the value only in through mode.
fn coordinate(random: &mut Random, format: VertexFormat, value: f32) -> [u8; 4] {
    match format.position {
        3 => value.to_le_bytes(),
        2 if format.through => {
            // Pixels are 16-bit integers, so this leaves no fraction.
            let pixel = (-2000..2048_i16).find(|pixel| f32::from(*pixel) >= value).unwrap_or(i16::MAX);
            let [low, high] = pixel.to_le_bytes();
            [low, high, 0, 0]
        }
        _ => random.bits().to_le_bytes(),
    }
}

fn number(value: i32) -> f32 {
    f32::from(i16::try_from(value).unwrap_or(i16::MAX))
}
