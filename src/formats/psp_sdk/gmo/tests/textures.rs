//! Tests textures in a model and beside it.

use std::collections::BTreeMap;

use super::build::{block, command, command_with, to, triangle};
use super::notes;
use crate::formats::{Content, File, FileError, FileProvider, ProvidedFile, Request, open};
use crate::model::Model;

/// Two pixels: red and half-transparent green.
const PIXELS: [[u8; 4]; 2] = [[255, 0, 0, 255], [0, 255, 0, 128]];

fn tga() -> Vec<u8> {
    let head = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 32, 0x28];
    let pixels = PIXELS.map(|[red, green, blue, alpha]| [blue, green, red, alpha]);
    [&head[..], pixels.as_flattened()].concat()
}

fn encoded(format: image::ImageFormat) -> Vec<u8> {
    let picture = image::RgbaImage::from_fn(2, 1, |x, _| image::Rgba(PIXELS[x as usize]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("encoded");
    bytes.into_inner()
}

/// Builds a TIM2 picture with 32 bits.
fn tim2() -> Vec<u8> {
    let mut out = b"TIM2\x04\0\x01\0\0\0\0\0\0\0\0\0".to_vec();
    for word in [0x38_u32, 0, 8, 0x30, 0x0300_0100, 0x0001_0002] {
        out.extend(word.to_le_bytes());
    }
    out.resize(16 + 0x30, 0);
    out.extend(PIXELS.as_flattened());
    out
}

/// Builds a GIM picture with 8888 pixels.
fn gim() -> Vec<u8> {
    let half = |value: u16| value.to_le_bytes();
    let mut image: Vec<u8> = [0x30, 0, 3, 0, 2, 1, 32, 16, 1, 2, 0, 0].into_iter().flat_map(half).collect();
    image.extend([0x30_u32, 0x40, 0x50, 0].into_iter().flat_map(u32::to_le_bytes));
    image.extend([1, 1, 3, 1].into_iter().flat_map(half));
    image.extend(0x40_u32.to_le_bytes());
    image.resize(0x40, 0);
    image.extend(PIXELS.as_flattened());
    image.resize(0x50, 0);
    let chunk = |kind: u16, data: &[u8], children: &[u8]| {
        let size = |length: usize| u32::try_from(length).expect("small").to_le_bytes();
        let child = 16 + data.len();
        let head = [&kind.to_le_bytes()[..], &[0; 2], &size(child + children.len()), &size(child), &size(16)];
        [&head.concat()[..], data, children].concat()
    };
    let pictures = chunk(3, &[], &chunk(4, &image, &[]));
    [&b"MIG.00.1PSP\0\0\0\0\0"[..], &chunk(2, &[], &pictures)].concat()
}

/// Builds a model with a texture that has these commands.
fn with(commands: &[Vec<u8>]) -> Vec<u8> {
    let layer = block(9, "layer", &[], &[], &[command(0x91, &[to(0xA, 0)])]);
    triangle(&[], &[layer], &[block(0xA, "texture", &[], &[], commands)])
}

fn image_command(bytes: &[u8]) -> Vec<u8> {
    command_with(0x13, &[u32::try_from(bytes.len()).expect("small")], bytes)
}

/// A folder beside the model.
#[derive(Debug)]
struct Folder(BTreeMap<&'static str, Vec<u8>>);

impl FileProvider for Folder {
    fn folder(&self) -> String {
        "folder".to_owned()
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().map(|name| (*name).to_owned()).collect()
    }

    fn read(&self, name: &str) -> Result<Option<ProvidedFile>, FileError> {
        Ok(self.0.get(name).map(|bytes| ProvidedFile { name: name.to_owned(), bytes: bytes.clone() }))
    }
}

fn model(request: &Request<'_>) -> Model {
    match open(request).expect("good").content {
        Content::Model(model) => *model,
        other => panic!("a model, not {other:?}"),
    }
}

fn pixels(model: &Model) -> Vec<[u8; 4]> {
    model.textures[0].decode(&model.memory, 0).pixels().map(|pixel| pixel.0).collect()
}

#[test]
fn embedded_pictures_of_every_format_are_read() {
    for (what, bytes) in [
        ("gim", gim()),
        ("tim2", tim2()),
        ("tga", tga()),
        ("bmp", encoded(image::ImageFormat::Bmp)),
        ("png", encoded(image::ImageFormat::Png)),
    ] {
        let file = with(&[image_command(&bytes)]);
        let model = model(&Request::new("model.gmo", &file));
        let [red, green] = pixels(&model)[..] else { panic!("{what}: two pixels") };
        assert_eq!(red, PIXELS[0], "{what}");
        assert_eq!(green[..3], PIXELS[1][..3], "{what}");
        assert_eq!(model.parts[0].texture, Some(0), "{what}: used");
        assert_eq!(model.textures[0].name.as_deref(), Some("texture"), "{what}: its name");
        assert_eq!(notes(&model), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn unreadable_pictures_are_noted() {
    for bytes in [vec![7; 40], gim()[..60].to_vec(), b"BM".to_vec(), Vec::new()] {
        let file = with(&[image_command(&bytes)]);
        let model = model(&Request::new("model.gmo", &file));
        assert!(model.textures.is_empty(), "none");
        assert!(notes(&model).iter().any(|note| note.contains("texture")), "{:?}", notes(&model));
        assert_eq!(model.parts.len(), 1, "drawn without it");
    }
}

#[test]
fn pictures_beside_the_model_are_found_by_name() {
    let name = |name: &str| command_with(0x12, &[], &[name.as_bytes(), &[0]].concat());
    let file = with(&[name("textures\\Skin.tga")]);
    for found in ["Skin.tga", "skin.TGA", "skin.gim", "SKIN.png"] {
        let bytes = if found.ends_with("gim") {
            gim()
        } else if found.ends_with("png") {
            encoded(image::ImageFormat::Png)
        } else {
            tga()
        };
        let folder = Folder([("other.png", tga()), (found, bytes)].into());
        let model = model(&Request { files: &folder, ..Request::new("model.gmo", &file) });
        assert_eq!(pixels(&model), PIXELS, "{found}");
        assert_eq!(notes(&model), Vec::<String>::new(), "{found}");
    }
    let both = Folder([("skin.png", vec![7; 40]), ("skin.gim", gim())].into());
    let first = model(&Request { files: &both, ..Request::new("model.gmo", &file) });
    assert_eq!(pixels(&first), PIXELS, "GIM is tried first");
    let given = tga();
    let textures = Some(File { name: "anything.bin", bytes: &given });
    assert_eq!(pixels(&model(&Request { textures, ..Request::new("model.gmo", &file) })), PIXELS, "given");
    let folder = Folder([("skin.tga", tga())].into());
    let of_folder = model(&Request { texture_folder: Some(&folder), ..Request::new("model.gmo", &file) });
    assert_eq!(pixels(&of_folder), PIXELS, "in a given folder");
    let missing = model(&Request::new("model.gmo", &file));
    assert!(
        notes(&missing)[0].ends_with("the texture textures\\Skin.tga is in another file"),
        "{:?}",
        notes(&missing)
    );
    let note = &missing.notes[0];
    assert_eq!(note.kind, crate::model::FileNoteKind::TextureMissing, "a texture is missing");
    assert_eq!(note.missing_file.as_ref().map(|file| file.role), Some("textures"), "a file would help");
}

#[test]
fn embedded_pictures_win_over_names() {
    let name = command_with(0x12, &[], b"skin.tga\0");
    let folder = Folder([("skin.tga", vec![1; 50])].into());
    let file = with(&[name, image_command(&tga())]);
    let model = model(&Request { files: &folder, ..Request::new("model.gmo", &file) });
    assert_eq!(pixels(&model), PIXELS, "in the model");
}

#[test]
fn large_pictures_are_scaled_down() {
    let picture = image::RgbaImage::from_pixel(1024, 16, image::Rgba([9, 8, 7, 255]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("encoded");
    let file = with(&[image_command(&bytes.into_inner())]);
    let model = model(&Request::new("model.gmo", &file));
    let texture = &model.textures[0];
    assert_eq!((texture.width, texture.height), (512, 8), "half");
    assert!(notes(&model)[0].contains("1024x16 texels"), "{:?}", notes(&model));
}
