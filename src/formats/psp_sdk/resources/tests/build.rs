//! Builds RCO, PTF and AMD files for tests.

use std::io::Write;

use flate2::Compression as Level;
use flate2::write::ZlibEncoder;

use super::rlz::pack;

/// Packs bytes as a zlib stream.
pub(super) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Level::best());
    encoder.write_all(bytes).expect("room");
    encoder.finish().expect("room")
}

/// A picture or a model to store.
#[derive(Clone)]
pub(super) struct Stored {
    pub(super) name: Option<&'static str>,
    pub(super) format: u16,
    pub(super) compression: u16,
    pub(super) bytes: Vec<u8>,
    pub(super) unpacked: u32,
}

impl Stored {
    pub(super) fn plain(name: &'static str, format: u16, bytes: &[u8]) -> Self {
        let unpacked = u32::try_from(bytes.len()).expect("small");
        Self { name: Some(name), format, compression: 0, bytes: bytes.to_vec(), unpacked }
    }

    pub(super) fn packed(name: &'static str, format: u16, bytes: &[u8]) -> Self {
        Self { compression: 1, bytes: zlib(bytes), ..Self::plain(name, format, bytes) }
    }
}

/// An RCO file to build, with tables of models, pictures, sounds and scripts, and a text in two languages.
#[derive(Clone, Default)]
pub(super) struct Rco {
    pub(super) is_big: bool,
    /// How the tables are compressed.
    pub(super) tables: u16,
    pub(super) models: Vec<Stored>,
    pub(super) images: Vec<Stored>,
    pub(super) sounds: Vec<(&'static str, Vec<u8>)>,
    pub(super) scripts: Vec<(&'static str, Vec<u8>)>,
}

const NONE: u32 = u32::MAX;

impl Rco {
    fn half(&self, value: u16) -> [u8; 2] {
        if self.is_big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn word(&self, value: usize) -> [u8; 4] {
        let value = u32::try_from(value).expect("small");
        if self.is_big { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn words(&self, values: &[usize]) -> Vec<u8> {
        values.iter().flat_map(|value| self.word(*value)).collect()
    }

    /// Builds a table. An entry is the offset of its name, and the bytes after its header.
    fn table(&self, kind: u16, entries: &[(usize, Vec<u8>)]) -> Vec<u8> {
        let head = |is_entry: bool, label: usize, count: usize, next: usize| {
            let own = self.half(kind << 8 | u16::from(is_entry));
            let rest = self.words(&[label, 0x28, 0, count, next, 0, 0, 0, 0]);
            [&own[..], &[0; 2], &rest].concat()
        };
        let mut out = head(false, NONE as usize, entries.len(), 0);
        for (number, (label, extra)) in entries.iter().enumerate() {
            let next = if number + 1 == entries.len() { 0 } else { 0x28 + extra.len() };
            out.extend(head(true, *label, 0, next));
            out.extend(extra);
        }
        out
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut labels: Vec<u8> = Vec::new();
        let mut label = |name: Option<&str>| {
            let Some(name) = name else { return NONE as usize };
            let at = labels.len();
            labels.extend(name.as_bytes());
            labels.push(0);
            labels.resize(labels.len().next_multiple_of(4), 0);
            at
        };
        let mut datas: Vec<Vec<u8>> = Vec::new();
        let mut tables = Vec::new();
        for (kind, members) in [(5, &self.models), (4, &self.images)] {
            let mut data: Vec<u8> = Vec::new();
            let mut entries = Vec::new();
            for member in members {
                let (size, at) = (member.bytes.len(), data.len());
                data.extend(&member.bytes);
                data.resize(data.len().next_multiple_of(4), 0);
                let mut extra = [self.half(member.format), self.half(member.compression)].concat();
                extra.extend(self.words(&[size, at]));
                if self.is_big {
                    extra.extend(self.words(&[1]));
                }
                if member.compression > 0 {
                    extra.extend(self.words(&[member.unpacked as usize]));
                }
                entries.push((label(member.name), extra));
            }
            tables.push(self.table(kind, &entries));
            datas.push(data);
        }
        let mut sounds: Vec<u8> = Vec::new();
        let mut entries = Vec::new();
        for (name, bytes) in &self.sounds {
            let mut extra = [self.half(1), self.half(1)].concat();
            extra.extend(self.words(&[
                bytes.len(),
                sounds.len(),
                bytes.len(),
                sounds.len(),
                0,
                NONE as usize,
            ]));
            sounds.extend(bytes);
            entries.push((label(Some(name)), extra));
        }
        tables.push(self.table(6, &entries));
        datas.push(sounds);
        let texts = [0_u16, 1].map(|language| {
            let strings = self.words(&[NONE as usize, 8, 0, NONE as usize, 12, 8]);
            let extra = [&self.half(language)[..], &self.half(1), &self.word(2), &strings].concat();
            (NONE as usize, extra)
        });
        tables.push(self.table(3, &texts));
        datas.push(vec![0; 20]);
        let scripts = self
            .scripts
            .iter()
            .map(|(name, bytes)| (label(Some(name)), [&self.words(&[0, bytes.len()])[..], bytes].concat()));
        let scripts: Vec<_> = scripts.collect();
        tables.push(self.table(2, &scripts));

        let mut all = Vec::new();
        let mut places = Vec::new();
        for table in &tables {
            places.push(0xA4 + all.len());
            all.extend(table);
        }
        let label_place = 0xA4 + all.len();
        all.extend(&labels);
        let stored = if self.tables > 0 {
            let packed = if self.tables == 1 { zlib(&all) } else { pack(&all) };
            let mut stored = self.words(&[packed.len(), all.len(), 0]);
            stored.extend(packed);
            stored.resize(stored.len().next_multiple_of(4), 0);
            stored
        } else {
            all
        };
        let mut data_place = 0xA4 + stored.len();
        let mut data_places = Vec::new();
        for data in &datas {
            data_places.push(data_place);
            data_place += data.len();
        }
        let mut header = vec![0; 0xA4];
        header[..4].copy_from_slice(if self.is_big { b"FRP\0" } else { b"\0PRF" });
        let mut set = |at: usize, value: usize| header[at..at + 4].copy_from_slice(&self.word(value));
        set(4, if self.tables > 0 { 0x95 } else { 0x71 });
        set(0xC, usize::from(self.tables) << 4);
        for field in (0x10..0x38).step_by(4) {
            set(field, NONE as usize);
        }
        for (field, place) in [0x20, 0x24, 0x1C, 0x18, 0x14].into_iter().zip(&places) {
            set(field, *place);
        }
        set(0x40, label_place);
        set(0x44, labels.len());
        for ((field, place), data) in [0x90, 0x80, 0x88, 0x38].into_iter().zip(&data_places).zip(&datas) {
            set(field, *place);
            set(field + 4, data.len());
        }
        [header, stored, datas.concat()].concat()
    }
}

/// An entry's number, format, compression, stored bytes, and size after unpacking.
pub(super) type ThemeEntry = (u16, u16, u16, Vec<u8>, u32);

/// Builds a theme from sections with entries.
pub(super) fn ptf(sections: &[&[ThemeEntry]]) -> Vec<u8> {
    let mut file = b"\0PTF\0\x01\0\0A theme".to_vec();
    file.resize(0x120, 0);
    for (number, entries) in sections.iter().enumerate() {
        let at = u32::try_from(file.len()).expect("small");
        file[0x100 + number * 4..0x104 + number * 4].copy_from_slice(&at.to_le_bytes());
        let start = file.len();
        file.extend(
            [number, entries.len()].map(|half| u16::try_from(half).expect("few").to_le_bytes()).concat(),
        );
        let size: usize = entries.iter().map(|entry| 0x20 + entry.3.len()).sum();
        for word in [u32::try_from(size).expect("small"), at + 0x20] {
            file.extend(word.to_le_bytes());
        }
        file.resize(start + 0x20, 0);
        for (number, format, compression, bytes, unpacked) in *entries {
            let start = file.len();
            for half in [*number, 0, *format, *compression] {
                file.extend(half.to_le_bytes());
            }
            file.extend(u32::try_from(bytes.len()).expect("small").to_le_bytes());
            file.extend(unpacked.to_le_bytes());
            file.resize(start + 0x20, 0);
            file.extend(bytes);
        }
    }
    file
}

/// Builds an AMD container from named chunks.
pub(super) fn amd(chunks: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = b"CHNK".to_vec();
    file.extend(u32::try_from(chunks.len()).expect("few").to_le_bytes());
    for (name, bytes) in chunks {
        let mut name = name.as_bytes().to_vec();
        name.resize(16, 0);
        file.extend(name);
        file.extend(257_u32.to_le_bytes());
        file.extend(u32::try_from(bytes.len()).expect("small").to_le_bytes());
        file.extend(*bytes);
    }
    file
}
