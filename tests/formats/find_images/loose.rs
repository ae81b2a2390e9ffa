//! Pictures in separate files.

use std::fs;

use super::{Bench, atlas, page, picture, skeleton, with_images};

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
