//! Checks every kind of note: an input must leave it. Models without counts must look the same as with counts.

use std::collections::HashSet;

use ge_tests::note_inputs::{self, NoteInput, NoteSource, files};
use ge_tests::sample;
use pspge::export::ExportNoteKind;
use pspge::ge::note::NoteKind;
use pspge::model::FileNoteKind;
use pspge::{Asset, NullSink, Request, RunSpec};

fn open(input: &NoteInput) -> Asset {
    let request = Request { files: input, ..Request::new(input.name, &input.bytes) };
    pspge::open_with(&request).unwrap_or_else(|error| panic!("{} ({}): {error}", input.code, input.name))
}

/// Returns the codes of an input's notes from a source.
fn codes(input: &NoteInput) -> HashSet<&'static str> {
    let asset = open(input);
    match input.source {
        NoteSource::File => asset.notes().iter().map(|note| note.kind.code()).collect(),
        NoteSource::Run => {
            let run = asset.run(&mut NullSink).expect("can be drawn");
            run.report.notes.iter().map(|note| note.kind.code()).collect()
        }
        NoteSource::Export => {
            let scene = asset.to_scene().expect("can be exported");
            scene.notes.iter().map(|note| note.kind.code()).collect()
        }
    }
}

#[test]
fn every_kind_has_an_input() {
    let inputs = note_inputs::all();
    let with = |source| -> Vec<&'static str> {
        inputs.iter().filter(|input| input.source == source).map(|input| input.code).collect()
    };
    assert_eq!(with(NoteSource::File).len(), FileNoteKind::ALL.len(), "one for each kind");
    for kind in FileNoteKind::ALL {
        assert!(with(NoteSource::File).contains(&kind.code()), "{}: no input", kind.code());
    }
    for kind in NoteKind::EXAMPLES {
        assert!(with(NoteSource::Run).contains(&kind.code()), "{}: no input", kind.code());
    }
    for kind in ExportNoteKind::ALL {
        assert!(with(NoteSource::Export).contains(&kind.code()), "{}: no input", kind.code());
    }
}

#[test]
fn every_input_leaves_its_note() {
    for input in note_inputs::all() {
        let found = codes(&input);
        assert!(found.contains(input.code), "{} ({}): {found:?}", input.code, input.name);
    }
}

/// All other kinds of notes mean that a list is less simple than it seems.
#[test]
fn lists_leave_no_other_notes_of_their_run() {
    for input in note_inputs::all().into_iter().filter(|input| input.source == NoteSource::Run) {
        let mut found = codes(&input);
        found.remove(input.code);
        let allowed: &[&str] = match input.code {
            "list-unmapped" => &["target-unmapped"],
            "target-unmapped" => &["list-unmapped"],
            "paused" => &["signal"],
            "stack-full" => &[],
            _ => &[],
        };
        found.retain(|code| !allowed.contains(code));
        assert!(found.is_empty(), "{}: {found:?}", input.code);
    }
}

/// Some tools leave the cumulative counts in mesh headers 0. A section then ends at the start of the next.
#[test]
fn models_without_cumulative_counts_look_the_same() {
    for name in ["lampwing.pmo", "lampwing-102.pmo"] {
        let model = sample::read(name);
        let zeroed = files::without_cumulative_counts(&model);
        assert_ne!(zeroed, model, "{name}: some counts were not 0");
        let textures = sample::read("lampwing.tmh");
        let open = |bytes: &[u8]| {
            let textures = Some(pspge::formats::File { name: "lampwing.tmh", bytes: &textures });
            pspge::open_with(&Request { textures, ..Request::new(name, bytes) }).expect("a model")
        };
        let (expected, found) = (open(&model), open(&zeroed));
        let options = RunSpec::default().size(240, 136);
        let picture = |asset: &Asset| asset.render(&options).expect("can be drawn");
        assert!(picture(&found) == picture(&expected), "{name}: the same picture");
        assert!(
            found.model().map(|model| &model.parts) == expected.model().map(|model| &model.parts),
            "{name}"
        );
        let codes: Vec<&str> = found.notes().iter().map(|note| note.kind.code()).collect();
        assert!(codes.contains(&"incomplete"), "{name}: noted: {codes:?}");
        assert!(expected.notes().is_empty(), "{name}: {:?}", expected.notes());
    }
}
