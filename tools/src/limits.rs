//! `--limits`: bounds the work and memory an input may use.

use std::str::FromStr;

use pspge::ge::limits::{Limit, Limits};

/// The limits given on the command line.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct LimitArgs {
    /// Set a limit on the work or memory for INPUT; may be repeated
    ///
    /// Work beyond a limit is skipped, with a note. A value may end in k, M or G (thousand, million,
    /// billion); `none` removes the limit. The defaults are commands=1M, draws=100k, vertices=8M,
    /// patch-vertices=2600k, pixels=80M, decoded-bytes=160M, memory=500M (bytes of decoded geometry) and
    /// time=none (milliseconds; results then differ from run to run).
    #[arg(
        long,
        help_heading = "Input options",
        value_name = "NAME=VALUE",
        value_delimiter = ',',
        hide_short_help = true
    )]
    limits: Vec<Setting>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Setting(Limit, Option<u64>);

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = || Limit::ALL.map(Limit::name).join(", ");
        let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as pixels=50M")?;
        let limit = Limit::from_name(name).ok_or_else(|| format!("unknown limit; use one of {}", names()))?;
        if value == "none" {
            return Ok(Self(limit, None));
        }
        let (digits, factor) = match value.as_bytes().last() {
            Some(b'k') => (&value[..value.len() - 1], 1_000),
            Some(b'M') => (&value[..value.len() - 1], 1_000_000),
            Some(b'G') => (&value[..value.len() - 1], 1_000_000_000),
            _ => (value, 1),
        };
        let value = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
        Ok(Self(limit, Some(value.ok_or("expected a whole number with an optional k, M or G, or none")?)))
    }
}

impl LimitArgs {
    pub(crate) const fn is_given(&self) -> bool {
        !self.limits.is_empty()
    }

    /// Returns the default limits, changed as the command line says.
    pub(crate) fn limits(&self) -> Limits {
        self.limits.iter().fold(Limits::default(), |limits, Setting(limit, value)| match value {
            Some(value) => limits.with(*limit, *value),
            None => limits.without(*limit),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_settings_parse() {
        assert_eq!("pixels=50M".parse(), Ok(Setting(Limit::Pixels, Some(50_000_000))), "millions");
        assert_eq!("time=none".parse(), Ok(Setting(Limit::Time, None)), "unlimited");
        for wrong in
            ["pixels", "pixel=5", "pixels=", "pixels=-1", "pixels=M", "pixels=99999999999G", "pixels=1.5M"]
        {
            assert!(wrong.parse::<Setting>().is_err(), "{wrong}");
        }
        let limits = ["commands=7", "pixels=none"].map(|text| text.parse().expect("a setting")).to_vec();
        let limits = LimitArgs { limits }.limits();
        assert_eq!((limits.commands, limits.pixels), (7, u64::MAX), "both are set");
    }

    #[test]
    fn help_names_every_limit_with_its_default() {
        use clap::Args;
        let command = LimitArgs::augment_args(clap::Command::new("test"));
        let help = command.get_arguments().find_map(|argument| argument.get_long_help()).expect("help");
        let help = help.to_string();
        for limit in Limit::ALL {
            let value = match Limits::default().get(limit) {
                u64::MAX => "none".to_owned(),
                value if value % 1_000_000 == 0 => format!("{}M", value / 1_000_000),
                value => format!("{}k", value / 1000),
            };
            assert!(help.contains(&format!("{limit}={value}")), "{limit}={value}: {help}");
        }
    }
}
