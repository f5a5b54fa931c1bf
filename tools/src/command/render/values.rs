//! Values for the options of `render`.

use std::str::FromStr;

use pspge::export::picture_file::{PictureFormat, PictureKind};
use pspge::export::png_compression::PngCompression;
use pspge::ge::capture::SCREEN;
use pspge::scene::frame::FrameBuffer;
use pspge::scene::render::ModelRenderer;
use pspge::scene::render_target::SIZE_MAX;

/// A buffer to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Buffer {
    /// The buffer that the display shows; the draw buffer if there is none
    Display,
    /// The buffer that draws write to
    Color,
    /// The depth buffer
    Depth,
    /// The alpha channel of the draw buffer
    Stencil,
}

impl Buffer {
    pub(super) const fn of_frame(self) -> FrameBuffer {
        match self {
            Self::Display => FrameBuffer::Display,
            Self::Color => FrameBuffer::Color,
            Self::Depth => FrameBuffer::Depth,
            Self::Stencil => FrameBuffer::Stencil,
        }
    }

    /// Returns the picture kind for this buffer, without an alpha channel.
    pub(super) const fn kind(self) -> PictureKind {
        match self {
            Self::Display | Self::Color => PictureKind::Color,
            Self::Depth => PictureKind::Gray16,
            Self::Stencil => PictureKind::Gray8,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Size {
    /// The PSP's screen.
    pub(crate) const SCREEN: Self = Self { width: SCREEN[0], height: SCREEN[1] };
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.parse().ok().filter(|size| (1..=SIZE_MAX).contains(size));
        let parts = text.split_once(['x', 'X']);
        parts
            .and_then(|(width, height)| Some(Self { width: number(width)?, height: number(height)? }))
            .ok_or_else(|| format!("expected WIDTHxHEIGHT, each from 1 to {SIZE_MAX}, such as 480x272"))
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A background colour as red, green, blue, alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Background {
    pub(crate) color: [u8; 4],
    pub(crate) has_alpha: bool,
}

impl Default for Background {
    fn default() -> Self {
        Self { color: ModelRenderer::BACKGROUND, has_alpha: false }
    }
}

impl FromStr for Background {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        let has_alpha = digits.len() == 8;
        let valid = (has_alpha || digits.len() == 6) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| valid);
        let value = value.ok_or("expected six or eight hexadecimal digits, such as ff8000")?;
        let color = if has_alpha { value } else { value << 8 | 0xFF }.to_be_bytes();
        Ok(Self { color, has_alpha })
    }
}

/// How hard to compress PNG files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Compression {
    /// Not at all
    None,
    /// In a few milliseconds
    Fast,
    /// In several times as long, mostly to smaller files
    Balanced,
    /// To the smallest files, in much longer again
    Best,
}

impl From<Compression> for PngCompression {
    fn from(compression: Compression) -> Self {
        match compression {
            Compression::None => Self::None,
            Compression::Fast => Self::Fast,
            Compression::Balanced => Self::Balanced,
            Compression::Best => Self::Best,
        }
    }
}

pub(super) fn picture_format(text: &str) -> Result<PictureFormat, String> {
    PictureFormat::from_extension(text.trim_start_matches('.')).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_colors_parse() {
        assert_eq!("480x272".parse(), Ok(Size::SCREEN), "the screen");
        for wrong in ["480", "0x5", "5x4097", "x", "-1x5"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
        assert_eq!(
            "ff8000".parse(),
            Ok(Background { color: [255, 128, 0, 255], has_alpha: false }),
            "opaque"
        );
        assert_eq!("#00000000".parse(), Ok(Background { color: [0; 4], has_alpha: true }), "transparent");
        for wrong in ["ff80", "gg8000", "+12345", "ff80001"] {
            assert!(wrong.parse::<Background>().is_err(), "{wrong}");
        }
    }
}
