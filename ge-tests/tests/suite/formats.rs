//! Tests of model and picture formats, on the files of the corpus and on the bundled samples.

mod added_format;
mod bbs_corpus;
mod bbs_sample;
mod gim_corpus;
mod gmo_corpus;
mod mml2_corpus;
mod mml2_sample;
mod msh_corpus;
mod pmdl_corpus;
mod pmdl_errors;
mod pmdl_geometry;
mod pmdl_visibility;
mod pmo_corpus;
mod pmo_geometry;
mod pmo_motion;
mod real_files;
mod sample;
