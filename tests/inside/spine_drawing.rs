//! Compares drawn Spine characters with the goldens: vertices on the GPU, and areas left by clip masks.

use std::collections::HashMap;

use super::skin_pass::Work;
use crate::common::area::{Moments, counted, crosses_itself, cut};
use crate::common::gpu::gpu_or_skip;
use crate::common::random::Random;
use crate::common::say;
use crate::common::spine_golden::{Golden, goldens, list, number};
use pchr::draw::{BlendClass, Command, DrawList, Mask, Picture, Settings, Sprite, SpriteColor, View};
use pchr::gpu::Context;
use pchr::math::{Rect, Vec2, vec2};
use pchr::model::{Attachment, ClipMask, Influence, Mesh, Model, ModelBuilder, SkinNVertices, Vertices};
use pchr::motion::evaluate;
use pchr::pose::{Pose, SkinMatrix, for_each_listed_vertex, palette, skin_n, skin_n_deformed};
use serde_json::Value;

fn all_goldens() -> impl Iterator<Item = Golden> {
    goldens("spine").into_iter().map(|(path, skeleton)| Golden::load(&path, &skeleton))
}

fn vertices_of(attachment: &Attachment) -> Option<&SkinNVertices> {
    match attachment {
        Attachment::Region(mesh) | Attachment::Mesh(mesh) => match &mesh.vertices {
            Vertices::SkinN(vertices) => Some(vertices),
            Vertices::Skin4(_) => None,
        },
        Attachment::ClipMask(mask) => Some(&mask.polygon.vertices),
        Attachment::Path(path) => Some(&path.vertices),
        Attachment::Bounds(polygon) => Some(&polygon.vertices),
        Attachment::Point(_) => None,
    }
}

// ---- Vertices

/// Tolerance in world pixels.
const VERTEX_TOLERANCE: f64 = 0.01;
/// Maximum error as a multiple of the golden's noise, if that is larger.
const NOISES: f64 = 8.0;

/// Returns how many numbers were compared, and the largest error: first where the golden's noise does not require
/// more than [`VERTEX_TOLERANCE`], then overall.
fn check_vertices(context: &Context, golden: &Golden) -> (usize, f64, f64) {
    let model = golden.character.model();
    let mut work = Work::default();
    let mut first_influences = HashMap::new();
    let mut expected: Vec<(&Value, f64, String)> = Vec::new();
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    for case in golden.cases() {
        evaluate(&golden.character, &golden.cue(case), &mut pose);
        palette(model, &pose, &mut matrices);
        let palette_base = work.palette.len();
        work.palette.extend_from_slice(&matrices);
        let noise = case["noise"].as_array().map_or(0.0, |noise| number(&noise[2]));
        for slot in list(&case["slots"]) {
            let state = &pose.slots[slot["s"].as_u64().expect("a slot") as usize];
            let Some(id) = state.attachment else { continue };
            let (Some(numbers), Some(vertices)) = (slot["v"].as_array(), vertices_of(model.attachment(id))) else {
                continue;
            };
            let base = *first_influences.entry(id).or_insert_with(|| {
                work.influences.extend_from_slice(vertices.influences());
                (work.influences.len() - vertices.influences().len()) as u32
            });
            let deform = pose.deform_of(state);
            let deform_base = work.deform.len();
            work.deform.extend_from_slice(deform);
            assert_eq!(numbers.len(), 2 * vertices.len());
            for (record, numbers) in vertices.records().iter().zip(numbers.chunks_exact(2)) {
                let at = (!deform.is_empty()).then_some(deform_base + record.first_influence as usize);
                work.push((base + record.first_influence, record.influence_count), palette_base, at);
                let what = format!("{} {} at {} slot {}", golden.name, case["anim"], case["time"], slot["s"]);
                expected.extend([(&numbers[0], noise, what.clone()), (&numbers[1], noise, what)]);
            }
        }
    }
    if expected.is_empty() {
        return (0, 0.0, 0.0);
    }
    let found = work.run(context);
    assert_eq!(2 * found.len(), expected.len());
    let (mut worst, mut worst_noisy) = (0.0_f64, 0.0_f64);
    for (found, (expected, noise, what)) in found.iter().flat_map(|at| at.to_array()).zip(&expected) {
        let off = (f64::from(found) - number(expected)).abs();
        let allowed = VERTEX_TOLERANCE.max(noise * NOISES);
        assert!(off <= allowed, "{what}: {found} is not {expected}");
        worst_noisy = worst_noisy.max(off);
        if allowed == VERTEX_TOLERANCE {
            worst = worst.max(off);
        }
    }
    (expected.len(), worst, worst_noisy)
}

#[test]
fn conformance_gpu_vertices() {
    let (mut count, mut worst, mut noisy, mut files) = (0, 0.0_f64, 0.0_f64, 0);
    for golden in all_goldens() {
        let Some(context) = gpu_or_skip() else { return };
        let (numbers, here, with_noise) = check_vertices(&context, &golden);
        (count, files) = (count + numbers, files + 1);
        (worst, noisy) = (worst.max(here), noisy.max(with_noise));
    }
    say(&format!(
        "spine on the GPU: {files} skeletons, {count} numbers of vertices, worst {worst:.5} ({noisy:.5} with noise)"
    ));
    assert!(count > 0);
}

/// Positive, negative and zero weights, with and without deforms.
#[test]
fn the_gpu_counts_negative_weights() {
    let Some(context) = gpu_or_skip() else { return };
    let mut random = Random(3);
    let mut number = |size: f32| random.between(-size, size);
    let mut work = Work::default();
    work.palette.extend((0..8).map(|_| SkinMatrix {
        x_axis: vec2(number(2.0), number(2.0)),
        y_axis: vec2(number(2.0), number(2.0)),
        translation: vec2(number(100.0), number(100.0)),
    }));
    let (mut vertices, mut negative) = (SkinNVertices::default(), 0);
    for vertex in 0..200 {
        let influences: Vec<Influence> = (0..1 + vertex % 6)
            .map(|at| Influence {
                position: vec2(number(100.0), number(100.0)),
                bone: (vertex * 5 + at * 3) % 8,
                weight: if (vertex + at) % 7 == 0 { 0.0 } else { number(1.0) },
            })
            .collect();
        negative += influences.iter().filter(|influence| influence.weight < 0.0).count();
        vertices.push(Vec2::ZERO, Vec2::ZERO, &influences).expect("finite");
    }
    assert!(negative > 100, "{negative}");
    work.influences = vertices.influences().to_vec();
    work.deform = work.influences.iter().map(|_| vec2(number(5.0), number(5.0))).collect();
    let mut expected = Vec::new();
    for (vertex, record) in vertices.iter().zip(vertices.records()) {
        let first = record.first_influence as usize;
        work.push((record.first_influence, record.influence_count), 0, None);
        work.push((record.first_influence, record.influence_count), 0, Some(first));
        expected.push(skin_n(&vertex, &work.palette));
        expected.push(skin_n_deformed(&vertex, &work.deform[first..], &work.palette));
    }
    for (index, (found, expected)) in work.run(&context).into_iter().zip(expected).enumerate() {
        // Allows a few rounding errors of numbers below 500; a GPU may use fused multiply-add.
        assert!(found.distance(expected) < 2e-3, "{index}: {found} is not {expected}");
    }
}

// ---- Clipped areas

/// The results of comparisons, and the worst errors in square pixels and relative to the area.
#[derive(Default)]
struct Clips {
    cases: usize,
    empty: usize,
    crossing: usize,
    /// Of masks that are convex hulls.
    hulls: usize,
    worst: f64,
    worst_share: f64,
    worst_centroid: f64,
    worst_masked: f64,
    faults: Vec<String>,
}

/// Returns the corners of an attachment in the world.
fn world_corners(attachment: &Attachment, deform: &[Vec2], palette: &[SkinMatrix]) -> Vec<[f64; 2]> {
    let mut corners = Vec::new();
    let vertices = vertices_of(attachment).expect("lists of influences");
    for_each_listed_vertex(vertices, deform, palette, |at, _| corners.push([f64::from(at.x), f64::from(at.y)]));
    corners
}

/// Returns `model` with everything drawn in one opaque colour.
fn without_pictures(model: &Model) -> Model {
    let mut builder = ModelBuilder::default();
    for bone in model.skeleton().bones() {
        builder.bone(bone.clone()).expect("a bone");
    }
    for attachment in model.attachments() {
        let bare = |mesh: &Mesh| Mesh { page: None, tint: [1.0; 4], ..mesh.clone() };
        let attachment = match attachment {
            Attachment::Region(mesh) => Attachment::Region(bare(mesh)),
            Attachment::Mesh(mesh) => Attachment::Mesh(bare(mesh)),
            Attachment::ClipMask(mask) => Attachment::ClipMask(ClipMask { end: None, ..mask.clone() }),
            other => other.clone(),
        };
        builder.attachment(attachment).expect("an attachment");
    }
    builder.build()
}

/// Returns the area of a clipped sprite as drawn by the CPU renderer, in square world pixels.
fn masked_area(
    bare: &Model,
    renderer: &mut pchr::cpu::Renderer,
    from: &DrawList,
    (mask, sprite): (Mask, Sprite),
    around: Rect,
) -> f64 {
    // Enlarged eight times, but limited to a reasonable picture size.
    let scale = (3e6 / (around.size().x * around.size().y)).sqrt().clamp(0.05, 8.0);
    let size = around.size() * scale;
    let view =
        View::new(size.x.ceil() as u32 + 1, size.y.ceil() as u32 + 1, vec2(around.min.x, around.max.y), scale);
    let sprite = Sprite { color: SpriteColor::NONE, blend: BlendClass::Over, ..sprite };
    let commands = vec![Command::ClipBegin(mask), Command::Sprite(sprite), Command::ClipEnd];
    let list = DrawList { commands, ..from.clone() };
    let mut picture = Picture::default();
    renderer.render(bare, &list, &view, Settings::default(), &mut picture);
    let covered = picture.pixels().chunks_exact(4).filter(|pixel| pixel[3] == 255).count();
    covered as f64 / f64::from(scale * scale)
}

fn check_clips(golden: &Golden, clips: &mut Clips) {
    let model = golden.character.model();
    let bare = without_pictures(model);
    let mut renderer = pchr::cpu::Renderer::new(&bare);
    let (mut pose, mut list_of) = (Pose::default(), DrawList::default());
    let view = View::new(8, 8, vec2(0.0, 0.0), 1.0);
    for case in golden.cases() {
        evaluate(&golden.character, &golden.cue(case), &mut pose);
        list_of.build(model, &pose, &view);
        let what = format!("{} {} at {}", golden.name, case["anim"], case["time"]);
        // The clipped sprites, by attachment, with their masks.
        let (mut mask, mut clipped) = (None, HashMap::new());
        for command in &list_of.commands {
            match command {
                Command::ClipBegin(begun) => mask = Some(*begun),
                Command::ClipEnd => mask = None,
                Command::Sprite(sprite) => _ = mask.map(|mask| clipped.insert(sprite.attachment, (mask, *sprite))),
                Command::Overlay(_) => {}
            }
        }
        for slot in list(&case["slots"]) {
            let state = &pose.slots[slot["s"].as_u64().expect("a slot") as usize];
            let found = state.attachment.and_then(|id| clipped.remove(&id));
            let Some(expected) = slot["clip"].as_array() else {
                if found.is_some() {
                    clips.faults.push(format!("{what}: slot {} is clipped", slot["s"]));
                }
                continue;
            };
            let Some((mask, sprite)) = found else {
                // Fully transparent slots are not drawn at all.
                if state.tint.light[3] > 0.0 {
                    clips.faults.push(format!("{what}: slot {} is not clipped", slot["s"]));
                }
                continue;
            };
            let expected: Vec<f64> = expected.iter().map(number).collect();
            let mut polygon: Vec<[f64; 2]> = Vec::new();
            list_of.for_each_corner(model, &mask, |at| polygon.push([at.x.into(), at.y.into()]));
            let Attachment::ClipMask(clip) = model.attachment(mask.attachment) else { panic!("a mask") };
            let attachment = model.attachment(sprite.attachment);
            let corners = world_corners(attachment, list_of.deform_of(sprite.deform), &list_of.palette);
            let triangles = attachment.mesh().expect("a mesh").indices.triangles();
            let triangles = triangles.map(|triangle| triangle.map(|index| corners[usize::from(index)]));
            let mut around = Rect::NOTHING;
            for corner in polygon.iter().chain(corners.iter().filter(|_| clip.is_inverse)) {
                around = around.include(vec2(corner[0] as f32, corner[1] as f32));
            }
            let masked = masked_area(&bare, &mut renderer, &list_of, (mask, sprite), around.expand(1.0));
            if crosses_itself(&polygon) {
                // Even-odd here; the golden's program triangulates such polygons in its own way.
                clips.crossing += 1;
                let expected: f64 = triangles.map(|triangle| counted(triangle, &polygon, 0.125)).sum();
                if (masked - expected).abs() > expected * 0.01 + 0.5 {
                    clips
                        .faults
                        .push(format!("{what}: slot {}: {masked} is drawn, expected {expected}", slot["s"]));
                }
                continue;
            }
            let mut sum = Moments::default();
            for triangle in triangles {
                if clip.is_inverse {
                    sum.add(cut(triangle, &triangle), 1.0);
                }
                sum.add(cut(triangle, &polygon), if clip.is_inverse { -1.0 } else { 1.0 });
            }
            clips.cases += 1;
            clips.hulls += usize::from(clip.is_convex);
            clips.empty += usize::from(expected[0] == 0.0);
            let off = (sum.area - expected[0]).abs();
            clips.worst = clips.worst.max(off);
            if expected[0] > 100.0 {
                clips.worst_share = clips.worst_share.max(off / expected[0]);
            }
            if off > expected[0] * 0.001 + 0.5 {
                clips
                    .faults
                    .push(format!("{what}: slot {}: {} is left, expected {}", slot["s"], sum.area, expected[0]));
            }
            if expected[0] > 10.0 {
                let centroid = sum.centroid();
                let away = [0, 1].map(|axis| (centroid[axis] - expected[axis + 1]).abs());
                let away = away[0].max(away[1]);
                // In long, thin areas, an error of the area moves the centroid along the length.
                let allowed = 0.05 + 0.001 * expected[0].sqrt();
                clips.worst_centroid = clips.worst_centroid.max(away);
                if away > allowed {
                    let found = (centroid, &expected[1..]);
                    clips.faults.push(format!("{what}: slot {}: the centroid is {found:?}", slot["s"]));
                }
            }
            let off = (masked - expected[0]).abs();
            if expected[0] > 100.0 {
                clips.worst_masked = clips.worst_masked.max(off / expected[0]);
            }
            if off > expected[0] * 0.01 + 0.5 {
                clips
                    .faults
                    .push(format!("{what}: slot {}: {masked} is drawn, expected {}", slot["s"], expected[0]));
            }
        }
        if !clipped.is_empty() {
            clips.faults.push(format!("{what}: unexpectedly clipped: {clipped:?}"));
        }
    }
}

#[test]
fn conformance_clipped_areas() {
    let mut clips = Clips::default();
    for part in ["spine", "spine-next/4.3"] {
        for (path, skeleton) in goldens(part) {
            check_clips(&Golden::load(&path, &skeleton), &mut clips);
        }
    }
    say(&format!(
        "spine clips: {} areas ({} empty, {} of hulls; {} of polygons that cross themselves), worst {:.4} px² and {:.4} %, middle {:.4} px, as drawn {:.3} %",
        clips.cases,
        clips.empty,
        clips.hulls,
        clips.crossing,
        clips.worst,
        clips.worst_share * 100.0,
        clips.worst_centroid,
        clips.worst_masked * 100.0
    ));
    let shown: Vec<String> = clips.faults.iter().take(40).cloned().collect();
    assert!(shown.is_empty(), "{} differ:\n{}", clips.faults.len(), shown.join("\n"));
    assert!(clips.cases - clips.empty > 50, "only {} clipped areas", clips.cases - clips.empty);
}
