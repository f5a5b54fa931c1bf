//! Textures that the draws of a frame dump or list use.

use std::ops::ControlFlow;

use pspge::documents::texture_index::IndexedTexture;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::draw_set::DrawSet;
use pspge::ge::memory::Memory;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::interpreter::Ending;
use pspge::run::sink::Step;
use pspge::run::texture_uses::TextureUses;

use super::Args;
use super::pictures::Pictures;
use crate::failure::Failure;
use crate::input::Input;
use crate::job::{Session, Task};
use crate::{progress, run};

/// Runs a frame dump or list, and writes the textures that its draws use.
pub(super) fn write(
    args: &Args,
    task: &Task,
    input: Input,
    pictures: &mut Pictures,
    session: &mut Session,
) -> Result<Vec<IndexedTexture>, Failure> {
    let (mut capture, _) = run::capture(&task.input, input)?;
    let arithmetic: Arithmetic = args.arithmetic.map(Into::into).unwrap_or_default();
    let options = RasterOptions { arithmetic, threads: session.threads, ..RasterOptions::default() };
    // Draws are rasterized because later ones may sample their pixels.
    let mut uses = TextureUses::new(Rasterizer::new(options));
    if let Some(draws) = &args.draws {
        uses = uses.only(draws.clone());
    }
    let last = args.draws.as_ref().and_then(DrawSet::max);
    let mut end = |_: &Memory, step: &Step<'_>| match last {
        Some(last) if step.draws > last => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let report = run::run(&mut capture, arithmetic, &mut uses, &mut end, &args.open.limits()).report;
    // A run that was stopped had all draws up to the last one.
    if report.ending != Ending::Stopped {
        run::check_draws(&task.input, "--draws", args.draws.as_ref(), report.draws)?;
    }
    session.notes.add_report(&report);
    let textures = uses.into_textures();
    let bar = progress::bar("textures", if session.is_single { textures.len() as u64 } else { 0 });
    let mut indexed = Vec::with_capacity(textures.len());
    let mut left_out = 0_usize;
    for texture in textures {
        let entry = IndexedTexture::of_use(&texture);
        let (name, count) = (texture.name(), texture.pictures.len());
        let files = pictures.write(&name, || texture.pictures, session)?;
        if !files.is_empty() {
            left_out += count - files.len();
        }
        indexed.push(IndexedTexture { files, ..entry });
        bar.inc(1);
    }
    bar.finish_and_clear();
    if left_out > 0 {
        let message = format!("{left_out} smaller levels of textures are not written; --levels writes them");
        session.notes.inform("levels-left-out", message);
    }
    Ok(indexed)
}
