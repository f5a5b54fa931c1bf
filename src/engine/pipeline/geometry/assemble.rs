//! Groups vertices into primitives.
//! Source: [primitive assembly](crate::reference::ge::clipping#primitive-assembly),
//! [continuation](crate::reference::ge::lists#continuation).

use arrayvec::ArrayVec;

use crate::ge::registers::vertex::PrimitiveType;

/// A primitive, given by its vertices' numbers in the draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// Up to three vertex numbers, in list order.
    pub vertices: ArrayVec<u32, 3>,
    /// Whether the winding on the screen is reversed, as for every second triangle in a strip.
    pub reversed: bool,
}

impl Assembled {
    /// Creates a primitive from one to three vertex numbers.
    #[inline(always)]
    pub(crate) fn new<const N: usize>(vertices: [u32; N], reversed: bool) -> Self {
        Self { vertices: ArrayVec::try_from(vertices.as_slice()).unwrap_or_default(), reversed }
    }
}

/// Counts the complete primitives in `count` vertices.
#[must_use]
pub(crate) const fn primitive_count(primitive: PrimitiveType, count: u32) -> u32 {
    match primitive {
        PrimitiveType::POINTS => count,
        PrimitiveType::LINES | PrimitiveType::RECTANGLES => count / 2,
        PrimitiveType::LINE_STRIP => count.saturating_sub(1),
        PrimitiveType::TRIANGLES => count / 3,
        PrimitiveType::TRIANGLE_STRIP | PrimitiveType::TRIANGLE_FAN => count.saturating_sub(2),
        _ => 0,
    }
}

/// Iterates over the primitives in `count` vertices. Set `first_reversed` if a strip continues after an odd
/// number of triangles.
pub(crate) fn assemble(
    primitive: PrimitiveType,
    count: u32,
    first_reversed: bool,
) -> impl Iterator<Item = Assembled> {
    (0..primitive_count(primitive, count)).map(move |k| match primitive {
        PrimitiveType::POINTS => Assembled::new([k], false),
        PrimitiveType::LINES | PrimitiveType::RECTANGLES => Assembled::new([2 * k, 2 * k + 1], false),
        PrimitiveType::LINE_STRIP => Assembled::new([k, k + 1], false),
        PrimitiveType::TRIANGLES => Assembled::new([3 * k, 3 * k + 1, 3 * k + 2], false),
        PrimitiveType::TRIANGLE_STRIP => Assembled::new([k, k + 1, k + 2], (k % 2 == 1) != first_reversed),
        _ => Assembled::new([0, k + 1, k + 2], false),
    })
}

/// Returns which vertices to keep for a CONTINUE, and whether the strip's next triangle is reversed.
#[must_use]
pub(crate) fn carried_vertices(
    primitive: PrimitiveType,
    count: u32,
    first_reversed: bool,
) -> (ArrayVec<u32, 2>, bool) {
    let last = |number: u32| (count.saturating_sub(number)..count).collect();
    match primitive {
        PrimitiveType::LINES | PrimitiveType::RECTANGLES => (last(count % 2), false),
        PrimitiveType::LINE_STRIP => (last(1), false),
        PrimitiveType::TRIANGLES => (last(count % 3), false),
        PrimitiveType::TRIANGLE_STRIP => {
            let triangles = primitive_count(primitive, count);
            (last(2), (triangles % 2 == 1) != first_reversed)
        }
        PrimitiveType::TRIANGLE_FAN => match count {
            0 | 1 => (last(count), false),
            _ => ([0, count - 1].into(), false),
        },
        _ => (ArrayVec::new(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the vertex numbers with the first triangle's winding.
    fn wound(assembled: &Assembled) -> ArrayVec<u32, 3> {
        let mut vertices = assembled.vertices.clone();
        if assembled.reversed {
            vertices.swap(0, 1);
        }
        vertices
    }

    fn list(primitive: PrimitiveType, count: u32) -> Vec<Vec<u32>> {
        assemble(primitive, count, false).map(|primitive| wound(&primitive).to_vec()).collect()
    }

    #[test]
    fn assembles_each_topology() {
        assert_eq!(
            list(PrimitiveType::TRIANGLES, 7),
            [[0, 1, 2], [3, 4, 5]],
            "the seventh vertex is incomplete"
        );
        assert_eq!(list(PrimitiveType::TRIANGLE_STRIP, 5), [[0, 1, 2], [2, 1, 3], [2, 3, 4]], "strip");
        assert_eq!(list(PrimitiveType::TRIANGLE_FAN, 4), [[0, 1, 2], [0, 2, 3]], "fan");
        assert_eq!(list(PrimitiveType::LINE_STRIP, 3), [[0, 1], [1, 2]], "line strip");
        assert_eq!(list(PrimitiveType::RECTANGLES, 3), [[0, 1]], "an incomplete rectangle is not assembled");
        assert!(list(PrimitiveType::CONTINUE, 9).is_empty(), "CONTINUE is not a topology");
    }

    /// A draw that is split at any vertex and continued has the same primitives.
    #[test]
    fn continuation_equals_one_draw() {
        for primitive in (0..7).map(PrimitiveType::from_number) {
            for total in 0..12_u32 {
                for first in 0..=total {
                    let mut primitives: Vec<Vec<u32>> = list(primitive, first);
                    let (carried, reversed) = carried_vertices(primitive, first, false);
                    let numbers: Vec<u32> = carried.iter().copied().chain(first..total).collect();
                    let count = u32::try_from(numbers.len()).expect("small");
                    primitives.extend(assemble(primitive, count, reversed).map(|assembled| {
                        wound(&assembled).iter().map(|&n| numbers[n as usize]).collect::<Vec<_>>()
                    }));
                    assert_eq!(primitives, list(primitive, total), "{primitive} {first} of {total}");
                }
            }
        }
    }
}
