//! Animations: every number of every frame is finite; the frames stay in the file's bytes.

use super::bind_pose::is_bind_name;
use crate::bytes::f32_at;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, Place, Result};
use crate::formats::pchr::schema::{Animation, BoneTransform, File};
use crate::model::ModelBuilder;
use crate::motion::SampledAnimation;

const NUMBERS: [&str; 5] = ["x", "y", "rotation", "scaleX", "scaleY"];

/// Refuses numbers that are not finite, reports reserved bits and a rate of 0.
pub fn check(file: &File, diagnostics: &mut Diagnostics) -> Result<()> {
    if file.fps == 0 && file.animations.iter().any(|animation| animation.frame_count > 1) {
        let message = "0 frames a second: animations are shown as still pictures";
        diagnostics.warn("zero-fps", Place::at("fps", 8), message);
    }
    for (index, animation) in file.animations.iter().enumerate() {
        let (not_finite, flags) = scan(&animation.frames.bytes);
        if not_finite && let Some(fault) = first_fault(index, animation, file.bones.len()) {
            return Err(fault);
        }
        if animation.flags & !Animation::LOOP != 0 {
            let place = Place::at(
                format!("animations[{index}].flags"),
                animation.offset + 2 + animation.name.len() as u64,
            );
            diagnostics.warn(
                "reserved-bits",
                place,
                format!("reserved bits are set ({:#04x}), v1 knows bit 0 only", animation.flags),
            );
        }
        if flags & !BoneTransform::VISIBLE != 0 {
            let place = Place::at(format!("animations[{index}].frames"), animation.frames.offset);
            let message = format!(
                "reserved bits are set in some bone transforms ({flags:#04x} together), v1 knows bit 0 only"
            );
            diagnostics.warn("reserved-bits", place, message);
        }
    }
    Ok(())
}

/// Whether any number is not finite, and all flags together.
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

fn first_fault(index: usize, animation: &Animation, bone_count: usize) -> Option<Error> {
    let records = animation.frames.bytes.chunks_exact(BoneTransform::SIZE).enumerate();
    for (at, record) in records {
        for (number, name) in NUMBERS.iter().enumerate() {
            let value = f32_at(record, 4 * number);
            if !value.is_finite() {
                let (frame, bone) = (at / bone_count, at % bone_count);
                let offset = animation.frames.offset + (at * BoneTransform::SIZE + 4 * number) as u64;
                let place = Place::at(format!("animations[{index}].frames[{frame}][{bone}].{name}"), offset);
                return Some(Error::malformed("not-finite", place, format!("{value} is not a finite number")));
            }
        }
    }
    None
}

/// Lists the animations in the model and hands out their frames.
pub fn build(file: &File, builder: &mut ModelBuilder) -> Vec<SampledAnimation> {
    let build_one = |animation: &Animation| {
        builder.animation(crate::model::Animation {
            name: animation.name.clone(),
            looping: animation.flags & Animation::LOOP != 0,
            frame_count: animation.frame_count.into(),
            fps: file.fps.into(),
            is_bind_pose: is_bind_name(animation),
        });
        SampledAnimation::new(animation.frames.bytes.clone())
    };
    file.animations.iter().map(build_one).collect()
}
