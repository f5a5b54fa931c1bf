//! Builds a synthetic model with features missing in public models: scales outside rotations, shear, mirrors,
//! contradicting bindings, instances of a shared list, a WORLD matrix after the skin, morph frames.

use std::sync::Arc;

use pspge::ge::address::Address;
use pspge::ge::list::ListBuilder;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Matrix;
use pspge::ge::registers::vertex::{ComponentFormat, PrimitiveType, VertexType};
use pspge::model::matrix::{Affine, IDENTITY, inverse, scaled, then, translation};
use pspge::model::{
    Alternatives, Animation, Bone, MatrixUpload, Model, ModelInfo, Part, Sampler, Skeleton, Up,
};

pub(crate) const FRAMES: u16 = 9;
pub(crate) const SPEED: f32 = 20.0;

const LISTS: u32 = 0x0890_0000;
const VERTICES: u32 = 0x08A0_0000;

/// Builds four bones: a plain root, a bone scaled outside its rotation, a sheared bone, and a mirroring bone.
fn bones(angle: f32) -> [Affine; 4] {
    let turn = turn(angle);
    let outside = then(&turn, &scaled(translation([0.0, 1.0, 0.0]), [1.0, 2.0, 0.5]));
    let sheared = then(&turn, &[1.0, 0.25, 0.0, 0.5, 1.0, 0.0, 0.0, 0.125, 1.5, 0.5, 0.0, angle]);
    let mirror = scaled(then(&turn, &translation([1.0, angle, 0.0])), [1.0, -1.0, 1.0]);
    [then(&turn, &translation([angle, 0.0, 0.0])), outside, sheared, mirror]
}

fn turn(angle: f32) -> Affine {
    let (sine, cosine) = libm::sincosf(angle);
    [cosine, sine, 0.0, -sine, cosine, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
}

#[derive(Debug)]
struct Swing;

impl Sampler for Swing {
    #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
    fn sample(&self, _: &Skeleton, frame: f64) -> Vec<Affine> {
        bones(0.25 + 0.3 * frame as f32).to_vec()
    }
}

struct ModelBuilder {
    memory: Memory,
    list: ListBuilder,
    parts: Vec<Part>,
    next_list: Address,
    next_vertices: Address,
    rest: Vec<Affine>,
}

impl ModelBuilder {
    /// Writes a matrix to move with a bone.
    fn upload(&mut self, matrix: Matrix, slot: usize, bone: Option<usize>, binding: Affine) -> MatrixUpload {
        let first = u32::try_from(12 * slot).expect("small");
        let at = self.list.here().offset(4);
        let value = bone.map_or(binding, |bone| then(&binding, &self.rest[bone]));
        self.list.matrix(matrix, first, &value);
        let bone = bone.map(|bone| u32::try_from(10 * bone + 10).expect("small"));
        MatrixUpload { matrix, slot, bone, binding, at }
    }

    /// Writes a vertex strip as a separate list.
    fn strip(&mut self, vertex_type: VertexType, vertices: &[Vec<f32>]) -> std::ops::Range<Address> {
        let bytes: Vec<u8> = vertices.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        self.memory.write(self.next_vertices, &bytes);
        let mut list = ListBuilder::new(self.next_list);
        list.write(vertex_type).address(Opcode::VADDR, self.next_vertices);
        let count = vertices.len() / vertex_type.morph_frames();
        list.prim(PrimitiveType::TRIANGLE_STRIP, u16::try_from(count).expect("few"));
        list.set(Opcode::RET, 0);
        list.store(&mut self.memory);
        let range = self.next_list..list.here();
        self.next_list = self.next_list.offset(0x100);
        self.next_vertices = self.next_vertices.offset(0x1000);
        range
    }

    fn part(
        &mut self,
        mesh: usize,
        list: std::ops::Range<Address>,
        weights: usize,
        uploads: Vec<MatrixUpload>,
    ) {
        self.list.address(Opcode::CALL, list.start);
        let call = self.list.here().offset(4_u32.wrapping_neg());
        let mut palette = [None; 8];
        for upload in uploads.iter().filter(|upload| upload.matrix == Matrix::Bone) {
            palette[upload.slot] = upload.bone;
        }
        let group = self.parts.len();
        self.parts.push(Part {
            list,
            call,
            mesh,
            group,
            material: 0,
            texture: None,
            palette,
            weights,
            uploads,
        });
    }

    /// Writes a single CALL to a list with two materials: a part for each.
    fn two_parts(&mut self, mesh: usize, colors: [u32; 2]) {
        let start = self.next_list;
        let pieces = colors.map(|color| {
            let mut list = ListBuilder::new(self.next_list);
            list.set(Opcode::MATERIALAMBIENT, color);
            list.store(&mut self.memory);
            self.next_list = list.here();
            let piece = self.strip(layout(0, 1), &zigzag(4 + u8::from(color > 0xFFFF), &|_| Vec::new()));
            // Overwrite the RET, so that the next piece follows.
            self.next_list = piece.end.offset(4_u32.wrapping_neg());
            (list.start()..self.next_list, color)
        });
        let mut end = ListBuilder::new(self.next_list);
        end.set(Opcode::RET, 0);
        end.store(&mut self.memory);
        self.next_list = start.offset(0x200);
        self.list.address(Opcode::CALL, start);
        let call = self.list.here().offset(4_u32.wrapping_neg());
        for (material, (list, _)) in (1..).zip(pieces) {
            let group = self.parts.len();
            let palette = [None; 8];
            let uploads = Vec::new();
            self.parts.push(Part {
                list,
                call,
                mesh,
                group,
                material,
                texture: None,
                palette,
                weights: 0,
                uploads,
            });
        }
    }
}

fn layout(weights: u8, frames: u8) -> VertexType {
    VertexType {
        position: ComponentFormat::FLOAT,
        weight: if weights > 0 { ComponentFormat::FLOAT } else { ComponentFormat::NONE },
        weight_count: weights.saturating_sub(1),
        morph_count: frames - 1,
        ..VertexType::default()
    }
}

/// Builds a zigzag with `count` vertices, each after its weights from `weights`.
fn zigzag(count: u8, weights: &dyn Fn(u8) -> Vec<f32>) -> Vec<Vec<f32>> {
    let vertex = |number: u8| {
        let along = f32::from(number);
        let mut vertex = weights(number);
        vertex.extend([along * 0.25 - 0.5, f32::from(number % 2) * 0.5, along * along * 0.0625]);
        vertex
    };
    (0..count).map(vertex).collect()
}

pub(crate) fn model() -> Model {
    let names = ["root", "leaning", "sheared", "mirror"];
    let parents = [None, Some(0), Some(1), Some(0)];
    let bones = bones(0.25).into_iter().zip(names).zip(parents).zip([10, 20, 30, 40]);
    let bones =
        bones.map(|(((local, name), parent), id)| Bone { id, name: Some(name.into()), parent, local });
    let skeleton = Skeleton::new(bones.collect()).expect("a tree");
    let rest = skeleton.world(&skeleton.rest());
    let start = Address::new(LISTS);
    let mut builder = ModelBuilder {
        memory: Memory::default(),
        list: ListBuilder::new(start),
        parts: Vec::new(),
        next_list: start.offset(0x8000),
        next_vertices: Address::new(VERTICES),
        rest: rest.clone(),
    };
    builder.list.matrix(Matrix::World, 0, &IDENTITY).set(Opcode::MATERIALAMBIENT, 0x80_C0FF);
    builder.list.set(Opcode::MATERIALALPHA, 0xFF);

    // 0: a skin with three weights, stored at half its size.
    let shares = |number: u8| match number % 3 {
        0 => vec![1.0, 0.0, 0.0],
        1 => vec![0.5, 0.25, 0.25],
        _ => vec![0.0, 0.375, 0.625],
    };
    let list = builder.strip(layout(3, 1), &zigzag(12, &shares));
    let bind = |bone: usize| scaled(inverse(&rest[bone]).expect("regular"), [2.0; 3]);
    let uploads = (0..3).map(|slot| builder.upload(Matrix::Bone, slot, Some(slot), bind(slot))).collect();
    builder.part(0, list, 3, uploads);

    // 1: the same list on two bones.
    let list = builder.strip(layout(0, 1), &zigzag(6, &|_| Vec::new()));
    for bone in [1, 2] {
        let upload =
            builder.upload(Matrix::World, 0, Some(bone), scaled(translation([0.0, 0.0, 1.0]), [0.5; 3]));
        builder.part(1, list.clone(), 0, vec![upload]);
    }

    // 2: on a mirroring bone.
    let list = builder.strip(layout(0, 1), &zigzag(7, &|_| Vec::new()));
    let upload = builder.upload(Matrix::World, 0, Some(3), IDENTITY);
    builder.part(2, list, 0, vec![upload]);

    // 3: each vertex in its own bone's space.
    builder.list.matrix(Matrix::World, 0, &IDENTITY);
    let own = |number: u8| if number < 5 { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
    let list = builder.strip(layout(2, 1), &zigzag(10, &own));
    let uploads = (0..2).map(|slot| builder.upload(Matrix::Bone, slot, Some(slot + 1), IDENTITY)).collect();
    builder.part(3, list, 2, uploads);

    // 4: bindings that contradict each other about a vertex's rest position, a bone used twice, and a fixed matrix.
    let thirds = |_: u8| vec![0.25, 0.25, 0.25, 0.25];
    let list = builder.strip(layout(4, 1), &zigzag(8, &thirds));
    let uploads = vec![
        builder.upload(Matrix::Bone, 0, Some(0), IDENTITY),
        builder.upload(Matrix::Bone, 1, Some(1), translation([0.0, 0.5, 0.0])),
        builder.upload(Matrix::Bone, 2, Some(1), IDENTITY),
        builder.upload(Matrix::Bone, 3, None, scaled(translation([0.0, 0.0, -1.0]), [1.5; 3])),
    ];
    builder.part(4, list, 4, uploads);

    // 5 and 6: the same matrices as 0; draw 6 does not upload them again and has a WORLD matrix after the skin.
    let list = builder.strip(layout(2, 1), &zigzag(6, &|_| vec![0.5, 0.5]));
    let uploads = vec![
        builder.upload(Matrix::Bone, 0, Some(0), bind(0)),
        builder.upload(Matrix::Bone, 1, Some(1), bind(1)),
    ];
    builder.part(5, list.clone(), 2, uploads);
    builder.list.matrix(
        Matrix::World,
        0,
        &scaled(then(&turn(0.5), &translation([0.0, 0.0, 2.0])), [1.0, 1.0, 2.0]),
    );
    builder.part(6, list, 2, Vec::new());

    // 7: fixed copies, one of them mirrored.
    let list = builder.strip(layout(0, 1), &zigzag(5, &|_| Vec::new()));
    for world in [translation([-1.0, 0.0, 0.0]), scaled(translation([-1.0, 1.0, 0.0]), [-1.0, 1.0, 1.0])] {
        builder.list.matrix(Matrix::World, 0, &world);
        builder.part(7, list.clone(), 0, Vec::new());
    }

    // 8: two morph frames whose weights do not add up to 1.
    builder.list.matrix(Matrix::World, 0, &translation([0.0, -1.0, 0.0]));
    builder.list.float(Opcode::MORPHWEIGHT0, 0.25).float(Opcode::MORPHWEIGHT0.plus(1), 0.5);
    let frames = zigzag(12, &|_| Vec::new());
    let list = builder.strip(layout(0, 2), &frames);
    builder.part(8, list, 0, Vec::new());

    // 9: two materials in the same list.
    builder.list.matrix(Matrix::World, 0, &translation([0.0, 0.0, -3.0]));
    builder.two_parts(9, [0x00_40FF, 0xFF_4000]);

    builder.list.set(Opcode::RET, 0);
    builder.list.store(&mut builder.memory);
    Model {
        memory: builder.memory,
        entry: start,
        sources: Vec::new(),
        info: ModelInfo { format: "made", vertices: 100, bones: 4, ..ModelInfo::default() },
        parts: builder.parts,
        textures: Vec::new(),
        skeleton: Some(skeleton),
        animations: vec![Animation {
            name: Some("swing".into()),
            frames: u32::from(FRAMES),
            frames_per_second: Some(SPEED),
            channels: 4,
            keys: 36,
            sampler: Arc::new(Swing),
        }],
        alternatives: Alternatives::default(),
        up: Up::Y,
        fields: Vec::new(),
        notes: Vec::new(),
    }
}
