//! Tests texture packs: `textures --pack`, `--texture-pack` and `check-pack`.

use std::fs;
use std::path::Path;

use ge_tests::schema_check;
use image::{Rgba, RgbaImage};
use serde_json::{Value, json};

use crate::support::{copy_sample, list_folder, portable_text, pspge_in};

/// Two through-mode rectangles: 8x4 texels with 4 bits and a palette, and 8x4 coloured texels beside it.
const LIST: &str = "
    FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888
    SCISSOR2 x=63 y=63 | REGION2 x=63 y=63 | BASE hi(corners)
    TEXENABLE 1 | TEXFORMAT CLUT4 | TEXSIZE0 width_log2=3 height_log2=2 | TEXFUNC function=REPLACE use_alpha=1
    TEXADDR0 lo(texels) | TEXBUFWIDTH0 width=32 high=8
    CLUTFORMAT format=ABGR8888 mask=0xff | CLUTADDRUPPER 0x8 | CLUTADDR lo(colors) | LOADCLUT 2
    VTYPE texcoord=BITS16 position=BITS16 through=1
    VADDR lo(corners) | PRIM primitive=RECTANGLES count=2
    TEXFORMAT ABGR8888 | TEXADDR0 lo(direct) | TEXBUFWIDTH0 width=8 high=8 | TEXFLUSH
    VADDR lo(beside) | PRIM primitive=RECTANGLES count=2
    FINISH | END
.align 16
texels: .fill 64 0x10
.align 16
colors: .rgba #ff0000ff | .rgba #00ff0080 | .space 56
.align 16
direct: .fill 128 0x66
corners: .s16 0 0 0 0 0 | .s16 8 4 8 4 0
beside: .s16 0 0 8 0 0 | .s16 8 4 16 4 0
";

/// Runs a command in a folder, with its status, and returns its printed text.
fn run(folder: &Path, arguments: &str, status: i32) -> String {
    let output = pspge_in(folder, arguments);
    let text = portable_text(&[output.stdout, output.stderr].concat());
    assert_eq!(output.status.code(), Some(status), "{arguments}: {text}");
    text
}

fn pictures(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let names = entries.map(|name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".png")).collect();
    names.sort();
    names
}

fn render(folder: &Path, options: &str) -> RgbaImage {
    run(folder, &format!("render list.ge -o out.png {options} -q").replace("  ", " "), 0);
    image::open(folder.join("out.png")).expect("a picture").into_rgba8()
}

fn put(folder: &Path, name: &str, size: [u32; 2], color: [u8; 4]) {
    let picture = RgbaImage::from_pixel(size[0], size[1], Rgba(color));
    picture.save(folder.join("pack").join(name)).expect("the file can be written");
}

#[test]
fn packs_are_written_and_read() {
    let folder = list_folder("round", LIST);
    run(&folder, "textures list.ge --pack=xxh64 -o pack", 0);
    let names = pictures(&folder.join("pack"));
    let [first, second] = names.as_slice() else { panic!("two textures: {names:?}") };
    let ini = fs::read_to_string(folder.join("pack/textures.ini")).expect("an ini");
    assert!(ini.starts_with("[options]\nversion = 1\nhash = xxh64\n"), "{ini}");
    for name in &names {
        let stem = name.strip_suffix(".png").expect("a picture");
        assert!(stem.len() == 24 && stem.starts_with("08800"), "{name}: an address first");
        assert!(ini.contains(&format!("\n{stem} = {name}\n")), "{ini}");
    }
    assert_eq!(&second[8..16], "00000203", "without a palette, only the size");
    let plain = render(&folder, "");
    assert_eq!(render(&folder, "--texture-pack pack"), plain, "unchanged");
    // A picture of another size shows in its draw alone.
    put(&folder, first, [100, 33], [1, 2, 3, 255]);
    let changed = render(&folder, "--texture-pack pack");
    let mut expected = plain.clone();
    (0..4)
        .flat_map(|y| (0..8).map(move |x| (x, y)))
        .for_each(|(x, y)| expected.put_pixel(x, y, Rgba([1, 2, 3, 255])));
    assert_eq!(changed, expected, "one rectangle");
    let pixel = run(&folder, "pixel list.ge 2,2 --texture-pack pack", 0);
    assert!(pixel.contains("#010203"), "the other questions are about the same run: {pixel}");
    // The archive counts instead of the folder's files.
    let mut archive = zip::ZipWriter::new(fs::File::create(folder.join("pack.zip")).expect("a file"));
    for name in ["textures.ini", first, second] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("a new member");
        let bytes = fs::read(folder.join("pack").join(name)).expect("a file");
        std::io::Write::write_all(&mut archive, &bytes).expect("room");
    }
    archive.finish().expect("room");
    assert_eq!(render(&folder, "--texture-pack pack.zip"), expected, "as an archive");
    fs::create_dir(folder.join("zipped")).expect("a folder");
    fs::copy(folder.join("pack.zip"), folder.join("zipped/textures.zip")).expect("a copy");
    assert_eq!(render(&folder, "--texture-pack zipped"), expected, "as an archive in a folder");
}

/// Builds a DDS file in a single colour: uncompressed, or in BC1 blocks.
fn dds(size: [u32; 2], levels: u32, [red, green, blue, alpha]: [u8; 4], is_packed: bool) -> Vec<u8> {
    let mut words = [0_u32; 32];
    words[..5].copy_from_slice(&[0x2053_4444, 124, 0x1007, size[1], size[0]]);
    (words[7], words[19]) = (levels, 32);
    let format = if is_packed {
        [4, u32::from_le_bytes(*b"DXT1"), 0, 0, 0, 0, 0]
    } else {
        [0x41, 0, 32, 0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]
    };
    words[20..27].copy_from_slice(&format);
    let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    for level in 0..levels {
        let [width, height] = size.map(|side| (side >> level).max(1));
        if is_packed {
            let color = u16::from(red >> 3) << 11 | u16::from(green >> 2) << 5 | u16::from(blue >> 3);
            let block = [color.to_le_bytes(), color.to_le_bytes(), [0; 2], [0; 2]].concat();
            (0..width.div_ceil(4) * height.div_ceil(4)).for_each(|_| file.extend(&block));
        } else {
            (0..width * height).for_each(|_| file.extend([red, green, blue, alpha]));
        }
    }
    file
}

#[test]
fn dds_files_show_as_png_files_do() {
    let folder = list_folder("dds", LIST);
    run(&folder, "textures list.ge --pack=xxh64 -o pack", 0);
    let names = pictures(&folder.join("pack"));
    put(&folder, &names[0], [8, 4], [255, 0, 255, 255]);
    let expected = render(&folder, "--texture-pack pack");
    let stem = &names[0][..24];
    let ini = format!("[options]\nversion = 1\nhash = xxh64\n[hashes]\n{stem} = other.dds\n");
    fs::write(folder.join("pack/textures.ini"), ini).expect("the file can be written");
    for (size, levels, is_packed) in [([8, 4], 1, false), ([8, 4], 4, true), ([32, 16], 3, true)] {
        let file = dds(size, levels, [255, 0, 255, 255], is_packed);
        fs::write(folder.join("pack/other.dds"), file).expect("the file can be written");
        let found = render(&folder, "--texture-pack pack");
        assert!(found == expected, "{size:?} {levels} {is_packed}");
        run(&folder, "check-pack pack list.ge -q", if is_packed { 1 } else { 0 });
    }
    let text = run(&folder, "check-pack pack list.ge -q", 1);
    assert!(text.contains("alpha-missing: other.dds"), "blocks without transparent pixels: {text}");
}

#[test]
fn options_of_an_ini_decide_names() {
    let folder = list_folder("options", LIST);
    let address = "hash = xxh32\nignoreAddress = true\n";
    for (options, expected) in [
        (address.to_owned(), "00000000"),
        ("hash = xxh32\nreduceHash = true\n[reducehashranges]\n8,4 = 0.25\n".to_owned(), "08800"),
    ] {
        let name = if expected == "00000000" { "ignored" } else { "reduced" };
        fs::write(folder.join("own.ini"), format!("[options]\n{options}")).expect("the file can be written");
        run(&folder, &format!("textures list.ge --pack --pack-options own.ini -o {name}"), 0);
        let names = pictures(&folder.join(name));
        assert!(names.len() == 2 && names.iter().all(|name| name.starts_with(expected)), "{names:?}");
        assert_eq!(render(&folder, &format!("--texture-pack {name}")), render(&folder, ""), "{options}");
    }
    // A range halves the first texture's rows, so its picture shows two.
    let whole = pictures(&folder.join("reduced"));
    let range = format!("[options]\nhash = xxh64\n[hashranges]\n{},8,4 = 8,2\n", &whole[0][..8]);
    fs::write(folder.join("own.ini"), range).expect("the file can be written");
    run(&folder, "textures list.ge --pack --pack-options own.ini -o pack", 0);
    let first = &pictures(&folder.join("pack"))[0];
    let size = |name: &str| {
        image::open(folder.join("pack").join(name)).expect("a picture").into_rgba8().dimensions()
    };
    assert_eq!(size(first), (8, 2), "the range");
    let plain = render(&folder, "");
    assert_eq!(render(&folder, "--texture-pack pack"), plain, "unchanged");
    put(&folder, first, [16, 4], [1, 2, 3, 255]);
    let changed = render(&folder, "--texture-pack pack");
    let rows = (0..4).map(|y| changed.get_pixel(3, y) == plain.get_pixel(3, y));
    assert_eq!(rows.collect::<Vec<_>>(), [false, false, true, true], "the texels below stay");
}

#[test]
fn lines_that_do_not_count_become_notes() {
    let folder = list_folder("notes", LIST);
    fs::write(folder.join("own.ini"), "[options]\nhash = xxh64\nvideo = maybe\n")
        .expect("the file can be written");
    let text = run(&folder, "textures list.ge --pack --pack-options own.ini -o pack", 0);
    assert!(text.contains("own.ini:3: video cannot be 'maybe'"), "{text}");
    let ini = folder.join("pack/textures.ini");
    let lines = fs::read_to_string(&ini).expect("an ini");
    fs::write(&ini, format!("{lines}[filter]\n")).expect("the file can be written");
    let expected =
        format!("pack/textures.ini:{}: the section [filter] is not known", lines.lines().count() + 1);
    for command in ["render list.ge -o out.png", "pixel list.ge 2,2", "draw list.ge 0"] {
        let text = run(&folder, &format!("{command} --texture-pack pack"), 0);
        assert!(text.contains(&expected), "{command}: {text}");
        run(&folder, &format!("{command} --texture-pack pack --strict"), 1);
    }
}

#[test]
fn draws_in_textures_of_the_run_are_left_out() {
    let folder = list_folder("rendered", LIST);
    let target = "TEXADDR0 0 | TEXBUFWIDTH0 width=64 high=4 | TEXFLUSH | VADDR lo(beside) | PRIM primitive=RECTANGLES count=2\n    FINISH";
    fs::write(folder.join("list.ge"), LIST.replace("FINISH", target)).expect("the file can be written");
    let text = run(&folder, "textures list.ge --pack -o pack", 0);
    assert!(text.contains("textures not written: 1, because the run may have drawn them itself"), "{text}");
    assert_eq!(pictures(&folder.join("pack")).len(), 2, "the others");
}

#[test]
fn check_pack_lists_matches_and_findings() {
    let folder = list_folder("check", LIST);
    copy_sample("lampwing.pac", &folder.join("lampwing.pac"));
    run(&folder, "textures list.ge --pack=xxh32 -o pack", 0);
    let names = pictures(&folder.join("pack"));
    let text = run(&folder, "check-pack pack list.ge lampwing.pac -q", 0);
    assert!(text.contains("list.ge: 2 entries for 2 textures"), "{text}");
    assert!(text.ends_with("pack: no findings\n"), "{text}");
    let (key, other) = (&names[0][..24], &names[1][..24]);
    let opaque = image::RgbImage::new(8, 4);
    opaque.save(folder.join("pack").join(&names[0])).expect("the file can be written");
    fs::write(folder.join("pack/extra.png"), b"").expect("the file can be written");
    fs::write(folder.join("pack/model.dds"), b"DDS and more").expect("the file can be written");
    let ini = format!(
        "[options]\nhash = xxh32\nvideo = no\n[hashes]\n{key} = {0}\n{other} = {0}\n{1} = {0}\n\
         0123 = missing.png\n4567 = model.dds\nnothing = a.png\n89 =\n",
        names[0],
        &key[..16]
    );
    fs::write(folder.join("pack/textures.ini"), ini).expect("the file can be written");
    fs::remove_file(folder.join("pack").join(&names[1])).expect("the file can be removed");
    let output = pspge_in(&folder, "check-pack pack list.ge --json");
    assert_eq!(output.status.code(), Some(1), "findings");
    let documents = schema_check::checked(&output.stdout);
    let [document] = documents.as_slice() else { panic!("one document") };
    let matches = document["frames"][0]["matches"].as_array().expect("matches");
    let draws: Vec<&Value> = matches.iter().map(|found| &found["draws"]).collect();
    assert_eq!(draws, [&json!([0]), &json!([1])], "{document:#}");
    let unmatched = document["unmatched"].as_array().expect("entries");
    let lines: Vec<&Value> = unmatched.iter().map(|entry| &entry["line"]).collect();
    assert_eq!(lines.len(), 4, "the short name, and three others: {document:#}");
    let findings = document["findings"].as_array().expect("findings");
    let found: Vec<String> = findings
        .iter()
        .map(|finding| {
            format!(
                "{} {}:{}",
                finding["rule"].as_str().expect("a rule"),
                finding["file"].as_str().expect("a file"),
                finding["line"]
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            "ini-line pack/textures.ini:3".to_owned(),
            "ini-line pack/textures.ini:10".to_owned(),
            "file-missing missing.png:8".to_owned(),
            "picture-unusable model.dds:9".to_owned(),
            "file-unnamed extra.png:null".to_owned(),
            format!("alpha-missing {}:5", names[0]),
            format!("alpha-missing {}:6", names[0]),
            format!("same-texture {}:7", names[0]),
            format!("same-file {}:null", names[0]),
        ],
        "{document:#}"
    );
    let text = run(&folder, "check-pack pack list.ge", 1);
    assert!(text.contains("picture-unusable: model.dds: at 0xc: the header ends here"), "{text}");
    // A draw needs this picture, so this is an error.
    for (bytes, problem) in [
        (b"DDS ".as_slice(), "at 0xc: the header ends here"),
        (b"\xABKTX 20\xBB", "KTX2 is not supported, only PNG and DDS"),
    ] {
        fs::write(folder.join("pack").join(&names[0]), bytes).expect("the file can be written");
        let text = run(&folder, "render list.ge -o out.png --texture-pack pack", 2);
        assert!(text.contains(&format!("pack/{}: {problem}", names[0])), "{text}");
    }
}

#[test]
fn unusable_packs_are_refused_with_file_and_line() {
    let folder = list_folder("refused", LIST);
    fs::create_dir(folder.join("pack")).expect("a folder");
    let render = "render list.ge -o out.png --texture-pack pack";
    for (ini, expected) in [
        (
            "[options]\n\nhash = md5",
            "error: pack/textures.ini: line 3: the hash 'md5' is none of quick, xxh32 and xxh64",
        ),
        ("[hashes]", "error: pack/textures.ini: [options] has no hash = quick, xxh32 or xxh64"),
    ] {
        fs::write(folder.join("pack/textures.ini"), ini).expect("the file can be written");
        for command in [render, "check-pack pack list.ge"] {
            let text = run(&folder, command, 3);
            assert!(text.contains(expected), "{command}: {text}");
        }
    }
    fs::remove_file(folder.join("pack/textures.ini")).expect("the file can be removed");
    assert!(run(&folder, render, 3).contains("no picture that is named after a texture"), "nothing");
    assert!(
        run(&folder, "render list.ge -o out.png --texture-pack absent", 4).contains("absent"),
        "no folder"
    );
    assert!(
        run(&folder, "render list.ge -o out.png --texture-pack list.ge", 4).contains("list.ge"),
        "no archive"
    );
    // A pack for other textures changes nothing, and a note says so.
    fs::write(folder.join("pack/textures.ini"), "[options]\nhash = quick").expect("the file can be written");
    let text = run(&folder, render, 0);
    assert!(text.contains("--texture-pack pack changed nothing"), "{text}");
}
