//! The census of a draw: how many of its primitives each geometry stage drops, and why.
//!
//! It lowers the draw once more, with counters that the normal path does not need.

use super::Draw;
use super::primitive_pipeline::PrimitivePipeline;
use crate::ge::arithmetic::{Arithmetic, Hf16, Real};
use crate::ge::memory::Memory;
use crate::pipeline::geometry::assemble::Assembled;
use crate::pipeline::geometry::clip_test::ClipResult;
use crate::pipeline::geometry::clip_vertex::ClipVertex;
use crate::pipeline::geometry::model_vertices::ModelVertices;
use crate::pipeline::geometry::outcode::Outcode;
use crate::pipeline::geometry::transform::Transform;

/// Counts of a draw's primitives: drawn ones, and dropped ones by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Census {
    /// All assembled primitives.
    pub primitives: u64,
    /// Drawn in whole or in part.
    pub kept: u64,
    /// Dropped for their winding.
    pub culled: u64,
    /// Triangles without area, which culling drops.
    pub flat: u64,
    /// Dropped because all vertices are beyond the same side of the view volume, the near and far plane
    /// included.
    pub outside_view: u64,
    /// Dropped because w of a vertex is 0 or negative.
    pub behind: u64,
    /// Dropped because a vertex is outside the screen space.
    pub outside_screen: u64,
    /// Dropped because the depth of a vertex is outside 16 bits.
    pub outside_depth: u64,
}

impl Census {
    /// Counts a dropped primitive.
    fn count_dropped(&mut self, reason: Outcode) {
        let counter = if reason.intersects(Outcode::W_NOT_POSITIVE) {
            &mut self.behind
        } else if reason.intersects(Outcode::SIDES) {
            &mut self.outside_view
        } else if reason.intersects(Outcode::OUTSIDE_SCREEN | Outcode::OUTSIDE_SCREEN_IN_FRONT) {
            &mut self.outside_screen
        } else {
            &mut self.outside_depth
        };
        *counter = counter.saturating_add(1);
    }
}

impl Draw<'_> {
    /// Counts the drawn primitives of the draw, and the dropped ones by reason.
    #[must_use]
    pub(crate) fn census(&self, memory: &Memory, arithmetic: Arithmetic) -> Census {
        match arithmetic {
            Arithmetic::Hardware => self.census_in::<Hf16>(memory),
            Arithmetic::Single => self.census_in::<f32>(memory),
        }
    }

    fn census_in<R: Real>(&self, memory: &Memory) -> Census {
        let mut census = Census::default();
        let transform = Transform::<R>::new(self.registers, self.carried.zero_normal);
        if let Some(patch) = self.patch {
            let pipeline = PrimitivePipeline::<R>::of_patches(self.registers, self.primitive);
            let control = self.control_points::<R>(memory);
            patch.tessellate(self.registers, R::ARITHMETIC, &control, &mut |grid| {
                let mut vertices = Vec::new();
                transform.apply_all(&grid.vertices, &mut vertices);
                count(&pipeline, &vertices, grid.assembled(self.primitive), &mut census);
            });
            return census;
        }
        let pipeline = PrimitivePipeline::<R>::new(self.registers, self.effective_primitive());
        let mut vertices = Vec::new();
        self.append_vertices(&ModelVertices::<R>::new(self.registers), &self.reader(memory), &mut vertices);
        let vertices = self.clip_vertices(&transform, &vertices);
        count(&pipeline, &vertices, self.assembled(), &mut census);
        census
    }
}

/// Counts primitives of vertices in clip space.
fn count<R: Real>(
    pipeline: &PrimitivePipeline<'_, R>,
    vertices: &[ClipVertex<R>],
    primitives: impl Iterator<Item = Assembled>,
    census: &mut Census,
) {
    let viewport = pipeline.viewport();
    let projected: Vec<_> = vertices.iter().map(|vertex| viewport.project(vertex)).collect();
    for Assembled { vertices: numbers, reversed } in primitives {
        census.primitives = census.primitives.saturating_add(1);
        let corners = numbers.iter().filter_map(|&number| projected.get(number as usize));
        let outcodes = corners.clone().map(|corner| corner.outcode);
        let mut kept = false;
        match pipeline.clip_test.classify(outcodes.clone()) {
            ClipResult::Dropped => {
                census.count_dropped(pipeline.clip_test.drop_reason(outcodes));
                continue;
            }
            ClipResult::Accepted => {
                let positions: Vec<[i32; 2]> =
                    corners.map(|corner| [corner.vertex.x, corner.vertex.y]).collect();
                if let [a, b, c] = positions[..]
                    && pipeline.culling.culls([a, b, c], reversed)
                {
                    let is_flat = pipeline.culling.culls([a, b, c], !reversed);
                    let counter = if is_flat { &mut census.flat } else { &mut census.culled };
                    *counter = counter.saturating_add(1);
                    continue;
                }
                kept = true;
            }
            ClipResult::NeedsClipping => {
                let corners = numbers.iter().filter_map(|&number| vertices.get(number as usize).copied());
                pipeline.clip_and_emit(corners.collect(), reversed, &mut |_| kept = true);
            }
        }
        // A clipped primitive without a rest was culled, or its rest is outside the screen space.
        let counter = if kept { &mut census.kept } else { &mut census.culled };
        *counter = counter.saturating_add(1);
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::limits::Limits;
    use crate::pipeline::draw::ImmediateDraw;
    use crate::run::replay;
    use crate::run::sink::{NullObserver, Sink};

    /// Collects the census of each draw.
    struct Counter(Vec<Census>);

    impl Sink for Counter {
        fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
            let mut kept = 0;
            draw.to_screen(memory, Arithmetic::Hardware, &mut |_| kept += 1);
            let census = draw.census(memory, Arithmetic::Hardware);
            assert_eq!(census.kept, kept, "the census agrees with the pipeline");
            self.0.push(census);
        }

        fn draw_immediate(&mut self, _: &mut Memory, _: &ImmediateDraw<'_>) {}

        fn flush(&mut self, _: &mut Memory) {}
    }

    /// Returns the census of one triangle with these settings, in through mode.
    fn census(settings: &str, corners: &str) -> Census {
        let text = format!(
            "BASE hi(.) | VTYPE position=BITS16 through=1 | {settings} | VADDR lo(v)
             PRIM primitive=TRIANGLES count=3 | FINISH | END | v: .s16 {corners}"
        );
        let mut capture = crate::asm::assemble(&text).expect("a list").capture();
        let mut counter = Counter(Vec::new());
        replay::run(&mut capture, Arithmetic::Hardware, &mut counter, &mut NullObserver, &Limits::default());
        counter.0.first().copied().expect("one draw")
    }

    #[test]
    fn tells_winding_from_missing_area() {
        let one = Census { primitives: 1, ..Census::default() };
        let clockwise = "0 0 0  9 0 0  0 9 0";
        assert_eq!(census("NOP", clockwise), Census { kept: 1, ..one }, "drawn");
        assert_eq!(census("CULLENABLE 1", clockwise), Census { culled: 1, ..one }, "culled");
        assert_eq!(census("CULLENABLE 1", "0 0 0  9 0 0  18 0 0"), Census { flat: 1, ..one }, "flat");
        let transformed = census("VTYPE position=BITS16", clockwise);
        assert_eq!(transformed, Census { behind: 1, ..one }, "w is 0 without matrices");
    }
}
