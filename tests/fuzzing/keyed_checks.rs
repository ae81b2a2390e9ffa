//! Invariants of converting any character that opens to a keyed format, as `pchr convert` does: Spine and SkelForm
//! open again with the same animations and meshes, or the writer fails with a valid reason.

use std::sync::Arc;

use bytes::Bytes;
use pchr::Character;
use pchr::Result;
use pchr::convert::{self, ConvertOptions, OutFile};
use pchr::diagnostics::Diagnostics;
use pchr::formats::table::target;
use pchr::formats::{Input, Listing, ReadOptions};
use pchr::formats::{Sidecars, from_input};
use pchr::limits::Limits;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, bounds, palette};

use super::opened::{assert_refused, input, reopened, within};
use super::pose_checks::{NEAR, is_sane};
use crate::common::converted::{cause, main_file, options};

/// Maximum number of animations; more would not find more.
const MOST_ANIMATIONS: usize = 4;

/// Writes the character as Spine and as SkelForm.
pub fn write_keyed(bytes: &Bytes, limits: &Limits) {
    let Some((json, pages)) = stored_frames(bytes, limits) else { return };
    let mut limits = limits.clone();
    // The output may be larger than the input.
    limits.file_bytes = u64::MAX;
    let options = within(&limits);
    let files = Files(pages.clone());
    let input = Input { bytes: json, sidecars: &files };
    let built = from_input(&input, &options, &mut Diagnostics::default());
    let Some(character) = reopened(built, "stored frames") else { return };
    for to in ["spine38", "skel42", "skelform"] {
        write_to(to, &character, &input, &options);
    }
}

/// Returns stored frames, those of the file or sampled ones, with all influences, and the images that exist.
fn stored_frames(bytes: &Bytes, limits: &Limits) -> Option<(Bytes, Vec<(String, Bytes)>)> {
    let read = within(limits);
    let opened = convert::open(input(bytes), &read, &mut Diagnostics::default()).ok()?;
    let mut options = ConvertOptions::new(target("pachario").expect("a target"), "it.json");
    (options.read, options.allows_missing_images) = (read, true);
    if let Some(character) = opened.character() {
        let most = character.model().motions().take(MOST_ANIMATIONS);
        options.animations = most.map(|id| format!("#{}", id.index())).collect();
    }
    // `convert_everything` judges the errors.
    let files = opened.convert(&options).ok()?.files;
    let mut json = Vec::new();
    files.files.last()?.write_to(&mut json).expect("memory");
    let picture = |file: &OutFile| (file.name.clone(), file.bytes().expect("a whole image").clone());
    Some((json.into(), files.pictures.iter().map(picture).collect()))
}

/// Tolerance for vertices, in pixels.
const CLOSE: f32 = 0.05;

/// Asserts that everything was written, at the same place.
fn write_to(to: &str, character: &Character, input: &Input<'_>, read: &ReadOptions) {
    let options = ConvertOptions { read: read.clone(), ..options(to, &read.limits) };
    let input = Input { bytes: input.bytes.clone(), sidecars: input.sidecars };
    let opened = convert::open(input, read, &mut Diagnostics::default()).expect("it opens as a character");
    let converted = match opened.convert(&options) {
        Ok(converted) => converted,
        Err(error) => return assert_refused(cause(&error)),
    };
    let files = converted.files.pictures.iter().chain(&converted.files.files);
    let files = Files(files.filter_map(|file| Some((file.name.clone(), file.bytes()?.clone()))).collect());
    let input = Input { bytes: main_file(&converted), sidecars: &files };
    let Some(back) = reopened(from_input(&input, read, &mut Diagnostics::default()), to) else { return };
    let written = character.model().motions().filter(|&id| character.model().animation(id).frame_count() > 0);
    assert!(back.model().animations().len() >= written.count(), "{to}: an animation is missing");
    // The conversion itself compares all poses.
    let off = converted.worst_error_px.filter(|_| is_plain(character));
    assert!(off.is_none_or(|px| px <= CLOSE), "{to}: {:?}", converted.losses);
}

/// Returns true if the whole character is near the origin and no bone is flat, at all times.
fn is_plain(character: &Character) -> bool {
    let model = character.model();
    let inverse = model.skeleton().bones().iter().filter_map(|bone| bone.bone_from_bind);
    let (mut pose, mut matrices) = (Pose::for_model(model), Vec::new());
    inverse.into_iter().all(|matrix| is_sane(&matrix))
        && model.animation_ids().all(|id| {
            (0..model.animation(id).frame_count()).all(|frame| {
                let cue = Cue { animation: Some(id), position: Position::frame(frame), ..Cue::default() };
                evaluate(character, &cue, &mut pose);
                palette(model, &pose, &mut matrices);
                let bounds = bounds(model, &pose, &matrices);
                let corners = [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y];
                // Bounds are empty if nothing is visible.
                let is_near =
                    corners.iter().all(|at| at.abs() < NEAR) || corners.iter().all(|at| at.is_infinite());
                is_near && pose.world_from_bone.iter().all(is_sane)
            })
        })
}

/// The written files, as a folder.
struct Files(Vec<(String, Bytes)>);

impl Files {
    fn find(&self, path: &str) -> Result<&Bytes, String> {
        let found = self.0.iter().find(|(name, bytes)| name == path && !bytes.is_empty());
        found.map(|(_, bytes)| bytes).ok_or_else(|| format!("`{path}` was not written"))
    }
}

impl Sidecars for Files {
    fn load(&self, path: &str, _limits: &Limits) -> Result<Result<Bytes, String>> {
        Ok(self.find(path).cloned())
    }

    fn own_name(&self) -> Option<&str> {
        Some("it.json")
    }

    fn listing(&self, _folder: &str) -> Arc<Listing> {
        Listing::of_files(self.0.iter().map(|(name, _)| name.clone())).into()
    }

    fn size(&self, path: &str) -> Result<u64, String> {
        self.find(path).map(|bytes| bytes.len() as u64)
    }
}
