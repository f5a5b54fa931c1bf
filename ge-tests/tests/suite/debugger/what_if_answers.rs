//! Asks about a run with edits, and about a run in which the same changes were really made: the answers must be
//! equal.
//!
//! The lists are random, with room around each event. To make a change, other words go into this room, so that all
//! addresses and command numbers stay.

use std::fmt::Debug;
use std::ops::ControlFlow;

use ge_tests::generate::Random;
use ge_tests::{long_checks, table_rows};
use pspge::asm::assemble;
use pspge::check::{CheckOptions, Rule, check};
use pspge::debug::diff::first_difference::{Side, first_difference};
use pspge::debug::draw::report;
use pspge::debug::pixel::history::HistoryCause;
use pspge::debug::pixel::target::TargetName;
use pspge::debug::reduce::{self, KeptArea};
use pspge::debug::timeline::EventKind;
use pspge::debug::trim::{self, TrimOptions};
use pspge::debug::what_if::edit::{Edit, Editor};
use pspge::debug::{EventNumber, Session, SessionOptions, Shot};
use pspge::ge::capture::{Action, Capture, Event};
use pspge::ge::overrides::{Change, Override, Scope};
use pspge::ge::registers::texture::PixelFormat;
use pspge::table::{FrameFile, Table, TableOptions};
use pspge::{Address, Arithmetic, Limits, NullObserver, Opcode, Rasterizer, RunSpec, replay};

/// How many events a list has.
const EVENTS: usize = 7;
/// The two buffers: 64×32 pixels.
const BUFFERS: [u32; 2] = [0, 0x4000];
/// Bytes of VRAM used by a list.
const BYTES: u32 = 0xC000;

/// An event in a list, with the commands to set it up.
#[derive(Clone, Debug)]
struct Slot {
    /// Sets up the event.
    setup: String,
    /// PRIM or TRANSFERSTART; NOP for a CPU action.
    command: String,
    action: Option<Action>,
    /// The register to change during this event.
    changed: Option<Setting>,
    /// Whether this event is really left out of the list.
    is_removed: bool,
}

/// A register with another value during an event.
#[derive(Clone, Debug)]
struct Setting {
    option: &'static str,
    /// A command to set the value, and a command to restore the old value.
    commands: [String; 2],
}

fn draw(random: &mut Random) -> Slot {
    let buffer = random.pick(&BUFFERS);
    let texture = BUFFERS[usize::from(buffer == BUFFERS[0])];
    let is_textured = random.once_in(3);
    let blend = u32::from(random.once_in(3));
    let first = random.below(8);
    let count = random.pick(&[2, 4]);
    let (left, top) = (random.below(16), random.below(8));
    let scissor = |left: u32| format!("SCISSOR1 x={left} y={top}");
    let (option, commands) = match random.below(4) {
        0 => {
            let option = if texture == 0 { "FRAMEBUFPTR=0" } else { "FRAMEBUFPTR=0x4000" };
            (option, [format!("FRAMEBUFPTR {texture:#x}"), format!("FRAMEBUFPTR {buffer:#x}")])
        }
        1 => ("SCISSOR1.x=20", [scissor(20), scissor(left)]),
        2 => {
            let option = if blend == 0 { "BLENDENABLE=1" } else { "BLENDENABLE=0" };
            (option, [format!("BLENDENABLE {}", 1 - blend), format!("BLENDENABLE {blend}")])
        }
        _ => ("ZTESTENABLE=1", ["ZTESTENABLE 1".to_owned(), "ZTESTENABLE 0".to_owned()]),
    };
    Slot {
        setup: format!(
            "VADDR lo(v + {}) | FRAMEBUFPTR {buffer:#x} | TEXADDR0 {texture:#x} | TEXENABLE {} | BLENDENABLE {blend} | {} \
             | TEXFLUSH",
            first * 16,
            u32::from(is_textured),
            scissor(left),
        ),
        command: format!("PRIM primitive=RECTANGLES count={count}"),
        action: None,
        changed: Some(Setting { option, commands }),
        is_removed: false,
    }
}

fn transfer(random: &mut Random) -> Slot {
    let [from, to] = [random.pick(&BUFFERS), random.pick(&BUFFERS)];
    let (x, y) = (random.below(24), random.below(16));
    // At least 4, because the change sets 3: an edit that does nothing is then noticed.
    let width = 4 + random.below(20);
    let (option, new, old) = if random.once_in(2) {
        ("TRANSFERDST=0x8000", "TRANSFERDST 0x8000", format!("TRANSFERDST {to:#x}"))
    } else {
        ("TRANSFERSIZE.x=3", "TRANSFERSIZE x=3 y=9", format!("TRANSFERSIZE x={width} y=9"))
    };
    let commands = [new.to_owned(), old];
    Slot {
        setup: format!(
            "TRANSFERSRC {from:#x} | TRANSFERSRCW width=64 high=4 | TRANSFERDST {to:#x} | TRANSFERDSTW width=64 high=4 | \
             TRANSFERSRCPOS x={} y={} | TRANSFERDSTPOS x={x} y={y} | TRANSFERSIZE x={width} y=9",
            random.below(24),
            random.below(16),
        ),
        command: "TRANSFERSTART BITS32".to_owned(),
        action: None,
        changed: Some(Setting { option, commands }),
        is_removed: false,
    }
}

fn cpu(random: &mut Random) -> Slot {
    let to = Address::vram(random.pick(&BUFFERS) + random.below(0x100) * 16);
    let action = match random.below(3) {
        0 => Action::Copy { to, from: Address::vram(random.pick(&BUFFERS)), length: 0x400 },
        _ => Action::Fill {
            to,
            value: 0x40 + random.below(9).to_le_bytes()[0],
            length: 4 * (1 + random.below(0x200)),
        },
    };
    let (setup, command) = ("NOP".to_owned(), "NOP".to_owned());
    Slot { setup, command, action: Some(action), changed: None, is_removed: false }
}

/// Makes a random list's events, each with its settings undone.
fn slots(random: &mut Random) -> Vec<Slot> {
    let slot = |_| match random.below(6) {
        0 => transfer(random),
        1 => cpu(random),
        _ => draw(random),
    };
    (0..EVENTS).map(slot).collect()
}

/// Writes a list as a text; `made` are the events whose change is really made.
fn text(slots: &[Slot], made: &[usize], vertices: &[u8]) -> String {
    let mut text = String::from(
        "FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=31 | REGION2 x=63 y=31 | ZTEST NEVER
         VTYPE texcoord=BITS16 color=ABGR8888 position=BITS16 through=1 | BASE hi(v)
         BLENDMODE source=SOURCE_ALPHA destination=ONE_MINUS_SOURCE_ALPHA equation=ADD
         TEXFORMAT ABGR8888 | TEXSIZE0 width_log2=6 height_log2=5 | TEXBUFWIDTH0 width=64 high=4\n",
    );
    for (number, slot) in slots.iter().enumerate() {
        let nops = ["NOP".to_owned(), "NOP".to_owned()];
        let changed = slot.changed.as_ref().filter(|_| made.contains(&number));
        let [before, after] = changed.map_or(nops, |setting| setting.commands.clone());
        let command = if slot.is_removed { "NOP" } else { &slot.command };
        text += &format!("{} | {before}\nevent{number}: {command} | {after}\n", slot.setup);
    }
    text += "FINISH | END | .align 16\nv:";
    for byte in vertices {
        text += &format!(" .u8 {byte} |");
    }
    text.trim_end_matches('|').to_owned()
}

/// Returns vertices for all draws: texture coordinates, colours and positions.
fn vertices(random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..16 {
        let (x, y) = (random.below(64).to_le_bytes()[0], random.below(32).to_le_bytes()[0]);
        bytes.extend([x, 0, y, 0]);
        bytes.extend((0..4).map(|_| random.below(256).to_le_bytes()[0]));
        bytes.extend([
            random.below(64).to_le_bytes()[0],
            0,
            random.below(32).to_le_bytes()[0],
            0,
            0,
            0,
            0,
            0,
        ]);
    }
    bytes
}

/// Builds a capture for a list, with the CPU's actions.
fn capture(slots: &[Slot], made: &[usize], vertices: &[u8]) -> Capture {
    let program = assemble(&text(slots, made, vertices)).expect("a list");
    let mut capture = program.capture();
    // This skips the words before the events. From there on, counting commands gives each event's label.
    let mut at = capture.start.offset(4 * 11);
    for slot in slots {
        let setup = u32::try_from(slot.setup.split('|').count()).expect("few");
        at = at.offset(4 * (setup + 1));
        if let Some(action) = slot.action.as_ref().filter(|_| !slot.is_removed) {
            capture.events.push(Event { at, action: action.clone() });
        }
        at = at.offset(4 * 2);
    }
    capture
}

/// A run to ask about, with each event's number in the list without changes; `None` for an event that is left out.
struct Asked {
    capture: Capture,
    text: String,
    /// The edits for this text's run; `None` if the text alone cannot be run.
    edits: Option<Vec<Edit>>,
    numbers: Vec<Option<usize>>,
}

impl Asked {
    fn name(&self, event: EventNumber) -> String {
        self.numbers
            .get(event.index())
            .copied()
            .flatten()
            .map_or("left out".to_owned(), |at| format!("#{at}"))
    }

    /// Lists the events that take place.
    fn events(&self) -> impl Iterator<Item = (EventNumber, usize)> {
        self.numbers.iter().zip(0..).filter_map(|(number, event)| Some((EventNumber(event), (*number)?)))
    }

    fn session(&self) -> Session {
        Session::open(self.capture.clone(), SessionOptions::default())
    }
}

/// Answers, one per line.
#[derive(Default)]
struct Answers(Vec<String>);

impl Answers {
    fn add(&mut self, question: &str, answer: &dyn Debug) {
        self.0.push(format!("{question}: {answer:?}"));
    }
}

fn target(buffer: u32) -> TargetName {
    TargetName { address: Address::vram(buffer), shape: Some((64, PixelFormat::ABGR8888)) }
}

/// Asks all questions.
fn answers(run: &Asked) -> Vec<String> {
    let mut out = Answers::default();
    for buffer in [0, 0x4000, 0x8000] {
        for position in [[3, 2], [17, 9], [30, 14], [22, 20]] {
            pixel(run, buffer, position, &mut out);
        }
    }
    dependencies(run, &mut out);
    session(run, &mut out);
    excerpts(run, &mut out);
    checks(run, &mut out);
    if let Some(edits) = &run.edits {
        tables(run, edits, &mut out);
    }
    out.0
}

fn pixel(run: &Asked, buffer: u32, position: [u32; 2], out: &mut Answers) {
    let shot = Shot::new(run.capture.clone());
    let history = shot.history(Some(target(buffer)), position).expect("a pixel");
    for entry in &history.entries {
        let cause = match &entry.cause {
            HistoryCause::Draw(fragments) => format!("{} fragments", fragments.len()),
            HistoryCause::Transfer { from, written } => format!("from {from}, {written}"),
            HistoryCause::Cpu { action, from, written } => format!("{action}, from {from:?}, {written}"),
        };
        let values = (entry.before, entry.after, entry.wrote(), entry.agrees);
        out.add("pixel", &(buffer, position, run.name(entry.event.number), cause, values));
    }
    out.add("pixel at the end", &(buffer, position, history.first, history.last));
}

fn dependencies(run: &Asked, out: &mut Answers) {
    let found = Shot::new(run.capture.clone()).dependencies(None);
    found.writers.visit(Address::vram(0), BYTES, Default::default(), |bytes, writer| {
        out.add("memory", &(bytes, writer.map(|writer| run.name(writer))));
    });
    for pass in &found.passes {
        let facts = (pass.color, pass.primitives, pass.pixels, &pass.drawn, pass.stores_color);
        out.add("passes", &(pass.events.map(|event| run.name(event)), facts));
    }
    for read in &found.reads {
        let writers: Vec<_> = read.writers.iter().map(|part| (run.name(part.writer), part.bytes)).collect();
        let reader = read.reader.map(|reader| run.name(reader));
        out.add("reads", &(reader, read.kind, read.address, writers, read.unwritten));
    }
}

/// Asks for state and draws, before each event that takes place.
fn session(run: &Asked, out: &mut Answers) {
    let mut session = run.session();
    for (event, number) in run.events() {
        session.seek(event).expect("it exists");
        let event_kind = session.next_event().map(|event| match &event.kind {
            EventKind::Cpu(cpu) => cpu.text.clone(),
            other => format!("{other:?}"),
        });
        let bytes: u64 = session.memory().vram()[..BYTES as usize].iter().map(|byte| u64::from(*byte)).sum();
        let writer = session.writers().register(Opcode::TEXADDR0);
        out.add(
            "state",
            &(number, event_kind, bytes, writer, session.registers().argument(Opcode::TEXENABLE)),
        );
        if let Ok(report) = report::explain(&mut session, event) {
            let fates: Vec<_> = report.primitives.iter().map(|primitive| primitive.fate()).collect();
            out.add("draw", &(number, fates, report.counts, report.vertices.len(), report.source.len()));
        }
    }
}

/// Asks for trimmed and reduced runs.
fn excerpts(run: &Asked, out: &mut Answers) {
    let events: Vec<(EventNumber, usize)> = run.events().collect();
    let Some((last, _)) = events.last().copied() else { return };
    for (first, number) in events.iter().copied().step_by(3) {
        let trimmed = trim::trim(&mut run.session(), first..=last, TrimOptions { whole_vram: true });
        let trimmed = trimmed.expect("room for the list");
        let counts = trimmed.counts;
        let vram = replayed(trimmed.capture);
        out.add("trim", &(number, counts.draws, counts.transfers, counts.actions, trimmed.notes));
        assert!(vram == replayed(run.capture.clone()), "{number}: the excerpt draws the same\n{}", run.text);
    }
    for position in [[17, 9], [30, 14]] {
        let area = KeptArea::Pixel(position);
        let reduced = reduce::reduce(Shot::new(run.capture.clone()), Some(target(0)), &area, 60, &mut |_| {});
        let reduced = reduced.expect("a run");
        let events: Vec<_> = reduced.events.iter().map(|event| run.name(event.number)).collect();
        out.add("reduce", &(position, events, reduced.after.draws, reduced.after.transfers));
    }
}

/// Returns the used part of VRAM after a run.
fn replayed(mut capture: Capture) -> Vec<u8> {
    let mut raster = Rasterizer::default();
    replay(&mut capture, Arithmetic::Hardware, &mut raster, &mut NullObserver, &Limits::default());
    capture.memory.vram()[..BYTES as usize].to_vec()
}

/// Asks for findings on draws and transfers. Findings on words are about the list as it is, so this leaves them out.
fn checks(run: &Asked, out: &mut Answers) {
    let mut findings: Vec<String> = check(&mut run.capture.clone(), &CheckOptions::default())
        .iter()
        .filter(|finding| !matches!(finding.rule, Rule::RepeatedWrite | Rule::OverwrittenWrite))
        .map(|finding| format!("{} ×{}: {}", finding.rule, finding.count, finding.message))
        .collect();
    findings.sort();
    out.add("check", &findings);
}

fn tables(run: &Asked, edits: &[Edit], out: &mut Answers) {
    let asset = pspge::open("list.ge", run.text.as_bytes()).expect("a list");
    let mut options = TableOptions::default();
    options.render = RunSpec::default().edits(edits.to_vec());
    let mut batches = Vec::new();
    let file = FrameFile::new("list.ge", run.text.as_bytes());
    pspge::table::write(&asset, &file, &options, &mut |table, batch| {
        if table == Table::Draws {
            batches.push(batch);
        }
        ControlFlow::Continue(())
    })
    .expect("rows");
    for mut row in table_rows::rows(&batches) {
        row.retain(|name, _| name != "draw" && name != "file_hash");
        out.add("table", &serde_json::to_string(&row));
    }
}

/// The changes to try on a list.
struct Trial {
    /// The edits, as options.
    edits: Vec<String>,
    /// The events to leave out, and those whose setting to make.
    removed: Vec<usize>,
    made: Vec<usize>,
}

fn trials(slots: &[Slot]) -> Vec<Trial> {
    let mut trials = Vec::new();
    let draws: Vec<usize> =
        (0..slots.len()).filter(|number| slots[*number].command.starts_with("PRIM")).collect();
    for (number, slot) in slots.iter().enumerate() {
        let skip = format!("--skip event:{number}");
        trials.push(Trial { edits: vec![skip], removed: vec![number], made: Vec::new() });
        if let Some(setting) = &slot.changed {
            let set = format!("--set {}@event:{number}", setting.option);
            trials.push(Trial { edits: vec![set], removed: Vec::new(), made: vec![number] });
        }
        if let Some(draw) = draws.iter().position(|draw| *draw == number) {
            let others = draws.iter().copied().filter(|other| *other != number).collect();
            let edits = vec![format!("--solo {draw}")];
            trials.push(Trial { edits, removed: others, made: Vec::new() });
            trials.push(Trial {
                edits: vec![format!("empty {draw}")],
                removed: vec![number],
                made: Vec::new(),
            });
        }
    }
    trials
}

fn apply(edit: &str, capture: &mut Capture) {
    if let Some(draw) = edit.strip_prefix("empty ") {
        // The options refuse a register of the interface, and say to leave the draw out instead, so this builds the
        // override itself.
        let changes = vec![Change::Register { opcode: Opcode::PRIM, mask: 0xFFFF, bits: 0 }];
        let scope = Scope::draws(draw.parse().expect("a draw"));
        capture.overrides.push(Override { text: edit.to_owned(), scope, texture: None, changes });
        return;
    }
    let edit: Edit = edit.parse().expect("an edit");
    Editor::new(Arithmetic::Hardware, &Limits::default()).apply(&edit, capture).expect("an event");
}

fn compare(seed: u64) {
    let mut random = Random::new(seed);
    let (slots, vertices) = (slots(&mut random), vertices(&mut random));
    for Trial { edits, removed, made } in trials(&slots) {
        let mut tried = capture(&slots, &[], &vertices);
        for edit in &edits {
            apply(edit, &mut tried);
        }
        // A table is made from the text, which holds no CPU actions, so lists with actions have no tables.
        let parsed: Option<Vec<Edit>> = edits.iter().map(|edit| edit.parse().ok()).collect();
        let parsed = parsed.filter(|_| slots.iter().all(|slot| slot.action.is_none()));
        let is_left = |number: usize| !removed.contains(&number);
        let what_if = Asked {
            edits: parsed.clone(),
            capture: tried,
            text: text(&slots, &[], &vertices),
            numbers: (0..EVENTS).map(|number| is_left(number).then_some(number)).collect(),
        };
        let mut real = slots.clone();
        for number in &removed {
            real[*number].is_removed = true;
        }
        let real = Asked {
            capture: capture(&real, &made, &vertices),
            text: text(&real, &made, &vertices),
            edits: parsed.map(|_| Vec::new()),
            numbers: (0..EVENTS).filter(|number| is_left(*number)).map(Some).collect(),
        };
        if removed.is_empty() {
            let [mut a, mut b] = [Rasterizer::default(), Rasterizer::default()];
            let arithmetic = Arithmetic::Hardware;
            let difference = first_difference(
                Side { capture: what_if.capture.clone(), arithmetic, sink: &mut a },
                Side { capture: real.capture.clone(), arithmetic, sink: &mut b },
                &Limits::default(),
            );
            assert_eq!(difference, None, "{seed} {edits:?}: diff");
        }
        let (expected, found) = (answers(&real), answers(&what_if));
        let different = expected.iter().zip(&found).position(|(expected, found)| expected != found);
        if let Some(line) = different {
            panic!("{seed} {edits:?}:\nmade  {}\nif    {}\n{}", expected[line], found[line], what_if.text);
        }
        assert_eq!(expected.len(), found.len(), "{seed} {edits:?}: the same number of answers");
    }
}

#[test]
fn answers_are_those_of_a_real_change() {
    for seed in 0..long_checks::rounds(5) {
        compare(seed);
    }
}
