//! Explains rules, for `--explain` and for SARIF.

use pspge::check::{Machine, Rule};

/// Returns a rule's reason, how machines behave if they differ, and the remedy, each as a line.
pub(super) fn explanation(rule: Rule) -> Vec<String> {
    let mut lines = vec![format!("Why: {}", rule.why())];
    if let (Some(psp), Some(emulator)) = (rule.on(Machine::Psp), rule.on(Machine::Emulator)) {
        lines.push(format!("Target: {psp}; {emulator}"));
    }
    lines.push(format!("What to do: {}", rule.remedy()));
    lines
}
