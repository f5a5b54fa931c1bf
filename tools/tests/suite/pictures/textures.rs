//! Tests `pspge textures`: pictures and the index for lists, frame dumps, models and texture files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use ge_tests::schema_check;
use serde_json::{Value, json};

use crate::support::{empty_folder, portable_text, pspge_in, put_sample};

/// State for through-mode rectangles, textured with 8x4 texels of 4 bits.
const START: &str = "
    FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888
    SCISSOR2 x=63 y=63 | REGION2 x=63 y=63 | BASE hi(corners)
    TEXENABLE 1 | TEXFORMAT CLUT4 | TEXSIZE0 width_log2=3 height_log2=2 | TEXFUNC function=REPLACE use_alpha=1
    TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=32 high=8
    CLUTFORMAT format=ABGR8888 mask=0xff | CLUTADDRUPPER 0x8 | CLUTADDR lo(colors) | LOADCLUT 2
    VTYPE texcoord=BITS16 position=BITS16 through=1
";
const DRAW: &str = "VADDR lo(corners) | PRIM primitive=RECTANGLES count=2\n";
/// Ends the list; data follow.
const END: &str = "
    FINISH | END
.align 16
texels: .fill 64 0x10
.align 16
colors: .rgba #ff0000ff | .rgba #00ff00ff | .space 56
.align 16
others: .rgba #0000ffff | .rgba #ffffffff | .space 56
corners: .s16 0 0 0 0 0 | .s16 8 4 8 4 0
";
/// Selects the pixels at the start of VRAM as the texture.
const TARGET: &str = "TEXFORMAT ABGR8888 | TEXADDR0 0 | TEXBUFWIDTH0 width=64 high=4 | TEXFLUSH\n";
const OTHER: &str = "CLUTADDR lo(others) | LOADCLUT 2\n";

fn list(body: &str) -> String {
    format!("{START}{body}{END}")
}

/// Creates a new folder with a list of four draws: two palettes, the pixels they leave, and the first texture again.
fn folder(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    let again = "TEXFORMAT CLUT4 | TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=32 high=8\n";
    let body = format!("{DRAW}{OTHER}{DRAW}{TARGET}{DRAW}{again}{DRAW}");
    write(&folder, "list.ge", &list(&body));
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("the file can be written");
}

/// Runs a command in a folder, its arguments separated by blanks. It has to succeed.
fn succeeds(folder: &Path, arguments: &str) -> Output {
    let output = pspge_in(folder, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments}: {}", portable_text(&output.stderr));
    output
}

fn index(path: &Path) -> Value {
    let documents = schema_check::checked(&fs::read(path).expect("an index"));
    let [document] = documents.as_slice() else { panic!("one document") };
    document.clone()
}

/// Collects a member from all textures in an index.
fn column(index: &Value, member: &str) -> Vec<Value> {
    index["textures"].as_array().expect("textures").iter().map(|texture| texture[member].clone()).collect()
}

fn pictures(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    entries.map(|name| name.to_string_lossy().into_owned()).filter(|name| name.ends_with(".png")).collect()
}

fn files(index: &Value) -> BTreeSet<String> {
    let all = column(index, "files");
    let names = all.iter().flat_map(|files| files.as_array().expect("files"));
    names.map(|name| name.as_str().expect("a name").to_owned()).collect()
}

#[test]
fn lists_give_each_texture_with_its_draws() {
    let folder = folder("list");
    let output = succeeds(&folder, "textures list.ge -o out --report report.jsonl");
    let index = index(&folder.join("out/list_textures.json"));
    assert_eq!(column(&index, "draws"), [json!([0]), json!([1, 3]), json!([2])], "the draws that use each");
    assert_eq!(column(&index, "rendered"), [false, false, true], "the last one was drawn before");
    assert_eq!(column(&index, "format"), ["CLUT4", "CLUT4", "ABGR8888"], "formats");
    assert_eq!(column(&index, "index"), [Value::Null, Value::Null, Value::Null], "of no file");
    assert_eq!(index["input"], "list.ge", "the name of the input");
    assert_eq!(pictures(&folder.join("out")), files(&index), "the pictures are those of the index");
    let first = &index["textures"][0];
    let start = format!(
        "{}-{}-8x4-CLUT4-",
        first["hash"].as_str().expect("a hash"),
        first["palette_hash"].as_str().expect("a hash")
    );
    let name = first["files"][0].as_str().expect("a name");
    assert!(name.starts_with(&start), "{name} is named by its content");
    let colors: Vec<[u8; 4]> = column(&index, "files")
        .iter()
        .map(|files| folder.join("out").join(files[0].as_str().expect("a name")))
        .map(|path| image::open(path).expect("a picture").into_rgba8().get_pixel(0, 0).0)
        .collect();
    // The target shows the second draw. Its pixels' alpha is the stencil, which draws leave 0.
    assert_eq!(colors, [[255, 0, 0, 255], [0, 0, 255, 255], [0, 0, 255, 0]], "at the time of the draw");
    let printed = portable_text(&output.stdout);
    assert_eq!(printed.lines().count(), 4, "{printed}");
    assert_eq!(printed.lines().last(), Some("out/list_textures.json"), "the index comes last");
    let report = schema_check::checked(&fs::read(folder.join("report.jsonl")).expect("a report"));
    let written: Vec<String> = report[0]["output"].as_array().expect("outputs").iter().map(path).collect();
    assert_eq!(written.join("\n"), printed.trim_end(), "the report names the same files");
}

fn path(value: &Value) -> String {
    value.as_str().expect("a path").replace('\\', "/")
}

#[test]
fn dumps_give_the_same_textures_as_their_lists() {
    let folder = folder("dump");
    succeeds(&folder, "pack list.ge -o list.ppdmp");
    succeeds(&folder, "textures list.ge -o a");
    succeeds(&folder, "textures list.ppdmp -o b");
    assert_eq!(pictures(&folder.join("a")), pictures(&folder.join("b")), "the same names");
    let of = |path: &str| index(&folder.join(path));
    let (list, dump) = (of("a/list_textures.json"), of("b/list_textures.json"));
    for member in ["hash", "palette_hash", "draws", "files", "rendered"] {
        assert_eq!(column(&list, member), column(&dump, member), "{member}");
    }
}

#[test]
fn json_prints_the_index_without_files() {
    let folder = folder("json");
    let output = succeeds(&folder, "textures list.ge --json");
    let printed = schema_check::checked(&output.stdout);
    assert_eq!(printed.len(), 1, "one document");
    assert_eq!(files(&printed[0]), BTreeSet::new(), "no picture is written");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "only the list");
    let output = succeeds(&folder, "textures list.ge --json -o out");
    let printed = schema_check::checked(&output.stdout);
    assert_eq!(printed, [index(&folder.join("out/list_textures.json"))], "the index is also printed");
    let again = succeeds(&folder, "textures list.ge --json -o out");
    assert_eq!(again.stdout, output.stdout, "the same again");
    let without = pspge_in(&folder, "textures list.ge");
    assert_eq!(without.status.code(), Some(2), "else an output is needed");
}

#[test]
fn draws_select_textures() {
    let folder = folder("draws");
    for (draws, expected) in [
        ("1", json!([[1]])),
        ("0,3", json!([[0], [3]])),
        ("2-", json!([[2], [3]])),
        ("-1", json!([[0], [1]])),
    ] {
        let output = succeeds(&folder, &format!("textures list.ge --json --draws {draws}"));
        let found = column(&schema_check::checked(&output.stdout)[0], "draws");
        assert_eq!(Value::from(found), expected, "--draws {draws}");
    }
    let output = pspge_in(&folder, "textures list.ge --json --draws 3-9");
    assert_eq!(output.status.code(), Some(2), "draws 4 to 9 do not exist");
    assert!(
        portable_text(&output.stderr).contains("the run has 4 draws, 0 to 3, but not 4-9"),
        "they are named"
    );
    put_sample(&folder, "lampwing.pac");
    let trace = succeeds(&folder, "trace lampwing.pac --draws --only 108");
    assert!(
        portable_text(&trace.stdout).contains("texture 128x128 CLUT4"),
        "{}",
        portable_text(&trace.stdout)
    );
    let output = succeeds(&folder, "textures lampwing.pac --json --draws 108");
    let found = schema_check::checked(&output.stdout);
    assert_eq!(column(&found[0], "draws"), [json!([108])], "a model's draws have the numbers of trace");
    assert_eq!(column(&found[0], "format"), ["CLUT4"], "the same texture");
}

#[test]
fn levels_are_written_if_wanted() {
    let folder = empty_folder("levels");
    let levels = "TEXMODE max_level=2 | TEXSIZE1 width_log2=2 height_log2=1 | TEXSIZE2 width_log2=1 height_log2=0
        TEXADDR1 lo(texels) | TEXBUFWIDTH1 width=32 high=8 | TEXADDR2 lo(texels) | TEXBUFWIDTH2 width=32 high=8\n";
    write(&folder, "list.ge", &list(&format!("{levels}{DRAW}")));
    let output = succeeds(&folder, "textures list.ge -o one");
    let note = "note: list.ge: 2 smaller levels of textures are not written; --levels writes them\n";
    assert_eq!(portable_text(&output.stderr), note, "they are not left out silently");
    let one = index(&folder.join("one/list_textures.json"));
    assert_eq!((column(&one, "levels"), files(&one).len()), (vec![json!(3)], 1), "three levels, one picture");
    succeeds(&folder, "textures list.ge -o all --levels --strict");
    let all = index(&folder.join("all/list_textures.json"));
    let sizes: Vec<(u32, u32)> = all["textures"][0]["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|name| folder.join("all").join(name.as_str().expect("a name")))
        .map(|path| image::image_dimensions(path).expect("a picture"))
        .collect();
    assert_eq!(sizes, [(8, 4), (4, 2), (2, 1)], "the largest first");
}

#[test]
fn missing_texels_are_noted() {
    let folder = empty_folder("missing");
    let nowhere = "TEXADDR0 0 | TEXBUFWIDTH0 width=32 high=1\n";
    write(&folder, "list.ge", &list(&format!("{DRAW}{nowhere}{DRAW}")));
    let output = pspge_in(&folder, "textures list.ge -o out --strict");
    assert_eq!(output.status.code(), Some(1), "a note on a problem");
    assert!(portable_text(&output.stderr).contains("unmapped"), "{}", portable_text(&output.stderr));
    let index = index(&folder.join("out/list_textures.json"));
    assert_eq!(column(&index, "mapped"), [true, false], "the second texture");
    let code = index["notes"][0]["code"].as_str().expect("a note").to_owned();
    assert_eq!(code, "texture-unmapped", "the index has the note");
    write(&folder, "limited.ge", &list(DRAW));
    let output = pspge_in(&folder, "textures limited.ge -o limited --limits decoded-bytes=64");
    assert_eq!(output.status.code(), Some(3), "no texture is left");
    assert!(portable_text(&output.stderr).contains("decoded-bytes"), "{}", portable_text(&output.stderr));
    assert!(!folder.join("limited").exists(), "nothing is written");
}

#[test]
fn inputs_without_textures_are_told_apart() {
    let folder = folder("nothing");
    write(&folder, "plain.ge", "RET | FINISH | END");
    put_sample(&folder, "lampwing.ahi");
    for name in ["plain.ge", "lampwing.ahi"] {
        let output = pspge_in(&folder, &format!("textures {name} -o out"));
        assert_eq!(output.status.code(), Some(3), "{name}");
        assert!(
            portable_text(&output.stderr).contains("the file holds no textures"),
            "{}",
            portable_text(&output.stderr)
        );
    }
    let output = pspge_in(&folder, "textures plain.ge --json");
    let documents = schema_check::checked(&output.stdout);
    let schemas: Vec<&Value> = documents.iter().map(|document| &document["schema"]).collect();
    assert_eq!(schemas, ["pspge.note/1", "pspge.error/1"], "notes and the error");
    let output = succeeds(&folder, "textures . -o out");
    assert!(
        portable_text(&output.stderr).contains("1 written, 2 with no textures,"),
        "{}",
        portable_text(&output.stderr)
    );
}

#[test]
fn batches_have_a_folder_for_each_input() {
    let folder = folder("batch");
    for name in ["lampwing.pac", "swatches.tm2"] {
        put_sample(&folder, name);
    }
    let all = "list.ge lampwing.pac swatches.tm2";
    let output = succeeds(&folder, &format!("textures {all} -o out --report first.jsonl"));
    assert!(portable_text(&output.stderr).contains("3 written"), "{}", portable_text(&output.stderr));
    for (input, stem) in [("list.ge", "list"), ("lampwing.pac", "lampwing"), ("swatches.tm2", "swatches")] {
        let own = folder.join("out").join(input);
        let index = index(&own.join(format!("{stem}_textures.json")));
        assert_eq!(files(&index), pictures(&own), "{input}");
        assert!(!files(&index).is_empty(), "{input}");
    }
    // An index is written last, so an input without an index is not finished.
    fs::remove_file(folder.join("out/list.ge/list_textures.json")).expect("the index can be removed");
    succeeds(&folder, &format!("textures {all} -o out --skip-existing --report second.jsonl"));
    let report = schema_check::checked(&fs::read(folder.join("second.jsonl")).expect("a report"));
    let states: Vec<&Value> = report.iter().map(|line| &line["status"]).collect();
    assert_eq!(states, ["ok", "skipped", "skipped"], "only the first");
    let output = succeeds(&folder, &format!("textures {all} --json"));
    assert_eq!(schema_check::checked(&output.stdout).len(), 3, "a document each");
}

#[test]
fn textures_of_files_and_their_use() {
    let folder = empty_folder("files");
    for name in ["lampwing.pac", "lampwing.tmh"] {
        put_sample(&folder, name);
    }
    let documents =
        schema_check::checked(&succeeds(&folder, "textures lampwing.pac lampwing.tmh --json").stdout);
    let [model, alone] = documents.as_slice() else { panic!("two documents") };
    assert_eq!(column(model, "hash"), column(alone, "hash"), "the same textures");
    assert_eq!(column(model, "palette_hash"), column(alone, "palette_hash"), "and palettes");
    assert!(column(model, "draws").iter().all(|draws| draws != &json!([])), "the model uses each");
    assert!(column(alone, "draws").iter().all(|draws| draws == &json!([])), "a file has no draws");
    assert!(column(alone, "file_offset").iter().all(Value::is_u64), "places in the file");
}

#[test]
fn options_that_cannot_apply_are_errors_or_notes() {
    let folder = folder("options");
    for name in ["lampwing.pac", "swatches.tm2"] {
        put_sample(&folder, name);
    }
    for (input, option) in [
        ("swatches.tm2", "--draws 0"),
        ("swatches.tm2", "--levels"),
        ("lampwing.pac", "--levels"),
        ("lampwing.pac", "--arithmetic single"),
    ] {
        let output = pspge_in(&folder, &format!("textures {input} -o out {option}"));
        assert_eq!(output.status.code(), Some(2), "{input} {option}");
        assert!(portable_text(&output.stderr).contains("cannot apply"), "{}", portable_text(&output.stderr));
    }
    let output = succeeds(&folder, "textures list.ge lampwing.pac -o out --levels");
    assert!(
        portable_text(&output.stderr).contains("note: lampwing.pac: --levels is ignored"),
        "a note on one of them"
    );
    succeeds(&folder, "textures list.ge -o out --arithmetic single");
    assert_eq!(
        pspge_in(&folder, "textures list.ge --json --skip-existing").status.code(),
        Some(2),
        "no output"
    );
}
