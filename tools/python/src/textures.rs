//! An asset's textures, with the draws that use them.

use pspge::documents::note_list::NoteList;
use pspge::documents::texture_index::stored::StoredTextures;
use pspge::documents::texture_index::{IndexedTexture, TextureDraws, drawn_textures};
use pspge::formats::Content;
use pspge::ge::draw_set::DrawSet;
use pspge::ge::memory::Memory;
use pspge::image::RgbaImage;
use pspge::model::ModelTexture;
use pyo3::prelude::*;

use crate::asset::Asset;
use crate::convert::{rgba, to_object};
use crate::failure::Failure;
use crate::options::{RunOptions, parse_optional};

/// A texture: facts, a name for its picture without an extension, and its levels, the largest first.
struct Texture {
    entry: IndexedTexture,
    name: String,
    levels: Vec<RgbaImage>,
}

/// A texture as Python takes it: facts, name, pictures.
type TextureObject<'py> = (Bound<'py, PyAny>, String, Vec<Bound<'py, PyAny>>);

#[pymethods]
impl Asset {
    /// Returns the textures stored in the file, or those used by the draws of a frame or a list, and the notes.
    fn textures<'py>(
        &self,
        py: Python<'py>,
        options: RunOptions,
        draws: Option<String>,
        stem: String,
    ) -> PyResult<(Vec<TextureObject<'py>>, Bound<'py, PyAny>)> {
        let found = py.detach(|| {
            let draws: Option<DrawSet> = parse_optional("draws", draws.as_deref())?;
            self.find_textures(&options, draws.as_ref(), &stem).map_err(|error| error.of_input(&self.name))
        });
        let (textures, notes) = found?;
        let object = |Texture { entry, name, levels }| -> PyResult<TextureObject<'py>> {
            let pictures = levels.into_iter().map(|level| rgba(py, level)).collect::<PyResult<_>>()?;
            Ok((to_object(py, &entry)?, name, pictures))
        };
        let textures = textures.into_iter().map(object).collect::<PyResult<_>>()?;
        Ok((textures, to_object(py, &notes.into_entries())?))
    }
}

impl Asset {
    fn find_textures(
        &self,
        options: &RunOptions,
        only: Option<&DrawSet>,
        stem: &str,
    ) -> Result<(Vec<Texture>, NoteList), Failure> {
        let mut notes = self.notes.clone();
        let wrong = |error| Failure::inapplicable("draws", error);
        let arithmetic = options.arithmetic()?;
        let kind = self.inner.kind();
        if arithmetic.is_some()
            && matches!(self.inner.content(), Some(Content::Model(_) | Content::Textures(_)))
        {
            return Err(Failure::inapplicable(
                "arithmetic",
                format_args!("{kind} draws into none of its textures"),
            ));
        }
        let textures = match self.inner.content() {
            Some(Content::Model(model)) if !model.textures.is_empty() => {
                let (draws, report) = TextureDraws::of_model(model, only, &self.limits).map_err(wrong)?;
                notes.add_report(&report);
                let only_used = only.is_some();
                self.stored(&model.memory, &model.textures, &draws, only_used, stem, &mut notes)
            }
            Some(Content::Textures(set)) => {
                if only.is_some() {
                    return Err(Failure::inapplicable("draws", format_args!("{kind} has no draws")));
                }
                self.stored(&set.memory, &set.textures, &TextureDraws::default(), false, stem, &mut notes)
            }
            None | Some(Content::Frame { .. }) => {
                let mut shot = self.shot(options)?;
                let (uses, report) =
                    drawn_textures(&mut shot.capture, only, shot.raster, &shot.limits).map_err(wrong)?;
                notes.add_report(&report);
                let texture = |texture: pspge::run::texture_uses::TextureUse| Texture {
                    entry: IndexedTexture::of_use(&texture),
                    name: texture.name(),
                    levels: texture.pictures,
                };
                uses.into_iter().map(texture).collect()
            }
            Some(_) => Vec::new(),
        };
        Ok((textures, notes))
    }

    fn stored(
        &self,
        memory: &Memory,
        textures: &[ModelTexture],
        draws: &TextureDraws,
        only_used: bool,
        stem: &str,
        notes: &mut NoteList,
    ) -> Vec<Texture> {
        let mut stored = StoredTextures::new(memory, textures, draws, only_used, &self.limits);
        let mut found = Vec::new();
        for texture in &mut stored {
            let (name, levels) = (texture.picture_name(stem), vec![texture.picture()]);
            found.push(Texture { entry: texture.entry, name, levels });
        }
        if let Some(hit) = stored.limit_hit() {
            notes.add_limit(hit);
        }
        found
    }
}
