//! Leads from a program's words back to their places in assembly text.

use super::loaded::Loaded;
use crate::asm::error::location::Location;
use crate::asm::lexer::Span;
use crate::ge::address::Address;

/// Finds a program word's command in the text, to report problems there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// The texts' names, each once.
    files: Vec<String>,
    /// All commands, sorted by address.
    commands: Vec<MappedCommand>,
}

/// A command in a text. It holds numbers only, because a program has thousands of commands; a [`Location`] is made
/// on demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MappedCommand {
    address: Address,
    words: u32,
    file: u32,
    line: u32,
    column: u32,
    is_built_in: bool,
}

impl SourceMap {
    /// Creates this map. `commands` are addresses with word counts, places in the text, and whether the command is
    /// in a built-in text. For such commands, the place is the statement that includes the text, because nobody can
    /// change built-in texts.
    pub(crate) fn new(loaded: &Loaded<'_>, commands: &[(Address, u32, Span, bool)]) -> Self {
        let mut files: Vec<String> = Vec::new();
        let mut mapped: Vec<MappedCommand> = commands
            .iter()
            .map(|&(address, words, span, is_built_in)| {
                let Location { file, line, column } = loaded.location(span);
                let known = files.iter().position(|known| *known == file);
                let file = known.unwrap_or_else(|| {
                    files.push(file);
                    files.len().saturating_sub(1)
                });
                let file = u32::try_from(file).unwrap_or(u32::MAX);
                MappedCommand { address, words, file, line, column, is_built_in }
            })
            .collect();
        mapped.sort_by_key(|command| command.address);
        Self { files, commands: mapped }
    }

    /// Returns the place of the command with the word at this address; `None` for data, and for words from outside
    /// the text. A command in a built-in text has the place of the statement that includes it.
    #[must_use]
    pub fn location(&self, address: Address) -> Option<Location> {
        self.place(self.command(address)?)
    }

    /// Returns the place of the last command that starts at this address or before.
    #[must_use]
    pub fn location_before(&self, address: Address) -> Option<Location> {
        self.place(self.command_before(address)?)
    }

    /// Returns whether the word at this address comes from a built-in text, which its author cannot mend.
    #[must_use]
    pub fn is_built_in(&self, address: Address) -> bool {
        self.command(address).is_some_and(|command| command.is_built_in)
    }

    fn place(&self, &MappedCommand { file, line, column, .. }: &MappedCommand) -> Option<Location> {
        Some(Location { file: self.files.get(file as usize)?.clone(), line, column })
    }

    fn command_before(&self, address: Address) -> Option<&MappedCommand> {
        let after = self.commands.partition_point(|command| command.address <= address);
        self.commands.get(after.checked_sub(1)?)
    }

    fn command(&self, address: Address) -> Option<&MappedCommand> {
        let command = self.command_before(address)?;
        let end = command.address.get().saturating_add(command.words.saturating_mul(4));
        (address.get() < end).then_some(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;

    #[test]
    fn words_lead_to_their_command() {
        let program =
            assemble("SHADEMODE GOURAUD | ZTEST ALWAYS\n  WORLDMATRIXDATA 1 2\nFINISH | END\nx: .s16 1 2")
                .expect("a list");
        let place = |word: u32| {
            let location = program.source_map.location(program.entry.offset(4 * word));
            location.map(|Location { line, column, .. }| (line, column))
        };
        let places = [0, 1, 2, 3, 4, 5, 6].map(place);
        let data = Some((2, 3));
        let expected = [Some((1, 1)), Some((1, 21)), data, data, Some((3, 1)), Some((3, 10)), None];
        assert_eq!(places, expected, "a line and a column each, and none for data");
        assert_eq!(program.source_map.location(Address::new(0)), None, "before the program");
        let before = program.source_map.location_before(program.entry.offset(24));
        assert_eq!(
            before.map(|Location { line, column, .. }| (line, column)),
            Some((3, 10)),
            "before the data"
        );
        assert_eq!(program.source_map.location_before(Address::new(0)), None, "before all commands");
    }
}
