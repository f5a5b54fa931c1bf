//! Watches a pixel's bytes. It explains every fragment that reaches them, before the fragment's draw is drawn.
//!
//! # Invariants
//! * Explanations come from [`crate::raster::rules::reference`], which draws at this pixel alone. Memory is restored
//!   afterwards.
//! * If a draw's pixels depend on each other (texels from their own target, pixels that share bytes), the reference
//!   draws all of it. Memory is restored afterwards here too.
//! * A watch does not change any drawn pixel.

use std::ops::Range;

use super::fragment_record::{FragmentRecord, TestName, TestRecord};
use super::recorder::{PixelRecorder, Recorder};
use super::watched_pixel::{ScreenPixels, WatchedPixel};
use crate::ge::limits::{Budget, LimitHit};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::rules::coverage::for_each_pixel;
use crate::raster::rules::pixel;
use crate::raster::rules::pixel_rect::PixelRect;
use crate::raster::rules::reference;
use crate::raster::texel_cache::TexelCache;
use crate::raster::texel_cache::cache_lines::TexelAccess;

/// A fragment that reached a watched pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedFragment {
    /// Which of the draw's primitives this fragment belongs to, from 0, in the order of the list. A patch has the
    /// primitives of all its sub-patches in sequence. If single arithmetic merges two triangles to a rectangle, this
    /// is the first's number.
    pub number: u32,
    /// The primitive it belongs to.
    pub primitive: ScreenPrimitive,
    /// Everything that happened to this fragment.
    pub record: FragmentRecord,
    /// Whether the watched bytes are in the draw's depth buffer rather than its colour buffer.
    pub is_depth: bool,
    /// The watched bytes before this fragment, as a little-endian number.
    pub before: u32,
    /// The watched bytes after this fragment.
    pub after: u32,
}

/// A pixel, and the fragments that have reached it since they were last taken.
#[derive(Debug)]
pub(crate) struct PixelWatch {
    pixel: WatchedPixel,
    screen: ScreenPixels,
    fragments: Vec<WatchedFragment>,
    budget: Budget,
}

/// A draw about to be drawn, with its memory and state.
pub(crate) struct WatchedDraw<'a> {
    pub(crate) memory: &'a mut Memory,
    pub(crate) registers: &'a Registers,
    pub(crate) primitives: &'a [ScreenPrimitive],
    /// The texture cache, if this draw may see other texels than memory has.
    pub(crate) texels: Option<&'a TexelCache>,
    pub(crate) number: u64,
}

/// The primitives that cover a watched pixel.
#[derive(Debug)]
pub(crate) struct Covering {
    /// The screen pixels that write it, sorted by rows.
    pixels: Vec<[u32; 2]>,
    /// Numbers of the primitives that cover any of these pixels, rising.
    numbers: Vec<usize>,
}

impl PixelWatch {
    /// Creates a watch. The budget limits how many bytes the fragments take.
    pub(crate) fn new(pixel: WatchedPixel, budget: Budget) -> Self {
        Self { pixel, screen: ScreenPixels::default(), fragments: Vec::new(), budget }
    }

    pub(super) fn move_to(&mut self, pixel: WatchedPixel) {
        if self.pixel != pixel {
            self.pixel = pixel;
            self.screen = ScreenPixels::default();
        }
    }

    /// Returns the fragments so far, in order, and forgets them.
    pub(crate) fn take(&mut self) -> Vec<WatchedFragment> {
        std::mem::take(&mut self.fragments)
    }

    pub(crate) const fn len(&self) -> usize {
        self.fragments.len()
    }

    /// Replaces the numbers of the fragments from `first` on. So far these count primitives after clipping and
    /// culling. `numbers` holds each primitive's number in the list.
    pub(super) fn renumber(&mut self, first: usize, numbers: &[u32]) {
        for fragment in self.fragments.iter_mut().skip(first) {
            fragment.number = numbers.get(fragment.number as usize).copied().unwrap_or(fragment.number);
        }
    }

    /// Returns the limit that has ended the explanations, if there is one.
    pub(crate) fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }

    /// Finds a draw's primitives that cover the pixel, inside or outside the scissor. Returns `None` if there are
    /// none.
    pub(super) fn covering(
        &mut self,
        memory: &Memory,
        registers: &Registers,
        primitives: &[ScreenPrimitive],
    ) -> Option<Covering> {
        if self.budget.limit_hit().is_some() {
            return None;
        }
        let pixels = self.screen.find(self.pixel, memory.translation(), registers);
        if pixels.is_empty() {
            return None;
        }
        let is_covering = |primitive: &ScreenPrimitive| pixels.iter().any(|at| covers(primitive, *at));
        let numbers = primitives.iter().enumerate().filter(|(_, primitive)| is_covering(primitive));
        let numbers: Vec<usize> = numbers.map(|(number, _)| number).collect();
        (!numbers.is_empty()).then(|| Covering { pixels: pixels.to_vec(), numbers })
    }

    /// Explains the fragments of these primitives. `is_entangled` tells that the result at a pixel may depend on the
    /// draw's writes elsewhere. Memory must hold the results of all earlier draws.
    pub(crate) fn explain(&mut self, draw: WatchedDraw<'_>, covering: &Covering, is_entangled: bool) {
        let WatchedDraw { memory, registers, primitives, texels, number: draw } = draw;
        let scissor = PixelRect::scissor(registers);
        let mut recorder = PixelRecorder::new(covering.pixels.clone());
        let is_inside = |[x, y]: [u32; 2]| scissor.contains(x, y);
        let inside: Vec<[u32; 2]> = covering.pixels.iter().copied().filter(|at| is_inside(*at)).collect();
        // Only a single pixel that is not entangled can be restored alone. Otherwise the draw may write anywhere in
        // VRAM.
        let undo = match inside[..] {
            [] => Undo::Nothing,
            [at] if !is_entangled => Undo::pixel(memory, registers, at),
            _ => Undo::Whole(memory.vram().to_vec()),
        };
        let area = match inside[..] {
            [at] if !is_entangled => pixel_rect(at),
            _ => scissor.clone(),
        };
        let mut texels = texels.cloned();
        let access = &mut match &mut texels {
            Some(texels) => texels.access(memory, draw),
            None => TexelAccess::Live,
        };
        let last = covering.numbers.last().map_or(0, |last| last + 1);
        let mut covered = covering.numbers.iter().copied().peekable();
        for (number, primitive) in primitives.iter().enumerate().take(last) {
            let is_covering = covered.next_if_eq(&number).is_some();
            // In an entangled draw, primitives that do not cover the pixel may still change bytes that it reads, so
            // they are drawn too.
            if !is_covering && !matches!(undo, Undo::Whole(_)) {
                continue;
            }
            let before = self.pixel.read(memory);
            if !inside.is_empty() {
                let recorder = &mut recorder;
                reference::draw_primitive_inside(memory, registers, primitive, &area, access, recorder);
            }
            let outside = covering.pixels.iter().copied().filter(|at| !is_inside(*at));
            for at in outside.filter(|at| covers(primitive, *at)) {
                record_outside(memory, registers, at, &mut recorder);
            }
            let after = self.pixel.read(memory);
            for mut record in recorder.take() {
                record.tests.insert(0, scissor_test(&scissor, record.screen));
                let bytes = size_of::<WatchedFragment>() + record.heap_bytes();
                if self.budget.spend(bytes as u64).is_err() {
                    undo.restore(memory, registers);
                    return;
                }
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                let is_depth = !self.pixel.shares_color(registers, record.position);
                let primitive = *primitive;
                self.fragments.push(WatchedFragment { number, primitive, record, is_depth, before, after });
            }
        }
        undo.restore(memory, registers);
    }
}

/// The bytes to restore after an explanation.
enum Undo {
    Nothing,
    Pixel { at: [u32; 2], bits: u32, depth: u16 },
    Whole(Vec<u8>),
}

impl Undo {
    /// Keeps the bytes of a screen pixel.
    fn pixel(memory: &Memory, registers: &Registers, screen: [u32; 2]) -> Self {
        let at = pixel::position(registers, screen);
        let bits = ColorSurface::from_registers(registers).read_bits(memory, at[0], at[1]);
        let depth = DepthSurface::from_registers(registers).read(memory, at[0], at[1]);
        Self::Pixel { at, bits, depth }
    }

    /// Writes the bytes back.
    fn restore(&self, memory: &mut Memory, registers: &Registers) {
        match self {
            Self::Nothing => {}
            Self::Pixel { at: [column, row], bits, depth } => {
                let (color, depths) =
                    (ColorSurface::from_registers(registers), DepthSurface::from_registers(registers));
                // Writing gives memory a new version and so invalidates caches. To avoid that, this writes only
                // bytes that differ.
                if depths.read(memory, *column, *row) != *depth {
                    depths.write(memory, *column, *row, *depth);
                }
                if color.read_bits(memory, *column, *row) != *bits {
                    color.write_bits(memory, *column, *row, *bits);
                }
            }
            Self::Whole(bytes) => {
                if memory.vram() != bytes {
                    memory.vram_mut().copy_from_slice(bytes);
                }
            }
        }
    }
}

/// Records a fragment that the scissor stops.
fn record_outside(memory: &Memory, registers: &Registers, [x, y]: [u32; 2], recorder: &mut PixelRecorder) {
    recorder.select(x, y);
    recorder.record(|record| {
        record.position = pixel::position(registers, [x, y]);
        record.before = pixel::value(memory, registers, record.position);
        record.after = record.before;
    });
}

/// Describes the scissor test for a screen pixel.
fn scissor_test(scissor: &PixelRect, [x, y]: [u32; 2]) -> TestRecord {
    // Columns and rows are below 1024 and ends at most 1024, so both fit in a word.
    let pack = |column: i64, row: i64| u32::try_from(column | row << 16).unwrap_or(0);
    TestRecord {
        test: TestName::Scissor,
        function: None,
        value: pack(x.into(), y.into()),
        reference: pack(scissor.x.start, scissor.y.start),
        last: Some(pack((scissor.x.end - 1).max(0), (scissor.y.end - 1).max(0))),
        mask: None,
        passed: scissor.contains(x, y),
    }
}

/// Returns whether a primitive covers a screen pixel.
fn covers(primitive: &ScreenPrimitive, [x, y]: [u32; 2]) -> bool {
    /// Farther than any shape reaches beyond its vertices, in pixels.
    const MARGIN: i64 = 2;
    let around = PixelRect::around(primitive);
    let is_near =
        |around: Range<i64>, pixel: u32| (around.start - MARGIN..around.end + MARGIN).contains(&pixel.into());
    let mut is_covered = false;
    // This test is cheap and spares most primitives the exact search.
    if is_near(around.x, x) && is_near(around.y, y) {
        let mark = |_, _| is_covered = true;
        for_each_pixel(&primitive.shape, primitive.arithmetic, &pixel_rect([x, y]), mark);
    }
    is_covered
}

/// Returns a rectangle with just this pixel.
fn pixel_rect(at: [u32; 2]) -> PixelRect {
    let [x, y] = at.map(|first| i64::from(first)..i64::from(first) + 1);
    PixelRect { x, y }
}
