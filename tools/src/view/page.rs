//! Puts the inspector's page together from files inside the program.

use std::borrow::Cow;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::random;
use crate::web_page;

/// The page's files without its modules' sources. A debug build reads them from the folder at each request.
#[derive(RustEmbed)]
#[folder = "page/"]
#[exclude = "src/**"]
struct Files;

/// The folder for modules, which `cargo dev web` builds from their sources.
const MODULES: &str = "built/";

/// The engine's files: code and JavaScript. They are missing if the engine was not built before this program.
const ENGINE: [&str; 2] = ["engine/engine.wasm.gz", "engine/glue.js"];

const INDEX: &str = "index.html";
/// The policy for the page as a single file. It runs only code with its nonce, the page's own worker, and the engine
/// in it. The network is forbidden.
const POLICY: &str = "policy.txt";
/// The first code to run.
const START: &str = "import \"pspge/page/app.js\";";

pub(crate) struct BrowserEngine {
    /// The code, compressed by gzip.
    pub(crate) code: Vec<u8>,
    /// The JavaScript around it.
    pub(crate) glue: Vec<u8>,
}

impl BrowserEngine {
    /// Returns the engine inside this program, or `None` if it was built without it.
    pub(crate) fn of_program() -> Option<Self> {
        let [code, glue] = ENGINE.map(|name| Files::get(name).map(|file| file.data.into_owned()));
        Some(Self { code: code?, glue: glue? })
    }
}

/// Returns another page file with its media type, or `None` if no file has this name.
pub(crate) fn file(name: &str) -> Option<(&'static str, Cow<'static, [u8]>)> {
    let media_type = match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        _ => return None,
    };
    let path = path(name);
    // Names must be in the list, so that no path leads out of it.
    let is_known = Files::iter().any(|known| known == path);
    is_known.then(|| Files::get(&path)).flatten().map(|file| (media_type, file.data))
}

/// Returns the page for a server, which sends the other files. Inline code gets this nonce. `emulator` is the
/// address of an emulator to record frames from, and `at` the place to open the page at.
pub(crate) fn served(nonce: &str, emulator: Option<&str>, at: Option<&str>) -> String {
    let styles = names("css").map(|name| format!("<link rel=\"stylesheet\" href=\"{name}\">\n"));
    let imports = web_page::import_map(modules().map(|(name, file, _)| (name, format!("./{file}"))));
    let imports = format!("<script type=\"importmap\" nonce=\"{nonce}\">{imports}</script>");
    let module = format!("<script type=\"module\" nonce=\"{nonce}\">{START}</script>");
    let facts = format!("{}{}", meta("emulator", emulator), meta("at", at));
    fill(&styles.collect::<String>(), &imports, &facts, &module)
}

/// Returns the page as a single file, with the engine and an input's files: their names without folders, and their
/// bytes. The first may be a container; `member` then selects its shown part. `at` is the place to open the page at.
pub(crate) fn single_file(
    engine: &BrowserEngine,
    files: &[(String, Vec<u8>)],
    member: Option<&str>,
    at: Option<&str>,
) -> std::io::Result<String> {
    let nonce = random::word()?;
    let policy = text(POLICY).trim_end().replace("NONCE", &nonce);
    let mut styles = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style nonce=\"{nonce}\">\n"
    );
    for name in names("css") {
        styles += &text(&name);
    }
    styles += "</style>";
    let imports = web_page::inline_modules(modules().map(|(name, _, text)| (name, text)));
    let imports = format!("<script type=\"importmap\" nonce=\"{nonce}\">{imports}</script>");
    let mut data = meta("at", at);
    let mut add = |attributes: &str, bytes: &[u8]| {
        let encoded = STANDARD.encode(bytes);
        let _ = writeln!(data, "<script type=\"application/octet-stream\" {attributes}>{encoded}</script>");
    };
    add("id=\"pspge-engine\"", &engine.code);
    add("id=\"pspge-glue\"", &engine.glue);
    let member = member.map(|member| format!(" data-member=\"{}\"", attribute(member))).unwrap_or_default();
    for (name, bytes) in files {
        add(&format!("data-input=\"{}\"{member}", attribute(name)), &gzip(bytes)?);
    }
    let module = format!("<script type=\"module\" nonce=\"{nonce}\">{START}</script>");
    Ok(fill(&styles, &imports, &data, &module))
}

/// Compresses bytes for browsers to decompress.
pub(crate) fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Lists styles or modules by their extension, in alphabetical order. Module names begin with their room.
fn names(extension: &str) -> impl Iterator<Item = String> {
    let folder = if extension == "js" { MODULES } else { "" };
    let extension = format!(".{extension}");
    let mut names: Vec<String> = Files::iter()
        .filter_map(|path| Some(path.strip_prefix(folder)?.to_owned()))
        .filter(|name| name.ends_with(&extension))
        .collect();
    names.sort_unstable();
    names.into_iter()
}

/// Returns where a file is in the page's folder.
fn path(name: &str) -> Cow<'_, str> {
    if name.ends_with(".js") { format!("{MODULES}{name}").into() } else { name.into() }
}

pub(crate) fn text(name: &str) -> String {
    let bytes = Files::get(&path(name)).map(|EmbeddedFile { data, .. }| data).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Lists all modules: their names in imports, their files' names, and their texts.
fn modules() -> impl Iterator<Item = (String, String, String)> {
    names("js").map(|name| (format!("pspge/{name}"), name.clone(), text(&name)))
}

/// Fills the page's places.
fn fill(styles: &str, imports: &str, data: &str, module: &str) -> String {
    let parts = [("style", styles), ("imports", imports), ("engine", data), ("module", module)];
    web_page::fill(&text(INDEX), &parts)
}

/// Returns an element to tell the page a fact, or nothing.
fn meta(name: &str, content: Option<&str>) -> String {
    let element = |text| format!("<meta name=\"pspge-{name}\" content=\"{}\">\n", attribute(text));
    content.map(element).unwrap_or_default()
}

/// Escapes text for use as an attribute's value.
fn attribute(text: &str) -> String {
    let mut safe = String::new();
    for char in text.chars() {
        match char {
            '&' => safe += "&amp;",
            '"' => safe += "&quot;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            char if char.is_control() => safe.push('\u{FFFD}'),
            char => safe.push(char),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine() -> BrowserEngine {
        BrowserEngine { code: vec![1, 2, 3], glue: b"glue".to_vec() }
    }

    fn page(name: &str) -> String {
        single_file(&engine(), &[(name.to_owned(), b"END".to_vec())], Some("2/0"), None).expect("a page")
    }

    #[test]
    fn all_places_are_filled() {
        for page in [served("abc", None, Some("#event=5&x=\"<")), page("a.ge")] {
            assert!(!page.contains("<!--pspge:"), "no place is left: {page}");
            assert!(page.contains(START) && page.contains("pspge/page/app.js"), "code");
        }
        let page = served("abc", Some("ws://a:1"), None);
        assert!(page.contains("nonce=\"abc\"") && page.contains("content=\"ws://a:1\""), "{page}");
    }

    #[test]
    fn one_file_names_no_other() {
        let page = single_file(&engine(), &[], None, Some("#event=5")).expect("a page");
        for outside in ["src=", "href=\"", "http://", "https://"] {
            let found = page
                .match_indices(outside)
                .next()
                .map(|(at, _)| page[at..].chars().take(80).collect::<String>());
            assert_eq!(found, None, "{outside}");
        }
    }

    #[test]
    fn names_of_inputs_do_not_end_their_attribute() {
        let page = page("a\"><b>&\n");
        assert!(page.contains("data-member=\"2/0\""), "the member: {page}");
        assert!(!page.contains("NONCE") && page.contains("default-src 'none'; script-src 'nonce-"), "{page}");
        assert!(page.contains("data-input=\"a&quot;&gt;&lt;b&gt;&amp;\u{FFFD}\""), "{page}");
    }

    #[test]
    fn only_files_of_the_page_are_served() {
        assert!(
            file("page/app.js").is_some_and(|(media_type, _)| media_type.starts_with("text/javascript")),
            "code"
        );
        for name in [
            "index.html",
            "../Cargo.toml",
            "/etc/passwd",
            "tsconfig.json",
            "src/page/app.ts",
            "built/page/app.js",
            "app.js",
            "engine/glue.js",
            "",
        ] {
            assert!(file(name).is_none(), "{name}");
        }
    }
}
