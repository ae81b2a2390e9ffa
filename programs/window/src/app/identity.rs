//! The application id and the icon, by which desktops recognise the window.

use winit::window::{Icon, WindowAttributes};

/// A copy of the one for desktops, which is outside of the package.
const ICON: &[u8] = include_bytes!("../../icon.png");

/// Sets the application id: the class on X11, the id on Wayland.
#[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
pub fn name(attributes: WindowAttributes) -> WindowAttributes {
    use winit::platform::wayland::WindowAttributesExtWayland as _;
    // The desktop entry has the same name, so that desktops associate the window with it.
    const APP_ID: &str = "io.github.pchr.View";
    // winit stores one name for both window systems.
    attributes.with_name(APP_ID, "pchr-view")
}

/// Other systems identify a program by its file.
#[cfg(not(all(unix, not(target_vendor = "apple"), not(target_os = "android"))))]
pub fn name(attributes: WindowAttributes) -> WindowAttributes {
    attributes
}

/// Returns the icon of the window. Wayland and macOS ignore it.
pub fn icon() -> Option<Icon> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(ICON)).read_info().ok()?;
    let mut rgba = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut rgba).ok()?;
    Icon::from_rgba(rgba, info.width, info.height).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_icon_is_valid_and_that_of_desktops() {
        assert!(super::icon().is_some());
        let of_desktops = "packaging/icons/hicolor/64x64/apps/io.github.pchr.View.png";
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(of_desktops);
        assert!(
            std::fs::read(path).expect("a file") == super::ICON,
            "copy {of_desktops} to programs/window/icon.png"
        );
    }
}
