//! `pspge textures`: writes textures as PNG.

use std::path::{Path, PathBuf};

use image::DynamicImage;
use pspge::formats::Content;
use pspge::ge::limits::{Budget, Limit};
use pspge::ge::memory::Memory;
use pspge::model::ModelTexture;
use pspge::pipeline::texture::MAX_SIZE;

use crate::batch::arguments::{BatchArgs, Destination, OutputArgs};
use crate::console::Console;
use crate::failure::Failure;
use crate::input::Input;
use crate::input::name::InputName;
use crate::input::options::FileOptions;
use crate::job::{Job, Outcome, Session, Task};
use crate::{batch, output, progress};

/// Write all textures of a file as PNG
///
/// A picture is named after INPUT and the index of its texture. A texture with several palettes gives one
/// picture for each palette.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    batch: BatchArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    open: FileOptions,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    batch::run_into(&Textures { args }, &args.batch, &Destination::Folders(&args.output), console)
}

/// Writes the textures of an input into a folder.
struct Textures<'a> {
    args: &'a Args,
}

impl Job for Textures<'_> {
    fn done(&self) -> &'static str {
        "written"
    }

    fn nothing(&self) -> &'static str {
        "no textures"
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.args.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let args = self.args;
        let (memory, textures) = match args.open.open_textures(&task.input, &mut session.notes)? {
            Input::File { content: Content::Model(model), .. } => (model.memory, model.textures),
            Input::File { content: Content::Textures(set), .. } => (set.memory, set.textures),
            Input::File { .. } | Input::Program { .. } => return Ok(Outcome::Nothing),
        };
        let Some(folder) = &task.output else { return Ok(Outcome::Nothing) };
        if textures.is_empty() {
            return Ok(Outcome::Nothing);
        }
        output::create_folder(folder)?;
        let bar = progress::bar("textures", if session.is_single { textures.len() as u64 } else { 0 });
        let mut budget = Budget::new(&args.open.limits(), Limit::DecodedBytes);
        let stem = InputName::parse(&task.input).stem();
        for texture in &textures {
            write(&folder.join(&stem), &memory, texture, &mut budget, session)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        if let Some(hit) = budget.limit_hit() {
            session.notes.add_limit(hit);
        }
        Ok(Outcome::Done)
    }
}

/// Writes a texture once for each of its palettes, until the budget is spent. `base` is the start of the file names.
fn write(
    base: &Path,
    memory: &Memory,
    texture: &ModelTexture,
    budget: &mut Budget,
    session: &mut Session,
) -> Result<(), Failure> {
    let palettes = texture.palette.map_or(1, |palette| palette.count());
    let [width, height] = texture.padded_size().map(|side| u64::from(side.min(MAX_SIZE)));
    for palette in 0..palettes {
        if budget.spend(width * height * 4).is_err() {
            break;
        }
        let suffix = if palettes > 1 { format!("_{palette}") } else { String::new() };
        let path = PathBuf::from(format!("{}_{:02}{suffix}.png", base.display(), texture.index));
        let picture = texture.decode(memory, palette);
        session.write_png(&path, &DynamicImage::ImageRgba8(picture))?;
        session.out.line(format_args!("{}", path.display()))?;
    }
    Ok(())
}
