//! Refuses options that cannot apply to an input, because ignoring them would hide mistakes.

use pspge::Asset;
use pspge::formats::FileRole;

use super::alternatives;
use super::options::{FileOptions, ModelOptions};
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// Checks that every given option can apply to an opened input. In a batch, options that cannot become notes.
///
/// # Errors
/// For a single input, the first option that cannot apply.
pub(super) fn check(
    options: &FileOptions,
    model: &ModelOptions,
    input: &str,
    asset: &Asset,
    notes: &mut Notes,
) -> Result<(), Failure> {
    let kind = asset.kind();
    if let Some(opened) = asset.model() {
        alternatives::check(model, input, &opened.alternatives, notes)?;
    } else {
        for option in model.given() {
            notes.ignore_option(input, &option, &format!("{kind} is not a model"))?;
        }
    }
    let companions = [
        ("--textures", options.textures.is_some(), FileRole::Textures),
        ("--skeleton", options.skeleton.is_some(), FileRole::Skeleton),
        ("--mesh-data", options.mesh_data.is_some(), FileRole::MeshData),
        ("--animations", options.animations.is_some(), FileRole::Animations),
    ];
    for (option, is_given, role) in companions {
        if is_given && !asset.opened().is_some_and(|opened| opened.takes(role)) {
            notes.ignore_option(input, option, &format!("{kind} takes no such file"))?;
        }
    }
    if asset.program().is_some() {
        for name in &options.parse_option {
            let option = format!("--parse-option {name}");
            notes.ignore_option(input, &option, &format!("{kind} has no parse options"))?;
        }
    }
    Ok(())
}
