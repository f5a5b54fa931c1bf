//! Builds Parkan's containers and textures for tests.

/// A container entry to write.
#[derive(Clone, Debug)]
pub(in crate::formats) struct TestEntry {
    pub(in crate::formats) type_id: u32,
    pub(in crate::formats) attributes: [u32; 3],
    pub(in crate::formats) name: Vec<u8>,
    pub(in crate::formats) data: Vec<u8>,
}

/// Builds an entry with a name and without attributes.
pub(in crate::formats) fn test_entry(type_id: u32, name: &str, data: &[u8]) -> TestEntry {
    TestEntry { type_id, attributes: [0; 3], name: name.as_bytes().to_vec(), data: data.to_vec() }
}

/// Builds the file of a container with these entries.
pub(in crate::formats) fn nres(entries: &[TestEntry]) -> Vec<u8> {
    let number = |value: usize| u32::try_from(value).expect("small").to_le_bytes();
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&index| entries[index].name.to_ascii_lowercase());
    let mut data = vec![0; 16];
    let mut directory = Vec::new();
    for (entry, sorted) in entries.iter().zip(order) {
        data.resize(data.len().next_multiple_of(8), 0);
        let [one, two, three] = entry.attributes.map(u32::to_le_bytes);
        for word in [entry.type_id.to_le_bytes(), one, two, number(entry.data.len()), three] {
            directory.extend(word);
        }
        let mut name = entry.name.clone();
        name.resize(36, 0);
        directory.extend(name);
        directory.extend(number(data.len()));
        directory.extend(number(sorted));
        data.extend_from_slice(&entry.data);
    }
    data.extend(directory);
    let size = number(data.len());
    data[..4].copy_from_slice(b"NRes");
    data[4..8].copy_from_slice(&0x100_u32.to_le_bytes());
    data[8..12].copy_from_slice(&number(entries.len()));
    data[12..16].copy_from_slice(&size);
    data
}

/// Builds the file of a texture; `rest` contains the levels and anything that follows them.
pub(in crate::formats) fn texm(format: u32, width: u32, height: u32, levels: u32, rest: &[u8]) -> Vec<u8> {
    let mut bytes = b"Texm".to_vec();
    for word in [width, height, levels, 0, 0, 0, format] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend_from_slice(rest);
    bytes
}
