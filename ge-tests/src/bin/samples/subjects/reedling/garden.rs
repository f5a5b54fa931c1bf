//! Builds the garden: paving, plants that share a model, one of them mirrored, and a sky.

use super::{plant, textures};
use crate::formats::bbs::pmo::{ComponentFormats, Model, Primitives, Section, Texture, Vertex};
use crate::formats::bbs::pmp::{Instance, write};
use crate::modelling::maths::{Vec3, cos, sin, vec3};

/// Builds the map file.
pub(super) fn file() -> Vec<u8> {
    write(&[paving(), sky(), plant::model()], &instances())
}

fn instances() -> Vec<Instance> {
    let plant = |at, rotation, scale| Instance { at, rotation, scale, model: Some(2), flags: 0 };
    let one = [1.0; 3];
    let still = [0.0; 3];
    vec![
        Instance { at: still, rotation: still, scale: one, model: Some(1), flags: 1 },
        Instance { at: still, rotation: still, scale: [2.0, 1.0, 2.0], model: Some(0), flags: 0 },
        plant([-2.2, 0.0, 0.5], still, one),
        plant([1.6, 0.0, -1.4], [0.0, 0.9, 0.0], [1.2, 1.5, 1.2]),
        // This plant is mirrored.
        plant([2.4, 0.0, 2.0], [0.0, -0.5, 0.0], [-0.8, 0.8, 0.8]),
        Instance { at: still, rotation: still, scale: one, model: None, flags: 0 },
        // This plant has fallen over, to be rotated around all axes.
        plant([-1.2, 0.6, 2.6], [1.1, 0.4, 0.9], [0.6, 0.6, 0.6]),
    ]
}

fn point(position: Vec3, texcoord: [f64; 2]) -> Vertex {
    Vertex { position, texcoord, color: [0x80, 0x80, 0x80, 0xFF], weights: Vec::new() }
}

fn paving() -> Model {
    let corner = |column: u16, row: u16| {
        let place = |i: u16| (f64::from(i) / 4.0 - 1.0) * 2.5;
        let texcoord = [column, row].map(|i| f64::from(i) / 4.1);
        point(vec3(place(column), 0.0, place(row)), texcoord)
    };
    let strip = |row| (0..=8).flat_map(|column| [corner(column, row), corner(column, row + 1)]).collect();
    let section = Section {
        list: 0,
        texture: 0,
        group: 0,
        attribute: 0,
        color: Some([0x80, 0x80, 0x80, 0xFF]),
        formats: ComponentFormats { texcoord: 1, color: 0, position: 2, weight: 0 },
        bones: Vec::new(),
        shape: Primitives::Strips((0..8).map(strip).collect()),
    };
    let textures = vec![Texture { name: "paving", scroll: [0.0; 2], file: textures::paving() }];
    Model { sections: vec![section], textures, bones: Vec::new(), scale: 2.6 }
}

/// Builds the sky as a ring, seen from inside.
fn sky() -> Model {
    let mut vertices = Vec::new();
    for column in 0..=16 {
        let around = f64::from(column) / 16.0;
        for y in [4.0, -1.0] {
            let position = vec3(9.0 * cos(around), y, 9.0 * sin(around));
            vertices.push(point(position, [around * 1.9, if y > 0.0 { 0.0 } else { 1.0 }]));
        }
    }
    let section = Section {
        list: 0,
        texture: 0,
        group: 0,
        attribute: 0,
        color: None,
        formats: ComponentFormats { texcoord: 2, color: 0, position: 3, weight: 0 },
        bones: Vec::new(),
        shape: Primitives::Strip(vertices),
    };
    let textures = vec![Texture { name: "sky", scroll: [0.002, 0.0], file: textures::sky() }];
    Model { sections: vec![section], textures, bones: Vec::new(), scale: 1.0 }
}
