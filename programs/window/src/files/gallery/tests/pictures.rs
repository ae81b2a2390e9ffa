//! What the pictures show.

use std::fs;
use std::sync::Arc;

use crate::files::gallery::thumbnail::{Kind, Maker, ThumbnailRequest};
use pchr::formats::ReadOptions;

#[test]
fn the_picture_shows_the_character() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grow.json");
    let json = r#"{"skeleton": {"spine": "4.2.40"}, "bones": [{"name": "root"}],
        "slots": [{"name": "body", "bone": "root", "attachment": "body"}],
        "skins": [{"name": "default", "attachments": {"body": {"body": {"width": 80, "height": 60}}}}],
        "animations": {"hide": {"slots": {"body": {"attachment": [{"name": null}]}}},
        "grow": {"bones": {"root": {"scale": [{"x": 0.01, "y": 0.01}, {"time": 1}]}}}}}"#;
    fs::write(&path, json).unwrap();
    let maker = Maker { read: ReadOptions::default(), cache: None, progress: Arc::default() };
    let made = maker.make(&ThumbnailRequest { path: path.into(), kind: Kind::Still, side: 64, changes: 0 });
    let picture = made.picture.unwrap();
    let covered = picture.pixels().chunks(4).filter(|pixel| pixel[3] > 0).count();
    assert!(covered > 64 * 64 / 40, "{covered} pixels");
}
