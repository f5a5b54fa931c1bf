//! Writes GIM pictures.
//!
//! Source: [GIM](pspge::reference::formats::psp_sdk#gim-header).

use crate::bytes::{pad, put_u16, put_u32};

/// A picture: an image, a palette for indexed images, and the keys of a sequence.
pub(crate) struct Picture {
    pub(crate) image: Image,
    pub(crate) palette: Option<Image>,
    pub(crate) sequence: Option<Sequence>,
}

/// An image or a palette.
pub(crate) struct Image {
    /// The format number, as in TEXFORMAT.
    pub(crate) format: usize,
    pub(crate) is_swizzled: bool,
    pub(crate) size: [u16; 2],
    /// How many mip levels each frame has.
    pub(crate) levels: usize,
    /// The pixels for each level in each frame.
    pub(crate) data: Vec<Vec<u8>>,
}

/// Parameters that change over time, each from a value to another.
pub(crate) struct Sequence {
    /// How many frames until this sequence starts again.
    pub(crate) length: u16,
    pub(crate) ramps: Vec<(u16, [i16; 2])>,
}

/// Builds a palette with 16 bits per colour in format 1 (5551) or 2 (4444), or 32 bits in format 3. Each list of
/// colours is a frame.
pub(crate) fn palette(format: usize, frames: &[Vec<[u8; 4]>]) -> Image {
    let width = frames.first().map_or(0, Vec::len);
    let pack = |[red, green, blue, alpha]: [u8; 4]| match format {
        1 => {
            let [r, g, b, a] = [red >> 3, green >> 3, blue >> 3, alpha >> 7].map(u16::from);
            (r | g << 5 | b << 10 | a << 15).to_le_bytes().to_vec()
        }
        2 => vec![red >> 4 | green & 0xF0, blue >> 4 | alpha & 0xF0],
        _ => vec![red, green, blue, alpha],
    };
    let data = frames.iter().map(|colors| colors.iter().flat_map(|color| pack(*color)).collect()).collect();
    Image { format, is_swizzled: false, size: [u16::try_from(width).unwrap_or(u16::MAX), 1], levels: 1, data }
}

/// Writes a file.
pub(crate) fn write(pictures: &[Picture]) -> Vec<u8> {
    let mut children: Vec<u8> = Vec::new();
    for picture in pictures {
        let mut inner = Vec::new();
        if let Some(palette) = &picture.palette {
            inner.extend(chunk(5, &palette.bytes(true), &[]));
        }
        inner.extend(chunk(4, &picture.image.bytes(false), &[]));
        if let Some(sequence) = &picture.sequence {
            inner.extend(chunk(6, &sequence.bytes(), &[]));
        }
        children.extend(chunk(3, &[], &inner));
    }
    children.extend(chunk(0xFF, b"candle\0pspge\0\0samples\0", &[]));
    let mut out = b"MIG.00.1PSP\0\0\0\0\0".to_vec();
    out.extend(chunk(2, &[], &children));
    out
}

fn chunk(kind: usize, data: &[u8], children: &[u8]) -> Vec<u8> {
    let mut data = data.to_vec();
    pad(&mut data, 4);
    let mut out = Vec::new();
    put_u16(&mut out, kind);
    put_u16(&mut out, 0);
    put_u32(&mut out, 16 + data.len() + children.len());
    put_u32(&mut out, 16 + data.len());
    put_u32(&mut out, 16);
    out.extend(data);
    out.extend(children);
    out
}

impl Image {
    fn bytes(&self, is_palette: bool) -> Vec<u8> {
        let is_compressed = self.format >= 8;
        let bits = match self.format {
            4 | 8 => 4,
            5 | 9 | 10 => 8,
            3 | 7 => 32,
            _ => 16,
        };
        let start = (0x30 + self.data.len() * 4).next_multiple_of(16);
        let (mut offsets, mut pixels) = (Vec::new(), Vec::new());
        for level in &self.data {
            put_u32(&mut offsets, start + pixels.len());
            pixels.extend(level);
            pad(&mut pixels, 16);
        }
        let mut out = Vec::new();
        let align = match (is_compressed, self.is_swizzled) {
            (true, _) => [4, 4],
            (false, true) => [16, 8],
            (false, false) => [16, 1],
        };
        let [width, height] = self.size.map(usize::from);
        for half in [0x30, 0, self.format, self.is_swizzled.into(), width, height, bits, align[0], align[1]] {
            put_u16(&mut out, half);
        }
        [2, 0, 0].into_iter().for_each(|half| put_u16(&mut out, half));
        [0x30, start, start + pixels.len(), 0].into_iter().for_each(|word| put_u32(&mut out, word));
        let level_type = if is_palette { 2 } else { 1 };
        for half in [level_type, self.levels, 3, self.data.len() / self.levels.max(1)] {
            put_u16(&mut out, half);
        }
        out.extend(offsets);
        pad(&mut out, 16);
        out.extend(pixels);
        out
    }
}

impl Sequence {
    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let count = self.ramps.len();
        for half in [0x20, 0, 0, self.length.into(), 1, 1, 0, count] {
            put_u16(&mut out, half);
        }
        let keys = 0x20 + count * 8;
        [0x20, 0x20, keys, keys + count * 8].into_iter().for_each(|word| put_u32(&mut out, word));
        for (number, (parameter, _)) in self.ramps.iter().enumerate() {
            [usize::from(*parameter), 1].into_iter().for_each(|half| put_u16(&mut out, half));
            put_u32(&mut out, keys + number * 8);
        }
        for (_, [from, to]) in &self.ramps {
            put_u16(&mut out, self.length.into());
            out.extend(from.to_le_bytes());
            out.extend(0_i16.to_le_bytes());
            out.extend(to.to_le_bytes());
        }
        out
    }
}
