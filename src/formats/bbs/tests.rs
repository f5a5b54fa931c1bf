//! What the tests of this game's formats share.

pub(super) mod made;
