//! Tests assembly text: reports on all its mistakes, includes and options; also disassemblies and the command
//! reference.

use std::fs;
use std::path::{Path, PathBuf};

use ge_tests::{corpus, schema_check, snapshot};
use serde_json::Value;

use crate::support::{copy_sample, empty_folder, portable_text, pspge_in};

/// Creates a new folder with texts, a picture and a container.
fn folder(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    fs::create_dir_all(folder.join("lists/lib")).expect("the folder can be created");
    fs::create_dir_all(folder.join("shared")).expect("the folder can be created");
    let picture =
        image::RgbaImage::from_fn(16, 8, |x, _| image::Rgba([if x < 8 { 200 } else { 16 }, 0, 0, 255]));
    picture.save(folder.join("shared/sky.png")).expect("the picture can be written");
    for (name, text) in [
        ("wrong.ge", "NOP\n\tPRIM count=3 | TEXENABL 1\n.include \"lib/wrong.ge\"\nJUMP lo(gone)\n"),
        ("lib/wrong.ge", "; fine\n  TEXENABLE\n"),
        ("lib/state.ge", ".default RED 32\nMATERIALAMBIENT RED\n"),
        (
            "clear.ge",
            ".include <psp/init>\n.include <psp/screen>\n.include \"lib/state.ge\"\n.include <psp/clear>\nFINISH | END\n",
        ),
        ("sky.ge", ".align 16\nsky: .texture \"sky.png\" CLUT8\n.incbin \"sky.png\" 1 3\n"),
    ] {
        fs::write(folder.join("lists").join(name), text).expect("the file can be written");
    }
    for name in ["lampwing.pac", "anemone.pmdl"] {
        copy_sample(name, &folder.join(name));
    }
    folder
}

fn output(folder: &Path, arguments: &str) -> String {
    let output = pspge_in(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", portable_text(&output.stderr));
    portable_text(&output.stdout)
}

/// Runs a command that ends with `status`, and returns its standard error.
fn error(folder: &Path, arguments: &str, status: i32) -> String {
    let output = pspge_in(folder, arguments);
    assert_eq!(output.status.code(), Some(status), "{arguments}: {}", portable_text(&output.stderr));
    portable_text(&output.stderr)
}

const MISTAKES: &str = "\
error: lists/wrong.ge:2:2: PRIM needs primitive= (one of POINTS, LINES, LINE_STRIP, TRIANGLES, TRIANGLE_STRIP, \
TRIANGLE_FAN, RECTANGLES, CONTINUE)
 2 |     PRIM count=3 | TEXENABL 1
   |     ^^^^
error: lists/wrong.ge:2:17: unknown command 'TEXENABL'; did you mean 'TEXENABLE'?
 2 |     PRIM count=3 | TEXENABL 1
   |                    ^^^^^^^^
error: lists/lib/wrong.ge:2:12: TEXENABLE needs a value (enabled)
 2 |   TEXENABLE
   |            ^
   = included at lists/wrong.ge:3:10
error: lists/wrong.ge:4:9: 'gone' is not defined
 4 | JUMP lo(gone)
   |         ^^^^
";

#[test]
fn all_mistakes_are_shown_with_their_lines() {
    let folder = folder("mistakes");
    assert_eq!(error(&folder, "asm lists/wrong.ge -o out.bin", 3), MISTAKES, "asm");
    assert_eq!(
        error(&folder, "render lists/wrong.ge -o out.png", 3),
        MISTAKES,
        "every command that opens a text"
    );
    assert!(!folder.join("out.bin").exists() && !folder.join("out.png").exists(), "no output");
    let result = pspge_in(&folder, "asm lists/wrong.ge -o out.bin --json");
    let document: Value = serde_json::from_slice(&result.stdout).expect("one document");
    let first = &document["error"];
    assert_eq!(
        (&first["code"], &first["file"]),
        (&"assembly".into(), &"lists/wrong.ge".into()),
        "the first error"
    );
    let places: Vec<(u64, u64)> = std::iter::once(first)
        .chain(first["others"].as_array().expect("the others"))
        .map(|error| (error["line"].as_u64().expect("a line"), error["column"].as_u64().expect("a column")))
        .collect();
    assert_eq!(places, [(2, 2), (2, 17), (2, 12), (4, 9)], "all errors");
}

#[test]
fn mistakes_of_many_texts_are_counted_by_text() {
    let folder = folder("many");
    let message = error(&folder, "render lists -o out --size 16x16", 1);
    assert!(message.contains(MISTAKES), "{message}");
    assert!(message.contains("'sky.png' not found"), "{message}");
}

#[test]
fn includes_are_relative_to_their_text() {
    let folder = folder("includes");
    output(&folder, "render lists/clear.ge -o clear.png");
    let picture = image::open(folder.join("clear.png")).expect("a picture").into_rgb8();
    assert!(picture.pixels().all(|pixel| pixel.0 == [32, 0, 0]), "the default of the included text");
    output(&folder, "asm lists/clear.ge -o clear.bin -D RED=0x40+1");
    let bytes = fs::read(folder.join("clear.bin")).expect("the file was written");
    let material = bytes.chunks(4).rev().find(|word| word[3] == 0x55).expect("MATERIALAMBIENT");
    assert_eq!(material[0], 0x41, "the constant of the command line");
}

#[test]
fn included_files_are_also_searched_in_folders() {
    let folder = folder("folders");
    let message = error(&folder, "asm lists/sky.ge -o sky.bin", 3);
    assert!(message.starts_with("error: lists/sky.ge:2:15: file 'sky.png' not found\n"), "{message}");
    let json = output(&folder, "asm lists/sky.ge -o sky.bin -I lists/lib -I shared --json");
    let [document] = schema_check::checked(json.as_bytes()).try_into().expect("a document");
    let value = |list: &str, name: &str, member: &str| {
        let found =
            document[list].as_array().and_then(|list| list.iter().find(|entry| entry["name"] == name));
        found.unwrap_or_else(|| panic!("{name} in {document}"))[member].as_u64()
    };
    assert_eq!(value("labels", "sky.palette", "address"), Some(0x0880_0080), "after 128 texels");
    assert_eq!(value("constants", "sky.palette_colors", "value"), Some(2), "two colours");
    assert_eq!(document["files"].as_array().map(Vec::len), Some(1), "one file: {}", document["files"]);
    let bytes = fs::read(folder.join("sky.bin")).expect("the file was written");
    assert_eq!(bytes.get(bytes.len() - 3..), Some(b"PNG".as_slice()), "the bytes of .incbin");
    assert!(
        error(&folder, "asm lists/sky.ge -o sky.bin -I nowhere", 4).contains("nowhere"),
        "no such folder"
    );
    assert!(
        error(&folder, "asm lists/sky.ge -o shared/sky.png -I shared", 4).contains("is an input"),
        "never overwritten"
    );
}

#[test]
fn listings_show_addresses() {
    let folder = folder("listing");
    let listing = output(&folder, "asm lists/clear.ge -o clear.bin --list -");
    assert!(listing.contains("MATERIALAMBIENT RED") && listing.contains("FINISH | END"), "{listing}");
    let line = listing.lines().find(|line| line.contains("FINISH")).expect("the end");
    assert!(line.starts_with("08800") && line.contains("00 00 00 0f"), "{line}");
    for arguments in ["--list - --json", "-o - --json", "-o - --list -"] {
        let arguments = format!("asm lists/clear.ge -o x {arguments}").replace("-o x -o", "-o");
        assert!(error(&folder, &arguments, 2).contains("standard output"), "{arguments}");
    }
    assert!(error(&folder, "asm lists/clear.ge -o x -D 1a=2", 2).contains("NAME=VALUE"), "a wrong name");
    assert!(
        error(&folder, "asm lists/clear.ge -o x -D a=b", 2).contains("'b' is not defined"),
        "a wrong value"
    );
}

#[test]
fn disassembly_notes_everything_left_out() {
    let folder = folder("notes");
    let notes = error(&folder, "disasm lampwing.pac -o out.ge", 0);
    for part in [
        "bytes are in no list and became data",
        "hold no list and are left out",
        "member 1 (ahi) holds no list",
        "member 2 (tmh) holds no list",
    ] {
        assert!(
            notes.lines().any(|line| line.starts_with("note: lampwing.pac: ") && line.contains(part)),
            "{part}: {notes}"
        );
    }
    error(&folder, "disasm lampwing.pac -o out.ge --strict", 0);
    output(&folder, "disasm lampwing.pac#* -o lists-of-members");
    let names: Vec<_> = fs::read_dir(folder.join("lists-of-members"))
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(names, ["lampwing.pac.0.ge"], "the members with lists");
    let message = error(&folder, "disasm anemone.pmdl -o out.ge", 3);
    assert!(message.contains("stores no display list"), "{message}");
}

#[test]
fn help_describes_commands_of_the_graphics_engine() {
    let folder = folder("reference");
    let prim = output(&folder, "help PRIM");
    for part in [
        "PRIM  0x04  draw",
        "count      bits 0-15",
        "6 RECTANGLES",
        "PRIM primitive=TRIANGLES count=3",
        "lists.md#prim",
    ] {
        assert!(prim.contains(part), "{part} in {prim}");
    }
    assert_eq!(prim, output(&folder, "reference 0x04"), "by number");
    assert!(output(&folder, "help render").starts_with("Render INPUT"), "subcommands come first");
    assert!(error(&folder, "help rendr", 2).contains("'render'"), "similar subcommands");
    let message = error(&folder, "help nosuch", 2);
    assert!(
        message.ends_with("unrecognized subcommand 'nosuch' (see --help)\n"),
        "nothing similar: {message}"
    );
    let message = error(&folder, "help PRMI", 2);
    assert!(message.contains("did you mean PRIM?"), "{message}");
    let all = output(&folder, "reference");
    assert_eq!(all.lines().filter(|line| line.starts_with("  0x")).count(), 256, "all commands");
    let group = output(&folder, "reference lightenable CULL");
    assert!(group.contains("LIGHTENABLE3") && group.contains("CULL  0x9B"), "{group}");
}

#[test]
fn help_describes_functions_of_libgu() {
    let folder = folder("libgu-help");
    let mut text = String::new();
    for name in ["sceGuTexFilter", "sceGuDrawArray", "sceGuMaterial", "sceGuSetMatrix", "sceGuBreak"] {
        let printed = output(&folder, &format!("help {name}"));
        assert_eq!(
            printed,
            output(&folder, &format!("reference {}", name.to_lowercase())),
            "{name}: in any case"
        );
        text += &format!("$ pspge help {name}\n{printed}\n");
    }
    snapshot::assert("libgu_help", &text);
    let message = error(&folder, "help sceGuTexFlter", 2);
    assert!(message.contains("sceGuTexFlter"), "{message}");
}

#[test]
fn lists_are_printed_as_calls_of_libgu() {
    let folder = folder("libgu");
    let text = output(&folder, "disasm lists/clear.ge --as libgu");
    snapshot::assert("libgu_disassembly", &text);
    snapshot::assert("libgu_trace", &output(&folder, "trace lists/clear.ge --as libgu"));
    output(&folder, "disasm lampwing.pac#* --as libgu -o calls");
    let calls = fs::read_to_string(folder.join("calls/lampwing.pac.0.c")).expect("calls");
    assert!(calls.contains("sceGuDrawArray(GU_TRIANGLE_STRIP, "), "draws of a model");
    error(&folder, "trace lists/clear.ge --as libgu --json", 2);
    error(&folder, "disasm lists/clear.ge --as c", 2);
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ge-tests/cases");
    let mut count = 0;
    for entry in walkdir::WalkDir::new(&cases).sort_by_file_name().into_iter().flatten() {
        let path = entry.path().display().to_string();
        // Lists with parameters are no programs by themselves.
        if entry.file_name() != "list.ge"
            || pspge_in(&folder, &format!("disasm {path}")).status.code() != Some(0)
        {
            continue;
        }
        count += 1;
        for line in output(&folder, &format!("disasm {path} --as libgu")).lines() {
            let is_call = line.starts_with("sceGu") && line.contains(");");
            assert!(is_call || line.starts_with("// "), "{path}: {line}");
        }
    }
    assert!(count >= 10, "{count} lists");
}

/// A game's draws are printed as calls, even though its dump records their data in between.
#[test]
fn frame_dumps_are_printed_as_calls_of_libgu() {
    let Some(frames) = corpus::folder("frames") else { return };
    let folder = folder("libgu-frame");
    let dump = frames.join("taiko-no-tatsujin.ppdmp").display().to_string();
    let draws = output(&folder, &format!("trace {dump} --draws"))
        .lines()
        .filter(|line| line.starts_with("draw "))
        .count();
    for command in ["disasm", "trace"] {
        let text = output(&folder, &format!("{command} {dump} --as libgu"));
        let calls = text
            .lines()
            .filter(|line| line.contains("sceGuDrawArray(") || line.contains("sceGuClear("))
            .count();
        assert_eq!(calls, draws, "{command}: each draw is a call");
        let raw = text.lines().filter(|line| line.contains("sceGuSendCommandi(")).count();
        let all = text.lines().filter(|line| line.contains("sceGu")).count();
        eprintln!("{command}: {raw} of {all} calls send a single command that has no call");
        assert!(raw * 2 < all, "{command}: {raw} of {all} calls are raw");
    }
}

#[test]
fn reference_is_json_too() {
    let folder = folder("json");
    let one: Value = serde_json::from_str(&output(&folder, "reference PRIM --json")).expect("a document");
    assert_eq!(one["fields"][0]["values"][6]["name"], "RECTANGLES", "typed fields");
    assert_eq!(one["fields"][1]["required"], true, "required fields");
    // This keeps backslashes, which `output` would replace.
    let all = String::from_utf8(pspge_in(&folder, "reference --json").stdout).expect("text");
    let documents = schema_check::checked(all.as_bytes());
    assert_eq!(documents.len(), 256, "JSON Lines");
    assert!(documents.iter().all(|document| document["schema"] == "pspge.opcode/1"), "one schema");
}
