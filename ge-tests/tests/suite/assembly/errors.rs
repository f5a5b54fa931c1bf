//! Makes mistakes in assembly text, to check the messages and their places; also damages texts at random.

use std::path::Path;

use ge_tests::snapshot;
use pspge::asm::{
    AssemblyError, AssemblyErrors, AssemblyRequest, ERRORS_MAX, IncludeProvider, IncludedFile, MemoryFiles,
    assemble_with,
};

/// Files for these texts to include.
fn files() -> MemoryFiles {
    let picture = |width, height, colors: u32| {
        let picture = image::RgbaImage::from_fn(width, height, |x, y| {
            let [a, b, ..] = ((x + y * width) % colors).to_le_bytes();
            image::Rgba([a, b, 0, 255])
        });
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a small picture");
        bytes.into_inner()
    };
    MemoryFiles::new([
        ("lib/state.ge", b"CULL 1\n  PRIM count=3\n.include \"more.ge\"\n".to_vec()),
        ("lib/more.ge", b"\tTEXENABL 1 ; \xc3\xa4\n".to_vec()),
        ("lib/loop.ge", b".include \"../loop.ge\"".to_vec()),
        ("loop.ge", b"NOP\n.include \"lib/loop.ge\"".to_vec()),
        ("good.ge", b".set GOOD 1\ngood: NOP\n".to_vec()),
        ("latin.ge", b"NOP ; \xe4".to_vec()),
        ("data.bin", vec![7; 20]),
        ("two.png", picture(16, 8, 2)),
        ("many.png", picture(64, 64, 1000)),
        ("odd.png", picture(30, 20, 4)),
        ("large.png", picture(1024, 1, 4)),
        ("cut.png", picture(16, 8, 2)[..40].to_vec()),
    ])
}

fn errors(text: &str) -> AssemblyErrors {
    let files = files();
    let request = AssemblyRequest { files: &files, ..AssemblyRequest::new("list.ge", text) };
    assemble_with(&request).expect_err(text)
}

/// Texts with every kind of mistake.
const TEXTS: &[&str] = &[
    "PRIM count=3\n\tPRIM primitive=TRIANGELS count=3 | VTYPE postion=BITS16\n  TEXENABLE ; no value\nprim 1",
    "start:\n  BASE hi(vertices) | VADDR lo(vertexes)\n  「全角」 NOP\nvertices: .s16 40000 1e5 -\nstart: END",
    ".include \"lib/state.ge\"\n.include \"lib/state.ge\"\nFOO",
    ".include \"loop.ge\"",
    ".include \"gone.ge\" | .include <psp/ini> | .include latin.ge\n.include \"latin.ge\"\n.include \"\"\n.include \"a\\q\"",
    ".incbin \"data.bin\" 21\n.incbin \"data.bin\", 4, 17\n.incbin \"gone.bin\" | .incbin \"data.bin\" later\nlater:",
    "a: .texture \"two.png\" CLUT9\nb: .texture \"two.png\" CLUT8 swizled pad\n.texture \"two.png\" CLUT4\nc: .texture \"many.png\" CLUT8",
    "a: .texture \"odd.png\" CLUT8\n.align 16\nb: .texture \"large.png\" CLUT8\nc: .texture \"cut.png\" CLUT8\nd: .texture \"data.bin\" DXT1",
    "a: .texture \"two.png\" DXT1 swizzled\nb: .texture \"two.png\" ABGR8888 palette=ABGR4444\nc: .texture \"two.png\" CLUT8 palette=a mipmaps=8",
    "a: .texture \"two.png\" CLUT8 mipmaps=5\nb: .texture \"two.png\" CLUT8\nc: .texture \"odd.png\" CLUT8 pad palette=b\nd: .texture \"two.png\" CLUT8 pad pad",
    ".u8 1\nsky: .texture \"two.png\" CLUT8\n.org 0x08900000\n.u8 sky.width | JUMP lo(sky.palette)",
    ".include \"good.ge\" | .include \"good.ge\"\n.default GOOD 5\n.set GOOD 2",
    "\u{feff}.ge 2\n.org 0x10\nNOP | NOP\n.org 0x08800000 | .fill 0x7fffffff\n.align 3 | .entry 2",
    "x: \"text\u{1b}[31m\u{202e} | NOP",
];

#[test]
fn reports_match_snapshot() {
    let mut reports = String::new();
    for text in TEXTS {
        reports += &format!("--- {text:?}\n{}\n\n", errors(text).report());
    }
    snapshot::assert("assembly_errors", &reports);
}

/// Checks that each error is inside its text, and that errors are in order.
fn check(errors: &AssemblyErrors, text: &str, source: impl Fn(&str) -> Option<String>) {
    assert!((1..=ERRORS_MAX).contains(&errors.len()), "{text:?}");
    for error in errors.iter() {
        let location = error.location.as_ref().unwrap_or_else(|| panic!("{error} has no place in {text:?}"));
        let source = source(&location.file).unwrap_or_else(|| panic!("{error} is in an unknown text"));
        let line = source
            .split('\n')
            .nth(location.line as usize - 1)
            .unwrap_or_else(|| panic!("{error} in {text:?}"));
        // A byte order mark does not belong to its line.
        let line = line.trim_start_matches('\u{feff}');
        let start = error.byte_column() as usize - 1;
        let end = start + error.length() as usize;
        let line_start = error.offset() - start;
        assert_eq!(source.get(line_start..line_start + line.len()), Some(line), "{error} in {text:?}");
        assert!(line.get(start..end).is_some(), "{error} is on characters of its line in {text:?}");
        let column = line.get(..start).unwrap_or_default().chars().count() + 1;
        assert_eq!(location.column as usize, column, "{error} in {text:?}");
        let report = error.report().to_string();
        assert!(report.contains(&error.kind.to_string()) && report.contains('^'), "{report}");
        assert!(report.chars().all(|shown| shown == '\n' || !shown.is_control()), "{report:?}");
    }
    let offsets: Vec<usize> =
        errors.iter().filter(|error| error.included_from().is_empty()).map(AssemblyError::offset).collect();
    assert!(offsets.is_sorted(), "{text:?}");
}

/// Collects texts to damage: those from conformance cases, the built-in texts, and those with mistakes.
fn samples() -> Vec<String> {
    fn collect(folder: &Path, found: &mut Vec<String>) {
        let mut entries: Vec<_> =
            std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "ge") {
                found.push(std::fs::read_to_string(&path).expect("UTF-8"));
            }
        }
    }
    let mut found: Vec<String> = TEXTS.iter().map(|text| (*text).to_owned()).collect();
    found.extend(pspge::asm::BUILT_IN_TEXTS.iter().map(|text| text.text.to_owned()));
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases"), &mut found);
    found.retain(|text| text.len() < 20_000);
    found
}

/// A pseudorandom generator (xorshift) with a fixed seed, so that every run tests the same texts.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 32).unwrap_or(0) % end.max(1)
    }

    /// Damages a text: removes, doubles or replaces a part, or inserts a piece.
    fn damage(&mut self, text: &str) -> String {
        const PIECES: [&str; 16] = [
            "(",
            ")",
            "=",
            "|",
            "\n",
            ":",
            "\"",
            "#12",
            "-",
            ".include \"good.ge\"",
            "a: .texture \"two.png\" CLUT4",
            ".set A ",
            "0x",
            "é",
            "\\",
            "<psp>",
        ];
        let characters: Vec<char> = text.chars().collect();
        let start = self.below(characters.len());
        let end = (start + 1 + self.below(12)).min(characters.len());
        let (before, part, after) =
            (&characters[..start], &characters[start.min(end)..end], &characters[end..]);
        let inserted: Vec<char> = match self.below(4) {
            0 => Vec::new(),
            1 => part.iter().chain(part).copied().collect(),
            2 => PIECES[self.below(PIECES.len())].chars().collect(),
            _ => part.iter().copied().chain(PIECES[self.below(PIECES.len())].chars()).collect(),
        };
        before.iter().copied().chain(inserted).chain(after.iter().copied()).collect()
    }
}

#[test]
fn damaged_texts_give_errors_inside_them() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let files = files();
    let mut failed = 0;
    for sample in samples() {
        let mut text = sample.clone();
        for round in 0..24 {
            if round % 6 == 0 {
                text.clone_from(&sample);
            }
            text = random.damage(&text);
            let request =
                AssemblyRequest { files: &files, listing: true, ..AssemblyRequest::new("list.ge", &text) };
            match assemble_with(&request) {
                Ok(assembly) => {
                    let listing = assembly.listing.expect("wanted").to_string();
                    assert!(
                        listing.lines().count() >= text.lines().count(),
                        "every line is listed: {text:?}"
                    );
                }
                Err(errors) => {
                    failed += 1;
                    let source = |name: &str| match name {
                        "list.ge" => Some(text.clone()),
                        _ => builtin(name).or_else(|| read(&files, name)),
                    };
                    check(&errors, &text, source);
                }
            }
        }
    }
    assert!(failed > 500, "most texts have mistakes: {failed}");
}

fn builtin(name: &str) -> Option<String> {
    let name = name.strip_prefix('<')?.strip_suffix('>')?;
    pspge::asm::BUILT_IN_TEXTS.iter().find(|text| text.name == name).map(|text| text.text.to_owned())
}

fn read(files: &MemoryFiles, name: &str) -> Option<String> {
    let file = files.read(name, "").ok().flatten()?;
    String::from_utf8(file.bytes).ok()
}

/// Makes a new file for every path, so that including never ends by itself.
#[derive(Debug)]
struct Endless;

impl IncludeProvider for Endless {
    fn read(&self, path: &str, from: &str) -> Result<Option<IncludedFile>, String> {
        let name = format!("{from}{path}");
        Ok(Some(IncludedFile { bytes: b".include \"x\" | .include \"y\"".to_vec(), name }))
    }
}

#[test]
fn includes_are_bounded() {
    let request = AssemblyRequest { files: &Endless, ..AssemblyRequest::new("", ".include \"x\"") };
    let errors = assemble_with(&request).expect_err("an endless tree of texts");
    assert!(errors.len() <= ERRORS_MAX, "bounded");
    // In this chain of texts, each text includes the next twice.
    let chain = MemoryFiles::new((0..60).map(|number| {
        (format!("{number}.ge"), format!(".include \"{0}.ge\"\n.include \"{0}.ge\"", number + 1).into_bytes())
    }));
    let request = AssemblyRequest { files: &chain, ..AssemblyRequest::new("", ".include \"0.ge\"") };
    let errors = assemble_with(&request).expect_err("2^60 texts");
    let kinds: Vec<String> = errors.iter().map(|error| error.kind.to_string()).collect();
    assert!(kinds.iter().any(|kind| kind.contains("16384 files")), "{kinds:?}");
}

#[test]
fn listings_match_snapshot() {
    let files = MemoryFiles::new([("sub.ge", b"; a comment\nCULL 1 | NOP\n".to_vec())]);
    let text = "; A list.\nstart:\n    BASE hi(data) | VADDR lo(data)\n.include \"sub.ge\"\n\n    FINISH | END\n.org 0x08900000\n\
                data: .space 40\n.ascii \"end\"\n; The end.\n";
    let request = AssemblyRequest { files: &files, listing: true, ..AssemblyRequest::new("list.ge", text) };
    let assembly = assemble_with(&request).expect("well-formed");
    snapshot::assert("assembly_listing", &assembly.listing.expect("wanted").to_string());
}
