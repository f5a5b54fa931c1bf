//! Runs two sides up to their first difference, and describes it.

use image::{DynamicImage, RgbImage};

use super::registers::{RegisterSide, matrices, registers};
use super::values::ValueDifferences;
use super::{ByteRange, DiffDocument, DifferentBuffer, DifferentPixel, DifferentPixels};
use crate::debug::diff::first_difference::{FirstDifference, Side, first_difference};
use crate::debug::diff::pixel_difference::{self, BufferSide, ComparedBuffer, PixelDifference};
use crate::debug::pixel::history::PixelHistory;
use crate::debug::pixel::target::{PixelTarget, TargetName};
use crate::debug::timeline::{EventNumber, TimelineEvent};
use crate::debug::{NoSuchEvent, Session, Shot};
use crate::documents::events::draw_report::DrawReportDocument;
use crate::documents::events::shown_draw::drawn_registers;
use crate::documents::events::timeline::EventInfo;
use crate::documents::hashes::ContentHashes;
use crate::documents::note::NoteInfo;
use crate::documents::pixel::PixelDocument;
use crate::ge::address::Address;
use crate::ge::capture::{Display, SCREEN};
use crate::ge::color;
use crate::ge::never::OrNever;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::{self, ColorSurface, DepthSurface};
use crate::raster::PixelBounds;
use crate::run::interpreter::Report;

/// How many byte ranges a document lists at most, to stay readable.
const RANGES_MAX: usize = 256;
/// The members to compare in a draw's description: its input first, then its result. Registers and matrices have
/// lists for themselves.
const DRAW_MEMBERS: [&str; 14] = [
    "arithmetic",
    "kind",
    "primitive",
    "continues",
    "patch",
    "vertex_data",
    "source_vertices",
    "state",
    "vertices",
    "primitives",
    "fragments",
    "overdraw",
    "touched",
    "written",
];
/// Members of the state to skip, because they repeat registers and matrices.
const REPEATED: [&str; 2] = ["state.registers", "state.matrices"];
/// The members to compare in an event's entry.
const EVENT_MEMBERS: [&str; 7] =
    ["kind", "primitive", "vertices", "transfer", "action", "written", "written_bytes"];

/// A run to compare with another.
#[derive(Clone, Debug)]
pub struct DiffSide {
    /// The input as the user named it.
    pub input: String,
    /// The input and its options, as the user wrote them.
    pub name: String,
    /// The run itself.
    pub shot: Shot,
}

/// A comparison of two runs, with everything needed to show it.
#[derive(Debug)]
pub struct Diff {
    /// Describes the difference.
    pub document: DiffDocument,
    /// The first different pixel's histories, up to the event, or `None` if all pixels are equal.
    pub histories: [Option<PixelHistory>; 2],
    /// The upper left parts of the colour buffers after this event, at most as large as the screen, or `None` if the
    /// event has no such buffer.
    pub pictures: Option<[RgbImage; 2]>,
    /// The reports for both runs, or for the only run if the other side is another renderer.
    pub reports: Vec<Report>,
}

impl Diff {
    /// Runs both sides, and describes their first difference.
    #[must_use]
    pub fn of_runs(sides: &[DiffSide; 2]) -> Self {
        let [a, b] = sides;
        let [mut sink_a, mut sink_b] = [a, b].map(|side| side.shot.rasterizer());
        let stepped = |DiffSide { shot, .. }: &DiffSide, sink| Side {
            capture: shot.capture.clone(),
            arithmetic: shot.arithmetic(),
            sink,
        };
        let difference = first_difference(stepped(a, &mut sink_a), stepped(b, &mut sink_b), &a.shot.limits);
        let runs = sides.each_ref().map(|side| side.shot.session());
        let document = DiffDocument { notes: notes(&runs), ..DiffDocument::of_equal_runs(a, &b.name) };
        let reports = runs.iter().map(|run| run.replayed().report.clone()).collect();
        let equal = Self { document, histories: [None, None], pictures: None, reports };
        match difference {
            None => equal,
            Some(difference) => equal.described(sides, runs, &difference),
        }
    }

    /// Compares an event in each run with an event in the other, whatever other events leave. The runs may be at any
    /// moment.
    ///
    /// # Errors
    /// [`NoSuchEvent`] if a run does not have its event.
    pub fn of_events(
        sides: &[DiffSide; 2],
        mut runs: [Session; 2],
        events: [EventNumber; 2],
    ) -> Result<Self, NoSuchEvent> {
        for (run, event) in runs.iter_mut().zip(events) {
            run.seek(event)?;
        }
        let [a, b] = sides;
        let mut document = DiffDocument { notes: notes(&runs), ..DiffDocument::of_equal_runs(a, &b.name) };
        let [view_a, view_b] = document.describe(&mut runs, events);
        let difference_count = document.registers.len().saturating_add(document.matrices.len());
        document.is_different = difference_count > 0 || document.value_count > 0;
        document.text = document.sentence_of_events();
        let buffers = [view_a.buffers(), view_b.buffers()];
        move_past(&mut runs, events);
        let pictures = match buffers {
            [Some(a), Some(b)] => Some(pictures(&runs, [a.color, b.color])),
            _ => None,
        };
        let reports = runs.iter().map(|run| run.replayed().report.clone()).collect();
        Ok(Self { document, histories: [None, None], pictures, reports })
    }

    fn described(self, sides: &[DiffSide; 2], mut runs: [Session; 2], difference: &FirstDifference) -> Self {
        let Self { mut document, reports, .. } = self;
        document.set_difference(difference);
        let event = difference.event;
        let views = document.describe(&mut runs, [event; 2]);
        let [view_a, view_b] = &views;
        let [run_a, run_b] = &runs;
        if !difference.events.iter().all(Option::is_some) {
            document.registers.clear();
            document.matrices.clear();
        }
        // If a run leaves out this draw, it is compared in the other run's buffers, because it would have written to
        // those.
        let buffers = match [view_a.buffers(), view_b.buffers()] {
            [None, None] => [screen(run_a), screen(run_b)],
            [Some(only), None] | [None, Some(only)] => [Some(only), Some(only)],
            both => both,
        };
        move_past(&mut runs, [event; 2]);
        let targets = match &buffers {
            [Some(a), Some(b)] => Some([a.color, b.color]),
            _ => None,
        };
        let mut histories = [None, None];
        if let ([Some(a), Some(b)], Some(targets)) = (&buffers, targets)
            && let Some((buffer, found)) = different_pixels(&runs, [a, b], &difference.bytes)
        {
            document.pixels = Some(DifferentPixels::of_runs(buffer, found, targets));
            let documents = std::array::from_fn(|index| {
                let side = sides.get(index)?;
                let history = history(&side.shot, targets.get(index).copied(), found.first, event)?;
                let document = PixelDocument::new(&side.name, &history, &side.shot.capture.sources);
                if let Some(slot) = histories.get_mut(index) {
                    *slot = Some(history);
                }
                Some(Box::new(document))
            });
            [document.a_pixel, document.b_pixel] = documents;
        }
        document.text = document.sentence();
        let pictures = targets.map(|targets| pictures(&runs, targets));
        Self { document, histories, pictures, reports }
    }
}

impl DiffDocument {
    /// Returns the document for runs without a difference.
    #[must_use]
    pub fn of_equal_runs(a: &DiffSide, b: &str) -> Self {
        Self {
            input: a.input.clone(),
            a: a.name.clone(),
            b: b.to_owned(),
            text: "the runs do not differ: each event leaves the same bytes".to_owned(),
            ..Self::default()
        }
    }

    /// Describes an event in each run, and everything in which the runs differ before it. Returns the events as the
    /// runs execute them, and leaves each run before its event.
    fn describe(&mut self, runs: &mut [Session; 2], events: [EventNumber; 2]) -> [View; 2] {
        let [run_a, run_b] = runs;
        let views = [View::new(run_a, events[0]), View::new(run_b, events[1])];
        let [view_a, view_b] = &views;
        let used = [(view_a, &*run_a), (view_b, &*run_b)];
        [self.a_event, self.b_event] =
            used.map(|(_, run)| run.next_event().map(|event| EventInfo::new(run, event)));
        [self.a_is_left_out, self.b_is_left_out] = used.map(|(view, run)| view.is_left_out(run));
        let used = used.map(|(view, run)| RegisterSide {
            used: view.registers.as_ref().unwrap_or(run.registers()),
            run,
        });
        self.registers = registers(&used);
        self.matrices = matrices(&used);
        let values = match (&view_a.report, &view_b.report) {
            (Some(a), Some(b)) => ValueDifferences::of(a, b, &DRAW_MEMBERS, &REPEATED),
            _ => ValueDifferences::of(&self.a_event, &self.b_event, &EVENT_MEMBERS, &[]),
        };
        (self.value_count, self.values) = (values.count, values.values);
        views
    }

    /// Sets the members for the event and its bytes.
    fn set_difference(&mut self, difference: &FirstDifference) {
        let [a, b] = &difference.events;
        self.is_different = true;
        self.event = Some(difference.event);
        self.draw = a.as_ref().or(b.as_ref()).and_then(TimelineEvent::draw_number);
        self.is_other_event = difference.is_other_event;
        self.byte_count = Some(difference.byte_count);
        self.earlier_count = Some(difference.earlier_count);
        let range = |range: &std::ops::Range<u32>| ByteRange {
            address: Address::new(range.start),
            length: range.end.saturating_sub(range.start),
        };
        self.bytes = difference.bytes.iter().take(RANGES_MAX).map(range).collect();
    }

    fn sentence(&self) -> String {
        let event = self.event.or_never("a difference was found");
        let place = match (self.draw, self.is_other_event) {
            (_, true) => format!("event {event} is another one in the second run"),
            (Some(draw), _) => format!("the first difference is draw {draw}, event {event}"),
            (None, _) => format!("the first difference is event {event}"),
        };
        match &self.pixels {
            Some(pixels) => format!("{place}: {}", pixels.sentence()),
            None => format!("{place}: {}", counted(self.byte_count.unwrap_or(0), "byte")),
        }
    }
}

impl DiffDocument {
    /// Returns the result for two events as a sentence.
    fn sentence_of_events(&self) -> String {
        let name = |event: &Option<EventInfo>| match event {
            Some(EventInfo { draw: Some(draw), .. }) => format!("draw {draw}"),
            Some(event) => format!("event {}", event.event),
            None => "the end".to_owned(),
        };
        let events = format!("{} and {}", name(&self.a_event), name(&self.b_event));
        let parts: Vec<String> = [
            (self.registers.len() as u64, "register"),
            (self.matrices.len() as u64, "matrix"),
            (self.value_count, "other value"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| counted(count, unit))
        .collect();
        match parts.as_slice() {
            [] => format!("{events} have the same state and the same data"),
            [only] => format!("{events} differ in {only}"),
            [rest @ .., last] => format!("{events} differ in {} and {last}", rest.join(", ")),
        }
    }
}

impl DifferentPixels {
    fn of_runs(buffer: DifferentBuffer, found: PixelDifference, targets: [PixelTarget; 2]) -> Self {
        let [target, _] = targets;
        let value = |index: usize| {
            let bits = found.bits.get(index).copied();
            let format = targets.get(index).map(|target| target.format);
            let color = bits.zip(format).map(|(bits, format)| color::decode(format, bits));
            DifferentPixel { bits, color: color.filter(|_| buffer == DifferentBuffer::Color) }
        };
        Self {
            buffer,
            target: Some(target),
            count: found.count,
            bounds: found.bounds,
            first: found.first,
            a: value(0),
            b: value(1),
        }
    }

    /// Returns how many pixels differ, where, and the first pixel's values, as text.
    #[must_use]
    pub fn sentence(&self) -> String {
        let PixelBounds { first: [left, top], last: [right, bottom] } = self.bounds;
        let buffer = match self.buffer {
            DifferentBuffer::Color => "the colour buffer",
            DifferentBuffer::Depth => "the depth buffer",
            DifferentBuffer::Picture => "the pictures",
        };
        let place = match self.count {
            1 => format!("at {left},{top}"),
            _ => format!("from {left},{top} to {right},{bottom}"),
        };
        let ([x, y], pixels) = (self.first, counted(self.count, "pixel"));
        format!("{pixels} of {buffer} {place}; {x},{y} is {} and {}", self.a.text(), self.b.text())
    }
}

impl DifferentPixel {
    /// Returns the colour as `#RRGGBBAA`, or the depth in hexadecimal.
    #[must_use]
    pub fn text(self) -> String {
        match (self.color, self.bits) {
            (Some([red, green, blue, alpha]), _) => format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}"),
            (None, Some(bits)) => format!("{bits:#06x}"),
            (None, None) => "unknown".to_owned(),
        }
    }
}

fn counted(count: u64, unit: &str) -> String {
    match (count, unit) {
        (1, _) => format!("1 {unit}"),
        (_, "matrix") => format!("{count} matrices"),
        _ => format!("{count} {unit}s"),
    }
}

/// Copies the upper left parts of two buffers, to show them.
fn pictures([a, b]: &[Session; 2], [of_a, of_b]: [PixelTarget; 2]) -> [RgbImage; 2] {
    let [columns, rows] = SCREEN;
    let width = columns.min(of_a.stride).min(of_b.stride);
    [(a, of_a), (b, of_b)].map(|(run, PixelTarget { address, stride, format })| {
        let buffer = Display { address, stride, format };
        DynamicImage::ImageRgba8(framebuffer::displayed(buffer, run.memory(), width, rows)).into_rgb8()
    })
}

/// Lists the notes from both runs, but each note only once.
fn notes(runs: &[Session; 2]) -> Vec<NoteInfo> {
    let mut notes: Vec<NoteInfo> = Vec::new();
    for note in runs.iter().flat_map(|run| NoteInfo::of_report(&run.replayed().report)) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

/// An event as a run executes it.
#[derive(Debug, Default)]
struct View {
    /// A draw's registers, after applying the changes to try. This is `None` for other events, and for draws left
    /// out.
    registers: Option<Registers>,
    report: Option<DrawReportDocument>,
}

impl View {
    /// Moves a run to an event, or to its end if it has fewer events, and describes this event.
    fn new(run: &mut Session, event: EventNumber) -> Self {
        let event = event.min(run.end());
        if run.seek(event).is_err() {
            return Self::default();
        }
        let Some(registers) = drawn_registers(run) else { return Self::default() };
        let mut hashes = ContentHashes::new(&run.options().limits);
        let report = DrawReportDocument::new("", run, event, &mut hashes).ok();
        Self { registers: Some(registers), report }
    }

    /// Returns whether this event is a draw to leave out.
    fn is_left_out(&self, run: &Session) -> bool {
        self.registers.is_none() && run.next_event().is_some_and(|event| event.draw_number().is_some())
    }

    fn buffers(&self) -> Option<Buffers> {
        let (registers, report) = (self.registers.as_ref()?, self.report.as_ref()?);
        Some(Buffers {
            color: ColorSurface::from_registers(registers).into(),
            depth: Some(DepthSurface::from_registers(registers)),
            bounds: report.touched,
        })
    }
}

/// Moves each run past its event. A run with fewer events stays at its end.
fn move_past(runs: &mut [Session; 2], events: [EventNumber; 2]) {
    for (run, event) in runs.iter_mut().zip(events) {
        let after = event.next().min(run.end());
        // This cannot fail, because the event exists.
        let _ = run.seek(after);
    }
}

/// Returns the buffer shown on the screen when a run ends. Without a screen, this is the last colour buffer.
fn screen(run: &Session) -> Option<Buffers> {
    let replayed = run.replayed();
    let last = || ColorSurface::from_registers(&replayed.registers).into();
    let color = replayed.display.map_or_else(last, PixelTarget::from);
    let [width, height] = SCREEN;
    let corner = [width.min(color.stride).checked_sub(1)?, height.checked_sub(1)?];
    Some(Buffers { color, depth: None, bounds: Some(PixelBounds { first: [0, 0], last: corner }) })
}

/// Returns an event's colour buffer, if it is a draw.
#[cfg(feature = "compare")]
pub(super) fn drawn_buffer(run: &mut Session, event: EventNumber) -> Option<PixelTarget> {
    run.seek(event).ok()?;
    Some(ColorSurface::from_registers(&drawn_registers(run)?).into())
}

/// The buffers that an event may write, and the pixels within its reach.
#[derive(Clone, Copy, Debug)]
struct Buffers {
    color: PixelTarget,
    depth: Option<DepthSurface>,
    bounds: Option<PixelBounds>,
}

/// Finds the pixels with a difference after an event. This looks at depth only if the colour buffers agree.
fn different_pixels(
    runs: &[Session; 2],
    buffers: [&Buffers; 2],
    bytes: &[std::ops::Range<u32>],
) -> Option<(DifferentBuffer, PixelDifference)> {
    let [a, b] = buffers;
    let bounds = match (a.bounds, b.bounds) {
        (Some(a), Some(b)) => pixel_difference::join(a, b),
        (bounds, None) | (None, bounds) => bounds?,
    };
    let [run_a, run_b] = runs;
    let compare = |of_a, of_b| {
        let sides =
            [(run_a, of_a), (run_b, of_b)].map(|(run, buffer)| BufferSide { memory: run.memory(), buffer });
        pixel_difference::compare(sides, bounds, bytes)
    };
    if let Some(found) = compare(ComparedBuffer::Color(a.color), ComparedBuffer::Color(b.color)) {
        return Some((DifferentBuffer::Color, found));
    }
    let found = compare(ComparedBuffer::Depth(a.depth?), ComparedBuffer::Depth(b.depth?))?;
    Some((DifferentBuffer::Depth, found))
}

/// Records a pixel's history up to an event, in a buffer or on the screen. Returns `None` if there is no such pixel.
pub(super) fn history(
    shot: &Shot,
    target: Option<PixelTarget>,
    position: [u32; 2],
    event: EventNumber,
) -> Option<PixelHistory> {
    let mut history = shot.history(target.map(TargetName::from), position).ok()?;
    history.end_after(event);
    Some(history)
}
