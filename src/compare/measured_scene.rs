//! Results that a real PSP gave for display lists, as checksums instead of pictures.
//!
//! Whoever measures a PSP often keeps a CRC for the frame and the depth buffer, because pictures are large. A table
//! `scenes.tsv` next to the lists holds them, one list a line. Its first line names the columns, in any order:
//!
//! | column | content |
//! | --- | --- |
//! | `file` | the list's file |
//! | `name`, `tests` | a name, and what the scene tests, for people |
//! | `bytes_per_pixel` | 2 or 4 |
//! | `frame_crc32` | CRC-32 of the screen: 480×272 pixels at 0x04000000, rows of 512 pixels cut to 480 |
//! | `depth_crc32` | CRC-32 of the depth buffer at 0x04088000, in the order in which the GE stores it |
//! | `depth_columns` | how many columns count in each row, up to 512 |
//! | `box_marker` | `x,y,RRGGBB,drawn` or `not drawn`: whether the pixel has a marker's colour, as a bounding box decides |
//!
//! Checksums and colours are hexadecimal. Empty fields were not measured, and further columns are for people.

use std::fmt;

use crate::ge::address::Address;
use crate::ge::memory::Memory;

/// Where the PSP's program put the colour buffer.
const COLOR: u32 = 0x0400_0000;
/// Where it put the depth buffer, in the plain view.
const DEPTH: u32 = 0x0408_8000;
/// How far apart rows start, in pixels.
const STRIDE: u32 = 512;
const COLUMNS: u32 = 480;
const ROWS: u32 = 272;

/// A list with the results that a PSP gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredScene {
    /// The list's file name, next to the table.
    pub file: String,
    /// The scene's name.
    pub name: String,
    /// Which feature the scene tests, for people.
    pub tests: String,
    /// The screen's CRC, and how many bytes a pixel has.
    frame: Option<(u32, u32)>,
    /// The depth buffer's CRC, and how many columns count.
    depth: Option<(u32, u32)>,
    marker: Option<Marker>,
}

/// A pixel whose colour tells whether a draw was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Marker {
    x: u32,
    y: u32,
    /// Red, green and blue, from the highest bits on.
    color: u32,
    is_drawn: bool,
}

/// A PSP's result next to a run's.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Measurement {
    /// Which result this is.
    pub part: MeasuredPart,
    /// The PSP's result.
    pub expected: String,
    /// This run's result.
    pub found: String,
}

/// The results that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MeasuredPart {
    /// The screen's CRC-32.
    Frame,
    /// The depth buffer's CRC-32.
    Depth,
    /// Whether a marker was drawn.
    Marker,
}

/// Why a table cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct MeasuredSceneError {
    /// The line, from 1.
    pub line: usize,
    /// Why the line cannot be read.
    pub problem: String,
}

impl MeasuredScene {
    /// The table's file name.
    pub const TABLE: &str = "scenes.tsv";

    /// Reads a table.
    ///
    /// # Errors
    /// If a required column is missing, or if a field does not hold the data for its column.
    pub fn read_table(table: &str) -> Result<Vec<Self>, MeasuredSceneError> {
        let mut lines = (1..).zip(table.lines());
        let columns: Vec<&str> =
            lines.next().map(|(_, line)| line.split('\t').map(str::trim).collect()).unwrap_or_default();
        if !columns.contains(&"file") {
            return Err(MeasuredSceneError { line: 1, problem: "there is no column 'file'".to_owned() });
        }
        lines
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(number, line)| {
                let fields: Vec<&str> = line.split('\t').collect();
                let field = |name: &str| {
                    let position = columns.iter().position(|column| *column == name);
                    position.and_then(|position| fields.get(position)).map_or("", |field| field.trim())
                };
                Self::of_fields(field).map_err(|problem| MeasuredSceneError { line: number, problem })
            })
            .collect()
    }

    fn of_fields<'a>(field: impl Fn(&'static str) -> &'a str) -> Result<Self, String> {
        let number = |name: &'static str, radix: u32| match field(name) {
            "" => Ok(None),
            text => u32::from_str_radix(text, radix)
                .map(Some)
                .map_err(|_| format!("{name}: '{text}' is no number")),
        };
        if field("file").is_empty() {
            return Err("file: it is empty".to_owned());
        }
        let pixel = number("bytes_per_pixel", 10)?.unwrap_or(4);
        if !matches!(pixel, 2 | 4) {
            return Err(format!("bytes_per_pixel: {pixel} is neither 2 nor 4"));
        }
        let columns = number("depth_columns", 10)?.unwrap_or(STRIDE);
        if !(1..=STRIDE).contains(&columns) {
            return Err(format!("depth_columns: {columns} is not within 1..={STRIDE}"));
        }
        Ok(Self {
            file: field("file").to_owned(),
            name: field("name").to_owned(),
            tests: field("tests").to_owned(),
            frame: number("frame_crc32", 16)?.map(|checksum| (checksum, pixel)),
            depth: number("depth_crc32", 16)?.map(|checksum| (checksum, columns)),
            marker: match field("box_marker") {
                "" => None,
                text => Some(
                    Marker::parse(text)
                        .ok_or_else(|| format!("box_marker: '{text}' is not 'x,y,RRGGBB,drawn'"))?,
                ),
            },
        })
    }

    /// Compares the PSP's results with memory after this list's run.
    #[must_use]
    pub fn compare(&self, memory: &Memory) -> Vec<Measurement> {
        let crc = |part, expected: u32, found: u32| Measurement {
            part,
            expected: format!("{expected:08X}"),
            found: format!("{found:08X}"),
        };
        let frame = self.frame.map(|(expected, pixel)| {
            crc(MeasuredPart::Frame, expected, checksum(memory, COLOR, pixel, COLUMNS))
        });
        let depth = self.depth.map(|(expected, columns)| {
            crc(MeasuredPart::Depth, expected, checksum(memory, DEPTH, 2, columns))
        });
        let marker = self.marker.map(|marker| {
            let word = |is_drawn: bool| if is_drawn { "drawn" } else { "not drawn" }.to_owned();
            let found = word(marker.is_in(memory));
            Measurement { part: MeasuredPart::Marker, expected: word(marker.is_drawn), found }
        });
        [frame, depth, marker].into_iter().flatten().collect()
    }
}

impl Marker {
    fn parse(text: &str) -> Option<Self> {
        let &[x, y, color, drawn] = text.split(',').collect::<Vec<_>>().as_slice() else { return None };
        let (x, y) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
        let color = u32::from_str_radix(color.trim(), 16).ok()?;
        let is_drawn = match drawn.trim() {
            "drawn" => true,
            "not drawn" => false,
            _ => return None,
        };
        (x < STRIDE && y < ROWS).then_some(Self { x, y, color, is_drawn })
    }

    fn is_in(self, memory: &Memory) -> bool {
        let address = COLOR + (self.y * STRIDE + self.x) * 4;
        let [red, green, blue, _] = memory.read_u32(Address::new(address)).to_le_bytes();
        u32::from_be_bytes([0, red, green, blue]) == self.color
    }
}

impl Measurement {
    /// Returns whether the run gives the PSP's result.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.expected == self.found
    }
}

impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = match self.part {
            MeasuredPart::Frame => "frame",
            MeasuredPart::Depth => "depth",
            MeasuredPart::Marker => "marker",
        };
        write!(f, "{part} {}", self.found)?;
        if self.is_equal() { Ok(()) } else { write!(f, " instead of {}", self.expected) }
    }
}

/// Computes the CRC-32 over the first `columns` pixels in all rows.
fn checksum(memory: &Memory, start: u32, pixel: u32, columns: u32) -> u32 {
    let mut sum = flate2::Crc::new();
    let mut row = vec![0; (columns * pixel) as usize];
    for y in 0..ROWS {
        memory.read(Address::new(start + y * STRIDE * pixel), &mut row);
        sum.update(&row);
    }
    sum.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "file\tbytes_per_pixel\tframe_crc32\tdepth_crc32\tdepth_columns\tbox_marker\tby\n";

    fn read(line: &str) -> Result<Vec<MeasuredScene>, String> {
        MeasuredScene::read_table(&format!("{HEAD}{line}\n")).map_err(|error| error.to_string())
    }

    #[test]
    fn results_are_compared_with_memory() {
        let scenes = read("a.ge\t2\t11111111\t\t\t1,2,FF8000,drawn\tme").expect("a table");
        let mut memory = Memory::default();
        // The CRC-32 of 480×272 pixels in 2 bytes each, all zero, from another implementation.
        let zeros = crc32fast::hash(&vec![0; 480 * 272 * 2]);
        let found = scenes[0].compare(&memory);
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        let frame = format!("frame {zeros:08X} instead of 11111111");
        assert_eq!(texts, [frame.as_str(), "marker not drawn instead of drawn"], "nothing was drawn");
        memory.write(Address::new(COLOR + (2 * STRIDE + 1) * 4), &[0xFF, 0x80, 0, 7]);
        let found = scenes[0].compare(&memory);
        assert!(found[1].is_equal() && !found[0].is_equal(), "alpha does not count: {found:?}");
    }

    #[test]
    fn cut_rows_leave_out_the_rest() {
        let scenes = read("a.ge\t4\t\t0\t480\t\t").expect("a table");
        let mut memory = Memory::default();
        let sum = |memory: &Memory| scenes[0].compare(memory)[0].found.clone();
        let before = sum(&memory);
        memory.write(Address::new(DEPTH + 960), &[1]);
        assert_eq!(sum(&memory), before, "column 480");
        memory.write(Address::new(DEPTH + 958), &[1]);
        assert_ne!(sum(&memory), before, "column 479");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (line, problem) in [
            ("\t4", "line 2: file: it is empty"),
            ("a\t8", "line 2: bytes_per_pixel: 8 is neither 2 nor 4"),
            ("a\t4\txyz", "line 2: frame_crc32: 'xyz' is no number"),
            ("a\t4\t\t0\t513", "line 2: depth_columns: 513 is not within 1..=512"),
            (
                "a\t4\t\t\t\t1,2,FF8000,perhaps",
                "line 2: box_marker: '1,2,FF8000,perhaps' is not 'x,y,RRGGBB,drawn'",
            ),
            (
                "a\t4\t\t\t\t512,2,FF8000,drawn",
                "line 2: box_marker: '512,2,FF8000,drawn' is not 'x,y,RRGGBB,drawn'",
            ),
        ] {
            assert_eq!(read(line).expect_err("a mistake"), problem, "{line}");
        }
        let error = MeasuredScene::read_table("name\tframe\n").expect_err("another table");
        assert_eq!(error.to_string(), "line 1: there is no column 'file'");
    }
}
