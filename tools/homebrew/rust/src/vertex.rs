//! Computes how large vertices and indices are.

/// Returns how many bytes an index has, or 0 if vertices are taken in order.
pub(crate) fn index_bytes(vertex_type: u32) -> u32 {
    [0, 1, 2, 4][(vertex_type >> 11 & 3) as usize]
}

/// Computes a vertex's size: each component is aligned to its elements.
pub(crate) fn vertex_bytes(vertex_type: u32) -> u32 {
    let number = |shift: u32| [0, 1, 2, 4][(vertex_type >> shift & 3) as usize];
    let color = [0, 0, 0, 0, 2, 2, 2, 4][(vertex_type >> 2 & 7) as usize];
    let weights = (number(9), (vertex_type >> 14 & 7) + 1);
    let (texcoord, normal, position) = ((number(0), 2), (number(5), 3), (number(7), 3));
    let (mut end, mut largest) = (0_u32, 1_u32);
    for (size, count) in [weights, texcoord, (color, 1), normal, position] {
        if size > 0 {
            end = end.next_multiple_of(size) + size * count;
            largest = largest.max(size);
        }
    }
    end.next_multiple_of(largest) * ((vertex_type >> 18 & 7) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_align_to_their_elements() {
        assert_eq!(vertex_bytes(2 << 7 | 1), 8, "8-bit coordinates before a 16-bit position");
        assert_eq!(vertex_bytes(0x8B22), 18, "three weights pad to 4, three normals to 12");
        assert_eq!(
            vertex_bytes(3 | 7 << 2 | 3 << 5 | 3 << 7 | 3 << 9 | 7 << 14 | 7 << 18),
            544,
            "all of them"
        );
    }
}
