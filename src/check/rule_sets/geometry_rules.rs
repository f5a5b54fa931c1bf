//! Finds out why none of a draw's primitives reaches a pixel, from what the geometry stages count.

use crate::asm::text::describe;
use crate::check::findings::{Reason, SAME};
use crate::check::rule::Rule;
use crate::check::subject::Subject;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::vertex::VertexType;
use crate::ge::registers::{Matrix, Registers};
use crate::pipeline::draw::census::Census;
use crate::pipeline::primitive::{ScreenVertex, Shape};
use crate::raster::pixel_rect::PixelRect;

/// Finds out why no primitive reaches the screen.
pub(crate) fn reason(subject: Subject<'_>, memory: &Memory, arithmetic: Arithmetic) -> Reason {
    let registers: &Registers = subject.registers();
    let Subject::Draw(draw) = subject else {
        return (Rule::AllCulled, cull_cause(registers), culled_text(registers, 1));
    };
    let vertex_type = subject.vertex_type();
    if vertex_type.position.bytes() == 0 {
        let vtype = describe(registers.command(Opcode::VTYPE));
        let message = format!("covers 0 pixels: the vertices have no position ({vtype})");
        return (Rule::NoPosition, SAME, message);
    }
    let census = draw.census(memory, arithmetic);
    if census.primitives == 0 {
        let (count, primitive) = (draw.count, subject.primitive());
        let message = format!("covers 0 pixels: {primitive} needs more vertices than {count}");
        return (Rule::TooFewVertices, [primitive.number().into(), 0], message);
    }
    // A zero matrix explains more than the counts that follow from it, so it comes first.
    zero_setup(subject).unwrap_or_else(|| by_census(registers, &census))
}

/// Checks for matrices and viewport scales that are zero.
fn zero_setup(subject: Subject<'_>) -> Option<Reason> {
    if subject.is_through() || matches!(subject, Subject::Immediate(_)) {
        return None;
    }
    let registers: &Registers = subject.registers();
    let is_zero = |matrix: Matrix| registers.matrix(matrix).iter().all(|element| element.to_f32() == 0.0);
    let matrices = [(Matrix::World, "WORLD"), (Matrix::View, "VIEW"), (Matrix::Projection, "PROJ")];
    let names: Vec<&str> =
        matrices.into_iter().filter(|(matrix, _)| is_zero(*matrix)).map(|(_, name)| name).collect();
    if !names.is_empty() {
        let message = format!("covers 0 pixels: all elements of {} are 0", names.join(" and "));
        return Some((Rule::ZeroMatrix, SAME, message));
    }
    let scales = [Opcode::VIEWPORTXSCALE, Opcode::VIEWPORTYSCALE];
    let zero = scales.into_iter().find(|scale| registers.float(*scale) == 0.0)?;
    Some((Rule::ZeroViewport, [zero.code().into(), 0], format!("covers 0 pixels: {zero} is 0")))
}

fn by_census(registers: &Registers, census: &Census) -> Reason {
    let all = census.primitives;
    let covers = |text: String| format!("covers 0 pixels: {text}");
    // If all primitives share the same fate, the message names it. Otherwise it lists the counts.
    match *census {
        Census { culled, .. } if culled == all => {
            (Rule::AllCulled, cull_cause(registers), culled_text(registers, all))
        }
        Census { culled, flat, .. } if culled.saturating_add(flat) == all && culled > 0 => {
            let message = format!("{}, {flat} of them without area", culled_text(registers, all));
            (Rule::AllCulled, cull_cause(registers), message)
        }
        Census { flat, .. } if flat == all => no_area(registers, all),
        Census { outside_view, .. } if outside_view == all => {
            let message = covers(format!("all primitives ({all}) are outside the view volume"));
            (Rule::OutsideView, SAME, message)
        }
        Census { behind, .. } if behind == all => {
            let message = covers(format!("w is 0 or negative in all primitives ({all})"));
            (Rule::BehindCamera, SAME, message)
        }
        Census { outside_screen, .. } if outside_screen == all => {
            let centers = [Opcode::VIEWPORTXCENTER, Opcode::VIEWPORTYCENTER]
                .map(|opcode| describe(registers.command(opcode)).to_string());
            let text = format!(
                "all primitives ({all}) leave the screen space of 4096x4096 ({})",
                centers.join(", ")
            );
            (Rule::OutsideScreenSpace, SAME, covers(text))
        }
        Census { outside_depth, .. } if outside_depth == all => {
            let text = "leave the depth range, and DEPTHCLAMPENABLE is 0";
            (Rule::OutsideDepth, SAME, covers(format!("all primitives ({all}) {text}")))
        }
        Census { culled, flat, outside_view, behind, outside_screen, outside_depth, .. } => {
            let parts = [
                (culled, "culled"),
                (flat, "without area"),
                (outside_view, "outside the view volume"),
                (behind, "with w of 0 or less"),
                (outside_screen, "outside the screen space"),
                (outside_depth, "outside the depth range"),
            ];
            let parts: Vec<String> = parts
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, text)| format!("{count} {text}"))
                .collect();
            let text = format!("all primitives ({all}) are dropped: {}", parts.join(", "));
            (Rule::AllDropped, SAME, covers(text))
        }
    }
}

fn cull_cause(registers: &Registers) -> [u32; 2] {
    [registers.argument(Opcode::CULL) & 1, 0]
}

fn culled_text(registers: &Registers, count: u64) -> String {
    let cull = describe(registers.command(Opcode::CULL));
    format!("covers 0 pixels: all primitives ({count}) are culled ({cull})")
}

fn no_area(registers: &Registers, count: u64) -> Reason {
    let mut world = registers.matrix(Matrix::World).iter().map(|element| f64::from(element.to_f32()));
    let mut axis = || [(); 3].map(|()| world.next().unwrap_or(0.0));
    let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (axis(), axis(), axis());
    // A flat world matrix is a common mistake and needs another remedy, so it is told apart from flat vertices.
    let determinant = ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx);
    let is_through = registers.get::<VertexType>().through;
    if determinant == 0.0 && !is_through {
        let message =
            format!("covers 0 pixels: WORLD has determinant 0, so no primitive ({count}) has an area");
        return (Rule::SingularMatrix, SAME, message);
    }
    (Rule::NoArea, SAME, format!("covers 0 pixels: no primitive ({count}) has an area"))
}

/// Finds out why primitives on the screen cover no pixel in a buffer. `around` is the box around them.
pub(super) fn uncovered(
    subject: Subject<'_>,
    memory: &Memory,
    arithmetic: Arithmetic,
    around: &PixelRect,
) -> Reason {
    let registers: &Registers = subject.registers();
    let (mut count, mut flat) = (0_u64, 0_u64);
    subject.to_screen(memory, arithmetic, &mut |primitive| {
        count = count.saturating_add(1);
        let at = |vertex: &ScreenVertex| [i128::from(vertex.x), i128::from(vertex.y)];
        let is_flat = match &primitive.shape {
            Shape::Point(_) => false,
            Shape::Line([a, b]) => at(a) == at(b),
            Shape::Rectangle([a, b]) => a.x == b.x || a.y == b.y,
            Shape::Triangle(corners) => {
                // The cross product of two sides is 0 if they are parallel. 128 bits can hold it for any corners.
                let [[ax, ay], [bx, by], [cx, cy]] = corners.each_ref().map(at);
                let [x, y] = [bx.saturating_sub(ax), by.saturating_sub(ay)];
                let [across, down] = [cx.saturating_sub(ax), cy.saturating_sub(ay)];
                x.saturating_mul(down) == across.saturating_mul(y)
            }
        };
        flat = flat.saturating_add(is_flat.into());
    });
    if let Some(reason) = zero_setup(subject) {
        return reason;
    }
    if flat == count {
        return no_area(registers, count);
    }
    if around.intersection(&PixelRect::buffer()).is_empty() {
        let PixelRect { x, y } = around;
        let last = |end: i64| end.saturating_sub(1);
        let message = format!(
            "covers 0 pixels: columns {} to {} and rows {} to {} are outside the buffer",
            x.start,
            last(x.end),
            y.start,
            last(y.end)
        );
        return (Rule::OutsideBuffer, SAME, message);
    }
    (Rule::TooSmall, SAME, format!("covers 0 pixels: no primitive ({count}) covers the centre of a pixel"))
}
