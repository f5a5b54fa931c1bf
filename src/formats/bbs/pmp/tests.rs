//! Tests for PMP: instances, shared models and textures, errors.

use crate::formats::bbs::tests::fixtures::{TestModel, TestSection, skinned, texel, triangle, two_bones};
use crate::formats::tests::texts;
use crate::formats::{Content, Format, Request, open};
use crate::ge::opcode::Opcode;
use crate::model::Model;
use crate::scene::render;

/// An instance: position, scale, model number, flags.
type TestInstance = ([f32; 3], [f32; 3], Option<usize>, u16);

fn pmp(instances: &[TestInstance], models: &[TestModel]) -> Vec<u8> {
    let start = 0x20 + 0x30 * instances.len();
    let (mut offsets, mut body) = (Vec::new(), Vec::new());
    for model in models {
        let base = start + body.len();
        offsets.push(u32::try_from(base).expect("small"));
        body.extend(TestModel { base, ..model.clone() }.bytes());
        body.resize(body.len().next_multiple_of(16), 0);
    }
    let mut out = b"PMP\0".to_vec();
    out.resize(0x10, 0);
    out.extend(u16::try_from(instances.len()).expect("few").to_le_bytes());
    out.extend(u16::try_from(models.len()).expect("few").to_le_bytes());
    out.resize(0x20, 0);
    for (position, scale, model, flags) in instances {
        let floats = position.iter().chain(&[0.0; 3]).chain(scale);
        out.extend(floats.flat_map(|value| value.to_le_bytes()));
        out.extend(model.map_or(0, |model| offsets[model]).to_le_bytes());
        out.extend([0; 4]);
        out.extend(flags.to_le_bytes());
        out.extend([7, 0]);
    }
    out.extend(body);
    out
}

fn lowered(bytes: &[u8]) -> Model {
    match open(&Request::new("map", bytes)).unwrap_or_else(|error| panic!("a good file: {error}")).content {
        Content::Model(model) => *model,
        other => panic!("a model, not {other:?}"),
    }
}

/// Collects an opcode's arguments in the map's own list.
fn arguments(model: &Model, opcode: Opcode) -> Vec<u32> {
    let mut out = Vec::new();
    let mut at = model.entry;
    loop {
        let command = crate::ge::command::Command::from_word(model.memory.read_u32(at));
        at = at.offset(4);
        if command.opcode() == opcode {
            out.push(command.argument());
        }
        if command.opcode() == Opcode::RET {
            return out;
        }
    }
}

const ONE: [f32; 3] = [1.0; 3];

#[test]
fn instances_share_lists_and_first_pass_precedes_second() {
    let lists = [vec![triangle()], vec![TestSection { attribute: 0x20, ..triangle() }]];
    let two = TestModel { lists, ..TestModel::new(Vec::new()) };
    let one = TestModel::new(vec![triangle()]);
    let instances: [TestInstance; 5] = [
        ([0.0; 3], ONE, Some(0), 0),
        ([5.0, 0.0, 0.0], [-1.0, 1.0, 1.0], Some(0), 0),
        ([9.0, 0.0, 0.0], ONE, None, 0),
        ([0.0, 5.0, 0.0], ONE, Some(1), 0),
        ([0.0, 9.0, 0.0], ONE, Some(1), 1),
    ];
    let model = lowered(&pmp(&instances, &[two, one]));
    let calls = arguments(&model, Opcode::CALL);
    assert_eq!(calls.len(), 6, "four in the first pass, two in the second");
    assert_eq!(calls[0], calls[1], "one list for both instances");
    assert_ne!(calls[2], calls[3], "a separate list for the sky");
    assert_eq!(calls[4], calls[5], "one list for both in the second pass");
    assert_eq!(arguments(&model, Opcode::BJUMP).len(), 6, "every call is skippable");
    assert_eq!(
        arguments(&model, Opcode::CULL),
        [0, 1, 0, 1],
        "the second instance is mirrored, in both passes"
    );
    assert_eq!(model.info.extra("instances"), Some(5), "counted");
    assert_eq!(model.info.extra("models"), Some(2), "counted");
    assert_eq!((model.info.groups, model.parts.len()), (3, 4), "sections and parts");
    assert_eq!(model.notes.len(), 1, "{:?}", texts(&model.notes));
    assert!(texts(&model.notes)[0].contains("instance 4 follows the camera"), "{:?}", texts(&model.notes));
    let xs: Vec<f32> =
        render::geometry(&model).draws().iter().map(|draw| draw.vertices[1].position[0]).collect();
    assert_eq!(xs, [0.5, 4.5, 0.5, 0.5, 0.5, 4.5], "positions");
    for part in &model.parts {
        let call = crate::ge::command::Command::from_word(model.memory.read_u32(part.call));
        assert_eq!(call.opcode(), Opcode::CALL, "a part knows its first CALL");
    }
}

#[test]
fn scale_applies_to_boxes_and_bones() {
    let skin = TestModel { bones: Some(two_bones()), scale: 4.0, ..TestModel::new(vec![skinned([0, 1])]) };
    let model = lowered(&pmp(&[([1.0, 0.0, 0.0], [2.0; 3], Some(0), 0)], &[skin]));
    let geometry = render::geometry(&model);
    let xs: Vec<f32> = geometry.draws()[0].vertices.iter().map(|vertex| vertex.position[0]).collect();
    assert_eq!(xs, [1.0, 5.0, 1.0], "half of 4, doubled, moved by one");
    assert!(
        texts(&model.notes).iter().any(|note| note.contains("has bones; maps show it in the rest pose")),
        "noted"
    );
    let corners = arguments(&model, Opcode::VADDR)[0] | 0x0800_0000;
    let far = model.memory.read_u32(crate::ge::address::Address::new(corners).offset(7 * 12));
    assert!((f32::from_bits(far) - 1.0).abs() < 1e-6, "corners are not scaled twice");
}

#[test]
fn loads_each_texture_once() {
    let textures = vec![("one", [0.5, 0.0], texel([9, 8, 7, 255]))];
    let textured = TestModel { textures, ..TestModel::new(vec![TestSection { texture: 0, ..triangle() }]) };
    let mut bytes = pmp(&[([0.0; 3], ONE, Some(0), 0)], &[textured]);
    // The map's own table repeats the model's entry.
    let table = bytes.len();
    let entry = bytes[0x50 + 0xA0..0x50 + 0xC0].to_vec();
    bytes.extend(entry);
    bytes[0x1A] = 1;
    bytes[0x1C..0x20].copy_from_slice(&u32::try_from(table).expect("small").to_le_bytes());
    let mut model = lowered(&bytes);
    assert_eq!((model.textures.len(), model.parts[0].texture), (1, Some(0)), "once");
    assert_eq!(model.animations.len(), 1, "with a scroll animation");
    let offset = |model: &Model| render::geometry(model).draws().len();
    model.animate(0, 1.0);
    assert_eq!(offset(&model), 1, "the animated list still draws");
}

#[test]
fn reports_errors_with_offsets() {
    let good = pmp(&[([0.0; 3], ONE, Some(0), 0)], &[TestModel::new(vec![triangle()])]);
    let message = |place: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[place] = value;
        match open(&Request { format: Format::from_name("pmp"), ..Request::new("map", &bytes) }) {
            Ok(opened) => match opened.content {
                Content::Model(model) => texts(&model.notes).join("; "),
                other => format!("{other:?}"),
            },
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(message(0, b'X'), "at 0x0: not a Birth by Sleep map", "magic");
    assert_eq!(message(0x12, 3), "at 0x12: the header says 3 models, the instances have 1", "models");
    assert_eq!(message(0x46, 1), "at 0x20: none of the models of 1 instances can be read", "no model");
    assert_eq!(message(0x50, b'X'), "at 0x20: none of the models of 1 instances can be read", "magic");
    let count = "at 0x10: the header says 255 instances, the file has room for 5; those are used";
    assert!(message(0x10, 0xFF).starts_with(count), "instances: {}", message(0x10, 0xFF));
    let table = message(0x1A, 1);
    assert!(
        table.starts_with("at 0x0: no TIM2 texture at 0x504d50"),
        "a table at 0 holds no texture: {table}"
    );
    let mut bytes = good.clone();
    (bytes[0x1A], bytes[0x1F]) = (1, 1);
    let text =
        "at 0x1c: the texture table at 0x1000000 is not in the file; the tables of the models are used";
    assert_eq!(texts(&lowered(&bytes).notes), [text], "texture table");
}

#[test]
fn broken_instances_leave_the_others() {
    let instances: [TestInstance; 3] = [
        ([f32::INFINITY, 0.0, 0.0], ONE, Some(0), 0),
        ([0.0; 3], ONE, Some(1), 0),
        ([1.0, 0.0, 0.0], ONE, Some(0), 0),
    ];
    let one = TestModel::new(vec![triangle()]);
    let mut bytes = pmp(&instances, &[one.clone(), one]);
    let second = usize::from(u16::from_le_bytes([bytes[0x20 + 0x30 + 0x24], bytes[0x20 + 0x30 + 0x25]]));
    bytes[second] = b'X';
    let model = lowered(&bytes);
    let notes = [
        "at 0x20: instance 0 is left out: its transform has a value that is not a finite number".to_owned(),
        format!(
            "at 0x74: instance 1 is left out: its model at {second:#x} cannot be read: not a Birth by Sleep model"
        ),
        "at 0x12: the header says 2 models, the instances have 1".to_owned(),
    ];
    assert_eq!(texts(&model.notes), notes, "noted");
    assert_eq!(render::geometry(&model).draws()[0].vertices[0].position, [1.0, 0.0, 0.0], "the third");
}
