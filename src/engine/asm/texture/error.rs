//! Tells why a picture cannot become a texture.

use crate::ge::registers::texture::TexelFormat;

/// Why a picture cannot become a texture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// The file is not a PNG picture, or damaged.
    #[error("not a PNG picture: {0}")]
    NotPng(String),
    /// The library was built without the feature `pictures`.
    #[error("this program was built without the reader of pictures")]
    NoReader,
    /// The picture is larger than the Graphics Engine can address.
    #[error("the picture has {width}x{height} pixels, but a texture has at most {limit} along each side")]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// The largest width and height.
        limit: u32,
    },
    /// A side is not a power of two.
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
    /// This size allows fewer smaller levels.
    #[error("a texture of {width}x{height} texels has at most {most} smaller levels, not {given}")]
    TooManyLevels {
        /// Width of the largest level.
        width: u32,
        /// Height of the largest level.
        height: u32,
        /// The number of levels given.
        given: u8,
        /// The most levels allowed.
        most: u8,
    },
    /// The picture has more colours than the palette.
    #[error("the picture has {colors} colours, but {format} has {limit}; 'quantize' reduces them")]
    TooManyColors {
        /// How many colours the picture has in the palette's format.
        colors: usize,
        /// How many colours are allowed.
        limit: usize,
        /// The texel format.
        format: TexelFormat,
    },
    /// Another texture's palette lacks colours in the picture.
    #[error(
        "{missing} colours of the picture are not in the palette of '{label}'; 'quantize' takes similar ones"
    )]
    MissingColors {
        /// How many colours are missing.
        missing: usize,
        /// The other texture's label.
        label: String,
    },
    /// An option for palettes is given, but this format has none.
    #[error("{0} has no palette")]
    NoPalette(TexelFormat),
    /// `swizzled` is given with a compressed format.
    #[error("{0} is not swizzled: its blocks have one order only")]
    NotSwizzled(TexelFormat),
}
