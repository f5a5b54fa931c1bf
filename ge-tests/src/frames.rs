//! Finds and draws the corpus's recorded frames.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use image::{DynamicImage, RgbImage};
use pspge::ge::arithmetic::Arithmetic;
use pspge::pipeline::framebuffer;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::interpreter::Limits;
use pspge::run::replay;
use pspge::run::sink::NullObserver;

use crate::{corpus, input, long_checks};

/// Lists all dumps in a folder, by name.
///
/// # Panics
/// If the folder cannot be listed.
#[must_use]
pub fn dumps(folder: &Path) -> BTreeMap<String, PathBuf> {
    let dumps = input::entries(folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "ppdmp"));
    dumps.map(|path| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path)).collect()
}

/// Lists the corpus's frame dumps: everything if this is wanted, otherwise a third, as [`long_checks::sample`]
/// chooses. Without a corpus there are none, and a message says so.
pub fn sampled_dumps(first: usize) -> impl Iterator<Item = PathBuf> {
    let all = corpus::folder("frames").map(|folder| dumps(&folder)).unwrap_or_default();
    long_checks::sample(all.into_values(), first)
}

/// Replays a dump and returns the displayed picture.
///
/// # Panics
/// If the file is not a frame dump, or displays no picture.
#[must_use]
pub fn draw(dump: &Path, arithmetic: Arithmetic) -> RgbImage {
    let name = dump.display().to_string();
    let (mut capture, _) = input::frame_dump(&name, &input::read(dump));
    let mut raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
    let replayed = replay::run(&mut capture, arithmetic, &mut raster, &mut NullObserver, &Limits::default());
    let display = replayed.display.unwrap_or_else(|| panic!("{name}: no display"));
    DynamicImage::ImageRgba8(framebuffer::displayed(display, &capture.memory, 480, 272)).into_rgb8()
}

/// Reads a dump's reference picture: the PNG file with the same name.
///
/// # Panics
/// If this file is missing.
#[must_use]
pub fn reference(dump: &Path) -> RgbImage {
    read_picture(&dump.with_extension("png"))
}

/// Reads a dump's second reference picture, drawn by a renderer based on measurements from real consoles. Returns
/// `None` if the corpus has none for this dump.
///
/// # Panics
/// If the file cannot be read.
#[must_use]
pub fn measured_reference(dump: &Path) -> Option<RgbImage> {
    let path = dump.with_extension("peer-2026-11.png");
    path.exists().then(|| read_picture(&path))
}

fn read_picture(path: &Path) -> RgbImage {
    image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into_rgb8()
}
