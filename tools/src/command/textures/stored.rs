//! Textures that a file holds: those of models and of files of textures.

use pspge::documents::texture_index::{IndexedTexture, TextureDraws};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::{Budget, Limit};
use pspge::ge::memory::Memory;
use pspge::model::{Model, ModelTexture};
use pspge::pipeline::texture::MAX_SIZE;
use pspge::run::sink::{NullObserver, NullSink};
use pspge::run::texture_uses::TextureUses;

use super::Args;
use super::pictures::Pictures;
use crate::command::render::{Size, renderer};
use crate::failure::Failure;
use crate::input::name::InputName;
use crate::job::{Session, Task};
use crate::{progress, run};

/// The textures of a file.
pub(super) struct Stored<'a> {
    pub(super) memory: &'a Memory,
    pub(super) textures: &'a [ModelTexture],
    /// The draws of a model; `None` for a file of textures.
    pub(super) draws: Option<TextureDraws>,
}

/// Writes the textures of a model, and finds the draws that use them. With `--draws`, textures that these do not use are
/// left out.
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
    // The list that `trace` shows, so that draws have the same numbers.
    let arithmetic = Arithmetic::Hardware;
    let mut capture = renderer(Size::SCREEN, arithmetic).capture(model);
    let mut uses = TextureUses::new(NullSink);
    if let Some(draws) = &args.draws {
        uses = uses.only(draws.clone());
    }
    let limits = args.open.limits();
    let report = run::run(&mut capture, arithmetic, &mut uses, &mut NullObserver, &limits).report;
    run::check_draws(&task.input, "--draws", args.draws.as_ref(), report.draws)?;
    session.notes.add_report(&report);
    let draws = Some(TextureDraws::of(uses.textures()));
    let stored = Stored { memory: &model.memory, textures: &model.textures, draws };
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
    let bar = progress::bar("textures", if session.is_single { textures.len() as u64 } else { 0 });
    let mut budget = Budget::new(&args.open.limits(), Limit::DecodedBytes);
    let mut indexed = Vec::new();
    for texture in textures {
        let palettes = texture.palette.map_or(1, |palette| palette.count());
        let [width, height] = texture.padded_size().map(|side| u64::from(side.min(MAX_SIZE)));
        for palette in 0..palettes {
            if budget.spend(width * height * 4).is_err() {
                break;
            }
            let entry = IndexedTexture::of_file(memory, texture, palette, &draws);
            if is_selected && entry.draws.is_empty() {
                continue;
            }
            let suffix = if palettes > 1 { format!("_{palette}") } else { String::new() };
            let name = format!("{stem}_{:02}{suffix}", texture.index);
            let levels = || vec![texture.decode(memory, palette)];
            let files = pictures.write(&name, levels, session)?;
            indexed.push(IndexedTexture { files, ..entry });
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(hit) = budget.limit_hit() {
        session.notes.add_limit(hit);
    }
    Ok(indexed)
}
