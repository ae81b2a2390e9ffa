//! Names → indices: what a binary skeleton refers to by number.

use foldhash::HashMap;

use crate::error::Result;
use crate::formats::spine::binary::layout::Layout;
use crate::formats::spine::binary::reader::Kind;
use crate::formats::spine::binary::skins::DEFAULT;
use crate::formats::spine::build;
use crate::formats::spine::schema::{Constraint, KINDS, Root, Text};

/// Indices by kind and name. Of several items with one name, the last counts.
pub struct Names<'r>([HashMap<&'r str, u32>; Kind::COUNT]);

/// The skins in the order of the file, as indices into the document.
pub struct Order {
    /// The default skin, if it has attachments; it is number 0.
    pub default: Option<usize>,
    pub others: Vec<usize>,
    /// The default skin, with or without attachments.
    pub nameless: Option<usize>,
}

impl Order {
    pub fn of(root: &Root<'_>) -> Self {
        let skins = &root.skins.list;
        let default = skins.iter().rposition(|skin| skin.name.as_str() == DEFAULT);
        Self {
            default: default.filter(|&at| !skins[at].attachments.0.is_empty()),
            // Nothing can refer to another skin of that name.
            others: (0..skins.len()).filter(|&at| skins[at].name.as_str() != DEFAULT).collect(),
            nameless: default,
        }
    }
}

impl<'r> Names<'r> {
    pub fn of(root: &'r Root<'_>, order: &Order, layout: Layout) -> Self {
        let mut names = Self(Default::default());
        names.list(Kind::Bone, root.bones.iter().map(|bone| &bone.name));
        names.list(Kind::Slot, root.slots.iter().map(|slot| &slot.name));
        let applied = layout.has_one_list().then(|| build::applied(root));
        for &kind in KINDS {
            let is_own = |it: &&Constraint<'_>| it.kind() == kind;
            let Some(applied) = &applied else {
                let all = root.constraints.iter().filter(is_own);
                names.list(Kind::Constraint(kind), all.map(Constraint::name));
                continue;
            };
            let listed = applied.iter().map(|&at| &root.constraints[at]).zip(0..);
            let listed = listed.filter(|(it, _)| is_own(it)).map(|(it, number)| (it.name().as_str(), number));
            names.0[Kind::Constraint(kind).index()] = listed.collect();
        }
        let skins = order.default.iter().chain(&order.others);
        names.list(Kind::Skin, skins.map(|&skin| &root.skins.list[skin].name));
        names.list(Kind::Event, root.events.0.iter().map(|(name, _)| name));
        names.list(Kind::Animation, root.animations.0.iter().map(|(name, _)| name));
        names
    }

    fn list<'n>(&mut self, kind: Kind, names: impl Iterator<Item = &'n Text<'n>>)
    where
        'n: 'r,
    {
        self.0[kind.index()] = (0..).zip(names).map(|(index, name)| (name.as_str(), index)).collect();
    }

    /// All names of a kind.
    pub fn all(&self, kind: Kind) -> &HashMap<&'r str, u32> {
        &self.0[kind.index()]
    }

    /// The index of what is called `name`.
    pub fn find(&self, kind: Kind, name: &Text<'_>, pointer: impl FnOnce() -> String) -> Result<u32> {
        build::find(self.all(kind), name, kind.what(), pointer).map(|index| index as u32)
    }
}

/// The strings that the file refers to by number, in the order of their first use.
#[derive(Debug, Default)]
pub struct Strings<'r> {
    pub list: Vec<&'r str>,
    numbers: HashMap<&'r str, u32>,
}

impl<'r> Strings<'r> {
    /// The number of a string, counted from 1.
    pub fn number(&mut self, text: &'r str) -> u32 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.list.push(text);
            self.list.len() as u32
        })
    }
}
