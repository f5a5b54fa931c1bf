//! The pictures of an input.

use std::path::PathBuf;

use image::{DynamicImage, RgbaImage};
use pspge::export::picture_file::PictureFormat;
use pspge::export::png_compression::PngCompression;

use super::Args;
use crate::failure::Failure;
use crate::job::{Session, Task};
use crate::output;

/// Writes the pictures of an input into its folder, which is created with the first one. Without a folder, it writes
/// nothing.
pub(super) struct Pictures {
    folder: Option<PathBuf>,
    is_created: bool,
    /// Whether smaller levels are written.
    with_levels: bool,
    compression: PngCompression,
}

impl Pictures {
    /// Starts the pictures of an input.
    pub(super) fn new(args: &Args, task: &Task) -> Self {
        Self {
            folder: task.output.clone(),
            is_created: false,
            with_levels: args.levels,
            compression: args.compression.map(Into::into).unwrap_or_default(),
        }
    }

    /// Writes the levels of a texture, the largest first, or only the largest. Returns the names of the files.
    pub(super) fn write(
        &mut self,
        name: &str,
        levels: impl FnOnce() -> Vec<RgbaImage>,
        session: &mut Session,
    ) -> Result<Vec<String>, Failure> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        if !self.is_created {
            output::create_folder(folder)?;
            self.is_created = true;
        }
        let count = if self.with_levels { usize::MAX } else { 1 };
        let mut files = Vec::new();
        for (level, picture) in levels().into_iter().take(count).enumerate() {
            let file = if level == 0 { format!("{name}.png") } else { format!("{name}_{level}.png") };
            let path = folder.join(&file);
            let bytes = PictureFormat::Png
                .encode_with(&DynamicImage::ImageRgba8(picture), self.compression)
                .map_err(|error| Failure::file_problem(path.display(), "not-encodable", error))?;
            session.write(&path, &bytes)?;
            files.push(file);
        }
        Ok(files)
    }
}
