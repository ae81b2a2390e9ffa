//! Our own character: the file matches the program that makes it, and the motion is correct.

#[path = "../../examples/make_paper_knight/knight/mod.rs"]
mod knight;

use std::collections::BTreeSet;
use std::fs::read_dir;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::common::v1;
use pchr::Character;
use pchr::math::{Affine2, vec2};
use pchr::model::AttachmentId;
use pchr::motion::{Cue, Position, evaluate};
use pchr::pose::Pose;

const STORED: &[u8] = include_bytes!("../../assets/paper-knight.pchr");

static FILE: LazyLock<v1::File> = LazyLock::new(knight::file);
static CHARACTER: LazyLock<Character> = LazyLock::new(|| Character::from_bytes(STORED).expect("the knight reads"));

fn frame_count(animation: &str) -> u32 {
    let model = CHARACTER.model();
    model.animation(model.find_animation(animation).expect("the animation")).frame_count()
}

fn pose(animation: &str, frame: u32) -> Pose {
    let animation = Some(CHARACTER.model().find_animation(animation).expect("the animation"));
    let mut pose = Pose::default();
    evaluate(
        &CHARACTER,
        &Cue { animation, position: Position::frame(frame), interpolate: false, ..Cue::default() },
        &mut pose,
    );
    pose
}

fn name(id: AttachmentId) -> &'static str {
    CHARACTER.model().attachment(id).name()
}

/// The visible attachments, back to front.
fn shown(pose: &Pose) -> Vec<&'static str> {
    pose.visible_attachments(CHARACTER.model()).map(name).collect()
}

fn bone(pose: &Pose, name: &str) -> Affine2 {
    pose.world_from_bone[CHARACTER.model().skeleton().find(name).expect("the bone").index()]
}

/// Maximum distance that the joint or the tip of any bone moves.
fn step(a: &Pose, b: &Pose) -> f32 {
    let tip = vec2(0.0, 40.0);
    let pairs = a.world_from_bone.iter().zip(&b.world_from_bone);
    let moved = pairs.map(|(a, b)| {
        a.translation.distance(b.translation).max(a.transform_point2(tip).distance(b.transform_point2(tip)))
    });
    moved.fold(0.0, f32::max)
}

#[test]
fn the_file_matches_the_program() {
    let made = v1::write(&FILE).expect("the knight fits the format");
    assert!(made == STORED, "run `cargo run --release --example make_paper_knight`");
}

#[test]
fn the_icons_match_the_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/icons");
    let icons = knight::icon::files();
    for (name, bytes) in &icons {
        let stored = std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(stored == *bytes, "{name}: run `cargo run --release --example make_paper_knight`");
    }
    let entries =
        |folder: PathBuf| read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let stored = entries(folder.join("hicolor")).flat_map(|size| entries(size.join("apps")));
    assert_eq!(stored.count(), icons.len(), "no other files");
}

#[test]
fn the_character_is_complete() {
    assert!(FILE.bones.len() >= 18);
    assert!(FILE.meshes.len() >= 12);
    let names: Vec<_> = FILE.animations.iter().map(|animation| (&*animation.name, animation.flags)).collect();
    assert_eq!(names, [("bind", 0), ("idle", 1), ("walk", 1), ("jump", 0), ("wave", 0)]);
    assert_eq!(FILE.animations[0].frame_count, 1);
    assert!(STORED.len() < 400 * 1024, "{} bytes", STORED.len());
}

#[test]
fn names_are_unique_and_can_be_file_names() {
    let plain = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let bones: BTreeSet<_> = FILE.bones.iter().map(|bone| &bone.name).collect();
    let meshes: BTreeSet<_> = FILE.meshes.iter().map(|mesh| &mesh.name).collect();
    assert_eq!((bones.len(), meshes.len()), (FILE.bones.len(), FILE.meshes.len()));
    assert!(bones.union(&meshes).all(|name| plain(name)));
}

#[test]
fn weights_and_triangles_are_valid() {
    let mut used = BTreeSet::new();
    let mut most = 0;
    for mesh in &FILE.meshes {
        let records = mesh.vertices.bytes.chunks_exact(v1::Vertex::SIZE);
        let vertices: Vec<_> = records.map(v1::Vertex::read).collect();
        for vertex in &vertices {
            assert_eq!(vertex.bone_weights.iter().sum::<f32>(), 1.0, "{}", mesh.name);
            assert!((0.0..=1.0).contains(&vertex.u) && (0.0..=1.0).contains(&vertex.v), "{}", mesh.name);
            let influences = vertex.bone_ids.iter().zip(vertex.bone_weights).filter(|(_, weight)| *weight > 0.0);
            most = most.max(influences.clone().count());
            used.extend(influences.map(|(&id, _)| id));
        }
        let indices: Vec<_> =
            mesh.indices.bytes.as_chunks::<2>().0.iter().map(|b| u16::from_le_bytes(*b)).collect();
        for triangle in indices.as_chunks::<3>().0 {
            let [a, b, c] = triangle.map(|index| vertices[usize::from(index)]);
            let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
            assert!(area.abs() > 1.0, "{} has a sliver", mesh.name);
        }
    }
    assert_eq!(most, 4);
    let idle: Vec<_> = (0..FILE.bones.len() as u16).filter(|bone| !used.contains(bone)).collect();
    assert_eq!(idle, [0], "only the root moves no vertices");
}

#[test]
fn loops_have_no_seam() {
    for animation in ["idle", "walk"] {
        let count = frame_count(animation);
        let steps: Vec<_> =
            (0..count).map(|frame| step(&pose(animation, frame), &pose(animation, (frame + 1) % count))).collect();
        let (seam, inside) = steps.split_last().expect("frames");
        let largest = inside.iter().copied().fold(0.0, f32::max);
        // The seam is a normal step; a repeated or missing frame would be 0 or twice as much.
        assert!(*seam > 0.0 && *seam <= 1.5 * largest, "{animation}: {seam} px across the seam, {largest} inside");
    }
}

#[test]
fn animations_played_once_begin_and_end_in_idle() {
    for animation in ["jump", "wave"] {
        let last = frame_count(animation) - 1;
        // Breathing and the breeze move a little; a tenth of the figure would be a visible jump.
        for frame in [0, last] {
            let off = step(&pose(animation, frame), &pose("idle", 0));
            assert!(off < 20.0, "{animation} {frame}: {off} px from idle");
        }
    }
}

#[test]
fn feet_on_the_ground_do_not_slide() {
    // While the near sole is flat, it moves straight back by the same step in every frame.
    let flat: Vec<_> = (3..=7).map(|frame| bone(&pose("walk", frame), "foot_front").translation).collect();
    let first = flat[1] - flat[0];
    assert!(first.x < -4.0);
    for pair in flat.windows(2) {
        // Angles are stored in 1/64 degrees; over a leg of 112 px that is 0.03 px, twice.
        assert!((pair[1] - pair[0] - first).abs().max_element() < 0.1, "{pair:?}");
        assert!((pair[0].y - 22.0).abs() < 0.1, "{pair:?}");
    }
}

#[test]
fn the_waving_arm_passes_in_front_of_the_head() {
    let before = |pose: &Pose| {
        let shown = shown(pose);
        let place = |name| shown.iter().position(|shown| *shown == name).expect("a mesh");
        place("arm_front") < place("helmet")
    };
    assert!(before(&pose("wave", 0)));
    assert!(!before(&pose("wave", 20)));
    assert!(before(&pose("wave", frame_count("wave") - 1)));
}

#[test]
fn he_blinks_and_every_part_is_visible() {
    let frames: Vec<_> = (0..frame_count("idle")).map(|frame| shown(&pose("idle", frame))).collect();
    let blinking = frames.iter().filter(|shown| shown.contains(&"eyes_closed")).count();
    assert!((1..frames.len() / 4).contains(&blinking));
    assert!(frames.iter().all(|shown| shown.contains(&"eyes_closed") != shown.contains(&"eyes_open")));
    let seen: BTreeSet<_> = frames.into_iter().flatten().collect();
    assert_eq!(seen.len(), FILE.meshes.len());
}

#[test]
fn z_orders_are_unique() {
    // A mesh is owned by the bone with the largest total weight; the lowest index wins ties.
    let owners: BTreeSet<_> = FILE
        .meshes
        .iter()
        .map(|mesh| {
            let mut totals = vec![0.0; FILE.bones.len()];
            for record in mesh.vertices.bytes.chunks_exact(v1::Vertex::SIZE) {
                let vertex = v1::Vertex::read(record);
                let influences = vertex.bone_ids.iter().zip(vertex.bone_weights);
                influences.for_each(|(&id, weight)| totals[usize::from(id)] += f64::from(weight));
            }
            (0..totals.len()).rev().max_by(|&a, &b| totals[a].total_cmp(&totals[b])).expect("a bone")
        })
        .collect();
    assert_eq!(owners.len(), FILE.meshes.len(), "every mesh has its own bone");
    for animation in &FILE.animations {
        for frame in animation.frames.bytes.chunks_exact(FILE.bones.len() * v1::BoneTransform::SIZE) {
            let record = |&bone: &usize| &frame[bone * v1::BoneTransform::SIZE..][..v1::BoneTransform::SIZE];
            let orders: BTreeSet<_> =
                owners.iter().map(record).map(|record| v1::BoneTransform::read(record).z_order).collect();
            assert_eq!(orders.len(), owners.len(), "{}", animation.name);
        }
    }
}
