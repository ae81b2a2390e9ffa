//! The keyframes of symbols as the files state them.

use ::bytes::Bytes;

use super::files::{Files, read};
use super::schema::{Layer, Root};
use super::{frame_rate, read_library, spelling};
use crate::diagnostics::Diagnostics;
use crate::error::Result;
use crate::formats::detect::animate::{ANIMATION, is_zip};
use crate::formats::detect::json::{Keys, without_bom};
use crate::formats::keys::{Found, Part, Shape, StatedKey, Step, Text, Texts, matches};
use crate::formats::{Input, ReadOptions};

/// Returns the texts of an atlas.
pub fn texts(input: &Input<'_>, options: &ReadOptions, _: &mut Diagnostics) -> Result<Option<Texts>> {
    texts_in(input, options, "").map(Some)
}

/// Returns the texts of an atlas whose files are in `folder`.
pub fn texts_in(input: &Input<'_>, options: &ReadOptions, folder: &str) -> Result<Texts> {
    let mut budget = options.budget();
    let mut files = Files::open(input, &mut budget)?;
    let bytes = files.animation.clone();
    let root: Root<'_> = read(&bytes, &mut budget)?;
    let library = match (&root.animation, &root.dictionary) {
        (Some(main), None) => files.library(&main.timeline.layers, &mut budget)?,
        _ => Vec::new(),
    };
    let beside = match root.metadata {
        Some(_) => None,
        None => files.load("metadata.json", &mut budget)?.ok(),
    };
    let fps = frame_rate(root.metadata.as_ref(), beside.as_ref(), &mut budget)?;
    let dictionary = root.dictionary.iter().flat_map(|dictionary| &dictionary.symbols);
    let main =
        root.animation.as_ref().map(|main| Symbol::of(main.name.as_str().to_owned(), &main.timeline.layers));
    let others = dictionary.map(|symbol| Symbol::of(other(symbol.name.as_str()), &symbol.timeline.layers));
    let mut symbols: Vec<Symbol> = std::iter::once(main.unwrap_or_default()).chain(others).collect();
    let in_library = symbols.len();
    for (name, root) in read_library(&library, &mut budget)? {
        symbols.push(Symbol::of(other(name), &root.layers));
    }
    let text = |bytes: &Bytes, file: Option<String>| Text {
        bytes: bytes.clone(),
        file: file.map(|file| format!("{folder}{file}")),
        offsets: None,
    };
    let is_inside = is_zip(&input.bytes) || !folder.is_empty();
    let mut texts = vec![text(&bytes, is_inside.then(|| ANIMATION.to_owned()))];
    texts.extend(library.iter().map(|(name, bytes)| text(bytes, Some(format!("LIBRARY/{name}.json")))));
    let shape: Box<dyn Shape> = Box::new(Atlas { symbols, in_library, fps });
    let is_short = Keys::of(without_bom(&bytes)).any(|(key, _)| key == b"AN");
    let form = if is_short { "animate short" } else { "animate long" };
    // A bone is an instance of a symbol, which each of its keyframes states again.
    Ok(Texts { form: form.to_owned(), texts, shape: Some(shape), items: &[] })
}

/// The name of the animation of a symbol, as it is asked for.
fn other(name: &str) -> String {
    format!("symbol:{name}")
}

/// The symbols of an atlas: the main timeline, the dictionary, then the files of the library.
#[derive(Debug)]
struct Atlas {
    symbols: Vec<Symbol>,
    in_library: usize,
    fps: f64,
}

#[derive(Debug, Default)]
struct Symbol {
    name: String,
    layers: Vec<String>,
}

impl Symbol {
    fn of(name: String, layers: &[Layer<'_>]) -> Self {
        Self { name, layers: layers.iter().map(|layer| layer.name.as_str().to_owned()).collect() }
    }
}

const PATHS: &[&[&str]] =
    &[&["AN", "TL", "L", "#", "FR"], &["SD", "S", "#", "TL", "L", "#", "FR"], &["L", "#", "FR"]];

impl Shape for Atlas {
    fn part(&self, path: &[Step<'_>]) -> Part {
        matches(PATHS, path, spelling::is)
    }

    fn key<'k>(&'k self, text: usize, found: &mut Found<'_, 'k>) -> StatedKey<'k> {
        let symbol = match found.path {
            [_, _, Step::Index(index), ..] => 1 + index,
            [_, _, _, ..] if text == 0 => 0,
            _ => self.in_library + text.saturating_sub(1),
        };
        let symbol = self.symbols.get(symbol);
        let layer = match found.path {
            [.., Step::Index(layer), _] => symbol.and_then(|symbol| symbol.layers.get(*layer)),
            _ => None,
        };
        let (name, layer) = (symbol.map_or("", |symbol| &*symbol.name), layer.map_or("", String::as_str));
        let property = match found.path.last() {
            Some(Step::Name(property)) => property.clone(),
            _ => "FR".into(),
        };
        let mut key = StatedKey::new(name.into(), "layer".into(), layer.into(), property);
        let frame = found.number("I").or_else(|| found.number("index")).unwrap_or_default();
        key.seconds = Some(frame / self.fps).filter(|seconds| seconds.is_finite());
        key
    }

    fn curve_fields(&self) -> &'static [&'static str] {
        &[]
    }

    fn time_fields(&self) -> &'static [&'static str] {
        &["I", "index"]
    }
}
