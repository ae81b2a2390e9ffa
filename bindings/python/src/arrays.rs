//! Bytes → NumPy arrays, and JSON → dictionaries.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use serde::Serialize;

/// A writable array of this type, such as `u1` or `<f4`, whose elements are `bytes`.
pub fn array<'py>(py: Python<'py>, bytes: &[u8], kind: &str, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let copy = PyByteArray::new_with(py, bytes.len(), |copy| {
        copy.copy_from_slice(bytes);
        Ok(())
    })?;
    py.import("numpy")?.call_method1("frombuffer", (copy, kind))?.call_method1("reshape", (shape,))
}

/// A document as Python's `json` reads it.
pub fn document<'py>(py: Python<'py>, document: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(document).map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}
