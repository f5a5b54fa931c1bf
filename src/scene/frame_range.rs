//! Reads which frames to draw, as users write them: `12`, `0-59`, `10-`, `0-59:2` or `all`.

use std::fmt;
use std::str::FromStr;

/// A range of frames with a step.
///
/// ```
/// use pspge::scene::frame_range::FrameRange;
///
/// let range: FrameRange = "0-9:4".parse()?;
/// assert_eq!(range.frames(10)?.collect::<Vec<_>>(), [0, 4, 8]);
/// assert_eq!("all".parse::<FrameRange>()?.frames(3)?.collect::<Vec<_>>(), [0, 1, 2]);
/// # Ok::<(), pspge::scene::frame_range::FrameRangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameRange {
    first: u32,
    /// The last frame; `None` for the animation's end.
    last: Option<u32>,
    /// At least 1.
    step: u32,
}

/// Why a text is not a range of frames, or why an animation lacks such frames.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameRangeError {
    /// The text is no range.
    #[error("'{0}' is not a range of frames, such as 0-59, 10-, 0-59:2 or all")]
    NotARange(String),
    /// The range ends before it starts.
    #[error("the range {first}-{last} ends before it starts")]
    Reversed {
        /// The first frame.
        first: u32,
        /// The last frame.
        last: u32,
    },
    /// The animation ends before a frame in the range.
    #[error("frame {frame} is beyond the end: the animation has {frames} frames, numbered from 0")]
    BeyondEnd {
        /// The first missing frame.
        frame: u32,
        /// How many frames the animation has.
        frames: u32,
    },
}

impl FrameRange {
    /// All frames in an animation.
    pub const ALL: Self = Self { first: 0, last: None, step: 1 };

    /// Returns the selected frames for an animation of this length. With 0 frames, an animation still has a single
    /// pose.
    ///
    /// # Errors
    /// [`FrameRangeError::BeyondEnd`] if the first or the last frame does not exist.
    pub fn frames(&self, frames: u32) -> Result<impl Iterator<Item = u32> + use<>, FrameRangeError> {
        let frames = frames.max(1);
        let last = self.last.unwrap_or(frames - 1);
        match [self.first, last].into_iter().find(|frame| *frame >= frames) {
            Some(frame) => Err(FrameRangeError::BeyondEnd { frame, frames }),
            None => Ok((self.first..=last).step_by(self.step as usize)),
        }
    }

    /// Returns how many frames each picture advances.
    #[must_use]
    pub const fn step(&self) -> u32 {
        self.step
    }
}

impl FromStr for FrameRange {
    type Err = FrameRangeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || FrameRangeError::NotARange(text.to_owned());
        let number = |digits: &str| -> Result<u32, FrameRangeError> {
            // `parse` alone would accept a sign, so this checks that there are only digits.
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| is_number).ok_or_else(wrong)
        };
        let (range, step) = match text.split_once(':') {
            Some((range, step)) => (range, Some(number(step)?).filter(|step| *step > 0).ok_or_else(wrong)?),
            None => (text, 1),
        };
        let (first, last) = match range.split_once('-') {
            _ if range == "all" => (0, None),
            None => (number(range)?, Some(number(range)?)),
            Some((first, "")) => (number(first)?, None),
            Some((first, last)) => (number(first)?, Some(number(last)?)),
        };
        match last {
            Some(last) if last < first => Err(FrameRangeError::Reversed { first, last }),
            _ => Ok(Self { first, last, step }),
        }
    }
}

impl fmt::Display for FrameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (0, None) => f.write_str("all")?,
            (first, None) => write!(f, "{first}-")?,
            (first, Some(last)) if first == last => write!(f, "{first}")?,
            (first, Some(last)) => write!(f, "{first}-{last}")?,
        }
        if self.step == 1 { Ok(()) } else { write!(f, ":{}", self.step) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str, count: u32) -> Result<Vec<u32>, String> {
        let range: FrameRange = text.parse().map_err(|error: FrameRangeError| error.to_string())?;
        assert_eq!(range.to_string(), text, "as written");
        Ok(range.frames(count).map_err(|error| error.to_string())?.collect())
    }

    #[test]
    fn ranges_select_frames() {
        assert_eq!(frames("2", 5), Ok(vec![2]), "one frame");
        assert_eq!(frames("1-3", 5), Ok(vec![1, 2, 3]), "both ends");
        assert_eq!(frames("3-", 5), Ok(vec![3, 4]), "to the end");
        assert_eq!(frames("all:2", 5), Ok(vec![0, 2, 4]), "every second frame");
        assert_eq!(frames("all", 0), Ok(vec![0]), "a single pose");
    }

    #[test]
    fn frames_beyond_the_end_are_errors() {
        let message =
            |frame| format!("frame {frame} is beyond the end: the animation has 5 frames, numbered from 0");
        assert_eq!(frames("5", 5), Err(message(5)), "one too far");
        assert_eq!(frames("0-9", 5), Err(message(9)), "the last one");
        assert_eq!(frames("7-", 5), Err(message(7)), "the first one");
    }

    #[test]
    fn wrong_texts_are_errors() {
        for text in ["", "-", "-3", "a", "1-b", "1:", "1:0", "+1", "1-2-3", "4294967296", "all-3", "all:all"]
        {
            assert!(frames(text, 5).is_err(), "{text}");
        }
        assert_eq!(frames("3-1", 5), Err("the range 3-1 ends before it starts".to_owned()), "reversed");
    }
}
