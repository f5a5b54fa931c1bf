//! A word in a display list: 8 bits of opcode, 24 bits of argument.
//!
//! # Invariants
//! Lossless: word → [`Command`] → word is the identity for every word.

use std::fmt;

use crate::ge::opcode::Opcode;

/// A display-list word, read as a command. Source: [command words](crate::reference::ge::commands#command-words).
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Command, Opcode};
///
/// let command = Command::from_word(0x0403_0003);
/// assert_eq!((command.opcode(), command.argument()), (Opcode::PRIM, 0x03_0003));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Command(u32);

impl Command {
    /// Interprets a word as a command.
    #[must_use]
    pub const fn from_word(word: u32) -> Self {
        Self(word)
    }

    /// Creates a command from opcode and argument, dropping argument bits above 23.
    #[must_use]
    pub const fn new(opcode: Opcode, argument: u32) -> Self {
        Self(((opcode.code() as u32) << 24) | (argument & 0x00FF_FFFF))
    }

    /// Returns this command as a word.
    #[must_use]
    pub const fn word(self) -> u32 {
        self.0
    }

    /// Returns this command's opcode, bits 24–31.
    #[must_use]
    pub const fn opcode(self) -> Opcode {
        Opcode::new(self.0.to_le_bytes()[3])
    }

    /// Returns this command's argument, bits 0–23.
    #[must_use]
    pub const fn argument(self) -> u32 {
        self.0 & 0x00FF_FFFF
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} 0x{:06x}", self.opcode(), self.argument())
    }
}
