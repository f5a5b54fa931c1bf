//! `pspge view`: opens the inspector in a browser.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use pspge::Asset;
use pspge::formats::CompanionFile;
use pspge::inspect::{InspectedFile, Inspector};

use crate::batch;
use crate::batch::arguments::{BatchArgs, Destination};
use crate::batch::inputs::{files_of, only_model};
use crate::emulator::{Address, Emulator, Frame};
use crate::input::files;
use crate::input::name::InputName;
use crate::input::options::OpenOptions;
use crate::input::path_text;
use crate::job::{Job, Outcome, Session, Task};
use crate::output;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::view::report;
use crate::view::server::{NextFrame, Server};

/// Take a frame, a model or a list apart in a browser
///
/// The page shows pictures of every moment, events, state, vertices, textures, memory and passes, and takes edits to try. It
/// is answered by a server of this program on the loopback interface, at an address with a random word, until you press
/// Ctrl-C or have closed the page for some minutes. With --output, the page is written to a file instead, with the engine and the input inside.
///
/// Instead of a file, ws://HOST:PORT is the debugger of a running PPSSPP, as in `pspge capture`: the page shows the next frame of
/// the game, and its button "Next frame" another one.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File; `FILE#MEMBER` for a member of a container, `-` for standard input
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
    /// The page copies it by "Copy the command that opens this place" in its menu Save.
    #[arg(long, value_name = "LINK", value_parser = place)]
    at: Option<String>,

    /// Write one file that opens from disk instead, with the engine and the input inside; `-` for standard output
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    let view = View { args, file: Mutex::default() };
    // The files of one model are one input, too.
    let folder = args.input.as_deref().map(path_text::path).filter(|path| path.is_dir());
    let model = folder.and_then(|path| only_model(&files_of(&path, &Destination::None)));
    if let Some(address) = view.emulator()? {
        batch::run_one(&view, &address.to_string(), console)?;
    } else if let Some(input) = model.as_ref().map(|model| &model.input).or(args.input.as_ref()) {
        let only = BatchArgs::only(input);
        if only.names_several() {
            return Err(Failure::usage(format_args!(
                "the inspector opens one file, and {input} names several"
            )));
        }
        batch::run(&view, &only, console)?;
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
            Ok(InspectedFile::new(RECORDED, &dump, asset, &limits))
        })
    });
    let server = Server::start(args.port, inspector, next_frame, args.at.clone())?;
    let address = server.address();
    output::Output::new().line(format_args!("{address}"))?;
    // Other users of the machine can read the arguments of a browser, so it gets an address that works once.
    if !args.no_open
        && let Err(error) = open::that_detached(server.opening_address())
    {
        console.print_hint(format_args!("no browser was opened ({error}); open the address above"));
    }
    server.run()?;
    console.print_hint(format_args!("the last page was closed some minutes ago, so the server has ended"));
    Ok(())
}

/// Finds the part of a link that names a place: all from # on, with this character.
fn place(link: &str) -> Result<String, &'static str> {
    let place = link.split_once('#').map_or(link, |(_, place)| place);
    let wrong =
        "expected a link that the page has copied, or its part from # on, such as '#event=57&panel=state'";
    if place.contains('=') { Ok(format!("#{place}")) } else { Err(wrong) }
}

/// The name of a frame that was recorded for the page.
const RECORDED: &str = "frame.ppdmp";
/// Longest time for each answer of an emulator.
const EMULATOR_TIMEOUT: Duration = Duration::from_secs(30);

/// Records the next frame of an emulator. Each recording has a connection of its own, because the emulator may be started again
/// in between.
fn record(address: &Address) -> Result<Frame, Failure> {
    Emulator::connect(address, EMULATOR_TIMEOUT)?.record()
}

/// Opens the input.
struct View<'a> {
    args: &'a Args,
    file: Mutex<Option<InspectedFile>>,
}

impl View<'_> {
    /// Returns the emulator's address, if the input is one.
    fn emulator(&self) -> Result<Option<Address>, Failure> {
        let address = self.args.input.as_deref().filter(|input| Address::is_meant(input));
        let parse = |address: &str| {
            address.parse().map_err(|error| Failure::usage(format_args!("{address}: {error}")))
        };
        address.map(parse).transpose()
    }

    /// Records a frame, and opens it with the given options.
    fn record(&self, address: &Address, session: &mut Session) -> Result<(Asset, Vec<u8>), Failure> {
        let Frame { dump, .. } = record(address)?;
        let asset = self.args.open.open_bytes(RECORDED, dump.clone(), &mut session.notes)?;
        Ok((asset, dump))
    }
}

impl Job for View<'_> {
    fn done(&self) -> &'static str {
        "opened"
    }

    fn nothing(&self) -> &'static str {
        "nothing to show"
    }

    fn members(&self, file: &str) -> Result<Vec<String>, Failure> {
        self.args.open.members(file)
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let limits = self.args.open.limits();
        let address = self.emulator()?;
        let (asset, bytes) = match &address {
            Some(address) => self.record(address, session)?,
            None => self.args.open.open_with_bytes(&task.input, &mut session.notes)?,
        };
        let input = if address.is_some() { RECORDED } else { &task.input };
        if let Some(output) = &self.args.output {
            for option in self.args.open.model.given() {
                let reason = "the page of a file shows a model without options";
                session.notes.ignore_option(&task.input, &option, reason)?;
            }
            let InputName { path, member } = InputName::parse(input);
            let mut files = vec![(file_name(path).to_owned(), bytes)];
            files.extend(companions(&asset)?);
            let page = report::write(&files, member, self.args.at.as_deref())?;
            session.write(output, page.as_bytes())?;
            return Ok(Outcome::Done);
        }
        let options = self.args.open.words();
        let file = InspectedFile::new(input, &bytes, asset, &limits).with_options(options);
        if let Ok(mut place) = self.file.lock() {
            *place = Some(file);
        }
        Ok(Outcome::Done)
    }
}

/// Reads companion files again, because opening keeps only their names and the page must hold their bytes.
fn companions(asset: &Asset) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let read =
        |file: &CompanionFile| Ok((file_name(&file.name).to_owned(), files::read(Path::new(&file.name))?));
    let companions = asset.opened().into_iter().flat_map(|opened| &opened.companions);
    // Those in an archive come along with it.
    companions.filter(|file| path_text::path(&file.name).exists()).map(read).collect()
}

/// Returns a file's name without its folders, because a page should not reveal the user's folders.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
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

    #[test]
    fn pages_name_no_folders() {
        assert_eq!(file_name("frames/old/frame.ppdmp"), "frame.ppdmp");
        assert_eq!(file_name("frame.ppdmp"), "frame.ppdmp", "none to leave out");
    }
}
