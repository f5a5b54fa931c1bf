//! TOY: triangles of a single colour, a format to test registration with.
//!
//! A file has `TOY1`, then corners, each three little-endian floats. The colour is in a separate file, a [`PAINT`],
//! to test companions.

use pspge::formats::core::cursor::View;
use pspge::formats::core::loader::Loader;
use pspge::formats::core::slice::FileSlice;
use pspge::formats::core::state_writer::{StateWriter, float, off};
use pspge::formats::{
    Companion, Content, Contents, Descriptor, FileRole, FormatError, FormatProblem, OpenContext, ParseOption,
    Search,
};
use pspge::ge::command::Command;
use pspge::ge::list::ListBuilder;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Matrix;
use pspge::ge::registers::field::Rgb;
use pspge::ge::registers::light::Color;
use pspge::ge::registers::vertex::{ComponentFormat, PrimitiveType, VertexType};
use pspge::model::matrix::{IDENTITY, scaled};
use pspge::model::{Alternatives, Model, ModelInfo, Part, Up};

/// Mirrors the model in x.
const MIRRORED: ParseOption =
    ParseOption { name: "toy-mirrored", about: "TOY: the x axis points to the left" };

pub(crate) static TOY: Descriptor = Descriptor {
    title: "Toy model",
    about: "Triangles in one colour.",
    sniff: |bytes| bytes.starts_with(b"TOY1"),
    companions: &[Companion { role: FileRole::Textures, search: Search::Extension("paint", &PAINT) }],
    options: &[MIRRORED],
    open,
    ..Descriptor::new("toy")
};

pub(crate) static PAINT: Descriptor = Descriptor {
    title: "Toy colour",
    about: "The colour of a toy model.",
    sniff: |bytes| bytes.starts_with(b"PNT1"),
    serves_as: Some(FileRole::Textures),
    ..Descriptor::new("toy-paint")
};

/// What can be wrong with this format's models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ToyProblem {
    /// The corners' size in bytes, which is not a multiple of a triangle's.
    Corners(u64),
}

impl std::fmt::Display for ToyProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self::Corners(bytes) = self;
        write!(f, "{bytes} bytes are not a multiple of 36, the size of a triangle")
    }
}

impl std::error::Error for ToyProblem {}
impl FormatProblem for ToyProblem {}

fn open(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let rgb = match context.companions.textures {
        Some(file) => {
            let paint = context.companion_of(FileSlice::whole(file, FileRole::Textures), PAINT.format())?;
            paint.view(PAINT.name).read::<[u8; 3]>(4)?
        }
        None => [0xFF; 3],
    };
    let mirror = if context.options.parse.has(MIRRORED) { -1.0 } else { 1.0 };
    let model = lower(context.slice.view(TOY.name), context.slice.name, rgb, [mirror, 1.0, 1.0])?;
    Ok(Content::Model(Box::new(model)).into())
}

fn lower(file: View<'_>, name: &str, rgb: [u8; 3], scale: [f32; 3]) -> Result<Model, FormatError> {
    let corners = file.view(4, file.len() - 4)?;
    if corners.len() % 36 != 0 {
        return Err(file.error(4, ToyProblem::Corners(corners.len())));
    }
    let count = u16::try_from(corners.len() / 12).expect("a small toy");
    let mut loader = Loader::new();
    let vertices = loader.place(name, corners, 16)?;
    let (start, _) = loader.room();
    let mut list = ListBuilder::new(start);
    list.write(VertexType { position: ComponentFormat::FLOAT, ..VertexType::default() });
    list.address(Opcode::VADDR, vertices).prim(PrimitiveType::TRIANGLES, count).set(Opcode::RET, 0);
    let part = start..list.here();
    let entry = list.here();
    let mut state: StateWriter = StateWriter::new(list);
    state.list_mut().set(Opcode::OFFSETADDR, 0);
    for opcode in [Opcode::LIGHTINGENABLE, Opcode::TEXENABLE, Opcode::CULLENABLE, Opcode::BLENDENABLE] {
        state.set(off(opcode));
    }
    state.set(float(Opcode::TEXSCALEU, 1.0));
    state.set(Color { rgb: Rgb(rgb) }.to(Opcode::MATERIALAMBIENT));
    state.set(Command::new(Opcode::MATERIALALPHA, 0xFF));
    state.matrix(Matrix::World, 0, (), || scaled(IDENTITY, scale));
    let call = state.call(part.start);
    state.list_mut().set(Opcode::RET, 0);
    state.list().store(loader.memory_mut());
    let (memory, sources) = loader.finish();
    let info = ModelInfo { format: TOY.name, meshes: 1, vertices: count.into(), ..ModelInfo::default() };
    let parts = vec![Part {
        list: part,
        call,
        mesh: 0,
        group: 0,
        material: 0,
        texture: None,
        palette: [None; 8],
        weights: 0,
        uploads: Vec::new(),
    }];
    Ok(Model {
        memory,
        entry,
        sources,
        alternatives: Alternatives::default(),
        up: Up::Y,
        info,
        parts,
        textures: Vec::new(),
        skeleton: None,
        animations: Vec::new(),
        fields: Vec::new(),
        notes: Vec::new(),
    })
}
