//! Tests for PMO: state, matrices and textures for sections, and errors.

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

/// Collects the executed commands: the model's own list, and after each CALL the called list.
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
    let text = "at 0xac: the section is padded by the remainder of its length, as some tools write it";
    assert_eq!(texts(&model.notes)[0], text, "noted");
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

/// Opens a model after changing its bytes. Returns its notes, or the error.
fn message(fixture: &TestModel, change: &dyn Fn(&mut Vec<u8>)) -> String {
    let mut bytes = fixture.bytes();
    change(&mut bytes);
    let request = Request { format: Format::from_name("bbs-pmo"), ..Request::new("test", &bytes) };
    match open(&request) {
        Ok(Opened { content: Content::Model(model), .. }) => texts(&model.notes).join("; "),
        Ok(other) => format!("{other:?}"),
        Err(error) => format!("error {error}"),
    }
}

/// Opens a model with two sections after changing the first. Returns the message and the part count.
fn with_section(change: &dyn Fn(&mut TestSection)) -> (String, usize) {
    let mut first = triangle();
    change(&mut first);
    let fixture = TestModel::new(vec![first, TestSection { attribute: 4, ..triangle() }]);
    (message(&fixture, &|_| {}), lowered(&fixture).parts.len())
}

#[test]
fn refuses_files_without_anything_to_draw() {
    let plain = TestModel::new(vec![triangle()]);
    let byte = |place: usize, value: u8| message(&plain, &move |bytes: &mut Vec<u8>| bytes[place] = value);
    assert_eq!(byte(0, b'X'), "error at 0x0: not a Birth by Sleep model", "magic");
    let version =
        "error at 0x6: PMO version 4 is not supported; Birth by Sleep has 3 (4 is Dream Drop Distance)";
    assert_eq!(byte(6, 4), version, "the next game");
    let none =
        "error at 0x10: the model has mesh lists at 0x10000a0 and 0x0, but no section can be read from them";
    assert_eq!(byte(0x13, 1), none, "no mesh list");
    let short = message(&plain, &|bytes| bytes.truncate(0x9F));
    assert_eq!(short, "error at 0x0: 160 bytes are needed here, 159 are left", "the header is cut off");
    assert_eq!(message(&TestModel::new(Vec::new()), &|_| {}), "", "a model without mesh lists is empty");
}

#[test]
fn notes_damaged_headers() {
    let plain = TestModel::new(vec![triangle()]);
    let byte = |place: usize, value: u8| message(&plain, &move |bytes: &mut Vec<u8>| bytes[place] = value);
    assert_eq!(byte(6, 2), "at 0x6: PMO version 2 is not known; the file is read as version 3", "version");
    assert_eq!(byte(8, 9), "at 0x8: the header says 9 textures, the table has room for 0", "textures");
    let outside = "at 0x1c: the mesh list at 0x1000000 starts after the end of the file; it is left out";
    assert_eq!(byte(0x1F, 1), outside, "second list");
    assert_eq!(byte(0x14, 2), "at 0x14: the header says 2 triangles, the sections have 1", "triangles");
    assert_eq!(byte(0x16, 2), "at 0x16: the header says 2 vertices, the sections have 3", "vertices");
    let scale =
        |value: f32| message(&plain, &move |bytes| bytes[0x18..0x1C].copy_from_slice(&value.to_le_bytes()));
    assert_eq!(scale(f32::NAN), "at 0x18: the model's scale is NaN; 1 is used", "scale");
    assert_eq!(scale(0.0), "at 0x18: the model's scale is 0; 1 is used", "scale");
    let flat = message(&plain, &|bytes| bytes[0x20..0xA0].fill(0));
    assert_eq!(flat, "at 0x20: the bounding box does not contain the model", "box");
    let end = message(&plain, &|bytes| bytes.truncate(0xC0));
    assert_eq!(end, "at 0xc0: the mesh list does not end: no section with 0 vertices", "end");

    let texture = vec![("one", [0.0; 2], texel([1; 4]))];
    let section = TestSection { texture: 0, ..triangle() };
    let textured = TestModel { textures: texture, ..TestModel::new(vec![section]) };
    let missing = "at 0xa0: no TIM2 texture at 0x10000f0; its sections are drawn without it";
    assert_eq!(message(&textured, &|bytes| bytes[0xA3] = 1), missing, "a texture outside the file");
    assert_eq!(
        message(&textured, &|bytes| bytes[0xF0] = b'X'),
        missing.replace("10000f0", "f0"),
        "a texture without its magic"
    );
    let broken = "at 0xa0: texture \"one\" is left out: at 0x114: the picture has no pixels";
    assert_eq!(message(&textured, &|bytes| bytes[0x114] = 0), broken, "a broken texture");
}

#[test]
fn reads_unaligned_lists() {
    let mut bytes = TestModel::new(vec![triangle()]).bytes();
    bytes.insert(0xA0, 0);
    bytes[0x10] = 0xA1;
    let model = opened(&Request::new("test", &bytes));
    assert_eq!(model.parts.len(), 1, "the section");
    assert_eq!(
        texts(&model.notes),
        ["at 0x10: the mesh list at 0xa1 does not start at a multiple of 4"],
        "noted"
    );
}

/// A damaged section does not cost the sections after it.
#[test]
fn notes_damaged_sections() {
    let bits = "at 0xa4: bits 0x800000 of the vertex type belong to no model; they are ignored";
    assert_eq!(with_section(&|section| section.flags |= 1 << 23), (bits.to_owned(), 2), "through mode");
    assert_eq!(
        with_section(&|section| section.flags |= 1 << 2).0,
        bits.replace("800000", "4"),
        "a colour format that does not exist"
    );
    let none = "at 0xa4: the vertices have no position; the section is left out; at 0x14: the header says 2 \
                triangles, the sections have 1; at 0x16: the header says 6 vertices, the sections have 3";
    assert_eq!(with_section(&|section| section.flags &= !(3 << 7)), (none.to_owned(), 1), "no position");
    let twice = "both the vertices and the section have colours; those of the vertices are drawn";
    let colors = with_section(&|section| {
        section.flags |= 1 << 24 | 7 << 2;
        (section.size, section.color) = (12, Some([1; 4]));
        section.data = [[9; 4], [0; 4], [0; 4]].repeat(3).concat();
    });
    assert_eq!(colors, (format!("at 0xa4: {twice}"), 2), "two colours");
    let weighted = |section: &mut TestSection| {
        section.flags |= 1 << 9;
        section.size = 8;
        section.data = section.data.chunks(6).flat_map(|position| [&[128, 0], position].concat()).collect();
    };
    let rigid = "at 0xa4: the section is marked as rigid, but its vertices have weights, which are used";
    assert_eq!(with_section(&weighted), (rigid.to_owned(), 2), "weights of a rigid section");
    let loose = with_section(&|section| {
        weighted(section);
        section.flags &= !(1 << 25);
    });
    let text = "the vertices have weights, but the model has no skeleton; they are drawn where they are";
    assert_eq!(loose, (format!("at 0xa4: {text}"), 2), "weights without a skeleton");

    let texture = "at 0xa2: texture 0 is not in the table of 0; the section is drawn without it";
    assert_eq!(with_section(&|section| section.texture = 0), (texture.to_owned(), 2), "texture");
    let guess = "at 0xa4: primitive type 7 does not exist; the section is drawn as TRIANGLES";
    assert_eq!(with_section(&|section| section.flags |= 7 << 28), (guess.to_owned(), 2), "primitive");
    let fan = "at 0xa4: the section has TRIANGLE_FAN; known models have triangles and triangle strips";
    assert_eq!(
        with_section(&|section| section.flags += 2 << 28),
        (fan.to_owned(), 2),
        "an unusual primitive"
    );
    let lists = "at 0xac: the section has strip lengths, but its primitives are TRIANGLES";
    assert_eq!(
        with_section(&|section| section.strips = vec![3, 0]),
        (lists.to_owned(), 2),
        "strips of triangles"
    );

    let bones = TestModel { bones: Some(two_bones()), ..TestModel::new(vec![skinned([0, 2])]) };
    let text = "at 0xad: bone 2 is not in the skeleton of 2; its vertices stay in the rest pose";
    assert_eq!(message(&bones, &|_| {}), text, "bone");
    let skin = TestModel { bones: Some(two_bones()), ..TestModel::new(vec![skinned([0, 1])]) };
    let at = skin.bytes().windows(4).position(|word| word == b"BON\0").expect("a skeleton");
    let text =
        format!("at 0xc: no skeleton (BON) at {at:#x}; the model is drawn without bones, in its rest pose");
    assert_eq!(message(&skin, &|bytes| bytes[at] = b'X'), text, "no skeleton");
}

#[test]
fn the_next_section_tells_the_size_of_a_damaged_one() {
    let size = "at 0xa3: the vertex size is given as 7 bytes; its type has 6, which is used";
    assert_eq!(with_section(&|section| section.size = 7), (size.to_owned(), 2), "the vertex type is right");
    let (text, parts) = with_section(&|section| {
        section.size = 8;
        section.data.resize(24, 0);
    });
    let left = "at 0xa3: the vertices have 8 bytes, their type has 6; the section is left out";
    assert_eq!((text.split("; at").next(), parts), (Some(left), 1), "the vertex size is right");
    let (text, parts) = with_section(&|section| section.vertices = 300);
    let count = "at 0xa0: the section says 300 vertices, 3 are in the file before the next section";
    assert_eq!((text.split("; at").next(), parts), (Some(count), 2), "neither is");
    let cut = TestModel::new(vec![TestSection { vertices: 300, ..triangle() }]);
    assert!(message(&cut, &|_| {}).contains("no section follows"), "the last section");
}

#[test]
fn strips_are_drawn_as_far_as_they_go() {
    let strips = |strips: &[u16]| {
        let strips = strips.to_vec();
        let section = TestSection {
            vertices: 8,
            flags: 4 << 28 | 1 << 25 | 2 << 7,
            strips,
            data: vec![0; 48],
            ..triangle()
        };
        let fixture = TestModel::new(vec![section, triangle()]);
        let model = lowered(&fixture);
        let notes: Vec<String> =
            texts(&model.notes).into_iter().filter(|note| note.contains("strip")).collect();
        let draws =
            arguments(&model, Opcode::PRIM).iter().map(|argument| argument & 0xFFFF).collect::<Vec<_>>();
        assert_eq!(draws.last(), Some(&3), "the section after it");
        (draws[..draws.len() - 1].to_vec(), notes.join("; "))
    };
    assert_eq!(strips(&[5, 3]), (vec![5, 3], String::new()), "an even number of lengths");
    assert_eq!(strips(&[8, 0]), (vec![8], String::new()), "padding is no strip");
    let sum = "at 0xac: the strips have 6 vertices, the section has 8";
    assert_eq!(strips(&[3, 3]), (vec![3, 3], sum.to_owned()), "too few");
    assert_eq!(strips(&[3, 9]), (vec![3, 5], sum.replace('6', "12")), "too many");
    let short = "at 0xac: a strip of 2 vertices is too short to draw";
    assert_eq!(strips(&[2, 6]), (vec![2, 6], short.to_owned()), "the vertices of a short one are skipped");
}

#[test]
fn boxes_are_in_the_space_of_the_standard_bone() {
    let skin = TestModel { bones: Some(two_bones()), ..TestModel::new(vec![skinned([0, 1])]) };
    let at = skin.bytes().windows(4).position(|word| word == b"BON\0").expect("a skeleton");
    // The second bone is 4 above the first.
    let moved = |bytes: &mut Vec<u8>| {
        bytes[at + 0x0E] = 1;
        for corner in 0..8 {
            let y = if corner & 4 == 0 { -4.0_f32 } else { -3.0 };
            bytes[0x24 + corner * 16..0x28 + corner * 16].copy_from_slice(&y.to_le_bytes());
        }
    };
    assert_eq!(message(&skin, &moved), "", "the box contains the model");
    let text = "at 0x20: the bounding box does not contain the model";
    assert_eq!(message(&skin, &|bytes| bytes[at + 0x0E] = 1), text, "not in the model's space");
}

#[test]
fn visibility_groups_are_listed_as_ranges() {
    let section = |group| TestSection { group, ..triangle() };
    let model = lowered(&TestModel::new([0, 1, 2, 3, 7, 8, 42].map(section).to_vec()));
    let text = "the sections have visibility groups 0 to 3, 7, 8, 42; all are drawn (selecting group N: only those \
                of 0 and N)";
    assert_eq!(texts(&model.notes), [text], "ranges");
}
