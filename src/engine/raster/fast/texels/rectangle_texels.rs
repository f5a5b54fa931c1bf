//! Fetches texels for rectangles. Positions depend only on the column and the row, so they are computed once for
//! each. If pixels show texels in a ratio of 1:1, the texels are copied. Many sprites, texts and backgrounds are
//! such rectangles. In other cases texels are gathered and blended once for each row in the texture
//! ([`super::filtered_rows`]).

use super::filtered_rows::{CHUNK, FilteredRows, MAX_COLUMNS, TexelColumns};
use super::texel_memory::TexelMemory;
use super::texel_position::{Axis, to_texel_positions};
use super::texel_rows::TexelRows;
use super::texture_cache::CachedLevels;
use super::texture_state::{MipLevel, TextureState};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::texture::TextureWrap;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::raster::fast::batch::{BATCH_SIZE, Batch, PixelRun};
use crate::raster::fast::rectangle_table::RectangleTable;
use crate::raster::rules::lod::LodSelection;
use crate::raster::rules::rectangle;

/// If a column spans more texels than this, they are sampled for each fragment.
const MAX_STEP: usize = 3;
/// If runs have fewer fragments than this, texels are sampled for each fragment.
const MIN_RUN: usize = 4;

/// Texel positions for columns and rows, in 1/16 texel, and texels. This keeps their memory for reuse.
#[derive(Debug, Default)]
pub(crate) struct RectangleScratch {
    /// In whole chunks.
    columns: Vec<i32>,
    rows: Vec<i32>,
    filtered: FilteredRows,
}

/// Texels for a rectangle or half of it, from a single mip level.
#[derive(Debug)]
pub(crate) struct RectangleTexels<'a> {
    table: &'a RectangleTable,
    /// Whether columns of pixels go along rows of the texture.
    rotated: bool,
    pub(crate) selection: LodSelection,
    level: &'a MipLevel,
    wrap: TextureWrap,
    /// The level, if it can be read in rows.
    texels: Option<TexelRows<'a>>,
    scratch: &'a mut RectangleScratch,
    /// Whether positions are computed.
    is_prepared: bool,
    /// Set if the texels are read in rows.
    rows: Option<RowTexels<'a>>,
}

/// Texels to be read row by row.
#[derive(Clone, Copy, Debug)]
struct RowTexels<'a> {
    texels: TexelRows<'a>,
    /// Whether each column shows the texel after that of the previous column.
    consecutive: bool,
    /// Whether pixels show whole texels.
    copied: bool,
}

/// Returns whether primitives look like rectangles, or halves of them, whose texels can be read row by row. This is
/// a guess. If it is wrong, it costs only time.
pub(crate) fn are_rectangles(primitives: &[ScreenPrimitive]) -> bool {
    let are_parallel = |a: &ScreenVertex, b: &ScreenVertex| [a.x == b.x, a.y == b.y];
    let is_rectangle = |shape: &Shape| match shape {
        Shape::Rectangle(vertices) => !rectangle::is_rotated(vertices),
        Shape::Triangle([a, b, c]) => {
            let [first, second, third] = [are_parallel(a, b), are_parallel(b, c), are_parallel(c, a)];
            [0, 1].into_iter().all(|axis| first[axis] || second[axis] || third[axis])
        }
        _ => false,
    };
    primitives
        .iter()
        .all(|primitive| primitive.arithmetic == Arithmetic::Hardware && is_rectangle(&primitive.shape))
}

impl RectangleScratch {
    /// Finds out how to read texels in rows. Returns `None` if they must be sampled for each fragment.
    fn row_texels<'a>(&mut self, texels: TexelRows<'a>, linear: bool) -> Option<RowTexels<'a>> {
        let Self { columns, rows, filtered } = self;
        let (first, last) = (*columns.first()?, *columns.last()?);
        let step = usize::try_from((last - first).abs() >> 4).ok()?;
        if columns.len() > MAX_COLUMNS || step > MAX_STEP * columns.len() {
            return None;
        }
        let is_ordered = if first <= last {
            columns.is_sorted()
        } else {
            columns.is_sorted_by(|left, right| left >= right)
        };
        if !is_ordered {
            return None;
        }
        let consecutive = columns.iter().zip(first >> 4..).all(|(at, texel)| at >> 4 == texel);
        let is_whole = |position: &i32| !linear || position & 15 == 0;
        let copied = consecutive && columns.iter().chain(&*rows).all(is_whole);
        filtered.reset(columns.len());
        columns.resize(columns.len().next_multiple_of(CHUNK), last);
        Some(RowTexels { texels, consecutive, copied })
    }
}

impl<'a> RectangleTexels<'a> {
    /// Prepares a rectangle's texels. Returns `None` if two levels are to be blended.
    pub(crate) fn new(
        (table, rotated): (&'a RectangleTable, bool),
        texture: &'a TextureState,
        (cached, memory): (&CachedLevels<'a>, TexelMemory<'a>),
        selection: LodSelection,
        scratch: &'a mut RectangleScratch,
    ) -> Option<Self> {
        let number = usize::from(selection.level);
        let level = texture.levels.get(number).filter(|_| selection.fraction == 0)?;
        let cached = cached.get(number).copied().flatten();
        let wrap = texture.wrap;
        let rows = || TexelRows::new(level, wrap, cached, memory.of_level(level));
        let texels = if rotated { None } else { rows() };
        Some(Self { table, rotated, selection, level, wrap, texels, scratch, is_prepared: false, rows: None })
    }

    /// Computes positions for all columns and rows.
    #[inline(always)]
    fn prepare<S: Simd>(&mut self, simd: S) {
        let RectangleScratch { columns, rows, .. } = &mut *self.scratch;
        let linear = self.selection.linear;
        let clamp = [self.wrap.clamp_s, self.wrap.clamp_t];
        let [along, across] = if self.rotated { [1, 0] } else { [0, 1] };
        let coordinates = [(columns, self.table.columns(), along), (rows, self.table.rows(), across)];
        for (out, coordinates, axis) in coordinates {
            let axis = Axis {
                scale: self.level.scale[axis],
                last: self.level.last[axis],
                clamp: clamp[axis],
                arithmetic: Arithmetic::Hardware,
            };
            out.clear();
            for coordinates in coordinates.chunks(BATCH_SIZE) {
                let (mut from, mut to) = ([0.0; BATCH_SIZE], [0; BATCH_SIZE]);
                let count = coordinates.len();
                from[..count].copy_from_slice(coordinates);
                to_texel_positions(simd, &axis, linear, &from, &mut to, count);
                out.extend_from_slice(&to[..count]);
            }
        }
        self.rows = self.texels.and_then(|texels| self.scratch.row_texels(texels, linear));
        self.is_prepared = true;
    }

    /// Samples a batch from rows of texels. Returns `false` if texels must be sampled for each fragment.
    #[inline(always)]
    pub(crate) fn sample<S: Simd>(&mut self, simd: S, batch: &mut Batch) -> bool {
        if !self.is_prepared {
            self.prepare(simd);
        }
        let Batch { runs, texel, count, .. } = batch;
        let Some(RowTexels { texels, consecutive, copied }) = self.rows else { return false };
        if *count < MIN_RUN * runs.len() && !copied {
            return false;
        }
        let linear = self.selection.linear;
        let RectangleScratch { columns, rows, filtered } = &mut *self.scratch;
        let columns = TexelColumns { positions: columns.as_chunks().0, consecutive, linear };
        for run in runs {
            let (run_columns, row) = columns_and_row(run);
            let position = rows.get(row).copied().unwrap_or(0);
            let Some(out) = texel.get_mut(run.lane..) else { continue };
            if copied {
                let first = columns.positions.as_flattened().get(run_columns.0).copied().unwrap_or(0) >> 4;
                if let Some(out) = out.get_mut(..run.count) {
                    texels.expand(simd, position >> 4, first, out);
                }
            } else if linear {
                filtered.linear(simd, &texels, &columns, position, run_columns, out);
            } else {
                filtered.nearest(simd, &texels, &columns, position, run_columns, out);
            }
        }
        true
    }

    /// Looks up texel positions for a batch. This requires a call to [`Self::sample`] first, which computes them.
    pub(crate) fn positions(&self, batch: &Batch, u: &mut [i32; BATCH_SIZE], v: &mut [i32; BATCH_SIZE]) {
        let (along, across) = if self.rotated { (v, u) } else { (u, v) };
        for run in &batch.runs {
            let ((column, count), row) = columns_and_row(run);
            let lanes = run.lane..run.lane + count;
            if let Some(columns) = self.scratch.columns.get(column..column + count) {
                along[lanes.clone()].copy_from_slice(columns);
            }
            across[lanes].fill(self.scratch.rows.get(row).copied().unwrap_or(0));
        }
    }
}

/// Returns a run's first column, how many columns it has, and its row.
fn columns_and_row(run: &PixelRun) -> ((usize, usize), usize) {
    let [column, row] = [run.column, run.row].map(|at| usize::try_from(at).unwrap_or(0));
    ((column, run.count), row)
}
