//! Checked views of a model's tables and mesh lists.
//!
//! # Invariants
//! The vertices of every section are in the file, have the size of their vertex type, and divide into strips
//! without rest. Texture numbers are in the texture table, and bones in the skeleton.

use super::problem::BbsPmoProblem;
use super::raw;
use super::vertex::{self, Layout};
use crate::formats::bbs::bon;
use crate::formats::bbs::text::text;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::{FormatError, Warnings};
use crate::ge::registers::vertex::{PrimitiveType, VertexType};
use crate::model::Field;

/// The version of this game. Dream Drop Distance has 4.
const VERSION: u8 = 3;
/// Largest number of sections, far above that of any game model.
const SECTIONS_MAX: usize = 0x1_0000;
/// Number of uninterpreted fields that are kept.
const FIELDS_MAX: usize = 256;
/// Texture number of sections without a texture.
const NO_INDEX: u8 = 0xFF;

/// A model, read and checked.
#[derive(Debug)]
pub(in crate::formats::bbs) struct Pmo<'a> {
    /// The file from the start of the model.
    pub(in crate::formats::bbs) view: View<'a>,
    pub(in crate::formats::bbs) header: raw::Header,
    pub(in crate::formats::bbs) textures: Vec<Texture>,
    pub(in crate::formats::bbs) sections: Vec<Section<'a>>,
    pub(in crate::formats::bbs) skeleton: Option<bon::Bon>,
    pub(in crate::formats::bbs) fields: Vec<Field>,
    pub(in crate::formats::bbs) warnings: Warnings,
}

/// An entry of the texture table.
#[derive(Clone, Debug)]
pub(in crate::formats::bbs) struct Texture {
    /// Offset where the entry starts, from the start of the file.
    pub(in crate::formats::bbs) at: u64,
    /// Offset of the TIM2 from the start of the file; `None` for a texture in another file.
    pub(in crate::formats::bbs) offset: Option<u64>,
    pub(in crate::formats::bbs) name: String,
    /// Scroll speed in texture widths and heights per frame.
    pub(in crate::formats::bbs) scroll: [f32; 2],
}

/// A section: vertices with a common layout, state and bones.
#[derive(Clone, Debug)]
pub(in crate::formats::bbs) struct Section<'a> {
    /// Number of its mesh list: 0, or 1 for the second pass.
    pub(in crate::formats::bbs) list: usize,
    pub(in crate::formats::bbs) vertex_type: VertexType,
    pub(in crate::formats::bbs) primitive: PrimitiveType,
    pub(in crate::formats::bbs) texture: Option<usize>,
    pub(in crate::formats::bbs) group: u8,
    pub(in crate::formats::bbs) attribute: Attribute,
    /// Bone of each weight in a model with a skeleton; 0xFF is unused.
    pub(in crate::formats::bbs) bones: Option<[u8; 8]>,
    /// The common colour of all vertices: red, green, blue, alpha.
    pub(in crate::formats::bbs) color: Option<[u8; 4]>,
    /// Vertex count of each PRIM.
    pub(in crate::formats::bbs) counts: Vec<u16>,
    /// Number of strip lengths in the file; 0 if all vertices are one primitive.
    pub(in crate::formats::bbs) strips: usize,
    pub(in crate::formats::bbs) vertices: View<'a>,
    pub(super) layout: Layout,
}

/// Blending, culling and texture alpha of a section. Source:
/// [attributes](crate::reference::formats::bbs#attributes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::formats::bbs) struct Attribute(pub(in crate::formats::bbs) u16);

/// Blend mode of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats::bbs) enum Blend {
    Opaque,
    SemiTransparent,
    Additive,
    Subtractive,
}

impl Attribute {
    /// Names of the bits without effect here.
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

    /// Returns whether back faces are drawn, too (inferred from the bit's name).
    pub(in crate::formats::bbs) const fn is_two_sided(self) -> bool {
        self.0 & 0x4 != 0
    }

    /// Returns whether the texture's alpha counts.
    pub(in crate::formats::bbs) const fn uses_texture_alpha(self) -> bool {
        self.0 & 0x10 != 0
    }

    /// Returns whether the section is an environment map.
    const fn reflects(self) -> bool {
        self.0 & 0x800 != 0
    }

    /// Returns the blend mode; `None` for unknown values.
    const fn known_blend(self) -> Option<Blend> {
        match self.0 & 0xE0 {
            0 => Some(Blend::Opaque),
            0x20 => Some(Blend::SemiTransparent),
            0x40 => Some(Blend::Additive),
            0x60 => Some(Blend::Subtractive),
            _ => None,
        }
    }

    /// Returns the blend mode, which is opaque for unknown values.
    pub(in crate::formats::bbs) fn blend(self) -> Blend {
        self.known_blend().unwrap_or(Blend::Opaque)
    }

    fn unused_names(self) -> Vec<&'static str> {
        Self::UNUSED.iter().filter(|(bit, _)| self.0 & bit != 0).map(|(_, name)| *name).collect()
    }
}

/// Reads the model at offset `base` of its file. `skeleton` is used if the model's own is in another file, or
/// if it is `preferred`. A model without bones uses none.
pub(in crate::formats::bbs) fn read<'a>(
    file: View<'a>,
    base: u64,
    skeleton: Option<&bon::Bon>,
    preferred: bool,
) -> Result<Pmo<'a>, FormatError> {
    let view = file.view(base, file.len().saturating_sub(base))?;
    let header: raw::Header = view.read(0)?;
    if header.magic != raw::MAGIC {
        return Err(view.error(0, BbsPmoProblem::Magic));
    }
    if header.version != VERSION {
        return Err(view.error(6, BbsPmoProblem::Version(header.version)));
    }
    if !header.scale.get().is_finite() {
        return Err(view.error(0x18, BbsPmoProblem::Scale));
    }
    let mut pmo = Pmo {
        view,
        header,
        textures: Vec::new(),
        sections: Vec::new(),
        skeleton: None,
        fields: Vec::new(),
        warnings: Warnings::default(),
    };
    pmo.read_textures(file, base)?;
    pmo.read_skeleton(skeleton, preferred)?;
    for (list, field, offset) in [(0, 0x10, header.first_list.get()), (1, 0x1C, header.second_list.get())] {
        if offset == 0 {
            continue;
        }
        if offset % 4 != 0 {
            return Err(view.error(field, BbsPmoProblem::Unaligned { what: "mesh list", offset }));
        }
        if u64::from(offset) >= view.len() {
            let offset = offset.into();
            return Err(view.error(field, BbsPmoProblem::Outside { what: "mesh list", offset }));
        }
        let sections = pmo.read_list(list, offset.into())?;
        pmo.sections.extend(sections);
    }
    pmo.read_fields();
    pmo.check();
    Ok(pmo)
}

impl<'a> Pmo<'a> {
    fn read_textures(&mut self, file: View<'_>, base: u64) -> Result<(), FormatError> {
        let start = size_of::<raw::Header>() as u64;
        let table: &[raw::Texture] = self.view.array(start, self.header.textures.into())?;
        for (at, texture) in (start..).step_by(size_of::<raw::Texture>()).zip(table) {
            let entry = Texture::read(base.saturating_add(at), texture);
            if let Some(offset) = entry.offset
                && offset >= file.len()
            {
                return Err(self.view.error(at, BbsPmoProblem::Outside { what: "texture", offset }));
            }
            for (field, padding) in [(0x18, texture.padding[0]), (0x1C, texture.padding[1])] {
                let offset = at.saturating_add(field);
                self.add_field_unless_zero(
                    &format!("texture {}: padding", entry.name),
                    offset,
                    padding.get(),
                );
            }
            self.textures.push(entry);
        }
        Ok(())
    }

    fn read_skeleton(&mut self, other: Option<&bon::Bon>, preferred: bool) -> Result<(), FormatError> {
        let offset = u64::from(self.header.skeleton.get());
        if offset == 0 {
            if preferred {
                self.warnings.push(self.view.error(0x0C, BbsPmoProblem::SkeletonUnused));
            }
            return Ok(());
        }
        if let Some(other) = other.filter(|_| preferred) {
            self.skeleton = Some(other.clone());
            return Ok(());
        }
        let own = match self.view.view(offset, self.view.len().saturating_sub(offset)) {
            Ok(view) if bon::sniff(view.bytes()) => Some(bon::read(view)?),
            _ => None,
        };
        self.skeleton = own.or_else(|| other.cloned());
        if self.skeleton.is_none() {
            return Err(self.view.error(0x0C, BbsPmoProblem::NoSkeleton { offset }));
        }
        Ok(())
    }

    /// Reads the sections of a list. `OpenKh` pads a section by `end % 4` bytes instead of up to a multiple
    /// of 4, so that rule is tried if the right one fails. Source:
    /// [sections](crate::reference::formats::bbs#sections).
    fn read_list(&mut self, list: usize, start: u64) -> Result<Vec<Section<'a>>, FormatError> {
        let kept = (self.fields.len(), self.warnings.clone());
        let mut odd = false;
        let result = self.read_sections(list, start, |end| {
            odd |= end % 2 != 0;
            end.checked_next_multiple_of(4).unwrap_or(u64::MAX)
        });
        let Err(error) = result else { return result };
        if !odd {
            return Err(error);
        }
        self.fields.truncate(kept.0);
        self.warnings = kept.1;
        let other = self.read_sections(list, start, |end| end.saturating_add(end % 4));
        if other.is_ok() {
            self.warnings.push(self.view.error(start, BbsPmoProblem::OtherPadding));
        }
        other.map_err(|_| error)
    }

    fn read_sections(
        &mut self,
        list: usize,
        start: u64,
        mut align: impl FnMut(u64) -> u64,
    ) -> Result<Vec<Section<'a>>, FormatError> {
        let mut sections = Vec::new();
        let mut at = start;
        loop {
            if self.view.slice(at, 2).is_err() {
                return Err(self.view.error(at.min(self.view.len()), BbsPmoProblem::NoEnd));
            }
            let count: [u8; 2] = self.view.read(at)?;
            if count == [0; 2] {
                return Ok(sections);
            }
            if sections.len() >= SECTIONS_MAX {
                return Err(self.view.error(at, BbsPmoProblem::TooManySections));
            }
            let (section, end) = self.read_section(list, at)?;
            sections.push(section);
            at = align(end);
        }
    }

    fn read_section(&mut self, list: usize, at: u64) -> Result<(Section<'a>, u64), FormatError> {
        let view = self.view;
        let mut cursor = Cursor::new(view, at);
        let header: raw::Section = cursor.read()?;
        let field_at = |field: u64| at.saturating_add(field);
        let flags = header.flags.get();
        let located = |field: u64| move |problem: BbsPmoProblem| view.error(field_at(field), problem);

        let vertex_type = vertex::vertex_type(flags, self.skeleton.is_some()).map_err(located(4))?;
        let layout = Layout::new(vertex_type);
        if layout.bytes != u32::from(header.vertex_size) {
            let problem = BbsPmoProblem::VertexSize { stated: header.vertex_size, actual: layout.bytes };
            return Err(located(3)(problem));
        }
        let texture = match header.texture {
            NO_INDEX => None,
            number if usize::from(number) < self.textures.len() => Some(usize::from(number)),
            number => {
                let problem = BbsPmoProblem::NoTexture { number, count: self.textures.len() };
                return Err(located(2)(problem));
            }
        };
        let bones = match &self.skeleton {
            Some(skeleton) => {
                let from = cursor.at();
                let bones: [u8; 8] = cursor.read()?;
                for (&bone, at) in bones.iter().take(vertex_type.weights()).zip(from..) {
                    if usize::from(bone) >= skeleton.len() {
                        let problem = BbsPmoProblem::NoBone { bone, count: skeleton.len() };
                        return Err(view.error(at, problem));
                    }
                }
                Some(bones)
            }
            None => None,
        };
        let has_color = flags & vertex::UNIFORM_COLOR != 0;
        let color = if has_color { Some(cursor.read::<[u8; 4]>()?) } else { None };
        let strips_at = cursor.at();
        let mut counts: Vec<u16> = Vec::new();
        for _ in 0..header.strips {
            counts.push(u16::from_le_bytes(cursor.read()?));
        }
        let primitive = primitive_of(flags).map_err(located(4))?;
        let total = header.vertices.get();
        check_counts(primitive, total, &counts).map_err(|problem| {
            view.error(if counts.is_empty() { field_at(0) } else { strips_at }, problem)
        })?;
        if counts.is_empty() {
            counts.push(total);
        }
        if primitive != PrimitiveType::TRIANGLES && primitive != PrimitiveType::TRIANGLE_STRIP {
            self.warnings.push(located(4)(BbsPmoProblem::UnusualPrimitive(primitive)));
        }
        let vertices = view.view(cursor.at(), u64::from(total).saturating_mul(layout.bytes.into()))?;
        let end = cursor.at().saturating_add(vertices.len());

        let attribute = Attribute(header.attribute.get());
        if attribute.known_blend().is_none() {
            self.warnings.push(located(0x0A)(BbsPmoProblem::UnknownBlend(attribute.0 & 0xE0)));
        }
        if attribute.reflects() {
            self.warnings.push(located(0x0A)(BbsPmoProblem::EnvironmentMap));
        }
        let section = Section {
            list,
            vertex_type,
            primitive,
            texture,
            group: header.group,
            attribute,
            bones,
            color,
            counts,
            strips: header.strips.into(),
            vertices,
            layout,
        };
        let unused = attribute.unused_names();
        if !unused.is_empty() {
            self.add_field(
                "section attribute",
                field_at(0x0A),
                format!("{:#06x} {}", attribute.0, unused.join(" ")),
            );
        }
        self.add_field_unless_zero(
            "section flags, bits 26 and 27",
            field_at(4),
            (flags & vertex::UNKNOWN) >> 26,
        );
        Ok((section, end))
    }

    fn add_field(&mut self, name: &str, at: u64, value: String) {
        let offset = self.view.file_offset(at);
        if self.fields.len() >= FIELDS_MAX {
            return;
        }
        self.fields.push(Field { name: name.to_owned(), offset, value });
    }

    fn add_field_unless_zero(&mut self, name: &str, at: u64, value: u32) {
        if value != 0 {
            self.add_field(name, at, format!("{value:#x}"));
        }
    }

    /// Lists the uninterpreted fields of the header and the skeleton.
    fn read_fields(&mut self) {
        let header = self.header;
        self.add_field("number", 4, header.number.to_string());
        self.add_field("group", 5, header.group.to_string());
        self.add_field("flag", 0x0A, format!("{:#06x}", header.flag.get()));
        self.add_field_unless_zero("padding", 7, header.padding_7.into());
        self.add_field_unless_zero("padding", 9, header.padding_9.into());
        let bon_fields = self.skeleton.as_ref().map(|bon| bon.fields.clone()).unwrap_or_default();
        self.fields.extend(bon_fields);
        if let Some(bon) = &self.skeleton {
            self.warnings.extend(&bon.warnings);
        }
    }

    /// Warns of wrong counts and a wrong bounding box, which do not affect drawing.
    fn check(&mut self) {
        let triangles = self.sections.iter().map(Section::triangles).fold(0, usize::saturating_add);
        let vertices = self.sections.iter().map(Section::vertices).fold(0, usize::saturating_add);
        for (at, what, stated, actual) in [
            (0x14, "triangles", self.header.triangles.get(), triangles),
            (0x16, "vertices", self.header.vertices.get(), vertices),
        ] {
            // The field has 16 bits and wraps.
            if usize::from(stated) != actual & 0xFFFF {
                self.warnings.push(self.view.error(at, BbsPmoProblem::Total { what, stated, actual }));
            }
        }
        if self.vertex_bounds().is_some() && !self.box_contains_vertices() {
            self.warnings.push(self.view.error(0x20, BbsPmoProblem::BoundingBox));
        }
    }

    /// Returns the corners of the header's bounding box.
    pub(in crate::formats::bbs) fn corners(&self) -> [[f32; 3]; 8] {
        self.header.corners.map(|[x, y, z, _]| [x, y, z].map(|value| value.get()))
    }

    /// Computes the bounding box of all vertices in the rest pose, after the scale; `None` without vertices.
    pub(in crate::formats::bbs) fn vertex_bounds(&self) -> Option<[[f32; 3]; 2]> {
        let scale = self.header.scale.get();
        let positions = self.sections.iter().flat_map(Section::positions);
        positions.fold(None, |bounds: Option<[[f32; 3]; 2]>, position| {
            let position = position.map(|value| value * scale);
            let [low, high] = bounds.unwrap_or([position; 2]);
            let join = |one: [f32; 3], other: [f32; 3], pick: fn(f32, f32) -> f32| {
                let ([a, b, c], [x, y, z]) = (one, other);
                [pick(a, x), pick(b, y), pick(c, z)]
            };
            Some([join(low, position, f32::min), join(high, position, f32::max)])
        })
    }

    /// Returns whether the header's box contains all vertices, with a tolerance of 1 % of its size.
    pub(in crate::formats::bbs) fn box_contains_vertices(&self) -> bool {
        let Some(actual) = self.vertex_bounds() else { return true };
        let corners = self.corners();
        [0, 1, 2].into_iter().all(|axis: usize| {
            let values = || corners.iter().filter_map(|corner| corner.get(axis)).copied();
            let (low, high) =
                (values().fold(f32::INFINITY, f32::min), values().fold(f32::NEG_INFINITY, f32::max));
            let slack = (high - low) * 0.01;
            let [first, last] = actual.map(|corner| corner.get(axis).copied().unwrap_or(f32::NAN));
            first >= low - slack && last <= high + slack && values().all(f32::is_finite)
        })
    }
}

impl Texture {
    /// Reads the entry at offset `at` of its file.
    pub(in crate::formats::bbs) fn read(at: u64, raw: &raw::Texture) -> Self {
        let offset = Some(u64::from(raw.offset.get())).filter(|&offset| offset != 0);
        // Infinite and NaN speeds count as 0.
        let scroll =
            raw.scroll.map(|speed| Some(speed.get()).filter(|speed| speed.is_finite()).unwrap_or(0.0));
        Self { at, offset, name: text(&raw.name), scroll }
    }
}

impl Section<'_> {
    /// Counts the vertices.
    pub(in crate::formats::bbs) fn vertices(&self) -> usize {
        self.counts.iter().copied().map(usize::from).fold(0, usize::saturating_add)
    }

    /// Counts the triangles, including degenerate ones.
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

    /// Decodes the positions of all vertices, before the model's scale.
    fn positions(&self) -> impl Iterator<Item = [f32; 3]> + '_ {
        let size = usize::try_from(self.layout.bytes).unwrap_or(1).max(1);
        self.vertices.bytes().chunks_exact(size).map(|vertex| self.layout.position(vertex))
    }
}

/// Decodes the primitive type in a section's flags.
fn primitive_of(flags: u32) -> Result<PrimitiveType, BbsPmoProblem> {
    let number = (flags >> 28).to_le_bytes()[0];
    if number > 6 {
        return Err(BbsPmoProblem::Primitive(number));
    }
    Ok(PrimitiveType::from_number(number))
}

/// Checks the vertex count and the strip lengths. Without strips the vertices are one primitive.
fn check_counts(primitive: PrimitiveType, vertices: u16, strips: &[u16]) -> Result<(), BbsPmoProblem> {
    let least = match primitive {
        PrimitiveType::TRIANGLE_STRIP | PrimitiveType::TRIANGLE_FAN => 3,
        PrimitiveType::LINE_STRIP => 2,
        _ if strips.is_empty() => 0,
        _ => return Err(BbsPmoProblem::UnexpectedStrips(primitive)),
    };
    if primitive == PrimitiveType::TRIANGLES && !vertices.is_multiple_of(3) {
        return Err(BbsPmoProblem::PartialTriangle(vertices));
    }
    if let Some(&short) = strips.iter().find(|&&length| length < least) {
        return Err(BbsPmoProblem::ShortStrip(short));
    }
    let sum: usize = strips.iter().copied().map(usize::from).sum();
    if !strips.is_empty() && sum != usize::from(vertices) {
        return Err(BbsPmoProblem::StripSum { sum, vertices });
    }
    Ok(())
}
