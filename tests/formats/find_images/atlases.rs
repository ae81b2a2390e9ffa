//! Which atlases are found without an exact name, and which of several is used.

use std::fs;
use std::time::{Duration, UNIX_EPOCH};

use super::{Bench, PARTS, atlas, drawn, hero, hero_atlas, page, png, skeleton};
use pchr::diagnostics::{Diagnostics, Severity};
use pchr::formats::{Listings, Missing, ReadOptions, from_bytes};

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
