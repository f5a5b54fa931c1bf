//! Tests `pspge import-model`: the way back for geometry from `export`.

use ge_tests::schema_check;
use serde_json::json;

use crate::models::archives::{unzip, zip};
use crate::support::{empty_folder, fails, pspge_in, put_sample, read, succeeds};

fn folder_with(name: &str, samples: &[&str]) -> std::path::PathBuf {
    let folder = empty_folder(name);
    for sample in samples {
        put_sample(&folder, sample);
    }
    folder
}

#[test]
fn exports_give_the_file_as_it_is() {
    let samples = [
        "lampwing.pac",
        "lampwing.pmo",
        "lampwing.ahi",
        "lampwing.tmh",
        "lampwing-102.pmo",
        "lampwing-102.ahi",
    ];
    let folder = folder_with("model-same", &samples);
    for input in ["lampwing.pac", "lampwing.pac#0", "lampwing.pmo", "lampwing-102.pmo"] {
        for options in ["", " --scale 0.01 --up z"] {
            for merge in ["", " --merge none", " --merge material"] {
                succeeds(&folder, &format!("export {input} -o model.glb -q{options}{merge}"));
                let text =
                    succeeds(&folder, &format!("import-model model.glb --into {input} -o new{options}"));
                let file = input.split('#').next().unwrap_or(input);
                assert!(
                    read(&folder, file) == read(&folder, "new"),
                    "{input}{options}{merge} comes back: {text}"
                );
                assert!(text.starts_with("new: 0 of "), "{text}");
            }
        }
    }
}

#[test]
fn documents_tell_what_became_of_groups() {
    let folder = folder_with("model-document", &["lampwing.pac"]);
    succeeds(&folder, "export lampwing.pac -o model.glb -q --scale 3");
    // Without the export's scale, the model becomes larger.
    let text = succeeds(&folder, "import-model model.glb --into lampwing.pac -o large.pac --json");
    let documents = schema_check::checked(text.as_bytes());
    let [document] = documents.as_slice() else { panic!("one document") };
    assert_eq!(document["schema"], "pspge.model-import/1", "its kind");
    assert_eq!(document["geometry"], "model.glb", "the geometry");
    assert_eq!(document["input_bytes"], document["output_bytes"], "of the same size");
    let (before, after) = (read(&folder, "lampwing.pac"), read(&folder, "large.pac"));
    let differing = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    assert_eq!(document["changed_bytes"], json!(differing), "bytes that differ");
    let groups = document["groups"].as_array().expect("groups");
    assert!(!groups.is_empty() && groups.iter().all(|group| group["result"] == "vertices"), "{document}");
    let text = succeeds(&folder, "import-model model.glb --into large.pac -o same.pac");
    assert!(text.starts_with("same.pac: 0 of "), "large enough now: {text}");
    let text = succeeds(&folder, "import-model model.glb --into lampwing.pac -o text.pac");
    assert!(text.contains("\n  mesh 0, group 0: other vertices\n"), "{text}");
    assert!(read(&folder, "text.pac") == after, "the same");
    let output = pspge_in(&folder, "import-model model.glb --into lampwing.pac -o -");
    assert!(output.stdout == after, "the file alone on standard output");
}

#[test]
fn wrong_geometry_is_refused() {
    let folder = folder_with(
        "model-wrong",
        &["lampwing.pac", "lampwing.tmh", "reedling.pmo", "rover.rlb", "rover-24.msh"],
    );
    succeeds(&folder, "export lampwing.pac -o model.glb -q");
    succeeds(&folder, "export lampwing.pac -o model.gltf -q");
    succeeds(&folder, "export lampwing.pac -o far.glb -q --scale 1000");
    succeeds(&folder, "export rover-24.msh -o other.glb -q");
    for (arguments, status, expected) in [
        ("missing.glb --into lampwing.pac", 4, "error: missing.glb: "),
        ("model.glb --into missing.pac", 4, "error: missing.pac: "),
        ("model.gltf --into lampwing.pac", 3, "error: model.gltf: it is no binary glTF file (.glb)\n"),
        ("far.glb --into lampwing.pac", 3, "error: far.glb: mesh "),
        ("other.glb --into lampwing.pac", 3, "error: other.glb: mesh "),
        (
            "model.glb --into lampwing.tmh",
            3,
            "error: lampwing.tmh: geometry of a file of textures cannot be written\n",
        ),
        (
            "model.glb --into rover-24.msh",
            3,
            "error: rover-24.msh: geometry of a Parkan model cannot be written\n",
        ),
        ("model.glb --into lampwing.pac --json", 2, "error: "),
        ("model.glb --into lampwing.pac --scale 0", 2, "error: "),
    ] {
        let output = if arguments.ends_with("--json") { "-" } else { "new.pac" };
        let (found, error) = fails(&folder, &format!("import-model {arguments} -o {output}"));
        // Notes may come first.
        assert!(found == Some(status) && error.contains(expected), "{arguments}: {found:?} {error}");
        assert!(!folder.join("new.pac").exists(), "{arguments}: nothing is written");
    }
    let (_, error) = fails(&folder, "import-model model.glb --into lampwing.pac -o lampwing.pac");
    assert!(error.contains("lampwing.pac"), "the model is not overwritten: {error}");
    let (_, error) = fails(&folder, "import-model model.glb --into lampwing.pac -o model.glb");
    assert!(error.contains("model.glb"), "the geometry is not overwritten: {error}");
}

/// Writes a model from Portable 3rd in two files, with its skeleton. Returns the model as a single file.
fn split_into(folder: &std::path::Path) -> Vec<u8> {
    let whole = read(folder, "lampwing-102.pmo");
    let at = u32::from_le_bytes(whole[0x34..0x38].try_into().expect("four bytes")) as usize;
    for (name, bytes) in [("one.pmo", &whole[..at]), ("one.mesh", &whole[at..])] {
        std::fs::write(folder.join(name), bytes).expect("written");
    }
    std::fs::copy(folder.join("lampwing-102.ahi"), folder.join("one.ahi")).expect("copied");
    whole
}

#[test]
fn models_in_two_files_become_two_files() {
    let folder = folder_with("model-two-files", &["lampwing-102.pmo", "lampwing-102.ahi"]);
    let whole = split_into(&folder);
    std::fs::copy(folder.join("one.mesh"), folder.join("second.bin")).expect("copied");
    succeeds(&folder, "export one.pmo -o model.glb -q");
    let text = succeeds(&folder, "import-model model.glb --into one.pmo -o same.pmo");
    assert!(text.starts_with("same.pmo and same.mesh: 0 of 10 groups changed, 0 bytes differ"), "{text}");
    assert!([read(&folder, "same.pmo"), read(&folder, "same.mesh")].concat() == whole, "as it was");
    succeeds(&folder, "export lampwing-102.pmo -o large.glb --scale 2 -q");
    succeeds(&folder, "import-model large.glb --into lampwing-102.pmo -o whole.pmo");
    for (input, options) in [("one.pmo", ""), ("one.pmo", " --mesh-data second.bin --skeleton one.ahi")] {
        let json =
            succeeds(&folder, &format!("import-model large.glb --into {input} -o new.pmo --json{options}"));
        let documents = schema_check::checked(json.as_bytes());
        assert_eq!(documents[0]["mesh_data"], "new.mesh", "{}", documents[0]);
        assert_eq!(documents[0]["input_bytes"], json!(whole.len()), "both files");
        let new = [read(&folder, "new.pmo"), read(&folder, "new.mesh")].concat();
        assert!(new == read(&folder, "whole.pmo") && new != whole, "{options}: as in one file");
    }
    // The new files are found together.
    std::fs::copy(folder.join("one.ahi"), folder.join("new.ahi")).expect("copied");
    succeeds(&folder, "export new.pmo -o again.glb -q");
    let text = succeeds(&folder, "import-model again.glb --into new.pmo -o last.pmo");
    assert!(text.starts_with("last.pmo and last.mesh: 0 of 10 groups changed"), "{text}");
    let (status, error) = fails(&folder, "import-model large.glb --into one.pmo -o -");
    assert!(status == Some(2) && error.contains("this model becomes two files"), "{status:?} {error}");
    let (_, error) = fails(&folder, "import-model large.glb --into one.pmo -o one.glb");
    assert!(error.contains("one.mesh: this file is an input and is not overwritten"), "{error}");
}

#[test]
fn archives_keep_their_other_files() {
    let folder = folder_with("model-archive", &["lampwing.pac", "lampwing-102.pmo", "lampwing-102.ahi"]);
    split_into(&folder);
    let file = |name: &str| read(&folder, name);
    let (pac, first, second, skeleton) =
        (file("lampwing.pac"), file("one.pmo"), file("one.mesh"), file("one.ahi"));
    let plain = zip(&[("readme.txt", b"hello"), ("models/lampwing.pac", &pac)]);
    let split =
        zip(&[("m.mesh", &second), ("m.ahi", &skeleton), ("readme.txt", b"hello"), ("m.pmo", &first)]);
    for (name, bytes) in [("plain.zip", &plain), ("split.zip", &split)] {
        std::fs::write(folder.join(name), bytes).expect("written");
        succeeds(&folder, &format!("export {name} -o model.glb -q"));
        let text = succeeds(&folder, &format!("import-model model.glb --into {name} -o same.zip"));
        assert!(text.starts_with("same.zip: 0 of 10 groups changed, 0 bytes differ"), "{name}: {text}");
        assert!(file("same.zip") == *bytes, "{name}: as it was");
        succeeds(&folder, &format!("export {name} -o large.glb --scale 2 -q"));
        succeeds(&folder, &format!("import-model large.glb --into {name} -o new.zip"));
        assert!(file("new.zip") != *bytes, "{name}: changed");
    }
    succeeds(&folder, "import-model large.glb --into one.pmo -o loose.pmo");
    let unpacked = |archive: &str, name: &str| unzip(&file(archive), name);
    assert!(unpacked("new.zip", "m.pmo") == file("loose.pmo"), "the first file");
    assert!(unpacked("new.zip", "m.mesh") == file("loose.mesh"), "the second file");
    assert!(unpacked("new.zip", "m.ahi") == skeleton, "the skeleton");
    assert_eq!(unpacked("new.zip", "readme.txt"), b"hello", "another file");
    succeeds(&folder, "export plain.zip#lampwing.pac#0 -o large.glb --scale 2 -q");
    succeeds(&folder, "import-model large.glb --into plain.zip#lampwing.pac#0 -o new.zip");
    succeeds(&folder, "import-model large.glb --into lampwing.pac -o loose.pac");
    assert!(unpacked("new.zip", "models/lampwing.pac") == file("loose.pac"), "in a container");
}
