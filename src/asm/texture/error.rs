//! The reasons why a picture cannot become a texture.

use crate::ge::registers::texture::TexelFormat;

/// The reason why a picture cannot become a texture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// The file is not a PNG picture, or a damaged one.
    #[error("not a PNG picture: {0}")]
    NotPng(String),
    /// The picture is larger than the Graphics Engine reaches.
    #[error("the picture has {width}x{height} pixels, but a texture has at most {limit} along each side")]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// The largest width and height.
        limit: u32,
    },
    /// A side of the picture is not a power of two.
    #[error(
        "the picture has {width}x{height} pixels, but the sides of a texture are powers of two; 'pad' adds transparent \
         pixels"
    )]
    NotPowerOfTwo {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// More smaller levels are wanted than the size allows.
    #[error("a texture of {width}x{height} texels has at most {most} smaller levels, not {given}")]
    TooManyLevels {
        /// Width of the largest level.
        width: u32,
        /// Height of the largest level.
        height: u32,
        /// The number given.
        given: u8,
        /// The largest number allowed.
        most: u8,
    },
    /// The picture has more colours than the palette.
    #[error("the picture has {colors} colours, but {format} has {limit}; 'quantize' reduces them")]
    TooManyColors {
        /// The number of colours of the picture in the format of the palette.
        colors: usize,
        /// The largest number of colours.
        limit: usize,
        /// The texel format.
        format: TexelFormat,
    },
    /// The palette of another texture lacks colours of the picture.
    #[error(
        "{missing} colours of the picture are not in the palette of '{label}'; 'quantize' takes similar ones"
    )]
    MissingColors {
        /// The number of missing colours.
        missing: usize,
        /// Label of the other texture.
        label: String,
    },
    /// An option for palettes, with a format that has none.
    #[error("{0} has no palette")]
    NoPalette(TexelFormat),
    /// `swizzled` with a compressed format.
    #[error("{0} is not swizzled: its blocks have one order only")]
    NotSwizzled(TexelFormat),
}
