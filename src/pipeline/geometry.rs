//! The geometry stages: from decoded vertices to primitives on the screen.
//!
//! Stages, one per file: [`morph`] → [`skin`] → [`patch`] → [`transform`] with [`texgen`], [`material`] and [`light`],
//! and [`fog`] → [`assemble`] → [`outcode`], [`clip_test`] and [`clip`] → [`viewport`] and [`cull`]. Each is generic over the number system.
//! Source: `ge-reference.md` §4.5–§6, §10, appendix C.
//!
//! # Invariants
//! Stages are pure functions of registers and vertices. The order of every sum is written down in [`math`].
//!
//! # Numbers that are infinite, none, or too small
//! Registers and matrices keep every pattern of their 24 bits ([`crate::ge::float24`]). What comes of one that is infinite, no
//! number (NaN) or denormal is decided here, once for all rasterizers; `tests/special_numbers` of `ge-tests` shows it for every
//! place of a list that takes a float.
//!
//! | what | becomes | source |
//! | --- | --- | --- |
//! | a result below 2^-126 in the hardware's arithmetic, and a denormal operand | 0 of its sign | assumed; appendix A leaves it open |
//! | a result from 2^128 on | infinite; infinite less infinite and 0 times infinite are no number | assumed; appendix A leaves it open |
//! | the same with [`crate::ge::arithmetic::Arithmetic::Single`] | as IEEE 754 has it, denormals kept | emulators' arithmetic |
//! | a float position of a vertex | the largest single of its sign, so that an element 0 of a matrix makes 0 of it | §5.4 (PPSSPP), a game's sprites |
//! | elements of matrices; weights of bones and of morph frames; normals; viewport | themselves | assumed |
//! | x or y on the screen that is no number, or outside the 4096×4096 space | its primitive is dropped | §5.4; not a number: chosen |
//! | depth that is no number, or outside 16 bits | its primitive is dropped; with DEPTHCLAMPENABLE 0, or the nearer end | §5.4; not a number: chosen |
//! | clip z or w that is no number | behind the near plane | chosen |
//! | w = 0 | its primitive is dropped | §5.4 (hardware test `clipping/homogeneous`) |
//! | x and y in through mode | 0 for no number, else at most 2^20 pixels away | chosen |
//! | registers of lights and of fog | infinite and no number count as 2^60 of their sign | §6.3 (hardware test `commands/light`), §6.7 |
//! | a factor of light that is no number | 0 | §6.3 |
//! | a factor of fog that is no number | 0: all fog | chosen |
//! | a texture coordinate | 0 for no number; infinite ones are even, and wrap to texel 0 | hardware test `vertices/texcoords` |
//! | control points of patches | as vertices; a piece with one that is not finite is divided whole, and what is nowhere dropped | chosen |
//! | a colour out of morphing that is no number | 0 | chosen |

pub mod assemble;
pub mod bounding;
pub mod clip;
pub mod clip_test;
pub mod clip_vertex;
pub mod cull;
pub mod fog;
pub mod lanes;
pub mod light;
pub mod material;
pub mod math;
pub mod morph;
pub mod normal;
pub mod outcode;
pub mod patch;
pub mod power;
pub mod rectangle_merger;
pub mod skin;
pub mod texgen;
pub mod transform;
pub mod viewport;
