//! Finds repeated vertices of indexed draws, so that each one is transformed only once.

use crate::pipeline::vertex::VertexReader;

/// The distinct vertices of an indexed draw.
#[derive(Clone, Debug)]
pub(super) struct IndexDedup {
    /// For each distinct vertex, the position of its first use in the draw.
    pub(super) first_uses: Vec<u32>,
    /// For each vertex of the draw, the number of its distinct vertex.
    pub(super) remap: Vec<u32>,
}

impl IndexDedup {
    /// Finds the distinct vertices; `None` if the draw has no indices, few vertices, or indices spread too
    /// wide for a table; every vertex then counts as distinct.
    pub(super) fn new(reader: &VertexReader<'_>, count: u32) -> Option<Self> {
        /// Shorter draws do not repay the table.
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
