//! Errors of the library → the exception `pchr.Error`.

use pchr::convert::{ConvertError, WriteError};
use pchr::error::{Place, with_sources};
use pchr::export::{BatchError, ExportError};
use pchr::model::UnknownName;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;

create_exception!(
    pchr,
    Error,
    PyException,
    "A file is at fault, or an argument.\n\n\
    code: stable name of the rule, as in docs/findings.md\n\
    file: the file, or None\n\
    path: the path inside the file, in the terms of its format, or None\n\
    offset: the offset in bytes from the start of the file, or None"
);

/// The exception for a keyword that `method` does not have, as Python words it.
pub fn unexpected_keyword(method: &str, keyword: &str) -> Failure {
    PyTypeError::new_err(format!("{method}() got an unexpected keyword argument '{keyword}'")).into()
}

/// Why a call fails.
pub enum Failure {
    Library(pchr::Error),
    Python(PyErr),
}

impl Failure {
    /// The caller passed an invalid argument.
    pub fn misuse(code: &'static str, message: impl Into<String>) -> Self {
        Self::Library(pchr::Error::misuse(code, message))
    }

    /// Names the file in the error, unless it names one.
    pub fn in_file(self, file: impl std::fmt::Display) -> Self {
        match self {
            Self::Library(error) => Self::Library(error.in_file(file)),
            Self::Python(error) => Self::Python(error),
        }
    }
}

impl From<pchr::Error> for Failure {
    fn from(error: pchr::Error) -> Self {
        Self::Library(error)
    }
}

impl From<UnknownName> for Failure {
    fn from(unknown: UnknownName) -> Self {
        Self::Library(unknown.into())
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::File(error) => error.into(),
            error => Self::misuse("rendering", with_sources(&error)),
        }
    }
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Export(error) => error.into(),
            error => Self::misuse("outputs", error.to_string()),
        }
    }
}

impl From<ConvertError> for Failure {
    fn from(error: ConvertError) -> Self {
        Self::Library(error.into())
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Exists { error, .. } | WriteError::Output(error) => error.into(),
            error @ WriteError::IsSource(_) => Self::misuse("output-is-input", error.to_string()),
        }
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Library(error) => Python::attach(|py| raised(py, &error).unwrap_or_else(|error| error)),
            Failure::Python(error) => error,
        }
    }
}

fn raised(py: Python<'_>, error: &pchr::Error) -> PyResult<PyErr> {
    let Place { file, path, offset } = error.place().cloned().unwrap_or_default();
    let raised = Error::new_err(error.to_string());
    let value = raised.value(py);
    value.setattr("code", error.code())?;
    value.setattr("file", file)?;
    value.setattr("path", (!path.is_empty()).then_some(path))?;
    value.setattr("offset", offset)?;
    Ok(raised)
}
