//! Tests containers with generated files: which companions belong to which model.

use crate::formats::tests::sample::sample;
use crate::formats::tests::texts;
use crate::formats::{Content, File, FileError, FileProvider, Format, ProvidedFile, Request, open};
use crate::model::Model;

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Builds a skeleton with these bone ids, all roots.
fn ahi(ids: &[u32]) -> Vec<u8> {
    let count = u32::try_from(ids.len()).expect("few");
    let mut file = words(&[0xC000_0000, count + 1, 24 + 4 * count + 0x10C * count, 0, count, 12 + 4 * count]);
    file.extend(words(ids));
    for &id in ids {
        let start = file.len();
        file.extend(words(&[0x4000_0001, 1, 0x10C, id, u32::MAX, u32::MAX, u32::MAX]));
        let one = 1.0f32.to_bits();
        file.extend(words(&[one, one, one, one, 0, 0, 0, 0, 0, 0, 0, one]));
        file.resize(start + 0x10C, 0);
    }
    file
}

/// Builds a texture file with this many 4 x 8 images.
fn tmh(images: u32) -> Vec<u8> {
    let mut file = b".TMH0.14".to_vec();
    file.extend(words(&[images, 0]));
    for _ in 0..images {
        file.extend(words(&[16 + 16 + 128, 0, 0, 0, 16 + 128, 1, 3, 8 << 16 | 4]));
        file.extend([0; 128]);
    }
    file
}

/// Builds a container from these members, aligned to 16.
fn pac(members: &[&[u8]]) -> Vec<u8> {
    let count = u32::try_from(members.len()).expect("few");
    let mut data = Vec::new();
    let mut table = words(&[count]);
    let start = (4 + 8 * count).next_multiple_of(16);
    for member in members {
        let length = u32::try_from(member.len()).expect("small");
        let offset = if length == 0 { 0 } else { start + u32::try_from(data.len()).expect("small") };
        table.extend(words(&[offset, length]));
        data.extend_from_slice(member);
        data.resize(data.len().next_multiple_of(16), 0);
    }
    table.resize(start as usize, 0);
    [table, data].concat()
}

fn model(request: &Request<'_>) -> Model {
    match open(request).unwrap_or_else(|error| panic!("{:?}: {error}", request.member)).content {
        Content::Model(model) => *model,
        other => panic!("expected a model, found {other:?}"),
    }
}

/// Known container orders: each model finds its own skeleton and textures.
#[test]
fn models_find_their_companions() {
    let pmo = sample();
    let (small, large) = (ahi(&[7, 9]), ahi(&[7, 9, 11]));
    let (one, two) = (tmh(1), tmh(2));
    let (p, a, b, t, u): (&[u8], &[u8], &[u8], &[u8], &[u8]) = (&pmo, &small, &large, &one, &two);
    let other: &[u8] = &[7; 20];
    // Members, then member, bones and textures. The model alone names two bones.
    let orders: &[(&str, &[&[u8]], &[(&str, usize, usize)])] = &[
        ("equipment", &[p, b, t], &[("0", 3, 1)]),
        ("monster of Freedom Unite", &[b, p, t, other, a, p, u], &[("1", 3, 1), ("5", 2, 2)]),
        ("the same the other way round", &[a, p, u, other, b, p, t], &[("1", 2, 2), ("5", 3, 1)]),
        ("monster without a second model", &[b, p, t, other, &[], &[], &[]], &[("1", 3, 1)]),
        ("second model without a skeleton", &[b, p, t, other, &[], p, u], &[("1", 3, 1), ("5", 3, 2)]),
        (
            "monster of Portable 3rd",
            &[p, b, other, t, other, other, other, &[7; 3], other, p, u, other],
            &[("0", 3, 1), ("9", 3, 2)],
        ),
        ("stage", &[p, t, p, other], &[("0", 2, 1), ("2", 2, 1)]),
        ("small monster", &[p, u, p, other, other, b"HITS"], &[("0", 2, 2), ("2", 2, 2)]),
        ("several pieces of equipment", &[p, a, t, p, b, u], &[("0", 2, 1), ("3", 3, 2)]),
        ("textures at the end", &[p, p, u], &[("0", 2, 2), ("1", 2, 2)]),
    ];
    for (order, members, expected) in orders {
        let file = pac(members);
        for &(member, bones, textures) in *expected {
            let found = model(&Request { member: Some(member), ..Request::new("container", &file) });
            assert_eq!(
                (found.info.bones, found.info.textures),
                (bones, textures),
                "{order}: member {member}"
            );
        }
        let (_, bones, textures) = expected[0];
        let first = model(&Request::new("container", &file));
        assert_eq!((first.info.bones, first.info.textures), (bones, textures), "{order}: the container");
    }
}

/// Damage to a companion or to the table does not lose the model.
#[test]
fn damaged_members_are_left_out() {
    let pmo = sample();
    let mut skeleton = ahi(&[7, 9]);
    skeleton[8] = 0xFF;
    skeleton[9] = 0xFF;
    let textures = tmh(1);
    let whole = pac(&[&pmo, &skeleton, &textures]);
    let found = model(&Request::new("container", &whole));
    assert!(texts(&found.notes).iter().any(|note| note.starts_with("skeleton: at ")), "{:?}", found.notes);
    assert_eq!(found.info.textures, 1, "the textures are used");
    // The file ends inside the textures.
    let cut = &whole[..whole.len() - 40];
    let found = model(&Request::new("container", cut));
    let note = "at 0x14: member 2 at";
    assert!(texts(&found.notes).iter().any(|text| text.starts_with(note)), "{:?}", texts(&found.notes));
    // An entry that points anywhere.
    let mut wrong = whole.clone();
    wrong[0xC..0x14].copy_from_slice(&[0xFF; 8]);
    let found = model(&Request::new("container", &wrong));
    assert_eq!((found.info.textures, found.skeleton), (1, None), "textures without a skeleton");
    // Nothing in it belongs to the game.
    let unknown = pac(&[&[7; 20], &[8; 20]]);
    let error = open(&Request::new("container", &unknown[..unknown.len() - 20])).expect_err("unknown");
    assert!(error.to_string().contains("member 1 at 0x40 with 20 bytes is not inside the file"), "{error}");
}

/// A folder with a single file.
#[derive(Debug)]
struct OneFile(&'static str, Vec<u8>);

impl FileProvider for OneFile {
    fn folder(&self) -> String {
        "folder".to_owned()
    }

    fn names(&self) -> Vec<String> {
        vec![self.0.to_owned()]
    }

    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
        let file = || ProvidedFile { name: self.0.to_owned(), bytes: self.1.clone() };
        Ok((name == self.0).then(file))
    }
}

/// A model's second file comes as a file, from the folder, or from the model's container.
#[test]
fn finds_mesh_data() {
    let whole = sample();
    let (first, second) = whole.split_at(0xC0);
    let expected = model(&Request::new("whole", &whole)).info;
    let check = |request: &Request<'_>| {
        let found = model(request);
        assert_eq!(found.info, expected, "{request:?}");
        assert!(texts(&found.notes).iter().all(|note| !note.contains("mesh data")), "{:?}", found.notes);
    };
    let file = |bytes| Some(File { name: "second", bytes });
    check(&Request { mesh_data: file(second), ..Request::new("first.pmo", first) });
    let holder = pac(&[b"other", second]);
    check(&Request { mesh_data: file(&holder), ..Request::new("first.pmo", first) });
    for name in ["first.mesh", "first.MESH", "first.Mesh"] {
        let folder = OneFile(name, second.to_vec());
        check(&Request { files: &folder, ..Request::new("first.pmo", first) });
    }
    // A container from Portable 3rd. Its first model is in two files, and its last has low detail.
    let monster = pac(&[first, b"other", &whole]);
    let folder = OneFile("monster.mesh", second.to_vec());
    let request = Request::new("monster.pac", &monster);
    check(&Request { files: &folder, ..request });
    check(&Request { mesh_data: file(second), member: Some("0"), ..request });
    check(&Request { member: Some("2"), ..request });
    check(&Request::new("both.pac", &pac(&[first, second])));
    let error = open(&request).expect_err("no mesh data");
    assert_eq!((error.code(), error.offset), ("mesh-data-missing", Some(0x20 + 0x34)), "{error}");
    // A file in another format is no mesh data.
    let error = open(&Request { mesh_data: file(&whole), ..Request::new("first.pmo", first) });
    assert_eq!(error.expect_err("a model").code(), "wrong-companion", "another model");
}

/// Mesh data alone is recognised, and holds nothing to draw.
#[test]
fn mesh_data_alone_says_what_it_is() {
    let whole = sample();
    let opened = open(&Request::new("second", &whole[0xC0..])).expect("mesh data");
    assert_eq!(opened.format, Format::from_name("mesh").expect("the format"), "format");
    let [note] = opened.content.notes() else { panic!("one note: {opened:?}") };
    assert!(note.message.contains("whose PMO file draws them"), "{note}");
}
