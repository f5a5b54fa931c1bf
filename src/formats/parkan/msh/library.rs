//! Finds the surface for a material number by way of its WEAR row, MAT0 material and Texm texture. Source:
//! [WEAR tables](crate::reference::formats::parkan#wear-tables),
//! [MAT0 materials](crate::reference::formats::parkan#mat0-materials).

use std::collections::{BTreeSet, HashMap};

use super::material::{self, Material, Wear};
use super::surface::{Surface, Surfaces};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::options::ParseOptions;
use crate::formats::parkan::texm;
use crate::model::{Field, FileNote, FileNoteKind};

/// A table, material or texture that a model may use.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Item<'a> {
    pub(in crate::formats) name: String,
    pub(in crate::formats) kind: ItemKind,
    pub(in crate::formats) view: View<'a>,
}

/// How to read a library item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) enum ItemKind {
    /// A WEAR table with material names.
    Wear,
    /// A MAT0 material with its version.
    Material(u32),
    /// A Texm texture.
    Texture,
}

/// The material to use for missing materials.
const DEFAULT: &str = "DEFAULT";
/// Keep no more notes about materials than this.
const NOTES_MAX: usize = 64;

/// Everything a model may use. Earlier items take precedence.
#[derive(Clone, Debug, Default)]
pub(in crate::formats) struct Library<'a> {
    /// The model's name without extension, to find its WEAR table.
    pub(in crate::formats) model: String,
    pub(in crate::formats) items: Vec<Item<'a>>,
}

/// Builds surfaces from a library.
struct SurfaceBuilder<'a, 'b> {
    library: &'b Library<'a>,
    options: ParseOptions<'a>,
    loader: &'b mut Loader,
    out: Surfaces,
    /// Numbers for loaded textures, by library index, so that none is loaded twice.
    loaded: HashMap<usize, Option<usize>>,
    notes: BTreeSet<FileNote>,
    warnings: Warnings,
}

impl Library<'_> {
    /// Builds a surface for each material, and loads the textures these use.
    pub(super) fn surfaces(
        &self,
        materials: &[u16],
        options: ParseOptions<'_>,
        loader: &mut Loader,
    ) -> Result<Surfaces, FormatError> {
        let mut builder = SurfaceBuilder {
            library: self,
            options,
            loader,
            out: Surfaces::default(),
            loaded: HashMap::new(),
            notes: BTreeSet::new(),
            warnings: Warnings::default(),
        };
        let wear = self.wear().and_then(|item| {
            let wear = material::read_wear(item.view, &mut builder.warnings);
            wear.map_err(|error| builder.left_out(&error, &item.name)).ok()
        });
        match wear {
            Some(wear) => builder.all(&wear, materials)?,
            None => builder.without_table(materials)?,
        }
        let SurfaceBuilder { mut out, mut notes, warnings, .. } = builder;
        notes.extend(warnings.notes());
        let more = notes.len().saturating_sub(NOTES_MAX);
        out.notes.extend(notes.into_iter().take(NOTES_MAX));
        if more > 0 {
            out.notes.push(FileNote::new(FileNoteKind::MoreNotes, format!("{more} more notes on materials")));
        }
        Ok(out)
    }

    fn items_of(&self, matches: impl Fn(ItemKind) -> bool) -> impl Iterator<Item = (usize, &Item<'_>)> {
        self.items.iter().enumerate().filter(move |(_, item)| matches(item.kind))
    }

    /// Finds the WEAR table with the model's name, or else the only table.
    fn wear(&self) -> Option<&Item<'_>> {
        let tables = || self.items_of(|kind| kind == ItemKind::Wear).map(|(_, item)| item);
        let own = tables().find(|item| stem(&item.name).eq_ignore_ascii_case(&self.model));
        let mut tables = tables();
        let only = tables.next().filter(|_| tables.next().is_none());
        own.or(only)
    }

    /// Finds the first matching item with this name. Case does not count.
    fn named(&self, name: &str, matches: impl Fn(ItemKind) -> bool) -> Option<(usize, &Item<'_>)> {
        self.items_of(matches).find(|(_, item)| item.name.eq_ignore_ascii_case(name))
    }
}

/// Strips the extension from a name.
pub(in crate::formats) fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

const fn is_material(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Material(_))
}

fn is_texture(kind: ItemKind) -> bool {
    kind == ItemKind::Texture
}

impl SurfaceBuilder<'_, '_> {
    fn note(&mut self, kind: FileNoteKind, message: String) {
        self.notes.insert(FileNote::new(kind, message));
    }

    /// Notes an item that cannot be read.
    fn left_out(&mut self, error: &FormatError, name: &str) {
        let note = FileNote { kind: FileNoteKind::LeftOut, ..FileNote::from(error) };
        self.notes.insert(note.in_part(name));
    }

    fn all(&mut self, wear: &Wear, materials: &[u16]) -> Result<(), FormatError> {
        if !wear.lightmaps.is_empty() {
            let names: Vec<&str> =
                wear.lightmaps.iter().take(NOTES_MAX).map(|row| row.name.as_str()).collect();
            let count = wear.lightmaps.len();
            self.note(
                FileNoteKind::LeftOut,
                format!("lightmaps that are not drawn: {count} ({})", names.join(", ")),
            );
        }
        for &number in materials {
            let Some(row) = wear.materials.get(usize::from(number)) else {
                let rows = wear.materials.len();
                self.note(
                    FileNoteKind::MaterialMissing,
                    format!("material {number} has no row in the WEAR table of {rows}"),
                );
                continue;
            };
            let surface = self.material(number, &row.name)?;
            self.out.by_material.insert(number, surface);
        }
        Ok(())
    }

    /// Assigns surfaces without a WEAR table. Only a single texture can serve, for all materials.
    fn without_table(&mut self, materials: &[u16]) -> Result<(), FormatError> {
        let mut textures = self.library.items_of(is_texture).map(|(index, _)| index);
        let (first, second) = (textures.next(), textures.next());
        let Some(index) = first else { return Ok(()) };
        if second.is_some() {
            let message = "without a WEAR table, the textures cannot be assigned to materials".to_owned();
            self.note(FileNoteKind::MaterialMissing, message);
            return Ok(());
        }
        let texture = self.load(index)?;
        let surface = Surface { texture, ..Surface::default() };
        self.out.by_material.extend(materials.iter().map(|&number| (number, surface)));
        Ok(())
    }

    /// Builds a surface from the named material, or from its replacement.
    fn material(&mut self, number: u16, name: &str) -> Result<Surface, FormatError> {
        let library = self.library;
        // The default material, or else any, replaces a missing material, so that its mesh still has a texture.
        let exact = library.named(name, is_material);
        let found = exact
            .or_else(|| library.named(DEFAULT, is_material))
            .or_else(|| library.items_of(is_material).next());
        let Some((_, item)) = found else {
            self.note(
                FileNoteKind::MaterialMissing,
                format!("material {name} is missing: it is drawn white"),
            );
            return Ok(Surface::default());
        };
        if exact.is_none() {
            let message = format!("material {name} is missing; {} replaces it", item.name);
            self.note(FileNoteKind::MaterialMissing, message);
        }
        let version = match item.kind {
            ItemKind::Material(version) => version,
            _ => 0,
        };
        let material = match material::read_material(item.view, version, &mut self.warnings) {
            Ok(material) => material,
            Err(error) => {
                self.left_out(&error, &item.name);
                return Ok(Surface::default());
            }
        };
        self.describe(number, name, item.view, &material);
        let Some(phase) = material.phases.first() else {
            let message = format!("material {} has no phases: it is drawn white", item.name);
            self.note(FileNoteKind::Incomplete, message);
            return Ok(Surface::default());
        };
        let texture = match phase.texture() {
            Some(name) => self.texture(&name)?,
            None => None,
        };
        Ok(Surface { diffuse: phase.diffuse(), emissive: phase.emissive(), texture })
    }

    /// Keeps a material's undrawn properties as a field.
    fn describe(&mut self, number: u16, name: &str, view: View<'_>, material: &Material<'_>) {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        let mut value = format!("{} phases", material.phases.len());
        if let Some(phase) = material.phases.first() {
            value.push_str(&format!(", the first with parameters {}", hex(&phase.parameters)));
        }
        if !material.prefix.is_empty() {
            value.push_str(&format!(", metadata {}", hex(material.prefix)));
        }
        for block in &material.blocks {
            value.push_str(&format!("; {}", block.describe()));
        }
        let field = Field { name: format!("material {number} ({name})"), offset: view.file_offset(0), value };
        self.out.fields.push(field);
    }

    /// Loads a texture by name. If it is missing, this adds a note and returns `None`.
    fn texture(&mut self, name: &str) -> Result<Option<usize>, FormatError> {
        let library = self.library;
        let whole = library.named(name, is_texture);
        // Textures extracted from their archive have other extensions.
        let found = whole.or_else(|| {
            library.items_of(is_texture).find(|(_, item)| stem(&item.name).eq_ignore_ascii_case(stem(name)))
        });
        match found {
            Some((index, _)) => self.load(index),
            None => {
                let message = format!("texture {name} is missing: surfaces are drawn without it");
                self.note(FileNoteKind::TextureMissing, message);
                Ok(None)
            }
        }
    }

    /// Loads a texture by library index, unless it is loaded already. Returns `None` if it cannot be read.
    fn load(&mut self, index: usize) -> Result<Option<usize>, FormatError> {
        if let Some(number) = self.loaded.get(&index) {
            return Ok(*number);
        }
        let mut number = None;
        if let Some(item) = self.library.items.get(index) {
            let name = item.name.clone();
            match texm::read(item.view) {
                Ok(texture) => {
                    let next = self.out.textures.len();
                    let loaded = texture.load(next, Some(name.clone()), None, self.options, self.loader)?;
                    number = Some(next);
                    self.notes.extend(texture.notes_of(&loaded, &name));
                    self.out.textures.push(loaded);
                }
                Err(error) => {
                    self.notes.insert(texm::unread(&error, &name));
                }
            }
        }
        self.loaded.insert(index, number);
        Ok(number)
    }
}
