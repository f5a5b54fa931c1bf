//! Checks that frame dumps written by `pack` draw the same as their source: the samples, every model in the corpus
//! that opens, in its first pose and in the middle of its first animation, every dump in the corpus, and the lists
//! from the conformance cases.
//!
//! For the corpus part, set `PSPGE_CORPUS`; it tests all files there.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ge_tests::case::{self, Case};
use ge_tests::damage::count_parallel;
use ge_tests::{corpus, input, sample};
use image::{Rgba, RgbaImage};
use pspge::asm;
use pspge::export::recorder::Recorder;
use pspge::formats::ppdmp::{self, Dump};
use pspge::formats::{self, Content, Format, Request};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::overrides::Overrides;
use pspge::model::Model;
use pspge::pipeline::framebuffer::{self, ColorSurface};
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::interpreter::{Ending, Limits};
use pspge::run::replay::{self, Replayed};
use pspge::run::sink::{NullObserver, Observer};
use pspge::scene::camera::Camera;
use pspge::scene::render::ModelRenderer;

/// Draws a whole capture.
fn run(capture: &mut Capture, observer: &mut impl Observer) -> Replayed {
    let mut raster = Rasterizer::new(RasterOptions::default());
    replay::run(capture, Arithmetic::Hardware, &mut raster, observer, &Limits::default())
}

/// Writes a dump and reads it again.
fn through_file(name: &str, dump: &Dump) -> (Box<Capture>, Arc<Dump>) {
    input::frame_dump(name, &dump.to_bytes())
}

/// Records how a model is rendered and replays this from a file. VRAM has to be equal everywhere, including depth.
fn pack(name: &str, model: &Model, zoom: f64) {
    let renderer = ModelRenderer {
        camera: Camera { yaw: 35.0, pitch: 20.0, zoom },
        width: 240,
        height: 136,
        background: [0x30, 0x38, 0x40, 0xFF],
        options: RasterOptions::default(),
        limits: Limits::default(),
        overrides: Overrides::default(),
    };
    let mut original = renderer.capture(model);
    let mut recorder = Recorder::new(&original, *b"TEST00001", &Limits::default());
    let drawn = run(&mut original, &mut recorder);
    assert_eq!(drawn.report.ending, Ending::Finished, "{name}: the list finishes");
    let dump = recorder.finish(&drawn.registers).unwrap_or_else(|| panic!("{name}: small enough for a dump"));
    let (mut copy, read) = through_file(name, &dump);
    assert!(*read == dump, "{name}: read back as written");
    let replayed = run(&mut copy, &mut NullObserver);
    assert_eq!(replayed.report.draws, drawn.report.draws, "{name}: draws");
    assert!(original.memory.vram() == copy.memory.vram(), "{name}, magnified {zoom} times: equal VRAM");
    let display = replayed.display.unwrap_or_else(|| panic!("{name}: no display"));
    let screen = framebuffer::displayed(display, &copy.memory, 480, 272);
    let rendered = renderer.render(model, &mut |_| {}).colors;
    let expected = RgbaImage::from_fn(480, 272, |x, y| {
        let inside = x < rendered.width() && y < rendered.height();
        if inside { *rendered.get_pixel(x, y) } else { Rgba(renderer.background) }
    });
    assert!(
        screen == expected,
        "{name}, magnified {zoom} times: the rendered picture, on a screen without rest"
    );
    // From nearby, a picture may show only the model's transparent middle.
    let is_empty = rendered.pixels().all(|pixel| pixel.0 == renderer.background);
    assert!(zoom > 1.0 || !is_empty, "{name}: the picture is not empty");
}

/// Packs a model in its first pose, also from nearby, and in the middle of its first animation.
fn pack_poses(name: &str, mut model: Box<Model>) {
    pack(name, &model, 1.0);
    pack(name, &model, 4.0);
    if let Some(middle) = model.animations.first().map(|animation| f64::from(animation.frames) / 2.0) {
        model.animate(0, middle);
        pack(&format!("{name}, moved"), &model, 1.0);
    }
}

/// Writes a dump in the newest version and reads it again. If the original has another version, both must show the
/// same picture.
fn rewrite(name: &str, mut capture: Box<Capture>, dump: &Dump) {
    let newest = dump.upgraded();
    let (mut copy, read) = through_file(name, &newest);
    assert!(*read == newest, "{name}: read back as written");
    assert_eq!((read.version, read.game_id), (ppdmp::VERSION, dump.game_id), "{name}: newest version");
    if *dump == newest {
        return;
    }
    let [before, after] = [&mut capture, &mut copy].map(|capture| {
        let replayed = run(capture, &mut NullObserver);
        let display = replayed.display.unwrap_or_else(|| panic!("{name}: no display"));
        framebuffer::displayed(display, &capture.memory, 480, 272)
    });
    assert!(before == after, "{name}: the same picture");
}

/// Packs a file and, if it is a container, each member. Returns how many could be drawn.
fn pack_file(path: &Path) -> usize {
    let bytes = input::read(path);
    let textures = companion(path, "tmh");
    let name = path.display().to_string();
    let request = |member| Request {
        member,
        textures: textures.as_ref().map(|bytes| formats::File { name: "textures", bytes }),
        ..Request::new(&name, &bytes)
    };
    // Other tests check damaged files and companions, so this skips them.
    let Ok(opened) = formats::open(&request(None)) else { return 0 };
    let members: Vec<String> = (0..opened.members.len()).map(|number| number.to_string()).collect();
    let mut drawn = 0;
    let mut pack_content = |name: &str, content: Content| match content {
        Content::Model(model) if drawn == 0 => {
            pack_poses(name, model);
            drawn += 1;
        }
        Content::Model(model) => {
            pack(name, &model, 1.0);
            drawn += 1;
        }
        Content::Frame { capture, recording, .. } => {
            rewrite(name, capture, recording.downcast_ref().expect("a frame dump"));
            drawn += 1;
        }
        _ => {}
    };
    pack_content(&name, opened.content);
    for member in &members {
        if let Ok(opened) = formats::open(&request(Some(member))) {
            pack_content(&format!("{name}#{member}"), opened.content);
        }
    }
    drawn
}

/// Returns the companion file with this extension, if it has the format with this name.
fn companion(path: &Path, ending: &str) -> Option<Vec<u8>> {
    let other = path.with_extension(ending);
    let bytes = (other != path).then(|| fs::read(other).ok()).flatten()?;
    (formats::sniff(&bytes).map(Format::name) == Some(ending)).then_some(bytes)
}

/// Returns the picture that `render` would give: the display, or the framebuffer if the run sets no display.
fn screen(capture: &Capture, replayed: &Replayed) -> RgbaImage {
    match replayed.display {
        Some(display) => framebuffer::displayed(display, &capture.memory, 480, 272),
        None => ColorSurface::from_registers(&replayed.registers).to_rgba(&capture.memory, 480, 272),
    }
}

/// Packs the lists from the conformance cases. Some draw to several targets, transfer blocks, or do not draw at all.
#[test]
fn packed_lists_show_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let names = case::names(&root).expect("the cases");
    let mut drawn = 0;
    for name in &names {
        let case = Case::read(&root, name).expect("a case");
        // Skip programs for tables, because they have parameters.
        let Ok(program) = asm::assemble(&case.program) else { continue };
        let mut original = program.capture();
        let mut recorder = Recorder::new(&original, *b"TEST00001", &Limits::default());
        let replayed = run(&mut original, &mut recorder);
        if replayed.report.ending != Ending::Finished {
            continue;
        }
        let before = screen(&original, &replayed);
        let dump = recorder.finish(&replayed.registers).unwrap_or_else(|| panic!("{name}: a small dump"));
        let (mut copy, _) = through_file(name, &dump);
        let replayed = run(&mut copy, &mut NullObserver);
        assert!(replayed.display.is_some(), "{name}: the dump selects what players show");
        assert!(before == screen(&copy, &replayed), "{name}: the same picture");
        drawn += usize::from(before.pixels().any(|pixel| *pixel != *before.get_pixel(0, 0)));
    }
    assert!(drawn >= 20, "lists with a picture: {drawn} of {}", names.len());
}

#[test]
fn packed_samples_draw_the_same() {
    let drawn: usize = input::files_below(&sample::folder()).iter().map(|path| pack_file(path)).sum();
    assert!(drawn >= 7, "models among the samples: {drawn}");
}

#[test]
fn packed_corpus_draws_the_same() {
    for folder in ["models", "hardware", "frames"].into_iter().filter_map(corpus::folder) {
        let files = input::files_below(&folder);
        let drawn = count_parallel(files.len(), |number| pack_file(&files[number]) > 0);
        eprintln!("{}: {drawn} of {} files can be drawn", folder.display(), files.len());
        assert!(drawn >= 10, "{}: models or dumps that can be drawn: {drawn}", folder.display());
    }
}
