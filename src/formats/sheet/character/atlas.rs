//! Characters whose pictures are a texture atlas of Adobe Animate.

use ::bytes::Bytes;

use super::{Described, find};
use crate::character::Character;
use crate::diagnostics::Diagnostics;
use crate::error::{Place, Result, escaped};
#[cfg(feature = "convert")]
use crate::formats::animate::texts_in;
use crate::formats::animate::{Cast, Role, read_cast};
use crate::formats::detect::sheet::Engine;
#[cfg(feature = "convert")]
use crate::formats::keys::Texts;
use crate::formats::{Input, ReadOptions, Sidecars};
use crate::limits::Limits;
use crate::math::{Affine2, vec2};

/// Reads the character if its first sheet is a texture atlas, else returns `None`.
pub fn read_atlas(
    input: &Input<'_>,
    engine: Engine,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Character>> {
    in_atlas(input, engine, options, diagnostics, |atlas, _, cast, diagnostics| {
        read_cast(atlas, options, Some(cast), diagnostics)
    })
}

/// Returns the texts with the keyframes of the character if its first sheet is a texture atlas, else returns `None`.
#[cfg(feature = "convert")]
pub fn texts_of_atlas(
    input: &Input<'_>,
    engine: Engine,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Texts>> {
    in_atlas(input, engine, options, diagnostics, |atlas, folder, _, _| {
        texts_in(atlas, options, &format!("{}/", escaped(folder)))
    })
}

/// Calls `read` with the atlas, its folder and the animations, if the first sheet of the character is a texture atlas.
fn in_atlas<T>(
    input: &Input<'_>,
    engine: Engine,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
    mut read: impl FnMut(&Input<'_>, &str, &Cast, &mut Diagnostics) -> Result<T>,
) -> Result<Option<T>> {
    let mut budget = options.budget();
    budget.check_file(input.bytes.len() as u64)?;
    let mut found = Diagnostics::default();
    let described = Described::read(&input.bytes, engine, input.sidecars, &mut budget, &mut found)?;
    let own = described.animations.iter().filter_map(|listed| listed.sheet.as_ref());
    let Some(path) = described.sheets.iter().chain(own).next().cloned() else { return Ok(None) };
    find::in_folders(&path, input.sidecars, |folder, stem| {
        let is_sheet = ["xml", "txt"].iter().any(|extension| folder.size(&format!("{stem}.{extension}")).is_ok());
        let sidecars = Below { folder, path: stem.to_owned() };
        if is_sheet || sidecars.size(find::ANIMATION).is_err() {
            return Ok(None);
        }
        let Ok(bytes) = sidecars.load(find::ANIMATION, budget.limits())? else { return Ok(None) };
        found.findings().iter().for_each(|finding| diagnostics.add(finding.severity, finding.fault.clone()));
        if described.sheets.len() > 1 {
            let message = "the character has several texture atlases or sheets; only the first one is read";
            diagnostics.incomplete("missing-image", Place::inside(engine.image_key()), message);
        }
        let cast = cast(&described, &path, diagnostics);
        let atlas = Input { bytes, sidecars: &sidecars };
        read(&atlas, stem, &cast, diagnostics).map(Some).map_err(|error| match error.code() {
            "no-frames" => error,
            _ => error.in_file(format!("{}/{}", escaped(stem), find::ANIMATION)),
        })
    })
}

/// Returns the animations of the atlas at `path`.
fn cast(described: &Described, path: &str, diagnostics: &mut Diagnostics) -> Cast {
    let mut roles = Vec::with_capacity(described.animations.len());
    for listed in &described.animations {
        if listed.sheet.as_ref().is_some_and(|sheet| sheet != path) {
            let message = format!(
                "the animation `{}` is left out: it is in another texture atlas than the first one",
                escaped(&listed.name)
            );
            diagnostics.warn("bad-tag", listed.place.clone(), message);
            continue;
        }
        let [left, up] = listed.offset.map(|offset| offset as f32);
        let sign = |is_flipped: bool| if is_flipped { -1.0 } else { 1.0 };
        let signs = vec2(sign(listed.flip[0] != described.is_flipped), sign(listed.flip[1]));
        let scale = Affine2::from_scale(signs * described.scale as f32);
        roles.push(Role {
            place: listed.place.clone(),
            name: listed.name.clone(),
            source: listed.prefix.clone(),
            is_symbol: listed.is_symbol,
            ranges: listed.ranges.clone(),
            fps: listed.fps,
            looping: listed.looping,
            root: Affine2::from_translation(vec2(-left, up)) * scale,
        });
    }
    Cast { roles, is_smooth: described.is_smooth, start: described.start.clone() }
}

/// The files of a folder below another one.
struct Below<'a> {
    folder: &'a dyn Sidecars,
    path: String,
}

impl Sidecars for Below<'_> {
    fn load(&self, path: &str, limits: &Limits) -> Result<Result<Bytes, String>> {
        self.folder.load(&format!("{}/{path}", self.path), limits)
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.folder.size(&format!("{}/{path}", self.path))
    }
}
