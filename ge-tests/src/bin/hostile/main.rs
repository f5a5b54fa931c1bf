//! Hostile inputs by the thousand: `cargo dev mutate` and `cargo dev worst`.
//!
//! Every input goes through `pspge` itself, or through a process of this program, so that whatever it does to a process
//! is seen: a panic, an abort, too much time, too much memory.

mod worst;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.split_first() {
        Some((task, rest)) if task == "worst" => worst::run(rest),
        _ => Err("usage: hostile worst [--only NAME] [--pspge PROGRAM]".to_owned()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
