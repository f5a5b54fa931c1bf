//! Finds the textures that draws use.

use std::ops::ControlFlow;

use crate::ge::capture::Capture;
use crate::ge::draw_set::{DrawSet, NoSuchDraws};
use crate::ge::limits::Limits;
use crate::ge::memory::Memory;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::interpreter::{Ending, Report};
use crate::run::replay;
use crate::run::sink::Step;
use crate::run::texture_uses::{TextureUse, TextureUses};

/// Runs a capture to find the textures that its draws use, with their pictures. With `only`, just this set of draws
/// counts, and the run ends after its last draw. Also returns the report.
///
/// # Errors
/// Fails if the run lacks a draw in the set.
pub fn drawn_textures(
    capture: &mut Capture,
    only: Option<&DrawSet>,
    options: RasterOptions,
    limits: &Limits,
) -> Result<(Vec<TextureUse>, Report), NoSuchDraws> {
    // Draws are rasterized, because later ones may sample their pixels.
    let mut uses = TextureUses::new(Rasterizer::new(options));
    if let Some(draws) = only {
        uses = uses.only(draws.clone());
    }
    let last = only.and_then(DrawSet::max);
    let mut end = |_: &Memory, step: &Step<'_>| match last {
        Some(last) if step.draws > last => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let report = replay::run(capture, options.arithmetic, &mut uses, &mut end, limits).report;
    // The run stops only after the last draw in the set, so all of them existed.
    if report.ending != Ending::Stopped {
        only.map_or(Ok(()), |only| only.check(report.draws))?;
    }
    Ok((uses.into_textures(), report))
}
