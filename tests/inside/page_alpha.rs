//! What the pixels of real pictures say about their alpha.

use std::fs;
use std::path::PathBuf;

use crate::common::conformance_files;
use crate::common::random::noisy;
use pchr::formats::image::{decode_png, png_size};
use pchr::math::color::premultiply;
use pchr::model::page_alpha::Evidence;

/// Multiplies each real picture with soft edges by its alpha, as Spine does with that packing option.
#[test]
fn conformance_premultiplied_versions_are_recognised() {
    let parts = ["spine/examples", "spine4/examples"];
    let paths: Vec<PathBuf> = parts.into_iter().flat_map(|part| conformance_files(part, ".png")).collect();
    if paths.is_empty() {
        return;
    }
    let mut count = 0;
    for path in &paths {
        let png = fs::read(path).expect("a picture");
        let pixels: Vec<[u8; 4]> =
            decode_png(&png, Default::default).expect("a picture").as_chunks::<4>().0.to_vec();
        let (width, _) = png_size(&png).expect("a picture");
        let multiplied: Vec<[u8; 4]> = pixels.iter().copied().map(premultiply).collect();
        for (pixels, expected) in [(&pixels, false), (&multiplied, true)] {
            // As they are, and after lossy compression.
            for most in [0, 4, 8] {
                let mut evidence = Evidence::default();
                evidence.add(width, noisy(pixels, most).as_flattened());
                let is_expected = evidence.is_premultiplied() == Some(expected);
                assert!(is_expected || path.ends_with("powerup-pma.png"), "{}: {evidence:?}", path.display());
            }
        }
        count += 1;
    }
    assert!(count >= 20, "only {count} pictures");
}
