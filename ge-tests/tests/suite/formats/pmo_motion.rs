//! Checks animations in the Monster Hunter samples: finds files that belong together, and compares poses with an
//! independent evaluation, vertex by vertex.

use ge_tests::pmo_motion_oracle::{Tracks, joints, skinned};
use ge_tests::{input, pmo_oracle, sample};
use pspge::formats::{Content, File, FileError, FileProvider, ProvidedFile, Request};
use pspge::model::Model;
use pspge::scene::render;

/// How far coordinates may differ, in parts of the model's size, because matrices have 16 bits.
const PRECISION: f64 = 1.0 / 16384.0;
const SIZE: f64 = 132.0;

/// Returns the animations' numbers in the game, with their frames.
fn actions(model: &Model) -> Vec<(&str, u32)> {
    let list = model.animations.iter();
    list.map(|animation| (animation.name.as_deref().unwrap_or_default(), animation.frames)).collect()
}

/// Compares every vertex in an action at several frames.
fn check(model: &mut Model, files: [&str; 3], tracks: Tracks, animation: usize, action: usize) {
    let [pmo, ahi, pack] = files.map(sample::read);
    let rest = joints(&ahi, None, 0, 0.0);
    let draws = pmo_oracle::read(&pmo, None);
    let mut moved = 0.0_f64;
    for frame in [0.0, 1.0, 7.25, 20.0, 29.5, 40.0, 48.0, 55.75, 60.0, 90.0, 133.0] {
        model.animate(animation, frame);
        let pose = joints(&ahi, Some((&pack, tracks)), action, frame);
        let decoded = render::geometry(model);
        assert_eq!(decoded.draws().len(), draws.len(), "draws");
        for (draw, oracle) in decoded.draws().iter().zip(&draws) {
            let (expected, still) = (skinned(oracle, &rest, &pose), skinned(oracle, &rest, &rest));
            for (triangle, corners) in draw.triangles.iter().zip(&oracle.triangles) {
                for (&index, &corner) in triangle.iter().zip(corners) {
                    let position = draw.vertices[index as usize].position;
                    for axis in 0..3 {
                        let apart = (f64::from(position[axis]) - expected[corner][axis]).abs();
                        assert!(apart < PRECISION * SIZE, "action {action}, frame {frame}: {apart} apart");
                        moved = moved.max((expected[corner][axis] - still[corner][axis]).abs());
                    }
                }
            }
        }
    }
    assert!(moved > 5.0, "action {action} moves vertices by {moved} at most");
}

#[test]
fn actions_of_freedom_unite_match_oracle() {
    let mut model = sample::open("lampwing.pac");
    let expected = [("action 0", 61), ("action 1", 41), ("action 7", 91), ("action 100", 41)];
    assert_eq!(actions(&model), expected, "actions of the member of the container");
    assert!(!model.notes.iter().any(|note| note.part.as_deref() == Some("animations")), "{:?}", model.notes);
    let files = ["lampwing.pmo", "lampwing.ahi", "lampwing.bin"];
    for (animation, action) in [0, 1, 7, 100].into_iter().enumerate() {
        check(&mut model, files, Tracks::OfParts, animation, action);
    }
}

#[derive(Debug)]
struct Samples;

impl FileProvider for Samples {
    fn folder(&self) -> String {
        sample::folder().display().to_string()
    }

    fn names(&self) -> Vec<String> {
        let names = input::entries(&sample::folder()).into_iter();
        names.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
    }

    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
        let path = sample::folder().join(name);
        Ok(std::fs::read(path).ok().map(|bytes| ProvidedFile { name: name.to_owned(), bytes }))
    }
}

#[test]
fn actions_of_portable_3rd_match_oracle() {
    let bytes = sample::read("lampwing-102.pmo");
    let mut model = input::model(&Request { files: &Samples, ..Request::new("lampwing-102.pmo", &bytes) });
    assert_eq!(
        actions(&model),
        [("action 0", 61), ("action 7", 91), ("action 101", 41)],
        "from a file beside"
    );
    let assumed = model.notes.iter().find(|note| note.part.as_deref() == Some("animations")).expect("a note");
    assert!(assumed.message.starts_with("track 0 is taken to move bone 0"), "{assumed}");
    let files = ["lampwing-102.pmo", "lampwing-102.ahi", "lampwing-102.bin"];
    for (animation, action) in [0, 7].into_iter().enumerate() {
        check(&mut model, files, Tracks::From(0), animation, action);
    }
}

#[test]
fn packs_open_alone_and_as_given_files() {
    let pack = sample::read("lampwing.bin");
    let Content::Animations(set) = input::open(&Request::new("lampwing.bin", &pack)).content else {
        panic!("a file of animations")
    };
    assert_eq!((set.animations.len(), set.bones), (4, 21), "alone");
    let [model, skeleton, archive] = ["lampwing.pmo", "lampwing.ahi", "lampwing.pac"].map(sample::read);
    let file = |name, bytes| Some(File { name, bytes });
    let given = Request {
        skeleton: file("lampwing.ahi", &skeleton),
        animations: file("lampwing.pac", &archive),
        ..Request::new("lampwing.pmo", &model)
    };
    assert_eq!(input::model(&given).animations.len(), 4, "out of a container");
    let without = Request { skeleton: None, ..given };
    let without = input::model(&without);
    assert_eq!(without.animations.len(), 0, "no skeleton");
    let note = without.notes.iter().find(|note| note.part.as_deref() == Some("animations")).expect("a note");
    assert_eq!(note.message, "the model has no skeleton: the animations are left out", "note");
}

/// Files named only by numbers, as in Portable 3rd's archive.
#[derive(Debug)]
struct Numbered(&'static str);

impl FileProvider for Numbered {
    fn folder(&self) -> String {
        "numbers".to_owned()
    }

    fn names(&self) -> Vec<String> {
        vec!["0499.bin".to_owned(), self.0.to_owned()]
    }

    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
        let bytes = if name == self.0 { sample::read("lampwing.bin") } else { vec![0; 64] };
        Ok(Some(ProvidedFile { name: name.to_owned(), bytes }))
    }
}

#[test]
fn packs_are_found_two_numbers_after_the_model() {
    let (model, skeleton) = (sample::read("lampwing.pmo"), sample::read("lampwing.ahi"));
    let skeleton = Some(File { name: "lampwing.ahi", bytes: &skeleton });
    for (pack, count) in [("0499.dat", 4), ("0499", 4), ("0498.bin", 0), ("0500.bin", 0)] {
        let files = Numbered(pack);
        let found = input::model(&Request { skeleton, files: &files, ..Request::new("a/0497.pmo", &model) });
        assert_eq!(found.animations.len(), count, "{pack}");
    }
}
