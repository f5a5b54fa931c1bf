//! Builds GIM files for tests.

/// Writes numbers in either byte order.
#[derive(Clone, Copy)]
pub(super) struct Order {
    pub(super) is_big: bool,
}

pub(super) const LITTLE: Order = Order { is_big: false };
pub(super) const BIG: Order = Order { is_big: true };

impl Order {
    pub(super) fn half(self, value: u16) -> [u8; 2] {
        if self.is_big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub(super) fn word(self, value: u32) -> [u8; 4] {
        if self.is_big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    /// Builds a chunk, with its data padded to 4 bytes.
    pub(super) fn chunk(self, kind: u16, data: &[u8], children: &[Vec<u8>]) -> Vec<u8> {
        let mut data = data.to_vec();
        data.resize(data.len().next_multiple_of(4), 0);
        let child = 16 + data.len();
        let size = child + children.iter().map(Vec::len).sum::<usize>();
        let number = |value: usize| self.word(u32::try_from(value).expect("small"));
        let head = [&self.half(kind)[..], &[0; 2], &number(size), &number(child), &number(16)].concat();
        [head, data, children.concat()].concat()
    }

    /// Builds a file from pictures, each a list of chunks.
    pub(super) fn file(self, pictures: &[Vec<Vec<u8>>]) -> Vec<u8> {
        let mut children: Vec<Vec<u8>> = pictures.iter().map(|chunks| self.chunk(3, &[], chunks)).collect();
        children.push(self.chunk(0xFF, b"a.tga\0me\0now\0pspge\0", &[]));
        let magic: &[u8; 12] = if self.is_big { b".GIM1.00\0PSP" } else { b"MIG.00.1PSP\0" };
        [&magic[..], &[0; 4], &self.chunk(2, &[], &children)].concat()
    }
}

/// An image or a palette to build.
#[derive(Clone)]
pub(super) struct Image {
    pub(super) order: Order,
    pub(super) format: u16,
    pub(super) is_swizzled: bool,
    pub(super) size: [u16; 2],
    pub(super) align: [u16; 2],
    pub(super) plane_mask: u32,
    pub(super) level_type: u16,
    pub(super) levels: u16,
    /// Pixels by frame, then level, as in the file.
    pub(super) data: Vec<Vec<u8>>,
}

impl Image {
    /// Builds an image with a single level and frame, and no padding at row ends.
    pub(super) fn new(format: u16, size: [u16; 2], data: Vec<u8>) -> Self {
        let align = if (8..=10).contains(&format) { [4, 4] } else { [16, 1] };
        Self {
            order: LITTLE,
            format,
            is_swizzled: false,
            size,
            align,
            plane_mask: 0,
            level_type: 1,
            levels: 1,
            data: vec![data],
        }
    }

    /// Returns the chunk for an image (4) or a palette (5).
    pub(super) fn chunk(&self, kind: u16) -> Vec<u8> {
        self.order.chunk(kind, &self.bytes(), &[])
    }

    fn bytes(&self) -> Vec<u8> {
        let Self { order, format, .. } = self;
        let bits = match format {
            4 | 8 => 4,
            5 | 9 | 10 => 8,
            3 | 7 => 32,
            _ => 16,
        };
        let frames = u16::try_from(self.data.len()).expect("few") / self.levels.max(1);
        let table = 4 * self.data.len();
        let start = (0x30 + table).next_multiple_of(16);
        let mut offsets = Vec::new();
        let mut pixels = Vec::new();
        for level in &self.data {
            offsets.extend(order.word(u32::try_from(start + pixels.len()).expect("small")));
            pixels.extend_from_slice(level);
            pixels.resize(pixels.len().next_multiple_of(16), 0);
        }
        offsets.resize(start - 0x30, 0);
        let total = start + pixels.len();
        let halves = [0x30, 0, *format, u16::from(self.is_swizzled), self.size[0], self.size[1], bits];
        let mut out: Vec<u8> = halves.into_iter().flat_map(|half| order.half(half)).collect();
        out.extend([self.align[0], self.align[1], 2, 0, 0].into_iter().flat_map(|half| order.half(half)));
        let number = |value: usize| u32::try_from(value).expect("small");
        for word in [0x30, number(start), number(total), self.plane_mask] {
            out.extend(order.word(word));
        }
        let kinds = [self.level_type, self.levels, 3, frames];
        out.extend(kinds.into_iter().flat_map(|half| order.half(half)));
        [out, offsets, pixels].concat()
    }
}

/// Builds a palette in format 8888.
pub(super) fn palette(colors: &[[u8; 4]]) -> Image {
    let count = u16::try_from(colors.len()).expect("few");
    Image { level_type: 2, ..Image::new(3, [count, 1], colors.concat()) }
}

/// Returns shades that can be told apart.
pub(super) fn shades(count: u8) -> Vec<[u8; 4]> {
    (0..count).map(|shade| [shade, 255 - shade, shade.wrapping_mul(7), 200]).collect()
}

/// Swizzles rows: moves 16-byte units into tiles of 8 rows.
pub(super) fn swizzled(rows: &[u8], pitch: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for band in rows.chunks(pitch * 8) {
        for x in (0..pitch).step_by(16) {
            for y in 0..8 {
                out.extend_from_slice(&band[y * pitch + x..y * pitch + x + 16]);
            }
        }
    }
    out
}

/// Builds a sequence's data from parameters with a value, and functions with interpolation and keys.
pub(super) fn sequence(
    [start, end, repeats]: [u16; 3],
    constants: &[(u16, i16)],
    functions: &[(u16, u16, &[i16])],
) -> Vec<u8> {
    let half = |value: u16| value.to_le_bytes();
    let number = |value: usize| u32::try_from(value).expect("small").to_le_bytes();
    let keys_start = 0x20 + 4 * constants.len() + 8 * functions.len();
    let keys_total: usize = functions.iter().map(|(_, _, keys)| keys.len() * 2).sum();
    let counts = [constants.len(), functions.len()].map(|count| u16::try_from(count).expect("few"));
    let mut out: Vec<u8> =
        [0x20, 0, start, end, 1, repeats, counts[0], counts[1]].into_iter().flat_map(half).collect();
    for offset in
        [0x20, 0x20 + 4 * constants.len(), keys_start, (keys_start + keys_total).next_multiple_of(4)]
    {
        out.extend(number(offset));
    }
    for (parameter, value) in constants {
        out.extend(half(*parameter));
        out.extend(value.to_le_bytes());
    }
    let mut at = keys_start;
    for (parameter, interpolation, keys) in functions {
        out.extend([half(*parameter), half(*interpolation)].concat());
        out.extend(number(at));
        at += keys.len() * 2;
    }
    for (_, _, keys) in functions {
        out.extend(keys.iter().flat_map(|key| key.to_le_bytes()));
    }
    out
}
