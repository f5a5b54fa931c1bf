//! Executes BBOX, which tests whether a box may be visible, so that a list can skip drawing its content.
//! Source: [BBOX](crate::reference::ge::lists#bbox) (hardware tests `bounding/*`).

use super::model_vertices::ModelVertices;
use super::outcode::Outcode;
use super::transform::Transform;
use super::zero_normal::ZeroNormal;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::Corner;
use crate::ge::registers::transform::ScreenOffset;
use crate::pipeline::vertex::VertexReader;

/// How many vertices a test looks at, at most.
const WINDOW: u32 = 0x100;

/// Returns which vertices to test. If there are more than 256, the hardware tests only a part.
#[must_use]
pub(crate) fn tested_vertices(count: u32) -> std::ops::Range<u32> {
    if count <= WINDOW {
        0..count
    } else if count <= 2 * WINDOW {
        0..count - WINDOW
    } else {
        count - 2 * WINDOW..count - WINDOW
    }
}

/// Whether any part of the box may be visible. An empty box is outside.
#[must_use]
pub(crate) fn is_inside<R: Real>(registers: &Registers, reader: &VertexReader<'_>, count: u32) -> bool {
    is_inside_with::<R>(registers, reader, count, R::ARITHMETIC == Arithmetic::Single)
}

/// Whether this box is visible only because its part behind the camera counts, as it does not in emulators.
#[must_use]
pub fn is_inside_behind<R: Real>(registers: &Registers, reader: &VertexReader<'_>, count: u32) -> bool {
    is_inside_with::<R>(registers, reader, count, false)
        && !is_inside_with::<R>(registers, reader, count, true)
}

fn is_inside_with<R: Real>(
    registers: &Registers,
    reader: &VertexReader<'_>,
    count: u32,
    drops_negative_w: bool,
) -> bool {
    if count == 0 {
        return false;
    }
    let transform = Transform::<R>::new(registers, ZeroNormal::default());
    let vertices = ModelVertices::<R>::new(registers);
    let planes = BoundingPlanes::new(registers, drops_negative_w);
    // The box is outside only if a single plane has all vertices on its outer side.
    let mut outside_of = Outcode::SIDES;
    for nth in tested_vertices(count) {
        let vertex = transform.apply(&vertices.read(reader, nth));
        outside_of &= planes.outside(vertex.position.map(R::to_f32));
        if outside_of.is_empty() {
            return true;
        }
    }
    false
}

/// The six planes to test against: the drawing rectangle's sides, and z = ±w.
#[derive(Clone, Copy, Debug)]
struct BoundingPlanes {
    scale: [f64; 2],
    center: [f64; 2],
    low: [Option<f64>; 2],
    high: [Option<f64>; 2],
    depth: bool,
    /// Whether a vertex with negative w is outside all planes, as emulators have it.
    drops_negative_w: bool,
}

impl BoundingPlanes {
    fn new(registers: &Registers, drops_negative_w: bool) -> Self {
        let corner = |opcode| registers.view::<Corner>(opcode);
        let (region1, region2) = (corner(Opcode::REGION1), corner(Opcode::REGION2));
        let (scissor1, scissor2) = (corner(Opcode::SCISSOR1), corner(Opcode::SCISSOR2));
        let offset = |opcode| f64::from(registers.view::<ScreenOffset>(opcode).offset) / 16.0;
        let offset = [offset(Opcode::OFFSETX), offset(Opcode::OFFSETY)];
        let first = [region1.x.max(scissor1.x), region1.y.max(scissor1.y)];
        let last = [region2.x.min(scissor2.x), region2.y.min(scissor2.y)];
        let float = |opcode: Opcode, axis| f64::from(registers.float(opcode.plus(axis)));
        Self {
            scale: [0, 1].map(|axis| float(Opcode::VIEWPORTXSCALE, axis)),
            center: [0, 1].map(|axis| float(Opcode::VIEWPORTXCENTER, axis)),
            // The screen space ends there as well, so this side never fails.
            low: [0, 1].map(|axis| {
                let low = offset[axis] + f64::from(first[axis]) - 1.0;
                (low + 1.0 >= 1.0).then_some(low)
            }),
            high: [0, 1].map(|axis| {
                let high = offset[axis] + f64::from(last[axis]) + 1.0;
                (high < 4096.0).then_some(high)
            }),
            depth: registers.is_on(Opcode::DEPTHCLAMPENABLE),
            drops_negative_w,
        }
    }

    /// Finds the planes that exclude this vertex.
    fn outside(&self, position: [f32; 4]) -> Outcode {
        let [x, y, z, w] = position.map(f64::from);
        if self.drops_negative_w && w.is_sign_negative() {
            return Outcode::SIDES;
        }
        // The hardware uses the magnitude of a negative w (assumed for z).
        let w = w.abs();
        let mut outside = Outcode::empty();
        let pairs = [[Outcode::LEFT, Outcode::RIGHT], [Outcode::TOP, Outcode::BOTTOM]];
        for (axis, (coordinate, [low, high])) in [x, y].into_iter().zip(pairs).enumerate() {
            // Multiplying both sides by w avoids a division.
            let screen = coordinate * self.scale[axis] + self.center[axis] * w;
            let below = self.low[axis].is_some_and(|low| screen < low * w);
            let above = self.high[axis].is_some_and(|high| screen > high * w);
            outside.set(low, below);
            outside.set(high, above);
        }
        if self.depth {
            outside.set(Outcode::NEAR, z < -w);
            outside.set(Outcode::FAR, z > w);
        }
        outside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `geprobe` scene 24 has this box in the middle, but behind the camera.
    #[test]
    fn boxes_behind_the_camera_may_be_visible() {
        let outside = |x: f32, w: f32| {
            let planes = BoundingPlanes {
                scale: [240.0, 136.0],
                center: [2048.0; 2],
                low: [Some(1807.0), Some(1911.0)],
                high: [Some(2288.0), Some(2184.0)],
                depth: false,
                drops_negative_w: false,
            };
            planes.outside([x, 0.0, 0.0, w])
        };
        for w in [5.0, -5.0] {
            assert_eq!(outside(0.5, w), Outcode::empty(), "in the middle");
            assert_eq!(outside(-6.0, w), Outcode::LEFT, "w is {w}");
            assert_eq!(outside(6.0, w), Outcode::RIGHT, "w is {w}");
        }
        assert_eq!(outside(0.0, -0.0), Outcode::empty(), "no magnitude");
    }

    /// Hardware test `bounding/count`.
    #[test]
    fn tests_only_part_of_large_counts() {
        assert_eq!(tested_vertices(0x100), 0..0x100, "all");
        assert_eq!(tested_vertices(0x101), 0..1, "only the first");
        assert_eq!(tested_vertices(0x200), 0..0x100, "the first 0x100");
        assert_eq!(tested_vertices(0x205), 5..0x105, "the 0x100 from number 5 on");
    }
}
