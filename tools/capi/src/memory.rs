//! Reads and writes memory by address, for tools and for memory owned by the instance.

use pspge::Address;
use pspge::run::sink::Sink;

use crate::border::{call, input, output_slice};
use crate::changes::{report_changes, with_memory};
use crate::instance::{Instance, Pspge};
use crate::loan::{Loan, Pending};
use crate::status::{Failure, Status};

/// Checks that memory holds all bytes in this range.
fn check_mapped(loan: &Loan<'_>, address: u32, size: usize) -> Result<u32, Failure> {
    let start = Address::new(address);
    u32::try_from(size).ok().filter(|size| loan.memory.is_mapped(start, *size)).ok_or_else(|| {
        Failure::BadArgument(format!("the {size} bytes from {start} on are not all in memory"))
    })
}

/// Copies bytes from memory as the GE reads them, with everything drawn so far, and through the permuted views of
/// VRAM.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for writes of `size` bytes
/// apart from the instance's memory. During this call, nobody else uses memory given to the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_read_memory(
    instance: *const Pspge,
    address: u32,
    bytes: *mut u8,
    size: usize,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        with_memory(state, |loan| {
            let size = check_mapped(loan, address, size)?;
            // SAFETY: as the caller ensures.
            let bytes = unsafe { output_slice("bytes", bytes, size as usize) }?;
            let Instance { memory, raster, .. } = &mut **loan;
            let mut at = Address::new(address);
            raster.flush_for_read(memory, at, size);
            let mut copied = [0; 4096];
            for chunk in bytes.chunks_mut(copied.len()) {
                let part = &mut copied[..chunk.len()];
                memory.read(at, part);
                for (byte, copied) in chunk.iter_mut().zip(part) {
                    byte.write(*copied);
                }
                at = at.offset(4096);
            }
            Ok(())
        })
    })
}

/// Writes bytes to memory as the CPU does. This needs no report by pspge_memory_changed, and pending draws do not
/// see the new bytes. Threads that draw go on as far as possible, which makes this the fastest way into VRAM while
/// draws are pending.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for reads of `size` bytes
/// apart from the instance's memory. During this call, nobody else uses memory given to the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_write_memory(
    instance: *const Pspge,
    address: u32,
    bytes: *const u8,
    size: usize,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        report_changes(state, Pending::DrawOn, |loan, _| {
            let size = check_mapped(loan, address, size)?;
            // SAFETY: as the caller ensures.
            let bytes = unsafe { input("bytes", bytes, size as usize) }?;
            let Instance { memory, raster, .. } = &mut **loan;
            let at = Address::new(address);
            // Programs often write the same bytes again, and then no draw need be completed.
            let can_compare = raster.flush_for_comparison(memory, at, size);
            if !can_compare || memory.slice(at, bytes.len()) != Some(bytes) {
                raster.flush_for_write(memory, at, size);
                memory.write(at, bytes);
            }
            Ok(())
        })?
    })
}

/// Tells the instance that the host has changed `size` bytes from `address` on. Only PSPGE_FLAG_REPORTS_CHANGES
/// makes this necessary.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. During this call, nobody else uses memory given to the
/// instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_memory_changed(instance: *const Pspge, address: u32, size: u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let mut loan = Loan::new(state, Pending::DrawOn)?;
        check_mapped(&loan, address, size as usize)?;
        let start = Address::new(address);
        if start.is_vram() || start.offset(size).is_vram() {
            // While threads draw, they hold VRAM together with its record of changes.
            loan.settle();
        }
        loan.memory.note_change(start, size);
        loan.finish();
        Ok(())
    })
}
