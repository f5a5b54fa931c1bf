//! Conformance harness and helpers of the tests. The harness runs the case folders under `ge-tests/cases` and
//! compares the results with hardware, documents or observation. `cases/README.md` explains the folders to
//! authors.

pub mod bbs_check;
pub mod bbs_oracle;
pub mod case;
pub mod compare;
pub mod corpus;
pub mod damage;
pub mod exercise;
pub mod exercise_debugger;
pub mod exercise_inspector;
pub mod frames;
pub mod fuzz;
pub mod generate;
pub mod geometry_text;
pub mod input;
pub mod inventory;
pub mod lists;
pub mod measure;
pub mod measured;
pub mod mml2_oracle;
pub mod msh_oracle;
pub mod mutate;
pub mod note_inputs;
pub mod note_text;
pub mod observe;
pub mod pmdl_oracle;
pub mod pmo_motion_oracle;
pub mod pmo_oracle;
pub mod random_list;
pub mod real_files;
pub mod rows;
pub mod rules;
pub mod run;
pub mod sample;
pub mod schema_check;
pub mod score;
pub mod scoreboard;
pub mod session;
pub mod shapes;
pub mod snapshot;
pub mod table_rows;
pub mod trimmed;
pub mod verdict;
pub mod worst;
