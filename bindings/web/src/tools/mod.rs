//! The calls of the tools: animated pictures, conversions, curves and archives.
//!
//! They work on the files that were added, and open the character among them again each time.

mod animate;
mod convert;
mod curves;

use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, ReadOptions, from_input};
use pchr::limits::Limits;
use pchr::{Character, Error, Result, formats};
use serde::de::DeserializeOwned;

use crate::abi::{State, call};
use crate::files::Files;

/// Reads the JSON that the caller has left.
fn request<T: DeserializeOwned>(state: &State) -> Result<T> {
    serde_json::from_slice(&state.input).map_err(|error| Error::misuse("bad-request", error.to_string()))
}

/// Opens the file `main`, and keeps going as the player does.
fn opened(files: &Files, main: &str, options: ReadOptions) -> Result<Character> {
    let sidecars = files.beside(main);
    let input = Input { bytes: files.main(main), sidecars: &sidecars };
    from_input(&input, &ReadOptions { keep_going: true, ..options }, &mut Diagnostics::default())
}

/// Draws an animation: the input is an [`animate::Request`], the answer is the file.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_animate() -> i32 {
    call(|state| {
        let request = request(state)?;
        state.output = animate::animate(&state.files, &request)?;
        Ok(0)
    })
}

/// Answers the formats that the file named by the input can be converted to: a list of [`convert::Choice`].
#[unsafe(no_mangle)]
pub extern "C" fn pchr_targets() -> i32 {
    call(|state| {
        let name = state.text();
        let choices = convert::choices(&state.files, &name)?;
        state.say(&choices);
        Ok(0)
    })
}

/// Converts a character: the input is a [`convert::Request`], the answer a [`convert::Report`].
#[unsafe(no_mangle)]
pub extern "C" fn pchr_convert() -> i32 {
    call(|state| {
        let request = request(state)?;
        let (files, report) = convert::convert(&state.files, &request)?;
        state.made = files;
        state.say(&report);
        Ok(0)
    })
}

/// Answers the values of a bone over an animation: the input is a [`curves::Request`], the answer a [`curves::Curves`].
#[unsafe(no_mangle)]
pub extern "C" fn pchr_curves() -> i32 {
    call(|state| {
        let request = request(state)?;
        let curves = curves::curves(&state.files, &request)?;
        state.say(&curves);
        Ok(0)
    })
}

/// Unpacks the archive that is the input. Answers a `Made`.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_unzip() -> i32 {
    call(|state| {
        let archive = std::mem::take(&mut state.input).into();
        state.give(formats::zip::unpack(&archive, &Limits::default())?);
        Ok(0)
    })
}

/// Packs the files that were added. The answer is the archive.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_zip() -> i32 {
    call(|state| {
        state.output = formats::zip::pack(&state.files.all())?;
        Ok(0)
    })
}
