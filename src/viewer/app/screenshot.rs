//! Saves the canvas as a PNG beside the file that is shown, or in the working directory.
//!
//! Files are never overwritten, and incomplete files never remain.

use std::io;
use std::path::{Path, PathBuf};

use crate::draw::Picture;
use crate::export::{Surface, write_new, write_png};

/// Writes `picture` as `stem.png`, `stem-2.png` … into `folder`, or into the working directory if `folder` is not
/// writable. Returns the absolute path of the new file.
pub fn save(picture: Picture, folder: Option<&Path>, stem: &str) -> io::Result<PathBuf> {
    let picture = straight(picture);
    let mut png = Vec::new();
    write_png(&picture, &mut png)?;
    let here = || write_numbered(Path::new("."), stem, &png);
    let path = match folder {
        Some(folder) => write_numbered(folder, stem, &png).or_else(|_| here())?,
        None => here()?,
    };
    Ok(std::path::absolute(&path).unwrap_or(path))
}

/// Returns `picture` with straight alpha, as files contain it.
pub fn straight(mut picture: Picture) -> Picture {
    // The background is already part of the picture.
    Surface::default().finish(&mut picture);
    picture
}

/// Returns a file name that is valid on every system, joined from names given by users.
pub fn stem(parts: &[&str]) -> String {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let parts: Vec<String> = parts.iter().map(|part| part.chars().take(60).map(safe).collect()).collect();
    let mut stem = parts.join("-");
    // Leaves room for the suffix within the maximum length of file names.
    stem.truncate(stem.floor_char_boundary(220));
    // A leading dot would hide the file.
    match stem.trim_start_matches(['.', '-']) {
        "" => "screenshot".to_owned(),
        stem => stem.to_owned(),
    }
}

fn write_numbered(folder: &Path, stem: &str, png: &[u8]) -> io::Result<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let name = |number| if number == 1 { format!("{stem}.png") } else { format!("{stem}-{number}.png") };
    let found = write_new(folder, (1..10_000).map(name), png)?;
    let full =
        || io::Error::new(io::ErrorKind::AlreadyExists, "there are already 10,000 screenshots of this frame");
    found.ok_or_else(full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_on_every_system() {
        assert_eq!(stem(&["../../etc/passwd", "walk/run", "7"]), "etc-passwd-walk-run-7");
        assert_eq!(stem(&["héro", "a:b*c?", "0"]), "héro-a-b-c--0");
        assert_eq!(stem(&["..."]), "screenshot");
    }

    #[test]
    fn nothing_is_overwritten_and_no_other_file_remains() {
        let folder = tempfile::tempdir().unwrap();
        let mut picture = Picture::default();
        picture.reset(3, 1);
        picture.pixels_mut().copy_from_slice(&[128, 0, 0, 128, 0, 0, 0, 0, 40, 20, 0, 0]);
        let first = save(picture.clone(), Some(folder.path()), "hero").unwrap();
        let second = save(picture, Some(folder.path()), "hero").unwrap();
        assert_eq!(second.file_name().unwrap(), "hero-2.png");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
        let bytes = std::fs::read(first).unwrap();
        let pixels = crate::formats::image::decode_png(&bytes, Default::default).unwrap();
        assert_eq!(pixels, [255, 0, 0, 128, 0, 0, 0, 0, 255, 128, 0, 40], "straight alpha that keeps light");
    }

    #[test]
    fn an_unwritable_folder_falls_back_to_the_working_directory() {
        let missing = Path::new("/nonexistent/folder");
        let mut picture = Picture::default();
        picture.reset(1, 1);
        let name = format!("pchr-screenshot-test-{}", std::process::id());
        let path = save(picture, Some(missing), &name).unwrap();
        assert_eq!(path.parent(), Some(&*std::env::current_dir().unwrap()));
        std::fs::remove_file(path).unwrap();
    }
}
