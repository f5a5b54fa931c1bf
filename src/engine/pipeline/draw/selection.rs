//! Selects the surviving primitives by their screen positions alone, to compute attributes only for vertices that
//! these primitives use.

use super::scratch::{Survivor, VisibleSet};
use crate::ge::arithmetic::simd::{Instructions, Simd as _, dispatch};
use crate::pipeline::geometry::assemble::Assembled;
use crate::pipeline::geometry::clip_test::{ClipResult, ClipTest};
use crate::pipeline::geometry::cull::Culling;
use crate::pipeline::geometry::lanes::LANES;
use crate::pipeline::geometry::screen_position::{ScreenPositions, StripGroup};

/// Marks a vertex that no surviving primitive uses.
const UNUSED: u32 = u32::MAX;

/// A selection in progress. Not for through mode.
pub(super) struct Selection<'s> {
    clip_test: ClipTest,
    culling: Culling,
    positions: &'s ScreenPositions,
    visible: &'s mut VisibleSet,
}

impl<'s> Selection<'s> {
    /// Starts without survivors and with all vertices unused.
    pub(super) fn new(
        clip_test: ClipTest,
        culling: Culling,
        positions: &'s ScreenPositions,
        visible: &'s mut VisibleSet,
    ) -> Self {
        let VisibleSet { survivors, used, slots, .. } = visible;
        survivors.clear();
        used.clear();
        slots.clear();
        slots.resize(positions.len(), UNUSED);
        Self { clip_test, culling, positions, visible }
    }

    /// Tests these primitives separately and keeps the survivors.
    pub(super) fn add(&mut self, primitives: impl Iterator<Item = Assembled>) {
        let positions = self.positions;
        // A draw hardly ever has more primitives than vertices, so this avoids growing the list.
        let (least, most) = primitives.size_hint();
        self.visible.survivors.reserve(most.unwrap_or(least).min(positions.len()));
        primitives.for_each(|assembled| {
            let numbers = &assembled.vertices;
            let result = self.clip_test.classify(numbers.iter().map(|&number| positions.outcode(number)));
            let is_culled = || match numbers[..] {
                [a, b, c] => {
                    let corners = [positions.place(a), positions.place(b), positions.place(c)];
                    self.culling.culls(corners, assembled.reversed)
                }
                _ => false,
            };
            // This keeps a primitive that needs clipping: its winding is known only after the near plane has cut
            // it.
            if result == ClipResult::Dropped || result == ClipResult::Accepted && is_culled() {
                return;
            }
            self.visible.keep(Survivor { needs_clipping: result == ClipResult::NeedsClipping, assembled });
        });
    }

    /// Tests all triangles in a strip that uses all vertices in order.
    pub(super) fn add_whole_strip(&mut self) {
        let Self { clip_test, culling, positions, visible } = self;
        select_strip(clip_test, culling, positions, false, visible, |nth| nth);
    }

    /// Tests the triangles in a strip whose vertices have these numbers. Set `first_reversed` if the first triangle
    /// has reversed winding.
    pub(super) fn add_strip(&mut self, numbers: impl Iterator<Item = u32>, first_reversed: bool) {
        let Self { clip_test, culling, positions, visible } = self;
        // Lanes need neighbours next to each other, so this gathers positions in strip order.
        let mut strip = std::mem::take(&mut visible.strip);
        strip.numbers.clear();
        strip.numbers.extend(numbers);
        strip.positions.set_strip(positions, &strip.numbers);
        let number = |nth: u32| strip.numbers.get(nth as usize).copied().unwrap_or(UNUSED);
        select_strip(clip_test, culling, &strip.positions, first_reversed, visible, number);
        visible.strip = strip;
    }

    /// Numbers the used vertices. Returns whether any primitive survives.
    pub(super) fn finish(self) -> bool {
        let VisibleSet { survivors, used, slots, .. } = self.visible;
        if survivors.is_empty() {
            return false;
        }
        // A slot so far only says whether its vertex is used. Counting in ascending order gives each its place.
        used.reserve(slots.len());
        for (number, slot) in (0..).zip(slots) {
            if *slot != UNUSED {
                *slot = u32::try_from(used.len()).unwrap_or(UNUSED);
                used.push(number);
            }
        }
        true
    }
}

impl VisibleSet {
    /// Keeps a primitive and marks its vertices as used.
    #[inline]
    fn keep(&mut self, survivor: Survivor) {
        for &number in &survivor.assembled.vertices {
            if let Some(slot) = self.slots.get_mut(number as usize) {
                *slot = 0;
            }
        }
        self.survivors.push(survivor);
    }
}

/// Tests a strip's triangles and keeps the survivors. `number` maps a place in the strip to the vertex there.
fn select_strip(
    clip_test: &ClipTest,
    culling: &Culling,
    strip: &ScreenPositions,
    first_reversed: bool,
    visible: &mut VisibleSet,
    number: impl Fn(u32) -> u32,
) {
    let triangles = strip.len().saturating_sub(2);
    dispatch!(Instructions::Best, simd => for (first, group) in strip.strip_groups() {
        let [mut kept, clipped] = simd.vectorize(
            #[inline(always)]
            || test_strip(clip_test, culling, group, first_reversed),
        );
        // Each set bit is a survivor. Most triangles are dropped or kept in runs, so it pays to visit only set
        // bits.
        while kept != 0 {
            let lane = kept.trailing_zeros();
            kept &= kept.wrapping_sub(1);
            let triangle = first.saturating_add(lane as usize);
            if triangle >= triangles {
                break;
            }
            let nth = u32::try_from(triangle).unwrap_or(UNUSED);
            let vertices = [number(nth), number(nth.wrapping_add(1)), number(nth.wrapping_add(2))];
            let assembled = Assembled::new(vertices, (triangle % 2 == 1) != first_reversed);
            visible.keep(Survivor { assembled, needs_clipping: clipped >> lane & 1 == 1 });
        }
    });
}

/// Tests consecutive triangles in a strip. Returns a bit for each survivor and a bit for each triangle that needs
/// clipping. Every second triangle is reversed; with `first_reversed` the first is too.
#[inline(always)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "all lanes have two successors")]
fn test_strip(
    clip_test: &ClipTest,
    culling: &Culling,
    StripGroup { x, y, outcodes }: StripGroup<'_>,
    first_reversed: bool,
) -> [u32; 2] {
    let (mut kept, mut clipped) = ([0; LANES], [0; LANES]);
    for lane in 0..LANES {
        let [a, b, c] = [outcodes[lane], outcodes[lane + 1], outcodes[lane + 2]];
        let (all, any) = (a & b & c, a | b | c);
        let corners = [[x[lane], y[lane]], [x[lane + 1], y[lane + 1]], [x[lane + 2], y[lane + 2]]];
        // Groups start at even triangles, so the lane's parity is the triangle's.
        let is_culled = culling.culls_near(corners, (lane % 2 == 1) != first_reversed);
        let needs_clipping = clip_test.clips(any);
        // `&` and `|` evaluate both sides, which keeps this loop free of branches.
        let is_kept = !clip_test.drops(all, any) & (needs_clipping | !is_culled);
        kept[lane] = u32::from(is_kept) << lane;
        clipped[lane] = u32::from(needs_clipping) << lane;
    }
    let (mut any_kept, mut any_clipped) = (0, 0);
    for lane in 0..LANES {
        any_kept |= kept[lane];
        any_clipped |= clipped[lane];
    }
    [any_kept, any_clipped]
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::arithmetic::{Arithmetic, Hf16, Real as _};
    use crate::ge::float24::Float24;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::ge::registers::vertex::PrimitiveType;
    use crate::pipeline::geometry::assemble::assemble;
    use crate::pipeline::geometry::viewport::Viewport;

    /// Selects among a strip's triangles, both in lanes and separately, because the two must agree. Returns how
    /// many triangles survive.
    fn select(registers: &Registers, positions: &ScreenPositions, reversed: bool, whole: bool) -> usize {
        let count = u32::try_from(positions.len()).expect("few");
        let viewport = Viewport::<Hf16>::new(registers);
        let clip_test = ClipTest::new(&viewport, PrimitiveType::TRIANGLE_STRIP);
        let culling = Culling::new(registers, Arithmetic::Hardware);
        let mut sets = [VisibleSet::default(), VisibleSet::default()];
        // This order differs from the strip's, to test that numbers are looked up.
        let number = |nth: u32| if whole { nth } else { nth * 7 % count };
        for (nth, visible) in sets.iter_mut().enumerate() {
            let mut selection = Selection::new(clip_test, culling, positions, visible);
            if nth == 0 && whole {
                selection.add_whole_strip();
            } else if nth == 0 {
                selection.add_strip((0..count).map(number), reversed);
            } else {
                let primitives = assemble(PrimitiveType::TRIANGLE_STRIP, count, reversed);
                selection.add(primitives.map(|mut assembled| {
                    assembled.vertices.iter_mut().for_each(|vertex| *vertex = number(*vertex));
                    assembled
                }));
            }
            selection.finish();
        }
        let text = |set: &VisibleSet| format!("{:?} {:?} {:?}", set.survivors, set.used, set.slots);
        assert_eq!(text(&sets[0]), text(&sets[1]), "{count} vertices, reversed {reversed}");
        sets[0].survivors.len()
    }

    #[test]
    fn strips_are_selected_as_single_triangles() {
        let mut seed = 7_u32;
        let mut random = move |end: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % end
        };
        let mut survivors = 0;
        for round in 0..600 {
            let switch = |bit: u32| round >> bit & 1;
            let mut settings = vec![
                (Opcode::CULLENABLE, switch(0)),
                (Opcode::CULL, switch(1)),
                (Opcode::DEPTHCLAMPENABLE, switch(2)),
            ];
            for axis in 0..3 {
                for (opcode, value) in [(Opcode::VIEWPORTXSCALE, 900.0), (Opcode::VIEWPORTXCENTER, 2048.0)] {
                    settings.push((opcode.plus(axis), Float24::from_f32(value).to_bits()));
                }
            }
            let registers = Registers::with(settings);
            let viewport = Viewport::<Hf16>::new(&registers);
            let count: usize = [1, 2, 3, 10, 11, 19, 40][random(7) as usize];
            let mut positions = ScreenPositions::default();
            // Mostly within the view volume, on a coarse grid with triangles without area.
            let mut coordinate = || Hf16::from_f32((random(11) as f32 - 5.0) / 4.0);
            let mut lanes = || [(); LANES].map(|()| coordinate());
            let groups: Vec<_> = (0..count.div_ceil(LANES))
                .map(|_| viewport.screen_positions(&[lanes(), lanes(), lanes(), [Hf16::ONE; LANES]]))
                .collect();
            positions.set(count, groups.into_iter());
            survivors += select(&registers, &positions, switch(3) == 1, false);
            survivors += select(&registers, &positions, false, true);
        }
        assert!(survivors > 1000, "only {survivors} survivors");
    }
}
