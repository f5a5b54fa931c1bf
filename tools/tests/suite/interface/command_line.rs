//! Tests the command line as users see it: results, one-line errors and exit statuses.

use std::fs;
use std::path::Path;

use ge_tests::schema_check;

use crate::support::{empty_folder, pspge, sample, text};

/// Runs a command that must succeed, and fails on messages other than notes. Returns its standard output.
fn output_of(arguments: &[&str]) -> Vec<u8> {
    let output = pspge(&[arguments, &["--quiet"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?}: unexpected message: {}", text(&output.stderr));
    output.stdout
}

/// Use this for a command that prints a single document.
fn document_of(arguments: &[&str]) -> serde_json::Value {
    let [document] = schema_check::checked(&output_of(arguments)).try_into().expect("one document");
    document
}

/// Runs a command that must fail with this status. Returns its one-line message.
fn error_of(status: i32, arguments: &[&str]) -> String {
    let output = pspge(&[arguments, &["--quiet"]].concat());
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
    assert!(message.starts_with("error: "), "{arguments:?}: {message}");
    message.trim_end().to_owned()
}

#[test]
fn render_writes_a_picture_of_any_size() {
    let folder = empty_folder("render");
    for (size, width, height) in [("480x272", 480, 272), ("1x1", 1, 1), ("600x33", 600, 33)] {
        let out = folder.join("out.png").display().to_string();
        output_of(&["render", &sample("lampwing.pac"), "-o", &out, "--size", size]);
        assert_eq!(image::image_dimensions(&out).expect("a picture"), (width, height), "{size}");
    }
    let png = output_of(&["render", &sample("lampwing.pmo"), "-o", "-", "--background", "00000000"]);
    let picture = image::load_from_memory(&png).expect("a picture").into_rgba8();
    assert_eq!(picture.get_pixel(0, 0).0, [0; 4], "the background is transparent");
    assert!(picture.pixels().any(|pixel| pixel.0[3] == 255), "the model is opaque");
}

/// Undrawable files are reported, and the others are drawn.
#[test]
fn render_draws_folders() {
    let (inputs, results) = (empty_folder("many-inputs"), empty_folder("many-results"));
    fs::create_dir(inputs.join("deeper")).expect("the folder can be created");
    for (from, to) in
        [("lampwing.pac", "one.pac"), ("lampwing.pmo", "one.pmo"), ("lampwing.pmo", "deeper/two.pmo")]
    {
        fs::copy(sample(from), inputs.join(to)).expect("the file can be copied");
    }
    fs::copy(sample("lampwing.ahi"), inputs.join("bones.ahi")).expect("the file can be copied");
    fs::write(inputs.join("readme.txt"), "nothing to see").expect("the file can be written");
    let model = fs::read(sample("lampwing.pmo")).expect("the file can be read");
    fs::write(inputs.join("broken.pmo"), &model[..100]).expect("the file can be written");
    let (from, to) = (inputs.display().to_string(), results.display().to_string());
    let output = pspge(&["render", &from, "-o", &to, "--size", "16x16"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "a file is not drawn: {message}");
    let errors: Vec<&str> = message.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 1, "none for a file of another program: {message}");
    assert!(errors[0].contains("broken.pmo: at 0x"), "{message}");
    let last = message.lines().last().unwrap_or_default();
    // On Linux the peak memory follows, which is left out.
    let (summary, _) = last.split_once(", peak memory").unwrap_or((last, ""));
    let expected = "3 drawn, 1 with nothing to draw, 1 of no known format, 1 failed (1 damaged)";
    assert_eq!(summary, expected, "summary");
    for name in ["one.pac.png", "one.pmo.png", "deeper/two.pmo.png"] {
        assert!(image::open(results.join(name)).is_ok(), "{name}");
    }
    let found = fs::read_dir(&results).expect("a folder").count();
    assert_eq!(found, 3, "no temporary files remain");
    let two = [sample("lampwing.pac"), sample("lampwing-102.pmo")];
    let output = pspge(&["render", &two[0], &two[1], "-o", &to, "--size", "16x16"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(results.join("lampwing-102.pmo.png").exists(), "several files");
}

#[test]
fn inputs_are_never_overwritten() {
    let folder = empty_folder("overwrite");
    // This model is recognised by its content, not by its name.
    let model = folder.join("model.png").display().to_string();
    fs::copy(sample("lampwing.pmo"), &model).expect("the file can be copied");
    assert!(
        error_of(4, &["render", &model, "-o", &model])
            .ends_with("this file is an input and is not overwritten")
    );
    let original = fs::read(sample("lampwing.pmo")).expect("the file can be read");
    assert_eq!(fs::read(&model).expect("the file can be read"), original, "the file is unchanged");
}

/// Textures and skeleton next to a model are used automatically.
#[test]
fn companion_files_are_found() {
    let folder = empty_folder("companions");
    let draw = |arguments: &[&str], name: &str| {
        let out = folder.join(name).display().to_string();
        output_of(&[&["render", "-o", &out], arguments].concat());
        fs::read(&out).expect("a picture")
    };
    let whole = draw(&[&sample("lampwing.pac")], "whole.png");
    assert!(draw(&[&sample("lampwing.pmo")], "next-to-it.png") == whole, "lampwing.tmh is next to it");
    let alone = folder.join("alone.pmo");
    fs::copy(sample("lampwing.pmo"), &alone).expect("copied");
    let alone = alone.display().to_string();
    assert!(draw(&[&alone], "alone.png") != whole, "without companion files");
    let (tmh, ahi) = (sample("lampwing.tmh"), sample("lampwing.ahi"));
    assert!(draw(&[&alone, "--textures", &tmh, "--skeleton", &ahi], "given.png") == whole, "given by name");
    let textures = Path::new(&tmh).parent().expect("a folder").display().to_string();
    assert!(draw(&[&alone, "--textures", &textures], "folder.png") == whole, "found in a folder");
    let member = format!("{}#pmo", sample("lampwing.pac"));
    assert!(draw(&[&member], "member.png") == whole, "a member uses the other members");
}

/// A model in two files looks like a whole model, by option, by name, in folders, and in every command.
#[test]
fn models_in_two_files_are_read() {
    let folder = empty_folder("two-files");
    let path = |name: &str| folder.join(name).display().to_string();
    let mut first = fs::read(sample("lampwing-102.pmo")).expect("a sample");
    fs::write(path("whole.pmo"), &first).expect("written");
    let offset = u32::from_le_bytes(first[0x34..0x38].try_into().expect("four bytes"));
    let second = first.split_off(offset as usize);
    fs::write(path("first.pmo"), &first).expect("written");
    fs::write(path("second.bin"), &second).expect("written");
    let (model, data) = (path("first.pmo"), path("second.bin"));
    let message = error_of(3, &["info", &model]);
    assert!(message.ends_with("has to be given as mesh data (--mesh-data FILE)"), "{message}");
    let picture = |arguments: &[&str], name: &str| {
        output_of(&[&["render", "-o", &path(name), "--size", "64x64"], arguments].concat());
        fs::read(path(name)).expect("a picture")
    };
    let whole = picture(&[&path("whole.pmo")], "whole.png");
    assert!(picture(&[&model, "--mesh-data", &data], "given.png") == whole, "given by name");
    let commands = ["info", "check", "trace", "decode", "export", "pack", "table", "draw", "pixel", "state"];
    for command in commands {
        let name = path(&format!("{command}.out"));
        let rest: &[&str] = match command {
            "export" => &["-o", &path("model.glb")],
            "pack" => &["-o", &path("model.ppdmp")],
            "table" => &["-o", &name],
            "draw" => &["1"],
            "pixel" => &["240,136"],
            "state" => &["--draw", "1"],
            _ => &[],
        };
        let output = pspge(&[&[command, &model, "--mesh-data", &data], rest].concat());
        let message = text(&output.stderr);
        assert!(!message.contains("mesh data"), "{command}: {message}");
        assert_ne!(output.status.code(), Some(2), "{command}: {message}");
        assert_ne!(output.status.code(), Some(3), "{command}: {message}");
    }
    output_of(&["pack", &path("whole.pmo"), "-o", &path("whole.ppdmp")]);
    let [split_dump, whole_dump] =
        ["model.ppdmp", "whole.ppdmp"].map(|dump| picture(&[&path(dump)], "packed.png"));
    assert!(split_dump == whole_dump, "the packed dump");
    // Here the second file is found next to the model.
    let inputs = folder.join("inputs");
    fs::create_dir(&inputs).expect("a folder");
    fs::copy(&model, inputs.join("one.pmo")).expect("copied");
    fs::copy(&data, inputs.join("one.MESH")).expect("copied");
    let (from, to) = (inputs.display().to_string(), path("outputs"));
    output_of(&["render", &from, "-o", &to, "--size", "64x64"]);
    assert!(fs::read(folder.join("outputs/one.pmo.png")).expect("a picture") == whole, "found in a folder");
    fs::remove_file(inputs.join("one.MESH")).expect("removed");
    output_of(&["render", &from, "--mesh-data", &data, "-o", &to, "--size", "64x64"]);
    assert!(fs::read(folder.join("outputs/one.pmo.png")).expect("a picture") == whole, "given for a folder");
}

/// `decode` leaves out a model's clear, but counts it.
#[test]
fn draws_have_the_same_numbers_in_decode_and_trace() {
    let model = sample("lampwing.pac");
    let numbers = |arguments: &[&str]| {
        let printed = String::from_utf8(output_of(arguments)).expect("text");
        let places = printed.lines().filter_map(|line| Some(line.split_once(": ")?.0.to_owned()));
        places.collect::<Vec<String>>()
    };
    let traced = numbers(&["trace", &model, "--draws"]);
    assert_eq!(numbers(&["decode", &model]), traced[1..], "numbers and addresses");
    assert_eq!(numbers(&["decode", &model, "--only", "0"]), traced[..1], "the clear on request");
}

#[test]
fn info_and_decode_agree() {
    let info = document_of(&["info", &sample("lampwing.pac"), "--json"]);
    let decoded = document_of(&["decode", &sample("lampwing.pac"), "--json"]);
    let draws = decoded["draws"].as_array().expect("draws");
    assert_eq!(info["draws"], draws.len(), "draws");
    let triangles: usize = draws.iter().map(|draw| draw["triangles"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(info["triangles"], triangles, "triangles");
    for corner in ["min", "max"] {
        for axis in 0..3 {
            let all = draws.iter().flat_map(|draw| draw["positions"].as_array().expect("positions"));
            let values = all.map(|position| position[axis].as_f64().expect("a number"));
            let found = if corner == "min" {
                values.fold(f64::MAX, f64::min)
            } else {
                values.fold(f64::MIN, f64::max)
            };
            assert_eq!(info["bounds"][corner][axis].as_f64(), Some(found), "{corner} {axis}");
        }
    }
    let members: Vec<&str> = info["members"]
        .as_array()
        .expect("members")
        .iter()
        .filter_map(|member| member["format"].as_str())
        .collect();
    assert_eq!(members, ["pmo", "ahi", "tmh", "mh-anim"], "a container lists its members");
}

#[test]
fn traces_show_file_offsets() {
    let trace = text(&output_of(&["trace", &sample("lampwing.pmo")]));
    let prim = trace.lines().find(|line| line.contains("PRIM primitive=TRIANGLE_STRIP")).expect("a strip");
    let offset = prim.split_whitespace().nth(1).and_then(|word| word.strip_prefix("+0x")).expect("an offset");
    let offset = usize::from_str_radix(offset, 16).expect("hexadecimal");
    let word = prim.split_whitespace().nth(2).expect("a word");
    let file = fs::read(sample("lampwing.pmo")).expect("the sample");
    let stored = u32::from_le_bytes(file[offset..offset + 4].try_into().expect("a word"));
    assert_eq!(format!("{stored:08x}"), word, "the word at that offset");
    let json = output_of(&["trace", &sample("lampwing.pmo"), "--json", "--first", "3"]);
    assert_eq!(schema_check::checked(&json).len(), 4, "three commands and the end");
    let draws = text(&output_of(&["trace", &sample("lampwing.pmo"), "--draws", "--first", "2"]));
    assert!(draws.starts_with("draw 0 at "), "one line per draw: {draws}");
}

#[test]
fn disassembly_assembles_to_the_file() {
    let folder = empty_folder("disasm");
    for name in ["lampwing.pmo", "lampwing-102.pmo"] {
        let (listing, out) = (folder.join("list.ge"), folder.join("out.bin"));
        let (listing, out) = (listing.display().to_string(), out.display().to_string());
        output_of(&["disasm", &sample(name), "-o", &listing]);
        output_of(&["asm", &listing, "-o", &out]);
        assert!(
            fs::read(&out).expect("the file was written") == fs::read(sample(name)).expect("sample"),
            "{name}"
        );
    }
}

#[test]
fn assembly_is_an_input() {
    let folder = empty_folder("assembly");
    let list = folder.join("list.ge");
    let program = "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271\n\
         REGION2 x=479 y=271 | BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1\n\
         VADDR lo(corners) | PRIM primitive=RECTANGLES count=2 | FINISH | END\n\
         .align 4\ncorners:\n.rgba #102030ff | .s16 0 0 0 | .align 4\n.rgba #102030ff | .s16 10 10 0 | .align 4\n";
    fs::write(&list, program).expect("the file was written");
    let (list, out) = (list.display().to_string(), folder.join("out.png").display().to_string());
    output_of(&["render", &list, "-o", &out]);
    let picture = image::open(&out).expect("a picture").into_rgb8();
    assert_eq!(picture.get_pixel(9, 9).0, [0x10, 0x20, 0x30], "inside");
    assert_eq!(picture.get_pixel(10, 9).0, [0; 3], "outside");
}

#[test]
fn textures_are_written_as_png() {
    let folder = empty_folder("textures").join("new");
    let written =
        text(&output_of(&["textures", &sample("lampwing.tmh"), "-o", &folder.display().to_string()]));
    assert!(written.lines().count() >= 5, "the index, and at least one picture for each texture");
    for path in written.lines().filter(|path| path.ends_with(".png")) {
        let (width, height) = image::image_dimensions(path).expect("a picture");
        assert!(width >= 32 && height >= 32, "{path}: {width}x{height}");
    }
}

#[test]
fn comparison_sets_the_exit_status() {
    let folder = empty_folder("compare");
    let paths: Vec<String> = ["front", "back"]
        .iter()
        .map(|view| folder.join(format!("{view}.png")).display().to_string())
        .collect();
    for (view, path) in ["front", "back"].iter().zip(&paths) {
        output_of(&["render", &sample("lampwing.pac"), "--size", "64x64", "--view", view, "-o", path]);
    }
    let same = text(&output_of(&["compare", &paths[0], &paths[0], "--json"]));
    assert!(same.contains("\"differing_pixels\": 0"), "{same}");
    assert_eq!(pspge(&["compare", &paths[0], &paths[1]]).status.code(), Some(1), "they differ");
    let difference = folder.join("difference.png").display().to_string();
    output_of(&["compare", &paths[0], &paths[1], "--max-mse", "65025", "-o", &difference]);
    assert_eq!(
        image::image_dimensions(&difference).expect("a picture"),
        (64, 64),
        "size of the difference picture"
    );
}

#[test]
fn bench_and_completions() {
    let measured = document_of(&["bench", &sample("lampwing.pac"), "--runs", "2", "--json"]);
    for key in ["median_ms", "min_ms", "commands", "draws", "triangles", "pixels"] {
        assert!(measured[key].as_f64().is_some_and(|number| number > 0.0), "{key}: {measured}");
    }
    assert!(text(&output_of(&["completions", "bash"])).contains("render"), "completions list the commands");
}

#[test]
fn errors_name_file_offset_and_cause() {
    let folder = empty_folder("errors");
    let path = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("the file was written");
        path.display().to_string()
    };
    let model = fs::read(sample("lampwing.pmo")).expect("sample");
    let cut = path("cut.pmo", &model[..100]);
    assert!(error_of(3, &["info", &cut]).starts_with(&format!("error: {cut}: at 0x")), "a cut model");
    let nonsense = path("nonsense.bin", &[0xEE; 64]);
    assert!(
        error_of(3, &["info", &nonsense]).starts_with(&format!("error: {nonsense}: not a file")),
        "no known format"
    );
    let empty = path("empty", &[]);
    assert!(
        error_of(3, &["render", &empty, "-o", "-"]).starts_with(&format!("error: {empty}: ")),
        "empty file"
    );
    let absent = folder.join("absent").display().to_string();
    assert!(error_of(4, &["info", &absent]).starts_with(&format!("error: {absent}: ")), "no file");
    let textures = sample("lampwing.tmh");
    assert!(
        error_of(3, &["render", &textures, "-o", "-"]).contains("holds nothing to draw"),
        "textures have no display list"
    );
    let member = format!("{}#9", sample("lampwing.pac"));
    assert!(error_of(3, &["info", &member]).contains("no member"), "no such member");
    let picture = folder.join("absent/out.png").display().to_string();
    assert!(
        error_of(4, &["render", &sample("lampwing.pac"), "-o", &picture]).contains(&picture),
        "the output folder does not exist"
    );
    assert!(
        error_of(2, &["info", &sample("lampwing.pac"), "--format", "gif"]).contains("no such format"),
        "format"
    );
}

#[test]
fn wrong_usage_is_one_line() {
    for arguments in [
        &["render"][..],
        &["render", "x", "-o", "y", "--size", "0x0"],
        &["render", "x", "-o", "y", "--zoom", "0"],
        &["render", "x", "-o", "y", "--view", "inside"],
        &["info", "x", "--nonsense"],
        &["nonsense"],
        &[][..],
    ] {
        error_of(2, arguments);
    }
    assert!(text(&output_of(&["--help"])).contains("render"), "help lists the commands");
    assert!(text(&output_of(&["render", "--help"])).contains("--background"), "help lists the options");
}

/// A packed dump draws the same picture as its input, and packing it again gives the same bytes.
#[test]
fn pack_keeps_the_picture() {
    let folder = empty_folder("pack");
    let path = |name: &str| folder.join(name).display().to_string();
    let list = "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT 1 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
        VTYPE color=ABGR8888 position=BITS16 through=1 | BASE hi(v) | VADDR lo(v)
        PRIM primitive=RECTANGLES count=2 | PRIM primitive=TRIANGLES count=3 | FINISH | END
        .align 16
        v: .rgba #000000 | .s16 10 20 0 0 | .rgba #3060a0 | .s16 400 200 0 0
        .rgba #ff0000 | .s16 0 0 0 0 | .rgba #00ff00 | .s16 300 20 0 0 | .rgba #0000ff | .s16 20 270 0 0";
    fs::write(path("list.ge"), list).expect("the file can be written");
    for input in [path("list.ge"), sample("lampwing.pac"), sample("orchard.pmdl"), sample("rover.rlb")] {
        output_of(&["pack", &input, "-o", &path("out.ppdmp")]);
        output_of(&["render", &input, "-o", &path("before.png")]);
        output_of(&["render", &path("out.ppdmp"), "-o", &path("after.png")]);
        output_of(&["compare", &path("before.png"), &path("after.png"), "--max-mse", "0"]);
        output_of(&["pack", &path("out.ppdmp"), "-o", &path("again.ppdmp")]);
        let read = |name: &str| fs::read(path(name)).expect("the file was written");
        assert_eq!(read("again.ppdmp"), read("out.ppdmp"), "{input}");
    }
    let info = text(&output_of(&["info", "--json", &path("out.ppdmp")]));
    for part in ["\"format\": \"ppdmp\"", "\"version\": \"6\"", "\"game\": \"PSPGE0001\"", "\"commands\""] {
        assert!(info.contains(part), "{part} in {info}");
    }
    output_of(&["disasm", &path("out.ppdmp"), "-o", &path("out.ge")]);
    output_of(&["asm", &path("out.ge"), "-o", &path("out.bin")]);
    let words = fs::read(path("out.bin")).expect("the file was written").len() / 4;
    let listed = fs::read_to_string(path("out.ge")).expect("the file was written");
    assert_eq!(listed.lines().filter(|line| line.starts_with("    ")).count(), words, "one line per word");
    let draws = text(&output_of(&["trace", "--draws", &path("out.ppdmp")]));
    assert!(draws.lines().any(|line| line.starts_with("draw 0 ") && line.ends_with(" pixels")), "{draws}");
}

/// Octree nodes outside the view are skipped by BJUMP, and the trace shows the jumps.
#[test]
fn nodes_outside_the_view_are_skipped() {
    let orchard = sample("orchard.pmdl");
    let trace = |arguments: &[&str]| {
        let lines = text(&output_of(&[&["trace", orchard.as_str()], arguments].concat()));
        let calls = lines.lines().filter(|line| line.contains(" CALL ")).count();
        // A jump is taken if the next line has its target address.
        let jumped = |line: &str, next: &str| {
            let target = line.split("; 0x").nth(1).unwrap_or_default();
            line.contains(" BJUMP ") && next.starts_with(target)
        };
        let jumps = lines.lines().zip(lines.lines().skip(1)).filter(|(line, next)| jumped(line, next));
        (calls, jumps.count())
    };
    let (all, none) = trace(&["--view", "top"]);
    let (some, jumps) = trace(&["--view", "top", "--zoom", "6"]);
    assert_eq!(none, 0, "all nodes are in view");
    assert!(some * 2 < all && jumps > 4, "{some} of {all} calls, {jumps} jumps");
    // A packed dump has its camera's view.
    let folder = empty_folder("cameras");
    let path = |name: &str| folder.join(name).display().to_string();
    output_of(&["pack", &orchard, "-o", &path("out.ppdmp"), "--view", "top", "--zoom", "6"]);
    output_of(&["render", &path("out.ppdmp"), "-o", &path("dump.png")]);
    let camera = ["--view", "top", "--zoom", "6", "--background", "000000"];
    output_of(&[&["render", orchard.as_str(), "-o", &path("model.png")], camera.as_slice()].concat());
    output_of(&["compare", &path("model.png"), &path("dump.png"), "--max-mse", "0"]);
}

#[test]
fn render_stops_at_a_draw_or_command() {
    let folder = empty_folder("until");
    let path = |name: &str| folder.join(name).display().to_string();
    output_of(&["pack", &sample("lampwing.pac"), "-o", &path("out.ppdmp")]);
    let picture = |until: &str| output_of(&["render", &path("out.ppdmp"), "-o", "-", "--until", until]);
    assert!(picture("draw:0") != picture("draw:4"), "four draws more");
    assert!(picture("command:0") != picture("draw:4"), "the first command draws nothing");
    for wrong in ["draw", "draw:x", "vertex:1", "draw:100000", "command:100000"] {
        let output = pspge(&["render", &path("out.ppdmp"), "-o", "-", "--until", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

/// A Parkan model uses textures from a file, from a folder, or from files next to it.
#[test]
fn parkan_models_find_their_textures() {
    let folder = empty_folder("parkan-textures");
    let path = |name: &str| folder.join(name).display().to_string();
    let model = path("rover-colors.msh");
    fs::create_dir_all(folder.join("all")).expect("the folder can be created");
    fs::copy(sample("rover-colors.msh"), &model).expect("the file can be copied");
    let textures = |arguments: &[&str]| {
        let info = text(&output_of(&[&["info", "--json", &model], arguments].concat()));
        info.lines().find(|line| line.contains("\"textures\":")).unwrap_or_default().trim().to_owned()
    };
    let _ = fs::remove_file(path("TEXTURES.LIB"));
    assert_eq!(textures(&[]), "\"textures\": 0,", "without texture files");
    fs::copy(sample("rover.rlb"), folder.join("all/any.name")).expect("the file can be copied");
    fs::write(folder.join("all/readme"), "no table").expect("the file can be written");
    let archive = sample("rover.rlb");
    for given in [&archive, &path("all")] {
        assert_eq!(textures(&["--textures", given]), "\"textures\": 2,", "{given}");
    }
    fs::copy(sample("rover.rlb"), path("TEXTURES.LIB")).expect("the file can be copied");
    assert_eq!(textures(&[]), "\"textures\": 2,", "with TEXTURES.LIB next to it");
    fs::write(path("rover-colors.wea"), "none").expect("the file can be written");
    let output = pspge(&["info", &model]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    fs::remove_file(path("rover-colors.wea")).expect("the file can be removed");
    assert!(
        error.contains("rover-colors.wea: library: at 0x0: the WEAR table needs a count of rows here\n"),
        "{error}"
    );
    let written = text(&output_of(&["textures", &sample("rover-hull.texm"), "-o", &path("out")]));
    let names: Vec<&str> = written.lines().filter_map(|path| Path::new(path).file_name()?.to_str()).collect();
    assert_eq!(names, ["rover-hull_00.png", "rover-hull_textures.json"], "picture and index");
}

#[test]
fn exports_glb_gltf_and_obj() {
    let folder = empty_folder("export");
    let model = sample("lampwing.pac");
    let at = |name: &str| folder.join(name).display().to_string();
    let glb = at("lampwing.glb");
    assert_eq!(text(&output_of(&["export", &model, "-o", &glb])), format!("{glb}\n"), "one file");
    let bytes = fs::read(&glb).expect("the file was written");
    let length = u32::try_from(bytes.len()).expect("small").to_le_bytes();
    assert_eq!((&bytes[..4], &bytes[8..12]), (&b"glTF"[..], &length[..]), "magic and length");
    assert_eq!(output_of(&["export", &model, "-o", "-"]), bytes, "the same bytes on standard output");

    let listed = text(&output_of(&["export", &model, "-o", &at("a b.gltf")]));
    let last = listed.lines().last().expect("several files");
    assert!(last.ends_with("a b.gltf"), "the file that refers to the others is last: {listed}");
    let json = fs::read_to_string(at("a b.gltf")).expect("the file was written");
    assert!(json.contains("\"uri\": \"a%20b.bin\""), "references are encoded");
    for name in ["a b.bin", "a b_texture_00.png", "a b_texture_03.png"] {
        assert!(Path::new(&at(name)).is_file(), "{name} of {listed}");
    }

    output_of(&["export", &model, "-o", &at("lampwing.obj")]);
    let obj = fs::read_to_string(at("lampwing.obj")).expect("the file was written");
    let count = |start: &str| obj.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("f "), 1484, "triangles");
    assert_eq!(
        (count("v "), count("vt ")),
        (count("vn "), count("v ")),
        "every vertex has a normal and texture coordinates"
    );
    let mtl = fs::read_to_string(at("lampwing.mtl")).expect("the file was written");
    for line in mtl.lines().filter_map(|line| line.strip_prefix("map_Kd ")) {
        assert!(folder.join(line).is_file(), "{line} exists");
    }

    let message = error_of(2, &["export", &model, "-o", &at("lampwing.fbx")]);
    assert!(message.contains(".glb, .gltf or .obj"), "{message}");
    let message = error_of(3, &["export", &sample("lampwing.tmh"), "-o", &glb]);
    assert!(message.contains("holds nothing to export"), "{message}");
}
