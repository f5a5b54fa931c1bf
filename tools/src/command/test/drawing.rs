//! Draws a case: with pspge itself, or with another renderer.

use std::path::{Path, PathBuf};
use std::time::Duration;

use image::DynamicImage;
use pspge::compare::Picture;
use pspge::documents::note::NoteInfo;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::SCREEN;
use pspge::ge::limits::Limits;
use pspge::pipeline::framebuffer::DepthSurface;
use pspge::run::sink::NullSink;
use pspge::scene::frame::{FrameBuffer, FrameRenderer};
use pspge::{Asset, RunSpec};

use super::column::Renderer;
use super::comparison;
use crate::input::files;
use crate::input::frame_dump;
use crate::output::TemporaryFolder;
use crate::renderer::command::{RendererCommand, RendererRun};
use crate::terminal::notes::Notes;

/// A case as a renderer draws it.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) picture: Picture,
    /// The depth buffer, if asked for and if the renderer writes it.
    pub(super) depth: Option<Picture>,
    /// Where the depth buffer is in memory, if pspge itself drew.
    pub(super) depth_surface: Option<DepthSurface>,
    pub(super) notes: Vec<NoteInfo>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DrawOptions {
    /// The reference picture's size.
    pub(super) size: [u32; 2],
    /// The reference depth buffer's size; `None` if there is no such buffer.
    pub(super) depth_size: Option<[u32; 2]>,
    pub(super) limits: Limits,
    /// How long another renderer may run.
    pub(super) timeout: Duration,
}

impl DrawOptions {
    /// Returns options for the library. A reference with a framebuffer's size also holds the screen, so only the
    /// screen is drawn.
    pub(super) fn spec(&self, arithmetic: Arithmetic) -> RunSpec {
        let [width, height] = self.size;
        let is_framebuffer = (SCREEN[0]..=512).contains(&width) && (SCREEN[1]..=512).contains(&height);
        let [width, height] = if is_framebuffer { SCREEN } else { self.size };
        RunSpec::default().size(width, height).with_arithmetic(arithmetic).limits(self.limits)
    }
}

/// Draws a case with any renderer.
///
/// # Errors
/// Says why there is no picture.
pub(super) fn draw(
    renderer: &Renderer,
    asset: Result<&Asset, &str>,
    file: &Path,
    options: &DrawOptions,
) -> Result<Drawn, String> {
    match renderer {
        Renderer::Own(arithmetic) => draw_own(asset?, *arithmetic, options),
        Renderer::Command(command) => draw_other(command, asset, file, options),
    }
}

/// Draws a case with pspge.
///
/// # Errors
/// Says why there is no picture.
pub(super) fn draw_own(
    asset: &Asset,
    arithmetic: Arithmetic,
    options: &DrawOptions,
) -> Result<Drawn, String> {
    let spec = options.spec(arithmetic);
    if asset.model().is_some() {
        let rendering = asset.rasterize(&spec).map_err(|error| error.to_string())?;
        let color = DynamicImage::from(rendering.color).into_rgb8();
        return Ok(Drawn {
            picture: Picture::from_image(color).map_err(|error| error.to_string())?,
            depth: Picture::from_image(rendering.depth).ok().filter(|_| options.depth_size.is_some()),
            depth_surface: None,
            notes: rendering.notes.iter().map(NoteInfo::of_run).collect(),
        });
    }
    let capture = asset.to_capture().map_err(|error| error.to_string())?;
    let render = |size: [u32; 2], buffers: &[FrameBuffer]| {
        let renderer = FrameRenderer { size, ..spec.frame_renderer() };
        renderer.render(&capture, buffers, &mut |_| {}).map_err(|error| error.to_string())
    };
    let size = spec.size;
    let both = [FrameBuffer::Display, FrameBuffer::Depth];
    let with_depth = options.depth_size == Some(size);
    let frame = render(size, if with_depth { &both } else { &both[..1] })?;
    let notes = NoteInfo::of_report(&frame.run.report);
    let surface = DepthSurface::from_registers(&frame.run.registers);
    let mut images = frame.rgb_images();
    let mut next = || images.next().and_then(|image| Picture::from_image(image).ok());
    let picture = next().ok_or("the run leaves no picture")?;
    let depth = match options.depth_size {
        Some(_) if with_depth => next(),
        // The depth buffer may have another size than the screen, which takes a second run.
        Some(size) => {
            let image = render(size, &both[1..])?.rgb_images().next();
            image.and_then(|image| Picture::from_image(image).ok())
        }
        None => None,
    };
    Ok(Drawn { picture, depth, depth_surface: Some(surface), notes })
}

/// Draws a case with another renderer. Frame dumps are passed as they are; everything else is first written as a
/// frame dump.
fn draw_other(
    command: &RendererCommand,
    asset: Result<&Asset, &str>,
    file: &Path,
    options: &DrawOptions,
) -> Result<Drawn, String> {
    let folder = TemporaryFolder::new().map_err(|_| "no temporary folder can be made".to_owned())?;
    let mut notes = Notes::default();
    let dump = dump_of(asset, file, &folder, options, &mut notes)?;
    // A command that stops after a draw gets the last draw's number, to draw the whole frame.
    let until = if command.takes_draw() { draws(asset?)?.saturating_sub(1) } else { 0 };
    let (picture_path, depth_path) = (folder.file("picture.png"), folder.file("depth.bin"));
    let has_depth = options.depth_size.is_some() && command.writes_depth();
    let run = RendererRun {
        dump: &dump,
        until,
        picture: &picture_path,
        depth: has_depth.then_some(depth_path.as_path()),
        timeout: options.timeout,
    };
    let picture = command.draw(&run).map_err(|fault| fault.text(options.timeout))?;
    let depth = has_depth.then(|| comparison::read_depth(&depth_path)).transpose()?;
    Ok(Drawn { picture, depth, depth_surface: None, notes: notes.list.entries().to_vec() })
}

/// Returns a file for another renderer to read.
fn dump_of(
    asset: Result<&Asset, &str>,
    file: &Path,
    folder: &TemporaryFolder,
    options: &DrawOptions,
    notes: &mut Notes,
) -> Result<PathBuf, String> {
    let is_dump = file.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("ppdmp") || extension.eq_ignore_ascii_case("zip")
    });
    if is_dump {
        return file.canonicalize().map_err(|error| format!("{}: {error}", file.display()));
    }
    let shot = asset?.shot(&options.spec(Arithmetic::default())).map_err(|error| error.to_string())?;
    let name = file.display().to_string();
    let recorded =
        frame_dump::record(&name, shot, notes).map_err(|_| "no frame dump can hold it".to_owned())?;
    let path = folder.file("case.ppdmp");
    std::fs::write(&path, recorded.dump.to_bytes()).map_err(|error| error.to_string())?;
    Ok(path)
}

fn draws(asset: &Asset) -> Result<u64, String> {
    let run = asset.run(&mut NullSink).map_err(|error| error.to_string())?;
    Ok(run.report.draws)
}

/// Reads a case's file.
///
/// # Errors
/// Says why it cannot be read.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    files::read_bytes(path).map_err(|error| format!("cannot be read: {error}"))
}
