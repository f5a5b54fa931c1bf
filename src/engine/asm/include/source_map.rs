//! The places in assembly text from which a program's words come.

use super::loaded::Loaded;
use crate::asm::error::location::Location;
use crate::asm::lexer::Span;
use crate::ge::address::Address;

/// Finds the command in the text for a word of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// Names of the texts.
    files: Vec<String>,
    /// The first word of each command, in the order of addresses.
    commands: Vec<MappedCommand>,
}

/// A command in a text. Locations are made when somebody asks, because a program has thousands of commands.
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
    /// Creates the map. `commands` are addresses with the number of words and the place in the text; for a command of a
    /// built-in text that of the statement which includes it, because nobody can change the built-in texts.
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

    /// Returns the command's place for the word at this address; `None` for data, and for words from outside the text. The
    /// place of a built-in text is that of the statement which includes it.
    #[must_use]
    pub fn location(&self, address: Address) -> Option<Location> {
        self.place(self.command(address)?)
    }

    /// Returns the place of the last command that starts at the address or before it.
    #[must_use]
    pub fn location_before(&self, address: Address) -> Option<Location> {
        self.place(self.command_before(address)?)
    }

    /// Returns whether the word at this address comes from a built-in text.
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
