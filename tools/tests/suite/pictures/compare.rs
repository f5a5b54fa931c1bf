//! Tests `pspge compare`: figures, bounds, pictures of the difference, drawn inputs, folders, and damaged files.

use std::fs;
use std::path::Path;

use ge_tests::{schema_check, snapshot};
use image::{GrayImage, ImageBuffer, Luma, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::Value;

use crate::support::{copy_sample, empty_folder, pspge_in, text};

fn compare(folder: &Path, arguments: &str) -> (i32, String, String) {
    let output = pspge_in(folder, &format!("compare {arguments}"));
    (output.status.code().expect("a status"), text(&output.stdout), text(&output.stderr))
}

/// Runs `pspge compare --json`, checks its document against its schema, and returns it after the status.
fn document(folder: &Path, arguments: &str) -> (i32, Value) {
    let (status, json, message) = compare(folder, &format!("{arguments} --json"));
    let documents = schema_check::checked(json.as_bytes());
    assert_eq!(documents.len(), 1, "one document: {message}");
    (status, documents.into_iter().next().expect("one document"))
}

/// Makes a picture with a gradient.
fn gradient(width: u32, height: u32) -> RgbImage {
    let level = |value: u32| u8::try_from(value % 256).expect("a byte");
    RgbImage::from_fn(width, height, |x, y| Rgb([level(x * 9), level(y * 11), level(x * y)]))
}

/// Writes `a.png`, and `b.png`, which differs in a few pixels.
fn write_pair(folder: &Path) {
    let first = gradient(24, 16);
    let mut second = first.clone();
    for (x, y, red) in [(3, 2, 1), (10, 5, 2), (20, 12, 70)] {
        second.get_pixel_mut(x, y).0[0] ^= red;
    }
    first.save(folder.join("a.png")).expect("written");
    second.save(folder.join("b.png")).expect("written");
}

#[test]
fn texts() {
    let folder = empty_folder("texts");
    write_pair(&folder);
    let mut transcript = String::new();
    for arguments in [
        "a.png b.png",
        "a.png a.png",
        "a.png b.png --tolerance 2",
        "a.png b.png --tolerance 2 --max-pixels 1%",
        "a.png b.png --max-mse 1 --min-psnr 40 --min-ssim 0.999",
        "a.png b.png --region 0,0,12x6 --region 2,2,4x4",
        "a.png b.png --offset 20,0",
    ] {
        let (status, figures, message) = compare(&folder, arguments);
        transcript.push_str(&format!("$ pspge compare {arguments}\n{figures}{message}status {status}\n\n"));
    }
    snapshot::assert("compare/texts", &transcript);
}

#[test]
fn deep_pictures_are_compared_in_full() {
    let folder = empty_folder("deep");
    let depth = |value: u16| ImageBuffer::<Luma<u16>, Vec<u16>>::from_pixel(16, 16, Luma([value]));
    depth(30000).save(folder.join("a.png")).expect("written");
    depth(30100).save(folder.join("b.png")).expect("written");
    let (status, difference) = document(&folder, "a.png b.png");
    assert_eq!(status, 1, "100 steps of depth are a difference");
    assert_eq!((&difference["bits"], &difference["largest_difference"]), (&16.into(), &100.into()));
    assert_eq!(difference["mse"], 10_000.0, "in steps of 16 bits");
    assert_eq!(difference["schema"], "pspge.difference/1", "a document of a published schema");
    GrayImage::from_pixel(16, 16, Luma([117])).save(folder.join("narrow.png")).expect("written");
    let (_, difference) = document(&folder, "narrow.png b.png");
    assert_eq!((&difference["input_bits"], &difference["reference_bits"]), (&8.into(), &16.into()));
    assert_eq!(difference["largest_difference"], 30100 - 117 * 257, "8 bits widen");
    assert_eq!(document(&folder, "a.png b.png --tolerance 99").0, 1, "one step too few");
    assert_eq!(document(&folder, "a.png b.png --tolerance 100").0, 0, "within the tolerance");
}

#[test]
fn identical_pictures_have_no_ratio() {
    let folder = empty_folder("identical");
    write_pair(&folder);
    let (status, difference) = document(&folder, "a.png a.png --min-psnr 100");
    assert_eq!((status, &difference["identical"]), (0, &true.into()), "the ratio is infinite");
    assert!(difference["psnr"].is_null() && difference["first"].is_null(), "{difference}");
    assert_eq!((&difference["ssim"], &difference["mse"]), (&1.0.into(), &0.0.into()), "{difference}");
}

#[test]
fn alpha_and_masks() {
    let folder = empty_folder("alpha");
    let with_alpha = |alpha| RgbaImage::from_pixel(4, 4, Rgba([9, 8, 7, alpha]));
    with_alpha(200).save(folder.join("a.png")).expect("written");
    RgbImage::from_pixel(4, 4, Rgb([9, 8, 7])).save(folder.join("opaque.png")).expect("written");
    assert_eq!(
        document(&folder, "a.png opaque.png").1["channels"][3]["largest_difference"],
        55,
        "opaque is 255"
    );
    assert_eq!(document(&folder, "a.png opaque.png --max-mse 1").0, 1, "alpha is bounded, too");
    assert_eq!(document(&folder, "a.png opaque.png --ignore-alpha").0, 0, "without it, nothing differs");
    let mut other = with_alpha(200);
    other.put_pixel(1, 2, Rgba([0; 4]));
    other.save(folder.join("b.png")).expect("written");
    let mask = |shown: bool| {
        let is_white = |x, y| ((x, y) == (1, 2)) == shown;
        GrayImage::from_fn(4, 4, |x, y| Luma([if is_white(x, y) { 255 } else { 0 }]))
    };
    mask(true).save(folder.join("shown.png")).expect("written");
    mask(false).save(folder.join("hidden.png")).expect("written");
    let (status, difference) = document(&folder, "a.png b.png --mask shown.png");
    assert_eq!((status, &difference["counted_pixels"]), (1, &1.into()), "the pixel that differs");
    let (status, difference) = document(&folder, "a.png b.png --mask hidden.png");
    assert_eq!((status, &difference["counted_pixels"]), (0, &15.into()), "the others");
}

#[test]
fn pictures_of_the_difference() {
    let folder = empty_folder("pictures");
    write_pair(&folder);
    let sizes = [
        ("d.png", "", [24, 16]),
        ("h.png", "--show heat-map", [24, 16]),
        ("s.png", "--show side-by-side --factor auto", [72, 16]),
        ("f.apng", "--delay 100", [24, 16]),
        ("f.png", "--show flip", [24, 16]),
    ];
    for (name, options, size) in sizes {
        let arguments = format!("a.png b.png -o {name} {options}");
        let (status, _, message) = compare(&folder, arguments.trim_end());
        assert_eq!((status, message.as_str()), (1, ""), "{name}");
        let bytes = fs::read(folder.join(name)).expect("a picture");
        let picture = image::load_from_memory(&bytes).expect("a PNG picture");
        assert_eq!([picture.width(), picture.height()], size, "{name}");
        let is_animated = bytes.windows(4).any(|name| name == b"acTL");
        assert_eq!(is_animated, name.starts_with('f'), "{name}");
    }
    let difference = image::open(folder.join("d.png")).expect("a picture").into_rgb8();
    assert_eq!(difference.get_pixel(10, 5).0, [16, 0, 0], "2 times 8");
    assert_eq!(difference.get_pixel(0, 0).0, [0, 0, 0], "equal");
}

#[test]
fn wrong_outputs_are_not_written() {
    let folder = empty_folder("wrong");
    write_pair(&folder);
    let mut transcript = String::new();
    for arguments in [
        "a.png b.png -o d.jpg",
        "a.png b.png -o d",
        "a.png b.png -o -",
        "a.png b.png -o d.apng --show heat-map",
        "a.png b.png -o d.png --delay 5",
        "a.png b.png -o d.png --show heat-map --factor 2",
        "a.png b.png -o a.png",
        "a.png b.png --factor 2",
        "a.png b.png --factor 0 -o d.png",
        "a.png b.png --tolerance 1,2",
        "a.png b.png --max-pixels 200%",
        "a.png b.png --max-mse NaN",
        "a.png b.png --region 0,0,0x1",
        "a.png b.png --region 20,0,5x1",
        "a.png b.png --offset 24,0",
        "a.png b.png --mask nope.png",
        "a.png b.png --region 0,0,5x5 --min-ssim 0.5",
        "a.png b.png --size 24x16",
        "a.png b.png --view front",
        "a.png b.png --shard 1/2",
        "a.png .",
        "- -",
        "a.png",
    ] {
        let (status, figures, message) = compare(&folder, arguments);
        assert_eq!((figures.as_str(), status == 0), ("", false), "{arguments}");
        transcript.push_str(&format!("$ pspge compare {arguments}\n{message}status {status}\n\n"));
    }
    snapshot::assert("compare/wrong_options", &transcript);
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2, "no file was written");
}

#[test]
fn damaged_and_missing_files_have_statuses_of_their_own() {
    let folder = empty_folder("damaged");
    write_pair(&folder);
    copy_sample("lampwing.tmh", &folder.join("lampwing.tmh"));
    let whole = fs::read(folder.join("a.png")).expect("a picture");
    fs::write(folder.join("cut.png"), &whole[..60]).expect("written");
    let mut damaged = whole.clone();
    damaged[70] ^= 0x55;
    fs::write(folder.join("crc.png"), &damaged).expect("written");
    // The picture is complete, but the file is not.
    fs::write(folder.join("no-end.png"), &whole[..whole.len() - 12]).expect("written");
    fs::write(folder.join("notes.png"), "dear diary").expect("written");
    gradient(8, 8).save(folder.join("small.png")).expect("written");
    let mut transcript = String::new();
    for arguments in [
        "a.png cut.png",
        "crc.png a.png",
        "a.png no-end.png",
        "a.png notes.png",
        "a.png lampwing.tmh",
        "a.png small.png",
        "a.png nope.png",
        "a.png b.png --mask cut.png",
        "a.png b.png --mask small.png",
    ] {
        let (status, _, message) = compare(&folder, arguments);
        transcript.push_str(&format!("$ pspge compare {arguments}\n{message}status {status}\n\n"));
    }
    snapshot::assert("compare/damaged", &transcript);
    let (status, error) = document(&folder, "a.png cut.png");
    assert_eq!((status, &error["error"]["code"]), (3, &"damaged".into()), "JSON, too");
    assert_eq!((&error["error"]["file"], &error["error"]["offset"]), (&"cut.png".into(), &60.into()));
}

#[test]
fn other_formats_are_read() {
    let folder = empty_folder("formats");
    let picture = gradient(24, 16);
    for name in ["a.png", "a.bmp", "a.tga", "a.webp", "a.ppm", "a.qoi"] {
        picture.save(folder.join(name)).expect("written");
        let (status, difference) = document(&folder, &format!("a.png {name}"));
        assert_eq!((status, &difference["identical"]), (0, &true.into()), "{name}");
    }
    picture.save(folder.join("a.jpg")).expect("written");
    let (status, difference) = document(&folder, "a.png a.jpg --min-psnr 20");
    assert_eq!((status, &difference["identical"]), (0, &false.into()), "lossy: {difference}");
    assert!(compare(&folder, "a.png a.jpg").1.contains("a.jpg: JPEG, 24x16, RGB, 8 bits"), "its format");
}

#[test]
fn models_and_lists_are_drawn_as_render_draws_them() {
    let folder = empty_folder("drawn");
    for sample in ["lampwing.pac", "lampwing.pmo"] {
        copy_sample(sample, &folder.join(sample));
    }
    let list = "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888\nSCISSOR2 x=479 y=271 | REGION2 x=479 y=271\n\
        BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)\n\
        PRIM primitive=RECTANGLES count=2\nFINISH | END\n.align 4\ncorners:\n\
        .rgba #ff0000ff | .s16 8 8 100 | .align 4\n.rgba #ff0000ff | .s16 40 40 100 | .align 4\n";
    fs::write(folder.join("list.ge"), list).expect("written");
    for (render, arguments) in [
        ("lampwing.pac -o o.png --size 64x48", "lampwing.pac o.png"),
        (
            "lampwing.pac -o o.png --size 64x48 --view back --zoom 2",
            "o.png lampwing.pac --view back --zoom 2",
        ),
        (
            "lampwing.pac -o o.png --size 64x48 --background 00000000",
            "lampwing.pac o.png --background 00000000",
        ),
        ("lampwing.pac -o o.png --size 64x48 --wireframe", "lampwing.pac o.png --wireframe"),
        ("lampwing.pac -o o.png --size 64x48 --buffer depth", "lampwing.pac o.png --buffer depth"),
        ("list.ge -o o.png", "list.ge o.png"),
        ("list.ge -o o.png --size 512x272", "list.ge o.png"),
        ("list.ge -o o.png --buffer depth", "list.ge o.png --buffer depth"),
        ("list.ge -o o.png --buffer stencil", "list.ge o.png --buffer stencil"),
        ("list.ge -o o.png --buffer color", "list.ge o.png --buffer color"),
        ("lampwing.pac -o o.png --size 64x48 --buffer stencil", "lampwing.pac o.png --buffer stencil"),
    ] {
        let drawn = pspge_in(&folder, &format!("render {render}"));
        assert!(drawn.status.success(), "{render}: {}", text(&drawn.stderr));
        let (status, difference) = document(&folder, arguments);
        assert_eq!((status, &difference["identical"]), (0, &true.into()), "{arguments}: {difference}");
    }
    let (status, difference) = document(&folder, "lampwing.pac lampwing.pmo --size 64x48");
    assert_eq!(
        (&difference["input"], &difference["reference"]),
        (&"lampwing.pac".into(), &"lampwing.pmo".into())
    );
    assert_eq!(status == 0, difference["differing_pixels"] == 0, "model against model");
    let figures = compare(&folder, "lampwing.pac lampwing.pac#0 --size 32x32").1;
    assert!(figures.contains("lampwing.pac#0: pmo, drawn, 32x32, RGB, 8 bits"), "{figures}");
    let (status, _, message) = compare(&folder, "list.ge list.ge --view front");
    assert_eq!((status, message.contains("neither input is a model")), (2, true), "{message}");
    let (status, _, message) = compare(&folder, "list.ge list.ge --anim 0");
    assert_eq!((status, message.contains("--anim cannot apply")), (2, true), "{message}");
}

#[test]
fn drawn_inputs_print_their_notes() {
    let folder = empty_folder("notes");
    fs::write(folder.join("wild.ge"), "FRAMEBUFWIDTH width=512 | RET | FINISH | END\n").expect("written");
    fs::write(folder.join("calm.ge"), "FRAMEBUFWIDTH width=512 | FINISH | END\n").expect("written");
    let (status, _, message) = compare(&folder, "calm.ge wild.ge");
    assert_eq!(status, 0, "{message}");
    let note = "note: wild.ge: at address 0x08800004: return with an empty stack: ignored\n";
    assert_eq!(message, note, "of B, by name");
    assert_eq!(compare(&folder, "calm.ge wild.ge --strict").0, 1, "notes count with --strict");
    assert_eq!(compare(&folder, "calm.ge wild.ge -q").2, "", "hidden with -q");
    fs::write(folder.join("empty.ge"), "FINISH | END\n").expect("written");
    let note = "note: empty.ge: the list sets no such buffer up; its picture is black\n";
    assert_eq!(compare(&folder, "empty.ge calm.ge").2, note, "no picture was drawn");
    let (_, difference) = document(&folder, "wild.ge calm.ge");
    assert_eq!(difference["notes"].as_array().map(Vec::len), Some(1), "in JSON, too: {difference}");
    write_pair(&folder);
    assert_eq!(compare(&folder, "a.png b.png -o flip.apng").0, 1, "they differ");
    let note = "note: flip.apng: an animation of 2 pictures: only the first is compared\n";
    assert_eq!(compare(&folder, "flip.apng a.png").2, note, "the rest of an animation is left out");
}

#[test]
fn folders_are_compared_pair_by_pair() {
    let folder = empty_folder("folders");
    for side in ["a", "b"] {
        fs::create_dir_all(folder.join(side).join("deep")).expect("a folder");
        let save = |name: &str, picture: &RgbImage| {
            picture.save(folder.join(side).join(name)).expect("written");
        };
        let mut picture = gradient(24, 16);
        save("same.png", &picture);
        save(&format!("only-{side}.png"), &picture);
        if side == "b" {
            picture.get_pixel_mut(1, 1).0[2] ^= 3;
        }
        save("deep/changed.png", &picture);
    }
    fs::write(folder.join("a/list.ge"), "FINISH | END\n").expect("written");
    RgbImage::new(32, 32).save(folder.join("b/list.png")).expect("written");
    let (status, lines, message) = compare(&folder, "a b -o out --report report.jsonl");
    assert_eq!(status, 1, "{message}");
    snapshot::assert("compare/folders", &lines);
    assert!(message.contains("2 equal, 1 differ, 2 failed (2 no-counterpart)"), "{message}");
    let pictures = fs::read_dir(folder.join("out/deep")).expect("a folder");
    let names: Vec<_> = pictures.map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(names, ["changed.png.difference.png"], "the pair that differs");
    assert_eq!(fs::read_dir(folder.join("out")).expect("a folder").count(), 1, "and no other");
    let report = fs::read_to_string(folder.join("report.jsonl")).expect("a report");
    assert_eq!(report.lines().count(), 5, "a line for each pair");
    let (status, json, _) = compare(&folder, "a b --json --tolerance 3 --threads 3");
    assert_eq!(status, 1, "two files are missing");
    let lines = schema_check::checked(json.as_bytes());
    let result = |line: &Value| {
        let input = line["input"].as_str().expect("a name").replace('\\', "/");
        match line["error"]["code"].as_str() {
            Some(code) => format!("{input} {code}"),
            None => format!("{input} {} {}", line["equal"], line["identical"]),
        }
    };
    let results: Vec<String> = lines.iter().map(result).collect();
    let expected = [
        "a/deep/changed.png true false",
        "a/list.ge true true",
        "a/only-a.png no-counterpart",
        "b/only-b.png no-counterpart",
        "a/same.png true true",
    ];
    assert_eq!(results, expected, "in the order of the names");
}
