//! Reads a mesh list's sections: header, strips and vertices. Source:
//! [sections](crate::reference::formats::bbs#sections).
//!
//! # Invariants
//! Each section's vertices are in the file and match the size of their vertex type. Its primitives use no more
//! vertices than it has. Texture numbers are in the texture table.

use super::problem::BbsPmoProblem;
use super::raw;
use super::vertex::{self, Layout};
use crate::formats::core::cursor::{Cursor, View};
use crate::ge::registers::vertex::{PrimitiveType, VertexType};

/// Texture number for sections without a texture.
const NO_INDEX: u8 = 0xFF;
/// How far to search for the next section after a damaged section, in bytes.
const SEARCH_MAX: u64 = 0x4_0000;

/// Vertices with a common layout, state and bones.
#[derive(Clone, Debug)]
pub(in crate::formats::bbs) struct Section<'a> {
    /// Its mesh list: 0, or 1 for the second pass.
    pub(in crate::formats::bbs) list: usize,
    pub(in crate::formats::bbs) vertex_type: VertexType,
    pub(in crate::formats::bbs) primitive: PrimitiveType,
    pub(in crate::formats::bbs) texture: Option<usize>,
    pub(in crate::formats::bbs) group: u8,
    pub(in crate::formats::bbs) attribute: Attribute,
    /// The bone for each weight in a model with a skeleton; 0xFF is unused.
    pub(in crate::formats::bbs) bones: Option<[u8; 8]>,
    /// A common colour for all vertices: red, green, blue, alpha.
    pub(in crate::formats::bbs) color: Option<[u8; 4]>,
    /// Vertex count for each PRIM.
    pub(in crate::formats::bbs) counts: Vec<u16>,
    /// How many strip lengths the file has, without padding; 0 if all vertices form a single primitive.
    pub(in crate::formats::bbs) strips: usize,
    pub(in crate::formats::bbs) vertices: View<'a>,
    pub(super) layout: Layout,
}

/// A section's blending, culling and use of texture alpha. Source:
/// [attributes](crate::reference::formats::bbs#attributes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::formats::bbs) struct Attribute(pub(in crate::formats::bbs) u16);

/// How a section blends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats::bbs) enum Blend {
    Opaque,
    SemiTransparent,
    Additive,
    Subtractive,
}

impl Attribute {
    /// Names to list for bits without effect here.
    const UNUSED: [(u16, &'static str); 11] = [
        (0x0001, "NOMATERIAL"),
        (0x0002, "GLARE"),
        (0x0008, "DIVIDE"),
        (0x0100, "8"),
        (0x0200, "9"),
        (0x0400, "DROPSHADOW"),
        (0x0800, "ENVMAP"),
        (0x1000, "12"),
        (0x2000, "13"),
        (0x4000, "14"),
        (0x8000, "15"),
    ];

    /// Returns whether to draw back faces too (inferred from the bit's name).
    pub(in crate::formats::bbs) const fn is_two_sided(self) -> bool {
        self.0 & 0x4 != 0
    }

    /// Returns whether the texture's alpha counts.
    pub(in crate::formats::bbs) const fn uses_texture_alpha(self) -> bool {
        self.0 & 0x10 != 0
    }

    /// Returns whether this section is an environment map.
    pub(super) const fn reflects(self) -> bool {
        self.0 & 0x800 != 0
    }

    /// Decodes the blend mode; `None` for unknown values.
    pub(super) const fn known_blend(self) -> Option<Blend> {
        match self.0 & 0xE0 {
            0 => Some(Blend::Opaque),
            0x20 => Some(Blend::SemiTransparent),
            0x40 => Some(Blend::Additive),
            0x60 => Some(Blend::Subtractive),
            _ => None,
        }
    }

    /// Decodes the blend mode, and takes unknown values as opaque.
    pub(in crate::formats::bbs) fn blend(self) -> Blend {
        self.known_blend().unwrap_or(Blend::Opaque)
    }

    pub(super) fn unused_names(self) -> Vec<&'static str> {
        Self::UNUSED.iter().filter(|(bit, _)| self.0 & bit != 0).map(|(_, name)| *name).collect()
    }
}

impl Section<'_> {
    pub(in crate::formats::bbs) fn vertices(&self) -> usize {
        self.counts.iter().copied().map(usize::from).fold(0, usize::saturating_add)
    }

    /// Counts the triangles, including degenerate triangles.
    pub(in crate::formats::bbs) fn triangles(&self) -> usize {
        let of = |count: &u16| match self.primitive {
            PrimitiveType::TRIANGLES => usize::from(*count / 3),
            PrimitiveType::TRIANGLE_STRIP | PrimitiveType::TRIANGLE_FAN => {
                usize::from(count.saturating_sub(2))
            }
            _ => 0,
        };
        self.counts.iter().map(of).fold(0, usize::saturating_add)
    }

    /// Decodes all vertex positions, before the model's scale.
    pub(super) fn positions(&self) -> impl Iterator<Item = [f32; 3]> + '_ {
        let size = usize::try_from(self.layout.bytes).unwrap_or(1).max(1);
        self.vertices.bytes().chunks_exact(size).map(|vertex| self.layout.position(vertex))
    }
}

/// Reads the sections of a mesh list.
#[derive(Clone, Copy, Debug)]
pub(super) struct SectionReader<'a> {
    /// The file from the model's start on.
    pub(super) view: View<'a>,
    /// The mesh list's number.
    pub(super) list: usize,
    /// Offset to the next structure, to stop a search for sections there.
    pub(super) limit: u64,
    /// Whether sections name bones. They do in every model with a skeleton.
    pub(super) has_bones: bool,
    /// Bone count, if the skeleton was found.
    pub(super) bones: Option<usize>,
    /// Length of the texture table.
    pub(super) textures: usize,
}

/// A section, and how to go on after it.
#[derive(Debug)]
pub(super) struct ReadSection<'a> {
    /// `None` if it cannot be drawn.
    pub(super) section: Option<Section<'a>>,
    /// Offset to the next section; `None` if it was not found.
    pub(super) next: Option<u64>,
    /// How many bytes this searched for the next section.
    pub(super) searched: u64,
    /// Problems with their offsets.
    pub(super) problems: Vec<(u64, BbsPmoProblem)>,
}

/// A section up to its vertices.
struct SectionHeader {
    raw: raw::Section,
    /// `None` if no vertex can be drawn.
    vertex_type: Option<VertexType>,
    layout: Layout,
    primitive: PrimitiveType,
    bones: Option<[u8; 8]>,
    color: Option<[u8; 4]>,
    /// Strip lengths without padding.
    strips: Vec<u16>,
    vertices_at: u64,
    problems: Vec<(u64, BbsPmoProblem)>,
}

/// A section's vertex count, and the offset to the next section.
struct Extent {
    vertices: u64,
    /// Set if the vertices match their type's size.
    is_typed: bool,
    next: Option<u64>,
    searched: u64,
}

impl<'a> SectionReader<'a> {
    /// Reads the section at `at`; `None` if the file ends inside its header.
    pub(super) fn read(&self, at: u64) -> Option<ReadSection<'a>> {
        let mut header = self.header(at)?;
        let Extent { vertices, is_typed, next, searched } = self.extent(&mut header);
        let field_at = |field: u64| at.saturating_add(field);
        let (stated, actual) = (header.raw.vertex_size, header.layout.bytes);
        if u32::from(stated) != actual && header.vertex_type.is_some() {
            let problem = if is_typed {
                BbsPmoProblem::VertexSize { stated, actual }
            } else {
                BbsPmoProblem::VertexLayout { stated, actual }
            };
            header.problems.push((field_at(3), problem));
        }
        let mut section = None;
        if let Some(vertex_type) = header.vertex_type.filter(|_| is_typed) {
            let stated = header.raw.vertices.get();
            if vertices != u64::from(stated) {
                let problem = BbsPmoProblem::VertexCount { stated, actual: vertices };
                header.problems.push((at, problem));
            }
            let bytes = vertices.saturating_mul(actual.into());
            let vertices = self.view.view(header.vertices_at, bytes).ok()?;
            section = Some(self.section(at, vertex_type, &mut header, vertices));
        }
        Some(ReadSection { section, next, searched, problems: header.problems })
    }

    /// Reads the part up to the vertices, and checks this part without them.
    fn header(&self, at: u64) -> Option<SectionHeader> {
        let mut cursor = Cursor::new(self.view, at);
        let raw: raw::Section = cursor.read().ok()?;
        let field_at = |field: u64| at.saturating_add(field);
        let flags = raw.flags.get();
        let (vertex_type, found) = vertex::vertex_type(flags, self.has_bones);
        let mut problems: Vec<_> = found.into_iter().map(|problem| (field_at(4), problem)).collect();
        let layout = Layout::new(vertex_type);
        let number = raw.texture;
        if number != NO_INDEX && usize::from(number) >= self.textures {
            problems.push((field_at(2), BbsPmoProblem::NoTexture { number, count: self.textures }));
        }
        let mut bones = None;
        if self.has_bones {
            let from = cursor.at();
            let numbers: [u8; 8] = cursor.read().ok()?;
            let used = numbers.iter().zip(from..).take(vertex_type.weights());
            for ((&bone, at), count) in used.flat_map(|used| Some((used, self.bones?))) {
                if usize::from(bone) >= count {
                    problems.push((at, BbsPmoProblem::NoBone { bone, count }));
                }
            }
            bones = Some(numbers);
        }
        let has_color = flags & vertex::UNIFORM_COLOR != 0;
        let color = if has_color { Some(cursor.read().ok()?) } else { None };
        let strips_at = cursor.at();
        let mut strips: Vec<u16> = Vec::new();
        for _ in 0..raw.strips {
            strips.push(u16::from_le_bytes(cursor.read().ok()?));
        }
        // Strip length lists have an even length, so the last entry may be padding.
        strips.pop_if(|last| *last == 0);
        let vertices = raw.vertices.get();
        let (primitive, problem) = primitive_of(flags, !strips.is_empty(), vertices);
        problems.extend(problem.map(|problem| (field_at(4), problem)));
        let place = if strips.is_empty() { at } else { strips_at };
        problems.extend(check_counts(primitive, vertices, &strips).map(|problem| (place, problem)));
        let vertex_type = Some(vertex_type).filter(|_| layout.has_position());
        if vertex_type.is_none() {
            problems.push((field_at(4), BbsPmoProblem::NoPosition));
        }
        let vertices_at = cursor.at();
        Some(SectionHeader {
            raw,
            vertex_type,
            layout,
            primitive,
            bones,
            color,
            strips,
            vertices_at,
            problems,
        })
    }

    /// Works out how many vertices this section has by finding the next section. There are several readings: the
    /// stated count, else the sum of the strips, with the type's vertex size, else the stated size. The first
    /// reading that leads to a section wins, else the first that leads to the list's end. If none does, this
    /// searches for a section.
    fn extent(&self, header: &mut SectionHeader) -> Extent {
        let start = header.vertices_at;
        let stated = u64::from(header.raw.vertices.get());
        let sum: u64 = header.strips.iter().copied().map(u64::from).sum();
        let typed = header.vertex_type.map(|_| u64::from(header.layout.bytes));
        let size = u64::from(header.raw.vertex_size);
        let counts = [Some(stated), Some(sum).filter(|&sum| sum > 0 && sum != stated)].into_iter().flatten();
        let sizes = typed.into_iter().chain([size]);
        let readings: Vec<(u64, u64)> =
            counts.flat_map(|count| sizes.clone().map(move |size| (count, size))).collect();
        for after in [Self::section_after, Self::end_after] {
            for &(vertices, size) in &readings {
                let end = start.saturating_add(vertices.saturating_mul(size));
                if let Some(next) = after(self, end) {
                    if next != up(end) {
                        header.problems.push((start, BbsPmoProblem::OtherPadding));
                    }
                    let is_typed = typed == Some(size);
                    return Extent { vertices, is_typed, next: Some(next), searched: 0 };
                }
            }
        }
        let last = self.limit.max(start).min(start.saturating_add(SEARCH_MAX));
        let next = (up(start)..last).step_by(4).find(|&at| self.is_followed(at));
        let searched = next.unwrap_or(last).saturating_sub(start);
        let room = |end: u64| end.saturating_sub(start).checked_div(typed.unwrap_or(size)).unwrap_or(0);
        // Padding before the next section is smaller than a vertex, so rounding down drops it.
        let vertices = match next {
            Some(next) => room(next).min(u16::MAX.into()),
            None => stated.min(room(self.view.len())),
        };
        Extent { vertices, is_typed: typed.is_some(), next, searched }
    }

    /// Finds a faultless section after vertices up to `end`, at the next multiple of 4. `OpenKh` pads by `end % 4`
    /// bytes instead, so this tries both.
    fn section_after(&self, end: u64) -> Option<u64> {
        [up(end), end.saturating_add(end % 4)].into_iter().find(|&at| self.faults(at) == Some(0))
    }

    /// Finds how the list goes on after vertices up to `end`: its end, or a section with a single fault. Such a
    /// section is merely damaged, because arbitrary bytes have many faults.
    fn end_after(&self, end: u64) -> Option<u64> {
        let goes_on = |&at: &u64| self.ends_at(at) || self.faults(at).is_some_and(|faults| faults <= 1);
        Some(up(end)).filter(|_| end <= self.view.len()).filter(goes_on)
    }

    /// Returns whether a list ends here: with 0 vertices, or with the file.
    fn ends_at(&self, at: u64) -> bool {
        self.view.slice(at, 2).map_or(true, |count| count == [0; 2])
    }

    /// Counts the faults in the section at `at`; `None` if there is no section.
    fn faults(&self, at: u64) -> Option<usize> {
        if self.ends_at(at) {
            return None;
        }
        let header = self.header(at)?;
        let has_size = u32::from(header.raw.vertex_size) == header.layout.bytes;
        let is_inside = self.end_of(&header) <= self.view.len();
        Some(
            header
                .problems
                .len()
                .saturating_add(usize::from(!has_size))
                .saturating_add(usize::from(!is_inside)),
        )
    }

    fn end_of(&self, header: &SectionHeader) -> u64 {
        let bytes = u64::from(header.raw.vertices.get()).saturating_mul(header.layout.bytes.into());
        header.vertices_at.saturating_add(bytes)
    }

    /// Returns whether a faultless section is here, with another section or the list's end after it. A search
    /// demands both, because a lone header may match by chance.
    fn is_followed(&self, at: u64) -> bool {
        self.faults(at) == Some(0)
            && self.header(at).is_some_and(|header| {
                let end = self.end_of(&header);
                self.section_after(end).or_else(|| self.end_after(end)).is_some()
            })
    }

    /// Builds a section from its header and vertices.
    fn section(
        &self,
        at: u64,
        vertex_type: VertexType,
        header: &mut SectionHeader,
        vertices: View<'a>,
    ) -> Section<'a> {
        let attribute = Attribute(header.raw.attribute.get());
        let field = at.saturating_add(0x0A);
        if attribute.known_blend().is_none() {
            header.problems.push((field, BbsPmoProblem::UnknownBlend(attribute.0 & 0xE0)));
        }
        if attribute.reflects() {
            header.problems.push((field, BbsPmoProblem::EnvironmentMap));
        }
        let total = vertices.len().checked_div(header.layout.bytes.into()).unwrap_or(0);
        let mut left = u16::try_from(total).unwrap_or(u16::MAX);
        let lengths = if header.strips.is_empty() { vec![left] } else { header.strips.clone() };
        let mut counts = Vec::new();
        for length in lengths {
            // This cuts the strip if it asks for more vertices than are left.
            let count = length.min(left);
            left = left.saturating_sub(count);
            if count > 0 {
                counts.push(count);
            }
        }
        let texture = usize::from(header.raw.texture);
        Section {
            list: self.list,
            vertex_type,
            primitive: header.primitive,
            texture: Some(texture).filter(|&texture| texture < self.textures),
            group: header.raw.group,
            attribute,
            bones: header.bones,
            color: header.color,
            counts,
            strips: header.strips.len(),
            vertices,
            layout: header.layout,
        }
    }
}

/// Rounds up to 4, because sections are aligned to 4.
fn up(offset: u64) -> u64 {
    offset.checked_next_multiple_of(4).unwrap_or(u64::MAX)
}

/// Decodes the primitive type in a section's flags. For a type above 6, this guesses from the counts.
fn primitive_of(flags: u32, has_strips: bool, vertices: u16) -> (PrimitiveType, Option<BbsPmoProblem>) {
    let number = (flags >> 28).to_le_bytes()[0];
    let primitive = PrimitiveType::from_number(number);
    if number > 6 {
        // Strip lengths, or a count not divisible by 3, rule out a list of triangles.
        let is_list = !has_strips && vertices.is_multiple_of(3);
        let guess = if is_list { PrimitiveType::TRIANGLES } else { PrimitiveType::TRIANGLE_STRIP };
        return (guess, Some(BbsPmoProblem::Primitive { number, guess }));
    }
    let is_usual = primitive == PrimitiveType::TRIANGLES || primitive == PrimitiveType::TRIANGLE_STRIP;
    (primitive, (!is_usual).then_some(BbsPmoProblem::UnusualPrimitive(primitive)))
}

/// Checks the vertex count and strip lengths. Without strips all vertices form a single primitive.
fn check_counts(primitive: PrimitiveType, vertices: u16, strips: &[u16]) -> Option<BbsPmoProblem> {
    let least = match primitive {
        PrimitiveType::TRIANGLE_STRIP | PrimitiveType::TRIANGLE_FAN => 3,
        PrimitiveType::LINE_STRIP => 2,
        _ if strips.is_empty() => 0,
        _ => return Some(BbsPmoProblem::UnexpectedStrips(primitive)),
    };
    if primitive == PrimitiveType::TRIANGLES && !vertices.is_multiple_of(3) {
        return Some(BbsPmoProblem::PartialTriangle(vertices));
    }
    if let Some(&short) = strips.iter().find(|&&length| length < least) {
        return Some(BbsPmoProblem::ShortStrip(short));
    }
    let sum: usize = strips.iter().copied().map(usize::from).sum();
    (!strips.is_empty() && sum != usize::from(vertices)).then_some(BbsPmoProblem::StripSum { sum, vertices })
}
