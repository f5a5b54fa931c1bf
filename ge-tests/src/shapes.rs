//! Shapes too large to write by hand, as assembly text.

use std::fmt::Write as _;

use serde::Deserialize;

/// A shape; cases refer to it by its lowercase name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A torus around the z axis with radius 1 and thickness 0.5, in 48 rings with 48 corners. Label `torus`: 2304
    /// vertices, each a normal and a position in three floats. Label `torus_triangles`: 13824 indices with 16 bits.
    Torus,
}

impl Shape {
    /// Returns the shape's labels and data.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Torus => torus(48, 1.0, 0.5),
        }
    }
}

/// π to seven digits, as programs wrote it then.
#[expect(clippy::approx_constant, reason = "the test programs use this value, not π")]
const PI: f32 = 3.141_593;

fn torus(sides: u16, radius: f32, thickness: f32) -> String {
    let mut out = String::from(".align 16\ntorus:\n");
    let turn = |part: f32| libm::sincosf(part * (2.0 * PI) / f32::from(sides));
    for ring in 0..sides {
        let (sin_ring, cos_ring) = turn(f32::from(ring));
        for corner in 0..sides {
            let (sin, cos) = turn(f32::from(corner) + 0.5);
            let distance = radius + thickness * cos;
            let vertex = [
                cos * cos_ring,
                cos * sin_ring,
                sin,
                distance * cos_ring,
                distance * sin_ring,
                thickness * sin,
            ];
            let words = vertex.map(|value| format!("0x{:08x}", value.to_bits()));
            let _ = writeln!(out, ".u32 {}", words.join(" "));
        }
    }
    out += ".align 16\ntorus_triangles:\n";
    for ring in 0..sides {
        let (here, next) = (ring * sides, (ring + 1) % sides * sides);
        for corner in 0..sides {
            let other = (corner + 1) % sides;
            let [a, b, c, d] = [here + corner, here + other, next + corner, next + other];
            let _ = writeln!(out, ".u16 {a} {b} {c} {b} {d} {c}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torus_assembles() {
        let program = pspge::asm::assemble(&Shape::Torus.text()).expect("assembles");
        let bytes: usize = program.segments.iter().map(|segment| segment.bytes.len()).sum();
        assert_eq!(bytes, 2304 * 24 + 13824 * 2, "vertices and indices");
    }
}
