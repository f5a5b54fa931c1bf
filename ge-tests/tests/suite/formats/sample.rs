//! Checks the bundled samples: decoded geometry as text, and pictures.
//!
//! Pictures are compared byte for byte, in debug and release builds. To accept new pictures, look at them in
//! `target/ge-tests/sample`, then run the tests with `INSTA_UPDATE=always`.

use ge_tests::{geometry_text, input, sample, snapshot};
use image::RgbaImage;
use pspge::formats::{File, ParseOptions, Request, Selection};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limits;
use pspge::ge::overrides::Overrides;
use pspge::inspect::answer::{Answer, InputKind};
use pspge::inspect::request::{OtherFile, RunRequest};
use pspge::inspect::{self, InspectedFile, Inspector};
use pspge::model::Model;
use pspge::raster::RasterOptions;
use pspge::scene::camera::Camera;
use pspge::scene::render::ModelRenderer;
use pspge::scene::render_target::Tile;

const VIEWS: [(&str, f64, f64); 7] = [
    ("front", 0.0, 0.0),
    ("back", 180.0, 0.0),
    ("left", 90.0, 0.0),
    ("right", 270.0, 0.0),
    ("top", 0.0, 90.0),
    ("bottom", 0.0, -90.0),
    ("three-quarter", 35.0, 20.0),
];

fn renderer(yaw: f64, pitch: f64) -> ModelRenderer {
    ModelRenderer {
        camera: Camera { yaw, pitch, zoom: 1.0 },
        width: 480,
        height: 272,
        background: [0x30, 0x38, 0x40, 0xFF],
        options: RasterOptions::default(),
        limits: Limits::default(),
        overrides: Overrides::default(),
    }
}

fn draw(model: &Model, renderer: &ModelRenderer) -> RgbaImage {
    renderer.render(model, &mut |_| {}).colors
}

fn compare(name: &str, drawn: &RgbaImage) -> Result<(), String> {
    snapshot::compare_picture(&format!("sample/{name}"), drawn)
}

#[test]
fn lampwing_pictures_match_from_all_sides() {
    let model = sample::open("lampwing.pac");
    let failures: Vec<String> = VIEWS
        .iter()
        .filter_map(|(name, yaw, pitch)| compare(name, &draw(&model, &renderer(*yaw, *pitch))).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn wireframe_and_single_arithmetic_pictures_match() {
    let model = sample::open("lampwing.pac");
    let base = renderer(35.0, 20.0);
    let wire = ModelRenderer { options: RasterOptions { wireframe: true, ..base.options }, ..base.clone() };
    compare("wireframe", &draw(&model, &wire)).expect("as accepted");
    let single = RasterOptions { arithmetic: Arithmetic::Single, ..base.options };
    compare("single", &draw(&model, &ModelRenderer { options: single, ..base.clone() }))
        .expect("as accepted");
}

/// A model in two files must look the same as in a single file, also in the inspector.
#[test]
fn model_in_two_files_is_drawn() {
    let [first, second] = sample::split_model();
    let mesh_data = Some(File { name: "lampwing.mesh", bytes: &second });
    let request = Request { mesh_data, ..Request::new("lampwing-102.pmo", &first) };
    let (split, whole) = (input::model(&request), sample::open("lampwing-102.pmo"));
    assert_eq!(split.info, whole.info, "counts");
    assert_eq!(split.notes, whole.notes, "notes");
    let base = renderer(35.0, 20.0);
    assert!(draw(&split, &base) == draw(&whole, &base), "pictures");
    let inspector = Inspector::new(Limits::default());
    inspector.set_file(0, InspectedFile::open(&request).expect("a model"));
    let request = inspect::request::Request::Events { run: RunRequest::default() };
    let Ok((Answer::Events(events), _)) = inspector.answer(&request, &[]) else { panic!("events") };
    assert!(events.events.iter().any(|event| event.covered > 0), "the inspector draws it");
    let error = InspectedFile::open(&Request::new("lampwing.pmo", &first)).expect_err("no mesh data");
    assert!(error.to_string().contains("has to be given as mesh data"), "{error}");
}

/// Files that a person chooses together belong together, however they are named or ordered.
#[test]
fn files_given_together_are_told_apart() {
    let [first, second] = sample::split_model();
    let others =
        [first, sample::read("lampwing-102.ahi"), sample::read("lampwing.tmh"), b"dear diary".to_vec()];
    let names = ["monster.bin", "bones", "skin.dat", "diary.txt"];
    let named = others.iter().zip(names);
    let request = inspect::request::Request::Open {
        input: 0,
        name: "data.001".to_owned(),
        member: None,
        others: named.map(|(file, name)| OtherFile { name: name.to_owned(), length: file.len() }).collect(),
    };
    let inspector = Inspector::new(Limits::default());
    let (answer, _) = inspector.answer(&request, &[second, others.concat()].concat()).expect("a model");
    let Answer::Input(input) = answer else { panic!("the facts of a file, not {answer:?}") };
    assert_eq!(
        (input.name.as_str(), input.kind),
        ("monster.bin", InputKind::Model),
        "the model among the files"
    );
    let info = input.info.expect("facts");
    let companions: Vec<_> =
        info.companions.iter().map(|companion| (companion.role.as_str(), companion.file.as_str())).collect();
    let expected = [("textures", "skin.dat"), ("skeleton", "bones"), ("mesh-data", "data.001")];
    assert_eq!(companions, expected, "the roles of the others");
    let unused: Vec<_> = input.notes.iter().filter(|note| note.code == "unused-companion").collect();
    let texts: Vec<_> = unused.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(
        texts,
        ["diary.txt is not used: it does not belong to monster.bin"],
        "the file of something else"
    );
    let error = inspector.answer(&request, &[0; 4]).expect_err("too few bytes");
    assert_eq!(error.to_string(), "diary.txt has 10 bytes, and only 4 of 4 are left", "a wrong length");
}

/// A picture's name, its file, and an animation's number and frame.
type Other = (&'static str, &'static str, Option<(usize, f64)>);

/// Models in the other formats, as small pictures.
const OTHERS: [Other; 11] = [
    ("anemone", "anemone.pmdl", None),
    ("anemone-sway", "anemone-gx.pmdl", Some((0, 30.0))),
    ("orchard", "orchard.pmdl", None),
    ("orchard-collision", "orchard-collision.pmdl", None),
    ("reedling", "reedling.arc", None),
    ("reedling-sway", "reedling.arc", Some((0, 20.0))),
    ("reedling-grow", "reedling.arc", Some((1, 80.0))),
    ("reedling-scroll", "reedling.arc", Some((2, 10.0))),
    ("garden", "reedling.pmp", None),
    ("robot", "robot.bin", None),
    ("robot-swing", "robot.bin", Some((0, 5.0))),
];

#[test]
fn pictures_of_other_formats_match() {
    let renderer = ModelRenderer { width: 240, height: 136, ..renderer(35.0, 20.0) };
    let draw = |file: &str, movement: Option<(usize, f64)>| {
        let mut model = sample::open(file);
        if let Some((animation, frame)) = movement {
            model.animate(animation, frame);
        }
        draw(&model, &renderer)
    };
    let failures: Vec<String> = OTHERS
        .iter()
        .filter_map(|(name, file, movement)| compare(name, &draw(file, *movement)).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Draws the rover intact, looking around, far away, wrecked, and with vertex colours.
#[test]
fn rover_pictures_match() {
    let renderer = ModelRenderer { width: 240, height: 136, ..renderer(35.0, 20.0) };
    let open = |name: &str, level_of_detail, group, vertex_colors| {
        let bytes = sample::read(name);
        let selection = Selection { level_of_detail, group, hidden: false };
        let names: &[&str] = if vertex_colors { &["vertex-colors"] } else { &[] };
        let parse_options = ParseOptions::new(names);
        input::model(&Request { selection, parse_options, ..Request::new(name, &bytes) })
    };
    let intact = open("rover.rlb", 0, 0, false);
    let mut moved = intact.clone();
    moved.animate(0, 4.25);
    let mut failures = Vec::new();
    for (name, model) in [
        ("rover", &intact),
        ("rover-moved", &moved),
        ("rover-far", &open("rover.rlb", 2, 0, false)),
        ("rover-wreck", &open("rover.rlb", 0, 1, false)),
        ("rover-colors", &open("rover-colors.msh", 0, 0, true)),
        ("rover-24", &open("rover-24.msh", 0, 0, false)),
    ] {
        failures.extend(compare(name, &draw(model, &renderer)).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Tiled pictures must equal whole pictures, even if bounding boxes are tested for each tile. Tiles start at
/// multiples of four columns, because levels of detail are chosen once per aligned group of four pixels.
#[test]
fn tiled_pictures_equal_whole_ones() {
    for name in ["lampwing.pac", "rover.rlb"] {
        check_tiles(name);
    }
}

fn check_tiles(name: &str) {
    let model = sample::open(name);
    let renderer = renderer(35.0, 20.0);
    let whole = draw(&model, &renderer);
    for (width, height) in [(240, 136), (96, 272), (480, 17), (112, 93)] {
        let tiles = (0..272).step_by(height).flat_map(|y| {
            (0..480).step_by(width).map(move |x| {
                let number = |value: usize| u32::try_from(value).expect("small");
                let (x, y) = (number(x), number(y));
                Tile { x, y, width: number(width).min(480 - x), height: number(height).min(272 - y) }
            })
        });
        let setup = renderer.setup(&model);
        let cut = renderer.render_tiles(&model, &setup, tiles, &mut |_| {}).colors;
        assert!(cut == whole, "{name}: tiles of {width}x{height}");
    }
}

#[test]
fn decoded_geometry_matches_snapshots() {
    for (name, snapshot) in [
        ("lampwing.pac", "geometry_lampwing_pac"),
        ("lampwing-102.pmo", "geometry_lampwing-102_pmo"),
        ("anemone.pmdl", "geometry_anemone_pmdl"),
        ("anemone-gx.pmdl", "geometry_anemone-gx_pmdl"),
        ("rover.rlb", "geometry_rover_rlb"),
    ] {
        let model = sample::open(name);
        snapshot::assert(snapshot, &geometry_text::describe(&model));
    }
}
