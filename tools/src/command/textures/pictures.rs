//! Writes an input's pictures.

use std::path::PathBuf;

use image::{DynamicImage, RgbaImage};
use pspge::export::picture_file::PictureFormat;
use pspge::export::png_compression::PngCompression;

use super::Args;
use crate::job::{Session, Task};
use crate::output;
use crate::terminal::failure::Failure;

/// Writes an input's pictures into its folder. The first picture creates the folder. Without a folder, this writes
/// nothing.
pub(super) struct Pictures {
    folder: Option<PathBuf>,
    is_created: bool,
    with_levels: bool,
    compression: PngCompression,
}

impl Pictures {
    pub(super) fn new(args: &Args, task: &Task) -> Self {
        Self {
            folder: task.output.clone(),
            is_created: false,
            with_levels: args.levels || args.pack.is_some(),
            compression: args.compression.map(Into::into).unwrap_or_default(),
        }
    }

    /// Writes a texture's levels, the largest first, or only the largest. Returns the files' names.
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
