//! The logic operation combines a fragment's colour with the stored colour, bit by bit.
//!
//! Source: [logic operation](crate::reference::ge::pixels#logic-operation) (hardware test `dither/dither` for
//! its position and AND).

use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::ge::registers::pixel::LogicOperation;

/// Combines red, green and blue of `source` bit by bit with `destination`.
#[must_use]
pub(crate) fn operate(operation: LogicOperation, source: [u8; 3], destination: [u8; 3]) -> [u8; 3] {
    [0, 1, 2].map(|i| combine(operation, source[i], destination[i]))
}

/// Combines a channel's bits, for a single pixel or a vector of pixels.
#[inline(always)]
pub(crate) fn combine<T>(operation: LogicOperation, s: T, d: T) -> T
where
    T: Copy + BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T> + Not<Output = T>,
{
    match operation {
        LogicOperation::CLEAR => s & !s,
        LogicOperation::AND => s & d,
        LogicOperation::AND_REVERSE => s & !d,
        LogicOperation::COPY => s,
        LogicOperation::AND_INVERTED => !s & d,
        LogicOperation::NOOP => d,
        LogicOperation::XOR => s ^ d,
        LogicOperation::OR => s | d,
        LogicOperation::NOR => !(s | d),
        LogicOperation::EQUIVALENCE => !(s ^ d),
        LogicOperation::INVERT => !d,
        LogicOperation::OR_REVERSE => s | !d,
        LogicOperation::COPY_INVERTED => !s,
        LogicOperation::OR_INVERTED => !s | d,
        LogicOperation::NAND => !(s & d),
        // SET.
        _ => s | !s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With source bits 1100 and destination bits 1010, the result is the operation's truth table.
    #[test]
    fn truth_tables() {
        for (code, expected) in [
            (0, 0b0000),
            (1, 0b1000),
            (2, 0b0100),
            (3, 0b1100),
            (4, 0b0010),
            (5, 0b1010),
            (6, 0b0110),
            (7, 0b1110),
            (8, 0b0001),
            (9, 0b1001),
            (10, 0b0101),
            (11, 0b1101),
            (12, 0b0011),
            (13, 0b1011),
            (14, 0b0111),
            (15, 0b1111),
        ] {
            let result = operate(LogicOperation::from_number(code), [0b1100; 3], [0b1010; 3]);
            assert_eq!(result.map(|bits| bits & 15), [expected; 3], "operation {code}");
        }
    }
}
