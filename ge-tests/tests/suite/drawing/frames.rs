//! Compares recorded frames from games with PPSSPP's software renderer. Frames from programs that ran on a real PSP
//! belong to the conformance tests.
//!
//! PPSSPP's pictures contain its approximations, so this tests only bounds on the distances. To notice every change,
//! `snapshots/frames.tsv` holds fingerprints of this engine's pictures. After an intended change, run the tests with
//! `INSTA_UPDATE=always` and commit the new fingerprints.
//!
//! To run these tests, set `PSPGE_CORPUS` to the folder with `hardware` and `frames`. Without it they print a message
//! and pass.

use ge_tests::frames::{draw, dumps, measured_reference, reference};
use ge_tests::score::{Score, fingerprint};
use ge_tests::{corpus, snapshot};
use pspge::ge::arithmetic::Arithmetic;

/// How far a frame may be from PPSSPP's picture, slightly above the measured distances. Only lower these numbers,
/// except if a rule measured on hardware moves a picture away from PPSSPP's.
struct Bounds {
    name: &'static str,
    /// In hardware arithmetic.
    hardware: Score,
    /// In single arithmetic.
    single: Score,
}

const fn bounds(name: &'static str, hardware: [f64; 3], single: [f64; 3]) -> Bounds {
    const fn score([near8, off8, mse]: [f64; 3]) -> Score {
        Score { mse, off8, near8, differing: 0 }
    }
    Bounds { name, hardware: score(hardware), single: score(single) }
}

/// Values are near8, off8 (both in percent) and mse (in squared levels), in hardware and in single arithmetic.
///
/// The causes for the remaining differences are known; to see how many pixels each explains, read the page
/// `src/engine/reference/ge/frames.md`.
///
/// * All frames: PPSSPP samples triangles at 7/16 of a pixel and the hardware at centres; PPSSPP rounds
///   colours and the hardware floors them; the hardware filters textures in two steps, along integer planes.
///   Single arithmetic follows PPSSPP.
/// * need-for-speed-carbon: the hardware takes highlights from the view matrix and doubles them with the
///   textured colour.
/// * virtua-tennis-pause-menu: the hardware blends antialiased lines at most by half.
/// * wall-e: the hardware cuts negative texel positions towards zero.
/// * shinsengumi-bakumatsuden: the background's depth is exactly MINZ. In single arithmetic it is 1 less, so PPSSPP
///   discards it.
/// * taiko-no-tatsujin: PPSSPP skips the test "alpha greater than 0" if the AND of all colours in a palette is not 0,
///   and dithers pixels that should be discarded.
/// * hokuto-no-ken-raoh-gaiden-ten: with a texel for each pixel, 7/16 of a pixel is a whole sixteenth of a texel, so
///   the last bit in PPSSPP's sums decides.
/// * coded-arms: two coplanar patches, one of them reversed, differ in their depth's last bit.
/// * virtua-tennis-pause-menu too: PPSSPP steps along lines from their start; coverage here follows hardware
///   tests.
const FRAMES: &[Bounds] = &[
    bounds("beam-em-up", [4.03, 6.07, 14.49], [0.0, 0.0, 0.0]),
    bounds("boku-no-natsuyasumi-4", [0.11, 0.26, 1.13], [0.01, 0.01, 0.04]),
    bounds("coded-arms", [0.91, 2.22, 110.31], [0.56, 0.71, 99.29]),
    bounds("frontier-gate-boost", [7.59, 17.35, 126.87], [0.1, 0.26, 0.44]),
    bounds("gachitora", [0.49, 0.9, 4.96], [0.07, 0.09, 0.21]),
    bounds("hokuto-no-ken-raoh-gaiden-ten", [3.2, 4.94, 19.22], [1.0, 1.53, 1.8]),
    bounds("hot-pixel", [0.5, 1.91, 39.48], [0.01, 0.01, 0.02]),
    bounds("locoroco-tropuca", [0.5, 0.94, 16.26], [0.01, 0.02, 0.02]),
    bounds("monster-hunter-3rd", [4.52, 13.48, 27.19], [0.13, 0.33, 0.72]),
    bounds("nba-2k12", [3.74, 5.94, 54.8], [0.05, 0.09, 1.0]),
    bounds("need-for-speed-carbon", [11.96, 19.08, 253.67], [0.08, 0.19, 0.87]),
    bounds("nova", [0.97, 2.42, 24.55], [0.05, 0.08, 2.63]),
    bounds("project-diva-teardrops", [0.02, 0.03, 0.67], [0.0, 0.0, 0.03]),
    bounds("pursuit-force", [3.47, 9.84, 104.58], [0.1, 0.19, 3.16]),
    bounds("pursuit-force-desert", [1.69, 4.38, 24.82], [0.0, 0.01, 0.18]),
    bounds("sengoku-cannon", [6.66, 20.9, 130.62], [0.13, 0.34, 6.99]),
    bounds("shinsengumi-bakumatsuden", [34.47, 49.21, 966.98], [0.02, 0.04, 0.13]),
    bounds("taiko-no-tatsujin", [4.27, 5.16, 6.75], [3.71, 4.38, 5.41]),
    bounds("virtua-tennis-pause-menu", [5.65, 10.48, 101.57], [0.19, 0.58, 18.37]),
    bounds("wall-e", [1.77, 6.65, 22.76], [0.08, 0.35, 2.14]),
];

/// Frames that differ from the second reference pictures, with the number of pixels. All others are equal. Only lower
/// these numbers.
const UNEQUAL: &[(&str, usize)] = &[];

/// Compares pictures in hardware arithmetic with a renderer whose rules come from the same measurements. Both may
/// share a mistake, so agreement is strong evidence but no proof.
#[test]
fn game_frames_equal_those_of_the_measured_renderer() {
    let Some(folder) = corpus::folder("frames") else { return };
    let (mut found, mut compared) = (Vec::new(), 0);
    for (name, path) in dumps(&folder) {
        let Some(expected) = measured_reference(&path) else {
            eprintln!("SKIPPED: {name} has no second reference picture");
            continue;
        };
        compared += 1;
        let differing = Score::new(&draw(&path, Arithmetic::Hardware), &expected).differing;
        let known = UNEQUAL.iter().find(|(known, _)| *known == name).map_or(0, |(_, pixels)| *pixels);
        if differing != known {
            found.push(format!("{name}: {differing} pixels differ, {known} are known"));
        }
    }
    eprintln!("{compared} frames compared, {} are known to differ", UNEQUAL.len());
    assert!(found.is_empty(), "the list of unequal frames is stale:\n{}", found.join("\n"));
}

/// Draws all frames, compares them with their bounds and returns their fingerprints; `None` without the corpus.
fn frames(arithmetic: Arithmetic, bound_of: fn(&Bounds) -> Score) -> Option<Vec<String>> {
    let folder = corpus::folder("frames")?;
    let (mut worse, mut lines) = (Vec::new(), Vec::new());
    for (name, path) in dumps(&folder) {
        let picture = draw(&path, arithmetic);
        lines.push(format!("{name}\t{:016x}", fingerprint(&picture)));
        let score = Score::new(&picture, &reference(&path));
        let bound = FRAMES.iter().find(|bounds| bounds.name == name).map(bound_of).unwrap_or_default();
        if !score.is_within(&bound) {
            worse.push(format!("{name}: {score}; the bound is {bound}"));
        }
    }
    assert!(worse.is_empty(), "frames exceed their bounds:\n{}", worse.join("\n"));
    Some(lines)
}

#[test]
fn game_frames_in_hardware_arithmetic() {
    let Some(lines) = frames(Arithmetic::Hardware, |bounds| bounds.hardware) else { return };
    snapshot::assert_file("frames.tsv", &format!("frame\tfingerprint\n{}\n", lines.join("\n")));
}

#[test]
fn game_frames_in_single_arithmetic() {
    let _ = frames(Arithmetic::Single, |bounds| bounds.single);
}
