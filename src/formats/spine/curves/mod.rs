//! Curves of one form → curves of another: for reading files that mix both, and for `translate`.

mod absolute;
mod join;
mod mend;
mod track;

#[cfg(feature = "convert")]
pub use absolute::make_absolute;
#[cfg(feature = "convert")]
pub use join::{lower, tolerance, write};
pub use mend::mend_curves;
#[cfg(feature = "convert")]
pub use track::{Joined, JoinedCurve, Track, join};
