//! Repeated vertices of indexed draws, so that each is transformed once.

use crate::pipeline::vertex::VertexReader;

/// Which vertices of an indexed draw are the same.
#[derive(Clone, Debug)]
pub(super) struct IndexDedup {
    /// Where in the draw each distinct vertex comes first.
    pub(super) first_uses: Vec<u32>,
    /// Which distinct vertex each one is.
    pub(super) remap: Vec<u32>,
}

impl IndexDedup {
    /// Finds them where indices lie close together; else, and without indices, each vertex is taken for itself.
    pub(super) fn new(reader: &VertexReader<'_>, count: u32) -> Option<Self> {
        /// Fewer vertices are not worth it.
        const MIN_COUNT: u32 = 12;
        if !reader.is_indexed() || count < MIN_COUNT {
            return None;
        }
        let indices: Vec<u32> = (0..count).map(|nth| reader.index(nth)).collect();
        let (lowest, highest) = (*indices.iter().min()?, *indices.iter().max()?);
        let span = highest.wrapping_sub(lowest) as usize;
        if span > indices.len().saturating_mul(8) {
            return None;
        }
        let mut slots = vec![u32::MAX; span.saturating_add(1)];
        let (mut first_uses, mut remap) = (Vec::new(), Vec::with_capacity(indices.len()));
        for (nth, index) in (0..).zip(&indices) {
            let slot = slots.get_mut(index.wrapping_sub(lowest) as usize)?;
            if *slot == u32::MAX {
                *slot = u32::try_from(first_uses.len()).ok()?;
                first_uses.push(nth);
            }
            remap.push(*slot);
        }
        Some(Self { first_uses, remap })
    }
}
