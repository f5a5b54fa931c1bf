//! `pspge schema`: prints schemas for the documents that `--json` prints.

use pspge::documents::registry::{self, SchemaInfo};
use pspge::inspect::schema::MessageSchema;

use crate::output::Output;
use crate::terminal::failure::Failure;

/// List the kinds of JSON documents, or print the JSON Schema of one
///
/// Commands with --json print one document, or one per line for several inputs. A document's member `schema` names
/// its kind and version, such as `pspge.info/1`. The last two kinds are the messages between the page of pspge view
/// and its server.
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
            let document = registry::find(name).map(SchemaInfo::schema);
            let schema = document.or_else(|| MessageSchema::find(name).map(|kind| kind.schema()));
            out.json(&schema.ok_or_else(|| unknown(name))?, true)?;
        }
        None => {
            let documents = registry::schemas().iter().map(|kind| (kind.id(), kind.title));
            let messages = MessageSchema::ALL.iter().map(|kind| (kind.id(), kind.title));
            let kinds: Vec<(String, &str)> = documents.chain(messages).collect();
            let width = kinds.iter().map(|(id, _)| id.len()).max().unwrap_or(0);
            for (id, title) in kinds {
                out.line(format_args!("{id:width$}  {title}"))?;
            }
        }
    }
    out.finish()
}

fn unknown(name: &str) -> Failure {
    let documents = registry::schemas().iter().map(|kind| kind.name);
    let names: Vec<&str> = documents.chain(MessageSchema::ALL.iter().map(|kind| kind.name)).collect();
    let known = names.join(", ");
    Failure::usage(format_args!("there is no kind of document {name:?}; the kinds are {known}"))
}
