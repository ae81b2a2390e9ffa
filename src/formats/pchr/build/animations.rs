//! Animations: checks that every number is finite. Frames stay the bytes of the file.

use super::MAX_FAULTS;
use super::bind_pose::is_bind_name;
use crate::bytes::f32_at;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Result};
use crate::formats::pchr::document::{At, Document};
use crate::formats::pchr::schema::{Animation, BoneTransform, File};
use crate::model::{ModelBuilder, Timing};
use crate::motion::SampledAnimation;

const NUMBERS: [&str; 5] = ["x", "y", "rotation", "scaleX", "scaleY"];

/// Refuses numbers that are not finite; reports reserved bits and a rate of 0. Returns for each animation whether
/// it can be played.
pub fn check(document: &Document, diagnostics: &mut Diagnostics) -> Result<Vec<bool>> {
    let file = &document.file;
    if file.fps == 0 && file.animations.iter().any(|animation| animation.frame_count > 1) {
        let message = "the frame rate is 0, so animations are shown as still pictures";
        diagnostics.warn("zero-fps", document.place(At::File("fps")), message);
    }
    let mut fine = Vec::with_capacity(file.animations.len());
    for (index, animation) in file.animations.iter().enumerate() {
        let (not_finite, flags) = scan(&animation.frames.bytes);
        if not_finite {
            for fault in faults(document, index).take(MAX_FAULTS) {
                diagnostics.reject(fault)?;
            }
        }
        fine.push(!not_finite && document.cut_animations.binary_search(&index).is_err());
        if animation.flags & !Animation::LOOP != 0 {
            let message = format!("reserved bits are set ({:#04x}); v1 defines only bit 0", animation.flags);
            diagnostics.warn("reserved-bits", document.place(At::Animation(index, "flags")), message);
        }
        if flags & !BoneTransform::VISIBLE != 0 {
            report_reserved_bits(document, index, diagnostics);
        }
    }
    Ok(fine)
}

/// Returns true if any number is not finite, and all flags combined.
fn scan(frames: &[u8]) -> (bool, u8) {
    let mut not_finite = false;
    let mut flags = 0;
    for record in frames.chunks_exact(BoneTransform::SIZE) {
        for number in 0..NUMBERS.len() {
            not_finite |= !f32_at(record, 4 * number).is_finite();
        }
        flags |= record[20];
    }
    (not_finite, flags)
}

/// Locates what [`scan`] found.
fn faults(document: &Document, index: usize) -> impl Iterator<Item = Error> {
    let bone_count = document.file.bones.len();
    let records = document.file.animations[index].frames.bytes.chunks_exact(BoneTransform::SIZE).enumerate();
    records.flat_map(move |(at, record)| {
        NUMBERS.iter().enumerate().filter_map(move |(number, name)| {
            let value = f32_at(record, 4 * number);
            let place = || document.place(At::Transform(index, at / bone_count, at % bone_count, name));
            let fault = || Error::malformed("not-finite", place(), format!("{value} is not a finite number"));
            (!value.is_finite()).then(fault)
        })
    })
}

/// Reports the first transform of an animation with reserved bits, and the number of such transforms.
fn report_reserved_bits(document: &Document, index: usize, diagnostics: &mut Diagnostics) {
    let bone_count = document.file.bones.len();
    let animation = &document.file.animations[index];
    let records = animation.frames.bytes.chunks_exact(BoneTransform::SIZE).enumerate();
    let mut found =
        records.map(|(at, record)| (at, record[20])).filter(|(_, flags)| flags & !BoneTransform::VISIBLE != 0);
    if let Some((at, flags)) = found.next() {
        let count = 1 + found.count();
        let place = document.place(At::Transform(index, at / bone_count, at % bone_count, "flags"));
        let message = format!(
            "reserved bits are set ({flags:#04x}); v1 defines only bit 0; affected bone transforms of `{}`: \
             {count}",
            animation.name
        );
        diagnostics.warn("reserved-bits", place, message);
    }
}

/// Adds the animations to the model and returns their frames.
pub fn build(file: &File, builder: &mut ModelBuilder) -> Vec<SampledAnimation> {
    let build_one = |animation: &Animation| {
        builder.animation(crate::model::Animation {
            name: animation.name.clone(),
            looping: animation.flags & Animation::LOOP != 0,
            timing: Timing::Frames { count: animation.frame_count.into(), fps: file.fps.into() },
            is_bind_pose: is_bind_name(animation),
        });
        SampledAnimation::new(animation.frames.bytes.clone())
    };
    file.animations.iter().map(build_one).collect()
}
