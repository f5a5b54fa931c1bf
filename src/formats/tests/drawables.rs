//! Tests of listing the drawable members of containers.

use super::parkan::{nres, test_entry};
use super::sample::sample;
use super::*;

/// Lists the paths of the drawable members below a path.
fn listed(file: &[u8], member: Option<&str>) -> Vec<String> {
    let members = drawable_members(&Request { member, ..Request::new("sample", file) }).expect("a container");
    members.into_iter().map(|member| member.path).collect()
}

fn problem(file: &[u8], member: Option<&str>) -> Problem {
    drawable_members(&Request { member, ..Request::new("sample", file) }).expect_err("no list").kind
}

#[test]
fn lists_models_of_nested_containers() {
    let sample = sample();
    let inner = pac(&[&[], &sample, &tmh(), &sample]);
    let bytes = pac(&[&inner, &tmh(), &sample]);
    let expected = ["2", "0/1", "0/3"];
    assert_eq!(listed(&bytes, None), expected, "those of the container itself come first");
    for path in expected {
        assert_eq!(model_in(&bytes, Some(path)).parts.len(), 2, "{path} opens");
    }
    assert_eq!(listed(&bytes, Some("0")), ["0/1", "0/3"], "of a member");
    assert_eq!(listed(&bytes, Some("pac")), ["pac/1", "pac/3"], "by format");
    let notes = model_in(&bytes, None).notes;
    assert!(
        notes.iter().any(|note| note.message == "the container holds 3 models; this is the first"),
        "{notes:?}"
    );
    let notes = model_in(&bytes, Some("0")).notes;
    assert!(
        notes.iter().any(|note| note.message == "the container holds 2 models; this is the first"),
        "{notes:?}"
    );
}

#[test]
fn members_are_described_as_the_container_names_them() {
    let model = pac(&[&sample()]);
    let bytes = nres(&[
        test_entry(1, "b", b""),
        test_entry(2, "../Tank 1.pmo", &sample()),
        test_entry(3, "x.pac", &model),
    ]);
    assert_eq!(listed(&bytes, None), ["1", "2/0"], "by numbers, which are unique");
    let members = drawable_members(&Request::new("sample", &bytes)).expect("a container");
    let facts: Vec<_> =
        members.iter().map(|member| (member.name.as_deref(), member.format.name(), member.offset)).collect();
    assert_eq!(facts[0], (Some("../Tank 1.pmo"), "pmo", 0x10), "as the container has them");
}

#[test]
fn containers_that_cannot_be_read_are_listed_themselves() {
    let mut inner = pac(&[&sample()]);
    for _ in 0..DEPTH_MAX {
        inner = pac(&[&inner]);
    }
    assert_eq!(listed(&inner, None), ["0/0/0/0"], "too deep to look into");
    let error = open(&Request { member: Some("0/0/0/0/0"), ..Request::new("sample", &inner) });
    assert_eq!(error.expect_err("too deep").kind, Problem::TooDeep(DEPTH_MAX), "opening it says so");
}

#[test]
fn only_containers_have_members() {
    let bytes = pac(&[&sample()]);
    assert_eq!(problem(&sample(), None), Problem::NoContainer("pmo"), "a model");
    assert_eq!(problem(&bytes, Some("0")), Problem::NoContainer("pmo"), "a model in a container");
    assert_eq!(problem(&bytes, Some("7")).code(), "no-member", "no such member");
    assert_eq!(problem(b"dear diary", None), Problem::Unknown, "text");
    assert_eq!(problem(b"", None), Problem::Empty, "nothing");
}

/// Twelve containers share the bytes of one, which has 2,000 members.
#[test]
fn the_number_of_members_is_bounded() {
    let inner = pac(&[&[7u8] as &[u8]; 2000]);
    let mut bytes = 12u32.to_le_bytes().to_vec();
    for _ in 0..12 {
        bytes.extend(100u32.to_le_bytes());
        bytes.extend(u32::try_from(inner.len()).expect("small").to_le_bytes());
    }
    bytes.resize(100, 0);
    bytes.extend(&inner);
    assert_eq!(problem(&bytes, None), Problem::TooManyMembers(0x4000), "24,000 members");
}
