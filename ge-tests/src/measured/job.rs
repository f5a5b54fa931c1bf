//! Reads the fields in a line.

use std::error::Error;
use std::fmt;

use super::expectation::{Expectation, Point, PointValue};

/// How many words a list may have, and the vertices, because each has its own part of memory.
const MAX_WORDS: usize = 0x10_0000 / 4;

/// The screen's height.
const SCREEN_ROWS: u32 = 272;

/// How many rows a job may ask to read.
const MAX_ROWS: u32 = 512;

/// A list to run, with its vertices and its result on a PSP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The experiment's name.
    pub name: String,
    /// The result.
    pub expectation: Expectation,
    /// The buffer to read.
    pub buffer: Buffer,
    /// How many rows to read.
    pub rows: u32,
    /// The list's words.
    pub list: Vec<u32>,
    /// Words for vertices, textures and palettes.
    pub vertices: Vec<u32>,
}

/// A buffer in VRAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// Colour, 32 bits per pixel.
    Color,
    /// Colour, 16 bits per pixel.
    Color16,
    /// Depth, 16 bits per pixel.
    Depth,
}

/// An error in a line, for a person to correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineError {
    /// How many fields the line has.
    Fields(usize),
    /// The buffer to read is unknown, or its row count is no number.
    Read(String),
    /// Not a word in hexadecimal.
    Word(String),
    /// More words than fit in their part of memory.
    TooManyWords(usize),
    /// Neither a checksum nor a value.
    Result(String),
    /// Not a pixel on the screen.
    Point(String),
    /// There are more or fewer values than points.
    Counts {
        /// How many values.
        values: usize,
        /// How many points.
        points: usize,
    },
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fields(count) => write!(f, "{count} fields instead of 5 or 6"),
            Self::Read(text) => write!(f, "`{text}` is not a buffer with a number of rows"),
            Self::Word(text) => write!(f, "`{text}` is not a word"),
            Self::TooManyWords(count) => write!(f, "{count} words, {MAX_WORDS} fit"),
            Self::Result(text) => write!(f, "`{text}` is not a result"),
            Self::Point(text) => write!(f, "`{text}` is not a pixel"),
            Self::Counts { values, points } => write!(f, "{values} values for {points} points"),
        }
    }
}

impl Error for LineError {}

impl Job {
    /// Reads a line.
    ///
    /// # Errors
    /// If the line does not have the form described in [`crate::measured`].
    pub fn parse(line: &str) -> Result<Self, LineError> {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let (name, result, read, list, vertices, points) = match *fields.as_slice() {
            [name, result, read, list, vertices] => (name, result, read, list, vertices, None),
            [name, result, read, list, vertices, points] => {
                (name, result, read, list, vertices, Some(points))
            }
            _ => return Err(LineError::Fields(fields.len())),
        };
        let (buffer, rows) = read_area(read)?;
        let expectation = match points {
            Some(points) => Expectation::Points(read_points(result, points, buffer)?),
            None => read_result(result)?,
        };
        Ok(Self {
            name: name.to_owned(),
            expectation,
            buffer,
            rows,
            list: words(list)?,
            vertices: words(vertices)?,
        })
    }

    /// Returns the name to show for this job, with the buffer unless it is 32-bit colour.
    #[must_use]
    pub fn label(&self) -> String {
        match self.buffer {
            Buffer::Color => self.name.clone(),
            Buffer::Color16 => format!("{} color16", self.name),
            Buffer::Depth => format!("{} depth", self.name),
        }
    }
}

/// Parses which buffer and how many rows to compare.
fn read_area(text: &str) -> Result<(Buffer, u32), LineError> {
    let error = || LineError::Read(text.to_owned());
    let (buffer, rows) = text.split_once(',').map_or((text, None), |(buffer, rows)| (buffer, Some(rows)));
    let buffer = match buffer.trim() {
        "color" => Buffer::Color,
        "color16" => Buffer::Color16,
        "depth" => Buffer::Depth,
        _ => return Err(error()),
    };
    let Some(rows) = rows else { return Ok((buffer, SCREEN_ROWS)) };
    let rows = rows.trim().strip_suffix("rows").ok_or_else(error)?;
    let rows = rows.trim().parse().ok().filter(|rows| (1..=MAX_ROWS).contains(rows)).ok_or_else(error)?;
    Ok((buffer, rows))
}

/// Reads a result for a whole buffer.
fn read_result(text: &str) -> Result<Expectation, LineError> {
    match text {
        "0" => Some(Expectation::Drawn(false)),
        "1" => Some(Expectation::Drawn(true)),
        _ if text.len() == 8 => hexadecimal(text).map(Expectation::Checksum),
        _ => None,
    }
    .ok_or_else(|| LineError::Result(text.to_owned()))
}

/// Reads values and their points.
fn read_points(values: &str, points: &str, buffer: Buffer) -> Result<Vec<Point>, LineError> {
    let values: Vec<&str> = values.split_whitespace().collect();
    let points: Vec<&str> = points.split_whitespace().collect();
    if values.len() != points.len() || values.is_empty() {
        return Err(LineError::Counts { values: values.len(), points: points.len() });
    }
    let pairs = values.into_iter().zip(points);
    pairs
        .map(|(value, point)| {
            let (x, y) = pixel(point).ok_or_else(|| LineError::Point(point.to_owned()))?;
            let value = point_value(value, buffer).ok_or_else(|| LineError::Result(value.to_owned()))?;
            Ok(Point { x, y, value })
        })
        .collect()
}

/// Reads a pixel on the screen.
fn pixel(text: &str) -> Option<(u32, u32)> {
    let (x, y) = text.split_once(',')?;
    Some((x.parse().ok().filter(|x| *x < 512)?, y.parse().ok().filter(|y| *y < MAX_ROWS)?))
}

/// Reads a point's value.
fn point_value(text: &str, buffer: Buffer) -> Option<PointValue> {
    if buffer == Buffer::Depth {
        return text.parse().ok().map(PointValue::Depth);
    }
    if let Some(byte) = text.strip_suffix('-') {
        return byte.parse().ok().map(PointValue::HighBits);
    }
    let half = hexadecimal(text).filter(|_| text.len() == 4)?;
    u16::try_from(half).ok().map(PointValue::Low16)
}

/// Reads words separated by blanks.
fn words(text: &str) -> Result<Vec<u32>, LineError> {
    let words: Vec<u32> = text
        .split_whitespace()
        .map(|word| hexadecimal(word).ok_or_else(|| LineError::Word(word.to_owned())))
        .collect::<Result<_, _>>()?;
    if words.len() > MAX_WORDS { Err(LineError::TooManyWords(words.len())) } else { Ok(words) }
}

/// Reads up to eight hexadecimal digits.
fn hexadecimal(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|digit| digit.is_ascii_hexdigit());
    digits.then(|| u32::from_str_radix(text, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_kind_of_result() {
        let result = |line: &str| Job::parse(line).map(|job| job.expectation);
        assert_eq!(result("a|00abcdef|color||"), Ok(Expectation::Checksum(0xAB_CDEF)), "checksum");
        assert_eq!(result("a|1|color||"), Ok(Expectation::Drawn(true)), "drawn");
        let points = |value, read| result(&format!("a|{value}|{read}|||3,4"));
        let point = |value| Ok(Expectation::Points(vec![Point { x: 3, y: 4, value }]));
        assert_eq!(points("c77e", "color"), point(PointValue::Low16(0xC77E)), "low bits");
        assert_eq!(points("240-", "color"), point(PointValue::HighBits(240)), "high bits");
        assert_eq!(points("4660", "depth"), point(PointValue::Depth(4660)), "depth");
    }

    #[test]
    fn reads_the_number_of_rows() {
        let area = |read| Job::parse(&format!("a|0|{read}||")).map(|job| (job.buffer, job.rows));
        assert_eq!(area("color"), Ok((Buffer::Color, 272)), "all rows");
        assert_eq!(area("color16, 136 rows"), Ok((Buffer::Color16, 136)), "fewer rows");
        for read in ["colour", "color,", "color, 0 rows", "color, 9999 rows", "color, -1 rows"] {
            assert_eq!(area(read), Err(LineError::Read(read.trim().to_owned())), "{read:?}");
        }
    }

    #[test]
    fn odd_fields_are_errors() {
        for (line, error) in [
            ("a|1|color|", LineError::Fields(4)),
            ("a|1|color||||", LineError::Fields(7)),
            ("a|2|color||", LineError::Result("2".to_owned())),
            ("a|+bcdef01|color||", LineError::Result("+bcdef01".to_owned())),
            ("a|0|color|xyz|", LineError::Word("xyz".to_owned())),
            ("a|0|color|123456789|", LineError::Word("123456789".to_owned())),
            ("a|ffff|color|||1", LineError::Point("1".to_owned())),
            ("a|ffff|color|||512,0", LineError::Point("512,0".to_owned())),
            ("a|ff|color|||1,1", LineError::Result("ff".to_owned())),
            ("a|256-|color|||1,1", LineError::Result("256-".to_owned())),
            ("a|ffff|color|||1,1 2,2", LineError::Counts { values: 1, points: 2 }),
            ("a||color|||", LineError::Counts { values: 0, points: 0 }),
        ] {
            assert_eq!(Job::parse(line), Err(error), "{line:?}");
        }
    }
}
