//! Tests `pspge render`: larger frames, sequences, depth, picture formats, and options that cannot apply.

use std::fs;
use std::io::Cursor;
use std::path::PathBuf;
use std::process::Output;

use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, DynamicImage, RgbImage};

use crate::support::{command, list_folder, samples, text};

/// Draws a triangle and, above it, a rectangle, at depths 1000 to 3000, into a buffer with 512 pixels a row.
const LIST: &str = "
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x110000 | ZBUFWIDTH width=512
    SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ z=65535 | ZTESTENABLE 1 | ZTEST function=ALWAYS
    SHADEMODE GOURAUD | BASE hi(corners)
    VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
    PRIM primitive=TRIANGLES count=3 | PRIM primitive=RECTANGLES count=2 | FINISH | END
    .align 16
    corners:
    .rgba #ff0000ff | .s16 100 20 1000 | .align 4
    .rgba #00ff00ff | .s16 30 250 2000 | .align 4
    .rgba #0000ffff | .s16 460 133 3000 | .align 4
    .rgba #ffffffff | .s16 10 10 1500 | .align 4
    .rgba #ffffffff | .s16 90 40 1500 | .align 4";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = list_folder(name, LIST);
        Self(folder)
    }

    /// Runs `pspge render` in the folder, its arguments separated by blanks. `@` means the samples' folder.
    fn run(&self, arguments: &str) -> Output {
        let samples = samples().display().to_string();
        let arguments = arguments.split(' ').map(|argument| argument.replace('@', &samples));
        command(&["render"]).args(arguments).current_dir(&self.0).output().expect("runs")
    }

    /// Runs a command that must succeed. Returns standard error.
    fn draw(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {message}");
        message
    }

    /// Runs a command that must fail because of wrong usage. Returns its error.
    fn error(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {message}");
        let errors: Vec<&str> = message.lines().filter_map(|line| line.strip_prefix("error: ")).collect();
        let [error] = errors.as_slice() else { panic!("{arguments}: {message}") };
        (*error).to_owned()
    }

    fn picture(&self, name: &str) -> DynamicImage {
        image::open(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Reads an animated PNG: its pictures, and their delays in milliseconds.
    fn animation(&self, name: &str) -> (Vec<RgbImage>, Vec<u32>) {
        let bytes = fs::read(self.0.join(name)).expect("a file");
        let decoder = PngDecoder::new(Cursor::new(bytes)).expect("PNG").apng().expect("animated");
        let frames = decoder.into_frames().collect_frames().expect("frames");
        let delay = |frame: &image::Frame| {
            let (numerator, denominator) = frame.delay().numer_denom_ms();
            numerator / denominator
        };
        let delays = frames.iter().map(delay).collect();
        let rgb = |frame: image::Frame| DynamicImage::ImageRgba8(frame.into_buffer()).into_rgb8();
        (frames.into_iter().map(rgb).collect(), delays)
    }

    fn files(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn frames_are_drawn_at_whole_factors_of_the_screen() {
    let folder = Folder::new("larger");
    folder.draw("list.ge -o small.png");
    let small = folder.picture("small.png").into_rgb8();
    for (scale, size) in [(2, "960x544"), (4, "1920x1088")] {
        folder.draw(&format!("list.ge -o large.png --size {size}"));
        let large = folder.picture("large.png").into_rgb8();
        assert_eq!(large.dimensions(), (480 * scale, 272 * scale), "{size}");
        let differing = |x: std::ops::Range<u32>, y: std::ops::Range<u32>| {
            let pixels = y.flat_map(move |y| x.clone().map(move |x| (x, y)));
            pixels.filter(|&(x, y)| large.get_pixel(x, y) != small.get_pixel(x / scale, y / scale)).count()
        };
        assert_eq!(differing(0..95 * scale, 0..20 * scale), 0, "{size}: the rectangle is exact");
        assert!(differing(0..480 * scale, 0..272 * scale) > 1000, "{size}: the triangle is finer");
    }
}

#[test]
fn frames_have_no_other_sizes() {
    let folder = Folder::new("sizes");
    let reason = "the buffer has 512x272; larger ones are 960x544, 1920x1088 or 3840x2176";
    for size in ["513x272", "512x273", "1440x816", "960x272", "4096x4096"] {
        let message = folder.error(&format!("list.ge -o out.png --size {size}"));
        assert!(message.starts_with(&format!("list.ge: --size {size} cannot apply: ")), "{message}");
        assert!(message.ends_with(reason), "{message}");
    }
    for size in ["1x1", "512x272", "480x272"] {
        folder.draw(&format!("list.ge -o out.png --size {size}"));
        let picture = folder.picture("out.png");
        assert_eq!(format!("{}x{}", picture.width(), picture.height()), size, "a part of the buffer");
    }
    folder.draw("@/lampwing.pac -o out.png --size 1440x816");
    assert_eq!(folder.picture("out.png").width(), 1440, "models have any size");
}

#[test]
fn small_and_missing_buffers_are_noted() {
    let folder = Folder::new("buffers");
    fs::write(folder.0.join("narrow.ge"), LIST.replace("width=512", "width=64")).expect("written");
    fs::write(folder.0.join("none.ge"), "FINISH | END").expect("written");
    assert_eq!(folder.draw("narrow.ge -o out.png"), "", "as large as the buffer");
    assert_eq!(folder.picture("out.png").width(), 64, "as wide as its rows");
    let message = folder.draw("narrow.ge -o out.png --size 480x272");
    assert!(message.starts_with("note: narrow.ge: the picture has 64x272 instead of 480x272"), "{message}");
    let message = folder.draw("none.ge -o out.png");
    assert!(message.starts_with("note: none.ge: the list sets up no such buffer"), "{message}");
    let strict = folder.run("none.ge -o out.png --strict");
    assert_eq!(strict.status.code(), Some(1), "a note counts as a failure");
}

#[test]
fn runs_stop_after_the_named_draw_or_command() {
    let folder = Folder::new("until");
    let is_white = |until: &str| {
        folder.draw(&format!("list.ge -o out.png --until {until}"));
        let picture = folder.picture("out.png").into_rgb8();
        [picture.get_pixel(20, 20).0 == [255; 3], picture.get_pixel(100, 100).0 != [0; 3]]
    };
    assert_eq!(is_white("command:0"), [false, false], "before the draws");
    assert_eq!(is_white("draw:0"), [false, true], "the triangle is draw 0");
    assert_eq!(is_white("draw:1"), [true, true], "the rectangle is draw 1");
    let message = folder.error("list.ge -o out.png --until draw:2");
    let expected = "list.ge: --until draw:2 cannot apply: \
                    draw:2 is beyond the end: the run has 2 draws, numbered from 0";
    assert_eq!(message, expected, "beyond the last draw");
    let message = folder.error("list.ge -o out.png --until command:999");
    assert!(message.contains("commands, numbered from 0"), "{message}");
}

#[test]
fn depths_are_normalized_with_their_range() {
    let folder = Folder::new("depth");
    let depths = |arguments: &str| {
        let message = folder.draw(&format!("list.ge -o out.png --buffer depth {arguments}"));
        (folder.picture("out.png").into_luma16(), message)
    };
    let (stored, message) = depths("--size 480x272");
    assert_eq!((stored.get_pixel(20, 20).0[0], message.as_str()), (1500, ""), "as in the buffer");
    let (normalized, message) = depths("--normalize");
    let words: Vec<&str> = message.split(' ').collect();
    let number = |at: usize| words[at].parse::<u32>().unwrap_or_else(|_| panic!("{message}"));
    let (low, high) = (number(4), number(6));
    assert!((1000..1100).contains(&low) && (2900..=3000).contains(&high), "{message}");
    let expected = ((1500 - low) * 65535 + (high - low) / 2) / (high - low);
    assert_eq!(u32::from(normalized.get_pixel(20, 20).0[0]), expected, "{message}");
    let largest = normalized.pixels().map(|pixel| pixel.0[0]).max();
    assert_eq!(largest, Some(65535), "the nearest depth");

    fs::write(folder.0.join("flat.ge"), LIST.replace("PRIM primitive=TRIANGLES count=3", "NOP"))
        .expect("written");
    let message = folder.draw("flat.ge -o out.png --buffer depth --normalize --until draw:0");
    assert!(message.contains("all drawn depths are 2000"), "{message}");
    fs::write(folder.0.join("none.ge"), LIST.replace("PRIM ", "NOP ;")).expect("written");
    let message = folder.draw("none.ge -o out.png --buffer depth --normalize");
    assert!(message.contains("no depth was drawn"), "{message}");
    let message = folder.draw("@/lampwing.pac -o out.png --buffer depth --normalize");
    assert!(message.contains("depths from"), "a model: {message}");
    let picture = folder.picture("out.png").into_luma16();
    let values: Vec<u16> = picture.pixels().map(|pixel| pixel.0[0]).collect();
    assert!(values.contains(&0) && values.contains(&65535), "the whole range");
}

#[test]
fn extensions_select_the_picture_format() {
    let folder = Folder::new("formats");
    folder.draw("list.ge -o out.png");
    let expected = folder.picture("out.png").into_rgb8();
    for extension in ["bmp", "tga", "qoi", "webp", "ppm", "PNG", "apng"] {
        folder.draw(&format!("list.ge -o out.{extension}"));
        let bytes = fs::read(folder.0.join(format!("out.{extension}"))).expect("a file");
        let format = match extension {
            "PNG" | "apng" => image::ImageFormat::Png,
            extension => image::ImageFormat::from_extension(extension).expect("known"),
        };
        let picture = image::load_from_memory_with_format(&bytes, format).expect("a picture");
        assert!(picture.into_rgb8() == expected, "{extension}: the same pixels");
    }
    folder.draw("list.ge -o out.pgm --buffer depth");
    folder.draw("list.ge -o depth.png --buffer depth");
    assert!(folder.picture("out.pgm").into_luma16() == folder.picture("depth.png").into_luma16(), "16 bits");
    let all = "use one of .png, .apng, .bmp, .tga, .qoi, .webp, .gif, .ppm, .pgm";
    let message = folder.error("list.ge -o a.jpg");
    assert_eq!(message, format!("--output a.jpg: no picture format has the extension 'jpg'; {all}"));
    for (arguments, reason) in [
        ("-o a.bmp --buffer depth", ".bmp holds no grey values of 16 bits; use one of .png, .apng, .pgm"),
        ("-o a.pgm", ".pgm holds no colours; use one of .png, .apng, .bmp, .tga, .qoi, .webp, .gif, .ppm"),
        (
            "-o a.webp --buffer stencil",
            ".webp holds no grey values; use one of .png, .apng, .bmp, .tga, .pgm",
        ),
    ] {
        assert_eq!(
            folder.error(&format!("list.ge {arguments}")),
            format!("--output: {reason}"),
            "{arguments}"
        );
    }
    let message = folder.error("@/lampwing.pac -o a.ppm --background 00000000");
    assert!(message.contains(".ppm holds no alpha channel"), "{message}");
    assert_eq!(folder.files("").iter().filter(|name| name.starts_with("a.")).count(), 0, "no file is left");
    folder.draw("list.ge @/lampwing.pac -o pictures --type webp -q --size 16x16");
    assert_eq!(folder.files("pictures"), ["lampwing.pac.webp", "list.ge.webp"], "the format of a folder");
}

#[test]
fn compression_changes_sizes_only() {
    let folder = Folder::new("compression");
    for (input, end) in [("list.ge", ""), ("@/lampwing.pac", " --turntable 2 --size 120x80")] {
        let [none, fast, balanced, best] = ["none", "fast", "balanced", "best"].map(|how| {
            folder.draw(&format!("{input} -o {how}.png --compression {how} -q{end}"));
            (
                folder.picture(&format!("{how}.png")),
                fs::read(folder.0.join(format!("{how}.png"))).expect("a file"),
            )
        });
        for (other, _) in [&fast, &balanced, &best] {
            assert!(*other == none.0, "{input}: the same picture");
        }
        assert!(none.1.len() > 2 * fast.1.len(), "{input}: compressed");
        assert!(best.1.len() <= balanced.1.len() && balanced.1 != fast.1, "{input}: smaller");
        folder.draw(&format!("{input} -o default.png -q{end}"));
        assert!(
            fs::read(folder.0.join("default.png")).expect("a file") == fast.1,
            "{input}: fast by default"
        );
    }
}

#[test]
fn animations_become_one_file_or_several() {
    let folder = Folder::new("animation");
    folder.draw("@/reedling.arc -o grow.apng --anim grow --frames 0-250:50 --size 96x64 -q");
    let (pictures, delays) = folder.animation("grow.apng");
    assert_eq!((pictures.len(), delays[0]), (6, 1666), "every 50th frame at 30 per second");
    let drawn = |picture: &RgbImage| {
        let background = picture.get_pixel(0, 0);
        picture.pixels().filter(|pixel| *pixel != background).count()
    };
    assert!(drawn(&pictures[0]) * 3 < drawn(&pictures[5]), "the plant grows, the camera stays");

    folder.draw("@/reedling.arc -o one-%03d.bmp --anim grow --frames 0-250:50 --size 96x64 -q");
    for (number, picture) in [0, 50, 100, 150, 200, 250].iter().zip(&pictures) {
        let name = format!("one-{number:03}.bmp");
        assert!(&folder.picture(&name).into_rgb8() == picture, "{name}");
    }
    folder.draw("@/reedling.arc -o many/ --anim sway --frames 58- --size 16x16 -q");
    assert_eq!(folder.files("many/reedling.arc"), ["0058.png", "0059.png"], "numbered in a folder");
    folder.draw("@/reedling.arc @/rover.rlb -o types --type apng --turntable 3 --size 16x16 -q");
    assert_eq!(folder.files("types").len(), 2, "one animation each");
    for name in ["grow.webp", "grow.gif"] {
        folder.draw(&format!(
            "@/reedling.arc -o {name} --anim grow --frames 0-250:50 --turntable 8 --size 96x64 -q"
        ));
        let bytes = Cursor::new(fs::read(folder.0.join(name)).expect("a file"));
        let frames = if name.ends_with("gif") {
            GifDecoder::new(bytes).expect("GIF").into_frames().count()
        } else {
            WebPDecoder::new(bytes).expect("WebP").into_frames().count()
        };
        assert_eq!(frames, 8, "{name}: a turn, during which the plant grows and begins again");
    }
    let output = folder.run("@/reedling.arc -o - --turntable 2 --size 16x16 -q");
    assert!(output.stdout.windows(4).any(|chunk| chunk == b"acTL"), "standard output is an animation");
}

#[test]
fn turntables_show_all_sides_from_one_distance() {
    let folder = Folder::new("turntable");
    folder.draw("@/lampwing.pac -o turn.png --turntable 4 --view front --size 120x80");
    let (pictures, delays) = folder.animation("turn.png");
    assert_eq!((pictures.len(), delays[0]), (4, 33), "30 pictures per second");
    let rows = |picture: &RgbImage| {
        let drawn = picture.enumerate_pixels().filter(|(.., pixel)| *pixel != picture.get_pixel(0, 0));
        let rows: Vec<u32> = drawn.map(|(_, y, _)| y).collect();
        rows.iter().max().zip(rows.iter().min()).map_or(0, |(last, first)| last - first)
    };
    assert!(rows(&pictures[0]).abs_diff(rows(&pictures[2])) <= 12, "front and back are about equally large");
    assert!(pictures[0] != pictures[2] && pictures[1] != pictures[3], "other sides");
}

#[test]
fn sequences_refuse_what_they_cannot_do() {
    let folder = Folder::new("wrong-sequences");
    for (arguments, expected) in [
        (
            "--anim sway --frames 0-60",
            "--frames 0-60 cannot apply: animation sway has 60 frames, counted from 0",
        ),
        ("--anim sway --frame 60", "--frame 60 cannot apply: animation sway has 60 frames, counted from 0"),
        ("--anim walk --frames all", "--anim walk cannot apply: the model has 3 animations: 0 sway, 1 grow"),
        ("--anim sway --frames 5-1", "the range 5-1 ends before it starts"),
        ("--anim sway --frame 3 --frames 0-9", "cannot be used with"),
        ("--frames 0-9", "--anim"),
        ("--turntable 1", "1 is not in 2..=3600"),
    ] {
        let message = folder.error(&format!("@/reedling.arc -o out.png {arguments} -q"));
        assert!(message.contains(expected), "{arguments}: {message}");
    }
    let message = folder.error("@/reedling.arc -o out.bmp --turntable 3 -q");
    let expected = "--output out.bmp: a .bmp file holds one picture; \
                    use .png, .apng, .webp, .gif, a folder, or a name with a number, such as out-%04d.bmp";
    assert_eq!(message, expected, "one picture a file");
    assert_eq!(folder.files(""), ["list.ge"], "no file is left");
}

#[test]
fn options_that_cannot_apply_are_errors() {
    let folder = Folder::new("inapplicable");
    for option in [
        "--view front",
        "--yaw 3",
        "--pitch 3",
        "--zoom 2",
        "--background 000000",
        "--lod 1",
        "--group 1",
        "--hidden",
        "--anim walk",
        "--turntable 3",
        "--textures list.ge",
    ] {
        let by_value = option.starts_with("--lod") || option.starts_with("--group");
        let name = if by_value { option } else { option.split(' ').next().unwrap_or_default() };
        let message = folder.error(&format!("list.ge -o out.png {option}"));
        assert!(message.starts_with(&format!("list.ge: {name} cannot apply: a display list ")), "{message}");
    }
    let message = folder.error("@/lampwing.pac -o out.png --until draw:1");
    assert!(message.ends_with("--until draw:1 cannot apply: a model is drawn as a whole"), "{message}");
    for (arguments, expected) in [
        ("list.ge -o out.png --normalize", "--normalize needs --buffer depth"),
        ("list.ge -o out.png --type webp", "--type needs an output folder; the name of a file has its type"),
        ("list.ge -o out.bmp --compression best", "--compression is for PNG files, not for a .bmp file"),
        (
            "@/lampwing.pac -o out.png --background ff0000 --buffer depth",
            "--background cannot apply: the depth buffer has no colours",
        ),
    ] {
        assert_eq!(folder.error(arguments), expected, "{arguments}");
    }
}

#[test]
fn options_hold_for_the_inputs_to_which_they_apply() {
    let folder = Folder::new("some");
    let message = folder.draw("list.ge @/lampwing.pac -o out --view back --size 64x64");
    let notes: Vec<&str> = message.lines().filter(|line| line.starts_with("note: ")).collect();
    assert_eq!(
        notes,
        ["note: list.ge: --view is ignored: a display list is not a model"],
        "the model uses it"
    );
    folder.draw("@/lampwing.pac -o back.png --view back --size 64x64");
    assert!(folder.picture("out/lampwing.pac.png") == folder.picture("back.png"), "the view from the back");
    fs::copy(folder.0.join("list.ge"), folder.0.join("other.ge")).expect("copied");
    let message = folder.error("list.ge other.ge -o out --view back");
    assert_eq!(message, "--view cannot apply to any of the inputs", "no input uses it");
    let failed = folder.run("list.ge @/lampwing.pac -o out --until draw:0 --strict --size 64x64");
    assert_eq!(failed.status.code(), Some(1), "an ignored option is a note");
}
