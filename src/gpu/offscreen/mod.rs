//! Pictures without a window: draw lists → [`Picture`](crate::draw::Picture)s, through a texture that is drawn into
//! ([`OffscreenTarget`]) and read back ([`Readback`]). [`Headless`] does it all.

mod backdrop;
mod headless;
mod readback;
mod target;

pub use backdrop::Backdrop;
pub use headless::Headless;
pub use readback::Readback;
pub use target::OffscreenTarget;
