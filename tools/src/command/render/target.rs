//! Chooses files for an input's pictures.

use std::path::{Path, PathBuf};

use image::DynamicImage;
use pspge::export::animation::Animation;
use pspge::export::picture_file::{PictureFormat, PictureKind};
use pspge::export::png_compression::PngCompression;

use crate::job::Session;
use crate::output;
use crate::terminal::failure::Failure;

/// How many digits a picture's number has in a folder.
const DIGITS: usize = 4;

/// Where an input's pictures go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// To a file, which holds a sequence as an animation.
    File(PathBuf, Encoding),
    /// To a file for each picture in a sequence.
    Numbered(Numbered, Encoding),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encoding {
    format: PictureFormat,
    /// Used only for PNG files.
    compression: PngCompression,
}

/// A path with a number in its file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbered {
    folder: PathBuf,
    /// The file name before and after the number.
    name: [String; 2],
    /// How many digits the number has at least.
    digits: usize,
}

impl Target {
    /// Chooses a file for a single picture. A name without extension is a PNG file, and so is standard output.
    pub(super) fn of_picture(output: &Path, compression: Option<PngCompression>) -> Result<Self, Failure> {
        Ok(Self::File(output.to_owned(), Encoding::new(format_of(output)?, compression)?))
    }

    /// Chooses a place for a sequence: an animation, or for a name with a number such as `%04d` a file per picture.
    pub(super) fn of_sequence(output: &Path, compression: Option<PngCompression>) -> Result<Self, Failure> {
        let format = format_of(output)?;
        let encoding = Encoding::new(format, compression)?;
        if let Some(numbered) = Numbered::parse(output) {
            return Ok(Self::Numbered(numbered, encoding));
        }
        if !format.holds_several() {
            let problem = format_args!(
                "--output {}: a {format} file holds one picture; use .png, .apng, .webp, .gif, a folder, \
                 or a name with a number, such as out-%04d{format}",
                output.display()
            );
            return Err(Failure::usage(problem));
        }
        Ok(Self::File(output.to_owned(), encoding))
    }

    /// Puts a sequence into a folder, with a file per picture.
    pub(super) fn of_folder(
        folder: &Path,
        format: PictureFormat,
        compression: Option<PngCompression>,
    ) -> Result<Self, Failure> {
        let name = [String::new(), format.to_string()];
        let numbered = Numbered { folder: folder.to_owned(), name, digits: DIGITS };
        Ok(Self::Numbered(numbered, Encoding::new(format, compression)?))
    }

    pub(super) fn check(&self, kind: PictureKind) -> Result<(), Failure> {
        let (Self::File(_, encoding) | Self::Numbered(_, encoding)) = self;
        encoding.format.check(kind).map_err(|error| Failure::usage(format_args!("--output: {error}")))
    }

    pub(super) fn write(&self, picture: &DynamicImage, session: &mut Session) -> Result<(), Failure> {
        let (path, encoding) = match self {
            Self::File(path, encoding) => (path.clone(), encoding),
            Self::Numbered(numbered, encoding) => (numbered.path(0), encoding),
        };
        session.write(&path, &encoding.encode(picture, &path)?)
    }
}

/// Writes a sequence's pictures as they are drawn.
pub(super) struct SequenceWriter<'a> {
    target: &'a Target,
    animation: Option<Animation>,
}

impl<'a> SequenceWriter<'a> {
    /// Starts a sequence with `count` pictures, shown at `rate` per second.
    pub(super) fn new(target: &'a Target, count: usize, rate: f32) -> Result<Self, Failure> {
        let animation = match target {
            Target::File(_, encoding) => {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                Some(Animation::new(encoding.format, count, rate).with_compression(encoding.compression))
            }
            Target::Numbered(numbered, _) => {
                output::create_folder(&numbered.folder)?;
                None
            }
        };
        Ok(Self { target, animation })
    }

    pub(super) fn add(
        &mut self,
        number: u32,
        picture: &DynamicImage,
        session: &mut Session,
    ) -> Result<(), Failure> {
        match (self.target, &mut self.animation) {
            (Target::Numbered(numbered, encoding), _) => {
                let path = numbered.path(number);
                session.write(&path, &encoding.encode(picture, &path)?)
            }
            (Target::File(path, _), Some(animation)) => {
                animation.add(picture).map_err(|error| failed(path, &error.to_string()))
            }
            (Target::File(..), None) => Ok(()),
        }
    }

    /// Completes the sequence.
    pub(super) fn finish(self, session: &mut Session) -> Result<(), Failure> {
        match (self.target, self.animation) {
            (Target::File(path, _), Some(animation)) => {
                let bytes = animation.finish().map_err(|error| failed(path, &error.to_string()))?;
                session.write(path, &bytes)
            }
            _ => Ok(()),
        }
    }
}

impl Numbered {
    /// Finds `%d` or `%04d` in a file's name.
    fn parse(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let start = name.find('%')?;
        let (before, rest) = (name.get(..start)?, name.get(start + 1..)?);
        let (digits, after) = rest.split_once('d')?;
        let is_number = digits.is_empty() || digits.len() == 2 && digits.starts_with('0');
        let digits = if digits.is_empty() { 1 } else { digits.parse().ok().filter(|_| is_number)? };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Some(Self { folder, name: [before.to_owned(), after.to_owned()], digits })
    }

    fn path(&self, number: u32) -> PathBuf {
        let [before, after] = &self.name;
        self.folder.join(format!("{before}{number:0width$}{after}", width = self.digits))
    }
}

fn format_of(path: &Path) -> Result<PictureFormat, Failure> {
    match path.extension() {
        Some(extension) if path != Path::new("-") => {
            PictureFormat::from_extension(&extension.to_string_lossy())
                .map_err(|error| Failure::usage(format_args!("--output {}: {error}", path.display())))
        }
        _ => Ok(PictureFormat::Png),
    }
}

impl Encoding {
    /// Checks that this format has a compression, if the user gave it.
    fn new(format: PictureFormat, compression: Option<PngCompression>) -> Result<Self, Failure> {
        if compression.is_some() && !format.is_png() {
            let problem = format_args!("--compression is for PNG files, not for a {format} file");
            return Err(Failure::usage(problem));
        }
        Ok(Self { format, compression: compression.unwrap_or_default() })
    }

    fn encode(self, picture: &DynamicImage, path: &Path) -> Result<Vec<u8>, Failure> {
        self.format.encode_with(picture, self.compression).map_err(|error| failed(path, &error.to_string()))
    }
}

fn failed(path: &Path, problem: &str) -> Failure {
    Failure::file_problem(path.display(), "not-encodable", problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_of(output: &str, number: u32) -> Option<String> {
        let numbered = Numbered::parse(Path::new(output))?;
        Some(numbered.path(number).display().to_string().replace('\\', "/"))
    }

    #[test]
    fn numbers_replace_their_pattern() {
        assert_eq!(path_of("a/out-%04d.png", 12).as_deref(), Some("a/out-0012.png"), "four digits");
        assert_eq!(path_of("%d.webp", 12345).as_deref(), Some("12345.webp"), "as many as it takes");
        for plain in ["out.png", "100%.png", "%4d.png", "%x.png", "a%04d/out.png", "%0xd.png"] {
            assert_eq!(path_of(plain, 1), None, "{plain}");
        }
    }

    #[test]
    fn extensions_select_the_format() {
        let format = |output: &str| match Target::of_sequence(Path::new(output), None) {
            Ok(Target::File(_, encoding)) => Ok((false, encoding.format)),
            Ok(Target::Numbered(_, encoding)) => Ok((true, encoding.format)),
            Err(failure) => {
                Err(failure.as_error().map(|error| error.info.message.clone()).unwrap_or_default())
            }
        };
        assert_eq!(format("out.apng"), Ok((false, PictureFormat::Apng)), "an animation");
        assert_eq!(format("-"), Ok((false, PictureFormat::Png)), "standard output");
        assert_eq!(format("out"), Ok((false, PictureFormat::Png)), "no extension");
        assert_eq!(format("o-%02d.BMP"), Ok((true, PictureFormat::Bmp)), "numbered");
        assert!(
            format("out.bmp").is_err_and(|message| message.contains("out-%04d.bmp")),
            "one picture a file"
        );
        assert!(format("a.jpg").is_err_and(|message| message.contains(".png, .apng, .bmp")), "unknown");
    }
}
