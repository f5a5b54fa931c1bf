//! Notes which buffers a replay's draws write.

use std::ops::ControlFlow;

use super::dump_extent::{DumpExtent, box_of_draw, box_of_immediate};
use crate::ge::limits::LimitHit;
use crate::ge::memory::Memory;
use crate::ge::note::Note;
use crate::pipeline::framebuffer::ColorSurface;
use crate::run::sink::Step;
use crate::run::target_sizes::TargetSizes;
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

/// All draws' targets so far, to answer where the picture is and which bytes are drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawnTargets {
    /// Which bytes draws may have written; `None` if the replay does not need them.
    pub(super) drawn: Option<Box<DumpExtent>>,
    /// The last draw's colour buffer.
    pub(super) target: Option<ColorSurface>,
    /// How large all colour buffers are.
    pub(super) sizes: TargetSizes,
}

/// Notes draws' targets, and passes everything on to another watcher of the same run.
#[derive(Debug)]
pub(super) struct DrawTracker<'w, W> {
    pub(super) watch: &'w mut W,
    pub(super) targets: &'w mut DrawnTargets,
}

impl<S, W: Watch<S>> Watch<S> for DrawTracker<'_, W> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        self.watch.command(memory, step)
    }

    fn note(&mut self, note: &Note) {
        self.watch.note(note);
    }

    fn before(&mut self, sink: &mut S, memory: &mut Memory, event: &RunEvent<'_>) {
        if let Some(registers) = event.kind.draw_registers() {
            let target = ColorSurface::from_registers(registers);
            self.targets.target = Some(target);
            self.targets.sizes.insert(&target, registers);
            if let Some(drawn) = &mut self.targets.drawn {
                match event.kind {
                    RunEventKind::Draw(draw) => drawn.insert(registers, box_of_draw(memory, draw)),
                    RunEventKind::Immediate(draw) => drawn.insert(registers, box_of_immediate(draw)),
                    RunEventKind::Transfer(_) | RunEventKind::Cpu { .. } => {}
                }
            }
        }
        self.watch.before(sink, memory, event);
    }

    fn after(&mut self, sink: &mut S, memory: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
        self.watch.after(sink, memory, event, outcome);
    }

    fn reads_memory(&self) -> bool {
        self.watch.reads_memory()
    }

    fn undisturbed_commands(&self) -> u64 {
        self.watch.undisturbed_commands()
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.watch.limit_hit()
    }
}
