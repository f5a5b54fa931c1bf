//! Builds the worst inputs with a mebibyte: each spends as much as possible on something bounded by a limit.
//!
//! Lists are files with words, to run from the first word on (`--format list`), with their data in the same file.
//! They never end by themselves.

use pspge::formats::ppdmp::{CONTEXT_BYTES, DumpWriter, RecordKind};
use pspge::ge::address::{Address, USER_RAM_BASE};
use pspge::ge::capture::Capture;
use pspge::ge::list::ListBuilder;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::overrides::Overrides;
use pspge::ge::registers::vertex::PrimitiveType;
use pspge::ge::registers::{Matrix, Registers};

use crate::generate::Random;

/// Each file's size in bytes.
pub const BYTES: usize = 1 << 20;

/// The address for vertices.
const VERTICES: Address = Address::new(USER_RAM_BASE + 0x4_0000);
/// The address for texels.
const TEXELS: Address = Address::new(USER_RAM_BASE + 0x2_0000);

/// A file and its format.
#[derive(Clone, Debug)]
pub struct WorstInput {
    /// The name by which to select this input.
    pub name: &'static str,
    /// The format to open this file in, if it is not recognised by content.
    pub format: Option<&'static str>,
    /// The file.
    pub bytes: Vec<u8>,
}

impl WorstInput {
    /// Creates a capture for a list: the file at the start of main RAM, otherwise empty memory.
    #[must_use]
    pub fn capture(&self) -> Capture {
        let start = Address::new(USER_RAM_BASE);
        let mut memory = Memory::default();
        memory.write(start, &self.bytes);
        Capture {
            memory,
            registers: Registers::new(),
            start,
            stall: None,
            sources: Vec::new(),
            events: Vec::new(),
            overrides: Overrides::default(),
        }
    }
}

/// A list to repeat for ever, with its vertices.
struct EndlessList {
    list: ListBuilder,
    vertices: Vec<u8>,
}

impl EndlessList {
    fn new() -> Self {
        let mut list = ListBuilder::new(Address::new(USER_RAM_BASE));
        crate::lists::screen(&mut list);
        list.address(Opcode::VADDR, VERTICES);
        Self { list, vertices: Vec::new() }
    }

    /// Enables every stage in the pixel pipeline, to make each pixel slow.
    fn slow_pixels(&mut self, format: u32) -> &mut Self {
        for opcode in [
            Opcode::TEXENABLE,
            Opcode::BLENDENABLE,
            Opcode::DITHERENABLE,
            Opcode::ZTESTENABLE,
            Opcode::ALPHATESTENABLE,
            Opcode::STENCILTESTENABLE,
            Opcode::COLORTESTENABLE,
            Opcode::FOGENABLE,
            Opcode::LIGHTMODE,
        ] {
            self.list.set(opcode, 1);
        }
        self.list.set(Opcode::ALPHATEST, 1).set(Opcode::COLORTEST, 1).set(Opcode::ZTEST, 1);
        // This test always passes, and produces many different results.
        self.list.set(Opcode::STENCILTEST, 1 | 0xFF << 16).set(Opcode::STENCILOP, 4 | 4 << 8 | 4 << 16);
        self.list.set(Opcode::BLENDMODE, 2 | 3 << 4);
        self.list.set(Opcode::TEXFORMAT, format).set(Opcode::TEXMODE, 7 << 16 | 1);
        // Sample both mip levels, four texels each, selected by slope.
        self.list.set(Opcode::TEXFILTER, 7 | 1 << 8).set(Opcode::TEXFUNC, 0x1_0100);
        self.list.set(Opcode::CLUTFORMAT, 0xFF03);
        for level in 0..8 {
            let address = TEXELS.offset(u32::from(level) * 0x1000).get();
            self.list.set(Opcode::TEXADDR0.plus(level), address);
            self.list.set(Opcode::TEXBUFWIDTH0.plus(level), 512 | (address >> 24) << 16);
            self.list.set(Opcode::TEXSIZE0.plus(level), 0x0909);
        }
        self
    }

    /// Sets identity matrices, to send vertices through the whole transform.
    fn transformed(&mut self) -> &mut Self {
        crate::lists::transform(&mut self.list);
        self
    }

    /// Enables four spot lights with all components.
    fn lit(&mut self) -> &mut Self {
        self.list
            .set(Opcode::LIGHTINGENABLE, 1)
            .set(Opcode::LIGHTMODE, 1)
            .float(Opcode::MATERIALSPECULARCOEF, 3.7);
        for light in 0..4 {
            self.list
                .set(Opcode::LIGHTENABLE0.plus(light), 1)
                .set(Opcode::LIGHTTYPE0.plus(light), 2 << 8 | 2);
        }
        self
    }

    fn vertex(&mut self, words: &[u32]) -> &mut Self {
        self.vertices.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        self
    }

    /// Builds an input to repeat the commands from `body`.
    fn repeat(mut self, name: &'static str, body: impl Fn(&mut ListBuilder)) -> WorstInput {
        let start = self.list.here();
        // Repeat them in the file, too, because otherwise jumps would dominate.
        for _ in 0..64 {
            body(&mut self.list);
        }
        self.list.address(Opcode::JUMP, start);
        let mut bytes: Vec<u8> = self.list.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        let offset = |address: Address| (address.get() - USER_RAM_BASE) as usize;
        assert!(bytes.len() <= offset(TEXELS), "{name}: the list overlaps its data");
        bytes.extend(Random::new(7).bytes(BYTES - bytes.len()));
        bytes[offset(VERTICES)..][..self.vertices.len()].copy_from_slice(&self.vertices);
        WorstInput { name, format: Some("list"), bytes }
    }
}

/// The vertex type in through mode: positions and texture coordinates as floats, a colour.
const THROUGH: u32 = 1 << 23 | 3 << 7 | 3 | 7 << 2;
/// The same vertex type without through mode.
const TRANSFORMED: u32 = 3 << 7 | 3 | 7 << 2;

fn rectangles(name: &'static str, format: u32) -> WorstInput {
    let mut list = EndlessList::new();
    list.slow_pixels(format);
    for corner in [0.0f32, 512.0] {
        let place = corner.to_bits();
        list.vertex(&[(corner * 1.7).to_bits(), place, 0x80FF_8040, place, place, 0]);
    }
    list.list.set(Opcode::VTYPE, THROUGH);
    list.repeat(name, |list| {
        list.address(Opcode::VADDR, VERTICES).prim(PrimitiveType::RECTANGLES, 2);
    })
}

fn triangles(name: &'static str, prepare: impl Fn(&mut ListBuilder)) -> WorstInput {
    let mut list = EndlessList::new();
    list.slow_pixels(10).transformed();
    let far = 3.0f32.to_bits();
    let near = (-1.0f32).to_bits();
    for (x, y, u) in [(near, near, 0.0f32), (far, near, 9.1), (near, far, 3.3)] {
        list.vertex(&[u.to_bits(), (u * 0.7).to_bits(), 0x80FF_8040 ^ x, x, y, 0]);
    }
    list.list.set(Opcode::VTYPE, TRANSFORMED).set(Opcode::SHADEMODE, 1);
    prepare(&mut list.list);
    list.repeat(name, |list| {
        list.address(Opcode::VADDR, VERTICES).prim(PrimitiveType::TRIANGLES, 3);
    })
}

/// Builds a list with thousands of vertices per draw, in a layout that makes each expensive.
fn vertices(name: &'static str, vertex_type: u32, primitive: PrimitiveType) -> WorstInput {
    let mut list = EndlessList::new();
    list.transformed().lit();
    list.list.set(Opcode::VTYPE, vertex_type).set(Opcode::TEXENABLE, 1).set(Opcode::TEXMAPMODE, 1 | 1 << 8);
    list.list.set(Opcode::FOGENABLE, 1).set(Opcode::SHADEMODE, 1);
    list.repeat(name, move |list| {
        list.address(Opcode::VADDR, VERTICES).address(Opcode::IADDR, VERTICES).prim(primitive, 0xFFFF);
    })
}

fn patches(name: &'static str, opcode: Opcode, count: u32, division: u32) -> WorstInput {
    let mut list = EndlessList::new();
    list.transformed().lit();
    list.list.set(Opcode::VTYPE, TRANSFORMED | 3 << 5).set(Opcode::PATCHDIVISION, division | division << 8);
    list.repeat(name, move |list| {
        list.address(Opcode::VADDR, VERTICES).set(opcode, count | count << 8);
    })
}

/// Builds a list to draw a point after the commands from `between`.
fn points(name: &'static str, between: impl Fn(&mut ListBuilder)) -> WorstInput {
    let mut list = EndlessList::new();
    list.slow_pixels(3);
    list.vertex(&[0, 0, 0, 5.0f32.to_bits(), 5.0f32.to_bits(), 0]);
    list.list.set(Opcode::VTYPE, THROUGH);
    list.repeat(name, move |list| {
        between(list);
        list.address(Opcode::VADDR, VERTICES).prim(PrimitiveType::POINTS, 1);
    })
}

/// Builds lists that never end.
#[must_use]
pub fn lists() -> Vec<WorstInput> {
    let strip = PrimitiveType::TRIANGLE_STRIP;
    // These layouts have positions, normals and texture coordinates with 16 bits and a colour; then eight weights;
    // then eight morph frames.
    let rich = 2 << 7 | 2 << 5 | 2 | 7 << 2;
    let weights = 2 << 9 | 7 << 14;
    let morphs = 7 << 18;
    let mut lists = vec![
        EndlessList::new().repeat("nothing", |list| {
            list.set(Opcode::NOP, 0);
        }),
        EndlessList::new().repeat("calls", |list| {
            let next = list.here().offset(12);
            list.address(Opcode::CALL, next).set(Opcode::NOP, 0).set(Opcode::RET, 0);
        }),
        EndlessList::new().repeat("notes", |list| {
            list.set(Opcode::CLUTADDRUPPER, 0x0F_0000).set(Opcode::LOADCLUT, 63).set(Opcode::RET, 0);
        }),
        EndlessList::new().repeat("matrices", |list| {
            list.matrix(Matrix::Bone, 0, &[1.0; 12]);
        }),
        rectangles("rectangles of 32-bit texels", 3),
        rectangles("rectangles of palette indices", 5),
        rectangles("rectangles of wide palette indices", 7),
        rectangles("rectangles of DXT5", 10),
        triangles("triangles", |_| {}),
        triangles("triangles over their own depth", |list| {
            list.set(Opcode::ZBUFPTR, 0x1000);
        }),
        triangles("triangles over their own texture", |list| {
            for level in 0..8 {
                list.set(Opcode::TEXADDR0.plus(level), 0).set(Opcode::TEXBUFWIDTH0.plus(level), 0x04_0200);
            }
        }),
        triangles("triangles beyond memory", |list| {
            list.set(Opcode::FRAMEBUFPTR, 0x1F_0000);
        }),
        triangles("triangles with a logic operation", |list| {
            list.set(Opcode::LOGICOPENABLE, 1).set(Opcode::LOGICOP, 6).set(Opcode::MASKRGB, 0x12_3456);
        }),
        triangles("triangles with a texture matrix", |list| {
            list.set(Opcode::TEXMAPMODE, 1);
        }),
        vertices("vertices", rich, strip),
        vertices("vertices as points", rich, PrimitiveType::POINTS),
        vertices("vertices as lines", rich, PrimitiveType::LINE_STRIP),
        vertices("vertices with weights", rich | weights, strip),
        vertices("vertices with morph frames", rich | morphs, strip),
        vertices("vertices with everything", rich | weights | morphs, strip),
        vertices("vertices by index", rich | weights | 3 << 11, strip),
        vertices("flat vertices", THROUGH, strip),
        patches("Bezier patches of many vertices", Opcode::BEZIER, 4, 64),
        patches("splines of many points", Opcode::SPLINE, 255, 1),
        patches("one spline of all", Opcode::SPLINE, 255, 64),
        EndlessList::new().repeat("bounding boxes", |list| {
            list.set(Opcode::VTYPE, 2 << 7 | 2 << 9 | 7 << 14 | 7 << 18);
            list.address(Opcode::VADDR, VERTICES).set(Opcode::BBOX, 0xFFFF);
        }),
        EndlessList::new().repeat("transfers", |list| {
            list.set(Opcode::TRANSFERSRCW, 0x04_0400).set(Opcode::TRANSFERDSTW, 0x04_0400);
            list.set(Opcode::TRANSFERSIZE, 1023 | 511 << 10).set(Opcode::TRANSFERSTART, 1);
        }),
        points("depth buffers by turns", |list| {
            list.set(Opcode::ZBUFPTR, 0x10_0000).set(Opcode::ZBUFWIDTH, 1024);
            list.address(Opcode::VADDR, VERTICES).prim(PrimitiveType::POINTS, 1);
            list.set(Opcode::ZBUFPTR, 0x12_0000);
        }),
        points("palettes out of what is drawn", |list| {
            list.set(Opcode::CLUTADDRUPPER, 0x04_0000).set(Opcode::CLUTADDR, 0).set(Opcode::LOADCLUT, 63);
        }),
        points("transfers of a pixel", |list| {
            list.set(Opcode::TRANSFERSRCW, 0x04_0400).set(Opcode::TRANSFERDSTW, 0x04_0400);
            list.set(Opcode::TRANSFERSIZE, 0).set(Opcode::TRANSFERSTART, 1);
        }),
        points("textures in other views", |list| {
            list.set(Opcode::TEXBUFWIDTH0, 0x04_07FF).set(Opcode::TEXADDR0, 0x60_0000);
        }),
        points("palettes that change", |list| {
            list.set(Opcode::TEXFORMAT, 5).set(Opcode::CLUTADDRUPPER, 0x08_0000);
            let here = list.here().get();
            list.set(Opcode::CLUTADDR, here).set(Opcode::LOADCLUT, 32);
        }),
        EndlessList::new().repeat("vertices from registers", |list| {
            list.set(Opcode::VSCX, 0x7FFF).set(Opcode::VSCY, 0x7FFF).set(Opcode::VAP, 0x400);
            list.set(Opcode::VSCX, 0).set(Opcode::VAP, 0x700).set(Opcode::VSCY, 0).set(Opcode::VAP, 0x700);
        }),
    ];
    // Use a different texture for each draw, as large as possible.
    let mut list = EndlessList::new();
    list.slow_pixels(3).transformed();
    for corner in [0u32, 1, 2] {
        list.vertex(&[corner << 20, 0, 0, corner << 24, 0x3F00_0000, 0]);
    }
    list.list.set(Opcode::VTYPE, TRANSFORMED);
    let counter = std::cell::Cell::new(0);
    lists.push(list.repeat("a texture for each draw", |list| {
        counter.set(counter.get() + 16);
        list.set(Opcode::TEXADDR0, TEXELS.get() + counter.get());
        list.address(Opcode::VADDR, VERTICES).prim(PrimitiveType::TRIANGLES, 3);
    }));
    lists
}

/// Builds frame dumps with records that expand to far more than their size.
#[must_use]
pub fn dumps() -> Vec<WorstInput> {
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let many = |name, count, record: (RecordKind, Vec<u8>)| {
        let mut writer = DumpWriter::new(*b"WORST0001");
        for _ in 0..count {
            writer.push(record.0, &record.1);
        }
        WorstInput { name, format: None, bytes: writer.finish().to_bytes() }
    };
    let nops = vec![0; 1 << 20];
    let fill = words(&[0x0400_0000, 1, 2 << 20]);
    let copy = {
        let mut writer = DumpWriter::new(*b"WORST0002");
        for _ in 0..2000 {
            writer.push(RecordKind::MemCpyDest, &0x0400_0000u32.to_le_bytes());
            writer.push(RecordKind::MemCpyData, &nops);
        }
        WorstInput { name: "a dump of copies", format: None, bytes: writer.finish().to_bytes() }
    };
    vec![
        many("a dump of commands", 60, (RecordKind::Registers, nops.clone())),
        many("a dump of contexts", 300_000, (RecordKind::Init, vec![0; CONTEXT_BYTES as usize])),
        many("a dump of fills", 2000, (RecordKind::MemSet, fill)),
        many("a dump of displays", 300_000, (RecordKind::Display, words(&[0, 512, 3]))),
        many("a dump of textures", 300_000, (RecordKind::Texture(0), nops)),
        copy,
    ]
}
