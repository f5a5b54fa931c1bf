//! The inspector keeps files and runs, and finds the answer to each request.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use image::DynamicImage;

use crate::asm::reference::{Found, find};
use crate::debug::pixel::target::{PixelTarget, TargetName};
use crate::debug::timeline::EventNumber;
use crate::documents::diff::comparison::{Diff, DiffSide};
use crate::documents::error::ErrorInfo;
use crate::documents::hashes::ContentHashes;
use crate::documents::memory::{MemoryMoment, MemoryUseInfo};
use crate::documents::{
    DrawReportDocument, MemoryDocument, OpcodeDocument, PassesDocument, PixelDocument, StateDocument,
};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::Limits;
use crate::ge::never::OrNever;
use crate::ge::registers::texture::PixelFormat;

use super::answer::{Answer, MemberRow, PictureAnswer, StateAnswer};
use super::error::InspectError;
use super::file::{FileSource, InspectedFile, PartFiles};
use super::given_pictures::GivenPictures;
use super::message::Message;
use super::request::{FileNumber, Moment, OtherFile, PartSpec, PictureSource, Request, RunRequest};
use super::run::{Run, event_at, used_registers};
use super::source::GivenFiles;
use super::{commands, coverage, events, exports, heat, pictures, registers};

/// How many files a page can name: the inspected file, and another to compare with.
const FILES: usize = 2;
/// How many files are kept, so that pages which opened a file earlier can go on. Each may be large.
const KEPT_FILES: usize = 4;
/// How many parts of files are kept, besides those with which files were opened.
const PARTS: usize = 4;
/// How many runs are kept: two to compare, and the run before the last edit.
const RUNS: usize = 3;
/// How many bytes of memory an answer holds at most.
const MEMORY_MAX: u32 = 1 << 20;
/// The largest width and height for a model's picture.
const MODEL_SIZE_MAX: u32 = 2048;

/// Answers requests about files.
#[derive(Debug)]
pub struct Inspector {
    limits: Limits,
    files: Mutex<OpenFiles>,
    /// The parts that pages chose last, newest first.
    parts: Mutex<Vec<(FileNumber, Arc<InspectedFile>)>>,
    /// The last runs, newest first.
    runs: Mutex<Vec<Arc<Run>>>,
    pictures: GivenPictures,
}

/// The files now open, and earlier files that a page may still show.
#[derive(Debug, Default)]
struct OpenFiles {
    /// Which file each number in a request means now.
    places: [Option<FileNumber>; FILES],
    /// The last files, newest first.
    kept: Vec<(FileNumber, Arc<InspectedFile>)>,
    opened: u32,
}

impl Inspector {
    /// Creates an inspector without files. Each run stays within these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            files: Mutex::default(),
            parts: Mutex::default(),
            runs: Mutex::default(),
            pictures: GivenPictures::default(),
        }
    }

    /// Sets a file: number 0, or number 1 to compare with. The file before is kept for a while, because another page
    /// may show it. Other numbers are ignored.
    pub fn set_file(&self, number: usize, file: InspectedFile) {
        let mut files = lock(&self.files);
        let opened = FileNumber(files.opened);
        let Some(place) = files.places.get_mut(number) else { return };
        *place = Some(opened);
        files.opened = opened.0.wrapping_add(1);
        files.kept.insert(0, (opened, Arc::new(file)));
        let OpenFiles { places, kept, .. } = &mut *files;
        let mut rest = KEPT_FILES;
        kept.retain(|(number, _)| {
            let stays = places.contains(&Some(*number)) || rest > 0;
            rest = rest.saturating_sub(1);
            stays
        });
        lock(&self.parts).retain(|(part, _)| kept.iter().any(|(number, _)| number == part));
        lock(&self.runs).retain(|run| kept.iter().any(|(number, _)| run.spec.file == Some(*number)));
    }

    /// Answers a message with a message. A failure gives an answer, too, so that the page always gets one.
    #[must_use]
    pub fn handle(&self, encoded: &[u8]) -> Vec<u8> {
        let answered = Message::decode(encoded)
            .map_err(|error| InspectError::new("message", &error.to_string()))
            .and_then(|message| {
                let request: Request = serde_json::from_str(&message.json)
                    .map_err(|error| InspectError::new("request", &error.to_string()))?;
                self.answer(&request, &message.bytes)
            });
        let (answer, bytes) =
            answered.unwrap_or_else(|error| (Answer::Error { error: *error.info }, Vec::new()));
        let json = serde_json::to_string(&answer).unwrap_or_else(|error| {
            let answer = Answer::Error { error: ErrorInfo::new("answer", &error.to_string()) };
            serde_json::to_string(&answer).or_never("an error is JSON")
        });
        Message { json, bytes }.encode()
    }

    /// Answers a request. `bytes` come with the request and may hold a file. Returns the answer and its bytes.
    ///
    /// # Errors
    /// Fails if the request does not fit the files and runs.
    pub fn answer(&self, request: &Request, bytes: &[u8]) -> Result<(Answer, Vec<u8>), InspectError> {
        let alone = |answer: Answer| (answer, Vec::new());
        match request {
            Request::Open { input, name, member, others } => {
                self.open(*input, (name, others), member.as_deref(), bytes).map(alone)
            }
            Request::KeepPicture { name } => {
                let (name, forgets_another) = self.pictures.keep(name, bytes)?;
                if forgets_another {
                    // Another picture may get the forgotten picture's name, so no run that used it may stay.
                    lock(&self.runs).clear();
                }
                Ok(alone(Answer::KeepPicture { name }))
            }
            Request::Input { input } => Ok(alone(self.input(*input)?)),
            Request::Part { run } => {
                let (number, file) = self.file(run)?;
                Ok(alone(Answer::Input(Box::new(file.answer(number)))))
            }
            Request::Members { run, member } => {
                let (_, file) = self.whole(run)?;
                let members = file.source()?.members(member.as_deref())?;
                Ok(alone(Answer::Members { members: members.iter().map(MemberRow::from).collect() }))
            }
            Request::StoredTexture { run, texture, palette, max } => {
                let (_, file) = self.file(run)?;
                let picture = pictures::stored_texture(file.asset()?, *texture, *palette)?;
                let picture = match max {
                    Some(max) => pictures::scaled(picture, *max, false),
                    None => picture,
                };
                Ok((Answer::Picture(picture.0), pictures::bytes(picture.1)))
            }
            Request::Events { run } => {
                let run = self.run(run)?;
                // A run's events never change, so they are described only for the first request.
                let events = run.kept_events.get_or_init(|| events::describe(&run));
                Ok(alone(Answer::Events(Box::new(events.clone()))))
            }
            Request::Picture { run, at, source, max } => {
                let picture = pictures::picture(&*self.run(run)?, *at, source)?;
                // A buffer's alpha is often stencil and would make a preview invisible. A texture's alpha belongs to
                // it.
                let is_opaque = !matches!(source, PictureSource::Texture { .. });
                let picture = match max {
                    Some(max) => pictures::scaled(picture, *max, is_opaque),
                    None => picture,
                };
                Ok((Answer::Picture(picture.0), pictures::bytes(picture.1)))
            }
            Request::Coverage { run, event } => {
                let (answer, bytes) = coverage::coverage(&*self.run(run)?, *event)?;
                Ok((Answer::Coverage(answer), bytes))
            }
            Request::Heat { run, kind, at, buffer } => {
                let (answer, bytes) = heat::heat(&*self.run(run)?, *kind, *at, *buffer)?;
                Ok((Answer::Heat(answer), bytes))
            }
            Request::State { run, event } => self.state(run, *event).map(alone),
            Request::Draw { run, event } => {
                let run = self.run(run)?;
                let mut hashes = ContentHashes::new(&run.shot.limits);
                let document = DrawReportDocument::new(&run.input, &mut run.session(), *event, &mut hashes)?;
                Ok(alone(Answer::Draw { document: Box::new(document) }))
            }
            Request::Pixel { run, x, y, target, until } => {
                self.pixel(run, [*x, *y], *target, *until).map(alone)
            }
            Request::Passes { run } => {
                let run = self.run(run)?;
                let document = Box::new(PassesDocument::new(&run.input, run.dependencies()));
                Ok(alone(Answer::Passes { document }))
            }
            Request::Memory { run, at, address, length, uses } => {
                let (mut document, bytes) = self.memory(run, *at, *address, *length)?;
                if *uses {
                    let run = self.run(run)?;
                    let found = run.shot.memory_uses(document.address, *length);
                    document.uses = Some(MemoryUseInfo::list(&found, run.session().timeline()));
                }
                Ok((Answer::Memory { document: Box::new(document) }, bytes))
            }
            Request::Commands { run, event, first, limit } => {
                let run = self.run(run)?;
                let listed = match first {
                    Some(first) => commands::from(&run, *first, *limit),
                    None => commands::of_event(&run, *event, *limit),
                };
                Ok(alone(Answer::Commands(listed?)))
            }
            Request::FindCommand { run, text, from, backwards } => {
                let found = commands::find(&*self.run(run)?, text, *from, *backwards);
                Ok(alone(Answer::FindCommand(found)))
            }
            Request::Reference { name } => match find(name) {
                Found::One(opcode) => {
                    let document = Box::new(OpcodeDocument::new(name, opcode));
                    Ok(alone(Answer::Reference { document }))
                }
                _ => Err(InspectError::new("unknown-command", &format!("no command is named {name:?}"))),
            },
            Request::Diff { a, b, events } => self.diff([a, b], *events).map(alone),
            Request::Model { run, width, height } => self.model(run, [*width, *height]),
            Request::Export { run, what, at, draws } => {
                let (_, file) = self.file(run)?;
                exports::export(&*self.run(run)?, &file, (*what, *at), draws.as_deref())
            }
        }
    }

    fn open(
        &self,
        number: usize,
        (name, others): (&str, &[OtherFile]),
        member: Option<&str>,
        bytes: &[u8],
    ) -> Result<Answer, InspectError> {
        if number >= FILES {
            return Err(no_file(number));
        }
        let source = GivenFiles::split(name, others, bytes, self.limits)?;
        let part = PartSpec { member: member.map(str::to_owned), ..PartSpec::default() };
        let file = source.open(&part)?;
        self.set_file(number, file.with_source(Arc::new(source)));
        self.input(number)
    }

    fn input(&self, input: usize) -> Result<Answer, InspectError> {
        let (number, file) = self.file(&RunRequest { input, ..RunRequest::default() })?;
        Ok(Answer::Input(Box::new(file.answer(number))))
    }

    /// Returns the file that a request names, with the part in which it was opened, whatever part the request asks
    /// for.
    fn whole(&self, spec: &RunRequest) -> Result<(FileNumber, Arc<InspectedFile>), InspectError> {
        let files = lock(&self.files);
        let place = files.places.get(spec.input).copied().flatten();
        let number = spec.file.or(place).ok_or_else(|| no_file(spec.input))?;
        files.kept.iter().find(|(kept, _)| *kept == number).cloned().ok_or_else(|| {
            let message = "other files have been opened since, and this one is no longer kept: open it again";
            InspectError::new("file-gone", message)
        })
    }

    /// Returns the part of a file that a request asks for. It is opened only if it is not kept.
    fn file(&self, spec: &RunRequest) -> Result<(FileNumber, Arc<InspectedFile>), InspectError> {
        let (number, file) = self.whole(spec)?;
        let Some(part) = spec.part.as_ref().filter(|part| *part != file.part()) else {
            return Ok((number, file));
        };
        // The lock stays held while opening, because a page sends several requests for the same part at once.
        let mut parts = lock(&self.parts);
        let kept = parts.iter().position(|(kept, file)| *kept == number && file.part() == part);
        let entry = match kept {
            Some(position) => parts.remove(position),
            None => (number, Arc::new(file.open_part(part)?)),
        };
        parts.insert(0, entry.clone());
        parts.truncate(PARTS);
        Ok(entry)
    }

    /// Returns the files that make up a part, to write a page with them.
    ///
    /// # Errors
    /// Fails if there is no such file, or if it cannot be read again.
    pub fn files(&self, spec: &RunRequest) -> Result<PartFiles, InspectError> {
        let (_, file) = self.whole(spec)?;
        file.source()?.files(spec.part.as_ref().unwrap_or_else(|| file.part()))
    }

    /// Returns the run for a request. It is executed only if it is not kept.
    fn run(&self, spec: &RunRequest) -> Result<Arc<Run>, InspectError> {
        let (number, file) = self.file(spec)?;
        let spec = &RunRequest { file: Some(number), part: Some(file.part().clone()), ..spec.clone() };
        let mut runs = lock(&self.runs);
        if let Some(position) = runs.iter().position(|run| run.spec == *spec) {
            let run = runs.remove(position);
            runs.insert(0, Arc::clone(&run));
            return Ok(run);
        }
        // The lock stays held while running, because a page sends several requests for the same run at once. The
        // others wait here and then find this run.
        let run = Arc::new(Run::open(spec, &file, spec.to_options(&self.limits, &self.pictures)?)?);
        runs.insert(0, Arc::clone(&run));
        runs.truncate(RUNS);
        Ok(run)
    }

    fn state(&self, spec: &RunRequest, event: EventNumber) -> Result<Answer, InspectError> {
        let run = self.run(spec)?;
        let mut session = run.session();
        let mut hashes = ContentHashes::new(&run.shot.limits);
        let document = StateDocument::new(&run.input, &mut session, event, &mut hashes)?;
        let used = used_registers(&mut session);
        let groups = registers::groups(&session, &used, &document);
        Ok(Answer::State(Box::new(StateAnswer { document, groups })))
    }

    fn pixel(
        &self,
        spec: &RunRequest,
        position: [u32; 2],
        target: Option<PixelTarget>,
        until: Option<EventNumber>,
    ) -> Result<Answer, InspectError> {
        let run = self.run(spec)?;
        let mut history =
            run.shot.history(target.map(TargetName::from), position).map_err(InspectError::inapplicable)?;
        if let Some(until) = until {
            history.end_after(until);
        }
        let document = PixelDocument::new(&run.input, &history, &run.shot.capture.sources);
        Ok(Answer::Pixel { document: Box::new(document) })
    }

    fn memory(
        &self,
        spec: &RunRequest,
        at: Moment,
        address: u32,
        length: u32,
    ) -> Result<(MemoryDocument, Vec<u8>), InspectError> {
        if length > MEMORY_MAX {
            let message = format!("at most {MEMORY_MAX} bytes of memory are shown at once");
            return Err(InspectError::new("too-large", &message));
        }
        let run = self.run(spec)?;
        let address = pictures::address(address);
        let (event, is_end, memory, sources) = {
            let session = run.at(at)?;
            let event = event_at(at, &session);
            (event, event == session.end(), session.memory().clone(), session.sources().to_vec())
        };
        // At the end, the writers in the whole run count. An earlier moment needs a separate run up to it.
        let earlier;
        let dependencies = if is_end {
            run.dependencies()
        } else {
            earlier = run.dependencies_before(event);
            &*earlier
        };
        let moment = MemoryMoment {
            event: (!is_end).then_some(event),
            memory: &memory,
            sources: &sources,
            writers: &dependencies.writers,
            timeline: &dependencies.timeline,
        };
        let document = MemoryDocument::new(&run.input, moment, address, length, None);
        let mut bytes = vec![0; length as usize];
        memory.read(address, &mut bytes);
        Ok((document, bytes))
    }

    fn diff(
        &self,
        specs: [&RunRequest; 2],
        events: Option<[EventNumber; 2]>,
    ) -> Result<Answer, InspectError> {
        let runs = [self.run(specs[0])?, self.run(specs[1])?];
        let sides = runs.each_ref().map(|run| DiffSide {
            input: run.input.clone(),
            name: side_name(run),
            shot: run.shot.clone(),
        });
        let diff = match events {
            Some(events) => {
                Diff::of_events(&sides, sides.each_ref().map(|side| side.shot.session()), events)?
            }
            None => Diff::of_runs(&sides),
        };
        Ok(Answer::Diff { document: Box::new(diff.document) })
    }

    fn model(&self, spec: &RunRequest, size: [u32; 2]) -> Result<(Answer, Vec<u8>), InspectError> {
        let [width, height] = size;
        let sides = 1..=MODEL_SIZE_MAX;
        if !sides.contains(&width) || !sides.contains(&height) {
            let message = format!("a picture of a model has 1 to {MODEL_SIZE_MAX} columns and rows");
            return Err(InspectError::inapplicable(message));
        }
        let (_, file) = self.file(spec)?;
        if file.asset()?.model().is_none() {
            return Err(InspectError::inapplicable("the file is not a model"));
        }
        let options = spec.to_options(&self.limits, &self.pictures)?.size(width, height);
        let picture =
            file.asset()?.render(&options).map_err(|error| InspectError::of_file(file.name(), &error))?;
        let picture = DynamicImage::ImageRgba8(picture);
        Ok((Answer::Picture(PictureAnswer::new(&picture, PixelFormat::ABGR8888)), pictures::bytes(picture)))
    }
}

/// Returns a name for a side in a comparison: its file and its edits.
fn side_name(run: &Run) -> String {
    let edits = run.spec.edits.iter().map(|edit| format!(" {edit}"));
    let name = format!("{}{}", run.input, edits.collect::<String>());
    match run.shot.arithmetic() {
        Arithmetic::Hardware => name,
        Arithmetic::Single => format!("{name} --arithmetic single"),
    }
}

fn no_file(number: usize) -> InspectError {
    let message = match number {
        0 => "no file is open".to_owned(),
        1 => "no second file is open".to_owned(),
        _ => format!("there is no file {number}: they are 0 and 1"),
    };
    InspectError::new("no-file", &message)
}

/// Locks a value. A poisoned lock is used as well, because no panic leaves these values half changed.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
