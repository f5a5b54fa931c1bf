//! Records the steps in a run with a single thread: the least times over many runs, step by step.

use std::time::Instant;

use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::Limits;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::NullObserver;

use crate::marks::{self, Mark, MarkingSink, MarkingSubscriber, Moment};
use crate::work::{Action, DrawWork, STRIP_ROWS, Step};

/// Records a capture. `runs` tells how often to run it with whole draws, and again with strips.
///
/// # Panics
/// If two runs differ in more than their times.
pub(crate) fn record(capture: &Capture, runs: u32) -> Vec<Step> {
    // This fails if the subscriber is installed already, which is fine.
    let _ = tracing::subscriber::set_global_default(MarkingSubscriber);
    let noting = NotingTime::measured();
    let mut steps = one_run(capture, Part::Whole, noting);
    for run in 1..2 * runs {
        let part = if run < runs { Part::Whole } else { Part::Strips };
        let others = one_run(capture, part, noting);
        assert_eq!(steps.len(), others.len(), "steps of the same run");
        for (step, other) in steps.iter_mut().zip(&others) {
            take_least(step, other, part);
        }
    }
    steps
}

/// Which times a run measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Front end, passes, and whole draws.
    Whole,
    /// Strips in draws.
    Strips,
}

/// The time for noting itself, which adds to the time between two notes, in nanoseconds.
#[derive(Clone, Copy, Debug)]
struct NotingTime {
    /// The part before a span ends.
    inside: f64,
    /// The part before a span begins.
    between: f64,
}

impl NotingTime {
    /// Measures this time with spans that contain no work.
    fn measured() -> Self {
        for row in 0..10_000_usize {
            // Use the same names as the library's spans, to have them noted.
            let _span = tracing::trace_span!(target: "pspge::raster", "band", first_row = row).entered();
        }
        let marks = marks::take();
        let mut least = Self { inside: f64::INFINITY, between: f64::INFINITY };
        for pair in marks.windows(2) {
            let time = nanoseconds(pair[0].to, pair[1].from);
            let field =
                if pair[1].moment == Moment::EndBand { &mut least.inside } else { &mut least.between };
            *field = field.min(time);
        }
        least
    }

    /// Returns the time between two marks without the time for noting.
    fn between(self, last: Instant, mark: &Mark) -> f64 {
        let noting = match mark.moment {
            Moment::BeginLowering(_) | Moment::BeginPass | Moment::BeginBand(_) => self.between,
            Moment::Action(_) | Moment::EndLowering | Moment::EndPass | Moment::EndBand => self.inside,
        };
        (nanoseconds(last, mark.from) - noting).max(0.0)
    }
}

fn nanoseconds(from: Instant, to: Instant) -> f64 {
    to.saturating_duration_since(from).as_secs_f64() * 1e9
}

/// Runs a capture once.
fn one_run(capture: &Capture, part: Part, noting: NotingTime) -> Vec<Step> {
    let mut capture = capture.clone();
    let band_rows = if part == Part::Strips { u32::try_from(STRIP_ROWS).unwrap_or(0) } else { 0 };
    let raster = Rasterizer::new(RasterOptions { band_rows, ..RasterOptions::default() });
    let mut sink = MarkingSink { raster };
    marks::take();
    let start = Instant::now();
    replay::run(&mut capture, Arithmetic::Hardware, &mut sink, &mut NullObserver, &Limits::default());
    let end = Mark { from: Instant::now(), to: Instant::now(), moment: Moment::Action(Action::Flush) };
    let mut marks = marks::take();
    marks.push(end);
    steps(&marks, start, part, noting)
}

/// Divides a run's time among its steps.
fn steps(marks: &[Mark], start: Instant, part: Part, noting: NotingTime) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut front_end, mut last) = (0.0, start);
    let (mut in_pass, mut band) = (false, None);
    // How much work the draw being lowered is.
    let mut lowering = None;
    for mark in marks {
        let time = noting.between(last, mark);
        last = mark.to;
        // The time since the last mark belongs to whatever is open innermost: a band, a pass, a draw being lowered,
        // or else the front end.
        match (steps.iter_mut().rev().find_map(draw_of), band, in_pass) {
            (Some(draw), Some(row), _) => add_band(draw, row, time, part),
            (Some(draw), None, true) => draw.fill.pass += time,
            _ if lowering.is_some() => {}
            _ => front_end += time,
        }
        let mut push = |action| steps.push(Step { front_end: std::mem::take(&mut front_end), action });
        match &mark.moment {
            Moment::Action(action) => push(action.clone()),
            Moment::BeginLowering(work) => lowering = Some(*work),
            Moment::EndLowering => {
                push(Action::Lower { time, work: lowering.take().expect("a begin before each end") });
            }
            Moment::BeginPass => in_pass = true,
            Moment::EndPass => in_pass = false,
            Moment::BeginBand(row) => band = Some(*row),
            Moment::EndBand => band = None,
        }
    }
    steps
}

fn draw_of(step: &mut Step) -> Option<&mut DrawWork> {
    match &mut step.action {
        Action::Draw(draw) => Some(draw),
        _ => None,
    }
}

/// Adds the time for a band that begins at `row`.
fn add_band(draw: &mut DrawWork, row: usize, time: f64, part: Part) {
    match part {
        Part::Whole => draw.fill.whole += time,
        Part::Strips => {
            let number = row.saturating_sub(draw.rows.start) / STRIP_ROWS;
            if draw.fill.strips.len() <= number {
                draw.fill.strips.resize(number + 1, 0.0);
            }
            draw.fill.strips[number] += time;
        }
    }
}

/// Lowers a step's times to those of the same step in another run.
fn take_least(step: &mut Step, other: &Step, part: Part) {
    if part == Part::Whole {
        step.front_end = step.front_end.min(other.front_end);
    }
    let (draw, other) = match (&mut step.action, &other.action) {
        (Action::Draw(draw), Action::Draw(other)) => (draw, other),
        (Action::Lower { time, work }, Action::Lower { time: other, work: other_work }) => {
            assert_eq!(work, other_work, "the same draw");
            if part == Part::Whole {
                *time = time.min(*other);
            }
            return;
        }
        (action, other) => {
            assert_eq!(action, other, "the same step");
            return;
        }
    };
    assert_eq!((draw.cost, &draw.writes), (other.cost, &other.writes), "the same draw");
    match part {
        Part::Whole => {
            draw.fill.pass = draw.fill.pass.min(other.fill.pass);
            draw.fill.whole = draw.fill.whole.min(other.fill.whole);
        }
        Part::Strips if draw.fill.strips.is_empty() => draw.fill.strips.clone_from(&other.fill.strips),
        Part::Strips => {
            for (least, time) in draw.fill.strips.iter_mut().zip(&other.fill.strips) {
                *least = least.min(*time);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::work::{FillTime, Way};

    #[test]
    fn time_goes_to_the_front_end_the_pass_and_the_bands() {
        let start = Instant::now();
        let draw = DrawWork { rows: 16..32, ..DrawWork::new(Way::Pass, 100, FillTime::default()) };
        let moments = [
            (10, Moment::Action(Action::Draw(Box::new(draw)))),
            (15, Moment::BeginPass),
            (18, Moment::BeginBand(16)),
            (25, Moment::EndBand),
            (26, Moment::BeginBand(24)),
            (56, Moment::EndBand),
            (60, Moment::EndPass),
            (80, Moment::Action(Action::Flush)),
        ];
        let marks = moments.map(|(at, moment)| {
            let at = start + Duration::from_nanos(at);
            Mark { from: at, to: at, moment }
        });
        let noting = NotingTime { inside: 1.0, between: 2.0 };
        for (part, whole, strips) in [(Part::Whole, 35.0, vec![]), (Part::Strips, 0.0, vec![6.0, 29.0])] {
            let found = steps(&marks, start, part, noting);
            let fronts: Vec<f64> = found.iter().map(|step| step.front_end.round()).collect();
            assert_eq!(fronts, [9.0, 3.0 + 19.0], "before the draw, and around the pass");
            let Action::Draw(draw) = &found[0].action else { panic!("a draw") };
            assert_eq!((draw.fill.whole.round(), draw.fill.pass.round()), (whole, 4.0), "{part:?}");
            assert_eq!(
                draw.fill.strips.iter().map(|time| time.round()).collect::<Vec<_>>(),
                strips,
                "{part:?}"
            );
        }
    }

    /// This test fails if the rasterizer's spans and events lose the names and fields read here.
    #[test]
    fn draws_are_recorded() {
        let text = "
            FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
            ZBUFPTR 0x110000 | ZBUFWIDTH width=512 | ZTESTENABLE 1 | ZTEST 1
            BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
            PRIM primitive=TRIANGLES count=3 | FINISH | END
            .align 4
            corners:
                .rgba #ff0000ff | .s16 0 0 0 | .align 4
                .rgba #ff0000ff | .s16 400 0 0 | .align 4
                .rgba #ff0000ff | .s16 0 200 0 | .align 4";
        let capture = pspge::asm::assemble(text).expect("a list").capture();
        let steps = record(&capture, 2);
        let draws: Vec<&DrawWork> = steps
            .iter()
            .filter_map(|step| match &step.action {
                Action::Draw(draw) => Some(&**draw),
                _ => None,
            })
            .collect();
        let [draw] = draws.as_slice() else { panic!("one draw of {steps:?}") };
        assert_eq!((draw.way, draw.primitives, draw.rows.clone()), (Way::Pass, 1, 0..272), "its bounds");
        assert!((40_000..50_000).contains(&draw.max_pixels) && draw.cost > draw.max_pixels, "{draw:?}");
        assert_eq!(draw.writes, [0..(271 * 512 + 480) * 4, draw.writes[1].clone()], "its colour");
        assert!(draw.depth.is_some() && draw.writes[1].start >= 0x11_0000, "its depth: {draw:?}");
        let FillTime { whole, strips, .. } = &draw.fill;
        assert!(*whole > 0.0 && strips.len() == 34 && strips[0] > strips[33], "its times: {draw:?}");
        assert_eq!(steps.last().map(|step| &step.action), Some(&Action::Flush), "the end");
    }
}
