//! Checks `--lod`, `--group` and `--hidden`, which must name something in the model.

use pspge::model::{AlternativeChoice, Alternatives};

use super::options::ModelOptions;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// Checks that a model has the alternatives selected by options. In a batch, options that cannot apply become notes.
///
/// # Errors
/// For a single input, the first option that cannot apply. It lists the model's alternatives.
pub(super) fn check(
    options: &ModelOptions,
    input: &str,
    alternatives: &Alternatives,
    notes: &mut Notes,
) -> Result<(), Failure> {
    for missing in alternatives.missing(options.lod, options.group, options.hidden) {
        let option = match missing.choice {
            AlternativeChoice::LevelOfDetail(wanted) => format!("--lod {wanted}"),
            AlternativeChoice::Group(wanted) => format!("--group {wanted}"),
            AlternativeChoice::Hidden => "--hidden".to_owned(),
        };
        notes.ignore_option(input, &option, &missing.reason)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use pspge::model::LevelOfDetail;

    use super::*;

    fn refused(options: ModelOptions, alternatives: &Alternatives) -> Option<String> {
        let failure = check(&options, "a.msh", alternatives, &mut Notes::default()).err()?;
        failure.as_error().map(|error| error.info.message.clone())
    }

    #[test]
    fn options_name_alternatives_of_the_model() {
        let level = |level, groups: &[usize], hidden_meshes| LevelOfDetail {
            level,
            groups: groups.to_vec(),
            hidden_meshes,
        };
        let levels = vec![level(0, &[0, 1], 2), level(2, &[0], 0)];
        let some = Alternatives { levels_of_detail: levels };
        let options = |lod, group, hidden| ModelOptions { lod, group, hidden, ..ModelOptions::default() };
        for right in
            [options(None, None, true), options(Some(2), Some(0), false), options(Some(0), Some(1), true)]
        {
            assert_eq!(refused(right, &some), None, "the model has it");
        }
        let wrong = [
            (options(Some(1), None, false), "--lod 1 cannot apply: the model has levels of detail 0, 2"),
            (
                options(Some(2), Some(1), false),
                "--group 1 cannot apply: the model has only group 0 at level of detail 2",
            ),
            (
                options(None, Some(2), false),
                "--group 2 cannot apply: the model has groups 0, 1 at level of detail 0",
            ),
            (
                options(Some(2), None, true),
                "--hidden cannot apply: the model has no hidden parts at level of detail 2",
            ),
        ];
        for (options, message) in wrong {
            assert_eq!(refused(options, &some).as_deref(), Some(message), "the model does not have it");
        }
        let none = Alternatives { levels_of_detail: Vec::new() };
        let message = "--group 0 cannot apply: the model has no groups";
        assert_eq!(
            refused(options(None, Some(0), false), &none).as_deref(),
            Some(message),
            "nothing is drawn"
        );
        let message = "--lod 3 cannot apply: the model has only level of detail 0";
        let refused = refused(options(Some(3), None, false), &Alternatives::default());
        assert_eq!(refused.as_deref(), Some(message), "a format without levels");
    }
}
