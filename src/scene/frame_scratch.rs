//! Memory that pictures reuse.

use crate::ge::memory::Memory;

/// Memory that [`FrameRenderer::render_with`](super::frame::FrameRenderer::render_with) and
/// [`ModelRenderer::render_with`](super::render::ModelRenderer::render_with) reuse. Another picture of the same capture or
/// model copies only the bytes that the picture before has changed, and no memory of the operating system is cleared.
#[derive(Debug, Default)]
pub struct FrameScratch {
    memory: Option<Memory>,
}

impl FrameScratch {
    /// Returns a copy of memory.
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
