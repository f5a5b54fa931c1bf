//! Keeps memory from each picture for the next.

use crate::ge::memory::Memory;

/// Memory that [`FrameRenderer::render_with`](super::frame::FrameRenderer::render_with) and
/// [`ModelRenderer::render_with`](super::render::ModelRenderer::render_with) reuse. This is for drawing the same
/// capture or model many times: only bytes changed by the last picture are copied, and the system clears no new memory.
#[derive(Debug, Default)]
pub struct FrameScratch {
    memory: Option<Memory>,
}

impl FrameScratch {
    /// Resets the memory to a copy of `source`.
    pub(super) fn copy_of(&mut self, source: &Memory) -> &mut Memory {
        match &mut self.memory {
            Some(memory) => {
                memory.clone_from(source);
                memory
            }
            unused => unused.insert(source.clone()),
        }
    }
}
