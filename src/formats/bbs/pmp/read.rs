//! Reads a map's tables and models, and checks them.
//!
//! # Invariants
//! Each model is read only once, even if many instances share it. The work for all models is in proportion to the
//! file size.

use std::collections::HashMap;

use super::problem::PmpProblem;
use super::raw;
use crate::formats::bbs::options::euler_order;
use crate::formats::bbs::pmo::read::Texture;
use crate::formats::bbs::pmo::{self, Pmo};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::euler::{EulerOrder, Transform, compose};
use crate::formats::core::options::ParseOptions;
use crate::model::Field;
use crate::model::matrix::Affine;

/// Instance flag for a sky, which follows the camera and writes no depth. Source:
/// [PMP map](crate::reference::formats::bbs#pmp-map).
const SKY: u16 = 1;
/// How many uninterpreted fields to keep.
const FIELDS_MAX: usize = 256;
/// All models together have no more sections than this, far above any game map.
const SECTIONS_MAX: usize = 0x4_0000;
/// This many unreadable models spend the whole budget.
const FAILURES_MAX: u64 = 256;
/// Budget for reading vertex bytes, as a multiple of the file size, because crafted models may overlap.
const REREADS_MAX: u64 = 4;

/// A map, checked and ready to lower.
#[derive(Debug)]
pub(in crate::formats::bbs) struct Pmp<'a> {
    pub(super) file: View<'a>,
    pub(super) version: u16,
    pub(super) instances: Vec<Instance>,
    /// Distinct models, in order of first use.
    pub(super) models: Vec<Pmo<'a>>,
    pub(super) textures: Vec<Texture>,
    pub(super) fields: Vec<Field>,
    pub(super) warnings: Warnings,
    /// How many sections all models have, to enforce `SECTIONS_MAX`.
    sections: usize,
}

/// Places a model in this map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    /// Its entry's offset in the file.
    pub(super) at: u64,
    /// Index into the models; `None` for an empty instance.
    pub(super) model: Option<usize>,
    /// Transforms the scaled model into the map.
    pub(super) matrix: Affine,
    /// Set if the transform mirrors, because this reverses the winding.
    pub(super) is_mirrored: bool,
    pub(super) is_sky: bool,
}

/// Reads a map. Damage becomes a warning as long as any model is readable.
pub(in crate::formats::bbs) fn read<'a>(
    file: View<'a>,
    options: ParseOptions<'_>,
) -> Result<Pmp<'a>, FormatError> {
    let header: raw::Header = file.read(0)?;
    if header.magic != raw::MAGIC {
        return Err(file.error(0, PmpProblem::Magic));
    }
    let mut pmp = Pmp {
        file,
        version: header.version.get(),
        instances: Vec::new(),
        models: Vec::new(),
        textures: Vec::new(),
        fields: Vec::new(),
        warnings: Warnings::default(),
        sections: 0,
    };
    pmp.read_fields(&header);
    pmp.read_instances(header.instances.get(), euler_order(options))?;
    pmp.read_textures(&header);
    let actual = pmp.models.len();
    if usize::from(header.models.get()) != actual {
        pmp.warnings.push(file.error(0x12, PmpProblem::ModelCount { stated: header.models.get(), actual }));
    }
    Ok(pmp)
}

impl Pmp<'_> {
    fn add_field(&mut self, name: String, at: u64, value: String) {
        if self.fields.len() < FIELDS_MAX {
            self.fields.push(Field { name, offset: self.file.file_offset(at), value });
        }
    }

    fn read_fields(&mut self, header: &raw::Header) {
        self.add_field("map flag".to_owned(), 0x0F, header.flag.to_string());
        if header.padding_6 != [0; 9] {
            self.add_field("padding".to_owned(), 6, format!("{:x?}", header.padding_6));
        }
        for (at, value) in [(0x14, header.padding_14.get()), (0x18, header.padding_18.get().into())] {
            if value != 0 {
                self.add_field("padding".to_owned(), at, format!("{value:#x}"));
            }
        }
    }

    fn read_instances(&mut self, stated: u16, order: EulerOrder) -> Result<(), FormatError> {
        let start = size_of::<raw::Header>() as u64;
        let entries: &[raw::Instance] = self.file.array_prefix(start, stated.into());
        if entries.len() < usize::from(stated) {
            let problem = PmpProblem::InstanceCount { stated, actual: entries.len() };
            self.warnings.push(self.file.error(0x10, problem));
        }
        let offsets = (start..).step_by(size_of::<raw::Instance>());
        let mut known: HashMap<u32, Option<usize>> = HashMap::new();
        let mut budget = Some(self.file.len().saturating_mul(REREADS_MAX));
        for ((number, entry), at) in entries.iter().enumerate().zip(offsets) {
            let values = |values: [zerocopy::little_endian::F32; 3]| values.map(|value| value.get());
            let transform = Transform {
                translation: values(entry.position),
                rotation: values(entry.rotation),
                scale: values(entry.scale),
            };
            let all = transform.translation.iter().chain(&transform.rotation).chain(&transform.scale);
            if !all.copied().all(f32::is_finite) {
                self.warnings.push(self.file.error(at, PmpProblem::NotFinite(number)));
                continue;
            }
            let offset = entry.model.get();
            // Instances refer to models by offset. This remembers failures too, so that a broken model is read and
            // reported only once.
            let model = match known.get(&offset) {
                _ if offset == 0 => None,
                Some(&model) => model,
                None => {
                    let model = self.read_model(number, at, offset, &mut budget);
                    known.insert(offset, model);
                    model
                }
            };
            let is_sky = entry.flags.get() & SKY != 0;
            if is_sky {
                self.warnings.push(self.file.error(at.saturating_add(0x2C), PmpProblem::Sky(number)));
            }
            for (field, name, value) in [
                (0x28, "unknown pointer", entry.unknown_28.get()),
                (0x2C, "flags", entry.flags.get().into()),
                (0x2E, "id", entry.id.get().into()),
            ] {
                if value != 0 {
                    let name = format!("instance {number}: {name}");
                    self.add_field(name, at.saturating_add(field), format!("{value:#x}"));
                }
            }
            // An odd number of negative factors mirrors; an even number only rotates.
            let is_mirrored = transform.scale.iter().filter(|scale| **scale < 0.0).count() % 2 == 1;
            let matrix = compose(&transform, order);
            self.instances.push(Instance { at, model, matrix, is_mirrored, is_sky });
        }
        let is_empty =
            entries.len() == usize::from(stated) && entries.iter().all(|entry| entry.model.get() == 0);
        if self.models.is_empty() && !is_empty {
            return Err(self.file.error(start, PmpProblem::NoModels(stated)));
        }
        Ok(())
    }

    /// Reads the model for instance `number`; `None` if it is unreadable. `budget` limits the vertex bytes, and
    /// turns `None` once spent.
    fn read_model(&mut self, number: usize, at: u64, offset: u32, budget: &mut Option<u64>) -> Option<usize> {
        let left = (*budget)?;
        let mut model = match pmo::read(self.file, offset.into(), None, false) {
            Ok(model) => model,
            Err(error) => {
                // Failures cost a share too, so that thousands of broken models cannot take endless time.
                *budget = left.checked_sub(self.file.len() / FAILURES_MAX);
                let reason = error.kind.to_string();
                let problem = PmpProblem::BrokenModel { instance: number, offset, reason };
                self.warnings.push(self.file.error(at.saturating_add(0x24), problem));
                return None;
            }
        };
        let vertices = model.sections.iter().map(|section| section.vertices.len());
        // The constant charges for headers, so that empty models are not free.
        let bytes = vertices.fold(0x100, u64::saturating_add).saturating_add(model.searched);
        let sections = self.sections.saturating_add(model.sections.len());
        *budget = left.checked_sub(bytes).filter(|_| sections <= SECTIONS_MAX);
        if budget.is_none() {
            self.warnings.push(self.file.error(at, PmpProblem::TooMuchWork(number)));
            return None;
        }
        self.sections = sections;
        if model.skeleton.is_some() {
            self.warnings.push(self.file.error(at.saturating_add(0x24), PmpProblem::Bones(number)));
        }
        let index = self.models.len();
        self.warnings.extend(&std::mem::take(&mut model.warnings));
        for Field { name, offset, value } in std::mem::take(&mut model.fields) {
            if self.fields.len() < FIELDS_MAX {
                self.fields.push(Field { name: format!("model {index}: {name}"), offset, value });
            }
        }
        self.models.push(model);
        Some(index)
    }

    fn read_textures(&mut self, header: &raw::Header) {
        let start = u64::from(header.texture_table.get());
        let Ok(table) = self.file.array::<pmo::raw::Texture>(start, header.textures.get().into()) else {
            self.warnings.push(self.file.error(0x1C, PmpProblem::TextureTable(start)));
            return;
        };
        for (at, texture) in (start..).step_by(size_of::<pmo::raw::Texture>()).zip(table) {
            self.textures.push(Texture::read(at, texture));
        }
    }
}
