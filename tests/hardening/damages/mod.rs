//! Ways to damage the knight at random places, and the expected findings.
#![allow(dead_code, reason = "each test binary uses a part")]

pub mod bytes;
pub mod fields;
mod json;
pub mod layout;
pub mod spine;
pub mod text;

use std::sync::LazyLock;

use crate::common::v1::write;
use crate::common::v1::{File, Vertex};
use crate::common::v1_read::read;
use pchr::formats::ReadOptions;

use crate::common::random::Random;

/// The form in which the damaged knight is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    V1,
    Description,
    Pachario,
    Packed,
}

impl Form {
    pub fn is_json(self) -> bool {
        matches!(self, Self::Description | Self::Pachario)
    }

    /// Returns true for the forms with Pachario's field names.
    pub fn is_pachario(self) -> bool {
        matches!(self, Self::Pachario | Self::Packed)
    }

    /// Offset of the text in the file.
    pub fn text_at(self) -> usize {
        if self == Self::Packed { 16 } else { 0 }
    }
}

pub const V1: &[Form] = &[Form::V1];
pub const EVERY: &[Form] = &[Form::V1, Form::Description, Form::Pachario, Form::Packed];
pub const TEXTS: &[Form] = &[Form::Description, Form::Pachario, Form::Packed];

/// One way to damage a knight.
pub struct Damage {
    /// The expected code.
    pub code: &'static str,
    /// Description for people.
    pub name: &'static str,
    /// The forms that it applies to.
    pub forms: &'static [Form],
    pub how: How,
}

/// What to change.
pub enum How {
    /// The fields, before they are written.
    Fields(fn(&mut Subject)),
    /// The text of a JSON form.
    Text(fn(&mut Subject, &mut Vec<u8>)),
    /// The whole file.
    Bytes(fn(&mut Subject, &mut Vec<u8>)),
}

/// An expected finding.
pub struct Expected {
    pub code: &'static str,
    pub place: Where,
    /// Part of its message.
    pub says: String,
    /// Another part of its message.
    pub says_too: String,
    /// Why it is found in addition to the damage; empty for the damage itself.
    pub because: &'static str,
}

/// The place of an expected finding.
pub enum Where {
    /// A field, with its v1 name.
    Field(String),
    /// Exactly this path and offset.
    Exactly(String, Option<usize>),
}

/// A knight to damage.
pub struct Subject {
    pub form: Form,
    pub file: File,
    pub options: ReadOptions,
    pub random: Random,
    /// Leave out pictures that are not part of a v1 file.
    pub lacks_pictures: bool,
    /// The expected findings.
    pub expected: Vec<Expected>,
    code: &'static str,
}

/// The bytes of the undamaged knight.
pub static KNIGHT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = crate::common::root().join("assets/paper-knight.pchr");
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
});

/// The fields of the undamaged knight.
pub static FIELDS: LazyLock<File> = LazyLock::new(|| read(&KNIGHT));

/// A file, and the files next to it.
pub struct Written {
    pub bytes: Vec<u8>,
    pub beside: Vec<(String, Vec<u8>)>,
}

impl Subject {
    pub fn new(damage: &Damage, form: Form, seed: u64) -> Self {
        Self {
            form,
            file: FIELDS.clone(),
            options: ReadOptions::default(),
            random: Random(seed),
            lacks_pictures: false,
            expected: Vec::new(),
            code: damage.code,
        }
    }

    /// Expects the damage at this field, with a message that contains `says`.
    pub fn expect(&mut self, path: impl Into<String>, says: impl Into<String>) {
        let place = Where::Field(path.into());
        self.expected.push(Expected {
            code: self.code,
            place,
            says: says.into(),
            says_too: String::new(),
            because: "",
        });
    }

    /// Expects the damage at this place, with a message that contains `says`.
    pub fn expect_at(&mut self, path: impl Into<String>, offset: Option<usize>, says: impl Into<String>) {
        let place = Where::Exactly(path.into(), offset);
        self.expected.push(Expected {
            code: self.code,
            place,
            says: says.into(),
            says_too: String::new(),
            because: "",
        });
    }

    /// Expects another, unavoidable finding.
    pub fn also(&mut self, code: &'static str, path: impl Into<String>, because: &'static str) {
        self.expected.push(Expected {
            code,
            place: Where::Field(path.into()),
            says: String::new(),
            says_too: String::new(),
            because,
        });
    }

    /// A random number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    /// A random item of a list.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len())]
    }

    pub fn mesh(&mut self) -> usize {
        self.random.below(self.file.meshes.len())
    }

    pub fn bone(&mut self) -> usize {
        self.random.below(self.file.bones.len())
    }

    /// A random mesh and one of its vertices.
    pub fn vertex(&mut self) -> (usize, usize) {
        let mesh = self.mesh();
        (mesh, self.random.below(self.file.meshes[mesh].vertex_count()))
    }

    /// A random animation other than the bind pose.
    pub fn motion(&mut self) -> usize {
        1 + self.random.below(self.file.animations.len() - 1)
    }

    /// A random frame of an animation.
    pub fn frame(&mut self, animation: usize) -> usize {
        self.random.below(self.file.animations[animation].frame_count.into())
    }

    /// Writes the damaged file.
    pub fn write(&mut self, how: &How) -> Written {
        if let How::Fields(change) = how {
            change(self);
        }
        let mut written = match self.form {
            Form::V1 => Written { bytes: write(&self.file).expect("it fits"), beside: Vec::new() },
            _ => self.write_text(how),
        };
        if let How::Bytes(change) = how {
            change(self, &mut written.bytes);
        }
        written
    }

    fn write_text(&mut self, how: &How) -> Written {
        let paths: Vec<String> = (0..self.file.images.len()).map(picture).collect();
        let mut text = json::text(&self.file, &paths, self.form.is_pachario());
        if let How::Text(change) = how {
            change(self, &mut text);
        }
        let images = self.file.images.iter().filter(|_| !self.lacks_pictures);
        let mut pictures = images.map(|image| image.data.bytes.to_vec());
        if self.form == Form::Packed {
            let picture = pictures.next().unwrap_or_default();
            return Written { bytes: crate::common::packed::write(&text, &picture), beside: Vec::new() };
        }
        let beside = pictures.enumerate().map(|(index, bytes)| (picture(index), bytes)).collect();
        Written { bytes: text, beside }
    }

    /// Path and offset of an expected finding.
    pub fn place(&self, expected: &Expected) -> (String, Option<u64>) {
        match &expected.place {
            Where::Exactly(path, offset) => (path.clone(), offset.map(|offset| offset as u64)),
            Where::Field(path) if self.form == Form::V1 => {
                (path.clone(), Some(layout::offset(&self.file, path) as u64))
            }
            Where::Field(path) => (layout::pointer(path, self.form.is_pachario()), None),
        }
    }
}

/// The file name of a picture.
pub fn picture(index: usize) -> String {
    format!("picture-{index}.png")
}

/// All damages.
pub fn all() -> impl Iterator<Item = &'static Damage> {
    fields::DAMAGES.iter().chain(bytes::DAMAGES).chain(text::DAMAGES)
}

/// Reads one vertex of a mesh.
pub fn vertex_of(file: &File, mesh: usize, vertex: usize) -> Vertex {
    Vertex::read(&file.meshes[mesh].vertices.bytes[vertex * Vertex::SIZE..][..Vertex::SIZE])
}
