//! Fixtures shared by the tests of this game's formats.

pub(super) mod fixtures;
