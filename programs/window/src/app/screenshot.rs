//! Saves the canvas as a PNG in the user's folder of pictures, or in a folder that the user has chosen: never beside the
//! art, where a build would find it.
//!
//! Files are never overwritten, and incomplete files never remain.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pchr::draw::Picture;
use pchr::export::{Surface, write_new, write_png};

/// Writes `picture` as `stem.png`, `stem-2.png` … into `folder`, which is created if it is missing. Returns the absolute
/// path of the new file.
pub fn save(picture: Picture, folder: &Path, stem: &str) -> io::Result<PathBuf> {
    let picture = straight(picture);
    let mut png = Vec::new();
    write_png(&picture, &mut png)?;
    fs::create_dir_all(folder)?;
    let path = write_numbered(folder, stem, &png)?;
    Ok(std::path::absolute(&path).unwrap_or(path))
}

/// Returns the platform's folder of pictures; `None` if the user has no home folder.
pub fn pictures_folder() -> Option<PathBuf> {
    let home = etcetera::home_dir().ok()?;
    let config = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let named = config.unwrap_or_else(|| home.join(".config")).join("user-dirs.dirs");
    // Linux desktops translate the name, and state it there.
    let named = fs::read_to_string(named).ok().filter(|_| cfg!(target_os = "linux"));
    let stated = named.and_then(|text| stated_folder(&text, &home));
    Some(stated.unwrap_or_else(|| home.join("Pictures")))
}

/// Returns the folder of pictures in a file of `xdg-user-dirs`.
fn stated_folder(text: &str, home: &Path) -> Option<PathBuf> {
    let value = text.lines().find_map(|line| line.trim().strip_prefix("XDG_PICTURES_DIR="))?.trim_matches('"');
    match value.strip_prefix("$HOME/") {
        Some(below) => Some(home.join(below)),
        None => Some(PathBuf::from(value)).filter(|path| path.is_absolute()),
    }
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
        let first = save(picture.clone(), folder.path(), "hero").unwrap();
        let second = save(picture, folder.path(), "hero").unwrap();
        assert_eq!(second.file_name().unwrap(), "hero-2.png");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
        let bytes = std::fs::read(first).unwrap();
        let pixels = pchr::formats::image::decode_png(&bytes, Default::default).unwrap();
        assert_eq!(pixels, [255, 0, 0, 128, 0, 0, 0, 0, 255, 128, 0, 40], "straight alpha that keeps light");
    }

    #[test]
    fn a_missing_folder_is_made_and_a_file_in_its_place_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut picture = Picture::default();
        picture.reset(1, 1);
        let path = save(picture.clone(), &folder.path().join("a/b"), "hero").unwrap();
        assert!(path.ends_with("a/b/hero.png") && path.is_file());
        assert!(save(picture, &path, "hero").is_err());
    }

    #[test]
    fn the_folder_of_pictures_is_the_one_that_the_desktop_states() {
        let home = Path::new("/home/me");
        let stated = |text| stated_folder(text, home);
        let text = "# comment\nXDG_DESKTOP_DIR=\"$HOME/Tisch\"\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n";
        assert_eq!(stated(text), Some("/home/me/Bilder".into()));
        assert_eq!(stated("XDG_PICTURES_DIR=\"/data/pictures\""), Some("/data/pictures".into()));
        assert_eq!(stated("XDG_PICTURES_DIR=\"relative\""), None);
        assert_eq!(stated("XDG_VIDEOS_DIR=\"$HOME/v\""), None);
        assert!(pictures_folder().is_none_or(|folder| folder.is_absolute()));
    }
}
