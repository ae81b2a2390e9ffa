//! [`schema::Root`] → binary skeletons (`.skel`) of 3.8 and 4.0 to 4.3: the inverse of the reader.
//!
//! The document has the form of JSON of its version, whose defaults are written out. Names become indices; a name
//! that nothing has is an error. Entries without keys are left out: programs of Spine do not expect them.

mod animations;
mod attachments;
mod constraint_list;
mod constraints;
mod events;
mod keys;
mod losses;
mod meshes;
mod names;
mod nonessential;
mod physics;
mod sink;
mod skeleton;
mod skins;
mod timelines;
mod vertices;

pub use nonessential::{BONE_COLOR, FPS, color_of};
pub use skeleton::version;

use super::layout::Layout;
use super::reader::Kind;
use crate::error::{Error, Place, Result};
use crate::formats::Loss;
use crate::formats::spine::build;
use crate::formats::spine::schema::{Color, Number, Root, Text};
use losses::Losses;
use meshes::LinkedSlots;
use names::{Names, Order, Strings};
use sink::Sink;

/// A written binary skeleton.
#[derive(Debug)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// What it cannot store.
    pub losses: Vec<Loss>,
}

/// Writes a document in the layout of its version.
pub fn write(root: &Root<'_>) -> Result<Written> {
    let layout = Layout::written(root.version).ok_or_else(|| {
        let message = format!("there is no binary form of version {}; write 3.8 or 4.0 to 4.3", root.version);
        Error::unsupported("spine-binary", build::at("/skeleton/spine"), message)
    })?;
    write_with(root, layout, nonessential::is_in(root, layout), Strings::default())
}

/// Writes a document with or without nonessential data. `strings` come first among the shared ones.
fn write_with<'r>(
    root: &'r Root<'_>,
    layout: Layout,
    is_nonessential: bool,
    strings: Strings<'r>,
) -> Result<Written> {
    let skins = Order::of(root);
    let mut writer = Writer {
        root,
        layout,
        is_nonessential,
        names: Names::of(root, &skins, layout),
        skins,
        links: meshes::linked_slots(root, layout),
        strings,
        file: Sink::default(),
        losses: Losses::default(),
        animation: "",
        timelines: 0,
    };
    writer.bones()?;
    writer.slots()?;
    writer.constraints()?;
    writer.all_skins()?;
    writer.events()?;
    writer.animations()?;
    writer.slider_animations()?;
    // The shared strings come first, but are only known now.
    let body = std::mem::take(&mut writer.file);
    writer.head()?;
    writer.file.append(body);
    if writer.file.has_infinite {
        let message = "numbers of the character are too large for the file";
        return Err(Error::unsupported("not-finite", Place::default(), message));
    }
    Ok(Written { bytes: writer.file.bytes, losses: writer.losses.list() })
}

/// Writes one file.
struct Writer<'r, 'a> {
    root: &'r Root<'a>,
    layout: Layout,
    /// True if the file gets what only the editor needs.
    is_nonessential: bool,
    names: Names<'r>,
    skins: Order,
    links: LinkedSlots<'r>,
    strings: Strings<'r>,
    file: Sink,
    losses: Losses,
    /// The name of the current animation.
    animation: &'r str,
    /// The number of its timelines so far.
    timelines: u32,
}

/// White, which is the default of colours that tint.
const WHITE: [u8; 4] = [u8::MAX; 4];

impl<'r> Writer<'r, '_> {
    /// The index of what is called `name`.
    fn named(&mut self, kind: Kind, name: &Text<'_>, pointer: impl FnOnce() -> String) -> Result<()> {
        self.file.varint(self.names.find(kind, name, pointer)?);
        Ok(())
    }

    /// The indices of what a list of names, which is at `pointer`, refers to.
    fn all_named<'n>(
        &mut self,
        kind: Kind,
        names: impl IntoIterator<Item = &'n Text<'n>>,
        pointer: impl Fn() -> String,
    ) -> Result<()> {
        let names: Vec<&Text<'_>> = names.into_iter().collect();
        self.file.count(names.len())?;
        for (at, name) in names.into_iter().enumerate() {
            self.named(kind, name, || format!("{}/{at}", pointer()))?;
        }
        Ok(())
    }

    /// A shared string, or null.
    fn shared(&mut self, text: Option<&'r str>) {
        let number = text.map_or(0, |text| self.strings.number(text));
        self.file.varint(number);
    }

    /// A colour that tints.
    fn color(&mut self, color: Option<&Color<'_>>, pointer: impl FnOnce() -> String) -> Result<()> {
        self.file.rgba(color.map_or(Ok(WHITE), |color| build::channels(color, pointer))?);
        Ok(())
    }

    /// A colour that only the editor shows.
    fn editor_color(&mut self, color: Option<&Color<'_>>, default: [u8; 4]) {
        self.file.rgba(color.and_then(Color::valid).unwrap_or(default));
    }

    /// The numbers whose flag is set.
    fn numbers_if(&mut self, flags: u8, numbers: &[(u8, Number)]) {
        numbers.iter().filter(|(bit, _)| flags & bit != 0).for_each(|(_, number)| self.file.number(*number));
    }

    /// Numbers, zeros left out, after a byte of flags: these `flags`, and from the bit `first` on one for each number.
    fn flagged<const N: usize>(&mut self, flags: u8, first: u8, numbers: [Number; N]) {
        let given = (first..).zip(numbers).filter(|(_, number)| is_given(*number));
        self.file.u8(given.clone().fold(flags, |flags, (bit, _)| flags | 1 << bit));
        given.for_each(|(_, number)| self.file.number(number));
    }
}

/// Flags from pairs of a bit and whether it is set.
fn flags(bits: &[(u8, bool)]) -> u8 {
    bits.iter().filter(|(_, is_set)| *is_set).fold(0, |flags, (bit, _)| flags | bit)
}

/// Returns true unless the number is a default of 0. Negative zero is kept.
fn is_given(number: Number) -> bool {
    number.0.to_bits() != 0
}

#[cfg(test)]
mod tests;
