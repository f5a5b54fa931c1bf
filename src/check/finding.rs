//! A finding names the broken rule, where this happened first, and how often.

use std::fmt;

use super::rule::Rule;
use super::severity::Severity;
use crate::asm::Location;
use crate::ge::address::Address;
use crate::ge::capture::{Source, source_of};

/// Where a finding is. Unknown parts are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The command's number in this run, from 0.
    pub command: Option<u64>,
    /// Address of the command's word.
    pub address: Option<Address>,
    /// The draw's number in this run, from 0.
    pub draw: Option<u64>,
    /// The file with this word, by name.
    pub file: Option<String>,
    /// The word's offset in that file, in bytes.
    pub file_offset: Option<u64>,
    /// The command in assembly text.
    pub location: Option<Location>,
}

impl Place {
    /// Looks up which file holds the address, and at which offset.
    pub(super) fn locate(&mut self, sources: &[Source]) {
        if let Some((source, offset)) = self.address.and_then(|address| source_of(sources, address)) {
            self.file = Some(source.name.clone());
            self.file_offset = Some(offset);
        }
    }
}

impl fmt::Display for Place {
    /// Formats as `draw 7 at 0x08800120`, as far as known. The text is empty if nothing is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.draw, self.address) {
            (Some(draw), Some(address)) => write!(f, "draw {draw} at {address}"),
            (Some(draw), None) => write!(f, "draw {draw}"),
            (None, Some(address)) => write!(f, "at {address}"),
            (None, None) => match self.file_offset {
                Some(offset) => write!(f, "at offset 0x{offset:x}"),
                None => Ok(()),
            },
        }
    }
}

/// A mistake in the input. If it occurs several times for the same cause, this stands for all occurrences and counts
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The broken rule.
    pub rule: Rule,
    /// How bad it is. This is the rule's severity, unless a program has changed it.
    pub severity: Severity,
    /// A sentence about the first occurrence, with the registers and values to look at.
    pub message: String,
    /// Where it occurred first.
    pub place: Place,
    /// How often it occurred, at least 1.
    pub count: u64,
    /// The pixels that the first occurrence's draw touches, if a PSP and emulators show something else there.
    /// [`Asset::check`](crate::Asset::check) looks them up.
    pub pixels: Option<TouchedPixels>,
}

/// Pixels touched by a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TouchedPixels {
    /// How many there are.
    pub count: u64,
    /// Column and row of the first, going row by row.
    pub first: [u32; 2],
}

impl Finding {
    /// Returns this finding with another severity, because a program's settings may ask for it.
    #[must_use]
    pub fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }
}

impl fmt::Display for Finding {
    /// Formats as `draw 7 at 0x08800120: warning: … [empty-scissor]`, with the count if there are several.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.to_string();
        if !place.is_empty() {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: {} [{}]", self.severity, self.message, self.rule)?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        match self.pixels {
            Some(TouchedPixels { count: 1, first: [x, y] }) => write!(f, ", 1 pixel at {x},{y}"),
            Some(TouchedPixels { count, first: [x, y] }) => write!(f, ", {count} pixels from {x},{y} on"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_place_severity_and_rule() {
        let place = Place { draw: Some(7), address: Some(Address::new(0x0880_0120)), ..Place::default() };
        let finding = Finding {
            rule: Rule::EmptyScissor,
            severity: Severity::Warning,
            message: "covers 0 pixels: SCISSOR2 is 0".to_owned(),
            place,
            count: 2,
            pixels: None,
        };
        let expected =
            "draw 7 at 0x08800120: warning: covers 0 pixels: SCISSOR2 is 0 [empty-scissor] (2 times)";
        assert_eq!(finding.to_string(), expected, "a draw");
        for (count, expected) in [(30, "30 pixels from 4,5 on"), (1, "1 pixel at 4,5")] {
            let pixels = Some(TouchedPixels { count, first: [4, 5] });
            let found = Finding { pixels, count: 1, ..finding.clone() }.to_string();
            assert!(found.ends_with(&format!(" [empty-scissor], {expected}")), "{found}");
        }
        let finding = Finding { place: Place::default(), count: 1, ..finding };
        assert!(finding.to_string().starts_with("warning: "), "without a place");
    }
}
