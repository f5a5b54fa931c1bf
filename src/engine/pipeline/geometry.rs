//! Takes decoded vertices through the geometry stages and produces screen primitives.
//!
//! Each stage is a file, in this order: `morph` → `skin` → `patch` → `transform` with `normal`, `texgen`,
//! `material`, `light` and `fog` → `assemble` → `viewport` with `outcode` → `clip_test` and `clip` → `cull`. Each
//! stage is generic over the number format.
//! Source: [vertices](crate::reference::ge::vertices), [transform](crate::reference::ge::transform),
//! [clipping](crate::reference::ge::clipping), [lighting](crate::reference::ge::lighting) and
//! [curves](crate::reference::ge::curves).
//!
//! # Invariants
//! Stages are pure functions of registers and vertices. To give the same result everywhere, every sum is a row sum
//! or has a fixed order, see `math`.
//!
//! # Infinities, NaN and denormals
//! Registers and matrices keep all 24-bit patterns ([`crate::ge::float24`]). The geometry stages define how
//! infinite, NaN and denormal numbers act, so that all rasterizers agree. To pin this down, the test
//! `special_numbers` in `ge-tests` puts such numbers in every place of a list that takes a float; its snapshot
//! holds the results.
//!
//! The last column names the [evidence](crate::reference::ge::evidence#certainty-marks). "Chosen" means that
//! the hardware's behaviour is [open](crate::reference::ge::numbers#nan-and-infinity), so pspge defines it.
//!
//! | arithmetic | result | evidence |
//! | --- | --- | --- |
//! | denormal operand | 0 of its sign | measured: [HF16] |
//! | result smaller than 2^-126 | 0 of its sign | chosen |
//! | result of 2^128 and above, 1/0 | infinity | chosen |
//! | ∞ − ∞, 0 · ∞ | NaN | chosen |
//! | interpolation of a curve with ∞ or NaN at one end | the sum of both ends | chosen |
//! | all of these with [`Arithmetic::Single`] | IEEE 754; denormals are kept | emulators |
//!
//! | input | value used if infinite or NaN | evidence |
//! | --- | --- | --- |
//! | float position | the largest single of its sign, so that 0 times it is 0 | PPSSPP, a game |
//! | float position, through mode | NaN: 0; x, y: ±2^20 pixels; z: the nearer end of 0..65535 | chosen |
//! | control point | as a vertex; its sub-patch is always tessellated | chosen |
//! | normal | itself | assumed |
//! | matrix element, viewport | itself | assumed |
//! | weight of a bone or morph frame | itself | assumed |
//! | light register | ±2^60, also for finite numbers beyond it | chosen |
//! | direction of a spot light | ±1 by its sign; finite components 0 | tested: [lights] |
//! | cutoff of a spot light | NaN with a sign: 0; else itself | tested: [lights] |
//! | exponent of a light | 496; NaN with a sign: 0; −∞: itself, as 0 | tested: [exponents] |
//! | fog end | no fog or full fog everywhere, by the signs of end and slope | measured: [fog] |
//! | fog slope | ±262144 | measured: [fog] |
//! | fog register with [`Arithmetic::Single`] | ±2^60, also for finite numbers beyond it | chosen |
//!
//! | result | effect | evidence |
//! | --- | --- | --- |
//! | NaN in clip z or w | the vertex is outside the near plane | chosen |
//! | NaN in clip x or y | the vertex is outside no side, but outside the screen | chosen |
//! | w ≤ 0 | drops rectangles; without DEPTHCLAMPENABLE all primitives | measured: [depth] |
//! | w = 0 | drops the primitive, unless near clipping removes the vertex | tested: [zero w] |
//! | screen x or y outside 0..4096, or NaN | drops it, same exception | verified: [range]; NaN chosen |
//! | screen z outside 0..65536, or NaN | drops the primitive | measured: [depth]; NaN chosen |
//! | the same with DEPTHCLAMPENABLE 1 | 0 for NaN, else the nearer end | tested: [clamp] |
//! | NaN in x, y or z of a BBOX vertex | the vertex is outside no plane | tested for z: [BBOX] |
//! | NaN as a factor of a light | 0: no light | chosen |
//! | vertex exactly at a point or spot light | light vector 0: no diffuse light | chosen: [light vector] |
//! | NaN as a fog factor | 0: full fog | chosen |
//! | NaN as the place of a new vertex on an edge | its position is NaN, which drops it | chosen |
//! | infinite texture coordinate | texel 0 | verified with wrap: [coordinates] |
//! | NaN as a texture coordinate | 0 | verified: [coordinates] |
//! | morphed colour | NaN: 0; infinite: 0 or 255 by its sign | chosen |
//!
//! [`Arithmetic::Single`]: crate::ge::arithmetic::Arithmetic::Single
//! [HF16]: crate::reference::ge::numbers#hf16
//! [lights]: crate::reference::ge::lighting#spot
//! [exponents]: crate::reference::ge::lighting#power-function
//! [light vector]: crate::reference::ge::lighting#light-vector
//! [fog]: crate::reference::ge::transform#special-values
//! [zero w]: crate::reference::ge::clipping#zero-and-negative-w
//! [range]: crate::reference::ge::clipping#screen-range
//! [depth]: crate::reference::ge::clipping#depth-clamp-off
//! [clamp]: crate::reference::ge::clipping#depth-clamp-on
//! [BBOX]: crate::reference::ge::lists#bbox
//! [coordinates]: crate::reference::ge::sampling#special-coordinates

pub(crate) mod assemble;
#[doc(hidden)]
pub mod bounding;
pub(crate) mod clip;
pub(crate) mod clip_test;
pub(crate) mod clip_vertex;
pub(crate) mod cull;
pub(crate) mod fog;
pub(crate) mod lanes;
pub(crate) mod light;
pub(crate) mod light_vector;
pub(crate) mod material;
pub(crate) mod math;
pub(crate) mod model_vertices;
pub(crate) mod morph;
pub(crate) mod normal;
pub(crate) mod outcode;
#[doc(hidden)]
pub mod patch;
pub(crate) mod power;
pub(crate) mod rectangle_merger;
pub(crate) mod screen_position;
pub(crate) mod skin;
pub(crate) mod texgen;
pub(crate) mod transform;
pub(crate) mod viewport;
pub mod zero_normal;
