//! This part of the rasterizer lowers draws, at once or later on any thread, and submits them in order.

use std::ops::Range;

use super::LoweredDraw;
use super::lowering_queue::{Batch, lowering_work};
use crate::ge::memory::Memory;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::draw::Draw;
use crate::raster::Rasterizer;
use crate::raster::dispatch::queue::FlushReason;
use crate::raster::fast::DrawMode;
use crate::raster::options::Engine;

impl Rasterizer {
    /// Returns whether another thread may lower this draw, if its vertices can be copied.
    pub(crate) fn can_lower_later(&self, draw: &Draw<'_>) -> bool {
        draw.can_wait
            && self.dispatcher.has_free_helper()
            && self.engine() == Engine::Fast
            && self.watch.is_none()
    }

    /// Lowers and submits a draw, after all waiting draws.
    pub(crate) fn draw_at_once(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.submit_waiting(memory);
        // After the interpreter this is not needed, because it flushes first.
        let vertex_type: VertexType = draw.registers.get();
        if vertex_type.reads_vram(draw.vertices, draw.indices) {
            self.dispatcher.complete(memory, FlushReason::VertexMemory);
        }
        let options = self.options_for(draw.wireframe);
        let mut primitives = self.dispatcher.filler_mut().pool.take();
        {
            let _span =
                tracing::trace_span!(target: "pspge::raster::front", "lower", work = lowering_work(draw))
                    .entered();
            primitives.lower(memory, draw, &options, self.budget.max_primitives());
        }
        let lowered = LoweredDraw {
            registers: draw.registers,
            mode: DrawMode { through: vertex_type.through, arithmetic: self.options.arithmetic },
            number: draw.number,
            uncached: draw.uncached,
            primitives,
        };
        self.explain_numbered(memory, draw, &options, &lowered);
        self.submit(memory, lowered);
    }

    /// Lets a draw wait until some thread lowers it, and submits earlier draws already lowered. Returns `false` if
    /// this draw cannot wait.
    pub(crate) fn lower_later(&mut self, memory: &mut Memory, draw: &Draw<'_>) -> bool {
        let options = self.options_for(draw.wireframe);
        let pool = &mut self.dispatcher.filler_mut().pool;
        if !self.waiting.push(memory, draw, &options, self.budget.max_primitives(), pool) {
            return false;
        }
        let threads = &self.dispatcher.filler().threads;
        if self.waiting.is_batch_full(threads) {
            self.waiting.start(threads);
            self.waiting.keep_pace(threads);
            while self.waiting.is_due() {
                let Some(batch) = self.waiting.next() else { break };
                self.submit_batch(memory, batch);
            }
        }
        true
    }

    /// Submits all waiting draws.
    pub(crate) fn submit_waiting(&mut self, memory: &mut Memory) {
        while let Some(batch) = self.waiting.next() {
            self.submit_batch(memory, batch);
        }
        if std::mem::take(&mut self.waiting.follows_texflush) {
            self.texels.flush();
        }
    }

    /// Submits all waiting draws if they have to do with these VRAM bytes, which are about to be read.
    pub(crate) fn submit_for_read(&mut self, memory: &mut Memory, bytes: &Range<usize>) {
        if self.waiting.writes(bytes) || self.budget.counts_access(bytes) {
            self.submit_waiting(memory);
        }
    }

    fn submit_batch(&mut self, memory: &mut Memory, mut batch: Batch) {
        for draw in batch.submit() {
            if draw.follows_texflush {
                self.texels.flush();
            }
            let through = draw.registers.get::<VertexType>().through;
            let lowered = LoweredDraw {
                registers: &draw.registers,
                mode: DrawMode { through, arithmetic: self.options.arithmetic },
                number: draw.number,
                uncached: draw.uncached,
                primitives: std::mem::take(&mut draw.lowered),
            };
            self.submit(memory, lowered);
        }
        self.waiting.recycle(batch);
    }
}

#[cfg(test)]
#[cfg(feature = "threads")]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::limits::Limits;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::ge::registers::vertex::PrimitiveType;
    use crate::pipeline::draw::CarriedState;
    use crate::raster::RasterOptions;
    use crate::run::sink::Sink;

    /// Tells which draws wait, and how their wait ends.
    #[test]
    fn draws_wait_if_their_vertices_can_be_copied() {
        let registers = Registers::with([
            (Opcode::VTYPE, 2 << 7 | 1 << 23),
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::SCISSOR2, 63 | 63 << 10),
            (Opcode::REGION2, 63 | 63 << 10),
        ]);
        let ram = Address::new(0x0880_0000);
        let carried = CarriedState::default();
        for (threads, can_wait, vertices, waits) in [
            (3, true, ram, true),
            (1, true, ram, false),
            (3, false, ram, false),
            (3, true, Address::vram(0x1000), false),
            // The last bytes are beyond the end of RAM.
            (3, true, Address::new(0x0BFF_FFFA), false),
        ] {
            let mut raster = Rasterizer::new(RasterOptions { threads, ..RasterOptions::default() });
            let mut memory = Memory::default();
            let draw = Draw {
                registers: &registers,
                at: Address::default(),
                number: 0,
                primitive: PrimitiveType::POINTS,
                patch: None,
                count: 2,
                vertices,
                indices: Address::default(),
                carried: &carried,
                wireframe: false,
                uncached: false,
                can_wait,
            };
            raster.draw(&mut memory, &draw);
            let what = format!("{threads} threads, {can_wait}, {vertices}");
            assert_eq!(!raster.waiting.is_empty(), waits, "{what}");
            raster.flush_for_read(&mut memory, Address::vram(0x10_0000), 4);
            assert_eq!(!raster.waiting.is_empty(), waits, "{what}: bytes that it does not write");
            raster.flush_for_read(&mut memory, Address::vram(0), 4);
            assert!(raster.waiting.is_empty(), "{what}: bytes that it writes");
            raster.draw(&mut memory, &draw);
            raster.begin(&mut memory, &Limits::none());
            assert_eq!(!raster.waiting.is_empty(), waits, "{what}: another list without limits");
            raster.begin(&mut memory, &Limits::default());
            assert!(raster.waiting.is_empty(), "{what}: another list with limits");
            raster.flush(&mut memory);
            assert_eq!(raster.statistics().primitives, 4, "{what}: both draws");
        }
    }
}
