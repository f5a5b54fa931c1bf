//! The PSP Graphics Engine.
pub mod address;
pub mod capture;
pub mod command;
pub mod edram;
pub mod float24;
pub mod list;
pub mod memory;
pub mod opcode;
pub mod primitive;
pub mod registers;
