//! Draws missing references.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pspge::ge::capture::SCREEN;

use super::Args;
use super::drawing::{self, DrawOptions};
use super::judge::OpenCase;
use super::references::base_name;
use super::suite::{Case, Suite};
use crate::output;
use crate::terminal::console::{self, Console};
use crate::terminal::failure::{Failure, one_line};

/// Draws each case without a reference, with the only renderer, and writes the picture as its reference.
///
/// # Errors
/// If there are several renderers, or a file cannot be written. For cases that cannot be drawn, this prints an error
/// and goes on.
pub(super) fn draw(args: &Args, suite: &Suite, console: Console) -> Result<(), Failure> {
    let [column] = suite.columns.as_slice() else {
        return Err(Failure::usage("--add-references: name exactly one renderer"));
    };
    let options = DrawOptions {
        size: SCREEN,
        depth_size: None,
        limits: args.open.limits(),
        timeout: Duration::from_secs_f64(suite.timeout),
    };
    let (mut written, mut failed) = (0, 0);
    let missing = suite.cases.iter().filter(|case| {
        case.missing.is_none() && case.references.iter().all(super::references::Reference::is_none)
    });
    for case in missing {
        let opened = OpenCase::new(case, &args.open);
        // A folder may also hold files that are no cases, such as notes, so this is no failure.
        if opened.asset.is_err() && !case.is_certain {
            continue;
        }
        let asset = opened.asset.as_ref().map_err(String::as_str);
        match drawing::draw(&column.renderer, asset, &case.path(), &options) {
            Ok(drawn) => {
                let path = path_of(case, args.reference.first().map(String::as_str));
                let bytes = drawn.picture.to_png();
                let bytes =
                    bytes.map_err(|error| Failure::file_problem(path.display(), "input-output", error))?;
                output::write(&path, &bytes)?;
                console.print_hint(one_line(&path.display().to_string()));
                written += 1;
            }
            Err(problem) => {
                console::print(format_args!("error: {}", one_line(&format!("{}: {problem}", case.input))));
                failed += 1;
            }
        }
    }
    console.print_hint(format_args!("{written} references written, {failed} failed"));
    if failed > 0 { Err(Failure::Reported) } else { Ok(()) }
}

/// Chooses a path for a new reference: next to the case, with the suffix the user names.
fn path_of(case: &Case, suffix: Option<&str>) -> PathBuf {
    let path = Path::new(&case.input);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let suffix = suffix.filter(|suffix| *suffix != "none").map(|suffix| format!("-{suffix}"));
    path.with_file_name(format!("{}{}.png", base_name(&name), suffix.unwrap_or_default()))
}
