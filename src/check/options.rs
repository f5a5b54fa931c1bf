//! The options of a check.

use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::Limits;
use crate::scene::camera::Camera;

/// The options of a check.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Limits of the run. The examination of draws without pixels has the same limit of pixels once more, and
    /// the search for unwritten bytes that of decoded bytes.
    pub limits: Limits,
    /// Arithmetic of transform and rasterizer.
    pub arithmetic: Arithmetic,
    /// Number of causes of each rule that have findings of their own. The others are counted together.
    pub causes: usize,
    /// The camera that a model is drawn with.
    pub camera: Camera,
}

impl Default for CheckOptions {
    fn default() -> Self {
        // In front of the model, to its left and above.
        let camera = Camera { yaw: 35.0, pitch: 20.0, zoom: 1.0 };
        Self { limits: Limits::default(), arithmetic: Arithmetic::Hardware, causes: 16, camera }
    }
}

impl CheckOptions {
    /// Bounds work and memory.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Computes with this arithmetic.
    #[must_use]
    pub const fn arithmetic(mut self, arithmetic: Arithmetic) -> Self {
        self.arithmetic = arithmetic;
        self
    }

    /// Keeps this number of causes of each rule apart.
    #[must_use]
    pub const fn causes(mut self, causes: usize) -> Self {
        self.causes = causes;
        self
    }

    /// Draws models with this camera.
    #[must_use]
    pub const fn camera(mut self, camera: Camera) -> Self {
        self.camera = camera;
        self
    }
}
