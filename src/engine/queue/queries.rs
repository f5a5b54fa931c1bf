//! The calls that read or change the GE's registers.

use super::machine::Machine;
use super::{GeError, Queue, check_pointer};
use crate::ge::address::Address;
use crate::ge::edram::Translation;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::context::CONTEXT_BYTES;
use crate::run::sink::Sink;
use crate::run::watch::Watch;

/// How many elements `sceGeGetMtx` returns for each matrix but the projection.
const ELEMENTS: usize = 12;

impl Queue {
    /// `sceGeSaveContext`: writes up to 512 words to memory, with the registers and matrices.
    ///
    /// # Errors
    /// [`GeError::InvalidPointer`], [`GeError::Privilege`]; [`GeError::Failed`] while the GE runs, also if it is stalled.
    pub fn save_context<S: Sink, W: Watch<S>>(
        &self,
        machine: &mut Machine<'_, S, W>,
        context: u32,
    ) -> Result<(), GeError> {
        check_context(context)?;
        if self.ge.is_running {
            return Err(GeError::Failed);
        }
        machine.save_context(Address::new(context));
        Ok(())
    }

    /// `sceGeRestoreContext`: loads the words written by [`Self::save_context`].
    ///
    /// # Errors
    /// [`GeError::InvalidPointer`], [`GeError::Privilege`]; [`GeError::Busy`] while the GE runs, also if it is stalled.
    pub fn restore_context<S: Sink, W: Watch<S>>(
        &self,
        machine: &mut Machine<'_, S, W>,
        context: u32,
    ) -> Result<(), GeError> {
        check_context(context)?;
        if self.ge.is_running {
            return Err(GeError::Busy);
        }
        machine.restore_context(Address::new(context));
        Ok(())
    }

    /// `sceGeGetCmd`: returns the last word with this command number.
    ///
    /// # Errors
    /// [`GeError::InvalidIndex`] if the number is negative or above 254.
    pub fn get_cmd<S: Sink, W: Watch<S>>(
        &self,
        machine: &Machine<'_, S, W>,
        number: i32,
    ) -> Result<u32, GeError> {
        // The kernel module also refuses 255; no test covers this.
        let number = u8::try_from(number).ok().filter(|number| *number < u8::MAX);
        let opcode = Opcode::new(number.ok_or(GeError::InvalidIndex)?);
        Ok(machine.interpreter.registers().command(opcode).word())
    }

    /// `sceGeGetMtx`: writes a matrix as words with 24 bits: 0 to 7 are bones, 8 to 11 world, view, projection and texture.
    ///
    /// # Errors
    /// [`GeError::InvalidIndex`], [`GeError::Privilege`].
    pub fn get_mtx<S: Sink, W: Watch<S>>(
        &self,
        machine: &mut Machine<'_, S, W>,
        number: i32,
        target: u32,
    ) -> Result<(), GeError> {
        let number = usize::try_from(number).map_err(|_| GeError::InvalidIndex)?;
        let (matrix, start) = match number {
            0..=7 => (Matrix::Bone, number.saturating_mul(ELEMENTS)),
            8 => (Matrix::World, 0),
            9 => (Matrix::View, 0),
            10 => (Matrix::Projection, 0),
            11 => (Matrix::Texture, 0),
            _ => return Err(GeError::InvalidIndex),
        };
        check_pointer(target, 0)?;
        let elements = if matrix == Matrix::Bone { ELEMENTS } else { matrix.elements() };
        let all = machine.interpreter.registers().visible_matrix(matrix).iter();
        let words: Vec<u32> = all.skip(start).take(elements).map(|element| element.to_bits()).collect();
        machine.write(Address::new(target), &words);
        Ok(())
    }

    /// `sceGeGetStack`: writes the eight words of an open call by signal of the first list, unless the target is 0.
    /// Returns how many calls are open, even for negative numbers; 0 if no list is active.
    ///
    /// # Errors
    /// [`GeError::InvalidIndex`], [`GeError::Privilege`].
    pub fn get_stack<S: Sink, W: Watch<S>>(
        &self,
        machine: &mut Machine<'_, S, W>,
        number: i32,
        target: u32,
    ) -> Result<u32, GeError> {
        let Some(head) = self.order.front() else { return Ok(0) };
        let frames = &self.lists[*head].frames;
        if let Ok(number) = usize::try_from(number) {
            let frame = frames.get(number).ok_or(GeError::InvalidIndex)?;
            check_pointer(target, 0)?;
            if target != 0 {
                machine.write(Address::new(target), &frame.words);
            }
        }
        Ok(u32::try_from(frames.len()).unwrap_or(u32::MAX))
    }

    /// `sceGeEdramSetAddrTranslation`: sets a new translation and returns the former.
    ///
    /// # Errors
    /// [`GeError::InvalidValue`] if it is not 0, 0x200, 0x400, 0x800 or 0x1000.
    pub fn set_edram_translation<S: Sink, W: Watch<S>>(
        &self,
        machine: &mut Machine<'_, S, W>,
        mode: u32,
    ) -> Result<u32, GeError> {
        let translation = Translation::from_mode(mode).ok_or(GeError::InvalidValue)?;
        machine.sink.flush(machine.memory);
        let former = machine.memory.selected_translation().mode();
        machine.memory.set_translation(translation);
        Ok(former)
    }
}

fn check_context(context: u32) -> Result<(), GeError> {
    if context & 3 != 0 {
        return Err(GeError::InvalidPointer);
    }
    check_pointer(context, CONTEXT_BYTES)
}
