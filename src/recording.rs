//! Records a running machine's draws as a frame dump that replays alone.
//!
//! An emulator runs lists in parts, and between them its CPU changes vertices, textures, palettes, registers and
//! VRAM. A [`HostRecorder`] watches the parts and looks at the machine before and after each. It records everything
//! only once:
//!
//! * Commands are recorded as they are executed, with the bytes that draws, palette loads and block transfers read
//!   at this moment. So it does not matter when the CPU writes main RAM.
//! * All other changes since the previous part are found by comparison: VRAM becomes a copy by the CPU, registers
//!   become commands to set them, the palette becomes a load. So it does not matter who changed it, or by which
//!   call.
//! * The recording starts with all of VRAM, registers and palette memory. If its first draws continue with vertices
//!   or attributes from earlier draws, draws that write no pixel come first, to repeat these.
//!
//! # Invariants
//! A replay in the same arithmetic leaves the same bytes in VRAM as the machine at the end of the recording. The
//! texture cache is empty at the start of a recording, because a replay starts with an empty cache, too.
//!
//! ```
//! use pspge::recording::{HostRecorder, RecordingOptions};
//! use pspge::{Arithmetic, Interpreter, Limits, Rasterizer, Registers, Sink};
//!
//! let list = "FRAMEBUFWIDTH width=64 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63 | BASE hi(v)
//!     VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=POINTS count=1 | FINISH | END | .align 4
//!     v: .s16 5 5 0";
//! let mut machine = pspge::asm::assemble(list)?.capture();
//! let memory = &mut machine.memory;
//! let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Hardware);
//! let mut raster = Rasterizer::default();
//! let options = RecordingOptions::default();
//! let mut recorder = HostRecorder::begin(memory, &interpreter, &mut raster, options);
//! // Each part of a frame, as often as the emulator runs one.
//! recorder.enter(memory, &interpreter, &raster, true);
//! interpreter.run(memory, machine.start, &mut raster, &mut recorder, &Limits::none());
//! recorder.leave(memory, &interpreter, &mut raster);
//! let recording = recorder.finish(memory)?;
//! let asset = pspge::open("frame.ppdmp", &recording.dump.to_bytes())?;
//! assert_eq!(asset.run(&mut pspge::NullSink)?.report.draws, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::ops::ControlFlow;

use thiserror::Error;

use crate::debug::memory::free_ram::FreeRam;
use crate::debug::session::carried::Carried;
use crate::debug::trim::TrimNote;
use crate::debug::trim::carried_steps::{self, CarriedUse, Needs};
use crate::debug::trim::excerpt::{Item, ItemStep};
use crate::export::recorder::{Recorder, vertex_count};
use crate::formats::ppdmp::{Dump, PAYLOAD_MAX};
use crate::ge::address::Address;
use crate::ge::capture::Display;
use crate::ge::command::Command;
use crate::ge::edram::Translation;
use crate::ge::limits::Limits;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::vertex::{Bezier, Spline};
use crate::ge::registers::{Registers, delta};
use crate::pipeline::framebuffer::ColorSurface;
use crate::pipeline::geometry::patch::Patch;
use crate::pipeline::texture::palette;
use crate::raster::Rasterizer;
use crate::run::interpreter::{Interpreter, TransferShape};
use crate::run::sink::{Sink, Step};
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};
use vram_copy::{VramCopy, replay_places};

mod vram_copy;

/// How long to record, and for which program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingOptions {
    /// How many frames to record, counted by [`HostRecorder::show`]; 0 for all until [`HostRecorder::finish`].
    pub frames: u32,
    /// How many bytes of data the dump may have. This bounds the memory for a recording that nobody ends. A dump has
    /// at most 64 MiB.
    pub max_bytes: u32,
    /// The program's id, such as `ULUS10336`.
    pub game_id: [u8; 9],
}

impl Default for RecordingOptions {
    fn default() -> Self {
        Self { frames: 0, max_bytes: PAYLOAD_MAX, game_id: *b"PSPGE0000" }
    }
}

/// Why a recording has no dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The data do not fit.
    #[error("the recording does not fit into {0} bytes of data, or has more records than a dump")]
    TooLarge(u32),
}

/// A finished recording.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The dump.
    pub dump: Dump,
    /// How many times the screen showed a buffer.
    pub frames: u32,
    /// Everything the dump cannot hold.
    pub notes: Vec<TrimNote>,
}

/// A place in the recording where a replay lacks state that earlier draws left for later ones.
#[derive(Clone, Debug)]
struct Gap {
    /// How many records come before it.
    position: usize,
    /// The state of a replay at this place. This is known only for the first gap, because only state that draws need
    /// is filled in.
    known: Option<Carried>,
    /// The machine's own state, to repeat there.
    carried: Carried,
    registers: Registers,
    /// Which state the commands after it need.
    uses: CarriedUse,
}

/// Records a machine whose lists run in parts.
///
/// Call [`Self::enter`] before each part and [`Self::leave`] after it, and pass the recorder to the run as its
/// watcher. In between, the host may do anything to the machine and to memory. While a recording is on, each draw is
/// completed at once.
pub struct HostRecorder {
    recorder: Recorder,
    options: RecordingOptions,
    /// The registers that a replay would have after the recording so far.
    registers: Registers,
    vram: VramCopy,
    translation: Translation,
    carried: Carried,
    texture_flushes: u64,
    gaps: Vec<Gap>,
    /// Whether to record this part's draws.
    draws: bool,
    /// Whether the current command was recorded.
    is_recorded: bool,
    /// Whether a replay may have other bytes in VRAM, because a draw was cut short.
    differs: bool,
    frames: u32,
    /// Whether the last step was to show a buffer.
    is_shown: bool,
    is_complete: bool,
    error: Option<RecordingError>,
}

impl fmt::Debug for HostRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { options, frames, is_complete, error, .. } = self;
        let bytes = self.recorder.size();
        write!(f, "HostRecorder({options:?}, {bytes} bytes, {frames} frames, {is_complete}, {error:?})")
    }
}

impl HostRecorder {
    /// Begins to record a machine between two parts of a run. This completes its draws and empties its texture
    /// cache, because a replay starts with an empty cache.
    pub fn begin(
        memory: &mut Memory,
        interpreter: &Interpreter,
        raster: &mut Rasterizer,
        options: RecordingOptions,
    ) -> Self {
        raster.flush(memory);
        raster.flush_textures();
        let registers = interpreter.registers().clone();
        let mut recorder = Self {
            recorder: Recorder::of_machine(memory, &registers, options.game_id, &Limits::none()),
            options,
            registers,
            vram: VramCopy::zeroed(),
            translation: memory.selected_translation(),
            carried: Carried::default(),
            texture_flushes: raster.texture_flushes(),
            gaps: Vec::new(),
            draws: true,
            is_recorded: false,
            differs: false,
            frames: 0,
            is_shown: false,
            is_complete: false,
            error: None,
        };
        // A replay starts with zeroed VRAM, so the comparison finds everything else.
        recorder.copy_vram(memory);
        recorder
    }

    /// Returns whether nothing more will be recorded: all frames are there, or the recording is too large.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_complete || self.error.is_some()
    }

    /// Records all changes since [`Self::leave`]. Call this before each part of a run. `draws` tells whether this
    /// part draws; if not, its block transfers are recorded, but none of its draws.
    pub fn enter(&mut self, memory: &Memory, interpreter: &Interpreter, raster: &Rasterizer, draws: bool) {
        self.draws = draws;
        if self.is_over() {
            return;
        }
        let translation = memory.selected_translation();
        if std::mem::replace(&mut self.translation, translation) != translation {
            self.recorder.translate(translation);
        }
        self.copy_vram(memory);
        let (draws, immediate) = interpreter.carried();
        let carried = Carried { draws: draws.clone(), immediate: immediate.clone() };
        if !carried_steps::is_same(&carried, &self.carried) {
            self.recorder.settle(memory);
            let position = self.recorder.position();
            // Nothing was recorded since the last gap, so this gap takes its place.
            let replaced = self.gaps.pop_if(|gap| gap.position == position);
            let before = std::mem::replace(&mut self.carried, carried.clone());
            let known = match replaced {
                Some(gap) => gap.known,
                None => Some(before).filter(|_| self.gaps.is_empty()),
            };
            self.gaps.push(Gap {
                position,
                known,
                carried,
                registers: self.registers.clone(),
                uses: CarriedUse::default(),
            });
        }
        if self.differs_in_flushes(raster) {
            self.recorder.push_command(Command::new(Opcode::TEXFLUSH, 0));
        }
    }

    /// Looks at the machine after a part of a run, and completes its draws.
    pub fn leave(&mut self, memory: &mut Memory, interpreter: &Interpreter, raster: &mut Rasterizer) {
        if self.is_over() {
            return;
        }
        raster.flush(memory);
        self.differs |= raster.limit_hit().is_some();
        self.recorder.settle(memory);
        self.vram.follow(memory);
        if self.draws {
            let (draws, immediate) = interpreter.carried();
            self.carried = Carried { draws: draws.clone(), immediate: immediate.clone() };
        }
        self.check_size();
    }

    /// Records that the screen shows a buffer from now on, which ends a frame. Call this between two parts.
    pub fn show(&mut self, memory: &Memory, display: Display) {
        if self.is_over() {
            return;
        }
        self.copy_vram(memory);
        self.recorder.show(display);
        self.is_shown = true;
        self.frames = self.frames.saturating_add(1);
        self.is_complete = self.frames == self.options.frames;
        self.check_size();
    }

    /// Tells the recorder that the texture cache may have been emptied unseen, for example because the rasterizer
    /// was replaced.
    pub const fn suspect_texture_cache(&mut self) {
        self.texture_flushes = u64::MAX;
    }

    /// Ends the recording between two parts. Unless a buffer was shown last, the dump shows the current framebuffer.
    ///
    /// # Errors
    /// If the recording is too large for a dump.
    pub fn finish(mut self, memory: &Memory) -> Result<Recording, RecordingError> {
        if !self.is_complete {
            self.copy_vram(memory);
        }
        if let Some(error) = self.error {
            return Err(error);
        }
        let mut notes = Vec::new();
        // This goes from the last gap to the first, so that inserted records do not move the other positions.
        for gap in std::mem::take(&mut self.gaps).into_iter().rev() {
            if !self.fill(&gap) && notes.is_empty() {
                notes.push(TrimNote::CarriedState);
            }
        }
        if !self.is_shown {
            let ColorSurface { address, stride, format } = ColorSurface::from_registers(&self.registers);
            self.recorder.show(Display { address: Address::vram(address), stride, format });
        }
        let too_large = RecordingError::TooLarge(self.options.max_bytes);
        let dump = self.recorder.finish_shown().ok_or(too_large)?;
        // A replay needs room for a list, too.
        dump.capture("").map_err(|_| too_large)?;
        Ok(Recording { dump, frames: self.frames, notes })
    }

    /// Records steps to repeat the state that earlier draws left. Returns false if no steps can.
    fn fill(&mut self, gap: &Gap) -> bool {
        let Gap { position, known, carried, registers, uses } = gap;
        let needs: Needs = uses.needs(carried, known.as_ref());
        let mut free = FreeRam::find(&Memory::default());
        let mut data = Vec::new();
        let Some(steps) = carried_steps::steps_for(needs, carried, registers, &mut free, &mut data) else {
            return false;
        };
        let vertices = |at: Address| data.iter().find(|(start, _)| *start == at).map(|(_, bytes)| bytes);
        self.recorder.insert(*position, |recorder| {
            for Item { step, .. } in &steps {
                match step {
                    ItemStep::Command(command) => recorder.push_command(*command),
                    ItemStep::Draw(draw) => {
                        let bytes = vertices(draw.vertices).map_or(&[][..], Vec::as_slice);
                        recorder.push_draw(draw.command, bytes);
                    }
                    ItemStep::Action(_) => {}
                }
            }
        });
        true
    }

    /// Returns whether the texture cache was emptied unseen since the last call.
    const fn differs_in_flushes(&mut self, raster: &Rasterizer) -> bool {
        let flushes = raster.texture_flushes();
        let differs = self.texture_flushes != flushes;
        self.texture_flushes = flushes;
        differs
    }

    /// Records the VRAM bytes that a replay lacks, as writes by the CPU.
    fn copy_vram(&mut self, memory: &Memory) {
        if std::mem::take(&mut self.differs) {
            self.vram.forget(memory);
        }
        let changes = self.vram.take_changes(memory);
        if changes.is_empty() {
            return;
        }
        self.recorder.settle(memory);
        for range in changes {
            for (to, part) in replay_places(range, memory, &self.registers) {
                self.recorder.copy(to, memory.vram().get(part).unwrap_or_default());
            }
        }
    }

    /// Records commands to set these registers, because the machine has changed them by other means.
    fn settle_registers(&mut self, now: &Registers) {
        for command in delta::commands(&self.registers, now) {
            self.recorder.push_command(command);
        }
        if self.registers.clut() != now.clut() {
            self.recorder.load_palette(now.clut());
        }
        self.registers.clone_from(now);
    }

    /// Ends the recording if it has too many bytes, and frees its memory.
    fn check_size(&mut self) {
        let Self { recorder, options, gaps, .. } = self;
        let size = recorder.size().saturating_add(gaps.len().saturating_mul(size_of::<Gap>()));
        if self.error.is_none() && (recorder.is_full() || size > options.max_bytes as usize) {
            self.error = Some(RecordingError::TooLarge(options.max_bytes));
            let empty = Memory::default();
            *recorder = Recorder::of_machine(&empty, &Registers::new(), options.game_id, &Limits::none());
            self.gaps = Vec::new();
        }
    }

    /// Records a command before it is executed. [`Watch::command`] does this; other watchers may pass commands on.
    /// All draws so far must be complete.
    pub fn command(&mut self, memory: &Memory, step: &Step<'_>) {
        if self.is_over() {
            return;
        }
        // A command passed on alone may come without memory if it needs none.
        if self.differs && !memory.vram().is_empty() {
            self.copy_vram(memory);
        }
        if *step.registers != self.registers {
            self.settle_registers(step.registers);
        }
        let Step { command, registers, .. } = *step;
        let opcode = command.opcode();
        let is_draw = vertex_count(command).is_some();
        self.is_recorded = false;
        if !hangs(command, registers) && (self.draws || !is_draw && opcode != Opcode::VAP) {
            self.is_recorded = self.recorder.record(memory, step);
        }
        if self.is_recorded {
            if let Some(gap) = self.gaps.last_mut() {
                gap.uses.see(command, registers, is_draw);
            }
            self.is_shown &= !is_draw && opcode != Opcode::VAP && opcode != Opcode::TRANSFERSTART;
        }
        self.registers.write(command);
        match opcode {
            // The interpreter notes missing memory already.
            Opcode::LOADCLUT => _ = palette::load(&mut self.registers, memory),
            Opcode::TEXFLUSH => self.texture_flushes = self.texture_flushes.wrapping_add(1),
            _ => {}
        }
        self.check_size();
    }

    /// Prepares for a recorded draw or block transfer. [`Watch::before`] does this.
    pub fn before(&mut self, raster: &Rasterizer) {
        if !self.is_over() && self.differs_in_flushes(raster) {
            self.recorder.flush_textures_before_draw();
        }
    }

    /// Completes a draw or a block transfer. [`Watch::after`] does this.
    pub fn after(
        &mut self,
        raster: &mut Rasterizer,
        memory: &mut Memory,
        event: &RunEvent<'_>,
        outcome: Outcome,
    ) {
        if self.is_over() {
            return;
        }
        raster.flush(memory);
        let is_done = outcome == Outcome::Done;
        // A transfer to main RAM needs no record, because the bytes it wrote are recorded when something reads them.
        let needs_no_record = match event.kind {
            RunEventKind::Transfer(registers) => !TransferShape::of(registers).target.is_vram(),
            RunEventKind::Draw(_) | RunEventKind::Immediate(_) => !self.draws,
            RunEventKind::Cpu { .. } => true,
        };
        self.differs |= self.is_recorded != is_done && !needs_no_record;
    }
}

/// Returns whether a command draws a patch at which the hardware waits forever. This is not recorded, because a
/// replay on hardware would wait, too.
fn hangs(command: Command, registers: &Registers) -> bool {
    let patch: Patch = match command.opcode() {
        Opcode::BEZIER => Bezier::from_argument(command.argument()).into(),
        Opcode::SPLINE => Spline::from_argument(command.argument()).into(),
        _ => return false,
    };
    patch.hanging_division(registers).is_some()
}

impl Watch<Rasterizer> for HostRecorder {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        Self::command(self, memory, step);
        ControlFlow::Continue(())
    }

    fn before(&mut self, raster: &mut Rasterizer, _: &mut Memory, _: &RunEvent<'_>) {
        Self::before(self, raster);
    }

    fn after(
        &mut self,
        raster: &mut Rasterizer,
        memory: &mut Memory,
        event: &RunEvent<'_>,
        outcome: Outcome,
    ) {
        Self::after(self, raster, memory, event, outcome);
    }

    fn reads_memory(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
