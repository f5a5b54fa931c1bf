//! Counts fragments by their fate.

use super::fragment_record::{FragmentRecord, TestName};

/// Fragment counts for a primitive or a draw. Overdrawn pixels count each time.
///
/// Each covered fragment is killed by a single test, or passes: [`Self::killed`] and [`Self::passed`] add up to
/// [`Self::covered`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FragmentCounts {
    /// How many pixels primitives cover, among the 1024×1024 pixels that a buffer can have.
    pub covered: u64,
    /// Killed by the scissor or the drawing region.
    pub scissor: u64,
    /// Killed by the depth range from MINZ to MAXZ.
    pub depth_range: u64,
    /// Killed by the alpha test.
    pub alpha: u64,
    /// Killed by the colour test.
    pub color: u64,
    /// Killed by the stencil test.
    pub stencil: u64,
    /// Killed by the depth test.
    pub depth: u64,
    /// Passed all tests.
    pub passed: u64,
    /// Passed and wrote at least one bit to the colour buffer, even if with the same value.
    pub color_writes: u64,
    /// Wrote depth, even if with the same value.
    pub depth_writes: u64,
    /// Changed the pixel or its depth. Killed fragments may change the stencil, too.
    pub changed: u64,
    /// How many texels were read: one or four for each mip level.
    pub texels: u64,
}

impl FragmentCounts {
    /// Returns how many fragments tests killed.
    #[must_use]
    pub fn killed(&self) -> u64 {
        let by_test = [self.scissor, self.depth_range, self.alpha, self.color, self.stencil, self.depth];
        by_test.iter().sum()
    }

    /// Adds other counts to these.
    pub fn add(&mut self, other: &Self) {
        self.covered += other.covered;
        self.scissor += other.scissor;
        self.depth_range += other.depth_range;
        self.alpha += other.alpha;
        self.color += other.color;
        self.stencil += other.stencil;
        self.depth += other.depth;
        self.passed += other.passed;
        self.color_writes += other.color_writes;
        self.depth_writes += other.depth_writes;
        self.changed += other.changed;
        self.texels += other.texels;
    }

    /// Counts a fragment inside the scissor with this fate.
    pub(super) fn add_fragment(&mut self, record: &FragmentRecord, fate: PixelFate) {
        self.covered += 1;
        *match fate {
            PixelFate::DepthRange => &mut self.depth_range,
            PixelFate::Alpha => &mut self.alpha,
            PixelFate::Color => &mut self.color,
            PixelFate::Stencil => &mut self.stencil,
            PixelFate::Depth => &mut self.depth,
            PixelFate::Untouched | PixelFate::Masked | PixelFate::Written => &mut self.passed,
        } += 1;
        self.color_writes += u64::from(writes_color(record));
        self.depth_writes += u64::from(record.depth_write.is_some());
        let (before, after) = (record.before, record.after);
        self.changed += u64::from(before.bits != after.bits || before.depth != after.depth);
    }
}

/// A pixel's fate is that of the fragment that came farthest there. Later fates are greater, to let `max` pick it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PixelFate {
    /// No fragment.
    #[default]
    Untouched,
    /// Killed by the depth range.
    DepthRange,
    /// Killed by the alpha test.
    Alpha,
    /// Killed by the colour test.
    Color,
    /// Killed by the stencil test.
    Stencil,
    /// Killed by the depth test.
    Depth,
    /// Passed, but masks or clear mode kept it from writing.
    Masked,
    /// Written, even if only depth or the same value.
    Written,
}

impl PixelFate {
    /// Returns the fate of a fragment inside the scissor.
    pub(crate) fn of(record: &FragmentRecord) -> Self {
        match record.failed_test().map(|test| test.test) {
            Some(TestName::DepthRange) => Self::DepthRange,
            Some(TestName::Alpha) => Self::Alpha,
            Some(TestName::Color) => Self::Color,
            Some(TestName::Stencil) => Self::Stencil,
            Some(TestName::Depth) => Self::Depth,
            _ if writes_color(record) || record.depth_write.is_some() => Self::Written,
            _ => Self::Masked,
        }
    }
}

/// Returns whether a fragment passed and wrote bits to the colour buffer.
fn writes_color(record: &FragmentRecord) -> bool {
    record.passed && record.color_write.is_some_and(|write| write.protected != [255; 4])
}
