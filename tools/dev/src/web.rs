//! `cargo dev web`: builds the inspector's engine for browsers, and the page as a single file.
//!
//! The page's modules are built from their sources first. This needs Node; without it, the modules in the repository
//! stay as they are. The engine goes to `tools/page/engine` for the command's next build, and the page to
//! `target/web/pspge.html`. This needs the Rust target `wasm32-unknown-unknown`, and installs it if missing.
//! `cargo dev web --profile NAME` selects a profile for the command that writes the page, `--page` builds only the
//! page's modules, and `--engine` only the engine.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The Rust target for browsers.
const TARGET: &str = "wasm32-unknown-unknown";

/// Builds everything. Returns whether this succeeded.
pub(super) fn build() -> io::Result<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let has = |wanted: &str| std::env::args().skip(2).any(|option| option == wanted);
    if !has("--engine") && !build_modules(&root)? {
        return Ok(false);
    }
    if has("--page") {
        return Ok(true);
    }
    let folder = root.join("target/web");
    fs::create_dir_all(&folder)?;
    if !(has_target()? && build_engine(&root, &folder)? && bind(&root, &folder)?) {
        return Ok(false);
    }
    let engine = root.join("tools/page/engine");
    fs::create_dir_all(&engine)?;
    fs::copy(folder.join("engine.js"), engine.join("glue.js"))?;
    let code = fs::read(folder.join("engine_bg.wasm"))?;
    let mut encoder = GzEncoder::new(File::create(engine.join("engine.wasm.gz"))?, Compression::best());
    encoder.write_all(&code)?;
    encoder.finish()?;
    if has("--engine") {
        return Ok(true);
    }
    let page = folder.join("pspge.html");
    let mut rest = std::env::args().skip(2);
    let profile = rest.find(|option| option == "--profile").and(rest.next()).unwrap_or("release".to_owned());
    let arguments = ["run", "--quiet", "--locked", "--package", "pspge-tools", "--bin", "pspge", "--profile"];
    let mut command = cargo(&root);
    command.args(arguments).arg(profile).args(["--", "view", "--output"]).arg(&page);
    let written = succeeds(&mut command)?;
    if written {
        writeln!(io::stdout(), "{}", page.canonicalize()?.display())?;
    }
    Ok(written)
}

fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

fn succeeds(command: &mut Command) -> io::Result<bool> {
    Ok(command.status()?.success())
}

/// Builds the page's modules, if Node is installed.
fn build_modules(root: &Path) -> io::Result<bool> {
    match Command::new("node").arg(root.join("tools/page-tests/build.mjs")).status() {
        Ok(status) => Ok(status.success()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            writeln!(
                io::stderr(),
                "Node is not installed, so the page's modules stay those of the repository"
            )?;
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

/// Whether the target is there, after installing it if it is missing.
fn has_target() -> io::Result<bool> {
    let known = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let folder = PathBuf::from(String::from_utf8_lossy(&known.stdout).trim());
    if folder.is_dir() {
        return Ok(true);
    }
    succeeds(Command::new("rustup").args(["target", "add", TARGET]))
}

/// Compiles the engine, with 128-bit vectors.
fn build_engine(root: &Path, folder: &Path) -> io::Result<bool> {
    let arguments = ["build", "--locked", "--package", "pspge-web", "--profile", "web", "--target", TARGET];
    // This needs its own folder, because other flags would rebuild everything else.
    let target = folder.join("build");
    let flags = "-Ctarget-feature=+simd128,+bulk-memory";
    succeeds(cargo(root).args(arguments).env("CARGO_TARGET_DIR", target).env("RUSTFLAGS", flags))
}

/// Writes the JavaScript around the code.
fn bind(root: &Path, folder: &Path) -> io::Result<bool> {
    let code = folder.join("build").join(TARGET).join("web/pspge_web.wasm");
    let arguments = ["run", "--quiet", "--locked", "--package", "pspge-web-bind", "--"];
    succeeds(cargo(root).args(arguments).arg(code).arg(folder))
}
