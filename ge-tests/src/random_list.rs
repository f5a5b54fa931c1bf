//! Generates random lists by kind, to reach every rule for transform, lighting, textures, lines and curves. These
//! lists run from the matrices on, whereas [`crate::generate`] makes primitives after their transformation.
//!
//! A list fits in the first [`LIST_BYTES`] in main RAM. Its texels are at [`TEXELS`], its vertices at [`VERTICES`];
//! both may be any bytes.

mod lights;
mod pixels;
mod textures;
mod transforms;
mod vertices;

use pspge::ge::address::{Address, USER_RAM_BASE};
use pspge::ge::capture::Capture;
use pspge::ge::list::ListBuilder;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::overrides::Overrides;
use pspge::ge::registers::Registers;
use pspge::ge::registers::vertex::PrimitiveType;

use self::textures::Place;
use self::vertices::{Extent, VertexFormat};
use crate::generate::Random;

/// How many bytes a list may have.
pub const LIST_BYTES: usize = 4096;
/// Address for texels and palettes.
pub const TEXELS: Address = Address::new(USER_RAM_BASE + 0x2_0000);
/// Address for vertices.
pub const VERTICES: Address = Address::new(USER_RAM_BASE + 0x4_0000);

/// Vertices per draw.
const COUNT: u16 = 9;

/// The rules for a list to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Four lights with every type, special values, zero normals and a rotated view.
    Lights,
    /// The environment map, with and without lighting.
    EnvironmentMap,
    /// The texture matrix with every source; q is 0 and below, too.
    TextureMatrix,
    /// Rectangles with both pairs of corners, rotated, at fractions of a pixel.
    Rectangles,
    /// Lines and line strips, antialiased or not, textured or not.
    Lines,
    /// Points with texture coordinates, in through mode or not.
    Points,
    /// Palettes for each level.
    Palettes,
    /// Levels of detail on rotated triangles with perspective.
    Levels,
    /// Triangles that are as tall as the screen space, or smaller than a pixel.
    Sizes,
    /// Triangles and lines at the near plane and the sides, with any sign for w.
    Clipping,
    /// Bezier patches with every PATCHPRIM.
    Bezier,
    /// Splines with every edge type.
    Spline,
    /// Textures that overlap the target.
    SelfSampling,
    /// Targets with 16 and 32 bits and depth, and textures that read this depth.
    Depth,
    /// Skinned and morphed vertices with indices.
    Skin,
    /// Fog with every range.
    Fog,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 16] = [
        Self::Lights,
        Self::EnvironmentMap,
        Self::TextureMatrix,
        Self::Rectangles,
        Self::Lines,
        Self::Points,
        Self::Palettes,
        Self::Levels,
        Self::Sizes,
        Self::Clipping,
        Self::Bezier,
        Self::Spline,
        Self::SelfSampling,
        Self::Depth,
        Self::Skin,
        Self::Fog,
    ];
}

/// A list with its vertices.
#[derive(Clone, Debug)]
pub struct RandomList {
    /// The list's words.
    pub words: Vec<u32>,
    /// Its vertices as bytes.
    pub vertices: Vec<u8>,
}

impl RandomList {
    /// Generates a list for a kind.
    ///
    /// # Panics
    /// If the list is longer than [`LIST_BYTES`].
    #[must_use]
    pub fn new(kind: Kind, seed: u64) -> Self {
        let mut random = Random::new(seed.wrapping_mul(31).wrapping_add(kind as u64 + 1));
        let mut draft = Draft { list: ListBuilder::new(Address::new(USER_RAM_BASE)), vertices: Vec::new() };
        pixels::target(&mut draft.list, &mut random);
        draft.add(kind, &mut random);
        draft.list.finish();
        let words = draft.list.words().to_vec();
        assert!(words.len() * 4 <= LIST_BYTES, "{kind:?} {seed}: {} words", words.len());
        Self { words, vertices: draft.vertices }
    }

    /// Writes the list and its vertices to memory.
    pub fn store(&self, memory: &mut Memory) {
        memory.write(Address::new(USER_RAM_BASE), &self.bytes());
        memory.write(VERTICES, &self.vertices);
    }

    /// Returns a run for this list, to start with all registers 0 and this memory.
    #[must_use]
    pub fn capture(&self, mut memory: Memory) -> Capture {
        self.store(&mut memory);
        Capture {
            memory,
            registers: Registers::new(),
            start: Address::new(USER_RAM_BASE),
            stall: None,
            sources: Vec::new(),
            events: Vec::new(),
            overrides: Overrides::default(),
        }
    }

    /// Returns the list as bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// A list under construction.
struct Draft {
    list: ListBuilder,
    vertices: Vec<u8>,
}

impl Draft {
    /// Adds state and draws for a kind.
    fn add(&mut self, kind: Kind, random: &mut Random) {
        let through = match kind {
            Kind::Rectangles | Kind::Lines | Kind::Points | Kind::Sizes => random.once_in(2),
            Kind::SelfSampling | Kind::Palettes => !random.once_in(3),
            _ => false,
        };
        if !through {
            let has_perspective = kind != Kind::SelfSampling && !random.once_in(3);
            transforms::matrices(&mut self.list, random, has_perspective);
        }
        pixels::tests(&mut self.list, random);
        let mut format = VertexFormat::random(random, through);
        let mut extent = Extent::SCREEN;
        let mut textured = random.once_in(2);
        match kind {
            Kind::Lights => {
                lights::lights(&mut self.list, random);
                format.normal = 1 + random.below(3);
            }
            Kind::EnvironmentMap => {
                lights::lights(&mut self.list, random);
                self.list.set(Opcode::LIGHTINGENABLE, u32::from(random.once_in(2)));
                self.list.set(Opcode::TEXMAPMODE, 2).set(Opcode::TEXSHADELS, random.bits() & 0x303);
                format.normal = 1 + random.below(3);
                textured = true;
            }
            Kind::TextureMatrix => {
                transforms::texture_matrix(&mut self.list, random);
                textured = true;
            }
            Kind::Points | Kind::Palettes | Kind::Levels | Kind::SelfSampling => textured = true,
            Kind::Lines => {
                self.list.set(Opcode::ANTIALIASENABLE, u32::from(!random.once_in(3)));
            }
            Kind::Sizes => extent = random.pick(&[Extent::TALL, Extent::TINY]),
            Kind::Clipping => extent = Extent::CLIPPED,
            Kind::Bezier | Kind::Spline => {
                transforms::patch(&mut self.list, random);
                if random.once_in(2) {
                    lights::lights(&mut self.list, random);
                }
                if random.once_in(4) {
                    self.list.set(Opcode::TEXMAPMODE, 2).set(Opcode::TEXSHADELS, random.bits() & 0x303);
                }
            }
            Kind::Skin => {
                transforms::bones(&mut self.list, random);
                format.weight = 1 + random.below(3);
                format.weight_count = 1 + random.below(4);
                format.frames = 1 + random.below(3);
            }
            Kind::Fog => transforms::fog(&mut self.list, random),
            Kind::Rectangles | Kind::Depth => {}
        }
        let place = match kind {
            Kind::SelfSampling => Place::Target,
            Kind::Depth if textured => Place::Depth,
            _ => Place::Ram,
        };
        if textured {
            textures::texture(&mut self.list, random, place, kind == Kind::Palettes);
            if matches!(kind, Kind::Palettes | Kind::Levels) {
                textures::levels(&mut self.list, random);
            }
            if !random.once_in(4) {
                format.texcoord = 1 + random.below(3);
            }
        }
        for _ in 0..1 + random.below(3) {
            self.draw(kind, random, format, extent);
            if textured && random.once_in(4) {
                self.list.set(Opcode::TEXFLUSH, 0);
            }
        }
    }

    /// Adds a draw with its own vertices.
    fn draw(&mut self, kind: Kind, random: &mut Random, format: VertexFormat, extent: Extent) {
        let start = u32::try_from(self.vertices.len()).unwrap_or(u32::MAX);
        self.list.set(Opcode::VTYPE, format.argument()).address(Opcode::VADDR, VERTICES.offset(start));
        let is_patch = matches!(kind, Kind::Bezier | Kind::Spline);
        let count = if is_patch { 4 * 7 } else { COUNT };
        for index in 0..count {
            let bytes = if is_patch {
                vertices::control_point(random, format, index)
            } else {
                vertices::vertex(random, format, extent)
            };
            self.vertices.extend(bytes);
        }
        self.vertices.resize(self.vertices.len().next_multiple_of(16), 0);
        let (columns, rows) = random.pick(&[(4, 4), (7, 4), (4, 7)]);
        match kind {
            Kind::Bezier => {
                self.list.set(Opcode::BEZIER, columns | rows << 8);
            }
            Kind::Spline => {
                let edges = random.below(4) << 16 | random.below(4) << 18;
                self.list.set(Opcode::SPLINE, columns | rows << 8 | edges);
            }
            _ => {
                self.list.prim(primitive(kind, random), COUNT);
            }
        }
    }
}

/// Selects a primitive type for a draw.
fn primitive(kind: Kind, random: &mut Random) -> PrimitiveType {
    match kind {
        Kind::Rectangles => PrimitiveType::RECTANGLES,
        Kind::Points => PrimitiveType::POINTS,
        Kind::Lines => random.pick(&[PrimitiveType::LINES, PrimitiveType::LINE_STRIP]),
        Kind::Levels | Kind::Sizes => random.pick(&[PrimitiveType::TRIANGLES, PrimitiveType::TRIANGLE_STRIP]),
        _ => random.pick(&[
            PrimitiveType::POINTS,
            PrimitiveType::LINES,
            PrimitiveType::LINE_STRIP,
            PrimitiveType::TRIANGLES,
            PrimitiveType::TRIANGLES,
            PrimitiveType::TRIANGLE_STRIP,
            PrimitiveType::TRIANGLE_FAN,
            PrimitiveType::RECTANGLES,
        ]),
    }
}
