//! Checks the requirements of a window up front: winit panics if a library is missing.

use crate::app::error::ViewerError;

/// Returns an error that names what is missing.
#[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
pub fn check() -> Result<(), ViewerError> {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let wayland = is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET");
    if !wayland && !is_set("DISPLAY") {
        return Err(ViewerError::NoDisplay);
    }
    if xkbcommon_dl::xkbcommon_option().is_none() {
        return Err(ViewerError::MissingLibrary {
            library: "libxkbcommon.so.0",
            install: "`libxkbcommon0` on Debian and Ubuntu, `libxkbcommon` elsewhere",
        });
    }
    if !wayland && xkbcommon_dl::x11::xkbcommon_x11_option().is_none() {
        return Err(ViewerError::MissingLibrary {
            library: "libxkbcommon-x11.so.0",
            install: "`libxkbcommon-x11-0` on Debian and Ubuntu, `libxkbcommon-x11` elsewhere",
        });
    }
    Ok(())
}

/// These systems always have a display, and need no further libraries.
#[cfg(not(all(unix, not(target_vendor = "apple"), not(target_os = "android"))))]
pub fn check() -> Result<(), ViewerError> {
    Ok(())
}
