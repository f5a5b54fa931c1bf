//! Checks Monster Hunter models in the corpus: counts, textures and skeletons against published values, and models'
//! parts against an independent decoder.
//!
//! To run these tests, set `PSPGE_CORPUS` to the folder with `models/pmo`. Without it they print a message and pass.

use std::fs;
use std::path::{Path, PathBuf};

use ge_tests::corpus::{self, read};
use ge_tests::input;
use ge_tests::note_text::texts;
use ge_tests::pmo_oracle::{self, OracleDraw};
use pspge::formats::{self, Content, File, Format, Request};
use pspge::ge::registers::texture::{PixelFormat, TexelFormat};

/// Returns the folder with these models, if the corpus is available.
fn folder() -> Option<PathBuf> {
    corpus::folder("models/pmo")
}

/// A row in counts.tsv as (column, value) pairs.
type Row = Vec<(String, String)>;

fn counts(folder: &Path) -> Vec<Row> {
    let text =
        fs::read_to_string(folder.join("counts.tsv")).unwrap_or_else(|error| panic!("counts: {error}"));
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let row = |line: &str| {
        columns.iter().zip(line.split('\t')).map(|(c, v)| ((*c).to_owned(), v.to_owned())).collect()
    };
    lines.map(row).collect()
}

fn value<'a>(row: &'a Row, column: &str) -> &'a str {
    row.iter().find(|(name, _)| name == column).map_or("", |(_, value)| value)
}

/// Parses a list such as `[-50.0, -9.59]` or `(1.0, 2.0)`.
fn numbers(text: &str) -> Vec<f32> {
    let number = |part: &str| part.trim().parse().unwrap_or_else(|_| panic!("no number: {part}"));
    text.trim_matches(['[', ']', '(', ')']).split(',').map(number).collect()
}

#[test]
fn counts_match_published_ones() {
    let Some(folder) = folder() else { return };
    let rows = counts(&folder);
    assert!(!rows.is_empty(), "counts.tsv has rows");
    for row in rows {
        let name = value(&row, "file").to_owned();
        let bytes = read(&folder, &name);
        let model = input::model(&Request::new(&name, &bytes));
        let info = &model.info;
        assert_eq!(info.version.as_deref(), Some(value(&row, "version")), "{name}: version");
        for (column, found) in [
            ("meshes", info.meshes),
            ("materials", info.materials),
            ("tristrips", info.groups),
            ("prims", info.draws),
            ("vertices", info.vertices),
            ("faces", info.triangles),
            (
                "bone_entries",
                info.extra("bone_entries").map_or(0, |count| usize::try_from(count).unwrap_or(0)),
            ),
        ] {
            assert_eq!(found.to_string(), value(&row, column), "{name}: {column}");
        }
        assert_eq!(model.parts.len(), info.groups, "{name}: one part per group");
        let expected = ["the model uses textures, and none were given: it is drawn without"];
        assert_eq!(texts(&model.notes), expected, "{name}: no other notes");
    }
}

#[test]
fn oracle_matches_published_counts() {
    let Some(folder) = folder() else { return };
    for row in counts(&folder) {
        let name = value(&row, "file").to_owned();
        let bytes = read(&folder, &name);
        let draws = pmo_oracle::read(&bytes, None);
        let model = input::model(&Request::new(&name, &bytes));
        assert_eq!(draws.len().to_string(), value(&row, "prims"), "{name}: draws");
        let triangles: usize = draws.iter().map(|draw| draw.triangles.len()).sum();
        assert_eq!(triangles.to_string(), value(&row, "faces"), "{name}: triangles");
        for (corner, pick) in [("bbox_min", f32::min as fn(f32, f32) -> f32), ("bbox_max", f32::max)] {
            let expected = numbers(value(&row, corner));
            for axis in 0..3 {
                let used = draws.iter().flat_map(OracleDraw::used_positions).map(|position| position[axis]);
                let found = used.reduce(pick).expect("at least one vertex");
                assert!((found - expected[axis]).abs() < 0.02, "{name}: {corner} {axis}: {found}");
            }
        }
        // Every draw must belong to exactly one part, with the palette from the file's tables.
        for draw in &draws {
            let offset = |address| model.source_of(address).map(|(_, offset)| offset);
            let at = Some(draw.file_offset_of_prim);
            let holds = |list: &std::ops::Range<_>| offset(list.start) <= at && at < offset(list.end);
            let part = model.parts.iter().find(|part| holds(&part.list));
            let part = part.unwrap_or_else(|| panic!("{name}: no part for {at:x?}"));
            assert_eq!((part.mesh, part.group), (draw.mesh, draw.group), "{name}: mesh and group");
            assert_eq!(part.material, draw.material, "{name}: material");
            for (slot, bone) in draw.bones.iter().enumerate() {
                assert_eq!(part.palette[slot], Some(u32::from(*bone)), "{name}: bone matrix {slot}");
            }
        }
    }
}

#[test]
fn file_is_copied_to_memory_unchanged() {
    let Some(folder) = folder() else { return };
    for name in ["fu_ground.pmo", "fu_skinned_2mesh.pmo", "p3rd_skinned.pmo"] {
        let bytes = read(&folder, name);
        let model = input::model(&Request::new(name, &bytes));
        let [source] = model.sources.as_slice() else { panic!("{name}: one source") };
        assert_eq!((source.name.as_str(), source.file_offset), (name, 0), "{name}: the whole file");
        assert_eq!(model.memory.slice(source.address, bytes.len()), Some(bytes.as_slice()), "{name}: bytes");
    }
}

#[test]
fn container_opens_as_its_model() {
    let Some(folder) = folder() else { return };
    let bytes = read(&folder, "fu_model.pac");
    let request = Request::new("fu_model.pac", &bytes);
    let opened = input::open(&request);
    let found: Vec<Option<Format>> = opened.members.iter().map(|member| member.format).collect();
    assert_eq!(
        found,
        [Format::from_name("pmo"), Format::from_name("ahi"), Format::from_name("tmh")],
        "members"
    );
    let model = input::model(&request);
    assert_eq!((model.info.textures, model.info.bones), (2, 6), "textures and bones come from the container");
    assert_eq!(model.notes.len(), 1, "only the third texture is missing: {:?}", model.notes);
    assert!(model.notes[0].message.contains("uses texture 2, the texture file has 2"), "{:?}", model.notes);

    // Separate files must give the same.
    let pmo = read(&folder, "fu_skinned_2mesh.pmo");
    let (ahi, tmh) = (read(&folder, "fu_6bones.ahi"), read(&folder, "two_images.tmh"));
    let separate = Request {
        textures: Some(File { name: "tmh", bytes: &tmh }),
        skeleton: Some(File { name: "ahi", bytes: &ahi }),
        ..Request::new("pmo", &pmo)
    };
    let separate = input::model(&separate);
    assert_eq!((&separate.info, &separate.skeleton), (&model.info, &model.skeleton), "same content");
    for (member, content) in [("0", "Model"), ("1", "Skeleton"), ("tmh", "Textures")] {
        let opened = input::open(&Request { member: Some(member), ..request });
        let name = format!("{:?}", opened.content);
        assert!(name.starts_with(content), "member {member} is {content}");
    }
    let error = formats::open(&Request { member: Some("3"), ..request })
        .expect_err("the container has three members");
    assert_eq!(
        error.to_string(),
        "the container has no member \"3\"; there are 0 (pmo), 1 (ahi), 2 (tmh)",
        "message"
    );
}

#[test]
fn texture_and_skeleton_files_open_alone() {
    let Some(folder) = folder() else { return };
    let bytes = read(&folder, "two_images.tmh");
    let set = input::textures(&Request::new("two_images.tmh", &bytes));
    let seen: Vec<_> = set.textures.iter().map(|t| (t.format, t.width, t.height, t.buffer_width)).collect();
    assert_eq!(seen, [(TexelFormat::CLUT8, 32, 16, 32), (TexelFormat::CLUT4, 64, 32, 64)], "images");
    let palettes: Vec<_> =
        set.textures.iter().filter_map(|t| t.palette).map(|p| (p.format, p.count())).collect();
    assert_eq!(palettes, [(PixelFormat::BGR5650, 1), (PixelFormat::ABGR5551, 1)], "palettes");

    for (name, game, named) in
        [("fu_6bones.ahi", "MHFU", None), ("p3rd_6bones.ahi", "MHP3rd", Some("Bone04"))]
    {
        let bytes = read(&folder, name);
        let opened = input::open(&Request::new(name, &bytes));
        let Content::Skeleton { skeleton, version, notes } = opened.content else { panic!("{name}") };
        assert_eq!((version, skeleton.bones().len(), notes.len()), (game, 6, 0), "{name}");
        assert_eq!(skeleton.bones()[4].name.as_deref(), named, "{name}: names");
        let roots = skeleton.bones().iter().filter(|bone| bone.parent.is_none()).count();
        assert_eq!(roots, 1, "{name}: one root");
    }
}
