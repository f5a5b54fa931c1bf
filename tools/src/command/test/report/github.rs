//! Writes annotations for GitHub's workflows, to appear next to a pull request.

use pspge::documents::judgement::JudgementDocument;

/// Returns an annotation for a failure, or `None` for other judgements.
pub(in crate::command::test) fn annotation(judgement: &JudgementDocument) -> Option<String> {
    let JudgementDocument { case, renderer, outcome, message, input, explanation, .. } = judgement;
    if !outcome.is_failure() {
        return None;
    }
    let message = message.as_deref().unwrap_or_else(|| outcome.name());
    let reason = explanation.as_ref().and_then(|found| {
        let divergence =
            found.divergence.as_ref().map(|divergence| format!("first wrong: {}", divergence.text));
        divergence.or_else(|| found.history.as_ref().map(|history| history.verdict.clone()))
    });
    let text = reason.map_or_else(|| message.to_owned(), |reason| format!("{message}\n{reason}"));
    let title = property(&format!("{case} ({renderer})"));
    Some(format!("::error file={},title={title}::{}", property(input), data(&text)))
}

/// Escapes an annotation's text.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property's value.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_end_a_property() {
        assert_eq!(property("a,b:c%\nd"), "a%2Cb%3Ac%25%0Ad");
        assert_eq!(data("100%: a,b"), "100%25: a,b");
    }
}
