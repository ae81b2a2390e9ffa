//! Helpers shared by the readers and writers of JSON.

pub mod borrowed;
#[cfg(any(feature = "spine", feature = "skelform"))]
pub mod finite;
pub mod locate;
#[cfg(any(feature = "pachario", feature = "spine", feature = "skelform"))]
pub mod number;
mod paths;
mod read;
pub mod text;

pub use read::read;

/// Methods of a visitor that returns the same for all values but lists and objects.
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
pub(in crate::formats) use visit_scalars;
