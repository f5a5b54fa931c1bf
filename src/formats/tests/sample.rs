//! A hand-written PMO file, for tests of the PMO reader and of opening files.

/// Builds a model of one mesh, two groups of one triangle each, two materials and two bones. The first group
/// is indexed and has two weights; the second is not indexed and has no weights.
pub(in crate::formats) fn sample() -> Vec<u8> {
    let mut file = Vec::new();
    let mut words = |values: &[u32]| values.iter().for_each(|v| file.extend_from_slice(&v.to_le_bytes()));
    words(&[u32::from_le_bytes(*b"pmo\0"), u32::from_le_bytes(*b"1.0\0"), 0x164]);
    words(&[4.0f32, 2.0, 3.0, 4.0].map(f32::to_bits));
    words(&[0x0002_0001, 0x40, 0x60, 0x80, 0x90, 0xA0, 0xC0, 0, 0]);
    // Mesh: UV scale 2 and 1, a light attenuation, second word 0, 2 materials, 2 groups.
    words(&[2.0f32.to_bits(), 1.0f32.to_bits(), 0x8000_0003, 0, 2, 2, 0, 0]);
    // Groups: (material, bones, first bone), list, vertices, indices.
    words(&[0x0000_0200, 0, 0x24, 0x54, 0x0002_0001, 0x60, 0x80, 0]);
    // Remap: 1, 0. Bones: slot 0 is 7, slot 1 is 9.
    words(&[0x0001, 0, 0, 0, 0x0901_0700, 0, 0, 0]);
    // Materials: colour, second colour, texture, unused.
    words(&[0x80FF_0011, 0, 0, 0, 0xFFFF_FFFF, 0, u32::MAX, 0]);
    // List of group 0: ORIGIN, BASE, IADDR, VADDR, VTYPE, CULLENABLE, PRIM, OFFSETADDR, RET.
    words(&[0x1400_0000, 0x1000_0000, 0x0200_0054, 0x0100_0024, 0x1200_4B02, 0x1D00_0001]);
    words(&[0x0404_0003, 0x1300_0000, 0x0B00_0000]);
    // Vertices of 12 bytes (two weights, u16 UV, s16 position, padding to 2), indices, padding.
    for (weights, uv, position) in [
        (0x0080u16, [0u16, 0], [0i16, 0, 0]),
        (0x4040, [0x8000, 0], [0x4000, 0, 0]),
        (0x8000, [0, 0x8000], [0, -0x4000, 0x2000]),
        (0x0080, [0, 0], [0, 0, 0]),
    ] {
        let mut half = |value: u16| file.extend_from_slice(&value.to_le_bytes());
        half(weights);
        uv.into_iter().for_each(&mut half);
        position.into_iter().for_each(|axis| half(axis.cast_unsigned()));
    }
    file.extend_from_slice(&[0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.truncate(0xC0 + 0x60);
    let mut words = |values: &[u32]| values.iter().for_each(|v| file.extend_from_slice(&v.to_le_bytes()));
    // List of group 1: ORIGIN, BASE, VADDR, VTYPE, PRIM (three separate corners), OFFSETADDR, RET.
    words(&[0x1400_0000, 0x1000_0000, 0x0100_0020, 0x1200_0100, 0x0403_0003, 0x1300_0000, 0x0B00_0000, 0]);
    file.extend_from_slice(&[1; 18]);
    file.extend_from_slice(&[0; 18]);
    file.truncate(0x164);
    file
}
