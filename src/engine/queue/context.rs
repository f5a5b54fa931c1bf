//! Saves and restores contexts in memory.
//!
//! Source: [saved context](crate::reference::ge::lists#saved-context).

use super::machine::Machine;
use crate::ge::address::Address;
use crate::ge::registers::context::CONTEXT_WORDS;
use crate::run::sink::Sink;
use crate::run::watch::Watch;

impl<S: Sink, W: Watch<S>> Machine<'_, S, W> {
    /// Saves registers, matrices and list flow. Memory keeps the words that the kernel does not write.
    pub(super) fn save_context(&mut self, at: Address) {
        for (first, words) in self.interpreter.context_parts() {
            let offset = u32::try_from(first).unwrap_or(u32::MAX).saturating_mul(4);
            self.write(at.offset(offset), &words);
        }
    }

    /// Restores registers, matrices and list flow, as saved by [`Self::save_context`].
    pub(super) fn restore_context(&mut self, at: Address) {
        let words: [u32; CONTEXT_WORDS] = self.words(at);
        let Self { interpreter, memory, sink, limits, .. } = self;
        let flow = interpreter.restore_context(&words, memory, *sink, limits);
        interpreter.set_flow_state(&flow);
    }
}
