//! Checks Monster Hunter models in the corpus, vertex by vertex: compares geometry decoded from the files' lists with
//! an independent decoder, and assembles disassembled lists to the same bytes.
//!
//! To run these tests, set `PSPGE_CORPUS` to the folder with `models/pmo`. Without it they print a message and pass.

use ge_tests::pmo_oracle::{self, OracleDraw};
use ge_tests::{corpus, input};
use pspge::asm::{Image, assemble, disassemble, walk};
use pspge::formats::Request;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::list::ListBuilder;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Registers;
use pspge::model::Model;
use pspge::run::decode::{DecodedDraw, GeometrySink};
use pspge::run::interpreter::{Ending, Interpreter, Limits};
use pspge::run::sink::NullObserver;
use pspge::scene::render_target::SCENE_LIST;

const MODELS: [&str; 3] = ["fu_ground.pmo", "fu_skinned_2mesh.pmo", "p3rd_skinned.pmo"];

fn decode(model: &Model) -> GeometrySink {
    let mut memory = model.memory.clone();
    let mut list = ListBuilder::new(SCENE_LIST);
    list.address(Opcode::CALL, model.entry).finish();
    list.store(&mut memory);
    let mut sink = GeometrySink::new();
    let mut interpreter = Interpreter::new(Registers::new(), Arithmetic::Single);
    let report = interpreter.run(&mut memory, SCENE_LIST, &mut sink, &mut NullObserver, &Limits::default());
    assert_eq!((report.ending, report.notes), (Ending::Finished, vec![]), "the list runs cleanly");
    sink
}

/// Compares within a few units in the last place, because matrices have 16 bits, so finer scales are cut.
fn close<const N: usize>(found: [f32; N], expected: [f32; N], what: &str) {
    for (found, expected) in found.iter().zip(expected) {
        let tolerance = expected.abs() / 32768.0 + 1e-6;
        assert!((found - expected).abs() <= tolerance, "{what}: {found} for {expected}");
    }
}

fn compare(name: &str, draw: &DecodedDraw, scale: [f32; 3], oracle: &OracleDraw) {
    let weights = draw.vertex_type.weights();
    assert_eq!(draw.triangles.len(), oracle.triangles.len(), "{name}: triangles of draw {}", draw.number);
    for (number, (triangle, expected)) in draw.triangles.iter().zip(&oracle.triangles).enumerate() {
        for (&index, &corner) in triangle.iter().zip(expected) {
            let vertex = draw.vertices[index as usize];
            let what = format!("{name}: draw {} triangle {number}", draw.number);
            close(vertex.position, oracle.positions[corner], &format!("{what} position"));
            if draw.has_texcoords() {
                close(vertex.texcoord, oracle.uvs[corner], &format!("{what} uv"));
            }
            if draw.has_colors() {
                assert_eq!(vertex.color, oracle.colors[corner], "{what} color");
            }
            if weights > 0 {
                assert_eq!(vertex.weights[..weights], oracle.weights[corner], "{what} weights");
            }
            if draw.has_normals() {
                // The same matrices scale positions and normals.
                let normal = oracle.normals[corner];
                close(
                    vertex.normal,
                    [0, 1, 2].map(|axis| normal[axis] * scale[axis]),
                    &format!("{what} normal"),
                );
            }
        }
    }
}

#[test]
fn vertices_match_oracle() {
    let Some(folder) = corpus::folder("models/pmo") else { return };
    for name in MODELS {
        let bytes = corpus::read(&folder, name);
        let model = input::model(&Request::new(name, &bytes));
        let oracle = pmo_oracle::read(&bytes, None);
        let decoded = decode(&model);
        assert_eq!(decoded.draws().len(), oracle.len(), "{name}: draws");
        for (draw, expected) in decoded.draws().iter().zip(&oracle) {
            let offset = model.source_of(draw.at).map(|(_, offset)| offset);
            assert_eq!(offset, Some(expected.file_offset_of_prim), "{name}: offset of draw {}", draw.number);
            let part = model.part_at(draw.at).expect("every draw belongs to a part");
            let bones: Vec<u32> =
                part.palette.iter().take(expected.bones.len()).map_while(|bone| *bone).collect();
            let expected_bones: Vec<u32> = expected.bones.iter().copied().map(u32::from).collect();
            assert_eq!(bones, expected_bones, "{name}: bones of draw {}", draw.number);
            compare(name, draw, expected.scale, expected);
        }
    }
}

#[test]
fn disassembled_models_assemble_to_same_bytes() {
    let Some(folder) = corpus::folder("models/pmo") else { return };
    for name in MODELS {
        let bytes = corpus::read(&folder, name);
        let model = input::model(&Request::new(name, &bytes));
        let source = &model.sources[0];
        let entries: Vec<_> = model.parts.iter().map(|part| part.list.start).collect();
        let mut image = Image::new(source.address, &bytes);
        image.code = walk(
            |at| source.offset_of(at).map(|_| model.memory.read_u32(at)),
            &entries,
            (source.address.get() >> 8) & 0x000F_0000,
        );
        let text = disassemble(&image);
        assert!(text.contains("PRIM primitive=TRIANGLE_STRIP"), "{name}: lists are disassembled as commands");
        let program = assemble(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(program.image().expect("small") == bytes, "{name}: the same bytes");
    }
}
