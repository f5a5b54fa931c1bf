//! Collects an excerpt's steps while a session runs: registers, draws, transfers and CPU actions, without list flow.
//! Overrides become commands before and after the event. Events that they leave out do not become steps.
//!
//! # Invariants
//! The steps lead to the same registers and memory as the run. Exceptions are pointers, list flow, and bytes that an
//! action by the CPU writes again with the value that they already have.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::draw_reach;
use super::excerpt::{Item, ItemDraw, ItemStep};
use crate::debug::memory::free_ram::FreeRam;
use crate::debug::memory::vram_set::VramSet;
use crate::debug::timeline::EventNumber;
use crate::ge::address::{Address, VRAM_SIZE};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Action;
use crate::ge::command::Command;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::View;
use crate::ge::registers::texture::LoadClut;
use crate::ge::registers::vertex::VertexType;
use crate::ge::registers::{CLUT_BYTES, Registers, delta};
use crate::pipeline::draw::Draw;
use crate::pipeline::texture::{self, content_hash, palette};
use crate::pipeline::vertex::VertexLayout;
use crate::raster::checkpoint::RasterCheckpoint;
use crate::raster::pixel_rect::PixelRect;
use crate::run::interpreter::TransferShape;
use crate::run::sink::Step;
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

/// How many blocks with 32 bytes fill palette memory.
const PALETTE_BLOCKS: u32 = 32;

/// The VRAM bytes that a step reads, and those that it may write.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) reads: VramSet,
    pub(crate) writes: VramSet,
}

/// Tells how to collect accesses to VRAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessDetail {
    /// For all steps together, byte by byte.
    Together,
    /// For each event alone, in blocks with 256 bytes.
    Each,
}

impl AccessDetail {
    /// The logarithm of a block's size in bytes, for [`Self::Each`].
    pub(crate) const BLOCK_SHIFT: u32 = 8;

    /// Returns an access to no bytes.
    fn empty(self) -> Access {
        let set = match self {
            Self::Together => VramSet::default(),
            Self::Each => VramSet::of_blocks(Self::BLOCK_SHIFT),
        };
        Access { reads: set.clone(), writes: set }
    }
}

/// The state before the first step.
#[derive(Clone, Debug)]
pub(crate) struct CollectorStart<'a> {
    /// The next event.
    pub(crate) first: EventNumber,
    pub(crate) registers: &'a Registers,
    pub(crate) free: FreeRam,
    pub(crate) raster: RasterCheckpoint,
}

/// Everything collected from a run's events.
#[derive(Debug)]
pub(crate) struct Collected {
    pub(crate) items: Vec<Item>,
    /// Bytes to add to main RAM at the start.
    pub(crate) data: Vec<(Address, Vec<u8>)>,
    pub(crate) free: FreeRam,
    /// Accesses by event. If all steps are taken together, theirs are at event 0.
    pub(crate) accesses: BTreeMap<EventNumber, Box<Access>>,
    /// The first byte and the length of each range outside VRAM that the steps read.
    pub(crate) ram_reads: BTreeSet<(Address, u32)>,
    /// Whether a draw samples texels that the texture cache has kept since before the start.
    pub(crate) samples_kept_texels: bool,
    /// Whether main RAM had no room for data. Some steps are then missing.
    pub(crate) is_full: bool,
}

/// Collects the steps for the events that it watches.
#[derive(Debug)]
pub(crate) struct Collector {
    collected: Collected,
    detail: AccessDetail,
    arithmetic: Arithmetic,
    /// The next event's number.
    next: EventNumber,
    /// The command in execution.
    current: Command,
    /// The rasterizer's state at the start. After a TEXFLUSH it is `None`, because no old texels are left.
    raster: Option<RasterCheckpoint>,
    /// The registers after the steps so far. Their palette may be older.
    registers: Registers,
    /// Whether the steps have loaded a palette that [`Self::registers`] does not have yet.
    palette_is_old: bool,
    /// Whether an action by the CPU has changed registers or palette memory, and the steps still have to.
    state_changed: bool,
    /// The bytes that a copy is about to overwrite, to see which of them change.
    overwritten: Vec<u8>,
}

impl Collector {
    /// Creates a collector for the part of a run that starts with this event and these registers.
    pub(crate) fn new(start: CollectorStart<'_>, arithmetic: Arithmetic, detail: AccessDetail) -> Self {
        let CollectorStart { first, registers, free, raster } = start;
        let collected = Collected {
            items: Vec::new(),
            data: Vec::new(),
            free,
            accesses: BTreeMap::new(),
            ram_reads: BTreeSet::new(),
            samples_kept_texels: false,
            is_full: false,
        };
        Self {
            collected,
            detail,
            arithmetic,
            next: first,
            current: Command::new(Opcode::NOP, 0),
            raster: Some(raster),
            registers: registers.clone(),
            palette_is_old: false,
            state_changed: false,
            overwritten: Vec::new(),
        }
    }

    /// Returns the steps up to the last event, because later steps have no effect.
    pub(crate) fn finish(mut self) -> Collected {
        let end = self.collected.items.iter().rposition(|item| item.event.is_some());
        self.collected.items.truncate(end.map_or(0, |end| end.saturating_add(1)));
        self.collected
    }

    /// Stores data in main RAM and returns the address; `None` if there is no room.
    fn store(&mut self, bytes: Vec<u8>) -> Option<Address> {
        let taken = u32::try_from(bytes.len()).ok().and_then(|length| self.collected.free.take(length));
        match taken {
            Some(address) => self.collected.data.push((address, bytes)),
            None => self.collected.is_full = true,
        }
        taken
    }

    fn push_command(&mut self, command: Command) {
        self.registers.write(command);
        self.collected.items.push(command.into());
    }

    /// Adds an event as a step.
    fn push_event(&mut self, event: EventNumber, step: ItemStep) {
        self.collected.items.push(Item { step, event: Some(event) });
    }

    /// Returns the access to add to, which is the event's own or the common access.
    fn access(&mut self, event: EventNumber) -> &mut Access {
        let accesses = &mut self.collected.accesses;
        let event = if self.detail == AccessDetail::Together { EventNumber(0) } else { event };
        &mut *accesses.entry(event).or_insert_with(|| self.detail.empty().into())
    }

    /// Adds bytes that an event reads.
    fn reads(&mut self, event: EventNumber, translation: Translation, start: Address, length: u32) {
        if start.is_vram() {
            self.access(event).reads.insert(translation, start, length);
        } else if length > 0 {
            self.collected.ram_reads.insert((start, length));
        }
    }

    /// Adds a copy that has happened, from the first byte to the last that has changed.
    fn copy(&mut self, memory: &Memory, event: EventNumber, to: Address) {
        let before = std::mem::take(&mut self.overwritten);
        let mut after = vec![0; before.len()];
        memory.read(to, &mut after);
        let differs = |(before, after): (&u8, &u8)| before != after;
        let Some(first) = before.iter().zip(&after).position(differs) else { return };
        let last = before.iter().zip(&after).rposition(differs).unwrap_or(first);
        let changed: Vec<u8> = after.get(first..=last).or_never("both places are in it").to_vec();
        let [skipped, length] = [first, changed.len()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        if let Some(from) = self.store(changed) {
            let to = to.offset(skipped);
            self.access(event).writes.insert(memory.translation(), to, length);
            self.push_event(event, ItemStep::Action(Action::Copy { to, from, length }));
        }
    }

    /// Adds commands that lead to the registers as left by an action of the CPU.
    fn settle_state(&mut self, now: &Registers) {
        if std::mem::take(&mut self.state_changed) {
            for command in delta::commands(&self.registers, now) {
                self.push_command(command);
            }
            if self.palette_is_old || self.registers.clut() != now.clut() {
                self.load_palette(now);
            }
            self.registers.clone_from(now);
            self.palette_is_old = false;
        } else if std::mem::take(&mut self.palette_is_old) {
            self.registers.clone_from(now);
        }
    }

    /// Adds commands that load all of palette memory. Other registers stay as they are.
    fn load_palette(&mut self, now: &Registers) {
        let Some(from) = self.store(now.clut().to_vec()) else { return };
        for command in palette_load(from, now) {
            self.collected.items.push(command.into());
        }
    }

    /// Adds commands to set the registers as an event has them under its overrides. The event's command is written
    /// already.
    fn push_changes(&mut self, registers: &Registers) -> Registers {
        let original = self.registers.clone();
        for command in delta::commands(&original, registers) {
            self.push_command(command);
        }
        original
    }

    fn transfer(&mut self, memory: &Memory, event: EventNumber, registers: &Registers) {
        let command = registers.command(Opcode::TRANSFERSTART);
        self.registers.write(command);
        let original = self.push_changes(registers);
        self.push_event(event, ItemStep::Command(command));
        self.push_changes(&original);
        let shape = TransferShape::of(registers);
        let length = shape.width.saturating_mul(shape.pixel_size);
        let translation = memory.translation();
        for row in 0..shape.height {
            let source = shape.source.offset(row.wrapping_mul(shape.source_stride));
            let target = shape.target.offset(row.wrapping_mul(shape.target_stride));
            self.reads(event, translation, source, length);
            if target.is_vram() {
                self.access(event).writes.insert(translation, target, length);
            }
        }
    }

    fn action(&mut self, memory: &Memory, event: EventNumber, action: &Action) {
        match action {
            Action::Copy { to, .. } | Action::CopyUndrawn { to, .. } => self.copy(memory, event, *to),
            // If an edit has taken this action out, there is nothing to add.
            Action::Fill { length: 0, .. } => {}
            Action::Fill { to, length, .. } => {
                self.access(event).writes.insert(memory.translation(), *to, *length);
                self.push_event(event, ItemStep::Action(action.clone()));
            }
            Action::Translate(_) => self.push_event(event, ItemStep::Action(action.clone())),
            Action::Restore(_) | Action::LoadPalette { .. } => self.state_changed = true,
            // An excerpt shows its last draw's target, so it needs no such action.
            Action::Display(_) | Action::DisplayTarget => {}
        }
    }

    fn draw(&mut self, memory: &Memory, event: EventNumber, draw: &Draw<'_>) {
        let vertex_type: VertexType = draw.registers.get();
        let reader = draw.reader(memory);
        let vertex_bytes = VertexLayout::new(vertex_type).bytes();
        let (element, read) = if reader.is_indexed() {
            let highest = (0..draw.count).map(|nth| reader.index(nth)).max().unwrap_or(0);
            (vertex_type.index.bytes(), highest.saturating_add(1))
        } else {
            (vertex_bytes, draw.count)
        };
        let advance = draw.count.saturating_mul(element);
        let indices = reader.is_indexed().then_some(draw.indices);
        let command = draw.registers.command(self.current.opcode());
        self.registers.write(self.current);
        let item = ItemDraw { command, vertices: draw.vertices, indices, advance };
        let original = self.push_changes(draw.registers);
        self.push_event(event, ItemStep::Draw(item));
        self.push_changes(&original);
        let translation = memory.translation();
        self.reads(event, translation, draw.vertices, read.saturating_mul(vertex_bytes));
        if let Some(indices) = indices {
            self.reads(event, translation, indices, advance);
        }
    }

    /// Adds a draw's accesses to its textures and targets. `around` is the box around its primitives.
    fn targets(&mut self, event: EventNumber, memory: &Memory, registers: &Registers, around: &PixelRect) {
        let translation = memory.translation();
        if self.raster.as_mut().is_some_and(|raster| raster.keeps_texels_of(memory, registers)) {
            self.collected.samples_kept_texels = true;
        }
        // All levels are added, even if the draw samples only the first, because they belong to the texture.
        if texture::is_used(registers) {
            for level in content_hash::levels(registers) {
                self.reads(event, translation, level.address, level.bytes());
            }
        }
        draw_reach::add_targets(around, registers, translation, &mut self.access(event).writes);
    }
}

/// Returns the commands to load all of palette memory from an address. Other registers stay as they are.
pub(crate) fn palette_load(from: Address, now: &Registers) -> [Command; 5] {
    debug_assert!(PALETTE_BLOCKS as usize * 32 == CLUT_BYTES, "all of palette memory");
    [
        Command::new(Opcode::CLUTADDRUPPER, from.get() >> 8 & 0xFF_0000),
        Command::new(Opcode::CLUTADDR, from.get()),
        Command::new(Opcode::LOADCLUT, PALETTE_BLOCKS),
        now.command(Opcode::CLUTADDRUPPER),
        now.command(Opcode::CLUTADDR),
    ]
}

impl<S> Watch<S> for Collector {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        self.settle_state(step.registers);
        self.current = step.command;
        let opcode = step.command.opcode();
        match opcode {
            Opcode::TEXFLUSH => {
                self.raster = None;
                self.push_command(step.command);
            }
            Opcode::VAP => self.push_command(step.command),
            Opcode::LOADCLUT => {
                let length = u32::from(LoadClut::from_argument(step.command.argument()).blocks) * 32;
                self.reads(self.next, memory.translation(), palette::source(step.registers), length);
                self.push_command(step.command);
                self.palette_is_old = true;
            }
            _ if delta::is_state(opcode)
                || opcode.info().class == crate::ge::command_table::Class::Matrix =>
            {
                self.push_command(step.command);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn before(&mut self, _: &mut S, memory: &mut Memory, event: &RunEvent<'_>) {
        let number = event.place.number;
        match event.kind {
            RunEventKind::Draw(draw) => self.draw(memory, number, draw),
            RunEventKind::Immediate(draw) => {
                // The VAP is the last step. Changes must come before it, so it is taken off for a moment.
                let vap = self.collected.items.pop();
                let original = self.push_changes(draw.registers);
                self.collected.items.extend(vap.map(|vap| Item { event: Some(number), ..vap }));
                self.push_changes(&original);
            }
            RunEventKind::Transfer(registers) => self.transfer(memory, number, registers),
            RunEventKind::Cpu { event, .. } => {
                if let Action::Copy { to, length, .. } | Action::CopyUndrawn { to, length, .. } = event.action
                {
                    self.overwritten = vec![0; (length as usize).min(VRAM_SIZE as usize)];
                    memory.read(to, &mut self.overwritten);
                }
            }
        }
        if let Some(registers) = event.kind.draw_registers() {
            let mut around = PixelRect::EMPTY;
            event.kind.to_screen(memory, self.arithmetic, &mut |primitive| {
                around = around.union(&PixelRect::around(primitive));
            });
            self.targets(number, memory, registers, &around);
        }
    }

    fn after(&mut self, _: &mut S, memory: &mut Memory, event: &RunEvent<'_>, _: Outcome) {
        self.next = event.place.number.next();
        if let RunEventKind::Cpu { event: cpu, .. } = event.kind {
            self.action(memory, event.place.number, &cpu.action);
        }
    }

    fn reads_memory(&self) -> bool {
        true
    }
}
