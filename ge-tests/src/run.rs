//! Assembles and runs programs for cases. For this, only this file and [`crate::session`] call the interpreter.

use std::cell::RefCell;
use std::fmt::{Display, Write as _};
use std::ops::ControlFlow;

use anyhow::{Context, Result, anyhow, ensure};
use pspge::asm;
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::edram::Translation;
use pspge::ge::memory::{Memory, RamSize};
use pspge::ge::note::Note;
use pspge::ge::registers::Registers;
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::decode::{DecodedDraw, DecodedVertex, decode, decode_immediate};
use pspge::run::interpreter::{Ending, Interpreter, Limits};
use pspge::run::sink::{NullObserver, Observer, Sink, Step};
use pspge::run::trace::{CommandLine, DrawLine, ImmediateDrawLine};

use crate::case::ArithmeticName;
use crate::observe::RunState;
use crate::session::CpuPlan;

/// The memory and registers to run programs with.
///
/// # Invariants
/// Every run starts with empty main RAM, and with VRAM filled with the background. To get there, a run clears the
/// last program's segments. After a program with block transfers, it replaces all memory, because they write
/// anywhere.
#[derive(Debug)]
pub struct Machine {
    memory: Memory,
    registers: Registers,
    arithmetic: Arithmetic,
    background: u32,
    /// What VRAM holds before a run.
    initial_vram: Vec<u8>,
    /// The last program's segments: start and length.
    loaded: Vec<(Address, usize)>,
    has_transfers: bool,
    /// The last session's transcript.
    transcript: String,
}

impl Machine {
    /// Creates a machine to fill VRAM with `background` before each run.
    #[must_use]
    pub fn new(background: u32, arithmetic: ArithmeticName) -> Self {
        let memory = Memory::new(RamSize::Small);
        let initial_vram = background.to_le_bytes().repeat(memory.vram().len() / 4);
        Self {
            memory,
            registers: Registers::new(),
            arithmetic: match arithmetic {
                ArithmeticName::Hardware => Arithmetic::Hardware,
                ArithmeticName::Single => Arithmetic::Single,
            },
            background,
            initial_vram,
            loaded: Vec::new(),
            has_transfers: false,
            transcript: String::new(),
        }
    }

    /// Requests modes for eDRAM address translation in this order, from the default mode on. Unknown modes are
    /// refused.
    ///
    /// # Errors
    /// If a mode is not a hexadecimal number.
    pub fn request_translation(&mut self, modes: &str) -> Result<()> {
        self.memory.set_translation(Translation::default());
        for mode in modes.split_whitespace() {
            let digits = mode.strip_prefix("0x").ok_or_else(|| anyhow!("`{mode}` is not a mode"))?;
            let number =
                u32::from_str_radix(digits, 16).with_context(|| format!("`{mode}` is not a mode"))?;
            if let Some(translation) = Translation::from_mode(number) {
                self.memory.set_translation(translation);
            }
        }
        Ok(())
    }

    /// Assembles `program`, runs it and draws.
    ///
    /// # Errors
    /// If the program does not assemble or does not reach its end.
    pub fn run(&mut self, program: &str) -> Result<()> {
        let entry = self.load(program)?;
        let options = RasterOptions { arithmetic: self.arithmetic, ..RasterOptions::default() };
        let mut rasterizer = Rasterizer::new(options);
        let mut interpreter = Interpreter::new(Registers::new(), self.arithmetic);
        let limits = Limits::default();
        let report = interpreter.run(&mut self.memory, entry, &mut rasterizer, &mut NullObserver, &limits);
        ensure!(
            report.ending == Ending::Finished,
            "the list ended with {:?} at {}",
            report.ending,
            report.at
        );
        self.registers = interpreter.registers().clone();
        Ok(())
    }

    /// Assembles `program` and runs it with the CPU's interventions; this draws no pixels.
    ///
    /// # Errors
    /// If the program does not assemble.
    pub fn run_session(&mut self, program: &str, plan: &CpuPlan) -> Result<()> {
        let entry = self.load(program)?;
        let mut interpreter = Interpreter::new(Registers::new(), self.arithmetic);
        self.transcript = plan.run(&mut interpreter, &mut self.memory, entry);
        self.registers = interpreter.registers().clone();
        Ok(())
    }

    /// Returns a trace to compare with a snapshot: every command, geometry for draws, notes, and how the list ended.
    ///
    /// # Errors
    /// If the program does not assemble.
    pub fn trace(&mut self, program: &str) -> Result<String> {
        let entry = self.load(program)?;
        let lines = RefCell::new(String::new());
        let mut interpreter = Interpreter::new(Registers::new(), self.arithmetic);
        let limits = Limits::default();
        let (mut sink, mut observer) = (GeometryLines(&lines), CommandLines(&lines));
        let report = interpreter.run(&mut self.memory, entry, &mut sink, &mut observer, &limits);
        let mut lines = lines.into_inner();
        let _ = writeln!(lines, "{:?} at {}", report.ending, report.at);
        Ok(lines)
    }

    /// Returns the state after the run, for observations and pictures.
    #[must_use]
    pub fn state(&self) -> RunState<'_> {
        let Self { memory, registers, background, transcript, .. } = self;
        RunState { memory, registers, background: *background, transcript }
    }

    fn load(&mut self, text: &str) -> Result<Address> {
        let program = asm::assemble(text).map_err(|error| anyhow!("{error}"))?;
        if self.has_transfers {
            let translation = self.memory.translation();
            self.memory = Memory::new(RamSize::Small);
            self.memory.set_translation(translation);
        }
        for (address, length) in self.loaded.drain(..) {
            self.memory.write(address, &vec![0; length]);
        }
        self.memory.vram_mut().copy_from_slice(&self.initial_vram);
        for segment in &program.segments {
            self.memory.write(segment.address, &segment.bytes);
            self.loaded.push((segment.address, segment.bytes.len()));
        }
        self.has_transfers = text.contains("TRANSFERSTART");
        Ok(program.entry)
    }
}

/// Writes a line for every command and note.
struct CommandLines<'a>(&'a RefCell<String>);

impl Observer for CommandLines<'_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let _ = writeln!(self.0.borrow_mut(), "{}", CommandLine::new(step, None));
        ControlFlow::Continue(())
    }

    fn note(&mut self, note: &Note) {
        let _ = writeln!(self.0.borrow_mut(), "    note: {note}");
    }
}

/// Writes each draw's decoded geometry.
struct GeometryLines<'a>(&'a RefCell<String>);

impl GeometryLines<'_> {
    fn write(&self, line: &dyn Display, decoded: &DecodedDraw) {
        let mut lines = self.0.borrow_mut();
        let _ = writeln!(lines, "    {line}");
        for (place, vertex) in decoded.vertices.iter().enumerate() {
            let DecodedVertex { position, normal, texcoord, color, .. } = vertex;
            let _ = writeln!(
                lines,
                "    {place}: at {position:?} normal {normal:?} uv {texcoord:?} color {color:?}"
            );
        }
        if !decoded.triangles.is_empty() {
            let _ = writeln!(lines, "    triangles {:?}", decoded.triangles);
        }
        if !decoded.pairs.is_empty() {
            let _ = writeln!(lines, "    pairs {:?}", decoded.pairs);
        }
        if !decoded.points.is_empty() {
            let _ = writeln!(lines, "    points {:?}", decoded.points);
        }
    }
}

impl Sink for GeometryLines<'_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.write(&DrawLine::new(draw), &decode(memory, draw));
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.write(&ImmediateDrawLine::new(draw), &decode_immediate(draw));
    }

    fn flush(&mut self, _: &mut Memory) {}
}
