//! Pages of atlases: their names, formats, sizes and alpha, and broken ones.

use std::fs;

use super::{Bench, PARTS, atlas, hero, hero_atlas, page, picture, png, skeleton};
use crate::common::conformance;
use pchr::diagnostics::Diagnostics;
use pchr::formats::ReadOptions;
use pchr::formats::image::{decode_picture, encode_png, picture_size};

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
