//! Tests batches: folders, lists of files, members, output names, reports, shards, and the exit status.

use std::fs;
use std::path::{Path, PathBuf};

use ge_tests::schema_check;
use serde_json::Value;

use crate::support::{copy_sample, empty_folder, pspge_in, text};

/// Lists the files below a folder, sorted, with forward slashes.
fn files(folder: &Path) -> Vec<String> {
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name();
    let entries = walk.into_iter().map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.file_type().is_file());
    let name =
        |path: &Path| path.strip_prefix(folder).expect("inside").display().to_string().replace('\\', "/");
    files.map(|entry| name(entry.path())).collect()
}

/// Reads a report's lines, and checks each against its schema.
fn report(path: &Path) -> Vec<Value> {
    schema_check::checked(&fs::read(path).expect("a report"))
}

/// Makes a folder with drawable, empty, damaged, unknown and undrawable files.
fn mixed_folder(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    copy_sample("lampwing.pac", &folder.join("in/a.pac"));
    copy_sample("lampwing.tmh", &folder.join("in/b.tmh"));
    copy_sample("lampwing.pmo", &folder.join("in/deep/a.pac"));
    copy_sample("anemone.pmdl", &folder.join("in/deep/c.pmdl"));
    let model = fs::read(folder.join("in/deep/a.pac")).expect("a sample");
    fs::write(folder.join("in/cut.pmo"), &model[..100]).expect("the file can be written");
    fs::write(folder.join("in/empty.pmo"), []).expect("the file can be written");
    fs::write(folder.join("in/notes.txt"), "nothing").expect("the file can be written");
    folder
}

#[test]
fn report_says_how_every_input_of_a_folder_ended() {
    let folder = mixed_folder("report");
    let output = pspge_in(&folder, "render in -o out --size 16x16 --report report.jsonl");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "some inputs failed: {message}");
    for (file, problem) in [("cut.pmo", "at 0x"), ("empty.pmo", "is empty")] {
        let names_it =
            |line: &str| line.starts_with("error: ") && line.contains(file) && line.contains(problem);
        assert!(message.lines().any(names_it), "{file}: {message}");
    }
    assert!(!message.contains("notes.txt"), "a foreign file is only counted: {message}");
    let summary = "3 drawn, 1 with nothing to draw, 1 of no known format, 2 failed (";
    assert!(message.contains(summary), "{message}");
    let lines = report(&folder.join("report.jsonl"));
    let line = |name: &str| {
        let found =
            lines.iter().find(|line| line["input"].as_str().is_some_and(|input| input.ends_with(name)));
        found.unwrap_or_else(|| panic!("{name} is in the report"))
    };
    assert_eq!(lines.len(), 7, "one line for each input");
    assert_eq!(line("in/a.pac")["status"], "ok", "drawn");
    let outputs: Vec<&str> =
        line("in/a.pac")["output"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(outputs.len(), 1, "one picture");
    assert!(outputs[0].replace('\\', "/").ends_with("out/a.pac.png"), "{outputs:?}");
    assert_eq!(line("b.tmh")["status"], "nothing", "textures are not drawn");
    for (name, status, code) in [("empty.pmo", "failed", "empty"), ("notes.txt", "nothing", "foreign-format")]
    {
        assert_eq!(line(name)["status"], status, "{name}");
        assert_eq!(line(name)["error"]["code"], code, "{name}");
    }
    assert!(line("cut.pmo")["error"]["offset"].is_u64(), "the place of the damage");
    assert!(line("a.pac")["error"].is_null(), "no error");
    assert!(lines.iter().all(|line| line["duration_ms"].is_f64()), "durations");
    assert_eq!(
        files(&folder.join("out")),
        ["a.pac.png", "deep/a.pac.png", "deep/c.pmdl.png"],
        "names follow from the inputs alone"
    );
}

#[test]
fn order_and_names_do_not_depend_on_threads() {
    let folder = mixed_folder("threads");
    let run = |threads: u32| {
        let arguments =
            format!("render in -o out-{threads} --size 16x16 --report r{threads} --threads {threads}");
        let output = pspge_in(&folder, &arguments);
        let lines = report(&folder.join(format!("r{threads}")));
        let inputs: Vec<Value> = lines.iter().map(|line| line["input"].clone()).collect();
        let errors = text(&output.stderr);
        let errors: Vec<String> =
            errors.lines().filter(|line| !line.contains("memory")).map(str::to_owned).collect();
        (inputs, errors, files(&folder.join(format!("out-{threads}"))))
    };
    let one = run(1);
    for threads in [2, 5] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn output_is_read_as_cp_reads_it() {
    let folder = empty_folder("cp");
    copy_sample("lampwing.pac", &folder.join("a/model.pac"));
    copy_sample("lampwing.pac", &folder.join("b/model.pac"));
    fs::create_dir(folder.join("there")).expect("the folder can be created");
    fs::write(folder.join("file"), "x").expect("the file can be written");
    let run = |arguments: &str| pspge_in(&folder, &format!("render {arguments} --size 16x16 -q"));
    assert!(run("a/model.pac -o one.png").status.success(), "a file");
    assert!(run("a/model.pac -o there").status.success(), "an existing folder means into it");
    assert!(run("a/model.pac -o new/").status.success(), "a name with a slash is a folder");
    assert_eq!(files(&folder.join("there")), ["model.pac.png"], "named after the input");
    assert_eq!(files(&folder.join("new")), ["model.pac.png"], "named after the input");
    for wrong in ["a/model.pac b/model.pac -o -", "a/model.pac b/model.pac -o file"] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong}: {}", text(&output.stderr));
    }
    let output = run("a/model.pac b/model.pac -o same");
    assert_eq!(output.status.code(), Some(1), "two inputs with one output");
    let message = text(&output.stderr);
    assert!(message.contains("b/model.pac: ") && message.contains("also that of a/model.pac"), "{message}");
    assert!(run("a/model.pac b/model.pac -o both --parents").status.success(), "their folders are kept");
    assert_eq!(files(&folder.join("both")), ["a/model.pac.png", "b/model.pac.png"], "with folders");
}

#[test]
fn existing_outputs_can_be_kept() {
    let folder = empty_folder("existing");
    copy_sample("lampwing.pac", &folder.join("in/a.pac"));
    copy_sample("anemone.pmdl", &folder.join("in/b.pmdl"));
    fs::create_dir(folder.join("out")).expect("the folder can be created");
    fs::write(folder.join("out/a.pac.png"), "kept").expect("the file can be written");
    let output = pspge_in(&folder, "render in -o out --size 16x16 --skip-existing --report report");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("1 drawn, 1 skipped because the output exists"), "summary");
    assert_eq!(fs::read(folder.join("out/a.pac.png")).expect("a file"), b"kept", "it is not drawn again");
    let lines = report(&folder.join("report"));
    assert_eq!(lines[0]["status"], "skipped", "in the report");
    assert!(lines[0]["output"][0].as_str().is_some_and(|path| path.ends_with("a.pac.png")), "with its path");
}

#[test]
fn shards_cover_all_inputs_once() {
    let folder = empty_folder("shards");
    for number in 0..7 {
        copy_sample("lampwing.ahi", &folder.join(format!("in/{number}.ahi")));
    }
    let mut seen = Vec::new();
    for shard in 1..=3 {
        let output = pspge_in(&folder, &format!("info in --json --shard {shard}/3 -q"));
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout).lines().count(), if shard == 1 { 3 } else { 2 }, "shard {shard}");
        pspge_in(&folder, &format!("info in --shard {shard}/3 -q --report {shard}.jsonl"));
        seen.extend(
            report(&folder.join(format!("{shard}.jsonl"))).iter().map(|line| line["input"].to_string()),
        );
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 7, "every input once");
}

#[test]
fn lists_of_files_name_inputs() {
    let folder = empty_folder("lists");
    for name in ["a b.ahi", "c.ahi"] {
        copy_sample("lampwing.ahi", &folder.join(name));
    }
    fs::write(folder.join("lines"), "a b.ahi\r\n\nc.ahi\n").expect("the file can be written");
    fs::write(folder.join("zeros"), "a b.ahi\0c.ahi\0").expect("the file can be written");
    for list in ["lines", "zeros"] {
        let output = pspge_in(&folder, &format!("info --json --files-from {list} -q"));
        assert!(output.status.success(), "{list}: {}", text(&output.stderr));
        assert_eq!(text(&output.stdout).lines().count(), 2, "{list}: two documents");
    }
    fs::write(folder.join("empty"), "").expect("the file can be written");
    assert_eq!(pspge_in(&folder, "info --files-from empty").status.code(), Some(2), "no inputs");
    assert_eq!(pspge_in(&folder, "info --files-from absent").status.code(), Some(4), "no list");
}

#[test]
fn all_members_of_a_container_are_inputs() {
    let folder = empty_folder("members");
    copy_sample("lampwing.pac", &folder.join("in/a.pac"));
    for input in ["in/a.pac#*", "in#*"] {
        let output = pspge_in(&folder, &format!("info {input} --report report -q --json"));
        assert!(output.status.success(), "{input}: {}", text(&output.stderr));
        let inputs: Vec<String> = report(&folder.join("report"))
            .iter()
            .map(|line| line["input"].to_string().replace("\\\\", "/"))
            .collect();
        assert!(inputs.len() > 2 && inputs[0].ends_with("in/a.pac#0\""), "{input}: {inputs:?}");
    }
    let output = pspge_in(&folder, "render in/a.pac#* -o out --size 16x16");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(files(&folder.join("out")), ["a.pac.0.png"], "the only member that can be drawn");
}

#[test]
fn failed_inputs_of_a_batch_are_json_documents() {
    let folder = mixed_folder("json");
    let output = pspge_in(&folder, "info in --json");
    assert_eq!(output.status.code(), Some(1), "some are damaged");
    let documents = schema_check::checked(&output.stdout);
    assert_eq!(documents.len(), 7, "one for each input");
    let errors = documents.iter().filter(|document| document["schema"] == "pspge.error/1");
    let codes: Vec<&Value> = errors.map(|document| &document["error"]["code"]).collect();
    assert_eq!(codes, ["damaged", "empty", "foreign-format"], "in the order of the files");
    let single = pspge_in(&folder, "info in/empty.pmo --json");
    assert_eq!(single.status.code(), Some(3), "an only input has its own status");
    let [document] = schema_check::checked(&single.stdout).try_into().expect("one document");
    assert_eq!(document["error"]["message"], "the file is empty", "the error");
}

#[test]
fn notes_can_be_hidden_or_count_as_failures() {
    let folder = empty_folder("notes");
    copy_sample("lampwing.pmo", &folder.join("alone.pmo"));
    let run =
        |options: &str| pspge_in(&folder, &format!("render alone.pmo -o out.png --size 16x16{options}"));
    let output = run("");
    assert!(output.status.success(), "notes are no failures");
    let message = text(&output.stderr);
    assert!(message.starts_with("note: alone.pmo: ") && message.contains("textures"), "{message}");
    assert!(run(" -q").stderr.is_empty(), "hidden");
    let strict = run(" --strict");
    assert_eq!(strict.status.code(), Some(1), "strict");
    assert_eq!(text(&strict.stderr), message, "the notes are printed");
    assert_eq!(run(" --strict -q").status.code(), Some(1), "hidden notes count, too");
    let batch = pspge_in(&folder, "render alone.pmo alone.pmo#0 -o many --size 16x16 --strict");
    assert_eq!(batch.status.code(), Some(1), "in a batch: {}", text(&batch.stderr));
}
