//! Adobe Animate's texture atlases: `Animation.json`, the timelines of symbols; spritemaps, the sprites that they show; in
//! some exports `metadata.json`, and `LIBRARY` with a file per symbol. In a folder or a ZIP archive.
//!
//! `schema` and `spritemap` read the fields, `files` finds the files, `atlas` loads the pages, `timelines` resolves names,
//! `tree` makes bones and slots, and `animations` lists what can be played. The files have y down; here it is turned.

mod animations;
mod atlas;
mod cast;
mod contour;
mod files;
mod schema;
mod spelling;
mod spritemap;
#[cfg(feature = "convert")]
mod stated;
mod timelines;
mod tree;

use ::bytes::Bytes;
use foldhash::{HashMap, HashMapExt};

use super::table::Reader;
use super::{Input, ReadOptions, page_alpha};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result, escaped};
use crate::formats::repeated::repeated;
use crate::limits::Budget;
use crate::model::ModelBuilder;
use crate::motion::Motion;
use crate::motion::animate::{Animate, Facts};
use animations::Animations;
use atlas::Atlas;
use files::{Files, lacks, read};
use schema::{Metadata, Root, Symbol};
use spelling::Spelling;
use timelines::{Resolver, Source};
use tree::Tree;

pub use cast::Cast;
#[cfg(feature = "sheet")]
pub use cast::Role;
#[cfg(all(feature = "convert", feature = "skelform"))]
pub(crate) use files::entry_sizes;
#[cfg(feature = "convert")]
pub use stated::texts_in;

/// The reader of this format.
pub(super) const READER: Option<Reader> = Some(Reader {
    read: read_character,
    #[cfg(feature = "convert")]
    texts: stated::texts,
});

/// Frames per second of a file without a rate.
const USUAL_FPS: f64 = 24.0;

fn read_character(input: &Input<'_>, options: &ReadOptions, diagnostics: &mut Diagnostics) -> Result<Character> {
    read_cast(input, options, None, diagnostics)
}

/// Reads an atlas with the animations of a character file, if any, instead of its own.
pub fn read_cast(
    input: &Input<'_>,
    options: &ReadOptions,
    cast: Option<&Cast>,
    diagnostics: &mut Diagnostics,
) -> Result<Character> {
    let mut budget = options.budget();
    let mut files = Files::open(input, &mut budget)?;
    let text = files.animation.clone();
    let root: Root<'_> = read(&text, &mut budget)?;
    let spelling = Spelling::detect(&text);
    let main = root.animation.as_ref().ok_or_else(|| lacks("ANIMATION"))?;
    let library = match root.dictionary {
        Some(_) => Vec::new(),
        None => files.library(&main.timeline.layers, &mut budget)?,
    };
    let library = read_library(&library, &mut budget)?;
    let beside = match root.metadata {
        Some(_) => None,
        None => files.load("metadata.json", &mut budget)?.ok(),
    };
    let fps = frame_rate(root.metadata.as_ref(), beside.as_ref(), &mut budget)?;

    let mut builder = ModelBuilder::default();
    let atlas = Atlas::load(&mut files, &mut builder, &mut budget, diagnostics)?;
    page_alpha::decide(&mut builder, options, diagnostics);
    let dictionary = root.dictionary.as_ref().map(|dictionary| dictionary.symbols.as_slice()).unwrap_or_default();
    let sources = sources(main, dictionary, &library, spelling);
    let by_name = by_name(&sources, spelling, diagnostics);
    let resolver = Resolver::new(&sources, &by_name, &atlas, (options.movie_clips, spelling), diagnostics);
    let timelines = resolver.resolve(&mut budget)?;
    let (filters, blends) = (timelines.filters, timelines.blends);
    let mut animations = Animations::of(&sources, &timelines, &by_name);
    let labels = animations.list.iter().take(animations.labels);
    let labels = labels.map(|label| (label.name.as_str().into(), label.runs.clone())).collect();
    if let Some(cast) = cast {
        animations.list = cast.animations(&animations, &mut budget, diagnostics)?;
        builder.keep_sharp(!cast.is_smooth);
    }
    animations.ask(&options.symbols, options.keep_going)?;
    let tree = Tree::grow(&sources, &timelines, &animations.roots(), &mut budget, diagnostics)?;
    budget.charge_records(animations.list.len() as u64, Place::default)?;
    animations.place(&tree);
    let list = animations.list;
    let built = tree.build(&atlas, &mut builder, &mut budget, diagnostics)?;
    let (mut rig, origins) = built.with(timelines.rig);
    let start = cast.and_then(|cast| cast.start.as_deref());
    rig.animations = animations::add(list, &mut builder, fps, start);
    // The text that contains the names was charged with many times as much.
    let symbols = sources.iter().map(|source| source.name.into()).collect();
    let layers = sources.iter().flat_map(|source| source.layers).map(|layer| layer.name.as_str().into()).collect();
    let facts = Facts { exporter: atlas.exporter, labels, filters, blends, symbols, layers, origins };
    Ok(Character::of(builder.build(), Motion::Animate(Animate { rig, facts })))
}

/// Reads the symbols of `LIBRARY`.
fn read_library<'b>(files: &'b [(String, Bytes)], budget: &mut Budget<'_>) -> Result<Vec<(&'b str, Root<'b>)>> {
    let read_one = |(name, bytes): &'b (String, Bytes)| {
        let read: Result<Root<'b>> = read(bytes, budget);
        Ok((name.as_str(), read.map_err(|error| error.in_file(format!("LIBRARY/{name}.json")))?))
    };
    files.iter().map(read_one).collect()
}

fn frame_rate(inside: Option<&Metadata>, beside: Option<&Bytes>, budget: &mut Budget<'_>) -> Result<f64> {
    let beside = beside.map(|bytes| read::<Metadata>(bytes, budget)).transpose();
    let beside = beside.map_err(|error: Error| error.in_file("metadata.json"))?;
    let stated = inside.or(beside.as_ref()).and_then(|metadata| metadata.rate);
    Ok(stated.map(f64::from).filter(|rate| rate.is_finite() && *rate > 0.0).unwrap_or(USUAL_FPS))
}

/// Returns all symbols; the first one is the main timeline.
fn sources<'a>(
    main: &'a Symbol<'a>,
    dictionary: &'a [Symbol<'a>],
    library: &'a [(&'a str, Root<'a>)],
    spelling: Spelling,
) -> Vec<Source<'a>> {
    let [an, sd, s, tl] = spelling.of(["AN", "SD", "S", "TL"]);
    let source = |symbol: &'a Symbol<'a>, pointer| Source {
        name: symbol.name.as_str(),
        pointer,
        layers: &symbol.timeline.layers,
    };
    let of_dictionary = dictionary.iter().enumerate();
    let of_dictionary = of_dictionary.map(|(index, symbol)| source(symbol, format!("/{sd}/{s}/{index}/{tl}")));
    let of_library = library.iter();
    let of_library = of_library.map(|(name, root)| Source {
        name,
        pointer: format!("LIBRARY/{name}.json"),
        layers: &root.layers,
    });
    [source(main, format!("/{an}/{tl}"))].into_iter().chain(of_dictionary).chain(of_library).collect()
}

/// Returns the indices of symbols by name: the first one counts, and the main timeline last.
fn by_name<'a>(
    sources: &[Source<'a>],
    spelling: Spelling,
    diagnostics: &mut Diagnostics,
) -> HashMap<&'a str, u32> {
    let mut found = HashMap::with_capacity(sources.len());
    for (index, source) in sources.iter().enumerate().skip(1).chain(sources.iter().enumerate().take(1)) {
        found.entry(source.name).or_insert(index as u32);
    }
    let [sd, s, sn] = spelling.of(["SD", "S", "SN"]);
    let names = sources.iter().skip(1).map(|source| source.name).enumerate();
    let remarks = repeated(names).into_iter().map(|(second, name, _)| {
        let message = format!("several symbols are called `{}`; the first one is drawn", escaped(name));
        (Place::inside(format!("/{sd}/{s}/{second}/{sn}")), message)
    });
    diagnostics.warn_all("duplicate-name", remarks.collect::<Vec<_>>());
    found
}
