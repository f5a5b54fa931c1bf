//! Documents on files: their contents, and the files made from them.

pub mod assembly;
pub mod capture;
pub mod info;
#[cfg(feature = "import")]
pub mod model_import;
pub mod pack_check;
#[cfg(feature = "import")]
pub mod texture_import;
pub mod texture_index;
