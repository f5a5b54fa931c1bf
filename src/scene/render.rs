//! Renders a [`Model`] to a picture.
//!
//! # Invariants
//! The picture does not depend on how it is divided into tiles.

use image::{ImageBuffer, Luma, Pixel, RgbaImage, imageops};

use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::note::Note;
use crate::ge::overrides::Overrides;
use crate::ge::registers::Registers;
use crate::model::Model;
use crate::model::matrix::{then, transform};
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::decode::GeometrySink;
use crate::run::interpreter::Interpreter;
use crate::run::sink::NullObserver;
use crate::scene::camera::Camera;
use crate::scene::depth_range::DepthRange;
use crate::scene::frame_scratch::FrameScratch;
use crate::scene::render_target::{RenderTargetSetup, Tile};

/// How to render models.
///
/// ```
/// use pspge::{Model, ModelRenderer, RunSpec};
///
/// /// Draws a model tile by tile and reports progress.
/// fn draw(model: &Model) -> pspge::image::RgbaImage {
///     let renderer: ModelRenderer = RunSpec::default().size(1024, 1024).renderer();
///     renderer.render(model, &mut |tile| println!("{tile:?}")).colors
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRenderer {
    /// The camera.
    pub camera: Camera,
    /// Width in pixels, 1 to [`crate::scene::render_target::SIZE_MAX`].
    pub width: u32,
    /// Height in pixels, 1 to [`crate::scene::render_target::SIZE_MAX`].
    pub height: u32,
    /// Background colour: red, green, blue, alpha.
    pub background: [u8; 4],
    /// Options for the rasterizer, including the arithmetic for vertex transforms.
    pub options: RasterOptions,
    /// Limits for each tile. A picture up to 512×512 is a single tile.
    pub limits: Limits,
    /// Changes to try on draws, which are numbered as in [`Self::capture`].
    pub overrides: Overrides,
}

/// A rendered picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Colours. Drawn pixels are opaque; the others have the background's alpha.
    pub colors: RgbaImage,
    /// Depth; larger is nearer.
    pub depth: ImageBuffer<Luma<u16>, Vec<u16>>,
    /// The limit that was exceeded. The rest of that tile and all later tiles are missing.
    pub reached: Option<LimitHit>,
    /// Everything left out or guessed, tile after tile.
    pub notes: Vec<Note>,
    /// How many draws each override changed in all tiles.
    pub overridden: Vec<u64>,
}

impl Picture {
    /// Returns the range of drawn depths; `None` if no pixel is drawn. Depth 0 is background, because no pixel in a
    /// framed model has it.
    #[must_use]
    pub fn depth_range(&self) -> Option<DepthRange> {
        DepthRange::of(self.depth.pixels().map(|Luma([depth])| *depth).filter(|depth| *depth != 0))
    }
}

impl ModelRenderer {
    /// The background for models if none is asked for: a dark grey blue, opaque.
    pub const BACKGROUND: [u8; 4] = [0x30, 0x38, 0x40, 0xFF];

    /// Renders a model, and calls `tile_done` after each tile to show progress.
    #[must_use]
    pub fn render(&self, model: &Model, tile_done: &mut dyn FnMut(Tile)) -> Picture {
        self.render_with(&mut FrameScratch::default(), model, tile_done)
    }

    /// Does the same in memory kept for later pictures. Call this to draw a model many times.
    #[must_use]
    #[doc(hidden)]
    pub fn render_with(
        &self,
        scratch: &mut FrameScratch,
        model: &Model,
        tile_done: &mut dyn FnMut(Tile),
    ) -> Picture {
        let memory = scratch.copy_of(&model.memory);
        let setup = self.setup_in(memory, model);
        let memory = scratch.copy_of(&model.memory);
        self.draw_tiles(memory, model, &setup, setup.tiles(), tile_done)
    }

    /// Renders some tiles, for pictures with a common camera.
    #[must_use]
    #[doc(hidden)]
    pub fn render_tiles(
        &self,
        model: &Model,
        setup: &RenderTargetSetup,
        tiles: impl IntoIterator<Item = Tile>,
        tile_done: &mut dyn FnMut(Tile),
    ) -> Picture {
        self.draw_tiles(&mut model.memory.clone(), model, setup, tiles, tile_done)
    }

    /// Renders some tiles in `memory`, a copy of the model's.
    fn draw_tiles(
        &self,
        memory: &mut Memory,
        model: &Model,
        setup: &RenderTargetSetup,
        tiles: impl IntoIterator<Item = Tile>,
        tile_done: &mut dyn FnMut(Tile),
    ) -> Picture {
        let _span = tracing::debug_span!("render", width = setup.width, height = setup.height).entered();
        let mut colors = RgbaImage::new(setup.width, setup.height);
        let mut depth = ImageBuffer::new(setup.width, setup.height);
        let mut raster = Rasterizer::new(self.options);
        let mut notes = Vec::new();
        let mut overridden = vec![0; self.overrides.all().len()];
        for tile in tiles {
            let _span = tracing::debug_span!("tile", x = tile.x, y = tile.y).entered();
            let start = setup.write(memory, tile, model.entry);
            // Each tile starts from the registers after reset, so that none depends on the tile before it.
            let mut interpreter = Interpreter::new(Registers::new(), self.options.arithmetic)
                .with_overrides(self.overrides.clone());
            let report = interpreter.run(memory, start, &mut raster, &mut NullObserver, &self.limits);
            let registers = interpreter.registers();
            let surface = ColorSurface::from_registers(registers);
            insert(&mut colors, surface.to_rgba_with_stencil(memory, tile.width, tile.height), tile);
            let tile_depth = DepthSurface::from_registers(registers).to_gray(memory, tile.width, tile.height);
            insert(&mut depth, tile_depth, tile);
            tile_done(tile);
            let reached = report.notes.iter().find_map(Note::limit_hit);
            notes.extend(report.notes);
            for (sum, count) in overridden.iter_mut().zip(report.overridden) {
                *sum = u64::saturating_add(*sum, count);
            }
            // The picture is incomplete after this, so later tiles are not worth the time.
            if reached.is_some() {
                return Picture { colors, depth, reached, notes, overridden };
            }
        }
        Picture { colors, depth, reached: None, notes, overridden }
    }

    /// Creates a setup whose camera frames all drawn vertices.
    #[must_use]
    #[doc(hidden)]
    pub fn setup(&self, model: &Model) -> RenderTargetSetup {
        self.setup_in(&mut model.memory.clone(), model)
    }

    /// Creates the same setup in `memory`, a copy of the model's.
    fn setup_in(&self, memory: &mut Memory, model: &Model) -> RenderTargetSetup {
        let mut framing = self.camera.framing(self.width, self.height);
        self.for_each_position_in(memory, model, &mut |position| framing.add(position));
        self.setup_with(model, framing.matrices())
    }

    /// Passes every drawn vertex's position to `out`, turned upright: y up, facing +z.
    pub(super) fn for_each_position(&self, model: &Model, out: &mut dyn FnMut([f32; 3])) {
        self.for_each_position_in(&mut model.memory.clone(), model, out);
    }

    fn for_each_position_in(&self, memory: &mut Memory, model: &Model, out: &mut dyn FnMut([f32; 3])) {
        let geometry = geometry_in(memory, model, &self.limits);
        match model.up.upright() {
            Some(upright) => geometry.positions().for_each(|position| out(transform(&upright, position))),
            None => geometry.positions().for_each(out),
        }
    }

    /// Creates a setup from VIEW and PROJ for a camera in upright space.
    pub(super) fn setup_with(
        &self,
        model: &Model,
        (view, projection): ([f32; 12], [f32; 16]),
    ) -> RenderTargetSetup {
        RenderTargetSetup {
            width: self.width,
            height: self.height,
            background: self.background,
            view: model.up.upright().map_or(view, |upright| then(&upright, &view)),
            projection,
        }
    }

    /// Creates a capture to pass to players. It draws the same colours as [`Self::render`], background included,
    /// into the upper left of a framebuffer as large as the screen. This has only the picture's first tile, which is
    /// all if the picture is no larger than [`TILE_SIZE_MAX`](crate::scene::render_target::TILE_SIZE_MAX).
    #[must_use]
    pub fn capture(&self, model: &Model) -> Capture {
        let setup = self.setup(model);
        let mut capture = model.to_capture();
        if let Some(tile) = setup.tiles().next() {
            capture.start = setup.write_for_screen(&mut capture.memory, tile, model.entry);
        }
        capture.overrides = self.overrides.clone();
        capture
    }
}

/// Puts a tile into the whole picture.
fn insert<P: Pixel>(
    picture: &mut ImageBuffer<P, Vec<P::Subpixel>>,
    image: ImageBuffer<P, Vec<P::Subpixel>>,
    tile: Tile,
) {
    if picture.dimensions() == image.dimensions() {
        *picture = image;
    } else {
        imageops::replace(picture, &image, tile.x.into(), tile.y.into());
    }
}

/// Decodes a model's drawn geometry, in world space, within the default limits.
#[must_use]
#[doc(hidden)]
pub fn geometry(model: &Model) -> GeometrySink {
    geometry_within(model, &Limits::default())
}

/// Decodes a model's drawn geometry, in world space, within `limits`.
#[must_use]
pub(crate) fn geometry_within(model: &Model, limits: &Limits) -> GeometrySink {
    geometry_in(&mut model.memory.clone(), model, limits)
}

fn geometry_in(memory: &mut Memory, model: &Model, limits: &Limits) -> GeometrySink {
    let _span = tracing::debug_span!("geometry").entered();
    let mut sink = GeometrySink::new();
    let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Single);
    let start = model.write_call(memory);
    interpreter.run(memory, start, &mut sink, &mut NullObserver, limits);
    sink
}
