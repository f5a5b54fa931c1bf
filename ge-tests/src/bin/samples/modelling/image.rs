//! Holds RGBA images, and converts them to the GE's formats: palettes, packed texels, swizzling.
//!
//! Source: [texel formats](pspge::reference::ge::textures#texel-formats),
//! [swizzling](pspge::reference::ge::textures#swizzling).

use super::maths::byte;

/// An RGBA image, row by row from the top.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) texels: Vec<[u8; 4]>,
}

/// A texture packed for the GE.
#[derive(Debug)]
pub(crate) struct PackedTexture {
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// The texel format's number, as in TEXFORMAT.
    pub(crate) format: u32,
    /// Swizzled texels.
    pub(crate) texels: Vec<u8>,
    /// Colours in format 8888; empty for direct formats.
    pub(crate) palette: Vec<[u8; 4]>,
}

impl Image {
    /// Creates an image by calling a function for each texel's x and y.
    pub(crate) fn new(width: u16, height: u16, texel: impl Fn(u16, u16) -> [u8; 4]) -> Self {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Self { width, height, texels: places.map(|(x, y)| texel(x, y)).collect() }
    }

    /// Converts to 256 colours with a byte per texel (format 5).
    pub(crate) fn to_clut8(&self) -> PackedTexture {
        let palette = self.palette(256);
        let texels: Vec<u8> = self.indices(&palette, 0);
        self.texture(5, swizzle(&texels, self.width.into()), palette)
    }

    /// Converts to 16 colours with four bits per texel, the left texel in the low bits (format 4).
    pub(crate) fn to_clut4(&self) -> PackedTexture {
        let palette = self.palette(16);
        let indices = self.indices(&palette, 22);
        let texels: Vec<u8> = indices.chunks_exact(2).map(|pair| pair[0] | pair[1] << 4).collect();
        self.texture(4, swizzle(&texels, usize::from(self.width) / 2), palette)
    }

    /// Converts to 4 bits per channel (format 2).
    pub(crate) fn to_4444(&self) -> PackedTexture {
        let pack = |[red, green, blue, alpha]: [u8; 4]| [red >> 4 | green & 0xF0, blue >> 4 | alpha & 0xF0];
        self.direct(2, pack)
    }

    /// Converts to 5, 6 and 5 bits per channel (format 0).
    pub(crate) fn to_5650(&self) -> PackedTexture {
        let pack = |[red, green, blue, _]: [u8; 4]| {
            let texel = u16::from(red >> 3) | u16::from(green >> 2) << 5 | u16::from(blue >> 3) << 11;
            texel.to_le_bytes()
        };
        self.direct(0, pack)
    }

    fn direct(&self, format: u32, pack: impl Fn([u8; 4]) -> [u8; 2]) -> PackedTexture {
        let texels: Vec<u8> = self.texels.iter().flat_map(|texel| pack(*texel)).collect();
        self.texture(format, swizzle(&texels, usize::from(self.width) * 2), Vec::new())
    }

    fn texture(&self, format: u32, texels: Vec<u8>, palette: Vec<[u8; 4]>) -> PackedTexture {
        PackedTexture { width: self.width, height: self.height, format, texels, palette }
    }

    /// Quantises the image to at most `max_colors` colours by median cut. If the image has transparent texels, the
    /// first entry is transparent. This entry keeps their RGB, so that filtering at an edge does not darken it.
    fn palette(&self, max_colors: usize) -> Vec<[u8; 4]> {
        let mut opaque: Vec<[u8; 4]> = self.texels.iter().copied().filter(|texel| texel[3] >= 128).collect();
        opaque.sort_unstable();
        let transparent: Vec<[u8; 4]> = self.texels.iter().copied().filter(|texel| texel[3] < 128).collect();
        let mut palette = Vec::new();
        if let Some(&[red, green, blue, _]) = transparent.first() {
            palette.push([red, green, blue, 0]);
        }
        let mut boxes = vec![ColorBox::new(opaque)];
        while boxes.len() + palette.len() < max_colors {
            let most_to_gain = (0..boxes.len()).max_by_key(|index| (boxes[*index].gain, usize::MAX - index));
            let Some(upper) = most_to_gain.and_then(|index| boxes[index].split()) else { break };
            boxes.push(upper);
        }
        palette.extend(boxes.iter().map(ColorBox::average));
        palette.resize(max_colors, [0, 0, 0, 255]);
        palette
    }

    /// Returns each texel's nearest palette entry. `dither_height` is the ordered dither's amplitude, in 255ths.
    fn indices(&self, palette: &[[u8; 4]], dither_height: i32) -> Vec<u8> {
        const ORDER: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
        let width = usize::from(self.width);
        let nearest = |(place, texel): (usize, &[u8; 4])| {
            let offset = (ORDER[place / width % 4][place % 4] * 2 - 15) * dither_height / 32;
            let distance = |entry: &[u8; 4]| -> i32 {
                let channel = |channel: usize| {
                    let apart = i32::from(texel[channel]) + offset - i32::from(entry[channel]);
                    apart * apart
                };
                let alpha = i32::from((texel[3] >= 128) != (entry[3] >= 128));
                channel(0) * 3 + channel(1) * 4 + channel(2) * 2 + alpha * 10_000_000
            };
            let best = (0..palette.len()).min_by_key(|index| distance(&palette[*index])).unwrap_or_default();
            u8::try_from(best).unwrap_or_default()
        };
        self.texels.iter().enumerate().map(nearest).collect()
    }
}

/// Colours that share a palette entry.
struct ColorBox {
    colors: Vec<[u8; 4]>,
    /// The channel with the largest range.
    channel: usize,
    /// How much a split helps: the range, weighted by the number of texels.
    gain: usize,
}

impl ColorBox {
    fn new(colors: Vec<[u8; 4]>) -> Self {
        let width = |channel: usize| {
            let values = || colors.iter().map(|color| usize::from(color[channel]));
            values().max().unwrap_or_default() - values().min().unwrap_or_default()
        };
        let [red, green, blue] = [width(0), width(1), width(2)];
        let width = red.max(green).max(blue);
        let channel = [red, green, blue].iter().position(|own| *own == width).unwrap_or_default();
        let gain = width * (1 + colors.len().isqrt());
        Self { colors, channel, gain }
    }

    /// Keeps the lower half and returns the upper half. Equal colours stay together, so this returns `None` if all
    /// colours are equal.
    fn split(&mut self) -> Option<Self> {
        if self.gain == 0 {
            return None;
        }
        let channel = self.channel;
        let mut colors = std::mem::take(&mut self.colors);
        colors.sort_unstable_by_key(|color| (color[channel], *color));
        let middle = colors[colors.len() / 2][channel];
        let below = colors.partition_point(|color| color[channel] < middle);
        let cut = if below > 0 { below } else { colors.partition_point(|color| color[channel] <= middle) };
        let upper = colors.split_off(cut);
        *self = Self::new(colors);
        Some(Self::new(upper))
    }

    fn average(&self) -> [u8; 4] {
        let mean = |channel: usize| {
            let add = |(sum, count), color: &[u8; 4]| (sum + f64::from(color[channel]), count + 1.0);
            let (sum, count) = self.colors.iter().fold((0.0, 0.0), add);
            byte(sum / (255.0 * f64::max(count, 1.0)))
        };
        [mean(0), mean(1), mean(2), 255]
    }
}

/// Reorders rows with `pitch` bytes into blocks with 16 bytes by 8 rows.
pub(crate) fn swizzle(rows: &[u8], pitch: usize) -> Vec<u8> {
    let mut blocks = Vec::with_capacity(rows.len());
    for band in rows.chunks(pitch * 8) {
        for column in (0..pitch).step_by(16) {
            for row in band.chunks(pitch) {
                blocks.extend_from_slice(&row[column..column + 16]);
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swizzling_stores_blocks_one_after_the_other() {
        let rows: Vec<u8> = (0..=255).collect();
        let blocks = swizzle(&rows, 32);
        assert_eq!(blocks[16], 32, "the second row of the first block");
        assert_eq!(blocks[128], 16, "the first row of the second block");
    }

    #[test]
    fn keeps_few_colors_exactly() {
        let image = Image::new(32, 8, |x, _| if x < 4 { [9, 8, 7, 0] } else { [200, 100, 50, 255] });
        let texture = image.to_clut4();
        assert_eq!(texture.palette[0], [9, 8, 7, 0], "the transparent entry");
        assert_eq!(texture.palette[1], [200, 100, 50, 255], "the only other colour");
        assert_eq!(texture.texels[..3], [0, 0, 0x11], "two texels a byte");
    }
}
