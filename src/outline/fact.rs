//! Named properties of items, and how two lists of them differ.

use std::collections::BTreeSet;

use super::Part;
use crate::error::{and_more, escaped};
use crate::model::Model;

/// Maximum number of names listed for one of two sets.
const MOST_NAMES: usize = 6;

/// A named property of an item.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// The name in comparisons, such as `blend`.
    pub name: &'static str,
    /// The label in an inspector, such as `Blend`; empty if inspectors show it otherwise, as the title or in a chain.
    pub label: &'static str,
    /// The value.
    pub value: Value,
}

/// The value of a [`Fact`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value; displayed as this word.
    Nothing(&'static str),
    /// A name or text of the file, or one of a few words.
    Text(String),
    /// Text that may contain numbers.
    Note(String),
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Count(i64),
    /// A number.
    Number(f32),
    /// Red, green, blue and, if it has one, alpha: 0 to 1, straight.
    Color(Vec<f32>),
    /// Parts in a meaningful order.
    Parts(Vec<Link>),
    /// Parts without an order.
    Set(Vec<Link>),
}

/// A part to which a fact refers.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The part.
    pub part: Part,
    /// Its name.
    pub text: String,
}

impl Link {
    /// Creates a link to a part of `model`.
    pub fn to(part: Part, model: &Model) -> Self {
        Self { part, text: part.name(model).to_owned() }
    }
}

/// A property that differs, with both values as printable text. Control characters are escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schemas", derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "PropertyChange"))]
pub struct Change {
    /// Value in the first character.
    pub a: String,
    /// Value in the second character.
    pub b: String,
    /// Name of the property, such as `blend`.
    #[cfg_attr(feature = "schemas", serde(rename = "what"))]
    pub name: &'static str,
}

impl Fact {
    /// Creates a fact.
    pub(super) fn new(name: &'static str, label: &'static str, value: impl Into<Value>) -> Self {
        Self { name, label, value: value.into() }
    }
}

impl Value {
    /// Returns links to `parts`.
    pub(super) fn parts(parts: impl Iterator<Item = Part>, model: &Model) -> Self {
        Self::Parts(parts.map(|part| Link::to(part, model)).collect())
    }

    /// Returns a link to `part`, or `nothing` without one.
    pub(super) fn part_or(part: Option<Part>, nothing: &'static str, model: &Model) -> Self {
        part.map_or(Self::Nothing(nothing), |part| Self::Parts(vec![Link::to(part, model)]))
    }

    /// Returns the value as text with all digits. Control characters are escaped.
    pub fn text(&self) -> String {
        match self {
            Self::Nothing(word) => (*word).to_owned(),
            Self::Text(text) | Self::Note(text) => escaped(text),
            Self::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Self::Count(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Color(channels) => format!("{channels:?}"),
            Self::Parts(links) | Self::Set(links) => {
                links.iter().map(|link| escaped(&link.text)).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Self {
        Self::Count(count as i64)
    }
}

/// A value without the parts that it refers to: what is compared, and what a file can contain.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Comparable {
    /// Text.
    Text(String),
    /// The names of a set.
    Set(BTreeSet<String>),
}

impl From<&Value> for Comparable {
    fn from(value: &Value) -> Self {
        match value {
            Value::Set(links) => Self::Set(links.iter().map(|link| escaped(&link.text)).collect()),
            Value::Nothing(_)
            | Value::Text(_)
            | Value::Note(_)
            | Value::Flag(_)
            | Value::Count(_)
            | Value::Number(_)
            | Value::Color(_)
            | Value::Parts(_) => Self::Text(value.text()),
        }
    }
}

impl Comparable {
    /// Returns both values as text if they differ; of sets, what only one of them contains.
    pub fn difference(&self, other: &Self) -> Option<[String; 2]> {
        let texts = || match (self, other) {
            (Self::Set(a), Self::Set(b)) => [only(a, b), only(b, a)],
            (a, b) => [a, b].map(|value| match value {
                Self::Text(text) => text.clone(),
                Self::Set(names) => and_more(&names.iter().collect::<Vec<_>>(), MOST_NAMES),
            }),
        };
        (self != other).then(texts)
    }
}

/// Returns how two items of one kind differ. `a` and `b` are their facts, which have the same names in the same order.
pub fn changes(a: &[Fact], b: &[Fact]) -> Vec<Change> {
    let change = |(a, b): (&Fact, &Fact)| {
        let [of_a, of_b] = Comparable::from(&a.value).difference(&Comparable::from(&b.value))?;
        Some(Change { a: of_a, b: of_b, name: a.name })
    };
    a.iter().zip(b).filter_map(change).collect()
}

/// Lists what only one of two sets has.
fn only(of: &BTreeSet<String>, other: &BTreeSet<String>) -> String {
    match &of.difference(other).collect::<Vec<_>>()[..] {
        [] => "none of its own".to_owned(),
        names => and_more(names, MOST_NAMES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BoneId, SlotId};

    fn links(names: &[&str]) -> Vec<Link> {
        let link = |name: &&str| Link { part: Part::Slot(SlotId::new(0)), text: (*name).to_owned() };
        names.iter().map(link).collect()
    }

    #[test]
    fn sets_differ_in_what_only_one_has() {
        let names: Vec<String> = (0..9).map(|number| format!("n{number}")).collect();
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        let change = |a: &[&str], b: &[&str]| {
            let [a, b] = [a, b].map(|names| [Fact::new("bones", "Bones", Value::Set(links(names)))]);
            changes(&a, &b).pop().map(|change| (change.a, change.b))
        };
        assert_eq!(change(&["a", "b"], &["b", "a"]), None);
        let expected = ("n0, n1, n2, n3, n4, n5 and 3 more".to_owned(), "none of its own".to_owned());
        assert_eq!(change(&all, &[]), Some(expected));
    }

    #[test]
    fn the_order_of_parts_matters_and_the_part_itself_does_not() {
        let fact = |names: &[&str]| [Fact::new("bones", "Bones", Value::Parts(links(names)))];
        let swapped = changes(&fact(&["a", "b\n"]), &fact(&["b\n", "a"]));
        assert_eq!(swapped, [Change { name: "bones", a: "a, b\\n".to_owned(), b: "b\\n, a".to_owned() }]);
        let mut other = fact(&["a"]);
        other[0].value = Value::Parts(vec![Link { part: Part::Bone(BoneId::new(7)), text: "a".to_owned() }]);
        assert_eq!(changes(&fact(&["a"]), &other), []);
    }
}
