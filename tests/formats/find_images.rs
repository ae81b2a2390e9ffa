//! Which atlases and pictures are found without an exact name, what is never looked up, and which pictures decode.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use crate::common::conformance;
use pchr::Character;
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::draw::{Command, DrawList, View, pick};
use pchr::formats::image::{decode_picture, encode_png, picture_size};
use pchr::formats::{
    Files, Folder, Input, Listings, Missing, ReadOptions, RecordedSidecars, examine, from_bytes, from_input,
};
use pchr::math::{Vec2, vec2};
use pchr::model::Vertices;
use pchr::motion::{Cue, evaluate};
use pchr::pose::{Extent, Pose, bounds, mesh_at};
use tempfile::TempDir;

/// A folder for characters inside another folder, so that it can have sibling folders.
struct Bench {
    top: TempDir,
}

impl Bench {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let bench = Self { top: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir(bench.top.path().join("characters")).expect("a new folder");
        files.iter().for_each(|(name, bytes)| bench.write(name, bytes));
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.top.path().join("characters").join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file that can be written");
    }

    fn open(&self, name: &str) -> Opened {
        self.open_with(name, &ReadOptions::default())
    }

    fn open_with(&self, name: &str, options: &ReadOptions) -> Opened {
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

struct Opened {
    character: Character,
    diagnostics: Diagnostics,
    /// Every file that was looked up.
    files: Vec<PathBuf>,
    /// Number of errors found by an examination.
    errors: usize,
}

impl Opened {
    /// The names of the pages.
    fn pages(&self) -> Vec<&str> {
        self.character.model().pages().iter().map(|page| &*page.name).collect()
    }

    /// Code and message of every finding.
    fn messages(&self) -> Vec<String> {
        let findings = self.diagnostics.findings().iter();
        findings.map(|finding| format!("{}: {}", finding.fault.code, finding.fault)).collect()
    }

    fn looked_up(&self, path: &Path) -> bool {
        let is_same = |asked: &PathBuf| asked == path || asked.canonicalize().ok() == path.canonicalize().ok();
        self.files.iter().any(|asked| is_same(asked) && (asked.exists() || asked == path))
    }

    /// Texture coordinates of the first attachment's corners.
    fn uvs(&self) -> Vec<[f32; 2]> {
        let mesh = self.character.model().attachments()[0].mesh().expect("a mesh");
        let Vertices::SkinN(vertices) = &mesh.vertices else { panic!("lists") };
        vertices.iter().map(|vertex| vertex.uv.to_array()).collect()
    }
}

/// A skeleton with one picture for each of these names.
fn skeleton(names: &[&str]) -> Vec<u8> {
    with_images("./images/", names)
}

fn with_images(images: &str, names: &[&str]) -> Vec<u8> {
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
fn atlas(page: &str, regions: &[&str]) -> Vec<u8> {
    let regions: String = regions.iter().map(|name| format!("{name}\n  xy: 0, 0\n  size: 4, 2\n")).collect();
    format!("\n{page}\nsize: 8,4\nformat: RGBA8888\n{regions}").into_bytes()
}

const PARTS: [&str; 4] = ["head", "arm", "leg", "hat"];

fn hero() -> Vec<u8> {
    skeleton(&PARTS)
}

fn hero_atlas() -> Vec<u8> {
    atlas("page.png", &PARTS)
}

fn png(width: u32, height: u32) -> Vec<u8> {
    encode_png(width, height, &[255, 128, 64, 255].repeat((width * height) as usize)).expect("pixels")
}

fn page() -> Vec<u8> {
    png(8, 4)
}

#[test]
fn an_atlas_is_found_by_names_derived_from_the_skeletons() {
    for (skeleton, atlas, is_usual) in [
        ("hero.json", "hero.atlas", true),
        ("hero-pro.json", "hero.atlas", true),
        ("hero.skel.json", "hero.atlas", true),
        ("hero.json.txt", "hero.atlas", true),
        ("hero.json", "hero.atlas.txt", false),
        ("hero.json.txt", "hero.atlas.asset.txt", false),
        ("hero.skel.json", "hero.atlas.bytes", false),
        ("hero-pro.json", "hero-pma.atlas", false),
        ("hero-ess.json", "hero-pro.atlas.txt", false),
        ("hero.json", "Hero.atlas", false),
        ("Hero-Pro.json", "hero_PMA.ATLAS", false),
    ] {
        // Another atlas that would also fit.
        let other = ("other.atlas", &hero_atlas()[..]);
        let bench = Bench::new(&[(skeleton, &hero()), (atlas, &hero_atlas()), ("page.png", &page()), other]);
        let opened = bench.open(skeleton);
        assert_eq!((opened.pages(), opened.errors), (vec!["page.png"], 0), "{skeleton}, {atlas}");
        let messages = opened.messages();
        if is_usual {
            assert!(messages.is_empty(), "{messages:?}");
        } else {
            let [only] = &messages[..] else { panic!("{skeleton}, {atlas}: {messages:?}") };
            assert!(only.starts_with("found-elsewhere: ") && only.contains(&format!("`{atlas}`")), "{only}");
            assert_eq!(opened.diagnostics.findings()[0].severity, Severity::Note);
            assert_eq!(opened.diagnostics.choices().count(), 1);
        }
        assert!(opened.looked_up(&bench.path(atlas)) && opened.looked_up(&bench.path("page.png")));
        let is_certain = atlas.to_lowercase().ends_with(".atlas");
        assert_eq!(opened.looked_up(&bench.path("other.atlas")), !is_certain, "{skeleton}, {atlas}");
    }
}

#[test]
fn the_only_atlas_is_used_if_it_has_a_region() {
    let files = [("hero.json", &hero()[..]), ("page.png", &page())];
    let bench = Bench::new(&files);
    bench.write("sprites.atlas", &atlas("page.png", &["head", "tail"]));
    bench.write("sprites.atlas.meta", b"fileFormatVersion: 2\nhead\narm\nleg\nhat\n");
    let opened = bench.open("hero.json");
    assert_eq!(opened.pages(), ["page.png"]);
    let messages = opened.messages();
    assert!(messages[0].contains("`sprites.atlas`: it has 1 of the 4 regions"), "{messages:?}");
    assert!(messages[1..].iter().all(|message| message.starts_with("missing-region")), "{messages:?}");

    // A common prefix of the names is not a match.
    let bench = Bench::new(&files);
    bench.write("hero2.atlas", &atlas("page.png", &["tail", "wing"]));
    let opened = bench.open("hero.json");
    assert_eq!((opened.pages().len(), opened.errors), (0, 1));
    let messages = opened.messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(
        messages[0].starts_with("missing-atlas") && messages[0].contains("`hero2.atlas` has 0"),
        "{messages:?}"
    );
    assert!(messages[0].contains("`--atlas FILE`"), "{messages:?}");
    bench.write("hero2.atlas", &hero_atlas());
    assert_eq!(bench.open("hero.json").pages(), ["page.png"]);
}

#[test]
fn the_atlas_with_most_regions_is_used() {
    let bench = Bench::new(&[("hero.json", &hero()), ("page.png", &page())]);
    bench.write("a.atlas", &atlas("a.png", &["head", "arm", "tail", "wing", "fin"]));
    bench.write("b.atlas.txt", &atlas("page.png", &["leg", "hat", "arm"]));
    bench.write("c.atlas", &[0xff; 100]);
    let opened = bench.open("hero.json");
    // The page of the other atlas, which has the fourth region, is missing.
    assert_eq!(opened.pages(), ["page.png"]);
    assert!(opened.messages()[0].contains("`b.atlas.txt`: it has 3 of the 4 regions"), "{:?}", opened.messages());
    assert!(opened.looked_up(&bench.path("a.atlas")), "it was read");

    bench.write("a.atlas", &atlas("page.png", &["head", "arm", "hat"]));
    let opened = bench.open("hero.json");
    let messages = opened.messages();
    assert_eq!((opened.pages().len(), messages.len()), (0, 1), "{messages:?}");
    assert!(
        messages[0].contains("of 4 regions, `a.atlas` has 3, `b.atlas.txt` has 3, `c.atlas` has 0"),
        "{messages:?}"
    );
    // Loose pictures are an alternative.
    bench.write("images/head.png", &page());
    let messages = bench.open("hero.json").messages();
    assert!(
        messages.len() == 3 && messages.iter().all(|message| message.starts_with("missing-image")),
        "{messages:?}"
    );
}

#[test]
fn a_file_with_more_extensions_is_an_atlas_if_it_has_a_region() {
    let bench = Bench::new(&[("hero.json", &hero()), ("page.png", &page())]);
    bench.write("hero.atlas.asset", b"%YAML 1.1\n--- !u!114\nMonoBehaviour:\n");
    bench.write("hero.atlas.txt", &atlas("page.png", &PARTS[..2]));
    // It fits better, but is not named after the skeleton.
    bench.write("all.atlas", &atlas("all.png", &PARTS));
    let opened = bench.open("hero.json");
    assert!(opened.messages()[0].contains("`hero.atlas.txt`"), "{:?}", opened.messages());
    fs::remove_file(bench.path("hero.atlas.txt")).unwrap();
    assert!(bench.open("hero.json").messages()[0].contains("`all.atlas`"));
}

#[test]
fn each_of_two_characters_has_its_own_atlas() {
    let villain = ["head", "tail", "wing", "fin"];
    let bench = Bench::new(&[("hero.json", &hero()), ("villain.json", &skeleton(&villain))]);
    bench.write("hero.atlas", &atlas("hero.png", &PARTS));
    bench.write("villain.atlas", &atlas("villain.png", &villain));
    bench.write("hero.png", &page());
    bench.write("villain.png", &page());
    for name in ["hero", "villain"] {
        let opened = bench.open(&format!("{name}.json"));
        assert_eq!((opened.pages(), opened.messages()), (vec![&*format!("{name}.png")], vec![]));
    }
    // By content, if the names do not match.
    fs::rename(bench.path("hero.atlas"), bench.path("1.atlas")).unwrap();
    fs::rename(bench.path("villain.atlas"), bench.path("2.atlas")).unwrap();
    assert_eq!(bench.open("hero.json").pages(), ["hero.png"]);
    assert_eq!(bench.open("villain.json").pages(), ["villain.png"]);
    // An atlas named after another character is not used for one common region, but for most of them.
    fs::remove_file(bench.path("1.atlas")).unwrap();
    fs::rename(bench.path("2.atlas"), bench.path("Villain.atlas.txt")).unwrap();
    let opened = bench.open("hero.json");
    assert!(
        opened.pages().is_empty() && opened.messages()[0].contains("`Villain.atlas.txt` has 1"),
        "{:?}",
        opened.messages()
    );
    bench.write("Villain.atlas.txt", &atlas("villain.png", &["head", "arm", "tail"]));
    assert_eq!(bench.open("hero.json").pages(), ["villain.png"]);
}

#[test]
fn an_atlas_is_found_in_a_nearby_folder() {
    for place in ["images/hero.atlas", "any/Hero.atlas.txt", "../atlas/hero.atlas", "../hero/hero-pma.atlas"] {
        let bench = Bench::new(&[("hero-pro.json", &hero()), (place, &hero_atlas())]);
        let folder = place.rsplit_once('/').unwrap().0;
        let picture = format!("{folder}/page.png");
        bench.write(&picture, &page());
        let opened = bench.open("hero-pro.json");
        assert_eq!((opened.pages(), opened.errors), (vec!["page.png"], 0), "{place}: {:?}", opened.messages());
        let messages = opened.messages();
        assert!(messages.len() == 1 && messages[0].contains(&format!("`{place}`")), "{messages:?}");
        assert!(opened.looked_up(&bench.path(place)) && opened.looked_up(&bench.path(&picture)), "{place}");
        // Its pictures are only searched next to it.
        fs::rename(bench.path(&picture), bench.path("page.png")).unwrap();
        let opened = bench.open("hero-pro.json");
        assert!(
            opened.pages().is_empty() && opened.messages()[1].contains("`page.png` does not exist"),
            "{:?}",
            opened.messages()
        );
    }
}

#[test]
fn nothing_else_is_looked_up_nearby() {
    for place in ["images/deeper/hero.atlas", "../hero.atlas", "../atlas/deeper/hero.atlas", "../../hero.atlas"] {
        let bench = Bench::new(&[]);
        bench.write("deep/hero.json", &hero());
        bench.write(&format!("deep/{place}"), &hero_atlas());
        assert!(bench.open("deep/hero.json").messages()[0].contains("there is no atlas"), "{place}");
    }
    // Not named after the character, hidden, or another character's.
    for (place, atlas) in [
        ("images/sprites.atlas", atlas("page.png", &PARTS[..3])),
        ("../atlas/hero2.atlas", atlas("page.png", &["head", "arm", "leg", "tail", "wing"])),
        ("../.hidden/hero.atlas", hero_atlas()),
        ("../villain/hero.atlas", atlas("page.png", &["head", "tail", "wing"])),
    ] {
        let bench = Bench::new(&[("hero.json", &hero()), (place, &atlas)]);
        let opened = bench.open("hero.json");
        assert!(opened.pages().is_empty() && opened.messages().len() == 1, "{place}: {:?}", opened.messages());
        assert!(opened.messages()[0].starts_with("missing-atlas"), "{place}: {:?}", opened.messages());
        let is_listed = opened.messages()[0].contains(place);
        assert_eq!(is_listed, place.ends_with("/hero.atlas") && !place.contains("hidden"), "{place}");
    }
    // Two equally good ones that lack a region.
    let bench = Bench::new(&[("hero.json", &hero())]);
    bench.write("../hd/hero.atlas", &atlas("page.png", &PARTS[..3]));
    bench.write("../sd/hero.atlas", &atlas("page.png", &PARTS[..3]));
    let messages = bench.open("hero.json").messages();
    assert!(messages[0].contains("`../hd/hero.atlas` has 3, `../sd/hero.atlas` has 3"), "{messages:?}");
    bench.write("sd/hero.atlas", &hero_atlas());
    bench.write("sd/page.png", &page());
    let messages = bench.open("hero.json").messages();
    assert!(messages[0].contains("`sd/hero.atlas`"), "the closer one: {messages:?}");
}

#[test]
fn an_atlas_of_any_name_nearby_is_used_if_it_has_all_regions() {
    for place in ["../textures/textures.atlas", "images/all.atlas.txt"] {
        let bench = Bench::new(&[("hero.json", &hero()), (place, &hero_atlas())]);
        bench.write(&format!("{}/page.png", place.rsplit_once('/').unwrap().0), &page());
        let opened = bench.open("hero.json");
        assert_eq!((opened.pages(), opened.errors), (vec!["page.png"], 0), "{place}: {:?}", opened.messages());
        assert!(opened.messages()[0].contains(&format!("`{place}`: it has 4 of the 4 regions")));
    }
    // All of three regions are not certain.
    let bench = Bench::new(&[("hero.json", &skeleton(&PARTS[..3])), ("../a/a.atlas", &hero_atlas())]);
    assert!(bench.open("hero.json").messages()[0].contains("there is no atlas"));
}

#[test]
fn an_atlas_nearby_that_others_in_the_folder_use_is_used_for_few_regions() {
    let all = atlas("page.png", &["head", "arm", "leg", "hat", "door", "lock"]);
    let bench = Bench::new(&[("door.json", &skeleton(&["door"])), ("../textures/all.atlas", &all)]);
    bench.write("../textures/page.png", &page());
    let is_found = |bench: &Bench| bench.open("door.json").pages() == ["page.png"];
    assert!(!is_found(&bench), "one region may be in any atlas");
    bench.write("notes.json", br#"{"text":"head arm leg hat"}"#);
    bench.write("broken.json", br#"{"skeleton":{"spine":"3.8.99"},"bones":["#);
    bench.write("villain.json", &skeleton(&["door", "lock", "tail", "wing", "fin"]));
    bench.write("lock.json", &skeleton(&["lock"]));
    assert!(!is_found(&bench), "the villain uses another atlas, and two regions are not enough");
    bench.write("hero.json", &skeleton(&["head", "arm"]));
    let opened = bench.open("door.json");
    assert_eq!((opened.pages(), opened.errors), (vec!["page.png"], 0), "{:?}", opened.messages());
    assert!(opened.messages()[0].contains("`../textures/all.atlas`: it has 1 of the 1 regions"));
    // All of its own regions have to be there.
    bench.write("door.json", &skeleton(&["door", "handle"]));
    assert!(!is_found(&bench));
}

#[test]
fn one_of_several_atlases_with_all_regions_is_used() {
    let bench = Bench::new(&[("hero.json", &hero())]);
    let written = |place: &str, secs: u64| {
        bench.write(place, &hero_atlas());
        bench.write(&format!("{}/page.png", place.rsplit_once('/').unwrap().0), &page());
        let file = fs::File::options().append(true).open(bench.path(place)).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(secs)).unwrap();
    };
    let said = || bench.open("hero.json").messages().remove(0);
    // Files of one checkout are written in any order.
    written("../b/b.atlas", 1_000_030);
    written("../c/c.atlas", 1_000_000);
    let equal = "`../b/b.atlas`: it has 4 of the 4 regions that the skeleton references; `../c/c.atlas` too, but this one \
                 comes first by path; use `--atlas FILE` for another";
    assert!(said().contains(equal), "{}", said());
    written("../c/c.atlas", 1_000_090);
    assert!(said().contains("`../c/c.atlas`: "), "{}", said());
    assert!(said().contains("`../b/b.atlas` too, but this one is newer"), "{}", said());
    written("../z/heroes.atlas", 7);
    let nearest = "`../b/b.atlas`, `../c/c.atlas` too, but this one has the nearest name";
    assert!(said().contains("`../z/heroes.atlas`: ") && said().contains(nearest), "{}", said());
    assert_eq!(bench.open("hero.json").errors, 0);
}

#[test]
fn regions_can_be_in_several_atlases() {
    let bench = Bench::new(&[("hero.json", &hero()), ("hero.atlas", &atlas("page.png", &["head"]))]);
    bench.write("page.png", &page());
    bench.write("effects.atlas", &atlas("effects.png", &["leg", "hat"]));
    bench.write("effects.png", &png(8, 4));
    bench.write("arms.atlas", &atlas("arms.png", &["arm", "head"]));
    bench.write("arms.png", &png(8, 4));
    let opened = bench.open("hero.json");
    assert_eq!((opened.pages(), opened.errors), (vec!["page.png", "effects.png", "arms.png"], 0));
    let messages = opened.messages();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("`effects.atlas` is used too: it has 2 of the 3 regions"), "{messages:?}");
    // Not if it has less than half of them, belongs to another character, or is not the only one.
    for (name, regions) in [("arms.atlas", &["arm"][..]), ("villain.atlas", &PARTS)] {
        let bench = Bench::new(&[("hero.json", &hero()), ("hero.atlas", &atlas("page.png", &["head"]))]);
        bench.write("page.png", &page());
        bench.write("villain.json", &hero());
        bench.write(name, &atlas("page.png", regions));
        assert_eq!(bench.open("hero.json").pages(), ["page.png"], "{name}");
        assert!(bench.open("hero.json").messages().iter().all(|message| message.starts_with("missing-region")));
        bench.write("1.atlas", &atlas("page.png", &PARTS[..3]));
        bench.write("2.atlas", &atlas("page.png", &PARTS[..3]));
        assert_eq!(bench.open("hero.json").pages(), ["page.png"], "{name}");
        bench.write("1.atlas", &atlas("all.png", &PARTS));
        bench.write("2.atlas", &atlas("all.png", &PARTS));
        bench.write("all.png", &page());
        let opened = bench.open("hero.json");
        assert_eq!(opened.pages(), ["page.png", "all.png"], "{name}");
        let messages = opened.messages();
        assert!(messages[0].contains("`2.atlas` too, but this one comes first by path"), "{messages:?}");
    }
    // Given ones are searched in their order, and no others.
    let given = |names: &[&str]| {
        let atlases = names.iter().map(|name| bench.path(name)).collect();
        bench.open_with("hero.json", &ReadOptions { atlases, ..ReadOptions::default() })
    };
    assert_eq!(given(&["arms.atlas"]).pages(), ["arms.png"]);
    let opened = given(&["arms.atlas", "hero.atlas", "effects.atlas"]);
    assert_eq!((opened.pages(), opened.messages()), (vec!["arms.png", "page.png", "effects.png"], vec![]));
    let pages =
        opened.character.model().attachments().iter().map(|shown| shown.mesh().unwrap().page.unwrap().index());
    assert_eq!(pages.collect::<Vec<_>>(), [0, 0, 2, 2]);
    let image = ReadOptions { atlases: vec![bench.path("a.png"), bench.path("b.png")], ..ReadOptions::default() };
    let sheet = from_bytes(atlas("page.png", &["a"]), &image, &mut Diagnostics::default());
    assert!(sheet.unwrap_err().to_string().contains("a sprite sheet has one image, but 2 are given"));
}

#[test]
fn names_from_tools_that_extract_files_are_known() {
    for (skeleton, atlas, page_file) in [
        ("hero.skel.prefab", "hero.atlas.prefab", "page #125.png"),
        ("hero #12.json", "hero #13.atlas", "page (1).png"),
        ("hero.json", "hero.atlas #7.txt", "Page-sharedassets0.assets-77.png"),
        ("hero.json", "hero.atlas", "page.png.png"),
        ("hero.json", "hero.atlas", "page.png #3"),
    ] {
        let bench = Bench::new(&[(skeleton, &hero()), (atlas, &hero_atlas()), (page_file, &page())]);
        let opened = bench.open(skeleton);
        assert_eq!(opened.pages(), [page_file], "{skeleton}: {:?}", opened.messages());
        // The size would tell too; here it does not.
        let text = String::from_utf8(hero_atlas()).unwrap().replace("size: 8,4", "size: 9,9");
        bench.write(atlas, text.as_bytes());
        assert_eq!(bench.open(skeleton).pages(), [page_file], "{skeleton}");
        bench.write("page #9.png", &page());
        assert_eq!(bench.open(skeleton).pages(), [""; 0], "{skeleton}: two are not certain");
    }
}

#[test]
fn the_only_picture_that_fits_is_the_missing_page() {
    let files = [("hero.json", &hero()[..]), ("hero.atlas", &hero_atlas()), ("texture.png", &page())];
    let bench = Bench::new(&files);
    bench.write("icon.png", &png(16, 16));
    bench.write("notes.png", b"not a picture");
    let opened = bench.open("hero.json");
    assert_eq!(opened.pages(), ["texture.png"]);
    let message = "guessed-image: hero.atlas: line 2: the picture `texture.png` is used for the page `page.png`, which does \
                   not exist: it is the only one of this size";
    assert_eq!(opened.messages(), [message]);
    assert!(opened.looked_up(&bench.path("texture.png")));
    assert!(!opened.looked_up(&bench.path("icon.png")), "it may be replaced");
    bench.write("other.png", &page());
    assert_eq!(bench.open("hero.json").pages(), [""; 0], "two fit");
    // Those of another page and of another character are not free.
    bench.write("other.png", b"");
    assert_eq!(bench.open("hero.json").pages(), ["texture.png"]);
    bench.write("texture.atlas", &atlas("texture.png", &["tail"]));
    assert_eq!(bench.open("hero.json").pages(), [""; 0]);
    fs::remove_file(bench.path("texture.atlas")).unwrap();
    fs::rename(bench.path("texture.png"), bench.path("hero2.png")).unwrap();
    assert_eq!(bench.open("hero.json").pages(), ["hero2.png"], "it is named after its own atlas");
    let bench = Bench::new(&files);
    bench.write("hero.atlas", &[atlas("texture.png", &PARTS[..2]), atlas("page.png", &PARTS[2..])].concat());
    assert_eq!(bench.open("hero.json").pages(), ["texture.png"]);
    // Without a stated size, all regions must fit.
    let text = String::from_utf8(hero_atlas()).unwrap().replace("size: 8,4\n", "");
    bench.write("hero.atlas", text.as_bytes());
    assert_eq!(bench.open("hero.json").pages(), ["texture.png"]);
    bench.write("texture.png", &png(3, 1));
    assert_eq!(bench.open("hero.json").pages(), [""; 0]);
}

#[test]
fn the_alpha_of_a_page_can_be_in_another_picture() {
    let bench = Bench::new(&[("hero.json", &hero()), ("hero.atlas", &hero_atlas()), ("page.png", &page())]);
    let mask = |width: u32, height: u32, channel: usize| {
        let value = |at: u32| (at * 10) as u8;
        let pixel =
            |at: u32| if channel == 3 { [9, 9, 9, value(at)] } else { [value(at), value(at), value(at), 255] };
        encode_png(width, height, &(0..width * height).flat_map(pixel).collect::<Vec<_>>()).expect("pixels")
    };
    let alphas = || {
        let opened = bench.open("hero.json");
        assert!(opened.messages().is_empty(), "{:?}", opened.messages());
        assert!(opened.looked_up(&bench.path("page[alpha].png")));
        let page = &opened.character.model().pages()[0];
        assert_eq!(page.pixels[..3], [255, 128, 64]);
        page.pixels.chunks(4).map(|pixel| pixel[3]).collect::<Vec<_>>()
    };
    for channel in [0, 3] {
        bench.write("page[alpha].png", &mask(8, 4, channel));
        assert_eq!(alphas(), (0..32).map(|at| (at * 10u32) as u8).collect::<Vec<_>>());
    }
    bench.write("page[alpha].png", &mask(4, 2, 0));
    assert_eq!(alphas()[..16], [0, 0, 10, 10, 20, 20, 30, 30, 0, 0, 10, 10, 20, 20, 30, 30]);
    // A page with alpha keeps it.
    bench.write("page.png", &encode_png(8, 4, &[255, 128, 64, 77].repeat(32)).expect("pixels"));
    let opened = bench.open("hero.json");
    assert_eq!(opened.character.model().pages()[0].pixels[3], 77);
    bench.write("page.png", &page());
    bench.write("page[alpha].png", b"broken");
    assert!(bench.open("hero.json").messages()[0].contains("`page[alpha].png`"));
}

#[test]
fn large_folders_are_searched_completely_and_read_once() {
    let bench = Bench::new(&[("zero.json", &hero()), ("zero-pma.atlas", &hero_atlas()), ("PAGE.png", &page())]);
    for number in 0..3000 {
        bench.write(&format!("n{number}.atlas"), b"");
    }
    assert_eq!(bench.open("zero.json").pages(), ["PAGE.png"]);
    let options = ReadOptions { listings: Listings::shared(), ..ReadOptions::default() };
    let pages = |options: &ReadOptions| {
        let character = pchr::formats::open(&bench.path("zero.json"), options, &mut Diagnostics::default());
        character.expect("it opens").model().pages().len()
    };
    assert_eq!(pages(&options), 1);
    fs::rename(bench.path("zero-pma.atlas"), bench.path("Zero.atlas")).unwrap();
    assert_eq!(pages(&options), 0, "the new name was not read");
    assert_eq!(pages(&ReadOptions::default()), 1);
    // The usual name is asked for without reading the folder.
    fs::rename(bench.path("Zero.atlas"), bench.path("zero.atlas")).unwrap();
    assert_eq!(pages(&options), 1);
}

#[test]
#[cfg(unix)]
fn links_out_of_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("hero.atlas"), hero_atlas()).unwrap();
    fs::write(elsewhere.path().join("page.png"), page()).unwrap();
    let is_asked = |opened: &Opened| {
        opened.files.iter().any(|file| {
            file.canonicalize().is_ok_and(|file| file.starts_with(elsewhere.path().canonicalize().unwrap()))
        })
    };
    for link in ["images", "../atlas"] {
        let bench = Bench::new(&[("hero.json", &hero())]);
        symlink(elsewhere.path(), bench.path(link)).unwrap();
        let opened = bench.open("hero.json");
        assert!(
            opened.messages()[0].contains("there is no atlas") && !is_asked(&opened),
            "{:?}",
            opened.messages()
        );
    }
    for place in ["hero.atlas", "other.atlas", "images/hero.atlas"] {
        let bench = Bench::new(&[("hero.json", &hero())]);
        fs::create_dir(bench.path("images")).unwrap();
        symlink(elsewhere.path().join("hero.atlas"), bench.path(place)).unwrap();
        let opened = bench.open("hero.json");
        assert!(opened.messages()[0].starts_with("missing-atlas"), "{:?}", opened.messages());
        if place != "hero.atlas" {
            assert!(!is_asked(&opened), "{place}: {:?}", opened.files);
        }
    }
    let bench = Bench::new(&[("hero.json", &hero()), ("hero.atlas", &hero_atlas())]);
    symlink(elsewhere.path().join("page.png"), bench.path("page.png")).unwrap();
    let opened = bench.open("hero.json");
    assert!(
        opened.messages()[0].contains("is a link that leads out of the folder") && !is_asked(&opened),
        "{:?}",
        opened.messages()
    );
}

/// A character of V-Slice with its sheet in a library.
fn of_library(library: &str) -> Vec<u8> {
    format!(r#"{{"assetPath": "{library}:hero", "animations": [{{"name": "idle", "prefix": "a"}}]}}"#).into_bytes()
}

const SPARROW: &[u8] = br#"<TextureAtlas imagePath="hero.png">
<SubTexture name="a0000" x="0" y="0" width="1" height="1"/></TextureAtlas>"#;

#[test]
fn the_library_of_a_sheet_is_one_folder() {
    for (library, place, is_found) in [
        ("week", "../images", true),
        ("week", "../week/images", true),
        ("week/below", "../week/below/images", false),
        ("..", "../../images", true),
        ("../week", "../week/images", false),
    ] {
        let text = of_library(library);
        let bench = Bench::new(&[("deep/hero.json", &text)]);
        let sheet = format!("deep/{place}/hero");
        bench.write(&format!("{sheet}.xml"), SPARROW);
        bench.write(&format!("{sheet}.png"), &page());
        assert_eq!(Character::open(bench.path("deep/hero.json")).is_ok(), is_found, "{library}, {place}");
        let place = place.replace("../../", "").replace("..", "characters");
        let files = [(format!("{place}/hero.xml"), SPARROW.to_vec()), (format!("{place}/hero.png"), page())];
        let files = Files::new(files.into_iter().chain([("characters/deep/hero.json".to_owned(), text)]));
        assert_eq!(files.open("characters/deep/hero.json").is_ok(), is_found, "{library}, {place}");
    }
    let text = of_library(&std::env::temp_dir().to_string_lossy().replace('\\', "/"));
    let bench = Bench::new(&[("hero.json", &text)]);
    assert!(Character::open(bench.path("hero.json")).is_err());
    let depths = [4, 5].map(|depth| {
        let file = format!("{}hero.json", "folder/".repeat(depth));
        let all =
            [("images/hero.xml", SPARROW.to_vec()), ("images/hero.png", page()), (&*file, of_library("week"))];
        Files::new(all).open(&file).is_ok()
    });
    assert_eq!(depths, [true, false]);
}

#[test]
fn named_atlases_and_pictures_of_files_in_memory_are_among_them() {
    let atlas = [("far/any.atlas", hero_atlas()), ("far/page.png", page()), ("near/hero.json", hero())];
    let sheet = [("far/any.png", page()), ("near/hero.xml", SPARROW.to_vec())];
    for (all, file, named) in
        [(&atlas[..], "near/hero.json", "far/any.atlas"), (&sheet[..], "near/hero.xml", "far/any.png")]
    {
        let files = Files::new(all.iter().cloned());
        let open = |named: &str| {
            let options = ReadOptions { atlases: vec![named.into()], ..ReadOptions::default() };
            files.open_with(file, &options, &mut Diagnostics::default())
        };
        assert_eq!(open(named).expect("it opens").model().pages().len(), 1, "{file}");
        assert!(open("far/none").expect_err("no such file").to_string().starts_with("far/none: "), "{file}");
    }
}

#[test]
fn a_sheet_that_is_named_twice_counts_once() {
    let text = of_library("week:hero, ,week");
    let files = [("images/hero.xml", SPARROW.to_vec()), ("images/hero.png", page()), ("folder/hero.json", text)];
    let hero = Files::new(files).open("folder/hero.json").expect("it opens");
    assert_eq!(hero.model().animations()[0].frame_count(), 1);
}

#[test]
#[cfg(unix)]
fn links_in_place_of_sheets_are_not_followed() {
    use std::os::unix::fs::symlink;
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("hero.xml"), SPARROW).unwrap();
    fs::write(elsewhere.path().join("hero.png"), page()).unwrap();
    let is_found = |link: &dyn Fn(&Bench)| {
        let bench = Bench::new(&[("hero.json", &of_library("week"))]);
        link(&bench);
        Character::open(bench.path("hero.json")).is_ok()
    };
    let with = |bench: &Bench, xml: &str| {
        bench.write("../images/hero.png", &page());
        symlink(xml, bench.path("../images/hero.xml")).unwrap();
    };
    assert!(is_found(&|bench| {
        bench.write("../images/other.xml", SPARROW);
        with(bench, "other.xml");
    }));
    assert!(!is_found(&|bench| with(bench, elsewhere.path().join("hero.xml").to_str().unwrap())));
    assert!(!is_found(&|bench| {
        bench.write("../hero.xml", SPARROW);
        with(bench, "../hero.xml");
    }));
    assert!(!is_found(&|bench| symlink(elsewhere.path(), bench.path("../images")).unwrap()));
    assert!(!is_found(&|bench| symlink(elsewhere.path(), bench.path("../week")).unwrap()));
}

#[test]
fn names_that_lead_out_are_neither_read_nor_watched() {
    let bench = Bench::new(&[("../page.png", &page()), ("../images/head.png", &page())]);
    let outside = [bench.path("../page.png"), "/etc/passwd".into(), bench.path("/etc/passwd")];
    for name in ["../page.png", "/etc/passwd", "\\\\server\\share\\page.png", "a/../../page.png"] {
        bench.write("hero.json", &hero());
        bench.write("hero.atlas", &atlas(name, &PARTS));
        let opened = bench.open("hero.json");
        assert!(
            opened.pages().is_empty() && opened.messages()[0].contains("leads out of the folder"),
            "{:?}",
            opened.messages()
        );
        let leads_out = |file: &&PathBuf| {
            outside.contains(file)
                || file.to_string_lossy().contains("server")
                || file.iter().any(|part| part == "..")
        };
        assert_eq!(opened.files.iter().find(leads_out), None, "{name}");
        // The file with that name next to the atlas is meant, and is watched.
        assert!(opened.looked_up(&bench.path(name.rsplit(['/', '\\']).next().unwrap())), "{name}");
    }
}

#[test]
fn conformance_names_outside_are_not_watched() {
    let Some(folder) = conformance("hostile/watch-outside") else { return };
    let path = folder.join("hostile.json");
    let sidecars = RecordedSidecars::of(&path);
    let input = Input { bytes: fs::read(&path).expect("a readable file").into(), sidecars: sidecars.access() };
    from_input(&input, &ReadOptions::default(), &mut Diagnostics::default()).expect("it opens");
    let files = sidecars.files(&path, &ReadOptions::default());
    assert!(files.contains(&folder.join("atlas.png")), "{files:?}");
    assert!(files.iter().all(|file| file.parent() == Some(&folder)), "{files:?}");
}

#[test]
fn a_page_is_found_under_names_from_other_systems() {
    let extensions = ["png", "jpg", "jpeg", "webp"].map(|extension| ("page", format!("page.{extension}")));
    let others = [("../page.png", "page.png"), ("C:\\art\\page.png", "page.png"), ("../../page", "page.png")];
    let cases = [("Page.PNG", "page.png"), ("page.png", "PAGE.png"), ("sub\\page.png", "sub/Page.png")];
    let names = others.into_iter().chain(cases).map(|(name, file)| (name, file.to_owned()));
    for (name, file) in names.chain(extensions) {
        let bench = Bench::new(&[("hero.json", &hero()), ("hero.atlas", &atlas(name, &PARTS)), (&file, &page())]);
        let opened = bench.open("hero.json");
        // Some file systems ignore case.
        let messages = opened.messages();
        assert_eq!((opened.pages().len(), opened.errors), (1, 0), "{name}, {file}: {messages:?}");
        if opened.pages() == [&*file] {
            assert_eq!(messages.len(), 1, "{name}, {file}: {messages:?}");
            assert!(
                messages[0].contains(&format!("the picture `{file}` is used for the page `{name}`")),
                "{messages:?}"
            );
        }
        assert!(opened.looked_up(&bench.path(&file)), "{name}, {file}");
    }
    // An existing file with the exact name is used.
    let bench = Bench::new(&[("hero.json", &hero()), ("hero.atlas", &atlas("page", &PARTS))]);
    bench.write("page", &page());
    bench.write("page.png", &png(2, 2));
    assert_eq!((bench.open("hero.json").pages(), bench.open("hero.json").messages()), (vec!["page"], vec![]));
}

fn picture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pictures").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn jpeg_and_webp_are_detected_from_the_content() {
    // Red on the left and blue on the right, as exactly as each format stores them.
    for (name, tolerance) in
        [("red-blue.jpg", 16), ("red-blue-progressive.jpg", 24), ("red-blue.webp", 0), ("red-blue-lossy.webp", 24)]
    {
        let bytes = picture(name);
        assert_eq!(picture_size(&bytes, Default::default).unwrap(), (8, 4), "{name}");
        let pixels = decode_picture(&bytes, Default::default).unwrap();
        assert_eq!(pixels.len(), 8 * 4 * 4, "{name}");
        for (pixel, wanted) in [(0, [200, 40, 40, 255]), (7, [40, 40, 200, 255])] {
            let found = &pixels[pixel * 4..][..4];
            assert!(found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= tolerance), "{name}: {found:?}");
        }
        // Whatever the name of the file.
        let bench = Bench::new(&[("hero.json", &hero()), ("hero.atlas", &hero_atlas()), ("page.png", &bytes)]);
        let opened = bench.open("hero.json");
        assert_eq!((opened.messages(), opened.errors), (vec![], 0), "{name}");
        assert_eq!(&opened.character.model().pages()[0].pixels[..], pixels, "{name}");
    }
    let fade = decode_picture(&picture("fade.webp"), Default::default).unwrap();
    assert!(fade[3] < 16 && fade[fade.len() - 1] > 240, "alpha grows downwards: {fade:?}");
    let mut options = ReadOptions::default();
    options.limits.pixels = 8 * 4 - 1;
    for name in ["red-blue.jpg", "red-blue.webp"] {
        let bench = Bench::new(&[("hero.json", &hero()), ("hero.atlas", &hero_atlas())]);
        bench.write("page.png", &picture(name));
        let error = pchr::formats::open(&bench.path("hero.json"), &options, &mut Diagnostics::default());
        assert_eq!(error.unwrap_err().code(), "limit-exceeded", "{name}");
    }
}

/// A PNG whose palette has 4 bytes, on which its decoder panics.
fn palette_of_four() -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, content) in [
        (b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0][..]),
        (b"PLTE", &[0; 4]),
        (b"IDAT", &[0x78, 0xda, 0x63, 0x60, 0, 0, 0, 2, 0, 1]),
        (b"IEND", &[]),
    ] {
        png.extend((content.len() as u32).to_be_bytes());
        let start = png.len();
        png.extend(name);
        png.extend(content);
        let mut crc = flate2::Crc::new();
        crc.update(&png[start..]);
        png.extend(crc.sum().to_be_bytes());
    }
    png
}

#[test]
fn a_broken_page_is_treated_as_a_missing_one() {
    let two_pages = [atlas("page.png", &["head", "arm"]), atlas("broken.png", &["leg", "hat"])].concat();
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() * 3 / 4].to_vec();
    let broken = [
        ("empty", Vec::new()),
        ("text", b"this was a picture once\n".to_vec()),
        ("PNG cut", cut(page())),
        ("PNG header cut", page()[..20].to_vec()),
        ("JPEG cut", cut(picture("red-blue.jpg"))),
        ("JPEG header cut", picture("red-blue.jpg")[..20].to_vec()),
        ("WebP cut", cut(picture("red-blue.webp"))),
        ("WebP header cut", picture("red-blue-lossy.webp")[..16].to_vec()),
        ("palette", palette_of_four()),
    ];
    for (what, bytes) in broken {
        let bench = Bench::new(&[("hero.json", &hero()), ("hero.atlas", &two_pages), ("page.png", &page())]);
        bench.write("broken.png", &bytes);
        let opened = bench.open("hero.json");
        let messages = opened.messages();
        assert_eq!(
            (opened.pages(), opened.errors, messages.len()),
            (vec!["page.png"], 1, 1),
            "{what}: {messages:?}"
        );
        let begins = "missing-image: hero.atlas: line 12: `broken.png` is broken: ";
        assert!(
            messages[0].starts_with(begins) && messages[0].ends_with("its attachments have no image"),
            "{what}: {messages:?}"
        );
        let pages = opened.character.model().attachments().iter().map(|it| it.mesh().and_then(|mesh| mesh.page));
        let drawn = pages.filter(Option::is_some).count();
        assert_eq!(drawn, 2, "{what}: attachments on the other page are drawn");
        // The same picture as a loose file.
        bench.write("hero.atlas", b"");
        fs::remove_file(bench.path("hero.atlas")).unwrap();
        bench.write("images/head.png", &bytes);
        bench.write("images/arm.png", &page());
        assert_eq!((bench.open("hero.json").pages(), bench.open("hero.json").errors), (vec!["images/arm.png"], 3));
    }
}

#[test]
fn conformance_a_palette_that_panics_is_an_error() {
    let Some(folder) = conformance("hostile/png-plte-panic") else { return };
    let bytes = fs::read(folder.join("bomb.png")).expect("a readable file");
    let error = pchr::formats::image::decode_png(&bytes, Default::default).unwrap_err();
    assert_eq!(error.code(), "bad-png", "{error}");
    assert!(error.to_string().contains("palette has 4 bytes"), "{error}");
}

#[test]
fn the_actual_size_of_a_picture_counts() {
    // Padded after packing, so the regions are still at their places.
    let bench = Bench::new(&[("hero.json", &hero()), ("hero.atlas", &hero_atlas()), ("page.png", &png(16, 16))]);
    let opened = bench.open("hero.json");
    let (x, y) = (4.0 / 16.0, 2.0 / 16.0);
    assert_eq!(opened.uvs(), [[0.0, y], [0.0, 0.0], [x, 0.0], [x, y]]);
    let messages = opened.messages();
    assert_eq!((messages.len(), opened.errors), (1, 0), "{messages:?}");
    assert!(messages[0].starts_with("page-size: hero.atlas: "), "{messages:?}");
    assert!(messages[0].contains("the atlas states 8×4 for `page.png`, but it is 16×16"), "{messages:?}");
    // A missing size is not a different one.
    for stated in ["", "size: 0, 0\n"] {
        let text = String::from_utf8(hero_atlas()).unwrap().replace("size: 8,4\n", stated);
        bench.write("hero.atlas", text.as_bytes());
        assert_eq!((bench.open("hero.json").messages(), bench.open("hero.json").uvs()[2]), (vec![], [x, 0.0]));
    }
}

#[test]
fn regions_that_do_not_fit_are_scaled_with_their_page() {
    // Unity squares pages, which shrinks one side and enlarges the other.
    let text = "\npage.png\nsize: 24,8\nhead\n  xy: 12, 0\n  size: 12, 4\narm\n  rotate: true\n  xy: 0, 4\n  size: 4, 2\n";
    let bench = Bench::new(&[("hero.json", &skeleton(&["head", "arm"])), ("hero.atlas", text.as_bytes())]);
    let uvs = |size: (u32, u32)| {
        bench.write("page.png", &png(size.0, size.1));
        let opened = bench.open("hero.json");
        (opened.uvs()[2], opened.messages().join(""))
    };
    assert_eq!(uvs((24, 8)), ([1.0, 0.0], String::new()));
    let scaled = "page-size: hero.atlas: line 2: the atlas states 24×8 for `page.png`, but it is 16×16; its regions do not fit, so \
                  they are scaled with it";
    assert_eq!(uvs((16, 16)), ([1.0, 0.0], scaled.to_owned()));
    assert_eq!(uvs((12, 4)).0, [1.0, 0.0]);
    // Padded.
    let (corner, message) = uvs((32, 16));
    assert_eq!(corner, [0.75, 0.0]);
    assert!(message.ends_with("regions use the actual size"), "{message}");
    // What does not fit the stated size either is drawn as it is.
    bench.write("hero.atlas", text.replace("size: 24,8", "size: 16,8").as_bytes());
    let (corner, message) = uvs((8, 8));
    assert_eq!(corner, [3.0, 0.0]);
    let outside =
        "frame-outside: hero.atlas: line 4: region `head` reaches from 12,0 to 24,4, but its page has 8×8 pixels";
    assert!(message.ends_with(&format!("regions use the actual size{outside}")), "{message}");
    // Two pages may share a picture under different sizes.
    bench
        .write("hero.atlas", format!("{text}\npage.png\nsize: 16,16\nleg\n  xy: 0, 0\n  size: 4, 4\n").as_bytes());
    assert_eq!(uvs((16, 16)), ([1.0, 0.0], scaled.to_owned()));
}

#[test]
fn loose_pictures_are_in_the_images_folder() {
    for (images, folder) in [
        ("./images/", "images/"),
        ("art/parts", "art/parts/"),
        ("art\\parts\\", "art/parts/"),
        ("", ""),
        ("", "images/"),
        // Outside the folder, so next to the file.
        ("../images/", ""),
        ("../images/", "images/"),
        ("/home/somebody/images/", ""),
        ("C:\\art\\images", ""),
    ] {
        let bench = Bench::new(&[("hero.json", &with_images(images, &["head", "body/arm", "leg.png", "Hat"]))]);
        bench.write(&format!("{folder}head.png"), &page());
        bench.write(&format!("{folder}body/arm.jpg"), &picture("red-blue.jpg"));
        bench.write(&format!("{folder}leg.png"), &page());
        bench.write(&format!("{folder}hat.WebP"), &picture("red-blue.webp"));
        let opened = bench.open("hero.json");
        assert_eq!((opened.pages().len(), opened.errors), (4, 0), "{images}: {:?}", opened.messages());
        assert_eq!(opened.messages(), [""; 0]);
        assert!(opened.looked_up(&bench.path(&format!("{folder}body/arm.jpg"))));
    }
    let bench =
        Bench::new(&[("hero.json", &with_images("../images/", &["head"])), ("../images/head.png", &page())]);
    assert!(bench.open("hero.json").pages().is_empty());
}

#[test]
fn spaces_at_the_ends_of_names_only_matter_if_there_are_both() {
    for (wanted, regions) in [("b ", "b "), ("b ", "b"), ("b", "b "), (" b", "b\t")] {
        let bench = Bench::new(&[("hero.json", &skeleton(&["a", wanted]))]);
        bench.write("hero.atlas", &atlas("page.png", &["a", regions]));
        bench.write("page.png", &page());
        assert_eq!(bench.open("hero.json").messages(), [""; 0], "`{wanted}`, `{regions}`");
        // By its regions, too.
        fs::rename(bench.path("hero.atlas"), bench.path("any.atlas")).unwrap();
        let messages = bench.open("hero.json").messages();
        assert!(messages.len() == 1 && messages[0].contains("it has 2 of the 2 regions"), "{messages:?}");
    }
    let bench = Bench::new(&[("hero.json", &skeleton(&["b ", "b"])), ("page.png", &page())]);
    let both =
        String::from_utf8(atlas("page.png", &["b", "b "])).unwrap().replace("b \n  xy: 0, 0", "b \n  xy: 4, 0");
    bench.write("hero.atlas", both.as_bytes());
    assert_eq!(bench.open("hero.json").uvs()[0][0], 0.5);
}

/// The names of what pictures show at rest, and the width of the visible area.
fn drawn(opened: &Opened) -> (Vec<&str>, f32) {
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

#[test]
fn regions_that_the_atlas_lacks_are_hidden_if_it_has_others() {
    let hero = br#"{"skeleton":{"spine":"3.8.99"},"bones":[{"name":"root"}],
        "slots":[{"name":"head","bone":"root","attachment":"head"},{"name":"hat","bone":"root","attachment":"hat"}],
        "skins":[{"name":"default","attachments":{"head":{"head":{"width":8,"height":4}},
        "hat":{"hat":{"width":8,"height":4,"x":100},"cap":{"width":8,"height":4}}}}]}"#;
    let hidden = (vec!["head"], 8.0);
    let boxes = (vec!["head", "hat"], 108.0);
    for (regions, missing, expected) in [
        (&["head"][..], None, &hidden),
        (&["head"], Some(Missing::Hide), &hidden),
        (&["head"], Some(Missing::Box), &boxes),
        (&["head", "hat", "cap"], Some(Missing::Hide), &boxes),
        // Not the atlas of the character.
        (&["tail"], None, &boxes),
        (&["tail"], Some(Missing::Hide), &(vec![], f32::NEG_INFINITY)),
    ] {
        let bench = Bench::new(&[("hero.json", hero), ("hero.atlas", &atlas("page.png", regions))]);
        bench.write("page.png", &page());
        let options = ReadOptions { missing, ..ReadOptions::default() };
        let opened = bench.open_with("hero.json", &options);
        assert_eq!(&drawn(&opened), expected, "{regions:?}, {missing:?}");
        let outcome = if expected == &boxes { "drawn in a neutral colour" } else { "hidden" };
        let lack = match regions {
            ["head"] => format!("the atlas lacks 2 regions, which are {outcome}: `hat`, `cap`"),
            ["tail"] => format!("the atlas lacks 3 regions, which are {outcome}: `head`, `hat`, `cap`"),
            _ => continue,
        };
        let messages = opened.messages();
        assert!(messages.len() == 1 && messages[0].ends_with(&lack), "{messages:?}");
        assert_eq!(opened.errors, 1);
        // Without its page, nothing has a picture.
        fs::remove_file(bench.path("page.png")).unwrap();
        let is_hidden = missing == Some(Missing::Hide);
        assert_eq!(drawn(&bench.open_with("hero.json", &options)).0.is_empty(), is_hidden);
    }
    // Loose pictures are not left out on purpose.
    let bench = Bench::new(&[("hero.json", hero), ("head.png", &page())]);
    assert_eq!(drawn(&bench.open("hero.json")), boxes);
}

const SHEET: &str = r#"{"frames":[{"filename":"0","frame":{"x":0,"y":0,"w":4,"h":4}},
    {"filename":"1","frame":{"x":4,"y":0,"w":4,"h":4}}],"meta":{"image":"sheet.png","size":{"w":8,"h":4}}}"#;

#[test]
fn the_picture_of_a_sheet_can_be_given_and_has_any_format() {
    let bench = Bench::new(&[("walk.json", SHEET.as_bytes()), ("../far/any.webp", &picture("red-blue.webp"))]);
    let opened = bench.open("walk.json");
    assert_eq!((opened.pages().len(), opened.errors), (0, 1), "{:?}", opened.messages());
    let options = ReadOptions { atlases: vec![bench.path("../far/any.webp")], ..ReadOptions::default() };
    let opened = bench.open_with("walk.json", &options);
    assert_eq!((opened.messages(), opened.errors), (vec![], 0));
    let page = &opened.character.model().pages()[0];
    assert_eq!((page.width, page.height, &page.pixels[..4]), (8, 4, &[200, 40, 40, 255][..]));
    assert!(opened.looked_up(&bench.path("../far/any.webp")));
    // Next to the sheet it is still found.
    bench.write("sheet.png", &picture("red-blue.jpg"));
    assert_eq!(bench.open("walk.json").pages(), ["sheet.png"]);

    let texture = r#"{"image":"IMAGE","frames":[{"filename":"a","frame":{"x":0,"y":0,"w":4,"h":4}}]}"#;
    let (one, two) = (texture.replace("IMAGE", "one.png"), texture.replace("IMAGE", "two.png"));
    bench.write("several.json", format!(r#"{{"textures":[{one},{two}],"meta":{{}}}}"#).as_bytes());
    let refused = pchr::formats::open(&bench.path("several.json"), &options, &mut Diagnostics::default());
    assert!(refused.unwrap_err().to_string().contains("the sheet has several"));
}

/// Links inside the folder are followed; all others are refused where they lead out, whether the target exists or
/// not.
#[test]
#[cfg(unix)]
fn links_are_followed_inside_and_refused_before_they_lead_out() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new(&[("hero.json", &hero()), ("art/page.png", &page())]);
    fs::create_dir(bench.path("../elsewhere")).expect("a folder");
    let link = |to: &Path, name: &str| symlink(to, bench.path(name)).expect("a link");
    link(Path::new("art/page.png"), "a.png");
    link(&bench.path("art"), "b");
    link(Path::new("../art/page.png"), "art/c.png");
    link(Path::new("art/../art/./page.png"), "d.png");
    link(Path::new("../characters/art/page.png"), "round.png");
    link(&bench.path("../elsewhere"), "out");
    link(Path::new("../elsewhere/nothing.png"), "nothing.png");
    link(Path::new("loop.png"), "loop.png");
    link(Path::new("/"), "root");
    let expected = [
        ("a.png", Ok(())),
        ("b/page.png", Ok(())),
        ("b/../b/page.png", Err("leads out")),
        ("art/c.png", Ok(())),
        ("d.png", Ok(())),
        ("round.png", Err("is a link that leads out")),
        ("out/page.png", Err("is a link that leads out")),
        ("out/further/page.png", Err("is a link that leads out")),
        ("nothing.png", Err("is a link that leads out")),
        ("root/etc/page.png", Err("is a link that leads out")),
        ("loop.png", Err("too many links")),
        ("art/nothing.png", Err("does not exist")),
        ("art", Err("is not a file")),
        ("art/page.png/x.png", Err("cannot be accessed")),
    ];
    for (name, found) in expected {
        bench.write("hero.atlas", &atlas(name, &PARTS));
        let opened = bench.open("hero.json");
        match found {
            Ok(()) => assert_eq!((opened.pages().len(), opened.errors), (1, 0), "{name}: {:?}", opened.messages()),
            Err(why) => assert!(opened.messages()[0].contains(why), "{name}: {:?}", opened.messages()),
        }
        let is_out = |file: &&PathBuf| matches!(found, Err(why) if why.contains("out")) && file.ends_with(name);
        assert_eq!(opened.files.iter().find(is_out), None, "{name} is watched");
    }
    // The possible atlas follows the same rule.
    fs::remove_file(bench.path("hero.atlas")).expect("it is there");
    link(&bench.path("../elsewhere/hero.atlas"), "hero.atlas");
    let opened = bench.open("hero.json");
    assert!(!opened.files.contains(&bench.path("hero.atlas")), "{:?}", opened.files);
}
