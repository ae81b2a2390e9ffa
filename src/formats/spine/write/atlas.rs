//! Pages → atlas text, with one region per page that covers all of it.

use crate::formats::stored::distinct;
use crate::model::AtlasPage;

/// The region name of each page: its file name without extension.
pub fn region_names(pages: &[String]) -> Vec<String> {
    let stem = |file: &'_ String| file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem).to_owned();
    let stems: Vec<String> = pages.iter().map(stem).collect();
    distinct(stems.iter().map(String::as_str), "page")
}

/// The atlas text, as Spine 3.8 writes it.
pub fn text(pages: &[AtlasPage], files: &[String], regions: &[String]) -> String {
    let mut text = String::new();
    for ((page, file), region) in pages.iter().zip(files).zip(regions) {
        let size = format!("{}, {}", page.width, page.height);
        text += &format!(
            "\n{file}\nsize: {},{}\nformat: RGBA8888\nfilter: Linear,Linear\nrepeat: none\n{region}\n  rotate: false\n  \
             xy: 0, 0\n  size: {size}\n  orig: {size}\n  offset: 0, 0\n  index: -1\n",
            page.width, page.height
        );
    }
    text
}
