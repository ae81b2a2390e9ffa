//! The file with the settings: reads it once, writes what has changed.
//!
//! Only changed keys are written, into what the file holds by then: two windows, or an older and a newer version of
//! the program, can share a file. It is replaced in one step, so that no reader sees half of it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::Settings;
use crate::base::name;
use pchr::export::{OutputFile, OutputPath};
use pchr::{Error, Result};

/// Seconds from a change until it is written.
const DELAY_SECS: f64 = 1.0;
/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The kept settings and their file.
#[derive(Debug)]
pub struct Store {
    file: PathBuf,
    /// The settings as last read or written.
    known: Option<Settings>,
    /// When to write, in egui's seconds; `None`: nothing has changed.
    due: Option<f64>,
    /// The file cannot be read and will be renamed before another one is written.
    is_broken: bool,
    /// The settings that could not be written, which the user knows.
    failed: Option<Settings>,
}

impl Store {
    /// Reads a file. If that fails, the settings have their defaults, and there is a message for the user. A
    /// missing file is no failure.
    pub fn open(file: PathBuf) -> (Self, Settings, Option<String>) {
        let (settings, message) = match read(&file) {
            Ok(settings) => (settings, None),
            Err(reason) => (Settings::default(), Some(format!("Cannot read the settings: {reason}"))),
        };
        let is_broken = message.is_some();
        (Self { file, known: None, due: None, is_broken, failed: None }, settings, message)
    }

    /// Returns the file beside it in which the stage is kept.
    pub fn stage_file(&self) -> PathBuf {
        self.file.with_file_name("stage.toml")
    }

    /// Returns true if the file could not be read.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Sets what the file holds, or would hold: later changes to it are written.
    pub fn know(&mut self, settings: Settings) {
        self.known = Some(settings);
    }

    /// Compares the settings with those known. If they differ, returns the seconds after which to call
    /// [`Self::write`]. Settings that could not be written wait for another change.
    pub fn compare(&mut self, now: f64, settings: &Settings) -> Option<f64> {
        if !self.differs(settings) || self.failed.as_ref() == Some(settings) {
            self.due = None;
            return None;
        }
        let due = *self.due.get_or_insert(now + DELAY_SECS);
        Some(due - now)
    }

    /// A desktop may move a window by itself, which is no reason to replace a broken file.
    fn differs(&self, settings: &Settings) -> bool {
        let Some(known) = &self.known else { return false };
        let is_moved_only = || Settings { window: known.window, ..settings.clone() } == *known;
        known != settings && !(self.is_broken && is_moved_only())
    }

    /// Returns true if changes have waited long enough.
    pub fn is_due(&self, now: f64) -> bool {
        self.due.is_some_and(|due| now >= due)
    }

    /// Writes what has changed since the last time that this succeeded. Returns a message for the user if it fails
    /// for the first time.
    pub fn write(&mut self, settings: &Settings) -> Option<String> {
        self.due = None;
        if !self.differs(settings) {
            return None;
        }
        match self.replace_file(settings) {
            Ok(()) => {
                self.known = Some(settings.clone());
                self.failed = None;
                None
            }
            Err(error) => {
                let is_first = self.failed.replace(settings.clone()).is_none();
                is_first.then(|| format!("Cannot save the settings: {error}"))
            }
        }
    }

    /// Replaces the file in one step. It keeps its permissions, and a link stays a link.
    fn replace_file(&mut self, settings: &Settings) -> Result<()> {
        let in_file = |error: io::Error| Error::io(self.file.display(), error);
        let text = match fs::read_to_string(&self.file) {
            _ if self.is_broken => String::new(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(in_file)?,
        };
        // Another program may have broken it meanwhile.
        let (mut table, is_broken) = match text.parse::<Table>() {
            Ok(table) => (table, self.is_broken),
            Err(_) => (Table::new(), true),
        };
        let known = self.known.as_ref().map_or(Ok(Table::new()), to_table).map_err(in_file)?;
        merge(&mut table, &known, &to_table(settings).map_err(in_file)?);
        let text = toml::to_string_pretty(&table).map_err(io::Error::other).map_err(in_file)?;
        let mut file = OutputFile::create(&OutputPath::named(&self.file), true)?;
        file.write_all(text.as_bytes()).map_err(in_file)?;
        if is_broken && let Ok(broken) = fs::canonicalize(&self.file) {
            fs::rename(&broken, backup(&broken)).map_err(in_file)?;
            self.is_broken = false;
        }
        file.finish()
    }
}

/// Returns a name for a broken file that is not in use.
fn backup(file: &Path) -> PathBuf {
    let names = (1..1000).map(|number| match number {
        1 => file.with_extension("broken.toml"),
        number => file.with_extension(format!("broken-{number}.toml")),
    });
    names.into_iter().find(|name| !name.exists()).unwrap_or_else(|| file.with_extension("broken.toml"))
}

fn to_table(settings: &Settings) -> io::Result<Table> {
    Table::try_from(settings).map_err(io::Error::other)
}

/// Changes `table` where `before` and `after` differ.
fn merge(table: &mut Table, before: &Table, after: &Table) {
    for (key, value) in after {
        match (value, before.get(key)) {
            (Value::Table(after), earlier) => {
                let none = Table::new();
                let before = earlier.and_then(Value::as_table).unwrap_or(&none);
                if before == after {
                    continue;
                }
                let inner = table.entry(key.clone()).or_insert_with(|| Value::Table(Table::new()));
                if !inner.is_table() {
                    *inner = Value::Table(Table::new());
                }
                if let Value::Table(inner) = inner {
                    merge(inner, before, after);
                }
            }
            (value, before) if before != Some(value) => drop(table.insert(key.clone(), value.clone())),
            (_, _) => {}
        }
    }
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        table.remove(key);
    }
}

/// Reads a file. The error names the file, the line, and what is wrong.
fn read(file: &Path) -> std::result::Result<Settings, String> {
    let name = name::path(file);
    let size = match fs::metadata(file) {
        Ok(metadata) if !metadata.is_file() => return Err(format!("{name} is not a file")),
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Settings::default()),
        Err(error) => return Err(format!("{name}: {error}")),
    };
    if size > LARGEST {
        return Err(format!("{name} is larger than {} MiB", LARGEST >> 20));
    }
    let text = fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
    toml::from_str(&text).map_err(|error| {
        let line = error.span().map(|span| text.get(..span.start).unwrap_or(&text).matches('\n').count() + 1);
        let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
        format!("{name}{line}: {}", error.message().lines().collect::<Vec<_>>().join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        text.parse().unwrap()
    }

    #[test]
    fn only_changed_keys_are_merged() {
        let mut file = table("a = 1\nunknown = 2\n[t]\nx = 1\ny = 2\nother = 3\n[new]\nz = 1");
        let before = table("a = 5\ngone = 1\n[t]\nx = 1\ny = 2\nlost = 0");
        let after = table("a = 5\n[t]\nx = 7\ny = 2\n[u]\nv = 1");
        merge(&mut file, &before, &after);
        let expected = table("a = 1\nunknown = 2\n[t]\nx = 7\ny = 2\nother = 3\n[new]\nz = 1\n[u]\nv = 1");
        assert_eq!(file, expected);
    }

    #[test]
    fn a_value_that_has_become_a_table_replaces_it() {
        let mut file = table("t = 1");
        merge(&mut file, &table(""), &table("[t]\nx = 1"));
        assert_eq!(file, table("[t]\nx = 1"));
    }
}
