//! The rules of emulators, for [`Arithmetic::Single`](crate::ge::arithmetic::Arithmetic::Single): lines with
//! inclusive ends, exact texture coordinates, and w at each pixel. They are those of emulators of August 2026 and
//! exist to compare pictures with them; the hardware follows none of them. Smaller differences are branches of
//! the other files.
//! Source: [single arithmetic](crate::reference::ge::evidence#single-arithmetic).

pub(crate) mod line;
pub(crate) mod perspective_w;
pub(crate) mod texcoords;
