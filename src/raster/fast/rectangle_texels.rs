//! Texels of rectangles, whose positions depend on the column and the row only: they are computed once per column and
//! row. If each row of pixels shows consecutive texels without filtering, they are copied: many sprites, texts and
//! backgrounds are such rectangles.

use super::batch::{BATCH_SIZE, Batch};
use super::rectangle_table::RectangleTable;
use super::texture_cache::{CachedLevel, CachedLevels, DecodedTexels, TexelData};
use super::texture_state::{MipLevel, TextureState};
use crate::ge::arithmetic::Arithmetic;
use crate::raster::lod::LodSelection;
use crate::raster::sampler;

/// Positions from which the 24 significant bits of coordinates show.
const FAR: i64 = 1 << 24;

/// Texel positions of columns and rows, in 1/16 texel; owns reusable memory.
#[derive(Debug, Default)]
pub(super) struct PositionTable {
    columns: Vec<i32>,
    rows: Vec<i32>,
}

/// The texels of a rectangle or half of one, from one mip level.
#[derive(Debug)]
pub(super) struct RectangleTexels<'a> {
    positions: &'a PositionTable,
    /// The columns of pixels go along the rows of the texture.
    rotated: bool,
    level: &'a MipLevel,
    pub(super) selection: LodSelection,
    /// Set if texels can be copied.
    copied: Option<CopiedTexels<'a>>,
}

/// Texels that pixels show one to one.
#[derive(Debug)]
struct CopiedTexels<'a> {
    texels: &'a DecodedTexels,
    /// The texel column of the first pixel column.
    first: usize,
    clamp_t: bool,
}

impl PositionTable {
    /// Computes the positions of all columns and rows. Returns `None` if one is too far away.
    fn fill(
        &mut self,
        table: &RectangleTable,
        [column_scale, row_scale]: [f64; 2],
        linear: bool,
    ) -> Option<()> {
        let fill = |out: &mut Vec<i32>, coordinates: &[f64], scale: f64| {
            out.clear();
            for coordinate in coordinates {
                let position = sampler::sixteenths(coordinate * scale, linear, Arithmetic::Hardware);
                out.push(i32::try_from(position).ok().filter(|_| position.abs() < FAR)?);
            }
            Some(())
        };
        fill(&mut self.columns, table.columns(), column_scale)?;
        fill(&mut self.rows, table.rows(), row_scale)
    }
}

impl<'a> RectangleTexels<'a> {
    /// Computes the positions of a rectangle. Returns `None` if two levels are blended, or if coordinates are far away.
    pub(super) fn new(
        (table, rotated): (&RectangleTable, bool),
        texture: &'a TextureState,
        cached: &CachedLevels<'a>,
        selection: LodSelection,
        positions: &'a mut PositionTable,
    ) -> Option<Self> {
        let number = usize::from(selection.level);
        let level = texture.levels.get(number).filter(|_| selection.fraction == 0)?;
        let [s, t] = level.scale;
        positions.fill(table, if rotated { [t, s] } else { [s, t] }, selection.linear)?;
        let positions = &*positions;
        let copied = || {
            let texels = cached.get(number).copied().flatten().and_then(CachedLevel::texels)?;
            let is_whole = |position: &i32| !selection.linear || position & 15 == 0;
            let start = positions.columns.first()? >> 4;
            let is_consecutive = positions.columns.iter().zip(start..).all(|(at, texel)| at >> 4 == texel);
            if !is_consecutive || !positions.columns.iter().chain(&positions.rows).all(is_whole) {
                return None;
            }
            let last = level.last[0];
            let first = if texture.wrap.clamp_s { start } else { start & last };
            let end = usize::try_from(first).ok()? + positions.columns.len();
            let fits = end <= usize::try_from(last).ok()? + 1;
            fits.then_some(CopiedTexels {
                texels,
                first: usize::try_from(first).ok()?,
                clamp_t: texture.wrap.clamp_t,
            })
        };
        let copied = if rotated { None } else { copied() };
        Some(Self { positions, rotated, level, selection, copied })
    }

    /// Copies the texels of a batch. Returns `false` if they must be sampled.
    pub(super) fn copy(&self, batch: &mut Batch) -> bool {
        let Some(CopiedTexels { texels, first, clamp_t }) = &self.copied else { return false };
        for run in &batch.runs {
            let Some(out) = batch.texel.get_mut(run.lane..run.lane + run.count) else { continue };
            let [column, row] = [run.column, run.row].map(|at| usize::try_from(at).unwrap_or(0));
            let texel = self.positions.rows.get(row).copied().unwrap_or(0) >> 4;
            let height = self.level.last[1].unsigned_abs() + 1;
            let texel_row = sampler::wrap_or_clamp(texel.into(), height, *clamp_t);
            // Decoded rows include the column left of the texture.
            let start = texel_row as usize * texels.stride as usize + 1 + first + column;
            let range = start..start + out.len();
            match (&texels.values, &self.level.clut_table) {
                (TexelData::Colors(colors), _) => {
                    if let Some(colors) = colors.get(range) {
                        out.copy_from_slice(colors);
                    }
                }
                (TexelData::Indices(indices), Some(table)) => {
                    let indices = indices.get(range).unwrap_or(&[]);
                    for (out, index) in out.iter_mut().zip(indices) {
                        *out = table[usize::from(*index)];
                    }
                }
                (TexelData::Indices(_), None) => out.fill(0),
            }
        }
        true
    }

    /// Looks up the texel positions of a batch.
    pub(super) fn positions(&self, batch: &Batch, u: &mut [i32; BATCH_SIZE], v: &mut [i32; BATCH_SIZE]) {
        let (along, across) = if self.rotated { (v, u) } else { (u, v) };
        for run in &batch.runs {
            let [column, row] = [run.column, run.row].map(|at| usize::try_from(at).unwrap_or(0));
            let lanes = run.lane..run.lane + run.count;
            if let Some(columns) = self.positions.columns.get(column..column + run.count) {
                along[lanes.clone()].copy_from_slice(columns);
            }
            across[lanes].fill(self.positions.rows.get(row).copied().unwrap_or(0));
        }
    }
}
