//! Which atlases and pictures are found without an exact name, what is never looked up, and which pictures decode.

mod atlases;
mod links;
mod loose;
mod pages;
mod sheets;

use std::fs;
use std::path::{Path, PathBuf};

use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::draw::{Command, DrawList, View, pick};
use pchr::formats::image::encode_png;
use pchr::formats::{Folder, Input, ReadOptions, RecordedSidecars, examine, from_input};
use pchr::math::{Vec2, vec2};
use pchr::model::Vertices;
use pchr::motion::{Cue, evaluate};
use pchr::pose::{Extent, Pose, bounds, mesh_at};
use tempfile::TempDir;

/// A folder for characters inside another folder, so that it can have sibling folders.
pub struct Bench {
    pub top: TempDir,
}

impl Bench {
    pub fn new(files: &[(&str, &[u8])]) -> Self {
        let bench = Self { top: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir(bench.top.path().join("characters")).expect("a new folder");
        files.iter().for_each(|(name, bytes)| bench.write(name, bytes));
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.top.path().join("characters").join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file that can be written");
    }

    pub fn open(&self, name: &str) -> Opened {
        self.open_with(name, &ReadOptions::default())
    }

    pub fn open_with(&self, name: &str, options: &ReadOptions) -> Opened {
        let path = self.path(name);
        let bytes = fs::read(&path).expect("a readable file");
        let mut diagnostics = Diagnostics::default();
        let sidecars = RecordedSidecars::of(&path);
        let input = Input { bytes: bytes.clone().into(), sidecars: sidecars.access() };
        let character = from_input(&input, options, &mut diagnostics).expect("it opens");
        let examined = examine(&Input { bytes: bytes.into(), sidecars: &Folder::of(&path) }, options);
        let errors = examined.expect("it can be examined").errors();
        Opened { character, diagnostics, files: sidecars.files(&path, options), errors }
    }
}

pub struct Opened {
    pub character: Character,
    pub diagnostics: Diagnostics,
    /// Every file that was looked up.
    pub files: Vec<PathBuf>,
    /// Number of errors found by an examination.
    pub errors: usize,
}

impl Opened {
    /// The names of the pages.
    pub fn pages(&self) -> Vec<&str> {
        self.character.model().pages().iter().map(|page| &*page.name).collect()
    }

    /// Code and message of every finding.
    pub fn messages(&self) -> Vec<String> {
        let findings = self.diagnostics.findings().iter();
        findings.map(|finding| format!("{}: {}", finding.fault.code, finding.fault)).collect()
    }

    pub fn looked_up(&self, path: &Path) -> bool {
        let is_same = |asked: &PathBuf| asked == path || asked.canonicalize().ok() == path.canonicalize().ok();
        self.files.iter().any(|asked| is_same(asked) && (asked.exists() || asked == path))
    }

    /// Texture coordinates of the first attachment's corners.
    pub fn uvs(&self) -> Vec<[f32; 2]> {
        let mesh = self.character.model().attachments()[0].mesh().expect("a mesh");
        let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("lists") };
        vertices.iter().map(|vertex| vertex.uv.to_array()).collect()
    }
}

/// A skeleton with one picture for each of these names.
pub fn skeleton(names: &[&str]) -> Vec<u8> {
    with_images("./images/", names)
}

pub fn with_images(images: &str, names: &[&str]) -> Vec<u8> {
    let images = images.replace('\\', "\\\\");
    let slots: Vec<String> = names.iter().map(|name| format!(r#"{{"name":"{name}","bone":"root"}}"#)).collect();
    let shown: Vec<String> =
        names.iter().map(|name| format!(r#""{name}":{{"{name}":{{"width":8,"height":4}}}}"#)).collect();
    let (slots, shown) = (slots.join(","), shown.join(","));
    format!(
        r#"{{"skeleton":{{"spine":"3.8.99","images":"{images}"}},"bones":[{{"name":"root"}}],"slots":[{slots}],
        "skins":[{{"name":"default","attachments":{{{shown}}}}}]}}"#
    )
    .into_bytes()
}

/// An atlas with one page and these regions.
pub fn atlas(page: &str, regions: &[&str]) -> Vec<u8> {
    let regions: String = regions.iter().map(|name| format!("{name}\n  xy: 0, 0\n  size: 4, 2\n")).collect();
    format!("\n{page}\nsize: 8,4\nformat: RGBA8888\n{regions}").into_bytes()
}

pub const PARTS: [&str; 4] = ["head", "arm", "leg", "hat"];

pub fn hero() -> Vec<u8> {
    skeleton(&PARTS)
}

pub fn hero_atlas() -> Vec<u8> {
    atlas("page.png", &PARTS)
}

pub fn png(width: u32, height: u32) -> Vec<u8> {
    encode_png(width, height, &[255, 128, 64, 255].repeat((width * height) as usize)).expect("pixels")
}

pub fn page() -> Vec<u8> {
    png(8, 4)
}

/// A character of V-Slice with its sheet in a library.
pub fn of_library(library: &str) -> Vec<u8> {
    format!(r#"{{"assetPath": "{library}:hero", "animations": [{{"name": "idle", "prefix": "a"}}]}}"#).into_bytes()
}

pub const SPARROW: &[u8] = br#"<TextureAtlas imagePath="hero.png">
<SubTexture name="a0000" x="0" y="0" width="1" height="1"/></TextureAtlas>"#;

pub fn picture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pictures").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of what pictures show at rest, and the width of the visible area.
pub fn drawn(opened: &Opened) -> (Vec<&str>, f32) {
    let (character, mut pose, mut list) = (&opened.character, Pose::default(), DrawList::default());
    let model = character.model();
    evaluate(character, &Cue::default(), &mut pose);
    list.build(model, &pose, &View::new(8, 8, Vec2::ZERO, 1.0));
    let sprite = |command: &Command| match command {
        Command::Sprite(sprite) => Some(model.attachment(sprite.attachment).name()),
        Command::ClipBegin(_) | Command::ClipEnd | Command::Overlay(_) => None,
    };
    let names: Vec<&str> = list.commands.iter().filter_map(sprite).collect();
    let (mut extent, mut hits) = (Extent::default(), Vec::new());
    extent.add(model, &pose, &list.palette);
    assert_eq!(extent.whole(), bounds(model, &pose, &list.palette));
    pick(model, &pose, &list.palette, vec2(100.0, 0.0), 0.0, &mut hits);
    assert_eq!(hits.len(), usize::from(names.contains(&"hat")), "the hat is only hit where it is drawn");
    assert_eq!(hits.len(), mesh_at(model, &pose, &list.palette, vec2(100.0, 0.0)).into_iter().count());
    (names, extent.whole().size().x)
}
