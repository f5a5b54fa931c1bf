//! Reads a GMO file into models.
//! Source: [GMO tree](crate::reference::formats::psp_sdk#gmo-tree).
//!
//! # Invariants
//! Each reference in a [`Scene`] leads to a part that exists. Anything that cannot be read is left out with a note.

use super::chunk::{self, Chunk};
use super::curve;
use super::problem::GmoProblem;
use super::raw::{HEADER, MAGIC, block, command};
use super::reader::{Counts, Reader};
use super::scene::{Motion, Scene, Target, Texture, Track};
use super::{bones, materials, parts};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::text::decode_padded;
use crate::model::Field;

/// The models in a file, after all checks.
#[derive(Clone, Debug)]
pub(super) struct Gmo<'a> {
    pub(super) file: View<'a>,
    pub(super) scenes: Vec<Scene<'a>>,
    pub(super) fields: Vec<Field>,
    pub(super) warnings: Warnings,
}

/// Recognises a file by its first bytes.
pub(in crate::formats::psp_sdk) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a file. This fails only for a wrong header or if there is no model.
pub(super) fn read(file: View<'_>) -> Result<Gmo<'_>, FormatError> {
    if !sniff(file.bytes()) {
        return Err(file.error(0, GmoProblem::Magic));
    }
    file.slice(0, HEADER)?;
    let rest = file.view(HEADER, file.len().saturating_sub(HEADER))?;
    let mut reader = Reader { fields: Vec::new(), warnings: Warnings::default() };
    let mut scenes = Vec::new();
    for chunk in chunk::list(rest, true, &mut reader.warnings) {
        match (chunk.is_command, chunk.kind) {
            (false, block::FILE) => {
                for child in chunk.children(&mut reader.warnings) {
                    if !child.is_command && child.kind == block::MODEL {
                        scenes.push(reader.scene(&child));
                    } else {
                        reader.keep(&child);
                    }
                }
            }
            (false, block::MODEL) => scenes.push(reader.scene(&chunk)),
            _ => reader.keep(&chunk),
        }
    }
    if scenes.is_empty() {
        return Err(file.error(0, GmoProblem::NoModel));
    }
    Ok(Gmo { file, scenes, fields: reader.fields, warnings: reader.warnings })
}

impl Reader {
    fn scene<'a>(&mut self, chunk: &Chunk<'a>) -> Scene<'a> {
        let children = chunk.children(&mut self.warnings);
        let of = |kind: u16| children.iter().filter(move |child| !child.is_command && child.kind == kind);
        let counts = Counts {
            bones: of(block::BONE).count(),
            parts: of(block::PART).count(),
            materials: of(block::MATERIAL).count(),
            textures: of(block::TEXTURE).count(),
        };
        let mut scene = Scene::default();
        for child in &children {
            match (child.is_command, child.kind) {
                (false, block::BONE) => scene.bones.push(bones::read(self, child, counts)),
                (false, block::PART) => scene.parts.push(parts::read(self, child, counts)),
                (false, block::MATERIAL) => scene.materials.push(materials::read(self, child, counts)),
                (false, block::TEXTURE) => scene.textures.push(self.texture(child)),
                (false, block::MOTION) => scene.motions.push(self.motion(child, counts)),
                (true, command::VERTEX_OFFSET) => parts::read_offset(self, child, &mut scene.offset),
                _ => self.keep(child),
            }
        }
        bones::sort(self, chunk, &mut scene.bones);
        scene
    }

    fn texture<'a>(&mut self, chunk: &Chunk<'a>) -> Texture<'a> {
        let mut texture = Texture { name: chunk.name.clone(), at: Some(chunk.view), ..Texture::default() };
        for child in chunk.children(&mut self.warnings) {
            match child.kind {
                command::FILE_NAME => texture.file_name = Some(decode_padded(child.args.bytes())),
                command::FILE_IMAGE => {
                    let stated = child.word(0).map_or(0, u64::from);
                    let room = child.args.len().saturating_sub(4);
                    if stated > room {
                        let problem = GmoProblem::ChunkCut { stated, actual: room };
                        self.warn(child.args.error(0, problem));
                    }
                    let length = if stated == 0 { room } else { stated.min(room) };
                    texture.image = child.args.view(4, length).ok();
                }
                _ => self.keep(&child),
            }
        }
        texture
    }

    fn motion(&mut self, chunk: &Chunk<'_>, counts: Counts) -> Motion {
        let mut motion = Motion { name: chunk.name.clone(), ..Motion::default() };
        let children = chunk.children(&mut self.warnings);
        let curves = children.iter().filter(|child| !child.is_command && child.kind == block::CURVE);
        for child in curves {
            // A curve that cannot be read keeps its number, because tracks refer to curves by number.
            let curve = curve::read(child, &mut self.warnings);
            motion.curves.push(self.or_leave_out("curve", curve));
        }
        for child in &children {
            match (child.is_command, child.kind) {
                (false, block::CURVE) => {}
                (_, command::FRAME_LOOP) => {
                    motion.range = child.floats(0).ok().filter(|range: &[f32; 2]| {
                        range.iter().all(|frame| frame.is_finite()) && range[0] <= range[1]
                    });
                }
                (_, command::FRAME_RATE) => {
                    motion.rate = child.floats(0).ok().map(|[rate]| rate).filter(|rate| *rate > 0.0);
                }
                (_, command::FRAME_REPEAT) => motion.holds = child.word(0) == Ok(0),
                (_, command::ANIMATE) => {
                    if let Some(track) = self.track(child, &motion, counts) {
                        motion.tracks.push(track);
                    }
                }
                _ => self.keep(child),
            }
        }
        motion
    }

    fn track(&mut self, chunk: &Chunk<'_>, motion: &Motion, counts: Counts) -> Option<Track> {
        let [target, channel] = [chunk.word(0).ok()?, chunk.word(1).ok()?];
        let curve = self.reference(chunk, 3, (block::CURVE, motion.curves.len(), "curve"))?;
        let is_material = target >> 16 & 0x7FFF == u32::from(block::MATERIAL);
        let target = if is_material {
            Target::Material(self.reference(chunk, 0, (block::MATERIAL, counts.materials, "material"))?)
        } else {
            Target::Bone(self.reference(chunk, 0, (block::BONE, counts.bones, "bone"))?)
        };
        let number = u16::try_from(channel & 0x7FFF).unwrap_or(0);
        let curve_read = motion.curves.get(curve)?.as_ref()?;
        if !can_move(target, number, curve_read.dimensions) {
            self.warn(chunk.args.error(4, GmoProblem::Channel(channel)));
            return None;
        }
        Some(Track { target, channel: number, index: chunk.word(2).unwrap_or(0), curve })
    }
}

/// Returns whether a curve with these dimensions can move this channel.
fn can_move(target: Target, channel: u16, dimensions: usize) -> bool {
    let is_bone = matches!(target, Target::Bone(_));
    match channel {
        command::VISIBILITY | command::MORPH_INDEX => is_bone && dimensions == 1,
        command::MORPH_WEIGHTS => is_bone && (1..=8).contains(&dimensions),
        command::MATRIX => is_bone && dimensions == 16,
        command::ROTATE_Q => is_bone && dimensions == 4,
        command::TRANSLATE
        | command::ROTATE_ZYX
        | command::ROTATE_YXZ
        | command::SCALE
        | command::SCALE2
        | command::SCALE3
        | command::PIVOT => is_bone && dimensions == 3,
        command::DIFFUSE | command::EMISSION | command::AMBIENT | command::TEX_CROP => {
            !is_bone && dimensions == 4
        }
        command::SPECULAR => !is_bone && (4..=5).contains(&dimensions),
        command::REFLECTION | command::REFRACTION | command::BUMP => !is_bone && dimensions == 1,
        _ => false,
    }
}
