//! These are the rules of emulators, for [`Arithmetic::Single`](crate::ge::arithmetic::Arithmetic::Single): lines
//! with inclusive ends, exact texture coordinates, and w at each pixel. They follow emulators from August 2026, to
//! compare pictures with theirs. The hardware has other rules. Smaller differences are branches in the rasterizer's
//! other files.
//! Source: [single arithmetic](crate::reference::ge::evidence#single-arithmetic).

pub(crate) mod line;
pub(crate) mod perspective_w;
pub(crate) mod texcoords;
