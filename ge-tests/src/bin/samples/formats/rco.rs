//! Writes RCO files.
//!
//! Source: [RCO](pspge::reference::formats::psp_sdk#rco).

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::bytes::{pad, put_u16, put_u32};

/// Where the tables start, after the header.
const TABLES: usize = 0xA4;
/// How many bytes each entry begins with; its kind adds more.
const ENTRY: usize = 0x28;
/// Stands for a missing table or name.
const NONE: usize = 0xFFFF_FFFF;

/// A picture or a model.
pub(crate) struct Member {
    pub(crate) name: &'static str,
    /// The picture's format as a number; 0 for a model.
    pub(crate) format: usize,
    pub(crate) is_packed: bool,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) fn write(models: &[Member], pictures: &[Member]) -> io::Result<Vec<u8>> {
    let mut tables = Vec::new();
    let mut labels = Vec::new();
    let mut data = Vec::new();
    let mut places = Vec::new();
    for (kind, members) in [(5, models), (4, pictures)] {
        let (table, start) = (TABLES + tables.len(), data.len());
        entry(&mut tables, kind << 8, NONE, [members.len(), 0]);
        for (number, member) in members.iter().enumerate() {
            let stored = if member.is_packed { zlib(&member.bytes)? } else { member.bytes.clone() };
            let size = ENTRY + if member.is_packed { 16 } else { 12 };
            let next = if number + 1 == members.len() { 0 } else { size };
            entry(&mut tables, kind << 8 | 1, labels.len(), [0, next]);
            put_u16(&mut tables, member.format);
            put_u16(&mut tables, member.is_packed.into());
            put_u32(&mut tables, stored.len());
            put_u32(&mut tables, data.len() - start);
            if member.is_packed {
                put_u32(&mut tables, member.bytes.len());
            }
            labels.extend(member.name.as_bytes());
            labels.push(0);
            pad(&mut labels, 4);
            data.extend(stored);
            pad(&mut data, 4);
        }
        places.push((table, start, data.len() - start));
    }
    let label_place = TABLES + tables.len();
    let data_place = label_place + labels.len();
    let mut header = vec![NONE; TABLES / 4];
    for (word, value) in [(0, 0x4652_5000), (1, 0x71), (2, 0), (3, 0), (16, label_place), (17, labels.len())]
    {
        header[word] = value;
    }
    // Texts, labels and events are missing, so their lengths are 0.
    for word in (15..41).step_by(2).filter(|word| *word != 17 && *word < 38) {
        header[word] = 0;
    }
    for ((table, at), (place, start, length)) in [(8, 36), (9, 32)].into_iter().zip(places) {
        (header[table], header[at], header[at + 1]) = (place, data_place + start, length);
    }
    let mut out = Vec::new();
    header.into_iter().for_each(|word| put_u32(&mut out, word));
    Ok([out, tables, labels, data].concat())
}

/// Appends the header for a table or an entry: how many entries follow, and how far the next is.
fn entry(out: &mut Vec<u8>, kind: usize, label: usize, [count, next]: [usize; 2]) {
    put_u16(out, kind);
    put_u16(out, 0);
    [label, ENTRY, 0, count, next, 0, 0, 0, 0].into_iter().for_each(|word| put_u32(out, word));
}

fn zlib(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
