//! The subcommands, one file each: arguments and `run`.

pub(crate) mod asm;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod decode;
pub(crate) mod diff;
pub(crate) mod disasm;
pub(crate) mod draw;
pub(crate) mod export;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod memory;
pub(crate) mod pack;
pub(crate) mod passes;
pub(crate) mod pixel;
pub(crate) mod reduce;
pub(crate) mod reference;
pub(crate) mod render;
pub(crate) mod schema;
pub(crate) mod state;
pub(crate) mod test;
pub(crate) mod textures;
pub(crate) mod trace;
pub(crate) mod trim;
pub(crate) mod view;
