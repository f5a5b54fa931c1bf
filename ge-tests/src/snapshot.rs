//! Compares texts, tables and pictures with the accepted results in the workspace's `snapshots` folder.
//!
//! To accept changes, look at the new result, then run this test with `INSTA_UPDATE=always`, as for insta. With any
//! other value (`no` in continuous integration) the test fails if a result differs.

use std::fs;
use std::path::{Path, PathBuf};

use image::{DynamicImage, RgbaImage};

/// Returns an accepted result's path.
#[must_use]
pub fn path(name: &str) -> PathBuf {
    workspace().join("snapshots").join(name)
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns whether to replace accepted results by new results, for the same values as insta.
#[must_use]
pub fn accepts_changes() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|value| matches!(value.as_str(), "always" | "force"))
}

/// Compares a text with the snapshot `NAME.snap`; `FOLDER/NAME` is in a folder.
///
/// # Panics
/// If they differ.
pub fn assert(name: &str, text: &str) {
    let (folder, name) = name.rsplit_once('/').unwrap_or(("", name));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Compares a text with a file stored as it is, without insta's header.
///
/// # Panics
/// If they differ, or if a file cannot be written.
pub fn assert_file(name: &str, text: &str) {
    let path = path(name);
    if accepts_changes() {
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let accepted = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, accepted, "{name} changed; INSTA_UPDATE=always accepts it");
}

/// Compares a picture byte for byte with `frames/NAME.self.png`. If they differ, writes the new picture to
/// `target/ge-tests`, for a person to look at.
///
/// # Errors
/// If the pictures differ, or if there is no accepted picture.
///
/// # Panics
/// If a picture cannot be written.
pub fn compare_picture(name: &str, drawn: &RgbaImage) -> Result<(), String> {
    let accepted_path = path(&format!("frames/{name}.self.png"));
    let drawn_path = workspace().join(format!("target/ge-tests/{name}.png"));
    let save = |path: &Path| {
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        DynamicImage::ImageRgba8(drawn.clone()).into_rgb8().save(path).expect("the picture can be written");
    };
    if accepts_changes() {
        save(&accepted_path);
        return Ok(());
    }
    let accepted = image::open(&accepted_path).map_err(|error| format!("{name}: {error}"))?.into_rgba8();
    if &accepted == drawn {
        return Ok(());
    }
    save(&drawn_path);
    let differing = accepted.pixels().zip(drawn.pixels()).filter(|(a, b)| a != b).count();
    Err(format!("{name}: {differing} pixels differ, see {}", drawn_path.display()))
}
