//! Writes Birth by Sleep's formats.

pub(crate) mod arc;
pub(crate) mod bon;
pub(crate) mod pam;
pub(crate) mod pmo;
pub(crate) mod pmp;
pub(crate) mod tim2;
