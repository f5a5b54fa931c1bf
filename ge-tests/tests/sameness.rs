//! The fast rasterizer against the reference: whatever is drawn, VRAM ends the same, byte for byte.
//!
//! Needs `PSPGE_CORPUS` for the frames of games; without it that test says so and passes.

use std::fs;
use std::path::Path;

use ge_tests::corpus;
use pspge::arithmetic::Arithmetic;
use pspge::arithmetic::simd::Instructions;
use pspge::capture::Capture;
use pspge::formats::{self, Content, Request};
use pspge::interpreter::Limits;
use pspge::raster::{Engine, RasterOptions, Rasterizer, Statistics};
use pspge::replay;
use pspge::sink::NullObserver;

fn open(path: &Path) -> Capture {
    let name = path.display().to_string();
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let opened =
        formats::open(&Request::new(&name, &bytes)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let Content::Dump { capture, .. } = opened.content else { panic!("{name}: not a frame dump") };
    *capture
}

fn draw(capture: &Capture, options: RasterOptions) -> (Statistics, Vec<u8>) {
    let mut capture = capture.clone();
    let mut raster = Rasterizer::new(options);
    replay::run(&mut capture, options.arithmetic, &mut raster, &mut NullObserver, &Limits::default());
    (raster.statistics(), capture.memory.vram().to_vec())
}

#[test]
fn dumps() {
    let mut wrong = Vec::new();
    for folder in ["hardware", "frames"].into_iter().filter_map(corpus::folder) {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("can be listed").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "ppdmp"));
        paths.sort();
        for path in paths {
            let capture = open(&path);
            for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
                let options = RasterOptions { arithmetic, ..RasterOptions::default() };
                let expected = draw(&capture, RasterOptions { engine: Engine::Reference, ..options });
                for instructions in [Instructions::Best, Instructions::Portable] {
                    let found = draw(&capture, RasterOptions { instructions, ..options });
                    let differing = expected.1.iter().zip(&found.1).filter(|(a, b)| a != b).count();
                    if differing > 0 || expected.0 != found.0 {
                        let first = expected.1.iter().zip(&found.1).position(|(a, b)| a != b);
                        wrong.push(format!(
                            "{} {arithmetic:?} {instructions:?}: {differing} bytes, the first at {first:x?}; {:?} \
                             instead of {:?}",
                            path.display(),
                            found.0,
                            expected.0
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "not what the reference draws:\n{}", wrong.join("\n"));
}
