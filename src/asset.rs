//! The front door: open a file here, then render, trace, decode, run or export its content.

mod error;
mod geometry;
mod includes;
mod rendering;
mod run_spec;
mod trace;
mod view;

pub use error::Error;
pub use geometry::{Geometry, GeometryDraw};
pub use rendering::Rendering;
pub use run_spec::{Pose, RunSpec};
pub use trace::Trace;
pub use view::View;

use includes::FolderIncludes;
use std::borrow::Cow;
use std::ops::ControlFlow;

use image::{DynamicImage, RgbaImage};

use crate::asm::{self, AssemblyRequest, IncludeProvider, Program};
use crate::check::{self, CheckOptions, Finding, Machine, Rule, Severity, TouchedPixels};
use crate::debug::draw::report;
use crate::debug::{Session, Shot};
#[cfg(feature = "export")]
use crate::export::{self, DrawFilter, FrameSpace, Merge, RigMode, recorder::Recorder, scene::Scene};
use crate::formats::ppdmp::Dump;
use crate::formats::{self, Content, File, Format, Member, Opened, Problem, Request};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::ge::command_table::Class;
use crate::ge::memory::Memory;
#[cfg(feature = "export")]
use crate::ge::note::Note;
use crate::ge::opcode::Opcode;
use crate::model::{FileNote, Model};
use crate::raster::RasterOptions;
use crate::run::decode::GeometrySink;
use crate::run::replay::{self, Replayed};
use crate::run::sink::{NullObserver, NullSink, Observer, Sink, Step};
use crate::run::trace::CommandLine;
use crate::scene::frame::FrameBuffer;
use crate::scene::render::ModelRenderer;
use crate::scene::render_target::TILE_SIZE_MAX;

/// An opened file, to render, trace, decode, run or export its content.
///
/// ```
/// let asset = pspge::open("signal.ge", b"NOP | FINISH | END")?;
/// assert_eq!((asset.name(), asset.format()), ("signal.ge", "ge"));
/// # Ok::<(), pspge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Asset {
    name: String,
    source: AssetSource,
}

/// A file in a known format, or assembly text.
#[derive(Clone, Debug)]
enum AssetSource {
    File(Box<Opened>),
    /// A list on its own, with the name of its format: `ge` or `list`.
    Program(Program, &'static str),
}

/// Opens a file by its content alone, without companion files such as separate textures.
///
/// `name` is only for traces and errors. [`open_with`] takes companions, members and other options.
///
/// # Errors
/// [`Error::Format`] if the format is not recognised or the file is damaged, with the offset of the fault.
/// [`Error::Assembly`] for mistakes in assembly text.
///
/// ```
/// let asset = pspge::open("nothing.ge", b"FINISH | END")?;
/// assert_eq!(asset.format(), "ge");
/// assert_eq!(asset.trace()?.lines.len(), 2);
/// # Ok::<(), pspge::Error>(())
/// ```
pub fn open(name: &str, bytes: &[u8]) -> Result<Asset, Error> {
    open_with(&Request::new(name, bytes))
}

/// Opens a file with its companions, as the request says.
///
/// # Errors
/// As for [`open`]. The error tells which file is at fault.
///
/// ```
/// use pspge::Request;
///
/// let request = Request::new("empty.pmo", b"");
/// let error = pspge::open_with(&request).expect_err("no format is recognised");
/// assert_eq!(error.to_string(), "the file is empty");
/// ```
pub fn open_with(request: &Request<'_>) -> Result<Asset, Error> {
    open_as(request, None, &FolderIncludes::new(request.files))
}

/// Opens a file as the format with this name. This may be the name of a [`Format`], `ge` for assembly text, or
/// `list` for a list's words. Without a name, the request decides, or else the content. `includes` reads files for
/// assembly text to include.
///
/// # Errors
/// As for [`open_with`]. Also [`Error::UnknownFormat`] if no format has this name, and [`Error::ListTooLong`] if a
/// list does not fit into memory.
///
/// ```
/// use pspge::Request;
/// use pspge::asm::NoIncludes;
///
/// let words = [0x0F00_0000_u32, 0x0C00_0000].map(u32::to_le_bytes).concat();
/// let asset = pspge::open_as(&Request::new("words.bin", &words), Some("list"), &NoIncludes)?;
/// assert_eq!((asset.format(), asset.trace()?.lines.len()), ("list", 2));
/// # Ok::<(), pspge::Error>(())
/// ```
pub fn open_as(
    request: &Request<'_>,
    format: Option<&str>,
    includes: &dyn IncludeProvider,
) -> Result<Asset, Error> {
    let File { name, bytes } = request.input;
    let program =
        |program, format| Ok(Asset { name: name.to_owned(), source: AssetSource::Program(program, format) });
    let format = match format {
        Some("list") => return program(Program::of_list(bytes.to_vec())?, "list"),
        Some("ge") => return program(assembled(name, bytes, includes)?, "ge"),
        Some(wanted) => Some(Format::from_name(wanted).ok_or(Error::UnknownFormat)?),
        None if request.format.is_none() && asm::is_assembly(bytes) => {
            return program(assembled(name, bytes, includes)?, "ge");
        }
        None => request.format,
    };
    let opened = formats::open(&Request { format, ..*request }).map_err(|error| match error.kind {
        Problem::Unknown if request.member.is_none() && is_like_list(bytes) => Error::LikeList,
        _ => error.into(),
    });
    Ok(Asset::from_opened(name, opened?))
}

/// Returns whether words without a header may be a list: they use no unknown commands until FINISH and END. This is
/// only for a better error message.
fn is_like_list(bytes: &[u8]) -> bool {
    let (words, _) = bytes.as_chunks::<4>();
    let opcode = |word: &[u8; 4]| Opcode::new(word[3]);
    let end = words.windows(2).position(
        |pair| matches!(pair, [one, other] if opcode(one) == Opcode::FINISH && opcode(other) == Opcode::END),
    );
    end.and_then(|end| words.get(..end)).is_some_and(|list| {
        !list.is_empty() && list.iter().all(|word| opcode(word).info().class != Class::Unused)
    })
}

fn assembled(name: &str, bytes: &[u8], files: &dyn IncludeProvider) -> Result<Program, Error> {
    let text = std::str::from_utf8(bytes).map_err(|error| Error::NotText { offset: error.valid_up_to() })?;
    Ok(asm::assemble_with(&AssemblyRequest { files, ..AssemblyRequest::new(name, text) })?.program)
}

/// Checks that both sides of a picture are from 1 to `most` pixels.
fn check_size([width, height]: [u32; 2], most: u32) -> Result<(), Error> {
    let fits = (1..=most).contains(&width) && (1..=most).contains(&height);
    if fits { Ok(()) } else { Err(Error::PictureSize { width, height, most }) }
}

impl Asset {
    /// Creates an asset from a file that [`formats::open`] opened.
    #[must_use]
    pub fn from_opened(name: impl Into<String>, opened: Opened) -> Self {
        Self { name: name.into(), source: AssetSource::File(Box::new(opened)) }
    }

    /// Creates an asset from an assembled program.
    #[must_use]
    pub fn from_program(name: impl Into<String>, program: Program) -> Self {
        Self { name: name.into(), source: AssetSource::Program(program, "ge") }
    }

    /// Returns the name under which the file was opened.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the format's name. This is `ge` for assembly text, and `list` for a list's words.
    #[must_use]
    pub fn format(&self) -> &'static str {
        match &self.source {
            AssetSource::File(opened) => opened.format.name(),
            AssetSource::Program(_, format) => format,
        }
    }

    /// Returns the opened file; `None` for assembly text and for a list's words.
    #[must_use]
    pub const fn opened(&self) -> Option<&Opened> {
        match &self.source {
            AssetSource::File(opened) => Some(opened),
            AssetSource::Program(..) => None,
        }
    }

    /// Returns the members, if this file is a container.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        self.opened().map_or(&[], |opened| &opened.members)
    }

    /// Returns a file's content; `None` for assembly text and for a list's words.
    #[must_use]
    pub const fn content(&self) -> Option<&Content> {
        match &self.source {
            AssetSource::File(opened) => Some(&opened.content),
            AssetSource::Program(..) => None,
        }
    }

    /// Returns whether the content can be drawn, because it is a list, a frame or a model.
    #[must_use]
    pub fn is_drawable(&self) -> bool {
        matches!(self.content(), None | Some(Content::Model(_) | Content::Frame { .. }))
    }

    /// Names the content's kind in words, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.content().map_or("a display list", Content::kind)
    }

    /// Returns the model, if the content is a model.
    #[must_use]
    pub fn model(&self) -> Option<&Model> {
        match self.content()? {
            Content::Model(model) => Some(model),
            _ => None,
        }
    }

    /// Returns the model to change it: to pose or animate it, for example.
    #[must_use]
    pub fn model_mut(&mut self) -> Option<&mut Model> {
        match &mut self.source {
            AssetSource::File(opened) => match &mut opened.content {
                Content::Model(model) => Some(model),
                _ => None,
            },
            AssetSource::Program(..) => None,
        }
    }

    /// Returns the assembled program, or a list's words as a program; `None` for other content.
    #[must_use]
    pub const fn program(&self) -> Option<&Program> {
        match &self.source {
            AssetSource::Program(program, _) => Some(program),
            AssetSource::File(_) => None,
        }
    }

    /// Returns the frame dump; `None` for other content.
    #[must_use]
    pub fn dump(&self) -> Option<&Dump> {
        match self.content()? {
            Content::Frame { recording, .. } => recording.downcast_ref(),
            _ => None,
        }
    }

    /// Returns everything odd about this file: guesses, skipped damage, missing companions.
    #[must_use]
    pub fn notes(&self) -> &[FileNote] {
        self.content().map_or(&[], Content::notes)
    }

    /// Moves a model to a frame in an animation, given by name or number.
    ///
    /// # Errors
    /// [`Error::NoAnimation`] if the content is not a model or has no such animation.
    pub fn animate(&mut self, animation: &str, frame: f64) -> Result<(), Error> {
        let missing = || Error::NoAnimation { name: animation.to_owned() };
        let model = self.model_mut().ok_or_else(missing)?;
        let number = model.find_animation(animation).map_err(|_| missing())?;
        model.animate(number, frame);
        Ok(())
    }

    /// Returns the rasterizer options for [`Self::render`] to draw this content.
    fn raster_options(&self, spec: &RunSpec) -> RasterOptions {
        if self.model().is_some() { spec.raster_options() } else { spec.frame_renderer().options }
    }

    /// Returns the model in the pose that the options ask for; `None` if the content is not a model.
    ///
    /// # Errors
    /// [`Error::Pose`] if the model has no such animation, or the animation no such frame.
    pub fn posed(&self, spec: &RunSpec) -> Result<Option<Cow<'_, Model>>, Error> {
        let Some(model) = self.model() else { return Ok(None) };
        let Some(Pose { animation, frame }) = &spec.pose else { return Ok(Some(Cow::Borrowed(model))) };
        let mut posed = model.clone();
        posed.pose_by(animation, *frame)?;
        Ok(Some(Cow::Owned(posed)))
    }

    /// Returns the posed model and a renderer with the edits for it; `None` if the content is not a model. If
    /// pictures replace textures, this writes them to the model's memory.
    ///
    /// # Errors
    /// [`Error::PictureSize`] if the picture is empty or too large. [`Error::Pose`] or [`Error::Edit`] if the
    /// options do not fit the model.
    pub fn model_renderer(&self, spec: &RunSpec) -> Result<Option<(Cow<'_, Model>, ModelRenderer)>, Error> {
        let Some(mut model) = self.posed(spec)? else { return Ok(None) };
        check_size(spec.size, RunSpec::SIZE_MAX)?;
        let mut renderer = spec.renderer();
        if !spec.edits.is_empty() {
            let mut capture = renderer.capture(&model);
            spec.edit(&mut capture, renderer.options.arithmetic)?;
            model.to_mut().memory = capture.memory;
            renderer.overrides = capture.overrides;
        }
        Ok(Some((model, renderer)))
    }

    /// Returns a capture to run the content's own list. For a model, this has no camera and no render target.
    ///
    /// # Errors
    /// [`Error::NoDisplayList`] if the content cannot be drawn.
    pub fn to_capture(&self) -> Result<Capture, Error> {
        match (&self.source, self.content()) {
            (AssetSource::Program(program, _), _) => Ok(program.capture()),
            (_, Some(Content::Model(model))) => Ok(model.to_capture()),
            (_, Some(Content::Frame { capture, .. })) => Ok((**capture).clone()),
            _ => Err(Error::NoDisplayList { format: self.format() }),
        }
    }

    /// Returns the run that draws the picture of [`Self::render`], to ask questions about it. Its list is the
    /// content's with the edits. For a model this also sets camera, render target and background, but without the
    /// background's alpha.
    ///
    /// # Errors
    /// [`Error::NoDisplayList`] if the content cannot be drawn. [`Error::PictureSize`] if a model's picture is empty
    /// or larger than a framebuffer with its depth, 512×512. [`Error::Pose`] or [`Error::Edit`] if the options do
    /// not fit the content.
    ///
    /// ```
    /// use pspge::RunSpec;
    ///
    /// let list = b"VTYPE position=BITS16 through=1 | BASE hi(point) | VADDR lo(point)
    ///     PRIM primitive=POINTS count=1 | FINISH | END
    ///     .align 4
    ///     point: .s16 1 1 0";
    /// let asset = pspge::open("list.ge", list)?;
    /// let shot = asset.shot(&RunSpec::default())?;
    /// assert_eq!(shot.session().timeline().draws(), 1);
    /// # Ok::<(), pspge::Error>(())
    /// ```
    pub fn shot(&self, spec: &RunSpec) -> Result<Shot, Error> {
        let mut capture = match self.posed(spec)? {
            Some(model) => {
                check_size(spec.size, TILE_SIZE_MAX)?;
                spec.renderer().capture(&model)
            }
            None => self.to_capture()?,
        };
        let raster = self.raster_options(spec);
        spec.edit(&mut capture, raster.arithmetic)?;
        Ok(Shot::new(capture).with_raster(raster).with_limits(spec.limits))
    }

    /// Draws the content with the exact rasterizer and returns the picture.
    ///
    /// For a model, the camera in `options` frames it. For a frame dump or a list, the picture is the screen at the
    /// end, or the framebuffer if no screen was set.
    /// [`FrameRenderer::size`](crate::scene::frame::FrameRenderer::size) tells which sizes this can have.
    ///
    /// # Errors
    /// [`Error::NoDisplayList`] if the content cannot be drawn. [`Error::PictureSize`] if a model's picture
    /// is empty or too large. [`Error::Frame`] if a frame or list has no picture in this size.
    pub fn render(&self, options: &RunSpec) -> Result<RgbaImage, Error> {
        Ok(self.rasterize(options)?.color)
    }

    /// Draws the content as [`Self::render`] does, but also returns depth and notes.
    ///
    /// # Errors
    /// As for [`Self::render`].
    pub fn rasterize(&self, options: &RunSpec) -> Result<Rendering, Error> {
        if let Some((model, renderer)) = self.model_renderer(options)? {
            let picture = renderer.render(&model, &mut |_| {});
            return Ok(Rendering { color: picture.colors, depth: picture.depth, notes: picture.notes });
        }
        let buffers = [FrameBuffer::Display, FrameBuffer::Depth];
        let capture = match self.content() {
            Some(Content::Frame { capture, .. }) if options.edits.is_empty() => Cow::Borrowed(&**capture),
            _ => Cow::Owned(self.shot(options)?.capture),
        };
        let picture = options.frame_renderer().render(&capture, &buffers, &mut |_| {})?;
        let mut images = picture.images.into_iter();
        let color = images.next().map(DynamicImage::into_rgba8).unwrap_or_default();
        let depth = images.next().map(DynamicImage::into_luma16).unwrap_or_default();
        Ok(Rendering { color, depth, notes: picture.run.report.notes })
    }

    /// Checks the content for mistakes. Returns an empty list if it has none.
    ///
    /// ```
    /// use pspge::check::{CheckOptions, Rule};
    ///
    /// let asset = pspge::open("list.ge", b"RET | FINISH | END")?;
    /// let findings = asset.check(&CheckOptions::default());
    /// assert_eq!(findings[0].rule, Rule::NoDraws);
    /// assert_eq!(findings[1].rule, Rule::ReturnWithoutCall);
    /// # Ok::<(), pspge::Error>(())
    /// ```
    #[must_use]
    pub fn check(&self, options: &CheckOptions) -> Vec<Finding> {
        let mut findings = match &self.source {
            AssetSource::Program(program, _) => {
                let mut findings = check::check(&mut program.capture(), options);
                for Finding { rule, place, .. } in &mut findings {
                    place.location = place.address.and_then(|address| match rule {
                        // The missing END belongs after the last command, before the words that were never written.
                        Rule::MissingEnd => program.source_map.location_before(address),
                        _ => program.source_map.location(address),
                    });
                }
                // A user cannot change built-in texts, so findings in them matter only if outside state causes them.
                let is_about_user = |Finding { place, severity, .. }: &Finding| {
                    let is_built_in = |address| program.source_map.is_built_in(address);
                    !place.address.is_some_and(is_built_in)
                        || place.draw.is_some() && *severity != Severity::Hint
                };
                findings.retain(is_about_user);
                findings
            }
            AssetSource::File(opened) => check::check_content(&opened.content, options),
        };
        self.add_pixels(&mut findings, options);
        findings
    }

    /// Looks up the pixels of draws that a PSP and emulators show otherwise, to tell a user where to look.
    fn add_pixels(&self, findings: &mut [Finding], options: &CheckOptions) {
        let mut session = None;
        for finding in findings.iter_mut().filter(|finding| finding.rule.on(Machine::Psp).is_some()) {
            let Some(draw) = finding.place.draw else { continue };
            if session.is_none() {
                let mut spec = RunSpec::default().limits(options.limits).camera(options.camera);
                spec.arithmetic = Some(options.arithmetic);
                session = self.shot(&spec).ok().map(|shot| shot.session());
            }
            let Some(session) = &mut session else { return };
            let Some(event) = session.timeline().event_of_draw(draw).map(|event| event.number) else {
                continue;
            };
            // The draw may be beyond the run's limits.
            let Ok(report) = report::explain(session, event) else { continue };
            let (_, count) = report.pixels.overdraw();
            let first = report.pixels.touched().next().map(|(at, ..)| at);
            finding.pixels = first.map(|first| TouchedPixels { count, first });
        }
    }

    /// Runs the list and returns every executed command, in order, with a report on the run.
    ///
    /// A model is traced as [`Self::render`] draws it with default options. This holds all commands in memory at
    /// once. For long runs, use [`Self::run_with`] and an observer.
    ///
    /// # Errors
    /// [`Error::NoDisplayList`] if the content cannot be drawn.
    pub fn trace(&self) -> Result<Trace, Error> {
        let mut shot = self.shot(&RunSpec::default())?;
        let sources = std::mem::take(&mut shot.capture.sources);
        let mut lines = Vec::new();
        let mut observer = |_: &Memory, step: &Step<'_>| {
            let offset = crate::ge::capture::source_of(&sources, step.at).map(|(_, offset)| offset);
            lines.push(CommandLine::new(step, offset));
            ControlFlow::Continue(())
        };
        let run = shot.run_here(&mut NullSink, &mut observer);
        Ok(Trace { lines, report: run.report })
    }

    /// Runs the list and returns each draw's decoded primitives, in world space.
    ///
    /// # Errors
    /// [`Error::NoDisplayList`] if the content cannot be drawn.
    pub fn geometry(&self) -> Result<Geometry, Error> {
        let mut capture = self.to_capture()?;
        let mut sink = GeometrySink::new();
        let limits = RunSpec::default().limits;
        let run = replay::run(&mut capture, Arithmetic::Single, &mut sink, &mut NullObserver, &limits);
        Ok(Geometry::new(&sink, &capture.sources, self.model(), run.report.notes))
    }

    /// Runs the list into a custom sink, to use your own back end. It receives the same draws as [`Self::render`].
    ///
    /// # Errors
    /// [`Error::NoDisplayList`] if the content cannot be drawn.
    pub fn run(&self, sink: &mut impl Sink) -> Result<Replayed, Error> {
        self.run_with(&RunSpec::default(), sink, &mut NullObserver)
    }

    /// Runs the list into a sink and shows every command to an observer, within the limits in `options`.
    ///
    /// # Errors
    /// As for [`Self::shot`].
    pub fn run_with(
        &self,
        options: &RunSpec,
        sink: &mut impl Sink,
        observer: &mut impl Observer,
    ) -> Result<Replayed, Error> {
        Ok(self.shot(options)?.run_here(sink, observer))
    }

    /// Runs the content once, as [`Self::run_with`] does, and returns a session to go to any event in this run.
    ///
    /// # Errors
    /// As for [`Self::shot`].
    ///
    /// ```
    /// use pspge::RunSpec;
    /// use pspge::debug::EventNumber;
    ///
    /// let asset = pspge::open("list.ge", b"TRANSFERSTART BITS32 | FOGENABLE 1 | FINISH | END")?;
    /// let mut session = asset.debug(&RunSpec::default())?;
    /// session.seek(EventNumber(0)).expect("the transfer");
    /// assert!(!session.registers().is_on(pspge::Opcode::FOGENABLE));
    /// # Ok::<(), pspge::Error>(())
    /// ```
    pub fn debug(&self, options: &RunSpec) -> Result<Session, Error> {
        Ok(self.shot(options)?.session())
    }

    /// Returns the geometry as a scene for the writers in [`crate::export`]. This is a model with skeleton and
    /// animations, or a frame with a mesh for each draw and the camera.
    ///
    /// # Errors
    /// [`Error::NoDisplayList`] if the content cannot be drawn.
    #[cfg(feature = "export")]
    pub fn to_scene(&self) -> Result<Scene, Error> {
        let filter =
            DrawFilter { compares_order: true, limits: RunSpec::default().limits, ..DrawFilter::default() };
        if let Some(model) = self.model() {
            return Ok(export::model_scene(model, &self.name, &filter, RigMode::Rigged));
        }
        let mut capture = self.to_capture()?;
        Ok(export::frame_scene(&mut capture, &self.name, &filter, FrameSpace::Automatic))
    }

    /// Returns the geometry as a binary glTF file (`.glb`), merged into few objects: see [`Merge::usual`].
    ///
    /// # Errors
    /// [`Error::NoDisplayList`] if the content cannot be drawn.
    #[cfg(feature = "export")]
    pub fn to_glb(&self) -> Result<Vec<u8>, Error> {
        let merge = Merge::usual(self.model().is_some());
        Ok(export::gltf::write_glb(&self.to_scene()?.merged(merge)))
    }

    /// Returns the content as a frame dump, to draw the picture of [`Self::render`] here and in other players. A
    /// dump shows no alpha, and players show the upper left 480×272 pixels.
    /// # Errors
    /// As for [`Self::shot`]. Also [`Error::TooLargeForDump`] if the content reads more data than a dump can
    /// hold, and [`Error::LimitHit`] if a limit would cut the dump short.
    #[cfg(feature = "export")]
    pub fn to_frame_dump(&self, options: &RunSpec) -> Result<Dump, Error> {
        if let Some(dump) = self.dump() {
            return Ok(dump.clone().upgraded());
        }
        let mut shot = self.shot(options)?;
        let mut recorder = Recorder::new(&shot.capture, *b"PSPGE0001", &options.limits);
        // The recorder reads memory between draws, so each draw must be complete before the next.
        let mut raster = shot.rasterizer();
        let run = shot.run_here(&mut raster, &mut recorder);
        let cut_short = run.report.notes.iter().find_map(Note::limit_hit);
        if let Some(hit) = cut_short.or_else(|| recorder.limit_hit()) {
            return Err(Error::LimitHit(hit));
        }
        recorder.finish(&run.registers).ok_or(Error::TooLargeForDump)
    }
}
