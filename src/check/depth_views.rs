//! Finds draws that read depth through a view of VRAM in which a PSP does not show it in order.
//!
//! Where a PSP stores depth depends on the target's colour format, so a view that shows depth in order for one
//! format permutes it for another. Source: [depth layout](crate::reference::ge::transfers#depth-layout).

use super::context::DrawContext;
use super::findings::{Findings, SAME};
use super::rows::ByteRows;
use super::rule::Rule;
use crate::ge::address::{Address, Region, VramView};
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::WrittenSurfaces;
use crate::pipeline::texture::Texture;
use crate::raster::pixel_rect::PixelRect;

/// How many depth buffers are remembered, to bound memory and time.
const REMEMBERED: usize = 16;

/// The depth left in VRAM by draws.
#[derive(Clone, Debug, Default)]
pub(super) struct DepthViews {
    drawn: Vec<Drawn>,
}

/// Depth in an area of a buffer. Views permute bytes only within a few hundred bytes, so these rows stand for the
/// bytes in every view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Drawn {
    rows: ByteRows,
    /// Which view shows the values in order.
    view: VramView,
    /// The buffer's address in this view.
    address: Address,
}

impl DepthViews {
    /// Notes the buffers written by a draw inside an area.
    pub(super) fn draw(&mut self, registers: &Registers, area: &PixelRect) {
        let written = WrittenSurfaces::from_registers(registers);
        if let Some(rows) = written.color.and_then(|color| ByteRows::of_color(&color, area)) {
            self.write(rows);
        }
        let Some(depth) = written.depth else { return };
        let Some(rows) = ByteRows::of_buffer(depth.address, depth.stride, 2, area) else { return };
        let drawn = Drawn { rows, view: depth.view, address: depth.view_address() };
        // Several areas of a buffer may hold depth, but if the same bytes were written in two orders, only the newer
        // counts.
        self.drawn.retain(|known| known.view == depth.view && *known != drawn || !known.rows.overlaps(&rows));
        if self.drawn.len() == REMEMBERED {
            self.drawn.remove(0);
        }
        self.drawn.push(drawn);
    }

    /// Notes that these bytes no longer hold depth.
    pub(super) fn write(&mut self, rows: ByteRows) {
        self.drawn.retain(|known| !known.rows.overlaps(&rows));
    }

    /// Checks whether a draw samples depth out of order.
    pub(super) fn check(&self, context: &DrawContext<'_>, findings: &mut Findings) {
        if !context.is_textured || self.drawn.is_empty() {
            return;
        }
        let texture = Texture::from_registers(context.registers, 0);
        let Region::Vram(view, offset) = texture.address.region() else { return };
        let linear = Texture { address: Address::vram(offset), ..texture };
        let Some(rows) = context.sampled(&texture).rows(&linear) else { return };
        let Some(found) = self.drawn.iter().find(|known| known.view != view && known.rows.overlaps(&rows))
        else {
            return;
        };
        let (address, right) = (texture.address, found.address);
        let message = || {
            let bits = if found.view == VramView::Depth32 { 32 } else { 16 };
            format!(
                "samples depth at {address}, but depth drawn with colours of {bits} bits is in order in the view of {right}"
            )
        };
        findings.add(Rule::DepthView, SAME, context.place, message);
    }
}
