//! Imports geometry into models with a mesh data file. This file is on its own, next to the model in its container,
//! or in another container.

use ge_tests::{input, sample};
use pspge::export::scene::Scene;
use pspge::export::{DrawFilter, Merge, Placement, RigMode, gltf, model_scene};
use pspge::formats::{Content, File, Opened, Request};
use pspge::import::{GeometryError, GeometryProblem, WrittenModel, import_model};

use super::{Input, add_back, primitives};

/// Where the mesh data file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    Alone,
    SameContainer,
    OtherContainer,
}

/// Builds a Monster Hunter container.
fn pac(members: &[&[u8]]) -> Vec<u8> {
    let word = |value: usize| u32::try_from(value).expect("small").to_le_bytes();
    let mut at = (4 + 8 * members.len()).next_multiple_of(16);
    let mut table = word(members.len()).to_vec();
    for member in members {
        table.extend([word(at), word(member.len())].concat());
        at = (at + member.len()).next_multiple_of(16);
    }
    for member in members {
        table.resize(table.len().next_multiple_of(16), 0);
        table.extend_from_slice(member);
    }
    table
}

/// Returns a container's member.
fn member(pac: &[u8], number: usize) -> Vec<u8> {
    let word = |at: usize| u32::from_le_bytes(pac[at..at + 4].try_into().expect("four bytes")) as usize;
    let (at, size) = (word(4 + 8 * number), word(8 + 8 * number));
    pac[at..at + size].to_vec()
}

/// A model with its mesh data file.
struct Split {
    home: Home,
    first: Vec<u8>,
    second: Option<Vec<u8>>,
    skeleton: Vec<u8>,
}

impl Split {
    fn new(home: Home) -> Self {
        let [first, second] = sample::split_model();
        let skeleton = sample::read("lampwing-102.ahi");
        let (first, second) = match home {
            Home::Alone => (first, Some(second)),
            Home::SameContainer => (pac(&[b"text", &first, &skeleton, &second]), None),
            Home::OtherContainer => (first, Some(pac(&[b"text", &second]))),
        };
        Self { home, first, second, skeleton }
    }

    fn open(&self) -> Opened {
        let mesh_data = self.second.as_ref().map(|bytes| File { name: "second", bytes });
        let skeleton = Some(File { name: "skeleton", bytes: &self.skeleton });
        input::open(&Request { mesh_data, skeleton, ..Request::new("first", &self.first) })
    }

    fn scene(&self) -> Scene {
        let Content::Model(model) = self.open().content else { panic!("{:?}: a model", self.home) };
        model_scene(&model, "model", &DrawFilter::default(), RigMode::Rigged)
    }

    fn import(&self, scene: &Scene) -> Result<WrittenModel, GeometryError> {
        let file = File { name: "first", bytes: &self.first };
        let second = self.second.as_ref().map(|bytes| File { name: "second", bytes });
        import_model(&self.open(), file, second, &gltf::write_glb(scene), Placement::default())
    }

    /// Returns the model joined into a single file, and all other members.
    fn joined(&self, written: &WrittenModel) -> (Vec<u8>, Vec<Vec<u8>>) {
        let second = written.mesh_data.as_ref();
        let (first, second, others) = match self.home {
            Home::Alone => (written.bytes.clone(), second.expect("a second file").clone(), vec![]),
            Home::SameContainer => {
                assert_eq!(second, None, "one file");
                let others = vec![member(&written.bytes, 0), member(&written.bytes, 2)];
                (member(&written.bytes, 1), member(&written.bytes, 3), others)
            }
            Home::OtherContainer => {
                let second = second.expect("a second file");
                (written.bytes.clone(), member(second, 1), vec![member(second, 0)])
            }
        };
        ([first, second].concat(), others)
    }
}

const HOMES: [Home; 3] = [Home::Alone, Home::SameContainer, Home::OtherContainer];

#[test]
fn exports_come_back_to_the_byte() {
    for home in HOMES {
        let split = Split::new(home);
        for merge in [Merge::None, Merge::Object] {
            let written = split.import(&split.scene().merged(merge)).expect("imported");
            assert!(written.bytes == split.first, "{home:?} {merge:?}: the first file");
            assert!(written.mesh_data == split.second, "{home:?} {merge:?}: the second file");
            assert_eq!(written.groups.len(), 10, "{home:?}: groups");
        }
    }
}

/// A change to a model.
type Edit = fn(&mut Scene);

/// Joined, the two files must equal the same model changed as a single file.
#[test]
fn changes_are_those_of_the_model_in_one_file() {
    let whole = Input {
        name: "lampwing-102.pmo",
        bytes: sample::read("lampwing-102.pmo"),
        skeleton: Some(sample::read("lampwing-102.ahi")),
    };
    let edits: [(&str, Edit); 3] = [
        ("moved", |scene| {
            for position in primitives(scene).flat_map(|primitive| &mut primitive.positions) {
                *position = position.map(|coordinate| coordinate * 0.5);
            }
        }),
        ("larger", |scene| {
            for position in primitives(scene).flat_map(|primitive| &mut primitive.positions) {
                *position = position.map(|coordinate| coordinate * 3.0);
            }
        }),
        ("rebuilt", |scene| primitives(scene).for_each(add_back)),
    ];
    for (what, edit) in edits {
        let expected = whole.edit(edit);
        assert!(expected.bytes != whole.bytes, "{what}: a change");
        for home in HOMES {
            let split = Split::new(home);
            let mut scene = split.scene();
            edit(&mut scene);
            let written = split.import(&scene).unwrap_or_else(|error| panic!("{home:?} {what}: {error}"));
            let (joined, others) = split.joined(&written);
            assert!(joined == expected.bytes, "{home:?} {what}: as in one file");
            assert_eq!(written.groups, expected.groups, "{home:?} {what}: the same groups");
            let skeleton = split.skeleton.clone();
            let kept = [b"text".to_vec(), skeleton];
            assert!(others.iter().all(|other| kept.contains(other)), "{home:?} {what}: other members");
            // The written files must come back unchanged, too.
            let again = Split { first: written.bytes, second: written.mesh_data, ..split };
            let same = again.import(&again.scene()).expect("imported");
            assert!(same.bytes == again.first && same.mesh_data == again.second, "{home:?} {what}: twice");
        }
    }
}

#[test]
fn missing_second_files_are_named() {
    let split = Split::new(Home::Alone);
    let file = File { name: "first", bytes: &split.first };
    let glb = gltf::write_glb(&split.scene());
    let error = import_model(&split.open(), file, None, &glb, Placement::default()).expect_err("no second");
    assert_eq!(error.problem, GeometryProblem::SecondFile, "{error}");
}
