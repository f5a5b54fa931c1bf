//! Tests `pspge table`: its Parquet files hold the same data as the JSON documents, for any number of threads and
//! any input.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use ge_tests::table_rows::{self, Row};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use crate::support::{copy_sample, empty_folder, list_folder, pspge_in, samples, text};

/// A list with a clear, textured rectangles, a stencil with a logic operation, indexed triangles, a patch and a
/// point.
const LIST: &str = "
    FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x10000 | ZBUFWIDTH width=64
    SCISSOR2 x=63 y=31 | REGION2 x=63 y=31 | MAXZ 65535 | BASE hi(corners) | MATERIALALPHA 255
    VTYPE texcoord=BITS16 position=BITS16 through=1
    CLEARMODE enabled=1 color=1 | VADDR lo(corners) | PRIM primitive=RECTANGLES count=2 | CLEARMODE enabled=0 color=0
    TEXENABLE 1 | TEXFORMAT CLUT4 | TEXSIZE0 width_log2=3 height_log2=2 | TEXFUNC function=REPLACE use_alpha=1
    TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=32 high=8
    CLUTFORMAT format=ABGR8888 mask=0xff | CLUTADDRUPPER 0x8 | CLUTADDR lo(colors) | LOADCLUT 2
    VADDR lo(corners) | PRIM primitive=RECTANGLES count=2 | TEXENABLE 0 | TEXENABLE 0
    STENCILTESTENABLE 1 | STENCILOP stencil_fail=KEEP depth_fail=KEEP pass=7 | LOGICOPENABLE 1 | LOGICOP XOR
    BLENDENABLE 1 | FOGCOLOR #102030 | FOG1 nan(0x7FC000)
    VTYPE color=ABGR8888 position=BITS16 index=BITS8 through=1 | VADDR lo(triangle) | IADDR lo(order)
    PRIM primitive=TRIANGLES count=3
    VTYPE position=FLOAT normal=FLOAT weight=BITS8 | PATCHDIVISION u=2 v=2 | VADDR lo(net) | BEZIER u_count=4 v_count=4
    VSCX 4096 | VSCY 2048 | VSCZ 9 | VCV #ff8000 | VAP alpha=255 primitive=POINTS
    RET | FINISH | END
.align 16
texels: .fill 64 0x10
.align 16
colors: .rgba #ff0000ff | .rgba #00ff00ff | .space 56
corners: .s16 0 0 10 10 0 | .s16 8 4 60 40 0
.align 4
net: .space 512
triangle: .rgba #ff0000ff | .s16 0 0 0 0 | .rgba #00ff00ff | .s16 99 0 0 0 | .rgba #0000ffff | .s16 0 99 0 0
order: .u8 2 1 0
";

fn folder(name: &str) -> PathBuf {
    let folder = list_folder(name, LIST);
    copy_sample("anemone.pmdl", &folder.join("anemone.pmdl"));
    folder
}

/// Runs a command in a folder, to check its exit status. Returns its standard output and standard error.
fn run(folder: &Path, arguments: &str, status: i32) -> [String; 2] {
    let output = pspge_in(folder, arguments);
    let messages = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments}: {messages}");
    [text(&output.stdout), messages]
}

fn rows(path: &Path) -> Vec<Row> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.build());
    let batches: Vec<_> = reader.expect("a Parquet file").map(|batch| batch.expect("rows")).collect();
    table_rows::rows(&batches)
}

fn documents(folder: &Path, arguments: &str) -> Vec<Value> {
    let [printed, _] = run(folder, arguments, 0);
    serde_json::Deserializer::from_str(&printed).into_iter().map(|value| value.expect("JSON")).collect()
}

fn of_kind<'a>(documents: &'a [Value], kind: &str) -> Vec<&'a Value> {
    documents.iter().filter(|document| document["schema"] == format!("pspge.{kind}/1")).collect()
}

/// Finds the member in a draw's document that a column is named after; `None` if the column has no such member.
fn member(document: &Value, column: &str) -> Option<Value> {
    fn find<'a>(value: &'a Value, column: &str) -> Option<&'a Value> {
        let members = value.as_object()?;
        if let Some(found) = members.get(column) {
            return Some(found);
        }
        members
            .iter()
            .find_map(|(name, inner)| find(inner, column.strip_prefix(name.as_str())?.strip_prefix('_')?))
    }
    let level = &document["state"]["texture"]["levels"][0];
    let found = match column {
        "draw" | "address" | "file_offset" | "kind" | "primitive" | "continues" | "count" | "pixels" => {
            document.get(column)
        }
        "texture_address" => level.get("address"),
        "texture_buffer_width" | "texture_row_bytes" | "texture_width" | "texture_height" => {
            level.get(column.strip_prefix("texture_")?)
        }
        "texture_filter_minification" | "texture_function_use_alpha" | "texture_function_double" => {
            find(&document["state"], column)
        }
        "texture_function" => document["state"]["texture"]["function"].get("function"),
        _ => find(document, column).or_else(|| find(&document["state"], column)),
    };
    let found = found?.clone();
    // In documents matrices are lists of rows; here they are a single list.
    let is_nested = found.as_array().is_some_and(|rows| rows.iter().all(Value::is_array));
    let flat = |rows: Value| {
        rows.as_array().into_iter().flatten().filter_map(Value::as_array).flatten().cloned().collect()
    };
    Some(if is_nested && !column.ends_with("levels") { flat(found) } else { found })
}

/// Whether a draw does not use a column's state, which is then null.
fn is_unused(document: &Value, column: &str) -> bool {
    let state = &document["state"];
    match column {
        "matrices_world" | "matrices_view" | "matrices_projection" => state["vertex"]["through"] == true,
        "morph_weights" => state["vertex"]["morph_frames"] == 1,
        "dither_matrix" => state["dither"]["enabled"] == false,
        _ => {
            ["patch_u_", "patch_v_"]
                .iter()
                .any(|name| column.starts_with(name) && !column.ends_with("divisions"))
                && document["patch"].is_null()
        }
    }
}

/// Draw columns without a member in the document.
const DERIVED: &[&str] = &[
    "frame",
    "file_hash",
    "member",
    "vertices",
    "triangles",
    "pairs",
    "points",
    "drawn_primitives",
    "drawn_triangles",
    "texture_levels",
    "texture_addresses",
    "texture_clamp_s",
    "texture_clamp_t",
    "lighting_lights",
];

#[test]
fn rows_are_those_of_the_documents() {
    let folder = folder("documents");
    run(&folder, "table list.ge -o tables -q", 0);
    let table = |name: &str| rows(&folder.join(format!("tables/{name}.parquet")));
    let trace = documents(&folder, "trace list.ge --registers --json");
    let (draws, documents_of_draws) = (table("draws"), of_kind(&trace, "draw"));
    assert_eq!((draws.len(), documents_of_draws.len()), (5, 5), "draws");
    let mut compared = 0;
    for (row, document) in draws.iter().zip(documents_of_draws) {
        for (column, value) in row.iter().filter(|(column, _)| !DERIVED.contains(&column.as_str())) {
            let found = member(document, column);
            // Parts of null objects are null.
            let is_part_of_null = column.starts_with("vertex_data") && document["vertex_data"].is_null();
            let is_unused = is_unused(document, column) || is_part_of_null;
            assert!(found.is_some() || is_unused, "{column} is a member of the document");
            let expected = found.filter(|_| !is_unused).unwrap_or_default();
            assert_eq!(*value, expected, "draw {}: {column}", row["draw"]);
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared} values");
    let trace = documents(&folder, "trace list.ge --json");
    let (commands, documents_of_commands) = (table("commands"), of_kind(&trace, "command"));
    assert_eq!(commands.len(), documents_of_commands.len(), "commands");
    for (row, document) in commands.iter().zip(documents_of_commands) {
        for column in
            ["command", "draw", "address", "file_offset", "word", "name", "argument", "target", "depth"]
        {
            assert_eq!(row[column], document[column], "command {}: {column}", row["command"]);
        }
    }
    let unchanged =
        commands.iter().filter(|row| row["name"] == "TEXENABLE" && row["argument"] == row["previous"]);
    assert_eq!(unchanged.count(), 1, "the second of two equal commands");
}

#[test]
fn vertices_and_textures_are_those_of_the_documents() {
    let folder = folder("geometry");
    run(&folder, "table list.ge -o tables -q", 0);
    let table = |name: &str| rows(&folder.join(format!("tables/{name}.parquet")));
    let (vertices, decoded) = (table("vertices"), documents(&folder, "decode list.ge --json"));
    let mut all = vertices.iter();
    for draw in decoded[0]["draws"].as_array().expect("draws") {
        for (number, position) in (0..).zip(draw["positions"].as_array().expect("positions")) {
            let row = all.next().expect("a row for each vertex");
            let at = |list: &str| draw[list].get(number).cloned().unwrap_or_default();
            assert_eq!((&row["draw"], &row["vertex"]), (&draw["draw"], &number.into()), "its place");
            assert_eq!([&row["x"], &row["y"], &row["z"]], [0, 1, 2].map(|axis| &position[axis]), "position");
            assert_eq!(row["index"], at("vertex_indices"), "index");
            let part = |list: &str, axis: usize| at(list).get(axis).cloned().unwrap_or_default();
            assert_eq!([&row["u"], &row["v"]], [&part("uvs", 0), &part("uvs", 1)], "texture coordinates");
            assert_eq!(row["normal_x"], part("normals", 0), "normal");
            assert_eq!([&row["red"], &row["alpha"]], [&part("colors", 0), &part("colors", 3)], "colour");
            assert_eq!(row["weights"], at("weights"), "weights");
        }
    }
    assert_eq!(all.next(), None, "no other rows");
    let (textures, index) = (table("textures"), documents(&folder, "textures list.ge --json"));
    let expected = index[0]["textures"].as_array().expect("textures");
    assert_eq!((textures.len(), expected.len()), (1, 1), "textures");
    for column in
        ["hash", "palette_hash", "width", "height", "format", "swizzled", "levels", "addresses", "draws"]
    {
        assert_eq!(textures[0][column], expected[0][column], "{column}");
    }
    assert_eq!(textures[0]["draw_count"], 1, "one draw");
}

#[test]
fn figures_are_those_of_info() {
    let folder = list_folder("figures", LIST);
    let samples = samples().display().to_string();
    run(&folder, &format!("table list.ge {samples} -o tables -q --tables frames,draws"), 0);
    let mut expected = documents(&folder, "info list.ge --json");
    let [printed, _] = run(&folder, &format!("info {samples} --json"), 0);
    expected
        .extend(serde_json::Deserializer::from_str(&printed).into_iter().map(|value| value.expect("JSON")));
    let frames = rows(&folder.join("tables/frames.parquet"));
    assert_eq!(frames.len(), expected.len(), "an input each");
    for (row, document) in frames.iter().zip(&expected) {
        assert_eq!(row["input"], document["input"], "the order of the inputs");
        if document["schema"] == "pspge.error/1" {
            assert_eq!(row["error_code"], document["error"]["code"], "the error of {}", row["input"]);
            assert_eq!(row["status"], "nothing", "a folder's file of no known format: {}", row["input"]);
            continue;
        }
        for column in [
            "format",
            "version",
            "game",
            "content",
            "file_bytes",
            "file_hash",
            "meshes",
            "groups",
            "draws",
            "vertices",
            "triangles",
            "materials",
            "textures",
            "bones",
            "animations",
            "commands",
            "payload_bytes",
        ] {
            assert_eq!(row[column], document[column], "{column} of {}", row["input"]);
        }
        assert_eq!(row["bounds_min"], document["bounds"]["min"], "bounds of {}", row["input"]);
        assert_eq!(row["stored_bones"], document["stored"]["bones"], "stored bones of {}", row["input"]);
    }
    let drawn = frames.iter().filter(|row| row["status"] == "ok").count();
    assert!(drawn > 8, "{drawn} samples are drawn");
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let folder = folder("threads");
    for name in ["rover.rlb", "lampwing.pac", "robot.bin", "reedling.arc"] {
        copy_sample(name, &folder.join("inputs").join(name));
    }
    fs::write(folder.join("inputs/damaged.pmo"), b"pmo\0damaged").expect("the file can be written");
    for threads in [1, 2, 7] {
        let arguments =
            format!("table list.ge inputs anemone.pmdl -o tables-{threads} --threads {threads} --pixels -q");
        run(&folder, &arguments, 1);
    }
    for name in ["frames", "draws", "commands", "textures", "vertices", "pixels"] {
        let bytes = |threads: u32| {
            fs::read(folder.join(format!("tables-{threads}/{name}.parquet"))).expect("a table")
        };
        assert!(bytes(1) == bytes(2), "{name}: two threads");
        assert!(bytes(1) == bytes(7), "{name}: seven threads");
    }
    let frames = rows(&folder.join("tables-1/frames.parquet"));
    let numbers: Vec<_> = frames.iter().map(|row| row["frame"].clone()).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6], "in the order of the inputs");
    let draws = rows(&folder.join("tables-1/draws.parquet"));
    for row in &frames {
        let count = draws.iter().filter(|draw| draw["frame"] == row["frame"]).count();
        assert_eq!(row["run_draws"].as_u64().unwrap_or(0), count as u64, "draws of {}", row["input"]);
    }
}

#[test]
fn failed_inputs_are_rows() {
    let folder = folder("failed");
    fs::write(folder.join("damaged.tm2"), b"TIM2").expect("the file can be written");
    let [_, messages] = run(&folder, "table damaged.tm2 list.ge missing.ppdmp -o tables", 1);
    assert!(messages.contains("1 in tables, 2 failed"), "{messages}");
    let frames = rows(&folder.join("tables/frames.parquet"));
    let column = |name: &str| frames.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("status"), ["failed", "ok", "failed"], "results");
    assert_eq!(frames[0]["error_code"], "truncated", "the error");
    assert_eq!(frames[0]["file_bytes"], 4, "the file can be read");
    assert!(frames[0]["file_hash"].is_string(), "and has a hash");
    assert_eq!(
        (&frames[2]["error_code"], &frames[2]["file_hash"]),
        (&"not-found".into(), &Value::Null),
        "missing"
    );
    let draws = rows(&folder.join("tables/draws.parquet"));
    assert!(draws.iter().all(|draw| draw["frame"] == 1), "the others have no rows");
    // The only input fails with its own exit status, but is still a row.
    run(&folder, "table damaged.tm2 -o single", 3);
    assert_eq!(rows(&folder.join("single/frames.parquet"))[0]["status"], "failed", "its row");
    assert!(rows(&folder.join("single/draws.parquet")).is_empty(), "an empty table");
    run(&folder, "table damaged.tm2 list.ge -o tables --strict -q", 1);
}

#[test]
fn members_have_their_names() {
    let folder = empty_folder("members");
    copy_sample("lampwing.pac", &folder.join("lampwing.pac"));
    copy_sample("reedling.arc", &folder.join("reedling.arc"));
    run(&folder, "table lampwing.pac#* reedling.arc lampwing.pac#0 -o tables -q --tables frames,draws", 0);
    let frames = rows(&folder.join("tables/frames.parquet"));
    let members: Vec<_> = frames.iter().map(|row| row["member"].clone()).collect();
    assert_eq!(members, [Value::from("0"), Value::Null, Value::from("0")], "members");
    assert_eq!(frames[0]["file_hash"], frames[2]["file_hash"], "the hash of the file");
    assert_ne!(frames[0]["file_hash"], frames[1]["file_hash"], "another file");
    let draws = rows(&folder.join("tables/draws.parquet"));
    let of = |frame: u64| draws.iter().filter(|draw| draw["frame"] == frame).count();
    assert!(of(0) > 0 && of(0) == of(2), "the same input twice has rows twice");
}

#[test]
fn only_wanted_tables_are_written() {
    let folder = folder("wanted");
    let written = |name: &str| {
        let entries = fs::read_dir(folder.join(name)).expect("a folder");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect();
        names.sort();
        names.join(" ").replace(".parquet", "")
    };
    run(&folder, "table list.ge -o default -q", 0);
    assert_eq!(written("default"), "commands draws frames textures vertices", "without pixels");
    run(&folder, "table list.ge -o pixels -q --pixels --tables frames", 0);
    assert_eq!(written("pixels"), "frames pixels", "the named one and pixels");
    let [_, messages] = run(&folder, "table list.ge -o default --tables draws", 0);
    assert!(messages.contains("vertices.parquet: is of an earlier run"), "{messages}");
    assert_eq!(rows(&folder.join("default/draws.parquet")).len(), 5, "replaced");
    let [_, messages] = run(&folder, "table list.ge -o other --tables draw", 2);
    assert!(messages.contains("draws"), "similar names: {messages}");
    assert!(!folder.join("other").exists(), "nothing is written");
}

#[test]
fn wrong_outputs_and_options_are_errors() {
    let folder = folder("wrong");
    fs::write(folder.join("file"), b"").expect("the file can be written");
    run(&folder, "table list.ge -o file", 4);
    run(&folder, "table list.ge -o -", 2);
    run(&folder, "table list.ge -o tables --view front", 2);
    assert!(!folder.join("tables").exists(), "a wrong command line gives no tables");
    fs::create_dir_all(folder.join("empty")).expect("the folder can be created");
    run(&folder, "table list.ge -o kept -q --tables frames", 0);
    run(&folder, "table empty -o kept", 3);
    assert_eq!(rows(&folder.join("kept/frames.parquet")).len(), 1, "tables stay if there are no inputs");
    fs::create_dir_all(folder.join("taken/draws.parquet")).expect("the folder can be created");
    let [_, messages] = run(&folder, "table list.ge -o taken", 4);
    assert!(messages.contains("is a folder"), "{messages}");
    assert!(!folder.join("taken/frames.parquet").exists(), "either all tables or none");
    // Tables in the inputs' folder are no inputs to the next run.
    run(&folder, "table . -o tables -q --tables frames", 1);
    let count = rows(&folder.join("tables/frames.parquet")).len();
    run(&folder, "table . -o tables -q --tables frames", 1);
    assert_eq!(rows(&folder.join("tables/frames.parquet")).len(), count, "the same inputs");
}

#[test]
fn endless_lists_end_at_the_limit() {
    let folder = empty_folder("endless");
    fs::write(folder.join("loop.ge"), "BASE hi(again)\nagain: NOP | JUMP lo(again)").expect("written");
    run(&folder, "table loop.ge -o tables -q --limits commands=30k", 0);
    assert_eq!(rows(&folder.join("tables/commands.parquet")).len(), 30_000, "rows up to the limit");
    let frame = &rows(&folder.join("tables/frames.parquet"))[0];
    assert_eq!(
        (&frame["run_ending"], &frame["notes"][0]["code"]),
        (&"limit-reached".into(), &"limit".into()),
        "note"
    );
    run(&folder, "table loop.ge -o tables -q --limits commands=30k --strict", 1);
}
