//! Writes the files next to a model: textures (TMH), skeleton (AHI), and the archive with all three (PAC).
//!
//! Source: [TMH textures](pspge::reference::formats::pmo#tmh-textures), [AHI
//! skeletons](pspge::reference::formats::pmo#ahi-skeletons), [PAC
//! containers](pspge::reference::formats::pmo#pac-containers).

use super::Version;
use crate::bytes::{pad, put_f32, put_u16, put_u32};
use crate::modelling::image::PackedTexture;
use crate::modelling::maths::Vec3;

/// A bone with its position in the model and its parent's index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bone {
    pub(crate) at: Vec3,
    pub(crate) parent: Option<usize>,
}

/// Encodes the texture file.
pub(crate) fn tmh(textures: &[PackedTexture]) -> Vec<u8> {
    let mut file = b".TMH0.14".to_vec();
    put_u32(&mut file, textures.len());
    put_u32(&mut file, 0);
    for texture in textures {
        let mut pixels = Vec::new();
        put_u32(&mut pixels, 16 + texture.texels.len());
        put_u32(&mut pixels, 1);
        pixels.extend(texture.format.to_le_bytes());
        put_u16(&mut pixels, texture.width.into());
        put_u16(&mut pixels, texture.height.into());
        pixels.extend(&texture.texels);
        let mut palette = Vec::new();
        if !texture.palette.is_empty() {
            let colors = texture.palette.concat();
            // Format 3: 8888.
            for value in [16 + colors.len(), 2, 3, texture.palette.len()] {
                put_u32(&mut palette, value);
            }
            palette.extend(colors);
        }
        for value in [16 + pixels.len() + palette.len(), 0, 0, usize::from(!palette.is_empty())] {
            put_u32(&mut file, value);
        }
        file.extend(pixels);
        file.extend(palette);
    }
    file
}

/// Encodes the skeleton file. Bones are numbered in order, so parents must come first. `part_of` gives a bone's
/// animation part, which only Freedom Unite has.
pub(crate) fn ahi(bones: &[Bone], version: Version, part_of: fn(usize) -> usize) -> Vec<u8> {
    const BONE: usize = 0x4000_0001;
    let (root, bone_size) = match version {
        Version::Unite => (0xC000_0000, 0x10C),
        Version::Portable3rd => (0x8000_0000, 0x5C),
    };
    let with_parent =
        |parent: Option<usize>, after: usize| (after..bones.len()).find(|bone| bones[*bone].parent == parent);
    let roots: Vec<usize> = (0..bones.len()).filter(|bone| bones[*bone].parent.is_none()).collect();
    let mut blocks = Vec::new();
    for value in [0, roots.len(), 12 + 4 * roots.len()].into_iter().chain(roots) {
        put_u32(&mut blocks, value);
    }
    for (number, bone) in bones.iter().enumerate() {
        let start = blocks.len();
        for value in [BONE, 1, bone_size, number] {
            put_u32(&mut blocks, value);
        }
        for link in [bone.parent, with_parent(Some(number), 0), with_parent(bone.parent, number + 1)] {
            put_u32(&mut blocks, link.unwrap_or(0xFFFF_FFFF));
        }
        let from = bone.parent.map(|parent| bones[parent].at);
        let offset = from.map_or(bone.at, |from| bone.at - from);
        for value in [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, offset.x, offset.y, offset.z, 1.0] {
            put_f32(&mut blocks, value);
        }
        let part = if version == Version::Unite { part_of(number) } else { 0 };
        for value in [0xFFFF_FFFF, part] {
            put_u32(&mut blocks, value);
        }
        if version == Version::Portable3rd {
            blocks.extend(format!("Bone{number:03}").bytes());
        }
        blocks.resize(start + bone_size, 0);
    }
    let mut file = Vec::new();
    for value in [root, bones.len() + 1, 12 + blocks.len()] {
        put_u32(&mut file, value);
    }
    file.extend(blocks);
    file
}

/// Encodes the archive with these members, in order.
pub(crate) fn pac(members: &[&[u8]]) -> Vec<u8> {
    let mut offset = (4 + 8 * members.len()).next_multiple_of(16);
    let mut file = Vec::new();
    put_u32(&mut file, members.len());
    for member in members {
        put_u32(&mut file, offset);
        put_u32(&mut file, member.len());
        offset = (offset + member.len()).next_multiple_of(16);
    }
    for member in members {
        pad(&mut file, 16);
        file.extend(*member);
    }
    file
}
