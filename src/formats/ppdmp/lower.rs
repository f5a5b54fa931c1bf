//! Converts dumps to captures: a display list with all recorded words, and CPU events between them.
//!
//! This loads the payload unchanged to the start of main RAM, so an address minus [`RAM_BASE`] is a payload offset.
//! The list follows it. Before recorded words, this inserts words to point the GE to the data recorded with them.
//!
//! # Invariants
//! The list has no control flow, and the offset register stays 0. Source:
//! [replay](crate::reference::ge::frame_dumps#replay).

use super::dump::{Dump, FRAMEBUF_HEADER, Flags, Record, RecordKind, UNCHANGED_SINCE};
use super::notes::ReplayNotes;
use super::problem::{PpdmpProblem, RecordProblem};
use crate::ge::address::{Address, RAM_BASE, RAM_SIZE_MAX, Region, VRAM_SIZE};
use crate::ge::capture::{Action, Capture, Event, Source};
use crate::ge::command::Command;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::overrides::Overrides;
use crate::ge::registers::Registers;
use crate::ge::registers::context::{is_current, restore_context};
use crate::ge::registers::field::View;
use crate::ge::registers::flow::is_flow;
use crate::ge::registers::texture::TextureFormat;
use crate::model::FileNote;

/// How many zero bytes to leave at least between payload and list, because draws may read textures beyond their
/// recorded bytes.
const GAP: u32 = 0x1_0000;
/// All CPU events together write no more bytes than this: hundreds of times VRAM's size.
const WORK_MAX: u64 = 1 << 30;
/// How many levels a texture can have.
const LEVELS: usize = 8;

impl Dump {
    /// Converts the dump to a list to run in zeroed VRAM. The [`Source`]s are called `name`; their file offsets are
    /// offsets in the uncompressed payload.
    ///
    /// # Errors
    /// Returns [`PpdmpProblem::Record`] for the first record to be invalid, or to exceed the limits for memory or
    /// work.
    pub fn capture(&self, name: &str) -> Result<Capture, PpdmpProblem> {
        Ok(self.capture_with_notes(name)?.0)
    }

    /// Does the same as [`Self::capture`], and adds notes on everything missing from the records or left out by the
    /// list.
    ///
    /// # Errors
    /// Fails like [`Self::capture`].
    pub fn capture_with_notes(&self, name: &str) -> Result<(Capture, Vec<FileNote>), PpdmpProblem> {
        let mut builder = ReplayBuilder::new(self, name);
        for (number, record) in self.records.iter().enumerate() {
            builder.number = number;
            builder.notes.record(record.kind);
            let lowered = self.check(record).and_then(|()| builder.record(record));
            lowered.map_err(|problem| PpdmpProblem::Record { record: number, problem })?;
        }
        Ok(builder.finish())
    }
}

struct ReplayBuilder<'a> {
    dump: &'a Dump,
    name: &'a str,
    notes: ReplayNotes,
    /// The record to lower now, by its number.
    number: usize,
    start: Address,
    words: Vec<u32>,
    /// Words to insert before the next recorded words.
    queue: Vec<Command>,
    registers: Registers,
    sources: Vec<Source>,
    events: Vec<Event>,
    work: u64,
    /// The argument in the last inserted BASE.
    base: Option<u32>,
    textures: [BoundLevel; LEVELS],
    /// The argument in the last TRANSFERSRCW: row length and upper address bits.
    transfer_width: u32,
    /// Where to put the next MEMCPYDATA.
    copy_target: Option<Address>,
    /// VRAM address and flags for the next palette.
    palette: Option<(Address, Flags)>,
    /// Whether palette memory's contents are recorded.
    has_palette: bool,
    /// Whether draws are textured, use indexed texels, or clear instead.
    textured: bool,
    indexed: bool,
    clears: bool,
}

/// A texture level's address and buffer width in the registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct BoundLevel {
    address: u32,
    width: u32,
}

impl<'a> ReplayBuilder<'a> {
    fn new(dump: &'a Dump, name: &'a str) -> Self {
        let payload_bytes = length(&dump.payload);
        let start = payload_bytes.saturating_add(GAP).next_multiple_of(GAP);
        let payload = Source {
            name: name.to_owned(),
            address: Address::new(RAM_BASE),
            length: payload_bytes,
            file_offset: 0,
        };
        Self {
            dump,
            name,
            notes: ReplayNotes::default(),
            number: 0,
            start: Address::new(RAM_BASE.saturating_add(start)),
            words: Vec::new(),
            queue: Vec::new(),
            registers: Registers::new(),
            sources: vec![payload],
            events: Vec::new(),
            work: 0,
            base: None,
            textures: [BoundLevel::default(); LEVELS],
            transfer_width: 0,
            copy_target: None,
            palette: None,
            has_palette: false,
            textured: false,
            indexed: false,
            clears: false,
        }
    }

    fn finish(mut self) -> (Capture, Vec<FileNote>) {
        // This data was queued for a later command, but no commands follow to use it.
        if !self.queue.is_empty() || self.palette.is_some() {
            self.notes.unused(self.number);
        }
        self.words.extend([Command::new(Opcode::FINISH, 0).word(), Command::new(Opcode::END, 0).word()]);
        let mut memory = Memory::default();
        memory.write(Address::new(RAM_BASE), &self.dump.payload);
        let list: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        memory.write(self.start, &list);
        let notes = self.notes.finish(self.dump.records_offset());
        let Self { registers, start, sources, events, .. } = self;
        let overrides = Overrides::default();
        (Capture { memory, registers, start, stall: None, sources, events, overrides }, notes)
    }

    fn record(&mut self, record: &Record) -> Result<(), RecordProblem> {
        let here = address_of(record.start);
        match record.kind {
            RecordKind::Init => self.init(record),
            RecordKind::Registers => return self.command_words(record),
            RecordKind::Vertices => self.set_pointer(Opcode::VADDR, here),
            RecordKind::Indices => self.set_pointer(Opcode::IADDR, here),
            RecordKind::Clut => return self.clut(record),
            RecordKind::TransferSrc => {
                // TRANSFERSRCW also holds the upper address bits, so it has to change with the address.
                let width = here.get() >> 8 & 0xFF_0000 | self.transfer_width & 0xFFFF;
                self.queue.push(Command::new(Opcode::TRANSFERSRCW, width));
                self.queue.push(Command::new(Opcode::TRANSFERSRC, here.get()));
                self.transfer_width = width;
            }
            RecordKind::MemSet => {
                let [to, value, length] = [0, 1, 2].map(|word| self.dump.word(record, word));
                let [value, ..] = value.to_le_bytes();
                return self.write(Action::Fill { to: Address::new(to), value, length });
            }
            RecordKind::MemCpyDest => self.copy_target = Some(Address::new(self.dump.word(record, 0))),
            RecordKind::MemCpyData => {
                // Some recorders omit the targets, so this skips such copies.
                let Some(to) = self.copy_target else {
                    self.notes.lost_copy(self.number, record.length);
                    return Ok(());
                };
                return self.write(Action::Copy { to, from: here, length: record.length });
            }
            RecordKind::Display => {
                let display = self.dump.display(record)?;
                // Without an address, the screen shows the last framebuffer drawn to.
                let has_address = self.dump.word(record, 0) != 0;
                self.event(if has_address { Action::Display(display) } else { Action::DisplayTarget });
            }
            RecordKind::ClutAddr => {
                let [address, flags] = [0, 1].map(|word| self.dump.word(record, word));
                self.palette = Some((Address::new(address), Flags::from_bits_retain(flags)));
            }
            RecordKind::EdramTrans => {
                let translation = self.dump.translation(record)?;
                self.event(Action::Translate(translation));
            }
            RecordKind::Texture(level) => {
                let known = self.textures.get(usize::from(level)).copied().unwrap_or_default();
                self.texture(level, BoundLevel { address: here.get(), ..known });
            }
            RecordKind::Framebuf(level) => return self.texture_in_vram(level, record),
        }
        Ok(())
    }

    fn init(&mut self, record: &Record) {
        let bytes = self.dump.bytes(record);
        if !is_current(bytes) {
            self.notes.old_context(self.number);
        }
        let registers = restore_context(bytes);
        self.textured = registers.is_on(Opcode::TEXENABLE);
        self.clears = registers.is_on(Opcode::CLEARMODE);
        self.indexed = is_indexed(registers.command(Opcode::TEXFORMAT));
        // Replayers do not take the widths from the context, so these start unknown.
        self.textures = [BoundLevel::default(); LEVELS];
        self.transfer_width = registers.argument(Opcode::TRANSFERSRCW);
        self.base = None;
        if self.words.is_empty() && self.events.is_empty() {
            self.registers = registers;
        } else {
            self.event(Action::Restore(Box::new(registers)));
        }
    }

    /// Emits the queued words, then the recorded words.
    fn command_words(&mut self, record: &Record) -> Result<(), RecordProblem> {
        self.notes.words(self.number, record.length);
        let words = record.length / 4;
        let all = self.words.len().saturating_add(self.queue.len()).saturating_add(words as usize);
        let room = (RAM_BASE.saturating_add(RAM_SIZE_MAX)).saturating_sub(self.start.get());
        // FINISH and END take two more words.
        if all.saturating_add(2).saturating_mul(4) > room as usize {
            return Err(RecordProblem::OutOfMemory);
        }
        let queue = std::mem::take(&mut self.queue);
        self.words.extend(queue.iter().map(|command| command.word()));
        self.sources.push(Source {
            name: self.name.to_owned(),
            address: self.here(),
            length: words.saturating_mul(4),
            file_offset: record.start.into(),
        });
        for (_, word) in self.dump.words(record) {
            let word = self.edit(Command::from_word(word)).word();
            self.words.push(word);
        }
        Ok(())
    }

    /// Adapts a recorded word to its data's new address.
    fn edit(&mut self, command: Command) -> Command {
        let opcode = command.opcode();
        let nop = Command::new(Opcode::NOP, 0);
        match opcode.code() {
            // TEXTURE and FRAMEBUF records set these addresses instead.
            code if (Opcode::TEXADDR0.code()..=Opcode::TEXADDR7.code()).contains(&code) => nop,
            code if (Opcode::TEXBUFWIDTH0.code()..=Opcode::TEXBUFWIDTH7.code()).contains(&code) => {
                let level = usize::from(code.wrapping_sub(Opcode::TEXBUFWIDTH0.code()));
                let Some(level) = self.textures.get_mut(level) else { return command };
                let width = command.argument() & 0xFFFF;
                // Replayers keep the register in this case, even if it still holds the context's width.
                if level.width == width {
                    return nop;
                }
                level.width = width;
                Command::new(opcode, level.address >> 8 & 0xFF_0000 | level.width)
            }
            _ if is_flow(opcode) => {
                self.notes.flow(self.number, opcode);
                nop
            }
            _ => {
                self.watch(command);
                command
            }
        }
    }

    /// Follows the state needed for notes and later words.
    fn watch(&mut self, command: Command) {
        match command.opcode() {
            Opcode::TRANSFERSRCW => self.transfer_width = command.argument(),
            Opcode::TEXENABLE => self.textured = command.argument() & 1 != 0,
            Opcode::CLEARMODE => self.clears = command.argument() & 1 != 0,
            Opcode::TEXFORMAT => self.indexed = is_indexed(command),
            Opcode::LOADCLUT => self.has_palette = true,
            Opcode::PRIM | Opcode::BEZIER | Opcode::SPLINE
                if self.textured && self.indexed && !self.clears && !self.has_palette =>
            {
                self.notes.early_palette(self.number);
            }
            _ => {}
        }
    }

    fn set_pointer(&mut self, opcode: Opcode, to: Address) {
        // Both pointers share BASE, so this writes it only if it changes.
        let base = to.get() >> 8 & 0xFF_0000;
        if self.base.replace(base) != Some(base) {
            self.queue.push(Command::new(Opcode::BASE, base));
        }
        self.queue.push(Command::new(opcode, to.get()));
    }

    fn clut(&mut self, record: &Record) -> Result<(), RecordProblem> {
        let from = address_of(record.start);
        let before = self.number.checked_sub(1).and_then(|before| self.dump.records.get(before));
        if let Some((to, flags)) = self.palette.take() {
            // The replay renders this memory itself.
            if flags.contains(Flags::RENDER_TARGET) {
                return Ok(());
            }
            return self.write(Action::Copy { to, from, length: record.length });
        }
        if before.is_some_and(|before| before.kind == RecordKind::Init) {
            // No LOADCLUT follows, so these are the initial palette contents.
            self.notes.initial_palette(self.number, record.length);
            self.has_palette = true;
            self.event(Action::LoadPalette { from, length: record.length });
            return Ok(());
        }
        self.queue.push(Command::new(Opcode::CLUTADDRUPPER, from.get() >> 8 & 0xFF_0000));
        self.queue.push(Command::new(Opcode::CLUTADDR, from.get()));
        Ok(())
    }

    /// Sets a texture level's address and width, unless they are set already.
    fn texture(&mut self, number: u8, target: BoundLevel) {
        let Some(level) = self.textures.get_mut(usize::from(number)) else { return };
        if *level != target {
            *level = target;
            let width = target.address >> 8 & 0xFF_0000 | target.width;
            self.queue.push(Command::new(Opcode::TEXBUFWIDTH0.plus(number), width));
            self.queue.push(Command::new(Opcode::TEXADDR0.plus(number), target.address));
        }
    }

    fn texture_in_vram(&mut self, level: u8, record: &Record) -> Result<(), RecordProblem> {
        let [address, width, flags] = [0, 1, 2].map(|word| self.dump.word(record, word));
        let address = Address::new(address);
        self.texture(level, BoundLevel { address: address.get(), width: width & 0xFFFF });
        let flags = Flags::from_bits_retain(flags);
        let unchanged = self.dump.version >= UNCHANGED_SINCE && flags.contains(Flags::UNCHANGED);
        // The replay renders this recording's targets itself.
        if unchanged || flags.contains(Flags::RENDER_TARGET) {
            return Ok(());
        }
        let from = address_of(record.start.saturating_add(FRAMEBUF_HEADER));
        let length = record.length.saturating_sub(FRAMEBUF_HEADER);
        self.write(Action::CopyUndrawn { to: address, from, length })
    }

    /// Adds a CPU write to VRAM, and cuts it at VRAM's end. This ignores writes to other memory, because their data
    /// is recorded where it is used.
    fn write(&mut self, mut action: Action) -> Result<(), RecordProblem> {
        let (Action::Copy { to, length, .. }
        | Action::CopyUndrawn { to, length, .. }
        | Action::Fill { to, length, .. }) = &mut action
        else {
            return Ok(());
        };
        let Region::Vram(_, offset) = to.region() else { return Ok(()) };
        let inside = VRAM_SIZE.saturating_sub(offset).min(*length);
        if inside < *length {
            self.notes.cut_write(self.number, length.saturating_sub(inside));
        }
        *length = inside;
        if *length == 0 {
            return Ok(());
        }
        self.work = self.work.saturating_add((*length).into());
        if self.work > WORK_MAX {
            return Err(RecordProblem::TooMuchWork(WORK_MAX));
        }
        self.event(action);
        Ok(())
    }

    fn event(&mut self, action: Action) {
        let at = self.here();
        self.events.push(Event { at, action });
    }

    /// Returns the address for the next word.
    fn here(&self) -> Address {
        let bytes = u32::try_from(self.words.len().saturating_mul(4)).unwrap_or(u32::MAX);
        self.start.offset(bytes)
    }
}

/// Returns whether TEXFORMAT selects texels to look up in the palette.
fn is_indexed(command: Command) -> bool {
    TextureFormat::from_argument(command.argument()).format.is_indexed()
}

/// Converts a payload offset to an address.
const fn address_of(start: u32) -> Address {
    Address::new(RAM_BASE.saturating_add(start))
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
}
