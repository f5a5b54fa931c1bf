//! Tests `pack`: a packed input renders to the same picture as the input itself, background included.
//!
//! The corpus part needs `PSPGE_CORPUS`.

use std::fs;
use std::path::{Path, PathBuf};

use ge_tests::long_checks;

use crate::support::{empty_folder, pspge, sample, samples, text};

fn picture(path: &Path) -> image::DynamicImage {
    image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares an input's picture with its dump's. Returns false if the input cannot be drawn.
fn check(folder: &Path, input: &str, options: &[&str]) -> bool {
    let [dump, before, after] = ["x.ppdmp", "before.png", "after.png"].map(|name| folder.join(name));
    let [dump, before, after] = [&dump, &before, &after].map(|path| path.display().to_string());
    let packed = pspge(&[&["pack", input, "-q", "-o", &dump], options].concat());
    if !packed.status.success() {
        let rendered = pspge(&[&["render", input, "-q", "-o", &before], options].concat());
        assert!(!rendered.status.success(), "{input} can be drawn: {}", text(&packed.stderr));
        return false;
    }
    for run in [
        &[&["render", input, "-q", "-o", before.as_str()], options].concat(),
        &vec!["render", dump.as_str(), "-q", "-o", after.as_str()],
    ] {
        let output = pspge(run);
        assert!(output.status.success(), "{run:?}: {}", text(&output.stderr));
    }
    let [before, after] = [before, after].map(|path| picture(Path::new(&path)));
    assert!(before == after, "{input} {options:?}: the packed picture is the rendered one");
    true
}

/// Compares a file and all its members. Returns how many could be drawn.
fn check_all(folder: &Path, path: &Path) -> usize {
    let input = path.display().to_string();
    let mut drawn = usize::from(check(folder, &input, &[]));
    let members = pspge(&["info", &input, "--json", "-q"]);
    let members: serde_json::Value = serde_json::from_slice(&members.stdout).unwrap_or_default();
    let members = members["members"].as_array().cloned().unwrap_or_default();
    for member in members.iter().filter(|member| !member["format"].is_null()) {
        drawn += usize::from(check(folder, &format!("{input}#{}", member["index"]), &[]));
    }
    drawn
}

#[test]
fn packed_samples_show_the_rendered_picture() {
    let folder = empty_folder("samples");
    let mut samples: Vec<PathBuf> =
        fs::read_dir(samples()).expect("samples").flatten().map(|entry| entry.path()).collect();
    samples.sort();
    let drawn: usize = samples.iter().map(|path| check_all(&folder, path)).sum();
    assert!(drawn >= 10, "samples that can be drawn: {drawn}");
    let camera = ["--background", "ff8000", "--view", "top", "--zoom", "2"];
    assert!(check(&folder, &sample("lampwing.pac"), &camera), "with options");
    assert!(check(&folder, &sample("reedling.arc"), &["--anim", "0", "--frame", "7"]), "in a pose");
}

#[test]
fn packed_corpus_shows_the_rendered_picture() {
    let Ok(corpus) = std::env::var("PSPGE_CORPUS") else {
        eprintln!("PSPGE_CORPUS is not set; the corpus is not checked");
        return;
    };
    let folder = empty_folder("corpus");
    for part in ["models", "frames", "hardware"] {
        let files = walkdir::WalkDir::new(Path::new(&corpus).join(part)).sort_by_file_name();
        let files = files.into_iter().flatten().filter(|entry| entry.file_type().is_file());
        // The library packs all of these files in a test of its own, so a sample has to do for the command.
        let step = if long_checks::are_wanted() { 1 } else { 4 };
        let drawn: usize = files.step_by(step).map(|entry| check_all(&folder, entry.path())).sum();
        assert!(drawn * step >= 10, "{part}: {drawn} can be drawn");
    }
}

/// A picture smaller than the screen gets the background around it, because players show the whole screen.
#[test]
fn small_pictures_have_the_background_around_them() {
    let folder = empty_folder("small");
    let [dump, small, screen] =
        ["x.ppdmp", "small.png", "screen.png"].map(|name| folder.join(name).display().to_string());
    let input = sample("lampwing.pac");
    for run in [
        ["pack", &input, "-q", "--size", "200x100", "-o", &dump].to_vec(),
        ["render", &input, "-q", "--size", "200x100", "-o", &small].to_vec(),
        ["render", &dump, "-q", "-o", &screen].to_vec(),
    ] {
        let output = pspge(&run);
        assert!(output.status.success(), "{run:?}: {}", text(&output.stderr));
    }
    let [small, screen] = [small, screen].map(|path| picture(Path::new(&path)).into_rgb8());
    let background = image::Rgb([0x30, 0x38, 0x40]);
    for (x, y, pixel) in screen.enumerate_pixels() {
        let expected = small.get_pixel_checked(x, y).unwrap_or(&background);
        assert_eq!(pixel, expected, "({x}, {y})");
    }
}

#[test]
fn options_that_cannot_apply_are_refused() {
    let folder = empty_folder("refused");
    let dump = folder.join("x.ppdmp").display().to_string();
    let list = folder.join("x.ge").display().to_string();
    fs::write(&list, "FINISH | END").expect("the file can be written");
    assert!(pspge(&["pack", &sample("lampwing.pac"), "-q", "-o", &dump]).status.success(), "packed");
    let out = folder.join("out.ppdmp").display().to_string();
    for (input, options, message) in [
        (&dump, &["--size", "480x272"][..], "--size cannot apply: a frame dump is not a model"),
        (&dump, &["--background", "112233"], "--background cannot apply: a frame dump is not a model"),
        (&dump, &["--yaw", "0"], "--yaw cannot apply: a frame dump is not a model"),
        (&list, &["--view", "top"], "--view cannot apply: a display list is not a model"),
        (&sample("lampwing.pac"), &["--background", "11223344"], "expected six hexadecimal digits"),
        (&sample("lampwing.pac"), &["--size", "513x272"], "a dump holds at most 512x512 pixels"),
    ] {
        let output = pspge(&[&["pack", input, "-o", &out], options].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {error}");
        assert!(error.contains(message), "{options:?}: {error}");
        assert!(!Path::new(&out).exists(), "{options:?}: no output");
    }
    let output = pspge(&["pack", &sample("lampwing.pac"), "--size", "512x300", "-o", &out]);
    assert!(output.status.success(), "a picture beyond the screen");
    assert!(text(&output.stderr).contains("players show the first 480x272 of 512x300 pixels"), "with a note");
}
