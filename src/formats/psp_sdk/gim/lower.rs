//! Turns a file into a model to draw: a rectangle textured with a picture, and its animations.
//! Source: [GIM as GE state](crate::reference::formats::psp_sdk#gim-as-ge-state).

use std::sync::Arc;

use super::load::{LoadedPicture, PictureLoader, textures};
use super::problem::GimProblem;
use super::read::{self, Gim, Picture};
use super::sequence::Sequence;
use super::state::Moment;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::options::OpenOptions;
use crate::formats::core::state_writer::{StateWriter, off, on, word};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::transform::{Shade, ShadeMode};
use crate::ge::registers::vertex::{ComponentFormat, PrimitiveType, VertexType};
use crate::model::matrix::{Affine, IDENTITY};
use crate::model::{
    Alternatives, Animation, CommandPatch, FileNote, FileNoteKind, Model, ModelInfo, ModelTexture, Part,
    Sampler, Skeleton, Up,
};

/// Turns a file into a model that shows the selected picture. All pictures are loaded, to be listed as textures.
pub(super) fn lower(gim: &Gim<'_>, name: &str, options: OpenOptions<'_>) -> Result<Model, FormatError> {
    let alternatives = Alternatives::of_groups(0..gim.pictures.len());
    let selected = alternatives.group_or_default(0, options.selection.group);
    let mut warnings = gim.warnings.clone();
    let mut loader = Loader::new();
    let pictures =
        PictureLoader { name, loader: &mut loader, warnings: &mut warnings }.pictures(&gim.pictures)?;
    let textures = textures(gim, &pictures, &mut warnings);
    let (Some(picture), Some(read)) = (pictures.get(selected), gim.pictures.get(selected)) else {
        return Err(gim.file.error(0, GimProblem::NoPicture));
    };
    let moment =
        read.sequences.first().map_or_else(Moment::default, |sequence| Moment::of_sequence(sequence, 0.0));
    let vertices = loader.store(gim.file, 0, &rectangle(picture.size()))?;

    let mut part = ListBuilder::new(loader.room().0);
    part.write(VertexType {
        texcoord: ComponentFormat::FLOAT,
        position: ComponentFormat::FLOAT,
        ..VertexType::default()
    });
    part.address(Opcode::VADDR, vertices).prim(PrimitiveType::TRIANGLE_STRIP, 4).set(Opcode::RET, 0);
    let part = loader.store_list(gim.file, &part)?;

    let mut writer: StateWriter = StateWriter::new(ListBuilder::new(loader.room().0));
    writer.push_all(defaults());
    writer.list_mut().matrix(Matrix::World, 0, &IDENTITY);
    let state = writer.here();
    writer.push_all(picture.commands(&moment));
    let call = writer.call(part.start);
    writer.list_mut().set(Opcode::RET, 0);
    let entry = loader.store_list(gim.file, writer.list())?.start;

    let mut notes: Vec<FileNote> = warnings.notes().collect();
    if gim.pictures.len() > 1 {
        let message = format!(
            "the file has {} pictures; number {selected} is drawn; group N is picture N",
            gim.pictures.len()
        );
        notes.push(FileNote::new(FileNoteKind::HiddenParts, message));
    }
    let first_texture = textures.iter().position(|texture| {
        let level = picture.images.first().and_then(|image| image.frames.first()?.first());
        level.is_some_and(|level| level.address == texture.address)
    });
    let animations = animations(read, picture, state);
    let (memory, sources) = loader.finish();
    let drawn = Part {
        list: part,
        call,
        mesh: selected,
        group: 0,
        material: 0,
        texture: first_texture,
        palette: [None; 8],
        weights: 0,
        uploads: Vec::new(),
    };
    Ok(Model {
        memory,
        entry,
        sources,
        info: info(gim, textures.len()),
        parts: vec![drawn],
        textures,
        skeleton: None,
        animations,
        alternatives,
        up: Up::Y,
        fields: gim.fields.clone(),
        notes,
    })
}

/// Encodes a rectangle around the origin as a triangle strip, with texture coordinates and position for each corner.
fn rectangle([width, height]: [f32; 2]) -> Vec<u8> {
    let (right, top) = (width / 2.0, height / 2.0);
    let corners: [[f32; 5]; 4] = [
        [0.0, 0.0, -right, top, 0.0],
        [0.0, 1.0, -right, -top, 0.0],
        [1.0, 0.0, right, top, 0.0],
        [1.0, 1.0, right, -top, 0.0],
    ];
    corners.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Lists the state shared by all pictures. There is no light and the material is white, so the texture alone gives
/// the colour.
fn defaults() -> Vec<Command> {
    vec![
        Command::new(Opcode::OFFSETADDR, 0),
        off(Opcode::LIGHTINGENABLE),
        on(Opcode::DEPTHCLAMPENABLE),
        off(Opcode::CULLENABLE),
        off(Opcode::FOGENABLE),
        off(Opcode::DITHERENABLE),
        on(Opcode::TEXENABLE),
        off(Opcode::ALPHATESTENABLE),
        on(Opcode::ZTESTENABLE),
        off(Opcode::ZWRITEDISABLE),
        off(Opcode::ANTIALIASENABLE),
        off(Opcode::PATCHCULLENABLE),
        off(Opcode::COLORTESTENABLE),
        off(Opcode::LOGICOPENABLE),
        off(Opcode::REVERSENORMAL),
        off(Opcode::TEXMAPMODE),
        Command::new(Opcode::MATERIALAMBIENT, 0xFF_FFFF),
        Command::new(Opcode::MATERIALALPHA, 0xFF),
        off(Opcode::MATERIALUPDATE),
        Command::new(Opcode::BLENDFIXEDB, 0xFF_FFFF),
        word(Shade { mode: ShadeMode::GOURAUD }),
    ]
}

/// Replaces a picture's commands to show it at any frame.
#[derive(Debug)]
struct PictureSampler {
    picture: LoadedPicture,
    /// `None` to show frame after frame.
    sequence: Option<Sequence>,
    /// Where the picture's commands start in the list.
    state: Address,
}

impl Sampler for PictureSampler {
    fn sample(&self, skeleton: &Skeleton, _: f64) -> Vec<Affine> {
        skeleton.rest()
    }

    fn commands(&self, frame: f64) -> Vec<CommandPatch> {
        let moment = match &self.sequence {
            Some(sequence) => Moment::of_sequence(sequence, frame),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "negative ones are 0"
            )]
            None => Moment::of_frame(frame as usize),
        };
        let addresses = (0..).map(|number: u32| self.state.offset(number.wrapping_mul(4)));
        let commands = self.picture.commands(&moment).into_iter();
        addresses.zip(commands).map(|(at, command)| CommandPatch { at, command }).collect()
    }
}

/// Returns a picture's animations: its sequences, or else a single animation through its frames.
fn animations(read: &Picture<'_>, picture: &LoadedPicture, state: Address) -> Vec<Animation> {
    let sampler =
        |sequence| Arc::new(PictureSampler { picture: picture.clone(), sequence, state }) as Arc<dyn Sampler>;
    let of_sequence = |(number, sequence): (usize, &Sequence)| Animation {
        name: Some(if number == 0 { "sequence".to_owned() } else { format!("sequence{number}") }),
        frames: sequence.frames(),
        // The frame rate's unit is not known.
        frames_per_second: None,
        channels: sequence.channels(),
        keys: sequence.keys(),
        sampler: sampler(Some(sequence.clone())),
    };
    let frames = picture.count_frames();
    if read.sequences.is_empty() && frames > 1 {
        return vec![Animation {
            name: Some("frames".to_owned()),
            frames: u32::try_from(frames).unwrap_or(u32::MAX),
            frames_per_second: None,
            channels: 1,
            keys: frames,
            sampler: sampler(None),
        }];
    }
    read.sequences.iter().enumerate().map(of_sequence).collect()
}

/// Counts the file's contents for display. Sizes are those of the first image.
fn info(gim: &Gim<'_>, textures: usize) -> ModelInfo {
    let sum = |count: fn(&Picture<'_>) -> usize| gim.pictures.iter().map(count).sum::<usize>() as u64;
    let first = gim.pictures.first().and_then(|picture| picture.images.first());
    let of_first = |count: fn(&super::image::Image<'_>) -> usize| first.map_or(0, count) as u64;
    ModelInfo {
        format: "gim",
        version: Some("1.00".to_owned()),
        meshes: gim.pictures.len(),
        groups: 1,
        draws: 1,
        vertices: 4,
        triangles: 2,
        materials: 1,
        textures,
        bones: 0,
        extra: vec![
            ("width", of_first(|image| image.width.into())),
            ("height", of_first(|image| image.height.into())),
            ("levels", of_first(|image| image.levels)),
            ("frames", of_first(|image| image.frames)),
            ("planes", of_first(|image| image.planes().len())),
            ("swizzled", of_first(|image| image.is_swizzled.into())),
            ("linear", of_first(|image| (!image.is_swizzled).into())),
            ("big_endian", of_first(|image| image.data.is_big.into())),
            ("pictures", gim.pictures.len() as u64),
            ("images", sum(|picture| picture.images.len())),
            ("palettes", sum(|picture| picture.palettes.len())),
            ("sequences", sum(|picture| picture.sequences.len())),
        ],
    }
}

/// A texture loaded for a model.
#[derive(Clone, Debug)]
pub(in crate::formats::psp_sdk) struct LoadedTexture {
    pub(in crate::formats::psp_sdk) texture: ModelTexture,
    /// Commands to select this texture, with all its levels and its palette.
    pub(in crate::formats::psp_sdk) commands: Vec<Command>,
    pub(in crate::formats::psp_sdk) has_levels: bool,
    /// Whether it has several frames or a sequence.
    pub(in crate::formats::psp_sdk) is_animated: bool,
}

/// Loads a file's first picture as a texture for a model.
pub(in crate::formats::psp_sdk) fn load_texture(
    view: View<'_>,
    file_name: &str,
    (index, name): (usize, Option<String>),
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<LoadedTexture, FormatError> {
    let gim = read::read(view)?;
    warnings.extend(&gim.warnings);
    let first = gim.pictures.first().ok_or_else(|| view.error(0, GimProblem::NoPicture))?;
    let picture = PictureLoader { name: file_name, loader, warnings }.picture(first)?;
    let is_animated = !first.sequences.is_empty() || picture.count_frames() > 1;
    let texture = textures(&gim, std::slice::from_ref(&picture), warnings).into_iter().next();
    let texture = texture.ok_or_else(|| view.error(0, GimProblem::NoPicture))?;
    let has_levels = picture.images.first().is_some_and(|image| image.has_mipmaps && image.levels() > 1);
    let commands = picture.texture(&Moment::default());
    Ok(LoadedTexture { texture: ModelTexture { index, name, ..texture }, commands, has_levels, is_animated })
}

/// Loads all pictures in a file as textures, numbered from `first` on. Their names begin with `name`.
pub(in crate::formats::psp_sdk) fn load_textures(
    view: View<'_>,
    file_name: &str,
    (first, name): (usize, &str),
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<Vec<ModelTexture>, FormatError> {
    let gim = read::read(view)?;
    warnings.extend(&gim.warnings);
    let pictures = PictureLoader { name: file_name, loader, warnings }.pictures(&gim.pictures)?;
    let named = |(index, texture): (usize, ModelTexture)| {
        let inner = texture.name.map(|inner| format!("-{inner}")).unwrap_or_default();
        ModelTexture { index, name: Some(format!("{name}{inner}")), ..texture }
    };
    Ok((first..).zip(textures(&gim, &pictures, warnings)).map(named).collect())
}
