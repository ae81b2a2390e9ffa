//! A parameter of a tool: its JSON Schema, and the words of the command line that it becomes. Types and descriptions come
//! from the options of the command.

use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command};
use serde_json::{Value, json};

use super::places::Places;
use crate::shared::failure::Failure;

/// The most values of a list.
const MAX_VALUES: usize = 1000;

/// A parameter.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    pub name: &'static str,
    kind: Kind,
    /// The id of the option; the name of a path that is an argument.
    id: &'static str,
    /// The description, if it is not the help text of the option.
    about: Option<&'static str>,
    pub is_required: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An argument: a path that is read.
    Path,
    /// An option with a path that is read.
    Input,
    /// An option with a path that is written.
    Output,
    /// An option with one value, even if the command accepts several.
    Single,
    /// The same for whole numbers.
    Index,
    /// Any other option.
    Option,
}

impl Param {
    const fn new(id: &'static str, kind: Kind) -> Self {
        Self { name: id, kind, id, about: None, is_required: false }
    }

    pub const fn path(name: &'static str, about: &'static str) -> Self {
        Self { about: Some(about), ..Self::new(name, Kind::Path) }.required()
    }

    pub const fn option(id: &'static str) -> Self {
        Self::new(id, Kind::Option)
    }

    pub const fn input(id: &'static str, about: &'static str) -> Self {
        Self { about: Some(about), ..Self::new(id, Kind::Input) }
    }

    pub const fn output(id: &'static str, about: &'static str) -> Self {
        Self { about: Some(about), ..Self::new(id, Kind::Output) }
    }

    pub const fn about(self, about: &'static str) -> Self {
        Self { about: Some(about), ..self }
    }

    pub const fn single(self, about: &'static str) -> Self {
        Self { about: Some(about), kind: Kind::Single, ..self }
    }

    pub const fn index(self, about: &'static str) -> Self {
        Self { about: Some(about), kind: Kind::Index, ..self }
    }

    pub const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// Returns true if files are written where it says.
    pub fn is_output(&self) -> bool {
        self.kind == Kind::Output
    }

    /// Returns its JSON Schema.
    pub fn schema(&self, command: &Command) -> Value {
        let option = self.arg(command);
        let one = json!({"type": if option.is_some_and(is_number) { "number" } else { "string" }});
        let mut schema = match option.map(Arg::get_action) {
            Some(ArgAction::SetTrue) => json!({"type": "boolean"}),
            Some(ArgAction::Append) if self.kind == Kind::Option => {
                json!({"type": "array", "items": one, "maxItems": MAX_VALUES})
            }
            _ if self.kind == Kind::Index => json!({"type": "integer"}),
            _ => one,
        };
        schema["description"] = self.description(option).into();
        schema
    }

    fn description(&self, option: Option<&Arg>) -> String {
        let help = || option.and_then(Arg::get_help).map(ToString::to_string).unwrap_or_default();
        let text = self.about.map_or_else(help, str::to_owned);
        let values: Vec<String> = option
            .filter(|option| option.get_action().takes_values())
            .map(Arg::get_possible_values)
            .unwrap_or_default()
            .iter()
            .filter(|value| !value.is_hide_set())
            .map(|value| value.get_name().to_owned())
            .collect();
        if values.is_empty() { text } else { format!("{text}. Values: {}", values.join(", ")) }
    }

    fn arg<'a>(&self, command: &'a Command) -> Option<&'a Arg> {
        command.get_arguments().find(|arg| self.is_of(arg) && arg.get_long().is_some())
    }

    /// Returns true if the parameter stands for `option`.
    pub fn is_of(&self, option: &Arg) -> bool {
        option.get_id() == self.id
    }

    /// Adds its words for `value` to a command line.
    pub fn add(&self, value: &Value, command: &Command, places: &Places, line: &mut Line) -> Result<(), Failure> {
        let option = self.arg(command);
        let long = option.and_then(Arg::get_long).unwrap_or_default();
        let action = option.map(Arg::get_action);
        match (self.kind, value) {
            (Kind::Path, value) => line.arguments.push(places.input(&self.text(value)?)?),
            (Kind::Input, value) => line.add(long, places.input(&self.text(value)?)?),
            (Kind::Output, value) => {
                let path = places.output(&self.text(value)?)?;
                line.add(long, &path);
                line.output = Some(path);
            }
            (Kind::Option, Value::Bool(is_on)) if matches!(action, Some(ArgAction::SetTrue)) => {
                line.words.extend(is_on.then(|| format!("--{long}").into()));
            }
            (Kind::Option, Value::Array(values)) if values.len() > MAX_VALUES => {
                let (name, count) = (self.name, values.len());
                let message = format!("the parameter `{name}` has {count} values, {MAX_VALUES} are allowed");
                return Err(Failure::usage(message));
            }
            (Kind::Option, Value::Array(values)) if matches!(action, Some(ArgAction::Append)) => {
                for value in values {
                    line.add(long, self.text(value)?);
                }
            }
            (Kind::Index, Value::Number(number)) if number.is_i64() => line.add(long, number.to_string()),
            (Kind::Single | Kind::Index | Kind::Option, value) => line.add(long, self.text(value)?),
        }
        Ok(())
    }

    /// Returns a value as a word of a command line.
    fn text(&self, value: &Value) -> Result<String, Failure> {
        match value {
            Value::String(text) if !text.contains('\0') && self.kind != Kind::Index => Ok(text.clone()),
            Value::Number(number) if matches!(self.kind, Kind::Single | Kind::Option) => Ok(number.to_string()),
            _ => Err(Failure::usage(format!("the parameter `{}` cannot be {value}", self.name))),
        }
    }
}

fn is_number(option: &Arg) -> bool {
    let id = option.get_value_parser().type_id();
    let numbers = [TypeId::of::<f32>(), TypeId::of::<f64>(), TypeId::of::<u16>(), TypeId::of::<usize>()];
    numbers.iter().any(|number| id == *number)
}

/// A command line that is being built.
#[derive(Debug, Default)]
pub struct Line {
    /// The command and its options.
    pub words: Vec<OsString>,
    /// Paths of characters.
    pub arguments: Vec<PathBuf>,
    /// The path of the output, if there is one.
    pub output: Option<PathBuf>,
}

impl Line {
    /// Adds an option as one word, so that its value cannot be an option.
    pub fn add(&mut self, long: &str, value: impl AsRef<OsStr>) {
        let mut word = OsString::from(format!("--{long}="));
        word.push(value);
        self.words.push(word);
    }

    /// Returns all of its words.
    pub fn words(&self) -> impl Iterator<Item = OsString> {
        let arguments = self.arguments.iter().map(|path| path.clone().into_os_string());
        self.words.iter().cloned().chain(["--".into()]).chain(arguments)
    }
}
