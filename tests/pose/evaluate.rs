//! Compares poses of small characters with matrices computed by hand, and checks that evaluating allocates
//! nothing.

use crate::common::influences::{same_influences, with_lists};
use crate::common::memory::allocations;
use crate::common::rig::rig;
use crate::common::v1::write;
use crate::common::v1::{Animation, BoneTransform, File, Mesh, Vertex};
use crate::common::{bone, read, read_with, tiny, triangle, vertex};
use pchr::Character;
use pchr::cpu::{Renderer, Threads};
use pchr::diagnostics::Diagnostics;
use pchr::draw::{Antialias, DrawList, Picture, Settings, View};
use pchr::formats::{BindPose, ReadOptions, from_bytes};
use pchr::math::{Affine2, Rect, Vec2, vec2};
use pchr::model::{Model, Skin4Vertex, Vertices};
use pchr::motion::{Cue, Evaluator, Position, evaluate};
use pchr::pose::{Pose, bounds, for_each_deformed_vertex, palette};

/// Returns a transform: x, y, degrees, scale x, scale y.
fn at(x: f32, y: f32, rotation: f32, scale_x: f32, scale_y: f32) -> BoneTransform {
    BoneTransform { x, y, rotation, scale_x, scale_y, ..BoneTransform::default() }
}

const REST: BoneTransform =
    BoneTransform { x: 0.0, y: 0.0, rotation: 0.0, scale_x: 1.0, scale_y: 1.0, flags: 1, z_order: 0 };

/// Returns a chain of bones with one animation, `move`, at one frame per second.
fn chain(looping: bool, frames: &[Vec<BoneTransform>]) -> File {
    let bones = (0..frames[0].len()).map(|index| bone(&format!("b{index}"), index as i16 - 1)).collect();
    File { fps: 1, bones, animations: vec![Animation::new("move", looping, frames)], ..File::default() }
}

fn pose_at(character: &Character, animation: &str, position: Position, interpolate: bool) -> Pose {
    let mut pose = Pose::default();
    let animation = Some(character.model().find_animation(animation).expect("the animation"));
    evaluate(character, &Cue { animation, position, interpolate, ..Cue::default() }, &mut pose);
    pose
}

/// Returns a stored frame of `move`.
fn frame(character: &Character, frame: u32) -> Pose {
    pose_at(character, "move", Position::frame(frame), false)
}

/// Returns an instant between two stored frames of `move`.
fn between(character: &Character, frame: u32, fraction: f32) -> Pose {
    pose_at(character, "move", Position::Frame { frame, fraction }, true)
}

fn matrix(columns: [f32; 6]) -> Affine2 {
    Affine2::from_cols_array(&columns)
}

/// Returns the indices of the drawn slots.
fn order(pose: &Pose) -> Vec<usize> {
    pose.draw_order.iter().map(|slot| slot.index()).collect()
}

#[track_caller]
fn assert_near(found: Vec2, expected: Vec2) {
    // Allows a few rounding errors of numbers below 1000.
    assert!(found.distance(expected) < 1e-3, "{found} is not {expected}");
}

#[test]
fn a_child_inherits_its_parents_full_matrix() {
    // The parent doubles x, triples y and rotates by 90°; in that space, the child's rotation becomes a shear.
    let character = read(&chain(false, &[vec![at(10.0, 20.0, 90.0, 2.0, 3.0), at(1.0, 1.0, 90.0, 1.0, 1.0)]]));
    let world = frame(&character, 0).world_from_bone;
    assert_eq!(world[0], matrix([0.0, 2.0, -3.0, 0.0, 10.0, 20.0]));
    // Its origin (1, 1) maps to (10 - 3, 20 + 2), its x axis to the parent's y, and its y axis to the parent's -x.
    assert_eq!(world[1], matrix([-3.0, 0.0, 0.0, -2.0, 7.0, 22.0]));
    assert_near(world[1].transform_point2(vec2(5.0, 10.0)), vec2(-8.0, 2.0));
}

#[test]
fn a_turn_in_a_stretched_parent_shears() {
    let character = read(&chain(false, &[vec![at(0.0, 0.0, 0.0, 2.0, 1.0), at(0.0, 0.0, 45.0, 1.0, 1.0)]]));
    let world = frame(&character, 0).world_from_bone[1];
    let half = 0.5_f32.sqrt();
    assert_near(world.matrix2.x_axis, vec2(2.0 * half, half));
    assert_near(world.matrix2.y_axis, vec2(-2.0 * half, half));
    assert!(world.matrix2.x_axis.dot(world.matrix2.y_axis).abs() > 1.0, "no shear");
}

#[test]
fn a_negative_scale_mirrors_the_children() {
    let character = read(&chain(false, &[vec![at(0.0, 0.0, 0.0, -1.0, 1.0), at(3.0, 4.0, 90.0, 1.0, 1.0)]]));
    // The child is at the mirrored position and rotates the other way.
    assert_eq!(frame(&character, 0).world_from_bone[1], matrix([0.0, 1.0, 1.0, 0.0, -3.0, 4.0]));
}

#[test]
fn interpolation_rotates_the_short_way() {
    let turn = |degrees| vec![BoneTransform { rotation: degrees, ..REST }];
    let character = read(&chain(true, &[turn(170.0), turn(-170.0), turn(-170.0)]));
    // From 170° to 190° via 180°, not back through 0°.
    assert_eq!(between(&character, 0, 0.5).world_from_bone[0], matrix([-1.0, 0.0, 0.0, -1.0, 0.0, 0.0]));
    // Across the wrap from -170° to 170°.
    assert_eq!(between(&character, 2, 0.5).world_from_bone[0], matrix([-1.0, 0.0, 0.0, -1.0, 0.0, 0.0]));
}

#[test]
fn interpolation_is_linear_wraps_around_and_preserves_stored_frames() {
    let frames: Vec<_> = [0.0, 8.0, 4.0].map(|x| vec![at(x, 0.0, 0.0, 1.0 + x, 1.0)]).into();
    let looping = read(&chain(true, &frames));
    let x_of = |pose: Pose| (pose.world_from_bone[0].translation.x, pose.world_from_bone[0].matrix2.x_axis.x);
    assert_eq!(x_of(between(&looping, 0, 0.25)), (2.0, 3.0));
    assert_eq!(x_of(between(&looping, 2, 0.75)), (1.0, 2.0));
    assert_eq!(x_of(pose_at(&looping, "move", Position::Seconds(5.75), true)), (1.0, 2.0));
    assert_eq!(x_of(pose_at(&looping, "move", Position::Seconds(5.75), false)), (4.0, 5.0));
    let holding = read(&chain(false, &frames));
    assert_eq!(x_of(between(&holding, 2, 0.75)), (4.0, 5.0));
    for number in 0..3 {
        assert_eq!(frame(&looping, number), between(&looping, number, 0.0));
    }
}

/// Returns three meshes on three bones, whose order and visibility change from frame to frame.
fn three_layers(frames: &[[(u8, i16); 3]]) -> Character {
    let transform = |&(flags, z_order): &(u8, i16)| BoneTransform { flags, z_order, ..REST };
    let frames: Vec<Vec<_>> = frames.iter().map(|bones| bones.iter().map(transform).collect()).collect();
    let mut file = chain(true, &frames);
    file.meshes = (0..3).map(|index| Mesh::new(format!("m{index}"), 0, &triangle(index), &[0, 1, 2])).collect();
    read(&file)
}

#[test]
fn visibility_and_order_step() {
    let character = three_layers(&[[(1, 3), (1, 2), (1, 1)], [(1, -5), (0, 9), (1, 32_767)]]);
    assert_eq!(order(&between(&character, 0, 0.99)), [2, 1, 0]);
    assert_eq!(order(&frame(&character, 1)), [0, 2]);
    assert_eq!(order(&between(&character, 1, 0.5)), [0, 2]);
}

#[test]
fn equal_order_is_file_order() {
    assert_eq!(order(&frame(&three_layers(&[[(1, 7); 3]]), 0)), [0, 1, 2]);
    assert_eq!(order(&frame(&three_layers(&[[(1, 7), (1, -7), (1, 7)]]), 0)), [1, 0, 2]);
}

#[test]
fn a_hidden_parent_does_not_hide_its_child() {
    assert_eq!(order(&frame(&three_layers(&[[(0, 0), (1, 0), (1, 0)]]), 0)), [1, 2]);
}

/// Returns the bone that owns a mesh whose vertices have these influences.
fn owner(influences: &[([u16; 4], [f32; 4])]) -> Option<usize> {
    let mut file = chain(false, &[vec![REST; 4]]);
    let vertices: Vec<Vertex> = influences
        .iter()
        .map(|&(bone_ids, bone_weights)| Vertex { bone_ids, bone_weights, ..vertex(0.0, 0.0, 0) })
        .collect();
    file.meshes = vec![Mesh::new("m", 0, &vertices, &[])];
    read(&file).model().slots()[0].bone.map(|bone| bone.index())
}

#[test]
fn the_heaviest_bone_owns_a_mesh_and_ties_go_to_the_lowest() {
    assert_eq!(owner(&[([3, 1, 2, 0], [0.3, 0.3, 0.4, 0.0])]), Some(2));
    assert_eq!(owner(&[([3, 1, 2, 0], [0.5, 0.5, 0.0, 0.0])]), Some(1));
    assert_eq!(owner(&[([3, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]), ([2, 0, 0, 0], [1.0, 0.0, 0.0, 0.0])]), Some(2));
    // A bone in two influences counts with both, but not with a negative weight.
    assert_eq!(owner(&[([3, 3, 1, 0], [0.3, 0.3, 0.5, 0.0])]), Some(3));
    assert_eq!(owner(&[([3, 3, 1, 0], [0.6, -0.6, 0.5, 0.0])]), Some(3));
    // Sums are computed in f64: 2²⁵ + 1 is greater than 2²⁵.
    let large = 33_554_432.0;
    assert_eq!(owner(&[([1, 2, 0, 0], [large, large, 0.0, 0.0]), ([2, 0, 0, 0], [1.0, 0.0, 0.0, 0.0])]), Some(2));
    assert_eq!(owner(&[([3, 1, 2, 0], [0.0, -1.0, 0.0, 0.0])]), None);
    assert_eq!(owner(&[]), None);
}

#[test]
fn a_mesh_without_weights_stays_and_is_always_drawn() {
    let mut file = chain(false, &[vec![REST; 2], vec![BoneTransform { x: 50.0, flags: 0, ..REST }; 2]]);
    let loose = triangle(1).map(|corner| Vertex { bone_weights: [0.0; 4], ..corner });
    file.meshes = vec![Mesh::new("loose", 0, &loose, &[0, 1, 2]), Mesh::new("tied", 0, &triangle(1), &[0, 1, 2])];
    let character = read(&file);
    let pose = frame(&character, 1);
    assert_eq!(order(&pose), [0]);
    assert_eq!(skinned(&character, &pose, 0)[2], vec2(10.0, 20.0));
    assert_eq!(skinned(&character, &pose, 1)[2], vec2(110.0, 20.0));
}

/// Returns the vertex positions of a mesh.
fn skinned(character: &Character, pose: &Pose, mesh: usize) -> Vec<Vec2> {
    let mut matrices = Vec::new();
    palette(character.model(), pose, &mut matrices);
    let mesh = character.model().attachments()[mesh].mesh().expect("a mesh");
    let mut points = Vec::new();
    for_each_deformed_vertex(&mesh.vertices, &[], &matrices, |point, _uv| points.push(point));
    points
}

#[test]
fn the_palette_is_the_identity_in_the_bind_pose() {
    let frames = [vec![at(3.0, 4.0, 33.0, 2.0, -0.5), at(1.0, 7.0, -120.0, 0.3, 1.7)]];
    let mut file = chain(false, &frames);
    file.meshes = vec![Mesh::new("m", 0, &triangle(1), &[0, 1, 2])];
    let character = read(&file);
    for (found, corner) in skinned(&character, &frame(&character, 0), 0).into_iter().zip(triangle(1)) {
        assert_near(found, vec2(corner.x, corner.y));
    }
}

#[test]
fn a_bone_with_a_flat_bind_pose_moves_nothing() {
    // A flat bone in a rotated flat one: rounding alone would give the product an inverse of about 1e17.
    for flat in [
        vec![at(1.0, 2.0, 0.0, 1.0, 1.0), at(5.0, 0.0, 30.0, 0.0, 1.0)],
        vec![at(0.0, 0.0, 31.7, 0.0, 1.3), at(5.0, 0.0, 17.3, 0.7, 1.1)],
        vec![at(0.0, 0.0, 0.0, 1.0, 1.0), at(0.0, 0.0, 0.0, 1e-39, 1e-39)],
    ] {
        let mut file = chain(false, &[flat.clone(), vec![at(9.0, 9.0, 90.0, 1.0, 1.0); 2]]);
        file.meshes = vec![Mesh::new("m", 0, &triangle(1), &[0, 1, 2])];
        let mut diagnostics = Diagnostics::default();
        let bytes = write(&file).expect("the file is valid");
        let character = from_bytes(bytes, &ReadOptions::default(), &mut diagnostics).expect("it opens");
        let count = diagnostics.warnings().filter(|fault| fault.code == "no-inverse-bind").count();
        assert!(count >= 1, "{flat:?} is not reported");
        assert_eq!(skinned(&character, &frame(&character, 1), 0)[2], vec2(10.0, 20.0), "{flat:?}");
    }
}

#[test]
fn a_small_but_regular_bind_pose_is_invertible() {
    let small = vec![at(1.0, 2.0, 30.0, 1e-4, 1.0), at(5.0, 0.0, 45.0, 1.0, 1e-4)];
    let mut file = chain(false, &[small]);
    file.meshes = vec![Mesh::new("m", 0, &triangle(1), &[0, 1, 2])];
    let character = read(&file);
    assert!(character.model().skeleton().bones().iter().all(|bone| bone.bone_from_bind.is_some()));
}

#[test]
fn the_bind_pose_is_chosen_by_name_or_by_option() {
    let mut file = tiny();
    file.animations.reverse();
    let bind_x = |file: &File, bind_pose: BindPose| {
        let options = ReadOptions { bind_pose, ..ReadOptions::default() };
        let mut pose = Pose::default();
        let character = read_with(file, &options);
        evaluate(&character, &Cue::default(), &mut pose);
        (pose.world_from_bone[0].translation.x, character.model().motions().count())
    };
    let of_wave = |frame| BindPose::Frame { animation: "wave".to_owned(), frame };
    file.animations[1] = Animation::new("bind", false, &[vec![BoneTransform { x: 7.0, ..REST }; 2]]);
    assert_eq!(bind_x(&file, BindPose::Auto), (7.0, 1));
    assert_eq!(bind_x(&file, of_wave(0)), (0.0, 1));
    assert_eq!(bind_x(&file, of_wave(1)), (1.0, 1));
    for (name, is_bind) in [
        ("T-Pose", true),
        ("BIND_POSE", true),
        ("Setup", true),
        ("rest", true),
        ("binding", false),
        ("pose", false),
    ] {
        file.animations[1].name = name.to_owned();
        assert_eq!(bind_x(&file, BindPose::Auto), if is_bind { (7.0, 1) } else { (0.0, 2) }, "{name}");
    }
    // `rest` and `setup` with several frames are motions, `bind` never is.
    let two = vec![vec![BoneTransform { x: 7.0, ..REST }; 2]; 2];
    for (name, is_bind) in [("rest", false), ("setup", false), ("bind", true)] {
        file.animations[1] = Animation::new(name, true, &two);
        assert_eq!(bind_x(&file, BindPose::Auto), if is_bind { (7.0, 1) } else { (0.0, 2) }, "{name}");
    }
    // An animation without frames does not count; if there is no other, the bind pose is the identity.
    file.animations[1] = Animation::new("bind", false, &[]);
    assert_eq!(bind_x(&file, BindPose::Auto).0, 0.0);
    file.animations.clear();
    assert_eq!(bind_x(&file, BindPose::Auto), (0.0, 0));
}

#[test]
fn y_down_mirrors_the_character() {
    let mirror =
        |transform: BoneTransform| BoneTransform { y: -transform.y, rotation: -transform.rotation, ..transform };
    let frames = [
        vec![at(3.0, 4.0, 33.0, 2.0, -0.5), at(1.0, 7.0, -120.0, 0.3, 1.7)],
        vec![at(5.0, -4.0, 80.0, 1.0, 0.5), at(2.0, 9.0, 10.0, 1.3, 0.7)],
    ];
    let with_mesh = |frames: &[Vec<BoneTransform>], vertices: &[Vertex]| {
        let mut file = chain(true, frames);
        file.meshes = vec![Mesh::new("m", 0, vertices, &[0, 1, 2])];
        file
    };
    let y_up = read(&with_mesh(&frames, &triangle(1)));
    let mirrored = frames.clone().map(|bones| bones.into_iter().map(mirror).collect());
    let options = ReadOptions { y_down: true, ..ReadOptions::default() };
    let y_down =
        read_with(&with_mesh(&mirrored, &triangle(1).map(|corner| Vertex { y: -corner.y, ..corner })), &options);
    for fraction in [0.0, 0.3] {
        let (up, down) = (between(&y_up, 0, fraction), between(&y_down, 0, fraction));
        assert_eq!(up, down);
        assert_eq!(skinned(&y_up, &up, 0), skinned(&y_down, &down, 0));
    }
}

#[test]
fn flip_v_flips_only_texture_coordinates() {
    let options = ReadOptions { flip_v: true, ..ReadOptions::default() };
    let vertices = |character: &Character| {
        let mesh = character.model().attachments()[0].mesh().expect("a mesh");
        let Vertices::Skin4(vertices) = &mesh.vertices else { panic!("four influences") };
        vertices.iter().collect::<Vec<_>>()
    };
    let plain = vertices(&read(&tiny()));
    let flipped = vertices(&read_with(&tiny(), &options));
    assert_eq!(plain.iter().map(|vertex| vertex.uv).collect::<Vec<_>>(), [vec2(0.0, 1.0), Vec2::ZERO, Vec2::X]);
    for (plain, flipped) in plain.into_iter().zip(flipped) {
        assert_eq!(flipped, Skin4Vertex { uv: vec2(plain.uv.x, 1.0 - plain.uv.y), ..plain });
    }
}

#[test]
fn an_unused_influence_without_a_bone_is_replaced() {
    let mut file = tiny();
    let mut corners = triangle(1);
    corners[2].bone_ids = [1, 57, 65_535, 0];
    file.meshes = vec![Mesh::new("m", 0, &corners, &[0, 1, 2])];
    let character = read(&file);
    let mesh = character.model().attachments()[0].mesh().expect("a mesh");
    let Vertices::Skin4(vertices) = &mesh.vertices else { panic!("four influences") };
    assert_eq!(vertices.get(2).expect("a vertex").bone_ids, [1, 0, 0, 0]);
}

#[test]
fn evaluating_again_allocates_nothing() {
    let knight = Character::open("assets/paper-knight.pchr").ok();
    let plain = read(&tiny());
    let mut without_image = tiny();
    without_image.images.clear();
    // Enough slots for a stable sort to allocate memory.
    let large = read(&rig(3000, 2));
    for character in [Some(plain), Some(read(&without_image)), Some(large), knight].into_iter().flatten() {
        let model = character.model();
        let (mut evaluator, mut pose) = (Evaluator::default(), Pose::for_model(model));
        let mut list = DrawList::default();
        let view = View::fit(64, 64, Rect { min: vec2(-100.0, -100.0), max: vec2(100.0, 100.0) });
        let mut show = |seconds: f64, interpolate| {
            for animation in model.animation_ids().map(Some).chain([None]) {
                evaluator.evaluate(
                    &character,
                    &Cue { animation, position: Position::Seconds(seconds), interpolate, ..Cue::default() },
                    &mut pose,
                );
                list.build(model, &pose, &view);
            }
        };
        show(0.0, false);
        let count = allocations(|| {
            for step in 0..200 {
                show(f64::from(step) * 0.013, step % 2 == 0);
            }
        });
        assert_eq!(count, 0);
    }
}

#[test]
fn drawing_again_allocates_nothing() {
    let character = Character::open("assets/paper-knight.pchr").expect("the knight opens");
    let cue = Cue { animation: character.model().find_animation("walk"), ..Cue::default() };
    let mut pose = Pose::for_model(character.model());
    evaluate(&character, &cue, &mut pose);
    for model in [character.model(), &with_lists(character.model(), same_influences)] {
        draw_again(model, &pose);
    }
}

fn draw_again(model: &Model, pose: &Pose) {
    let (mut list, mut matrices) = (DrawList::default(), Vec::new());
    let mut renderer = Renderer::new(model).with_threads(Threads::One);
    let mut picture = Picture::default();
    for antialias in [Antialias::None, Antialias::Msaa4, Antialias::Ssaa2] {
        // The second view is so close that corners are clipped.
        for scale in [0.2, 1e5] {
            let view = View::new(64, 64, vec2(0.0, 200.0), scale);
            let settings = Settings { antialias, ..Settings::default() };
            let mut draw = || {
                list.build(model, pose, &view);
                palette(model, pose, &mut matrices);
                std::hint::black_box(bounds(model, pose, &matrices));
                renderer.render(model, &list, &view, settings, &mut picture);
            };
            draw();
            assert_eq!(allocations(draw), 0, "{antialias:?} at {scale}");
        }
    }
}

#[test]
fn the_allocator_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1]))), 1);
}
