//! Tests how meshes are split into groups.

use super::super::geometry::{Bounds, Vertex};
use super::*;

/// Builds a collection whose vertices have equal weights for the given slots; slot 0 is the identity.
fn collection(slots: &[&[u32]]) -> Collection {
    let mut out = Collection::default();
    for slots in slots {
        let start = out.influences.len();
        let weight = 1.0 / f32::from(u8::try_from(slots.len().max(1)).expect("few"));
        out.influences.extend(slots.iter().map(|&slot| Influence { slot, weight }));
        out.vertices.push(Vertex {
            position: [0.0; 3],
            normal: [0.0; 3],
            texcoord: [0.0; 2],
            influences: start..out.influences.len(),
        });
    }
    out
}

fn mesh(draws: Vec<Draw>) -> Mesh {
    let bounds = Bounds { min: [0.0; 3], max: [0.0; 3] };
    Mesh { offset: 0, collection: 0, bounds, shader: None, draws }
}

fn draw(topology: Topology, corners: Vec<u32>) -> Draw {
    Draw { topology, skin: None, corners }
}

/// Lists a group's triangles, with the collection's vertex numbers.
fn triangles(group: &Group) -> Vec<[u32; 3]> {
    let drawn = group.draws.iter().flat_map(|(topology, indices)| {
        let corners = indices.iter().map(|&index| group.vertices[usize::from(index)].vertex).collect();
        let draw = draw(*topology, corners);
        draw.triangles().filter(|&triangle| has_distinct_corners(triangle)).collect::<Vec<_>>()
    });
    drawn.collect()
}

#[test]
fn keeps_primitives_of_small_meshes() {
    let collection = collection(&[&[0], &[3, 0], &[1], &[3]]);
    let mesh = mesh(vec![draw(Topology::TriangleStrip, vec![3, 1, 2, 0, 0])]);
    let split = split_mesh(&mesh, &collection, &[]);
    let [group] = split.groups.as_slice() else { panic!("one group: {split:?}") };
    assert_eq!(group.palette, [Some(0), Some(2), None], "bones in order, identity last");
    assert_eq!(group.draws, [(Topology::TriangleStrip, vec![0, 1, 2, 3, 3])], "the strip, by first use");
    let weights: Vec<&[f32]> =
        group.vertices.iter().map(|group_vertex| group_vertex.weights.as_slice()).collect();
    let expected: [&[f32]; 4] = [&[0.0, 1.0, 0.0], &[0.0, 0.5, 0.5], &[1.0, 0.0, 0.0], &[0.0, 0.0, 1.0]];
    assert_eq!(weights, expected, "a weight for each matrix");
}

#[test]
fn each_skin_gets_its_own_group() {
    let collection = collection(&[&[0, 1], &[1], &[2], &[5]]);
    let skins = [Skin { bones: vec![7, 4] }, Skin { bones: vec![9] }];
    let with =
        |skin, corners: &[u32]| Draw { skin: Some(skin), ..draw(Topology::Triangles, corners.to_vec()) };
    let mesh = mesh(vec![with(0, &[0, 1, 2]), with(1, &[0, 1, 3]), with(1, &[1, 0, 3])]);
    let split = split_mesh(&mesh, &collection, &skins);
    let palettes: Vec<&[Option<u32>]> = split.groups.iter().map(|group| group.palette.as_slice()).collect();
    // Slot 5 has no bone in the second skin, so it uses the identity.
    let expected: [&[Option<u32>]; 2] = [&[Some(7), Some(4), None], &[Some(9), None, None]];
    assert_eq!(palettes, expected, "a group for each skin");
    assert_eq!(split.groups[1].draws.len(), 2, "both primitives of the second");
}

#[test]
fn splits_meshes_with_nine_matrices() {
    // Each corner of the fan uses another bone.
    let slots: Vec<Vec<u32>> = (0..9).map(|slot| vec![slot]).collect();
    let slots: Vec<&[u32]> = slots.iter().map(Vec::as_slice).collect();
    let collection = collection(&slots);
    let fan = draw(Topology::TriangleFan, (0..9).collect());
    let expected: Vec<[u32; 3]> = fan.triangles().collect();
    let split = split_mesh(&mesh(vec![fan]), &collection, &[]);
    assert_eq!((split.groups.len(), split.reduced), (2, 0), "two groups");
    for group in &split.groups {
        assert!(group.palette.len() <= MATRICES, "{:?}", group.palette);
        for group_vertex in &group.vertices {
            assert_eq!(group_vertex.weights.iter().sum::<f32>(), 1.0, "all of a vertex's matrices are there");
        }
    }
    let found: Vec<[u32; 3]> = split.groups.iter().flat_map(triangles).collect();
    assert_eq!(found, expected, "each triangle once, wound as it was");
}

#[test]
fn keeps_heaviest_matrices_of_a_triangle() {
    let mut collection = collection(&[&[1, 2, 3, 4], &[5, 6, 7, 8], &[9, 10, 11, 0]]);
    for influence in &mut collection.influences {
        // Each vertex has its heaviest influence second, and its lightest last.
        influence.weight =
            [0.25, 0.5, 0.2, 0.05][usize::try_from(influence.slot.wrapping_sub(1) % 4).expect("small")];
    }
    let split = split_mesh(&mesh(vec![draw(Topology::Triangles, vec![0, 1, 2])]), &collection, &[]);
    assert_eq!((split.groups.len(), split.reduced), (1, 1), "one group, one reduced triangle");
    let group = &split.groups[0];
    assert_eq!(group.palette.len(), MATRICES, "as many as there are");
    assert!([1, 5, 9].iter().all(|bone| group.palette.contains(&Some(*bone))), "{:?}", group.palette);
    for group_vertex in &group.vertices {
        let sum: f32 = group_vertex.weights.iter().sum();
        assert!((sum - 1.0).abs() < 0.3 && sum > 0.7, "the weights keep their sum: {sum}");
    }
}

#[test]
fn splits_meshes_with_more_than_65536_vertices() {
    let count = 70_000;
    let collection = collection(&vec![&[][..]; count]);
    let corners: Vec<u32> = (0..u32::try_from(count).expect("small")).collect();
    let strip = draw(Topology::TriangleStrip, corners);
    let mut expected: Vec<[u32; 3]> = strip.triangles().collect();
    let split = split_mesh(&mesh(vec![strip]), &collection, &[]);
    assert_eq!(split.groups.len(), 2, "two groups");
    assert!(split.groups.iter().all(|group| group.vertices.len() <= VERTICES), "as far as indices reach");
    let mut found: Vec<[u32; 3]> = split.groups.iter().flat_map(triangles).collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert!(found == expected, "each triangle once, wound as it was");
}

#[test]
fn splits_long_primitives_into_several_draws() {
    let count = 200_001u32;
    let indices: Vec<u16> = (0..count).map(|i| u16::try_from(i % 60_000).expect("small")).collect();
    for topology in [
        Topology::Points,
        Topology::Lines,
        Topology::LineStrip,
        Topology::Triangles,
        Topology::TriangleStrip,
        Topology::TriangleFan,
    ] {
        let chunks: Vec<Vec<u16>> = split_primitive(topology, &indices).collect();
        assert!(chunks.len() >= 4, "{topology:?}: {} draws", chunks.len());
        assert!(chunks.iter().all(|chunk| chunk.len() <= usize::from(u16::MAX)), "{topology:?}: of 16 bits");
        let whole = |corners: &[u16]| -> Vec<[u32; 3]> {
            let corners = corners.iter().map(|&corner| corner.into()).collect();
            draw(topology, corners).triangles().collect()
        };
        let found: Vec<[u32; 3]> = chunks.iter().flat_map(|chunk| whole(chunk)).collect();
        assert!(found == whole(&indices), "{topology:?}: the same triangles");
        // Parts of a line strip share a corner; separate lines do not.
        let step = |chunk: &Vec<u16>| match topology {
            Topology::LineStrip => chunk.len() - 1,
            Topology::Lines => chunk.len() / 2,
            _ => chunk.len(),
        };
        let total: usize = chunks.iter().map(step).sum();
        match topology {
            Topology::Points => assert_eq!(total, indices.len(), "as many points"),
            Topology::Lines => assert_eq!(total, indices.len() / 2, "as many lines"),
            Topology::LineStrip => assert_eq!(total, indices.len() - 1, "as many lines"),
            _ => {}
        }
    }
    assert_eq!(split_primitive(Topology::TriangleStrip, &[]).count(), 0, "no indices");
    assert_eq!(
        split_primitive(Topology::TriangleStrip, &[1]).count(),
        1,
        "a leftover draws nothing, but is there"
    );
}
