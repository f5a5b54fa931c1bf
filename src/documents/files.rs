//! Documents on files: what they hold, and what was made of them.

pub mod assembly;
pub mod capture;
pub mod info;
#[cfg(feature = "import")]
pub mod model_import;
pub mod pack_check;
#[cfg(feature = "import")]
pub mod texture_import;
pub mod texture_index;
