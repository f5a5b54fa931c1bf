//! Tests `pspge import-textures`: the way back for pictures from `textures`.

use std::fs;
use std::path::Path;

use ge_tests::schema_check;
use image::{Rgba, RgbaImage};
use serde_json::{Value, json};

use crate::models::archives::{unzip, zip};
use crate::support::{empty_folder, fails, pspge_in, put_sample, read, samples, succeeds};

fn picture(folder: &Path, name: &str) -> RgbaImage {
    image::open(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}")).into_rgba8()
}

fn document(folder: &Path, arguments: &str) -> Value {
    let documents = schema_check::checked(succeeds(folder, &format!("{arguments} --json")).as_bytes());
    let [document] = documents.as_slice() else { panic!("one document") };
    document.clone()
}

/// Collects a member from all pictures.
fn column(document: &Value, member: &str) -> Vec<Value> {
    document["pictures"].as_array().expect("pictures").iter().map(|picture| picture[member].clone()).collect()
}

#[test]
fn pictures_as_they_are_give_the_file_as_it_is() {
    let mut count = 0;
    for entry in fs::read_dir(samples()).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("text");
        let folder = empty_folder(&format!("same-{name}"));
        put_sample(&folder, &name);
        let written = pspge_in(&folder, &format!("textures {name} -o pictures -q"));
        if written.status.code() != Some(0) {
            continue;
        }
        succeeds(&folder, &format!("import-textures {name} pictures -o new"));
        assert!(read(&folder, &name) == read(&folder, "new"), "{name} comes back");
        count += 1;
    }
    assert!(count >= 10, "only {count} samples have textures");
}

#[test]
fn one_changed_picture_changes_one_texture() {
    let folder = empty_folder("one");
    put_sample(&folder, "lampwing.pac");
    succeeds(&folder, "textures lampwing.pac -o pictures");
    let path = "pictures/lampwing_02.png";
    let mut changed = picture(&folder, path);
    changed.put_pixel(3, 2, Rgba([255, 255, 255, 255]));
    changed.save(folder.join(path)).expect("written");
    let document = document(&folder, "import-textures lampwing.pac pictures -o new.pac");
    assert_eq!(column(&document, "result"), ["unchanged", "unchanged", "exact", "unchanged"], "{document}");
    assert_eq!(document["output"], "new.pac", "the file");
    assert_eq!(document["input_bytes"], document["output_bytes"], "of the same size");
    let (before, after) = (read(&folder, "lampwing.pac"), read(&folder, "new.pac"));
    let differing = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    assert_eq!(document["changed_bytes"], json!(differing), "bytes that differ");
    assert!((1..=2).contains(&differing), "only one texel: {differing}");
    succeeds(&folder, "textures new.pac -o again");
    assert!(picture(&folder, "again/new_02.png") == changed, "the picture comes back");
    for other in ["00", "01", "03"] {
        let (old, new) = (format!("pictures/lampwing_{other}.png"), format!("again/new_{other}.png"));
        assert!(picture(&folder, &old) == picture(&folder, &new), "{other} is as it was");
    }
    let text = succeeds(&folder, "import-textures lampwing.pac pictures/lampwing_02.png -o text.pac");
    assert!(text.starts_with("text.pac: 1 of 1 pictures changed, "), "{text}");
    assert!(text.ends_with("  lampwing_02: exact\n"), "{text}");
    assert!(read(&folder, "text.pac") == after, "one picture suffices");
}

#[test]
fn many_colors_are_reduced_well() {
    let folder = empty_folder("many");
    put_sample(&folder, "lampwing.tmh");
    succeeds(&folder, "textures lampwing.tmh -o pictures");
    let path = "pictures/lampwing_00.png";
    let old = picture(&folder, path);
    // Equal squares of four texels leave 8,192 colours, so that the search is short.
    let ramp = RgbaImage::from_fn(old.width(), old.height(), |x, y| {
        let (x, y) = (x & !1, y & !1);
        let channel = |value: u32| u8::try_from(value.min(255)).expect("at most 255");
        Rgba([channel(x * 255 / old.width()), channel(y * 255 / old.height()), 128, 255])
    });
    ramp.save(folder.join(path)).expect("written");
    let mut means = Vec::new();
    for option in ["", " --dither"] {
        let command = format!("import-textures lampwing.tmh {path} -o new.tmh{option}");
        let document = document(&folder, &command);
        assert_eq!(column(&document, "result"), ["nearest"], "256 colours do not suffice");
        succeeds(&folder, "textures new.tmh -o again");
        let new = picture(&folder, "again/new_00.png");
        means.push([1, 4].map(|size| root_mean_square(&ramp, &new, size)));
    }
    let [[plain, plain_blocks], [dithered, dithered_blocks]] = means[..] else { panic!("two pictures") };
    // 16 steps in both directions are off by 4.6 in red and green, by 3.3 in the mean over all channels.
    assert!(plain < 6.0, "off by {plain}");
    // Single dots are farther off, but closer from a distance.
    assert!(dithered < 8.0, "off by {dithered}");
    assert!(
        dithered_blocks < plain_blocks,
        "blocks are off by {dithered_blocks}, without dots by {plain_blocks}"
    );
}

/// Measures how much two pictures differ in the means over blocks of this size.
fn root_mean_square(one: &RgbaImage, other: &RgbaImage, size: u32) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for (x, y) in (0..one.width() / size).flat_map(|x| (0..one.height() / size).map(move |y| (x, y))) {
        for channel in 0..4 {
            let pixels = (0..size * size).map(|number| (x * size + number % size, y * size + number / size));
            let difference: f64 = pixels
                .map(|(x, y)| f64::from(one[(x, y)].0[channel]) - f64::from(other[(x, y)].0[channel]))
                .sum();
            sum += (difference / f64::from(size * size)).powi(2);
            count += 1;
        }
    }
    (sum / f64::from(count)).sqrt()
}

#[test]
fn wrong_pictures_are_refused() {
    let folder = empty_folder("wrong");
    for name in ["lampwing.pmo", "lampwing.tmh", "lampwing.pac"] {
        put_sample(&folder, name);
    }
    succeeds(&folder, "textures lampwing.tmh -o pictures");
    RgbaImage::new(8, 4).save(folder.join("lampwing_00.png")).expect("written");
    RgbaImage::new(8, 4).save(folder.join("other.png")).expect("written");
    fs::write(folder.join("lampwing_01.png"), "no picture").expect("written");
    fs::create_dir(folder.join("empty")).expect("created");
    for (pictures, status, expected) in [
        (
            "lampwing_00.png",
            3,
            "error: lampwing_00.png: the picture has 8x4 pixels, and the texture 256x128\n",
        ),
        (
            "other.png",
            3,
            "error: other.png: no texture of lampwing.tmh has this name: it has lampwing_00.png, lampwing_01.png, \
             lampwing_02.png, lampwing_03.png\n",
        ),
        ("missing.png", 4, "error: missing.png: "),
        ("lampwing_01.png", 3, "error: lampwing_01.png: Format error decoding Png: Invalid PNG signature.\n"),
        (
            "pictures lampwing_00.png",
            3,
            "error: lampwing_00.png: pictures/lampwing_00.png is for the same texture of lampwing.tmh\n",
        ),
        (
            "empty",
            3,
            "error: empty: no picture in it is named after a texture of lampwing.tmh: it has lampwing_00.png, \
             lampwing_01.png, lampwing_02.png, lampwing_03.png\n",
        ),
    ] {
        let (found, error) = fails(&folder, &format!("import-textures lampwing.tmh {pictures} -o new.tmh"));
        assert!(found == Some(status) && error.starts_with(expected), "{pictures}: {found:?} {error}");
        assert!(!folder.join("new.tmh").exists(), "{pictures}: nothing is written");
    }
    // The model's textures are in a file beside it.
    let mut changed = picture(&folder, "pictures/lampwing_02.png");
    changed.put_pixel(0, 0, Rgba([9, 99, 199, 255]));
    changed.save(folder.join("pictures/lampwing_02.png")).expect("written");
    let (status, error) = fails(&folder, "import-textures lampwing.pmo pictures -o new.pmo");
    assert_eq!(status, Some(3), "{error}");
    assert!(error.contains("not in this file, but in a companion: give lampwing.tmh"), "{error}");
    succeeds(&folder, "pack lampwing.pac -o frame.ppdmp");
    let (status, error) = fails(&folder, "import-textures frame.ppdmp pictures -o new.ppdmp");
    assert_eq!(status, Some(3), "{error}");
    let same = "import-textures lampwing.tmh pictures -o lampwing.tmh";
    let (_, error) = fails(&folder, same);
    assert!(error.contains("lampwing.tmh"), "the input is not overwritten: {error}");
}

#[test]
fn outputs_go_where_they_are_wanted() {
    let folder = empty_folder("outputs");
    put_sample(&folder, "swatches.tm2");
    succeeds(&folder, "textures swatches.tm2 -o pictures");
    fs::create_dir(folder.join("out")).expect("created");
    succeeds(&folder, "import-textures swatches.tm2 pictures -o out");
    assert!(read(&folder, "out/swatches.tm2") == read(&folder, "swatches.tm2"), "in a folder");
    let output = pspge_in(&folder, "import-textures swatches.tm2 pictures -o -");
    assert!(output.stdout == read(&folder, "swatches.tm2"), "the file alone on standard output");
    let (status, error) = fails(&folder, "import-textures swatches.tm2 pictures -o - --json");
    assert_eq!(status, Some(2), "{error}");
}

/// Changes textures of a model, and of the texture file beside it.
#[test]
fn archives_keep_their_other_files() {
    let folder = empty_folder("archive");
    for name in ["lampwing.pac", "lampwing.pmo", "lampwing.tmh"] {
        put_sample(&folder, name);
    }
    let file = |name: &str| read(&folder, name);
    let (pac, pmo, tmh) = (file("lampwing.pac"), file("lampwing.pmo"), file("lampwing.tmh"));
    let inside = zip(&[("readme.txt", b"hello"), ("lampwing.pac", &pac)]);
    let beside = zip(&[("m.pmo", &pmo), ("m.tmh", &tmh), ("readme.txt", b"hello")]);
    for (name, loose, member, bytes) in [
        ("inside.zip", "lampwing.pac", "lampwing.pac", inside),
        ("beside.zip", "lampwing.tmh", "m.tmh", beside),
    ] {
        fs::write(folder.join(name), &bytes).expect("written");
        let stem = name.strip_suffix(".zip").expect("an archive");
        succeeds(&folder, &format!("textures {name} -o {stem} -q"));
        succeeds(&folder, &format!("import-textures {name} {stem} -o same.zip"));
        assert!(file("same.zip") == bytes, "{name}: as it was");
        let path = format!("{stem}/{stem}_02.png");
        let mut changed = picture(&folder, &path);
        changed.put_pixel(3, 2, Rgba([255, 255, 255, 255]));
        changed.save(folder.join(&path)).expect("written");
        let text = succeeds(&folder, &format!("import-textures {name} {stem} -o new.zip"));
        assert!(text.starts_with("new.zip: 1 of 4 pictures changed"), "{name}: {text}");
        // The loose file is changed in the same way.
        fs::copy(folder.join(&path), folder.join("lampwing_02.png")).expect("copied");
        succeeds(&folder, &format!("import-textures {loose} lampwing_02.png -o loose"));
        let unpacked = |name: &str| unzip(&file("new.zip"), name);
        assert!(unpacked(member) == file("loose"), "{name}: as the loose file");
        assert_eq!(unpacked("readme.txt"), b"hello", "{name}: another file");
        if name == "beside.zip" {
            assert!(unpacked("m.pmo") == pmo, "the model");
        }
    }
}
