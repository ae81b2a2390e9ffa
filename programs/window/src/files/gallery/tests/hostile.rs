//! Folders that want to do harm, or cannot be read.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::files::gallery::Gallery;
use crate::files::gallery::entry::Entry;
use crate::files::gallery::thumbnail::{Kind, MadeThumbnail, Maker, ThumbnailRequest};
use pchr::formats::ReadOptions;

fn gallery_of(folder: &Path) -> Gallery {
    let mut gallery = Gallery::default();
    gallery.open(vec![folder.to_owned()], &ReadOptions::default(), None);
    gallery
}

fn names(gallery: &Gallery) -> Vec<&str> {
    gallery.entries.iter().map(|entry| &*entry.name).collect()
}

fn make(path: &Path) -> MadeThumbnail {
    let maker = Maker { read: ReadOptions::default(), cache: None, progress: Arc::default() };
    maker.make(&ThumbnailRequest { path: path.into(), kind: Kind::Still, side: 64, changes: 0 })
}

#[test]
fn links_in_a_circle_and_pipes_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::copy(crate::common::root().join("assets/paper-knight.pchr"), inner.join("knight.pchr")).unwrap();
    symlink(folder.path(), inner.join("around")).unwrap();
    symlink("inner", folder.path().join("again")).unwrap();
    symlink("nowhere", folder.path().join("dangling")).unwrap();
    mkfifo(&folder.path().join("endless.pchr"), Mode::S_IRWXU).unwrap();
    let gallery = gallery_of(folder.path());
    assert_eq!(names(&gallery), ["knight.pchr"]);
    assert_eq!(gallery.entries[0].folder, "inner");
}

#[test]
fn what_cannot_be_read_has_an_error_and_no_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.pchr");
    fs::copy(crate::common::root().join("assets/paper-knight.pchr"), &path).unwrap();
    assert!(make(&path).picture.is_some());
    fs::set_permissions(&path, Permissions::from_mode(0o0)).unwrap();
    // Root reads everything.
    if fs::read(&path).is_err() {
        assert!(make(&path).facts.error.unwrap().contains("denied"));
    }
    fs::remove_file(&path).unwrap();
    assert!(make(&path).facts.error.is_some_and(|error| error.contains("secret.pchr")));
    // It was replaced after it was found.
    mkfifo(&path, Mode::S_IRWXU).unwrap();
    let MadeThumbnail { facts, picture, .. } = make(&path);
    assert!(picture.is_none() && facts.error.unwrap().contains("pipe"));
    for bytes in [&b""[..], b"PCHR", b"{", &[0xff; 4096]] {
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
        assert!(make(&path).facts.error.is_some());
    }
}

#[test]
fn thousands_of_files_are_found_once_each() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..3000 {
        fs::write(folder.path().join(format!("{number}.pchr")), b"").unwrap();
    }
    let mut gallery = gallery_of(folder.path());
    assert_eq!((gallery.entries.len(), gallery.order().len(), gallery.places.len()), (3000, 3000, 3000));
    assert!(
        gallery.entries.iter().all(|entry: &Entry| entry.facts.is_none()),
        "none is read before it is visible"
    );
}
