//! Groups the registers by topic: target, depth, texture, blending.

use crate::asm::reference;
use crate::asm::text::field_value;
use crate::debug::session::Session;
use crate::documents::StateDocument;
use crate::documents::event_state::{WriterInfo, argument_text, is_compared};
use crate::documents::opcode::FieldDescription;
use crate::documents::value::FieldValue;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::overrides::reason_against;
use crate::ge::registers::Registers;

use super::answer::{FieldRow, RegisterGroup, RegisterRow};

/// The groups in display order, with the names of their registers. A final `*` matches any rest of a name. A
/// register belongs to the first group that matches.
const GROUPS: [(&str, &[&str]); 13] = [
    (
        "Target",
        &[
            "FRAMEBUF*",
            "ZBUF*",
            "SCISSOR*",
            "REGION*",
            "CLEARMODE",
            "MASKRGB",
            "MASKALPHA",
            "DITHERENABLE",
            "DITH*",
            "LOGICOPENABLE",
            "LOGICOP",
        ],
    ),
    ("Depth", &["ZTESTENABLE", "ZTEST", "ZWRITEDISABLE", "MINZ", "MAXZ", "DEPTHCLAMPENABLE"]),
    (
        "Tests",
        &[
            "ALPHATEST*",
            "COLORTESTENABLE",
            "COLORTEST",
            "COLORREF",
            "COLORTESTMASK",
            "STENCILTESTENABLE",
            "STENCILTEST",
            "STENCILOP",
        ],
    ),
    ("Blending", &["BLEND*"]),
    (
        "Texture",
        &[
            "TEXENABLE",
            "TEXFORMAT",
            "TEXMODE",
            "TEXADDR*",
            "TEXBUFWIDTH*",
            "TEXSIZE*",
            "TEXFUNC",
            "TEXENVCOLOR",
            "TEXFILTER",
            "TEXWRAP",
            "TEXLEVEL",
            "TEXLODSLOPE",
            "TEXSCALE*",
            "TEXOFFSET*",
            "TEXMAPMODE",
            "TEXSHADELS",
            "TEXFLUSH",
            "TEXSYNC",
        ],
    ),
    ("Palette", &["CLUT*", "LOADCLUT"]),
    ("Vertices", &["VTYPE", "VADDR", "IADDR", "BASE", "OFFSETADDR", "MORPHWEIGHT*", "REVERSENORMAL"]),
    ("Transform", &["VIEWPORT*", "OFFSETX", "OFFSETY"]),
    ("Primitives", &["CULL*", "SHADEMODE", "ANTIALIASENABLE", "PATCH*"]),
    ("Fog", &["FOG*"]),
    ("Material", &["MATERIAL*", "AMBIENT*"]),
    ("Lights", &["LIGHT*", "L*"]),
    ("Other", &["TRANSFER*", "V*"]),
];

/// Lists the registers before the session's next event. `used` holds them with edits applied, and `document` holds
/// their changes.
pub(super) fn groups(session: &Session, used: &Registers, document: &StateDocument) -> Vec<RegisterGroup> {
    let mut groups: Vec<RegisterGroup> = GROUPS
        .iter()
        .map(|(name, _)| RegisterGroup { name: (*name).to_owned(), registers: Vec::new() })
        .collect();
    for opcode in Opcode::all().filter(|opcode| is_compared(*opcode)) {
        let position = GROUPS
            .iter()
            .position(|(_, patterns)| patterns.iter().any(|pattern| matches(pattern, opcode.name())));
        if let Some(group) = position.and_then(|position| groups.get_mut(position)) {
            group.registers.push(row(session, used, document, opcode));
        }
    }
    groups
}

/// Returns whether a name matches a pattern, which is a full name, or a start with `*` after it.
fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

fn row(session: &Session, used: &Registers, document: &StateDocument, opcode: Opcode) -> RegisterRow {
    let argument = used.argument(opcode);
    let change = document.changes.iter().find(|change| change.register == opcode.name());
    let described = reference::describe(opcode);
    let fields = described.fields.iter().zip(opcode.info().fields).map(|(reference, field)| FieldRow {
        description: FieldDescription::from(reference),
        value: FieldValue::of(field, argument),
        text: field_value(field, argument).to_string(),
    });
    RegisterRow {
        name: opcode.name().to_owned(),
        argument,
        text: argument_text(used.command(opcode)),
        meaning: described.about.to_owned(),
        fields: fields.collect(),
        is_zero: argument == 0,
        before: change.map(|change| change.before),
        before_text: change.map(|change| argument_text(Command::new(opcode, change.before))),
        writer: WriterInfo::new(session.writers().register(opcode), session.sources()),
        fixed: reason_against(opcode).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_of_the_state_has_a_group() {
        for opcode in Opcode::all().filter(|opcode| is_compared(*opcode)) {
            let groups = GROUPS
                .iter()
                .filter(|(_, patterns)| patterns.iter().any(|pattern| matches(pattern, opcode.name())));
            assert!(groups.count() >= 1, "{opcode}");
        }
        let group = |name: &str| {
            GROUPS.iter().find(|(_, patterns)| patterns.iter().any(|pattern| matches(pattern, name)))
        };
        for (name, expected) in [
            ("LOGICOP", "Target"),
            ("LX0", "Lights"),
            ("VTYPE", "Vertices"),
            ("VAP", "Other"),
            ("MAXZ", "Depth"),
        ] {
            assert_eq!(group(name).map(|(group, _)| *group), Some(expected), "{name}");
        }
    }
}
