//! Pictures that are kept in a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::files::gallery::cache::Cache;
use crate::files::gallery::thumbnail::{Kind, MadeThumbnail, Maker, ThumbnailRequest};
use pchr::formats::{PageAlpha, ReadOptions};

/// A folder with a character that has an atlas and an image, changed a while ago, and a folder for pictures.
struct Desk {
    art: TempDir,
    kept: TempDir,
}

impl Desk {
    fn new() -> Self {
        let art = tempfile::tempdir().unwrap();
        for name in ["paper-lamp.json", "paper-lamp.atlas", "paper-lamp.png"] {
            let path = art.path().join(name);
            fs::copy(crate::common::root().join("assets").join(name), &path).unwrap();
            age(&path);
        }
        Self { art, kept: tempfile::tempdir().unwrap() }
    }

    fn folder(&self) -> PathBuf {
        self.kept.path().join("pchr/gallery")
    }

    fn maker(&self) -> Maker {
        Maker { read: ReadOptions::default(), cache: Some(Cache::new(self.folder())), progress: Arc::default() }
    }

    fn wanted(&self, kind: Kind) -> ThumbnailRequest {
        ThumbnailRequest { path: self.art.path().join("paper-lamp.json").into(), kind, side: 96, changes: 0 }
    }

    fn make(&self) -> MadeThumbnail {
        self.maker().make(&self.wanted(Kind::Still))
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder()).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    /// Returns true if the next picture is taken from the cache: paints over the kept one to see it.
    fn is_found(&self) -> bool {
        let cache = Cache::new(self.folder());
        let wanted = self.wanted(Kind::Still);
        cache.key(&wanted, &ReadOptions::default()).and_then(|key| cache.find(&key, &wanted)).is_some()
    }
}

/// Makes a file look as if it was changed an hour ago.
fn age(path: &Path) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
}

#[test]
fn a_picture_is_kept_until_a_file_changes() {
    let desk = Desk::new();
    let made = desk.make();
    assert!(made.picture.as_ref().unwrap().pixels().iter().any(|byte| *byte != 0), "it is not blank");
    assert_eq!(desk.files().len(), 1);
    assert!(desk.is_found());
    let again = desk.make();
    assert_eq!((again.picture, again.facts), (made.picture, made.facts));
    // The image is another one.
    fs::write(
        desk.art.path().join("paper-lamp.png"),
        fs::read(crate::common::root().join("assets/paper-knight.png")).unwrap_or_default(),
    )
    .unwrap();
    age(&desk.art.path().join("paper-lamp.png"));
    assert!(!desk.is_found(), "it shows the old image");
    desk.make();
    assert!(desk.is_found());
    fs::remove_file(desk.art.path().join("paper-lamp.atlas")).unwrap();
    assert!(!desk.is_found(), "the atlas is gone");
    let text = fs::read_to_string(desk.art.path().join("paper-lamp.json")).unwrap();
    desk.make();
    fs::write(desk.art.path().join("paper-lamp.json"), text + " ").unwrap();
    assert!(!desk.is_found(), "the content is another one");
}

#[test]
fn a_picture_of_a_file_that_changes_meanwhile_is_not_kept() {
    let desk = Desk::new();
    let later = SystemTime::now() + Duration::from_secs(5);
    let file = fs::File::options().write(true).open(desk.art.path().join("paper-lamp.png")).unwrap();
    file.set_modified(later).unwrap();
    assert!(desk.make().picture.is_some());
    assert!(desk.files().is_empty());
}

#[test]
fn other_options_and_sizes_are_other_pictures() {
    let desk = Desk::new();
    let cache = Cache::new(desk.folder());
    let wanted = desk.wanted(Kind::Still);
    let straight = ReadOptions { page_alpha: PageAlpha::Straight, ..ReadOptions::default() };
    let keys = [
        cache.key(&wanted, &ReadOptions::default()),
        cache.key(&wanted, &straight),
        cache.key(&ThumbnailRequest { side: 97, ..wanted.clone() }, &straight),
    ];
    assert!(keys[0].is_some() && keys[0] != keys[1] && keys[1] != keys[2], "{keys:?}");
}

#[test]
fn damaged_pictures_are_made_again() {
    let desk = Desk::new();
    let made = desk.make().picture;
    let [file] = &desk.files()[..] else { panic!("one file") };
    let whole = fs::read(file).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 0xff;
    for damaged in [&whole[..whole.len() / 2], &whole[..10], b"", &flipped, &[0; 100]] {
        fs::write(file, damaged).unwrap();
        assert!(!desk.is_found(), "{} bytes", damaged.len());
        assert_eq!(desk.make().picture, made);
        assert_eq!(fs::read(file).unwrap(), whole, "it is replaced");
    }
}

#[test]
fn the_oldest_pictures_are_removed_when_there_are_too_many() {
    let desk = Desk::new();
    desk.make();
    let first = desk.files()[0].clone();
    let len = fs::metadata(&first).unwrap().len();
    age(&first);
    let bounded = || Cache::bounded(desk.folder(), len * 3, len * 2);
    let maker = Maker { cache: Some(bounded()), ..desk.maker() };
    for side in 97..105 {
        maker.make(&ThumbnailRequest { side, ..desk.wanted(Kind::Still) });
        let total: u64 = desk.files().iter().map(|file| fs::metadata(file).unwrap().len()).sum();
        assert!(total <= len * 4, "{total} bytes in files of {len}");
    }
    assert!(!first.exists() && !desk.files().is_empty());
}

#[test]
fn without_a_folder_that_can_be_written_pictures_are_made_all_the_same() {
    let desk = Desk::new();
    // A file in place of the folder.
    fs::write(desk.kept.path().join("pchr"), b"").unwrap();
    assert!(desk.make().picture.is_some());
    assert!(desk.maker().make(&desk.wanted(Kind::Strip)).count > 4);
    let desk = Desk::new();
    assert!(Maker { cache: None, ..desk.maker() }.make(&desk.wanted(Kind::Still)).picture.is_some());
    desk.maker().make(&desk.wanted(Kind::Strip));
    assert!(desk.files().is_empty(), "strips are not kept");
}
