//! Invariants of converting any character that opens to a keyed format, as `pchr convert` does: Spine and SkelForm
//! open again with the same animations and meshes, or the writer fails with a valid reason.

use std::sync::Arc;

use bytes::Bytes;
use pchr::Character;
use pchr::bake::{Deviation, deviations};
use pchr::convert::{self, ConvertOptions, OutFile};
use pchr::diagnostics::Diagnostics;
use pchr::error::Result;
use pchr::formats::spine::rewrite::Form;
use pchr::formats::table::target;
use pchr::formats::{Input, Listing, ReadOptions};
use pchr::formats::{Sidecars, from_bytes, from_input, skelform, spine};
use pchr::limits::Limits;
use pchr::model::{AnimationId, SlotId};
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::{Pose, bounds, palette};

use super::opened::{assert_refused, input, reopened, within};
use super::pose_checks::{NEAR, is_sane};
use super::targets::limits;

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
    let built = from_input(&Input { bytes: json, sidecars: &files }, &options, &mut Diagnostics::default());
    let Some(character) = reopened(built, "stored frames") else { return };
    write_spine(&character, &pages, &options);
    write_skelform(&character, &pages, &options);
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

fn write_spine(character: &Character, pages: &[(String, Bytes)], options: &ReadOptions) {
    for form in ["spine38", "skel42"] {
        let form = Form::of_target(form).expect("a target");
        write_spine_form(character, pages, form, options);
    }
}

fn write_spine_form(character: &Character, pages: &[(String, Bytes)], form: Form, options: &ReadOptions) {
    let names: Vec<String> = pages.iter().map(|(name, _)| name.clone()).collect();
    let written = match spine::write::write(character, &names, form, &options.limits) {
        Ok(written) => written,
        Err(error) => return assert_refused(&error),
    };
    let mut files = vec![("it.atlas".to_owned(), Bytes::from(written.atlas.unwrap_or_default()))];
    files.extend(names.into_iter().zip(pages).map(|(name, (_, png))| (name, png.clone())));
    let written_files = Files(files);
    let input = Input { bytes: written.bytes.into(), sidecars: &written_files };
    let back = reopened(from_input(&input, options, &mut Diagnostics::default()), "Spine");
    let Some(back) = back else { return };
    assert_near(character, &back, &written.animations, &written.slots, "Spine");
}

fn write_skelform(character: &Character, pages: &[(String, Bytes)], options: &ReadOptions) {
    let pages: Vec<&Bytes> = pages.iter().map(|(_, png)| png).collect();
    let written = match skelform::write::write(character, &pages, &options.limits) {
        Ok(written) => written,
        Err(error) => return assert_refused(&error),
    };
    let back = reopened(from_bytes(written.bytes, options, &mut Diagnostics::default()), "SkelForm");
    let Some(back) = back else { return };
    assert_near(character, &back, &written.animations, &written.slots, "SkelForm");
}

/// Tolerance for vertices, in pixels.
const CLOSE: f32 = 0.05;

/// Asserts that everything was written, at the same place.
fn assert_near(source: &Character, back: &Character, animations: &[AnimationId], slots: &[SlotId], name: &str) {
    let model = back.model();
    assert!(model.animations().len() >= animations.len(), "{name}: an animation is missing");
    assert!(model.slots().len() >= slots.len(), "{name}: a slot is missing");
    let measured = match deviations(source, back, animations, slots, [&[], &[]], None, &limits()) {
        Err(error) if error.code() == "limit-exceeded" => return,
        measured => measured.unwrap_or_else(|error| panic!("{name}: {error}")),
    };
    if !is_plain(source, animations) {
        return;
    }
    for Deviation { animation, slot, px, frame } in measured {
        let (model, at) = (source.model(), format!("frame {frame} of animation {}", animation.index()));
        let slot = &model.slot(slot).name;
        assert!(px <= CLOSE, "{name}: the mesh in `{slot}` is off by {px} px in {at}");
    }
}

/// Returns true if the whole character is near the origin and no bone is flat, at all times that are written.
fn is_plain(character: &Character, animations: &[AnimationId]) -> bool {
    let model = character.model();
    let inverse = model.skeleton().bones().iter().filter_map(|bone| bone.bone_from_bind);
    let (mut pose, mut matrices) = (Pose::for_model(model), Vec::new());
    inverse.into_iter().all(|matrix| is_sane(&matrix))
        && animations.iter().all(|&id| {
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
