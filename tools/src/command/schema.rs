//! `pspge schema`: the schemas of the documents that `--json` prints.

use pspge::documents::registry::{self, SchemaInfo};

use crate::failure::Failure;
use crate::output::Output;

/// List the kinds of JSON documents, or print the JSON Schema of one
///
/// Commands with --json print one document, or one per line for several inputs. The member `schema` of a
/// document names its kind and version, such as `pspge.info/1`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Kind of document, such as `info` or `pspge.info/1`; without it, all kinds are listed
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = Output::new();
    match &args.name {
        Some(name) => {
            let kind = registry::find(name).ok_or_else(|| unknown(name))?;
            out.json(&kind.schema(), true)?;
        }
        None => {
            let ids: Vec<String> = registry::schemas().iter().map(SchemaInfo::id).collect();
            let width = ids.iter().map(String::len).max().unwrap_or(0);
            for (kind, id) in registry::schemas().iter().zip(ids) {
                out.line(format_args!("{id:width$}  {}", kind.title))?;
            }
        }
    }
    out.finish()
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = registry::schemas().iter().map(|kind| kind.name).collect();
    let known = names.join(", ");
    Failure::usage(format_args!("there is no kind of document {name:?}; the kinds are {known}"))
}
