//! Pictures given by a page, for edits to put them in place of textures.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use image::RgbaImage;

use crate::compare;
use crate::debug::what_if::edit::{Edit, EditParseError, ReplacementFile};
use crate::debug::what_if::replaced_texture::{ReplacementError, SIZE_MAX};

use super::error::InspectError;

/// How many pictures are kept at most, each up to 1 MiB.
const KEPT: usize = 64;

/// Pictures by name, oldest first.
#[derive(Debug, Default)]
pub(super) struct GivenPictures(Mutex<VecDeque<(String, Arc<RgbaImage>)>>);

impl GivenPictures {
    /// Keeps a picture. Returns the name for edits to find it, which has a number if another picture has the file's
    /// name, and whether the oldest picture is no longer kept.
    ///
    /// # Errors
    /// Fails if the bytes are no picture, or one that is too large for a texture.
    pub(super) fn keep(&self, file: &str, bytes: &[u8]) -> Result<(String, bool), InspectError> {
        let wrong = |error: &dyn std::error::Error| InspectError::new("picture", &format!("{file}: {error}"));
        let read = compare::read(file, bytes).map_err(|error| wrong(&error))?.picture;
        let [width, height] = read.size();
        if width.max(height) > SIZE_MAX {
            return Err(wrong(&ReplacementError::PictureSize { width, height }));
        }
        let picture = read.to_rgba8();
        let mut kept = self.lock();
        let mut name = file.to_owned();
        let mut number = 1;
        while let Some((_, known)) = kept.iter().find(|(known, _)| *known == name) {
            if **known == picture {
                return Ok((name, false));
            }
            number += 1;
            name = format!("{number}-{file}");
        }
        let is_full = kept.len() >= KEPT;
        if is_full {
            kept.pop_front();
        }
        kept.push_back((name.clone(), Arc::new(picture)));
        Ok((name, is_full))
    }

    /// Parses an edit. If it replaces a texture, its picture is taken from here.
    ///
    /// # Errors
    /// Fails if the text is not an edit, or if its picture is not kept.
    pub(super) fn edit(&self, text: &str) -> Result<Edit, InspectError> {
        let wrong = |error: EditParseError| InspectError::new("edit", &format!("{text}: {error}"));
        let Some(value) = text.strip_prefix("--replace-texture ") else { return text.parse().map_err(wrong) };
        let replacement: ReplacementFile = value.parse().map_err(wrong)?;
        let found = self.lock().iter().find(|(name, _)| *name == replacement.file).cloned();
        let (_, picture) = found.ok_or_else(|| {
            let message = format!(
                "{text}: the page holds no picture named {}; give it again by Replace in the panel Textures",
                replacement.file
            );
            InspectError::new("edit", &message)
        })?;
        Ok(replacement.with_picture(picture))
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, Arc<RgbaImage>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
