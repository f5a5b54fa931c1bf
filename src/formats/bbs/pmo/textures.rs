//! The textures of a model or a map, each loaded once, from the file itself or from elsewhere.

use std::collections::HashMap;

use super::problem::BbsPmoProblem;
use super::read::Texture;
use crate::formats::bbs::tim2::{self, Tim2};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::model::ModelTexture;

/// A TIM2 file beside the model.
#[derive(Debug)]
pub(in crate::formats::bbs) struct Outside<'a> {
    /// Its name in its container, without the ending.
    pub(in crate::formats::bbs) stem: Option<String>,
    /// The name of the file that it is in.
    pub(in crate::formats::bbs) file_name: &'a str,
    /// The user asked for it, so that it is used whatever its name is.
    pub(in crate::formats::bbs) asked_for: bool,
    pub(in crate::formats::bbs) tim2: Tim2<'a>,
}

/// Loaded textures.
#[derive(Debug)]
pub(in crate::formats::bbs) struct Library<'a> {
    file: View<'a>,
    name: &'a str,
    outside: Vec<Outside<'a>>,
    by_offset: HashMap<u64, usize>,
    by_name: HashMap<String, Option<usize>>,
    /// Pictures taken in turn from files that the user gave.
    taken: usize,
    pub(in crate::formats::bbs) textures: Vec<ModelTexture>,
}

impl<'a> Library<'a> {
    /// No textures yet, of a model in `file`.
    pub(in crate::formats::bbs) fn new(file: View<'a>, name: &'a str, outside: Vec<Outside<'a>>) -> Self {
        Self {
            file,
            name,
            outside,
            by_offset: HashMap::new(),
            by_name: HashMap::new(),
            taken: 0,
            textures: Vec::new(),
        }
    }

    /// The number of the texture of a table's entry, which is loaded where it was not yet; `None` where nobody
    /// supplied it.
    pub(in crate::formats::bbs) fn find(
        &mut self,
        entry: &Texture,
        loader: &mut Loader,
        warnings: &mut Warnings,
    ) -> Result<Option<usize>, FormatError> {
        let Some(offset) = entry.offset else { return self.find_outside(entry, loader, warnings) };
        if let Some(&known) = self.by_offset.get(&offset) {
            return Ok(Some(known));
        }
        let length = self.file.len().saturating_sub(offset);
        let view = self.file.view(offset.min(self.file.len()), length)?;
        if !tim2::sniff(view.bytes()) {
            return Err(self.file.error(entry.at, BbsPmoProblem::NoTim2(offset)));
        }
        let tim2 = tim2::read(view, 1)?;
        let number = self.textures.len();
        tim2.warnings.as_slice().iter().for_each(|warning| warnings.push(warning.clone()));
        let label = (number, Some(entry.name.clone()).filter(|name| !name.is_empty()));
        self.textures.extend(tim2.load(0, label, self.name, loader, warnings)?);
        self.by_offset.insert(offset, number);
        Ok(Some(number))
    }

    fn find_outside(
        &mut self,
        entry: &Texture,
        loader: &mut Loader,
        warnings: &mut Warnings,
    ) -> Result<Option<usize>, FormatError> {
        let key = entry.name.to_ascii_lowercase();
        if let Some(&known) = self.by_name.get(&key) {
            return Ok(known);
        }
        let named = |outside: &&Outside<'_>| {
            outside.stem.as_ref().is_some_and(|stem| stem.eq_ignore_ascii_case(&entry.name))
        };
        let choice = match self.outside.iter().find(named) {
            Some(outside) => Some((outside, 0)),
            None => {
                let asked_for = self.outside.iter().filter(|outside| outside.asked_for);
                let mut pictures = asked_for
                    .flat_map(|outside| (0..outside.tim2.len()).map(move |picture| (outside, picture)));
                let next = pictures.nth(self.taken);
                self.taken = self.taken.saturating_add(usize::from(next.is_some()));
                next
            }
        };
        let number = self.textures.len();
        let found = match choice {
            Some((outside, picture)) => {
                outside.tim2.warnings.as_slice().iter().for_each(|warning| warnings.push(warning.clone()));
                let label = (number, Some(entry.name.clone()).filter(|name| !name.is_empty()));
                let texture = outside.tim2.load(picture, label, outside.file_name, loader, warnings)?;
                let found = texture.as_ref().map(|_| number);
                self.textures.extend(texture);
                found
            }
            None => {
                warnings.push(self.file.error(entry.at, BbsPmoProblem::TextureElsewhere(entry.name.clone())));
                None
            }
        };
        self.by_name.insert(key, found);
        Ok(found)
    }
}
