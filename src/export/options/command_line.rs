//! Converts [`RenderOptions`] to equivalent arguments of `pchr-view` and to a shell command line.

use std::ffi::OsString;
use std::path::Path;

use super::quoted::quoted;
use super::reading::append_reading;
use super::render::RenderOptions;
use super::table::Options;

/// Options that are written before the others of their group, in this order; the others follow in the order of `--help`.
#[rustfmt::skip]
const FIRST: [&str; 22] = [
    "animation", "skin", "mesh", "hide-mesh", "track", "bone", "attach", "frames", "time", "interpolate", "physics", "speed",
    "sheet-profile", "sheet-layout", "sheet-trim", "sheet-durations", "sheet-columns", "sheet-border", "sheet-padding",
    "sheet-extrude", "sheet-bleed", "sheet-max-size",
];

impl RenderOptions {
    /// Returns the arguments of `pchr-view` without the program's name. Default values are omitted.
    pub fn to_args(&self) -> Vec<OsString> {
        self.args_with(None)
    }

    /// Returns the arguments; what [`Self::scene_values`] states is in the file `scene`, if one is given.
    fn args_with(&self, scene: Option<&Path>) -> Vec<OsString> {
        let Self { subject, read, look, output } = self.without_redundant();
        let mut args = Arguments::default();
        match scene {
            Some(scene) => args.path("scene", scene),
            None => args.all(&subject),
        }
        args.all(&output);
        if scene.is_none() {
            args.all(&look);
        }
        args.all(&output.sheet);
        append_reading(&read, &mut args);
        let options = args.words();
        // File names that look like options have to follow `--`.
        let is_plain =
            |file: &Path| file == Path::new("-") || !file.as_os_str().as_encoded_bytes().starts_with(b"-");
        // The characters of a stage are in its scene.
        let files = if subject.stage.is_empty() { &subject.files[..] } else { &[] };
        let (is_plain, files) = (files.iter().all(|file| is_plain(file)), files.iter().map(OsString::from));
        if is_plain {
            files.chain(options).collect()
        } else {
            options.into_iter().chain(["--".into()]).chain(files).collect()
        }
    }

    /// Returns the options without those that others replace or imply.
    fn without_redundant(&self) -> Self {
        let mut options = self.clone();
        options.subject.frames.take_if(|_| self.subject.time.is_some());
        options.output.format.take_if(|format| Some(*format) == self.output.implied_format());
        options
    }

    /// Returns the complete command, quoted for POSIX shells.
    pub fn command_line(&self) -> String {
        line(self.to_args())
    }

    /// Returns the command with the scene in a file: see [`Self::scene_values`].
    pub fn command_line_with_scene(&self, scene: &Path) -> String {
        line(self.args_with(Some(scene)))
    }

    /// Returns the keys and values of a file for `--scene`: long option names and their values, none for a flag.
    /// Default values are omitted, and so are options that only concern the input or the output.
    pub fn scene_values(&self) -> Vec<(&'static str, Vec<String>)> {
        let Self { subject, look, .. } = self.without_redundant();
        let mut args = Arguments::default();
        args.all(&subject);
        args.all(&look);
        args.values()
    }
}

fn line(args: Vec<OsString>) -> String {
    let words = args.iter().map(|arg| quoted(&arg.to_string_lossy()));
    std::iter::once("pchr-view".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Collects arguments.
#[derive(Default)]
pub struct Arguments(Vec<Argument>);

/// An option; a flag has no value.
struct Argument {
    short: Option<char>,
    /// Without dashes.
    long: &'static str,
    value: Option<OsString>,
    /// The value follows `=`, because it would be read as an option otherwise.
    is_attached: bool,
}

impl Arguments {
    /// Adds all options that do not have their default values.
    pub fn all<T: Options>(&mut self, options: &T) {
        let rank = |long| FIRST.iter().position(|first| *first == long).unwrap_or(FIRST.len());
        let named = |arg: &'static clap::Arg| Some((arg, arg.get_long()?));
        let rows = T::command().get_arguments().zip(options.words());
        let mut rows: Vec<_> = rows.filter_map(|(arg, words)| Some((named(arg)?, words))).collect();
        rows.sort_by_key(|((_, long), _)| rank(*long));
        for ((arg, long), words) in rows {
            let words = match arg.get_value_delimiter() {
                Some(delimiter) => joined(words, delimiter),
                None => words,
            };
            for word in words {
                let is_attached = arg.is_require_equals_set() || word.as_deref().is_some_and(is_like_option);
                let (short, value) = (arg.get_short(), word.map(OsString::from));
                self.0.push(Argument { short, long, value, is_attached });
            }
        }
    }

    /// Returns the values of each option, none for a flag.
    pub fn values(self) -> Vec<(&'static str, Vec<String>)> {
        let mut values: Vec<(&'static str, Vec<String>)> = Vec::new();
        for Argument { long, value, .. } in self.0 {
            let value = value.map(|value| value.to_string_lossy().into_owned());
            match values.iter_mut().find(|(known, _)| *known == long) {
                Some((_, found)) => found.extend(value),
                None => values.push((long, value.into_iter().collect())),
            }
        }
        values
    }

    pub fn flag(&mut self, long: &'static str, is_set: bool) {
        if is_set {
            self.0.push(Argument { short: None, long, value: None, is_attached: false });
        }
    }

    pub fn option(&mut self, long: &'static str, value: impl ToString) {
        let value = value.to_string();
        let is_attached = is_like_option(&value);
        self.0.push(Argument { short: None, long, value: Some(value.into()), is_attached });
    }

    /// Adds a path, which need not be valid UTF-8.
    pub fn path(&mut self, long: &'static str, path: &Path) {
        let is_attached = path.as_os_str().as_encoded_bytes().starts_with(b"-");
        self.0.push(Argument { short: None, long, value: Some(path.into()), is_attached });
    }

    pub fn words(self) -> Vec<OsString> {
        let mut words = Vec::new();
        for Argument { short, long, value, is_attached } in self.0 {
            let name = format!("--{long}");
            match (value, short) {
                (None, _) => words.push(name.into()),
                (Some(value), _) if is_attached => {
                    let mut word = OsString::from(name + "=");
                    word.push(value);
                    words.push(word);
                }
                (Some(value), Some(short)) => words.extend([format!("-{short}").into(), value]),
                (Some(value), None) => words.extend([name.into(), value]),
            }
        }
        words
    }
}

/// Returns true for a value that would be read as an option.
fn is_like_option(value: &str) -> bool {
    value.starts_with('-') && value != "-"
}

/// Returns the words of an option that takes a list as one.
fn joined(words: Vec<Option<String>>, delimiter: char) -> Vec<Option<String>> {
    let words: Vec<String> = words.into_iter().flatten().collect();
    if words.is_empty() { Vec::new() } else { vec![Some(words.join(&delimiter.to_string()))] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::options::Background;

    #[test]
    fn lines_are_short_and_quoted() {
        let mut options = RenderOptions::default();
        options.subject.files = vec!["my knight.pchr".into()];
        options.output.path = Some("it's {animation}.gif".to_owned());
        options.subject.animations = vec!["-x".to_owned(), "walk".to_owned()];
        options.look.background = Background::Color([1, 2, 3, 255]);
        let line = options.command_line();
        assert_eq!(
            line,
            "pchr-view 'my knight.pchr' '--animation=-x' -a walk -o \"it's {animation}.gif\" -b '#010203'"
        );
        let args: Vec<String> = options.to_args().into_iter().map(|arg| arg.into_string().unwrap()).collect();
        assert_eq!(shlex::split(&line).unwrap()[1..], args);
    }
}
