//! Lists, references and choices: what every section of the file consists of.

use std::borrow::Cow;

use super::cursor::Cursor;
use super::layout::Layout;
use super::trace::MaybeTrace;
use crate::error::{Error, Place, Result};
use crate::formats::spine::schema::{Entries, KINDS, Number, Text};
use crate::model::ConstraintKind;

/// Reads one file. `file` is at the next byte.
pub struct Reader<'a, 'b, T> {
    pub file: Cursor<'a, 'b, T>,
    pub layout: Layout,
    /// True if the file has what only the editor needs.
    pub is_nonessential: bool,
    /// The strings that the file refers to by index.
    pub strings: Vec<Option<&'a str>>,
    pub names: Names<'a>,
    /// The kinds and names of constraints since 4.3, when they are counted together.
    pub constraints: Vec<(ConstraintKind, &'a str)>,
    /// By event: true if it has audio.
    pub has_audio: Vec<bool>,
    /// Linked meshes whose skin is not known yet.
    pub links: Vec<Link>,
}

/// A linked mesh whose skin is stated by a number. The skin can come later in the file.
pub struct Link {
    /// Skin, slot and attachment, by index.
    pub mesh: [usize; 3],
    /// The skin of its parent.
    pub skin: u32,
    /// Offset of that number, and the JSON pointer to it if it is known.
    pub place: Place,
}

/// What is referred to by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Bone,
    Slot,
    Skin,
    Event,
    Animation,
    /// Since 4.3, the reader finds them in [`Reader::constraints`].
    Constraint(ConstraintKind),
}

/// The names of everything that was read so far, by kind and index.
#[derive(Debug, Default)]
pub struct Names<'a>([Vec<&'a str>; Kind::COUNT]);

impl<'a> Names<'a> {
    pub fn of(&mut self, kind: Kind) -> &mut Vec<&'a str> {
        &mut self.0[kind.index()]
    }
}

impl Kind {
    pub const COUNT: usize = 5 + KINDS.len();

    /// Its place in a list of all kinds.
    pub fn index(self) -> usize {
        match self {
            Self::Bone => 0,
            Self::Slot => 1,
            Self::Skin => 2,
            Self::Event => 3,
            Self::Animation => 4,
            Self::Constraint(kind) => 5 + kind as usize,
        }
    }

    pub fn what(self) -> &'static str {
        match self {
            Self::Bone => "bone",
            Self::Slot => "slot",
            Self::Skin => "skin",
            Self::Event => "event",
            Self::Animation => "animation",
            Self::Constraint(kind) => kind.row().what,
        }
    }
}

/// Borrowed text.
pub fn text(text: &str) -> Text<'_> {
    Text(Cow::Borrowed(text))
}

impl<'a, 'b, T: MaybeTrace<'a>> Reader<'a, 'b, T> {
    pub fn new(file: Cursor<'a, 'b, T>, layout: Layout) -> Self {
        Self {
            file,
            layout,
            is_nonessential: false,
            strings: Vec::new(),
            names: Names::default(),
            constraints: Vec::new(),
            has_audio: Vec::new(),
            links: Vec::new(),
        }
    }

    /// A list: a count, then the items. `min_size`: the minimum size of an item in bytes.
    pub fn list<V>(
        &mut self,
        field: &'a str,
        min_size: usize,
        mut read: impl FnMut(&mut Self, usize) -> Result<V>,
    ) -> Result<Vec<V>> {
        self.file.enter(field);
        let count = self.file.count::<V>("", min_size)?;
        let items = self.items(count, &mut read)?;
        self.file.leave();
        Ok(items)
    }

    /// The `count` items of a list, whose memory has been charged.
    pub fn items<V>(
        &mut self,
        count: usize,
        mut read: impl FnMut(&mut Self, usize) -> Result<V>,
    ) -> Result<Vec<V>> {
        let mut items = Vec::with_capacity(count);
        for index in 0..count {
            self.file.enter_item(index);
            items.push(read(self, index)?);
            self.file.leave();
        }
        Ok(items)
    }

    /// An object: a count, then entries that start with `name`. `min_size` as in [`Self::list`].
    pub fn entries<V>(
        &mut self,
        field: &'a str,
        min_size: usize,
        mut name: impl FnMut(&mut Self) -> Result<&'a str>,
        mut read: impl FnMut(&mut Self, &'a str) -> Result<V>,
    ) -> Result<Entries<'a, V>> {
        self.file.enter(field);
        let entries = self.bare_entries(min_size, &mut name, &mut read)?;
        self.file.leave();
        Ok(entries)
    }

    /// Like [`Self::entries`], of the current value itself.
    pub fn bare_entries<V>(
        &mut self,
        min_size: usize,
        mut name: impl FnMut(&mut Self) -> Result<&'a str>,
        mut read: impl FnMut(&mut Self, &'a str) -> Result<V>,
    ) -> Result<Entries<'a, V>> {
        let count = self.file.count::<(Text<'_>, V)>("", min_size)?;
        self.counted_entries(count, &mut name, &mut read)
    }

    /// The `count` entries of the current value, whose memory has been charged.
    pub fn counted_entries<V>(
        &mut self,
        count: usize,
        mut name: impl FnMut(&mut Self) -> Result<&'a str>,
        mut read: impl FnMut(&mut Self, &'a str) -> Result<V>,
    ) -> Result<Entries<'a, V>> {
        let mut entries = Vec::with_capacity(count);
        for _ in 0..count {
            let start = self.file.offset();
            let name = name(self)?;
            self.file.enter_at(name, start);
            entries.push((text(name), read(self, name)?));
            self.file.leave();
        }
        Ok(Entries(entries))
    }

    /// The name of what an index refers to.
    #[inline]
    pub fn named(&mut self, kind: Kind, field: &'a str) -> Result<&'a str> {
        let start = self.file.offset();
        let index = self.file.varint(field)?;
        self.name_of(kind, index, field, start)
    }

    /// Like [`Self::named`], for an index that was read at `start`.
    #[inline]
    pub fn name_of(&mut self, kind: Kind, index: u32, field: &'a str, start: usize) -> Result<&'a str> {
        match self.names.of(kind).get(index as usize).copied() {
            // The name is copied wherever it is used, although the reference takes few bytes.
            Some(name) => self.file.charge::<u8>(name.len()).map(|()| name),
            None => {
                let count = self.names.of(kind).len();
                Err(self.no_such(kind.what(), index, count, field, start))
            }
        }
    }

    /// [`Self::named`] as text.
    pub fn named_text(&mut self, kind: Kind, field: &'a str) -> Result<Text<'a>> {
        Ok(text(self.named(kind, field)?))
    }

    /// The names of what a list of indices refers to.
    pub fn all_named(&mut self, kind: Kind, field: &'a str) -> Result<Vec<Text<'a>>> {
        self.list(field, 1, |reader, _| reader.named_text(kind, ""))
    }

    /// The error for an index beyond the list.
    #[cold]
    pub fn no_such(&mut self, what: &str, index: u32, count: usize, field: &'a str, start: usize) -> Error {
        let message = format!("{what} {index} does not exist; the skeleton has {count}, counted from 0");
        self.file.fault("missing-name", field, start, message)
    }

    /// A shared string, or `None` for null. Before 3.8 every string is stored where it is used.
    #[inline]
    pub fn shared(&mut self, field: &'a str) -> Result<Option<&'a str>> {
        if !self.layout.has_shared_strings() {
            return self.file.string(field);
        }
        let start = self.file.offset();
        let Some(index) = self.file.varint(field)?.checked_sub(1) else { return Ok(None) };
        match self.strings.get(index as usize).copied() {
            Some(string) => self.file.charge::<u8>(string.map_or(0, str::len)).map(|()| string),
            None => Err(self.no_such("shared string", index, self.strings.len(), field, start)),
        }
    }

    /// A shared string that must not be null.
    #[inline]
    pub fn shared_name(&mut self, field: &'a str) -> Result<&'a str> {
        let start = self.file.offset();
        match self.shared(field)? {
            Some(name) => Ok(name),
            None => Err(self.file.fault("skel-value", field, start, "the text is null; a name is required here")),
        }
    }

    /// The choice with the number `number`, which was read at `start`.
    #[inline]
    pub fn choice<V: Copy>(&mut self, choices: &[V], number: u32, field: &'a str, start: usize) -> Result<V> {
        match choices.get(number as usize) {
            Some(choice) => Ok(*choice),
            None => Err(self.unknown(number, choices.len() - 1, field, start)),
        }
    }

    /// A choice by a number of variable length.
    #[inline]
    pub fn chosen<V: Copy>(&mut self, choices: &[V], field: &'a str) -> Result<V> {
        let start = self.file.offset();
        let number = self.file.varint(field)?;
        self.choice(choices, number, field, start)
    }

    /// A choice by a byte.
    pub fn byte_choice<V: Copy>(&mut self, choices: &[V], field: &'a str) -> Result<V> {
        let start = self.file.offset();
        let number = self.file.u8(field)?.into();
        self.choice(choices, number, field, start)
    }

    /// The error for a number that stands for no choice.
    #[cold]
    pub fn unknown(&mut self, number: u32, last: usize, field: &'a str, start: usize) -> Error {
        let message = format!("{number} has no meaning here in version {}; expected 0 to {last}", self.layout);
        self.file.fault("skel-value", field, start, message)
    }

    /// A number if a flag is set, and a default otherwise.
    #[inline]
    pub fn number_if(&mut self, is_stored: bool, field: &'a str, default: f32) -> Result<Number> {
        if is_stored { self.file.number(field) } else { Ok(Number(default)) }
    }
}
