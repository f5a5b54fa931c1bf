//! Clips lines and triangles at the near plane.
//!
//! The hardware clips only against z = −w, and only if DEPTHCLAMPENABLE is 1. If a primitive leaves the 4096×4096
//! screen space or the depth range elsewhere, the whole primitive is dropped.
//! Source: [near clipping](crate::reference::ge::clipping#near-clipping) (hardware tests
//! `clipping/guardband`, `clipping/homogeneous`).

use arrayvec::ArrayVec;

use super::clip_vertex::ClipVertex;
use super::outcode::is_inside_near;
use crate::ge::arithmetic::{Arithmetic, Real};

/// A corner's number in a clipped primitive.
type Corner = usize;

/// A line or triangle after clipping. Because this clips at a single plane, a triangle keeps at most four corners.
pub(crate) type Polygon<R> = ArrayVec<ClipVertex<R>, 4>;

/// Returns the lines or triangles to cover a polygon with this many corners.
#[must_use]
pub(crate) const fn divide(corner_count: usize) -> &'static [&'static [Corner]] {
    match corner_count {
        2 => &[&[0, 1]],
        3 => &[&[0, 1, 2]],
        4 => &[&[0, 1, 2], &[0, 2, 3]],
        _ => &[],
    }
}

/// Clips a line or triangle at the near plane and keeps its winding. A triangle's corners have to be in the
/// hardware's order, which reverses every second triangle in a strip; only then [`divide`] cuts the polygon as the
/// hardware does.
#[must_use]
pub(crate) fn clip_near<R: Real>(vertices: &[ClipVertex<R>]) -> Polygon<R> {
    let mut polygon = Polygon::new();
    // A line has a single edge. Going back from its second corner would intersect this edge twice.
    let edge_count = if vertices.len() == 2 { 1 } else { vertices.len() };
    let first = first_corner(vertices);
    for step in 0..vertices.len() {
        let index = (first + step) % vertices.len();
        let (from, to) = (&vertices[index], &vertices[(index + 1) % vertices.len()]);
        let from_inside = is_inside(from);
        if from_inside && !polygon.is_full() {
            polygon.push(*from);
        }
        if index < edge_count && from_inside != is_inside(to) && !polygon.is_full() {
            polygon.push(intersect_near(from, to));
        }
    }
    polygon
}

/// Returns the corner to start with. If a triangle has only one corner outside, this is the corner before it, so
/// that both remaining triangles meet there.
/// Source: [triangulation](crate::reference::ge::clipping#triangulation).
fn first_corner<R: Real>(vertices: &[ClipVertex<R>]) -> Corner {
    match (R::ARITHMETIC, vertices) {
        (Arithmetic::Hardware, [_, _, _]) => {
            vertices.iter().position(|vertex| !is_inside(vertex)).map_or(0, |outside| (outside + 2) % 3)
        }
        // Emulators keep the list's first corner.
        _ => 0,
    }
}

fn is_inside<R: Real>(vertex: &ClipVertex<R>) -> bool {
    let [_, _, z, w] = vertex.position;
    is_inside_near(z, w)
}

/// Intersects an edge with z = −w. To keep shared edges closed, both directions give the same vertex.
/// Source: [new vertices](crate::reference::ge::clipping#new-vertices).
fn intersect_near<R: Real>(from: &ClipVertex<R>, to: &ClipVertex<R>) -> ClipVertex<R> {
    let (inside, outside) = if is_inside(from) { (from, to) } else { (to, from) };
    let inside_distance = inside.position[2] + inside.position[3];
    let outside_distance = outside.position[2] + outside.position[3];
    let t = inside_distance * (inside_distance - outside_distance).reciprocal();
    let mix = |a: R, b: R| a + (b - a) * t;
    let mut position = [0, 1, 2, 3].map(|axis| mix(inside.position[axis], outside.position[axis]));
    let share = ByteShare::new(t);
    let fog = match R::ARITHMETIC {
        Arithmetic::Hardware => share.mix_fog(inside.fog, outside.fog),
        Arithmetic::Single => {
            // This vertex is on the plane by definition, so rounding must not put it outside.
            position[2] = -position[3];
            mix(inside.fog, outside.fog)
        }
    };
    ClipVertex {
        position,
        texture: [0, 1, 2].map(|axis| mix(inside.texture[axis], outside.texture[axis])),
        fog,
        color: share.mix_bytes(inside.color, outside.color),
        secondary: share.mix_bytes(inside.secondary, outside.secondary),
    }
}

/// How much the outside vertex adds to colours and fog, 0 to 256.
/// Source: [colours and fog](crate::reference::ge::clipping#colours-and-fog).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ByteShare(u16);

impl ByteShare {
    /// Rounds a share between 0 and 1; emulators truncate it. NaN gives 0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the conversion saturates, and the result is clamped"
    )]
    fn new<R: Real>(t: R) -> Self {
        let rounding = match R::ARITHMETIC {
            Arithmetic::Hardware => 0.5,
            Arithmetic::Single => 0.0,
        };
        Self(((t.to_f32() * 256.0 + rounding) as u16).min(256))
    }

    /// Mixes integers of at most 9 bits.
    fn mix(self, inside: u16, outside: u16) -> u16 {
        let [share, inside, outside] = [self.0, inside, outside].map(u32::from);
        let mixed = (inside * (256 - share) + outside * share) >> 8;
        u16::try_from(mixed).unwrap_or(u16::MAX)
    }

    fn mix_bytes<const N: usize>(self, inside: [u8; N], outside: [u8; N]) -> [u8; N] {
        std::array::from_fn(|channel| {
            let mixed = self.mix(inside[channel].into(), outside[channel].into());
            u8::try_from(mixed).unwrap_or(u8::MAX)
        })
    }

    /// Mixes fog factors. These are multiples of 1/256: 8-bit coefficients, or 1 if fog is off.
    fn mix_fog<R: Real>(self, inside: R, outside: R) -> R {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "integers of 0 to 256")]
        let [inside, outside] = [inside, outside].map(|factor| (factor.to_f32() * 256.0) as u16);
        R::from_f32(f32::from(self.mix(inside, outside)) / 256.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;

    fn vertex(position: [f32; 4], red: u8) -> ClipVertex<f32> {
        ClipVertex { position, color: [red, 0, 0, 255], ..ClipVertex::default() }
    }

    #[test]
    fn clips_one_corner_to_quadrilateral() {
        let triangle = [
            vertex([0.0, 0.0, 0.0, 1.0], 0),
            vertex([4.0, 0.0, 0.0, 1.0], 0),
            vertex([0.0, 4.0, -3.0, 1.0], 200),
        ];
        let polygon = clip_near(&triangle);
        assert_eq!(polygon.len(), 4, "result is a quadrilateral");
        assert!(polygon.iter().all(is_inside), "all corners are inside");
        assert_eq!(polygon[2].position, [4.0 - 4.0 / 3.0, 4.0 / 3.0, -1.0, 1.0], "intersection at 1/3");
        assert_eq!(polygon[2].color[0], 66, "200 · 85/256, with the factor truncated to 8 bits");
    }

    #[test]
    fn clips_two_corners_to_triangle() {
        let triangle = [
            vertex([0.0, 0.0, 0.0, 1.0], 0),
            vertex([4.0, 0.0, -2.0, 1.0], 0),
            vertex([0.0, 4.0, -2.0, 1.0], 0),
        ];
        assert_eq!(clip_near(&triangle).len(), 3, "result is a smaller triangle");
    }

    #[test]
    fn clips_line_to_line() {
        let line = [vertex([0.0, 0.0, -3.0, 1.0], 0), vertex([4.0, 0.0, 1.0, 1.0], 0)];
        let clipped = clip_near(&line);
        assert_eq!(clipped.len(), 2, "two ends");
        assert_eq!(clipped[0].position, [2.0, 0.0, -1.0, 1.0], "the outside end moves to the plane");
    }

    fn hardware(position: [f32; 4], red: u8) -> ClipVertex<Hf16> {
        ClipVertex {
            position: position.map(Hf16::from_f32),
            color: [red, 0, 0, 255],
            ..ClipVertex::default()
        }
    }

    /// Identifies corners by their red channel: 1, 2 and 3 are given, larger ones are between two of these.
    fn corners(polygon: &Polygon<Hf16>) -> Vec<u8> {
        polygon.iter().map(|vertex| vertex.color[0]).collect()
    }

    /// [Triangulation](crate::reference::ge::clipping#triangulation).
    #[test]
    fn quadrilaterals_start_before_the_outside_corner() {
        // Half of each edge is inside.
        let inside = |red| hardware([0.0, 0.0, 0.0, 1.0], red);
        let outside = |red| hardware([0.0, 0.0, -2.0, 1.0], red);
        let clip = |triangle: [ClipVertex<Hf16>; 3]| corners(&clip_near(&triangle));
        // (p, a, b), (p, b, n) as p, a, b, n.
        assert_eq!(clip([outside(100), inside(0), inside(20)]), [20, 60, 50, 0], "first outside");
        assert_eq!(clip([inside(20), outside(100), inside(0)]), [20, 60, 50, 0], "second outside");
        assert_eq!(clip([inside(0), inside(20), outside(100)]), [20, 60, 50, 0], "third outside");
        assert_eq!(divide(4), [[0, 1, 2], [0, 2, 3]], "both triangles meet in p");
        let mut two = clip([inside(0), outside(100), outside(200)]);
        let start = two.iter().position(|&red| red == 0).expect("the inside corner");
        two.rotate_left(start);
        assert_eq!(two, [0, 50, 100], "two outside: the winding is kept");
    }

    /// [New vertices](crate::reference::ge::clipping#new-vertices), computed by hand.
    #[test]
    fn new_vertices_of_the_hardware() {
        let line = [hardware([1.0, 0.0, 0.5, 1.0], 10), hardware([4.0, 0.0, -4.0, 2.0], 200)];
        let clipped = clip_near(&line);
        // d_in = 1.5, d_out = −2, 1 / 3.5 = R(1.75 · 2) = 37449 · 2^-17.
        let reciprocal = 37449.0 / 131_072.0;
        assert_eq!(Hf16::from_f32(3.5).reciprocal().to_f32(), reciprocal, "the table");
        // t = tr(1.5 · 37449 · 2^-17) = 56173 · 2^-17.
        let t = Hf16::from_f32(56173.0 / 131_072.0);
        assert_eq!(Hf16::from_f32(1.5) * Hf16::from_f32(reciprocal), t, "56173.5, truncated");
        let [x, _, z, w] = clipped[1].position.map(Hf16::to_f32);
        // 3t = 42129.75 · 2^-15, cut to 42129. With 1 that is 74897 · 2^-15, 17 bits, cut to 74896.
        assert_eq!(x, 74896.0 / 32768.0, "cut twice");
        // −4.5t = −63194.625 · 2^-15, cut to −63194. With 0.5 that is −46810.
        assert_eq!(z, -46810.0 / 32768.0, "from −4 to 0.5");
        // t is cut to 14043 · 2^-15 when it is added to 1.
        assert_eq!(w, 46811.0 / 32768.0, "from 1 to 2");
        assert_ne!(z, -w, "z is interpolated like the others");
        // round(256 · 0.4285...) = round(109.7) = 110.
        assert_eq!(clipped[1].color[0], 91, "(10 · 146 + 200 · 110) >> 8");
    }

    #[test]
    fn fog_mixes_as_colours() {
        let at = |fog: f32, z| ClipVertex { fog: Hf16::from_f32(fog), ..hardware([0.0, 0.0, z, 1.0], 0) };
        let mixed = |inside, outside| clip_near(&[at(inside, 0.0), at(outside, -2.0)])[1].fog.to_f32();
        assert_eq!(mixed(255.0 / 256.0, 0.0), 127.0 / 256.0, "half of 255");
        assert_eq!(mixed(1.0, 1.0), 1.0, "fog is off");
    }

    #[test]
    fn shares_are_rounded() {
        for (t, hardware, emulators) in
            [(0.0, 0, 0), (0.499 / 256.0, 0, 0), (0.5 / 256.0, 1, 0), (0.9999, 256, 255), (1.0, 256, 256)]
        {
            assert_eq!(ByteShare::new(Hf16::from_f32(t)), ByteShare(hardware), "{t}");
            assert_eq!(ByteShare::new(t), ByteShare(emulators), "{t}, emulators");
        }
        assert_eq!(ByteShare::new(Hf16::from_f32(f32::NAN)), ByteShare(0), "NaN");
        assert_eq!(ByteShare::new(Hf16::from_f32(-1.0)), ByteShare(0), "below the range");
    }
}
