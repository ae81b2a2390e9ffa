//! The difference of two characters of different sizes.

use crate::scene::CpuSceneRenderer;
use pchr::export::{Alpha, Surface};
use pchr::golden;

use super::Square;
use crate::app::tests::harness::TestWindow;

/// Opens two files and returns the number of different pixels, their rectangle, and the rectangles that are drawn of
/// each character: left, top, width and height.
fn compared(a: &[u8], b: &[u8]) -> (u64, [u32; 4], [[u32; 4]; 2]) {
    let mut it = TestWindow::compared([700.0, 500.0], a, b);
    it.show_differences();
    let [first, second] = it.app().state.scenes().map(|scene| {
        let (mut stage, scene) = (CpuSceneRenderer::default(), scene.expect("both are shown"));
        let mut picture = stage.render(&scene).0.clone();
        Surface::default().finish(&mut picture);
        picture
    });
    assert_eq!([first.width(), first.height()], [second.width(), second.height()]);
    let found = it.app().state.differences().expect("they are shown").found;
    assert_eq!(Some(found), golden::difference(&first, &second, 0, Alpha::Straight));
    let mut empty = first.clone();
    empty.reset(first.width(), first.height());
    let drawn = [&first, &second].map(|picture| {
        golden::difference(&empty, picture, 0, Alpha::Straight)
            .and_then(|found| found.rect)
            .expect("it is visible")
    });
    it.save_themes("difference of sizes");
    (found.pixels, found.rect.expect("they differ"), drawn)
}

#[test]
fn the_difference_covers_the_larger_of_two_characters() {
    let knight =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/paper-knight.pchr")).expect("the knight");
    let square = Square::default().bytes();
    let (pixels, rect, [of_knight, of_square]) = compared(&knight, &square);
    // Both have the scale of one view, which shows all of both.
    assert!(of_knight[3] > 2 * of_square[3], "{of_knight:?} and {of_square:?}");
    assert!(rect[0] > 0 && rect[1] > 0 && rect[0] + rect[2] < 700 && rect[1] + rect[3] < 500, "{rect:?}");
    let edges = |[left, top, width, height]: [u32; 4]| [left, top, left + width, top + height];
    let ([a, b], [left, top, right, bottom]) = ([of_knight, of_square].map(edges), edges(rect));
    assert_eq!([left, top], [a[0].min(b[0]), a[1].min(b[1])]);
    assert_eq!([right, bottom], [a[2].max(b[2]), a[3].max(b[3])]);
    // The order of the files does not matter, except that the first one is fitted.
    let (swapped, _, [of_square, of_knight]) = compared(&square, &knight);
    assert!(of_knight[3] > 2 * of_square[3]);
    assert!(pixels > 500 && swapped > 500, "{pixels} and {swapped}");
}
