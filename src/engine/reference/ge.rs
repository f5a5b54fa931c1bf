//! The Graphics Engine as hardware tests and probes show it, for everyone who emulates, replays or programs it.
//!
//! * [`numbers`]: 24-bit floats, the transform unit's 16-bit arithmetic, reciprocals
//! * [`memory`]: addresses, VRAM and its views
//! * [`lists`]: list execution, jumps, signals, immediate vertices, saved context
//! * [`list_queue`]: the kernel's queue for lists, its errors, states and callbacks
//! * [`commands`]: all 256 commands and their arguments
//! * [`vertices`]: vertex formats, morphing, skinning, indices
//! * [`transform`]: matrices, viewport, raster grid, fog
//! * [`clipping`]: primitive assembly, range tests, near clipping
//! * [`lighting`]: lights, materials, environment map, texture matrix
//! * [`curves`]: Bezier and spline patches
//! * [`coverage`]: which pixels a primitive covers
//! * [`interpolation`]: planes for depth, colour, fog and texture coordinates
//! * [`textures`]: texel formats, palettes, cache, self-sampling, level of detail
//! * [`sampling`]: from coordinates to texels, filters, texture functions
//! * [`pixels`]: tests, blending, dither, logic operation, masks
//! * [`transfers`]: block transfers, ends of VRAM, depth layout
//! * [`frame_dumps`]: PPSSPP frame dumps and how to replay them
//! * [`frames`]: why recorded frames differ from their pictures
//! * [`evidence`]: hardware test results, and open questions
//! * [`scoreboard`]: how much of this evidence pspge reproduces, compared to PPSSPP
//! * [`rules`]: every measured rule with its experiments, tests and certainty

#[doc = include_str!("ge/numbers.md")]
pub mod numbers {}

#[doc = include_str!("ge/memory.md")]
pub mod memory {}

#[doc = include_str!("ge/lists.md")]
pub mod lists {}

#[doc = include_str!("ge/list_queue.md")]
pub mod list_queue {}

#[doc = include_str!("ge/commands.md")]
pub mod commands {}

#[doc = include_str!("ge/vertices.md")]
pub mod vertices {}

#[doc = include_str!("ge/transform.md")]
pub mod transform {}

#[doc = include_str!("ge/clipping.md")]
pub mod clipping {}

#[doc = include_str!("ge/lighting.md")]
pub mod lighting {}

#[doc = include_str!("ge/curves.md")]
pub mod curves {}

#[doc = include_str!("ge/coverage.md")]
pub mod coverage {}

#[doc = include_str!("ge/interpolation.md")]
pub mod interpolation {}

#[doc = include_str!("ge/textures.md")]
pub mod textures {}

#[doc = include_str!("ge/sampling.md")]
pub mod sampling {}

#[doc = include_str!("ge/pixels.md")]
pub mod pixels {}

#[doc = include_str!("ge/transfers.md")]
pub mod transfers {}

#[doc = include_str!("ge/frame_dumps.md")]
pub mod frame_dumps {}

#[doc = include_str!("ge/frames.md")]
pub mod frames {}

#[doc = include_str!("ge/evidence.md")]
pub mod evidence {}

#[doc = include_str!("ge/scoreboard.md")]
pub mod scoreboard {}

#[doc = include_str!("ge/rules.md")]
pub mod rules {}
