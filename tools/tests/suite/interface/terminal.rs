//! Tests the output people see: the command on a pseudo-terminal with 80 and with 200 columns, in
//! `snapshots/terminal`.
//!
//! A situation's snapshot is the screen after the command has ended, with word colours as `<red bold>word</>`. While
//! it runs, the screen must never show more than one bar, and in the end none.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::os::fd::AsFd as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread::{self, spawn};
use std::time::Duration;

use ge_tests::snapshot;
use pty_process::Size;
use pty_process::blocking::{Command, open};
use regex::Regex;
use vt100::{Cell, Color, Parser};

use crate::support::{copy_sample, empty_folder, output};

/// How many rows the terminal has, more than any situation prints.
const ROWS: u16 = 400;

/// The situations, each a command line with the environment variables it sets. [`write_files`] makes their files.
const SITUATIONS: &[&str] = &[
    "pspge",
    "pspge -h",
    "pspge --version",
    "pspge redner frame.ppdmp",
    "pspge nosuch",
    "pspge render",
    "pspge render --siez 10x10 lampwing.pac",
    "pspge render --size 0x10 lampwing.pac",
    "pspge help nosuch",
    "pspge help SHADE",
    "pspge help sceGuTexFilte",
    "pspge help TEXFLUSH ZTST",
    "pspge info nowhere.pac",
    "pspge info notes.txt",
    "pspge info lampwing.pac",
    "pspge info set",
    "pspge info link",
    "pspge info empty",
    "pspge info --quiet set",
    "pspge info lampwing.pac#9",
    "pspge render lampwing.pac -o a.png",
    "pspge render lampwing.pmo -o a.png",
    "pspge render --quiet lampwing.pmo -o a.png",
    "pspge render --strict lampwing.pmo -o a.png",
    "pspge render lampwing.pac -o nowhere/a.png",
    "pspge render lampwing.pac -o lampwing.pac",
    "pspge render --size 2000x2000 lampwing.pac -o large.png",
    "pspge render frame.ppdmp --anim 1 -o a.png",
    "pspge render set -o pictures",
    "pspge render set --threads 1 -o pictures",
    "pspge render damaged.ppdmp -o a.png",
    "pspge textures lampwing.pac -o textures",
    "pspge textures set -o textures",
    "pspge export lampwing.pac -o a.glb",
    "pspge trim frame.ppdmp --draws 1-2 -o a.ppdmp",
    "pspge --quiet trim frame.ppdmp --draws 1-2 -o a.ppdmp",
    "pspge trim frame.ppdmp --draws 900 -o a.ppdmp",
    "pspge reduce square.ge --keep pixel:5,5 -o a.ge",
    "pspge --quiet reduce square.ge --keep pixel:5,5 -o a.ge",
    "pspge asm wrong.ge -o a.bin",
    "pspge asm square.ge -o a.bin",
    "pspge disasm square.ge",
    "pspge check square.ge",
    "pspge check findings.ge",
    "pspge check hints.ge",
    "pspge check --target psp findings.ge square.ge",
    "pspge check wrong.ge",
    "pspge check --explain empty-scissor",
    "pspge check --explain nosuch",
    "pspge compare square.ge square.ge",
    "pspge compare square.ge findings.ge",
    "pspge compare square.ge lampwing.pac",
    "pspge diff square.ge square.ge",
    "pspge diff square.ge other.ge",
    "pspge test cases",
    "pspge test cases --filter square",
    "pspge test nowhere",
    "pspge --quiet test cases",
    "pspge pixel square.ge 5,5",
    "pspge pixel square.ge 500,5",
    "pspge draw square.ge 0",
    "pspge state square.ge",
    "pspge passes square.ge",
    "pspge trace square.ge",
    "pspge memory square.ge 0x04000000 --length 64",
    "pspge check-pack pack square.ge",
    "NO_COLOR=1 pspge check findings.ge",
    "NO_COLOR=1 pspge info nowhere.pac",
    "CLICOLOR=0 pspge check findings.ge",
    "TERM=dumb pspge check findings.ge",
];

/// A square on a rectangle that covers the screen.
const SQUARE: &str = "\
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
    PRIM primitive=RECTANGLES count=2
    PRIM primitive=RECTANGLES count=2
    FINISH | END
    .align 16
corners:
    .rgba #ff8000 | .s16 0 0 0 0
    .rgba #ff8000 | .s16 480 272 0 0
    .rgba #2040c0 | .s16 0 0 0 0
    .rgba #2040c0 | .s16 20 20 0 0
";

/// Writes the files for all situations.
fn write_files(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be created");
        fs::write(path, text).expect("the file can be written");
    };
    for name in ["lampwing.pac", "lampwing.pmo"] {
        copy_sample(name, &folder.join(name));
    }
    for name in ["lampwing.pac", "reedling.pmp", "rover.rlb", "swatches.tm2", "candle.gim", "anemone.pmdl"] {
        copy_sample(name, &folder.join("set").join(name));
    }
    write("notes.txt", "This is no file of a PSP.\n");
    write("set/notes.txt", "This is no file of a PSP.\n");
    for name in ["empty", "pack"] {
        fs::create_dir_all(folder.join(name)).expect("the folder can be created");
    }
    symlink("set", folder.join("link")).expect("a link can be made");
    write("square.ge", SQUARE);
    write("other.ge", &SQUARE.replace("20 20 0", "30 20 0"));
    write("wrong.ge", &SQUARE.replace("SCISSOR2", "SCISOR2").replace("RECTANGLES", "RECTANGLE"));
    write(
        "findings.ge",
        &SQUARE.replace("SCISSOR2 x=479 y=271", "SCISSOR2 x=0 y=0").replace("FINISH | END", "NOP"),
    );
    write("hints.ge", &SQUARE.replace("BASE", "DITHERENABLE 1 | BASE"));
    for name in ["square", "other", "new"] {
        write(&format!("cases/{name}.ge"), SQUARE);
    }
    output(folder, "render square.ge -o cases/square.png -q");
    output(folder, "render other.ge -o cases/other.png -q");
    output(folder, "pack lampwing.pac -o frame.ppdmp -q");
    let mut damaged = fs::read(folder.join("frame.ppdmp")).expect("it is written");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    fs::write(folder.join("damaged.ppdmp"), damaged).expect("the file can be written");
}

/// A command's screen.
struct Terminal {
    parser: Parser,
    /// The most bars visible together.
    bars: usize,
    status: Option<i32>,
}

impl Terminal {
    /// Runs a command line from [`SITUATIONS`] until it ends. With `interrupts`, this presses the keys for an
    /// interrupt as soon as a bar is visible.
    fn run(folder: &Path, line: &str, columns: u16, interrupts: bool) -> Self {
        let words: Vec<&str> = line.split(' ').collect();
        let program = words.iter().position(|word| *word == "pspge").expect("the program's name");
        let (mut terminal, screen) = open().expect("a pseudo-terminal");
        terminal.resize(Size::new(ROWS, columns)).expect("the terminal has a size");
        let mut command = Command::new(env!("CARGO_BIN_EXE_pspge"))
            .args(&words[program + 1..])
            .current_dir(folder)
            .env("TERM", "xterm-256color");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "PSPGE_LOG", "CI"] {
            command = command.env_remove(name);
        }
        command = command.envs(words[..program].iter().filter_map(|word| word.split_once('=')));
        // The screen stays open here, because the system may drop the last bytes if the command closes it first.
        let mut child = command.spawn_borrowed(&screen).expect("the command starts");
        let mut keys = File::from(terminal.as_fd().try_clone_to_owned().expect("another handle"));
        let (sender, pieces) = channel();
        let reader = spawn(move || {
            let mut piece = [0; 1 << 12];
            while let Ok(count @ 1..) = terminal.read(&mut piece) {
                // The other side ends first only if the test fails.
                let _ = sender.send(piece[..count].to_vec());
            }
        });
        let parser = Parser::new(nonzero(ROWS), nonzero(columns), 0);
        let mut found = Self { parser, bars: 0, status: None };
        let mut is_pressed = false;
        loop {
            let status = child.try_wait().expect("the command ends");
            match (pieces.recv_timeout(Duration::from_millis(20)), status) {
                (Ok(piece), _) => found.show(&piece),
                (Err(_), Some(status)) => {
                    found.status = status.code();
                    break;
                }
                (Err(_), None) => {}
            }
            if interrupts && found.bars > 0 && !is_pressed {
                keys.write_all(b"\x03").expect("the keys arrive");
                is_pressed = true;
            }
        }
        // The command holds handles to the screen, too.
        drop((screen, command));
        reader.join().expect("the reader ends");
        // On a busy machine, the command can end before the reader has passed on its last words.
        for piece in pieces {
            found.show(&piece);
        }
        found
    }

    fn show(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
        self.bars = self.bars.max(self.visible_bars());
    }

    fn visible_bars(&self) -> usize {
        self.parser.screen().contents().lines().filter(|line| line.contains(['█', '░'])).count()
    }

    /// Whether the cursor is at the start of a line.
    fn begins_line(&self) -> bool {
        self.parser.screen().cursor_position().1 == 0
    }

    /// Returns the screen's lines with their colours, without parts that differ from run to run.
    fn text(&self) -> String {
        let screen = self.parser.screen();
        let (rows, columns) = screen.size();
        let (rows, columns) = (rows.get(), columns.get());
        let mut text = String::new();
        for row in 0..rows {
            let mut line = String::new();
            let mut style = String::new();
            for cell in (0..columns).filter_map(|column| screen.cell(row, column)) {
                let now = style_name(cell);
                if now != style {
                    line += if style.is_empty() { "" } else { "</>" };
                    line += &if now.is_empty() { String::new() } else { format!("<{now}>") };
                    style = now;
                }
                line += if cell.has_contents() { cell.contents() } else { " " };
            }
            text += line.trim_end();
            text.push('\n');
        }
        let memory = Regex::new(r"\d+ MiB").expect("valid");
        let text = memory.replace_all(text.trim_end(), "N MiB").into_owned();
        text + "\n"
    }
}

fn nonzero(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("a size above 0")
}

/// Names a cell's colour and weight; nothing for plain text.
fn style_name(cell: &Cell) -> String {
    let color = match cell.fgcolor() {
        Color::Default => "",
        Color::Idx(1) => "red",
        Color::Idx(2) => "green",
        Color::Idx(3) => "yellow",
        Color::Idx(6) => "cyan",
        _ => "other",
    };
    let weights = [(cell.bold(), "bold"), (cell.underline(), "underlined"), (cell.dim(), "dim")];
    let weights = weights.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name);
    let names: Vec<&str> = [color].into_iter().filter(|name| !name.is_empty()).chain(weights).collect();
    if cell.has_contents() { names.join(" ") } else { String::new() }
}

/// Whether the system has pseudo-terminals. Some containers have none.
fn has_terminals() -> bool {
    let found = open();
    if let Err(error) = &found {
        eprintln!("skipped: no pseudo-terminal: {error}");
    }
    found.is_ok()
}

/// Compares the screens in all situations with the accepted screens.
fn check_situations(columns: u16, name: &str) {
    if !has_terminals() {
        return;
    }
    let folder = empty_folder(name);
    write_files(&folder);
    let mut text = String::new();
    for line in SITUATIONS {
        let terminal = Terminal::run(&folder, line, columns, false);
        assert!(terminal.bars <= 1, "{line}: {} bars together", terminal.bars);
        assert_eq!(terminal.visible_bars(), 0, "{line}: a bar is left");
        assert!(terminal.begins_line(), "{line}: the prompt would follow text");
        text += &format!("$ {line}\n{}\n", terminal.text());
    }
    snapshot::assert(name, &text);
}

/// Tests both widths at the same time, because most of the time passes waiting for a screen.
#[test]
fn situations_look_as_accepted_in_80_and_200_columns() {
    thread::scope(|scope| {
        scope.spawn(|| check_situations(80, "terminal/80_columns"));
        scope.spawn(|| check_situations(200, "terminal/200_columns"));
    });
}

#[test]
fn bars_are_visible_and_an_interrupt_leaves_the_prompt_a_line() {
    if !has_terminals() {
        return;
    }
    let folder = empty_folder("bars");
    write_files(&folder);
    let terminal = Terminal::run(&folder, "pspge render lampwing.pac --size 2048x2048 -o a.png", 80, false);
    assert_eq!((terminal.bars, terminal.visible_bars()), (1, 0), "{}", terminal.text());
    let line = "pspge render set set lampwing.pac --size 2048x2048 --threads 1 --parents -o pictures";
    let terminal = Terminal::run(&folder, line, 80, true);
    assert_eq!(terminal.status, Some(130), "interrupted: {}", terminal.text());
    assert_eq!(terminal.bars, 1, "{}", terminal.text());
    assert!(terminal.begins_line(), "the prompt would follow {}", terminal.text());
}
