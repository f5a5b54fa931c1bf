//! Writes textures stored in a file, by a model or in a texture file.

use pspge::documents::texture_index::stored::StoredTextures;
use pspge::documents::texture_index::{IndexedTexture, TextureDraws};
use pspge::ge::memory::Memory;
use pspge::model::{Model, ModelTexture};

use super::Args;
use super::pictures::Pictures;
use crate::input::name::InputName;
use crate::job::{Session, Task};
use crate::terminal::failure::Failure;
use crate::terminal::progress;

pub(super) struct Stored<'a> {
    pub(super) memory: &'a Memory,
    pub(super) textures: &'a [ModelTexture],
    /// A model's draws; `None` for a texture file.
    pub(super) draws: Option<TextureDraws>,
}

/// Writes a model's textures, and finds which draws use them. With `--draws`, leaves out textures that only other
/// draws use.
pub(super) fn of_model(
    args: &Args,
    task: &Task,
    model: &Model,
    pictures: &mut Pictures,
    session: &mut Session,
) -> Result<Vec<IndexedTexture>, Failure> {
    if model.textures.is_empty() {
        return Ok(Vec::new());
    }
    let (draws, report) = TextureDraws::of_model(model, args.draws.as_ref(), &args.open.limits())
        .map_err(|error| Failure::inapplicable(&task.input, "--draws", error))?;
    session.notes.list.add_report(&report);
    let stored = Stored { memory: &model.memory, textures: &model.textures, draws: Some(draws) };
    write(args, task, stored, pictures, session)
}

/// Writes textures once for each of their palettes, until the budget is spent.
pub(super) fn write(
    args: &Args,
    task: &Task,
    stored: Stored<'_>,
    pictures: &mut Pictures,
    session: &mut Session,
) -> Result<Vec<IndexedTexture>, Failure> {
    let Stored { memory, textures, draws } = stored;
    let is_selected = draws.is_some() && args.draws.is_some();
    let draws = draws.unwrap_or_default();
    let stem = InputName::parse(&task.input).stem();
    let bar = progress::bar("textures", textures.len() as u64);
    let mut stored = StoredTextures::new(memory, textures, &draws, is_selected, &args.open.limits());
    let mut indexed = Vec::new();
    for texture in &mut stored {
        let files = pictures.write(&texture.picture_name(&stem), || vec![texture.picture()], session)?;
        bar.set_position(texture.entry.index.unwrap_or(0));
        indexed.push(IndexedTexture { files, ..texture.entry });
    }
    drop(bar);
    if let Some(hit) = stored.limit_hit() {
        session.notes.list.add_limit(hit);
    }
    Ok(indexed)
}
