//! Compares vertex layouts with a naive implementation of the rule, for every vertex type.

use pspge::ge::registers::field::View;
use pspge::ge::registers::vertex::VertexType;
use pspge::pipeline::vertex::{MAX_VERTEX_BYTES, VertexLayout};

/// Places components byte by byte: each begins at the next multiple of its element size, and the whole ends at a
/// multiple of the largest element. Returns the offsets for texture coordinates, colour, normal and position, and a
/// frame's size.
fn naive(vtype: u32) -> ([u32; 4], u32) {
    let number = |code: u32| [0, 1, 2, 4][code as usize];
    let color = [0, 0, 0, 0, 2, 2, 2, 4][(vtype >> 2 & 7) as usize];
    let weights = (vtype >> 14 & 7) + 1;
    let components = [
        (number(vtype >> 9 & 3), weights),
        (number(vtype & 3), 2),
        (color, 1),
        (number(vtype >> 5 & 3), 3),
        (number(vtype >> 7 & 3), 3),
    ];
    let mut at = 0;
    let mut largest = 1;
    let mut offsets = Vec::new();
    for (size, count) in components {
        while size > 0 && at % size != 0 {
            at += 1;
        }
        offsets.push(at);
        at += size * count;
        largest = largest.max(size);
    }
    while at % largest != 0 {
        at += 1;
    }
    (offsets[1..].try_into().expect("four offsets"), at)
}

#[test]
fn all_vertex_types_match_naive_layout() {
    for bits in 0..1 << 17_u32 {
        // 9 bits are for formats, 2 for weights, 3 for the weight count, 3 for the morph count.
        let vtype = bits & 0x7FF | (bits >> 11 & 7) << 14 | (bits >> 14 & 7) << 18;
        let layout = VertexLayout::new(VertexType::from_argument(vtype));
        let (offsets, frame) = naive(vtype);
        assert_eq!(layout.frame_bytes(), frame, "frame of {vtype:#08x}");
        assert_eq!(layout.bytes(), frame * ((vtype >> 18 & 7) + 1), "vertex of {vtype:#08x}");
        assert!(layout.bytes() as usize <= MAX_VERTEX_BYTES, "{vtype:#08x}: within the maximum");
        let found = [layout.texcoord(), layout.color(), layout.normal(), layout.position()];
        let codes = [vtype & 3, vtype >> 2 & 7, vtype >> 5 & 3, vtype >> 7 & 3];
        for ((found, expected), (place, code)) in found.iter().zip(offsets).zip(codes.iter().enumerate()) {
            // An absent component may have any offset.
            let absent = *code == 0 || place == 1 && *code < 4;
            assert!(
                absent || *found == expected,
                "component {place} of {vtype:#08x}: {found} for {expected}"
            );
        }
    }
}
