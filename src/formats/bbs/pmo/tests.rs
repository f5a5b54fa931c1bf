//! Tests of PMO: state, matrices and textures of sections, and errors.

use crate::formats::bbs::tests::fixtures::{
    self, TestModel, TestSection, skinned, texel, triangle, two_bones,
};

use crate::formats::tests::texts;
use crate::formats::{Content, File, Format, Opened, Request, Selection, open};
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::model::Model;

fn opened(request: &Request<'_>) -> Model {
    match open(request).unwrap_or_else(|error| panic!("a good file: {error}")).content {
        Content::Model(model) => *model,
        other => panic!("a model, not {other:?}"),
    }
}

fn lowered(fixture: &TestModel) -> Model {
    opened(&Request::new("test", &fixture.bytes()))
}

/// Collects the executed commands: those of the model's own list and, after each CALL, those of the called
/// list.
fn commands(model: &Model) -> Vec<Command> {
    let mut at = model.entry;
    let mut back = Vec::new();
    let mut out = Vec::new();
    loop {
        let command = Command::from_word(model.memory.read_u32(at));
        at = at.offset(4);
        match command.opcode() {
            Opcode::CALL => {
                back.push(at);
                at = model.parts[out.iter().filter(|c: &&Command| c.opcode() == Opcode::CALL).count()]
                    .list
                    .start;
            }
            Opcode::RET => match back.pop() {
                Some(after) => at = after,
                None => return out,
            },
            _ => {}
        }
        out.push(command);
    }
}

fn arguments(model: &Model, opcode: Opcode) -> Vec<u32> {
    let of = commands(model).into_iter().filter(|command| command.opcode() == opcode);
    of.map(Command::argument).collect()
}

#[test]
fn draws_sections_in_order_second_list_last() {
    let strip = TestSection {
        vertices: 7,
        flags: 4 << 28 | 1 << 25 | 2 << 7,
        strips: vec![4, 3],
        data: vec![0; 42],
        ..triangle()
    };
    let whole = TestSection { strips: Vec::new(), ..strip.clone() };
    let fixture = TestModel { lists: [vec![triangle(), strip], vec![whole]], ..TestModel::new(Vec::new()) };
    let model = lowered(&fixture);
    let triangles = 3 << 16;
    let strips = 4 << 16;
    assert_eq!(arguments(&model, Opcode::PRIM), [triangles | 3, strips | 4, strips | 3, strips | 7], "draws");
    let info = &model.info;
    assert_eq!([info.meshes, info.draws, info.vertices, info.triangles], [3, 4, 17, 9], "counts");
    assert_eq!((info.extra("strips"), info.extra("second_pass_sections")), (Some(2), Some(1)), "more counts");
    assert!(model.notes.is_empty(), "{:?}", texts(&model.notes));
    assert_eq!(model.parts.len(), 3, "a part for each");
    assert!(model.sources.iter().all(|source| source.address.get() % 16 == 0), "vertices are aligned");
    let cull = arguments(&model, Opcode::CULLENABLE);
    assert_eq!(cull, [1], "state that stays the same is written once");
}

#[test]
fn attributes_set_state() {
    let section = |attribute| TestSection { attribute, ..triangle() };
    let attributes = [0, 0x10, 0x04, 0x20, 0x44, 0x60, 0x70, 0xA0, 0];
    let model = lowered(&TestModel::new(attributes.map(section).to_vec()));
    let mut state = std::collections::BTreeMap::new();
    let mut states = Vec::new();
    for command in commands(&model) {
        if command.opcode() == Opcode::PRIM {
            let get = |opcode: Opcode| state.get(&opcode.code()).copied().unwrap_or(0);
            let mode = if get(Opcode::BLENDENABLE) == 1 { get(Opcode::BLENDMODE) } else { 0 };
            states.push([
                get(Opcode::CULLENABLE),
                get(Opcode::BLENDENABLE),
                mode,
                get(Opcode::ALPHATESTENABLE),
                get(Opcode::ZWRITEDISABLE),
                get(Opcode::TEXFUNC),
            ]);
        }
        state.insert(command.opcode().code(), command.argument());
    }
    let double = 1 << 16;
    let alpha = double | 1 << 8;
    let expected = [
        [1, 0, 0, 0, 0, double],
        [1, 0, 0, 1, 0, alpha],
        [0, 0, 0, 0, 0, double],
        [1, 1, 0x032, 0, 1, alpha],
        [0, 1, 0x0A2, 0, 1, alpha],
        [1, 1, 0x2A2, 0, 1, alpha],
        [1, 1, 0x2A2, 0, 1, alpha],
        [1, 0, 0, 0, 0, double],
        [1, 0, 0, 0, 0, double],
    ];
    assert_eq!(states, expected, "culling, blending, alpha test, depth, texture function");
    assert_eq!(state.get(&Opcode::BLENDFIXEDB.code()), Some(&0xFF_FFFF), "the destination factor is 1");
    assert_eq!(model.notes.len(), 1, "{:?}", texts(&model.notes));
    assert!(
        texts(&model.notes)[0].ends_with("blend mode 0xa0 is not known; the section is drawn opaque"),
        "noted"
    );
}

#[test]
fn sections_without_texture_use_white_texture() {
    let colored = TestSection {
        flags: triangle().flags | 1 << 24,
        color: Some([1, 2, 3, 4]),
        texture: 0,
        ..triangle()
    };
    let textures = vec![("one", [0.0; 2], texel([9, 8, 7, 255]))];
    let model = lowered(&TestModel { textures, ..TestModel::new(vec![colored, triangle()]) });
    assert_eq!(arguments(&model, Opcode::MATERIALAMBIENT), [0x03_0201, 0x80_8080], "its own, and white");
    assert_eq!(arguments(&model, Opcode::MATERIALALPHA), [4, 0xFF], "alpha");
    assert_eq!(arguments(&model, Opcode::TEXADDR0).len(), 2, "the texture, and the white one");
    assert_eq!(
        [model.parts[0].texture, model.parts[1].texture],
        [Some(0), None],
        "the white texture has no number"
    );
    assert_eq!(model.textures[0].name.as_deref(), Some("one"), "the table's name");
    assert_eq!(model.info.materials, 2, "two materials");
}

#[test]
fn animations_patch_texture_offsets() {
    let section = |texture| TestSection { texture, ..triangle() };
    let textures = vec![
        ("moves", [0.25, 0.0], texel([9, 8, 7, 255])),
        ("stays", [0.0, 0.0], texel([9, 8, 7, 255])),
        ("also", [-0.5, 0.125], texel([9, 8, 7, 255])),
    ];
    let sections = vec![section(0), section(0), section(1), section(2)];
    let mut model = lowered(&TestModel { textures, ..TestModel::new(sections) });
    let animations: Vec<_> =
        model.animations.iter().map(|a| (a.name.as_deref(), a.frames, a.channels)).collect();
    assert_eq!(animations, [(Some("texture-scroll"), 8, 3)], "period of the slowest, three offsets");
    let float = |value: f32| value.to_bits() >> 8;
    assert_eq!(arguments(&model, Opcode::TEXOFFSETU), [0; 3], "before animation");
    model.animate(0, 1.0);
    let u = [0.25, 0.0, 0.5].map(float);
    assert_eq!(arguments(&model, Opcode::TEXOFFSETU), u, "after one frame; the second does not scroll");
    assert_eq!(arguments(&model, Opcode::TEXOFFSETV), [0.0, 0.125].map(float), "in v");
    model.animate(0, 6.0);
    assert_eq!(arguments(&model, Opcode::TEXOFFSETU), [0.5, 0.0, 0.0].map(float), "wrapped around");
}

#[test]
fn uploads_bone_matrices() {
    let rigid = TestSection { bones: Some([1, 255, 255, 255, 255, 255, 255, 255]), ..triangle() };
    let still = TestSection { bones: Some([0xFF; 8]), ..triangle() };
    let sections = vec![skinned([0, 1]), skinned([1, 1]), rigid, still];
    let fixture = TestModel { bones: Some(two_bones()), scale: 2.0, ..TestModel::new(sections) };
    let model = lowered(&fixture);
    assert_eq!(model.skeleton.as_ref().map(|skeleton| skeleton.bones().len()), Some(2), "bones");
    let uploads: Vec<Vec<_>> = model
        .parts
        .iter()
        .map(|part| part.uploads.iter().map(|upload| (upload.matrix, upload.slot, upload.bone)).collect())
        .collect();
    let bone = |slot, bone| (Matrix::Bone, slot, Some(bone));
    let expected: [Vec<_>; 4] =
        [vec![bone(0, 0), bone(1, 1)], vec![bone(0, 1)], vec![(Matrix::World, 0, Some(1))], vec![]];
    assert_eq!(uploads, expected, "uploads of changed matrices");
    assert_eq!(model.parts[0].palette[..3], [Some(0), Some(1), None], "bones of the weights");
    let upload = model.parts[2].uploads[0];
    let first = Command::from_word(model.memory.read_u32(upload.at));
    assert_eq!(first.opcode(), Opcode::WORLDMATRIXDATA, "address of the first element");
    assert_eq!(first.argument(), 2.0_f32.to_bits() >> 8, "in the rest pose, only the scale");
    assert_eq!(upload.binding[10], -4.0, "translation of the inverse bind matrix");
    let world = arguments(&model, Opcode::WORLDMATRIXNUMBER).len();
    assert_eq!(world, 3, "for the skinned, the rigid and the last section");
}

#[test]
fn selects_visibility_group() {
    let section = |group| TestSection { group, ..triangle() };
    let bytes = TestModel::new(vec![section(0), section(1), section(2)]).bytes();
    let parts = |group| {
        let selection = Selection { group, ..Selection::default() };
        let model = opened(&Request { selection, ..Request::new("test", &bytes) });
        (model.parts.len(), model.notes.len())
    };
    assert_eq!(parts(0), (3, 1), "all, with a note");
    assert_eq!(parts(2), (2, 0), "group 0 and the selected one");
}

#[test]
fn reads_sections_with_other_padding() {
    let odd = TestSection {
        vertices: 3,
        size: 3,
        flags: 3 << 28 | 1 << 25 | 1 << 7,
        data: vec![1; 9],
        ..triangle()
    };
    let good = TestModel::new(vec![odd.clone(), odd.clone(), triangle()]);
    assert!(lowered(&good).notes.is_empty(), "aligned");
    let other = TestModel { padding: |end| end % 4, ..good };
    let model = lowered(&other);
    assert_eq!(model.parts.len(), 3, "all sections");
    let text = "at 0xa0: sections are padded by the remainder of their length, as some tools write them";
    assert_eq!(texts(&model.notes), [text], "noted");
}

#[test]
fn finds_textures_in_other_files() {
    let section = |texture| TestSection { texture, ..triangle() };
    let textures = vec![("here", [0.0; 2], texel([1, 1, 1, 255])), ("Away", [0.0; 2], Vec::new())];
    let bytes = TestModel { textures, ..TestModel::new(vec![section(0), section(1)]) }.bytes();
    let model = opened(&Request::new("test", &bytes));
    assert_eq!([model.parts[0].texture, model.parts[1].texture], [Some(0), None], "one is missing");
    let text =
        "at 0xc0: texture \"Away\" is in another file that was not given; its sections are drawn without it";
    assert_eq!(texts(&model.notes), [text], "noted");
    let tim2 = texel([5, 5, 5, 255]);
    let given = Request { textures: Some(File { name: "t", bytes: &tim2 }), ..Request::new("test", &bytes) };
    let model = opened(&given);
    assert_eq!(model.parts[1].texture, Some(1), "the file that was given");
    assert_eq!(model.textures[1].name.as_deref(), Some("Away"), "under the table's name");
    let other = texel([6, 6, 6, 255]);
    let arc = fixtures::arc(&[("x.pmo", Some(&bytes)), ("b.tm2", Some(&other)), ("away.tm2", Some(&tim2))]);
    let model = opened(&Request::new("arc", &arc));
    let picture = model.textures[1].decode(&model.memory, 0);
    assert_eq!(picture.get_pixel(0, 0).0, [5, 5, 5, 255], "the member with its name");
    let wrong = Request { textures: Some(File { name: "t", bytes: &bytes }), ..Request::new("test", &bytes) };
    let error = open(&wrong).expect_err("no textures");
    assert_eq!(error.to_string(), "expected tim2, found bbs-pmo", "message");
}

#[test]
fn reports_errors_with_offsets() {
    let message = |fixture: &TestModel, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fixture.bytes();
        change(&mut bytes);
        let request = Request { format: Format::from_name("bbs-pmo"), ..Request::new("test", &bytes) };
        match open(&request) {
            Ok(Opened { content: Content::Model(model), .. }) => texts(&model.notes).join("; "),
            Ok(other) => format!("{other:?}"),
            Err(error) => error.to_string(),
        }
    };
    let plain = TestModel::new(vec![triangle()]);
    let byte = |place: usize, value: u8| message(&plain, &move |bytes: &mut Vec<u8>| bytes[place] = value);
    let section = |change: &dyn Fn(&mut TestSection)| {
        let mut fixture = triangle();
        change(&mut fixture);
        message(&TestModel::new(vec![fixture]), &|_| {})
    };
    assert_eq!(byte(0, b'X'), "at 0x0: not a Birth by Sleep model", "magic");
    let version = "at 0x6: PMO version 4 is not supported; Birth by Sleep has 3 (4 is Dream Drop Distance)";
    assert_eq!(byte(6, 4), version, "version");
    assert_eq!(byte(8, 9), "at 0xa0: 288 bytes are needed here, 48 are left", "textures");
    assert_eq!(byte(0x0C, 0x40), "at 0xc: no skeleton (BON) at 0x40", "skeleton");
    assert_eq!(byte(0x10, 0xA1), "at 0x10: the mesh list at 0xa1 does not start at a multiple of 4", "list");
    let outside = "at 0x1c: the mesh list at 0x1000000 starts after the end of the file";
    assert_eq!(byte(0x1F, 1), outside, "second list");
    assert_eq!(byte(0x14, 2), "at 0x14: the header says 2 triangles, the sections have 1", "triangles");
    assert_eq!(byte(0x16, 2), "at 0x16: the header says 2 vertices, the sections have 3", "vertices");
    assert_eq!(byte(0x1B, 0x7F), "at 0x18: the model's scale is not a finite number", "scale");
    let flat = message(&plain, &|bytes| bytes[0x20..0xA0].fill(0));
    assert_eq!(flat, "at 0x20: the bounding box does not contain the model", "box");
    let end = message(&plain, &|bytes| bytes.truncate(0xC0));
    assert_eq!(end, "at 0xc0: the mesh list does not end: no section with 0 vertices", "end");

    let vertex_type = |change: &dyn Fn(&mut TestSection)| {
        section(change).replace("at 0xa4: the vertex type is not one of a model: ", "")
    };
    assert_eq!(vertex_type(&|fixture| fixture.flags &= !(3 << 7)), "vertices have no position", "position");
    assert_eq!(vertex_type(&|fixture| fixture.flags |= 1 << 2), "the colour format does not exist", "colour");
    assert_eq!(vertex_type(&|fixture| fixture.flags |= 1 << 23), "through mode is set", "through");
    let indices = "vertices have indices";
    assert_eq!(vertex_type(&|fixture| fixture.flags |= 1 << 11), indices, "indices");
    assert_eq!(vertex_type(&|fixture| fixture.flags |= 1 << 18), "vertices have morph frames", "morphing");
    assert_eq!(vertex_type(&|fixture| fixture.flags |= 1 << 13), "unused bits are set", "bits");
    let twice = "both the vertices and the section have colours";
    assert_eq!(vertex_type(&|fixture| fixture.flags |= 1 << 24 | 7 << 2), twice, "colours");
    let weights = "vertices of a rigid section have weights";
    assert_eq!(vertex_type(&|fixture| fixture.flags |= 1 << 9), weights, "weights");
    let skeleton = "vertices have weights, but the model has no skeleton";
    let no_skeleton = |fixture: &mut TestSection| fixture.flags = fixture.flags & !(1 << 25) | 1 << 9;
    assert_eq!(vertex_type(&no_skeleton), skeleton, "skeleton");

    let size = "at 0xa3: the vertex size is given as 7 bytes; its type has 6";
    assert_eq!(section(&|fixture| fixture.size = 7), size, "size");
    assert_eq!(
        section(&|fixture| fixture.texture = 0),
        "at 0xa2: texture 0 is not in the table of 0",
        "texture"
    );
    assert_eq!(
        section(&|fixture| fixture.flags |= 7 << 28),
        "at 0xa4: primitive type 7 does not exist",
        "primitive"
    );
    let lists = "at 0xac: the section has strip lengths, but its primitives are TRIANGLES";
    assert_eq!(section(&|fixture| fixture.strips = vec![3]), lists, "strips of triangles");
    let whole = "at 0xa0: 2 vertices are not a multiple of 3, as triangles need";
    assert_eq!(section(&|fixture| fixture.vertices = 2), whole, "triangles");
    let strip = |strips: &[u16]| {
        let strips = strips.to_vec();
        section(&move |fixture| {
            fixture.flags += 1 << 28;
            fixture.strips.clone_from(&strips);
        })
    };
    assert_eq!(strip(&[2, 1]), "at 0xac: a strip of 2 vertices is too short", "short");
    assert_eq!(strip(&[4]), "at 0xac: the strips have 4 vertices, the section has 3", "sum");
    assert_eq!(strip(&[3]), "", "good");
    let fan = "at 0xa4: the section has TRIANGLE_FAN; known models have triangles and triangle strips";
    assert_eq!(section(&|fixture| fixture.flags += 2 << 28), fan, "an unusual primitive");

    let bones = TestModel { bones: Some(two_bones()), ..TestModel::new(vec![skinned([0, 2])]) };
    assert_eq!(message(&bones, &|_| {}), "at 0xad: bone 2 is not in the skeleton of 2", "bone");
    let texture = vec![("one", [0.0; 2], texel([1; 4]))];
    let textured = TestModel { textures: texture, ..plain.clone() };
    let outside = "at 0xa0: the texture at 0x10000f0 starts after the end of the file";
    assert_eq!(message(&textured, &|bytes| bytes[0xA3] = 1), outside, "texture");
    let magic = "at 0xa0: no TIM2 texture at 0xf1";
    assert_eq!(message(&textured, &|bytes| bytes[0xA0] = 0xF1), magic, "texture's magic");
}
