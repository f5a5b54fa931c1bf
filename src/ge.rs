//! The state of the machine: addresses, memory, commands, registers and numbers.
//!
//! # Invariants
//! This room imports no other one. Raw words are the state; typed views are computed from them.

pub mod address;
pub mod arithmetic;
pub mod capture;
pub mod color;
pub mod command;
pub mod command_table;
pub mod edram;
pub mod float24;
pub mod limits;
pub mod list;
pub mod memory;
pub mod note;
pub mod opcode;
pub mod registers;
