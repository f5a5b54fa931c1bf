//! Builds a container in the firmware's format, to hold the beacon, the candle and a small chart.

use crate::formats::rco::{Member, write};
use crate::subjects::{beacon, candle};

/// The format numbers for GIM and BMP pictures.
const GIM: usize = 5;
const BMP: usize = 4;

/// Returns all files by name.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let packed = |name, format, files: Vec<(&'static str, Vec<u8>)>| {
        files.into_iter().map(move |(_, bytes)| Member { name, format, is_packed: true, bytes })
    };
    let models: Vec<Member> = packed("beacon", 0, beacon::files()).collect();
    let mut pictures: Vec<Member> = packed("candle", GIM, candle::files()).collect();
    pictures.push(Member { name: "chart", format: BMP, is_packed: false, bytes: chart() });
    // Writing to memory does not fail, so this needs no error.
    write(&models, &pictures).map(|bytes| vec![("harbour.rco", bytes)]).unwrap_or_default()
}

/// Draws a sea chart: depths in blue, land in sand.
fn chart() -> Vec<u8> {
    const SIDE: usize = 16;
    let mut out = b"BM".to_vec();
    let mut word = |value: usize| out.extend(u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
    // This header is for a bottom-up picture with 24 bits per pixel.
    [54 + SIDE * SIDE * 3, 0, 54, 40, SIDE, SIDE, 1 | 24 << 16, 0, SIDE * SIDE * 3, 2835, 2835, 0, 0]
        .into_iter()
        .for_each(&mut word);
    for y in 0..SIDE {
        for x in 0..SIDE {
            let depth = x.abs_diff(5) + y.abs_diff(9);
            let [red, green, blue] = match depth {
                0..=4 => [0xE0, 0xC8, 0x90],
                5..=8 => [0x80, 0xC0, 0xE0],
                _ => [0x30, 0x70, 0xB0],
            };
            out.extend([blue, green, red]);
        }
    }
    out
}
