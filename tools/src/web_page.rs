//! Puts pages into a single file: styles, modules and data inside.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Makes an import map that holds the modules themselves, given by name and text, and returns it as JSON.
pub(crate) fn inline_modules(modules: impl Iterator<Item = (String, String)>) -> String {
    import_map(
        modules.map(|(name, text)| (name, format!("data:text/javascript;base64,{}", STANDARD.encode(text)))),
    )
}

/// Makes an import map from module names to addresses, and returns it as JSON.
pub(crate) fn import_map(addresses: impl Iterator<Item = (String, String)>) -> String {
    let imports: serde_json::Map<String, serde_json::Value> =
        addresses.map(|(name, address)| (name, address.into())).collect();
    serde_json::json!({ "imports": imports }).to_string()
}

/// Returns the mark in a page which [`fill`] replaces by the part called `name`.
pub(crate) fn place(name: &str) -> String {
    format!("<!--pspge:{name}-->")
}

/// Fills a page's places. Each is filled only once, because a part may look like a place.
pub(crate) fn fill(page: &str, parts: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = page;
    loop {
        let next = parts.iter().filter_map(|(name, part)| {
            let place = place(name);
            Some((rest.find(&place)?, place.len(), *part))
        });
        let Some((at, length, part)) = next.min_by_key(|(at, ..)| *at) else { return filled + rest };
        filled += rest.get(..at).unwrap_or_default();
        filled += part;
        rest = rest.get(at.saturating_add(length)..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_look_like_places_stay() {
        let parts = [("a", "<!--pspge:b-->"), ("b", "B")];
        assert_eq!(fill("x<!--pspge:a-->y<!--pspge:b-->z", &parts), "x<!--pspge:b-->yBz", "once");
        assert_eq!(fill("x<!--pspge:c-->", &parts), "x<!--pspge:c-->", "unknown places stay");
    }
}
