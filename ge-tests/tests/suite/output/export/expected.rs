//! Decodes models to triangles, to compare them with exported files.

use std::path::Path;

use ge_tests::input;
use pspge::formats::{self, Content, Request};
use pspge::model::Model;
use pspge::model::matrix::{Affine, transform};
use pspge::run::decode::DecodedDraw;

use crate::output::export::reader::Triangle;

/// Collects triangles from draws in scene space, without degenerate triangles.
pub(crate) fn triangles(draws: &[DecodedDraw], to_scene: &Affine) -> Vec<Triangle> {
    let mut triangles = Vec::new();
    for draw in draws.iter().filter(|draw| !draw.vertex_type.through) {
        for indices in &draw.triangles {
            let [a, b, c] = *indices;
            if a == b || b == c || c == a {
                continue;
            }
            let corner = |index: u32| draw.vertices[index as usize];
            let mut turn = *to_scene;
            turn[9..].fill(0.0);
            triangles.push(Triangle {
                corners: indices.map(|index| transform(to_scene, corner(index).position).map(f64::from)),
                // On the GE, vertices without a normal take an earlier draw's, which no file can express.
                normals: indices.map(|index| match draw.vertex_type.normal.bytes() {
                    0 => [0.0; 3],
                    _ => transform(&turn, corner(index).normal).map(f64::from),
                }),
                texcoords: indices.map(|index| corner(index).texcoord),
                surface: draw.at.get() as usize,
            });
        }
    }
    triangles
}

pub(crate) fn largest_extent(triangles: &[Triangle]) -> f64 {
    let corners = || triangles.iter().flat_map(|triangle| triangle.corners);
    let extent = |axis: usize| {
        let values = || corners().map(|corner| corner[axis]);
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    (0..3).map(extent).fold(0.0, f64::max).max(1e-6)
}

/// Opens all models in a file: its own, its members', and nested members'.
pub(crate) fn models(path: &Path) -> Vec<(String, Model)> {
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    let bytes = input::read(path);
    let mut models = Vec::new();
    let mut paths: Vec<Option<String>> = vec![None];
    while let Some(member) = paths.pop() {
        let request = Request { member: member.as_deref(), ..Request::new(&name, &bytes) };
        let Ok(opened) = formats::open(&request) else { continue };
        let full = member.as_ref().map_or_else(|| name.clone(), |member| format!("{name}#{member}"));
        // A container opens as its first model, so only its members count.
        if opened.members.is_empty()
            && let Content::Model(model) = opened.content
        {
            models.push((full, *model));
        } else if member.as_ref().is_none_or(|member| member.matches('/').count() < 3) {
            let before = member.map_or_else(String::new, |member| format!("{member}/"));
            paths.extend(opened.members.iter().map(|inner| Some(format!("{before}{}", inner.index))));
        }
    }
    models
}

/// Opens all models in a corpus's folders.
pub(crate) fn every_model(folder: &Path) -> impl Iterator<Item = (String, Model)> {
    let folders = input::entries(folder).into_iter().filter(|path| path.is_dir());
    folders.flat_map(|folder| input::entries(&folder)).flat_map(|path| models(&path))
}
