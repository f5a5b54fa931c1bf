//! Loads textures for a model or map, from its own file or others, each only once. Source:
//! [texture table](crate::reference::formats::bbs#texture-table).

use std::collections::HashMap;

use super::problem::BbsPmoProblem;
use super::read::Texture;
use crate::formats::bbs::tim2::{self, Tim2};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::model::ModelTexture;

/// A TIM2 file outside the model's file: given, or from the same container.
#[derive(Clone, Debug)]
pub(in crate::formats::bbs) struct ExternalTim2<'a> {
    /// Its name in the container, without the extension.
    pub(in crate::formats::bbs) stem: Option<String>,
    /// Name of the file around it.
    pub(in crate::formats::bbs) file_name: &'a str,
    /// Set if the user gave it, to use it whatever its name.
    pub(in crate::formats::bbs) is_explicit: bool,
    pub(in crate::formats::bbs) tim2: Tim2<'a>,
}

/// Loads textures, and remembers them to avoid loading them again.
#[derive(Debug)]
pub(in crate::formats::bbs) struct TextureLoader<'a> {
    file: View<'a>,
    name: &'a str,
    external: Vec<ExternalTim2<'a>>,
    by_offset: HashMap<u64, Option<usize>>,
    by_name: HashMap<String, Option<usize>>,
    /// The next picture in the given files, for entries without a matching name.
    next_picture: usize,
    pub(in crate::formats::bbs) textures: Vec<ModelTexture>,
}

impl<'a> TextureLoader<'a> {
    /// Creates an empty loader for a model in `file`.
    pub(in crate::formats::bbs) fn new(
        file: View<'a>,
        name: &'a str,
        external: Vec<ExternalTim2<'a>>,
    ) -> Self {
        Self {
            file,
            name,
            external,
            by_offset: HashMap::new(),
            by_name: HashMap::new(),
            next_picture: 0,
            textures: Vec::new(),
        }
    }

    /// Returns the texture number for a table entry, and loads the texture if necessary. A missing or broken texture
    /// leads to a warning and `None`.
    pub(in crate::formats::bbs) fn load(
        &mut self,
        entry: &Texture,
        loader: &mut Loader,
        warnings: &mut Warnings,
    ) -> Option<usize> {
        let Some(offset) = entry.offset else { return self.load_external(entry, loader, warnings) };
        if let Some(&known) = self.by_offset.get(&offset) {
            return known;
        }
        let view = self.file.view(offset, self.file.len().saturating_sub(offset)).ok();
        let found = match view.filter(|view| tim2::sniff(view.bytes())).map(|view| tim2::read(view, 1)) {
            Some(Ok(tim2)) => self.load_picture(entry, (&tim2, 0, self.name), loader, warnings),
            Some(Err(error)) => self.leave_out(entry, &error, warnings),
            None => {
                warnings.push(self.file.error(entry.at, BbsPmoProblem::NoTim2(offset)));
                None
            }
        };
        self.by_offset.insert(offset, found);
        found
    }

    /// Loads a picture from a TIM2 file and names it after this entry.
    fn load_picture(
        &mut self,
        entry: &Texture,
        (tim2, picture, file): (&Tim2<'a>, usize, &str),
        loader: &mut Loader,
        warnings: &mut Warnings,
    ) -> Option<usize> {
        warnings.extend(&tim2.warnings);
        let number = self.textures.len();
        let label = (number, Some(entry.name.clone()).filter(|name| !name.is_empty()));
        match tim2.load(picture, label, file, loader, warnings) {
            Ok(texture) => {
                self.textures.push(texture?);
                Some(number)
            }
            Err(error) => self.leave_out(entry, &error, warnings),
        }
    }

    /// Notes an unusable texture.
    fn leave_out(&self, entry: &Texture, error: &FormatError, warnings: &mut Warnings) -> Option<usize> {
        let (name, reason) = (entry.name.clone(), error.to_string());
        warnings.push(self.file.error(entry.at, BbsPmoProblem::BrokenTexture { name, reason }));
        None
    }

    /// Does the same as [`Self::load`] for an entry whose texture is in another file.
    fn load_external(
        &mut self,
        entry: &Texture,
        loader: &mut Loader,
        warnings: &mut Warnings,
    ) -> Option<usize> {
        let key = entry.name.to_ascii_lowercase();
        if let Some(&known) = self.by_name.get(&key) {
            return known;
        }
        let named = |external: &&ExternalTim2<'_>| {
            external.stem.as_ref().is_some_and(|stem| stem.eq_ignore_ascii_case(&entry.name))
        };
        let choice = match self.external.iter().find(named) {
            Some(external) => Some((external, 0)),
            // No name matches, so this takes the given pictures in order.
            None => {
                let given = self.external.iter().filter(|external| external.is_explicit);
                let mut pictures = given
                    .flat_map(|external| (0..external.tim2.len()).map(move |picture| (external, picture)));
                let next = pictures.nth(self.next_picture);
                self.next_picture = self.next_picture.saturating_add(usize::from(next.is_some()));
                next
            }
        };
        let found = match choice.map(|(external, picture)| (external.clone(), picture)) {
            Some((external, picture)) => {
                self.load_picture(entry, (&external.tim2, picture, external.file_name), loader, warnings)
            }
            None => {
                warnings.push(self.file.error(entry.at, BbsPmoProblem::MissingTexture(entry.name.clone())));
                None
            }
        };
        self.by_name.insert(key, found);
        found
    }
}
