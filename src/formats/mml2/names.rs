//! Guesses which archives hold another archive's textures. Source:
//! [names of archives](crate::reference::formats::mml2#names-of-archives).

use crate::formats::core::descriptor::NameRule;

/// The rule for `PL00P000.BIN`, `wpn_PL00R02.BIN`, `cut-ST03.BIN` and the like.
pub(super) const TEXTURES: NameRule = NameRule {
    names: texture_names,
    help: "PL00T.BIN for players and weapons, else the name of the stage with a T (cut-ST03T.BIN)",
};

/// The main character's textures, which are in video memory during the game.
const COMMON: &str = "PL00T";

/// Lists archives that may hold the textures for `input`, starting with the most likely.
fn texture_names(input: &str) -> Vec<String> {
    let (stem, extension) = input.rsplit_once('.').unwrap_or((input, "BIN"));
    let upper = stem.to_ascii_uppercase();
    // A tool put the disc's folder in front of the name: `cut-`, `wpn_`.
    let start = upper.rfind(['-', '_']).map_or(0, |separator| separator.saturating_add(1));
    let name = upper.get(start..).unwrap_or_default();
    if name.ends_with('T') {
        // A texture archive needs no others.
        return Vec::new();
    }
    let mut stems = Vec::new();
    let is_stage = name.starts_with("ST");
    match (name.get(..2), name.get(2..4), name.get(4..)) {
        // A player or weapon: `PL`, the character's number, `P` or `R`, and another number.
        (Some("PL"), Some(character), Some(rest)) if rest.starts_with(['P', 'R']) => {
            stems.push(format!("PL{character}T"));
        }
        // A stage: `ST`, its number, and an event's number or nothing.
        (Some("ST"), Some(stage), Some(event)) => {
            stems.extend((!event.is_empty()).then(|| format!("{name}T")));
            stems.push(format!("ST{stage}T"));
        }
        _ => stems.push(COMMON.to_owned()),
    }
    let folder = stem.get(..start).unwrap_or_default();
    // A stage shares its folder with its textures. Weapons have their own folder, without the player's textures.
    let folders = if is_stage { [folder, ""] } else { ["", folder] };
    let folders = folders.into_iter().take(if folder.is_empty() { 1 } else { 2 });
    folders.flat_map(|folder| stems.iter().map(move |stem| format!("{folder}{stem}.{extension}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::texture_names;

    #[test]
    fn names_follow_those_of_the_game() {
        for (input, names) in [
            ("PL00P000.BIN", "PL00T.BIN"),
            ("pl01p000.bin", "PL01T.bin"),
            ("wpn_PL00R02.BIN", "PL00T.BIN wpn_PL00T.BIN"),
            ("cut-ST03.BIN", "cut-ST03T.BIN ST03T.BIN"),
            ("ST0305.BIN", "ST0305T.BIN ST03T.BIN"),
            ("flutter-ST05.BIN", "flutter-ST05T.BIN ST05T.BIN"),
            ("cut-ST1700.BIN", "cut-ST1700T.BIN cut-ST17T.BIN ST1700T.BIN ST17T.BIN"),
            ("SUBSCN.BIN", "PL00T.BIN"),
            ("PL00T.BIN", ""),
            ("cut-ST03T.BIN", ""),
            ("é", "PL00T.BIN"),
        ] {
            assert_eq!(texture_names(input).join(" "), names, "{input}");
        }
    }
}
