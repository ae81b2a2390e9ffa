//! Lookup of model items by name or id, and the error for unknown names.

use std::fmt;

use super::{AnimationId, BoneId, ConstraintId, Model, SkinId, SlotId};
use crate::error::{Error, escaped};

/// A name or an id that selects an animation, a skin, a bone, a slot or a constraint of a [`Model`].
///
/// Implemented for `&str` and for the ids. A name selects the first item that has it.
///
/// ```
/// # use pchr::{Character, model::{AnimationId, Select}};
/// # let character = Character::open("assets/paper-lamp.json")?;
/// let hop: AnimationId = "hop".select(character.model())?;
/// let missing = Select::<AnimationId>::select("hopp", character.model()).unwrap_err();
/// assert_eq!(missing.to_string(), "the character has no animation `hopp`; did you mean `hop`?");
/// # assert_eq!(hop.select(character.model())?, hop);
/// # Ok::<(), pchr::Error>(())
/// ```
pub trait Select<Id>: sealed::Sealed {
    /// Returns the id of the selected item.
    ///
    /// # Errors
    ///
    /// Fails if `model` has no item of that name, or if the id is out of range.
    fn select(self, model: &Model) -> Result<Id, UnknownName>;
}

#[cfg(feature = "bake")]
impl Model {
    /// Fails for animations that the model does not have.
    pub(crate) fn check_animations(&self, animations: impl IntoIterator<Item = AnimationId>) -> Result<(), Error> {
        let count = self.animations().len();
        match animations.into_iter().find(|id| id.index() >= count) {
            None => Ok(()),
            Some(id) => {
                let message = format!("animation {} does not exist, the character has {count}", id.index());
                Err(Error::misuse("no-such-animation", message))
            }
        }
    }
}

impl<Id: Item> Select<Id> for &str {
    fn select(self, model: &Model) -> Result<Id, UnknownName> {
        let found = Id::names(model).position(|name| name == self).map(Id::at).or_else(|| Id::alias(model, self));
        found.ok_or_else(|| UnknownName::of::<Id>(model, self.to_owned()))
    }
}

impl<Id: Item> Select<Id> for &&str {
    fn select(self, model: &Model) -> Result<Id, UnknownName> {
        (*self).select(model)
    }
}

impl<Id: Item> Select<Id> for &String {
    fn select(self, model: &Model) -> Result<Id, UnknownName> {
        self.as_str().select(model)
    }
}

impl<Id: Item> Select<Id> for String {
    fn select(self, model: &Model) -> Result<Id, UnknownName> {
        self.as_str().select(model)
    }
}

impl<Id: Item> Select<Id> for Id {
    fn select(self, model: &Model) -> Result<Id, UnknownName> {
        let exists = self.index() < Id::count(model);
        if exists { Ok(self) } else { Err(UnknownName::of::<Id>(model, format!("#{}", self.index()))) }
    }
}

/// A name that a character does not have.
///
/// `Display` lists similar names, or the first existing names if none is similar.
#[derive(Debug, PartialEq)]
pub struct UnknownName {
    /// The kind of item: `animation`, `skin`, `bone`, `slot` or `constraint`.
    pub what: &'static str,
    /// The unknown name; `#` and an index for an id out of range.
    pub name: String,
    /// The names that exist, in file order.
    pub known: Vec<String>,
}

impl UnknownName {
    /// At most this many similar names are suggested.
    const MAX_SIMILAR: usize = 3;
    /// At most this many existing names are listed if none is similar.
    const MAX_LISTED: usize = 10;

    fn of<Id: Item>(model: &Model, name: String) -> Self {
        Self { what: Id::WHAT, name, known: Id::names(model).map(str::to_owned).collect() }
    }

    /// The existing names that are similar to [`Self::name`], the most similar first. At most three.
    pub(crate) fn similar(&self) -> Vec<&str> {
        let name = self.name.to_lowercase();
        let similarity = |known: &str| {
            let known = known.to_lowercase();
            // A single typing error makes short names very dissimilar.
            let is_typo = strsim::osa_distance(&name, &known) <= 1 && known.chars().count() > 1;
            strsim::jaro_winkler(&name, &known).max(if is_typo { 0.9 } else { 0.0 })
        };
        let scored = self.known.iter().map(|known| (similarity(known), known.as_str()));
        let mut similar: Vec<(f64, &str)> = scored.filter(|(similarity, _)| *similarity > 0.75).collect();
        similar.sort_by(|a, b| b.0.total_cmp(&a.0));
        similar.into_iter().map(|(_, known)| known).take(Self::MAX_SIMILAR).collect()
    }

    /// Returns a suggestion to print after the message: similar names, or the existing ones. Ends without a full
    /// stop.
    pub fn suggestion(&self) -> String {
        let quoted =
            |names: &[&str]| -> Vec<String> { names.iter().map(|name| format!("`{}`", escaped(name))).collect() };
        let similar = self.similar();
        if !similar.is_empty() {
            return format!("did you mean {}?", quoted(&similar).join(" or "));
        }
        if self.known.is_empty() {
            return format!("it has no {}s", self.what);
        }
        let listed: Vec<&str> = self.known.iter().take(Self::MAX_LISTED).map(String::as_str).collect();
        let more = if self.known.len() > listed.len() { ", …" } else { "" };
        format!("available: {}{more}", quoted(&listed).join(", "))
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the character has no {} `{}`; {}", self.what, escaped(&self.name), self.suggestion())
    }
}

impl std::error::Error for UnknownName {}

impl From<UnknownName> for Error {
    fn from(unknown: UnknownName) -> Self {
        Self::misuse("unknown-name", unknown.to_string())
    }
}

/// An id whose items have names.
pub trait Item: Copy + sealed::Sealed {
    /// The kind of item, for messages.
    const WHAT: &'static str;
    /// Returns the name of each item, in the order of the ids.
    fn names(model: &Model) -> impl Iterator<Item = &str>;
    /// Returns the item with this alias.
    fn alias(_model: &Model, _name: &str) -> Option<Self> {
        None
    }
    /// Returns the number of items, including those without a name.
    fn count(model: &Model) -> usize;
    /// Returns the id at an index of the list.
    fn at(index: usize) -> Self;
    /// Returns the index in the list.
    fn index(self) -> usize;
}

macro_rules! items {
    ($($id:ident, $what:literal, $model:ident => $named:expr, $all:expr $(, $alias:expr)?;)*) => {$(
        impl Item for $id {
            const WHAT: &'static str = $what;

            fn names($model: &Model) -> impl Iterator<Item = &str> {
                $named.iter().map(|item| &*item.name)
            }

            $(fn alias(model: &Model, name: &str) -> Option<Self> {
                $alias(model, name)
            })?

            fn count($model: &Model) -> usize {
                $all.len()
            }

            fn at(index: usize) -> Self {
                Self::new(index)
            }

            fn index(self) -> usize {
                Self::index(self)
            }
        }

        impl sealed::Sealed for $id {}
    )*};
}

items! {
    AnimationId, "animation", model => model.animations(), model.animations(), Model::find_animation;
    SkinId, "skin", model => model.skins(), model.skins();
    BoneId, "bone", model => model.skeleton().authored_bones(), model.skeleton().bones();
    SlotId, "slot", model => model.slots(), model.slots();
    ConstraintId, "constraint", model => model.constraints(), model.constraints();
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for &str {}
    impl Sealed for &&str {}
    impl Sealed for &String {}
    impl Sealed for String {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Animation, ModelBuilder};

    fn model(names: &[&str]) -> Model {
        let mut builder = ModelBuilder::default();
        for name in names {
            builder.animation(Animation { name: (*name).to_owned(), ..Animation::default() });
        }
        builder.build()
    }

    fn message(model: &Model, name: &str) -> String {
        Select::<AnimationId>::select(name, model).unwrap_err().to_string()
    }

    #[test]
    fn an_unknown_name_suggests_similar_names() {
        let walker = model(&["idle", "walk", "Walk-fast"]);
        let expected = "the character has no animation `wlak`; did you mean `walk` or `Walk-fast`?";
        assert_eq!(message(&walker, "wlak"), expected);
        assert_eq!(
            message(&walker, "zzz"),
            "the character has no animation `zzz`; available: `idle`, `walk`, `Walk-fast`"
        );
        assert_eq!(message(&model(&[]), "walk"), "the character has no animation `walk`; it has no animations");
    }

    #[test]
    fn an_id_of_another_model_is_an_error() {
        let id: AnimationId = "walk".select(&model(&["idle", "walk"])).unwrap();
        assert_eq!(id.select(&model(&["a", "b"])), Ok(id));
        assert_eq!(id.select(&model(&["a"])).unwrap_err().name, "#1");
    }
}
