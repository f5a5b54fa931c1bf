//! Writes each register only once. Between two events, commands stay only if they change the state at the
//! second event.
//!
//! # Invariants
//! Draws, transfers and palette loads see the same registers as before. Commands before the first of these
//! become part of the start state.

use crate::debug::trim::excerpt::{Excerpt, Item, ItemStep};
use crate::ge::command_table::Class;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Registers, delta};
use crate::pipeline::texture::palette;

/// Returns an equal excerpt with fewer commands.
pub(super) fn normalized(excerpt: &Excerpt) -> Excerpt {
    let mut start = excerpt.registers.clone();
    let mut current = start.clone();
    // The state after the new steps; `None` before the first.
    let mut emitted: Option<Registers> = None;
    let mut items = Vec::new();
    for item in &excerpt.items {
        if let ItemStep::Command(command) = item.step {
            let opcode = command.opcode();
            if delta::is_state(opcode) || opcode.info().class == Class::Matrix {
                current.write(command);
                continue;
            }
            if emitted.is_none() && folds(opcode, &mut current, item, &excerpt.memory) {
                continue;
            }
        }
        match &emitted {
            None => start = current.clone(),
            Some(emitted) => items.extend(delta::commands(emitted, &current).into_iter().map(Item::from)),
        }
        items.push(item.clone());
        emitted = Some(current.clone());
    }
    Excerpt { registers: start, items, ..excerpt.clone() }
}

/// Carries out a command on the start state, if this is possible before the first event.
fn folds(opcode: Opcode, registers: &mut Registers, item: &Item, memory: &Memory) -> bool {
    match (opcode, item.command()) {
        // This would have no effect, because the texture cache is empty at the start.
        (Opcode::TEXFLUSH, _) => true,
        (Opcode::LOADCLUT, Some(command)) => {
            registers.write(command);
            // Missing entries are 0 in the list too, so the result does not matter.
            let _ = palette::load(registers, memory);
            true
        }
        _ => false,
    }
}
