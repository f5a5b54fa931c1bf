//! Parses changes to registers and matrices, as users write them to override state: `BLENDMODE.source=SOURCE_ALPHA`,
//! `WORLD[9]=1.5`.
//!
//! Registers, fields and values have their names from assembly text. Matrices are called WORLD, VIEW, PROJECTION,
//! TEXTURE and BONE; their elements count from 0, as the data commands write them. DEPTH may replace the Z in a
//! register's name.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::asm::parse_setting;
//! use pspge::ge::overrides::Change;
//! use pspge::Opcode;
//!
//! let changes = parse_setting("ZTEST=ALWAYS")?;
//! assert_eq!(changes, [Change::Register { opcode: Opcode::ZTEST, mask: 7, bits: 1 }]);
//! assert_eq!(parse_setting("WORLD=1,0,0, 0,1,0, 0,0,1, 5,0,0")?.len(), 12, "all elements");
//! # Ok::<(), pspge::asm::SettingError>(())
//! ```

use super::assemble::{parse_field_value, parse_integer};
use super::error::AssemblyError;
use super::error::similar::closest_name;
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;
use crate::ge::overrides::{Change, reason_against};
use crate::ge::registers::Matrix;

/// Why a text does not change a register or matrix.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// The text has no equals sign.
    #[error("expected REGISTER.FIELD=VALUE, REGISTER=VALUE or MATRIX[ELEMENT]=VALUE")]
    NoValue,
    /// No register or matrix has this name.
    #[error("unknown register '{name}'{}", did_you_mean(.similar.as_deref()))]
    UnknownRegister {
        /// The name given.
        name: String,
        /// A register with a similar name, to suggest it.
        similar: Option<String>,
    },
    /// The register cannot be overridden.
    #[error("{register} cannot be set for a draw: {reason}")]
    NotOverridable {
        /// The register.
        register: &'static str,
        /// The reason.
        reason: &'static str,
    },
    /// The register has no such field.
    #[error("{register} has no field '{name}'; it has {fields}")]
    UnknownField {
        /// The register.
        register: &'static str,
        /// The name given.
        name: String,
        /// The register's fields.
        fields: String,
    },
    /// A register with several fields needs a field's name, or a whole number for all fields.
    #[error("{register} has several fields; name one of {fields}, or give a number for all 24 bits")]
    SeveralFields {
        /// The register.
        register: &'static str,
        /// The register's fields.
        fields: String,
    },
    /// The value does not fit.
    #[error("{name}: {}", .error.kind)]
    Value {
        /// The register, with its field.
        name: String,
        /// The error.
        error: Box<AssemblyError>,
    },
    /// A draw must have vertices.
    #[error("PRIM.count cannot be 0: leave the draw out instead")]
    NoVertices,
    /// The matrix has no such element.
    #[error("{matrix} has elements 0 to {last}, not '{element}'")]
    NoElement {
        /// The matrix's name.
        matrix: &'static str,
        /// The element given.
        element: String,
        /// The last element's number.
        last: usize,
    },
    /// A matrix needs as many values as it has elements.
    #[error("{matrix} has {elements} elements, not {given}")]
    ElementCount {
        /// The matrix's name.
        matrix: &'static str,
        /// How many elements it has.
        elements: usize,
        /// How many values were given.
        given: usize,
    },
    /// A matrix element is not a finite number.
    #[error("'{0}' is not a number")]
    NotANumber(String),
}

fn did_you_mean(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |similar| format!("; did you mean {similar}?"))
}

const MATRICES: [(&str, Matrix); 5] = [
    ("BONE", Matrix::Bone),
    ("WORLD", Matrix::World),
    ("VIEW", Matrix::View),
    ("PROJECTION", Matrix::Projection),
    ("TEXTURE", Matrix::Texture),
];

/// Parses a change to a register, a field, a matrix or a matrix element. A whole matrix gives a change for each
/// element.
///
/// # Errors
/// Returns an error if this text is no change, or if the register does not act at draws or transfers.
#[doc(hidden)]
pub fn parse_setting(text: &str) -> Result<Vec<Change>, SettingError> {
    let (name, value) = text.split_once('=').ok_or(SettingError::NoValue)?;
    let (name, value) = (name.trim(), value.trim());
    let (base, element) = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        Some((base, element)) => (base.trim(), Some(element.trim())),
        None => (name, None),
    };
    if let Some((name, matrix)) = MATRICES.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(base)) {
        return matrix_changes(name, matrix, element, value);
    }
    let (register, field) = match name.split_once('.') {
        Some((register, field)) => (register.trim(), Some(field.trim())),
        None => (name, None),
    };
    // Users may write DEPTH for the Z in a register's name.
    let of_depth = || Opcode::from_name(&format!("Z{}", register.strip_prefix("DEPTH")?));
    let opcode = Opcode::from_name(register).or_else(of_depth).ok_or_else(|| {
        let opcodes = Opcode::all().filter(|opcode| reason_against(*opcode).is_none());
        let names = opcodes.map(Opcode::name).chain(MATRICES.map(|(name, _)| name));
        SettingError::UnknownRegister { name: register.to_owned(), similar: closest_name(register, names) }
    })?;
    register_change(opcode, field, value).map(|change| vec![change])
}

fn register_change(opcode: Opcode, field: Option<&str>, value: &str) -> Result<Change, SettingError> {
    let info = opcode.info();
    let register = info.name;
    if let Some(reason) = reason_against(opcode) {
        return Err(SettingError::NotOverridable { register, reason });
    }
    let names = || info.fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ");
    let field = match (field, info.fields) {
        (Some(name), fields) => Some(fields.iter().find(|field| field.name == name).ok_or_else(|| {
            SettingError::UnknownField { register, name: name.to_owned(), fields: names() }
        })?),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let (mask, bits) = match field {
        Some(field) => {
            let wrong = |error| SettingError::Value {
                name: format!("{register}.{}", field.name),
                error: Box::new(error),
            };
            (field.mask(), parse_field_value(field, value).map_err(wrong)?)
        }
        None => {
            // Without a field, this replaces the whole argument, which takes a number only.
            let argument = parse_integer(value).ok().and_then(|value| u32::try_from(value).ok());
            let argument = argument.filter(|argument| *argument < 1 << 24);
            (0xFF_FFFF, argument.ok_or_else(|| SettingError::SeveralFields { register, fields: names() })?)
        }
    };
    if opcode == Opcode::PRIM && mask & COUNT_BITS != 0 && bits & COUNT_BITS == 0 {
        return Err(SettingError::NoVertices);
    }
    Ok(Change::Register { opcode, mask, bits })
}

/// The vertex count's bits in PRIM.
const COUNT_BITS: u32 = 0xFFFF;

fn matrix_changes(
    name: &'static str,
    matrix: Matrix,
    element: Option<&str>,
    value: &str,
) -> Result<Vec<Change>, SettingError> {
    let elements = matrix.elements();
    let number = |text: &str| {
        let value = text.trim().parse().ok().filter(|value: &f32| value.is_finite());
        value.map(Float24::from_f32).ok_or_else(|| SettingError::NotANumber(text.trim().to_owned()))
    };
    if let Some(element) = element {
        let index = element.parse().ok().filter(|index| *index < elements);
        let index = index.ok_or_else(|| SettingError::NoElement {
            matrix: name,
            element: element.to_owned(),
            last: elements.saturating_sub(1),
        })?;
        return Ok(vec![Change::Element { matrix, index, value: number(value)? }]);
    }
    let values: Vec<Float24> = value.split(',').map(number).collect::<Result<_, _>>()?;
    if values.len() != elements {
        return Err(SettingError::ElementCount { matrix: name, elements, given: values.len() });
    }
    let element = |(index, value)| Change::Element { matrix, index, value };
    Ok(values.into_iter().enumerate().map(element).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(opcode: Opcode, mask: u32, bits: u32) -> Vec<Change> {
        vec![Change::Register { opcode, mask, bits }]
    }

    #[test]
    fn registers_fields_and_matrices_parse() {
        let float = Float24::from_f32;
        let element = |matrix, index, value| Change::Element { matrix, index, value: float(value) };
        for (text, changes) in [
            ("TEXENABLE=0", register(Opcode::TEXENABLE, 1, 0)),
            ("DEPTHTEST.function = ALWAYS", register(Opcode::ZTEST, 7, 1)),
            ("BLENDMODE.destination=ONE_MINUS_SOURCE_ALPHA", register(Opcode::BLENDMODE, 0xF0, 0x30)),
            ("BLENDMODE=0x123", register(Opcode::BLENDMODE, 0xFF_FFFF, 0x123)),
            ("MATERIALAMBIENT=#ff8000", register(Opcode::MATERIALAMBIENT, 0xFF_FFFF, 0x0080FF)),
            ("FOG1=1.5", register(Opcode::FOG1, 0xFF_FFFF, float(1.5).to_bits())),
            ("PRIM.primitive=LINES", register(Opcode::PRIM, 7 << 16, 1 << 16)),
            ("WORLD[11]=-2", vec![element(Matrix::World, 11, -2.0)]),
            ("bone[95]=1e3", vec![element(Matrix::Bone, 95, 1000.0)]),
        ] {
            assert_eq!(parse_setting(text), Ok(changes), "{text}");
        }
        let values: Vec<String> = (0..16).map(|index| index.to_string()).collect();
        let changes = parse_setting(&format!("PROJECTION={}", values.join(","))).expect("a matrix");
        assert_eq!(changes.len(), 16, "all elements");
        assert_eq!(changes.get(9), Some(&element(Matrix::Projection, 9, 9.0)), "in order");
    }

    #[test]
    fn errors_say_how_to_write_it() {
        for (text, message) in [
            ("ZTEST", "expected REGISTER.FIELD=VALUE, REGISTER=VALUE or MATRIX[ELEMENT]=VALUE"),
            ("ZTST=1", "unknown register 'ZTST'; did you mean ZTEST?"),
            ("WRLD[1]=1", "unknown register 'WRLD[1]'"),
            ("ZTEST.mask=1", "ZTEST has no field 'mask'; it has function"),
            ("VADDR=0", "VADDR cannot be set for a draw: it acts when it is written, before the draw"),
            (
                "LOADCLUT=1",
                "LOADCLUT cannot be set for a draw: palettes are loaded before the draw, by LOADCLUT",
            ),
            (
                "WORLDMATRIXDATA=1",
                "WORLDMATRIXDATA cannot be set for a draw: set the matrix by its name, such as WORLD or WORLD[9]",
            ),
            ("PRIM.count=0", "PRIM.count cannot be 0: leave the draw out instead"),
            ("PRIM=0", "PRIM.count cannot be 0: leave the draw out instead"),
            ("WORLD[12]=1", "WORLD has elements 0 to 11, not '12'"),
            ("WORLD=1,2", "WORLD has 12 elements, not 2"),
            ("WORLD[0]=NaN", "'NaN' is not a number"),
            ("SCISSOR1.x=5000", "SCISSOR1.x: 5000 is out of range for x (0 to 1023)"),
        ] {
            let error = parse_setting(text).expect_err("wrong").to_string();
            assert_eq!(error, message, "{text}");
        }
        let several = parse_setting("BLENDMODE=x").expect_err("several fields").to_string();
        assert!(several.starts_with("BLENDMODE has several fields; name one of "), "{several}");
    }
}
