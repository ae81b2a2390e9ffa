//! The tools: one row for each, with its parameters and the command line that they become.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::call::{Printed, Program, refused, run};
use super::places::Places;
use crate::cli::shared::failure::Failure;

/// A tool.
pub struct Tool {
    pub name: &'static str,
    pub about: &'static str,
    program: Program,
    /// The words before the parameters.
    words: &'static [&'static str],
    params: &'static [Param],
    /// The schema of its documents.
    pub schema: &'static str,
    picture: Picture,
    /// Whether it can write files.
    pub writes: bool,
}

/// The picture in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Picture {
    None,
    /// What the command renders.
    Rendered,
    /// The difference between two characters.
    Difference,
}

/// A parameter, and the option that it becomes; without one, it is an argument.
struct Param {
    name: &'static str,
    option: &'static str,
    kind: Kind,
    about: &'static str,
    is_required: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A path that is read.
    Input,
    /// A path that is written.
    Output,
    Text,
    /// One text or several.
    Texts,
    Number,
    /// The option is given if it is true.
    Switch,
}

const fn param(name: &'static str, option: &'static str, kind: Kind, about: &'static str) -> Param {
    Param { name, option, kind, about, is_required: false }
}

const fn required(name: &'static str, option: &'static str, kind: Kind, about: &'static str) -> Param {
    Param { name, option, kind, about, is_required: true }
}

const PATH: Param = required("path", "", Kind::Input, "Path of the character");
const ATLAS: Param = param("atlas", "--atlas", Kind::Input, "Atlas or image, if it is not found near the file");
const ANIMATION: Param = param("animation", "--animation", Kind::Text, "Animation by name or #index");
const ANIMATIONS: Param =
    param("animations", "--animation", Kind::Texts, "Animations by name or #index, or `all`");
const SKINS: Param = param("skins", "--skin", Kind::Texts, "Skins by name or #index, or `none`");
const SIZE: Param = param("size", "--size", Kind::Text, "Size in pixels: WxH, Wx, xH, N or native");
const BACKGROUND: Param = param("background", "--background", Kind::Text, "transparent, a colour, or checker");
const SHOW: Param = param("show", "--show", Kind::Text, "Overlays such as bones,names,boxes");
const SAVE: Param =
    param("output", "--output", Kind::Output, "Also keep the picture, at this path in the output folder");

/// Drawn on the CPU, so that the answers are the same on every machine.
const DRAW: &[&str] = &["--json", "--backend=cpu", "--quiet"];

/// All tools, in the order in which they are listed.
pub static TOOLS: &[Tool] = &[
    Tool {
        name: "inspect",
        about: "Describe the contents of a character: animations, bones, slots, skins, images",
        program: Program::Pchr,
        words: &["inspect", "--json"],
        params: &[
            PATH,
            param("only", "--only", Kind::Texts, "Sections such as animations, bones, slots, skins, images"),
            ATLAS,
        ],
        schema: "pchr.inspect/1",
        picture: Picture::None,
        writes: false,
    },
    Tool {
        name: "validate",
        about: "Report errors and questionable data in a character, or in all characters of a folder",
        program: Program::Pchr,
        words: &["validate", "--style=json"],
        params: &[required("path", "", Kind::Input, "Path of the character or folder"), ATLAS],
        schema: "pchr.validate/1",
        picture: Picture::None,
        writes: false,
    },
    Tool {
        name: "render",
        about: "Render one picture of a character; the answer has the visible world rectangle and warnings",
        program: Program::View,
        words: DRAW,
        params: &[
            PATH,
            ANIMATION,
            param("frame", "--frames", Kind::Number, "Stored frame, from 0"),
            param("time", "--time", Kind::Number, "Seconds, instead of a frame"),
            SIZE,
            SKINS,
            BACKGROUND,
            SHOW,
            param("fit", "--fit", Kind::Text, "animation, frame, all, or a world rectangle X,Y,W,H"),
            ATLAS,
            SAVE,
        ],
        schema: "pchr.render/1",
        picture: Picture::Rendered,
        writes: false,
    },
    Tool {
        name: "contact_sheet",
        about: "Render evenly spaced frames of animations as one picture with names and times",
        program: Program::View,
        words: DRAW,
        params: &[
            PATH,
            ANIMATIONS,
            required("grid", "--contact-sheet", Kind::Text, "Columns and rows, such as 6x4"),
            param("size", "--size", Kind::Text, "Size of a cell in pixels, such as 160"),
            SKINS,
            BACKGROUND,
            ATLAS,
            SAVE,
        ],
        schema: "pchr.render/1",
        picture: Picture::Rendered,
        writes: false,
    },
    Tool {
        name: "diff",
        about: "Compare two characters by content: bones, meshes, images, animations and every pose",
        program: Program::Pchr,
        words: &["diff", "--json"],
        params: &[
            required("a", "", Kind::Input, "Path of the first character"),
            required("b", "", Kind::Input, "Path of the second character"),
            param("epsilon", "--epsilon", Kind::Number, "Differences up to this many world units are ignored"),
        ],
        schema: "pchr.diff/1",
        picture: Picture::Difference,
        writes: false,
    },
    Tool {
        name: "convert",
        about: "Convert a character to another format, into the output folder; the answer lists what was lost",
        program: Program::Pchr,
        words: &["convert", "--json"],
        params: &[
            PATH,
            required("output", "--output", Kind::Output, "Path in the output folder, such as hero.pchr"),
            param("to", "--to", Kind::Text, "Format, if the extension does not say it"),
            param("fps", "--fps", Kind::Number, "Frames per second to store"),
            ANIMATIONS,
            SKINS,
            param("force", "--force", Kind::Switch, "Overwrite existing files"),
            ATLAS,
        ],
        schema: "pchr.written/1",
        picture: Picture::None,
        writes: true,
    },
    Tool {
        name: "poses",
        about: "Return the poses of animations as data: world transforms of bones, slots, hit boxes, events",
        program: Program::Pchr,
        words: &["poses", "--json"],
        params: &[
            PATH,
            ANIMATIONS,
            param("fps", "--fps", Kind::Number, "Poses per second"),
            param("bones", "--bones", Kind::Texts, "Patterns of bones, such as hand*"),
            param("what", "--what", Kind::Texts, "bones, slots, events, boxes"),
            SKINS,
            ATLAS,
        ],
        schema: "pchr.poses/1",
        picture: Picture::None,
        writes: false,
    },
    Tool {
        name: "test",
        about: "Render the characters of a folder and compare them with its references; new and different pictures \
                are written to `results`",
        program: Program::Pchr,
        words: &["test", "--json"],
        params: &[
            required("path", "", Kind::Input, "Folder of characters with references"),
            required("results", "--results", Kind::Output, "Folder in the output folder for pictures that differ"),
            param("only", "--only", Kind::Texts, "Patterns of characters"),
        ],
        schema: "pchr.compare/1",
        picture: Picture::None,
        writes: true,
    },
];

/// What a tool answers.
pub struct Answer {
    pub printed: Printed,
    /// PNGs.
    pub pictures: Vec<Vec<u8>>,
}

impl Tool {
    /// Returns the JSON Schema of its parameters.
    pub fn input_schema(&self) -> Map<String, Value> {
        let text = || json!({"type": "string"});
        let properties: Map<String, Value> = self
            .params
            .iter()
            .map(|param| {
                let mut schema = match param.kind {
                    Kind::Input | Kind::Output | Kind::Text => text(),
                    Kind::Texts => json!({"type": "array", "items": text()}),
                    Kind::Number => json!({"type": "number"}),
                    Kind::Switch => json!({"type": "boolean"}),
                };
                schema["description"] = param.about.into();
                (param.name.to_owned(), schema)
            })
            .collect();
        let required: Vec<&str> = self.params.iter().filter(|it| it.is_required).map(|it| it.name).collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), properties.into());
        schema.insert("required".to_owned(), required.into());
        schema.insert("additionalProperties".to_owned(), false.into());
        schema
    }

    /// Runs it.
    pub fn call(&self, places: &Places, arguments: &Map<String, Value>) -> Answer {
        self.answer(places, arguments)
            .unwrap_or_else(|failure| Answer { printed: refused(&failure), pictures: Vec::new() })
    }

    fn answer(&self, places: &Places, arguments: &Map<String, Value>) -> Result<Answer, Failure> {
        let Line { mut words, inputs, output } = self.line(places, arguments)?;
        if self.picture != Picture::Rendered {
            words.push("--".into());
            words.extend(inputs.iter().map(OsString::from));
            let printed = run(self.program, words);
            let pictures = match self.picture {
                Picture::Difference if !printed.is_failed => difference(places, &inputs),
                _ => Vec::new(),
            };
            return Ok(Answer { printed, pictures });
        }
        let scratch = places.scratch.path().join("picture.png");
        words.push("--force".into());
        if output.is_none() {
            words.push(option("--output", &scratch));
        }
        words.push("--".into());
        words.extend(inputs.iter().map(OsString::from));
        let mut printed = run(self.program, words);
        let picture = fs::read(output.as_ref().unwrap_or(&scratch));
        let _ = fs::remove_file(&scratch);
        // The document names the file that was written, which the client cannot see.
        let folder = places.scratch.path().join("").display().to_string();
        printed.text = printed.text.replace(&folder, "");
        let pictures = if printed.is_failed { Vec::new() } else { picture.into_iter().collect() };
        Ok(Answer { printed, pictures })
    }

    /// Returns the command line.
    fn line(&self, places: &Places, arguments: &Map<String, Value>) -> Result<Line, Failure> {
        if let Some(unknown) = arguments.keys().find(|name| self.params.iter().all(|param| param.name != **name)) {
            return Err(Failure::usage(format!("`{}` has no parameter `{unknown}`", self.name)));
        }
        let mut line =
            Line { words: self.words.iter().map(OsString::from).collect(), inputs: vec![], output: None };
        for param in self.params {
            match arguments.get(param.name) {
                None | Some(Value::Null) if param.is_required => {
                    return Err(Failure::usage(format!("the parameter `{}` is missing", param.name)));
                }
                None | Some(Value::Null) => {}
                Some(value) => line.add(param, value, places)?,
            }
        }
        Ok(line)
    }
}

/// A command line that is being built.
struct Line {
    words: Vec<OsString>,
    inputs: Vec<PathBuf>,
    output: Option<PathBuf>,
}

impl Line {
    fn add(&mut self, param: &Param, value: &Value, places: &Places) -> Result<(), Failure> {
        let wrong = |expected| Failure::usage(format!("the parameter `{}` must be {expected}", param.name));
        let text = |value: &Value| match value.as_str() {
            Some(text) if !text.contains('\0') => Ok(text.to_owned()),
            _ => Err(wrong("a text")),
        };
        match param.kind {
            Kind::Input => {
                let path = places.input(&text(value)?)?;
                if param.option.is_empty() {
                    self.inputs.push(path);
                } else {
                    self.words.push(option(param.option, &path));
                }
            }
            Kind::Output => {
                let path = places.output(&text(value)?)?;
                self.words.push(option(param.option, &path));
                self.output = Some(path);
            }
            Kind::Text => self.words.push(option(param.option, text(value)?)),
            Kind::Texts => match value {
                Value::Array(values) => {
                    for value in values {
                        self.words.push(option(param.option, text(value)?));
                    }
                }
                value => self.words.push(option(param.option, text(value)?)),
            },
            Kind::Number => {
                let number = value.as_number().ok_or_else(|| wrong("a number"))?;
                self.words.push(option(param.option, number.to_string()));
            }
            Kind::Switch => {
                if value.as_bool().ok_or_else(|| wrong("true or false"))? {
                    self.words.push(param.option.into());
                }
            }
        }
        Ok(())
    }
}

/// One word, so that no value is an option.
fn option(name: &str, value: impl AsRef<std::ffi::OsStr>) -> OsString {
    let mut word = OsString::from(name);
    word.push("=");
    word.push(value);
    word
}

/// Renders both characters in the same area and returns the picture of the difference; none if they look the same, or
/// cannot be drawn.
fn difference(places: &Places, inputs: &[PathBuf]) -> Vec<Vec<u8>> {
    let [a, b] = inputs else { return Vec::new() };
    let at = |name: &str| places.scratch.path().join(name);
    let (reference, diff) = (at("reference.png"), at("diff.png"));
    let draw = |file: &Path, words: Vec<OsString>| {
        let fixed = DRAW.iter().copied().chain(["--size=512x512", "--frames=0"]).map(OsString::from);
        run(Program::View, fixed.chain(words).chain(["--".into(), file.into()]).collect())
    };
    if !draw(a, vec![option("--output", &reference)]).is_failed {
        draw(b, vec![option("--reference", &reference), option("--diff", &diff)]);
    }
    let picture = fs::read(&diff);
    for name in fs::read_dir(places.scratch.path()).into_iter().flatten().flatten() {
        let _ = fs::remove_file(name.path());
    }
    picture.into_iter().collect()
}
