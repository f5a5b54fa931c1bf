//! The set of formats a program can open.

use super::descriptor::{Descriptor, Format, sniff};
use super::options::ParseOption;

/// Holds formats in the order in which to try them.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    formats: Vec<Format>,
}

impl Registry {
    /// Creates a registry. List formats with a magic first and formats recognised by plausibility last, because the
    /// first match wins.
    #[must_use]
    pub fn new(formats: &[&'static Descriptor]) -> Self {
        Self { formats: formats.iter().map(|descriptor| descriptor.format()).collect() }
    }

    /// Adds a format to try before all others.
    #[must_use]
    pub fn with(mut self, descriptor: &'static Descriptor) -> Self {
        self.formats.insert(0, descriptor.format());
        self
    }

    /// Returns the formats in the order in which they are tried.
    #[must_use]
    pub fn formats(&self) -> &[Format] {
        &self.formats
    }

    /// Recognises a file's format by its content.
    #[must_use]
    pub fn sniff(&self, bytes: &[u8]) -> Option<Format> {
        sniff(&self.formats, bytes)
    }

    /// Finds a format by name.
    #[must_use]
    pub fn format(&self, name: &str) -> Option<Format> {
        self.formats.iter().copied().find(|format| format.name() == name)
    }

    /// Collects the parse options of all formats without duplicates.
    #[must_use]
    pub fn parse_options(&self) -> Vec<ParseOption> {
        let mut options: Vec<ParseOption> = Vec::new();
        for option in self.formats.iter().flat_map(|format| format.descriptor().options) {
            if options.iter().all(|known| known.name != option.name) {
                options.push(*option);
            }
        }
        options
    }
}
