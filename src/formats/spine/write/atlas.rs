//! Pages → atlas text, with one region per page that covers all of it.

use crate::formats::atlas::{Atlas, Page, Region};
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
    let size = |page: &AtlasPage| [page.width as f32, page.height as f32];
    let page = |(page, file): (&AtlasPage, &String)| Page {
        file: file.clone(),
        size: Some(size(page)),
        ..Page::default()
    };
    let region = |((index, page), name): ((usize, &AtlasPage), &String)| Region {
        name: name.clone(),
        page: index,
        size: size(page),
        ..Region::default()
    };
    let regions = pages.iter().enumerate().zip(regions).map(region).collect();
    Atlas { pages: pages.iter().zip(files).map(page).collect(), regions }.in_older_form()
}
