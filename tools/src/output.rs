//! Where results go: standard output, files, pictures.

use std::fs::File;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

use image::{DynamicImage, ImageFormat};

use crate::failure::Failure;

/// Standard output, buffered.
pub(crate) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub(crate) fn new() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }

    /// Prints a line.
    pub(crate) fn line(&mut self, text: std::fmt::Arguments<'_>) -> Result<(), Failure> {
        writeln!(self.0, "{text}").map_err(|error| closed(&error))
    }

    /// Prints a value as JSON: on one line, or indented.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize, pretty: bool) -> Result<(), Failure> {
        let written = if pretty {
            serde_json::to_writer_pretty(&mut self.0, value)
        } else {
            serde_json::to_writer(&mut self.0, value)
        };
        written.map_err(|error| closed(&error.into()))?;
        self.line(format_args!(""))
    }

    /// Writes everything out.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| closed(&error))
    }
}

fn closed(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::file("standard output", error),
    }
}

/// Writes a file; a single dash is standard output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new("-") {
        let mut output = io::stdout().lock();
        return output.write_all(bytes).and_then(|()| output.flush()).map_err(|error| closed(&error));
    }
    std::fs::write(path, bytes).map_err(|error| Failure::file(path.display(), error))
}

/// Writes a picture as PNG; a single dash is standard output.
pub(crate) fn write_png(path: &Path, picture: &DynamicImage) -> Result<(), Failure> {
    let failed = |error: image::ImageError| Failure::file(path.display(), error);
    if path == Path::new("-") {
        let mut bytes = io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png).map_err(failed)?;
        return write(path, bytes.get_ref());
    }
    let file = File::create(path).map_err(|error| Failure::file(path.display(), error))?;
    let mut writer = BufWriter::new(file);
    picture.write_to(&mut writer, ImageFormat::Png).map_err(failed)?;
    writer.flush().map_err(|error| Failure::file(path.display(), error))
}
