//! An excerpt of a run has a start state, and the commands, draws and CPU actions after it, without list flow.
//!
//! # Invariants
//! An excerpt's capture draws the same as this part of the run. Its list has no calls and jumps, its offset register
//! stays 0, and its actions by the CPU only copy or fill memory or change the translation.

use std::sync::Arc;

use crate::debug::memory::free_ram::FreeRam;
use crate::debug::timeline::EventNumber;
use crate::ge::address::Address;
use crate::ge::capture::{Action, Capture, Event};
use crate::ge::command::Command;
use crate::ge::list::ListBuilder;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::overrides::Overrides;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::ColorSurface;

/// A start state, and what follows it.
#[derive(Clone, Debug)]
pub(crate) struct Excerpt {
    /// Memory at the start, with all items' data.
    pub(crate) memory: Arc<Memory>,
    /// The registers at the start.
    pub(crate) registers: Registers,
    pub(crate) items: Vec<Item>,
    /// Room for the list.
    pub(crate) free: FreeRam,
    /// The buffer to select at the end, so that a screen shows it; `None` to leave the last draw's.
    pub(crate) shown: Option<ColorSurface>,
}

/// A step in an excerpt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) step: ItemStep,
    /// Which event this step is in the run, if it is an event.
    pub(crate) event: Option<EventNumber>,
}

/// The kinds of steps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ItemStep {
    /// A command that neither draws vertices from memory nor steers the list.
    Command(Command),
    /// PRIM, BEZIER or SPLINE.
    Draw(ItemDraw),
    /// An action by the CPU.
    Action(Action),
}

/// A draw with vertices in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ItemDraw {
    pub(crate) command: Command,
    pub(crate) vertices: Address,
    /// The indices' address; `None` if the vertices have none.
    pub(crate) indices: Option<Address>,
    /// How many bytes this draw advances the pointer to indices or, without them, to vertices.
    pub(crate) advance: u32,
}

impl From<Command> for Item {
    fn from(command: Command) -> Self {
        Self { step: ItemStep::Command(command), event: None }
    }
}

impl From<ItemDraw> for Item {
    fn from(draw: ItemDraw) -> Self {
        Self { step: ItemStep::Draw(draw), event: None }
    }
}

impl Item {
    /// Returns the command, unless this is a draw with vertices in memory or an action by the CPU.
    pub(crate) const fn command(&self) -> Option<Command> {
        match self.step {
            ItemStep::Command(command) => Some(command),
            ItemStep::Draw(_) | ItemStep::Action(_) => None,
        }
    }

    /// Returns the opcode for a command or draw; `None` for an action by the CPU.
    pub(crate) fn opcode(&self) -> Option<Opcode> {
        match &self.step {
            ItemStep::Command(command) => Some(command.opcode()),
            ItemStep::Draw(draw) => Some(draw.command.opcode()),
            ItemStep::Action(_) => None,
        }
    }
}

impl Excerpt {
    pub(crate) fn empty(memory: Memory, registers: Registers) -> Self {
        let free = FreeRam::find(&memory);
        Self { memory: Arc::new(memory), registers, items: Vec::new(), free, shown: None }
    }

    /// Returns this excerpt as a capture; `None` if memory has no room for the list.
    pub(crate) fn to_capture(&self) -> Option<Capture> {
        self.to_capture_with(Memory::clone(&self.memory))
    }

    /// Returns this excerpt as a capture with other memory; `None` if that has no room for the list.
    pub(crate) fn to_capture_with(&self, mut memory: Memory) -> Option<Capture> {
        // Each step takes up to five words: BASE and a pointer twice, and the command. At most five words follow, to
        // select a buffer and for FINISH and END.
        let words = self.items.len().checked_mul(5)?.checked_add(5)?;
        let start = self.free.clone().take(u32::try_from(words.checked_mul(4)?).ok()?)?;
        let mut list = FlatList { words: ListBuilder::new(start), vertices: None, indices: None };
        let mut events = Vec::new();
        for item in &self.items {
            match &item.step {
                ItemStep::Command(command) => {
                    list.words.push(*command);
                }
                ItemStep::Draw(draw) => list.draw(draw),
                ItemStep::Action(action) => {
                    events.push(Event { at: list.words.here(), action: action.clone() });
                }
            }
        }
        for command in self.selection() {
            list.words.push(command);
        }
        list.words.finish();
        list.words.store(&mut memory);
        let registers = self.registers.clone();
        Some(Capture {
            memory,
            registers,
            start,
            stall: None,
            sources: Vec::new(),
            events,
            overrides: Overrides::default(),
        })
    }

    /// Returns the commands to select the shown buffer, unless the last draw has selected it.
    fn selection(&self) -> Vec<Command> {
        let Some(shown) = self.shown else { return Vec::new() };
        let mut registers = self.registers.clone();
        for command in self.items.iter().filter_map(Item::command) {
            registers.write(command);
        }
        if ColorSurface::from_registers(&registers) == shown {
            return Vec::new();
        }
        vec![
            Command::new(Opcode::FRAMEBUFPTR, shown.address),
            Command::new(Opcode::FRAMEBUFWIDTH, shown.stride),
            Command::new(Opcode::FRAMEBUFPIXFORMAT, shown.format.number().into()),
        ]
    }
}

/// A list without flow, with the pointers as its commands leave them.
struct FlatList {
    words: ListBuilder,
    vertices: Option<Address>,
    indices: Option<Address>,
}

impl FlatList {
    fn draw(&mut self, draw: &ItemDraw) {
        if self.vertices != Some(draw.vertices) {
            self.words.address(Opcode::VADDR, draw.vertices);
            self.vertices = Some(draw.vertices);
        }
        if let Some(indices) = draw.indices
            && self.indices != Some(indices)
        {
            self.words.address(Opcode::IADDR, indices);
            self.indices = Some(indices);
        }
        self.words.push(draw.command);
        let pointer = if draw.indices.is_some() { &mut self.indices } else { &mut self.vertices };
        *pointer = pointer.map(|pointer| pointer.offset(draw.advance));
    }
}
