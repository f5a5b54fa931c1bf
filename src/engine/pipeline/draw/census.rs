//! Counts how many primitives each geometry stage drops, to show a user why a draw is empty.

use super::Draw;
use super::primitive_record::{CullReason, Outcode, PartRecord, PrimitiveRecord};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::memory::Memory;

/// Counts a draw's primitives: how many are drawn, and how many are dropped for each reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// All assembled primitives.
    pub primitives: u64,
    /// Drawn in whole or in part.
    pub kept: u64,
    /// Dropped for their winding.
    pub culled: u64,
    /// Triangles without area. Culling drops these whatever their winding.
    pub flat: u64,
    /// Dropped because all vertices are beyond the same side of the view volume, near and far plane included.
    pub outside_view: u64,
    /// Dropped because a vertex has w of 0 or less.
    pub behind: u64,
    /// Dropped because a vertex is outside the screen space.
    pub outside_screen: u64,
    /// Dropped because a vertex has a depth outside 16 bits.
    pub outside_depth: u64,
}

impl Census {
    /// Counts a primitive by its record.
    pub fn add(&mut self, record: &PrimitiveRecord) {
        // Only an unclipped primitive counts as flat: the parts that clipping leaves may be flat although the
        // primitive is not.
        let is_flat = |record: &PrimitiveRecord| {
            let no_area =
                |part: &PartRecord| matches!(part, PartRecord::Culled { reason: CullReason::NoArea, .. });
            !record.clipped && record.parts.iter().any(no_area)
        };
        let reason = record.dropped.all | record.dropped.any;
        let counter = if reason.intersects(Outcode::W_NOT_POSITIVE) {
            &mut self.behind
        } else if reason.intersects(Outcode::SIDES) {
            &mut self.outside_view
        } else if reason.intersects(Outcode::OUTSIDE_SCREEN | Outcode::OUTSIDE_SCREEN_IN_FRONT) {
            &mut self.outside_screen
        } else if !reason.is_empty() {
            &mut self.outside_depth
        } else if record.drawn().next().is_some() {
            &mut self.kept
        } else if is_flat(record) {
            &mut self.flat
        } else {
            // A clipped primitive that leaves no part was culled, or its parts are outside the screen space.
            &mut self.culled
        };
        let count = u64::from(record.merged);
        *counter = counter.saturating_add(count);
        self.primitives = self.primitives.saturating_add(count);
    }
}

#[doc(hidden)]
impl Draw<'_> {
    /// Counts this draw's primitives: those drawn, and those dropped for each reason.
    #[must_use]
    pub fn census(&self, memory: &Memory, arithmetic: Arithmetic) -> Census {
        let mut census = Census::default();
        self.record_primitives(memory, arithmetic, &mut |record| census.add(record));
        census
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

    /// Collects each draw's census.
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

    /// Returns the census for one triangle with these settings, in through mode.
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
