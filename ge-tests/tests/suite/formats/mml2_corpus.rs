//! Checks archives of Mega Man Legends 2 in the corpus: counts against published counts, sections that must cover
//! every byte, and decoded geometry against an independent decoder.
//!
//! To run these tests, set `PSPGE_CORPUS` to the folder with `models/mml2`. Without it they print a message and pass.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use ge_tests::corpus::{self, read};
use ge_tests::input::{model, open};
use ge_tests::mml2_oracle::{self, OracleMesh};
use pspge::formats::{Content, File, FileError, FileProvider, FileRole, ProvidedFile, Request, Selection};
use pspge::model::Model;
use pspge::run::decode::DecodedDraw;
use pspge::scene::render::geometry;

const FILES: [&str; 9] = [
    "DEMO.BIN",
    "PL00P000.BIN",
    "ST0305.BIN",
    "cut-ST1701.BIN",
    "flutter-ST05T.BIN",
    "wpn_PL00R02.BIN",
    "PL00P005.BIN",
    "PL00T.BIN",
    "wpn_PL00R0F.BIN",
];
/// Files without published counts.
const UNCOUNTED: [&str; 3] = ["PL00P005.BIN", "PL00T.BIN", "wpn_PL00R0F.BIN"];

/// Returns the folder with these files, if the corpus is available.
fn folder() -> Option<PathBuf> {
    corpus::folder("models/mml2")
}

fn everything(level_of_detail: usize) -> Selection {
    Selection { level_of_detail, group: 0, hidden: true }
}

#[test]
fn counts_match_published_ones() {
    let Some(folder) = folder() else { return };
    let text = fs::read_to_string(folder.join("counts.tsv")).expect("counts");
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().expect("columns").split('\t').collect();
    let mut files = 0;
    for line in lines {
        let row: BTreeMap<&str, &str> = columns.iter().copied().zip(line.split('\t')).collect();
        let name = row["file"];
        let bytes = read(&folder, name);
        let opened = open(&Request::new(name, &bytes));
        assert_eq!(opened.format.name(), "mml2", "{name}: recognised");
        let counts: BTreeMap<&str, u64> =
            opened.counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        for column in columns.iter().filter(|column| !["file", "types"].contains(column)) {
            assert_eq!(counts[column].to_string(), row[column], "{name}: {column}");
        }
        let mut types: Vec<(u32, u64)> = Vec::new();
        for (name, count) in &counts {
            if let Some(number) = name.strip_prefix("type_") {
                types.push((number.parse().expect("a number"), *count));
            }
        }
        types.sort_unstable();
        let types: Vec<String> = types.iter().map(|(number, count)| format!("{number}:{count}")).collect();
        assert_eq!(types.join(","), row["types"], "{name}: types");
        files += 1;
    }
    assert_eq!(files, FILES.len() - UNCOUNTED.len(), "all files with counts");
}

/// Compares the files without published counts with an independent decoder: a player, a weapon, and the images for
/// both.
#[test]
fn counts_of_other_files() {
    let Some(folder) = folder() else { return };
    let count = |name: &str, wanted: &str| {
        let bytes = read(&folder, name);
        let counts = open(&Request::new(name, &bytes)).counts;
        counts.into_iter().find(|(found, _)| found == wanted).map_or(0, |(_, count)| count)
    };
    for (column, expected) in [
        ("pbd_strips", 20),
        ("pbd_vertices", 399),
        ("pbd_tris", 134),
        ("pbd_quads", 270),
        ("pbd_keysets", 77),
        ("pbd_clips", 82),
    ] {
        assert_eq!(count("PL00P000.BIN", column), expected, "PL00P000.BIN: {column}");
    }
    for name in ["PL00P005.BIN", "wpn_PL00R0F.BIN"] {
        let bytes = read(&folder, name);
        let arm = [[0.0; 3], [-20.0, 168.0, 0.0], [0.0, 147.0, 0.0]];
        let meshes = match name {
            "PL00P005.BIN" => mml2_oracle::player(&bytes, None),
            _ => mml2_oracle::weapon(&bytes, arm),
        };
        let model = model(&Request { selection: everything(0), ..Request::new(name, &bytes) });
        compare(name, geometry(&model).draws(), &model, &meshes);
        let triangles: usize = meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        assert_eq!(count(name, "pbd_tris") + 2 * count(name, "pbd_quads"), triangles as u64, "{name}");
    }
    let bytes = read(&folder, "PL00T.BIN");
    for (column, kind) in [("type_2", 2), ("type_3", 3)] {
        let sections =
            mml2_oracle::sections(&bytes).iter().filter(|section| section.kind == kind).count() as u64;
        assert_eq!(count("PL00T.BIN", column), sections, "PL00T.BIN: {column}");
    }
}

/// A folder in the corpus.
#[derive(Debug)]
struct Folder(PathBuf);

impl FileProvider for Folder {
    fn folder(&self) -> String {
        self.0.display().to_string()
    }

    fn names(&self) -> Vec<String> {
        FILES.iter().map(|name| (*name).to_owned()).collect()
    }

    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
        Ok(Some(ProvidedFile { name: name.to_owned(), bytes: read(&self.0, name) }))
    }
}

/// Players and weapons must find their textures, whatever the case of their names, and so must members.
#[test]
fn textures_are_found_by_name() {
    let Some(folder) = folder() else { return };
    let files = Folder(folder.clone());
    for (name, as_named, member, textures) in [
        ("PL00P000.BIN", "PL00P000.BIN", None, 3),
        ("PL00P005.BIN", "pl00p005.bin", Some("player"), 3),
        ("wpn_PL00R02.BIN", "wpn_PL00R02.BIN", None, 3),
        ("wpn_PL00R0F.BIN", "wpn_PL00R0F.BIN", Some("weapon"), 3),
        ("cut-ST1701.BIN", "cut-ST1701.BIN", Some("entity:1"), 1),
    ] {
        let bytes = read(&folder, name);
        let alone = model(&Request { member, ..Request::new(as_named, &bytes) });
        let with = open(&Request { member, files: &files, ..Request::new(as_named, &bytes) });
        let roles: Vec<FileRole> = with.companions.iter().map(|companion| companion.role).collect();
        let Content::Model(with) = with.content else { panic!("{name}: a model") };
        assert!(with.textures.len() >= textures, "{name}: {:?}", with.notes);
        if name.contains("PL00") {
            assert_eq!(roles, [FileRole::Textures], "{name}: found");
            let missing: Vec<_> = alone.notes.iter().filter_map(|note| note.missing_file.clone()).collect();
            assert!(!missing.is_empty(), "{name}: without textures");
            for missing in missing {
                assert_eq!(missing.role, "textures", "{name}");
                let file = missing.name.expect("the name is known");
                assert!(file.eq_ignore_ascii_case("PL00T.BIN"), "{name}: {file}");
            }
            // Material 3 uses a weapon's palette, which is in the weapon's archive.
            let rest = with.notes.iter().filter(|note| note.kind.is_about_textures());
            let others: Vec<_> = rest.filter(|note| !note.message.contains("palette 0x3c0c")).collect();
            assert!(others.is_empty(), "{name}: {others:?}");
        }
    }
}

/// The counts for all entities must add up to the file's.
#[test]
fn entity_counts_add_up_to_file_counts() {
    let Some(folder) = folder() else { return };
    for name in ["DEMO.BIN", "ST0305.BIN", "cut-ST1701.BIN"] {
        let bytes = read(&folder, name);
        let opened = open(&Request::new(name, &bytes));
        let count =
            |wanted: &str| opened.counts.iter().find(|(name, _)| name == wanted).map(|(_, count)| *count);
        let entities = count("entities").expect("counted");
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        for index in 0..entities {
            let member = index.to_string();
            let request = Request { member: Some(&member), ..Request::new(name, &bytes) };
            let model = model(&Request { selection: everything(0), ..request });
            let submeshes = model.info.extra("submeshes_lod0").expect("counted");
            assert_eq!(model.info.meshes as u64, submeshes, "{name} {index}: all submeshes are drawn");
            assert_eq!(
                model.info.triangles as u64,
                model.info.extra("tri_total_lod0").expect("counted"),
                "{name}"
            );
            let hidden = model.info.extra("hidden_submeshes").expect("counted");
            let shown = ge_tests::input::model(&request).info.meshes as u64;
            assert_eq!(shown, submeshes - hidden, "{name} {index}: hidden submeshes are omitted");
            let clips = model
                .animations
                .iter()
                .filter(|animation| animation.name.as_deref().is_some_and(|name| name.starts_with("clip:")));
            assert_eq!(
                clips.count() as u64,
                model.info.extra("clips").expect("counted"),
                "{name} {index}: clips"
            );
            for (name, count) in &model.info.extra {
                *sums.entry(name).or_default() += count;
            }
        }
        for (column, sum) in sums {
            assert_eq!(Some(sum), count(column), "{name}: {column}");
        }
    }
}

#[test]
fn sections_cover_every_byte() {
    let Some(folder) = folder() else { return };
    for name in FILES {
        let bytes = read(&folder, name);
        let opened = open(&Request::new(name, &bytes));
        let pieces = opened.members.iter().filter(|member| {
            member
                .name
                .as_deref()
                .is_some_and(|name| name.starts_with("section:") || name.starts_with("terminator:"))
        });
        let mut at = 0;
        let oracle = mml2_oracle::sections(&bytes);
        let mut expected = oracle.iter();
        for piece in pieces {
            let section = expected.next().expect("a section of the oracle");
            assert_eq!(
                (piece.offset, piece.length),
                (section.offset as u64, section.length as u64),
                "{name}: {at:#x}"
            );
            assert_eq!(piece.offset, at, "{name}: no gap");
            at += piece.length;
            let kind = piece.kind.as_deref().expect("every section has a description");
            let padding = &bytes[section.offset + 0x30..section.offset + section.length];
            if section.kind == 0 {
                assert!(padding.iter().all(|byte| *byte == 0), "{name}: {kind} is zero");
                continue;
            }
            assert!(kind.starts_with(&format!("type {},", section.kind)), "{name}: {kind}");
            // Stored payloads are padded with zeros; packed data and sounds are not.
            if [1, 2, 8, 10].contains(&section.kind) {
                assert!(padding[section.size..].iter().all(|byte| *byte == 0), "{name}: {kind} is padded");
            }
            // Every section has to open alone and report its size.
            let member = piece.name.as_deref();
            let alone = open(&Request { member, ..Request::new(name, &bytes) });
            match alone.content {
                Content::Archive { .. } => {
                    let payload =
                        alone.counts.iter().find(|(name, _)| name == "payload").map(|(_, size)| *size);
                    assert_eq!(payload, Some(section.size as u64), "{name} {member:?}: payload");
                }
                Content::Textures(set) => assert_eq!(set.textures.len(), 1, "{name} {member:?}: one image"),
                Content::Model(_) => assert!([1, 10].contains(&section.kind), "{name} {member:?}: a model"),
                other => panic!("{name} {member:?}: {other:?}"),
            }
        }
        assert_eq!((at, expected.next()), (bytes.len() as u64, None), "{name}: to the end");
    }
}

/// Image sections must unpack to the size in the section before them, and their textures must decode.
#[test]
fn every_image_has_its_palettes() {
    let Some(folder) = folder() else { return };
    for (name, palettes) in [
        ("flutter-ST05T.BIN", vec![9, 8, 9, 8, 12, 7, 1, 7, 4, 4, 4, 12]),
        ("ST0305.BIN", vec![8, 8, 1, 32, 4, 4, 4, 4, 16, 4]),
        ("cut-ST1701.BIN", vec![4, 24, 4, 12, 4, 4]),
    ] {
        let bytes = read(&folder, name);
        let opened = open(&Request { all_textures: true, ..Request::new(name, &bytes) });
        let Content::Textures(set) = opened.content else { panic!("{name}: textures") };
        let found: Vec<u32> =
            set.textures.iter().map(|texture| texture.palette.map_or(0, |palette| palette.count())).collect();
        assert_eq!(found, palettes, "{name}: palettes of each image");
        for texture in &set.textures {
            let picture = texture.decode(&set.memory, 0);
            assert_eq!(picture.dimensions(), (texture.width.into(), texture.height.into()), "{name}: size");
            assert!(picture.pixels().any(|pixel| pixel.0[3] != 0), "{name}: not fully transparent");
        }
    }
}

/// A player's pictures are in another archive: its textures must be exactly those it draws with.
#[test]
fn players_use_the_pictures_of_their_companion() {
    let Some(folder) = folder() else { return };
    let (bytes, pictures) = (read(&folder, "PL00P000.BIN"), read(&folder, "PL00T.BIN"));
    let textures = Some(File { name: "PL00T.BIN", bytes: &pictures });
    let opened = open(&Request { all_textures: true, textures, ..Request::new("PL00P000.BIN", &bytes) });
    let Content::Model(model) = opened.content else { panic!("a model with its textures") };
    assert!(!model.textures.is_empty(), "textures of the player");
}

/// Compares draws with the oracle, within a few units in the last place because matrices have 16 bits.
fn compare(what: &str, draws: &[DecodedDraw], model: &Model, oracle: &[OracleMesh]) {
    let mut found: BTreeMap<usize, Vec<(&DecodedDraw, [u32; 3])>> = BTreeMap::new();
    for draw in draws {
        let part = model.part_at(draw.at).expect("every draw belongs to a part");
        found.entry(part.mesh).or_default().extend(draw.triangles.iter().map(|triangle| (draw, *triangle)));
    }
    let largest = oracle
        .iter()
        .flat_map(|mesh| mesh.triangles.as_flattened())
        .flat_map(|corner| corner.position)
        .fold(0.0, |largest: f64, part| largest.max(part.abs()));
    for (number, mesh) in oracle.iter().enumerate() {
        let triangles = found.remove(&number).unwrap_or_default();
        assert_eq!(triangles.len(), mesh.triangles.len(), "{what}: triangles of submesh {number}");
        for ((draw, triangle), expected) in triangles.iter().zip(&mesh.triangles) {
            for (index, corner) in triangle.iter().zip(expected) {
                let vertex = &draw.vertices[*index as usize];
                for (part, expected) in vertex.position.iter().zip(corner.position) {
                    let off = (f64::from(*part) - expected).abs();
                    assert!(off <= largest / 8192.0, "{what}: submesh {number}: {part} for {expected}");
                }
                let uv = corner.uv.map(|part| (f32::from(part) + 0.5) / 256.0);
                assert_eq!(vertex.texcoord, uv, "{what}: submesh {number}: texture coordinates");
                let [red, green, blue] = corner.color;
                assert_eq!(vertex.color, [red, green, blue, 255], "{what}: submesh {number}: colour");
            }
        }
    }
    assert!(found.is_empty(), "{what}: no other submeshes");
}

#[test]
fn vertices_match_oracle() {
    let Some(folder) = folder() else { return };
    for (name, entities) in [("DEMO.BIN", 4), ("ST0305.BIN", 8), ("cut-ST1701.BIN", 8)] {
        let bytes = read(&folder, name);
        for index in 0..entities {
            for level in 0..3 {
                let member = index.to_string();
                let request = Request { member: Some(&member), ..Request::new(name, &bytes) };
                let model = model(&Request { selection: everything(level), ..request });
                let oracle = mml2_oracle::entity(mml2_oracle::entities(&bytes), index, level, None);
                let what = format!("{name} entity {index} level {level}");
                compare(&what, geometry(&model).draws(), &model, &oracle);
            }
        }
    }
}

#[test]
fn poses_match_oracle() {
    let Some(folder) = folder() else { return };
    // In these clips, the frames are the poses in their key set, in order.
    for (name, index, clip, set, poses) in [
        ("ST0305.BIN", 0, "clip:1", 0, 40),
        ("ST0305.BIN", 1, "clip:8", 6, 30),
        ("cut-ST1701.BIN", 5, "clip:1", 0, 34),
        ("cut-ST1701.BIN", 0, "clip:3", 3, 60),
    ] {
        let bytes = read(&folder, name);
        let member = usize::to_string(&index);
        let request = Request { member: Some(&member), ..Request::new(name, &bytes) };
        let mut model = model(&Request { selection: everything(0), ..request });
        let is_clip = |animation: &pspge::model::Animation| animation.name.as_deref() == Some(clip);
        let number = model.animations.iter().position(is_clip).expect("the clip");
        assert_eq!(model.animations[number].frames, poses, "{name} {clip}: frames");
        for frame in [0, poses / 2, poses - 1] {
            model.animate(number, f64::from(frame));
            let pose = Some((set, frame as usize));
            let oracle = mml2_oracle::entity(mml2_oracle::entities(&bytes), index, 0, pose);
            compare(&format!("{name} {clip} frame {frame}"), geometry(&model).draws(), &model, &oracle);
        }
    }
}

#[test]
fn players_and_weapons_match_oracle() {
    let Some(folder) = folder() else { return };
    let bytes = read(&folder, "PL00P000.BIN");
    let request = Request::new("PL00P000.BIN", &bytes);
    let mut player = model(&Request { selection: everything(0), ..request });
    compare("player", geometry(&player).draws(), &player, &mml2_oracle::player(&bytes, None));
    // The second clip plays the second key set.
    let walk = player.animations.iter().position(|animation| animation.name.as_deref() == Some("clip:1"));
    player.animate(walk.expect("clip 1"), 5.0);
    let pose = Some(0x37F4 + 5 * 64);
    compare("player walking", geometry(&player).draws(), &player, &mml2_oracle::player(&bytes, pose));

    // The left arm is either the hand or the buster.
    let hand = model(&request);
    let buster = model(&Request { selection: Selection { group: 1, ..Selection::default() }, ..request });
    let meshes = |model: &Model| {
        let mut meshes: Vec<usize> = model.parts.iter().map(|part| part.mesh).collect();
        meshes.dedup();
        meshes
    };
    assert_eq!(meshes(&hand), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 17, 18, 19], "hand");
    assert_eq!(meshes(&buster), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 19], "buster");

    let other = read(&folder, "wpn_PL00R02.BIN");
    let weapon = model(&Request::new("wpn_PL00R02.BIN", &other));
    let alone = [[0.0; 3], [-20.0, 168.0, 0.0], [0.0, 147.0, 0.0]];
    compare("weapon", geometry(&weapon).draws(), &weapon, &mml2_oracle::weapon(&other, alone));

    // Opened together in either order, the weapon must replace the right arm.
    let carried = [[-168.0, -870.0 - 179.0, 12.0], alone[1], alone[2]];
    let mut expected = mml2_oracle::player(&bytes, None);
    expected.truncate(17);
    expected.extend(mml2_oracle::weapon(&other, carried));
    for (first, second) in [(&bytes, &other), (&other, &bytes)] {
        let mesh_data = Some(File { name: "second", bytes: second });
        let request = Request { mesh_data, selection: everything(0), ..Request::new("first", first) };
        let both = model(&request);
        compare("both", geometry(&both).draws(), &both, &expected);
        let clips = both.animations.len();
        assert_eq!(clips, player.animations.len() + weapon.animations.len(), "clips of both");
    }
}
