//! Uses outcodes to decide whether a primitive is drawn, clipped at the near plane, or dropped.
//! Source: [range tests](crate::reference::ge::clipping#summary-of-range-tests).

use super::outcode::Outcode;
use super::viewport::Viewport;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::registers::vertex::PrimitiveType;

/// The clip test for a draw's primitives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipTest {
    /// Drops a primitive if all its vertices share any flag in this set.
    drop_if_all: Outcode,
    /// Drops a primitive if any vertex has a flag in this set.
    drop_if_any: Outcode,
    /// Clips a primitive, unless it is dropped, if any vertex has this flag.
    clip_if_any: Outcode,
    through: bool,
}

impl ClipTest {
    /// Creates the test for this primitive type.
    #[must_use]
    pub(crate) fn new<R: Real>(viewport: &Viewport<R>, primitive: PrimitiveType) -> Self {
        let (clamps_depth, through) = (viewport.clamps_depth(), viewport.is_through());
        let is_clipped = clamps_depth && is_clippable(primitive);
        let clip_if_any = if is_clipped { Outcode::NEAR } else { Outcode::empty() };
        // A vertex outside the screen does no harm if clipping removes it.
        let outside_screen =
            if is_clipped { Outcode::OUTSIDE_SCREEN_IN_FRONT } else { Outcode::OUTSIDE_SCREEN };
        let (drop_if_all, drop_if_any) = match R::ARITHMETIC {
            Arithmetic::Hardware => {
                let behind = if is_clipped { Outcode::empty() } else { Outcode::W_NOT_POSITIVE };
                let deep = if clamps_depth { Outcode::empty() } else { Outcode::OUTSIDE_DEPTH };
                (Outcode::SIDES | Outcode::W_NOT_POSITIVE, outside_screen | behind | deep)
            }
            Arithmetic::Single => {
                let invisible = Outcode::NEAR | Outcode::W_NOT_POSITIVE;
                if clamps_depth {
                    // A corner in front of the near plane is allowed, because a rectangle is not clipped: its depth
                    // is clamped instead.
                    (invisible | Outcode::FAR, outside_screen)
                } else {
                    (invisible, outside_screen | Outcode::NEAR | Outcode::OUTSIDE_DEPTH)
                }
            }
        };
        Self { drop_if_all, drop_if_any, clip_if_any, through }
    }

    /// Classifies a primitive by its vertices' outcodes.
    #[inline]
    #[must_use]
    pub(crate) fn classify(&self, outcodes: impl IntoIterator<Item = Outcode>) -> ClipResult {
        if self.through {
            return ClipResult::Accepted;
        }
        let (all, any) = fold(outcodes);
        if self.drops(all, any) {
            ClipResult::Dropped
        } else if self.clips(any) {
            ClipResult::NeedsClipping
        } else {
            ClipResult::Accepted
        }
    }

    /// Whether to drop a primitive, given the flags that all its vertices have and those that any has. Not for
    /// through mode.
    #[inline(always)]
    #[must_use]
    pub(crate) fn drops(&self, all: Outcode, any: Outcode) -> bool {
        !self.reason(all, any).is_empty()
    }

    /// Returns the flags that drop a primitive, given those that all its vertices have and those that any has.
    #[inline(always)]
    fn reason(&self, all: Outcode, any: Outcode) -> DropReason {
        DropReason { all: all & self.drop_if_all, any: any & self.drop_if_any }
    }

    /// Whether a primitive that is not dropped needs clipping, given the flags that any vertex has. Not for through
    /// mode.
    #[inline(always)]
    #[must_use]
    pub(crate) fn clips(&self, any: Outcode) -> bool {
        any.intersects(self.clip_if_any)
    }

    /// Returns the flags that drop a primitive with these outcodes; no flags if it is kept.
    #[must_use]
    pub(crate) fn drop_reason(&self, outcodes: impl IntoIterator<Item = Outcode>) -> DropReason {
        if self.through {
            return DropReason::default();
        }
        let (all, any) = fold(outcodes);
        self.reason(all, any)
    }
}

/// The range tests that drop a primitive, to explain why it is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DropReason {
    /// Failed tests that count only because all vertices fail them.
    pub all: Outcode,
    /// Failed tests that count as soon as any vertex fails them.
    pub any: Outcode,
}

impl DropReason {
    /// Whether no test drops this primitive.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(self) -> bool {
        (self.all | self.any).is_empty()
    }
}

/// Returns the flags that all vertices have, and those that any has.
#[inline]
fn fold(outcodes: impl IntoIterator<Item = Outcode>) -> (Outcode, Outcode) {
    outcodes
        .into_iter()
        .fold((Outcode::all(), Outcode::empty()), |(all, any), outcode| (all & outcode, any | outcode))
}

/// Whether the near plane clips this type. It clips only lines and triangles.
fn is_clippable(primitive: PrimitiveType) -> bool {
    !matches!(primitive, PrimitiveType::POINTS | PrimitiveType::RECTANGLES)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClipResult {
    /// Drawn unchanged.
    Accepted,
    /// Drawn after clipping at the near plane.
    NeedsClipping,
    /// Not drawn.
    Dropped,
}

#[cfg(test)]
mod tests {
    use super::super::clip_vertex::ClipVertex;
    use super::*;
    use crate::ge::arithmetic::Hf16;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;

    /// Returns registers with a viewport of scale 10, centre 2048, and 60000 for depth.
    fn registers(clamps_depth: bool) -> Registers {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::DEPTHCLAMPENABLE, clamps_depth.into()));
        for axis in 0..3 {
            let [scale, center] = if axis < 2 { [10.0, 2048.0] } else { [1000.0, 60000.0] };
            for (opcode, value) in [(Opcode::VIEWPORTXSCALE, scale), (Opcode::VIEWPORTXCENTER, center)] {
                registers.write(Command::new(opcode.plus(axis), Float24::from_f32(value).to_bits()));
            }
        }
        registers
    }

    fn classify<R: Real>(
        registers: &Registers,
        primitive: PrimitiveType,
        corners: &[[f32; 4]],
    ) -> ClipResult {
        let viewport = Viewport::<R>::new(registers);
        let outcode = |position: &[f32; 4]| {
            let position = position.map(R::from_f32);
            viewport.project(&ClipVertex { position, ..ClipVertex::default() }).outcode
        };
        ClipTest::new(&viewport, primitive).classify(corners.iter().map(outcode))
    }

    /// Classifies with hardware arithmetic, first without depth clamping, then with it.
    fn both(primitive: PrimitiveType, corners: &[[f32; 4]]) -> [ClipResult; 2] {
        [false, true].map(|clamps| classify::<Hf16>(&registers(clamps), primitive, corners))
    }

    const DROPPED: [ClipResult; 2] = [ClipResult::Dropped; 2];
    const ACCEPTED: [ClipResult; 2] = [ClipResult::Accepted; 2];

    /// The examples of [sides](crate::reference::ge::clipping#sides), on each side and for two w.
    #[test]
    fn drops_primitives_outside_one_side() {
        let step = 1.0 + 1.0 / 32768.0;
        for (primitive, at, expected) in [
            (PrimitiveType::TRIANGLES, &[1.25, 2.5, 1.5][..], DROPPED),
            (PrimitiveType::TRIANGLES, &[1.0, 2.5, 1.5], ACCEPTED),
            (PrimitiveType::TRIANGLES, &[step, 2.5, 1.5], DROPPED),
            (PrimitiveType::TRIANGLES, &[0.5, 2.5, 1.5], ACCEPTED),
            (PrimitiveType::LINES, &[1.25, 2.5], DROPPED),
            (PrimitiveType::LINES, &[1.0, 2.5], ACCEPTED),
            (PrimitiveType::POINTS, &[1.5], DROPPED),
            (PrimitiveType::POINTS, &[1.0], ACCEPTED),
            (PrimitiveType::RECTANGLES, &[1.25, 2.5], DROPPED),
            (PrimitiveType::RECTANGLES, &[0.5, 2.5], ACCEPTED),
        ] {
            for (axis, sign, w) in [(0, 1.0, 1.0), (0, -1.0, 2.0), (1, 1.0, 2.0), (1, -1.0, 1.0)] {
                let corners: Vec<_> = at
                    .iter()
                    .map(|at| {
                        let mut position = [0.0, 0.0, 0.0, w];
                        position[axis] = sign * at * w;
                        position
                    })
                    .collect();
                assert_eq!(both(primitive, &corners), expected, "{primitive} {corners:?}");
            }
        }
        let corners = [[1.5, -1.5], [-1.5, 1.5], [1.75, 1.75]].map(|[x, y]| [x, y, 0.0, 1.0]);
        assert_eq!(both(PrimitiveType::TRIANGLES, &corners), ACCEPTED, "outside different sides");
        let far = [[0.0, 0.0, 1.5, 1.0], [0.0, 0.0, 2.0, 1.0]];
        assert_eq!(both(PrimitiveType::LINES, &far), DROPPED, "far");
        let near = far.map(|[x, y, z, w]| [x, y, -z, w]);
        assert_eq!(both(PrimitiveType::RECTANGLES, &near), DROPPED, "near");
    }

    /// [Depth clamp off](crate::reference::ge::clipping#depth-clamp-off).
    #[test]
    fn without_clamping_only_screen_depth_counts() {
        let line = |z, w| {
            let corners = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, z, w]];
            classify::<Hf16>(&registers(false), PrimitiveType::LINES, &corners)
        };
        assert_eq!(line(-3.0, 1.0), ClipResult::Accepted, "in front of the near plane, depth 57000");
        assert_eq!(line(3.0, 1.0), ClipResult::Accepted, "beyond the far plane, depth 63000");
        assert_eq!(line(5.5355, 1.0), ClipResult::Accepted, "depth 65535.5");
        assert_eq!(line(5.5361, 1.0), ClipResult::Dropped, "depth 65536.1");
        assert_eq!(line(-61.0, 1.0), ClipResult::Dropped, "depth −1000");
        assert_eq!(line(0.0, 0.0), ClipResult::Dropped, "w is 0");
        assert_eq!(line(0.0, -1.0), ClipResult::Dropped, "w is negative");
        assert_eq!(line(f32::NAN, 1.0), ClipResult::Dropped, "NaN");
    }

    /// [Near clipping](crate::reference::ge::clipping#near-clipping).
    #[test]
    fn clamping_clips_lines_and_triangles() {
        let clip = |corners: &[[f32; 4]]| classify::<Hf16>(&registers(true), PrimitiveType::LINES, corners);
        let inside = [0.0, 0.0, 0.0, 1.0];
        assert_eq!(clip(&[inside, [0.0, 0.0, -3.0, 1.0]]), ClipResult::NeedsClipping, "cut");
        assert_eq!(clip(&[inside, [0.0, 0.0, -1.0, 1.0]]), ClipResult::Accepted, "on the plane");
        assert_eq!(clip(&[inside, [900.0, 0.0, -3.0, 0.0]]), ClipResult::NeedsClipping, "w is 0");
        assert_eq!(clip(&[inside, [900.0, 0.0, -1.0, 1.0]]), ClipResult::Dropped, "outside the screen");
        assert_eq!(clip(&[inside, [0.0, 0.0, 60.0, 1.0]]), ClipResult::Accepted, "depth is clamped");
        assert_eq!(clip(&[inside, [0.0, 0.0, f32::NAN, 1.0]]), ClipResult::NeedsClipping, "NaN");
    }

    /// [Zero and negative w](crate::reference::ge::clipping#zero-and-negative-w).
    #[test]
    fn rectangles_need_positive_w() {
        let inside = [0.0, 0.0, 0.0, 1.0];
        for w in [0.0, -1.0] {
            assert_eq!(both(PrimitiveType::RECTANGLES, &[inside, [0.0, 0.0, 0.0, w]]), DROPPED, "w is {w}");
        }
        let single =
            |w| classify::<f32>(&registers(true), PrimitiveType::RECTANGLES, &[inside, [0.0, 0.0, 2.0, w]]);
        assert_eq!(single(-1.0), ClipResult::Accepted, "emulators");
        assert_eq!(single(0.0), ClipResult::Dropped, "emulators, no reciprocal");
    }

    /// Games need this, because some never write a depth for one corner of a rectangle.
    #[test]
    fn does_not_clip_rectangles() {
        let corners = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -9e37, 1.0]];
        let registers = registers(true);
        let hardware = |primitive| classify::<Hf16>(&registers, primitive, &corners);
        let single = |primitive| classify::<f32>(&registers, primitive, &corners);
        assert_eq!(hardware(PrimitiveType::RECTANGLES), ClipResult::Accepted, "its depth is clamped");
        assert_eq!(single(PrimitiveType::RECTANGLES), ClipResult::Accepted, "emulators");
        assert_eq!(hardware(PrimitiveType::LINES), ClipResult::NeedsClipping, "a line is clipped");
        assert_eq!(single(PrimitiveType::LINES), ClipResult::NeedsClipping, "emulators");
    }

    #[test]
    fn emulators_test_no_x_and_y_sides() {
        let corners = [[1.25, 0.0, 0.0, 1.0], [2.5, 0.0, 0.0, 1.0]];
        for clamps in [false, true] {
            let result = classify::<f32>(&registers(clamps), PrimitiveType::LINES, &corners);
            assert_eq!(result, ClipResult::Accepted, "right of the view volume");
        }
        let near = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -3.0, 1.0]];
        let result = classify::<f32>(&registers(false), PrimitiveType::LINES, &near);
        assert_eq!(
            result,
            ClipResult::Dropped,
            "without clamping one vertex in front of the near plane drops"
        );
    }
}
