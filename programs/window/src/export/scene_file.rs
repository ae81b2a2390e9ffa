//! The file with what the window shows, for a command that would be long otherwise.

use std::io;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::{Export, input_name};
use pchr::export::{RenderOptions, write_new};

/// A command with more of these options states them in a file.
const MOST: usize = 6;

/// The text of a file and where it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneFile {
    text: String,
    path: PathBuf,
}

impl Export {
    /// Returns the command that writes the same files. If much is shown beside the animation, it reads a scene.
    pub fn command_line(&self) -> String {
        if let Some(conversion) = self.conversion() {
            return conversion.command_line();
        }
        let options = self.wanted();
        match self.scene_text(&options) {
            Some(text) => options.command_line_with_scene(&self.scene_path(&text)),
            None => options.command_line(),
        }
    }

    /// Returns the command, for the clipboard. Writes the scene that it reads beside the files of the export, unless it is
    /// there.
    ///
    /// # Errors
    ///
    /// Fails if the scene cannot be written.
    pub fn command_for_clipboard(&mut self) -> io::Result<String> {
        let text = if self.target.is_some() { None } else { self.scene_text(&self.wanted()) };
        if let Some(text) = text.filter(|text| self.written_scene(text).is_none()) {
            let path = self.scene_path(&text);
            let path = write(&path, &text)?;
            self.scene_file = Some(SceneFile { text, path });
        }
        Ok(self.command_line())
    }

    /// Returns true if this is the command in the clipboard, and the scene that it reads is written.
    pub fn is_copied(&self, line: &str) -> bool {
        let text = if self.target.is_some() { None } else { self.scene_text(&self.wanted()) };
        let is_written = text.is_none_or(|text| self.written_scene(&text).is_some());
        is_written && self.copied.as_deref() == Some(line)
    }

    /// Returns the text of the scene with which the command writes the same files.
    pub fn scene(&self) -> String {
        text(&self.wanted())
    }

    fn scene_text(&self, options: &RenderOptions) -> Option<String> {
        let subject = &options.subject;
        let count = subject.tracks.len() + subject.bones.len() + subject.attachments.len();
        let count = count + subject.meshes.len() + subject.hidden_meshes.len() + subject.skins.len();
        (count > MOST || !subject.stage.is_empty()).then(|| text(options))
    }

    /// Returns the path of the scene, if this text was written.
    fn written_scene(&self, text: &str) -> Option<&Path> {
        let file = self.scene_file.as_ref().filter(|file| file.text == text)?;
        Some(&file.path).filter(|path| path.is_file()).map(|path| path.as_path())
    }

    fn scene_path(&self, text: &str) -> PathBuf {
        let name = format!("{}.scene.toml", input_name(self.file()));
        let beside = || Path::new(&self.path).with_file_name(name);
        self.written_scene(text).map_or_else(beside, Path::to_owned)
    }
}

/// Returns the text of the scene of `options`.
pub fn text(options: &RenderOptions) -> String {
    let value = |values: Vec<String>| {
        let mut values: Vec<Value> = values.into_iter().map(Value::String).collect();
        match values.len() {
            0 => Value::Boolean(true),
            1 => values.remove(0),
            _ => Value::Array(values),
        }
    };
    let table: Table =
        options.scene_values().into_iter().map(|(key, values)| (key.to_owned(), value(values))).collect();
    let file = if options.subject.stage.is_empty() { " FILE" } else { "" };
    let mut text = format!("# A scene for pchr-view{file} --scene THIS -o OUT.png\n{table}");
    for character in &options.subject.stage {
        let values = character.values().into_iter();
        let table: Table = values.map(|(key, values)| (key.to_owned(), value(values))).collect();
        text += &format!("\n[[character]]\n{table}");
    }
    text
}

/// Writes a file, or a numbered one if there is another file at its path. Returns its path.
fn write(path: &Path, text: &str) -> io::Result<PathBuf> {
    if std::fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes()) {
        return Ok(path.to_owned());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.strip_suffix(".scene.toml").unwrap_or(&name).to_owned();
    let numbered = |number| match number {
        1 => name.clone(),
        number => format!("{stem}-{number}.scene.toml"),
    };
    let written = write_new(folder, (1..1000).map(numbered), text.as_bytes())?;
    written.ok_or_else(|| io::Error::new(io::ErrorKind::AlreadyExists, "there are already 1,000 scenes"))
}
