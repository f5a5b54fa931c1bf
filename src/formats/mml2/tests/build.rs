//! Builds small archives.

/// Builds an archive from these sections and an empty sector.
pub(super) fn archive(sections: &[Vec<u8>]) -> Vec<u8> {
    let mut file = sections.concat();
    file.resize(file.len() + 0x800, 0);
    file
}

/// Builds a section with an unpacked payload.
pub(super) fn section(kind: u32, address: u32, payload: &[u8]) -> Vec<u8> {
    let size = u32::try_from(payload.len()).expect("small");
    let sectors = (size + 0x30).div_ceil(0x800);
    let mut bytes: Vec<u8> =
        [kind, size, sectors, address].iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(0x30, 0);
    bytes.extend(payload);
    bytes.resize(sectors as usize * 0x800, 0);
    bytes
}

/// Builds a list of entities with types 0x100, 0x101 and so on. Each is the same triangle without bones or textures.
pub(super) fn entities(count: u32) -> Vec<u8> {
    let model = 4 + 16 * count;
    let mesh = model + 0x3C;
    let face = mesh + 0x10;
    let vertices = face + 12;
    let colors = vertices + 12;
    let mut words = vec![count];
    for number in 0..count {
        words.extend([0x100 + number, model, 0, 0]);
    }
    words.extend([0x0101_0101, mesh, mesh, mesh, 0, 0, 0, 0, colors, colors, colors]);
    words.extend([0x0BB8_05DC, 0x0200_0200, 0x0200, 0]);
    words.extend([0x0003_0001, face, 0, vertices]);
    words.extend([0, 0, 1 << 7 | 2 << 14]);
    words.extend([0, 100, 100 << 10]);
    words.extend([0x0080_8080; 3]);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
