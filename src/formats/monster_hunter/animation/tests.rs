//! Tests packs and poses with generated files.

use super::pack::Game;
use super::*;
use crate::formats::core::error::Warnings;
use crate::formats::core::euler::Transform;
use crate::formats::monster_hunter::ahi::RestBone;
use crate::formats::{Format, ParseOptions};
use crate::model::matrix::{Affine, translation};
use crate::model::{Bone, Skeleton};

/// A channel: bit, and keys with value, frame, slope before and slope after.
type TestChannel = (u16, Vec<[i16; 4]>);

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("short")
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("few")
}

/// Encodes a clip for a game.
fn clip(game: Game, tracks: &[Vec<TestChannel>], loop_start: Option<f32>) -> Vec<u8> {
    let mut body = Vec::new();
    for track in tracks {
        let mut channels = Vec::new();
        for (bit, keys) in track {
            let stored: Vec<u8> = keys.as_flattened().iter().flat_map(|part| part.to_le_bytes()).collect();
            match game {
                Game::Unite => {
                    let tag = 0x8012_0000 | u32::from(*bit);
                    channels.extend(words(&[tag, count(keys), 12 + length(&stored)]));
                }
                Game::Portable3rd => {
                    let head = u32::from(*bit) | count(keys) << 16;
                    channels.extend(words(&[head, 8 + length(&stored)]));
                }
            }
            channels.extend(stored);
        }
        let mask = track.iter().fold(0, |mask, (bit, _)| mask | u32::from(*bit));
        body.extend(match game {
            Game::Unite => words(&[0x8000_0000 | mask, count(track), 12 + length(&channels)]),
            Game::Portable3rd => words(&[count(track) | (4 + length(&channels)) << 16]),
        });
        body.extend(channels);
    }
    let start = loop_start.unwrap_or(0.0).to_bits();
    let is_on = u32::from(loop_start.is_some());
    let mut out = match game {
        Game::Unite => words(&[0x8000_0002, count(tracks), 0x14 + length(&body), is_on, start]),
        Game::Portable3rd => words(&[count(tracks), 0x10 + length(&body), is_on, start]),
    };
    out.extend(body);
    out
}

/// Encodes a pack. Each stream lists its filled slots with their clip's number.
fn file(streams: &[&[(usize, usize)]], slots: u32, clips: &[Vec<u8>]) -> Vec<u8> {
    let header = 8 * (count(streams) + 1);
    let end = header + 4 * slots * count(streams);
    let mut out = Vec::new();
    for number in 0..count(streams) {
        out.extend(words(&[slots, header + 4 * slots * number]));
    }
    out.extend(words(&[0, end]));
    for stream in streams {
        for slot in 0..slots as usize {
            let filled = stream.iter().find(|(filled, _)| *filled == slot);
            let offset = |clip: usize| end + clips[..clip].iter().map(|clip| length(clip)).sum::<u32>();
            out.extend(filled.map_or(0xFFFF_FFFF, |(_, clip)| offset(*clip)).to_le_bytes());
        }
    }
    out.extend(clips.concat());
    out
}

fn read_bytes(bytes: &[u8]) -> Result<Pack<'_>, FormatError> {
    read(View::new(bytes, 0, "mh-anim", FileRole::Input))
}

fn rest(parents: &[Option<usize>], parts: &[u32]) -> Ahi {
    let bone = |(id, parent): (u32, &Option<usize>)| Bone {
        id,
        name: None,
        parent: *parent,
        local: translation([0.0, 1.0, 0.0]),
    };
    let transform = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
    Ahi {
        skeleton: Skeleton::new((0..).zip(parents).map(bone).collect()).expect("no cycle"),
        rest: parts.iter().map(|&part| RestBone { transform, part }).collect(),
        version: "MHFU",
        warnings: Warnings::default(),
    }
}

fn pose(motion: &Motion, animation: usize, ahi: &Ahi, frame: f64) -> Vec<Affine> {
    motion.animations[animation].sampler.sample(&ahi.skeleton, frame)
}

/// Lists the messages from a pack's warnings.
fn messages(pack: &Pack<'_>) -> Vec<String> {
    pack.warnings.as_slice().iter().map(ToString::to_string).collect()
}

const MOVE_X: u16 = 0x040;
const TURN_Z: u16 = 0x020;
const QUARTER: i16 = 4096;

#[test]
fn parts_play_actions_together() {
    let game = Game::Unite;
    let body = clip(game, &[vec![(MOVE_X, vec![[16, 0, 0, 0], [32, 10, 0, 0]])], vec![]], None);
    let head = clip(game, &[vec![(TURN_Z, vec![[0, 0, 0, 0], [QUARTER, 4, 0, 0]])]], None);
    let bytes = file(&[&[(3, 0)], &[(0, 0)], &[(3, 1), (5, 1)], &[]], 100, &[body, head]);
    assert_eq!(crate::formats::sniff(&bytes).map(Format::name), Some("mh-anim"), "recognised");
    let pack = read_bytes(&bytes).expect("a good pack");
    assert_eq!(messages(&pack), [""; 0], "nothing odd");
    let counts = pack.counts().map(|(_, count)| count);
    assert_eq!(counts, [4, 400, 4, 2], "streams, slots, filled slots, clips");
    let ahi = rest(&[None, Some(0), Some(1)], &[0, 0, 1]);
    let motion = pack.motion(Some(&ahi), ParseOptions::default());
    assert_eq!(motion.notes, [], "parts fit");
    let list: Vec<_> = motion
        .animations
        .iter()
        .map(|found| (found.name.as_deref().unwrap_or_default(), found.frames, found.channels, found.keys))
        .collect();
    let expected = [("action 3", 11, 2, 4), ("action 5", 5, 1, 2), ("action 100", 11, 1, 2)];
    assert_eq!(list, expected, "sorted by number; the second set of a part starts at 100");
    let matrices = pose(&motion, 0, &ahi, 10.0);
    assert_eq!(matrices[0], translation([2.0, 1.0, 0.0]), "32 steps of 1/16; y is as at rest");
    assert_eq!(matrices[1], translation([0.0, 1.0, 0.0]), "an empty track is rest");
    assert!((matrices[2][1] - 1.0).abs() < 1e-6, "the shorter clip holds: x turned to y, {matrices:?}");
    assert_eq!(
        pose(&motion, 1, &ahi, 0.0)[0],
        translation([0.0, 1.0, 0.0]),
        "a part without clip is at rest"
    );
    let set = pack.animation_set(ParseOptions::default());
    assert_eq!((set.bones, set.version.as_deref()), (3, Some("MHFU")), "as a file of its own");
    assert_eq!(set.animations[0].sampler.sample(&ahi.skeleton, 10.0)[0], matrices[0], "the same pose");
}

#[test]
fn keys_are_cubic_with_slopes_per_frame() {
    // From 0 to 160 in 8 frames, slope 10 at the start and -6 at the end.
    let curve = clip(Game::Portable3rd, &[vec![(MOVE_X, vec![[0, 2, 0, 10], [160, 10, -6, 0]])]], None);
    let pack = file(&[&[(0, 0)]], 4, &[curve]);
    let pack = read_bytes(&pack).expect("a good pack");
    let ahi = rest(&[None, Some(0), Some(1)], &[0; 3]);
    let motion = pack.motion(Some(&ahi), ParseOptions::default());
    assert_eq!(motion.animations[0].frames, 11, "up to the last key");
    let at = |frame: f64| pose(&motion, 0, &ahi, frame)[2][9];
    // Half-way: the values' mean, plus an eighth of the slopes' difference times 8 frames.
    for (frame, value) in [(0.0, 0.0), (2.0, 0.0), (6.0, 96.0), (10.0, 160.0), (11.0, 160.0), (-5.0, 0.0)] {
        assert_eq!(at(frame), value / 16.0, "frame {frame}");
    }
    let slope = (at(2.001) - at(2.0)) / 0.001 * 16.0;
    assert!((slope - 10.0).abs() < 0.1, "leaves with slope {slope}");
    assert!(at(f64::NAN).is_finite() && at(f64::INFINITY).is_finite(), "any frame");
}

#[test]
fn loops_go_on_at_their_start() {
    let keys = vec![[0, 0, 16, 16], [160, 10, 16, 16]];
    for (loop_start, frames) in [
        (Some(4.0), [(10.0, 10.0), (11.0, 5.0), (16.0, 10.0), (17.5, 5.5), (40.0, 10.0)]),
        (Some(10.0), [(10.0, 10.0), (11.0, 10.0), (16.0, 10.0), (17.5, 10.0), (40.0, 10.0)]),
        (None, [(10.0, 10.0), (11.0, 10.0), (16.0, 10.0), (17.5, 10.0), (40.0, 10.0)]),
    ] {
        let bytes = file(&[&[(0, 0)]], 1, &[clip(Game::Unite, &[vec![(MOVE_X, keys.clone())]], loop_start)]);
        let pack = read_bytes(&bytes).expect("a good pack");
        let ahi = rest(&[None], &[0]);
        let motion = pack.motion(Some(&ahi), ParseOptions::default());
        for (frame, value) in frames {
            let found = f64::from(pose(&motion, 0, &ahi, frame)[0][9]);
            assert!((found - value).abs() < 1e-6, "{loop_start:?}: {found} at {frame}, not {value}");
        }
    }
    let bytes = file(&[&[(0, 0)]], 1, &[clip(Game::Unite, &[vec![(MOVE_X, keys)]], Some(f32::NAN))]);
    let pack = read_bytes(&bytes).expect("a good pack");
    assert_eq!(
        messages(&pack),
        ["at 0x24: stream 0, slot 0: the clip repeats from frame NaN, and ends at frame 10"]
    );
}

#[test]
fn components_have_their_units() {
    let (half, close) = (std::f32::consts::FRAC_1_SQRT_2, |one: f32, other: f32| (one - other).abs() < 1e-6);
    for (game, bit, value, element, expected) in [
        (Game::Unite, 0x002, 24, 4, 1.5),
        (Game::Portable3rd, 0x400, 384, 4, 1.5),
        (Game::Unite, 0x008, QUARTER / 2, 5, half),
        (Game::Unite, 0x010, QUARTER / 2, 2, -half),
        (Game::Unite, 0x020, QUARTER / 2, 1, half),
        (Game::Portable3rd, 0x100, -24, 11, -1.5),
    ] {
        let bytes = file(&[&[(0, 0)]], 1, &[clip(game, &[vec![(bit, vec![[value, 0, 0, 0]])]], None)]);
        let pack = read_bytes(&bytes).expect("a good pack");
        let ahi = rest(&[None, Some(0), Some(1)], &[0, 1, 1]);
        let motion = pack.motion(Some(&ahi), ParseOptions::new(&["monster-58"]));
        let found = pose(&motion, 0, &ahi, 0.0)[0][element];
        assert!(close(found, expected), "{game:?} {bit:#x}: {found}, not {expected}");
    }
}

#[test]
fn tracks_of_portable_3rd_skip_bones() {
    let tracks: Vec<Vec<TestChannel>> = (1..=10).map(|x| vec![(MOVE_X, vec![[16 * x, 0, 0, 0]])]).collect();
    let bytes = file(&[&[(0, 0)], &[(2, 0)]], 100, &[clip(Game::Portable3rd, &tracks, None)]);
    let pack = read_bytes(&bytes).expect("a good pack");
    let names: Vec<_> = pack.animations(Arc::new(Targets::in_order(&pack, ParseOptions::default())));
    let names: Vec<_> = names.into_iter().filter_map(|animation| animation.name).collect();
    assert_eq!(names, ["action 0", "action 102"], "100 for each stream");
    // A chain of 15 bones without a fork.
    let parents: Vec<Option<usize>> = (0..15_usize).map(|bone| bone.checked_sub(1)).collect();
    let ahi = rest(&parents, &[0; 15]);
    let moved = |options: &[&str]| -> (Vec<f32>, Vec<String>) {
        let motion = pack.motion(Some(&ahi), ParseOptions::new(options));
        let x = pose(&motion, 0, &ahi, 0.0).iter().map(|matrix| matrix[9]).collect();
        (x, motion.notes.into_iter().map(|note| note.message).collect())
    };
    let (x, notes) = moved(&[]);
    assert_eq!(x[..5], [0.0, 0.0, 1.0, 2.0, 3.0], "from bone 2 on");
    assert!(notes[0].starts_with("track 0 is taken to move bone 2"), "{notes:?}");
    let (x, notes) = moved(&["monster-22"]);
    assert_eq!(x[8..13], [7.0, 8.0, 0.0, 9.0, 10.0], "bone 8 after bone 2 is skipped");
    assert_eq!(notes, [""; 0], "nothing is assumed");
    let (x, _) = moved(&["monster-40"]);
    assert_eq!(
        x[..14],
        [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.0, 0.0, 10.0, 0.0, 0.0],
        "from bone 0 on"
    );
    // With a fork at bone 1, only tracks for bones 0 and 1 may translate.
    let first = clip(Game::Portable3rd, &[tracks[0].clone()], None);
    let bytes = file(&[&[(0, 0)]], 1, &[first]);
    let pack = read_bytes(&bytes).expect("a good pack");
    let ahi = rest(&[None, Some(0), Some(1), Some(1)], &[0; 4]);
    let motion = pack.motion(Some(&ahi), ParseOptions::default());
    assert_eq!(pose(&motion, 0, &ahi, 0.0)[0][9], 1.0, "the track moves bone 0");
}

#[test]
fn mismatches_are_noted() {
    let game = Game::Unite;
    let moves = |bit: u16| vec![(bit, vec![[16, 0, 0, 0], [32, 10, 0, 0]])];
    let good = file(&[&[(0, 0)]], 2, &[clip(game, &[moves(MOVE_X), moves(MOVE_X)], None)]);
    let pack = read_bytes(&good).expect("a good pack");
    let note =
        |ahi: Option<&Ahi>| pack.motion(ahi, ParseOptions::default()).notes.pop().expect("a note").message;
    assert_eq!(
        note(Some(&rest(&[None], &[0]))),
        "part 0 of the skeleton has 1 bones, its clips have up to 2 tracks"
    );
    assert_eq!(note(None), "the model has no skeleton: the animations are left out");
    for (clip, message) in [
        (clip(game, &[moves(0x200)], None), "channel 0x0200 is unknown in this game and is left out"),
        (clip(game, &[[moves(MOVE_X), moves(MOVE_X)].concat()], None), "channel 0x0040 occurs twice"),
        (clip(game, &[vec![(MOVE_X, vec![])]], None), "channel 0x0040 has no keys"),
        (
            clip(game, &[vec![(MOVE_X, vec![[0, 5, 0, 0], [0, 5, 0, 0]])]], None),
            "a key at frame 5 follows one at frame 5 and is left out",
        ),
    ] {
        let bytes = file(&[&[(0, 0)]], 1, &[clip]);
        let pack = read_bytes(&bytes).expect("readable");
        assert!(messages(&pack)[0].contains(message), "{message}: {:?}", messages(&pack));
    }
}

#[test]
fn damaged_clips_are_left_out() {
    let game = Game::Unite;
    let moves = vec![(MOVE_X, vec![[16, 0, 0, 0], [32, 10, 0, 0]])];
    let clips = [clip(game, std::slice::from_ref(&moves), None), clip(game, &[moves], None)];
    let good = file(&[&[(0, 0), (1, 1), (2, 1)]], 100, &clips);
    let first = 16 + 400;
    for (at, value, message) in [
        (
            first + 4,
            2,
            "at 0x1dc: the clip of stream 0, slot 0 is left out: a track of 12 bytes does not fit, 0 are left",
        ),
        (first + 8, 0x1000, "a clip of 4096 bytes does not fit"),
        (first + 20 + 8, 4, "a track of 4 bytes does not fit"),
        (first + 32 + 4, 3, "a channel of 28 bytes has 3 keys of 8 bytes"),
        (16, 4, "is left out: its clip has the tag 0x00000010"),
    ] {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
        let pack = read_bytes(&bytes).expect("the other clip is good");
        assert!(messages(&pack).iter().any(|found| found.contains(message)), "{:?}", messages(&pack));
        let actions: Vec<usize> = pack.actions().into_keys().collect();
        assert_eq!(actions, [1, 2], "{message}");
    }
    for (at, value, message) in [
        (0, 99u32, "not an animation pack: its tables do not follow one another"),
        (4, 24, "not an animation pack: its tables do not follow one another"),
        (first, 0x8000_0001, "not an animation pack: its first clip starts with 0x80000001"),
    ] {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        assert!(!sniff(&bytes), "{message}");
        assert!(read_bytes(&bytes).expect_err("refused").to_string().contains(message), "{message}");
    }
    let near = looks_like(View::new(&good[..100], 0, "mh-anim", FileRole::Input)).expect("begins like one");
    assert_eq!(near.to_string(), "at 0x0: its table is cut off: 1 streams need 416 bytes, 100 are left");
}

#[test]
fn clips_that_share_data_are_bounded() {
    // Every slot holds another part of the same zeros.
    let mut bytes = file(&[&[]], 100, &[clip(Game::Portable3rd, &[], None)]);
    bytes.extend(words(&[0, 0x4000, 0, 0]));
    bytes.resize(0x8000, 0);
    let first = 16 + 400 + 16;
    for slot in 0..100_usize {
        let offset = first + 16 * u32::try_from(slot).expect("small");
        bytes[16 + 4 * slot..][..4].copy_from_slice(&offset.to_le_bytes());
        bytes[offset as usize..][..8].copy_from_slice(&words(&[0, 0x4000]));
    }
    let pack = read_bytes(&bytes).expect("readable");
    assert!(messages(&pack).iter().any(|message| message.contains("share the same data too often")));
    assert_eq!(pack.clips.len(), 8, "four times the file");
}
