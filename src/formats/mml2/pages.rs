//! Builds a model's textures from pages and palettes in video memory. Source:
//! [materials](crate::reference::formats::mml2#materials),
//! [TIM sections](crate::reference::formats::mml2#tim-sections) and
//! [as GE state](crate::reference::formats::mml2#as-ge-state).

use std::collections::BTreeMap;

use super::parsed::Material;
use super::video::{LoadGroup, Page, VideoMemory, opaque};
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;
use crate::formats::core::loader::Loader;
use crate::ge::address::Address;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::model::{FileNote, FileNoteKind, ModelTexture, TexturePalette};

/// Width and height of a page in texels.
const SIDE: u16 = 256;
/// How many colours a palette for 4-bit texels has.
pub(super) const COLORS: u16 = 16;

/// A page's GE address, and where its texels are in the file; `None` if it is missing.
type Placed = Option<(Address, u64)>;

/// A model's textures, loaded into memory.
#[derive(Debug)]
pub(super) struct Pages {
    pub(super) textures: Vec<ModelTexture>,
    /// A texture for each material; `None` if video memory has no page or no palette for it.
    pub(super) by_material: Vec<Option<usize>>,
}

impl Pages {
    /// Loads textures for all materials, but each page and each palette only once.
    pub(super) fn load(
        materials: &[Material],
        video: &VideoMemory,
        loader: &mut Loader,
        file: View<'_>,
        notes: &mut Vec<FileNote>,
    ) -> Result<Self, FormatError> {
        let mut pages: BTreeMap<(u16, Option<LoadGroup>), Placed> = BTreeMap::new();
        let mut known: BTreeMap<(u16, u16), Option<usize>> = BTreeMap::new();
        let mut textures: Vec<ModelTexture> = Vec::new();
        let mut by_material = Vec::new();
        for (number, material) in materials.iter().enumerate() {
            let Material { page, clut } = *material;
            // Only the position matters here, not the page's blend mode.
            let position = page & 0x1F;
            if let Some(texture) = known.get(&(position, clut)) {
                by_material.push(*texture);
                continue;
            }
            let load_group = video.load_group(clut);
            let texels = match pages.get(&(position, load_group)) {
                Some(texels) => *texels,
                None => {
                    let found = video.page(position, load_group);
                    if found.as_ref().is_some_and(|found| !found.is_whole) {
                        let message = format!("texture page {position:#x} is only partly filled by the file");
                        notes.push(FileNote::new(FileNoteKind::Incomplete, message));
                    }
                    let load_page = |page: Page| Ok((loader.store(file, 0, &page.bytes)?, page.texels));
                    let texels = found.map(load_page).transpose()?;
                    pages.insert((position, load_group), texels);
                    texels
                }
            };
            let colors = video.colors(clut);
            let missing = match (texels, &colors) {
                (None, _) => Some(format!("page {page:#x}")),
                (_, None) => Some(format!("palette {clut:#x}")),
                _ => None,
            };
            if let Some(missing) = missing {
                let message = format!(
                    "material {number} needs {missing}, which no image provides: drawn without a texture"
                );
                notes.push(FileNote::new(FileNoteKind::TextureMissing, message));
            }
            let texture = match (texels, colors) {
                (Some((address, offset)), Some(colors)) => {
                    let bytes: Vec<u8> =
                        colors.into_iter().flat_map(|color| opaque(color).to_le_bytes()).collect();
                    let palette = loader.store(file, 0, &bytes)?;
                    let index = textures.len();
                    textures.push(texture(
                        index,
                        format!("page {position:#x} palette {clut:#x}"),
                        address,
                        offset,
                        palette,
                    ));
                    Some(index)
                }
                _ => None,
            };
            known.insert((position, clut), texture);
            by_material.push(texture);
        }
        Ok(Self { textures, by_material })
    }
}

fn texture(index: usize, name: String, address: Address, offset: u64, palette: Address) -> ModelTexture {
    ModelTexture {
        index,
        name: Some(name),
        width: SIDE,
        height: SIDE,
        format: TexelFormat::CLUT4,
        swizzled: false,
        buffer_width: SIDE,
        address,
        file_offset: offset,
        palette: Some(TexturePalette {
            format: PixelFormat::ABGR5551,
            colors: COLORS.into(),
            size: COLORS,
            address: palette,
            shift: 0,
            mask: 0xFF,
        }),
        storage: None,
    }
}
