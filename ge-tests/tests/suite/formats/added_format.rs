//! Adds a format from outside the library, to show that a file and a line are enough.

mod toy;

use pspge::formats::{
    Content, FileError, FileProvider, FileRole, FormatError, Opened, ParseOptions, ProvidedFile, Registry,
    Request, open_with,
};
use pspge::model::Model;
use pspge::scene::render;
use toy::ToyProblem;

/// Returns the standard formats and the added formats: this is the only line to write.
fn registry() -> Registry {
    Registry::standard().with(&toy::PAINT).with(&toy::TOY)
}

/// Builds a toy file with some corners.
fn bytes(corners: usize) -> Vec<u8> {
    let positions = [[0.0_f32, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let numbers = positions.iter().cycle().take(corners).flatten().flat_map(|number| number.to_le_bytes());
    b"TOY1".iter().copied().chain(numbers).collect()
}

fn model(opened: Opened) -> Box<Model> {
    match opened.content {
        Content::Model(model) => model,
        other => panic!("a model, not {other:?}"),
    }
}

/// Returns the first triangle's x coordinates and colour, to compare them.
fn triangle(model: &Model) -> ([f32; 3], [u8; 4]) {
    let geometry = render::geometry(model);
    let draw = geometry.draws().first().expect("a draw");
    let x = [0, 1, 2].map(|corner: usize| draw.vertices[corner].position[0]);
    (x, draw.vertices[0].color)
}

#[test]
fn recognises_and_opens_added_format() {
    let file = bytes(3);
    assert!(pspge::formats::sniff(&file).is_none(), "not in the standard registry");
    assert_eq!(registry().sniff(&file).map(|format| format.name()), Some("toy"), "recognised");
    let opened = open_with(&registry(), &Request::new("a.toy", &file)).expect("a toy");
    assert_eq!(opened.format.name(), "toy", "opened as");
    assert_eq!(triangle(&model(opened)), ([0.0, 2.0, 0.0], [0xFF; 4]), "decoded");
    let sample = std::fs::read(ge_tests::sample::folder().join("orchard.pmdl")).expect("a sample");
    let opened = open_with(&registry(), &Request::new("orchard.pmdl", &sample)).expect("a sample");
    assert_eq!(opened.format.name(), "pmdl", "standard formats are still known");
}

#[test]
fn lists_added_format_and_its_options() {
    let registry = registry();
    let format = registry.format("toy").expect("by name");
    assert_eq!(format.descriptor().about, "Triangles in one colour.", "help text");
    assert!(registry.formats().contains(&format), "listed");
    assert!(
        registry.parse_options().iter().any(|option| option.name == "toy-mirrored"),
        "its option is listed"
    );
}

#[test]
fn added_format_gets_parse_options() {
    let file = bytes(3);
    let parse_options = ParseOptions::new(&["toy-mirrored"]);
    let request = Request { parse_options, ..Request::new("a.toy", &file) };
    let opened = open_with(&registry(), &request).expect("a toy");
    assert_eq!(triangle(&model(opened)).0, [0.0, -2.0, 0.0], "mirrored");
    let error = pspge::formats::open(&request).expect_err("an option of an added format only");
    let message = error.to_string();
    assert!(message.starts_with("no format has a parse option \"toy-mirrored\"; there are "), "{message}");
}

#[test]
fn errors_carry_type_of_added_format() {
    let error = open_with(&registry(), &Request::new("a.toy", &bytes(2))).expect_err("two corners");
    assert_eq!(
        error.to_string(),
        "at 0x4: 24 bytes are not a multiple of 36, the size of a triangle",
        "message"
    );
    assert_eq!(error.problem_as(), Some(&ToyProblem::Corners(24)), "typed");
    assert_eq!(error.format, Some("toy"), "the format that was read");
}

/// A folder of files, for companions to be found in.
#[derive(Debug)]
struct Files(Vec<(&'static str, Vec<u8>)>);

impl FileProvider for Files {
    fn folder(&self) -> String {
        "folder".to_owned()
    }

    fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
        let found = self.0.iter().find(|(own, _)| *own == name);
        Ok(found.map(|(_, bytes)| ProvidedFile { name: format!("folder/{name}"), bytes: bytes.clone() }))
    }
}

fn open_with_files(files: &dyn FileProvider) -> Result<Opened, FormatError> {
    open_with(&registry(), &Request { files, ..Request::new("folder/a.toy", &bytes(3)) })
}

#[test]
fn finds_companions_of_added_format() {
    let red = b"PNT1\xFF\0\0".to_vec();
    let color = |files: &[(&'static str, &[u8])]| {
        let files = Files(files.iter().map(|(name, bytes)| (*name, bytes.to_vec())).collect());
        triangle(&model(open_with_files(&files).expect("a toy"))).1
    };
    assert_eq!(color(&[("a.paint", &red)]), [0xFF, 0, 0, 0xFF], "painted");
    let other = bytes(3);
    assert_eq!(color(&[("b.paint", &red), ("b.toy", &other)]), [0xFF; 4], "the paint of another toy");
    assert_eq!(color(&[("b.paint", &red)]), [0xFF, 0, 0, 0xFF], "the only paint for the only toy");
    assert_eq!(color(&[("b.paint", &red), ("c.paint", &red)]), [0xFF; 4], "either could be its paint");
    let broken = Files(vec![("a.paint", b"PNT1".to_vec())]);
    let error = open_with_files(&broken).expect_err("no colour in it");
    assert_eq!(
        (error.role, error.file.as_deref()),
        (FileRole::Textures, Some("folder/a.paint")),
        "role and name of the file with the error"
    );
    let folder = Files(vec![("any.paint", red)]);
    let file = bytes(3);
    let request = Request { texture_folder: Some(&folder), ..Request::new("a.toy", &file) };
    let opened = open_with(&registry(), &request).expect("a toy and a folder of paint");
    assert_eq!(triangle(&model(opened)).1, [0xFF, 0, 0, 0xFF], "the only file with textures");
}
