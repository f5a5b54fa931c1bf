//! Writes help texts from the formats' descriptors.

use pspge::formats::{FileRole, Format, Search};

/// Writes long help for INPUT, which explains how to name members.
pub(crate) fn input() -> String {
    let mut text =
        "File to read; `FILE#MEMBER` for a member of a container, `-` for standard input".to_owned();
    for help in Format::all().map(|format| format.descriptor().member_help).filter(|help| !help.is_empty()) {
        text.push_str("\n\n");
        text.push_str(help);
    }
    text
}

/// Writes help for `--format`.
pub(crate) fn formats() -> String {
    let names: Vec<&str> = Format::all().map(Format::name).collect();
    format!(
        "Read INPUT as this format instead of recognising it: {}, ge (assembly text) or list (the words of a display \
         list, run from the first one on)",
        names.join(", ")
    )
}

/// Writes help for `--textures`.
pub(crate) fn textures() -> String {
    let usual = Format::all().filter_map(|format| {
        let names = format.descriptor().companions.iter().find_map(|companion| match companion.search {
            Search::Names(names) => Some(names.join(", ")),
            Search::Listed(list) => Some(list.help.to_owned()),
            Search::Derived(rule, _) if companion.role == FileRole::Textures => Some(rule.help.to_owned()),
            _ => None,
        })?;
        Some(format!("; for {format} files {names}"))
    });
    format!(
        "Textures of a model that has them in a separate file: the file, or a folder that holds it. {}{}{}",
        without(FileRole::Textures),
        usual.collect::<String>(),
        given(FileRole::Textures)
    )
}

/// Says for which formats a file in this role is used only if the user names it.
fn given(role: FileRole) -> String {
    let named = |format: Format| {
        let companions = format.descriptor().companions.iter().filter(|companion| companion.role == role);
        let help = companions.into_iter().find_map(|companion| match companion.search {
            Search::Given(help) => Some(help),
            _ => None,
        })?;
        Some(format!("; for {format} files {help}"))
    };
    Format::all().filter_map(named).collect()
}

/// Writes help for `--skeleton`.
pub(crate) fn skeleton() -> String {
    format!("Skeleton of a model that has it in a separate file. {}", without(FileRole::Skeleton))
}

/// Writes help for `--mesh-data`.
pub(crate) fn mesh_data() -> String {
    let (without, given) = (without(FileRole::MeshData), given(FileRole::MeshData));
    format!("Mesh data file of a two-file model. {without}{given}")
}

/// Writes help for `--animations`.
pub(crate) fn animations() -> String {
    format!("Animations of a model that has them in a separate file. {}", without(FileRole::Animations))
}

/// Says which file is used if the user names none in this role.
fn without(role: FileRole) -> String {
    let mut extensions: Vec<String> = Vec::new();
    for companion in Format::all().flat_map(|format| format.descriptor().companions) {
        if let Search::Extension(extension, _) = companion.search
            && companion.role == role
        {
            extensions.push(format!(".{extension}"));
        }
    }
    extensions.dedup();
    format!(
        "Without it, a file next to INPUT with the same name and the extension {} is used",
        extensions.join(" or ")
    )
}
