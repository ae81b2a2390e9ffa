//! Sprite sheets from the export dialog: it writes the same files as the command line that it shows, and previews
//! what is in the file.

use std::fs;
use std::path::Path;

use crate::export::tests::dialog_harness::Dialog;
use crate::export::{Ended, Export};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable;
use pchr::export::{Format, SheetDurations, SheetKind, SheetLayout, SheetOptions, SheetProfile, SheetTrim, Size};
use pchr::formats::image::decode_png;

fn sheet(export: &mut Export) -> &mut SheetOptions {
    export.options.output.format = Some(Format::Sheet);
    export.options.look.size = Size::Exact(60, 60);
    &mut export.options.output.sheet
}

/// Sets choices.
type Way = fn(&mut Export);

/// Ways to make a sheet, with the number of files for one animation.
const WAYS: [(Way, usize); 5] = [
    (|export| *sheet(export) = SheetOptions { border: 3, padding: 2, extrude: 1, ..Default::default() }, 2),
    (
        |export| {
            *sheet(export) = SheetOptions {
                layout: SheetLayout::Packed,
                trim: SheetTrim::Frame,
                merge: true,
                pot: true,
                durations: SheetDurations::Spread,
                ..Default::default()
            };
            export.sheet_kind = SheetKind::Packed;
        },
        1,
    ),
    (
        |export| {
            *sheet(export) = SheetOptions { profile: SheetProfile::Hash, columns: Some(5), ..Default::default() };
            export.sheet_kind = SheetKind::Png;
            export.options.subject.speed = 0.5;
        },
        1,
    ),
    // 24 frames of 60 pixels, four per page.
    (|export| sheet(export).max_size = 128, 12),
    (
        |export| {
            *sheet(export) = SheetOptions { trim: SheetTrim::All, bleed: 3, ..Default::default() };
            sheet(export).max_size = 200;
            export.sheet_kind = SheetKind::Png;
            export.options.subject.loops = Some(2);
        },
        2,
    ),
];

#[test]
fn every_sheet_matches_its_command_line() {
    for (number, (way, expected)) in WAYS.into_iter().enumerate() {
        let mut it = Dialog::new();
        it.set(way);
        let ended = it.write();
        let Ended::Written(written) = ended else { panic!("way {number}: {ended:?}") };
        let files = it.files();
        assert_eq!(files.len(), expected, "way {number}: {:?}", files.keys());
        assert_eq!(written.files.len(), files.len());
        assert_eq!(it.command_line_files(), files, "way {number}");
    }
}

#[test]
fn choices_made_by_hand_are_written_and_shown() {
    let mut it = Dialog::new();
    it.choose("Format", "Sprite sheet");
    it.choose("Files", "Single file (.sprsh)");
    it.choose("Animation", "All animations");
    it.choose("Profile", "Like Aseprite (hash)");
    it.choose("Layout", "Packed");
    it.choose("Trim", "Margin of each frame");
    it.choose("Durations", "Whole milliseconds, exact total");
    for name in ["Merge identical frames", "Power-of-two sizes"] {
        it.harness.get_by_role_and_label(Role::CheckBox, name).click();
        it.harness.run();
    }
    it.set(|export| export.options.look.size = Size::Exact(40, 40));
    let line = it.copied();
    for part in [
        "my knight.sprsh",
        "-a all",
        "--sheet-profile hash",
        "--sheet-layout packed",
        "--sheet-trim frame",
        "--sheet-durations spread",
        "--sheet-merge",
        "--sheet-pot",
        "--backend cpu",
    ] {
        assert!(line.contains(part), "{part} in {line}");
    }
    for part in ["--format", "--sheet-columns", "--sheet-max-size", "-f ", "{"] {
        assert!(!line.contains(part), "{part} in {line}");
    }
    assert!(matches!(it.write(), Ended::Written(_)));
    let files = it.files();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["my knight.sprsh"]);
    assert_eq!(it.command_line_files(), files);
    // Options without effect on another format are remembered, but not part of its command.
    it.choose("Format", "Animated WebP");
    assert!(!it.copied().contains("--sheet"));
    it.choose("Format", "Sprite sheet");
    assert!(it.copied().contains("--sheet-merge") && it.copied().contains("my knight.sprsh"));
}

#[test]
fn the_grid_has_the_chosen_number_of_columns() {
    let mut it = Dialog::new();
    it.choose("Format", "Sprite sheet");
    it.choose("Grid", "Fixed number of columns");
    it.set(|export| sheet(export).columns = Some(6));
    it.settle();
    assert!(it.says("24 frames on a page of 360 × 240 px, 1.00 s"), "the estimate is shown");
    it.choose("Layout", "Single row");
    assert!(it.harness.query_by_role_and_label(Role::ComboBox, "Grid").is_none());
    assert!(!it.copied().contains("--sheet-columns"));
}

#[test]
fn the_preview_is_the_page() {
    let mut it = Dialog::new();
    it.set(|export| {
        *sheet(export) =
            SheetOptions { layout: SheetLayout::Packed, trim: SheetTrim::Frame, extrude: 1, ..Default::default() };
    });
    it.settle();
    let preview = it.export().previewer.answer().expect("a preview");
    it.save("export-sheet");
    let Ended::Written(_) = it.write() else { panic!("{:?}", it.export().phase) };
    let png = it.files().remove("my knight-walk.png").expect("the page");
    let found = decode_png(&png, Default::default).expect("a picture");
    assert_eq!(preview.picture.pixels().len(), found.len());
    // The preview is premultiplied, the file is not.
    let off = preview.picture.pixels().as_chunks::<4>().0.iter().zip(found.as_chunks::<4>().0).filter(|(a, b)| {
        let alpha = u32::from(b[3]);
        a[3] != b[3] || (0..3).any(|c| (u32::from(b[c]) * alpha).div_ceil(255).abs_diff(u32::from(a[c])) > 1)
    });
    assert_eq!(off.count(), 0);
    assert!(found.iter().any(|&byte| byte != 0));
}

#[test]
fn large_pages_are_scaled_down_and_shown_one_at_a_time() {
    let mut it = Dialog::new();
    it.set(|export| {
        sheet(export).columns = Some(4);
        export.options.look.size = Size::Exact(1000, 1000);
    });
    it.settle();
    assert!(it.says("24 frames on 2 pages, this one 4000 × 4000 px"));
    let first = it.export().previewer.answer().expect("a preview").picture;
    assert_eq!([first.width(), first.height()], [1024, 1024]);
    it.set(|export| export.page = 1);
    it.settle();
    assert!(it.says("this one 4000 × 2000 px"));
    let second = it.export().previewer.answer().expect("a preview").picture;
    assert_eq!([second.width(), second.height()], [1024, 512]);
    // Every cell contains a frame.
    for (picture, rows) in [(&first, 4), (&second, 2)] {
        for cell in 0..4 * rows {
            let (left, top) = (cell % 4 * 256, cell / 4 * 256);
            let is_visible = (0..256 * 256).any(|at| picture.pixel(left + at % 256, top + at / 256)[3] > 0);
            assert!(is_visible, "cell {cell}");
        }
    }
}

#[test]
fn frames_that_do_not_fit_are_reported_before_writing() {
    let mut it = Dialog::new();
    it.set(|export| sheet(export).max_size = 50);
    it.settle();
    assert!(it.says("a frame needs 60×60 pixels"));
    let Ended::Failed(error) = it.write() else { panic!("{:?}", it.export().phase) };
    assert!(error.contains("a frame needs 60×60 pixels"), "{error}");
    it.set(|export| {
        sheet(export).max_size = 128;
        export.sheet_kind = SheetKind::Packed;
    });
    let Ended::Failed(error) = it.write() else { panic!("{:?}", it.export().phase) };
    assert!(error.contains("a .sprsh file can hold only one picture"), "{error}");
    assert!(it.files().is_empty());
}

#[test]
fn file_type_and_path_match_and_nothing_is_replaced_unasked() {
    let mut it = Dialog::new();
    let name =
        |it: &mut Dialog| Path::new(&it.export().path).file_name().expect("a name").to_string_lossy().into_owned();
    it.choose("Format", "PNG, one file per frame");
    it.choose("Format", "Sprite sheet");
    assert_eq!(name(&mut it), "my knight-walk.json");
    it.choose("Files", "PNG with embedded JSON");
    assert_eq!(name(&mut it), "my knight-walk.png");
    assert!(it.copied().contains("--format sheet"));
    let own = it.path("own-{animation}.sprsh").display().to_string();
    it.export().path = own;
    it.export().typed_path();
    assert_eq!(it.export().sheet_kind, SheetKind::Packed);
    it.choose("Files", "JSON and PNG");
    assert_eq!(name(&mut it), "own-{animation}.json");
    it.choose("Animation", "All animations");
    it.set(|export| export.options.look.size = Size::Exact(60, 60));
    it.settle();
    assert!(it.says("; first of"), "one for each animation");
    // An existing picture counts as well.
    fs::write(it.path("own-walk.png"), "theirs").expect("a file");
    assert!(matches!(it.write(), Ended::Exists { count: 1, .. }));
    it.click_button("Replace");
    assert!(matches!(it.ended(), Ended::Written(_)));
    let files = it.files();
    assert!(files.contains_key("own-walk.json") && files["own-walk.png"] != b"theirs", "{:?}", files.keys());
    assert_eq!(it.command_line_files(), files);
}

#[test]
fn a_contact_sheet_matches_its_command_line_and_its_preview() {
    let mut it = Dialog::new();
    it.choose("Format", "Contact sheet (PNG)");
    it.choose("Animation", "All animations");
    it.choose("Rows", "Fixed number");
    it.set(|export| export.options.look.size = pchr::export::Size::Exact(40, 60));
    it.settle();
    let line = it.copied();
    assert!(
        line.contains("--contact-sheet 6x4") && !line.contains("{frame") && !line.contains("{animation"),
        "{line}"
    );
    assert!(it.says(" · 1 file"), "the estimate counts sheets");
    let preview = it.export().previewer.answer().expect("a preview").picture;
    let Ended::Written(written) = it.write() else { panic!("{:?}", it.export().phase) };
    let png = std::fs::read(&written.files[0]).expect("a sheet");
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert_eq!([preview.width(), preview.height()], [side(16), side(20)]);
    let files = it.files();
    assert_eq!(files.len(), 1);
    assert_eq!(it.command_line_files(), files);
    // One column with 24 captions is longer than a texture.
    it.set(|export| export.options.output.contact_sheet = Some(pchr::export::ContactGrid::new(1, None)));
    it.choose("Animation", "walk");
    it.settle();
    let preview = it.export().previewer.answer().expect("a preview").picture;
    assert!(preview.height() > 1000 && preview.height() <= 2048, "{} pixels", preview.height());
    assert!(it.harness.query_by_role_and_label(Role::ComboBox, "Characters").is_none(), "there is only one");
    it.choose("Format", "PNG, one file per frame");
    assert!(!it.copied().contains("--contact-sheet") && it.harness.query_by_label("Columns").is_none());
}
