//! `-v` and `PSPGE_LOG`: prints spans and events from library and command to standard error.
//!
//! A span is printed when it closes, with the time it took. Standard output never changes.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::time::uptime;

use super::failure::Failure;
use super::progress::BesideBar;

/// This environment variable holds a filter, and overrides `-v`.
const VARIABLE: &str = "PSPGE_LOG";

/// Installs a subscriber if `-v` or `PSPGE_LOG` asks for it.
///
/// # Errors
/// If `PSPGE_LOG` is not a valid filter.
pub(crate) fn install(verbosity: u8) -> Result<(), Failure> {
    let Some(filter) = filter(std::env::var(VARIABLE).ok().as_deref(), verbosity)? else { return Ok(()) };
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| BesideBar(std::io::stderr()))
        .with_span_events(FmtSpan::CLOSE)
        .with_timer(uptime())
        .with_ansi(false)
        // Otherwise a closed standard error would stop the command.
        .log_internal_errors(false)
        .finish();
    tracing::subscriber::set_global_default(subscriber)
        .map_err(|error| Failure::usage(format_args!("logging: {error}")))
}

/// Makes a filter from `PSPGE_LOG` and how often `-v` is given. Returns `None` to log nothing.
fn filter(variable: Option<&str>, verbosity: u8) -> Result<Option<EnvFilter>, Failure> {
    let directives = match (variable.filter(|text| !text.trim().is_empty()), verbosity) {
        (Some(text), _) => text,
        (None, 0) => return Ok(None),
        (None, 1) => "pspge=debug",
        (None, _) => "pspge=trace",
    };
    let filter = EnvFilter::builder().parse(directives);
    filter.map(Some).map_err(|error| Failure::usage(format_args!("{VARIABLE}={directives}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variable_overrides_option() {
        let text = |variable, verbosity| {
            let filter = filter(variable, verbosity).expect("a valid filter");
            filter.map(|filter| filter.to_string())
        };
        assert_eq!(text(None, 0), None, "silent by default");
        assert_eq!(text(Some(" "), 0), None, "an empty variable counts as unset");
        assert_eq!(text(None, 1).as_deref(), Some("pspge=debug"), "-v");
        assert_eq!(text(None, 2).as_deref(), Some("pspge=trace"), "-vv");
        assert_eq!(text(Some("pspge::run=trace"), 1).as_deref(), Some("pspge::run=trace"), "PSPGE_LOG");
        assert!(filter(Some("pspge=loud"), 0).is_err(), "no such level");
    }
}
