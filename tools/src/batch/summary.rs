//! Counts for a batch how its inputs ended.

use std::collections::BTreeMap;

use super::State;
use crate::job::JobInfo;
use crate::terminal::failure::CommandError;

#[derive(Debug, Default)]
pub(super) struct Summary {
    done: usize,
    different: usize,
    nothing: usize,
    skipped: usize,
    foreign: usize,
    noted: usize,
    failed: BTreeMap<String, usize>,
}

impl Summary {
    /// Counts an input. `is_noted` means that its notes count as a failure.
    pub(super) fn count(&mut self, state: State, error: Option<&CommandError>, is_noted: bool) {
        match state {
            State::Ok => self.done += 1,
            State::Different => self.different += 1,
            State::Nothing => self.nothing += 1,
            State::Skipped => self.skipped += 1,
            State::Foreign => self.foreign += 1,
            State::Failed => {
                let code = error.map_or("failed", |error| &error.info.code);
                *self.failed.entry(code.to_owned()).or_default() += 1;
            }
        }
        self.noted += usize::from(is_noted);
    }

    /// Whether to exit with a status for failure. A folder with foreign files alone is likely a mistake.
    pub(super) fn has_failures(&self) -> bool {
        let is_foreign = self.foreign > 0 && self.done + self.nothing + self.skipped == 0;
        !self.failed.is_empty() || self.different > 0 || self.noted > 0 || is_foreign
    }

    /// Makes a line such as `12 drawn, 3 with nothing to draw, 2 failed (1 empty, 1 truncated)`.
    pub(super) fn text(&self, job: &JobInfo) -> String {
        let failed: usize = self.failed.values().sum();
        let mut parts = vec![format!("{} {}", self.done, job.done)];
        let mut add = |count: usize, text: &str| {
            if count > 0 {
                parts.push(format!("{count} {text}"));
            }
        };
        add(self.different, job.different);
        add(self.nothing, &format!("with {}", job.nothing));
        add(self.skipped, "skipped because the output exists");
        add(self.noted, "with notes");
        add(self.foreign, "of no known format");
        let codes: Vec<String> = self.failed.iter().map(|(code, count)| format!("{count} {code}")).collect();
        add(failed, &format!("failed ({})", codes.join(", ")));
        parts.join(", ")
    }
}
