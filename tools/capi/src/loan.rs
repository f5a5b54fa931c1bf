//! Lends the host's memory to the engine during a call, to be used in place.
//!
//! Only this file holds the host's pointers and makes slices from them. Each slice lives for exactly one loan. Its
//! lifetime may therefore be called `'static`, as [`pspge::Memory::lend`] asks, because nobody can keep it.
//! [`pspge::Memory::end_loan`] returns each slice, or fails if a thread still draws; the process then ends, because
//! the host would share bytes with this thread.
//!
//! A loan ends with its call, unless the host leaves draws pending. Then it may outlast the call, to let other
//! threads draw meanwhile. The host has promised to leave these draws' bytes alone, and the next loan takes over the
//! slices.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use pspge::ge::address::{RAM_BASE, RAM_SIZE_MAX};
use pspge::ge::memory::host::{HostLayout, HostMemory};
use pspge::{Address, Memory};

use crate::border;
use crate::config::{Config, FLAG_LINEAR_VRAM, Region};
use crate::instance::Instance;
use crate::status::Failure;

/// At most this many extra regions, because each lookup outside a PSP's memory goes through them.
const REGIONS_MAX: usize = 64;

/// Bytes that belong to the host.
#[derive(Clone, Copy, Debug)]
struct HostBytes(NonNull<[u8]>);

// SAFETY: the host promises that its bytes may be used on any thread during a call, and calls on an instance exclude
// each other.
unsafe impl Send for HostBytes {}

impl HostBytes {
    /// Checks a pointer and a size. Returns `None` if the host does not provide the bytes.
    fn new(name: &'static str, bytes: *mut u8, size: usize) -> Result<Option<Self>, Failure> {
        border::check_extent(name, bytes, size)?;
        let Some(bytes) = NonNull::new(bytes) else { return Ok(None) };
        Ok(Some(Self(NonNull::slice_from_raw_parts(bytes, size))))
    }

    const fn size(&self) -> usize {
        self.0.len()
    }

    /// Makes a slice for use during a call.
    ///
    /// # Safety
    /// The bytes live, and nobody else uses them until the slice is dropped.
    const unsafe fn lend(&self) -> &'static mut [u8] {
        // SAFETY: not null (by type) and of possible extent (checked in `new`); the caller ensures the rest.
        unsafe { &mut *self.0.as_ptr() }
    }
}

/// All memory that the host provides.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostPointers {
    ram: Option<HostBytes>,
    vram: Option<HostBytes>,
    scratchpad: Option<HostBytes>,
    regions: Vec<(Address, HostBytes)>,
    linear_views: bool,
}

impl HostPointers {
    /// Checks the memory in a configuration.
    ///
    /// # Safety
    /// The configuration's `regions` is null, or points to `region_count` regions. The memory is valid for reads and
    /// writes as long as these pointers are used, and no parts overlap.
    pub(crate) unsafe fn new(config: &Config) -> Result<Self, Failure> {
        if config.region_count > REGIONS_MAX {
            let count = config.region_count;
            return Err(Failure::BadArgument(format!("{count} regions are more than {REGIONS_MAX}")));
        }
        // SAFETY: as the caller ensures.
        let regions = unsafe { border::input("regions", config.regions, config.region_count) }?;
        let region = |region: &Region| {
            if Address::new(region.address).get() != region.address {
                let text = format!("a region starts at 0x{:08x}, beyond 28 bits", region.address);
                return Err(Failure::BadArgument(text));
            }
            let bytes = HostBytes::new("the bytes of a region", region.bytes, region.size)?
                .ok_or(Failure::NullPointer("the bytes of a region"))?;
            Ok((Address::new(region.address), bytes))
        };
        border::check_extent("ram", config.ram, config.ram_size)?;
        // Bytes beyond the largest PSP's RAM become a region right after it.
        let largest = RAM_SIZE_MAX as usize;
        let ram_size =
            if config.ram_size > 2 * largest { config.ram_size } else { config.ram_size.min(largest) };
        let mut regions = regions.iter().map(region).collect::<Result<Vec<_>, _>>()?;
        let rest = config.ram.wrapping_add(ram_size);
        let rest = if config.ram_size > ram_size { rest } else { std::ptr::null_mut() };
        if let Some(rest) = HostBytes::new("ram", rest, config.ram_size - ram_size)? {
            regions.push((Address::new(RAM_BASE).offset(RAM_SIZE_MAX), rest));
        }
        Ok(Self {
            ram: HostBytes::new("ram", config.ram, ram_size)?,
            vram: HostBytes::new("vram", config.vram, config.vram_size)?,
            scratchpad: HostBytes::new("scratchpad", config.scratchpad, config.scratchpad_size)?,
            regions,
            linear_views: config.flags & FLAG_LINEAR_VRAM != 0,
        })
    }

    /// Creates memory laid out for these parts, but without bytes.
    pub(crate) fn memory(&self) -> Result<Memory, Failure> {
        Ok(Memory::for_host(&HostLayout {
            ram: self.ram.as_ref().map(HostBytes::size),
            vram: self.vram.is_some(),
            scratchpad: self.scratchpad.is_some(),
            extra: self.regions.iter().map(|(address, bytes)| (*address, bytes.size())).collect(),
            linear_views: self.linear_views,
        })?)
    }

    /// Makes slices for all parts, for use during a call.
    ///
    /// # Safety
    /// The parts live, and nobody else uses them until the slices are dropped.
    unsafe fn lend(&self) -> HostMemory {
        // SAFETY: as the caller ensures.
        let lend = |bytes: &HostBytes| unsafe { bytes.lend() };
        HostMemory {
            ram: self.ram.as_ref().map(lend),
            vram: self.vram.as_ref().map(lend),
            scratchpad: self.scratchpad.as_ref().map(lend),
            extra: self.regions.iter().map(|(_, bytes)| lend(bytes)).collect(),
        }
    }
}

/// An instance that may use the host's memory.
#[derive(Debug)]
pub(crate) struct Loan<'i> {
    instance: &'i mut Instance,
    pending: Pending,
    /// Whether the loan outlasts the call, because threads draw.
    goes_on: bool,
}

/// How a call treats draws that other threads still fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pending {
    /// Complete them before the call and after it.
    Complete,
    /// Let them go on, even after the call.
    DrawOn,
}

impl<'i> Loan<'i> {
    /// Lends the host's memory to an instance until this is dropped, or takes over a loan that an earlier call left.
    pub(crate) fn new(instance: &'i mut Instance, pending: Pending) -> Result<Self, Failure> {
        if !instance.memory.is_in_use() {
            // SAFETY: the host has promised to `pspge_create` that its memory lives as long as the instance, and to
            // every call that nobody else uses it during the call. The loan ends in this call, when `self` is
            // dropped, also by a panic. If it outlasts the call for pending draws, the host has promised to leave
            // their bytes alone.
            let host = unsafe { instance.pointers.lend() };
            instance.memory.lend(host)?;
            if !instance.reports_changes {
                instance.memory.note_all_changed();
            }
        }
        let mut loan = Self { instance, pending, goes_on: false };
        if pending == Pending::Complete {
            loan.settle();
        }
        Ok(loan)
    }

    /// Completes draws at a call's end, unless they may go on. Returns whether threads draw on.
    pub(crate) fn finish(&mut self) -> bool {
        // Draws may not go on without reports, because the next call has to look for changes, nor while a recording
        // looks at VRAM.
        let may_go_on =
            self.pending == Pending::DrawOn && self.reports_changes && self.recording.running().is_none();
        self.goes_on = may_go_on && self.memory.is_in_use();
        if !self.goes_on {
            self.settle();
        }
        self.goes_on
    }

    /// Completes draws that other threads still fill, because these threads use the host's memory. Depth not yet
    /// written back stays pending.
    pub(crate) fn settle(&mut self) {
        let Instance { memory, raster, .. } = &mut **self;
        if memory.is_in_use() {
            raster.settle(memory);
        }
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        if self.goes_on || self.memory.end_loan().is_ok() {
            return;
        }
        // Threads may still draw here, and they must be done before the host gets its memory back.
        self.settle();
        if self.memory.end_loan().is_err() {
            std::process::abort();
        }
    }
}

impl Deref for Loan<'_> {
    type Target = Instance;

    fn deref(&self) -> &Instance {
        self.instance
    }
}

impl DerefMut for Loan<'_> {
    fn deref_mut(&mut self) -> &mut Instance {
        self.instance
    }
}
