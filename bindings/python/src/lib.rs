//! The Python module `pchr`: characters as objects, pictures and poses as NumPy arrays, documents as dictionaries.
//!
//! Settings of a method are keywords with the name and the meaning of an option of the programs. Work on a character
//! releases the interpreter; a character is immutable, and any number of threads may share it.

#![deny(missing_docs)]

mod arrays;
mod character;
mod convert;
mod failure;
mod keywords;
mod open;
mod pictures;
mod poses;
mod threads;

use pyo3::prelude::*;

/// Reads, renders, checks and converts 2D skeletal characters and sprite sheets.
///
/// >>> import pchr
/// >>> knight = pchr.open("knight.pchr")
/// >>> picture = knight.render("walk", time=0.25, size=256)    # NumPy, uint8, (256, 256, 4)
///
/// The wheel also contains the programs `pchr` and `pchr-view`, without the window.
#[pymodule(name = "pchr")]
fn python_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    pchr::formats::image::silence_decoders();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", module.py().get_type::<failure::Error>())?;
    module.add_class::<character::Character>()?;
    module.add_class::<poses::Poses>()?;
    module.add_function(wrap_pyfunction!(open::find, module)?)?;
    module.add_function(wrap_pyfunction!(open::open, module)?)?;
    module.add_function(wrap_pyfunction!(open::validate, module)?)
}
