//! `pspge view`: opens the inspector in a browser.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pspge::Asset;
use pspge::ge::limits::Limits;
use pspge::inspect::request::PoseSpec;
use pspge::inspect::{FileSource, GivenFiles, InspectError, InspectedFile, Inspector, PartFiles, PartSpec};

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination};
use crate::batch::inputs::{Found, files_of, only_model};
use crate::emulator::{Address, Emulator, Frame};
use crate::input::animation;
use crate::input::name::InputName;
use crate::input::options::{ModelOptions, OpenOptions};
use crate::input::path_text;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::output;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::view::report;
use crate::view::server::{NextFrame, Server};
use crate::view::source::{DiskFile, DiskFolder};

/// Take a frame, a model or a list apart in a browser
///
/// The page shows pictures of every moment, events, state, vertices, textures, memory and passes, and takes edits to
/// try. A server in this program answers it on the loopback interface, at an address with a random word, until you
/// press Ctrl-C or have closed the page for some minutes. With --output, the page is written to a file instead, with
/// the engine and the input inside; from a folder, with all its files.
///
/// For a container or a folder, the page lists its members or files, and the parts of a model selected by --lod,
/// --group and --hidden can be changed there.
///
/// Instead of a file, ws://HOST:PORT is the debugger of a running PPSSPP, as in `pspge capture`: the page shows the
/// game's next frame, and another with each press of its button "Next frame".
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File or folder; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", long_help = crate::format_help::input())]
    #[arg(value_parser = crate::input::path_text::input_parser())]
    input: Option<String>,

    #[command(flatten)]
    open: OpenOptions,

    /// Print the address only, and do not open a browser
    #[arg(long, conflicts_with = "output")]
    no_open: bool,

    /// Port of the server; 0 for a free one
    #[arg(long, value_name = "N", default_value = "0", conflicts_with = "output")]
    port: u16,

    /// Open at the place that a link names: the address of a page, or its part from # on
    ///
    /// To copy such a link, choose "Copy the command that opens this place" in the page's menu Save.
    #[arg(long, value_name = "LINK", value_parser = place)]
    at: Option<String>,

    /// Write one file that opens from disk instead, with the engine and the input inside; `-` for standard output
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let view = View { args, file: Mutex::default() };
    if let Some(address) = view.emulator()? {
        batch::run_one(&view, &address.to_string(), console)?;
    } else if let Some(input) = &args.input {
        view.open(input, console)?;
    }
    if let Some(path) = &args.output {
        // With an input, the job has written the page already.
        return match args.input {
            Some(_) => Ok(()),
            None => output::write(path, report::write(&[], None, args.at.as_deref())?.as_bytes()),
        };
    }
    let inspector = Inspector::new(args.open.limits());
    if let Ok(mut file) = view.file.lock()
        && let Some(file) = file.take()
    {
        inspector.set_file(0, file);
    }
    let next_frame = view.emulator()?.map(|address| {
        let limits = args.open.limits();
        NextFrame::new(&address.to_string(), move || {
            let Frame { dump, asset } = record(&address)?;
            Ok(recorded(dump, asset, &limits))
        })
    });
    let server = Server::start(args.port, inspector, next_frame, args.at.clone())?;
    let address = server.address();
    output::Output::new().line(format_args!("{address}"))?;
    // Other users of this machine can read a browser's arguments, so it gets an address that works only once.
    if !args.no_open
        && let Err(error) = open::that_detached(server.opening_address())
    {
        console.print_hint(format_args!("no browser was opened ({error}); open the address above"));
    }
    server.run()?;
    console.print_hint(format_args!("the last page was closed some minutes ago, so the server has ended"));
    Ok(())
}

/// Opens a recorded frame as a file to inspect.
fn recorded(dump: Vec<u8>, asset: Asset, limits: &Limits) -> InspectedFile {
    let file = InspectedFile::new(RECORDED, &dump, asset, limits);
    file.with_source(Arc::new(GivenFiles::new(vec![(RECORDED.to_owned(), dump)], *limits)))
}

/// Finds the part of a link that names a place: everything from # on, including this character.
fn place(link: &str) -> Result<String, &'static str> {
    let place = link.split_once('#').map_or(link, |(_, place)| place);
    let wrong =
        "expected a link that the page has copied, or its part from # on, such as '#event=57&panel=state'";
    if place.contains('=') { Ok(format!("#{place}")) } else { Err(wrong) }
}

/// The name for a frame recorded for the page.
const RECORDED: &str = "frame.ppdmp";
/// How long each answer of an emulator may take.
const EMULATOR_TIMEOUT: Duration = Duration::from_secs(30);

/// Records an emulator's next frame. Each recording has a connection of its own, because the emulator may be started
/// again in between.
fn record(address: &Address) -> Result<Frame, Failure> {
    Emulator::connect(address, EMULATOR_TIMEOUT)?.record()
}

struct View<'a> {
    args: &'a Args,
    file: Mutex<Option<InspectedFile>>,
}

impl View<'_> {
    /// Opens a file, or a folder. Files that make up a single model are a single input, too.
    fn open(&self, input: &str, console: Console) -> Result<(), Failure> {
        let InputName { path, member } = InputName::parse(input);
        let folder = path_text::path(path);
        let found = if folder.is_dir() { files_of(&folder, &Destination::None) } else { Vec::new() };
        let model = only_model(&found).filter(|_| member.is_none());
        let input = model.as_ref().map_or(input, |model| &model.input);
        let only = BatchArgs::only(input);
        if model.is_none() && !found.is_empty() && member != Some("*") {
            return self.open_folder(path, member, found);
        }
        if only.names_several() {
            return Err(Failure::usage(format_args!(
                "the inspector opens one file, and {input} names several"
            )));
        }
        batch::run(self, &only, console)
    }

    /// Opens a folder, to list its files in the page.
    fn open_folder(&self, path: &str, member: Option<&str>, found: Vec<Found>) -> Result<(), Failure> {
        let source = DiskFolder::new(path, found, self.args.open.clone());
        let part = self.part(member);
        if let Some(output) = &self.args.output {
            return output::write(output, self.page(path, &source, &part, None)?.as_bytes());
        }
        let file = source.open(&part).map_err(|error| refused(path, &error))?;
        self.keep(file.with_source(Arc::new(source)));
        Ok(())
    }

    /// Keeps the file for the page to show at first.
    fn keep(&self, file: InspectedFile) {
        if let Ok(mut place) = self.file.lock() {
            *place = Some(file);
        }
    }

    /// Returns the page as a single file, with the files that a part needs.
    fn page(
        &self,
        input: &str,
        source: &dyn FileSource,
        part: &PartSpec,
        pose: Option<PoseSpec>,
    ) -> Result<String, Failure> {
        let PartFiles { files, member } = source.files(part).map_err(|error| refused(input, &error))?;
        let at = self.args.at.clone().or_else(|| place_of(part, pose));
        report::write(&files, member.as_deref(), at.as_deref())
    }

    /// The part of the file chosen by the options.
    fn part(&self, member: Option<&str>) -> PartSpec {
        let ModelOptions { lod, group, hidden, .. } = self.args.open.model;
        PartSpec { member: member.map(str::to_owned), lod, group, hidden }
    }

    /// Returns the emulator's address, if the input is one.
    fn emulator(&self) -> Result<Option<Address>, Failure> {
        let address = self.args.input.as_deref().filter(|input| Address::is_meant(input));
        let parse = |address: &str| {
            address.parse().map_err(|error| Failure::usage(format_args!("{address}: {error}")))
        };
        address.map(parse).transpose()
    }

    /// The pose chosen by the options, for the page to show at first.
    fn pose(&self, input: &str, asset: &Asset) -> Result<Option<PoseSpec>, Failure> {
        let ModelOptions { anim, frame, .. } = &self.args.open.model;
        let Some((wanted, model)) = anim.as_ref().zip(asset.model()) else { return Ok(None) };
        let animation = animation::find(wanted, input, model)?;
        Ok(Some(PoseSpec { animation, frame: frame.unwrap_or(0.0) }))
    }
}

impl Job for View<'_> {
    fn info(&self) -> JobInfo {
        JobInfo::new("opened", "nothing to show")
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.args.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let limits = self.args.open.limits();
        let address = self.emulator()?;
        let input = if address.is_some() { RECORDED } else { &task.input };
        let dump = address.as_ref().map(|address| Ok::<_, Failure>(record(address)?.dump)).transpose()?;
        let (asset, bytes) = self.args.open.open(input, dump, &mut session.notes)?;
        let InputName { path, member } = InputName::parse(input);
        let (part, pose) = (self.part(member), self.pose(input, &asset)?);
        let refused = |error: InspectError| refused(input, &error);
        let Some(output) = &self.args.output else {
            let file = match (&address, pose) {
                (Some(_), _) => recorded(bytes, asset, &limits),
                (None, pose) => {
                    let source = DiskFile::new(path, bytes, self.args.open.clone());
                    // The page poses the model itself, so it gets a model without a pose.
                    let asset = if pose.is_none() { Some(asset) } else { None };
                    source.file(&part, asset).map_err(refused)?.with_pose(pose).with_source(Arc::new(source))
                }
            };
            self.keep(file);
            return Ok(Outcome::Done);
        };
        let source = DiskFile::new(path, bytes, self.args.open.clone());
        session.write(output, self.page(input, &source, &part, pose)?.as_bytes())?;
        Ok(Outcome::Done)
    }
}

/// Words why a part cannot be opened.
fn refused(input: &str, error: &InspectError) -> Failure {
    let info = &error.info;
    Failure::input(input, &info.code, info.offset, &info.message)
}

/// Returns a link to a model's alternatives and pose in the page, unless they are the usual ones.
fn place_of(part: &PartSpec, pose: Option<PoseSpec>) -> Option<String> {
    let PartSpec { lod, group, hidden, .. } = part;
    let number = |name: &str, number: &Option<usize>| number.map(|number| format!("{name}={number}"));
    let pose = pose.map(|PoseSpec { animation, frame }| format!("pose={animation},{frame}"));
    let parts: Vec<String> =
        [number("lod", lod), number("group", group), hidden.then(|| "hidden=1".to_owned()), pose]
            .into_iter()
            .flatten()
            .collect();
    (!parts.is_empty()).then(|| format!("#{}", parts.join("&")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_name_places() {
        for link in
            ["http://127.0.0.1:9/ab/#event=5&panel=pixel", "#event=5&panel=pixel", "event=5&panel=pixel"]
        {
            assert_eq!(place(link).as_deref(), Ok("#event=5&panel=pixel"), "{link}");
        }
        assert!(place("http://127.0.0.1:9/ab/").is_err(), "no place");
        assert!(place("57").is_err(), "no member");
    }
}
