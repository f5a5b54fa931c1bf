//! Writes texture packs for bundled and recorded frames, and draws with them: unchanged pictures must leave every
//! byte as it is, and changed pictures must be seen. Damaged packs must give errors with file and line.
//!
//! To check recorded frames, set `PSPGE_CORPUS`. Without it, only the samples and cases are tested, and a message is
//! printed.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

use ge_tests::generate::Random;
use ge_tests::{corpus, frames, input, long_checks, sample};
use image::{ImageFormat, RgbaImage, imageops};
use pspge::debug::what_if::edit::{Edit, PackEdit};
use pspge::ge::limits::Limits;
use pspge::texture_pack::ini::Ini;
use pspge::texture_pack::pack::{PackError, PackFiles, TexturePack};
use pspge::texture_pack::settings::{Settings, SettingsError};
use pspge::texture_pack::uses::{self, PackUses};
use pspge::texture_pack::write::{self, PackContents};
use pspge::{Asset, RunSpec};

/// Pack options to try: each hash, and everything that changes names.
const OPTIONS: [&str; 4] = [
    "hash = quick",
    "hash = xxh32\nignoreAddress = true",
    "hash = xxh64\nreduceHash = true\n[reducehashranges]\n256,256 = 0.75",
    "hash = xxh64\nignoreMipmap = true",
];

/// A pack in memory.
#[derive(Debug, Default)]
struct MemoryFiles(BTreeMap<String, Vec<u8>>);

impl PackFiles for MemoryFiles {
    fn name(&self) -> String {
        "pack".to_owned()
    }

    fn is_archive(&self) -> bool {
        false
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.get(name).cloned())
    }
}

fn settings(text: &str) -> Settings {
    let mut settings = Settings::default();
    let ini = Ini::read(format!("[options]\n{text}").as_bytes());
    settings.read(&ini, false, &mut Vec::new()).expect("settings");
    settings
}

fn find(asset: &Asset, settings: &Settings) -> PackUses {
    let mut shot = asset.shot(&RunSpec::default()).expect("a run");
    uses::find(&mut shot.capture, settings, shot.raster, &shot.limits)
}

/// Makes a pack from a run's textures, after changing each picture.
fn pack(found: &PackUses, settings: &Settings, change: impl Fn(&RgbaImage) -> RgbaImage) -> Arc<TexturePack> {
    let mut files = MemoryFiles::default();
    let mut names = Vec::new();
    for texture in PackContents::of(found, settings, None).textures {
        let mut levels = Vec::new();
        for (level, picture) in texture.pictures.iter().enumerate() {
            let name = format!("{}.png", texture.key.file_stem(level));
            let mut bytes = Cursor::new(Vec::new());
            change(picture).write_to(&mut bytes, ImageFormat::Png).expect("a picture");
            files.0.insert(name.clone(), bytes.into_inner());
            levels.push(name);
        }
        names.push((texture.key, levels));
    }
    files.0.insert("textures.ini".to_owned(), write::ini(settings, &names).into_bytes());
    let pack = TexturePack::open(Arc::new(files), None).expect("a pack");
    assert_eq!((pack.entries.len(), &pack.settings), (names.len(), settings), "all entries are read");
    assert!(pack.problems.is_empty(), "{:?}", pack.problems);
    Arc::new(pack)
}

fn render(asset: &Asset, pack: &Arc<TexturePack>) -> RgbaImage {
    let edit = Edit::TexturePack(PackEdit { text: "pack".to_owned(), pack: Arc::clone(pack) });
    asset.render(&RunSpec::default().edits(vec![edit])).expect("a picture")
}

/// Draws an input with its own textures, as they are and as pictures at twice the size, and with inverted textures.
/// Returns how many textures it has, and whether the inverted textures were seen. `number` selects the options.
fn check(name: &str, asset: &Asset, number: usize) -> (usize, bool) {
    let plain = asset.render(&RunSpec::default()).expect("a picture");
    let options = OPTIONS[number % OPTIONS.len()];
    let settings = settings(options);
    let found = find(asset, &settings);
    assert!(render(asset, &pack(&found, &settings, RgbaImage::clone)) == plain, "{name}: {options}");
    let twice = |picture: &RgbaImage| {
        let (width, height) = picture.dimensions();
        imageops::resize(picture, width * 2, height * 2, imageops::FilterType::Nearest)
    };
    // This is not exact for textures with smaller levels: a level with 1 pixel becomes two, but the next level after
    // two is 1 again.
    let halves = found.textures.iter().all(|texture| texture.levels == 1);
    assert!(!halves || render(asset, &pack(&found, &settings, twice)) == plain, "{name}: of twice the size");
    let inverted = pack(&found, &settings, |picture| {
        let mut picture = picture.clone();
        imageops::invert(&mut picture);
        picture
    });
    (found.textures.len(), render(asset, &inverted) != plain)
}

#[test]
fn packs_of_samples_and_cases_draw_the_same() {
    let (mut textures, mut seen, mut number) = (0, 0, 0);
    let cases = input::files_below(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases")));
    let paths = input::entries(&sample::folder()).into_iter().chain(cases);
    for path in paths.filter(|path| path.is_file()) {
        let name = path.display().to_string();
        let Ok(asset) = pspge::open(&name, &input::read(&path)) else { continue };
        if !asset.is_drawable() || asset.render(&RunSpec::default()).is_err() {
            continue;
        }
        let (count, is_seen) = check(&name, &asset, number);
        number += 1;
        textures += count;
        seen += usize::from(is_seen);
    }
    assert!(textures > 20 && seen > 5, "inputs with textures: {textures}, {seen}");
}

#[test]
fn packs_of_recorded_frames_draw_the_same() {
    let Some(folder) = corpus::folder("frames") else { return };
    for (number, (name, path)) in frames::dumps(&folder).into_iter().enumerate() {
        // Without the long checks, every third frame has to do. Each of the four options still meets a frame.
        if !long_checks::are_wanted() && number % 3 > 0 {
            continue;
        }
        let asset = pspge::open(&name, &input::read(&path)).expect("a frame");
        let (count, is_seen) = check(&name, &asset, number);
        assert!(count > 0 && is_seen, "{name}: its textures are replaced");
    }
}

/// An ini with everything in it, to be damaged.
const INI: &str = "\u{FEFF}# Pack\n[options]\nversion = 1\nhash = xxh64 # fast\nignoreAddress = false\n\
    reduceHash=true\n[games]\nULUS10000 = \"other.ini\"\n[hashes]\n0880100012345678a1b2c3d4 = a\\#b.png\n\
    0880100012345678a1b2c3d4_1 = b.png\n12 =\n[hashranges]\n0x08801000,512,512 = 480,272\n[filtering]\n\
    0880100012345678 = nearest\n[reducehashranges]\n512,512=0.5\n";

#[test]
fn damaged_inis_give_errors_with_lines() {
    let mut random = Random::new(7);
    let mut errors = 0;
    for round in 0..20_000_u32 {
        let mut bytes = INI.as_bytes().to_vec();
        for _ in 0..=random.below(6) {
            let at = random.below(u32::try_from(bytes.len().max(1)).expect("a short text")) as usize;
            match random.below(4) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, random.below(256).to_le_bytes()[0]),
                2 => bytes.splice(at..at, *b"\n[options]\nhash=#").for_each(drop),
                _ => bytes[at..].iter_mut().take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count();
        let files =
            BTreeMap::from([("textures.ini".to_owned(), bytes.clone()), ("other.ini".to_owned(), bytes)]);
        match TexturePack::open(Arc::new(MemoryFiles(files)), Some("ULUS10000")) {
            Ok(pack) => {
                for (file, line, problem) in &pack.problems {
                    assert!(file.starts_with("pack/"), "{round}: {file}");
                    assert!((1..=lines).contains(&(*line as usize)), "{round}: {file}:{line}: {problem}");
                }
            }
            Err(PackError::Settings { file, error }) => {
                errors += 1;
                assert!(file.starts_with("pack/"), "{round}: {file}");
                if let SettingsError::UnknownHash { line, .. } = error {
                    assert!((1..=lines).contains(&(line as usize)), "{round}: {file}:{line}");
                }
            }
            Err(error) => assert!(matches!(error, PackError::NoOverride { .. }), "{round}: {error}"),
        }
    }
    assert!(errors > 100, "some are refused: {errors}");
}

#[test]
fn games_have_their_own_options() {
    let files = || {
        let other = "[options]\nhash =\nreduceHash = true\n[hashes]\n12 = c.png";
        MemoryFiles(BTreeMap::from([
            ("textures.ini".to_owned(), INI.as_bytes().to_vec()),
            ("other.ini".to_owned(), other.as_bytes().to_vec()),
            ("088010001234567800000001.png".to_owned(), Vec::new()),
            ("folder/088010001234567800000002.png".to_owned(), Vec::new()),
        ]))
    };
    let entries = |game: Option<&str>| {
        let pack = TexturePack::open(Arc::new(files()), game).expect("a pack");
        assert_eq!(pack.settings.hash.name(), "xxh64", "an empty hash changes none");
        let entry = |(key, entry): (_, &pspge::texture_pack::pack::PackEntry)| {
            format!("{key}: {} {:?}", entry.files.join(" "), entry.line)
        };
        pack.entries.iter().map(|(key, value)| entry((*key, value))).collect::<Vec<_>>()
    };
    let common = [
        "088010001234567800000001: 088010001234567800000001.png None",
        "0880100012345678a1b2c3d4: a#b.png b.png Some(10)",
    ];
    let own = |line: &'static str| [&[line], &common[..]].concat();
    assert_eq!(entries(None), own("000000000000001200000000:  Some(12)"));
    assert_eq!(entries(Some("ULUS10000")), own("000000000000001200000000: c.png Some(5)"));
    let error = TexturePack::open(Arc::new(MemoryFiles::default()), None).expect_err("nothing");
    assert_eq!(error, PackError::Nothing("pack".to_owned()));
    let limits = Limits::default();
    let pack = TexturePack::open(Arc::new(files()), None).expect("a pack");
    let error = pack.levels("088010001234567800000001.png", &limits).expect_err("an empty file");
    assert!(!error.to_string().is_empty(), "a reason");
}
