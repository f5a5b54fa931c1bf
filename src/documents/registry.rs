//! Lists all kinds of documents, for programs to find their schemas.

use super::schema_id::Document;
use super::{
    AssemblyDocument, CaptureDocument, CommandDocument, DiffDocument, DrawDocument, DrawReportDocument,
    EndDocument, ErrorDocument, EventDocument, FindingDocument, GeometryDocument, InfoDocument,
    MeasurementDocument, MemoryDocument, NoteDocument, OpcodeDocument, PackCheckDocument, PassesDocument,
    PixelDocument, ReductionDocument, ReportDocument, StateDocument, TextureIndexDocument, TimelineDocument,
    TrimDocument,
};
#[cfg(feature = "compare")]
use super::{DifferenceDocument, JudgementDocument};
#[cfg(feature = "import")]
use super::{ModelImportDocument, TextureImportDocument};

/// A kind of document.
#[derive(Clone, Copy, Debug)]
pub struct SchemaInfo {
    /// The name, such as `info`.
    pub name: &'static str,
    /// The version, from 1.
    pub version: u32,
    /// Its contents, in a few words.
    pub title: &'static str,
    #[cfg(feature = "schema")]
    schema: fn() -> schemars::Schema,
}

impl SchemaInfo {
    /// Returns the text for the member `schema` in these documents, such as `pspge.info/1`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("pspge.{}/{}", self.name, self.version)
    }

    /// Returns the JSON Schema for these documents (draft 2020-12).
    #[cfg(feature = "schema")]
    #[must_use]
    pub fn schema(&self) -> schemars::Schema {
        (self.schema)()
    }
}

macro_rules! entry {
    ($document:ty) => {
        SchemaInfo {
            name: <$document as Document>::NAME,
            version: <$document as Document>::VERSION,
            title: <$document as Document>::TITLE,
            #[cfg(feature = "schema")]
            schema: root_schema::<$document>,
        }
    };
}

/// Returns all kinds of documents, in alphabetical order. Differences between pictures, and judgements, need the
/// feature `compare`; imported textures and models need `import`.
#[must_use]
pub fn schemas() -> &'static [SchemaInfo] {
    static ALL: &[SchemaInfo] = &[
        entry!(AssemblyDocument),
        entry!(CaptureDocument),
        entry!(CommandDocument),
        entry!(DiffDocument),
        #[cfg(feature = "compare")]
        entry!(DifferenceDocument),
        entry!(DrawDocument),
        entry!(DrawReportDocument),
        entry!(EndDocument),
        entry!(ErrorDocument),
        entry!(EventDocument),
        entry!(FindingDocument),
        entry!(GeometryDocument),
        entry!(InfoDocument),
        #[cfg(feature = "compare")]
        entry!(JudgementDocument),
        entry!(MeasurementDocument),
        entry!(MemoryDocument),
        #[cfg(feature = "import")]
        entry!(ModelImportDocument),
        entry!(NoteDocument),
        entry!(OpcodeDocument),
        entry!(PackCheckDocument),
        entry!(PassesDocument),
        entry!(PixelDocument),
        entry!(ReductionDocument),
        entry!(ReportDocument),
        entry!(StateDocument),
        #[cfg(feature = "import")]
        entry!(TextureImportDocument),
        entry!(TextureIndexDocument),
        entry!(TimelineDocument),
        entry!(TrimDocument),
    ];
    ALL
}

/// Returns the kind with this name, such as `info` or `pspge.info/1`, or `None` if there is none.
#[must_use]
pub fn find(name: &str) -> Option<&'static SchemaInfo> {
    schemas().iter().find(|known| known.name == name || known.id() == name)
}

/// Returns the JSON Schema for the kind with this name, or `None` if there is none.
#[cfg(feature = "schema")]
#[must_use]
pub fn schema(name: &str) -> Option<schemars::Schema> {
    find(name).map(SchemaInfo::schema)
}

/// Leaves examples out of descriptions, because they are in Rust and tell readers of the schema nothing.
#[cfg(feature = "schema")]
pub(crate) fn without_examples(schema: &mut schemars::Schema) {
    if let Some(serde_json::Value::String(description)) = schema.get_mut("description")
        && let Some(at) = description.find("\n\n```")
    {
        description.truncate(at);
    }
    schemars::transform::transform_subschemas(&mut without_examples, schema);
}

#[cfg(feature = "schema")]
fn root_schema<D: Document + schemars::JsonSchema>() -> schemars::Schema {
    // A schema for writing lists members that may be null as required, too. Documents never leave members out.
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with_transform(without_examples);
    let mut schema = settings.into_generator().into_root_schema_for::<D>();
    schema.insert("title".to_owned(), D::TITLE.into());
    schema
}
