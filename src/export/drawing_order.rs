//! Finds the draws in a frame that would look different if depth alone decided.
//!
//! The GE shows pixels in the order they are drawn. A viewer for model files shows the nearest opaque surface
//! instead, and blends other surfaces in its own order. This computes both for every pixel, to warn about draws that
//! a file cannot reproduce.
//!
//! # Invariants
//! This never exceeds [`Limits::pixels`] and [`Limits::memory`]. Draws in through mode are not compared, because
//! they lie in separate layers.

mod depth_copy;
mod pixel;

use std::collections::BTreeMap;

use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::pixel::{ClearMode, Comparison, DepthTest};
use crate::ge::registers::{Matrix, Registers};
use crate::pipeline::draw::Draw;
use crate::pipeline::framebuffer::{COORDINATES, ColorSurface};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::probe::{Probe, ProbedFragment};
use depth_copy::{DepthCopy, DepthRule};
use pixel::{Difference, DrawRule, Layer, add_layer, compare};

/// A draw relies on the order if more than a pixel in this many does. A few always differ if surfaces touch, because
/// depth has only 16 bits.
const PIXELS_PER_DIFFERENCE: u64 = 50;
/// Bytes for a row of pixels without layers.
const ROW_BYTES: u64 = COORDINATES as u64 * size_of::<Vec<Layer>>() as u64;
/// Bytes for a layer. Growing lists hold room for twice as many.
const LAYER_BYTES: u64 = 2 * size_of::<Layer>() as u64;

/// Counts a draw's pixels that rely on the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Pixels the draw covers.
    pixels: u64,
    /// Pixels that rely on the order, by [`Difference`].
    differences: [u64; 3],
}

/// Why a draw relies on the drawing order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OrderReasons {
    /// It covers a nearer draw, or a farther draw covers it.
    pub(super) depth: bool,
    /// It lies at the same depth as another draw.
    pub(super) equal_depth: bool,
    /// It blends with a draw that blends, too.
    pub(super) blending: bool,
}

/// Which draws rely on the order, and why.
#[derive(Clone, Debug, Default)]
pub(super) struct OrderReport {
    pub(super) draws: BTreeMap<u64, OrderReasons>,
    /// The limit that ended the comparison, if any. Later draws are not compared.
    pub(super) limit_hit: Option<LimitHit>,
}

/// Collects the visible layers at each pixel in a frame.
#[derive(Clone, Debug)]
pub(super) struct DrawingOrder {
    /// For each draw, its number in the run.
    numbers: Vec<u64>,
    rules: Vec<DrawRule>,
    counts: Vec<Counts>,
    targets: Vec<Target>,
    /// For each pixel on the screen, the last draw there, and where to find its layer in `fragments`.
    seen: Vec<(u32, u32)>,
    /// The current draw's pixels, with a layer each.
    fragments: Vec<(u32, Layer)>,
    depth: DepthCopy,
    pixels: Budget,
    memory: Budget,
}

/// The layers in a colour buffer, for projections whose depths can be compared.
#[derive(Clone, Debug)]
struct Target {
    address: u32,
    projection: Projection,
    /// Layers by pixel, in drawing order.
    layers: Vec<Vec<Layer>>,
}

/// Projections whose depths can be compared.
#[derive(Clone, Debug, PartialEq)]
enum Projection {
    /// Perspective projections with a common unit of length.
    Perspective { unit: f32 },
    /// A single parallel projection.
    Parallel([f32; 16]),
}

impl Default for DrawingOrder {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            numbers: Vec::new(),
            rules: Vec::new(),
            counts: Vec::new(),
            targets: Vec::new(),
            seen: Vec::new(),
            fragments: Vec::new(),
            depth: DepthCopy::default(),
            pixels: Budget::new(&limits, Limit::Pixels),
            memory: Budget::new(&limits, Limit::Memory),
        }
    }
}

impl DrawingOrder {
    pub(super) fn begin(&mut self, limits: &Limits) {
        self.pixels = Budget::new(limits, Limit::Pixels);
        self.memory = Budget::new(limits, Limit::Memory);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.pixels.limit_hit().or_else(|| self.memory.limit_hit())
    }

    /// Call this before anything but a draw changes memory.
    pub(super) fn written(&mut self, start: Address, length: u32) {
        self.depth.drop_if_written(start, length);
    }

    /// Call this before memory or its views may change as a whole.
    pub(super) fn changed(&mut self) {
        self.depth.drop_copy();
    }

    /// Call this for a draw that is not compared, because it may still change the depth buffer.
    pub(super) fn skip(&mut self, registers: &Registers) {
        if DepthRule::new(registers).writes() {
            self.depth.drop_copy();
        }
        self.depth.drop_if_drawn(registers);
    }

    /// Adds a draw before it is drawn. `flush` must bring memory up to date with earlier draws.
    pub(super) fn add(
        &mut self,
        memory: &mut Memory,
        draw: &Draw<'_>,
        blends: bool,
        mut flush: impl FnMut(&mut Memory),
    ) {
        let registers = draw.registers;
        if registers.is_on(Opcode::STENCILTESTENABLE) {
            // The stencil lies in the colour buffer, so the test needs its current content.
            flush(memory);
        }
        let mut depth = std::mem::take(&mut self.depth);
        depth.select(registers, memory, flush);
        self.collect(memory, draw, blends, &mut depth);
        depth.drop_if_drawn(registers);
        self.depth = depth;
    }

    fn collect(&mut self, memory: &Memory, draw: &Draw<'_>, blends: bool, depth: &mut DepthCopy) {
        let registers = draw.registers;
        let tests = registers.is_on(Opcode::ZTESTENABLE);
        let clears = registers.get::<ClearMode>().enabled;
        let rule = DrawRule {
            blends,
            tests: tests && registers.get::<DepthTest>().function != Comparison::ALWAYS,
            writes: tests && !registers.is_on(Opcode::ZWRITEDISABLE),
            clears,
        };
        let Ok(number) = u32::try_from(self.rules.len()) else { return };
        if self.limit_hit().is_some() {
            return;
        }
        let nearer_is_less =
            matches!(registers.get::<DepthTest>().function, Comparison::LESS | Comparison::LESS_EQUAL);
        let projection = projection(registers);
        self.numbers.push(draw.number);
        self.rules.push(rule);
        self.counts.push(Counts::default());
        self.fragments.clear();
        let probe = Probe::new(memory, registers);
        let depth_rule = DepthRule::new(registers);
        draw.to_screen(memory, Arithmetic::Hardware, &mut |primitive: &ScreenPrimitive| {
            if self.pixels.spend(probe.pixels(primitive)).is_err() {
                return;
            }
            probe.fragments(primitive, &mut |fragment| {
                let passes = depth.draw(memory, depth_rule, fragment.position, fragment.z);
                // Nearness grows towards the viewer. A clear is the background, so everything else is nearer.
                let nearness = match &projection {
                    _ if clears => f32::NEG_INFINITY,
                    Projection::Perspective { .. } => fragment.reciprocal_w,
                    Projection::Parallel(_) if nearer_is_less => -f32::from(fragment.z),
                    Projection::Parallel(_) => f32::from(fragment.z),
                };
                self.fragment(&fragment, Layer { draw: number, nearness, z: fragment.z, passes }, rule);
            });
        });
        if let Some(counts) = self.counts.last_mut() {
            counts.pixels = self.fragments.len() as u64;
        }
        let address = ColorSurface::from_registers(registers).address;
        if clears {
            self.clear(address);
        } else {
            self.store(address, projection);
        }
    }

    /// Keeps a single layer per pixel: merges a fragment with an earlier fragment from the same draw.
    fn fragment(&mut self, at: &ProbedFragment, layer: Layer, rule: DrawRule) {
        let pixel = at.y.saturating_mul(COORDINATES).saturating_add(at.x);
        let Ok(next) = u32::try_from(self.fragments.len()) else { return };
        if self.seen.len() <= pixel as usize {
            self.seen.resize((at.y as usize + 1) * COORDINATES as usize, (u32::MAX, 0));
        }
        let Some(seen) = self.seen.get_mut(pixel as usize) else { return };
        if seen.0 != layer.draw {
            *seen = (layer.draw, next);
            self.fragments.push((pixel, layer));
            return;
        }
        let Some((_, known)) = self.fragments.get_mut(seen.1 as usize) else { return };
        let is_nearer = layer.nearness > known.nearness;
        let mut difference = None;
        if rule.blends {
            difference = (layer.passes && known.passes).then_some(Difference::Blending);
        } else if layer.passes && known.passes && !rule.tests && !is_nearer {
            // The draw's own triangles cover nearer triangles.
            difference = Some(Difference::Depth);
        }
        // This prefers a fragment that passes, then the nearer.
        if (layer.passes, is_nearer) > (known.passes, false) || layer.passes && !known.passes {
            *known = layer;
        }
        if let Some(difference) = difference {
            self.blame(layer.draw, difference);
        }
    }

    fn blame(&mut self, draw: u32, difference: Difference) {
        if let Some(counts) = self.counts.get_mut(draw as usize) {
            counts.differences[difference as usize] += 1;
        }
    }

    /// Adds the current draw to its target's layers.
    fn store(&mut self, address: u32, projection: Projection) {
        // Successive draws mostly share a target, so this searches from the end.
        let known = self
            .targets
            .iter()
            .rposition(|target| target.address == address && target.projection == projection);
        let index = known.unwrap_or_else(|| {
            self.targets.push(Target { address, projection, layers: Vec::new() });
            self.targets.len() - 1
        });
        let Some(target) = self.targets.get_mut(index) else { return };
        let columns = COORDINATES as usize;
        for (pixel, layer) in &self.fragments {
            let pixel = *pixel as usize;
            // Rows are added on demand, so that a small frame takes little memory.
            if target.layers.len() <= pixel {
                let rows = (pixel / columns + 1) - target.layers.len() / columns;
                if self.memory.spend(rows as u64 * ROW_BYTES).is_err() {
                    return;
                }
                target.layers.resize((pixel / columns + 1) * columns, Vec::new());
            }
            let Some(layers) = target.layers.get_mut(pixel) else { return };
            let before = layers.len() as u64;
            add_layer(layers, *layer, &self.rules);
            let added = (layers.len() as u64).saturating_sub(before);
            if self.memory.spend(added * LAYER_BYTES).is_err() {
                return;
            }
        }
    }

    /// Covers everything drawn into a colour buffer before.
    fn clear(&mut self, address: u32) {
        for target in self.targets.iter_mut().filter(|target| target.address == address) {
            for (pixel, layer) in &self.fragments {
                if let Some(layers) =
                    target.layers.get_mut(*pixel as usize).filter(|layers| !layers.is_empty())
                {
                    add_layer(layers, *layer, &self.rules);
                    if self.memory.spend(LAYER_BYTES).is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// Compares both pictures, and returns which draws rely on the order, to warn about them.
    pub(super) fn finish(mut self) -> OrderReport {
        let targets = std::mem::take(&mut self.targets);
        let rules = std::mem::take(&mut self.rules);
        // A lone layer looks the same in any order, so it needs no comparison.
        for layers in targets.iter().flat_map(|target| &target.layers).filter(|layers| layers.len() > 1) {
            compare(layers, &rules, &mut |draw, difference| self.blame(draw, difference));
        }
        let mut draws = BTreeMap::new();
        for (number, counts) in self.numbers.iter().zip(&self.counts) {
            let [depth, equal_depth, blending] =
                counts.differences.map(|pixels| pixels.saturating_mul(PIXELS_PER_DIFFERENCE) > counts.pixels);
            let reasons = OrderReasons { depth, equal_depth, blending };
            if reasons != OrderReasons::default() {
                draws.insert(*number, reasons);
            }
        }
        OrderReport { draws, limit_hit: self.limit_hit() }
    }
}

/// Tells which draws' depths can be compared.
fn projection(registers: &Registers) -> Projection {
    let mut matrix = [0.0; 16];
    for (element, value) in matrix.iter_mut().zip(registers.matrix(Matrix::Projection)) {
        *element = value.to_f32();
    }
    // Without this element w is constant, so the projection is parallel.
    if matrix[11] == 0.0 {
        Projection::Parallel(matrix)
    } else {
        Projection::Perspective { unit: matrix[11].abs() }
    }
}
