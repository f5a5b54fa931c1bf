//! Writes the report as a page: a single file to open from disk, with pictures of failures inside.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use pspge::documents::judgement::{JudgementDocument, Outcome};
use rust_embed::RustEmbed;
use serde_json::{Value, json};

use crate::command::test::folder::{PictureFiles, picture_files};
use crate::command::test::suite::Suite;
use crate::command::test::totals::{Earlier, Totals};
use crate::view::page;
use crate::web_page;

/// The page's files. A debug build reads them from the source folder, to show changes without building again.
#[derive(RustEmbed)]
#[folder = "report/"]
struct Files;

/// Style sheets this page shares with the inspector's; they come before its own.
const SHARED_STYLES: [&str; 3] = ["theme.css", "base.css", "dialogs.css"];

pub(in crate::command::test) struct Report<'a> {
    pub(in crate::command::test) suite: &'a Suite,
    pub(in crate::command::test) totals: &'a [(String, Totals)],
    /// The judgements, in the order of their cases.
    pub(in crate::command::test) judgements: &'a [JudgementDocument],
    /// How long each judgement took. Only the JUnit report has them, so that equal runs write equal pages.
    pub(in crate::command::test) times: &'a [Duration],
    /// An earlier run with other results.
    pub(in crate::command::test) before: Option<Earlier>,
    /// How many files turned out to be no cases.
    pub(in crate::command::test) other_files: u64,
    /// The inspector's page, relative to the report.
    pub(in crate::command::test) inspector: Option<&'a str>,
    pub(in crate::command::test) folder: &'a Path,
}

impl Report<'_> {
    /// Writes the page. Pictures are copied one by one, to need little memory however many there are.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(in crate::command::test) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut pictures = Vec::new();
        let results: Vec<Value> =
            self.judgements.iter().map(|judgement| self.result(judgement, &mut pictures)).collect();
        let page = page_without_data();
        let place = web_page::place("data");
        let (before, after) = page.split_once(&place).unwrap_or((&page, ""));
        out.write_all(before.as_bytes())?;
        // Without `<`, no text in the data can end the script element.
        let data = self.data(results).to_string().replace('<', "\\u003c");
        write!(out, "<script type=\"application/json\" id=\"report\">{data}</script>")?;
        for (number, path) in pictures.iter().enumerate() {
            write!(out, "\n<script type=\"image/png\" id=\"picture-{number}\">")?;
            let mut encoder = EncoderWriter::new(&mut *out, &STANDARD);
            io::copy(&mut std::fs::File::open(path)?, &mut encoder)?;
            encoder.finish()?;
            drop(encoder);
            write!(out, "</script>")?;
        }
        out.write_all(after.as_bytes())
    }

    fn data(&self, results: Vec<Value>) -> Value {
        let renderer = |(name, totals): &(String, Totals)| {
            let column = self.suite.columns.iter().find(|column| column.name == *name);
            let command = column.and_then(|column| column.command()).map(|command| command.text());
            json!({ "name": name, "command": command, "totals": totals })
        };
        let before = self.before.as_ref().map(|Earlier { totals, changes }| {
            let totals: Vec<Value> =
                totals.iter().map(|(name, totals)| json!({ "name": name, "totals": totals })).collect();
            json!({ "changes": changes, "totals": totals })
        });
        json!({
            "title": self.suite.title,
            "version": env!("CARGO_PKG_VERSION"),
            "requirement": self.suite.requirement.to_string(),
            "renderers": self.totals.iter().map(renderer).collect::<Vec<Value>>(),
            "cases": self.suite.cases.len(),
            "other_files": self.other_files,
            "inspector": self.inspector,
            "before": before,
            "results": results,
        })
    }

    /// Returns a judgement with its pictures' numbers.
    fn result(&self, judgement: &JudgementDocument, pictures: &mut Vec<PathBuf>) -> Value {
        let mut value = serde_json::to_value(judgement).unwrap_or_default();
        let PictureFiles { picture, reference, depth, depth_reference } =
            picture_files(self.folder, judgement);
        let mut number = |path: Option<PathBuf>| {
            let path = path.filter(|path| path.is_file())?;
            // Renderers share a case's reference, so this stores it only once.
            let known = pictures.iter().rposition(|known| *known == path);
            Some(known.unwrap_or_else(|| {
                pictures.push(path);
                pictures.len() - 1
            }))
        };
        // A renderer that drew nothing leaves no reference in the folder either, so the case's own is shown.
        let case_reference = || Some(PathBuf::from(judgement.reference.as_deref()?));
        let is_png = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "png");
        let reference = reference.or_else(|| case_reference().filter(is_png));
        let shown = matches!(judgement.outcome, Outcome::Failed | Outcome::Error).then(|| {
            json!({
                "picture": number(picture),
                "reference": number(reference),
                "depth": number(depth),
                "depth_reference": number(depth_reference),
            })
        });
        if let Value::Object(members) = &mut value {
            members.insert("pictures".to_owned(), shown.unwrap_or(Value::Null));
            members.insert("hash".to_owned(), json!(judgement.file_hash));
        }
        if let Some(found) = &judgement.explanation {
            value["explanation"]["region"]["pixels"] = json!(found.region_pixels);
        }
        value
    }
}

/// Returns the page with styles and modules, but without data.
fn page_without_data() -> String {
    let own = |extension: &str| {
        let mut names: Vec<String> = Files::iter().map(std::borrow::Cow::into_owned).collect();
        names.sort_unstable();
        names.retain(|name| name.ends_with(extension));
        names
    };
    let mut styles = String::from("<style>\n");
    for name in SHARED_STYLES {
        styles += &page::text(name);
    }
    for name in own(".css") {
        styles += &text(&name);
    }
    styles += "</style>";
    let mut modules: Vec<(String, String)> =
        own(".js").into_iter().map(|name| (format!("pspge-report/{name}"), text(&name))).collect();
    add_shared(&mut modules);
    let imports = web_page::inline_modules(modules.into_iter());
    let parts = [
        ("style", styles.as_str()),
        ("imports", &format!("<script type=\"importmap\">{imports}</script>")),
        ("module", "<script type=\"module\">import \"pspge-report/report.js\";</script>"),
    ];
    web_page::fill(&text("index.html"), &parts)
}

/// Adds modules from the inspector's page that these import, and those that they import in turn.
fn add_shared(modules: &mut Vec<(String, String)>) {
    let mut next = 0;
    while let Some((_, text)) = modules.get(next) {
        let imported = text.split(" from \"pspge/").skip(1).filter_map(|rest| rest.split('"').next());
        let imported: Vec<String> = imported.map(str::to_owned).collect();
        for file in imported {
            let name = format!("pspge/{file}");
            if modules.iter().all(|(known, _)| *known != name) {
                modules.push((name, page::text(&file)));
            }
        }
        next += 1;
    }
}

fn text(name: &str) -> String {
    let bytes = Files::get(name).map(|file| file.data).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
