//! Writes the textures used by draws as a texture pack.

use std::path::Path;

use pspge::documents::texture_index::IndexedTexture;
use pspge::texture_pack::hash::HashKind;
use pspge::texture_pack::ini::Ini;
use pspge::texture_pack::key::Key;
use pspge::texture_pack::pack::{INI, PackError};
use pspge::texture_pack::settings::Settings;
use pspge::texture_pack::uses;
use pspge::texture_pack::write::{self, PackContents};
use pspge::{Asset, RunSpec};

use super::Args;
use super::pictures::Pictures;
use crate::input::files;
use crate::input::texture_pack;
use crate::job::{Session, Task};
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// Returns the settings that decide texture names. Option lines that do not count become notes.
pub(super) fn settings(
    hash: HashKind,
    options: Option<&Path>,
    notes: &mut Notes,
) -> Result<Settings, Failure> {
    let mut settings = Settings { hash, ..Settings::default() };
    if let Some(path) = options {
        let file = path.display().to_string();
        let mut problems = Vec::new();
        if let Err(error) = settings.read(&Ini::read(&files::read(path)?), false, &mut problems) {
            return Err(texture_pack::failure(path, &PackError::Settings { file, error }));
        }
        let problem = |(line, problem)| (file.clone(), line, problem);
        texture_pack::add_problems(&problems.into_iter().map(problem).collect::<Vec<_>>(), notes);
    }
    Ok(settings)
}

/// Runs an input, and writes the textures its draws use, and the ini.
pub(super) fn write(
    args: &Args,
    task: &Task,
    asset: &Asset,
    settings: &Settings,
    pictures: &mut Pictures,
    session: &mut Session,
) -> Result<Vec<IndexedTexture>, Failure> {
    let mut spec = RunSpec::default().threads(session.threads).limits(args.open.limits());
    spec.arithmetic = args.arithmetic.map(Into::into);
    let mut shot = asset.shot(&spec).map_err(|error| Failure::asset(&task.input, &error))?;
    let found = uses::find(&mut shot.capture, settings, shot.raster, &shot.limits);
    session.notes.list.add_report(&found.report);
    if let Some(draws) = &args.draws {
        let checked = draws.check(found.report.draws);
        checked.map_err(|error| Failure::inapplicable(&task.input, "--draws", error))?;
    }
    let contents = PackContents::of(&found, settings, args.draws.as_ref());
    let mut written: Vec<(Key, Vec<String>)> = Vec::new();
    let mut indexed: Vec<IndexedTexture> = found.textures.iter().map(IndexedTexture::of_use).collect();
    for texture in contents.textures {
        let names = pictures.write(&texture.key.to_string(), || texture.pictures, session)?;
        if let Some(entry) = indexed.get_mut(texture.texture) {
            entry.files.extend(names.iter().cloned());
        }
        written.push((texture.key, names));
    }
    if let Some(folder) = &task.output {
        session.write(&folder.join(INI), write::ini(settings, &written).as_bytes())?;
    }
    for (count, reason) in [
        (contents.rendered, "the run may have drawn them itself, and PPSSPP replaces no such textures"),
        (contents.same_name, "others have the same names, as not all of their bytes are hashed"),
        (contents.large, "they have a side above 512, of which a PSP has only a part"),
    ] {
        if count > 0 {
            let message = format!("textures not written: {count}, because {reason}");
            session.notes.list.inform("textures-left-out", message);
        }
    }
    Ok(indexed)
}
