//! Options for a check.

use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::Limits;
use crate::scene::camera::Camera;

/// Options for a check.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Limits for this run. The search for missing pixels may again use as many pixels, and the search for unwritten
    /// bytes as many decoded bytes.
    pub limits: Limits,
    /// The arithmetic to transform and rasterize with.
    pub arithmetic: Arithmetic,
    /// How many causes of each rule get findings of their own. Further causes are counted together.
    pub causes: usize,
    /// The camera to draw a model with.
    pub camera: Camera,
}

impl Default for CheckOptions {
    fn default() -> Self {
        // This looks at the model from the front, from its left and from above.
        let camera = Camera { yaw: 35.0, pitch: 20.0, zoom: 1.0 };
        Self { limits: Limits::default(), arithmetic: Arithmetic::Hardware, causes: 16, camera }
    }
}

impl CheckOptions {
    /// Sets the limits on work and memory.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the arithmetic.
    #[must_use]
    pub const fn arithmetic(mut self, arithmetic: Arithmetic) -> Self {
        self.arithmetic = arithmetic;
        self
    }

    /// Sets how many causes of each rule get findings of their own.
    #[must_use]
    pub const fn causes(mut self, causes: usize) -> Self {
        self.causes = causes;
        self
    }

    /// Sets the camera to draw models with.
    #[must_use]
    pub const fn camera(mut self, camera: Camera) -> Self {
        self.camera = camera;
        self
    }
}
