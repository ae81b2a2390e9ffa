//! Straight and premultiplied pages: how they are detected, reported, overridden and written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::program;
use crate::common::program::{fine, pchr, refused};
use crate::common::random::noisy;
use crate::common::{conformance_files, say};
use crate::quirks::spine::{ATLAS, SKELETON};
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::formats::image::{decode_png, encode_png, png_size};
use pchr::formats::table::extensions;
use pchr::formats::{Folder, Input, PageAlpha, ReadOptions, examine, open};
use pchr::math::color::{premultiply, unpremultiply};
use pchr::model::{AlphaSource, AtlasPage};
use serde_json::{Value, json};
use tempfile::TempDir;

const SIDE: u32 = 64;

/// Straight pixels: four colours with all alpha values.
fn straight() -> Vec<[u8; 4]> {
    const COLORS: [[u8; 3]; 4] = [[250, 240, 230], [180, 60, 40], [90, 120, 200], [40, 44, 30]];
    let pixel = |at: u32| {
        let [r, g, b] = COLORS[(at / 1024) as usize];
        let alpha = (at % 256) as u8;
        if alpha == 0 { [0; 4] } else { [r, g, b, alpha] }
    };
    (0..SIDE * SIDE).map(pixel).collect()
}

fn premultiplied() -> Vec<[u8; 4]> {
    straight().into_iter().map(premultiply).collect()
}

fn png(pixels: &[[u8; 4]]) -> Vec<u8> {
    encode_png(SIDE, SIDE, pixels.as_flattened()).expect("a picture")
}

/// The atlas of a page with the size of [`premultiplied`], with additional lines for that page.
fn atlas(statements: &str) -> String {
    ATLAS.replace("size: 4, 4", &format!("size: 64, 64{statements}"))
}

/// The skeleton of the quirks, with its own pages.
struct Hero {
    folder: TempDir,
}

impl Hero {
    fn new(atlas: &str, pages: &[(&str, Vec<[u8; 4]>)]) -> Self {
        let hero = Self { folder: TempDir::new().expect("a temporary folder") };
        hero.write("hero.json", SKELETON.as_bytes());
        hero.write("hero.atlas", atlas.as_bytes());
        pages.iter().for_each(|(name, pixels)| hero.write(name, &png(pixels)));
        hero
    }

    fn plain(pixels: Vec<[u8; 4]>) -> Self {
        Self::new(&atlas(""), &[("page.png", pixels)])
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file that can be written");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn at(&self) -> &Path {
        self.folder.path()
    }
}

fn with(page_alpha: PageAlpha) -> ReadOptions {
    ReadOptions { page_alpha, ..ReadOptions::default() }
}

fn pages(path: &Path, options: &ReadOptions) -> Vec<AtlasPage> {
    let character = open(path, options, &mut Diagnostics::default()).unwrap_or_else(|error| panic!("{error}"));
    character.model().pages().to_vec()
}

/// How each page is read, and why.
fn verdicts(path: &Path, page_alpha: PageAlpha) -> Vec<(bool, AlphaSource)> {
    pages(path, &with(page_alpha)).iter().map(|page| (page.is_premultiplied, page.alpha_source)).collect()
}

/// Severity and code of the findings about alpha.
fn found(path: &Path, page_alpha: PageAlpha) -> Vec<(Severity, &'static str)> {
    let input = Input { bytes: fs::read(path).expect("a file").into(), sidecars: &Folder::of(path) };
    let found = examine(&input, &with(page_alpha)).expect("it can be examined");
    let codes = found.findings().iter().map(|finding| (finding.severity, finding.fault.code));
    codes.filter(|(_, code)| code.ends_with("-alpha")).collect()
}

const NOTE: (Severity, &str) = (Severity::Note, "page-alpha");
const WARNING: (Severity, &str) = (Severity::Warning, "doubtful-alpha");

// ---- Detection

#[test]
fn pixels_decide_if_the_atlas_does_not_state_it() {
    for (pixels, is_premultiplied, reported) in [(straight(), false, vec![]), (premultiplied(), true, vec![NOTE])]
    {
        let hero = Hero::plain(pixels);
        let path = hero.path("hero.json");
        assert_eq!(verdicts(&path, PageAlpha::Auto), [(is_premultiplied, AlphaSource::Pixels)]);
        assert_eq!(found(&path, PageAlpha::Auto), reported);
    }
    let opaque = vec![[200, 100, 50, 255]; (SIDE * SIDE) as usize];
    let hero = Hero::plain(opaque);
    assert_eq!(verdicts(&hero.path("hero.json"), PageAlpha::Auto), [(false, AlphaSource::Assumed)]);
    assert_eq!(found(&hero.path("hero.json"), PageAlpha::Auto), []);
}

#[test]
fn the_statement_of_an_atlas_overrides_pixels() {
    for (pma, pixels, reported) in [
        (true, premultiplied(), vec![]),
        (true, straight(), vec![WARNING]),
        (false, straight(), vec![]),
        (false, premultiplied(), vec![WARNING]),
    ] {
        let hero = Hero::new(&atlas(&format!("\npma: {pma}")), &[("page.png", pixels)]);
        let path = hero.path("hero.json");
        assert_eq!(verdicts(&path, PageAlpha::Auto), [(pma, AlphaSource::Stated)]);
        assert_eq!(found(&path, PageAlpha::Auto), reported, "pma: {pma}");
        // An explicit option leaves no doubt.
        for (option, expected) in [(PageAlpha::Straight, false), (PageAlpha::Premultiplied, true)] {
            assert_eq!(verdicts(&path, option), [(expected, AlphaSource::Forced)]);
            assert_eq!(found(&path, option), []);
        }
    }
}

#[test]
fn all_pages_of_an_atlas_are_decided_together() {
    let dark = vec![[9, 9, 9, 200]; (SIDE * SIDE) as usize];
    let more =
        |states: &str| format!("{}\n\nmore.png\nsize: 64, 64{states}\nhat\nbounds: 0, 0, 64, 64\n", atlas(""));
    let hero = |atlas: &str, page, more| Hero::new(atlas, &[("page.png", page), ("more.png", more)]);
    let of = |hero: Hero| verdicts(&hero.path("hero.json"), PageAlpha::Auto);
    // The dark page alone would count as straight.
    assert_eq!(of(Hero::plain(dark.clone())), [(false, AlphaSource::Assumed)]);
    let both = [(true, AlphaSource::Pixels); 2];
    assert_eq!(of(hero(&more(""), dark.clone(), premultiplied())), both);
    assert_eq!(of(hero(&more(""), premultiplied(), dark.clone())), both);
    let both = [(false, AlphaSource::Pixels); 2];
    assert_eq!(of(hero(&more(""), straight(), premultiplied())), both);
    // A page with a statement does not influence the others.
    let expected = [(false, AlphaSource::Assumed), (true, AlphaSource::Stated)];
    assert_eq!(of(hero(&more("\npma: true"), dark.clone(), premultiplied())), expected);
}

#[test]
fn loose_pictures_are_decided_together() {
    let hero = Hero { folder: TempDir::new().expect("a temporary folder") };
    // In its own folder, because atlases are also searched in sibling folders.
    hero.write("alone/hero.json", SKELETON.as_bytes());
    let dark = vec![[9, 9, 9, 200]; (SIDE * SIDE) as usize];
    for (name, pixels) in [("body", premultiplied()), ("arm", dark.clone()), ("sleeve", dark)] {
        hero.write(&format!("alone/images/{name}.png"), &png(&pixels));
    }
    let verdicts = verdicts(&hero.path("alone/hero.json"), PageAlpha::Auto);
    assert!(verdicts.len() >= 2, "{verdicts:?}");
    assert!(verdicts.iter().all(|verdict| *verdict == (true, AlphaSource::Pixels)), "{verdicts:?}");
}

fn sheet(image: &str) -> Value {
    let frame = |x: u32| json!({"frame": {"x": x, "y": 0, "w": 32, "h": 64}, "duration": 100});
    json!({"frames": {"a": frame(0), "b": frame(32)}, "meta": {"image": image, "size": {"w": 64, "h": 64}}})
}

#[test]
fn sheets_are_decided_by_their_pixels() {
    let folder = program::folder();
    let at = folder.path();
    fs::write(at.join("walk.json"), sheet("walk.png").to_string()).expect("a file");
    for (pixels, expected, reported) in [(straight(), false, vec![]), (premultiplied(), true, vec![NOTE])] {
        fs::write(at.join("walk.png"), png(&pixels)).expect("a file");
        fine(at, &["convert", "walk.json", "-o", "walk.sprsh", "--force"]);
        for name in ["walk.json", "walk.sprsh"] {
            let path = at.join(name);
            assert_eq!(verdicts(&path, PageAlpha::Auto), [(expected, AlphaSource::Pixels)], "{name}");
            assert_eq!(verdicts(&path, PageAlpha::Straight), [(false, AlphaSource::Forced)], "{name}");
            assert_eq!(found(&path, PageAlpha::Auto), reported, "{name}");
        }
        let options = ReadOptions {
            grid: Some(pchr::formats::Grid {
                width: 32,
                height: 64,
                count: None,
                ..pchr::formats::Grid::default()
            }),
            ..ReadOptions::default()
        };
        assert_eq!(pages(&at.join("walk.png"), &options)[0].is_premultiplied, expected);
    }
}

/// A character in every format that defines straight alpha.
const STATED: [&str; 5] = ["hero.pchr", "json/hero.json", "pachario/hero.json", "packed.pchr", "hero.skf"];

fn in_every_format(hero: &Hero) {
    for (output, to) in STATED.into_iter().zip(["pchr", "pchr-json", "pachario", "pachario-packed", "skelform"]) {
        let folder = hero.path(output);
        fs::create_dir_all(folder.parent().expect("a folder")).expect("a folder");
        fine(hero.at(), &["convert", "hero.json", "-o", output, "--to", to, "--page-alpha", "straight", "-q"]);
    }
}

#[test]
fn straight_formats_stay_straight_and_doubts_are_reported() {
    let hero = Hero::plain(premultiplied());
    in_every_format(&hero);
    for name in STATED {
        let path = hero.path(name);
        assert_eq!(verdicts(&path, PageAlpha::Auto), [(false, AlphaSource::Stated)], "{name}");
        assert_eq!(verdicts(&path, PageAlpha::Premultiplied), [(true, AlphaSource::Forced)], "{name}");
        assert_eq!(found(&path, PageAlpha::Auto), [WARNING], "{name}");
        assert_eq!(found(&path, PageAlpha::Straight), [], "{name}");
    }
    let hero = Hero::plain(straight());
    in_every_format(&hero);
    for name in STATED {
        assert_eq!(found(&hero.path(name), PageAlpha::Auto), [], "{name}");
    }
}

// ---- Drawing and writing

/// Straight pixels of the PNG at `path`.
fn pixels(path: &Path) -> Vec<[u8; 4]> {
    let png = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    decode_png(&png, Default::default).expect("a picture").as_chunks::<4>().0.to_vec()
}

#[test]
fn both_kinds_of_pages_are_drawn_alike() {
    let folder = program::folder();
    let at = folder.path();
    let picture = |name: &str, pages: Vec<[u8; 4]>, more: &[&str]| {
        fs::write(at.join("walk.json"), sheet("walk.png").to_string()).expect("a file");
        fs::write(at.join("walk.png"), png(&pages)).expect("a file");
        let out = format!("{name}.png");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pchr-view"));
        command.current_dir(at).args(["walk.json", "-o", &out, "--backend", "cpu", "-q"]).args(more);
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{}", program::stderr(&output));
        pixels(&at.join(out))
    };
    let right = picture("straight", straight(), &[]);
    assert_eq!(picture("premultiplied", premultiplied(), &[]), right);
    assert_eq!(picture("forced", premultiplied(), &["--page-alpha", "premultiplied"]), right);
    let dark = picture("dark", premultiplied(), &["--page-alpha", "straight"]);
    assert_ne!(dark, right);
    let is_darker = |(dark, right): (&[u8; 4], &[u8; 4])| (0..3).all(|channel| dark[channel] <= right[channel]);
    assert!(dark.iter().zip(&right).all(is_darker), "multiplying twice makes it darker");
}

#[test]
fn premultiplied_pages_are_converted_to_straight_pictures() {
    let hero = Hero::plain(premultiplied());
    let expected: Vec<[u8; 4]> = premultiplied().into_iter().map(unpremultiply).collect();
    for (output, to) in [("a.pchr", "pchr"), ("c.skf", "skelform"), ("d/d.json", "pachario")] {
        fs::create_dir_all(hero.path(output).parent().expect("a folder")).expect("a folder");
        fine(hero.at(), &["convert", "hero.json", "-o", output, "--to", to, "-q"]);
        let written = pages(&hero.path(output), &ReadOptions::default());
        assert!(!written[0].is_premultiplied, "{to}");
        assert_eq!(written[0].pixels.as_chunks::<4>().0, expected, "{to}");
    }
    // The pages of another version of Spine are the same files.
    fs::create_dir_all(hero.path("b")).expect("a folder");
    fine(hero.at(), &["convert", "hero.json", "-o", "b/hero.json", "--to", "spine42", "-q"]);
    assert_eq!(fs::read(hero.path("b/page.png")).expect("the page"), fs::read(hero.path("page.png")).expect("it"));
    // PCHR images are straight, so premultiplied ones are converted on request, and no later command needs the
    // option.
    in_every_format(&hero);
    fs::create_dir_all(hero.path("out")).expect("a folder");
    for name in STATED {
        let args = ["convert", name, "-o", "out/again.pchr", "--page-alpha", "premultiplied", "--force", "-q"];
        fine(hero.at(), &args);
        let written = pages(&hero.path("out/again.pchr"), &ReadOptions::default());
        assert_eq!(written[0].pixels.as_chunks::<4>().0, expected, "{name}");
        // Also if keys are kept.
        let args = ["convert", name, "-o", "out/again.skf", "--page-alpha", "premultiplied", "--force", "-q"];
        fine(hero.at(), &args);
        let written = pages(&hero.path("out/again.skf"), &ReadOptions::default());
        assert_eq!(written[0].pixels.as_chunks::<4>().0, expected, "{name}");
        assert_eq!(found(&hero.path("out/again.skf"), PageAlpha::Auto), [], "{name}");
    }
}

#[test]
fn sheets_converted_to_sheets_keep_their_pictures() {
    let folder = program::folder();
    let at = folder.path();
    fs::write(at.join("walk.json"), sheet("walk.png").to_string()).expect("a file");
    fs::write(at.join("walk.png"), png(&premultiplied())).expect("a file");
    for (output, to) in
        [("walk.sprsh", "sheet-packed"), ("list/walk.json", "sheet"), ("multi/walk.json", "sheet-multiatlas")]
    {
        let said = program::stderr(&fine(at, &["convert", "walk.json", "-o", output, "--to", to]));
        assert!(said.contains("the images stay premultiplied"), "{said}");
        let page = &pages(&at.join(output), &ReadOptions::default())[0];
        assert_eq!((page.is_premultiplied, page.pixels.as_chunks::<4>().0), (true, &premultiplied()[..]), "{to}");
    }
}

#[test]
fn diff_compares_the_meaning_of_pixels() {
    let hero = Hero::plain(premultiplied());
    hero.write("other/hero.json", SKELETON.as_bytes());
    hero.write("other/hero.atlas", atlas("").as_bytes());
    let rounded: Vec<[u8; 4]> = premultiplied().into_iter().map(unpremultiply).collect();
    hero.write("other/page.png", &png(&rounded));
    fine(hero.at(), &["diff", "hero.json", "other/hero.json"]);
    // The same bytes with another meaning.
    hero.write("other/page.png", &png(&premultiplied()));
    hero.write("other/hero.atlas", atlas("\npma: false").as_bytes());
    assert_eq!(pchr(hero.at(), &["diff", "hero.json", "other/hero.json"]).status.code(), Some(1));
    fine(hero.at(), &["diff", "hero.json", "other/hero.json", "--page-alpha", "straight"]);
}

// ---- Reports and options

#[test]
fn inspect_reports_the_decision() {
    let hero = Hero::plain(premultiplied());
    let reported = |name: &str, more: &[&str]| {
        let args = [&["inspect", name, "--only", "images"], more].concat();
        let text = String::from_utf8(fine(hero.at(), &args).stdout).expect("UTF-8");
        let json = fine(hero.at(), &[&args[..], &["--json"]].concat()).stdout;
        let json: Value = serde_json::from_slice(&json).expect("JSON");
        let image = &json["files"][0]["images"][0];
        (text, format!("{} {}", image["alpha"].as_str().unwrap(), image["alpha_source"].as_str().unwrap()))
    };
    let (text, json) = reported("hero.json", &[]);
    assert_eq!(json, "premultiplied pixels");
    assert!(text.contains("premultiplied, detected from the pixels"), "{text}");
    let (text, json) = reported("hero.json", &["--page-alpha", "straight"]);
    assert_eq!(json, "straight forced");
    assert!(text.contains("straight, as requested"), "{text}");
    hero.write("hero.atlas", atlas("\npma: true").as_bytes());
    assert_eq!(reported("hero.json", &[]).1, "premultiplied stated");
    in_every_format(&hero);
    for name in STATED {
        assert_eq!(reported(name, &[]).1, "straight stated", "{name}");
        assert_eq!(reported(name, &["--page-alpha", "premultiplied"]).1, "premultiplied forced", "{name}");
    }
}

#[test]
fn every_command_that_reads_a_character_has_the_option() {
    let hero = Hero::plain(premultiplied());
    in_every_format(&hero);
    let alpha = ["--page-alpha", "straight"];
    for args in [
        &["inspect", "hero.json"][..],
        &["validate", "hero.json", "--deny", "warnings"],
        &["diff", "hero.json", "hero.json"],
        &["convert", "hero.json", "-o", "new.pchr"],
        &["unpack", "hero.pchr", "-o", "unpacked"],
        &["pack", "json/hero.json", "-o", "packed-again.pchr"],
    ] {
        fine(hero.at(), &[args, &alpha].concat());
    }
    let text = String::from_utf8(fine(hero.at(), &["validate", "hero.json"]).stdout).expect("UTF-8");
    assert!(text.contains("page-alpha") && text.contains("--page-alpha straight"), "{text}");
    let text = fine(hero.at(), &["validate", "hero.json", "--page-alpha", "premultiplied"]).stdout;
    assert!(!String::from_utf8_lossy(&text).contains("page-alpha"));
    // Commands that keep pixels cannot reinterpret them.
    for args in [["unpack", "hero.pchr", "-o", "else"], ["pack", "json/hero.json", "-o", "else.pchr"]] {
        let said = refused(hero.at(), 2, &[&args[..], &["--page-alpha", "premultiplied"]].concat());
        assert!(said.contains("use --page-alpha with `pchr convert`"), "{said}");
    }
}

// ---- Real files

/// Files with premultiplied pages that nothing marks as such. The first is Esoteric's own and says so in its name;
/// read as straight, the sparks of the second are grey over white and missing over black.
const PREMULTIPLIED: [&str; 2] = ["spine/examples/powerup/powerup-pma.png", "sheets/real/pixi-mc/mc.png"];

/// Checks every picture by itself, and every character with the verdict on all of its pages.
#[test]
fn conformance_no_picture_is_misjudged() {
    // Without the hostile files, which other tests cover.
    let parts = ["pchr", "sheets", "skelform/samples", "spine", "spine4"];
    let paths: Vec<PathBuf> = parts.into_iter().flat_map(|part| conformance_files(part, "")).collect();
    let (mut counts, mut faults) = (BTreeMap::new(), Vec::new());
    for path in &paths {
        let name = path.display().to_string();
        let is = |extension: &str| name.ends_with(extension);
        let mut options = ReadOptions::default();
        if is(".png") {
            // One frame of a pixel, whatever the size of the picture.
            options.grid = Some(pchr::formats::Grid {
                width: 1,
                height: 1,
                count: Some(1),
                ..pchr::formats::Grid::default()
            });
        } else if !extensions().iter().any(|extension| is(&format!(".{extension}"))) {
            continue;
        }
        // Hostile and broken files are covered by other tests.
        let Ok(character) = open(path, &options, &mut Diagnostics::default()) else { continue };
        let model = character.model();
        let names: Vec<&str> = model.pages().iter().map(|page| &*page.name).collect();
        let is_known = |page: &&str| PREMULTIPLIED.iter().any(|known| Path::new(known).ends_with(page));
        let expected = names.iter().any(is_known);
        for page in model.pages() {
            *counts.entry((page.is_premultiplied, format!("{:?}", page.alpha_source))).or_insert(0) += 1;
            if page.is_premultiplied != expected {
                faults.push(format!("{name}: {} is read as premultiplied: {}", page.name, page.is_premultiplied));
            }
        }
    }
    say(&format!("pages by verdict and its source: {counts:?}"));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // The project has no premultiplied page of its own.
    if !conformance_files("spine/examples", ".png").is_empty() {
        assert!(counts.get(&(true, "Pixels".to_owned())).is_some_and(|count| *count >= 2), "{counts:?}");
        assert!(counts.get(&(false, "Pixels".to_owned())).is_some_and(|count| *count >= 30), "{counts:?}");
    }
}

/// The art of the lamp, multiplied, and with lossy noise, beside an atlas that does not say so.
#[test]
fn multiplied_art_without_a_word_is_recognised() {
    let assets = crate::common::root().join("assets");
    let png = fs::read(assets.join("paper-lamp.png")).expect("the page");
    let (width, height) = png_size(&png).expect("a picture");
    let straight: Vec<[u8; 4]> =
        decode_png(&png, Default::default).expect("a picture").as_chunks::<4>().0.to_vec();
    let multiplied: Vec<[u8; 4]> = straight.iter().copied().map(premultiply).collect();
    for (pixels, expected) in [(&straight, false), (&multiplied, true)] {
        for most in [0, 4, 8] {
            let folder = TempDir::new().expect("a temporary folder");
            for name in ["paper-lamp.json", "paper-lamp.atlas"] {
                fs::copy(assets.join(name), folder.path().join(name)).expect("a copy");
            }
            let page = encode_png(width, height, noisy(pixels, most).as_flattened()).expect("a picture");
            fs::write(folder.path().join("paper-lamp.png"), page).expect("the page");
            let found = verdicts(&folder.path().join("paper-lamp.json"), PageAlpha::Auto);
            assert_eq!(found, [(expected, AlphaSource::Pixels)], "noise {most}");
        }
    }
}
