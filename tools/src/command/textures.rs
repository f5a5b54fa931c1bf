//! `pspge textures`: textures as pictures.

use std::path::{Path, PathBuf};

use image::DynamicImage;
use pspge::formats::Content;
use pspge::ge::limits::{Budget, Limit};
use pspge::ge::memory::Memory;
use pspge::model::ModelTexture;
use pspge::pipeline::texture::MAX_SIZE;

use crate::failure::Failure;
use crate::input::{Input, InputArgs};
use crate::output::{self, Output};
use crate::{progress, run};

/// Write every texture of a file as PNG
///
/// Files are named after INPUT and the texture's number; textures with several palettes come out once for each.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Folder to write to; made where it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (memory, textures) = match args.input.load_textures()? {
        Input::File { content: Content::Model(model), .. } => (model.memory, model.textures),
        Input::File { content: Content::Textures(set), .. } => (set.memory, set.textures),
        Input::File { .. } | Input::Program { .. } => {
            return Err(Failure::file(&args.input.input, "at 0x0: holds no textures"));
        }
    };
    if textures.is_empty() {
        return Err(Failure::file(&args.input.input, "at 0x0: holds no textures"));
    }
    std::fs::create_dir_all(&args.output).map_err(|error| Failure::file(args.output.display(), error))?;
    let mut out = Output::new();
    let bar = progress::bar("textures", textures.len() as u64);
    let mut budget = Budget::new(&args.input.limits(), Limit::DecodedBytes);
    for texture in &textures {
        for path in write(args, &memory, texture, &mut budget)? {
            out.line(format_args!("{}", path.display()))?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(reached) = budget.limit_hit() {
        run::warn_of(&args.input, reached);
    }
    out.finish()
}

/// Writes a texture in the colours of each of its palettes, as far as the budget goes.
fn write(
    args: &Args,
    memory: &Memory,
    texture: &ModelTexture,
    budget: &mut Budget,
) -> Result<Vec<PathBuf>, Failure> {
    let palettes = texture.palette.map_or(1, |palette| palette.count());
    let mut paths = Vec::new();
    let [width, height] = texture.padded_size().map(|side| u64::from(side.min(MAX_SIZE)));
    for palette in 0..palettes {
        if budget.spend(width * height * 4).is_err() {
            break;
        }
        let suffix = if palettes > 1 { format!("_{palette}") } else { String::new() };
        let path = args.output.join(format!("{}_{:02}{suffix}.png", args.input.stem(), texture.index));
        let picture = texture.decode(memory, palette);
        output::write_png(Path::new(&path), &DynamicImage::ImageRgba8(picture))?;
        paths.push(path);
    }
    Ok(paths)
}
