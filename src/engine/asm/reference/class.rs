//! Lists the command classes, to group commands in help texts.

use crate::ge::command_table::Class;
use crate::ge::opcode::Opcode;

/// The classes, each with its name and a sentence on its commands.
pub const CLASSES: [(Class, &str, &str); 7] = [
    (Class::Flow, "flow", "Controls the flow of the list or its addressing."),
    (Class::Draw, "draw", "Draws or tests vertices at once."),
    (Class::Matrix, "matrix", "Writes a matrix memory."),
    (Class::State, "state", "Sets state that the next draw uses."),
    (Class::Load, "load", "Moves data at once."),
    (Class::Immediate, "immediate", "Sets or emits a vertex given in registers."),
    (Class::Unused, "unused", "Has no known effect."),
];

/// Returns the commands in this class, in numerical order.
pub fn of_class(class: Class) -> impl Iterator<Item = Opcode> {
    Opcode::all().filter(move |opcode| opcode.info().class == class)
}

pub(super) fn class_name(class: Class) -> &'static str {
    CLASSES.iter().find(|(known, ..)| *known == class).map_or("", |(_, name, _)| name)
}
