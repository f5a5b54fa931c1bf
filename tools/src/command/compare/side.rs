//! Opens a side of a comparison: a picture, or something to draw.

use std::path::Path;

use pspge::Asset;
use pspge::compare::{self, CompareError, PictureError, PictureFile, RenderError, Side};

use crate::input::files;
use crate::input::name::InputName;
use crate::input::options::OpenOptions;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// A side of a comparison.
pub(super) struct Opening {
    pub(super) name: String,
    pub(super) format: String,
    pub(super) content: SideContent,
    pub(super) notes: Notes,
}

pub(super) enum SideContent {
    Picture(compare::Picture),
    /// A model, frame dump or list.
    Drawable(Box<Asset>),
    /// A file that this cannot compare.
    Other,
}

impl Opening {
    /// Reads an input. A file that starts like a picture is read as such, unless the user names a member in it.
    pub(super) fn new(name: &str, options: &OpenOptions) -> Result<Self, Failure> {
        let InputName { path, member } = InputName::parse(name);
        let bytes = files::read(Path::new(path))?;
        // In a batch, an ignored option is no error; here it may serve the other side alone.
        let mut notes = Notes::of_batch();
        if member.is_none() && compare::is_picture(path, &bytes) {
            let PictureFile { picture, format, notes: file_notes, .. } = read_picture(name, &bytes)?;
            for note in file_notes {
                notes.list.add("picture-left-out", note);
            }
            let content = SideContent::Picture(picture);
            return Ok(Self { name: name.to_owned(), format: format.to_owned(), content, notes });
        }
        let (asset, _) = options.open(name, Some(bytes), &mut notes)?;
        let format = asset.format().to_owned();
        let content =
            if asset.is_drawable() { SideContent::Drawable(Box::new(asset)) } else { SideContent::Other };
        Ok(Self { name: name.to_owned(), format, content, notes })
    }

    /// Returns the asset, if this side has to be drawn.
    pub(super) fn asset(&self) -> Option<&Asset> {
        match &self.content {
            SideContent::Drawable(asset) => Some(asset),
            SideContent::Picture(_) | SideContent::Other => None,
        }
    }
}

impl SideContent {
    /// Returns a side for the library, or `None` if it is neither a picture nor drawable.
    pub(super) fn side(&self) -> Option<Side<'_>> {
        match self {
            Self::Picture(picture) => Some(Side::Picture(picture.clone())),
            Self::Drawable(asset) => Some(Side::Asset(asset)),
            Self::Other => None,
        }
    }
}

pub(super) fn read_picture(name: &str, bytes: &[u8]) -> Result<PictureFile, Failure> {
    compare::read(name, bytes).map_err(|error| picture_failure(name, &error))
}

fn picture_failure(name: &str, error: &PictureError) -> Failure {
    let (code, offset) = match error {
        PictureError::UnknownFormat => ("unknown-format", None),
        PictureError::Damaged { offset, .. } => ("damaged", *offset),
        PictureError::Unsupported { .. } => ("unsupported", None),
        PictureError::TooLarge { .. } | PictureError::Memory { .. } => ("too-large", None),
        _ => ("damaged", None),
    };
    Failure::input(name, code, offset, error.message())
}

/// Blames the input or option which made a comparison fail.
pub(super) fn compare_failure([first, second]: [&str; 2], error: &CompareError) -> Failure {
    let code = match error {
        CompareError::SizesDiffer { .. } => {
            let problem = format_args!("{error} ({first}); --region and --offset compare a part");
            return Failure::input(second, "size-differs", None, problem);
        }
        CompareError::NoOverlap { .. } => return Failure::inapplicable(second, "--offset", error),
        CompareError::RegionOutside { .. } => return Failure::inapplicable(first, "--region", error),
        CompareError::MaskSize { .. } => return Failure::inapplicable(first, "--mask", error),
        CompareError::TooSmallForSsim { .. } => return Failure::inapplicable(first, "--min-ssim", error),
        CompareError::NothingCounts => return Failure::inapplicable(first, "--mask", error),
        CompareError::Render { is_second, error } => {
            let name = if *is_second { second } else { first };
            let code = match error {
                RenderError::Asset(error) => error.code(),
                _ => "damaged",
            };
            return Failure::input(name, code, None, error);
        }
        _ => "damaged",
    };
    Failure::input(first, code, None, error)
}
