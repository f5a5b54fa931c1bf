//! `pspge textures`: writes textures as PNG.

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

/// Write all textures of a file as PNG
///
/// A picture is named after INPUT and the index of its texture. A texture with several palettes gives one
/// picture for each palette.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Output folder; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (memory, textures) = match run::open_textures(&args.input)? {
        Input::File { content: Content::Model(model), .. } => (model.memory, model.textures),
        Input::File { content: Content::Textures(set), .. } => (set.memory, set.textures),
        Input::File { .. } | Input::Program { .. } => {
            return Err(Failure::file(&args.input.input, "at 0x0: the file holds no textures"));
        }
    };
    if textures.is_empty() {
        return Err(Failure::file(&args.input.input, "at 0x0: the file holds no textures"));
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
    if let Some(hit) = budget.limit_hit() {
        run::warn_limit_hit(&args.input, hit);
    }
    out.finish()
}

/// Writes a texture once for each of its palettes, until the budget is spent. Returns the files written.
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
