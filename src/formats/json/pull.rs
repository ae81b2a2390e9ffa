//! Types that read themselves from JSON text, field by field and without serde in between.

use super::borrowed::Text;
#[cfg(feature = "spine")]
use super::finite::Number;
use super::parser::plain::{plain_count, plain_number};
use super::parser::{Parser, Result};

/// A type that reads itself from JSON text.
pub trait Pull<'a>: Sized {
    /// Reads the next value.
    fn pull(json: &mut Parser<'a>) -> Result<Self>;
}

/// A kind of number that files contain in long lists.
pub trait Numeric<'a>: Pull<'a> + Copy + Default {
    /// Returns the number at an offset of the text, and where it ends, if it is written as most are.
    fn plain(text: &[u8], at: usize) -> Option<(Self, usize)>;
}

impl<'a> Pull<'a> for Text<'a> {
    #[inline]
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        json.text().map(Self)
    }
}

impl Pull<'_> for f32 {
    #[inline]
    fn pull(json: &mut Parser<'_>) -> Result<Self> {
        json.number()
    }
}

impl Numeric<'_> for f32 {
    #[inline]
    fn plain(text: &[u8], at: usize) -> Option<(Self, usize)> {
        plain_number(text, at)
    }
}

#[cfg(feature = "spine")]
impl Pull<'_> for Number {
    #[inline]
    fn pull(json: &mut Parser<'_>) -> Result<Self> {
        f32::pull(json).map(Self)
    }
}

#[cfg(feature = "spine")]
impl Numeric<'_> for Number {
    #[inline]
    fn plain(text: &[u8], at: usize) -> Option<(Self, usize)> {
        f32::plain(text, at).map(|(number, end)| (Self(number), end))
    }
}

impl Pull<'_> for u32 {
    #[inline]
    fn pull(json: &mut Parser<'_>) -> Result<Self> {
        json.count()
    }
}

impl Numeric<'_> for u32 {
    #[inline]
    fn plain(text: &[u8], at: usize) -> Option<(Self, usize)> {
        plain_count(text, at)
    }
}

impl Pull<'_> for bool {
    fn pull(json: &mut Parser<'_>) -> Result<Self> {
        json.boolean()
    }
}

impl<'a, T: Pull<'a>> Pull<'a> for Option<T> {
    #[inline]
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        if json.null()? { Ok(None) } else { T::pull(json).map(Some) }
    }
}

impl<'a, T: Pull<'a>> Pull<'a> for Vec<T> {
    fn pull(json: &mut Parser<'a>) -> Result<Self> {
        let mut items = Self::new();
        json.list(|json| T::pull(json).map(|item| items.push(item)))?;
        Ok(items)
    }
}

/// Pulls a list of numbers. They are collected on the stack first, so that most lists reserve memory only once.
pub fn numbers<'a, T: Numeric<'a>>(json: &mut Parser<'a>) -> Result<Vec<T>> {
    let (mut all, mut part, mut len) = (Vec::new(), [T::default(); 64], 0);
    json.numbers(|number| {
        if len == part.len() {
            all.extend_from_slice(&part);
            len = 0;
        }
        part[len] = number;
        len += 1;
    })?;
    all.extend_from_slice(&part[..len]);
    Ok(all)
}

/// Pulls the entries of an object into the fields of `$it`, each with [`Pull::pull`] or the function after `by`. `$other`
/// is evaluated for every other key, and has to read its value. Returns which fields there are, as bits.
macro_rules! pull_object {
    ($json:ident, $key:ident, $expected:expr, $it:ident {
        $($name:literal $(| $alias:literal)* => $field:ident $(by $pull:path)?,)*
    } else $other:expr) => {{
        #[expect(non_camel_case_types, reason = "named after the fields")]
        enum Place { $($field,)* }
        let (start, mut seen) = ($json.start(), 0);
        $json.object($expected, |$json, $key| {
            match &*$key {
                $($name $(| $alias)* => {
                    $json.refuse_duplicate(&mut seen, Place::$field as usize, start, $name)?;
                    $it.$field = $crate::formats::json::pull::pull_object!(@$json $($pull)?)?;
                    Ok(())
                })*
                _ => $other,
            }
        })?;
        seen
    }};
    (@$json:ident) => {
        $crate::formats::json::pull::Pull::pull($json)
    };
    (@$json:ident $pull:path) => {
        $pull($json)
    };
}
pub(in crate::formats) use pull_object;

/// Pulls types that consist of the fields of one object, each with a row as in [`pull_object`]. Other keys are ignored.
macro_rules! pulled_objects {
    ($($type:ty, $expected:literal {
        $($name:literal $(| $alias:literal)* => $field:ident $(by $pull:path)?,)*
    })*) => {$(
        impl<'a> $crate::formats::json::pull::Pull<'a> for $type {
            fn pull(json: &mut $crate::formats::json::parser::Parser<'a>) -> $crate::formats::json::parser::Result<Self> {
                let mut it = Self::default();
                $crate::formats::json::pull::pull_object!(json, key, $expected, it {
                    $($name $(| $alias)* => $field $(by $pull)?,)*
                } else json.ignore());
                Ok(it)
            }
        }
    )*};
}
pub(in crate::formats) use pulled_objects;

/// Pulls types as serde deserializes them.
#[cfg(feature = "spine")]
macro_rules! pulled_by_serde {
    ($($type:ty),* $(,)?) => {$(
        impl<'a> $crate::formats::json::pull::Pull<'a> for $type {
            fn pull(json: &mut $crate::formats::json::parser::Parser<'a>) -> $crate::formats::json::parser::Result<Self> {
                serde::Deserialize::deserialize(json)
            }
        }
    )*};
}
#[cfg(feature = "spine")]
pub(in crate::formats) use pulled_by_serde;
