//! Finds commands by name, number, class or a part of the name, for users who do not know the exact name.

use crate::ge::opcode::Opcode;

use super::class::{CLASSES, of_class};
use crate::asm::error::similar::closest_names;
use crate::asm::libgu::GuFunction;

/// How many names to suggest for an unknown name.
const SIMILAR_MAX: usize = 5;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The command with this name or number.
    One(Opcode),
    /// A class's commands, or commands whose names contain the text, in numerical order; or a function's commands,
    /// in the order of sending them.
    Several(Vec<Opcode>),
    /// Nothing; these commands or functions have similar names, the most similar first.
    Nothing(Vec<&'static str>),
}

/// Finds commands. `query` is a name or a part of it (in any case), a number such as `0x04`, a class's name, or a
/// libgu function that sends the commands.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::asm::reference::{Found, find};
/// use pspge::Opcode;
///
/// assert_eq!(find("0x04"), Found::One(Opcode::PRIM));
/// assert_eq!(find("prmi"), Found::Nothing(vec!["PRIM"]));
/// ```
#[must_use]
pub fn find(query: &str) -> Found {
    let query = query.trim();
    if let Some(function) = GuFunction::from_name(query) {
        let commands = function.commands();
        return match commands.as_slice() {
            [only] => Found::One(*only),
            _ => Found::Several(commands),
        };
    }
    let by_name = Opcode::all().find(|opcode| opcode.name().eq_ignore_ascii_case(query));
    if let Some(opcode) = by_name.or_else(|| by_number(query)) {
        return Found::One(opcode);
    }
    if let Some((class, ..)) = CLASSES.iter().find(|(_, name, _)| name.eq_ignore_ascii_case(query)) {
        return Found::Several(of_class(*class).collect());
    }
    let upper = query.to_ascii_uppercase();
    let by_part = |fits: &dyn Fn(&str) -> bool| -> Vec<Opcode> {
        Opcode::all().filter(|opcode| !upper.is_empty() && fits(opcode.name())).collect()
    };
    // A name that begins with the text is a better match than a name that only contains it.
    let mut found = by_part(&|name| name.starts_with(&upper));
    if found.is_empty() {
        found = by_part(&|name| name.contains(&upper));
    }
    match found.as_slice() {
        [] => {
            let functions = GuFunction::all().map(|function| function.name());
            let mut names = closest_names(query, Opcode::all().map(Opcode::name).chain(functions));
            names.truncate(SIMILAR_MAX);
            Found::Nothing(names)
        }
        [only] => Found::One(*only),
        _ => Found::Several(found),
    }
}

/// Reads a hexadecimal number: two digits, or digits after `0x`.
fn by_number(query: &str) -> Option<Opcode> {
    let prefixed = query.strip_prefix("0x").or_else(|| query.strip_prefix("0X"));
    let digits = prefixed.or((query.len() == 2).then_some(query))?;
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hexadecimal.then(|| u8::from_str_radix(digits, 16).ok().map(Opcode::new)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_by_name_number_class_and_part() {
        for query in ["PRIM", "prim", "0x04", "0x4", "04", " Prim "] {
            assert_eq!(find(query), Found::One(Opcode::PRIM), "{query}");
        }
        assert_eq!(find("DE"), Found::One(Opcode::ZTEST), "two digits");
        let matrices = find("matrix");
        assert!(matches!(&matrices, Found::Several(found) if found.len() == 10), "a class: {matrices:?}");
        let expected = [0, 1, 2, 3].map(|light| Opcode::LIGHTENABLE0.plus(light)).to_vec();
        assert_eq!(find("lightenable"), Found::Several(expected), "a prefix");
        assert_eq!(find("buildfixed"), Found::Nothing(Vec::new()), "nothing");
        assert_eq!(find("FIXEDA"), Found::One(Opcode::BLENDFIXEDA), "the only name that contains it");
        assert_eq!(find("VADR"), Found::Nothing(vec!["VADDR"]), "a letter is missing");
        assert_eq!(find("sceGuTexFilte"), Found::Nothing(vec!["sceGuTexFilter"]), "of a function, too");
        for query in ["", "0x", "0x100", "0x+4", "é", "1F0"] {
            assert!(matches!(find(query), Found::Nothing(_)), "{query:?}");
        }
    }
}
