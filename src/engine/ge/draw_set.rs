//! Parses and prints sets of draws, as users write them: `7`, `40-99`, `12-`, `-5`, or a list of these.
//!
//! # One numbering
//! A draw has a single number, which counts from 0 in the order of the run. Traces, documents and messages show this
//! number, and every option and every function takes it. Patches and immediate primitives count as draws, too. A
//! draw does not count if it is skipped, because its vertices do not exist or because it has none. "Until draw N"
//! means that draw N is the last to be drawn.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::ge::draw_set::DrawSet;
//!
//! let set: DrawSet = "7,12-14,40-".parse()?;
//! assert!(set.contains(13) && set.contains(1000) && !set.contains(8));
//! assert_eq!(set.to_string(), "7,12-14,40-");
//! # Ok::<(), pspge::ge::draw_set::DrawSetError>(())
//! ```

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A set of draw numbers, never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DrawSet {
    /// The ranges in rising order, with gaps in between, so that equal sets have equal ranges.
    ranges: Vec<RangeInclusive<u64>>,
}

/// The reason why a text is not a set of draws.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawSetError {
    /// A part of the list is empty.
    #[error("expected a draw or a range of draws, such as 7, 40-99 or 12-")]
    Empty,
    /// A part is neither a number nor a range.
    #[error("'{0}' is not a draw or a range of draws, such as 7, 40-99 or 12-")]
    NotANumber(String),
    /// A range ends before it starts.
    #[error("the range {first}-{last} ends before it starts")]
    Reversed {
        /// The first number.
        first: u64,
        /// The last number.
        last: u64,
    },
}

/// Reports that a run lacks some draws in a set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run has {}, but not {missing}", draws_text(*.draws))]
pub struct NoSuchDraws {
    /// The missing draws.
    pub missing: DrawSet,
    /// How many draws the run has.
    pub draws: u64,
}

/// Describes which draws a run has, for messages.
fn draws_text(draws: u64) -> String {
    match draws.checked_sub(1) {
        None => "no draws".to_owned(),
        Some(0) => "one draw, number 0".to_owned(),
        Some(last) => format!("{draws} draws, 0 to {last}"),
    }
}

impl DrawSet {
    /// Creates the set of all draws.
    #[must_use]
    pub fn all() -> Self {
        Self { ranges: vec![0..=u64::MAX] }
    }

    /// Creates a set with a single draw.
    #[must_use]
    pub fn one(number: u64) -> Self {
        Self { ranges: vec![number..=number] }
    }

    /// Creates a set from a range, or returns `None` if the range is empty.
    #[must_use]
    pub fn range(range: RangeInclusive<u64>) -> Option<Self> {
        (!range.is_empty()).then(|| Self { ranges: vec![range] })
    }

    /// Adds a draw to this set.
    pub fn insert(&mut self, number: u64) {
        // Draws are usually added in order, which needs no sorting.
        match self.ranges.last_mut() {
            Some(last) if last.contains(&number) => {}
            Some(last) if number.checked_sub(1) == Some(*last.end()) => *last = *last.start()..=number,
            _ => {
                self.ranges.push(number..=number);
                self.ranges = joined(std::mem::take(&mut self.ranges));
            }
        }
    }

    /// Returns the set with all other draws, or `None` if there are none, because a set is never empty.
    #[must_use]
    pub fn complement(&self) -> Option<Self> {
        let mut ranges = Vec::with_capacity(self.ranges.len().saturating_add(1));
        let mut next = Some(0);
        for range in &self.ranges {
            if let Some(first) = next
                && let Some(last) = range.start().checked_sub(1).filter(|last| first <= *last)
            {
                ranges.push(first..=last);
            }
            next = range.end().checked_add(1);
        }
        ranges.extend(next.map(|first| first..=u64::MAX));
        (!ranges.is_empty()).then_some(Self { ranges })
    }

    /// Returns whether this set contains a draw.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        let after = self.ranges.partition_point(|range| *range.start() <= number);
        after.checked_sub(1).and_then(|at| self.ranges.get(at)).is_some_and(|range| range.contains(&number))
    }

    /// Returns the smallest number in this set.
    #[must_use]
    pub fn min(&self) -> u64 {
        self.ranges.first().map_or(0, |range| *range.start())
    }

    /// Returns the largest number, or `None` if this set has no end, as in `12-`.
    #[must_use]
    pub fn max(&self) -> Option<u64> {
        self.ranges.last().map(|range| *range.end()).filter(|last| *last != u64::MAX)
    }

    /// Returns this set's ranges in rising order, with gaps in between. The last ends at `u64::MAX` if this set has
    /// no end.
    #[must_use]
    pub fn ranges(&self) -> &[RangeInclusive<u64>] {
        &self.ranges
    }

    /// Returns which of this set's draws are missing from a run with `draws` draws, to tell the user, or `None` if
    /// the run has them all. An open end such as `12-` needs at least one draw.
    #[must_use]
    pub fn missing(&self, draws: u64) -> Option<Self> {
        let beyond = |range: &RangeInclusive<u64>| {
            let (first, last) = (*range.start(), *range.end());
            let is_open = last == u64::MAX;
            let starts_inside = first < draws;
            (last >= draws && !(is_open && starts_inside)).then(|| first.max(draws)..=last)
        };
        let ranges: Vec<_> = self.ranges.iter().filter_map(beyond).collect();
        (!ranges.is_empty()).then_some(Self { ranges })
    }

    /// Checks that a run with `draws` draws has all draws in this set, as [`Self::missing`] does.
    ///
    /// # Errors
    /// Fails with the missing draws if there are any.
    pub fn check(&self, draws: u64) -> Result<(), NoSuchDraws> {
        self.missing(draws).map_or(Ok(()), |missing| Err(NoSuchDraws { missing, draws }))
    }
}

impl FromStr for DrawSet {
    type Err = DrawSetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let ranges = text.split(',').map(|part| parse_range(part.trim()));
        Ok(Self { ranges: joined(ranges.collect::<Result<_, _>>()?) })
    }
}

/// Sorts ranges and joins those that overlap or touch.
fn joined(mut ranges: Vec<RangeInclusive<u64>>) -> Vec<RangeInclusive<u64>> {
    ranges.sort_by_key(|range| *range.start());
    let mut joined: Vec<RangeInclusive<u64>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(before) if *range.start() <= before.end().saturating_add(1) => {
                *before = *before.start()..=*before.end().max(range.end());
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// Parses `7`, `A-B`, `A-` or `-B`, for a part between commas.
fn parse_range(part: &str) -> Result<RangeInclusive<u64>, DrawSetError> {
    let wrong = || DrawSetError::NotANumber(part.to_owned());
    // `parse` alone would also accept a plus sign.
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // The largest number is refused, because ranges use it for "without end".
        let value = digits.parse().ok().filter(|value| is_number && *value < u64::MAX);
        value.ok_or_else(wrong)
    };
    let (first, last) = match part.split_once('-') {
        None if part.is_empty() => return Err(DrawSetError::Empty),
        None => return number(part).map(|number| number..=number),
        Some(("", "")) => return Err(wrong()),
        Some(("", last)) => (0, number(last)?),
        Some((first, "")) => (number(first)?, u64::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if first > last { Err(DrawSetError::Reversed { first, last }) } else { Ok(first..=last) }
}

impl fmt::Display for DrawSet {
    /// Formats this set as a list that parses to the same set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, range) in self.ranges.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            match (*range.start(), *range.end()) {
                (first, u64::MAX) => write!(f, "{first}-")?,
                (first, last) if first == last => write!(f, "{first}")?,
                (first, last) => write!(f, "{first}-{last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> DrawSet {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn check_names_the_run_and_the_missing_draws() {
        let check = |text: &str, draws| set(text).check(draws).map_err(|error| error.to_string());
        assert_eq!(check("3-", 4), Ok(()), "an open end");
        assert_eq!(
            check("3,8-9", 4),
            Err("the run has 4 draws, 0 to 3, but not 8-9".to_owned()),
            "two are missing"
        );
        assert_eq!(check("1", 1), Err("the run has one draw, number 0, but not 1".to_owned()), "one draw");
        assert_eq!(check("0", 0), Err("the run has no draws, but not 0".to_owned()), "none");
    }

    #[test]
    fn sets_parse_and_print() {
        for (text, printed) in [
            ("7", "7"),
            ("40-99", "40-99"),
            ("12-", "12-"),
            ("-5", "0-5"),
            ("9, 3 ,4,5", "3-5,9"),
            ("1-4,2-8,9,20-", "1-9,20-"),
            ("5-,7-9", "5-"),
            ("0", "0"),
        ] {
            assert_eq!(set(text).to_string(), printed, "{text}");
            assert_eq!(set(printed), set(text), "{text} reads back");
        }
    }

    #[test]
    fn complements_are_the_other_draws() {
        for (text, other) in [("0", "1-"), ("3-5", "0-2,6-"), ("0-2,7,9-", "3-6,8"), ("5-", "0-4")] {
            assert_eq!(set(text).complement(), Some(set(other)), "without {text}");
            assert_eq!(set(other).complement(), Some(set(text)), "without {other}");
        }
        assert_eq!(DrawSet::all().complement(), None, "none is left");
    }

    #[test]
    fn wrong_texts_are_refused() {
        for text in ["", ",", "1,,2", "1,"] {
            assert_eq!(text.parse::<DrawSet>(), Err(DrawSetError::Empty), "{text}");
        }
        for text in ["-", "a", "+1", "1-+2", "1-2-3", "--5", "1.5", "18446744073709551615", "0x10"] {
            let error = text.parse::<DrawSet>();
            assert_eq!(error, Err(DrawSetError::NotANumber(text.to_owned())), "{text}");
        }
        assert_eq!("9-3".parse::<DrawSet>(), Err(DrawSetError::Reversed { first: 9, last: 3 }), "reversed");
    }

    #[test]
    fn membership_and_ends() {
        let set = set("2,5-7,10-");
        let members: Vec<u64> = (0..13).filter(|number| set.contains(*number)).collect();
        assert_eq!(members, [2, 5, 6, 7, 10, 11, 12], "members");
        assert_eq!((set.min(), set.max()), (2, None), "without end");
        assert_eq!(self::set("2,5-7").max(), Some(7), "with an end");
        assert!(DrawSet::all().contains(u64::MAX), "all draws");
        assert_eq!(DrawSet::range(RangeInclusive::new(5, 4)), None, "an empty range");
    }

    #[test]
    fn missing_draws_are_named() {
        for (text, draws, missing) in [
            ("7", 8, None),
            ("7", 7, Some("7")),
            ("40-99", 60, Some("60-99")),
            ("-5", 3, Some("3-5")),
            ("12-", 13, None),
            ("12-", 12, Some("12-")),
            ("1,5-7,9-", 6, Some("6-7,9-")),
            ("0", 0, Some("0")),
        ] {
            let found = set(text).missing(draws).map(|set| set.to_string());
            assert_eq!(found.as_deref(), missing, "{text} of {draws} draws");
        }
    }
}
