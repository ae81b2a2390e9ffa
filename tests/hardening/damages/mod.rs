//! Ways to damage the knight, at places that a generator chooses, and what is to be found then.

pub mod bytes;
pub mod fields;
pub mod layout;
pub mod spine;
pub mod text;

use std::path::Path;
use std::sync::LazyLock;

use pchr::diagnostics::Diagnostics;
use pchr::formats::ReadOptions;
use pchr::formats::pchr::json::description::Description;
use pchr::formats::pchr::json::pachario::Pachario;
use pchr::formats::pchr::schema::{File, Vertex};
use pchr::formats::pchr::{Document, packed, read, write};
use pchr::limits::{Budget, Limits};

use crate::common::random::Random;

/// How the damaged knight is written.
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

    /// Whether it has the older words.
    pub fn is_pachario(self) -> bool {
        matches!(self, Self::Pachario | Self::Packed)
    }

    /// Where its text begins in the file.
    pub fn text_at(self) -> usize {
        if self == Self::Packed { 16 } else { 0 }
    }
}

pub const V1: &[Form] = &[Form::V1];
pub const EVERY: &[Form] = &[Form::V1, Form::Description, Form::Pachario, Form::Packed];
pub const TEXTS: &[Form] = &[Form::Description, Form::Pachario, Form::Packed];

/// One way to damage a knight.
pub struct Damage {
    /// The code that is found.
    pub code: &'static str,
    /// What is done, for people.
    pub name: &'static str,
    /// The forms in which it can be.
    pub forms: &'static [Form],
    pub how: How,
}

/// What is changed.
pub enum How {
    /// The fields, before they are written.
    Fields(fn(&mut Subject)),
    /// The text of a JSON form.
    Text(fn(&mut Subject, &mut Vec<u8>)),
    /// The whole file.
    Bytes(fn(&mut Subject, &mut Vec<u8>)),
}

/// Something that is to be found.
pub struct Told {
    pub code: &'static str,
    pub place: Where,
    /// A part of its message.
    pub says: String,
    /// Another part of it.
    pub says_too: String,
    /// Why it is found beside what was damaged; empty for that itself.
    pub because: &'static str,
}

/// Where something is to be found.
pub enum Where {
    /// At a field, in v1's words.
    Field(String),
    /// There and nowhere else.
    Exactly(String, Option<usize>),
}

/// A knight that is being damaged.
pub struct Subject {
    pub form: Form,
    pub file: File,
    pub options: ReadOptions,
    pub random: Random,
    /// The pictures are left out where they are not in the v1 file.
    pub lacks_pictures: bool,
    /// What is to be found.
    pub told: Vec<Told>,
    code: &'static str,
}

/// The bytes of the knight as it is.
pub static KNIGHT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/paper-knight.pchr");
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
});

/// Its fields.
pub static FIELDS: LazyLock<File> = LazyLock::new(|| {
    let limits = Limits::default();
    let mut found = Diagnostics::default();
    read(KNIGHT.clone().into(), &mut Budget::new(&limits), &mut found).expect("nothing is wrong with it")
});

/// A file, and those that lie beside it.
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
            told: Vec::new(),
            code: damage.code,
        }
    }

    /// The damage is found at this field, with a message that says this.
    pub fn tell(&mut self, path: impl Into<String>, says: impl Into<String>) {
        let place = Where::Field(path.into());
        self.told.push(Told { code: self.code, place, says: says.into(), says_too: String::new(), because: "" });
    }

    /// The damage is found at this place, with a message that says this.
    pub fn tell_at(&mut self, path: impl Into<String>, offset: Option<usize>, says: impl Into<String>) {
        let place = Where::Exactly(path.into(), offset);
        self.told.push(Told { code: self.code, place, says: says.into(), says_too: String::new(), because: "" });
    }

    /// Something else is found as well, because it cannot be otherwise.
    pub fn also(&mut self, code: &'static str, path: impl Into<String>, because: &'static str) {
        self.told.push(Told {
            code,
            place: Where::Field(path.into()),
            says: String::new(),
            says_too: String::new(),
            because,
        });
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    /// One of these.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len())]
    }

    pub fn mesh(&mut self) -> usize {
        self.random.below(self.file.meshes.len())
    }

    pub fn bone(&mut self) -> usize {
        self.random.below(self.file.bones.len())
    }

    /// A mesh and one of its vertices.
    pub fn vertex(&mut self) -> (usize, usize) {
        let mesh = self.mesh();
        (mesh, self.random.below(self.file.meshes[mesh].vertex_count()))
    }

    /// An animation that is no bind pose.
    pub fn motion(&mut self) -> usize {
        1 + self.random.below(self.file.animations.len() - 1)
    }

    /// A frame of an animation.
    pub fn frame(&mut self, animation: usize) -> usize {
        self.random.below(self.file.animations[animation].frame_count.into())
    }

    /// The v1 file, or what another form has in its stead.
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
        let document = Document::v1(self.file.clone());
        let paths: Vec<String> = (0..self.file.images.len()).map(picture).collect();
        let mut text = Vec::new();
        let result = match self.form {
            Form::Description => Description::new(&document, &paths).write(&mut text),
            _ => Pachario::new(&document, &paths).write(&mut text),
        };
        result.expect("memory takes everything");
        if let How::Text(change) = how {
            change(self, &mut text);
        }
        let images = self.file.images.iter().filter(|_| !self.lacks_pictures);
        let mut pictures = images.map(|image| image.data.bytes.to_vec());
        if self.form == Form::Packed {
            let picture = pictures.next().unwrap_or_default();
            return Written { bytes: packed::write(&text, &picture).expect("it fits"), beside: Vec::new() };
        }
        let beside = pictures.enumerate().map(|(index, bytes)| (picture(index), bytes)).collect();
        Written { bytes: text, beside }
    }

    /// Path and offset of what is to be found.
    pub fn place(&self, told: &Told) -> (String, Option<u64>) {
        match &told.place {
            Where::Exactly(path, offset) => (path.clone(), offset.map(|offset| offset as u64)),
            Where::Field(path) if self.form == Form::V1 => {
                (path.clone(), Some(layout::offset(&self.file, path) as u64))
            }
            Where::Field(path) => (layout::pointer(path, self.form.is_pachario()), None),
        }
    }
}

/// The file of a picture.
pub fn picture(index: usize) -> String {
    format!("picture-{index}.png")
}

/// Every damage there is.
pub fn all() -> impl Iterator<Item = &'static Damage> {
    fields::DAMAGES.iter().chain(bytes::DAMAGES).chain(text::DAMAGES)
}

/// One vertex of a mesh.
pub fn vertex_of(file: &File, mesh: usize, vertex: usize) -> Vertex {
    Vertex::read(&file.meshes[mesh].vertices.bytes[vertex * Vertex::SIZE..][..Vertex::SIZE])
}
