//! Records a run in a session, to go to any of its events later.

use std::ops::ControlFlow;

use super::timeline::{EventKind, EventNumber, Timeline, TimelineEvent, TimelineRecorder};
use crate::ge::address::Address;
use crate::ge::capture::{Capture, Event, Source};
use crate::ge::limits::{Limit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::raster::checkpoint::RasterCheckpoint;
use crate::raster::{DrawCounter, RasterOptions, Rasterizer};
use crate::run::interpreter::Ending;
use crate::run::replay::{Replay, Replayed};
use crate::run::sink::{NullObserver, Sink, Step};
use crate::run::watch::{Outcome, RunEvent, Watch};
use carried::Carried;
use checkpoints::{Checkpoint, Checkpoints};
use page_tracker::PageTracker;
use recording::RecordWatch;
use writers::Writers;

pub(crate) mod carried;
mod checkpoints;
pub(crate) mod page_tracker;
mod recording;
pub mod writers;

/// Options for a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionOptions {
    /// Options for the rasterizer, including the arithmetic for vertex transforms.
    pub raster: RasterOptions,
    /// Limits for the run. [`Limits::time`] applies to the recording only.
    pub limits: Limits,
    /// Checkpoints take at most this many bytes, without the first. With fewer, seeking takes longer.
    pub checkpoint_bytes: u64,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self { raster: RasterOptions::default(), limits: Limits::default(), checkpoint_bytes: 48 << 20 }
    }
}

/// An event that the run does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {event} is beyond the end: {}", events_text(*.count))]
pub struct NoSuchEvent {
    /// The event asked for.
    pub event: EventNumber,
    /// How many events the run has.
    pub count: usize,
}

fn events_text(count: usize) -> String {
    match count.checked_sub(1) {
        None => "the run has no events".to_owned(),
        Some(last) => format!("the run has {count} events, 0 to {last}"),
    }
}

/// A recorded run. Memory and registers are as before an event, or as at the end.
#[derive(Debug)]
pub struct Session {
    options: SessionOptions,
    records: Vec<Event>,
    sources: Vec<Source>,
    memory: Memory,
    pages: PageTracker,
    raster: Rasterizer,
    replay: Replay,
    writers: Box<Writers>,
    timeline: Timeline,
    checkpoints: Checkpoints,
    /// The next event; at the end, how many events there are.
    position: EventNumber,
    replayed: Replayed,
    /// How many actions the CPU takes in this run.
    actions: usize,
    start_registers: Registers,
}

impl Session {
    /// Runs a capture once, to record its events and checkpoints. The session is then at the run's end.
    #[must_use]
    pub fn open(capture: Capture, options: SessionOptions) -> Self {
        let mut replay = Replay::new(&capture, options.raster.arithmetic);
        let Capture { mut memory, events: records, sources, registers: start_registers, .. } = capture;
        let limits = &options.limits;
        let mut raster = Rasterizer::new(options.raster);
        let mut pages = PageTracker::new(&memory);
        let mut writers = Box::<Writers>::default();
        let mut checkpoints = Checkpoints::new(options.checkpoint_bytes.min(limits.memory));
        let mut recorder = TimelineRecorder::new(limits);
        loop {
            checkpoints.push(Checkpoint {
                event: recorder.next(),
                memory: pages.snapshot(&memory),
                replay: replay.clone(),
                raster: RasterCheckpoint::new(&raster),
                writers: writers.clone(),
            });
            let spacing = checkpoints.spacing();
            let (recorder, writers) = (&mut recorder, &mut *writers);
            let mut watch = RecordWatch { recorder, writers, cost: 0, spacing, before: 0 };
            replay.advance(&mut memory, &records, &mut raster, &mut watch, limits, usize::MAX);
            if replay.report().is_none_or(|report| report.ending != Ending::Stopped) {
                break;
            }
        }
        let actions = replay.actions();
        let replayed = replay.clone().finish(&mut memory, &records, &mut raster, &mut NullObserver, limits);
        // Only now is it known which pages never change, so their copies can go.
        pages.drop_constant(&memory, checkpoints.snapshots_mut());
        let timeline = recorder.finish();
        let position = timeline.end();
        Self {
            options,
            records,
            sources,
            memory,
            pages,
            raster,
            replay,
            writers,
            timeline,
            checkpoints,
            position,
            replayed,
            actions,
            start_registers,
        }
    }

    /// Returns the run's events.
    #[must_use]
    pub const fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Returns the CPU's actions, in order.
    #[must_use]
    pub fn records(&self) -> &[Event] {
        &self.records
    }

    /// Returns which parts of memory were loaded from files.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns the whole run's result, with its notes.
    #[must_use]
    pub const fn replayed(&self) -> &Replayed {
        &self.replayed
    }

    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// Returns the next event's number; at the run's end, how many events there are.
    #[must_use]
    pub const fn position(&self) -> EventNumber {
        self.position
    }

    /// Returns the number that stands for the run's end, to pass to [`Self::seek`]. It equals the number of events.
    #[must_use]
    pub fn end(&self) -> EventNumber {
        self.timeline.end()
    }

    /// Returns the next event; `None` at the end of the run.
    #[must_use]
    pub fn next_event(&self) -> Option<&TimelineEvent> {
        self.timeline.get(self.position)
    }

    /// Returns memory before the next event, with the results of all earlier draws.
    #[must_use]
    pub const fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns the registers before the next event.
    #[must_use]
    pub fn registers(&self) -> &Registers {
        self.replay.interpreter().registers()
    }

    /// Returns the registers at the start of the capture.
    #[must_use]
    pub const fn start_registers(&self) -> &Registers {
        &self.start_registers
    }

    /// Returns the registers' last writers before the next event.
    #[must_use]
    pub fn writers(&self) -> &Writers {
        &self.writers
    }

    /// Returns the addresses of the calls that have not returned before the next event, the outermost first.
    #[must_use]
    pub fn calls(&self) -> Vec<Address> {
        let flow = self.replay.interpreter().flow_state();
        // Each frame has the address of the word after its call.
        flow.stack.iter().map(|frame| frame.pc.offset(4_u32.wrapping_neg())).collect()
    }

    /// Returns everything that draws leave for later draws before the next event, apart from registers and memory.
    pub(super) fn carried(&self) -> Carried {
        let (draws, immediate) = self.replay.interpreter().carried();
        Carried { draws: draws.clone(), immediate: immediate.clone() }
    }

    /// Copies the rasterizer's state before the next event.
    pub(super) fn raster_checkpoint(&self) -> RasterCheckpoint {
        RasterCheckpoint::new(&self.raster)
    }

    /// Returns how many checkpoints there are, and how many bytes they take.
    #[must_use]
    pub fn checkpoint_usage(&self) -> (usize, u64) {
        (self.checkpoints.len(), self.checkpoints.bytes())
    }

    /// Puts memory and registers to the moment before an event, or to the run's end: [`Self::end`].
    ///
    /// # Errors
    /// [`NoSuchEvent`] if the run has fewer events. The session then stays at its place.
    pub fn seek(&mut self, event: EventNumber) -> Result<(), NoSuchEvent> {
        if event > self.end() {
            return Err(NoSuchEvent { event, count: self.timeline.len() });
        }
        if event == self.position {
            return Ok(());
        }
        // If the session is already between the checkpoint and the event, it is shorter to run on.
        if self.checkpoints.before(event).is_some_and(|last| !(last.event..event).contains(&self.position)) {
            self.restore(event);
        }
        self.advance(event);
        Ok(())
    }

    /// Goes to the last checkpoint that is not after an event. Before event 0, this is the start of the run.
    fn restore(&mut self, event: EventNumber) {
        if let Some(checkpoint) = self.checkpoints.before(event) {
            self.pages.restore(&mut self.memory, &checkpoint.memory);
            checkpoint.raster.restore(&mut self.raster);
            self.replay = checkpoint.replay.clone();
            self.writers.clone_from(&checkpoint.writers);
            self.position = checkpoint.event;
        }
    }

    fn advance(&mut self, event: EventNumber) {
        self.advance_with(event, &mut NullObserver);
    }

    /// Runs on to an event after the current moment. A watcher sees everything on the way. It cannot stop the
    /// run, and must not write to memory.
    pub(super) fn advance_with(&mut self, event: EventNumber, watch: &mut impl Watch<Rasterizer>) {
        let (command, action) = match self.timeline.get(event) {
            // A time limit may have ended the run, so this must not go on beyond that.
            None => (self.replayed.report.commands, self.actions),
            Some(TimelineEvent { kind: EventKind::Cpu(cpu), .. }) => (u64::MAX, cpu.record as usize),
            Some(event) => (event.command, usize::MAX),
        };
        // The recording has kept to the time limit, so it need not apply again.
        let limits = self.options.limits.without(Limit::Time);
        let Self { replay, memory, records, raster, writers, .. } = self;
        let mut watch = SeekWatch { writers, command, watch };
        replay.advance(memory, records, raster, &mut watch, &limits, action);
        // While a run waits for the CPU, its sink is not flushed.
        raster.flush(memory);
        self.position = event;
    }

    /// Shows a watcher everything from the first event on, up to another event or to the run's end. From event 0 on,
    /// this includes the commands before it. The watcher cannot stop the run and must not write to memory. The session
    /// is then at the other event.
    ///
    /// # Errors
    /// [`NoSuchEvent`] if the run does not have the first event, or does not end with it.
    pub fn watch(
        &mut self,
        first: EventNumber,
        end: EventNumber,
        watch: &mut impl Watch<Rasterizer>,
    ) -> Result<(), NoSuchEvent> {
        if first > self.end() {
            return Err(NoSuchEvent { event: first, count: self.timeline.len() });
        }
        let end = end.min(self.end());
        if first == EventNumber(0) {
            self.restore(first);
        } else {
            self.seek(first)?;
        }
        if first < end || first == EventNumber(0) {
            self.advance_with(end, watch);
        }
        Ok(())
    }

    /// Creates a counter for the next event's fragments, if it is a draw.
    pub(super) fn draw_counter(&self) -> DrawCounter {
        self.raster.draw_counter(&self.options.limits)
    }

    /// Passes the next event to a sink, if it is a draw, and returns whether it is. The session stays before
    /// it. The sink must not write to memory.
    pub fn show_draw(&mut self, sink: &mut impl Sink) -> bool {
        let is_draw = self.next_event().is_some_and(|event| event.draw_number().is_some());
        if is_draw {
            let mut commands = 0_u32;
            // Stopping before the second command ensures that only the draw runs.
            let mut one = |_: &Memory, _: &Step<'_>| {
                commands = commands.saturating_add(1);
                if commands > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let limits = self.options.limits.without(Limit::Time);
            // A copy runs, so that the session's own state stays before the draw.
            let mut interpreter = self.replay.interpreter().clone();
            // The CPU's action before this draw has been carried out, so the list need not wait for it.
            interpreter.set_stall(None);
            interpreter.resume(&mut self.memory, sink, &mut one, &limits);
        }
        is_draw
    }
}

/// Notes writers, stops before a command, and shows everything to another watcher.
struct SeekWatch<'a, W> {
    writers: &'a mut Writers,
    /// The command's number.
    command: u64,
    watch: &'a mut W,
}

impl<W: Watch<Rasterizer>> Watch<Rasterizer> for SeekWatch<'_, W> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if step.number >= self.command {
            return ControlFlow::Break(());
        }
        self.writers.command(step);
        // A watcher cannot stop the run here, so its answer is ignored.
        let _ = self.watch.command(memory, step);
        ControlFlow::Continue(())
    }

    fn before(&mut self, raster: &mut Rasterizer, memory: &mut Memory, event: &RunEvent<'_>) {
        self.writers.event(event);
        self.watch.before(raster, memory, event);
    }

    fn after(
        &mut self,
        raster: &mut Rasterizer,
        memory: &mut Memory,
        event: &RunEvent<'_>,
        outcome: Outcome,
    ) {
        self.watch.after(raster, memory, event, outcome);
    }

    fn reads_memory(&self) -> bool {
        self.watch.reads_memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::debug::session::writers::Writer;
    use crate::ge::address::Address;
    use crate::ge::capture::Action;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Matrix;
    use crate::pipeline::draw::{Draw, ImmediateDraw};

    /// Two rectangles with a fill by the CPU between them, a transfer, and an immediate point.
    const LIST: &str = "
        FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=63 | REGION2 x=63 y=63
        BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
        WORLDMATRIXNUMBER 1 | WORLDMATRIXDATA 2.0 | WORLDMATRIXDATA 3.0
        PRIM primitive=RECTANGLES count=2
        fill: FOGENABLE 1 | PRIM primitive=RECTANGLES count=2
        TRANSFERSRC 0 | TRANSFERSRCW width=64 high=4 | TRANSFERDST 0x1000 | TRANSFERDSTW width=64 high=4
        TRANSFERSIZE x=7 y=7 | TRANSFERSTART 1
        FOGENABLE 0 | VAP primitive=POINTS alpha=255
        FINISH | END
        .align 4
        corners: .rgba #102030ff | .s16 0 0 0 | .align 4 | .rgba #102030ff | .s16 4 4 0 | .align 4
                 .rgba #405060ff | .s16 2 2 0 | .align 4 | .rgba #405060ff | .s16 6 6 0 | .align 4";

    /// The address of a command in this list.
    fn at(command: u32) -> Address {
        Address::new(0x0880_0000).offset(command * 4)
    }

    fn capture() -> Capture {
        let mut capture = assemble(LIST).expect("a program").capture();
        let fill = Action::Fill { to: Address::vram(0), value: 0x77, length: 4 };
        capture.events = vec![
            Event { at: at(11), action: fill },
            Event { at: at(11), action: Action::LoadPalette { from: capture.start, length: 64 } },
        ];
        capture
    }

    fn session(options: SessionOptions) -> Session {
        Session::open(capture(), options)
    }

    /// The first words for two pixels and for the transfer's target, and whether fog is on.
    fn seen(session: &Session) -> ([u32; 3], bool) {
        let word = |offset: u32| session.memory().read_u32(Address::vram(offset));
        ([word(0), word(3 * 64 * 4 + 12), word(0x1000)], session.registers().is_on(Opcode::FOGENABLE))
    }

    #[test]
    fn every_event_is_reached_from_every_other() {
        let mut session = session(SessionOptions::default());
        assert_eq!((session.end(), session.position()), (EventNumber(6), EventNumber(6)), "at the end");
        let expected = [
            ([0, 0, 0], false),
            ([0x0030_2010, 0x0030_2010, 0], false),
            ([0x7777_7777, 0x0030_2010, 0], false),
            ([0x7777_7777, 0x0030_2010, 0], true),
            ([0x7777_7777, 0x0060_5040, 0], true),
            ([0x7777_7777, 0x0060_5040, 0x7777_7777], false),
        ];
        for from in 0..=6 {
            for (to, expected) in (0..).zip(&expected) {
                session.seek(EventNumber(from)).expect("it exists");
                session.seek(EventNumber(to)).expect("it exists");
                assert_eq!(seen(&session), *expected, "event {to} from event {from}");
            }
        }
    }

    #[test]
    fn writers_are_commands_and_records() {
        let mut session = session(SessionOptions::default());
        let command = |number: u32| Writer::Command { number: number.into(), at: at(number) };
        for (event, fog, palette) in [
            (0, Writer::Start, Writer::Start),
            (3, command(11), Writer::Record(1)),
            (5, command(19), Writer::Record(1)),
        ] {
            session.seek(EventNumber(event)).expect("it exists");
            let writers = session.writers();
            assert_eq!(writers.register(Opcode::FOGENABLE), fog, "fog at event {event}");
            assert_eq!(writers.palette(), palette, "palette at event {event}");
            assert_eq!(writers.register(Opcode::WORLDMATRIXNUMBER), command(9), "data advances the index");
            let [_, one, two, three, ..] = writers.matrix(Matrix::World) else { panic!("12 elements") };
            assert_eq!([*one, *two, *three], [command(8), command(9), Writer::Start], "elements");
        }
    }

    #[test]
    fn a_restore_writes_all_registers() {
        let mut capture = capture();
        capture.events[1].action = Action::Restore(Box::default());
        let mut session = Session::open(capture, SessionOptions::default());
        session.seek(EventNumber(3)).expect("it exists");
        assert_eq!(session.writers().register(Opcode::VTYPE), Writer::Record(1), "a register");
        assert_eq!(session.writers().matrix(Matrix::View), [Writer::Record(1); 12], "a matrix");
        assert_eq!(session.writers().palette(), Writer::Record(1), "the palette");
    }

    #[test]
    fn missing_events_are_named() {
        let mut session = session(SessionOptions::default());
        session.seek(EventNumber(2)).expect("it exists");
        let error = session.seek(EventNumber(7)).expect_err("one too many");
        assert_eq!(error.to_string(), "event 7 is beyond the end: the run has 6 events, 0 to 5");
        assert_eq!(session.position(), EventNumber(2), "the session stays");
        let none = NoSuchEvent { event: EventNumber(1), count: 0 };
        assert_eq!(none.to_string(), "event 1 is beyond the end: the run has no events");
    }

    /// Counts draws.
    #[derive(Default)]
    struct Counter(Vec<u64>);

    impl Sink for Counter {
        fn draw(&mut self, _: &mut Memory, draw: &Draw<'_>) {
            self.0.push(draw.number);
        }

        fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
            self.0.push(draw.number);
        }

        fn flush(&mut self, _: &mut Memory) {}
    }

    #[test]
    fn draws_are_shown_without_a_trace() {
        let mut session = session(SessionOptions::default());
        let shown = [0, 1, 2, 3, 4, 5, 6].map(|event| {
            session.seek(EventNumber(event)).expect("it exists");
            let (before, mut counter) = (seen(&session), Counter::default());
            let is_draw = session.show_draw(&mut counter);
            assert_eq!(seen(&session), before, "event {event} changes nothing");
            assert_eq!(is_draw, !counter.0.is_empty(), "event {event}");
            counter.0
        });
        assert_eq!(shown, [vec![0], vec![], vec![], vec![1], vec![], vec![2], vec![]], "draws only");
    }

    /// A register's writer may come before the first event.
    #[test]
    fn the_first_event_is_watched_from_the_start() {
        let mut session = session(SessionOptions::default());
        let mut numbers = |first: u32, end: u32| {
            let mut numbers = Vec::new();
            let mut watch = |_: &Memory, step: &Step<'_>| {
                numbers.push(step.number);
                ControlFlow::Continue(())
            };
            session.watch(EventNumber(first), EventNumber(end), &mut watch).expect("they exist");
            numbers
        };
        let (first, second) = (numbers(0, 1), numbers(1, 4));
        assert_eq!(first.first(), Some(&0), "the first command of the list");
        assert!(numbers(0, 0).iter().eq(&first[..numbers(0, 0).len()]), "up to the first event");
        assert_eq!(
            first.last().map(|last| last + 1),
            second.first().copied(),
            "no gap: {first:?} {second:?}"
        );
        assert_eq!(numbers(0, 1), first, "the same again");
    }

    #[test]
    fn limits_end_the_run_and_are_noted() {
        let limits = Limits::default().with(Limit::Draws, 1);
        let mut session = session(SessionOptions { limits, ..SessionOptions::default() });
        assert_eq!(session.end(), EventNumber(3), "a draw and two actions");
        let report = &session.replayed().report;
        assert_eq!((report.ending, report.draws), (Ending::LimitReached, 1), "the end");
        for event in [0, 3, 1] {
            session.seek(EventNumber(event)).expect("it exists");
        }
        assert_eq!(seen(&session).0[0], 0x0030_2010, "after the only draw");
    }
}
