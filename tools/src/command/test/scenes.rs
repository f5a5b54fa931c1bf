//! Finds tables with a PSP's results for display lists, and draws these lists.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pspge::compare::{MeasuredScene, Measurement};
use pspge::documents::judgement::CaseFact;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limits;
use pspge::run::sink::NullObserver;
use pspge::{Asset, RunSpec};

use crate::input::files;
use crate::terminal::failure::Failure;

/// Reads the tables among `files`, which are paths in `folder`. Returns their scenes by the paths of the lists.
///
/// # Errors
/// If a table cannot be read, or names a list twice.
pub(super) fn read(
    folder: &Path,
    files: &BTreeSet<PathBuf>,
) -> Result<BTreeMap<PathBuf, MeasuredScene>, Failure> {
    let mut scenes = BTreeMap::new();
    let is_table = |path: &&PathBuf| path.file_name().is_some_and(|name| name == MeasuredScene::TABLE);
    for table in files.iter().filter(is_table) {
        let path = folder.join(table);
        let wrong =
            |problem: String| Failure::input(&path.display().to_string(), "measured-scenes", None, problem);
        let text = files::read(&path)?;
        let found = MeasuredScene::read_table(&String::from_utf8_lossy(&text))
            .map_err(|error| wrong(error.to_string()))?;
        for scene in found {
            let list = table.with_file_name(&scene.file);
            if let Some(scene) = scenes.insert(list, scene) {
                return Err(wrong(format!("{} has two lines", scene.file)));
            }
        }
    }
    Ok(scenes)
}

/// Describes a scene, as far as its table does.
pub(super) fn facts(scene: &MeasuredScene) -> impl Iterator<Item = CaseFact> {
    let facts = [("scene", &scene.name), ("tests", &scene.tests)];
    let facts = facts.into_iter().filter(|(_, value)| !value.is_empty());
    facts.map(|(name, value)| CaseFact { name: name.to_owned(), value: value.clone() })
}

/// Runs a list, and compares the memory after it with the PSP's results.
///
/// # Errors
/// Says why the list cannot run.
pub(super) fn measure(
    scene: &MeasuredScene,
    asset: &Asset,
    arithmetic: Arithmetic,
    limits: Limits,
) -> Result<Vec<Measurement>, String> {
    let spec = RunSpec::default().with_arithmetic(arithmetic).limits(limits);
    let mut shot = asset.shot(&spec).map_err(|error| error.to_string())?;
    let mut rasterizer = shot.rasterizer();
    shot.run_here(&mut rasterizer, &mut NullObserver);
    Ok(scene.compare(&shot.capture.memory))
}
