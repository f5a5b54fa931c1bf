//! Tests for PAM: every channel type, and errors.

use super::*;
use crate::formats::tests::texts;
use crate::formats::{Content, Format, Request, open};
use crate::model::{Bone, Skeleton, matrix};

/// A channel: maximum, minimum and keys. Constants have no keys; keys of dense channels have no frames.
struct TestChannel {
    max: f32,
    min: f32,
    count: u16,
    keys: Vec<(Option<u16>, u16)>,
}

/// An animation: name, frame count, and each bone's flags and channels.
type TestClip<'a> = (&'a str, u16, Vec<(u16, Vec<TestChannel>)>);

fn pam(clips: &[TestClip<'_>]) -> Vec<u8> {
    let mut out = b"PAM\0".to_vec();
    out.extend(u32::try_from(clips.len()).expect("few").to_le_bytes());
    out.extend([0, 0, 0, 0, 0, 0, 1, 0]);
    let mut data = Vec::new();
    for (name, frames, bones) in clips {
        let at = 0x10 + 0x10 * clips.len() + data.len();
        let offset = if bones.is_empty() { 0 } else { u32::try_from(at).expect("small") };
        out.extend(offset.to_le_bytes());
        let mut field = name.as_bytes().to_vec();
        field.resize(12, 0);
        out.extend(field);
        data.extend([1, 0, 30, 5, 9, 0, u8::try_from(bones.len()).expect("few"), 0]);
        data.extend(frames.to_le_bytes());
        data.extend(2_u16.to_le_bytes());
        data.extend(bones.iter().flat_map(|(flags, _)| flags.to_le_bytes()));
        for channel in bones.iter().flat_map(|(_, channels)| channels) {
            data.extend(channel.max.to_le_bytes());
            data.extend(channel.min.to_le_bytes());
            let number = |data: &mut Vec<u8>, value: u16| match *frames {
                0..=255 => data.push(value.to_le_bytes()[0]),
                _ => data.extend(value.to_le_bytes()),
            };
            number(&mut data, channel.count);
            for (frame, value) in &channel.keys {
                if let Some(frame) = frame {
                    number(&mut data, *frame);
                }
                data.extend(value.to_le_bytes());
            }
        }
    }
    out.extend(data);
    out
}

fn constant(value: f32) -> TestChannel {
    TestChannel { max: value, min: value, count: 1, keys: Vec::new() }
}

fn keys(keys: &[(u16, u16)]) -> TestChannel {
    let count = u16::try_from(keys.len()).expect("few");
    let keys = keys.iter().map(|&(frame, value)| (Some(frame), value)).collect();
    TestChannel { max: 65535.0, min: 0.0, count, keys }
}

fn every_frame(values: &[u16]) -> TestChannel {
    let count = u16::try_from(values.len()).expect("few");
    TestChannel { max: 1.0, min: -1.0, count, keys: values.iter().map(|&value| (None, value)).collect() }
}

fn animations(bytes: &[u8]) -> AnimationSet {
    match open(&Request::new("a", bytes)).expect("a good file").content {
        Content::Animations(set) => set,
        other => panic!("animations, not {other:?}"),
    }
}

fn skeleton(bones: u32) -> Skeleton {
    let local = matrix::scaled(matrix::translation([1.0, 2.0, 3.0]), [2.0, 2.0, 2.0]);
    let bone = |id| Bone { id, name: None, parent: None, local };
    Skeleton::new((0..bones).map(bone).collect()).expect("roots")
}

#[test]
fn samples_every_type_of_channel() {
    for frames in [10, 300] {
        let last = frames - 1;
        let full: Vec<u16> = (0..frames).map(|frame| if frame % 2 == 0 { 0 } else { 65535 }).collect();
        let bytes = pam(&[
            ("walk", frames, vec![(0b1_0001, vec![keys(&[(2, 100), (4, 200)]), constant(0.5)]), (0, vec![])]),
            ("empty", 1, vec![]),
            (
                "turn",
                frames,
                vec![(0b110, vec![constant(7.0), every_frame(&full)]), (1 << 8, vec![constant(5.0)])],
            ),
        ]);
        let set = animations(&bytes);
        let found: Vec<_> =
            set.animations.iter().map(|a| (a.name.as_deref(), a.frames, a.channels, a.keys)).collect();
        let frames = u32::from(frames);
        let expected = [
            (Some("walk"), frames, 2, 2),
            (Some("turn"), frames, 3, usize::try_from(frames).expect("small")),
        ];
        assert_eq!(found, expected, "animations");
        assert_eq!(texts(&set.notes)[0], "1 entries of the animation table are empty", "noted");
        let text = "at 0x40: animation walk: flag 1, 5 frames to blend in, loops from frame 9 to 2";
        assert!(texts(&set.notes).iter().any(|note| note == text), "{:?}", texts(&set.notes));

        let skeleton = skeleton(3);
        let x = |frame: f64| set.animations[0].sampler.sample(&skeleton, frame)[0][9];
        assert_eq!([-5.0, 0.0, 2.0].map(x), [100.0; 3], "before the first key");
        assert_eq!([2.5, 3.0, 3.75].map(x), [125.0, 150.0, 187.5], "between two keys");
        assert_eq!([4.0, 5.0, 1e9, f64::NAN].map(x), [200.0, 200.0, 200.0, 100.0], "after the last key");
        let z = |frame: f64| set.animations[1].sampler.sample(&skeleton, frame)[0][11];
        let end = f64::from(last);
        assert_eq!([0.0, 0.5, 1.0, end, end + 9.0].map(z), [-1.0, 0.0, 1.0, 1.0, 1.0], "every frame");

        let pose = set.animations[0].sampler.sample(&skeleton, 0.0);
        let sine = libm::sinf(0.5) * 2.0;
        assert!(
            (pose[0][2] + sine).abs() < 1e-5,
            "rotated around y, with the scale of the rest pose: {:?}",
            pose[0]
        );
        assert_eq!(pose[1], skeleton.rest()[1], "a bone without channels keeps the rest pose");
        assert_eq!(pose[2], skeleton.rest()[2], "as does one without flags");
        let pose = set.animations[1].sampler.sample(&skeleton, 0.0);
        assert_eq!(pose[0][9..11], [1.0, 7.0], "a missing channel keeps the rest pose");
        assert_eq!([pose[1][0], pose[1][4], pose[1][8]], [2.0, 2.0, 5.0], "scaled in z only");
    }
}

/// Opens a file as PAM. Returns its notes and animation count, or the error.
fn message(bytes: &[u8]) -> (String, usize) {
    match open(&Request { format: Format::from_name("pam"), ..Request::new("a", bytes) }).map(|o| o.content) {
        Ok(Content::Animations(set)) => {
            let odd = texts(&set.notes).into_iter().filter(|note| !note.contains(": flag 1,"));
            (odd.collect::<Vec<_>>().join("; "), set.animations.len())
        }
        Ok(other) => panic!("animations, not {other:?}"),
        Err(error) => (format!("error {error}"), 0),
    }
}

fn one(frames: u16, flags: u16, channel: TestChannel) -> Vec<u8> {
    pam(&[("a", frames, vec![(flags, vec![channel])])])
}

#[test]
fn notes_damaged_animations() {
    let note = |bytes: &[u8], text: &str| assert_eq!(message(bytes), (text.to_owned(), 1), "a note");
    let good = one(10, 1, keys(&[(2, 100), (4, 200)]));
    let mut many = good.clone();
    many[5] = 1;
    let (text, count) = message(&many);
    let room = "at 0x4: the header says 257 animations, the file has room for 2; those are used";
    assert!(text.starts_with(room) && count == 1, "{count}: {text}");
    let bits = "channel flags 0x0201 have bits above the nine channels of a bone; those are ignored";
    note(&one(10, 0x201, constant(1.0)), &format!("at 0x2c: {bits}"));
    let counted = |count| one(10, 1, TestChannel { count, ..constant(1.0) });
    note(&counted(0), "at 0x36: a channel has 0 keys in an animation of 10 frames");
    note(&one(10, 1, keys(&[(2, 0), (10, 0)])), "at 0x3a: a key is at frame 10 of 10");
    let order = "at 0x3a: a key at frame 2 follows one at frame 4; keys are put in order";
    note(&one(10, 1, keys(&[(4, 0), (2, 0)])), order);
    let range = "at 0x2e: the range of a channel is not finite; the channel is left out";
    note(&one(10, 1, constant(f32::NAN)), range);

    let two = pam(&[("a", 10, vec![(1, vec![constant(1.0)]), (1, vec![constant(2.0)])])]);
    let cut = "at 0x40: animation \"a\" is cut off; bones from 1 on stay at rest";
    note(&two[..two.len() - 1], &cut.replace("0x40", &format!("{:#x}", two.len() - 1)));
    let mut far =
        pam(&[("far", 10, vec![(1, vec![constant(1.0)])]), ("near", 10, vec![(1, vec![constant(1.0)])])]);
    far[0x12] = 1;
    let text = "at 0x10: animation \"far\" is left out: at 0x10030: 12 bytes are needed here, 0 are left";
    note(&far, text);
}

#[test]
fn refuses_files_without_animations() {
    let error =
        |bytes: &[u8], text: &str| assert_eq!(message(bytes), (format!("error {text}"), 0), "an error");
    error(b"PAX\0\0\0\0\0\0\0\0\0\0\0\0\0", "at 0x0: not a PAM file");
    let good = one(10, 1, keys(&[(2, 100), (4, 200)]));
    error(&good[..0x3B], "at 0x4: none of the 1 animations can be read");
    error(&good[..0xB], "at 0x0: 16 bytes are needed here, 11 are left");
    assert_eq!(message(&pam(&[])), (String::new(), 0), "a file without animations is empty");
}

/// An animation without header is recognised only if every byte fits.
#[test]
fn reads_single_animations() {
    let mut bytes = one(10, 1, keys(&[(2, 100), (4, 200)])).split_off(0x20);
    let recognised = |bytes: &[u8]| crate::formats::sniff(bytes).map(Format::name);
    assert_eq!(recognised(&bytes), Some("pam"), "recognised");
    let text = "at 0x0: the file is one animation without the header of a PAM file";
    assert_eq!(message(&bytes), (text.to_owned(), 1), "noted");
    let set = animations(&bytes);
    assert_eq!((set.version, set.bones), (None, 1), "no version");
    bytes.extend([0; 15]);
    assert_eq!(recognised(&bytes), Some("pam"), "padded");
    for (place, value) in [(2, 0), (4, 11), (7, 1), (8, 0), (0x0D, 2), (0x11, 0x7F), (0x17, 9), (0x1F, 1)] {
        let mut other = bytes.clone();
        other[place] = value;
        if place == 0x11 {
            other[0x10] = 0x80;
        }
        assert_eq!(recognised(&other), None, "byte {place:#x}");
    }
    bytes.push(0);
    assert_eq!(recognised(&bytes), None, "too many bytes");
}

/// If the user names the format or gives the file to a model, this outweighs a damaged field.
#[test]
fn reads_damaged_single_animations_on_request() {
    let mut bytes = one(10, 1, keys(&[(2, 100), (4, 200)])).split_off(0x20);
    bytes[2] = 0;
    let text = "at 0x0: the file is one animation without the header of a PAM file";
    assert_eq!(message(&bytes), (text.to_owned(), 1), "a rate of 0");
    bytes[0x17] = 11;
    let key = "at 0x17: a key is at frame 11 of 10; at 0x1a: a key at frame 4 follows one at frame 11; keys are put in order";
    assert_eq!(
        message(&bytes),
        (format!("{text}; {key}"), 1),
        "a key outside, and nothing after the last key"
    );
    bytes.extend([1; 20]);
    assert_eq!(message(&bytes), ("error at 0x0: not a PAM file".to_owned(), 0), "more that does not fit");
}

#[test]
fn limits_reading_of_shared_data() {
    let values = vec![0; 60_000];
    let mut bytes = pam(&[("a", 60_000, vec![(1, vec![every_frame(&values)])])]);
    let clip = bytes.split_off(0x20);
    bytes.truncate(0x10);
    bytes[4..8].copy_from_slice(&4000_u32.to_le_bytes());
    for _ in 0..4000 {
        bytes.extend(64_016_u32.to_le_bytes());
        bytes.extend([0; 12]);
    }
    bytes.extend(clip);
    let (text, count) = message(&bytes);
    assert!(text.ends_with(&format!("those from {count} on are left out")), "{text}");
    assert!((10..4000).contains(&count), "{count} animations within the limit");
}
