//! Builds a wind-up tin robot as an archive for Mega Man Legends 2, a copy of it in other colours, and a gem.
//!
//! It combines features that no public file has together: packed entities and images, a forearm welded to its upper
//! arm, differing levels of detail, a hat hidden at first, faces with flags, interpolated poses, a clip that loops to
//! its second frame, and two images for the same place in video memory.

use crate::bytes::{put_u16, put_u32};
use crate::formats::mml2::{Face, Mesh, packed_section, packed_vector, put_meshes, put_shades, section};

/// Bones: offset from the parent, y down, and the parent.
const BONES: [([i16; 3], usize); 6] = [
    // The root's parent is the number after the last bone.
    ([0, -300, 0], 6),
    ([0, -120, 0], 0),
    ([130, -90, 0], 0),
    ([0, 120, 0], 2),
    ([-130, -90, 0], 0),
    ([0, -20, 100], 0),
];
/// Each submesh's bone and flags.
const LINKS: [(usize, u8); 9] =
    [(0, 0), (1, 0), (2, 0x40), (3, 0x40), (4, 0), (5, 0), (1, 0x80), (1, 1), (1, 2)];
/// A pointer to a clip that does not exist, to test such entries.
const NO_CLIP: usize = 0x8455;
/// A cell's side in the image, in texels.
const CELL: u8 = 32;

/// Encodes the archive.
pub(crate) fn archive() -> Vec<u8> {
    let first = image(0);
    let other = image(1);
    let mut flat = palette([0x20, 0x20, 0x20], 16);
    flat.resize(0x7D0, 0);
    flat.extend(&other);
    let mut file = packed_section(12, 0, &[], 0, &entities());
    // These are four packed palettes and the first image; a palette alone; a second image for the same place, in
    // group 1.
    let colors: Vec<u8> = [[0xC8, 0x58, 0x40], [0x50, 0x90, 0xC8], [0x60, 0xB0, 0x60], [0xD0, 0xD0, 0xD8]]
        .into_iter()
        .flat_map(|tint| palette(tint, 16))
        .collect();
    file.extend(packed_section(3, 240 << 16, &[64, 1, 320, 0, 64, 64], 10, &[colors, first].concat()));
    file.extend(section(2, 240 << 16 | 64, &[16, 1], 32, &palette([0xE0, 0xB0, 0x40], 16)));
    let rest = [16, 1, 320, 0, 64, 64, 0, 0, 0, 0, 0, 1];
    file.extend(section(2, 241 << 16, &rest, flat.len(), &flat));
    file.resize(file.len() + 0x800, 0);
    file
}

/// Paints a colour's shades, the first transparent.
fn palette(tint: [u16; 3], colors: u16) -> Vec<u8> {
    let mut out = Vec::new();
    for step in 0..colors {
        let part = |channel: u16| usize::from(channel * (step + 1) / 16 / 8);
        let [red, green, blue] = tint.map(part);
        put_u16(&mut out, if step == 0 { 0 } else { red | green << 5 | blue << 10 });
    }
    out
}

/// Paints 256 by 64 texels with 4 bits in cells of 32: riveted panels, a lattice with holes, a face.
fn image(variant: usize) -> Vec<u8> {
    let texel = |x: usize, y: usize| {
        let (cell, u, v) = (x / 32 % 4, x % 32, y % 32);
        let edge = u.min(31 - u).min(v).min(31 - v);
        match (cell, variant) {
            (_, 1) => 4 + (u / 4 + v / 4) % 8,
            (0, _) if (2..4).contains(&edge) && u % 8 < 2 => 15,
            (0, _) => 9 + edge.min(4),
            (1, _) if (u / 4 + v / 4) % 2 == 0 => 0,
            (1, _) => 13,
            (2, _) if (6..26).contains(&u) && (8..14).contains(&v) => 3 + u % 10 / 2,
            (2, _) => 12,
            (_, _) => 6 + v / 4,
        }
    };
    (0..64)
        .flat_map(|y| (0..128).map(move |x| (texel(2 * x, y) | texel(2 * x + 1, y) << 4).to_le_bytes()[0]))
        .collect()
}

/// Builds a box around a point, with a cell from the image on each side.
fn block(middle: [i16; 3], half: [i16; 3], cell: u8, material: usize) -> Mesh {
    let mut mesh = Mesh::default();
    for corner in 0..8 {
        let side = |axis: usize| if corner >> axis & 1 == 0 { -half[axis] } else { half[axis] };
        mesh.vertices.push([0, 1, 2].map(|axis| middle[axis] + side(axis)));
        // Corners above, at small y, are lighter.
        let light = if corner & 2 == 0 { 0x90 } else { 0x60 };
        mesh.shades.push([light, light, light, 0]);
    }
    for axis in 0..3 {
        for is_far in [false, true] {
            // Two axes whose cross product is this axis, swapped for the near side.
            let (u, v) =
                if is_far { ((axis + 1) % 3, (axis + 2) % 3) } else { ((axis + 2) % 3, (axis + 1) % 3) };
            let corner = |on_u: usize, on_v: usize| usize::from(is_far) << axis | on_u << u | on_v << v;
            let (left, right) = (cell * CELL, cell * CELL + CELL - 1);
            mesh.quads.push(Face {
                // The order around the face is a, c, d, b.
                corners: [corner(0, 0), corner(0, 1), corner(1, 0), corner(1, 1)],
                uv: [[left, CELL - 1], [left, 0], [right, CELL - 1], [right, 0]],
                material,
                flags: 0,
            });
        }
    }
    mesh
}

/// Builds an octahedron.
fn gem(middle: [i16; 3], half: [i16; 3], material: usize) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for sign in [-1, 1] {
            let mut vertex = middle;
            vertex[axis] += sign * half[axis];
            mesh.vertices.push(vertex);
            mesh.shades.push([0x80, 0x60 + 0x20 * u8::try_from(axis).unwrap_or(0), 0xA0, 0]);
        }
    }
    for octant in 0..8 {
        let [x, y, z] = [0, 1, 2].map(|axis| axis * 2 + (octant >> axis & 1));
        // Seen from outside, x, y, z is counter-clockwise; an odd number of negative signs reverses it.
        let is_odd = [1, 2, 4, 7].contains(&(7 - octant));
        let (b, c) = if is_odd { (y, z) } else { (z, y) };
        let uv = [[8, 8], [24, 8], [8, 24], [0, 0]];
        mesh.triangles.push(Face { corners: [x, b, c, 0], uv, material, flags: 0 });
    }
    mesh
}

/// Builds the robot's submeshes, ordered like LINKS.
fn meshes() -> Vec<Mesh> {
    let mut upper = block([0, 50, 0], [30, 60, 30], 0, 0);
    let mut fore = block([0, 60, 0], [30, 60, 30], 0, 1);
    // To weld the arm, the upper arm's lower ring is the forearm's upper ring.
    for (slot, (low, high)) in (0u8..).zip([(2, 0), (3, 1), (6, 4), (7, 5)]) {
        upper.shades[low][3] = 0x80 | slot;
        fore.shades[high][3] = 0xC0 | slot;
    }
    let mut key = block([0, 0, 40], [50, 30, 1], 1, 1);
    for face in &mut key.quads {
        face.flags = 1;
    }
    vec![
        block([0, 0, 0], [100, 110, 70], 0, 0),
        block([0, -60, 0], [70, 60, 60], 0, 1),
        upper,
        fore,
        block([0, 90, 0], [30, 100, 30], 3, 0),
        key,
        Mesh { scale: 1, ..block([0, -75, 0], [45, 15, 45], 3, 0) },
        Mesh { scale: -1, ..block([0, -140, -124], [100, 40, 8], 2, 1) },
        block([0, -30, -62], [30, 6, 4], 3, 0),
    ]
}

/// Encodes the entity list with all its data.
fn entities() -> Vec<u8> {
    const COUNT: usize = 3;
    let mut out = vec![0; 4 + 16 * COUNT + 0x3C * COUNT];
    let fine = meshes();
    let coarse: Vec<Mesh> = fine.iter().map(|_| gem([0, 0, 0], [80, 80, 60], 0)).collect();
    let jewel = [Mesh { scale: -1, ..gem([0, -200, 0], [160, 200, 160], 0) }];
    let tables = [&fine[..], &coarse, &jewel].map(|meshes| put_meshes(&mut out, meshes));
    let skeleton = out.len();
    for (offset, _) in BONES {
        out.extend(offset.into_iter().flat_map(i16::to_le_bytes));
    }
    out.resize(out.len().next_multiple_of(4), 0);
    let hierarchy = out.len();
    for ((bone, flags), mesh) in LINKS.into_iter().zip(0u8..) {
        let byte = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        out.extend([mesh, byte(BONES[bone].1), byte(bone), flags]);
    }
    // Pages and palettes for the robot and for its copy, which lacks its second palette.
    let materials = [[(5, 0x3C00), (5, 0x3C04)], [(5, 0x3C40), (5, 0x3FC0)]].map(|materials| {
        let at = out.len();
        for (page, clut) in materials {
            put_u16(&mut out, page);
            put_u16(&mut out, clut);
        }
        // A colour table follows.
        (at, [&fine[..], &coarse, &coarse].map(|meshes| put_shades(&mut out, meshes)))
    });
    let jewel_shades = put_shades(&mut out, &jewel);
    let tracks = put_key_sets(&mut out);
    let control = put_clips(&mut out);

    let mut head = Vec::new();
    put_u32(&mut head, COUNT);
    let model = |number: usize| 4 + 16 * COUNT + 0x3C * number;
    for (number, (kind, tracks, control)) in
        [(0x0120, tracks, control), (0x0001_0120, tracks, control), (0x0260, 0, 0)].into_iter().enumerate()
    {
        for word in [kind, model(number), tracks, control] {
            put_u32(&mut head, word);
        }
    }
    for (materials, shades) in materials {
        head.extend([LINKS.len(); 3].map(|count| u8::try_from(count).unwrap_or(u8::MAX)));
        head.push(1);
        let pointers = [tables[0], tables[1], tables[1], skeleton, hierarchy, materials, 0];
        pointers.into_iter().chain(shades).for_each(|word| put_u32(&mut head, word));
        // Distances, scale, and the steps for face textures.
        [1500, 3000, 0x200, 0x200, 0x200, 0, 0x2840, 0x2840]
            .into_iter()
            .for_each(|half| put_u16(&mut head, half));
    }
    head.extend([1, 1, 1, 3]);
    let pointers = [tables[2]; 3].into_iter().chain([0; 4]).chain([jewel_shades; 3]);
    pointers.for_each(|word| put_u32(&mut head, word));
    [4000, 7000, 0x400, 0x200, 0x200, 0, 0, 0].into_iter().for_each(|half| put_u16(&mut head, half));
    out[..head.len()].copy_from_slice(&head);
    out
}

/// Appends three sets with two, zero and one pose. Returns their table's offset.
fn put_key_sets(out: &mut Vec<u8>) -> usize {
    let table = out.len();
    let stride = 4 * (BONES.len() + 1);
    let first = table + 12;
    for pointer in [first, first + 2 * stride, first + 2 * stride] {
        put_u32(out, pointer);
    }
    let poses: [[usize; 7]; 3] = [
        [0, 0, 0, packed_vector([256, 0, 0], 1), packed_vector([-256, 0, 0], 1), packed_vector([0; 3], 0), 0],
        [
            packed_vector([0, 10, 0], 1),
            0,
            packed_vector([0, 100, 0], 1),
            packed_vector([-200, 0, 0], 1),
            packed_vector([-400, 0, 0], 1),
            packed_vector([200, 0, 100], 2),
            packed_vector([0, 0, 256], 3),
        ],
        [0, 0, 0, packed_vector([0, 0, -400], 1), 0, packed_vector([0, 0, 400], 1), 0],
    ];
    poses.as_flattened().iter().for_each(|word| put_u32(out, *word));
    table
}

/// Appends two clips and an entry for a missing clip. Returns their table's offset.
fn put_clips(out: &mut Vec<u8>) -> usize {
    let table = out.len();
    let swing: [[u8; 4]; 7] = [
        [0, 1, 0, 0],
        [0, 1, 0, 0x14],
        [0, 1, 0, 0x18],
        [0, 1, 0, 0x1C],
        [1, 4, 0x80, 0],
        [1, 1, 0, 0x18],
        [0, 1, 0, 0x81],
    ];
    let clips = table + 12;
    for pointer in [NO_CLIP, clips, clips + 4 + 4 * swing.len()] {
        put_u32(out, pointer);
    }
    out.extend([0, 7, 0, 0]);
    out.extend(swing.as_flattened());
    // This clip uses the third set, which has a single pose, and stops.
    out.extend([2, 1, 0, 0, 0, 1, 0, 0xFF]);
    table
}
