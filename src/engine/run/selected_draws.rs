//! Passes only some draws on to a sink.

use crate::ge::draw_set::DrawSet;
use crate::ge::memory::Memory;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::run::sink::Sink;

/// Passes the draws in a set on, and leaves the others out, to look at some draws alone.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::run::selected_draws::SelectedDraws;
///
/// let list = "BASE hi(points) | VTYPE position=BITS16 | VADDR lo(points)\n\
///     PRIM primitive=POINTS count=1 | PRIM primitive=POINTS count=1 | FINISH | END\n\
///     .align 4\npoints: .s16 32767 0 0 0 32767 0";
/// let mut selected = SelectedDraws { inner: pspge::GeometrySink::new(), draws: "1-".parse()? };
/// let mut capture = pspge::asm::assemble(list)?.capture();
/// let (arithmetic, limits) = Default::default();
/// pspge::replay(&mut capture, arithmetic, &mut selected, &mut pspge::NullObserver, &limits);
/// assert_eq!(selected.inner.draws().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SelectedDraws<S> {
    /// The sink for the selected draws.
    pub inner: S,
    /// Which draws to pass on.
    pub draws: DrawSet,
}

impl<S: Sink> Sink for SelectedDraws<S> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        if self.draws.contains(draw.number) {
            self.inner.draw(memory, draw);
        }
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        if self.draws.contains(draw.number) {
            self.inner.draw_immediate(memory, draw);
        }
    }

    crate::run::sink::forward_flushes!(inner);
    crate::run::sink::forward_limits!(inner);
}
