//! The rules, by the part of the input to look at.

#[cfg(feature = "formats")]
pub(crate) mod dump_rules;
pub(crate) mod geometry_rules;
pub(crate) mod list_rules;
pub(crate) mod model_rules;
pub(crate) mod palette_rules;
pub(crate) mod pixel_rules;
pub(crate) mod register_rules;
pub(crate) mod state_rules;
pub(crate) mod target_rules;
pub(crate) mod texture_rules;
pub(crate) mod transfer_rules;
pub(crate) mod vertex_rules;
