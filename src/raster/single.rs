//! The rules of emulators, for [`Arithmetic::Single`](crate::ge::arithmetic::Arithmetic::Single): lines with
//! inclusive ends, exact texture coordinates, and a bilinear filter that truncates once. They are those of
//! emulators of August 2026 and exist to compare pictures with them; the hardware follows none of them.
//! Source: [single arithmetic](crate::reference::ge::evidence#single-arithmetic).

pub(crate) mod line;
pub(crate) mod perspective_w;
pub(crate) mod texcoords;
