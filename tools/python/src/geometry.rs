//! Decoded geometry as arrays.

use pspge::documents::note::NoteInfo;
use pspge::ge::draw_set::DrawSet;
use pspge::run::selected_draws::SelectedDraws;
use pspge::run::sink::NullObserver;
use pspge::{Arithmetic, Geometry, GeometryDraw, GeometrySink};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::asset::Asset;
use crate::convert::{array, to_object};
use crate::failure::Failure;
use crate::options::{RunOptions, check_draws, parse_optional};

#[pymethods]
impl Asset {
    /// Decodes each draw's primitives into dictionaries of arrays, and returns them with the notes.
    fn geometry<'py>(
        &self,
        py: Python<'py>,
        options: RunOptions,
        only: Option<String>,
    ) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyAny>)> {
        let decoded = py.detach(|| self.decode(&options, only.as_deref()));
        let (draws, notes) = decoded.map_err(|error| error.of_input(&self.name))?;
        let draws = draws.into_iter().map(|draw| arrays(py, draw)).collect::<PyResult<Vec<_>>>()?;
        Ok((PyList::new(py, draws)?, to_object(py, &notes)?))
    }
}

impl Asset {
    fn decode(
        &self,
        options: &RunOptions,
        only: Option<&str>,
    ) -> Result<(Vec<GeometryDraw>, Vec<NoteInfo>), Failure> {
        let only: Option<DrawSet> = parse_optional("only", only)?;
        let spec = self.spec(options)?.with_arithmetic(Arithmetic::Single);
        let failure = |error| options.failure(error);
        let (mut shot, mut notes) = (self.inner.shot(&spec).map_err(failure)?, self.notes.clone());
        let model = self.inner.posed(&spec).map_err(failure)?;
        // A model's picture begins with a clear as draw 0. This is no part of the model, so it is left out unless
        // named.
        let without_clear = || if model.is_some() { DrawSet::range(1..=u64::MAX) } else { None };
        let draws = only.clone().or_else(without_clear).unwrap_or_else(DrawSet::all);
        let mut selected = SelectedDraws { inner: GeometrySink::new(), draws };
        let report = shot.run_here(&mut selected, &mut NullObserver).report;
        check_draws("only", only.as_ref(), report.draws)?;
        notes.add_report(&report);
        let geometry = Geometry::new(&selected.inner, &shot.capture.sources, model.as_deref(), Vec::new());
        Ok((geometry.draws, notes.into_entries()))
    }
}

/// Returns a draw as a dictionary. Its lists of numbers become arrays that own the engine's memory.
fn arrays<'py>(py: Python<'py>, draw: GeometryDraw) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("draw", draw.draw)?;
    dict.set_item("address", draw.address.get())?;
    dict.set_item("file_offset", draw.file_offset)?;
    dict.set_item("primitive", to_object(py, &draw.primitive)?)?;
    dict.set_item("vertex_type", draw.vertex_type)?;
    dict.set_item("through", draw.through)?;
    for (name, number) in
        [("mesh", draw.mesh), ("group", draw.group), ("material", draw.material), ("texture", draw.texture)]
    {
        dict.set_item(name, number)?;
    }
    dict.set_item("bones", draw.bones)?;
    let none_is_negative = |index: Option<u32>| index.map_or(-1, i64::from);
    let indices: Vec<i64> = draw.vertex_indices.into_iter().map(none_is_negative).collect();
    let shape = [indices.len()];
    dict.set_item("vertex_indices", array(py, indices, shape)?)?;
    for (name, vectors) in [("positions", draw.positions), ("normals", draw.normals)] {
        let shape = [vectors.len(), 3];
        dict.set_item(name, array(py, vectors.into_flattened(), shape)?)?;
    }
    let shape = [draw.uvs.len(), 2];
    dict.set_item("uvs", array(py, draw.uvs.into_flattened(), shape)?)?;
    let shape = [draw.colors.len(), 4];
    dict.set_item("colors", array(py, draw.colors.into_flattened(), shape)?)?;
    let shape = [draw.weights.len(), draw.weights.first().map_or(0, Vec::len)];
    dict.set_item("weights", array(py, draw.weights.concat(), shape)?)?;
    let shape = [draw.triangles.len(), 3];
    dict.set_item("triangles", array(py, draw.triangles.into_flattened(), shape)?)?;
    let shape = [draw.pairs.len(), 2];
    dict.set_item("pairs", array(py, draw.pairs.into_flattened(), shape)?)?;
    let shape = [draw.points.len()];
    dict.set_item("points", array(py, draw.points, shape)?)?;
    Ok(dict)
}
