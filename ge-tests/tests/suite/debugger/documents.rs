//! Checks documents: each kind is stable, reads back, and matches its JSON Schema.

use std::ops::ControlFlow;
use std::path::Path;

use ge_tests::{schema_check, snapshot};
use pspge::asm;
use pspge::check::TouchedPixels;
use pspge::compare::{self, Bounds, CompareOptions, Picture, PixelBound};
use pspge::debug::{EventNumber, Session, SessionOptions, Shot};
use pspge::documents::draw::DrawDescriber;
use pspge::documents::error::ErrorInfo;
use pspge::documents::finding::Severity;
use pspge::documents::hashes::ContentHashes;
use pspge::documents::memory::MemoryMoment;
use pspge::documents::note::NoteInfo;
use pspge::documents::registry::{self, SchemaInfo};
use pspge::documents::report::Status;
use pspge::documents::schema_id::SchemaId;
use pspge::documents::texture_index::{IndexedTexture, PaletteMapping};
use pspge::documents::{
    AssemblyDocument, CommandDocument, DifferenceDocument, DrawDocument, DrawReportDocument, EndDocument,
    ErrorDocument, EventDocument, FindingDocument, GeometryDocument, InfoDocument, MeasurementDocument,
    MemoryDocument, NoteDocument, OpcodeDocument, PassesDocument, PixelDocument, ReportDocument,
    StateDocument, TextureIndexDocument, TimelineDocument,
};
use pspge::ge::capture::{Action, Capture, Display, Event};
use pspge::ge::registers::texture::{PixelFormat, TexelFormat};
use pspge::image::{Rgb, RgbImage};
use pspge::model::{FileNote, FileNoteKind};
use pspge::pipeline::texture::content_hash::{self, ContentHash};
use pspge::run::sink::{Sink, Step};
use pspge::{
    Address, Arithmetic, Draw, ImmediateDraw, Limit, Limits, Memory, NullSink, Observer, Opcode, Request,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Draws a textured rectangle, a Bezier patch, indexed triangles with a NaN in a register, and a point from
/// registers.
const LIST: &str = "
    FRAMEBUFPTR 0x010000 | FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
    ZBUFPTR 0x110000 | ZBUFWIDTH width=512
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 65535
    BASE hi(corners)
    TEXENABLE 1 | TEXMODE swizzled=0 max_level=1 | TEXFORMAT CLUT4
    TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=32 high=8 | TEXSIZE0 width_log2=3 height_log2=2
    TEXADDR1 lo(texels) | TEXBUFWIDTH1 width=32 high=8 | TEXSIZE1 width_log2=2 height_log2=1
    CLUTADDR lo(colors) | CLUTADDRUPPER 0x8 | CLUTFORMAT format=ABGR8888 mask=0xff | LOADCLUT 2
    TEXFUNC function=REPLACE use_alpha=1 | BLENDENABLE 1 | BLENDMODE source=SOURCE_ALPHA destination=FIXED
    VTYPE texcoord=BITS16 position=BITS16 through=1 | VADDR lo(corners)
    PRIM primitive=RECTANGLES count=2
    TEXENABLE 0 | VTYPE position=FLOAT | PATCHDIVISION u=2 v=2 | VADDR lo(net) | BEZIER u_count=4 v_count=4
    FOG1 nan(0x7FC000) | STENCILOP stencil_fail=KEEP depth_fail=KEEP pass=7
    VTYPE color=ABGR8888 position=BITS16 index=BITS8 through=1 | VADDR lo(triangle) | IADDR lo(order)
    PRIM primitive=TRIANGLES count=3
    VSCX 4096 | VSCY 2048 | VSCZ 9 | VCV #ff8000 | VAP alpha=255 primitive=POINTS
    RET
    FINISH | END
.align 16
texels: .fill 64 0x10
.align 16
colors: .rgba #ff0000ff | .rgba #00ff00ff | .space 56
corners: .s16 0 0 10 10 0 | .s16 8 4 60 40 0
.align 4
net: .space 192
triangle: .rgba #ff0000ff | .s16 0 0 0 0 | .rgba #00ff00ff | .s16 99 0 0 0 | .rgba #0000ffff | .s16 0 99 0 0
order: .u8 2 1 0
";

const INPUT: &str = "frames/list.ge";

/// Records everything that a run shows.
#[derive(Default)]
struct Recorder {
    commands: Vec<CommandDocument>,
    events: Vec<EventDocument>,
    notes: Vec<NoteDocument>,
}

impl Observer for Recorder {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let file_offset = step.number.checked_mul(4);
        self.commands.push(CommandDocument::new(INPUT, step, file_offset));
        ControlFlow::Continue(())
    }

    fn note(&mut self, note: &pspge::Note) {
        self.notes.push(NoteDocument::new(INPUT, NoteInfo::of_run(note)));
    }

    fn event(&mut self, _: &Memory, event: &Event) {
        self.events.push(EventDocument::new(INPUT, event));
    }
}

struct Draws<'a> {
    describer: DrawDescriber<'a>,
    draws: Vec<DrawDocument>,
    textures: Vec<[Option<ContentHash>; 2]>,
}

impl Sink for Draws<'_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.draws.push(self.describer.draw(memory, draw, Some(12)));
        let hashes =
            [Some(content_hash::texture(memory, draw.registers)), content_hash::palette(draw.registers)];
        self.textures.push(hashes);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.draws.push(self.describer.immediate(memory, draw, None));
    }

    fn flush(&mut self, _: &mut Memory) {}
}

fn capture() -> Capture {
    let mut capture = asm::assemble(LIST).expect("a list").capture();
    let to = Address::new(0x0890_0000);
    let display = Display { address: Address::vram(0), stride: 512, format: PixelFormat::ABGR8888 };
    let actions = [
        Action::Copy { to, from: Address::vram(16), length: 64 },
        Action::CopyUndrawn { to: Address::vram(0), from: to, length: 64 },
        Action::Fill { to, value: 7, length: 3 },
        Action::LoadPalette { from: to, length: 0 },
        Action::Translate(pspge::ge::edram::Translation::Width512),
        Action::Restore(Box::new(capture.registers.clone())),
        Action::Display(display),
        Action::DisplayTarget,
    ];
    capture.events = actions.map(|action| Event { at: capture.start, action }).into();
    capture
}

/// Returns a run's documents, commands last.
fn run(with_state: bool) -> (Recorder, Vec<DrawDocument>, EndDocument) {
    let mut capture = capture();
    let limits = Limits::default();
    let hashes = ContentHashes::new(&limits);
    let describer = DrawDescriber { input: INPUT, sources: &[], with_state, hashes };
    let mut draws = Draws { describer, draws: Vec::new(), textures: Vec::new() };
    let mut recorder = Recorder::default();
    let replayed = pspge::replay(&mut capture, Arithmetic::Hardware, &mut draws, &mut recorder, &limits);
    let states = draws.draws.iter().filter_map(|draw| draw.state.as_ref());
    for (state, [texture, palette]) in states.zip(&draws.textures) {
        assert_eq!(state.texture.hash, texture.filter(|_| state.texture.enabled), "texture");
        assert_eq!(state.palette.hash, *palette, "palette");
    }
    (recorder, draws.draws, EndDocument::new(INPUT, &replayed.report))
}

fn kind(name: &str) -> &'static SchemaInfo {
    registry::find(name).unwrap_or_else(|| panic!("no kind {name}"))
}

/// Checks that a document matches the schema for its kind, names it first, and reads back. Returns it as JSON.
fn check<D: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(name: &str, document: &D) -> String {
    let text = serde_json::to_string(document).expect("JSON");
    let kind = kind(name);
    assert!(text.starts_with(&format!("{{\"schema\":\"{}\",\"input\":", kind.id())), "{text}");
    schema_check::check(&serde_json::from_str(&text).expect("JSON"));
    let again: D = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert_eq!(&again, document, "{name} reads back");
    text
}

/// Checks documents of the same kind and compares them with their snapshot.
fn check_all<D: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(name: &str, documents: &[D]) {
    let texts: Vec<String> = documents.iter().map(|document| check(name, document)).collect();
    snapshot::assert(&format!("documents/{name}"), &texts.join("\n"));
}

fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/sample").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn runs_are_documents() {
    let (recorder, draws, end) = run(false);
    assert_eq!(draws.len(), 4, "all kinds of draws");
    assert_eq!(recorder.events.len(), 8, "all kinds of actions");
    check_all("command", &recorder.commands);
    check_all("event", &recorder.events);
    check_all("note", &recorder.notes);
    check_all("draw", &draws);
    check_all("end", &[end]);
}

#[test]
fn reports_on_draws_are_documents() {
    let mut session = Session::open(capture(), SessionOptions::default());
    let mut hashes = ContentHashes::new(&Limits::default());
    let events: Vec<EventNumber> =
        (0..4).filter_map(|draw| Some(session.timeline().event_of_draw(draw)?.number)).collect();
    let documents: Vec<_> = events
        .into_iter()
        .map(|event| DrawReportDocument::new(INPUT, &mut session, event, &mut hashes).expect("a draw"))
        .collect();
    let vertices: Vec<usize> = documents.iter().map(|document| document.vertices.len()).collect();
    assert_eq!(vertices, [2, 9, 3, 1], "a rectangle, a patch, a triangle and a point");
    check_all("draw-report", &documents);
}

#[test]
fn histories_of_pixels_are_documents() {
    let history = |at| {
        let name = "0x10000".parse().expect("a target");
        Shot::new(capture()).history(Some(name), at).expect("a history")
    };
    let documents = [[20, 10], [70, 0]].map(|at| PixelDocument::new(INPUT, &history(at), &[]));
    assert_eq!(documents[0].entries.len(), 2, "a rectangle and a triangle");
    check_all("pixel", &documents);
    snapshot::assert("pixel_history", &history([20, 10]).to_string());
}

#[test]
fn states_are_nested() {
    let (_, draws, _) = run(true);
    for draw in &draws {
        check("draw", draw);
    }
    let state = draws[0].state.as_ref().expect("asked for");
    let text = serde_json::to_string_pretty(state).expect("JSON");
    // This leaves the matrices out of the snapshot, because they are long and full of zeros.
    let start = text.find("  \"matrices\"").expect("a member");
    let end = text.find("  \"registers\"").expect("a member");
    snapshot::assert("documents/state", &format!("{}{}", &text[..start], &text[end..]));
    let state = draws[2].state.as_ref().expect("asked for");
    let fog = serde_json::to_string(&state.fog).expect("JSON");
    assert_eq!(fog, r#"{"enabled":false,"color":[0,0,0],"end":null,"slope":0.0}"#, "NaN is null");
    assert_eq!(state.registers.get("FOG1"), Some(&0x7F_C000), "its bits are kept");
}

#[test]
fn sessions_are_documents() {
    let mut session = Session::open(capture(), SessionOptions::default());
    check_all("timeline", &[TimelineDocument::new(INPUT, &session)]);
    let mut hashes = ContentHashes::new(&Limits::default());
    for event in 0..=session.end().0 {
        let state = StateDocument::new(INPUT, &mut session, EventNumber(event), &mut hashes);
        check("state", &state.expect("the event exists"));
    }
}

#[test]
fn frames_are_documents() {
    let found = Shot::new(capture()).dependencies(None);
    check("passes", &PassesDocument::new(INPUT, &found));
    let moment = MemoryMoment {
        event: None,
        memory: &found.memory,
        sources: &capture().sources,
        writers: &found.writers,
        timeline: &found.timeline,
    };
    check("memory", &MemoryDocument::new(INPUT, moment, Address::vram(0), 16, None));
}

#[test]
fn files_are_documents() {
    let limits = Limits::default();
    let mut infos = Vec::new();
    for name in ["lampwing.pac", "reedling.bon", "reedling.pam", "swatches.tm2", "rover.rlb", "robot.bin"] {
        let bytes = sample(name);
        let asset = pspge::open(name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        infos.push(InfoDocument::of_asset(name, &bytes, &asset, &limits));
    }
    let skeleton = sample("lampwing.ahi");
    let bytes = sample("lampwing.pmo");
    let file = pspge::formats::File { name: "bones/lampwing.ahi", bytes: &skeleton };
    let request = Request { skeleton: Some(file), ..Request::new("lampwing.pmo", &bytes) };
    let asset = pspge::open_with(&request).expect("a model");
    infos.push(InfoDocument::of_asset("lampwing.pmo", &bytes, &asset, &limits));
    let asset = pspge::open(INPUT, LIST.as_bytes()).expect("a list");
    infos.push(InfoDocument::of_asset(INPUT, LIST.as_bytes(), &asset, &limits));
    let dump = asset.to_frame_dump(&pspge::RunSpec::default()).expect("a dump").to_bytes();
    let asset = pspge::open("list.ppdmp", &dump).expect("a dump");
    let mut info = InfoDocument::of_asset("list.ppdmp", &dump, &asset, &limits);
    // Both depend on the compressor, so this clears them.
    (info.file_bytes, info.file_hash) = (0, ContentHash(0));
    infos.push(info);
    // Programs use this field for their own messages; documents leave it out.
    infos.iter_mut().flat_map(|info| &mut info.notes).for_each(|note| note.missing_file = None);
    check_all("info", &infos);
    let few = Limits::default().with(Limit::Commands, 3);
    let asset = pspge::open(INPUT, LIST.as_bytes()).expect("a list");
    let info = InfoDocument::of_asset(INPUT, LIST.as_bytes(), &asset, &few);
    assert_eq!(info.notes.iter().map(|note| note.code.as_str()).collect::<Vec<_>>(), ["limit"], "notes");
}

#[test]
fn geometry_is_a_document() {
    let asset = pspge::open(INPUT, LIST.as_bytes()).expect("a list");
    let list = GeometryDocument::new(INPUT, asset.geometry().expect("draws"));
    check_all("geometry", &[list]);
    let model = pspge::open("lampwing.pac", &sample("lampwing.pac")).expect("a model");
    check("geometry", &GeometryDocument::new("lampwing.pac", model.geometry().expect("draws")));
}

#[test]
fn errors_are_documents() {
    let document = |input: &str, bytes: &[u8]| {
        let error = pspge::open(input, bytes).expect_err("damaged");
        ErrorDocument::new(input, ErrorInfo::from(&error))
    };
    let cut = sample("lampwing.pmo");
    let documents = [
        document("empty", b""),
        document("notes.txt", b"dear diary"),
        document("cut.pmo", &cut[..100]),
        document("list.ge", b".ge 1\n  PRIM primitive=CIRCLES count=3"),
        document("list.ge", b".ge 1\n\xFF"),
        ErrorDocument::new("gone", ErrorInfo::new("unreadable", "No such file or directory")),
    ];
    check_all("error", &documents);
}

#[test]
fn opcodes_are_documents() {
    let documents: Vec<OpcodeDocument> =
        Opcode::all().map(|opcode| OpcodeDocument::new(opcode.name(), opcode)).collect();
    documents.iter().for_each(|document| drop(check("opcode", document)));
    let shown = [Opcode::PRIM, Opcode::STENCILTEST, Opcode::FOG1, Opcode::RET];
    check_all("opcode", &shown.map(|opcode| OpcodeDocument::new(opcode.name(), opcode)));
}

#[test]
fn programs_are_documents() {
    let files = asm::MemoryFiles::new([("state.ge", b".set RED -32\nstate: CULL 1".to_vec())]);
    let text = ".include \"state.ge\" | FINISH | END\n.org 0x08900000\ndata: .u8 1 2 3";
    let request = asm::AssemblyRequest { files: &files, ..asm::AssemblyRequest::new(INPUT, text) };
    let files = asm::assemble_with(&request).expect_err("the file is in another folder");
    assert_eq!(files.first().to_string(), "frames/list.ge:1:10: file 'state.ge' not found", "relative paths");
    let files = asm::MemoryFiles::new([("frames/state.ge", b".set RED -32\nstate: CULL 1".to_vec())]);
    let request = asm::AssemblyRequest { files: &files, ..asm::AssemblyRequest::new(INPUT, text) };
    let assembly = asm::assemble_with(&request).expect("well-formed");
    check_all("assembly", &[AssemblyDocument::new(INPUT, &assembly)]);
}

#[test]
fn results_of_commands_are_documents() {
    let note = NoteInfo::of_file(&FileNote::new(FileNoteKind::TexturesMissing, "the textures are missing"));
    let error = ErrorInfo::new("truncated", "8 bytes are needed here, 3 are left").at(0x40);
    let report = ReportDocument {
        schema: SchemaId::new(),
        input: "models/a.pmo".into(),
        output: vec!["out/a.pmo.png".into()],
        status: Status::Ok,
        error: None,
        notes: vec![note.clone()],
        duration_ms: 1.5,
    };
    let failed =
        ReportDocument { output: vec![], status: Status::Failed, error: Some(error), ..report.clone() };
    check_all("report", &[report, failed]);
    let first = RgbImage::from_fn(16, 12, |x, y| Rgb([x.to_le_bytes()[0], y.to_le_bytes()[0], 100]));
    let second = RgbImage::from_fn(16, 12, |x, y| {
        Rgb([x.to_le_bytes()[0], y.to_le_bytes()[0], if x == 5 { 103 } else { 100 }])
    });
    let [first, second] = [first, second].map(|picture| Picture::from_image(picture).expect("a picture"));
    let bounds =
        Bounds { max_mse: Some(0.125), max_pixels: Some(PixelBound::Count(11)), ..Bounds::default() };
    let options = CompareOptions { bounds, ..CompareOptions::default() };
    let compared = |with: &Picture| {
        let difference = compare::pictures(&first, with, &options).expect("comparable");
        DifferenceDocument::new("a.png", "b.png", &difference)
    };
    let (difference, identical) = (compared(&second), compared(&first));
    assert_eq!((difference.exceeded.len(), identical.exceeded.len()), (2, 0), "bounds");
    check_all("difference", &[difference, identical]);
    let measurement = MeasurementDocument {
        schema: SchemaId::new(),
        input: "a.pmo".into(),
        runs: 10,
        threads: 1,
        median_ms: 2.5,
        min_ms: 2.25,
        max_ms: 4.0,
        min_cpu_ms: None,
        commands: 100,
        draws: 4,
        triangles: 30,
        pixels: 4000,
        peak_bytes: Some(1 << 27),
        notes: vec![note],
    };
    check_all("measurement", &[measurement]);
    let finding = FindingDocument {
        schema: SchemaId::new(),
        input: "a.ge".into(),
        code: "no-pixels".into(),
        severity: Severity::Warning,
        message: "draw 7 covers no pixel: SCISSOR2 is 0".into(),
        draw: Some(7),
        command: Some(120),
        address: Some(Address::new(0x0880_0010)),
        file: None,
        file_offset: None,
        line: None,
        column: None,
        count: 1,
        pixels: Some(TouchedPixels { count: 120, first: [4, 5] }),
    };
    check_all("finding", &[finding]);
    let texture = IndexedTexture {
        index: None,
        name: None,
        files: vec!["0123456789abcdef.png".into()],
        hash: ContentHash(0x0123_4567_89AB_CDEF),
        palette_hash: Some(ContentHash(7)),
        width: 64,
        height: 32,
        format: TexelFormat::CLUT8,
        swizzled: true,
        levels: 1,
        addresses: vec![Address::vram(0x1000)],
        file_offset: None,
        palette: None,
        palette_format: Some(PixelFormat::ABGR8888),
        palette_mapping: Some(PaletteMapping { shift: 0, mask: 255, start: 16 }),
        palette_addresses: vec![Address::new(0x0880_0000)],
        rendered: false,
        mapped: true,
        draws: vec![0, 4, 7],
    };
    let index = TextureIndexDocument::new("a.ppdmp", vec![texture], vec![]);
    check_all("texture-index", &[index]);
}

#[test]
fn schemas_are_stable() {
    let names: Vec<&str> = registry::schemas().iter().map(|kind| kind.name).collect();
    assert!(names.is_sorted(), "in alphabetical order");
    for kind in registry::schemas() {
        let schema = kind.schema();
        let text = serde_json::to_string_pretty(&schema).expect("JSON");
        let errors = jsonschema::meta::validate(schema.as_value()).err();
        assert!(errors.is_none(), "{}: {errors:?}", kind.name);
        snapshot::assert(&format!("schemas/{}", kind.name), &text);
        assert_eq!(registry::find(&kind.id()).map(|found| found.name), Some(kind.name), "by its id");
        assert_eq!(registry::schema(kind.name), Some(schema), "by its name");
    }
    assert!(registry::find("infos").is_none(), "an unknown name");
}

#[test]
fn documents_of_other_kinds_are_refused() {
    let text = check("end", &run(false).2);
    let other = text.replace("pspge.end/1", "pspge.end/2");
    let error = serde_json::from_str::<EndDocument>(&other).expect_err("another version");
    assert!(error.to_string().contains("expected a document pspge.end/1"), "{error}");
    // Another observer has to see the same commands.
    let mut counted = 0_u64;
    let mut count = |_: &Memory, _: &Step<'_>| {
        counted += 1;
        ControlFlow::Continue(())
    };
    pspge::replay(&mut capture(), Arithmetic::Hardware, &mut NullSink, &mut count, &Limits::default());
    assert_eq!(counted, run(false).0.commands.len() as u64, "every command is a document");
}
