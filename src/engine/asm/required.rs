//! Lists the fields that a command must state, because their default of 0 is almost surely a mistake.
//!
//! The disassembler and the trace always print these fields, so that their text assembles again.

use crate::ge::opcode::Opcode;

/// Commands from `first` to `last`, with the fields they must state.
const REQUIRED: &[(Opcode, Opcode, &[&str])] = &[
    // 0 means no vertices, or points.
    (Opcode::PRIM, Opcode::PRIM, &["primitive", "count"]),
    // 0 means patches without control points.
    (Opcode::BEZIER, Opcode::SPLINE, &["u_count", "v_count"]),
    // The hardware hangs at behaviour 0.
    (Opcode::SIGNAL, Opcode::SIGNAL, &["behavior"]),
    // 0 means a picture or drawing area with a single pixel.
    (Opcode::REGION2, Opcode::REGION2, &["x", "y"]),
    (Opcode::SCISSOR2, Opcode::SCISSOR2, &["x", "y"]),
    // 0 puts all buffer rows at the same place.
    (Opcode::FRAMEBUFWIDTH, Opcode::FRAMEBUFWIDTH, &["width"]),
    (Opcode::ZBUFWIDTH, Opcode::ZBUFWIDTH, &["width"]),
    // The same, and 0 gives an address without memory.
    (Opcode::TEXBUFWIDTH0, Opcode::TEXBUFWIDTH7, &["width", "high"]),
    (Opcode::TRANSFERSRCW, Opcode::TRANSFERSRCW, &["width", "high"]),
    (Opcode::TRANSFERDSTW, Opcode::TRANSFERDSTW, &["width", "high"]),
    // 0 means textures and transfers with a single row or column.
    (Opcode::TEXSIZE0, Opcode::TEXSIZE7, &["width_log2", "height_log2"]),
    (Opcode::TRANSFERSIZE, Opcode::TRANSFERSIZE, &["x", "y"]),
    // 0 compares 0 with 0.
    (Opcode::ALPHATEST, Opcode::STENCILTEST, &["mask"]),
    // 0 gives all texels the first colour.
    (Opcode::CLUTFORMAT, Opcode::CLUTFORMAT, &["mask"]),
];

/// Tells whether assembly text must state this field. A command's only field is not in the list, because its value
/// is stated anyway.
#[doc(hidden)]
#[must_use]
pub fn is_required(opcode: Opcode, field: &str) -> bool {
    REQUIRED.iter().any(|(first, last, fields)| (*first..=*last).contains(&opcode) && fields.contains(&field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_fields_exist() {
        for (first, last, fields) in REQUIRED {
            for opcode in Opcode::all().filter(|opcode| (*first..=*last).contains(opcode)) {
                for field in *fields {
                    let known = opcode.info().fields.iter().any(|known| known.name == *field);
                    assert!(known, "{opcode} has a field {field}");
                }
            }
        }
        assert!(is_required(Opcode::TEXSIZE0.plus(3), "width_log2"), "all levels");
        assert!(!is_required(Opcode::SPLINE, "u_edge"), "0 means open edges");
    }
}
