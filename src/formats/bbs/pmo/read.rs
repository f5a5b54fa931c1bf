//! Reads a model's tables and mesh lists, and checks them.
//!
//! # Invariants
//! A damaged part becomes a warning, and the rest is read. Texture numbers are in the texture table.

use super::problem::BbsPmoProblem;
use super::raw;
use super::section::{Section, SectionReader};
use super::vertex;
use crate::formats::bbs::bon;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::text::decode_padded;
use crate::model::Bounds;
use crate::model::Field;
use crate::model::matrix::{Affine, transform};

/// This game's version.
const VERSION: u8 = 3;
/// Dream Drop Distance's version, which has other mesh lists.
const NEXT_VERSION: u8 = 4;
/// A model has no more sections than this, far above any in the game.
const SECTIONS_MAX: usize = 0x1_0000;
/// How many uninterpreted fields to keep.
const FIELDS_MAX: usize = 256;

/// A model, checked and ready to lower.
#[derive(Debug)]
pub(in crate::formats::bbs) struct Pmo<'a> {
    /// The file from the model's start on.
    pub(in crate::formats::bbs) view: View<'a>,
    pub(in crate::formats::bbs) header: raw::Header,
    /// Factor to scale all positions by: finite and not 0.
    pub(in crate::formats::bbs) scale: f32,
    pub(in crate::formats::bbs) textures: Vec<Texture>,
    pub(in crate::formats::bbs) sections: Vec<Section<'a>>,
    pub(in crate::formats::bbs) skeleton: Option<bon::Bon>,
    pub(in crate::formats::bbs) fields: Vec<Field>,
    pub(in crate::formats::bbs) warnings: Warnings,
    /// How many bytes this searched for sections. Maps charge for them.
    pub(in crate::formats::bbs) searched: u64,
}

/// An entry in the texture table.
#[derive(Clone, Debug)]
pub(in crate::formats::bbs) struct Texture {
    /// The entry's offset in the file.
    pub(in crate::formats::bbs) at: u64,
    /// Offset to the TIM2 in the file; `None` for a texture in another file.
    pub(in crate::formats::bbs) offset: Option<u64>,
    pub(in crate::formats::bbs) name: String,
    /// Scroll speed in texture widths and heights per frame.
    pub(in crate::formats::bbs) scroll: [f32; 2],
}

/// Reads the model at offset `base` in its file. This uses `skeleton` if the model's own is in another file, or if
/// it is `preferred`. A model without bones uses none.
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
    if header.version == NEXT_VERSION {
        return Err(view.error(6, BbsPmoProblem::Version(header.version)));
    }
    let stated = header.scale.get();
    let scale = if stated.is_finite() && stated != 0.0 { stated } else { 1.0 };
    let mut pmo = Pmo {
        view,
        header,
        scale,
        textures: Vec::new(),
        sections: Vec::new(),
        skeleton: None,
        fields: Vec::new(),
        warnings: Warnings::default(),
        searched: 0,
    };
    if header.version != VERSION {
        pmo.warn(6, BbsPmoProblem::UnknownVersion(header.version));
    }
    if stated.to_bits() != scale.to_bits() {
        pmo.warn(0x18, BbsPmoProblem::Scale(stated));
    }
    pmo.read_textures(base);
    pmo.read_skeleton(skeleton, preferred);
    let lists = [header.first_list.get(), header.second_list.get()];
    for ((list, offset), field) in lists.into_iter().enumerate().zip([0x10, 0x1C]) {
        if u64::from(offset) >= view.len() {
            pmo.warn(field, BbsPmoProblem::Outside(offset));
        } else if offset != 0 {
            if offset % 4 != 0 {
                pmo.warn(field, BbsPmoProblem::Unaligned(offset));
            }
            pmo.read_list(list, offset.into());
        }
    }
    if pmo.sections.is_empty() && lists != [0; 2] {
        return Err(view.error(0x10, BbsPmoProblem::NoSections(lists[0], lists[1])));
    }
    pmo.read_fields();
    pmo.check();
    Ok(pmo)
}

impl<'a> Pmo<'a> {
    fn warn(&mut self, at: u64, problem: BbsPmoProblem) {
        self.warnings.push(self.view.error(at, problem));
    }

    /// Finds the offset of the next structure at or after `at`, or the file's end.
    fn next_structure(&self, at: u64) -> u64 {
        let raw::Header { skeleton, first_list, second_list, .. } = self.header;
        let starts = [skeleton, first_list, second_list].map(|offset| u64::from(offset.get()));
        starts.into_iter().filter(|&start| start >= at).fold(self.view.len(), u64::min)
    }

    /// Reads the texture table, which ends where the next structure starts.
    fn read_textures(&mut self, base: u64) {
        let start = size_of::<raw::Header>() as u64;
        let stated = self.header.textures;
        let room = self.next_structure(start).saturating_sub(start);
        let table: &[raw::Texture] =
            self.view.view(start, room).map(|view| view.array_prefix(0, stated.into())).unwrap_or_default();
        if table.len() < usize::from(stated) {
            self.warn(8, BbsPmoProblem::TextureCount { stated, actual: table.len() });
        }
        for (at, texture) in (start..).step_by(size_of::<raw::Texture>()).zip(table) {
            let entry = Texture::read(base.saturating_add(at), texture);
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
    }

    fn read_skeleton(&mut self, other: Option<&bon::Bon>, preferred: bool) {
        let offset = u64::from(self.header.skeleton.get());
        if offset == 0 {
            if preferred {
                self.warn(0x0C, BbsPmoProblem::SkeletonUnused);
            }
            return;
        }
        if let Some(other) = other.filter(|_| preferred) {
            self.skeleton = Some(other.clone());
            return;
        }
        let own = self.view.view(offset, self.view.len().saturating_sub(offset)).ok();
        self.skeleton = match own.filter(|view| bon::sniff(view.bytes())).map(bon::read) {
            Some(Ok(bon)) => Some(bon),
            Some(Err(error)) => {
                self.warn(offset, BbsPmoProblem::BrokenSkeleton(error.kind.to_string()));
                other.cloned()
            }
            None => other.cloned(),
        };
        if self.skeleton.is_none() {
            self.warn(0x0C, BbsPmoProblem::NoSkeleton { offset });
        }
    }

    fn read_list(&mut self, list: usize, start: u64) {
        let reader = SectionReader {
            view: self.view,
            list,
            limit: self.next_structure(start.saturating_add(1)),
            has_bones: self.header.skeleton.get() != 0,
            bones: self.skeleton.as_ref().map(bon::Bon::len),
            textures: self.textures.len(),
        };
        let mut at = start;
        loop {
            // A section without vertices ends the list.
            if self.view.slice(at, 2) == Ok(&[0; 2]) {
                return;
            }
            if self.sections.len() >= SECTIONS_MAX {
                return self.warn(at, BbsPmoProblem::TooManySections);
            }
            let Some(read) = reader.read(at) else {
                return self.warn(at.min(self.view.len()), BbsPmoProblem::NoEnd);
            };
            self.searched = self.searched.saturating_add(read.searched);
            for (at, problem) in read.problems {
                self.warn(at, problem);
            }
            if let Some(section) = read.section {
                self.add_section_fields(at, &section);
                self.sections.push(section);
            }
            let Some(next) = read.next else { return self.warn(at, BbsPmoProblem::Lost) };
            at = next;
        }
    }

    /// Keeps a section's uninterpreted fields, to show them to the user.
    fn add_section_fields(&mut self, at: u64, section: &Section<'_>) {
        let field_at = |field: u64| at.saturating_add(field);
        let unused = section.attribute.unused_names();
        if !unused.is_empty() {
            let value = format!("{:#06x} {}", section.attribute.0, unused.join(" "));
            self.add_field("section attribute", field_at(0x0A), value);
        }
        let flags = self.view.word(field_at(4)).unwrap_or(0);
        self.add_field_unless_zero(
            "section flags, bits 26 and 27",
            field_at(4),
            (flags & vertex::UNKNOWN) >> 26,
        );
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

    /// Keeps uninterpreted fields from the header and the skeleton.
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

    /// Warns about wrong counts and a wrong bounding box. They do not affect drawing.
    fn check(&mut self) {
        let triangles = self.sections.iter().map(Section::triangles).fold(0, usize::saturating_add);
        let vertices = self.sections.iter().map(Section::vertices).fold(0, usize::saturating_add);
        for (at, what, stated, actual) in [
            (0x14, "triangles", self.header.triangles.get(), triangles),
            (0x16, "vertices", self.header.vertices.get(), vertices),
        ] {
            // This field has 16 bits and wraps.
            if usize::from(stated) != actual & 0xFFFF {
                self.warn(at, BbsPmoProblem::Total { what, stated, actual });
            }
        }
        if !self.has_right_box() {
            self.warn(0x20, BbsPmoProblem::BoundingBox);
        }
    }

    /// Returns the matrices from model space to the space of the header's bounding box and back, in the rest pose.
    /// With a skeleton this is its standard bone's space.
    fn box_space(&self) -> Option<(&Affine, &Affine)> {
        let bon = self.skeleton.as_ref()?;
        Some((bon.inverse_binds.get(bon.standard_bone)?, bon.rest.get(bon.standard_bone)?))
    }

    /// Computes a bounding box around all vertices in the rest pose, after the scale and `matrix`; `None` without
    /// vertices.
    fn vertex_bounds(&self, matrix: Option<&Affine>) -> Option<Bounds> {
        let positions = self.sections.iter().flat_map(Section::positions);
        Bounds::of(positions.map(|position| {
            let position = position.map(|value| value * self.scale);
            matrix.map_or(position, |matrix| transform(matrix, position))
        }))
    }

    /// Returns whether the header's box contains all vertices, with a tolerance of 1 % of its size.
    fn has_right_box(&self) -> bool {
        let Some(actual) = self.vertex_bounds(self.box_space().map(|(there, _)| there)) else { return true };
        let corners = self.stated_corners();
        [0, 1, 2].into_iter().all(|axis: usize| {
            let values = || corners.iter().filter_map(|corner| corner.get(axis)).copied();
            let (low, high) =
                (values().fold(f32::INFINITY, f32::min), values().fold(f32::NEG_INFINITY, f32::max));
            let slack = (high - low) * 0.01;
            let [first, last] =
                [actual.min, actual.max].map(|corner| corner.get(axis).copied().unwrap_or(f32::NAN));
            first >= low - slack && last <= high + slack && values().all(f32::is_finite)
        })
    }

    fn stated_corners(&self) -> [[f32; 3]; 8] {
        self.header.corners.map(|[x, y, z, _]| [x, y, z].map(|value| value.get()))
    }

    /// Returns the corners of a box around the model in the rest pose, in model space. This is the header's box if
    /// it contains all vertices, else a computed box.
    pub(in crate::formats::bbs) fn corners(&self) -> [[f32; 3]; 8] {
        if !self.has_right_box()
            && let Some(Bounds { min, max }) = self.vertex_bounds(None)
        {
            let side = |number: usize, bit: usize| if number >> bit & 1 == 0 { min } else { max };
            return [0, 1, 2, 3, 4, 5, 6, 7]
                .map(|number| [side(number, 0)[0], side(number, 1)[1], side(number, 2)[2]]);
        }
        let corners = self.stated_corners();
        self.box_space().map_or(corners, |(_, back)| corners.map(|corner| transform(back, corner)))
    }
}

impl Texture {
    /// Reads the entry at offset `at` in its file.
    pub(in crate::formats::bbs) fn read(at: u64, raw: &raw::Texture) -> Self {
        let offset = Some(u64::from(raw.offset.get())).filter(|&offset| offset != 0);
        // Infinite and NaN speeds count as 0.
        let scroll =
            raw.scroll.map(|speed| Some(speed.get()).filter(|speed| speed.is_finite()).unwrap_or(0.0));
        Self { at, offset, name: decode_padded(&raw.name), scroll }
    }
}
