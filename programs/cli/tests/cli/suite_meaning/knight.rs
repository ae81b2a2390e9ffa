//! Changes of a PCHR file.

use super::{Change, make};
use crate::common::random::Random;
use crate::common::suite_folder::Suite;
use crate::common::v1::{self, BoneTransform, File};
use crate::common::v1_read::read;

const CHANGES: &[Change<File>] =
    &[turn, turn, shift, stretch, exchange_frames, hide, reorder, drop_frame, rename, no_loop, faster];

pub fn change(suite: &Suite, original: &[u8], random: &mut Random) -> String {
    let mut file = read(original);
    let done = make(&mut file, CHANGES, random);
    suite.write("art/knight/knight.pchr", &v1::write(&file).expect("a valid file"));
    done
}

/// Changes one bone in one stored frame.
fn change_sample(
    file: &mut File,
    random: &mut Random,
    change: impl FnOnce(&mut BoneTransform, &mut Random),
) -> Option<String> {
    let animation = random.below(file.animations.len());
    let (bones, animation) = (file.bones.len(), &mut file.animations[animation]);
    let record = random.below(animation.frames.bytes.len() / BoneTransform::SIZE);
    let bytes = &mut animation.frames.bytes[record * BoneTransform::SIZE..][..BoneTransform::SIZE];
    let mut sample = BoneTransform::read(bytes);
    change(&mut sample, random);
    bytes.copy_from_slice(&v1::Animation::new("", false, &[vec![sample]]).frames.bytes);
    Some(format!("{}, frame {}, bone {}", animation.name, record / bones, record % bones))
}

fn turn(file: &mut File, random: &mut Random) -> Option<String> {
    change_sample(file, random, |sample, _| sample.rotation += 0.15_f32.to_degrees()).map(|at| at + ": turned")
}

fn shift(file: &mut File, random: &mut Random) -> Option<String> {
    change_sample(file, random, |sample, random| sample.x += random.between(1.0, 6.0)).map(|at| at + ": shifted")
}

fn stretch(file: &mut File, random: &mut Random) -> Option<String> {
    change_sample(file, random, |sample, _| sample.scale_y *= 1.05).map(|at| at + ": stretched")
}

/// Two frames of one animation that differ.
fn exchange_frames(file: &mut File, random: &mut Random) -> Option<String> {
    let animation = random.below(file.animations.len());
    let (bones, animation) = (file.bones.len(), &mut file.animations[animation]);
    let frame = bones * BoneTransform::SIZE;
    let [a, b] = [0, 1].map(|_| random.below(usize::from(animation.frame_count)));
    let mut frames: Vec<Vec<u8>> = animation.frames.bytes.chunks(frame).map(<[u8]>::to_vec).collect();
    if frames[a] == frames[b] {
        return None;
    }
    frames.swap(a, b);
    animation.frames = frames.concat().into();
    Some(format!("{}: frames {a} and {b} are exchanged", animation.name))
}

/// A bone with a mesh of its name.
fn hide(file: &mut File, random: &mut Random) -> Option<String> {
    let mut sample = None;
    let meshes: Vec<String> = file.meshes.iter().map(|mesh| mesh.name.clone()).collect();
    let names: Vec<String> = file.bones.iter().map(|bone| bone.name.clone()).collect();
    let mut trial = file.clone();
    let at = change_sample(&mut trial, random, |changed, _| {
        changed.flags ^= BoneTransform::VISIBLE;
        sample = Some(());
    })?;
    let bone: usize = at.rsplit(' ').next()?.parse().ok()?;
    meshes.contains(&names[bone]).then(|| *file = trial)?;
    sample.map(|()| at + ": hidden")
}

fn reorder(file: &mut File, random: &mut Random) -> Option<String> {
    let meshes: Vec<String> = file.meshes.iter().map(|mesh| mesh.name.clone()).collect();
    let names: Vec<String> = file.bones.iter().map(|bone| bone.name.clone()).collect();
    let mut trial = file.clone();
    let mut before = 0;
    let at = change_sample(&mut trial, random, |changed, _| {
        before = changed.z_order;
        changed.z_order = 99;
    })?;
    let bone: usize = at.rsplit(' ').next()?.parse().ok()?;
    // The foremost one stays where it is.
    (meshes.contains(&names[bone]) && before < 3).then(|| *file = trial)?;
    Some(at + ": in front")
}

fn drop_frame(file: &mut File, random: &mut Random) -> Option<String> {
    let animation = random.below(file.animations.len());
    let (bones, animation) = (file.bones.len(), &mut file.animations[animation]);
    animation.frame_count = animation.frame_count.checked_sub(1).filter(|count| *count > 0)?;
    animation.frames.bytes.truncate(usize::from(animation.frame_count) * bones * BoneTransform::SIZE);
    Some(format!("{}: one frame less", animation.name))
}

fn rename(file: &mut File, random: &mut Random) -> Option<String> {
    let bone = random.below(file.bones.len());
    file.bones[bone].name += " 2";
    Some(format!("bone {bone} is renamed"))
}

fn no_loop(file: &mut File, random: &mut Random) -> Option<String> {
    let animation = random.below(file.animations.len());
    file.animations[animation].flags ^= v1::Animation::LOOP;
    Some(format!("animation {animation} loops or not"))
}

fn faster(file: &mut File, _: &mut Random) -> Option<String> {
    file.fps += 1;
    Some("faster".to_owned())
}

/// Rounds the numbers of all frames to five digits.
pub fn rounded(bytes: &[u8]) -> Vec<u8> {
    let mut file = read(bytes);
    let round = |number: f32| format!("{number:.4e}").parse::<f32>().expect("a number");
    for animation in &mut file.animations {
        let samples = animation.frames.bytes.chunks(BoneTransform::SIZE).map(|record| {
            let BoneTransform { x, y, rotation, scale_x, scale_y, flags, z_order } = BoneTransform::read(record);
            let [x, y, rotation, scale_x, scale_y] = [x, y, rotation, scale_x, scale_y].map(round);
            BoneTransform { x, y, rotation, scale_x, scale_y, flags, z_order }
        });
        animation.frames = v1::Animation::new("", false, &[samples.collect()]).frames;
    }
    v1::write(&file).expect("a valid file")
}
