//! Locates a history's pixel: a place in a buffer, and the bytes there.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::ge::address::{Address, Region, VRAM_BASE, VramView};
use crate::ge::capture::Display;
use crate::ge::color;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::registers::texture::PixelFormat;
use crate::pipeline::framebuffer::{COORDINATES, ColorSurface};
use crate::raster::WatchedPixel;

/// How many bytes a VRAM view has. Eight views follow each other.
const VIEW_BYTES: u32 = 0x20_0000;

/// A buffer to draw pixels to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TargetInfo"))]
pub struct PixelTarget {
    /// Address of the upper left pixel.
    pub address: Address,
    /// How far apart rows start, in pixels.
    pub stride: u32,
    /// How its pixels are stored.
    pub format: PixelFormat,
}

impl From<Display> for PixelTarget {
    fn from(Display { address, stride, format }: Display) -> Self {
        Self { address, stride, format }
    }
}

impl From<ColorSurface> for PixelTarget {
    fn from(ColorSurface { address, stride, format }: ColorSurface) -> Self {
        Self { address: Address::vram(address), stride, format }
    }
}

impl fmt::Display for PixelTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} pixels a row, {}", self.address, self.stride, self.format)
    }
}

impl PixelTarget {
    /// Returns this buffer as registers would select it; `None` if no draw can have it.
    pub(crate) fn surface(&self) -> Option<ColorSurface> {
        match self.address.region() {
            Region::Vram(VramView::Linear, address) => {
                Some(ColorSurface { address, stride: self.stride, format: self.format })
            }
            _ => None,
        }
    }
}

/// Names a buffer as users do: by an address, or by an address with pixels per row and their format.
///
/// ```
/// use pspge::debug::pixel::target::TargetName;
///
/// let name: TargetName = "0x04088000".parse()?;
/// assert_eq!(name.shape, None);
/// let name: TargetName = "0x04088000,512,BGR5650".parse()?;
/// assert_eq!(name.shape.map(|(stride, _)| stride), Some(512));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetName {
    /// The upper left pixel's address.
    pub address: Address,
    /// How far apart rows start, in pixels, and the pixels' format; `None` to take both from the last draw
    /// there.
    pub shape: Option<(u32, PixelFormat)>,
}

impl From<PixelTarget> for TargetName {
    fn from(PixelTarget { address, stride, format }: PixelTarget) -> Self {
        Self { address, shape: Some((stride, format)) }
    }
}

impl FromStr for TargetName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong =
            || "expected ADDRESS or ADDRESS,STRIDE,FORMAT, such as 0x04000000,512,ABGR8888".to_owned();
        let number = |text: &str| match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        let mut parts = text.split(',').map(str::trim);
        // A small number is an offset in VRAM, as registers hold it.
        let address = parts.next().and_then(number).ok_or_else(wrong)?;
        let address = if address < VIEW_BYTES { Address::vram(address) } else { Address::new(address) };
        let shape = match (parts.next(), parts.next(), parts.next()) {
            (None, ..) => None,
            (Some(stride), Some(name), None) => {
                let stride = number(stride).ok_or_else(wrong)?;
                let known = (0..4).map(PixelFormat::from_number).find(|format| format.name() == Some(name));
                let unknown =
                    || format!("no format {name:?}: expected BGR5650, ABGR5551, ABGR4444 or ABGR8888");
                Some((stride, known.ok_or_else(unknown)?))
            }
            _ => return Err(wrong()),
        };
        Ok(Self { address, shape })
    }
}

/// Tells why a buffer has no such pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PixelTargetError {
    /// The column or row is outside the buffer.
    #[error("no pixel {x},{y}: the buffer has columns 0 to {} and rows 0 to {}", .columns.saturating_sub(1), .rows.saturating_sub(1))]
    Outside {
        /// The column asked for.
        x: u32,
        /// The row asked for.
        y: u32,
        /// How many columns the buffer has.
        columns: u32,
        /// How many rows the buffer has.
        rows: u32,
    },
    /// The buffer's rows have no pixels, because the run has not set it up.
    #[error("the run sets up no framebuffer")]
    NoBuffer,
    /// No draw in this run has this colour buffer.
    #[error("no draw has its colour buffer at {0}; name its row length and format, too")]
    NotDrawn(Address),
    /// The pixel is at an address without memory.
    #[error("no memory at {0}")]
    Unmapped(Address),
}

/// A pixel's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PixelBytes {
    /// The first byte's address.
    pub(crate) address: Address,
    /// How many bytes there are: 2 or 4.
    pub(crate) length: u32,
}

impl PixelBytes {
    /// Locates a pixel's bytes.
    ///
    /// # Errors
    /// If the buffer has no such pixel.
    pub(crate) fn new(
        target: PixelTarget,
        [x, y]: [u32; 2],
        memory: &Memory,
    ) -> Result<Self, PixelTargetError> {
        let length = color::bytes(target.format);
        if target.stride == 0 {
            return Err(PixelTargetError::NoBuffer);
        }
        let (columns, rows) = (target.stride.min(COORDINATES), COORDINATES);
        if x >= columns || y >= rows {
            return Err(PixelTargetError::Outside { x, y, columns, rows });
        }
        let pixel = y.saturating_mul(target.stride).saturating_add(x);
        let address = target.address.offset(pixel.wrapping_mul(length));
        if !memory.is_mapped(address, length) {
            return Err(PixelTargetError::Unmapped(address));
        }
        Ok(Self { address, length })
    }

    /// Reads this pixel's bytes as a little-endian number.
    pub(crate) fn read(self, memory: &Memory) -> u32 {
        if self.length == 2 { memory.read_u16(self.address).into() } else { memory.read_u32(self.address) }
    }

    /// Returns the bytes in VRAM; `None` in other memory, because draws never write there.
    pub(crate) fn in_vram(self, translation: Translation) -> Option<WatchedPixel> {
        match self.address.region() {
            Region::Vram(view, offset) => {
                Some(WatchedPixel { offset: translation.to_linear(view, offset), length: self.length })
            }
            _ => None,
        }
    }

    /// Lists the first byte's addresses: VRAM has an address for it in each view.
    pub(crate) fn aliases(self, translation: Translation) -> impl Iterator<Item = Address> {
        let linear = self.in_vram(translation).map(|pixel| pixel.offset);
        let in_view = move |number: u32| {
            let start = Address::new(VRAM_BASE.saturating_add(number * VIEW_BYTES));
            match (linear, start.region()) {
                (Some(linear), Region::Vram(view, _)) => {
                    Some(start.offset(translation.from_linear(view, linear)))
                }
                _ => None,
            }
        };
        let elsewhere = linear.is_none().then_some(self.address);
        elsewhere.into_iter().chain((0..8).filter_map(in_view))
    }

    /// Returns the first byte's offset in an address range that holds some of this pixel's bytes. The offset is
    /// negative if the range starts later. Returns `None` if the range holds none of the bytes.
    pub(crate) fn place_in(self, start: Address, length: u32, translation: Translation) -> Option<i64> {
        self.aliases(translation)
            .map(|alias| i64::from(alias.get()) - i64::from(start.get()))
            .find(|place| *place < i64::from(length) && place + i64::from(self.length) > 0)
    }
}
