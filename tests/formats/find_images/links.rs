//! Links and names that lead out of the folder of a character.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Bench, Opened, PARTS, SPARROW, atlas, hero, hero_atlas, of_library, page};
use crate::common::conformance;
use pchr::Character;
use pchr::diagnostics::Diagnostics;
use pchr::formats::{Input, ReadOptions, RecordedSidecars, from_input};

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
