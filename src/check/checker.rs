//! Watches a run's commands and events to check them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::context::DrawContext;
use super::depth_views::DepthViews;
use super::draw_count;
use super::finding::Place;
use super::findings::{Findings, SAME};
use super::options::CheckOptions;
use super::rows::ByteRows;
use super::rule::Rule;
use super::rule_sets::palette_rules::PaletteState;
use super::rule_sets::pixel_rules::PixelSearch;
use super::rule_sets::register_rules::{self, WriteCounts};
use super::rule_sets::vertex_rules::VertexRange;
use super::rule_sets::{list_rules, state_rules, target_rules, texture_rules, transfer_rules, vertex_rules};
use super::stale::{RunningTransfers, StaleTextures, Writer};
use super::stall::StallWatch;
use super::subject::Subject;
use super::supply::Supply;
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Action, Capture, Source, source_of};
use crate::ge::memory::Memory;
use crate::ge::note::Note;
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::framebuffer::ColorSurface;
use crate::raster::Rasterizer;
use crate::raster::fragment_record::StaleTexel;
use crate::raster::pixel_rect::PixelRect;
use crate::run::sink::{Sink, Step};
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

/// Keeps what the check learns while the run goes on.
#[derive(Debug)]
pub(super) struct Checker {
    pub(super) findings: Findings,
    sources: Vec<Source>,
    arithmetic: Arithmetic,
    place: Place,
    stall: StallWatch,
    supply: Supply,
    stale: StaleTextures,
    transfers: RunningTransfers,
    depth: DepthViews,
    palette: PaletteState,
    writes: WriteCounts,
    counts: draw_count::PendingRest,
    search: PixelSearch,
    /// The pixels within the current draw's reach, and how many pixels were drawn before it.
    current: (PixelRect, u64),
    pixels_max: u64,
    /// The words executed so far, as address ranges: maps each range's start to its end.
    executed: BTreeMap<u32, u32>,
    /// The vertices read so far, by start and end, with the place of the first draw to read them.
    vertices: BTreeMap<(u32, u32), Place>,
    /// The last command's address, and the last jump to a lower address, to explain endless lists.
    last: Address,
    jump_back: Option<(Address, Address)>,
    /// Sums for each draw command, by its address, to check a model's parts.
    pub(super) draws: BTreeMap<Address, DrawTotal>,
}

/// Sums over all draws by the same command word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DrawTotal {
    /// How many draws there were.
    pub draws: u64,
    /// How many pixels passed all tests.
    pub pixels: u64,
    /// Whether any of them had texture coordinates.
    pub has_texcoords: bool,
}

impl Checker {
    /// Creates the state before the first command.
    pub(super) fn new(capture: &Capture, options: &CheckOptions) -> Self {
        Self {
            findings: Findings::new(options.causes),
            sources: capture.sources.clone(),
            arithmetic: options.arithmetic,
            place: Place::default(),
            stall: StallWatch::new(capture.stall),
            supply: Supply::new(&capture.memory, &options.limits),
            stale: StaleTextures::default(),
            transfers: RunningTransfers::default(),
            depth: DepthViews::default(),
            palette: PaletteState::new(&capture.registers),
            writes: WriteCounts::default(),
            counts: draw_count::PendingRest::default(),
            search: PixelSearch::new(options.arithmetic, &options.limits),
            current: (PixelRect::EMPTY, 0),
            pixels_max: options.limits.pixels,
            executed: BTreeMap::new(),
            last: Address::default(),
            jump_back: None,
            vertices: BTreeMap::new(),
            draws: BTreeMap::new(),
        }
    }

    /// Checks a command before it runs. Returns false to stop the run.
    fn check_command(&mut self, memory: &Memory, step: &Step<'_>) -> bool {
        self.place = Place { command: Some(step.number), address: Some(step.at), ..Place::default() };
        let Self { place, findings, stall, supply, stale, transfers, sources, .. } = self;
        if !stall.follow(step, place, findings) || !list_rules::check(memory, step, place, findings) {
            return false;
        }
        register_rules::check_argument(step.command, place, findings);
        register_rules::check_matrix(step.command, step.registers, place, findings);
        draw_count::check_empty(step.command, place, findings);
        // Adapters and replays insert words of their own. Redundant writes there are no mistake by the author.
        if sources.is_empty() || source_of(sources, step.at).is_some() {
            self.writes.count(step.command, step.registers, place);
        }
        match step.command.opcode() {
            Opcode::TEXFLUSH => stale.flush(),
            Opcode::TEXSYNC | Opcode::FINISH => transfers.complete(),
            Opcode::LOADCLUT => {
                self.palette.load(step.command, step.registers, memory, supply, place, findings);
            }
            _ => {}
        }
        self.note_executed(step.at);
        true
    }

    fn note_executed(&mut self, at: Address) {
        if at <= self.last {
            self.jump_back = Some((self.last, at));
        }
        self.last = at;
        // Lists mostly run straight ahead, so this usually extends a known range.
        let (at, end) = (at.get(), at.get().saturating_add(4));
        match self.executed.range_mut(..=at).next_back() {
            Some((_, known)) if *known >= at => *known = end.max(*known),
            _ => {
                self.executed.insert(at, end);
            }
        }
    }

    /// Notes which memory an action by the CPU changes.
    fn action(&mut self, memory: &Memory, at: Address, action: &Action) {
        let mut written = |to: Address, length: u32, changes: bool| {
            self.supply.mark(memory, to, length);
            if let Some(rows) = ByteRows::new(to, length, length, 1).filter(|_| changes) {
                self.stale.change(rows, Writer::Cpu);
                self.depth.write(rows);
            }
        };
        match action {
            Action::Copy { to, from, length } | Action::CopyUndrawn { to, from, length } => {
                let bytes = |at: Address| memory.slice(at, *length as usize);
                // Recorders copy unchanged textures and palettes again, which makes no cached texel stale.
                written(*to, *length, bytes(*to).is_none() || bytes(*to) != bytes(*from));
            }
            Action::Fill { to, length, .. } => written(*to, *length, true),
            Action::LoadPalette { .. } => self.palette.load_by_cpu(),
            Action::Restore(_) => {
                self.writes.forget();
                let place = Place { address: Some(at), ..Place::default() };
                let message = || "the dump restores all registers before this command".to_owned();
                self.findings.add(Rule::LateRestore, SAME, &place, message);
            }
            Action::Translate(_) | Action::Display(_) | Action::DisplayTarget => {}
        }
    }

    /// Checks a draw before it is drawn. Returns the pixels within its reach.
    fn before_draw(&mut self, subject: Subject<'_>, memory: &Memory) -> PixelRect {
        self.counts.check(&subject, &self.place, &mut self.findings);
        self.place.draw = Some(subject.number());
        let Self { place, findings, supply, stale, transfers, depth, sources, .. } = self;
        let context = DrawContext::new(subject, memory, place, self.arithmetic);
        if let Some(VertexRange { start, length }) = vertex_rules::check(&context, supply, sources, findings)
        {
            let range = (start.get(), start.get().saturating_add(length));
            self.vertices.entry(range).or_insert_with(|| place.clone());
        }
        texture_rules::check(&context, supply, stale, transfers, findings);
        depth.check(&context, findings);
        self.palette.check(&context, findings);
        target_rules::check(&context, findings);
        state_rules::check(&context, findings);
        context.reached
    }

    /// Checks a draw by how many pixels it drew, and notes which memory it wrote. `flush` completes earlier draws.
    fn after_draw(
        &mut self,
        subject: Subject<'_>,
        memory: &mut Memory,
        pixels: u64,
        reached: &PixelRect,
        flush: &mut dyn FnMut(&mut Memory),
    ) {
        let registers = subject.registers();
        if pixels > 0 {
            target_rules::check_writes(registers, &self.place, &mut self.findings);
            self.depth.draw(registers, reached);
        } else {
            let (rule, cause, message) = self.search.reason(subject, memory, flush);
            self.findings.add(rule, cause, &self.place, || message);
        }
        // These bytes count as written even if this draw changed none of them, to avoid false findings later.
        self.supply.mark_drawn(memory, registers, reached);
        if let Some(rows) = ByteRows::of_color(&ColorSurface::from_registers(registers), reached) {
            self.stale.change(rows, Writer::Draw(subject.number()));
        }
        let at = self.place.address.unwrap_or_default();
        let total = self.draws.entry(at).or_default();
        total.draws = total.draws.saturating_add(1);
        total.pixels = total.pixels.saturating_add(pixels);
        total.has_texcoords |= registers.get::<VertexType>().texcoord.bytes() > 0;
    }

    /// Checks the run as a whole, after its last command.
    pub(super) fn finish(&mut self, is_complete: bool) {
        self.counts.report(&mut self.findings);
        self.writes.report(&mut self.findings);
        for (&(start, end), place) in &self.vertices {
            let list = self.executed.range(..end).next_back().filter(|(_, list_end)| **list_end > start);
            if let Some((list, _)) = list {
                let [start, list] = [start, *list].map(Address::new);
                let message = || format!("the vertices at {start} overlap the list at {list}");
                self.findings.add(Rule::VerticesInList, SAME, place, message);
            }
        }
        if let Some(hit) = self.supply.limit_hit() {
            let message = || format!("the search for unwritten bytes is incomplete: {hit}");
            self.findings.add(Rule::LimitReached, [u32::MAX, 0], &Place::default(), message);
        }
        let (draws, pixels) = self.draws.values().fold((0_u64, 0_u64), |(draws, pixels), total| {
            (draws.saturating_add(total.draws), pixels.saturating_add(total.pixels))
        });
        // An incomplete run may lack its draws, so it cannot show that there are none.
        if !is_complete {
            return;
        }
        self.stall.finish(&mut self.findings);
        if draws == 0 {
            let message = || "the list has no draw".to_owned();
            self.findings.add(Rule::NoDraws, SAME, &Place::default(), message);
        } else if pixels == 0 {
            let message = || format!("none of the draws ({draws}) covers a pixel");
            self.findings.add(Rule::NothingDrawn, SAME, &Place::default(), message);
        }
    }
}

impl Watch<Rasterizer> for Checker {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if self.check_command(memory, step) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn note(&mut self, note: &Note) {
        let place = Place { command: Some(note.command), address: Some(note.at), ..Place::default() };
        list_rules::note(note, self.jump_back, &place, &mut self.findings);
    }

    fn before(&mut self, raster: &mut Rasterizer, memory: &mut Memory, event: &RunEvent<'_>) {
        match event.kind {
            RunEventKind::Transfer(registers) => {
                let Self { place, findings, supply, stale, transfers, depth, .. } = self;
                if let Some(written) = transfer_rules::check(registers, memory, supply, place, findings) {
                    stale.change(written, Writer::Transfer);
                    transfers.begin(written);
                    depth.write(written);
                }
            }
            RunEventKind::Cpu { event, .. } => self.action(memory, event.at, &event.action),
            RunEventKind::Draw(_) | RunEventKind::Immediate(_) => {
                if let Some(subject) = Subject::of(event.kind) {
                    self.current = (self.before_draw(subject, memory), raster.statistics().pixels);
                }
            }
        }
    }

    fn after(
        &mut self,
        raster: &mut Rasterizer,
        memory: &mut Memory,
        event: &RunEvent<'_>,
        outcome: Outcome,
    ) {
        // At this limit the rasterizer starts to leave out draws, so their pixels say nothing. The run ends soon.
        if let Some(subject) = Subject::of(event.kind).filter(|_| outcome == Outcome::Done)
            && raster.cost() < self.pixels_max
        {
            let (reached, before) = std::mem::replace(&mut self.current, (PixelRect::EMPTY, 0));
            let pixels = raster.statistics().pixels.saturating_sub(before);
            if let Some(StaleTexel { texture, address, draw }) = raster.stale_texel() {
                let message = || {
                    format!(
                        "samples a texel from {address} of the texture at {texture}, in the cache since draw {draw} or \
                         before: TEXFLUSH is missing"
                    )
                };
                self.findings.add(Rule::StaleTexels, SAME, &self.place, message);
            }
            self.after_draw(subject, memory, pixels, &reached, &mut |memory| raster.flush(memory));
        }
    }

    fn reads_memory(&self) -> bool {
        true
    }
}
