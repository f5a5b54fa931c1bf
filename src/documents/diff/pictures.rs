//! Describes the first difference between a run and another renderer's pictures.

use super::comparison::{Diff, DiffSide, drawn_buffer, history};
use super::{DiffDocument, DifferentBuffer, DifferentPixel, DifferentPixels};
use crate::compare::{Difference, PixelDifference, Region};
use crate::documents::events::timeline::EventInfo;
use crate::documents::note::NoteInfo;
use crate::documents::pixel::PixelDocument;
use crate::raster::PixelBounds;

impl Diff {
    /// Describes the draw after which the picture differs from another renderer's. Without a draw, the pictures are
    /// equal. `shows_target` is true if the pictures show the draw's buffer, not the screen at the end.
    #[must_use]
    pub fn of_pictures(
        side: &DiffSide,
        renderer: &str,
        draw: Option<(u64, &Difference)>,
        shows_target: bool,
    ) -> Self {
        let mut run = side.shot.session();
        let report = run.replayed().report.clone();
        let notes = NoteInfo::of_report(&report);
        let text = "the pictures after the last draw do not differ".to_owned();
        let equal = DiffDocument { notes, text, ..DiffDocument::of_equal_runs(side, renderer) };
        let mut diff =
            Self { document: equal, histories: [None, None], pictures: None, reports: vec![report] };
        let Some((draw, difference)) = draw else { return diff };
        let document = &mut diff.document;
        let event = run.timeline().event_of_draw(draw).cloned();
        let event = event.as_ref();
        document.is_different = true;
        document.draw = Some(draw);
        document.event = event.map(|event| event.number);
        document.a_event = event.map(|event| EventInfo::new(&run, event));
        document.pixels = different_pixels(difference);
        let pixels = document.pixels.as_ref().map(|pixels| format!(": {}", pixels.sentence()));
        document.text = format!("the first difference is draw {draw}{}", pixels.unwrap_or_default());
        let target = event.filter(|_| shows_target).and_then(|event| drawn_buffer(&mut run, event.number));
        if let (Some(pixels), Some(event)) = (&document.pixels, event)
            && let Some(history) = history(&side.shot, target, pixels.first, event.number)
        {
            document.a_pixel =
                Some(Box::new(PixelDocument::new(&side.name, &history, &side.shot.capture.sources)));
            // The second side stays empty, because its picture comes from a renderer without pixel histories.
            diff.histories = [Some(history), None];
        }
        diff
    }
}

/// Describes the different pixels and shows the first. If some differ by less than the tolerance, this shows the
/// pixel with the largest difference instead.
fn different_pixels(difference: &Difference) -> Option<DifferentPixels> {
    let is_exact = difference.pixels_beyond_tolerance == difference.differing_pixels;
    let shown = if is_exact { difference.first.as_ref() } else { difference.largest.as_ref() };
    let PixelDifference { x, y, first, second, .. } = shown?;
    let Region { x: left, y: top, width, height } = difference.bounding_box?;
    let value = |samples: &[u16]| DifferentPixel { bits: None, color: Some(color(samples, difference.bits)) };
    Some(DifferentPixels {
        buffer: DifferentBuffer::Picture,
        target: None,
        count: difference.pixels_beyond_tolerance,
        bounds: PixelBounds {
            first: [left, top],
            last: [
                left.saturating_add(width).saturating_sub(1),
                top.saturating_add(height).saturating_sub(1),
            ],
        },
        first: [*x, *y],
        a: value(first),
        b: value(second),
    })
}

/// Returns red, green, blue and alpha in 8 bits. Grey has a single sample, and a picture without alpha is
/// opaque.
fn color(samples: &[u16], bits: u8) -> [u8; 4] {
    let narrow = |sample: u16| u8::try_from(sample >> bits.saturating_sub(8)).unwrap_or(u8::MAX);
    match *samples {
        [gray] => [narrow(gray), narrow(gray), narrow(gray), u8::MAX],
        [gray, alpha] => [narrow(gray), narrow(gray), narrow(gray), narrow(alpha)],
        [red, green, blue] => [narrow(red), narrow(green), narrow(blue), u8::MAX],
        [red, green, blue, alpha, ..] => [narrow(red), narrow(green), narrow(blue), narrow(alpha)],
        [] => [0, 0, 0, u8::MAX],
    }
}
