//! Finds options that apply to no input, because these are likely mistakes.

use std::collections::BTreeMap;

use crate::terminal::failure::Failure;
use crate::terminal::notes::IgnoredOption;

/// Counts for each option how many inputs ignored it.
#[derive(Debug, Default)]
pub(super) struct IgnoredOptions {
    /// Counts inputs that work was done on.
    inputs: usize,
    counts: BTreeMap<String, usize>,
}

impl IgnoredOptions {
    /// Counts an input that work was done on, with the options that could not apply to it.
    pub(super) fn count(&mut self, options: &[IgnoredOption]) {
        self.inputs += 1;
        for IgnoredOption { option, .. } in options {
            *self.counts.entry(option.clone()).or_default() += 1;
        }
    }

    /// Fails if an option could not apply to any input.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match self.counts.iter().find(|(_, count)| **count == self.inputs) {
            Some((option, _)) => {
                Err(Failure::usage(format_args!("{option} cannot apply to any of the inputs")))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_must_apply_to_an_input() {
        let ignored = |options: &[&str]| -> Vec<IgnoredOption> {
            let option =
                |option: &&str| IgnoredOption { option: (*option).to_owned(), reason: "no model".to_owned() };
            options.iter().map(option).collect()
        };
        let mut options = IgnoredOptions::default();
        assert!(options.check().is_ok(), "no input");
        options.count(&ignored(&["--view", "--until draw:1"]));
        assert!(options.check().is_err(), "no input uses --view");
        options.count(&ignored(&["--until draw:1"]));
        let message = options.check().expect_err("both inputs ignore it");
        let message = message.as_error().map(|error| error.info.message.clone());
        assert_eq!(
            message.as_deref(),
            Some("--until draw:1 cannot apply to any of the inputs"),
            "the one left"
        );
        options.count(&[]);
        assert!(options.check().is_ok(), "each is used once");
    }
}
