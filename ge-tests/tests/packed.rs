//! Packed models: recorded as frame dumps they replay to the very picture they were recorded from. Holds for every
//! model of every format, so that what an adapter writes is known to be a program for the machine.
//!
//! The samples are always packed; the corpus needs `PSPGE_CORPUS`, the folder that holds `models`.

use std::fs;
use std::path::Path;

use ge_tests::{corpus, sample};
use pspge::arithmetic::Arithmetic;
use pspge::capture::Capture;
use pspge::formats::{self, Content, Request};
use pspge::framebuffer::ColorSurface;
use pspge::interpreter::{Ending, Limits};
use pspge::model::Model;
use pspge::portrait::Portrait;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::record::Recorder;
use pspge::replay;
use pspge::scene::Camera;
use pspge::sink::{NullObserver, Observer};

const WIDTH: u32 = 240;
const HEIGHT: u32 = 136;

fn portrait(zoom: f64) -> Portrait {
    Portrait {
        camera: Camera { yaw: 35.0, pitch: 20.0, zoom },
        width: WIDTH,
        height: HEIGHT,
        background: [0x30, 0x38, 0x40, 0xFF],
        options: RasterOptions::default(),
    }
}

/// Runs a capture; gives the dump that the observer makes of it, if it does, and the pixels.
fn run(capture: &mut Capture, observer: &mut impl Observer) -> (replay::Replayed, Vec<u8>) {
    let mut raster = Rasterizer::new(RasterOptions::default());
    let replayed = replay::run(capture, Arithmetic::Hardware, &mut raster, observer, &Limits::default());
    assert_eq!(replayed.report.ending, Ending::Finished, "the list ends");
    let surface = ColorSurface::from_registers(&replayed.registers);
    let pixels = surface.to_rgba(&capture.memory, WIDTH, HEIGHT).into_raw();
    (replayed, pixels)
}

/// Packs a model's picture, and compares what its dump draws.
fn pack(name: &str, model: &Model, zoom: f64) {
    let mut capture = portrait(zoom).capture(model);
    let mut recorder = Recorder::new(&capture, *b"PSPGE0001");
    let (replayed, expected) = run(&mut capture, &mut recorder);
    let dump = recorder.finish(&replayed.registers).unwrap_or_else(|| panic!("{name}: too large for a dump"));
    let bytes = dump.to_bytes();
    let opened = formats::open(&Request::new(name, &bytes)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let Content::Dump { capture, .. } = opened.content else { panic!("{name}: no dump came out") };
    let (_, found) = run(&mut { *capture }, &mut NullObserver);
    assert!(found == expected, "{name}, magnified {zoom} times: the dump draws another picture");
    let background = expected.get(..4).unwrap_or_default();
    assert!(expected.chunks_exact(4).any(|pixel| pixel != background), "{name}: something is drawn");
}

/// Packs all models of a folder, at rest and where they move in the middle of each animation.
fn pack_all(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut packed = 0;
    for path in paths.iter().filter(|path| path.is_file()) {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(opened) = formats::open(&Request::new(&name, &bytes)) else { continue };
        let Content::Model(mut model) = opened.content else { continue };
        pack(&name, &model, 1.0);
        pack(&name, &model, 4.0);
        if let Some(animation) = model.animations.first() {
            let middle = f64::from(animation.frames) / 2.0;
            model.animate(0, middle);
            pack(&name, &model, 1.0);
        }
        packed += 1;
    }
    packed
}

#[test]
fn samples_pack_to_the_same_picture() {
    let packed = pack_all(&sample::folder());
    assert!(packed >= 7, "models among the samples: {packed}");
}

#[test]
fn the_corpus_packs_to_the_same_picture() {
    let Some(folder) = corpus::folder("models") else { return };
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let folders: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    let packed: usize = folders.iter().map(|folder| pack_all(folder)).sum();
    assert!(packed >= 10, "models of the corpus: {packed}");
}
