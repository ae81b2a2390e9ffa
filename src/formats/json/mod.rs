//! Helpers shared by the readers and writers of JSON.

#[cfg(any(feature = "spine", feature = "skelform", feature = "animate"))]
pub mod borrowed;
#[cfg(feature = "spine")]
pub mod duplicates;
#[cfg(any(feature = "spine", feature = "skelform"))]
pub mod finite;
#[cfg(any(feature = "formats-all", feature = "spine"))]
pub mod locate;
#[cfg(any(feature = "pachario", feature = "spine", feature = "skelform"))]
pub mod number;
pub mod parser;
#[cfg(any(feature = "spine", feature = "animate"))]
pub mod pull;
mod read;
pub mod text;
mod walk;

#[cfg(feature = "spine")]
pub use parser::Content;
#[cfg(any(feature = "pachario", feature = "skelform", feature = "spine"))]
pub use parser::Oddity;
#[cfg(any(feature = "pachario", feature = "skelform", feature = "spine"))]
pub use read::note_boolean;
#[cfg(any(feature = "pachario", feature = "skelform", feature = "sheet"))]
pub use read::read;
#[cfg(any(feature = "spine", feature = "animate"))]
pub use read::read_with;

/// Methods of a visitor that returns the same for all values but lists and objects.
#[cfg(feature = "skelform")]
macro_rules! visit_scalars {
    ($result:expr) => {
        $crate::formats::json::visit_scalars! {
            $result, visit_bool(bool) visit_i64(i64) visit_u64(u64) visit_f64(f64) visit_str(&str)
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok($result)
        }
    };
    ($result:expr, $($name:ident($type:ty))*) => {$(
        fn $name<E>(self, _: $type) -> Result<Self::Value, E> {
            Ok($result)
        }
    )*};
}
#[cfg(feature = "skelform")]
pub(in crate::formats) use visit_scalars;

/// Implements `Deserialize` for a type that may be written as values of several kinds, with the methods of a visitor.
#[cfg(any(feature = "skelform", feature = "sheet"))]
macro_rules! deserialize_any {
    ($type:ident, $expected:literal, { $($methods:tt)* }) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl<'de> serde::de::Visitor<'de> for Reader {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($expected)
                    }

                    $($methods)*
                }
                deserializer.deserialize_any(Reader)
            }
        }
    };
}
#[cfg(any(feature = "skelform", feature = "sheet"))]
pub(in crate::formats) use deserialize_any;
