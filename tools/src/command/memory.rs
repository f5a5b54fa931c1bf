//! `pspge memory`: shows a memory range at some moment in a run, as bytes or as a picture.

use std::path::PathBuf;
use std::str::FromStr;

use image::DynamicImage;
use pspge::Address;
use pspge::debug::memory::image::{ImageFormat, MemoryLayout, mapped_parts, parse_address};
use pspge::debug::{self, EventNumber, Shot};
use pspge::documents::MemoryDocument;
use pspge::documents::memory::{MemoryMoment, MemoryUseInfo};
use pspge::export::picture_file::{PictureFormat, PictureKind};
use pspge::ge::color;
use pspge::ge::memory::Memory;
use pspge::ge::registers::CLUT_BYTES;
use pspge::ge::registers::texture::PixelFormat;
use pspge::pipeline::texture::palette::Palette;

use crate::batch;
use crate::batch::arguments::BatchArgs;
use crate::command::render::Size;
use crate::event_name::EventName;
use crate::frame::{self, FrameArgs};
use crate::frame_command::{FrameCommand, FrameInput};
use crate::input::options::OpenOptions;
use crate::job::{Session, Task};
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::what_if::WhatIfArgs;

mod dump;

/// How many bytes to print without --length.
const LENGTH: u32 = 256;
/// How many bytes to print at most: enough for all memory in the machine.
const LENGTH_MAX: u32 = 0x1000_0000;

/// Show memory at one moment of a run: as bytes, or as a picture in any format
///
/// Without --output, the bytes are printed in hexadecimal, with `--` where no memory is, or with --uses, the events
/// that read or write them. An output file that ends in .bin gets the bytes; any other gets a picture, in which
/// pixels without memory are magenta. VRAM's views are mapped as the hardware maps them: depth is in order from
/// 0x04200000 on next to 16-bit colour buffers, and from 0x04600000 on next to 32-bit ones.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", long_help = crate::format_help::input())]
    #[arg(value_parser = crate::input::path_text::input_parser())]
    input: String,

    /// Address of the first byte; below 0x200000 it is an offset in VRAM
    #[arg(value_name = "ADDRESS", value_parser = parse_address)]
    address: Address,

    #[command(flatten)]
    open: OpenOptions,

    /// Memory before this draw, or `event:N`, by the number that state --events shows [default: at the end]
    #[arg(long, value_name = "N")]
    at: Option<EventName>,

    /// Memory after that draw or event instead
    #[arg(long, requires = "at", hide_short_help = true)]
    after: bool,

    /// Output file: .bin for the bytes, else a picture
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Number of bytes [default: 256, or those of the picture]
    #[arg(long, value_name = "N", value_parser = length)]
    length: Option<u32>,

    /// Size of the picture [default: 480x272]
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    size: Option<Size>,

    /// Pixels from a row to the next [default: as in the colour buffer at ADDRESS, else the width]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8192), hide_short_help = true)]
    stride: Option<u32>,

    /// Format of a pixel [default: that of the buffer, or ABGR8888]
    ///
    /// BGR5650, ABGR5551, ABGR4444, ABGR8888, CLUT4, CLUT8, CLUT16 and CLUT32 (or INDEX4 to INDEX32), DXT1, DXT3, DXT5,
    /// or DEPTH16.
    #[arg(long, value_name = "FORMAT")]
    pixel_format: Option<ImageFormat>,

    /// Pixels are stored in blocks of 16 bytes by 8 rows
    #[arg(long, hide_short_help = true)]
    swizzle: bool,

    /// Palette for indices: ADDRESS,FORMAT [default: palette memory at that moment, as CLUTFORMAT selects it]
    #[arg(long, value_name = "ADDRESS,FORMAT", hide_short_help = true)]
    palette: Option<PaletteSource>,

    /// Keep the alpha of pixels, which is the stencil of a colour buffer, instead of an opaque picture
    #[arg(long, hide_short_help = true)]
    alpha: bool,

    /// List the events of the run that read or write the bytes, in order
    ///
    /// A draw uses the bytes of all pixels it covers, whether or not they pass its tests, and all of its texture.
    #[arg(long)]
    uses: bool,

    /// Print JSON: existing parts, parts of files, last writers, hash
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    frame: FrameArgs,

    #[command(flatten)]
    what_if: WhatIfArgs,
}

/// Where a picture's palette is, and its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PaletteSource {
    address: Address,
    format: PixelFormat,
}

impl FromStr for PaletteSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || "expected ADDRESS,FORMAT, such as 0x08900000,ABGR8888".to_owned();
        let (address, name) = text.split_once(',').ok_or_else(wrong)?;
        let format = (0..4).map(PixelFormat::from_number).find(|format| format.name() == Some(name.trim()));
        let address = parse_address(address.trim())?;
        Ok(Self { address, format: format.ok_or_else(wrong)? })
    }
}

/// Parses how many bytes to show.
fn length(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    let inside = number.filter(|length| (1..=LENGTH_MAX).contains(length));
    inside.ok_or_else(|| format!("expected a number from 1 to {LENGTH_MAX}"))
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    batch::run(args, &BatchArgs::only(&args.input), console)
}

impl FrameCommand for Args {
    const DONE: &'static str = "shown";

    fn input(&self) -> FrameInput<'_> {
        FrameInput { open: &self.open, frame: &self.frame, what_if: Some(&self.what_if), json: self.json }
    }

    fn run(&self, task: &Task, shot: Shot, session: &mut Session) -> Result<(), Failure> {
        let mut run = frame::debug(&shot, &mut session.notes);
        let event = self.event(task, &run)?;
        run.seek(event).map_err(|error| Failure::inapplicable(&task.input, "--at", error))?;
        let layout = self.layout(&run);
        let bytes = layout.as_ref().map_or(LENGTH, MemoryLayout::bytes);
        let length = self.length.unwrap_or(bytes);
        let missing = missing_bytes(run.memory(), self.address, length);
        if missing > 0 {
            let message = format!("{missing} of {length} bytes from {} on have no memory", self.address);
            session.notes.list.add("memory-unmapped", message);
        }
        let uses = self.uses.then(|| shot.memory_uses(self.address, length));
        let uses = uses.map(|uses| MemoryUseInfo::list(&uses, run.timeline()));
        match &uses {
            Some(uses) if !self.json && self.output.is_none() => {
                for found in uses {
                    session.out.line(format_args!("{}", found.text(length)))?;
                }
            }
            _ => self.write(layout.as_ref(), length, &run, session)?,
        }
        if !self.json {
            return Ok(());
        }
        let until = Some(event).filter(|event| *event < run.end());
        let found = shot.dependencies(until);
        let moment = MemoryMoment {
            event: until,
            memory: run.memory(),
            sources: run.sources(),
            writers: &found.writers,
            timeline: run.timeline(),
        };
        let mut document = MemoryDocument::new(&task.input, moment, self.address, length, layout.as_ref());
        document.uses = uses;
        document.notes = session.notes.list.entries().to_vec();
        session.json(&document)?;
        Ok(())
    }
}

fn missing_bytes(memory: &Memory, address: Address, length: u32) -> u32 {
    let mapped: u32 = mapped_parts(memory, address, length).iter().map(|part| part.end - part.start).sum();
    length.saturating_sub(mapped)
}

impl Args {
    fn writes_bytes(&self) -> bool {
        let extension = self.output.as_ref().and_then(|path| path.extension());
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("bin"))
    }

    /// Returns the event to show memory before. Without --at, this is the end of the run.
    fn event(&self, task: &Task, run: &debug::Session) -> Result<EventNumber, Failure> {
        let Some(at) = self.at else { return Ok(run.end()) };
        let event = at.find(&task.input, "--at", run)?;
        Ok(if self.after { event.next() } else { event })
    }

    /// Returns how to read memory as a picture, or `None` for bytes.
    fn layout(&self, run: &debug::Session) -> Option<MemoryLayout> {
        let is_picture = self.output.is_some() && !self.writes_bytes();
        if !is_picture && self.size.is_none() {
            return None;
        }
        let Size { width, height } = self.size.unwrap_or(Size::SCREEN);
        let (registers, display) = (run.registers(), run.replayed().display);
        let found = MemoryLayout::found(self.address, [width, height], self.pixel_format, registers, display);
        let palette = match self.palette {
            Some(palette) => {
                Palette { format: palette.format, ..MemoryLayout::new(self.address, found.format).palette }
            }
            None => found.palette,
        };
        let stride = self.stride.unwrap_or(if found.stride == 0 { width } else { found.stride });
        Some(MemoryLayout { stride, is_swizzled: self.swizzle, palette, ..found })
    }

    /// Writes a picture or bytes into a file, or prints bytes.
    fn write(
        &self,
        layout: Option<&MemoryLayout>,
        length: u32,
        run: &debug::Session,
        session: &mut Session,
    ) -> Result<(), Failure> {
        let memory = run.memory();
        match (&self.output, layout) {
            (None, _) if self.json => Ok(()),
            (None, _) => dump::print(&mut session.out, memory, self.address, length),
            (Some(path), Some(layout)) if !self.writes_bytes() => {
                let mut picture = layout.picture(memory, &self.clut(run));
                if !self.alpha && picture.color().has_alpha() {
                    picture = opaque(picture);
                }
                let kind = match picture {
                    DynamicImage::ImageLuma16(_) => PictureKind::Gray16,
                    _ => PictureKind::Color,
                };
                let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("png");
                let format = PictureFormat::from_extension(extension).map_err(Failure::usage)?;
                format.check(kind).map_err(Failure::usage)?;
                let bytes = format.encode(&picture).map_err(Failure::usage)?;
                session.write(path, &bytes)
            }
            (Some(path), _) => {
                let mut bytes = vec![0; length as usize];
                memory.read(self.address, &mut bytes);
                session.write(path, &bytes)
            }
        }
    }

    /// Returns the picture's palette: as loaded by the run, or read from memory.
    fn clut(&self, run: &debug::Session) -> [u8; CLUT_BYTES] {
        let Some(palette) = self.palette else { return *run.registers().clut() };
        let mut clut = [0; CLUT_BYTES];
        let colors = 256 * color::bytes(palette.format) as usize;
        run.memory().read(palette.address, &mut clut[..colors.min(CLUT_BYTES)]);
        clut
    }
}

fn opaque(picture: DynamicImage) -> DynamicImage {
    let mut picture = picture.into_rgba8();
    for pixel in picture.pixels_mut() {
        pixel.0[3] = 255;
    }
    picture.into()
}
