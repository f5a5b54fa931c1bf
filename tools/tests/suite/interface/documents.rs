//! Tests `--json`: every document matches its schema, and text and JSON show the same.

use std::fs;
use std::path::{Path, PathBuf};

use ge_tests::schema_check;
use serde_json::Value;

use crate::support::{copy_sample, list_folder, pspge_in, sample_bytes, text};

/// A textured rectangle, a triangle and a point from registers, a note and a NaN.
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    BASE hi(corners) | FOG1 nan(0x7FC000)
    TEXENABLE 1 | TEXFORMAT CLUT8 | TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=16 high=8
    TEXSIZE0 width_log2=4 height_log2=2 | CLUTADDR lo(texels) | CLUTADDRUPPER 0x8
    CLUTFORMAT format=ABGR8888 mask=0xff | LOADCLUT 2 | TEXFUNC function=REPLACE use_alpha=1
    VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(corners)
    PRIM primitive=RECTANGLES count=2
    TEXENABLE 0 | VTYPE position=BITS16 through=1 | VADDR lo(triangle) | PRIM primitive=TRIANGLES count=3
    VSCX 28672 | VSCY 30720 | VAP alpha=255 primitive=POINTS
    RET | FINISH | END
.align 16
texels: .fill 64 0x10
corners: .s16 0 0 10 10 0 | .s16 8 4 60 40 0
triangle: .s16 0 0 0 99 0 0 0 99 0
";

/// Makes a folder with a list and a file of each kind.
fn folder(name: &str) -> PathBuf {
    let folder = list_folder(name, LIST);
    for name in ["lampwing.pac", "lampwing.pmo", "lampwing.ahi", "swatches.tm2", "reedling.pam", "robot.bin"]
    {
        copy_sample(name, &folder.join(name));
    }
    let model = sample_bytes("lampwing.pmo");
    fs::write(folder.join("cut.pmo"), &model[..100]).expect("the file can be written");
    fs::write(folder.join("empty"), []).expect("the file can be written");
    fs::write(folder.join("wrong.ge"), ".ge 1\n    PRIM primitive=CIRCLES").expect("the file can be written");
    folder
}

/// Runs a command, to check every document it prints.
fn documents(folder: &Path, arguments: &str) -> Vec<Value> {
    schema_check::checked(&pspge_in(folder, arguments).stdout)
}

/// Lists the schemas named by documents, each once.
fn schemas(documents: &[Value]) -> Vec<&str> {
    let mut schemas: Vec<&str> =
        documents.iter().filter_map(|document| document["schema"].as_str()).collect();
    schemas.sort_unstable();
    schemas.dedup();
    schemas
}

#[test]
fn every_command_prints_documents_of_its_schema() {
    let folder = folder("commands");
    for (arguments, expected) in [
        ("info list.ge --json", &["pspge.info/1"][..]),
        ("info . --json", &["pspge.error/1", "pspge.info/1"]),
        ("info robot.bin#* --json", &["pspge.info/1"]),
        ("trace list.ge --json", &["pspge.command/1", "pspge.end/1", "pspge.note/1"]),
        ("trace list.ge --draws --json", &["pspge.draw/1", "pspge.end/1", "pspge.note/1"]),
        ("trace lampwing.pac --registers --json", &["pspge.draw/1", "pspge.end/1"]),
        (
            "trace list.ge cut.pmo --json",
            &["pspge.command/1", "pspge.end/1", "pspge.error/1", "pspge.note/1"],
        ),
        ("state list.ge --json", &["pspge.state/1"]),
        ("state list.ge --draw 0 --json", &["pspge.state/1"]),
        ("state lampwing.pac --event 1 --after --json", &["pspge.state/1"]),
        ("state list.ge --events --json", &["pspge.timeline/1"]),
        ("state list.ge --draw 9 --json", &["pspge.error/1"]),
        ("decode lampwing.pac --json", &["pspge.geometry/1"]),
        ("decode list.ge lampwing.pmo --json", &["pspge.geometry/1"]),
        ("pixel list.ge 20,10 --json", &["pspge.pixel/1"]),
        ("pixel lampwing.pac 240,136 --json", &["pspge.pixel/1"]),
        ("pixel cut.pmo 0,0 --json", &["pspge.error/1"]),
        ("draw list.ge 0 --json", &["pspge.draw-report/1"]),
        ("draw lampwing.pac event:1 --time --json", &["pspge.draw-report/1"]),
        ("draw list.ge 9 --json", &["pspge.error/1"]),
        ("diff list.ge --b=--skip=0 --json", &["pspge.diff/1"]),
        ("diff list.ge lampwing.pac --json", &["pspge.diff/1"]),
        ("diff list.ge --b=--skip=event:99 --json", &["pspge.error/1"]),
        ("trim list.ge --draws 0 -o trimmed.ppdmp --json", &["pspge.trim/1"]),
        ("trim list.ge --draws 99 -o trimmed.ppdmp --json", &["pspge.error/1"]),
        ("reduce list.ge --keep pixel:20,10 -o reduced.ppdmp --json", &["pspge.reduction/1"]),
        ("reduce list.ge --keep pixel:2000,10 -o reduced.ppdmp --json", &["pspge.error/1"]),
        ("test . --json", &["pspge.judgement/1"]),
        ("test absent --json", &["pspge.error/1"]),
        ("bench list.ge --runs 1 --json", &["pspge.measurement/1"]),
        ("asm list.ge -o list.bin --json", &["pspge.assembly/1"]),
        ("asm wrong.ge -o wrong.bin --json", &["pspge.error/1"]),
        ("reference PRIM CULL --json", &["pspge.opcode/1"]),
        ("info cut.pmo --json", &["pspge.error/1"]),
        ("trace empty --json", &["pspge.error/1"]),
        ("decode wrong.ge --json", &["pspge.error/1"]),
        ("bench absent --json", &["pspge.error/1"]),
        ("decode lampwing.ahi --json", &["pspge.error/1"]),
        ("trace list.ge --json --only 99", &["pspge.error/1", "pspge.note/1"]),
    ] {
        let documents = documents(&folder, arguments);
        assert_eq!(schemas(&documents), expected, "{arguments}");
        assert!(documents.iter().all(|document| document["input"].is_string()), "{arguments}");
        crate::interface::types::assert_one_type_each(arguments, &documents);
    }
}

#[test]
fn reports_are_documents() {
    let folder = folder("reports");
    pspge_in(&folder, "render . -o out --size 16x16 --report report.jsonl -q");
    let report = fs::read(folder.join("report.jsonl")).expect("a report");
    let lines = schema_check::checked(&report);
    assert_eq!(schemas(&lines), ["pspge.report/1"], "one kind");
    let statuses: Vec<&str> = lines.iter().filter_map(|line| line["status"].as_str()).collect();
    for status in ["ok", "nothing", "failed"] {
        assert!(statuses.contains(&status), "{status} in {statuses:?}");
    }
}

#[test]
fn errors_are_on_both_streams() {
    let folder = folder("errors");
    for (input, code, status) in [
        ("cut.pmo", "damaged", 3),
        ("empty", "empty", 3),
        ("wrong.ge", "assembly", 3),
        ("absent", "not-found", 4),
    ] {
        let output = pspge_in(&folder, &format!("info {input} --json"));
        assert_eq!(output.status.code(), Some(status), "{input}");
        assert!(text(&output.stderr).starts_with("error: "), "{input}: a line for people");
        assert_eq!(text(&output.stdout).lines().count(), 1, "{input}: one line for programs");
        let [document] = schema_check::checked(&output.stdout).try_into().expect("one document");
        assert_eq!(
            (&document["input"], &document["error"]["code"]),
            (&input.into(), &code.into()),
            "{input}"
        );
    }
}

#[test]
fn draws_have_one_numbering() {
    let folder = folder("draws");
    let all = documents(&folder, "trace list.ge --draws --json");
    let numbers: Vec<u64> = all.iter().filter_map(|document| document["draw"].as_u64()).collect();
    assert_eq!(numbers, [0, 1, 2], "from 0");
    for (only, expected) in
        [("1", &[1][..]), ("0,2", &[0, 2]), ("1-", &[1, 2]), ("-1", &[0, 1]), ("0-1,2", &[0, 1, 2])]
    {
        let traced = documents(&folder, &format!("trace list.ge --draws --json --only {only}"));
        let numbers: Vec<u64> = traced.iter().filter_map(|document| document["draw"].as_u64()).collect();
        assert_eq!(numbers, expected, "trace --only {only}");
        let decoded = documents(&folder, &format!("decode list.ge --json --only={only}"));
        let draws = decoded[0]["draws"].as_array().expect("draws");
        let numbers: Vec<u64> = draws.iter().filter_map(|draw| draw["draw"].as_u64()).collect();
        assert_eq!(numbers, expected, "decode --only {only}");
    }
    let commands = documents(&folder, "trace list.ge --json --only 1");
    let names: Vec<&str> = commands.iter().filter_map(|command| command["name"].as_str()).collect();
    assert_eq!(names, ["TEXENABLE", "VTYPE", "VADDR", "PRIM"], "the commands that lead to draw 1");
    for command in ["trace", "decode"] {
        let output = pspge_in(&folder, &format!("{command} list.ge --only 1,7-"));
        assert_eq!(output.status.code(), Some(2), "{command}: an option that cannot apply");
        let message = text(&output.stderr);
        let expected = "error: list.ge: --only cannot apply: the run has 3 draws, 0 to 2, but not 7-\n";
        assert!(message.ends_with(expected), "{command}: {message}");
    }
    for wrong in ["x", "3-1", "1,,2", ""] {
        let output = pspge_in(&folder, &format!("trace list.ge --only={wrong}"));
        assert_eq!(output.status.code(), Some(2), "--only={wrong}");
    }
}

#[test]
fn first_ends_a_trace() {
    let folder = folder("first");
    let count = |arguments: &str| documents(&folder, arguments).len();
    assert_eq!(count("trace list.ge --json --first 5"), 6, "five commands and the end");
    assert_eq!(count("trace list.ge --draws --json --first 2"), 3, "two draws and the end");
    assert_eq!(count("trace list.ge --draws --json --only 1- --first 1"), 2, "one of the selected draws");
    let output = pspge_in(&folder, "trace list.ge --limit 5");
    assert_eq!(output.status.code(), Some(2), "the former name");
    let message = text(&output.stderr);
    assert!(message.contains("use --first N") && message.contains("--limits NAME=VALUE"), "{message}");
    assert_eq!(pspge_in(&folder, "bench list.ge --warm").status.code(), Some(2), "an option without effect");
}

#[test]
fn states_are_resolved_and_typed() {
    let folder = folder("states");
    let traced = documents(&folder, "trace list.ge --registers --json --only 0");
    let draw = &traced[0];
    let state = &draw["state"];
    let texture = &state["texture"];
    assert_eq!(texture["enabled"], true, "a switch");
    assert_eq!(
        (&texture["format"], &texture["levels"][0]["width"]),
        (&"CLUT8".into(), &16.into()),
        "texture"
    );
    let address = texture["levels"][0]["address"].as_u64().expect("a number");
    assert_eq!(state["registers"]["TEXADDR0"].as_u64(), Some(address & 0xFF_FFFF), "raw and resolved");
    assert_eq!(state["matrices"]["bones"].as_array().map(Vec::len), Some(8), "matrices");
    assert_eq!(state["lighting"]["lights"].as_array().map(Vec::len), Some(4), "lights");
    assert!(state["fog"]["end"].is_null(), "NaN");
    assert_eq!(state["registers"]["FOG1"], 0x7F_C000, "its bits");
    for hash in [&texture["hash"], &state["palette"]["hash"], &draw["vertex_data"]["hash"]] {
        assert_eq!(hash.as_str().map(str::len), Some(16), "{hash}");
    }
    let shown = text(&pspge_in(&folder, "trace list.ge --registers --only 0").stdout);
    for hash in [&texture["hash"], &state["palette"]["hash"]] {
        assert!(shown.contains(hash.as_str().expect("a hash")), "{hash} in {shown}");
    }
    assert_eq!(draw["pixels"], 50 * 30, "the rectangle's pixels");
}

/// A draw's texture is taken before the draw, even if the draw changes it.
#[test]
fn hashes_are_those_that_a_draw_reads() {
    let folder = folder("feedback");
    let list = "
        FRAMEBUFWIDTH width=16 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=15 y=15 | REGION2 x=15 y=15
        TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXADDR0 0 | TEXBUFWIDTH0 width=16 high=4
        TEXSIZE0 width_log2=4 height_log2=4
        BASE hi(v) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(v)
        TEXENABLE 0 | PRIM primitive=RECTANGLES count=2
        TEXENABLE 1 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
        VADDR lo(w) | TEXENABLE 0 | PRIM primitive=RECTANGLES count=2
        TEXENABLE 1 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2 | FINISH | END
        .align 4
        v: .rgba #ff0000ff | .s16 0 0 0 0 | .rgba #ff0000ff | .s16 16 16 0 0
        w: .rgba #00ff00ff | .s16 0 0 0 0 | .rgba #00ff00ff | .s16 16 16 0 0";
    fs::write(folder.join("list.ge"), list).expect("the file can be written");
    let draws = documents(&folder, "trace list.ge --registers --json");
    let hash = |number: usize| draws[number]["state"]["texture"]["hash"].as_str().map(str::to_owned);
    assert_eq!(hash(0), None, "texturing is off");
    assert!(hash(1).is_some() && hash(3).is_some(), "drawn textures have hashes");
    assert_ne!(hash(1), hash(3), "another draw was between them");
}

#[test]
fn schemas_are_listed_and_printed() {
    let folder = folder("schemas");
    let list = text(&pspge_in(&folder, "schema").stdout);
    let ids: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(ids.contains(&"pspge.info/1") && ids.len() > 10, "{list}");
    for id in ids {
        let name = id.trim_start_matches("pspge.").split('/').next().expect("a name");
        let by_id = pspge_in(&folder, &format!("schema {id}"));
        assert!(by_id.status.success(), "{id}");
        assert_eq!(by_id.stdout, pspge_in(&folder, &format!("schema {name}")).stdout, "{id} and {name}");
        let schema: Value = serde_json::from_slice(&by_id.stdout).expect("JSON");
        if name.starts_with("inspect-") {
            assert!(schema["oneOf"].as_array().is_some_and(|kinds| kinds.len() > 10), "the kinds of {name}");
        } else {
            assert_eq!(schema["properties"]["schema"]["const"], id, "the constant of the schema");
        }
    }
    let unknown = pspge_in(&folder, "schema infos");
    assert_eq!(unknown.status.code(), Some(2), "an unknown kind");
    assert!(
        text(&unknown.stderr).contains("geometry, info, judgement, measurement"),
        "it lists those that exist"
    );
}

#[test]
fn text_shows_the_same_facts() {
    let folder = folder("text");
    let [info] = documents(&folder, "info lampwing.pac --json").try_into().expect("one document");
    let shown = text(&pspge_in(&folder, "info lampwing.pac").stdout);
    for (line, member) in [
        ("  file: 84464 bytes, hash ", &info["file_bytes"]),
        ("  members: 4, of which 1 drawable, 4 recognised, 0 empty", &info["member_counts"]["total"]),
        ("  draws: 139", &info["draws"]),
        ("  bone entries: 29", &info["counters"]["bone_entries"]),
    ] {
        assert!(shown.contains(line), "{line} in {shown}");
        assert!(member.is_u64(), "{line}: {member}");
    }
    let [info] = documents(&folder, "info lampwing.pmo --json").try_into().expect("one document");
    assert_eq!(info["companions"][0]["role"], "skeleton", "found next to the model: {info}");
    assert_eq!(info["companions"][0]["found"], true, "not named");
    let [given] =
        documents(&folder, "info lampwing.pmo --skeleton lampwing.ahi --json").try_into().expect("one");
    assert_eq!(given["companions"][0]["found"], false, "named");
    assert!(
        text(&pspge_in(&folder, "info lampwing.pmo").stdout)
            .contains("  skeleton: lampwing.ahi, 5656 bytes, found")
    );
}
