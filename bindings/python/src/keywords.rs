//! Keywords of Python → options of `pchr-view`, parsed like its command line. Every option that selects
//! what is rendered, or how it looks, is a keyword, except those in `OMITTED`.

use clap::{Arg, ArgAction, CommandFactory, Parser};
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

/// Keywords whose names differ from those of their options. The others only have `_` for `-`.
const SPELLED: &[(&str, &str)] = &[
    ("frame", "frames"),
    ("frames", "frames"),
    ("skins", "skin"),
    ("meshes", "mesh"),
    ("hide_meshes", "hide-mesh"),
    ("tracks", "track"),
    ("bones", "bone"),
];

/// Options without a keyword, and why.
const OMITTED: &[(&str, &str)] = &[
    ("animation", "an argument of its own"),
    ("loops", "an array does not play"),
    ("speed", "an array does not play"),
    ("matte", "an array has alpha"),
    ("dither", "an array has all colours"),
    ("backend", "the CPU renderer draws"),
    ("adapter", "the CPU renderer draws"),
];

/// Returns the option of a keyword, and how its value is written.
fn option_of(keyword: &str) -> Option<(String, Kind)> {
    let is_of = |arg: &&Arg| {
        let Some(option) = arg.get_long().filter(|long| OMITTED.iter().all(|(omitted, _)| omitted != long)) else {
            return false;
        };
        let mut spelled = SPELLED.iter().filter(|(_, of)| *of == option).map(|(name, _)| *name).peekable();
        if spelled.peek().is_some() {
            spelled.any(|name| name == keyword)
        } else {
            keyword == option.replace('-', "_")
        }
    };
    let command = Words::command();
    let arg = command.get_arguments().find(is_of)?;
    let kind = match (keyword, arg.get_action()) {
        (_, ArgAction::SetTrue) => Kind::Switch,
        (_, ArgAction::Append) => Kind::Many,
        _ if arg.is_require_equals_set() => Kind::OnOff,
        ("frames" | "fit" | "background_fit" | "wind", _) => Kind::Numbers(","),
        ("size", _) => Kind::Numbers("x"),
        _ => Kind::One,
    };
    Some((arg.get_long()?.to_owned(), kind))
}

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
        let known = option_of(&name).filter(|_| !others.contains(&name.as_str()));
        let Some((option, kind)) = known else {
            return Err(unexpected_keyword(method, &name));
        };
        if !value.is_none() {
            add(&mut words, &option, kind, &value)?;
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
