//! The disassembler: turns bytes into text that assembles to the same bytes.
//!
//! # Invariants
//! Assembling this text restores the bytes, for any bytes, any base in existing memory and any marked lists. Every
//! byte is printed once, in order.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::ops::Range;

use crate::asm::text::describe;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;

use super::libgu::GuText;
use super::walk::{Walk, walk};

/// The column at which comments start.
const COMMENT_COLUMN: usize = 56;
/// The shortest run of equal bytes to print as `.fill` or `.space`.
const FILL_LENGTH_MIN: usize = 32;
/// How many data bytes a row shows.
const ROW_BYTES: usize = 16;
/// Why there are bytes for each range, as a message for [`OrNever`].
const INSIDE: &str = "lists and data are inside the image";

/// Bytes at an address, and the commands among them. Use its `Display` to disassemble it.
#[derive(Clone, Debug)]
pub struct Image<'a> {
    /// Address of the first byte.
    pub base: Address,
    /// The bytes.
    pub bytes: &'a [u8],
    /// The first byte's offset in its file, to show places in comments.
    pub file_offset: u64,
    /// Address of the first command to execute, for `.entry`.
    pub entry: Option<Address>,
    /// The stall address with which the program sends this list, for `.stall`.
    pub stall: Option<Address>,
    /// Which words are commands, and the addresses they refer to. Ranges are clipped to the bytes and to whole
    /// aligned words.
    pub code: Walk,
}

/// Disassembles this image. [`super::assemble`] turns the text back into the same bytes.
#[must_use]
pub fn disassemble(image: &Image<'_>) -> String {
    image.to_string()
}

impl<'a> Image<'a> {
    /// Creates an image without known commands, to print as data alone.
    #[must_use]
    pub fn new(base: Address, bytes: &'a [u8]) -> Self {
        Self { base, bytes, file_offset: 0, entry: None, stall: None, code: Walk::default() }
    }

    /// Creates an image that holds a display list. Words reachable from `entry` are disassembled as commands.
    #[must_use]
    pub fn with_list(base: Address, bytes: &'a [u8], entry: Address) -> Self {
        let read = |at: Address| {
            let start = at.get().checked_sub(base.get())? as usize;
            bytes.get(start..)?.first_chunk().map(|word| u32::from_le_bytes(*word))
        };
        // Some lists never set BASE. For these, assume a BASE that points to the list's own memory.
        let base_argument = (base.get() >> 8) & 0x000F_0000;
        let code = walk(read, &[entry], base_argument);
        Self { entry: Some(entry), code, ..Self::new(base, bytes) }
    }

    fn address(&self, index: usize) -> Address {
        self.base.offset(u32::try_from(index).unwrap_or(u32::MAX))
    }

    fn index(&self, address: Address) -> Option<usize> {
        let index = address.get().checked_sub(self.base.get())? as usize;
        (index < self.bytes.len()).then_some(index)
    }

    /// Returns this image's lists as ranges of whole aligned words inside the bytes, in order, without overlap.
    fn lists(&self) -> Vec<Range<usize>> {
        let base = u64::from(self.base.get());
        let end_of_bytes = base.saturating_add(self.bytes.len() as u64);
        let mut lists = Vec::new();
        let mut at = base;
        let mut sorted: Vec<&Range<Address>> = self.code.lists.iter().collect();
        sorted.sort_by_key(|list| list.start);
        for list in sorted {
            let start = u64::from(list.start.get()).max(at).next_multiple_of(4);
            let end = u64::from(list.end.get()).min(end_of_bytes) & !3;
            if start < end {
                let index =
                    |address: u64| usize::try_from(address.saturating_sub(base)).unwrap_or(usize::MAX);
                lists.push(index(start)..index(end));
                at = end;
            }
        }
        lists
    }

    /// Prints the lists as the libgu calls that send their words, for readers who know libgu better than commands.
    /// This leaves out data, so the text does not assemble.
    #[must_use]
    pub fn gu_text(&self) -> String {
        let lists = self.lists();
        let labels = self.labels(&lists);
        let mut text = GuText::default();
        for list in lists {
            let words = self.bytes.get(list.clone()).or_never(INSIDE).as_chunks::<4>().0;
            for (index, word) in list.step_by(4).zip(words) {
                if let Some(label) = labels.get(&index) {
                    text.comment(format!("{label}:"));
                }
                let offset = self.file_offset.saturating_add(index as u64);
                let place = format!("{} +0x{offset:x}", self.address(index));
                text.push(Command::from_word(u32::from_le_bytes(*word)), place);
            }
            // The next list is elsewhere, so a call cannot span both.
            text.end();
        }
        text.finish()
    }

    /// Creates labels for all referenced addresses, by index into the bytes.
    fn labels(&self, lists: &[Range<usize>]) -> BTreeMap<usize, String> {
        let mut labels = BTreeMap::new();
        for &address in self.code.targets.values().chain(&self.entry).chain(&self.stall) {
            let Some(index) = self.index(address) else { continue };
            let position = lists.partition_point(|list| list.end <= index);
            let is_command = lists.get(position).is_some_and(|list| list.start <= index);
            // Commands are printed as whole words, so a label inside a word would have no line to go to.
            if is_command && !address.get().is_multiple_of(4) {
                continue;
            }
            let prefix = if is_command { "list" } else { "data" };
            labels.insert(index, format!("{prefix}_{:08x}", address.get()));
        }
        labels
    }
}

impl Display for Image<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = self.lists();
        let labels = self.labels(&lists);
        writeln!(f, ".ge 1\n.org {}", self.base)?;
        for (directive, address) in [(".entry", self.entry), (".stall", self.stall)] {
            let Some(address) = address.filter(|address| address.get().is_multiple_of(4)) else { continue };
            match self.index(address).and_then(|index| labels.get(&index)) {
                Some(label) => writeln!(f, "{directive} {label}")?,
                None => writeln!(f, "{directive} {address}")?,
            }
        }
        let printer = Printer { image: self, labels };
        let mut at = 0;
        for list in lists {
            printer.data(f, at..list.start)?;
            at = list.end;
            printer.commands(f, list)?;
        }
        printer.data(f, at..self.bytes.len())
    }
}

struct Printer<'a> {
    image: &'a Image<'a>,
    labels: BTreeMap<usize, String>,
}

impl Printer<'_> {
    fn label(&self, f: &mut fmt::Formatter<'_>, index: usize) -> fmt::Result {
        self.labels.get(&index).map_or(Ok(()), |label| writeln!(f, "\n{label}:"))
    }

    /// Formats a byte's address and file offset.
    fn location(&self, index: usize) -> impl Display {
        let offset = self.image.file_offset.saturating_add(index as u64);
        format!("{} +0x{offset:x}", self.image.address(index))
    }

    fn commands(&self, f: &mut fmt::Formatter<'_>, range: Range<usize>) -> fmt::Result {
        let words = self.image.bytes.get(range.clone()).or_never(INSIDE).as_chunks::<4>().0;
        for (index, word) in range.step_by(4).zip(words) {
            self.label(f, index)?;
            let word = u32::from_le_bytes(*word);
            let command = Command::from_word(word);
            let target = self.image.code.targets.get(&self.image.address(index));
            let text = self.with_label(command, target).unwrap_or_else(|| describe(command).to_string());
            write!(
                f,
                "    {text:<width$} ; {} {word:08x}",
                self.location(index),
                width = COMMENT_COLUMN - 5
            )?;
            match target {
                Some(target) => writeln!(f, " -> {target}")?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }

    /// Uses the target's label for the argument, but only if this assembles to the same word.
    fn with_label(&self, command: Command, target: Option<&Address>) -> Option<String> {
        let opcode = command.opcode();
        let takes_address =
            [Opcode::VADDR, Opcode::IADDR, Opcode::JUMP, Opcode::BJUMP, Opcode::CALL].contains(&opcode);
        let target = *target?;
        let label = self.labels.get(&self.image.index(target)?)?;
        (takes_address && target.get() & 0x00FF_FFFF == command.argument())
            .then(|| format!("{opcode} lo({label})"))
    }

    fn data(&self, f: &mut fmt::Formatter<'_>, range: Range<usize>) -> fmt::Result {
        let mut at = range.start;
        while at < range.end {
            self.label(f, at)?;
            let next_label = self.labels.range(at.saturating_add(1)..range.end).next();
            let end = next_label.map_or(range.end, |(index, _)| *index);
            self.rows(f, at..end)?;
            at = end;
        }
        Ok(())
    }

    /// Prints bytes as rows of words or bytes, and long runs of equal bytes as fills.
    fn rows(&self, f: &mut fmt::Formatter<'_>, range: Range<usize>) -> fmt::Result {
        let bytes = self.image.bytes.get(range.clone()).or_never(INSIDE);
        let mut rest = bytes;
        let mut runs = fill_runs(bytes);
        let mut run = runs.next();
        while !rest.is_empty() {
            let at = bytes.len().saturating_sub(rest.len());
            let index = range.start.saturating_add(at);
            let until_run = match &run {
                Some(found) if found.start == at => {
                    let length = found.len();
                    self.fill(f, index, length, rest.first().copied().unwrap_or(0))?;
                    rest = rest.get(length..).unwrap_or_default();
                    run = runs.next();
                    continue;
                }
                Some(found) => found.start.saturating_sub(at),
                None => rest.len(),
            };
            let address = self.image.address(index).get();
            // Single bytes come first, up to the next multiple of 4, so that words are aligned.
            let to_word = (address.wrapping_neg() & 3) as usize;
            let (length, size) = if to_word != 0 {
                (to_word.min(until_run), 1)
            } else if until_run < 4 {
                (until_run, 1)
            } else {
                ((until_run & !3).min(ROW_BYTES), 4)
            };
            let (row, tail) = rest.split_at(length);
            self.row(f, index, row, size)?;
            rest = tail;
        }
        Ok(())
    }

    fn fill(&self, f: &mut fmt::Formatter<'_>, index: usize, length: usize, byte: u8) -> fmt::Result {
        let text =
            if byte == 0 { format!(".space {length}") } else { format!(".fill {length} 0x{byte:02x}") };
        writeln!(f, "    {text:<width$} ; {}", self.location(index), width = COMMENT_COLUMN - 5)
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, index: usize, row: &[u8], size: usize) -> fmt::Result {
        let mut text = String::from(if size == 4 { ".word" } else { ".u8" });
        for value in row.chunks(size) {
            text.push_str(" 0x");
            for byte in value.iter().rev() {
                text.push_str(&format!("{byte:02x}"));
            }
        }
        writeln!(f, "    {text:<width$} ; {}", self.location(index), width = COMMENT_COLUMN - 5)
    }
}

/// Finds runs with at least [`FILL_LENGTH_MIN`] equal bytes, in order.
fn fill_runs(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0_usize;
    let runs = bytes.chunk_by(|a, b| a == b).map(move |run| {
        let start = end;
        end = end.saturating_add(run.len());
        start..end
    });
    runs.filter(|run| run.len() >= FILL_LENGTH_MIN)
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::asm::assemble;

    #[test]
    fn disassembles_a_program_with_labels() {
        let program = assemble(
            ".org 0x08900000\nBASE 8 | VADDR lo(v) | PRIM primitive=POINTS count=1 | FINISH | END
             .space 44\nv: .u8 1 2 3 4 5",
        )
        .expect("well-formed");
        let bytes = program.image().expect("small");
        let stall = Some(program.entry.offset(0x14));
        let image =
            Image { file_offset: 0x20, stall, ..Image::with_list(program.entry, &bytes, program.entry) };
        let expected = "\
.ge 1
.org 0x08900000
.entry list_08900000
.stall data_08900014

list_08900000:
    BASE 0x8                                            ; 0x08900000 +0x20 10080000
    VADDR lo(data_08900040)                             ; 0x08900004 +0x24 01900040 -> 0x08900040
    PRIM primitive=POINTS count=1                       ; 0x08900008 +0x28 04000001
    FINISH                                              ; 0x0890000c +0x2c 0f000000
    END                                                 ; 0x08900010 +0x30 0c000000

data_08900014:
    .space 44                                           ; 0x08900014 +0x34

data_08900040:
    .word 0x04030201                                    ; 0x08900040 +0x60
    .u8 0x05                                            ; 0x08900044 +0x64
";
        assert_eq!(disassemble(&image), expected, "disassembly");
        assert_eq!(
            assemble(expected).and_then(|program| Ok((program.image()?, program.stall))),
            Ok((bytes, stall)),
            "assembles to the same program"
        );
    }

    #[test]
    fn lists_are_calls_of_libgu() {
        let program = assemble(
            ".org 0x08900000\nBLENDENABLE 1 | VTYPE position=BITS16 through=1 | BASE 8 | VADDR lo(v)
             PRIM primitive=POINTS count=1 | FINISH | END\nv: .s16 1 2 3",
        )
        .expect("well-formed");
        let bytes = program.image().expect("small");
        let image = Image::with_list(program.entry, &bytes, program.entry);
        let expected = "\
// list_08900000:
sceGuEnable(GU_BLEND); // 0x08900000 +0x0
sceGuDrawArray(GU_POINTS, GU_VERTEX_16BIT | GU_TRANSFORM_2D, 1, 0, (void *)0x0890001c); // 0x08900004 +0x4
sceGuFinish(); // 0x08900014 +0x14
";
        assert_eq!(image.gu_text(), expected, "calls");
    }

    #[test]
    fn reassembles_at_any_alignment_and_length() {
        let bytes: Vec<u8> = (0..=255).chain([7; 100]).chain([1, 2, 3]).collect();
        for base in 0x0880_0000..0x0880_0004 {
            for length in (0..12).chain([250, 300, bytes.len()]) {
                let bytes = &bytes[..length];
                let mut image = Image::new(Address::new(base), bytes);
                image.code.lists = vec![
                    Address::new(0x0880_0002)..Address::new(0x0880_0009),
                    Address::new(0)..Address::new(4),
                ];
                image.code.targets = BTreeMap::from([(Address::new(0), Address::new(0x0880_0015))]);
                let text = disassemble(&image);
                let back = assemble(&text).and_then(|program| Ok(program.image()?));
                assert_eq!(back.as_deref(), Ok(bytes), "{text}");
            }
        }
    }
}
