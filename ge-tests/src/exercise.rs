//! Does everything with an input, in this process: opens, draws, decodes, checks, traces and exports it.
//!
//! Fuzz targets and tests with damaged inputs use this to find panics; it also measures how much an input costs.

use std::ops::ControlFlow;

use pspge::check::{self, CheckOptions};
use pspge::export::gltf::write_glb;
use pspge::export::scene::Scene;
use pspge::export::{self, DrawFilter, FrameSpace, Placement, RigMode, frame_scene, model_scene};
use pspge::formats::ppdmp::Dump;
use pspge::formats::{self, Content, File, FormatError, Opened, Request};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::{Limit, LimitHit, Limits};
use pspge::ge::memory::Memory;
use pspge::ge::note::Note;
use pspge::ge::overrides::Overrides;
use pspge::import::textures::stored_textures;
use pspge::import::{ImportOptions, NewPicture, import_model, import_textures};
use pspge::model::{Model, ModelTexture};
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::decode::GeometrySink;
use pspge::run::replay;
use pspge::run::sink::{NullObserver, NullSink, Observer, Step};
use pspge::run::trace::CommandLine;
use pspge::scene::camera::Camera;
use pspge::scene::render::ModelRenderer;

use crate::damage::assert_located;

/// The largest model to import geometry into, because for larger models only the sizes would differ.
const IMPORTED_TRIANGLES_MAX: usize = 20_000;

/// How much an input cost, for its most expensive operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Counts for each limit, ordered like [`Limit::ALL`]; 0 for time.
    pub counts: [u64; Limit::ALL.len()],
    /// Limits that were hit.
    pub limits_hit: Vec<LimitHit>,
}

impl Usage {
    /// Returns the count for a limit.
    #[must_use]
    pub fn count_of(&self, limit: Limit) -> u64 {
        Limit::ALL
            .iter()
            .zip(self.counts)
            .find_map(|(other, count)| (*other == limit).then_some(count))
            .unwrap_or(0)
    }

    fn record(&mut self, limit: Limit, count: u64) {
        for (other, most) in Limit::ALL.iter().zip(&mut self.counts) {
            if *other == limit {
                *most = count.max(*most);
            }
        }
    }

    fn record_notes(&mut self, notes: &[Note]) {
        self.limits_hit.extend(notes.iter().filter_map(Note::limit_hit));
    }
}

/// Does everything with a file and returns how much this cost.
///
/// # Errors
/// If [`formats::open`] refuses the file.
///
/// # Panics
/// If the library has a bug, to be found by this: an error without an offset, or any panic.
pub fn file(name: &str, bytes: &[u8], limits: &Limits) -> Result<Usage, FormatError> {
    let mut request = Request::new(name, bytes);
    request.limits = *limits;
    let opened = formats::open(&request).inspect_err(|error| assert_located(name, error, bytes.len()))?;
    let mut usage = Usage::default();
    import_texture(name, bytes, &opened);
    import_geometry(name, bytes, &opened, limits);
    match opened.content {
        Content::Model(model) => exercise_model(&model, limits, &mut usage),
        Content::Textures(set) => decode_textures(&set.memory, &set.textures, limits, &mut usage),
        Content::Skeleton { skeleton, .. } => {
            let world = skeleton.world(&skeleton.rest());
            assert_eq!(world.len(), skeleton.bones().len(), "{name}: one matrix per bone");
        }
        Content::Frame { recording, capture, .. } => {
            let dump = recording.downcast_ref::<Dump>().expect("the only format of frames");
            usage.record(Limit::DecodedBytes, dump.payload.len() as u64);
            exercise_capture(&capture, limits, &mut usage);
        }
        Content::Animations(_) | Content::Archive { .. } => {}
    }
    Ok(usage)
}

/// Puts another picture in place of the first small texture, if there is one.
fn import_texture(name: &str, bytes: &[u8], opened: &Opened) {
    let Some((memory, textures)) = stored_textures(&opened.content) else { return };
    let is_small = |texture: &&ModelTexture| texture.width <= 64 && texture.height <= 64;
    let Some(texture) = textures.iter().find(is_small) else { return };
    let mut picture = texture.decode(memory, 0);
    for pixel in picture.pixels_mut() {
        pixel.0[0] = !pixel.0[0];
    }
    let pictures = [NewPicture { texture: texture.index, palette: 0, picture }];
    let written = import_textures(opened, File { name, bytes }, &pictures, ImportOptions::default());
    if let Ok(written) = written {
        assert!(written.len() >= bytes.len(), "{name}: no byte is lost");
    }
}

/// Imports a model's export with another triangle, if its format can be written.
fn import_geometry(name: &str, bytes: &[u8], opened: &Opened, limits: &Limits) {
    let Content::Model(model) = &opened.content else { return };
    if model.info.format != "pmo" || model.info.triangles > IMPORTED_TRIANGLES_MAX {
        return;
    }
    let filter = DrawFilter { limits: *limits, ..DrawFilter::default() };
    let mut scene = model_scene(model, "model", &filter, RigMode::Rigged);
    if let Some(primitive) = scene.meshes.first_mut().and_then(|mesh| mesh.primitives.first_mut())
        && let &[a, b, c, ..] = primitive.indices.as_slice()
    {
        primitive.indices.extend([b, a, c]);
    }
    let file = File { name, bytes };
    if let Ok(written) = import_model(opened, file, None, &write_glb(&scene), Placement::default()) {
        let again = formats::open(&Request::new(name, &written.bytes));
        assert!(again.is_ok(), "{name}: what is written opens: {:?}", again.err());
    }
}

/// Does everything with a capture, to learn its cost.
#[must_use]
pub fn capture(capture: &Capture, limits: &Limits) -> Usage {
    let mut usage = Usage::default();
    exercise_capture(capture, limits, &mut usage);
    usage
}

fn exercise_model(model: &Model, limits: &Limits, usage: &mut Usage) {
    let renderer = ModelRenderer {
        camera: Camera { yaw: 35.0, pitch: 20.0, zoom: 1.0 },
        width: 480,
        height: 272,
        background: [0; 4],
        options: RasterOptions::default(),
        limits: *limits,
        overrides: Overrides::default(),
    };
    draw_capture(renderer.capture(model), limits, usage);
    decode_geometry(model.to_capture(), limits, usage);
    let picture = renderer.render(model, &mut |_| {});
    assert_eq!(picture.colors.dimensions(), (480, 272), "size of the picture");
    decode_textures(&model.memory, &model.textures, limits, usage);
    let _ = check::check_model(model, &CheckOptions::default().limits(*limits));
    let selection = DrawFilter { limits: *limits, ..DrawFilter::default() };
    for rig_mode in [RigMode::Rigged, RigMode::Static] {
        export_scene(&model_scene(model, "model", &selection, rig_mode), usage);
    }
}

fn exercise_capture(capture: &Capture, limits: &Limits, usage: &mut Usage) {
    draw_capture(capture.clone(), limits, usage);
    decode_geometry(capture.clone(), limits, usage);
    let _ = check::check(&mut capture.clone(), &CheckOptions::default().limits(*limits));
    let mut tracer = Tracer { remaining: 2000, length: 0 };
    replay::run(&mut capture.clone(), Arithmetic::Single, &mut NullSink, &mut tracer, limits);
    let selection =
        DrawFilter { through: true, compares_order: true, limits: *limits, ..DrawFilter::default() };
    export_scene(&frame_scene(&mut capture.clone(), "frame", &selection, FrameSpace::Automatic), usage);
}

/// Draws the capture.
fn draw_capture(mut capture: Capture, limits: &Limits, usage: &mut Usage) {
    let arithmetic = Arithmetic::Hardware;
    let mut raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
    let report = replay::run(&mut capture, arithmetic, &mut raster, &mut NullObserver, limits).report;
    usage.record(Limit::Commands, report.commands);
    usage.record(Limit::Draws, report.draws);
    usage.record(Limit::Vertices, report.vertex_cost);
    usage.record(Limit::PatchVertices, report.patch_vertices);
    usage.record(Limit::Pixels, raster.cost().max(report.transferred_pixels.saturating_mul(2)));
    usage.record_notes(&report.notes);
}

/// Decodes the capture's geometry.
fn decode_geometry(mut capture: Capture, limits: &Limits, usage: &mut Usage) {
    let mut sink = GeometrySink::new();
    let report = replay::run(&mut capture, Arithmetic::Single, &mut sink, &mut NullObserver, limits).report;
    usage.record(Limit::Memory, sink.memory());
    usage.record_notes(&report.notes);
}

/// Decodes each texture with its first palette.
fn decode_textures(memory: &Memory, textures: &[ModelTexture], limits: &Limits, usage: &mut Usage) {
    let mut decoded = 0;
    for texture in textures {
        decoded += texture.decode(memory, 0).as_raw().len() as u64;
        if decoded > limits.decoded_bytes {
            usage.limits_hit.push(limits.hit(Limit::DecodedBytes));
            break;
        }
    }
    usage.record(Limit::DecodedBytes, decoded);
}

fn export_scene(scene: &Scene, usage: &mut Usage) {
    let decoded = scene.images.iter().map(|image| image.pixels.as_raw().len() as u64).sum();
    usage.record(Limit::DecodedBytes, decoded);
    usage.record_notes(&scene.run_notes);
    let glb = write_glb(scene);
    assert!(glb.starts_with(b"glTF"), "a glTF file");
    let obj = export::obj::write(scene, "scene");
    assert!(!obj.is_empty(), "an OBJ file");
}

/// Formats the first commands, as `trace` does.
struct Tracer {
    remaining: u32,
    length: usize,
}

impl Observer for Tracer {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        self.length += CommandLine::new(step, None).to_string().len();
        match self.remaining.checked_sub(1) {
            Some(remaining) => {
                self.remaining = remaining;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}
