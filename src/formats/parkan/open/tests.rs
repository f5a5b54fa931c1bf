//! Tests how a model's tables, materials and textures are found.

use super::*;
use crate::formats::core::options::ParseOptions;
use crate::formats::tests::parkan::{TestEntry, nres, test_entry, texm};
use crate::formats::tests::texts;
use crate::formats::{Request, open};
use crate::ge::memory::Memory;
use crate::model::ModelTexture;

/// Returns a model's streams, with a triangle for each of the materials 0, 1 and 2.
fn streams() -> Vec<TestEntry> {
    let words = |values: &[u16]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };
    let floats =
        |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|value| value.to_le_bytes()).collect() };
    let mut slots = floats(&[0.0; 35]);
    slots.extend(words(&[0, 0, 0, 3]));
    slots.extend(floats(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0]));
    slots.extend([0; 20]);
    let mut node = vec![0, 0xFFFF, 0xFFFF, 0, 0];
    node.extend([0xFFFF; 14]);
    let batch = |material: u16| words(&[0, material, 0, 0, 3, 0, 0, 0, 0, 0]);
    let mut key = floats(&[0.0; 4]);
    key.extend(words(&[0, 0, 0, 32767]));
    vec![
        test_entry(1, "Res1", &words(&node)),
        test_entry(2, "Res2", &slots),
        test_entry(3, "Res3", &floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0])),
        test_entry(6, "Res6", &words(&[0, 1, 2])),
        test_entry(8, "Res8", &key),
        test_entry(13, "Res13", &[batch(0), batch(1), batch(2)].concat()),
    ]
}

fn tank() -> Vec<u8> {
    nres(&streams())
}

/// Builds a material in version 1 with a diffuse colour and a texture.
fn material(name: &str, diffuse: [u8; 4], texture: &str) -> TestEntry {
    let mut data = vec![1, 0, 0, 0, 9, 9, 9, 9];
    data.extend(diffuse);
    data.extend([0; 10]);
    let mut name_of_texture = texture.as_bytes().to_vec();
    name_of_texture.resize(16, 0);
    data.extend(name_of_texture);
    TestEntry { attributes: [0, 1, 0], ..test_entry(MATERIAL, name, &data) }
}

/// Builds a texture with a single texel.
fn texture(name: &str, color: [u8; 3]) -> TestEntry {
    let [red, green, blue] = color;
    test_entry(u32::from_le_bytes(*b"Texm"), name, &texm(888, 1, 1, 1, &[red, green, blue, 0]))
}

fn wear(name: &str, rows: &[&str]) -> TestEntry {
    test_entry(WEAR, name, table(rows).as_bytes())
}

fn table(rows: &[&str]) -> String {
    let rows: Vec<String> =
        rows.iter().enumerate().map(|(number, name)| format!("{number} {name}\n")).collect();
    format!("{}\n{}", rows.len(), rows.concat())
}

fn opened(request: &Request<'_>) -> Model {
    match open(request).expect("good files").content {
        Content::Model(model) => *model,
        other => panic!("a model, not {other:?}"),
    }
}

/// Returns the only texel in each part's texture.
fn textures_of_parts(model: &Model) -> Vec<Option<[u8; 3]>> {
    let texel = |memory: &Memory, texture: &ModelTexture| {
        let [red, green, blue, _] = texture.decode(memory, 0).get_pixel(0, 0).0;
        [red, green, blue]
    };
    let parts = model.parts.iter().map(|part| part.texture);
    parts.map(|texture| texture.map(|number| texel(&model.memory, &model.textures[number]))).collect()
}

/// Builds an archive with the model, its table, materials and textures, and another model's table.
fn archive() -> Vec<u8> {
    nres(&[
        wear("other.wea", &["RED", "RED", "RED"]),
        test_entry(1, "tank.msh", &tank()),
        wear("TANK.WEA", &["red", "Plain", "green"]),
        material("GREEN", [255, 255, 255, 128], "green.tga"),
        material("RED", [255; 4], "RED.0"),
        material("PLAIN", [1, 2, 3, 255], ""),
        texture("Red.0", [200, 0, 0]),
        texture("GREEN.0", [0, 200, 0]),
    ])
}

#[test]
fn finds_surfaces_in_the_archive_of_the_model() {
    let bytes = archive();
    for member in [None, Some("1"), Some("TANK.msh")] {
        let model = opened(&Request { member, ..Request::new("units.rlb", &bytes) });
        assert_eq!(textures_of_parts(&model), [Some([200, 0, 0]), None, Some([0, 200, 0])], "{member:?}");
        assert_eq!(texts(&model.notes), Vec::<String>::new(), "no missing items");
        assert_eq!(model.info.textures, 2, "only those in use");
        let names: Vec<_> = model.textures.iter().map(|texture| texture.name.as_deref()).collect();
        assert_eq!(names, [Some("Red.0"), Some("GREEN.0")], "names");
        let field = model.fields.iter().find(|field| field.name == "material 1 (Plain)").expect("kept");
        assert!(
            field.value.starts_with("1 phases, the first with parameters 09 09 09 09 01 02 03 ff"),
            "{field:?}"
        );
    }
}

#[test]
fn finds_surfaces_in_companion_files() {
    let tank = tank();
    let rows = table(&["red", "plain", "green"]);
    let materials = nres(&[
        material("GREEN", [255; 4], "GREEN"),
        material("RED", [255; 4], "RED.0"),
        material("PLAIN", [255; 4], ""),
    ]);
    let textures = nres(&[texture("Red.0", [200, 0, 0])]);
    let green = texm(888, 1, 1, 1, &[0, 200, 0, 0]);
    let file = |name, bytes| File { name, bytes };
    let library = [
        file("game/tank.wea", rows.as_bytes()),
        file("game/Material.lib", &materials),
        file("game/Textures.lib", &textures),
        file("game/Green.texm", &green),
        file("game/readme.txt", b"plain text"),
    ];
    let model = opened(&Request { library: &library, ..Request::new("tank.msh", &tank) });
    assert_eq!(textures_of_parts(&model), [Some([200, 0, 0]), None, Some([0, 200, 0])], "from four files");
    let all = archive();
    let textures = Some(file("units.rlb", &all));
    let model = opened(&Request { textures, ..Request::new("tank.msh", &tank) });
    assert_eq!(textures_of_parts(&model), [Some([200, 0, 0]), None, Some([0, 200, 0])], "from one archive");
    let textures = Some(file("green.texm", &green));
    let model = opened(&Request { textures, ..Request::new("tank.msh", &tank) });
    assert_eq!(textures_of_parts(&model), [Some([0, 200, 0]); 3], "all parts use the only texture");
}

#[test]
fn replaces_missing_materials_and_textures_with_notes() {
    let tank = tank();
    let textures = |entries: &[TestEntry]| {
        let bytes = nres(entries);
        let textures = Some(File { name: "textures", bytes: &bytes });
        let model = opened(&Request { textures, ..Request::new("tank.msh", &tank) });
        (textures_of_parts(&model), texts(&model.notes))
    };
    let red = || [material("RED", [255; 4], "RED.0"), texture("RED.0", [200, 0, 0])];
    let one = [&[wear("a.wea", &["blue", "RED"])][..], &red()].concat();
    let (found, notes) = textures(&one);
    assert_eq!(found, [Some([200, 0, 0]), Some([200, 0, 0]), None], "replaced by the first entry");
    assert_eq!(
        notes,
        ["material 2 has no row in the WEAR table of 2", "material blue is missing; RED replaces it"],
        "notes"
    );
    let two = [&one[..], &[material("Default", [255; 4], "gone.0")]].concat();
    let (found, notes) = textures(&two);
    assert_eq!(found, [None, Some([200, 0, 0]), None], "DEFAULT has precedence over the first entry");
    assert!(
        notes.contains(&"texture gone.0 is missing: surfaces are drawn without it".to_owned()),
        "{notes:?}"
    );
    let (found, notes) = textures(&[texture("A", [1; 3]), texture("B", [2; 3])]);
    assert_eq!(found, [None; 3], "ambiguous textures are not used");
    assert_eq!(notes, ["without a WEAR table, the textures cannot be assigned to materials"], "noted");
    let (_, notes) = textures(&[wear("a.wea", &["x", "y", "z"])]);
    assert_eq!(notes.len(), 3, "three materials are missing: {notes:?}");
}

#[test]
fn rejects_invalid_companions() {
    let tank = tank();
    let refused = |bytes: &[u8]| {
        let textures = Some(File { name: "textures", bytes });
        let error = open(&Request { textures, ..Request::new("tank.msh", &tank) }).expect_err("no");
        (error.role, error.to_string())
    };
    let message = |message: &str| (FileRole::Textures, message.to_owned());
    assert_eq!(refused(&tank), message("expected texm, found msh"), "a model");
    assert_eq!(refused(b"junk"), message("expected texm, found a text"), "text");
    assert_eq!(refused(&[0xFE; 9]), message("expected texm, found something unknown"), "junk");
    let broken = nres(&[wear("a.wea", &["A"]), test_entry(MATERIAL, "A", &[1, 0, 0, 0])]);
    let noted = |request: &Request<'_>, part: &str| {
        let Content::Model(model) = open(request).expect("drawn").content else { panic!("a model") };
        let parts: Vec<&str> = model.notes.iter().filter_map(|note| note.part.as_deref()).collect();
        assert!(parts.iter().any(|found| found.contains(part)), "{part}: {:?}", model.notes);
    };
    let textures = Some(File { name: "textures", bytes: &broken });
    noted(&Request { textures, ..Request::new("tank.msh", &tank) }, "textures");
    let library = [File { name: "a.lib", bytes: &tank }, File { name: "b.wea", bytes: b"x" }];
    noted(&Request { library: &library, ..Request::new("tank.msh", &tank) }, "b.wea");
}

#[test]
fn opens_archives_of_textures_as_texture_sets() {
    let bytes = nres(&[texture("A", [1; 3]), test_entry(7, "B", b"?"), texture("C", [3; 3])]);
    let Content::Textures(set) = open(&Request::new("Textures.lib", &bytes)).expect("good").content else {
        panic!("textures")
    };
    let names: Vec<_> = set.textures.iter().map(|texture| texture.name.as_deref()).collect();
    assert_eq!(names, [Some("A"), Some("C")], "all of them");
    let two = nres(&[test_entry(1, "a.msh", &tank()), test_entry(1, "b.msh", &tank())]);
    let model = opened(&Request::new("units.rlb", &two));
    assert_eq!(texts(&model.notes), ["the container holds 2 models; this is the first"], "noted");
}

/// The archive has more textures than fit into memory.
#[test]
fn counts_textures_that_do_not_fit_into_memory() {
    let one = texm(0, 512, 512, 1, &vec![7; 1024 + 512 * 512]);
    let entries: Vec<TestEntry> = (0..300).map(|number| test_entry(0, &format!("T{number}"), &one)).collect();
    let bytes = nres(&entries);
    let Content::Textures(set) = open(&Request::new("Textures.lib", &bytes)).expect("good").content else {
        panic!("textures")
    };
    let left_out = 300 - set.textures.len();
    assert!(left_out > 0 && left_out < 200, "{left_out}");
    let note = format!(
        "{left_out} more textures do not fit into the machine's memory; open them one by one, as members"
    );
    assert_eq!(texts(&set.notes).last(), Some(&note), "noted");
    let parse_options = ParseOptions::new(&[DIRECT3D_TEXELS.name]);
    let opened =
        open(&Request { member: Some("T299"), parse_options, ..Request::new("Textures.lib", &bytes) });
    assert!(matches!(opened.expect("good").content, Content::Textures(_)), "one by one");
}
