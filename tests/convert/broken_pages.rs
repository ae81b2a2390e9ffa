//! What is written opens again: an image that cannot be decoded is not written, so a conversion fails, or drops the image
//! if missing ones are allowed; and only packed text is copied.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use pchr::Result;
use pchr::convert::{ConvertError, ConvertOptions, Converted, open};
use pchr::diagnostics::Diagnostics;
use pchr::formats::image::encode_png;
use pchr::formats::table::targets;
use pchr::formats::{Input, Listing, ReadOptions, Sidecars};
use pchr::limits::Limits;

const SHEET: &str = r#"{"frames": [{"filename": "a", "frame": {"x": 0, "y": 0, "w": 2, "h": 2}}],
    "meta": {"app": "pchr", "image": "page.png", "size": {"w": 2, "h": 2}}}"#;

const STARLING: &str =
    r#"<TextureAtlas imagePath="page.png"><SubTexture name="a" x="0" y="0" width="2" height="2"/></TextureAtlas>"#;

const GDX: &str = "page.png\nsize: 2, 2\nformat: RGBA8888\nfilter: Linear, Linear\nrepeat: none\na\n  rotate: false\n  \
    xy: 0, 0\n  size: 2, 2\n  orig: 2, 2\n  offset: 0, 0\n  index: -1\n";

const SPINE: &str = r#"{"skeleton": {"spine": "4.2.43"}, "bones": [{"name": "root"}],
    "slots": [{"name": "s", "bone": "root", "attachment": "a"}],
    "skins": [{"name": "default", "attachments": {"s": {"a": {"width": 2, "height": 2}}}}]}"#;

/// A folder.
struct Files(BTreeMap<&'static str, Bytes>);

impl Files {
    fn find(&self, path: &str) -> Result<Bytes, String> {
        self.0.get(path).cloned().ok_or_else(|| format!("`{path}` does not exist"))
    }
}

impl Sidecars for Files {
    fn load(&self, path: &str, _limits: &Limits) -> Result<Result<Bytes, String>> {
        Ok(self.find(path))
    }

    fn own_name(&self) -> Option<&str> {
        Some("it.json")
    }

    fn listing(&self, _folder: &str) -> Arc<Listing> {
        Listing::of_files(self.0.keys().map(|name| (*name).to_owned())).into()
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.find(path).map(|bytes| bytes.len() as u64)
    }
}

/// A PNG with a valid header whose pixels are cut off.
fn broken() -> Bytes {
    let png = encode_png(2, 2, &[9; 16]).expect("a picture");
    Bytes::from(png).slice(..45)
}

fn convert(text: &str, page: Bytes, to: &str, allows_missing_images: bool) -> Result<Converted, ConvertError> {
    let to = targets().find(|target| target.name == to).expect("a target");
    let files = Files([("page.png", page), ("it.atlas", Bytes::from_static(GDX.as_bytes()))].into());
    let input = Input { bytes: text.to_owned().into(), sidecars: &files };
    let read = ReadOptions::default();
    let opened = open(input, &read, &mut Diagnostics::default()).map_err(ConvertError::Input)?;
    let options =
        ConvertOptions { allows_missing_images, ..ConvertOptions::new(to, format!("out.{}", to.extension)) };
    opened.convert(&options)
}

#[test]
fn a_broken_page_is_not_written_to_a_sheet() {
    for (source, text) in [("JSON", SHEET), ("Starling", STARLING), ("libGDX", GDX)] {
        for to in targets().filter(|target| target.is_sheet) {
            let whole = convert(text, encode_png(2, 2, &[9; 16]).expect("a picture").into(), to.name, false);
            assert!(whole.is_ok(), "{source} to {}: {:?}", to.name, whole.err());
            for allows_missing in [false, true] {
                let error = convert(text, broken(), to.name, allows_missing)
                    .map(|converted| converted.files)
                    .expect_err(&format!("{source} to {}: the page cannot be decoded", to.name));
                let message = error.to_string();
                assert!(message.contains("page.png") && message.contains("PNG"), "{}: {message}", to.name);
            }
        }
    }
}

#[test]
fn text_that_is_not_packed_is_rewritten_where_packed_text_would_be_kept() {
    let files = Files([("page.png", encode_png(2, 2, &[9; 16]).expect("a picture").into())].into());
    let input = Input { bytes: SHEET.to_owned().into(), sidecars: &files };
    let read = ReadOptions::default();
    let opened = open(input, &read, &mut Diagnostics::default()).expect("a sheet");
    let to = targets().find(|target| target.name == "sheet").expect("a target");
    let options = ConvertOptions { preserve_text: true, ..ConvertOptions::new(to, "out.json") };
    let converted = opened.convert(&options).expect("it is a sheet");
    assert_eq!(converted.files.files.len() + converted.files.pictures.len(), 2);
}

#[test]
fn a_broken_page_of_a_skeleton_is_as_good_as_missing() {
    for to in ["spine38", "spine42", "skel41"] {
        assert!(convert(SPINE, encode_png(2, 2, &[9; 16]).expect("a picture").into(), to, false).is_ok(), "{to}");
        let error = convert(SPINE, broken(), to, false).expect_err("the page cannot be decoded");
        assert!(matches!(error, ConvertError::Incomplete(_)), "{to}: {error:?}");
        assert!(error.to_string().contains("page.png"), "{to}: {error}");
        let converted = convert(SPINE, broken(), to, true).expect("it is allowed");
        assert!(converted.losses.iter().any(|loss| loss.code == "images-dropped"), "{to}: {:?}", converted.losses);
        assert!(converted.files.pictures.iter().all(|file| !file.name.ends_with(".png")), "{to}");
    }
}
