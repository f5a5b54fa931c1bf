//! Checks Parkan's models: counts in the corpus against published counts, and every vertex and pose in corpus and
//! samples against an independent decoder.
//!
//! For the corpus part, set `PSPGE_CORPUS` to the folder with `models/msh`. Without it the tests print a message.

use std::fs;

use ge_tests::msh_oracle::{self, OracleBatch, ReadOptions};
use ge_tests::{corpus, input, sample};
use pspge::formats::{self, Content, File, Format, ParseOptions, Request, Selection};
use pspge::model::{FileNoteKind, Model};
use pspge::run::decode::{DecodedDraw, GeometrySink};
use pspge::scene::render::geometry;

const MODELS: [&str; 3] = ["static_1node.msh", "tank_3nodes_anim.msh", "colored_2nodes.msh"];

/// Parse options for these choices.
fn options(standard_rotation: bool, vertex_colors: bool) -> ParseOptions<'static> {
    ParseOptions::new(match (standard_rotation, vertex_colors) {
        (false, false) => &[],
        (true, false) => &["standard-rotation"],
        (false, true) => &["vertex-colors"],
        (true, true) => &["standard-rotation", "vertex-colors"],
    })
}

fn open(request: &Request<'_>) -> Model {
    let name = request.input.name;
    let opened = input::open(request);
    assert_eq!(opened.format.name(), "msh", "{name}: recognised by content");
    input::expect_model(name, opened.content)
}

#[test]
fn counts_match_published_ones() {
    let Some(folder) = corpus::folder("models/msh") else { return };
    let text = fs::read_to_string(folder.join("counts.tsv")).expect("counts");
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let mut rows = 0;
    for line in lines {
        rows += 1;
        let cells: Vec<&str> = line.split('\t').collect();
        let name = cells[0];
        let bytes = corpus::read(&folder, name);
        let model = open(&Request::new(name, &bytes));
        for (column, cell) in columns.iter().zip(&cells).skip(1) {
            let found = match *column {
                "size" => bytes.len() as u64,
                "vertices" => model.info.vertices as u64,
                "tris" => model.info.triangles as u64,
                other => model.info.extra(other).unwrap_or_else(|| panic!("{name}: no count {other}")),
            };
            assert_eq!(found.to_string(), *cell, "{name}: {column}");
        }
        assert_eq!(model.info.bones.to_string(), cells[3], "{name}: one bone per node");
    }
    assert_eq!(rows, 3, "counts.tsv has one row per file");
}

fn close<const N: usize>(found: [f32; N], expected: [f64; N], size: f64, what: &str) {
    for (found, expected) in found.iter().zip(expected) {
        // Matrices have 16 significant bits, and the sum has three products.
        let tolerance = size * 4.0 / 65536.0;
        assert!((f64::from(*found) - expected).abs() <= tolerance, "{what}: {found} for {expected}");
    }
}

fn compare(name: &str, model: &Model, decoded: &GeometrySink, oracle: &[OracleBatch]) {
    assert_eq!(decoded.draws().len(), oracle.len(), "{name}: draws");
    for (draw, expected) in decoded.draws().iter().zip(oracle) {
        let what = format!("{name}: draw {}", draw.number);
        let corners = draw.triangles.as_flattened();
        assert_eq!(corners.len(), expected.positions.len(), "{what}: corners");
        let vertex = |index: &u32| draw.vertices[*index as usize];
        for (index, position) in corners.iter().zip(&expected.positions) {
            close(vertex(index).position, *position, 8.0, &what);
        }
        for (index, texcoord) in corners.iter().zip(&expected.texcoords) {
            close(vertex(index).texcoord, *texcoord, 0.0, &format!("{what} texture coordinates"));
        }
        check_colors(draw, expected, &what);
        // Nodes may share a slot's list, so use the draw's number to find the part.
        let part = &model.parts[usize::try_from(draw.number).expect("few")];
        assert!(part.list.contains(&draw.at), "{what}: in the list of its part");
        assert_eq!(
            (part.mesh, part.material, part.uploads[0].bone),
            (expected.slot, expected.material, u32::try_from(expected.node).ok()),
            "{what}: slot, material, node"
        );
    }
}

fn check_colors(draw: &DecodedDraw, expected: &OracleBatch, what: &str) {
    let corners = draw.triangles.as_flattened();
    for (index, color) in corners.iter().zip(&expected.colors).filter(|_| draw.has_colors()) {
        assert_eq!(draw.vertices[*index as usize].color, *color, "{what}: colour");
    }
}

/// Reads the models in the corpus, if it is available, and the samples.
fn models() -> Vec<(&'static str, Vec<u8>)> {
    let corpus = corpus::folder("models/msh");
    let mut models: Vec<_> =
        corpus.iter().flat_map(|folder| MODELS.map(|name| (name, corpus::read(folder, name)))).collect();
    models.push(("rover-colors.msh", sample::read("rover-colors.msh")));
    let archive = sample::read("rover.rlb");
    let opened = input::open(&Request::new("rover.rlb", &archive));
    let member =
        opened.members.iter().find(|member| member.format == Format::from_name("msh")).expect("a model");
    let offset = |value: u64| usize::try_from(value).expect("small");
    models
        .push(("rover.msh", archive[offset(member.offset)..offset(member.offset + member.length)].to_vec()));
    models
}

#[test]
fn vertices_match_oracle() {
    for (name, bytes) in models() {
        let mut drawn = 0;
        for (level, group) in [(0, 0), (1, 0), (2, 0), (0, 1), (2, 4)] {
            let selection = Selection { level_of_detail: level, group, hidden: false };
            for standard_rotation in [false, true] {
                let parse_options = options(standard_rotation, true);
                let model = open(&Request { selection, parse_options, ..Request::new(name, &bytes) });
                let options = ReadOptions { time: None, level, group, standard_rotation };
                let oracle = msh_oracle::read(&bytes, options);
                drawn += oracle.len();
                let found = model.alternatives.level(level);
                let has_group = found.is_some_and(|level| level.groups.contains(&group));
                assert_eq!(has_group, !oracle.is_empty(), "{name}: level {level}, group {group}");
                if !has_group {
                    continue;
                }
                compare(name, &model, &geometry(&model), &oracle);
                let colored = name.contains("color") && !model.parts.is_empty();
                let has_colors = geometry(&model).draws().iter().any(DecodedDraw::has_colors);
                assert_eq!(has_colors, colored, "{name}: colours");
            }
        }
        assert!(drawn > 2, "{name}: enough draws");
    }
}

/// The nodes' matrices must not apply to normals.
#[test]
fn normals_match_file_bytes() {
    for (name, bytes) in models() {
        let model = open(&Request::new(name, &bytes));
        let oracle = msh_oracle::read(&bytes, ReadOptions::default());
        let still = |draw: &&OracleBatch| draw.node == 0;
        let decoded = geometry(&model);
        for (draw, expected) in decoded.draws().iter().zip(oracle.iter().take_while(still)) {
            assert_eq!(draw.triangles.as_flattened().len(), expected.normals.len(), "{name}: normals");
            for (index, normal) in draw.triangles.as_flattened().iter().zip(&expected.normals) {
                let found = draw.vertices[*index as usize].normal;
                assert_eq!(found.map(f64::from), *normal, "{name}: s8/128");
            }
        }
    }
}

#[test]
fn animated_vertices_match_oracle() {
    for (name, bytes) in models() {
        for standard_rotation in [false, true] {
            let parse_options = options(standard_rotation, false);
            let mut model = open(&Request { parse_options, ..Request::new(name, &bytes) });
            let moving = name.starts_with("tank") || name.starts_with("rover");
            assert_eq!(model.animations.len(), usize::from(moving), "{name}: one timeline, if any");
            for time in
                [-3.0, -0.25, 0.0, 0.5, 1.0, 1.2, 2.0, 3.0, 3.75, 4.0, 4.75, 5.0, 5.5, 7.5, 8.75, 15.5, 100.0]
            {
                model.animate(0, time);
                let options = ReadOptions {
                    time: Some(time).filter(|_| moving),
                    standard_rotation,
                    ..ReadOptions::default()
                };
                let oracle = msh_oracle::read(&bytes, options);
                compare(&format!("{name} at {time}"), &model, &geometry(&model), &oracle);
            }
        }
    }
}

/// Compares node 2's position at frame 1 with values computed by hand and by other programs. The documents contradict
/// each other about the rotation; the default is the game's own order, the standard order is an option.
#[test]
fn quaternions_rotate_as_in_the_game() {
    let Some(folder) = corpus::folder("models/msh") else { return };
    let name = "tank_3nodes_anim.msh";
    let bytes = corpus::read(&folder, name);
    for (standard_rotation, expected) in [(false, [2.98596, -0.14258, 2.0]), (true, [2.93718, 0.63778, 2.0])]
    {
        let parse_options = options(standard_rotation, false);
        let model = open(&Request { parse_options, ..Request::new(name, &bytes) });
        let skeleton = model.skeleton.as_ref().expect("nodes are bones");
        let world = skeleton.world(&model.animations[0].sampler.sample(skeleton, 1.0));
        for (found, expected) in world[2][9..].iter().zip(expected) {
            assert!(
                (f64::from(*found) - expected).abs() < 1.5e-5,
                "{standard_rotation}: {:?}",
                &world[2][9..]
            );
        }
    }
}

/// Textures from the first Parkan have a byte per texel and all levels, and are grey without a palette.
#[test]
fn textures_of_the_first_parkan_are_shown() {
    let Some(folder) = corpus::folder("models/texm-parkan1") else { return };
    for (name, width, height, first) in [
        ("ABC.A.texm", 64, 64, 0x75),
        ("AIRF13.A3.texm", 64, 64, 0xD2),
        ("_DD.A.texm", 64, 128, 0x1D),
        ("_SD1.A.texm", 64, 16, 0x1D),
    ] {
        let bytes = corpus::read(&folder, name);
        let palette: Vec<u8> = (0..=255).flat_map(|index| [index, 0, 7, 0]).collect();
        for (textures, expected) in [
            (None, [first, first, first, 255]),
            (Some(File { name: "p.col", bytes: &palette }), [7, 0, first, 255]),
        ] {
            let opened =
                formats::open(&Request { textures, ..Request::new(name, &bytes) }).expect("a texture");
            let Content::Textures(set) = opened.content else { panic!("{name}: textures") };
            let picture = set.textures[0].decode(&set.memory, 0);
            assert_eq!(picture.dimensions(), (width, height), "{name}: size");
            assert_eq!(picture.get_pixel(0, 0).0, expected, "{name}: the first texel");
            for (texel, pixel) in bytes[32..].iter().zip(picture.pixels()) {
                assert_eq!(pixel.0[if textures.is_some() { 2 } else { 0 }], *texel, "{name}: every texel");
            }
            let grey = set.notes.iter().filter(|note| note.kind == FileNoteKind::TextureMissing).count();
            assert_eq!(grey, usize::from(textures.is_none()), "{name}: {:?}", set.notes);
        }
    }
}
