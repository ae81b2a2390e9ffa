//! Pictures and atlases of sprite sheets.

use super::{Bench, SPARROW, hero, hero_atlas, of_library, page, picture};
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Files, ReadOptions};

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
