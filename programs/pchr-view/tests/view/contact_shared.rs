//! One contact sheet of several characters: its cells, what takes the place of one that cannot be opened, and errors.

use std::fs;

use crate::common::sheet_reference::Pixels;
use crate::common::viewer_bench::Bench;
use crate::contact::Sheet;

/// The place of a frame that cannot be drawn, and the sheet.
const RED: [u8; 4] = [122, 32, 32, 255];
const DARK: [u8; 4] = [38, 38, 43, 255];
/// Width and height of a cell with its gap and its caption of three lines, and the height of the caption.
const CELL: [u32; 2] = [164, 164 + CAPTION];
const CAPTION: u32 = 40;

/// A folder `cast` with the knight, a character that is 12 pixels high, and a broken one.
fn cast() -> Bench {
    let bench = Bench::new();
    fs::create_dir(bench.path("cast")).expect("a folder");
    bench.run("knight.pchr -a walk -s 12 -o cast/tiny.json", 0);
    fs::copy(bench.path("knight.pchr"), bench.path("cast/knight.pchr")).expect("a copy");
    fs::write(bench.path("cast/broken.pchr"), b"PCHR\x01").expect("a file");
    bench
}

impl Sheet {
    /// Returns the frame of a cell, or its caption.
    fn frame(&self, column: u32, row: u32) -> Vec<[u8; 4]> {
        self.part([4 + column * CELL[0], 4 + row * CELL[1], 160, 160])
    }

    fn caption(&self, column: u32, row: u32) -> Vec<[u8; 4]> {
        self.part([4 + column * CELL[0], 164 + row * CELL[1], 160, CAPTION])
    }
}

#[test]
fn each_character_has_a_row_and_fills_its_cells() {
    let bench = cast();
    let sheet = Sheet::written(&bench, "cast --contact-sheet 3x3", 3);
    assert_eq!([sheet.pixels.width, sheet.pixels.height], [4 + 3 * CELL[0], 4 + 3 * CELL[1]]);
    // The folder lists `broken` first, which says why in red; the rest of its row is empty.
    let broken = sheet.frame(0, 0);
    assert!(
        broken.iter().filter(|pixel| **pixel == RED).count() > 160 * 100
            && broken.iter().any(|pixel| *pixel != RED)
    );
    assert!([1, 2].iter().all(|column| sheet.frame(*column, 0).iter().all(|pixel| *pixel == DARK)));
    for (row, (name, frames)) in [("knight.pchr", "0,20,40"), ("tiny.json", "0,8,16")].into_iter().enumerate() {
        let frames = bench.pngs(&format!("cast/{name} -s 160 -f {frames}"));
        for (column, frame) in frames.iter().enumerate() {
            let (expected, found) = (Pixels::decode(frame), sheet.frame(column as u32, row as u32 + 1));
            assert!(found == expected.rgba.as_chunks::<4>().0, "{name}, column {column}");
            let covered = |row: usize| found[row * 160..][..160].iter().any(|pixel| pixel[3] > 0);
            assert!((0..12).any(covered) && (148..160).any(covered), "{name} is as high as its cell");
        }
    }
    let renders = sheet.json["renders"].as_array().expect("renders");
    let files = renders.iter().flat_map(|render| render["frames"].as_array().expect("frames"));
    assert_eq!(files.filter(|frame| frame["file"] == "sheet.png").count(), 6);
    assert_eq!(sheet.json["failures"][0]["file"], "cast/broken.pchr");
}

#[test]
fn captions_name_the_characters() {
    let bench = Bench::new();
    fs::copy(bench.path("knight.pchr"), bench.path("page.pchr")).expect("a copy");
    let sheet = Sheet::written(&bench, "knight.pchr page.pchr -f 0 --contact-sheet 4x", 0);
    // With one frame each, they do not begin rows.
    assert_eq!([sheet.pixels.width, sheet.pixels.height], [4 + 4 * CELL[0], 4 + CELL[1]]);
    assert!(sheet.frame(0, 0) == sheet.frame(1, 0));
    let line = |column: u32, line: usize| sheet.caption(column, 0)[(2 + line * 12) * 160..][..12 * 160].to_vec();
    assert!(line(0, 0) != line(1, 0), "names");
    assert!(line(0, 1) == line(1, 1) && line(0, 2) == line(1, 2), "animation and time");
    assert!(line(0, 0).iter().any(|pixel| *pixel != DARK));
}

#[test]
fn cells_are_as_large_as_the_largest_frame_if_a_scale_is_given() {
    let bench = cast();
    fs::remove_file(bench.path("cast/broken.pchr")).expect("it is removed");
    let sheet = Sheet::written(&bench, "cast -f 0 --scale 2 --contact-sheet 2x1", 0);
    let [knight, tiny] = ["knight.pchr", "tiny.json"]
        .map(|name| Pixels::decode(&bench.pngs(&format!("cast/{name} -f 0 --scale 2"))[0]));
    assert!(knight.height > 4 * tiny.height);
    let gap = (sheet.pixels.width - 2 * knight.width) / 3;
    let (left, top) =
        (2 * gap + knight.width + (knight.width - tiny.width) / 2, gap + (knight.height - tiny.height) / 2);
    assert!(sheet.part([left, top, tiny.width, tiny.height]) == tiny.rgba.as_chunks::<4>().0, "in the middle");
    assert!(sheet.part([left, gap, tiny.width, top - gap]).iter().all(|pixel| *pixel == DARK));
}

#[test]
fn an_animation_that_one_lacks_is_its_own_failure() {
    let bench = cast();
    let stderr = bench.stderr("cast -a jump -s 32 --contact-sheet 2x -o a.png", 3);
    assert!(stderr.contains("tiny.json") && stderr.contains("broken.pchr") && bench.is_there("a.png"), "{stderr}");
    fs::remove_file(bench.path("cast/broken.pchr")).expect("it is removed");
    bench.run("cast -a jump -s 32 --contact-sheet 2x -o b.png", 2);
    assert!(bench.is_there("b.png"));
}

#[test]
fn nothing_is_written_without_a_character() {
    let bench = cast();
    for name in ["knight.pchr", "tiny.json", "tiny.png"] {
        fs::remove_file(bench.path(&format!("cast/{name}"))).expect("it is removed");
    }
    fs::write(bench.path("cast/other.pchr"), b"PCHR").expect("a file");
    let stderr = bench.stderr("cast --contact-sheet 3x3 -o a.png", 3);
    assert!(
        stderr.contains("broken.pchr") && stderr.contains("other.pchr") && !bench.is_there("a.png"),
        "{stderr}"
    );
}

#[test]
fn too_few_cells_are_reported_with_a_grid_that_works() {
    let bench = Bench::new();
    let knights = ["knight.pchr"; 5].join(" ");
    let stderr = bench.stderr(&format!("{knights} --contact-sheet 2x2 -o a.png"), 2);
    assert!(stderr.contains("5 characters are selected, but a contact sheet of 2x2 has 4 cells"), "{stderr}");
    assert!(stderr.contains("use --contact-sheet 2x3, or -o 'a-{name}.png' for several sheets"), "{stderr}");
    bench.run(&format!("{knights} -s 16 --contact-sheet 2x3 -o a.png"), 0);
    // Frames that were chosen are never left out.
    let stderr = bench.stderr("knight.pchr knight.pchr -f 0..3 -s 16 --contact-sheet 5x1 -o b.png", 2);
    assert!(stderr.contains("6 frames are selected, but a contact sheet of 5x1 has 5 cells"), "{stderr}");
    let stderr = bench.stderr("knight.pchr knight.pchr -a all -s 16 --contact-sheet 3x2 -o b.png", 2);
    assert!(stderr.contains("each character has its share of the cells"), "{stderr}");
    let limit = "--limit memory-bytes=4000000";
    let stderr = bench.stderr(&format!("{knights} -a walk -f all --contact-sheet 24x -o b.png {limit}"), 2);
    assert!(stderr.contains("the limit `memory-bytes` allows 4000000") && !bench.is_there("b.png"), "{stderr}");
}

#[test]
fn stdout_takes_the_sheet_and_a_name_in_the_path_makes_several() {
    let bench = cast();
    fs::remove_file(bench.path("cast/broken.pchr")).expect("it is removed");
    let args = "cast -s 16 --contact-sheet 2x2";
    bench.run(&format!("{args} -o a.png"), 0);
    assert_eq!(bench.run(&format!("{args} -o -"), 0).stdout, bench.read("a.png"));
    bench.run(&format!("{args} -o b-{{name}}.png"), 0);
    assert!(bench.is_there("b-knight.png") && bench.is_there("b-tiny.png"));
    // The sheet is neither replaced without --force nor written over a character.
    assert!(bench.stderr(&format!("{args} -o a.png"), 5).contains("a.png"));
    bench.run("cast/knight.pchr cast/tiny.json -s 16 --contact-sheet 2x2 -o cast/tiny.png --force", 2);
}
