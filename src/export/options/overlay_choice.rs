//! The values of `--show`: overlays with their parameters.

use std::ffi::OsStr;
use std::fmt;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use super::named::named;
use crate::draw::{Onion, Overlay, Overlays};
use crate::export::error::ParseError;
use crate::model::{BoneId, Model, Select, UnknownName};

/// An overlay with its parameter.
///
/// ```
/// use pchr::draw::Overlay;
/// use pchr::export::OverlayChoice;
///
/// assert_eq!("bones".parse::<OverlayChoice>()?, OverlayChoice::Plain(Overlay::Bones));
/// assert_eq!("weights=arm".parse::<OverlayChoice>()?, OverlayChoice::Weights("arm".to_owned()));
/// assert_eq!("onion=2/1".parse::<OverlayChoice>()?.to_string(), "onion=2/1");
/// # Ok::<(), pchr::export::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum OverlayChoice {
    /// An overlay without a parameter.
    Plain(Overlay),
    /// The weights of a bone, by name or `#index`.
    Weights(String),
    /// An onion skin.
    Onion(Onion),
}

impl OverlayChoice {
    /// Adds the overlay to `overlays`, without the bone whose weights it shows.
    pub fn add_without_bone_to(&self, overlays: &mut Overlays) {
        match self {
            Self::Plain(overlay) => overlays.set(*overlay, true),
            Self::Weights(_) => overlays.set(Overlay::Weights, true),
            Self::Onion(onion) => {
                overlays.onion = *onion;
                overlays.set(Overlay::Onion, true);
            }
        }
    }

    /// Adds the overlay to `overlays`.
    ///
    /// # Errors
    ///
    /// If `model` has no such bone.
    pub fn add_to(&self, overlays: &mut Overlays, model: &Model) -> Result<(), UnknownName> {
        self.add_without_bone_to(overlays);
        if let Self::Weights(name) = self {
            let names = model.skeleton().authored_bones().iter().map(|bone| &*bone.name);
            overlays.bone = match named(name, names) {
                Some(index) => model.skeleton().bone_ids().nth(index),
                None => Some(Select::<BoneId>::select(name, model)?),
            };
        }
        Ok(())
    }
}

impl From<Overlay> for OverlayChoice {
    fn from(overlay: Overlay) -> Self {
        match overlay {
            Overlay::Onion => Self::Onion(Onion::default()),
            overlay => Self::Plain(overlay),
        }
    }
}

impl fmt::Display for OverlayChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(overlay) => f.write_str(overlay.name()),
            Self::Weights(bone) => write!(f, "{}={bone}", Overlay::Weights.name()),
            Self::Onion(Onion { before, after }) => write!(f, "{}={before}/{after}", Overlay::Onion.name()),
        }
    }
}

impl FromStr for OverlayChoice {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let known = Overlay::ALL.into_iter().find(|overlay| overlay.name() == name);
        let overlay =
            known.ok_or_else(|| ParseError(format!("expected {}", Overlay::ALL.map(Overlay::form).join(", "))))?;
        match (overlay, value) {
            (Overlay::Weights, Some(bone)) if !bone.is_empty() => Ok(Self::Weights(bone.to_owned())),
            (Overlay::Weights, _) => {
                Err(ParseError("expected a bone, as in weights=arm or weights=#3".to_owned()))
            }
            (Overlay::Onion, value) => value.and_then(onion).map(Self::Onion).ok_or_else(|| {
                let expected = "expected the numbers of earlier and later frames, as in onion=2/1, each up to";
                ParseError(format!("{expected} {}", Onion::MOST))
            }),
            (overlay, None) => Ok(Self::Plain(overlay)),
            (overlay, Some(_)) => Err(ParseError(format!("{} takes no value", overlay.name()))),
        }
    }
}

fn onion(text: &str) -> Option<Onion> {
    let (before, after) = text.split_once('/')?;
    let count = |text: &str| text.parse::<u8>().ok().filter(|count| *count <= Onion::MOST);
    Some(Onion { before: count(before)?, after: count(after)? })
}

/// Parses an [`OverlayChoice`] on the command line.
#[derive(Debug, Clone, Copy)]
pub struct OverlayChoiceParser;

impl TypedValueParser for OverlayChoiceParser {
    type Value = OverlayChoice;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<OverlayChoice, clap::Error> {
        let parse = |text: &str| text.parse::<OverlayChoice>();
        parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |overlay: Overlay| PossibleValue::new(overlay.form()).help(overlay.about());
        Some(Box::new(Overlay::ALL.into_iter().map(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<OverlayChoice>().unwrap_err().to_string()
    }

    #[test]
    fn marks_survive_a_round_trip() {
        for text in ["bones", "overdraw", "weights=arm", "weights=#3", "weights=a=b", "onion=0/10"] {
            assert_eq!(text.parse::<OverlayChoice>().unwrap().to_string(), text);
        }
        assert!(Overlay::ALL.into_iter().all(|overlay| error("x").contains(overlay.name())));
    }

    #[test]
    fn invalid_parameters_say_what_is_expected() {
        assert_eq!(error("weights"), "expected a bone, as in weights=arm or weights=#3");
        assert_eq!(error("weights="), error("weights"));
        for text in ["onion", "onion=2", "onion=-1/2", "onion=2/11", "onion=1/2/3", "onion=a/b"] {
            assert!(error(text).ends_with("as in onion=2/1, each up to 10"), "{text}");
        }
        assert_eq!(error("wire=1"), "wire takes no value");
    }
}
