//! Replays a capture from its first command to its last, including the CPU's actions in between.
//!
//! The same capture gives the same picture. A CPU action sees everything drawn before it, and everything drawn
//! later sees the action.
//!
//! Source: [replay](crate::reference::ge::frame_dumps#replay).

use std::ops::Range;

use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Action, Capture, Display, Event};
use crate::ge::limits::Limits;
use crate::ge::memory::Memory;
use crate::ge::note::{Note, NoteKind};
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::ColorSurface;
use crate::run::draw_tracker::{DrawTracker, DrawnTargets};
use crate::run::interpreter::{Ending, Interpreter, Report};
use crate::run::sink::Sink;
use crate::run::target_sizes::TargetSizes;
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

/// A replay's result, apart from the memory contents.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The list's report, with the notes from all its parts.
    pub report: Report,
    /// The registers after the last command.
    pub registers: Registers,
    /// Which framebuffer the screen shows at the capture's end, if any.
    pub display: Option<Display>,
    /// How large the colour buffers are, as far as draws reached.
    #[doc(hidden)]
    pub target_sizes: TargetSizes,
}

/// Runs a capture to its end. The list and the CPU write to the capture's own memory.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Arithmetic, Limits, NullObserver, NullSink};
///
/// let mut capture = pspge::asm::assemble("NOP | FINISH | END")?.capture();
/// let limits = Limits::default();
/// let run = pspge::replay(&mut capture, Arithmetic::Hardware, &mut NullSink, &mut NullObserver, &limits);
/// assert_eq!(run.report.commands, 3);
/// # Ok::<(), pspge::asm::AssemblyError>(())
/// ```
pub fn run<S: Sink>(
    capture: &mut Capture,
    arithmetic: Arithmetic,
    sink: &mut S,
    watch: &mut impl Watch<S>,
    limits: &Limits,
) -> Replayed {
    let replay = Replay::new(capture, arithmetic);
    replay.run(&mut capture.memory, &capture.events, sink, watch, limits)
}

/// Runs a capture to its end on a copy of its memory, to keep the capture unchanged. The list and the CPU write to
/// this copy.
pub fn run_on<S: Sink>(
    memory: &mut Memory,
    capture: &Capture,
    arithmetic: Arithmetic,
    sink: &mut S,
    watch: &mut impl Watch<S>,
    limits: &Limits,
) -> Replayed {
    Replay::new(capture, arithmetic).run(memory, &capture.events, sink, watch, limits)
}

/// A replay's state, apart from memory and sink, to pause it and go on later. To resume a copy, restore memory and
/// sink as they were at copying.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Replay {
    start: Address,
    interpreter: Interpreter,
    /// How many CPU actions are carried out so far.
    actions: usize,
    targets: DrawnTargets,
    display: Option<Display>,
    kept: KeptDrawn,
    /// The report on all parts so far; `None` before the first.
    report: Option<Report>,
}

impl Replay {
    /// Creates the state before a capture's first command.
    pub fn new(capture: &Capture, arithmetic: Arithmetic) -> Self {
        let needs_extent =
            capture.events.iter().any(|event| matches!(event.action, Action::CopyUndrawn { .. }));
        Self {
            start: capture.start,
            interpreter: Interpreter::new(capture.registers.clone(), arithmetic)
                .with_overrides(capture.overrides.clone()),
            actions: 0,
            targets: DrawnTargets { drawn: needs_extent.then(Box::default), ..DrawnTargets::default() },
            display: None,
            kept: KeptDrawn::default(),
            report: None,
        }
    }

    fn run<S: Sink>(
        mut self,
        memory: &mut Memory,
        events: &[Event],
        sink: &mut S,
        watch: &mut impl Watch<S>,
        limits: &Limits,
    ) -> Replayed {
        let _span = tracing::debug_span!(target: "pspge::run::replay", "replay", start = %self.start, events = events.len()).entered();
        self.advance(memory, events, sink, watch, limits, usize::MAX);
        self.finish(memory, events, sink, watch, limits)
    }

    /// Returns the interpreter, to inspect its registers and list flow.
    pub const fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }

    /// Counts the CPU's actions carried out so far.
    pub const fn actions(&self) -> usize {
        self.actions
    }

    /// Returns the report on all parts so far; `None` before the first.
    pub const fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Returns how many bytes a copy takes beyond this struct itself, to budget checkpoints.
    pub fn size(&self) -> usize {
        let drawn = self.targets.drawn.as_ref().map_or(0, |drawn| drawn.size());
        let notes = self.report.as_ref().map_or(0, |report| size_of_val(report.notes.as_slice()));
        size_of::<Registers>().saturating_add(drawn).saturating_add(notes)
    }

    /// Runs or resumes the list until it ends, the watcher stops it, or the CPU has taken `end` actions and the
    /// next is due. Flush the sink before you access memory.
    pub fn advance<S: Sink>(
        &mut self,
        memory: &mut Memory,
        events: &[Event],
        sink: &mut S,
        watch: &mut impl Watch<S>,
        limits: &Limits,
        end: usize,
    ) {
        let watch = &mut DrawTracker { watch, targets: &mut self.targets };
        let interpreter = &mut self.interpreter;
        let stall = |actions: usize| events.get(actions).map(|event| event.at);
        let mut report = match self.report.take() {
            None => {
                interpreter.set_stall(stall(self.actions));
                interpreter.run(memory, self.start, sink, watch, limits)
            }
            Some(report) if report.ending == Ending::Stopped => {
                let part = interpreter.resume(memory, sink, watch, limits);
                report.followed_by(part, limits.notes)
            }
            // If the list is stalled, the loop below goes on with the action due next.
            Some(report) => report,
        };
        while report.ending == Ending::Stalled {
            // Several actions may wait at the same word; the list goes on after the last.
            while let Some(event) = events.get(self.actions).filter(|event| event.at == report.at) {
                if self.actions >= end {
                    self.report = Some(report);
                    return;
                }
                if watch.reads_memory()
                    && let Some((to, length)) = event.action.written()
                {
                    flush_for_read("watcher", to, length, memory, sink);
                }
                let changes_bytes = flush_for(event, memory, sink);
                let record = u32::try_from(self.actions).unwrap_or(u32::MAX);
                let kind = RunEventKind::Cpu { record, event };
                let told = RunEvent { place: interpreter.place_action(event.at), kind };
                watch.before(sink, memory, &told);
                let (registers, targets) = (interpreter.registers_mut(), &mut *watch.targets);
                apply(event, changes_bytes, memory, registers, targets, &mut self.display, &mut self.kept);
                watch.after(sink, memory, &told, Outcome::Done);
                self.actions += 1;
            }
            interpreter.set_stall(stall(self.actions));
            let part = interpreter.resume(memory, sink, watch, limits);
            report = report.followed_by(part, limits.notes);
        }
        self.report = Some(report);
    }

    /// Flushes the sink, ends the replay and returns its result.
    pub fn finish<S: Sink>(
        mut self,
        memory: &mut Memory,
        events: &[Event],
        sink: &mut S,
        watch: &mut impl Watch<S>,
        limits: &Limits,
    ) -> Replayed {
        let mut report = self.report.unwrap_or_else(|| Report::new(self.start));
        let paused = (report.ending == Ending::Paused).then_some((report.at, NoteKind::Paused));
        for (at, kind) in paused.into_iter().chain(self.kept.note()) {
            let note = Note { at, command: report.commands, draw: report.draws, kind };
            watch.note(&note);
            report.push_note(note, limits.notes);
        }
        report.unused_overrides = self.interpreter.overrides().unused(&report.overridden);
        tracing::debug!(target: "pspge::run::replay", reason = "end of replay", "flush");
        sink.flush(memory);
        // A run that ended early shows the whole capture's buffer, as far as it was drawn.
        for event in events.get(self.actions..).unwrap_or_default() {
            select_display(event, self.interpreter.registers(), &self.targets, &mut self.display);
        }
        Replayed {
            report,
            registers: self.interpreter.registers().clone(),
            display: self.display,
            target_sizes: self.targets.sizes,
        }
    }
}

/// Counts the bytes that recorded copies left out to keep newer pixels of the replay, for a note.
#[derive(Clone, Debug, Default)]
struct KeptDrawn {
    /// The word before which this first happened.
    first: Option<Address>,
    copies: u32,
    bytes: u64,
}

impl KeptDrawn {
    fn add(&mut self, at: Address, bytes: u32) {
        if bytes > 0 {
            self.first.get_or_insert(at);
            self.copies = self.copies.saturating_add(1);
            self.bytes = self.bytes.saturating_add(bytes.into());
        }
    }

    fn note(&self) -> Option<(Address, NoteKind)> {
        Some((self.first?, NoteKind::KeptDrawn { copies: self.copies, bytes: self.bytes }))
    }
}

/// Flushes the sink as far as this CPU event requires. Returns whether the event may change bytes in VRAM.
fn flush_for(event: &Event, memory: &mut Memory, sink: &mut impl Sink) -> bool {
    match &event.action {
        Action::Copy { to, from, length } | Action::CopyUndrawn { to, from, length } => {
            flush_for_read("CPU copies from", *from, *length, memory, sink);
            tracing::trace!(target: "pspge::run::replay", reason = "CPU compares", start = %to, length, "flush_for_comparison");
            let can_compare = sink.flush_for_comparison(memory, *to, *length);
            // Recorders often repeat unchanged palettes and textures. These need no flush.
            let bytes = |at: Address| memory.slice(at, *length as usize);
            if can_compare && bytes(*to).is_some() && bytes(*from) == bytes(*to) {
                return false;
            }
            flush_for_write("CPU copies to", *to, *length, memory, sink);
        }
        Action::Fill { to, length, .. } => flush_for_write("CPU fills", *to, *length, memory, sink),
        Action::LoadPalette { from, length } => {
            flush_for_read("CPU loads palette", *from, *length, memory, sink);
        }
        Action::Translate(_) => {
            tracing::debug!(target: "pspge::run::replay", reason = "VRAM translation", "flush");
            sink.flush(memory);
        }
        Action::Restore(_) | Action::Display(_) | Action::DisplayTarget => {}
    }
    true
}

fn flush_for_read(reason: &str, start: Address, length: u32, memory: &mut Memory, sink: &mut impl Sink) {
    tracing::trace!(target: "pspge::run::replay", reason, start = %start, length, "flush_for_read");
    sink.flush_for_read(memory, start, length);
}

fn flush_for_write(reason: &str, start: Address, length: u32, memory: &mut Memory, sink: &mut impl Sink) {
    tracing::debug!(target: "pspge::run::replay", reason, start = %start, length, "flush_for_write");
    sink.flush_for_write(memory, start, length);
}

/// Carries out a CPU event. `changes_bytes` comes from [`flush_for`].
fn apply(
    event: &Event,
    changes_bytes: bool,
    memory: &mut Memory,
    registers: &mut Registers,
    targets: &mut DrawnTargets,
    display: &mut Option<Display>,
    kept: &mut KeptDrawn,
) {
    match &event.action {
        // In main RAM a copy counts as supply even if no byte changes, so this always carries it out.
        Action::Copy { to, from, length } => {
            if changes_bytes || !to.is_vram() {
                memory.copy(*from, *to, *length as usize);
            }
        }
        Action::CopyUndrawn { to, from, length } => {
            let mut left_out = *length;
            let mut copy = |range: Range<u32>| {
                left_out -= range.end - range.start;
                if changes_bytes || !to.is_vram() {
                    let size = (range.end - range.start) as usize;
                    memory.copy(from.offset(range.start), to.offset(range.start), size);
                }
            };
            match &targets.drawn {
                Some(drawn) => drawn.undrawn(*to, *length, &mut copy),
                None => copy(0..*length),
            }
            kept.add(event.at, left_out);
        }
        Action::Fill { to, value, length } => memory.fill(*to, *value, *length),
        Action::Restore(saved) => registers.clone_from(saved),
        Action::LoadPalette { from, length } => {
            let palette = registers.clut_mut();
            let length = palette.len().min(*length as usize);
            memory.read(*from, &mut palette[..length]);
        }
        Action::Translate(translation) => memory.set_translation(*translation),
        Action::Display(_) | Action::DisplayTarget => {
            select_display(event, registers, targets, display);
        }
    }
}

/// Updates the shown framebuffer if this event selects one. Before the first draw, the registers' framebuffer
/// counts as the last target.
fn select_display(
    event: &Event,
    registers: &Registers,
    targets: &DrawnTargets,
    display: &mut Option<Display>,
) {
    match &event.action {
        Action::Display(shown) => *display = Some(*shown),
        Action::DisplayTarget => {
            let target = targets.target.unwrap_or_else(|| ColorSurface::from_registers(registers));
            *display = Some(Display {
                address: Address::vram(target.address),
                stride: target.stride,
                format: target.format,
            });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::ge::address::Address;
    use crate::ge::edram::Translation;
    use crate::ge::list::ListBuilder;
    use crate::ge::opcode::Opcode;
    use crate::ge::overrides::Overrides;
    use crate::ge::registers::texture::PixelFormat;
    use crate::ge::registers::vertex::PrimitiveType;
    use crate::pipeline::draw::{Draw, ImmediateDraw};
    use crate::run::sink::{NullObserver, NullSink, Step};

    const DATA: Address = Address::new(0x0890_0000);
    const SCREEN: Display =
        Display { address: Address::vram(0x8_8000), stride: 512, format: PixelFormat::ABGR8888 };

    fn capture(list: &ListBuilder, events: Vec<Event>) -> Capture {
        let mut memory = Memory::default();
        list.store(&mut memory);
        memory.write(DATA, &[1, 2, 3, 4]);
        Capture {
            memory,
            registers: Registers::new(),
            start: list.start(),
            stall: None,
            sources: Vec::new(),
            events,
            overrides: Overrides::default(),
        }
    }

    fn replay(capture: &mut Capture) -> Replayed {
        run(capture, Arithmetic::Hardware, &mut NullSink, &mut NullObserver, &Limits::default())
    }

    #[test]
    fn actions_happen_at_their_addresses() {
        let mut list = ListBuilder::new(Address::new(0x0880_0000));
        let vram = Address::vram(0x100);
        list.set(Opcode::CLUTADDRUPPER, 0x04_0000).set(Opcode::CLUTADDR, 0x100);
        let first = list.here();
        list.set(Opcode::LOADCLUT, 1);
        let second = list.here();
        list.finish();
        let events = [
            (first, Action::Copy { to: vram, from: DATA, length: 4 }),
            (first, Action::Fill { to: vram.offset(4), value: 9, length: 300 }),
            (second, Action::Fill { to: vram, value: 7, length: 1 }),
            (second, Action::Translate(Translation::Width512)),
            (second, Action::Display(SCREEN)),
        ];
        let events = events.map(|(at, action)| Event { at, action });
        let mut capture = capture(&list, events.into());
        assert_eq!(capture.final_display(), Some(SCREEN), "final display, known before the run");
        let replayed = replay(&mut capture);
        assert_eq!(replayed.registers.clut()[..6], [1, 2, 3, 4, 9, 9], "loaded after the first writes");
        assert_eq!(capture.memory.read_u32(vram), 0x0403_0207, "written after the load");
        assert_eq!(capture.memory.vram()[0x100 + 303..][..2], [9, 0], "end of the fill");
        assert_eq!(capture.memory.translation(), Translation::Width512, "translation");
        assert_eq!(replayed.display, Some(SCREEN), "last display");
        assert_eq!(
            (replayed.report.ending, replayed.report.commands),
            (Ending::Finished, 5),
            "counts of all parts"
        );
    }

    /// Fills VRAM at each draw, to show which bytes a later copy leaves alone.
    struct Flood;

    impl Sink for Flood {
        fn draw(&mut self, memory: &mut Memory, _: &Draw<'_>) {
            memory.vram_mut().fill(0xEE);
        }

        fn draw_immediate(&mut self, _: &mut Memory, _: &ImmediateDraw<'_>) {}

        fn flush(&mut self, _: &mut Memory) {}
    }

    /// Recorded textures in VRAM do not replace drawn pixels:
    /// [copies into VRAM](crate::reference::ge::frame_dumps#copies-into-vram).
    #[test]
    fn copies_leave_out_drawn_bytes() {
        let vertices = DATA.offset(0x100);
        let mut list = ListBuilder::new(Address::new(0x0880_0000));
        list.set(Opcode::FRAMEBUFWIDTH, 64).set(Opcode::FRAMEBUFPIXFORMAT, 3);
        list.set(Opcode::SCISSOR2, 7 | 3 << 10).set(Opcode::REGION2, 7 | 2 << 10);
        // 16-bit positions in through mode, then the same with transformation.
        list.set(Opcode::VTYPE, 1 << 23 | 2 << 7).address(Opcode::VADDR, vertices);
        let start = list.here();
        list.prim(PrimitiveType::RECTANGLES, 2);
        let through = list.here();
        list.set(Opcode::VTYPE, 2 << 7).address(Opcode::VADDR, vertices).prim(PrimitiveType::RECTANGLES, 2);
        let transformed = list.here();
        list.finish();
        let copy = |at| Event {
            at,
            action: Action::CopyUndrawn { to: Address::vram(0), from: DATA.offset(0x1000), length: 0x400 },
        };
        for (at, expected) in [
            (start, Vec::new()),
            // The box from (3, 1) to (5, 1), enlarged by 1 pixel, inside the region.
            (through, vec![(0, 2..7), (1, 2..7), (2, 2..7)]),
            (transformed, vec![(0, 0..8), (1, 0..8), (2, 0..8)]),
        ] {
            let mut capture = capture(&list, vec![copy(at)]);
            let corners = [[3, 1, 0], [5, 1, 0_u16]];
            capture.memory.write(
                vertices,
                &corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>(),
            );
            let mut shown = None;
            let mut watch = |memory: &Memory, step: &Step<'_>| {
                if step.at == at {
                    shown = Some(memory.vram()[..0x400].to_vec());
                }
                ControlFlow::Continue(())
            };
            let replayed =
                run(&mut capture, Arithmetic::Hardware, &mut Flood, &mut watch, &Limits::default());
            let kept: usize =
                expected.iter().map(|(_, columns): &(usize, Range<usize>)| columns.len() * 4).sum();
            let kinds: Vec<NoteKind> = replayed.report.notes.iter().map(|note| note.kind).collect();
            let expected_kinds = match kept {
                0 => Vec::new(),
                bytes => vec![NoteKind::KeptDrawn { copies: 1, bytes: bytes as u64 }],
            };
            assert_eq!(kinds, expected_kinds, "bytes left out at {at}");
            let shown = shown.expect("the command after the copy");
            let is_drawn = |x: usize, y: usize| shown[(y * 64 + x) * 4..][..4] == [0xEE; 4];
            for (y, x) in (0..4).flat_map(|y| (0..64).map(move |x| (y, x))) {
                let is_expected = expected.iter().any(|(row, columns)| *row == y && columns.contains(&x));
                assert_eq!(is_drawn(x, y), is_expected, "pixel ({x}, {y}) at {at}");
            }
        }
    }

    /// Nothing resumes a paused list, so a note must say this.
    #[test]
    fn pauses_are_noted() {
        let mut list = ListBuilder::new(Address::new(0x0880_0000));
        list.set(Opcode::SIGNAL, 0x03_0000).set(Opcode::END, 0).finish();
        let after = list.here();
        list.finish();
        let replayed = replay(&mut capture(&list, Vec::new()));
        assert_eq!(
            (replayed.report.ending, replayed.report.at),
            (Ending::Paused, after),
            "at the first pair"
        );
        let last = replayed.report.notes.last().map(|note| (note.at, note.kind));
        assert_eq!(last, Some((after, NoteKind::Paused)), "commands are left");
    }

    #[test]
    fn restores_registers_and_palettes() {
        let mut list = ListBuilder::new(Address::new(0x0880_0000));
        list.set(Opcode::RET, 0);
        let after_first = list.here();
        list.set(Opcode::RET, 0).finish();
        let mut saved = Registers::new();
        saved.write(crate::ge::command::Command::new(Opcode::TEXENABLE, 1));
        let events = [Action::Restore(Box::new(saved)), Action::LoadPalette { from: DATA, length: 5000 }];
        let events = events.into_iter().map(|action| Event { at: after_first, action }).collect();
        let replayed = replay(&mut capture(&list, events));
        assert!(replayed.registers.is_on(Opcode::TEXENABLE), "restored");
        assert_eq!(replayed.registers.clut()[..5], [1, 2, 3, 4, 0], "palette memory");
        let kinds: Vec<NoteKind> = replayed.report.notes.iter().map(|note| note.kind).collect();
        assert_eq!(kinds, [NoteKind::StackEmpty; 2], "notes of both parts");
    }
}
