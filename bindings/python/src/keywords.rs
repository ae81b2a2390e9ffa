//! Keywords of Python → options of `pchr-view`, parsed like its command line.

use clap::Parser;
use pchr::export::{Backend, Look, RenderOptions, Subject};
use pchr::formats::ReadOptions;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::failure::{Failure, unexpected_keyword};

/// The options that keywords become.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    look: Look,
}

/// How the value of a keyword is written.
#[derive(Clone, Copy)]
enum Kind {
    /// A text or a number.
    One,
    /// Several numbers, with this between them.
    Numbers(&'static str),
    /// The option is repeated.
    Many,
    /// The option is given if it is true.
    Switch,
    /// `on` or `off`.
    OnOff,
}

/// Each keyword, and its option.
const KEYWORDS: &[(&str, &str, Kind)] = &[
    ("time", "time", Kind::One),
    ("frame", "frames", Kind::One),
    ("frames", "frames", Kind::Numbers(",")),
    ("interpolate", "interpolate", Kind::Switch),
    ("physics", "physics", Kind::OnOff),
    ("skins", "skin", Kind::Many),
    ("meshes", "mesh", Kind::Many),
    ("hide_meshes", "hide-mesh", Kind::Many),
    ("tracks", "track", Kind::Many),
    ("bones", "bone", Kind::Many),
    ("attach", "attach", Kind::Many),
    ("size", "size", Kind::Numbers("x")),
    ("scale", "scale", Kind::One),
    ("padding", "padding", Kind::One),
    ("fit", "fit", Kind::Numbers(",")),
    ("fit_whole", "fit-whole", Kind::Switch),
    ("background", "background", Kind::One),
    ("alpha", "alpha", Kind::One),
    ("additive", "additive", Kind::One),
    ("filter", "filter", Kind::One),
    ("antialias", "antialias", Kind::One),
    ("show", "show", Kind::Many),
];

/// Options of rendering: `animation` and `keywords`. `method` does not take the `others`.
pub fn options(
    read: &ReadOptions,
    skins: &[String],
    animation: Option<String>,
    keywords: Option<&Bound<'_, PyDict>>,
    (method, others): (&str, &[&str]),
) -> Result<RenderOptions, Failure> {
    let mut words = Vec::new();
    for (name, value) in keywords.into_iter().flatten() {
        let name: String = name.extract()?;
        let known = KEYWORDS.iter().find(|(known, ..)| *known == name && !others.contains(known));
        let Some((_, option, kind)) = known else {
            return Err(unexpected_keyword(method, &name));
        };
        if !value.is_none() {
            add(&mut words, option, *kind, &value)?;
        }
    }
    let Words { mut subject, mut look } = Words::try_parse_from(words).map_err(|error| invalid(&error))?;
    subject.animations.extend(animation);
    if subject.skins.is_empty() {
        subject.skins = skins.to_vec();
    }
    look.backend = Backend::Cpu;
    Ok(RenderOptions { subject, look, read: read.clone(), ..RenderOptions::default() })
}

/// Adds the words of an option.
fn add(words: &mut Vec<String>, option: &str, kind: Kind, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let of = |text: &str| format!("--{option}={text}");
    let is_text = value.is_instance_of::<PyString>();
    match kind {
        Kind::Switch if value.extract::<bool>()? => words.push(format!("--{option}")),
        Kind::Switch => {}
        Kind::OnOff => words.push(of(if value.extract()? { "on" } else { "off" })),
        Kind::Numbers(between) if !is_text && value.try_iter().is_ok() => {
            let numbers = value.try_iter()?.map(|number| text(&number?)).collect::<PyResult<Vec<_>>>()?;
            words.push(of(&numbers.join(between)));
        }
        Kind::Many if !is_text => {
            for one in value.try_iter()? {
                words.push(of(&text(&one?)?));
            }
        }
        Kind::One | Kind::Numbers(_) | Kind::Many => words.push(of(&text(value)?)),
    }
    Ok(())
}

/// A text or a number as text. `None` in a size is a side that follows from the other.
fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    if value.is_none() {
        return Ok(String::new());
    }
    if value.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("expected a text or a number, found a bool"));
    }
    if let Ok(whole) = value.extract::<i64>() {
        return Ok(whole.to_string());
    }
    Ok(value.extract::<f64>()?.to_string())
}

/// The message of clap without its hints about a command line.
fn invalid(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let ends = |line: &&str| line.starts_with("Usage:") || line.starts_with("For more information");
    let lines: Vec<_> = text.lines().map(str::trim).take_while(|line| !ends(line)).collect();
    let message = lines.join(" ");
    let message = message.trim().trim_start_matches("error: ");
    Failure::misuse("invalid-argument", message)
}
