//! Rust's vectors → NumPy arrays, and JSON → dictionaries.

use numpy::{Element, IntoPyArray, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

/// A writable array that owns `elements`.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    elements: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    // The crate panics without NumPy.
    py.import("numpy")?;
    elements.into_pyarray(py).reshape(shape)
}

/// A document as Python's `json` reads it.
pub fn document<'py>(py: Python<'py>, document: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(document).map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
