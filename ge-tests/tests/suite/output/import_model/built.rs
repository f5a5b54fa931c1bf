//! Builds a small model with features that no sample has: vertex colours, no indices, and a list with reversed faces.

/// Builds a model in version `1.0` with a strip of four vertices: colours, normals and positions.
pub(crate) fn colors() -> Vec<u8> {
    let mut file = b"pmo\x001.0\x00".to_vec();
    let word = |file: &mut Vec<u8>, word: u32| file.extend(word.to_le_bytes());
    let float = |file: &mut Vec<u8>, value: f32| file.extend(value.to_le_bytes());
    word(&mut file, 0);
    for value in [8.0, 8.0, 8.0, 4.0] {
        float(&mut file, value);
    }
    // A mesh, a material; then the tables' places: meshes, groups, no remap, no bones, materials, mesh data.
    word(&mut file, 0x0001_0001);
    for offset in [0x40, 0x60, 0, 0x70, 0x80, 0x90] {
        word(&mut file, offset);
    }
    file.resize(0x40, 0);
    float(&mut file, 1.0);
    float(&mut file, 1.0);
    for value in [0x8000_0003, 0, 1, 1] {
        word(&mut file, value);
    }
    file.resize(0x60, 0);
    for value in [0, 0, 0x30, 0] {
        word(&mut file, value);
    }
    file.resize(0x80, 0);
    for value in [0xFFFF_FFFF, 0x007F_7F7F, 0xFF, 0] {
        word(&mut file, value);
    }
    // Positions and normals have 16 and 8 bits, colours 32.
    let vtype = 0x12 << 24 | 7 << 2 | 1 << 5 | 2 << 7;
    for value in
        [0x1400_0000, 0x1000_0000, 0x0100_0030, vtype, 0x9B00_0001, 0x0404_0004, 0x1300_0000, 0x0B00_0000]
    {
        word(&mut file, value);
    }
    file.resize(0x90 + 0x30, 0);
    for (x, y, color) in [
        (-32768_i16, -32768_i16, 0xFF00_00FF_u32),
        (32767, -32768, 0xFF00_FF00),
        (-32768, 32767, 0xFFFF_0000),
        (32767, 32767, 0x80FF_FFFF),
    ] {
        word(&mut file, color);
        file.extend([0, 0, 127, 0]);
        for coordinate in [x, y, x / 2] {
            file.extend(coordinate.to_le_bytes());
        }
        file.extend([0, 0]);
    }
    file.resize(file.len().next_multiple_of(16), 0);
    let length = u32::try_from(file.len()).expect("small");
    file[8..12].copy_from_slice(&length.to_le_bytes());
    file
}
