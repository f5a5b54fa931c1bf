//! The table with a row for each executed command, to ask how a list sets its state.

use std::sync::LazyLock;

use arrow_array::types::{UInt32Type, UInt64Type};

use super::column::Column;
use super::kind::Table;
use super::rows::Layout;
use crate::ge::address::Address;
use crate::ge::capture::{Source, source_of};
use crate::ge::command::Command;
use crate::ge::command_table::Class;
use crate::run::sink::Step;
use crate::run::trace::CommandLine;

/// An executed command, with the argument that it replaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommandRow {
    number: u64,
    draw: u64,
    address: Address,
    file_offset: Option<u64>,
    command: Command,
    previous: u32,
    target: Option<Address>,
    depth: u32,
}

impl CommandRow {
    /// Describes a command before it is executed. `sources` tells which memory comes from files.
    pub(super) fn new(step: &Step<'_>, sources: &[Source]) -> Self {
        let line = CommandLine::new(step, source_of(sources, step.at).map(|(_, offset)| offset));
        Self {
            number: step.number,
            draw: step.draws,
            address: step.at,
            file_offset: line.file_offset,
            command: step.command,
            previous: step.registers.argument(step.command.opcode()),
            target: line.target,
            depth: u32::try_from(step.depth).unwrap_or(u32::MAX),
        }
    }

    fn class(&self) -> Class {
        self.command.opcode().info().class
    }

    /// Returns the argument this command replaces, if the command only sets state.
    fn previous(&self) -> Option<u32> {
        matches!(self.class(), Class::State).then_some(self.previous)
    }
}

/// Returns the class's name in documents, to use the same words here.
const fn class_name(class: Class) -> &'static str {
    match class {
        Class::Flow => "flow",
        Class::Draw => "draw",
        Class::Matrix => "matrix",
        Class::State => "state",
        Class::Load => "load",
        Class::Immediate => "immediate",
        Class::Unused => "unused",
    }
}

/// The columns of [`CommandRow`].
pub(super) static LAYOUT: LazyLock<Layout<CommandRow>> = LazyLock::new(|| {
    let columns = vec![
        Column::number::<UInt64Type>(
            "command",
            "Number of the command in the run, from 0.",
            |row: &CommandRow| row.number,
        ),
        Column::number::<UInt64Type>(
            "draw",
            "Number of draws before the command, which is the number of the next draw.",
            |row: &CommandRow| row.draw,
        ),
        Column::number::<UInt32Type>("address", "Address of the word.", |row: &CommandRow| row.address.get()),
        Column::maybe_number::<UInt64Type>(
            "file_offset",
            "Offset of the word in its file. Null if it comes from no file.",
            |row: &CommandRow| row.file_offset,
        )
        .unit("bytes"),
        Column::number::<UInt32Type>(
            "word",
            "The word: the code of the command in the upper 8 bits, the argument in the lower 24.",
            |row: &CommandRow| row.command.word(),
        ),
        Column::text("name", "Name of the command.", |row: &CommandRow| row.command.opcode().name().into()),
        Column::text(
            "class",
            "The kind of its effect: `flow`, `draw`, `matrix`, `state`, `load`, `immediate` or `unused`.",
            |row: &CommandRow| class_name(row.class()).into(),
        ),
        Column::number::<UInt32Type>("argument", "The argument.", |row: &CommandRow| row.command.argument()),
        Column::maybe_number::<UInt32Type>(
            "previous",
            "The argument that the register held before. A command of class `state` with `argument = previous` changes \
             nothing. Null for other classes.",
            CommandRow::previous,
        ),
        Column::maybe_number::<UInt32Type>(
            "target",
            "The address that the command refers to: of VADDR, IADDR, JUMP, BJUMP and CALL. Null for others.",
            |row: &CommandRow| row.target.map(Address::get),
        ),
        Column::number::<UInt32Type>("depth", "Depth of the call stack.", |row: &CommandRow| row.depth),
    ];
    Layout::keyed(Table::Commands, columns)
});
