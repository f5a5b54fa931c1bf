//! Writes little-endian fields to files.

/// Appends a 16-bit number, saturated.
pub(crate) fn put_u16(out: &mut Vec<u8>, value: usize) {
    out.extend(u16::try_from(value).unwrap_or(u16::MAX).to_le_bytes());
}

/// Appends a 32-bit number, saturated.
pub(crate) fn put_u32(out: &mut Vec<u8>, value: usize) {
    out.extend(u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes());
}

/// Appends a 32-bit float.
#[expect(clippy::cast_possible_truncation, reason = "rounding to the nearest float is the purpose")]
pub(crate) fn put_f32(out: &mut Vec<u8>, value: f64) {
    out.extend((value as f32).to_le_bytes());
}

/// Pads with zeros to a multiple of `size`.
pub(crate) fn pad(out: &mut Vec<u8>, size: usize) {
    out.resize(out.len().next_multiple_of(size), 0);
}

/// Builds a GE command word.
pub(crate) fn command(opcode: u8, argument: usize) -> [u8; 4] {
    let [low, middle, high, ..] = argument.to_le_bytes();
    [low, middle, high, opcode]
}
