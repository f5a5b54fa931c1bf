//! The dither matrix adds a number to each pixel's colours, which depends on the pixel's position.
//!
//! Source: [dither](crate::reference::ge::pixels#dither) (hardware test `dither/dither`).

use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::DitherRow;

/// Reads the number to add to red, green and blue at a framebuffer position: −8 to 7.
#[must_use]
pub(crate) fn offset(registers: &Registers, x: u32, y: u32) -> i32 {
    let [y, ..] = (y & 3).to_le_bytes();
    let row: DitherRow = registers.view(Opcode::DITH0.plus(y));
    let nibble = match x & 3 {
        0 => row.x0,
        1 => row.x1,
        2 => row.x2,
        _ => row.x3,
    };
    i32::from(nibble.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;

    #[test]
    fn four_by_four_signed() {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::DITH0.plus(2), 0xFF_8F71));
        assert_eq!([4, 5, 6, 7].map(|x| offset(&registers, x, 6)), [1, 7, -1, -8], "row 2");
        assert_eq!(offset(&registers, 1, 1), 0, "row 1");
    }
}
