//! Tests `pspge import-model`: the way back for the geometry of `export`.

use ge_tests::schema_check;
use serde_json::json;

use crate::support::{copy_sample, empty_folder, fails, pspge_in, read, succeeds};

/// Copies samples into a new folder.
fn folder_with(name: &str, samples: &[&str]) -> std::path::PathBuf {
    let folder = empty_folder(name);
    for sample in samples {
        copy_sample(sample, &folder.join(sample));
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
    // Without the scale of the export, the model becomes larger.
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
