//! Writes a summary in Markdown: a table of renderers, and the failures.

use std::fmt::Write;

use pspge::documents::judgement::JudgementDocument;

use crate::command::test::totals::Totals;

/// Lists at most this many failures.
const FAILURES_MAX: usize = 50;

pub(in crate::command::test) fn summary(
    title: &str,
    totals: &[(String, Totals)],
    failures: &[&JudgementDocument],
) -> String {
    let mut text = format!("## {}\n\n", cell(title));
    text += "| Renderer | Passed | Failed | Errors | Unexpected passes | Expected failures | Without reference | \
             Skipped | Exact pictures | Exact depth buffers | Differing pixels |\n";
    text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for (name, totals) in totals {
        // Writing into a String cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} of {} | {} of {} | {} |",
            cell(name),
            totals.passed,
            totals.failed,
            totals.errors,
            totals.unexpected_passes,
            totals.expected_failures,
            totals.without_reference,
            totals.skipped,
            totals.exact_pictures,
            totals.compared_pictures,
            totals.exact_depths,
            totals.compared_depths,
            totals.differing_pixels,
        );
    }
    if failures.is_empty() {
        return text;
    }
    text += "\n| Case | Renderer | Problem | First wrong draw |\n| --- | --- | --- | --- |\n";
    for judgement in failures.iter().take(FAILURES_MAX) {
        let JudgementDocument { case, renderer, message, explanation, outcome, .. } = judgement;
        let message = message.as_deref().unwrap_or_else(|| outcome.name());
        let divergence = explanation.as_ref().and_then(|found| found.divergence.as_ref());
        let draw = divergence.map_or("", |divergence| divergence.text.as_str());
        let _ =
            writeln!(text, "| {} | {} | {} | {} |", cell(case), cell(renderer), cell(message), cell(draw));
    }
    if let Some(more) = failures.len().checked_sub(FAILURES_MAX).filter(|more| *more > 0) {
        let _ = writeln!(text, "\n{more} more failures are in the report.");
    }
    text
}

/// Escapes text to mean the same in a table cell.
fn cell(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars() {
        match letter {
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' => safe.extend(['\\', letter]),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_end_a_cell() {
        assert_eq!(cell("a|b\n<c>_"), "a\\|b \\<c\\>\\_");
    }
}
