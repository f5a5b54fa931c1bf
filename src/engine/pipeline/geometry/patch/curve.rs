//! Evaluates cubic curves as the hardware does, by six interpolations in fixed point.
//!
//! A curve with four control points needs three rounds of linear interpolation: three, two and one. In a Bezier
//! curve all six use the same factor (de Casteljau); in a spline the factors depend on the knots (de Boor). Factors
//! are multiples of 1/256.
//!
//! # Invariants
//! Interpolating between equal numbers returns the same number. A point is never outside the range of its control
//! points, cut to 16 significant bits. A curve starts and ends at its first and last control point, and a reversed
//! curve has the same points, so patches with common control points meet without gaps.
//!
//! Source: [parameter](crate::reference::ge::curves#parameter),
//! [evaluation](crate::reference::ge::curves#evaluation), [splines](crate::reference::ge::curves#splines).

use super::knots::Knots;
use crate::pipeline::geometry::lanes::{LANES, Lanes};

/// The factor for the whole way to the second number.
pub(super) const WHOLE: i32 = 256;

/// The six interpolations' factors, in 1/256: three in the first round, then two, then one.
pub(super) type Factors<K> = [K; 6];

/// Returns the parameter for step `step` of `steps`, in 1/256. To match the hardware, this measures from the nearer
/// end and multiplies by the reciprocal of `steps`, rounded up to 14 fraction bits.
pub(super) fn parameter(step: u32, steps: u32) -> i32 {
    const FRACTION_BITS: u32 = 14;
    let reciprocal = (1_u32 << FRACTION_BITS).div_ceil(steps.max(1));
    let part = |step: u32| ((step * reciprocal) >> (FRACTION_BITS - 8)).cast_signed();
    let rest = steps.saturating_sub(step);
    if step <= rest { part(step) } else { WHOLE - part(rest) }
}

/// Returns the factor at `at`/256 to interpolate between the knots `from` and `to`, measured from the nearer knot.
/// The span between the knots is at least 1.
fn knot_factor([from, to]: [i32; 2], at: i32) -> i32 {
    let (before, after) = (at - WHOLE * from, WHOLE * to - at);
    let span = (to - from).max(1);
    if before <= after { before / span } else { WHOLE - after / span }
}

/// A curve's steps, from its start to its end.
#[derive(Clone, Debug)]
pub(super) struct CurveSteps {
    /// The factors for all steps, in lanes. Unused lanes in the last group are 0.
    lanes: Vec<Factors<Lanes<i32>>>,
    /// How many steps follow the start.
    steps: u32,
    /// Whether another curve continues this spline, because the last step then counts as that curve's start.
    is_continued: bool,
}

impl CurveSteps {
    /// Computes the steps for a Bezier curve.
    pub(super) fn bezier(steps: u32) -> Self {
        Self::new(steps, false, |k| [k; 6])
    }

    /// Computes the steps for span `span` of a spline.
    pub(super) fn spline(steps: u32, knots: Knots, span: u32) -> Self {
        let is_continued = span + 4 < knots.points;
        Self::new(steps, is_continued, |k| {
            let at = WHOLE * span.cast_signed() + k;
            let factor = |from: u32, to: u32| knot_factor([from, to].map(|n| knots.knot(span + n)), at);
            [factor(1, 4), factor(2, 5), factor(3, 6), factor(2, 4), factor(3, 5), factor(3, 4)]
        })
    }

    fn new(steps: u32, is_continued: bool, factors: impl Fn(i32) -> Factors<i32>) -> Self {
        let mut lanes = vec![[[0; LANES]; 6]; (steps as usize + 1).div_ceil(LANES)];
        for (step, lane) in (0..=steps).zip(0..) {
            let lanes: &mut Factors<Lanes<i32>> = &mut lanes[lane / LANES];
            for (lanes, factor) in lanes.iter_mut().zip(factors(parameter(step, steps))) {
                lanes[lane % LANES] = factor;
            }
        }
        Self { lanes, steps, is_continued }
    }

    #[inline(always)]
    pub(super) fn lanes(&self) -> &[Factors<Lanes<i32>>] {
        &self.lanes
    }

    /// Counts the points, which are the steps and the start.
    pub(super) const fn points(&self) -> usize {
        self.steps as usize + 1
    }

    #[inline(always)]
    pub(super) fn factors(&self, step: u32) -> Factors<i32> {
        let (group, lane) = (step as usize / LANES, step as usize % LANES);
        let Some([a, b, c, d, e, f]) = self.lanes.get(group) else { return [0; 6] };
        [a[lane], b[lane], c[lane], d[lane], e[lane], f[lane]]
    }

    /// Gathers up to [`LANES`] steps. Unused lanes are 0.
    #[inline(always)]
    pub(super) fn gather(&self, steps: impl Iterator<Item = u32>) -> StepLanes {
        let mut out = StepLanes { factors: [[0; LANES]; 6], starts_next: [false; LANES] };
        for (lane, step) in steps.take(LANES).enumerate() {
            for (factors, factor) in out.factors.iter_mut().zip(self.factors(step)) {
                factors[lane] = factor;
            }
            out.starts_next[lane] = self.starts_next(step);
        }
        out
    }

    /// Whether a step counts as the next curve's start. This changes its tangent, but not its point.
    #[inline(always)]
    pub(super) const fn starts_next(&self, step: u32) -> bool {
        self.is_continued && step == self.steps
    }
}

/// Several steps along a curve, to evaluate them in lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepLanes {
    /// The steps' factors.
    pub(super) factors: Factors<Lanes<i32>>,
    /// Whether each counts as the start of the next curve ([`CurveSteps::starts_next`]).
    pub(super) starts_next: [bool; LANES],
}

/// A curve's evaluated point, with the data for its tangent.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurvePoint<T> {
    pub(super) point: T,
    /// The two points from the second round. Their difference is the tangent.
    pub(super) last_two: [T; 2],
    /// The same two points for a spline's next curve, if this is the curve's end.
    pub(super) next_two: [T; 2],
}

impl<T> CurvePoint<T> {
    /// Returns the two points whose difference is the tangent.
    #[inline(always)]
    pub(super) fn tangent_ends(self, starts_next: bool) -> [T; 2] {
        if starts_next { self.next_two } else { self.last_two }
    }
}

/// Evaluates a curve with four control points.
#[inline(always)]
pub(super) fn evaluate<T: Copy, K>(
    [a, b, c, d]: [T; 4],
    factors: &Factors<K>,
    lerp: impl Fn(&T, &T, &K) -> T,
) -> CurvePoint<T> {
    let [k_ab, k_bc, k_cd, k_abc, k_bcd, k_abcd] = factors;
    let [ab, bc, cd] = [lerp(&a, &b, k_ab), lerp(&b, &c, k_bc), lerp(&c, &d, k_cd)];
    let [abc, bcd] = [lerp(&ab, &bc, k_abc), lerp(&bc, &cd, k_bcd)];
    // The next curve lacks the first control point. At its start the factors towards its own last point are 0, so
    // its second round gives `bcd` and `cd`.
    CurvePoint { point: lerp(&abc, &bcd, k_abcd), last_two: [abc, bcd], next_two: [bcd, cd] }
}

/// Interpolates between colour channels, each with its own factor. [`widen_channel`] has converted them from 0 to
/// 255.
#[inline(always)]
pub(super) fn lerp_channels<const N: usize>(a: &[i32; N], b: &[i32; N], factors: &[i32; N]) -> [i32; N] {
    let mut out = [0; N];
    for (lane, out) in out.iter_mut().enumerate() {
        *out = lerp_fixed(a[lane], b[lane], factors[lane]);
    }
    out
}

/// Converts a colour channel for interpolation, by appending 7 set bits.
#[inline(always)]
pub(super) const fn widen_channel(channel: u8) -> i32 {
    (channel as i32) << 7 | 0x7F
}

/// Converts an interpolated colour channel back.
#[inline(always)]
pub(super) const fn narrow_channel(channel: i32) -> u8 {
    (channel >> 7).to_le_bytes()[0]
}

/// Interpolates between fixed-point numbers of up to 17 bits. Flooring the result passes both ends through.
#[inline(always)]
const fn lerp_fixed(a: i32, b: i32, factor: i32) -> i32 {
    a + (((b - a) * factor) >> 8)
}

/// The exponent field of infinity and NaN.
const INFINITE: u32 = 0xFF;
/// The exponent field of the fixed-point number 2^15, because this is the larger operand's leading bit.
const LEADING: i32 = 127 + 15;

/// Interpolates between two HF16 numbers. Both become 16-bit fixed point at the larger exponent, so the smaller
/// number may lose bits, unless the factor is 0 or 256. An infinite or NaN operand gives the sum of both (chosen).
#[inline(always)]
pub(super) fn lerp(a: f32, b: f32, factor: i32) -> f32 {
    let exponent = biased_exponent(a).max(biased_exponent(b));
    let fixed = lerp_fixed(to_fixed(a, exponent), to_fixed(b, exponent), factor);
    let between = if exponent == INFINITE { a + b } else { from_fixed(fixed, exponent) };
    // Both ends pass unchanged, because fixed point may have cut bits from the smaller number.
    let up_to_end = if factor == WHOLE { b } else { between };
    if factor == 0 { a } else { up_to_end }
}

#[inline(always)]
const fn biased_exponent(number: f32) -> u32 {
    number.to_bits() >> 23 & 0xFF
}

/// Converts a number to fixed point at an exponent not smaller than its own, rounding towards zero.
#[inline(always)]
fn to_fixed(number: f32, exponent: u32) -> i32 {
    let own = biased_exponent(number);
    // Zero has no leading one.
    let significand = number.to_bits() >> 8 & 0x7FFF | if own == 0 { 0 } else { 0x8000 };
    let magnitude = significand.checked_shr(exponent - own).unwrap_or(0).cast_signed();
    if number.to_bits() >> 31 == 1 { -magnitude } else { magnitude }
}

/// Converts fixed point with at most 16 bits back to a float. Numbers below the smallest normal number become 0.
#[expect(clippy::cast_precision_loss, reason = "numbers of at most 16 bits are exact")]
#[inline(always)]
fn from_fixed(fixed: i32, exponent: u32) -> f32 {
    let integer = (fixed as f32).to_bits();
    let moved_by = exponent.cast_signed() - LEADING;
    let own = (integer >> 23 & 0xFF).cast_signed();
    let moved = integer.wrapping_add((moved_by << 23).cast_unsigned());
    // For 0 the exponent field is 0, so moving it would turn 0 into another number.
    let is_normal = (own != 0) & (own + moved_by > 0);
    f32::from_bits(if is_normal { moved } else { integer & 1 << 31 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::registers::vertex::SplineEdge;

    fn point(points: [f32; 4], factors: Factors<i32>) -> f32 {
        evaluate(points, &factors, |&a, &b, &k| lerp(a, b, k)).point
    }

    /// [Parameter](crate::reference::ge::curves#parameter).
    #[test]
    fn parameters_are_rounded_towards_the_middle() {
        let parameters = |steps| (0..=steps).map(|step| parameter(step, steps)).collect::<Vec<_>>();
        assert_eq!(parameters(1), [0, 256], "one step");
        assert_eq!(parameters(3), [0, 85, 171, 256], "thirds");
        assert_eq!(parameters(6), [0, 42, 85, 128, 171, 214, 256], "sixths");
        for steps in 1..=127 {
            for step in 0..=steps {
                assert_eq!(parameter(step, steps) + parameter(steps - step, steps), 256, "{step}/{steps}");
            }
        }
    }

    /// [Lerp](crate::reference::ge::curves#lerp).
    #[test]
    fn lerps_in_fixed_point_at_the_larger_exponent() {
        let last_bit = 1.0 / 32768.0;
        assert_eq!(lerp(1.0, 2.0, 128), 1.5, "exact");
        assert_eq!(lerp(1.0, 1.0 + last_bit, 255), 1.0, "floored: 255/256 of one bit");
        assert_eq!(lerp(1.0 + last_bit, 1.0, 1), 1.0, "floored: −1/256 of one bit is −1");
        assert_eq!(lerp(-1.0, -1.0 - last_bit, 1), -1.0 - last_bit, "floored, not cut towards zero");
        // 2^-16 is below the last bit of 1; −2^-16 is cut towards zero too.
        for small in [last_bit / 2.0, -last_bit / 2.0] {
            assert_eq!(lerp(small, 1.0, 128), 0.5, "{small} is cut to 0");
            assert_eq!(lerp(small, 1.0, 0), small, "factor 0 passes it");
            assert_eq!(lerp(1.0, small, 256), small, "factor 256 passes it");
        }
        assert_eq!(lerp(1.5 * last_bit, 1.0, 64), 0.25, "1 + floor(32767 / 4) bits");
        assert_eq!(lerp(0.0, -5.0, 51), -8160.0 / 8192.0, "floor(−40960 · 51 / 256) bits");
    }

    #[test]
    fn lerp_between_equal_numbers_returns_them() {
        for number in [0.0_f32, 1.0, -1.5, 479.0625, 3.0e38, -1.2e-38] {
            let number = f32::from_bits(number.to_bits() & 0xFFFF_FF00);
            assert!((0..=256).all(|k| lerp(number, number, k) == number), "{number}");
        }
    }

    #[test]
    fn lerp_defines_the_ends_of_the_range() {
        let tiny = f32::MIN_POSITIVE;
        assert_eq!(lerp(tiny, 0.0, 128), 0.0, "a denormal result is 0");
        assert_eq!(lerp(f32::from_bits(0x7F7F_FF00), f32::from_bits(0xFF7F_FF00), 128), 0.0, "no overflow");
        assert_eq!(lerp(f32::INFINITY, 1.0, 128), f32::INFINITY, "infinite");
        assert!(lerp(f32::INFINITY, f32::NEG_INFINITY, 128).is_nan(), "∞ − ∞");
        assert!(lerp(1.0, f32::NAN, 1).is_nan(), "NaN");
        assert_eq!(lerp(1.0, f32::NAN, 0), 1.0, "factor 0 ignores the other end");
    }

    /// Games draw the same patch from both ends and expect equal depth.
    #[test]
    fn reversed_curves_have_the_same_points() {
        let mut seed = 1_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits((seed >> 9 | 1.0_f32.to_bits()) & 0xFFFF_FF00) * 256.0 - 384.0
        };
        for _ in 0..1000 {
            let [a, b, c, d] = std::array::from_fn(|_| random());
            for k in 0..=256 {
                assert_eq!(point([a, b, c, d], [k; 6]), point([d, c, b, a], [256 - k; 6]), "{k}");
            }
        }
    }

    #[test]
    fn channels_keep_their_ends_and_are_floored() {
        let lerp = |a, b, k| narrow_channel(lerp_fixed(widen_channel(a), widen_channel(b), k));
        for k in 0..=256 {
            assert_eq!(lerp(77, 77, k), 77, "equal channels");
        }
        assert_eq!([lerp(0, 255, 0), lerp(0, 255, 256)], [0, 255], "ends");
        // 127 + 32640·128/256 = 16447 = 128·128 + 63.
        assert_eq!(lerp(0, 255, 128), 128, "the middle");
        // 127 + 128·1/256 = 127.5.
        assert_eq!(lerp(0, 1, 1), 0, "still below 128");
        assert_eq!(lerp(0, 1, 2), 1, "127 + 1 = 128");
        assert_eq!(lerp(1, 0, 2), 1, "255 − 1 = 254");
    }

    /// Rows of [splines](crate::reference::ge::curves#splines): thirds are 85 and 171.
    #[test]
    fn spline_factors_are_measured_from_the_nearer_knot() {
        let factors =
            |edge, points, span, step| CurveSteps::spline(4, Knots { points, edge }, span).factors(step);
        let (uniform, clamped) = (SplineEdge::OPEN, SplineEdge::CLOSE);
        assert_eq!(factors(uniform, 4, 0, 0), [171, 85, 0, 128, 0, 0], "uniform start");
        assert_eq!(factors(uniform, 4, 0, 4), [256, 171, 85, 256, 128, 256], "uniform end");
        // k = 64: 2 1/4, 1 1/4 and 1/4 of 3; 1 1/4 and 1/4 of 2.
        assert_eq!(factors(uniform, 4, 0, 1), [256 - 64, 106, 21, 160, 32, 64], "a quarter");
        assert_eq!(factors(clamped, 4, 0, 1), [64; 6], "a single clamped span is a Bezier curve");
        // Knots 0 0 0 0 1 2 2 2 2: spans 1, 2, 2; 1, 2; 1.
        assert_eq!(factors(clamped, 5, 0, 2), [128, 64, 64, 128, 64, 128], "first of two spans");
        assert_eq!(factors(clamped, 5, 1, 2), [192, 192, 128, 192, 128, 128], "second of two spans");
    }

    /// From the picture of `primitives/spline`: 30 pixels with two control points at each end.
    #[test]
    fn evaluates_spline_ends() {
        let ends = |edge| {
            let steps = CurveSteps::spline(4, Knots { points: 4, edge }, 0);
            [0, 4].map(|step| point([10.0, 10.0, 40.0, 40.0], steps.factors(step)))
        };
        // 10 + 30·85/256 = 19.96, halved with 10; 10 + 30·171/256 = 30.04, halved with 40.
        assert_eq!(ends(SplineEdge::OPEN).map(|end| (end * 16.0).floor()), [239.0, 560.0], "uniform");
        assert_eq!(ends(SplineEdge::CLOSE), [10.0, 40.0], "clamped");
    }

    /// A span ends at the next span's start, with the same tangent.
    #[test]
    fn spans_continue_each_other() {
        let points = [3.0, -7.25, 11.5, 20.0, 0.3125, 5.0];
        for edge in (0..4).map(SplineEdge::from_number) {
            let at = |span: u32, step| {
                let steps = CurveSteps::spline(4, Knots { points: 6, edge }, span);
                let points = std::array::from_fn(|i| points[span as usize + i]);
                let result = evaluate(points, &steps.factors(step), |&a, &b, &k| lerp(a, b, k));
                (result.point, result.tangent_ends(steps.starts_next(step)))
            };
            for span in 0..2 {
                assert_eq!(at(span, 4), at(span + 1, 0), "{edge}, span {span}");
            }
            let (_, [from, to]) = at(2, 4);
            assert_ne!(to, from, "{edge}: the last span has a tangent at its end");
        }
    }

    #[test]
    fn steps_in_lanes_equal_single_steps() {
        let steps = CurveSteps::bezier(13);
        assert_eq!((steps.points(), steps.lanes().len()), (14, 2), "14 points in groups of 8");
        for step in 0..=13 {
            assert_eq!(steps.factors(step), [parameter(step, 13); 6], "{step}");
        }
        assert!(!steps.starts_next(13), "no Bezier curve starts at the end of another");
    }
}
