//! The PSP Graphics Engine.
pub mod address;
pub mod arithmetic;
pub mod capture;
pub mod color;
pub mod command;
pub mod draw;
pub mod edram;
pub mod float24;
pub mod geometry;
pub mod interpreter;
pub mod list;
pub mod memory;
pub mod opcode;
pub mod primitive;
pub mod registers;
pub mod sink;
pub mod vertex;
