//! Keeps a fault instead of pixels' values, for instance that another renderer draws some pixels wrongly.

use crate::ge::capture::Capture;

/// A fault to keep while a run is reduced. Implement this to decide yourself which parts may go.
///
/// Both captures show the whole run's screen: their last commands select its buffer. They have no calls and jumps.
pub trait Fault {
    /// Looks for the fault in the whole run. Returns the screen's pixels that show it, none if it shows elsewhere;
    /// `None` if the run does not have it.
    fn find(&mut self, whole: &Capture) -> Option<Vec<[u32; 2]>>;

    /// Returns whether a part of the run still has this fault; `None` to end the reduction here.
    fn remains(&mut self, part: &Capture) -> Option<bool>;
}
