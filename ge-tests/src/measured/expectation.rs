//! Expects a job's result on a PSP, and describes how a result here differs.

use std::fmt::Write as _;

/// How many differing points a message shows at most.
const MAX_SHOWN: usize = 8;

/// A job's result on a PSP, to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// A CRC-32 over the pixels to read.
    Checksum(u32),
    /// Whether some pixel is drawn.
    Drawn(bool),
    /// Values for single pixels.
    Points(Vec<Point>),
}

/// A pixel with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// The value.
    pub value: PointValue,
}

/// A pixel's value, as the job states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointValue {
    /// The low 16 bits.
    Low16(u16),
    /// The low byte without the lowest two bits.
    HighBits(u8),
    /// The depth.
    Depth(u16),
}

impl PointValue {
    /// Returns a pixel's value in the same kind, to compare both.
    const fn of_pixel(self, pixel: u32) -> Self {
        let [low, high, ..] = pixel.to_le_bytes();
        let half = u16::from_le_bytes([low, high]);
        match self {
            Self::Low16(_) => Self::Low16(half),
            Self::HighBits(_) => Self::HighBits(low & 0xFC),
            Self::Depth(_) => Self::Depth(half),
        }
    }

    fn text(self) -> String {
        match self {
            Self::Low16(half) => format!("{half:04x}"),
            Self::HighBits(byte) => format!("{byte}-"),
            Self::Depth(depth) => depth.to_string(),
        }
    }
}

impl Expectation {
    /// Describes how a result differs; `None` if it does not. `bytes` are the rows to compare; `pixel` reads a pixel
    /// by column and row.
    pub(super) fn difference(&self, bytes: &[u8], pixel: impl Fn(u32, u32) -> u32) -> Option<String> {
        match self {
            Self::Checksum(expected) => {
                let found = crc32fast::hash(bytes);
                (found != *expected).then(|| format!("found {found:08x}, PSP {expected:08x}"))
            }
            Self::Drawn(expected) => {
                let found = bytes.iter().any(|byte| *byte != 0);
                (found != *expected)
                    .then(|| format!("found {}, PSP {}", u8::from(found), u8::from(*expected)))
            }
            Self::Points(points) => {
                let wrong = points.iter().filter_map(|point| {
                    let found = point.value.of_pixel(pixel(point.x, point.y));
                    (found != point.value).then_some((point, found))
                });
                let wrong: Vec<_> = wrong.collect();
                if wrong.is_empty() {
                    return None;
                }
                let mut text = format!("{} of {} points differ", wrong.len(), points.len());
                for (Point { x, y, value }, found) in wrong.into_iter().take(MAX_SHOWN) {
                    let _ = write!(text, "; at {x},{y} found {}, PSP {}", found.text(), value.text());
                }
                Some(text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_zip_files() {
        let difference = Expectation::Checksum(0xCBF4_3926).difference(b"123456789", |_, _| 0);
        assert_eq!(difference, None, "the usual check value");
    }

    #[test]
    fn only_compared_bits_count() {
        let difference = |value, pixel| {
            Expectation::Points(vec![Point { x: 1, y: 2, value }]).difference(&[], |_, _| pixel)
        };
        assert_eq!(difference(PointValue::Low16(0x1234), 0xFFFF_1234), None, "high half is not compared");
        assert_eq!(difference(PointValue::HighBits(240), 0xF3), None, "lowest two bits are not compared");
        assert_eq!(
            difference(PointValue::HighBits(240), 0xF4).as_deref(),
            Some("1 of 1 points differ; at 1,2 found 244-, PSP 240-"),
            "message"
        );
        assert_eq!(
            difference(PointValue::Depth(4660), 0).as_deref(),
            Some("1 of 1 points differ; at 1,2 found 0, PSP 4660"),
            "depth"
        );
    }
}
