//! Checks PMDL models in the corpus: counts against published counts, and the file to be refused.
//!
//! To run these tests, set `PSPGE_CORPUS` to the folder with `models/pmdl`. Without it they print a message and pass.

use std::path::{Path, PathBuf};

use ge_tests::note_text::texts;
use ge_tests::{corpus, input};
use pspge::formats::{self, FormatError, Opened, Request};
use pspge::model::{Model, Up};

fn folder() -> Option<PathBuf> {
    corpus::folder("models/pmdl")
}

fn open(name: &str, bytes: &[u8]) -> Result<Opened, FormatError> {
    formats::open(&Request::new(name, bytes))
}

/// A row in counts.tsv as (column, value) pairs.
type Row = Vec<(String, String)>;

fn counts(folder: &Path) -> Vec<Row> {
    let text = String::from_utf8(corpus::read(folder, "counts.tsv")).expect("text");
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

/// Counts the bones in each skin, from the fields that list them.
fn skin_bones(model: &Model) -> Vec<usize> {
    let skins = model.fields.iter().filter(|field| field.name.starts_with("bones of skin "));
    skins.map(|field| field.value.split(',').count()).collect()
}

#[test]
fn counts_match_published_ones() {
    let Some(folder) = folder() else { return };
    let mut compared = 0;
    for row in counts(&folder) {
        let name = value(&row, "file").to_owned();
        let bytes = corpus::read(&folder, &name);
        if value(&row, "endian") == "-" {
            continue;
        }
        assert_eq!(open(&name, &bytes).map(|opened| opened.format.name()), Ok("pmdl"), "{name}: format");
        let model = input::model(&Request::new(&name, &bytes));
        let info = &model.info;
        let order = if value(&row, "endian") == "BIG" { "_BIG" } else { "_LIT" };
        let version = format!("{} {} {order}", value(&row, "sub"), value(&row, "fmt"));
        assert_eq!(info.version, Some(version), "{name}: sub-type, draw format and byte order");
        let extra = |count: &str| info.extra(count).unwrap_or_else(|| panic!("{name}: no {count}"));
        for (column, found) in [
            ("size", extra("file_bytes")),
            ("psize", extra("pointer_size")),
            ("collections", extra("collections")),
            ("meshes", info.meshes as u64),
            ("prims", extra("primitives")),
            ("prims", info.draws as u64),
            ("verts", info.vertices as u64),
            ("tris", info.triangles as u64),
            ("uv_layers", extra("uv_layers")),
            ("weights", extra("weights")),
            ("shaders", extra("shaders")),
            ("bones", info.bones as u64),
            ("skins", extra("skins")),
            ("actions", extra("actions")),
            ("actions", model.animations.len() as u64),
            ("curves", extra("curves")),
            ("curves", model.animations.iter().map(|action| action.channels as u64).sum()),
            ("keys", extra("keys")),
            ("keys", model.animations.iter().map(|action| action.keys as u64).sum()),
        ] {
            assert_eq!(found.to_string(), value(&row, column), "{name}: {column}");
        }
        let skin_bones = skin_bones(&model);
        assert_eq!(format!("{skin_bones:?}"), value(&row, "skin_bones"), "{name}: bones of skins");
        assert_eq!(
            extra("skin_bones"),
            skin_bones.iter().sum::<usize>() as u64,
            "{name}: total bones of skins"
        );
        assert_eq!(model.parts.len(), info.groups, "{name}: one part per group");
        assert_eq!(texts(&model.notes), Vec::<String>::new(), "{name}: no notes");
        assert_eq!(model.up, Up::Z, "{name}: Blender's axes");
        compared += 1;
    }
    assert_eq!(compared, 6, "rows");
}

/// The exporter counted the wrong mesh's positions, so the second mesh's indices are shifted, and many exceed the
/// array.
#[test]
fn shifted_indices_are_refused() {
    let Some(folder) = folder() else { return };
    let name = "bad_par0_gx_be32_exporter_index_bug.pmdl";
    let error = open(name, &corpus::read(&folder, name)).expect_err("an index is out of range");
    let message = "mesh 1 uses vertices that do not exist in 26 of 92 corners: its indices are shifted";
    assert!(error.to_string().contains(message), "{name}: {error}");
}
