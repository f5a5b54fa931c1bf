//! Writes Parkan's containers: a header, entries aligned to 8 bytes, a directory.
//!
//! Source: [NRes container](pspge::reference::formats::parkan#nres-container).

use crate::bytes::{pad, put_u16, put_u32};

/// An entry in a container.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) type_id: u32,
    /// `attr1`, `attr2`, `attr3`.
    pub(crate) attributes: [u32; 3],
    pub(crate) name: String,
    pub(crate) data: Vec<u8>,
}

/// The name field's size in bytes.
const NAME_BYTES: usize = 36;

/// Encodes a container with these entries, in order.
pub(crate) fn write(entries: &[Entry]) -> Vec<u8> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&index| entries[index].name.to_ascii_lowercase());
    let mut file = b"NRes".to_vec();
    let (mut data, mut directory) = (Vec::new(), Vec::new());
    for (entry, sorted) in entries.iter().zip(order) {
        pad(&mut data, 8);
        let [count, more, stride] = entry.attributes;
        for word in [entry.type_id, count, more] {
            directory.extend(word.to_le_bytes());
        }
        put_u32(&mut directory, entry.data.len());
        directory.extend(stride.to_le_bytes());
        let end = directory.len() + NAME_BYTES;
        directory.extend(entry.name.as_bytes());
        directory.resize(end, 0);
        put_u32(&mut directory, 16 + data.len());
        put_u32(&mut directory, sorted);
        data.extend(&entry.data);
    }
    pad(&mut data, 8);
    put_u16(&mut file, 0x100);
    put_u16(&mut file, 0);
    put_u32(&mut file, entries.len());
    put_u32(&mut file, 16 + data.len() + directory.len());
    file.extend(data);
    file.extend(directory);
    file
}

/// Returns the entry type for a four-character name.
pub(crate) const fn type_tag(name: [u8; 4]) -> u32 {
    u32::from_le_bytes(name)
}
