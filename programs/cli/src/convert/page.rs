//! `pchr convert FILE -o page.html`: one file with a character and the player for web pages.
//!
//! The page contains the file and everything that it was read from, unchanged. Names come from files and are hostile: they
//! only occur as JSON in a script element that is not executed, without any character that could end it. The content
//! security policy forbids all requests.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::ConvertArgs;
use crate::shared::choose;
use crate::shared::failure::Failure;
use crate::shared::json_output::escape_controls;
use crate::shared::load::{accept, bytes_of, recorded_sidecars, sources};
use crate::shared::stdio::{is_stdio, shown_name};
use crate::shared::warnings::name_files;
use crate::shared::writing::{Done, Job, Session, WrittenFile};
use pchr::convert;
use pchr::diagnostics::Diagnostics;
use pchr::error::Place;
use pchr::export::NO_SKIN;
use pchr::formats::{Input, MovieClips, ReadOptions, read_file};
use pchr::{Character, Error};

/// The player in one file, which `scripts/build-web` makes.
const PLAYER: &str = "pchr-player.inline.js";

/// The players that `build.rs` found.
#[cfg(has_player)]
const BUILT_IN: Option<Page> = Some(Page {
    player: Cow::Borrowed(include_str!("../../player/pchr-player.inline.js")),
    spine: Some(include_str!("../../player/pchr-spine.inline.js")),
});
#[cfg(not(has_player))]
const BUILT_IN: Option<Page> = None;

/// What a player begins with.
const SIGNATURE: &str = "// pchr-web ";

const TEMPLATE: &str = include_str!("page.html");

/// The player that is put into pages.
pub struct Page {
    player: Cow<'static, str>,
    /// A smaller player, for Spine with PNGs only.
    spine: Option<&'static str>,
}

/// The data of a page.
#[derive(Serialize)]
struct Data {
    title: String,
    /// The character, one of `files`.
    main: String,
    animation: Option<String>,
    skins: Vec<String>,
    /// Contents in base64, by paths with `/`.
    files: BTreeMap<String, String>,
}

impl Page {
    /// Returns the page to write, if the output is one.
    pub fn wanted(args: &ConvertArgs) -> Result<Option<Self>, Failure> {
        let is_page = args.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("html"));
        if !is_page || args.to.is_some() {
            let message = "--player needs an output that ends in .html";
            return if args.player.is_some() { Err(Failure::usage(message)) } else { Ok(None) };
        }
        reject_others(args)?;
        let Some(file) = &args.player else { return BUILT_IN.map(Some).ok_or_else(no_player) };
        let bytes = read_file(file, &ReadOptions::default().limits).map_err(Failure::Input)?;
        let text = String::from_utf8(bytes.to_vec()).unwrap_or_default();
        if !text.starts_with(SIGNATURE) || text.to_ascii_lowercase().contains("</script") {
            let message = format!("this is not {PLAYER}, which `scripts/build-web` makes");
            let error = Error::unsupported("other-format", Place::default(), message);
            return Err(Failure::Input(error.in_file(file.display())));
        }
        Ok(Some(Self { player: text.into(), spine: None }))
    }

    /// Writes the page of one file.
    pub fn convert(&self, args: &ConvertArgs, read: &ReadOptions, job: &Job, session: &mut Session<'_>) -> Done {
        let input = &job.input.path;
        let (sidecars, mut diagnostics) = (recorded_sidecars(input, read), Diagnostics::default());
        let in_file = |error: Error| Failure::reading(error.in_file(shown_name(input)));
        let bytes = bytes_of(input, &read.limits).map_err(in_file)?;
        let content = Input { bytes: bytes.clone(), sidecars: sidecars.access() };
        let opened = convert::open(content, read, &mut diagnostics).map_err(in_file)?;
        name_files(&mut diagnostics, input, &sources(input, &sidecars, read));
        accept(&diagnostics, args.write.errors)?;
        let from = opened.source().name;
        session.print_findings(&diagnostics, input);
        if let Some(fault) = diagnostics.missing_image().filter(|_| !args.no_image) {
            return Err(Failure::Incomplete(Error::Malformed(Box::new(fault.clone()))).into());
        }
        let (animation, skins) = chosen(&opened.into_character(read).map_err(in_file)?, args)?;
        let sources = sources(input, &sidecars, read);
        let (main, mut files) = beside(input, &sources, read)?;
        files.insert(main.clone(), STANDARD.encode(&bytes));
        let title = input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let data = Data { title, main, animation, skins, files };
        let text = self.text(&data, from).map_err(|error| Failure::Output(Error::io("JSON", error.into())))?;
        let outputs = session.write(job, &job.output, &sources, |out| out.write_all(text.as_bytes()))?;
        Ok(WrittenFile::new(job, [from, "page"], Vec::new(), outputs, &diagnostics))
    }

    /// Returns the page of a file in the format `from`.
    fn text(&self, data: &Data, from: &str) -> serde_json::Result<String> {
        // How JPEGs and WebPs begin in base64.
        let is_png_only =
            || !data.files.values().any(|file| file.starts_with("/9j/") || file.starts_with("UklGR"));
        let player = self.spine.filter(|_| from == "spine" && is_png_only()).unwrap_or(&self.player);
        // In a script element only `<` can be the start of its end.
        let data = escape_controls(serde_json::to_string(data)?).replace('<', "\\u003c");
        let mut parts = TEMPLATE.splitn(3, "{{}}");
        let mut text = String::with_capacity(TEMPLATE.len() + data.len() + player.len());
        for part in [&*data, player, ""] {
            text += parts.next().unwrap_or_default();
            text += part;
        }
        Ok(text)
    }
}

/// Returns the names of the animation and the skins that the page shows first, if they are given.
fn chosen(character: &Character, args: &ConvertArgs) -> Result<(Option<String>, Vec<String>), Failure> {
    let model = character.model();
    let animation =
        choose::animations(model, &args.animations)?.first().map(|id| model.animation(*id).name.clone());
    let skins = choose::skins(character, &args.skins)?;
    let skins = match &skins[..] {
        _ if args.skins.is_empty() => Vec::new(),
        [] => vec![NO_SKIN.to_owned()],
        skins => skins.iter().map(|id| model.skin(*id).name.to_string()).collect(),
    };
    Ok((animation.filter(|_| !args.animations.is_empty()), skins))
}

/// Rejects options that have no effect on a page.
fn reject_others(args: &ConvertArgs) -> Result<(), Failure> {
    let rejected = [
        (args.animations.len() > 1, "a second --animation"),
        (args.fps.is_some(), "--fps"),
        (args.no_bake, "--no-bake"),
        (args.repack.is_some(), "--repack"),
        (args.loss_report.is_some(), "--loss-report"),
        (!args.read.options().atlases.is_empty(), "--atlas"),
        (args.read.grid.is_some(), "--grid"),
        (args.read.movie_clips != MovieClips::default(), "--movie-clips"),
        (!args.read.layers.is_empty(), "--layer"),
    ];
    match rejected.into_iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) => Err(Failure::usage(format!("{option} has no effect on a page"))),
        None => Ok(()),
    }
}

fn no_player() -> Failure {
    let message = format!(
        "this program contains no player for pages: build it after `scripts/build-web`, or pass a {PLAYER} with \
         --player"
    );
    Failure::Input(Error::unsupported("no-player", Place::default(), message))
}

/// Returns the path of `input` and the contents of the other `sources`, by their paths from the folder of the input, or from
/// the folder above if some are beside that.
fn beside(
    input: &Path,
    sources: &[PathBuf],
    read: &ReadOptions,
) -> Result<(String, BTreeMap<String, String>), Failure> {
    if is_stdio(input) {
        return Ok(("character".to_owned(), BTreeMap::new()));
    }
    let folder = plain(input.parent().unwrap_or(Path::new("")));
    let is_outside = |file: &PathBuf| file.is_file() && !plain(file).starts_with(&folder);
    let base = match folder.parent() {
        Some(above) if sources.iter().any(is_outside) => above,
        _ => &folder,
    };
    let name = |file: &Path| {
        let file = plain(file);
        let parts: Vec<_> = file.strip_prefix(base).ok()?.iter().map(|part| part.to_string_lossy()).collect();
        Some(parts.join("/"))
    };
    let mut files = BTreeMap::new();
    for file in sources.iter().filter(|file| *file != input && file.is_file()) {
        let Some(name) = name(file) else { continue };
        let bytes = read_file(file, &read.limits).map_err(Failure::Input)?;
        files.insert(name, STANDARD.encode(&bytes));
    }
    Ok((name(input).unwrap_or_else(|| "character".to_owned()), files))
}

/// Returns a path without `.`, and without `..` after a folder: files beside a folder are found by way of it.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => _ = plain.pop(),
            component => plain.push(component),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::BTreeMap;

    use base64::Engine as _;
    use pchr::formats::table::FORMATS;

    use super::{Data, Page, STANDARD};

    #[test]
    fn only_pages_of_spine_with_pngs_contain_the_smaller_player() {
        let mut data = Data {
            title: String::new(),
            main: String::new(),
            animation: None,
            skins: Vec::new(),
            files: BTreeMap::new(),
        };
        let sources: Vec<&str> =
            FORMATS.iter().flat_map(|format| format.sources).map(|source| source.name).collect();
        let page = Page { player: Cow::Borrowed("// every"), spine: Some("// spine") };
        let small: Vec<&str> = sources
            .iter()
            .copied()
            .filter(|from| page.text(&data, from).expect("JSON").contains("// spine"))
            .collect();
        assert!(small == ["spine"] && sources.len() > 5, "{small:?} of {sources:?}");
        for start in [&b"\xff\xd8\xff\xe0"[..], b"RIFF\x24\0\0\0WEBP"] {
            data.files = BTreeMap::from([("page.png".to_owned(), STANDARD.encode(start))]);
            assert!(page.text(&data, "spine").expect("JSON").contains("// every"));
        }
        let given = Page { player: Cow::Borrowed("// every"), spine: None };
        assert!(given.text(&data, "spine").expect("JSON").contains("// every"));
    }
}
