//! A console without a GE, and the lists to capture in these tests.

use std::cell::RefCell;
use std::convert::Infallible;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use pspge::ge::address::Address;
use pspge::ge::capture::Capture;
use pspge::ge::memory::Memory;
use pspge::ge::registers::context::save_context;
use pspge::run::replay;
use pspge::run::sink::NullObserver;
use pspge::{Arithmetic, Asset, Limits, Rasterizer, RunSpec};
use pspge_capture::{Console, LeftOut};

/// This machine's main memory: a PSP's, including the kernel's share.
pub(crate) const MEMORY: Range<u32> = 0x0800_0000..0x0A00_0000;

/// A list with everything that a capture has to follow.
pub(crate) const ALL: &str = include_str!("../lists/all.ge");

/// A console: memory, which a test may change, and a file being written.
pub(crate) struct Machine {
    pub(crate) memory: Rc<RefCell<Memory>>,
    pub(crate) file: Vec<u8>,
    at: usize,
}

impl Machine {
    pub(crate) fn new(memory: Rc<RefCell<Memory>>) -> Self {
        Self { memory, file: Vec::new(), at: 0 }
    }
}

impl Console for Machine {
    type Error = Infallible;

    fn read(&self, address: u32, bytes: &mut [u8]) {
        let last = address + u32::try_from(bytes.len().max(1)).expect("few") - 1;
        let is_vram = |address| (0x0400_0000..0x0480_0000).contains(&address);
        let is_inside =
            MEMORY.contains(&address) && MEMORY.contains(&last) || is_vram(address) && is_vram(last);
        assert!(is_inside, "a bus error at {address:08x}");
        self.memory.borrow().read(Address::new(address), bytes);
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        let end = self.at + bytes.len();
        self.file.resize(self.file.len().max(end), 0);
        self.file[self.at..end].copy_from_slice(bytes);
        self.at = end;
        Ok(())
    }

    fn seek(&mut self, offset: u32) -> Result<(), Infallible> {
        self.at = offset as usize;
        Ok(())
    }

    fn memory(&self) -> Range<u32> {
        MEMORY
    }
}

/// Returns the context that the kernel would save.
pub(crate) fn context(capture: &Capture) -> [u32; 512] {
    let bytes = save_context(&capture.registers);
    let (words, _) = bytes.as_chunks();
    std::array::from_fn(|number| u32::from_le_bytes(words[number]))
}

/// Captures a list with the crate, up to its stall address if it has one.
pub(crate) fn capture(capture: &Capture) -> (Vec<u8>, Option<LeftOut>) {
    let machine = Machine::new(Rc::new(RefCell::new(capture.memory.clone())));
    let Ok(mut started) = pspge_capture::Capture::start(machine, &context(capture));
    let Ok(()) = started.list(capture.start.get(), capture.stall.map_or(0, Address::get));
    let Ok((machine, left_out)) = started.finish();
    (machine.file, left_out)
}

pub(crate) fn open(dump: &[u8]) -> Asset {
    let asset = pspge::open("frame.ppdmp", dump).expect("a dump");
    assert!(asset.dump().is_some(), "it is a frame dump");
    asset
}

/// Runs a capture and returns VRAM afterwards.
pub(crate) fn vram_after(capture: &Capture) -> Vec<u8> {
    let mut capture = capture.clone();
    let mut raster = Rasterizer::new(pspge::RasterOptions::default());
    replay::run(&mut capture, Arithmetic::Hardware, &mut raster, &mut NullObserver, &Limits::default());
    capture.memory.vram().to_vec()
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Returns the lists from the repository's tests by name, and a model.
pub(crate) fn lists() -> Vec<(String, Capture)> {
    let cases = repository().join("ge-tests/cases");
    let prelude = std::fs::read_to_string(cases.join("prelude.ge")).expect("the prelude");
    let mut lists = Vec::new();
    for group in std::fs::read_dir(&cases).expect("the groups").flatten() {
        for case in std::fs::read_dir(group.path()).into_iter().flatten().flatten() {
            let Ok(list) = std::fs::read_to_string(case.path().join("list.ge")) else { continue };
            let settings = std::fs::read_to_string(case.path().join("case.toml")).expect("the settings");
            let text = if settings.contains("prelude.ge") { format!("{prelude}\n{list}") } else { list };
            let name = format!("{}/{}", group.file_name().display(), case.file_name().display());
            // Lists with includes are not assembled here, and lists with boxes are drawn whole, so both are left
            // out.
            if let Ok(program) = pspge::asm::assemble(&text)
                && !text.contains("BBOX")
            {
                lists.push((name, program.capture()));
            }
        }
    }
    lists.push(("all".to_owned(), pspge::asm::assemble(ALL).expect("a correct list").capture()));
    let model = std::fs::read(repository().join("tools/sample/lampwing.pac")).expect("the sample");
    let shot = pspge::open("lampwing.pac", &model).expect("a model").shot(&RunSpec::default());
    lists.push(("lampwing".to_owned(), shot.expect("a drawable model").capture));
    lists.sort_by(|(a, _), (b, _)| a.cmp(b));
    lists
}
