//! Writes lines for people: a line for each judgement except a plain pass, and a sum for each renderer.

use pspge::documents::judgement::{JudgementDocument, Outcome};

use crate::command::test::totals::Totals;
use crate::output::Output;
use crate::terminal::colors::Mark;
use crate::terminal::failure::Failure;

/// Prints a judgement's line, unless an exact picture passes.
pub(in crate::command::test) fn print(
    judgement: &JudgementDocument,
    names_renderer: bool,
    out: &mut Output,
) -> Result<(), Failure> {
    let JudgementDocument { case, renderer, outcome, message, .. } = judgement;
    if matches!(outcome, Outcome::Passed) && message.is_none() {
        return Ok(());
    }
    let mark = match outcome {
        Outcome::Passed => Mark::Good,
        Outcome::Failed | Outcome::Error | Outcome::UnexpectedPass => Mark::Error,
        Outcome::ExpectedFailure | Outcome::WithoutReference | Outcome::Skipped => Mark::Warning,
    };
    let renderer = if names_renderer { format!(" [{renderer}]") } else { String::new() };
    let message = message.as_deref().map(|message| format!(": {message}")).unwrap_or_default();
    out.marked_line("", mark, &format!("{:17}", outcome.name()), &format!(" {case}{renderer}{message}"))
}

/// Returns lines to explain a failure.
pub(in crate::command::test) fn explanation(judgement: &JudgementDocument) -> Vec<String> {
    let Some(found) = &judgement.explanation else { return Vec::new() };
    let mut lines = Vec::new();
    let pixel = &found.pixel;
    let plural = if found.region_pixels == 1 { "" } else { "s" };
    lines.push(format!(
        "worst region {}, {} pixel{plural}; worst pixel {},{}: {:?} instead of {:?}",
        found.region, found.region_pixels, pixel.x, pixel.y, pixel.first, pixel.second
    ));
    if let Some(divergence) = &found.divergence {
        lines.push(format!("the picture first differs from pspge's after {}", divergence.text));
    } else if let Some(suspect) = found.suspects.first()
        // A draw which covers far more, such as a clear, explains nothing.
        && suspect.covered <= suspect.covered_differing.saturating_mul(2)
    {
        lines.push(format!(
            "{} of the pixels that differ and {} others are covered by {}",
            suspect.covered_differing,
            suspect.covered.saturating_sub(suspect.covered_differing),
            suspect.text
        ));
    }
    if let Some(first) = &found.first_event {
        lines.push(format!("the first event in the region is {}", first.text));
    }
    if let Some(history) = &found.history {
        lines.push(format!("pspge: {}", history.verdict));
    }
    lines.extend(found.notes.iter().map(|note| format!("note: {note}")));
    lines.into_iter().map(|line| format!("    {line}")).collect()
}

/// Sums up a renderer's judgements in a line.
pub(in crate::command::test) fn summary(renderer: &str, totals: &Totals) -> String {
    let outcomes: Vec<String> =
        totals.outcomes().into_iter().map(|(name, count)| format!("{count} {name}")).collect();
    let compared = [
        (totals.exact_pictures, totals.compared_pictures, "pictures exact"),
        (totals.exact_depths, totals.compared_depths, "depth buffers"),
        (totals.exact_checksums, totals.compared_checksums, "checksums of a PSP"),
    ];
    let compared: Vec<String> = compared
        .into_iter()
        .filter(|(_, compared, _)| *compared > 0)
        .map(|(exact, compared, what)| format!("{exact} of {compared} {what}"))
        .collect();
    let separator = if compared.is_empty() { "" } else { "; " };
    format!("{renderer}: {}{separator}{}", outcomes.join(", "), compared.join(", "))
}
