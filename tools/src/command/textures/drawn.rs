//! Writes the textures used by draws in a frame dump or list.

use pspge::documents::texture_index::{IndexedTexture, drawn_textures};
use pspge::{Asset, RunSpec};

use super::Args;
use super::pictures::Pictures;
use crate::job::{Session, Task};
use crate::terminal::failure::Failure;
use crate::terminal::progress;

/// Runs a frame dump or list, and writes the textures its draws use.
pub(super) fn write(
    args: &Args,
    task: &Task,
    asset: &Asset,
    pictures: &mut Pictures,
    session: &mut Session,
) -> Result<Vec<IndexedTexture>, Failure> {
    let mut spec = RunSpec::default().threads(session.threads).limits(args.open.limits());
    spec.arithmetic = args.arithmetic.map(Into::into);
    let mut shot = asset.shot(&spec).map_err(|error| Failure::asset(&task.input, &error))?;
    let (textures, report) =
        drawn_textures(&mut shot.capture, args.draws.as_ref(), shot.raster, &shot.limits)
            .map_err(|error| Failure::inapplicable(&task.input, "--draws", error))?;
    session.notes.list.add_report(&report);
    let bar = progress::bar("textures", textures.len() as u64);
    let mut indexed = Vec::with_capacity(textures.len());
    let mut left_out = 0_usize;
    for texture in textures {
        let entry = IndexedTexture::of_use(&texture);
        let (name, count) = (texture.name(), texture.pictures.len());
        let files = pictures.write(&name, || texture.pictures, session)?;
        // Without an output folder no file is written at all, so this does not count as leaving levels out.
        if !files.is_empty() {
            left_out += count - files.len();
        }
        indexed.push(IndexedTexture { files, ..entry });
        bar.inc(1);
    }
    drop(bar);
    if left_out > 0 {
        let message = format!("{left_out} smaller levels of textures are not written; --levels writes them");
        session.notes.list.inform("levels-left-out", message);
    }
    Ok(indexed)
}
