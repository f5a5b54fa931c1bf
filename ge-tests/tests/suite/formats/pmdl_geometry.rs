//! Checks PMDL models, vertex by vertex: compares geometry decoded from the adapter's lists with an independent
//! decoder, at rest and in every action.
//!
//! For the models in the corpus, set `PSPGE_CORPUS` to the folder with `models/pmdl`; the samples are always tested.

use ge_tests::pmdl_oracle::{self, Oracle, OracleVertex};
use ge_tests::{corpus, input, sample};
use pspge::formats::Request;
use pspge::model::Model;
use pspge::run::decode::{DecodedDraw, DecodedVertex};
use pspge::scene::render::geometry;

const SAMPLES: [&str; 4] = ["anemone.pmdl", "anemone-gx.pmdl", "orchard.pmdl", "orchard-collision.pmdl"];
const CORPUS: [&str; 6] = [
    "par0_gen_be32_uv2.pmdl",
    "par0_gen_le64.pmdl",
    "par0_gx_be32.pmdl",
    "par1_gen_le64.pmdl",
    "par1_gx_be32.pmdl",
    "par2_gen_le32.pmdl",
];

/// Reads all available models, with their names.
fn files() -> Vec<(String, Vec<u8>)> {
    let samples = SAMPLES.map(|name| (name.to_owned(), sample::read(name)));
    let others = corpus::folder("models/pmdl")
        .into_iter()
        .flat_map(|folder| CORPUS.map(|name| (name.to_owned(), corpus::read(&folder, name))).into_iter());
    samples.into_iter().chain(others).collect()
}

fn is_near(found: &[f32], expected: &[f64], tolerance: f64) -> bool {
    found.iter().zip(expected).all(|(found, expected)| (f64::from(*found) - expected).abs() <= tolerance)
}

/// A drawn primitive's corner: the decoded vertex, and the bones for its weights.
struct Corner<'a> {
    vertex: &'a DecodedVertex,
    weights: Vec<(Option<usize>, f64)>,
    has_texcoords: bool,
}

impl Corner<'_> {
    /// Returns whether this corner is a vertex in the file.
    fn matches(&self, vertex: &OracleVertex) -> bool {
        let texcoord = match vertex.texcoord {
            // The list flips v, so this flips it back.
            Some([u, v]) => self.has_texcoords && is_near(&self.vertex.texcoord, &[u, 1.0 - v], 1e-5),
            None => !self.has_texcoords,
        };
        texcoord
            && is_near(&self.vertex.position, &vertex.position, 1e-5)
            && is_near(&self.vertex.normal, &vertex.normal, 1e-5)
            && self.weights.len() == vertex.weights.len()
            && vertex.weights.iter().all(|(bone, weight)| {
                let mut same = self.weights.iter().filter(|(known, _)| known == bone);
                same.next().is_some_and(|(_, found)| (found - weight).abs() < 1e-6)
            })
    }
}

/// Lists the corners of each triangle, line and point in a draw, in order.
fn primitives<'a>(model: &Model, draw: &'a DecodedDraw) -> Vec<Vec<Corner<'a>>> {
    let part = model.part_at(draw.at).expect("every draw belongs to a part");
    assert_eq!(part.weights, draw.vertex_type.weights(), "weights of draw {}", draw.number);
    let corner = |&index: &u32| {
        let vertex = &draw.vertices[index as usize];
        let bones = part.palette.iter().take(part.weights).zip(vertex.weights);
        let mut weights: Vec<(Option<usize>, f64)> =
            bones.map(|(bone, weight)| (bone.map(|bone| bone as usize), f64::from(weight))).collect();
        weights.retain(|(_, weight)| *weight != 0.0);
        Corner { vertex, weights, has_texcoords: draw.has_texcoords() }
    };
    let whole = |corners: &&[u32; 3]| {
        let [a, b, c] = corners;
        a != b && b != c && a != c
    };
    let triangles = draw.triangles.iter().filter(whole).map(|corners| corners.iter().map(corner).collect());
    let lines = draw.pairs.iter().map(|corners| corners.iter().map(corner).collect());
    let points = draw.points.iter().map(|point| vec![corner(point)]);
    triangles.chain(lines).chain(points).collect()
}

/// Returns the rotation at which the corners match these vertices: 0, or up to 2 for triangles. `None` if they
/// differ.
fn matching_rotation(corners: &[Corner<'_>], vertices: &[OracleVertex]) -> Option<usize> {
    let turns = if vertices.len() == 3 { 3 } else { 1 };
    let same = |turn: &usize| {
        let turned = vertices.iter().cycle().skip(*turn);
        corners.iter().zip(turned).all(|(corner, vertex)| corner.matches(vertex))
    };
    (corners.len() == vertices.len()).then(|| (0..turns).find(same)).flatten()
}

/// Lists all primitives in the file by mesh.
fn expected(oracle: &Oracle) -> Vec<Vec<Vec<OracleVertex>>> {
    let all = |mesh: &pmdl_oracle::OracleMesh| {
        let triangles = mesh.triangles.iter().map(|corners| corners.to_vec());
        let lines = mesh.lines.iter().map(|corners| corners.to_vec());
        triangles.chain(lines).chain(mesh.points.iter().map(|point| vec![point.clone()])).collect()
    };
    oracle.meshes.iter().map(all).collect()
}

/// Returns the file's vertex for each decoded corner, ordered by draw and primitive. Checks that every primitive is
/// drawn once.
fn match_draws(name: &str, model: &Model, oracle: &Oracle) -> Vec<OracleVertex> {
    let mut remaining = expected(oracle);
    let mut found = Vec::new();
    for draw in geometry(model).draws() {
        let part = model.part_at(draw.at).expect("every draw belongs to a part");
        let mesh = &oracle.meshes[part.mesh];
        assert_eq!(mesh.shader.unwrap_or(model.info.materials - 1), part.material, "{name}: material");
        for corners in primitives(model, draw) {
            let here = remaining[part.mesh]
                .iter()
                .enumerate()
                .find_map(|(index, vertices)| Some((index, matching_rotation(&corners, vertices)?)));
            let Some((index, turn)) = here else {
                panic!(
                    "{name}: draw {} of mesh {}: the file has no such primitive: {:?}",
                    draw.number, part.mesh, corners[0].vertex
                );
            };
            let vertices = remaining[part.mesh].swap_remove(index);
            found.extend(vertices.iter().cycle().skip(turn).take(vertices.len()).cloned());
        }
    }
    let forgotten: Vec<usize> = remaining.iter().map(Vec::len).collect();
    assert!(
        forgotten.iter().all(|count| *count == 0),
        "{name}: primitives of each mesh that are not drawn: {forgotten:?}"
    );
    found
}

#[test]
fn all_primitives_are_drawn_once() {
    for (name, bytes) in files() {
        let (model, oracle) = (input::model(&Request::new(&name, &bytes)), pmdl_oracle::read(&bytes));
        let found = match_draws(&name, &model, &oracle);
        assert!(found.len() > 300, "{name}: {} corners", found.len());
    }
}

#[test]
fn bones_at_rest_match_oracle() {
    for (name, bytes) in files() {
        let (model, oracle) = (input::model(&Request::new(&name, &bytes)), pmdl_oracle::read(&bytes));
        let skeleton = model.skeleton.clone().unwrap_or_default();
        assert_eq!(skeleton.bones().len(), oracle.bones.len(), "{name}: bones");
        let rest = skeleton.world(&skeleton.rest());
        for ((bone, matrix), expected) in skeleton.bones().iter().zip(rest).zip(&oracle.bones) {
            assert_eq!(bone.name.as_ref(), Some(&expected.name), "{name}: name");
            assert_eq!(bone.parent, expected.parent, "{name}: parent of {}", expected.name);
            assert!(is_near(&matrix[9..], &expected.head, 1e-5), "{name}: {}: {matrix:?}", expected.name);
        }
    }
}

#[test]
fn animated_vertices_match_oracle() {
    let mut moved = 0;
    for (name, bytes) in files() {
        let (mut model, oracle) = (input::model(&Request::new(&name, &bytes)), pmdl_oracle::read(&bytes));
        let vertices = match_draws(&name, &model, &oracle);
        for (number, action) in oracle.actions.iter().enumerate() {
            assert_eq!(model.animations[number].name.as_ref(), Some(&action.name), "{name}: name");
            // These frames are also before, after and between keys and frames.
            for frame in [-5.0, 0.0, 11.0, 30.0, 47.25, 60.0, 83.0, 500.0] {
                model.animate(number, frame);
                let pose = oracle.pose(action, (frame / 60.0).clamp(0.0, action.duration));
                let decoded = geometry(&model);
                let corners: Vec<[f32; 3]> = decoded
                    .draws()
                    .iter()
                    .flat_map(|draw| primitives(&model, draw))
                    .flatten()
                    .map(|corner| corner.vertex.position)
                    .collect();
                assert_eq!(corners.len(), vertices.len(), "{name}: the same number of corners as at rest");
                for (corner, vertex) in corners.iter().zip(&vertices) {
                    let expected = oracle.posed(vertex, &pose);
                    // Matrices hold 16 significant bits, which limits this comparison.
                    let what = format!("{name}: {} at frame {frame}", action.name);
                    assert!(is_near(corner, &expected, 1e-3), "{what}: {corner:?} for {expected:?}");
                    moved += usize::from(!is_near(corner, &vertex.position, 0.05));
                }
            }
        }
    }
    assert!(moved > 10_000, "most vertices move: {moved}");
}
