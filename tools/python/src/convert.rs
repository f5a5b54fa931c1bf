//! Turning documents and pictures into Python objects.

use image::{DynamicImage, RgbaImage};
use numpy::{PyArray1, PyArrayMethods};
use pspge::documents::registry;
use pspge::{Format, image};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use serde::Serialize;

/// A document as JSON text, which can be written without holding the interpreter's lock.
#[derive(Clone, Debug)]
pub(crate) struct Json(String);

impl Json {
    /// Writes a document.
    ///
    /// # Errors
    /// If writing fails, which no document of this library causes.
    pub(crate) fn of(document: &impl Serialize) -> PyResult<Self> {
        let text = serde_json::to_string(document);
        text.map(Self).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Parses the text into dictionaries and lists.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let loads =
            LOADS.get_or_try_init(py, || Ok::<_, PyErr>(py.import("json")?.getattr("loads")?.unbind()))?;
        loads.bind(py).call1((self.0.as_str(),))
    }
}

/// Returns a document as dictionaries and lists.
pub(crate) fn to_object<'py>(py: Python<'py>, document: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    Json::of(document)?.object(py)
}

/// Hands a vector to Python as an array of this shape. The array owns the vector's memory, so nothing is copied.
pub(crate) fn array<'py, T: numpy::Element, const N: usize>(
    py: Python<'py>,
    values: Vec<T>,
    shape: [usize; N],
) -> PyResult<Bound<'py, PyAny>>
where
    [usize; N]: numpy::ndarray::IntoDimension,
    <[usize; N] as numpy::ndarray::IntoDimension>::Dim: numpy::ndarray::Dimension,
{
    Ok(PyArray1::from_vec(py, values).reshape(shape)?.into_any())
}

/// Turns a picture into an array of rows and columns, and for colours red, green, blue and alpha. Depth has 16 bits.
pub(crate) fn picture<'py>(py: Python<'py>, picture: DynamicImage) -> PyResult<Bound<'py, PyAny>> {
    let shape = [picture.height() as usize, picture.width() as usize];
    match picture {
        DynamicImage::ImageLuma8(grey) => array(py, grey.into_raw(), shape),
        DynamicImage::ImageLuma16(grey) => array(py, grey.into_raw(), shape),
        colors => rgba(py, colors.into_rgba8()),
    }
}

/// Turns a colour picture into an array of rows, columns, and red, green, blue and alpha.
pub(crate) fn rgba<'py>(py: Python<'py>, picture: RgbaImage) -> PyResult<Bound<'py, PyAny>> {
    let shape = [picture.height() as usize, picture.width() as usize, 4];
    array(py, picture.into_raw(), shape)
}

/// Names all file formats.
#[pyfunction]
pub(crate) fn formats() -> Vec<&'static str> {
    Format::all().map(Format::name).chain(["ge", "list"]).collect()
}

/// Lists all document kinds as name, version and title.
#[pyfunction]
pub(crate) fn schemas() -> Vec<(&'static str, u32, &'static str)> {
    registry::schemas().iter().map(|kind| (kind.name, kind.version, kind.title)).collect()
}

/// Returns the JSON Schema for a document kind, or `None` if no kind has this name.
#[pyfunction]
pub(crate) fn schema<'py>(py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    registry::schema(name).map(|schema| to_object(py, &schema)).transpose()
}

/// The engine's version.
#[pyfunction]
pub(crate) const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
