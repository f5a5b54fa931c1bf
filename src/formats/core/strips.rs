//! Joins triangles into strips.
//!
//! # Method
//! A strip starts at the first unused triangle, in the direction (out of three) that goes farthest, and takes the
//! first neighbour across each edge. This keeps triangles roughly in order. Each triangle is visited at most three
//! times more often than there are triangles in its strip.

use std::collections::HashMap;

/// Corners of a strip, or of separate triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::formats) enum Strip {
    /// Each corner after the second completes a triangle. Every other triangle has its first two corners exchanged.
    Strip(Vec<u32>),
    /// Three corners for each triangle.
    Triangles(Vec<u32>),
}

/// Joins triangles into strips with at most `most` corners. Triangles without a neighbour come last, together.
pub(in crate::formats) fn join(triangles: &[[u32; 3]], most: usize) -> Vec<Strip> {
    let mut edges: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
    // Go backwards, so that an edge's first triangle is at the end of its list.
    for (number, &[a, b, c]) in triangles.iter().enumerate().rev() {
        for edge in [[a, b], [b, c], [c, a]] {
            edges.entry(edge).or_default().push(number);
        }
    }
    let free = vec![false; triangles.len()];
    let mut joiner = Joiner { triangles, edges, used: free.clone(), joined: free, most };
    let (mut strips, mut alone) = (Vec::new(), Vec::new());
    for number in 0..triangles.len() {
        if joiner.used.get(number) != Some(&false) {
            continue;
        }
        let (corners, members) = joiner.longest(number);
        for &member in &members {
            joiner.set_used(member, true);
            if let Some(joined) = joiner.joined.get_mut(member) {
                *joined = true;
            }
        }
        if members.len() > 1 { strips.push(Strip::Strip(corners)) } else { alone.extend(corners) }
    }
    // Cut the list only between whole triangles.
    let whole = most.saturating_sub(most.checked_rem(3).unwrap_or(0)).max(3);
    strips.extend(alone.chunks(whole).map(|chunk| Strip::Triangles(chunk.to_vec())));
    strips
}

struct Joiner<'a> {
    triangles: &'a [[u32; 3]],
    /// The triangles with an edge in this direction; some may be used.
    edges: HashMap<[u32; 2], Vec<usize>>,
    used: Vec<bool>,
    /// Which triangles are in a chosen strip.
    joined: Vec<bool>,
    most: usize,
}

impl Joiner<'_> {
    /// Returns the longest strip from a triangle: its corners, and its triangles.
    fn longest(&mut self, number: usize) -> (Vec<u32>, Vec<usize>) {
        let [a, b, c] = self.triangles.get(number).copied().unwrap_or_default();
        let mut best: (Vec<u32>, Vec<usize>) = Default::default();
        for start in [[a, b, c], [b, c, a], [c, a, b]] {
            let strip = self.strip(number, start);
            // Free them again, because others may use these triangles until the longest strip is chosen.
            for &member in &strip.1 {
                self.set_used(member, false);
            }
            if strip.1.len() > best.1.len() {
                best = strip;
            }
        }
        best
    }

    fn strip(&mut self, number: usize, start: [u32; 3]) -> (Vec<u32>, Vec<usize>) {
        let (mut corners, mut members) = (start.to_vec(), vec![number]);
        self.set_used(number, true);
        while let &[.., before, last] = corners.as_slice() {
            // An odd triangle has its first two corners exchanged.
            let edge = if members.len() & 1 == 1 { [last, before] } else { [before, last] };
            let Some(next) = self.neighbor(edge).filter(|_| corners.len() < self.most) else { break };
            let corner = self.triangles.get(next).into_iter().flatten();
            let Some(&corner) = corner.clone().find(|corner| !edge.contains(corner)) else { break };
            self.set_used(next, true);
            corners.push(corner);
            members.push(next);
        }
        (corners, members)
    }

    /// Finds the first unused triangle with this edge.
    fn neighbor(&mut self, edge: [u32; 2]) -> Option<usize> {
        let numbers = self.edges.get_mut(&edge)?;
        // Drop joined triangles here, or thousands at the same edge would be passed again and again.
        while numbers.pop_if(|number| self.joined.get(*number) != Some(&false)).is_some() {}
        numbers.iter().rev().copied().find(|number| self.used.get(*number) == Some(&false))
    }

    fn set_used(&mut self, number: usize, is_used: bool) {
        if let Some(used) = self.used.get_mut(number) {
            *used = is_used;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits strips into triangles, each from its least corner on.
    fn split(strips: &[Strip]) -> Vec<[u32; 3]> {
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        for strip in strips {
            match strip {
                Strip::Strip(corners) => {
                    for (number, window) in corners.windows(3).enumerate() {
                        let &[a, b, c] = window else { continue };
                        triangles.push(if number.is_multiple_of(2) { [a, b, c] } else { [b, a, c] });
                    }
                }
                Strip::Triangles(corners) => {
                    triangles.extend(corners.chunks(3).filter_map(|three| <[u32; 3]>::try_from(three).ok()));
                }
            }
        }
        for triangle in &mut triangles {
            let least =
                triangle.iter().enumerate().min_by_key(|(_, corner)| **corner).map_or(0, |(at, _)| at);
            triangle.rotate_left(least);
        }
        triangles.sort_unstable();
        triangles
    }

    /// Returns two triangles for each square in a grid.
    fn grid(side: u32) -> Vec<[u32; 3]> {
        let at = |x: u32, y: u32| y.saturating_mul(side.saturating_add(1)).saturating_add(x);
        let squares = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        squares
            .flat_map(|(x, y)| {
                let (right, below) = (x.saturating_add(1), y.saturating_add(1));
                [[at(x, y), at(right, y), at(x, below)], [at(right, y), at(right, below), at(x, below)]]
            })
            .collect()
    }

    #[test]
    fn strips_have_the_same_triangles_the_same_way_round() {
        for (triangles, most) in [
            (grid(8), 65535),
            (grid(8), 7),
            (vec![[0, 1, 2]], 65535),
            (vec![[0, 1, 2], [2, 1, 3], [0, 1, 2]], 65535),
            // Two faces in one place, and an edge with three triangles.
            (vec![[0, 1, 2], [1, 0, 2], [2, 1, 4], [2, 1, 5]], 65535),
            (Vec::new(), 65535),
        ] {
            let strips = join(&triangles, most);
            assert_eq!(split(&strips), split(&[Strip::Triangles(triangles.concat())]), "{strips:?}");
            let lengths = strips.iter().map(|strip| match strip {
                Strip::Strip(corners) | Strip::Triangles(corners) => corners.len(),
            });
            assert!(lengths.max().unwrap_or(0) <= most, "{strips:?}");
        }
    }

    #[test]
    fn a_grid_becomes_a_strip_for_each_row() {
        let strips = join(&grid(16), 65535);
        assert!(strips.len() <= 20, "{} strips for 16 rows", strips.len());
    }

    #[test]
    fn many_triangles_at_one_edge_take_little_time() {
        let at_edge = |corner: u32| if corner.is_multiple_of(2) { [0, 1, corner] } else { [1, 0, corner] };
        let triangles: Vec<[u32; 3]> = (2..20_002).map(at_edge).collect();
        let strips = join(&triangles, 64);
        assert_eq!(strips.len(), triangles.len() / 2, "pairs");
        assert_eq!(split(&strips), split(&[Strip::Triangles(triangles.concat())]), "each once");
    }
}
