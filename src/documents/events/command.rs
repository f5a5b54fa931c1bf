//! Describes a command in a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::asm::text::describe;
use crate::documents::schema_id::{Document, SchemaId};
use crate::documents::value::FieldValue;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::run::sink::Step;
use crate::run::trace::CommandLine;

/// A command executed in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommandDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The command's number in this run, from 0.
    pub command: u64,
    /// How many draws came before this command, which is also the next draw's number.
    pub draw: u64,
    /// Address of the command's word.
    pub address: Address,
    /// This word's offset in its file; null if it comes from no file.
    pub file_offset: Option<u64>,
    /// The word: the command's code in the upper 8 bits, its argument in the lower 24.
    pub word: u32,
    /// The command's name.
    pub name: String,
    /// Its argument.
    pub argument: u32,
    /// The argument's fields, by name.
    pub fields: BTreeMap<String, FieldValue>,
    /// The address to which the command refers, if it takes one.
    pub target: Option<Address>,
    /// How many calls are open at this command.
    pub depth: u64,
    /// The command as assembly text.
    pub text: String,
}

impl Document for CommandDocument {
    const NAME: &'static str = "command";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "A command of a run";
}

impl CommandDocument {
    /// Describes a command before it runs. If its word comes from a file, `file_offset` is its place there.
    #[must_use]
    pub fn new(input: &str, step: &Step<'_>, file_offset: Option<u64>) -> Self {
        Self::of_line(input, &CommandLine::new(step, file_offset), step.number, step.draws)
    }

    /// Describes a line in a trace: command number `command`, after `draw` draws.
    #[must_use]
    pub fn of_line(input: &str, line: &CommandLine, command: u64, draw: u64) -> Self {
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            command,
            draw,
            address: line.at,
            file_offset: line.file_offset,
            word: line.command.word(),
            name: line.command.opcode().name().to_owned(),
            argument: line.command.argument(),
            fields: fields(line.command),
            target: line.target,
            depth: line.depth as u64,
            text: describe(line.command).to_string(),
        }
    }
}

fn fields(command: Command) -> BTreeMap<String, FieldValue> {
    let fields = command.opcode().info().fields.iter();
    let value = |field| FieldValue::of(field, command.argument());
    fields.map(|field| (field.name.to_owned(), value(field))).collect()
}
