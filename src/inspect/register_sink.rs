//! Finds the registers for a draw, after applying edits.

use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::run::sink::Sink;

/// Keeps the registers of the draw that it receives, after applying its edits.
#[derive(Debug, Default)]
pub(super) struct RegisterSink {
    pub(super) registers: Option<Registers>,
}

impl Sink for RegisterSink {
    fn draw(&mut self, _: &mut Memory, draw: &Draw<'_>) {
        self.registers = Some(draw.registers.clone());
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.registers = Some(draw.registers.clone());
    }

    fn flush(&mut self, _: &mut Memory) {}
}
