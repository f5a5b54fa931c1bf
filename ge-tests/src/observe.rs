//! Observations: the values for a table to expect after a run.
//!
//! | observation | shows | written |
//! | --- | --- | --- |
//! | `pixel(x,y)` | the framebuffer's word at a pixel, in its own format | hexadecimal |
//! | `rgb(x,y)` | the low 24 bits of that word | hexadecimal |
//! | `depth(x,y)` | the depth buffer's value at a pixel | hexadecimal |
//! | `word(address)`, `half(address)` | memory, 32 or 16 bits | hexadecimal |
//! | `register(NAME)` | the argument a register holds | hexadecimal |
//! | `matrix(NAME)` | the elements as the CPU reads them, of `BONE0` … `BONE7`, `WORLD`, `VIEW`, `PROJECTION` or `TEXTURE` | hexadecimal, separated by blanks |
//! | `translation()` | the eDRAM address translation | hexadecimal |
//! | `runs(address,limit)` | runs of non-zero bytes from an address on: first and last offset of each, counted from the address | hexadecimal, `first-last` separated by blanks |
//! | `transcript()` | the CPU's callbacks and the states of the list ([`crate::session`]) | as described there |
//! | `same(address,address,limit)` | number of equal bytes from both addresses on | decimal |
//! | `covered(x,y,width,height)` | pixels of a region that differ from the background word | decimal |
//! | `drawn(x,y,width,height)` | 1 if any pixel of a region differs from the background word, else 0 | decimal |
//! | `right(x,y,end)`, `down(x,y,end)` | first column (row) after the pixel and before `end` whose word differs from the pixel's; −1 if all are equal | decimal |
//! | `at_right(x,y,end)`, `at_down(x,y,end)` | the word at that position | hexadecimal |
//! | `frame_crc(rows)`, `depth_crc(rows)` | CRC-32 of the first 480 pixels (depths) of the first rows, row after row | hexadecimal |
//! | `left_edge(y,end)`, `right_edge(y,end)`, `top_edge(x,end)`, `bottom_edge(x,end)` | first or last covered column of a row (row of a column) before `end`; −1 if none is covered | decimal |
//!
//! # Invariants
//! The registers at the run's end locate the buffers. This reads depth through the same VRAM view through which the
//! engine stores it (source: [view of the depth buffer](pspge::reference::ge::memory#view-of-the-depth-buffer)).

use anyhow::{Context, Result, anyhow, bail};
use pspge::ge::address::Address;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::{Matrix, Registers};

/// How many bytes to compare at once, for speed.
const CHUNK_BYTES: u32 = 4096;

/// What to read after a run, to compare it with an expected value in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation {
    /// Framebuffer word.
    Pixel(u32, u32),
    /// Framebuffer word without its upper 8 bits.
    Low24(u32, u32),
    /// Depth value.
    Depth(u32, u32),
    /// Checksum over the framebuffer's first rows.
    FrameChecksum(u32),
    /// Checksum over the first rows of depth.
    DepthChecksum(u32),
    /// 32 bits of memory.
    Word(u32),
    /// 16 bits of memory.
    Half(u32),
    /// Counts equal bytes from two addresses on, up to a limit.
    Same(u32, u32, u32),
    /// A register's argument.
    Argument(Opcode),
    /// Twelve or sixteen matrix elements, from this element on.
    Elements(Matrix, usize),
    /// The mode for address translation.
    Translation,
    /// Runs without a zero byte.
    Runs(u32, u32),
    /// The transcript written by the CPU's callbacks.
    Transcript,
    /// Counts covered pixels in a region: left, top, width, height.
    Covered([u32; 4]),
    /// Whether any pixel in a region is covered.
    Drawn([u32; 4]),
    /// First change along a row or column: its position, or the word there.
    Change {
        /// The pixel to start from.
        from: (u32, u32),
        /// Where to stop, excluded.
        end: u32,
        /// Whether to walk along the column instead of the row.
        down: bool,
        /// Whether to report the word instead of the position.
        word: bool,
    },
    /// First or last covered pixel in a row or column.
    Edge {
        /// Row or column number.
        line: u32,
        /// Where to stop, excluded.
        end: u32,
        /// Whether to walk along the column instead of the row.
        down: bool,
        /// Whether to report the last pixel instead of the first.
        last: bool,
    },
}

/// An observation's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i64),
    /// Words, separated by single blanks.
    Text(String),
}

/// The state after a run, for observations to read.
#[derive(Debug)]
pub struct RunState<'a> {
    /// Memory after the run.
    pub memory: &'a Memory,
    /// Registers after the run.
    pub registers: &'a Registers,
    /// The word in all of VRAM before the run.
    pub background: u32,
    /// The transcript written by the CPU's callbacks.
    pub transcript: &'a str,
}

impl Observation {
    /// Reads an observation, as written in a table's header.
    ///
    /// # Errors
    /// If no observation has this name, or if it needs other arguments.
    pub fn parse(text: &str) -> Result<Self> {
        let (name, arguments) = text
            .strip_suffix(')')
            .and_then(|text| text.split_once('('))
            .ok_or_else(|| anyhow!("`{text}` is not an observation"))?;
        if name == "register" {
            let opcode = Opcode::from_name(arguments);
            return opcode.map(Self::Argument).ok_or_else(|| anyhow!("`{arguments}` is not a register"));
        }
        match (name, arguments) {
            ("matrix", _) => return matrix(arguments),
            ("translation", "") => return Ok(Self::Translation),
            ("transcript", "") => return Ok(Self::Transcript),
            _ => {}
        }
        let numbers =
            arguments.split(',').map(|number| unsigned(number.trim())).collect::<Result<Vec<_>>>()?;
        let change = |down, word| match *numbers.as_slice() {
            [x, y, end] => Ok(Self::Change { from: (x, y), end, down, word }),
            _ => bail!("`{name}` needs x, y and an end"),
        };
        let edge = |down, last| match *numbers.as_slice() {
            [line, end] => Ok(Self::Edge { line, end, down, last }),
            _ => bail!("`{name}` needs a line and an end"),
        };
        match (name, numbers.as_slice()) {
            ("pixel", &[x, y]) => Ok(Self::Pixel(x, y)),
            ("rgb", &[x, y]) => Ok(Self::Low24(x, y)),
            ("depth", &[x, y]) => Ok(Self::Depth(x, y)),
            ("frame_crc", &[rows]) => Ok(Self::FrameChecksum(rows)),
            ("depth_crc", &[rows]) => Ok(Self::DepthChecksum(rows)),
            ("word", &[address]) => Ok(Self::Word(address)),
            ("half", &[address]) => Ok(Self::Half(address)),
            ("same", &[one, other, limit]) => Ok(Self::Same(one, other, limit)),
            ("runs", &[address, limit]) => Ok(Self::Runs(address, limit)),
            ("covered", &[x, y, width, height]) => Ok(Self::Covered([x, y, width, height])),
            ("drawn", &[x, y, width, height]) => Ok(Self::Drawn([x, y, width, height])),
            ("right", _) => change(false, false),
            ("down", _) => change(true, false),
            ("at_right", _) => change(false, true),
            ("at_down", _) => change(true, true),
            ("left_edge", _) => edge(false, false),
            ("right_edge", _) => edge(false, true),
            ("top_edge", _) => edge(true, false),
            ("bottom_edge", _) => edge(true, true),
            _ => bail!("`{text}` is not an observation"),
        }
    }

    const fn is_hexadecimal(self) -> bool {
        matches!(
            self,
            Self::Pixel(..)
                | Self::Low24(..)
                | Self::Depth(..)
                | Self::FrameChecksum(_)
                | Self::DepthChecksum(_)
                | Self::Word(_)
                | Self::Half(_)
                | Self::Translation
                | Self::Argument(_)
                | Self::Change { word: true, .. }
        )
    }

    const fn is_text(self) -> bool {
        matches!(self, Self::Elements(..) | Self::Runs(..) | Self::Transcript)
    }

    /// Reads a value as tables write it.
    ///
    /// # Errors
    /// If the text is not a value for this observation.
    pub fn parse_value(self, text: &str) -> Result<Value> {
        if self.is_text() {
            return Ok(Value::Text(text.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        let radix = if self.is_hexadecimal() { 16 } else { 10 };
        let number = i64::from_str_radix(text, radix);
        Ok(Value::Number(number.with_context(|| format!("`{text}` is not an expected value"))?))
    }

    /// Formats a value as tables write it.
    #[must_use]
    pub fn format_value(self, value: &Value) -> String {
        match value {
            Value::Number(number) if self.is_hexadecimal() => format!("{number:08x}"),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.clone(),
        }
    }

    /// Evaluates the observation.
    #[must_use]
    pub fn evaluate(self, state: &RunState<'_>) -> Value {
        match self {
            Self::Elements(matrix, first) => {
                let elements = &state.registers.visible_matrix(matrix)[first..];
                let count = if matrix == Matrix::Projection { 16 } else { 12 };
                let words = elements.iter().take(count).map(|element| format!("{:06x}", element.to_bits()));
                Value::Text(words.collect::<Vec<_>>().join(" "))
            }
            Self::Runs(start, limit) => Value::Text(state.runs(start, limit)),
            Self::Transcript => Value::Text(state.transcript.to_owned()),
            number => Value::Number(number.evaluate_number(state)),
        }
    }

    fn evaluate_number(self, state: &RunState<'_>) -> i64 {
        match self {
            Self::Pixel(x, y) => state.pixel(x, y).into(),
            Self::Low24(x, y) => (state.pixel(x, y) & 0x00FF_FFFF).into(),
            Self::Depth(x, y) => state.depth(x, y).into(),
            Self::FrameChecksum(rows) => {
                let format = state.format();
                checksum(rows, |x, y| state.pixel(x, y), if format == 3 { 4 } else { 2 })
            }
            Self::DepthChecksum(rows) => checksum(rows, |x, y| state.depth(x, y).into(), 2),
            Self::Word(address) => state.memory.read_u32(Address::new(address)).into(),
            Self::Half(address) => state.memory.read_u16(Address::new(address)).into(),
            Self::Same(one, other, limit) => state.same(one, other, limit).into(),
            Self::Argument(opcode) => state.registers.argument(opcode).into(),
            Self::Translation => state.memory.translation().mode().into(),
            Self::Covered(region) => state.covered(region).map(|_| 1).sum(),
            Self::Drawn(region) => state.covered(region).next().map_or(0, |_| 1),
            Self::Change { from: (x, y), end, down, word } => {
                let first = state.pixel(x, y);
                let at = |step| if down { state.pixel(x, step) } else { state.pixel(step, y) };
                let start = if down { y } else { x }.saturating_add(1);
                match (start..end).find(|step| at(*step) != first) {
                    Some(step) if word => at(step).into(),
                    Some(step) => step.into(),
                    None => -1,
                }
            }
            Self::Edge { line, end, down, last } => {
                let mut covered = (0..end).filter(|step| {
                    if down { state.is_covered(line, *step) } else { state.is_covered(*step, line) }
                });
                let found = if last { covered.next_back() } else { covered.next() };
                found.map_or(-1, i64::from)
            }
            Self::Elements(..) | Self::Runs(..) | Self::Transcript => -1,
        }
    }
}

/// Computes the CRC-32 over the lower `size` bytes of values, in the first 480 columns of the first rows.
fn checksum(rows: u32, value: impl Fn(u32, u32) -> u32, size: usize) -> i64 {
    let mut hasher = crc32fast::Hasher::new();
    for y in 0..rows {
        for x in 0..480 {
            hasher.update(&value(x, y).to_le_bytes()[..size]);
        }
    }
    hasher.finalize().into()
}

/// Returns the observation for a matrix by name.
fn matrix(name: &str) -> Result<Observation> {
    let bone = |number: &str| number.parse().ok().filter(|number| *number < 8);
    Ok(match name {
        "WORLD" => Observation::Elements(Matrix::World, 0),
        "VIEW" => Observation::Elements(Matrix::View, 0),
        "PROJECTION" => Observation::Elements(Matrix::Projection, 0),
        "TEXTURE" => Observation::Elements(Matrix::Texture, 0),
        other => {
            let number: usize = other
                .strip_prefix("BONE")
                .and_then(bone)
                .ok_or_else(|| anyhow!("`{other}` is not a matrix"))?;
            Observation::Elements(Matrix::Bone, number * 12)
        }
    })
}

impl RunState<'_> {
    /// Returns the framebuffer format: 0 is 5650, 1 is 5551, 2 is 4444, 3 is 8888.
    fn format(&self) -> u32 {
        self.registers.argument(Opcode::FRAMEBUFPIXFORMAT) & 3
    }

    fn pixel_address(&self, x: u32, y: u32) -> Address {
        let stride = self.registers.argument(Opcode::FRAMEBUFWIDTH) & 0x7FC;
        let bytes = if self.format() == 3 { 4 } else { 2 };
        let start = self.registers.argument(Opcode::FRAMEBUFPTR) & 0x001F_FFF0;
        Address::vram(start.wrapping_add((y.wrapping_mul(stride).wrapping_add(x)).wrapping_mul(bytes)))
    }

    /// Reads the framebuffer's word at a pixel, in the framebuffer's own format.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> u32 {
        let address = self.pixel_address(x, y);
        if self.format() == 3 { self.memory.read_u32(address) } else { self.memory.read_u16(address).into() }
    }

    fn is_covered(&self, x: u32, y: u32) -> bool {
        let background = if self.format() == 3 { self.background } else { self.background & 0xFFFF };
        self.pixel(x, y) != background
    }

    /// Lists covered pixels in a region, given as left, top, width and height.
    fn covered(&self, [left, top, width, height]: [u32; 4]) -> impl Iterator<Item = (u32, u32)> {
        (top..top.saturating_add(height))
            .flat_map(move |y| (left..left.saturating_add(width)).map(move |x| (x, y)))
            .filter(|(x, y)| self.is_covered(*x, *y))
    }

    /// Counts equal bytes from both addresses on, up to the first difference or the limit.
    fn same(&self, one: u32, other: u32, limit: u32) -> u32 {
        let (mut left, mut right) = ([0; CHUNK_BYTES as usize], [0; CHUNK_BYTES as usize]);
        for start in (0..limit).step_by(CHUNK_BYTES as usize) {
            self.memory.read(Address::new(one).offset(start), &mut left);
            self.memory.read(Address::new(other).offset(start), &mut right);
            if left != right {
                let first = (0..).zip(left.iter().zip(&right)).find(|(_, (left, right))| left != right);
                return first.map_or(limit, |(at, _)| limit.min(start + at));
            }
        }
        limit
    }

    /// Lists each run without a zero byte by its first and last offset.
    fn runs(&self, start: u32, limit: u32) -> String {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for at in (0..limit).filter(|at| self.memory.read_u8(Address::new(start).offset(*at)) != 0) {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == at => *last = at,
                _ => runs.push((at, at)),
            }
        }
        runs.iter().map(|(first, last)| format!("{first:04x}-{last:04x}")).collect::<Vec<_>>().join(" ")
    }

    /// Reads depth at a pixel.
    #[must_use]
    pub fn depth(&self, x: u32, y: u32) -> u16 {
        let stride = self.registers.argument(Opcode::ZBUFWIDTH) & 0x7FC;
        let start = self.registers.argument(Opcode::ZBUFPTR) & 0x001F_FFF0;
        let offset =
            start.wrapping_add((y.wrapping_mul(stride).wrapping_add(x)).wrapping_mul(2)) & 0x001F_FFFF;
        self.memory.read_u16(Address::new(0x0460_0000 | offset))
    }

    /// Reads red, green and blue at a pixel. To expand narrow channels, this repeats their upper bits.
    #[must_use]
    pub fn rgb(&self, x: u32, y: u32) -> [u8; 3] {
        let word = self.pixel(x, y);
        let channel = |from: u32, bits: u32| {
            let value = (word >> from) & ((1 << bits) - 1);
            let wide = value << (8 - bits);
            let [low, ..] = (wide | (wide >> bits)).to_le_bytes();
            low
        };
        match self.format() {
            0 => [channel(0, 5), channel(5, 6), channel(11, 5)],
            1 => [channel(0, 5), channel(5, 5), channel(10, 5)],
            2 => [channel(0, 4), channel(4, 4), channel(8, 4)],
            _ => [channel(0, 8), channel(8, 8), channel(16, 8)],
        }
    }
}

/// Parses a number in decimal or hexadecimal, or a sum.
fn unsigned(text: &str) -> Result<u32> {
    text.split('+').try_fold(0u32, |sum, term| {
        let value = match term.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => term.parse(),
        };
        let value = value.with_context(|| format!("`{text}` is not a number"))?;
        sum.checked_add(value).ok_or_else(|| anyhow!("`{text}` is too large"))
    })
}

#[cfg(test)]
mod tests {
    use pspge::ge::command::Command;
    use pspge::ge::memory::RamSize;

    use super::*;

    #[test]
    fn observes_framebuffer_and_depth() {
        let mut memory = Memory::new(RamSize::Small);
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::FRAMEBUFWIDTH, 64));
        registers.write(Command::new(Opcode::FRAMEBUFPIXFORMAT, 3));
        registers.write(Command::new(Opcode::ZBUFPTR, 0x10000));
        registers.write(Command::new(Opcode::ZBUFWIDTH, 64));
        memory.write(Address::vram(4 * (64 + 2)), &[1, 2, 3, 4]);
        memory.write(Address::new(0x0461_0000), &[7, 0]);
        let state = RunState { memory: &memory, registers: &registers, background: 0, transcript: "" };
        let evaluate = |text| match Observation::parse(text).expect("an observation").evaluate(&state) {
            Value::Number(number) => number,
            Value::Text(text) => panic!("{text} is not a number"),
        };
        assert_eq!(evaluate("pixel(1+1,1)"), 0x0403_0201, "the stored word");
        assert_eq!(evaluate("covered(0,0,8,8)"), 1, "one pixel is drawn");
        assert_eq!(evaluate("right(0,1,8)"), 2, "the row changes there");
        assert_eq!(evaluate("at_right(0,1,8)"), 0x0403_0201, "to this word");
        assert_eq!(evaluate("down(0,0,8)"), -1, "the column never changes");
        assert_eq!(evaluate("right_edge(1,8)"), 2, "last covered column");
        assert_eq!(evaluate("top_edge(2,8)"), 1, "first covered row");
        assert_eq!(evaluate("depth(0,0)"), 7, "depth in its own view");
        assert_eq!(evaluate("word(0x04000108)"), 0x0403_0201, "memory");
        assert_eq!(state.rgb(2, 1), [1, 2, 3], "red is the low byte");
        let text = |text| Observation::parse(text).expect("an observation").evaluate(&state);
        assert_eq!(text("runs(0x04000100,16)"), Value::Text("0008-000b".to_owned()), "four bytes");
        assert_eq!(text("matrix(BONE7)"), Value::Text(["000000"; 12].join(" ")), "zero initially");
        assert!(Observation::parse("matrix(BONE8)").is_err(), "bone numbers end at 7");
    }
}
