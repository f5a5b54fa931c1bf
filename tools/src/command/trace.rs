//! `pspge trace`: the commands or draws of a run.

use std::ops::ControlFlow;

use pspge::asm::text::{describe, field_value};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::{Event, Source};
use pspge::ge::limits::{LimitHit, Limits};
use pspge::ge::memory::Memory;
use pspge::ge::note::Note;
use pspge::ge::registers::Registers;
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::sink::{NullObserver, NullSink, Observer, Sink, Step};
use pspge::run::trace::{CommandLine, DrawLine, ImmediateDrawLine, register_lines};
use pspge::scene::render::ModelRenderer;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::camera::CameraArgs;
use crate::command::render::{Size, renderer};
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::output::Output;
use crate::run::{self, ArithmeticArg};

/// Print every executed command, in order
///
/// A line holds the address, the offset in the file (`-` if the word comes from no file), the word, the name
/// and argument of the command, and the address it refers to.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Print one line per draw instead
    #[arg(long)]
    draws: bool,

    /// Print the draws with the registers at each draw
    #[arg(long)]
    registers: bool,

    /// Stop after N commands, or after N draws if draws are printed
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    camera: CameraArgs,

    /// Arithmetic of transform and rasterizer
    #[arg(long, value_enum, default_value = "hardware")]
    arithmetic: ArithmeticArg,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let input = run::open(&args.input)?;
    let arithmetic = Arithmetic::from(args.arithmetic);
    let (mut capture, model) = run::capture(&args.input, input)?;
    if let Some(model) = model {
        // The trace of a model includes the camera and the clear of `render`.
        let renderer = renderer(Size { width: 480, height: 272 }, arithmetic);
        capture = ModelRenderer { camera: args.camera.camera(), ..renderer }.capture(&model);
    }
    let limits = args.input.limits();
    let sources = std::mem::take(&mut capture.sources);
    let raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
    let mut printer = Printer { args, sources: &sources, raster, out: Output::new(), failure: None };
    let report = if args.draws || args.registers {
        run::run(&mut capture, arithmetic, &mut printer, &mut NullObserver, &limits).report
    } else {
        run::run(&mut capture, arithmetic, &mut NullSink, &mut printer, &limits).report
    };
    let Printer { mut out, failure, .. } = printer;
    if let Some(failure) = failure {
        return Err(failure);
    }
    if args.json {
        let ending = format!("{:?}", report.ending);
        out.json(&EndObject { ending, commands: report.commands, draws: report.draws }, false)?;
    } else {
        out.line(format_args!(
            "; {:?} after {} commands, {} draws",
            report.ending, report.commands, report.draws
        ))?;
    }
    out.finish()
}

/// The end of the run as JSON.
#[derive(Debug, Serialize)]
struct EndObject {
    ending: String,
    commands: u64,
    draws: u64,
}

/// A command as JSON.
#[derive(Debug, Serialize)]
struct CommandObject {
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_offset: Option<u64>,
    word: String,
    name: &'static str,
    argument: u32,
    fields: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    depth: usize,
}

impl From<&CommandLine> for CommandObject {
    fn from(line: &CommandLine) -> Self {
        let info = line.command.opcode().info();
        let argument = line.command.argument();
        let value = |field| Value::String(field_value(field, argument).to_string());
        Self {
            address: line.at.to_string(),
            file_offset: line.file_offset,
            word: format!("{:08x}", line.command.word()),
            name: info.name,
            argument,
            fields: info.fields.iter().map(|field| (field.name.to_owned(), value(field))).collect(),
            target: line.target.map(|target| target.to_string()),
            depth: line.depth,
        }
    }
}

/// A note as JSON.
#[derive(Debug, Serialize)]
struct NoteObject {
    address: String,
    note: String,
}

/// A draw as JSON.
#[derive(Debug, Serialize)]
struct DrawObject {
    draw: u64,
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_offset: Option<u64>,
    primitive: String,
    count: u32,
    /// Pixels that passed all tests.
    pixels: u64,
    line: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    registers: Vec<String>,
}

/// An action of the CPU as JSON.
#[derive(Debug, Serialize)]
struct EventObject {
    address: String,
    event: String,
}

/// Prints commands or draws as the list runs. It rasterizes the draws to count their pixels.
struct Printer<'a> {
    args: &'a Args,
    sources: &'a [Source],
    raster: Rasterizer,
    out: Output,
    failure: Option<Failure>,
}

impl Printer<'_> {
    /// Returns whether `--limit` is reached or printing has failed.
    fn is_finished(&self, done: u64) -> bool {
        self.failure.is_some() || self.args.limit.is_some_and(|limit| done >= limit)
    }

    /// Prints, and keeps the first failure for the end of the run.
    fn print(&mut self, print: impl FnOnce(&mut Output) -> Result<(), Failure>) {
        if self.failure.is_none() {
            self.failure = print(&mut self.out).err();
        }
    }

    /// Returns the number of pixels that a draw writes.
    fn pixels(&mut self, draw: impl FnOnce(&mut Rasterizer)) -> u64 {
        let before = self.raster.statistics().pixels;
        draw(&mut self.raster);
        self.raster.statistics().pixels - before
    }

    fn registers(&self, registers: &Registers) -> Vec<String> {
        if self.args.registers {
            register_lines(registers).map(|command| describe(command).to_string()).collect()
        } else {
            Vec::new()
        }
    }

    fn print_draw(&mut self, object: &DrawObject) {
        let json = self.args.json;
        self.print(|out| {
            if json {
                return out.json(object, false);
            }
            out.line(format_args!("{} | {} pixels", object.line, object.pixels))?;
            object.registers.iter().try_for_each(|register| out.line(format_args!("    {register}")))
        });
    }
}

impl Observer for Printer<'_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if self.is_finished(step.number) {
            return ControlFlow::Break(());
        }
        let line = CommandLine::new(step, run::file_offset(self.sources, step.at));
        let json = self.args.json;
        self.print(|out| {
            if json { out.json(&CommandObject::from(&line), false) } else { out.line(format_args!("{line}")) }
        });
        ControlFlow::Continue(())
    }

    fn note(&mut self, note: &Note) {
        let json = self.args.json;
        self.print(|out| {
            if json {
                out.json(&NoteObject { address: note.at.to_string(), note: note.kind.to_string() }, false)
            } else {
                out.line(format_args!("; note: {note}"))
            }
        });
    }

    fn event(&mut self, _: &Memory, event: &Event) {
        let json = self.args.json;
        self.print(|out| {
            if json {
                out.json(
                    &EventObject { address: event.at.to_string(), event: event.action.to_string() },
                    false,
                )
            } else {
                out.line(format_args!("; the CPU: {}", event.action))
            }
        });
    }
}

impl Sink for Printer<'_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        if self.is_finished(draw.number) {
            return;
        }
        let pixels = self.pixels(|raster| raster.draw(memory, draw));
        self.print_draw(&DrawObject {
            draw: draw.number,
            address: draw.at.to_string(),
            file_offset: run::file_offset(self.sources, draw.at),
            primitive: draw.effective_primitive().to_string(),
            count: draw.count,
            pixels,
            line: DrawLine::new(draw).to_string(),
            registers: self.registers(draw.registers),
        });
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        if self.is_finished(draw.number) {
            return;
        }
        let pixels = self.pixels(|raster| raster.draw_immediate(memory, draw));
        self.print_draw(&DrawObject {
            draw: draw.number,
            address: draw.at.to_string(),
            file_offset: run::file_offset(self.sources, draw.at),
            primitive: draw.primitive.to_string(),
            count: u32::try_from(draw.vertices.len()).unwrap_or(0),
            pixels,
            line: ImmediateDrawLine::new(draw).to_string(),
            registers: self.registers(draw.registers),
        });
    }

    fn flush(&mut self, memory: &mut Memory) {
        self.raster.flush(memory);
    }

    fn begin(&mut self, limits: &Limits) {
        self.raster.begin(limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.raster.limit_hit()
    }
}
