//! Rules on frame dumps and models.

use super::{Input, Row, assemble};
use crate::check::{CheckOptions, Rule, check_dump, check_model};
use crate::formats::ppdmp::{DumpWriter, RecordKind, save_context};
use crate::ge::address::Address;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::TexelFormat;
use crate::model::matrix::IDENTITY;
use crate::model::{
    Alternatives, Bone, FileNote, FileNoteKind, Model, ModelInfo, ModelTexture, Part, SCENE_MEMORY, Skeleton,
    Up,
};

/// A dump with records of these kinds and data.
fn dump(records: &'static [(RecordKind, &'static [u32])]) -> Input {
    Input::Findings(Box::new(move |options: &CheckOptions| {
        let mut writer = DumpWriter::new(*b"TEST00001");
        writer.push(RecordKind::Init, &save_context(&Registers::new()));
        for (kind, words) in records {
            if *kind == RecordKind::Init {
                writer.push(RecordKind::Init, &save_context(&Registers::new()));
            } else {
                writer.push_words(*kind, words);
            }
        }
        let dump = writer.finish();
        let mut capture = dump.capture("test").expect("a dump that runs");
        check_dump(&dump, &mut capture, options)
    }))
}

/// A dump without findings about its records.
const SHOWN: &[(RecordKind, &[u32])] =
    &[(RecordKind::Registers, &[0]), (RecordKind::Display, &[0x0400_0000, 512, 3])];

type Change = fn(&mut Model);

/// A model with a part, a texture and a bone, after a change.
fn model(change: Change) -> Input {
    Input::Findings(Box::new(move |options: &CheckOptions| {
        let mut model = model_of_one_part();
        change(&mut model);
        check_model(&model, options)
    }))
}

/// The model with a note.
fn noted(kind: FileNoteKind) -> Input {
    Input::Findings(Box::new(move |options: &CheckOptions| {
        let mut model = model_of_one_part();
        model.notes.push(FileNote::new(kind, "something odd").at(0x20).in_part("mesh"));
        check_model(&model, options)
    }))
}

fn model_of_one_part() -> Model {
    let text = format!(
        ".org {} | start: BASE hi(v) | CALL lo(part) | RET
         part: VTYPE texcoord=FLOAT position=FLOAT | VADDR lo(v) | PRIM primitive=TRIANGLES count=3
         RET | after: .align 16 | texture: .fill 64 255
         v: .f32 0 0  0 0 0  1 0  1 0 0  0 1  0 1 0",
        SCENE_MEMORY.end
    );
    let program = assemble(&text).expect("a list");
    let symbol = |name: &str| program.symbols[name];
    let capture = program.capture();
    let part = Part {
        list: symbol("part")..symbol("after"),
        call: symbol("start").offset(4),
        mesh: 0,
        group: 0,
        material: 0,
        texture: Some(0),
        palette: [Some(5), None, None, None, None, None, None, None],
        weights: 1,
        uploads: Vec::new(),
    };
    let texture = ModelTexture {
        index: 0,
        name: Some("wood".to_owned()),
        width: 4,
        height: 4,
        format: TexelFormat::ABGR8888,
        swizzled: false,
        buffer_width: 4,
        address: symbol("texture"),
        file_offset: 0x40,
        palette: None,
        storage: None,
    };
    Model {
        memory: capture.memory,
        entry: symbol("start"),
        sources: capture.sources,
        info: ModelInfo::default(),
        parts: vec![part],
        textures: vec![texture],
        skeleton: Skeleton::new(vec![Bone { id: 5, name: None, parent: None, local: IDENTITY }]),
        animations: Vec::new(),
        alternatives: Alternatives::default(),
        up: Up::Y,
        fields: Vec::new(),
        notes: Vec::new(),
    }
}

pub(super) fn rows() -> Vec<Row> {
    let unchanged = || model(|_| {});
    vec![
        (Rule::LostCopies, dump(&[(RecordKind::MemCpyData, &[1])]), dump(SHOWN)),
        (
            Rule::IgnoredRecord,
            dump(&[(RecordKind::MemSet, &[0x0880_0000, 0, 4])]),
            dump(&[(RecordKind::MemSet, &[0x0400_0000, 0, 4])]),
        ),
        (
            Rule::IgnoredRecord,
            dump(&[(RecordKind::Registers, &[0]), (RecordKind::Vertices, &[0])]),
            dump(&[(RecordKind::Vertices, &[0]), (RecordKind::Registers, &[0])]),
        ),
        (Rule::LateRestore, dump(&[(RecordKind::Registers, &[0]), (RecordKind::Init, &[])]), dump(SHOWN)),
        (Rule::NoDisplay, dump(&[]), dump(SHOWN)),
        (Rule::FileNote, noted(FileNoteKind::HiddenParts), noted(FileNoteKind::TexturesMissing)),
        (Rule::FileProblem, noted(FileNoteKind::TexturesMissing), noted(FileNoteKind::HiddenParts)),
        (Rule::UnusedTexture, model(|model| model.parts[0].texture = None), unchanged()),
        (Rule::UntexturedPart, model(|model| model.parts[0].texture = None), unchanged()),
        (
            Rule::EmptyPart,
            model(|model| model.parts[0].list = Address::new(0x0890_0000)..Address::new(0x0890_0010)),
            unchanged(),
        ),
        (Rule::MissingBone, model(|model| model.parts[0].palette[0] = Some(6)), unchanged()),
        (Rule::TextureTooLarge, model(|model| model.textures[0].width = 600), unchanged()),
    ]
}
