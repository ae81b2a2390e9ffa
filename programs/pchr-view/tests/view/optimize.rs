//! `--optimize`: smaller PNGs with the same pixels, wherever `pchr-view` writes PNGs.

use crate::common::sheet_reference::Pixels;
use crate::common::viewer_bench::Bench;

/// Asserts that a PNG is smaller than another one and decodes to the same pixels, even those that are transparent.
#[track_caller]
fn assert_smaller(found: &[u8], plain: &[u8], what: &str) {
    assert!(found.len() < plain.len(), "{what}: {} bytes, without it {}", found.len(), plain.len());
    let (found, plain) = (decoded(found), decoded(plain));
    assert!(found.rgba == plain.rgba && found.width == plain.width, "{what}: pixels differ");
    assert!(plain.rgba.as_chunks::<4>().0.iter().any(|pixel| *pixel != [0; 4]), "{what}: nothing is visible");
}

/// Decodes a PNG of any colour type.
fn decoded(png: &[u8]) -> Pixels {
    let picture = image::load_from_memory_with_format(png, image::ImageFormat::Png).expect("a whole PNG");
    let (width, height) = (picture.width(), picture.height());
    Pixels { width, height, rgba: picture.into_rgba8().into_raw() }
}

#[test]
fn pictures_are_smaller_with_the_same_pixels() {
    let bench = Bench::new();
    let pictures = |more: &str| bench.pngs(&format!("knight.pchr -a walk -f 0..4 -s 96 {more}"));
    for look in ["", "-b white", "-b #336699 --show bones", "--alpha premultiplied"] {
        let (plain, found) = (pictures(look), pictures(&format!("{look} --optimize")));
        assert_eq!((plain.len(), found.len()), (4, 4));
        plain.iter().zip(&found).for_each(|(plain, found)| assert_smaller(found, plain, look));
        assert!(
            found == pictures(&format!("{look} --optimize --jobs 1")),
            "{look}: depends on the number of jobs"
        );
    }
    let print = |more: &str| bench.run(&format!("knight.pchr -s 96 {more} -o -"), 0).stdout;
    assert_smaller(&print("--optimize"), &print(""), "stdout");
}

#[test]
fn sheets_are_smaller_with_the_same_pixels() {
    let bench = Bench::new();
    std::fs::copy(bench.path("knight.pchr"), bench.path("other.pchr")).expect("a copy");
    let written = |args: &str, files: &[&str]| -> Vec<Vec<u8>> {
        bench.run(&format!("knight.pchr -a walk -f 0..4 -s 64 {args} --force"), 0);
        files.iter().map(|file| bench.read(file)).collect()
    };
    for (args, files) in [
        ("--contact-sheet 2x2 -o contact.png", &["contact.png"][..]),
        ("other.pchr --contact-sheet 2x4 -o cast.png", &["cast.png"]),
        ("--format sheet --sheet-max-size 64 -o a.json", &["a.png", "a-1.png"]),
    ] {
        let (plain, found) = (written(args, files), written(&format!("{args} --optimize"), files));
        plain.iter().zip(&found).for_each(|(plain, found)| assert_smaller(found, plain, args));
    }
}

#[test]
fn sheets_in_one_file_are_read_as_before() {
    let bench = Bench::new();
    for name in ["a.png", "a.sprsh"] {
        let written = |more: &str| {
            bench.run(&format!("knight.pchr -a walk -f 0..4 -s 64 --format sheet -o {name} --force {more}"), 0);
            (bench.read(name).len(), bench.pngs(&format!("{name} -f all --filter nearest")))
        };
        let (plain, found) = (written(""), written("--optimize"));
        assert!(found.0 < plain.0, "{name}");
        assert!(found.1.len() == 4 && found.1 == plain.1, "{name}: {} frames", found.1.len());
    }
}
