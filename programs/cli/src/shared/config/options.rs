//! The options that a table sets, as arguments of a command.

use std::ffi::OsString;
use std::ops::Range;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::value::{is_flag, values};
use super::{ConfigFile, Rules};
use crate::shared::failure::Failure;
use pchr::error::escaped;
use pchr::model::UnknownName;

/// The options that a table sets, in the order of the file.
#[derive(Debug, Clone, Default)]
pub struct Options {
    set: Vec<Set>,
}

/// One key.
#[derive(Debug, Clone)]
struct Set {
    /// Identifier of the option.
    id: String,
    /// Place of the value in the text.
    span: Range<usize>,
    /// Arguments; none for a flag that is false, and for an empty list.
    words: Vec<OsString>,
    /// Place of each argument in the text.
    spans: Vec<Range<usize>>,
    is_positional: bool,
}

impl Options {
    /// Reads the options of `table` and checks the value of each. `command` defines the options.
    pub fn of(
        file: &ConfigFile,
        table: &DeTable<'_>,
        command: &Command,
        rules: &Rules<'_>,
    ) -> Result<Self, Failure> {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut options = Self::default();
        for (key, value) in entries {
            let set = set(file, key, value, command, rules)?;
            if let Some(other) = options.set.iter().find(|other| conflict(command, &other.id, &set.id)) {
                let message =
                    format!("`{}` cannot be combined with `{}`", key.get_ref(), key_of_id(command, &other.id));
                return Err(file.error(key.span(), message));
            }
            options.set.push(set);
        }
        Ok(options)
    }

    /// Adds the options of `others`, which override those with the same name and those that cannot be combined with
    /// them.
    #[must_use]
    pub fn overridden_by(self, others: Self, command: &Command) -> Self {
        let mut options = self.without(command, |id| others.set.iter().any(|other| other.id == id));
        options.set.extend(others.set);
        options
    }

    /// Removes the options for which `is_given` returns true, and those that cannot be combined with these.
    #[must_use]
    pub fn without(mut self, command: &Command, is_given: impl Fn(&str) -> bool) -> Self {
        let given: Vec<&str> =
            command.get_arguments().map(|arg| arg.get_id().as_str()).filter(|id| is_given(id)).collect();
        self.set.retain(|set| !given.iter().any(|id| set.id == *id || conflict(command, id, &set.id)));
        self
    }

    /// Returns the place of a key's value, if it is set.
    pub fn span(&self, id: &str) -> Option<Range<usize>> {
        self.set.iter().find(|set| set.id == id).map(|set| set.span.clone())
    }

    /// Returns each argument with its place in the text.
    pub fn placed_words(&self) -> impl Iterator<Item = (&OsString, Range<usize>)> {
        self.set.iter().flat_map(|set| set.words.iter().zip(set.spans.iter().cloned()))
    }

    /// Returns the arguments, files first.
    pub fn into_words(self) -> Vec<OsString> {
        let (files, options): (Vec<_>, Vec<_>) = self.set.into_iter().partition(|set| set.is_positional);
        files.into_iter().chain(options).flat_map(|set| set.words).collect()
    }
}

/// Returns the option that a key sets.
fn set(
    file: &ConfigFile,
    key: &Spanned<impl AsRef<str>>,
    value: &Spanned<DeValue<'_>>,
    command: &Command,
    rules: &Rules<'_>,
) -> Result<Set, Failure> {
    let (span, key) = (key.span(), key.get_ref().as_ref());
    if rules.refused.contains(&key) {
        return Err(file.error(span, format!("`{key}` cannot be set in this file")));
    }
    let Some(arg) = command.get_arguments().find(|arg| key_of(arg) == Some(key)) else {
        let names = command.get_arguments().filter_map(key_of).filter(|name| !rules.refused.contains(name));
        let known: Vec<String> = names.map(str::to_owned).collect();
        let unknown = UnknownName { what: "option", name: key.to_owned(), known };
        return Err(file.error(span, format!("unknown key `{}`; {}", escaped(key), unknown.suggestion())));
    };
    let values = values(file, arg, key, value, rules)?;
    let words: Vec<OsString> = values.into_iter().map(|value| word(arg, key, value)).collect();
    check(file, key, value.span(), &words, command)?;
    let (id, is_positional) = (arg.get_id().as_str().to_owned(), arg.is_positional());
    let spans = match value.get_ref() {
        DeValue::Array(items) => items.iter().map(Spanned::span).collect(),
        _ => vec![value.span()],
    };
    Ok(Set { id, span: value.span(), words, spans, is_positional })
}

/// Returns an argument that cannot be mistaken for another one.
fn word(arg: &Arg, key: &str, value: OsString) -> OsString {
    if arg.is_positional() {
        return value;
    }
    let mut word = OsString::from(format!("--{key}"));
    if !is_flag(arg) {
        word.push("=");
        word.push(value);
    }
    word
}

/// Returns the key that sets an option: its long name, or the name of positional arguments.
fn key_of(arg: &Arg) -> Option<&str> {
    match arg.get_action() {
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version => None,
        _ if arg.is_positional() => Some(arg.get_id().as_str()),
        _ => arg.get_long(),
    }
}

fn key_of_id<'a>(command: &'a Command, id: &'a str) -> &'a str {
    command.get_arguments().find(|arg| arg.get_id() == id).and_then(key_of).unwrap_or(id)
}

/// Returns true if two options cannot be combined.
fn conflict(command: &Command, a: &str, b: &str) -> bool {
    let excludes = |a: &str, b: &str| {
        let arg = command.get_arguments().find(|arg| arg.get_id() == a);
        arg.is_some_and(|arg| command.get_arg_conflicts_with(arg).iter().any(|other| other.get_id() == b))
    };
    excludes(a, b) || excludes(b, a)
}

/// Fails if the command does not accept the words of a key.
fn check(
    file: &ConfigFile,
    key: &str,
    span: Range<usize>,
    words: &[OsString],
    command: &Command,
) -> Result<(), Failure> {
    match command.clone().no_binary_name(true).try_get_matches_from(words) {
        // What an option requires may be given elsewhere.
        Err(error) if error.kind() != ErrorKind::MissingRequiredArgument => {
            Err(file.error(span, format!("`{key}`: {}", reason(&error))))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Returns the reason why clap rejects a value.
fn reason(error: &clap::Error) -> String {
    let context = |kind| error.get(kind);
    let value = match context(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) => escaped(value),
        _ => String::new(),
    };
    match (error.kind(), std::error::Error::source(error), context(ContextKind::ValidValue)) {
        (ErrorKind::ValueValidation, Some(source), _) => format!("invalid value `{value}`: {source}"),
        (ErrorKind::InvalidValue, _, Some(ContextValue::Strings(known))) if !known.is_empty() => {
            let unknown = UnknownName { what: "value", name: value.clone(), known: known.clone() };
            format!("invalid value `{value}`; {}", unknown.suggestion())
        }
        _ => message(error),
    }
}

/// Returns the message of clap without usage and tips, on one line.
pub fn message(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let line = lines.join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}
