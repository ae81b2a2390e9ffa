//! The options of a rendering, in other languages: every option is a keyword in Python and an attribute or an argument in web
//! pages, or is listed with the reason why it is not.

use std::collections::BTreeSet;

use clap::{Args, Command};
use pchr::export::{Look, Output, Subject};

use crate::pages::text;

/// Options that are neither attributes nor options of `exportAnimation`, and why.
const NOT_IN_WEB_PAGES: &[(&str, &str)] = &[
    ("frames", "pages show times: `currentTime`"),
    ("time", "`currentTime`, and `time` of `toBlob`"),
    ("interpolate", "frames are always interpolated"),
    ("mesh", "parts cannot be hidden"),
    ("hide-mesh", "parts cannot be hidden"),
    ("track", "`track` of `play`"),
    ("bone", "`moveBone`"),
    ("attach", "`setAttachment`"),
    ("wind", "not offered yet"),
    ("gravity", "not offered yet"),
    ("physics-mix", "not offered yet"),
    ("output", "what is exported is returned"),
    ("format", "the first argument of `exportAnimation`"),
    ("optimize", "PNGs are only written by `toBlob`"),
    ("jobs", "a worker has one thread"),
    ("force", "nothing is overwritten"),
    ("contact-sheet", "a page can draw pictures in a grid"),
    ("psd-groups", "pages cannot write PSDs"),
    ("size", "the layout of the page, and `width` and `height`"),
    ("scale", "the layout of the page, and `width` and `height`"),
    ("fit-whole", "`fit` takes a rectangle"),
    ("background-fit", "a picture behind the player is a style of the page"),
    ("background-opacity", "a picture behind the player is a style of the page"),
    ("alpha", "a canvas has one kind of alpha"),
    ("additive", "a canvas has premultiplied alpha"),
    ("dither", "not offered yet"),
    ("filter", "always automatic"),
    ("antialias", "always automatic"),
    ("backend", "`renderer`"),
    ("adapter", "the browser chooses it"),
];

/// Attributes with another name than their option.
const RENAMED_IN_WEB_PAGES: &[(&str, &str)] = &[("src", "files"), ("loop", "loops")];

/// Returns the long names of the options, and the id of the files, which have none.
fn names(command: &Command) -> BTreeSet<String> {
    let named = command.get_arguments().map(|arg| arg.get_long().unwrap_or(arg.get_id().as_str()).to_owned());
    named.collect()
}

/// Returns the texts in quotes between two words of a source.
fn quoted<'a>(source: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let (_, rest) = source.split_once(start).unwrap_or_else(|| panic!("no `{start}`"));
    let (part, _) = rest.split_once(end).unwrap_or_else(|| panic!("no `{end}` after `{start}`"));
    part.split('"').skip(1).step_by(2).collect()
}

/// Returns the names before a colon in the lines of a block.
fn fields<'a>(source: &'a str, start: &str, end: &str) -> BTreeSet<&'a str> {
    let (_, rest) = source.split_once(start).unwrap_or_else(|| panic!("no `{start}`"));
    let (block, _) = rest.split_once(end).unwrap_or_else(|| panic!("no `{end}` after `{start}`"));
    let named = block.lines().filter_map(|line| line.trim().split_once(": ")).map(|(name, _)| name);
    named.map(|name| name.trim_end_matches('?')).filter(|name| !name.contains([' ', '/'])).collect()
}

#[test]
fn every_option_of_a_picture_is_a_keyword_in_python() {
    let source = text("bindings/python/src/keywords.rs");
    let spelled = quoted(&source, "const SPELLED", "];");
    let omitted = quoted(&source, "const OMITTED", "];");
    let options = names(&Look::augment_args(Subject::augment_args(Command::new(""))));
    let mut keywords = BTreeSet::new();
    for option in options.iter().filter(|option| *option != "files") {
        let spellings: Vec<_> = spelled.chunks(2).filter(|pair| pair[1] == option).map(|pair| pair[0]).collect();
        if omitted.chunks(2).any(|pair| pair[0] == option) {
            assert!(spellings.is_empty(), "{option} has a keyword after all");
        } else if spellings.is_empty() {
            keywords.insert(option.replace('-', "_"));
        } else {
            keywords.extend(spellings.into_iter().map(str::to_owned));
        }
    }
    let known = spelled.chunks(2).map(|pair| pair[1]).chain(omitted.chunks(2).map(|pair| pair[0]));
    let unknown: Vec<_> = known.filter(|option| !options.contains(*option)).collect();
    assert!(unknown.is_empty(), "{unknown:?} are no options");
    let stubs = text("bindings/python/pchr.pyi");
    let classes = [("Look(TypedDict", "\n\nclass"), ("One(Look", "\n\nclass"), ("Many(Look", "\n\n@final")];
    let typed = classes.map(|(start, end)| fields(&stubs, start, end));
    let typed: BTreeSet<String> = typed.into_iter().flatten().map(str::to_owned).collect();
    assert_eq!(typed, keywords, "bindings/python/pchr.pyi");
    let page = text("bindings/python/README.md");
    let help = text("bindings/python/src/character.rs");
    for keyword in &keywords {
        let is_listed = page.contains(&format!("`{keyword}`")) || page.contains(&format!("{keyword}=`"));
        assert!(is_listed, "bindings/python/README.md does not have {keyword}");
        assert!(help.contains(keyword.as_str()), "bindings/python/src/character.rs does not describe {keyword}");
    }
}

#[test]
fn every_option_of_a_rendering_is_in_web_pages() {
    let element = text("bindings/web/js/pchr-player.js");
    let attributes = quoted(&element, "observedAttributes = [", "];");
    let types = text("bindings/web/js/pchr.d.ts");
    let exported = fields(&types, "export interface ExportOptions {", "\n}");
    let of_element = text("bindings/web/js/pchr-player.d.ts");
    let properties = fields(&of_element, "class PchrPlayerElement extends HTMLElement {", "\n}");
    let page = text("bindings/web/README.md");
    for attribute in &attributes {
        assert!(page.contains(&format!("`{attribute}`")), "bindings/web/README.md does not have {attribute}");
        assert!(properties.contains(attribute), "pchr-player.d.ts does not have {attribute}");
    }
    let all = Output::augment_args(Look::augment_args(Subject::augment_args(Command::new(""))));
    // Pages cannot write sheets.
    let options: BTreeSet<String> = names(&all).into_iter().filter(|name| !name.starts_with("sheet-")).collect();
    let renamed = |option: &str| RENAMED_IN_WEB_PAGES.iter().find(|(_, of)| *of == option).map(|(name, _)| *name);
    for option in &options {
        let name = renamed(option).unwrap_or(option);
        let is_there = attributes.contains(&name) || exported.contains(option.as_str());
        let is_excused = NOT_IN_WEB_PAGES.iter().any(|(excused, _)| excused == option);
        assert!(
            is_there != is_excused,
            "{option} must be an attribute, an option of `exportAnimation`, or excused"
        );
    }
    let excused = NOT_IN_WEB_PAGES.iter().map(|(name, _)| *name);
    let unknown: Vec<_> = excused.filter(|name| !options.contains(*name)).collect();
    assert!(unknown.is_empty(), "{unknown:?} are no options");
}
