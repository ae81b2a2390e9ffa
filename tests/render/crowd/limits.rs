//! What a crowd costs, what devices cannot hold, and what a crowd cannot show.

use super::{Drawn, asset, baked, cell_view, grid};
use crate::common::characters::limbs;
use crate::common::gpu::{device_with, gpu_or_skip};
use crate::common::memory::allocations;
use pchr::draw::Filter;
use pchr::gpu::{CrowdBake, CrowdMember, CrowdModel, CrowdObstacle, CrowdOptions, GpuModel, MemberId, Pipelines};
use pchr::math::{Affine2, vec2};

/// A device with small buffers.
fn small(bytes: u64) -> Option<(wgpu::Device, wgpu::Queue)> {
    let context = gpu_or_skip()?;
    device_with(wgpu::Limits { max_storage_buffer_binding_size: bytes, ..context.device().limits() })
}

#[test]
fn a_crowd_larger_than_a_buffer_is_split() {
    let Some((device, queue)) = small(20_000) else { return };
    let mut whole = Drawn::new(limbs(7), CrowdOptions::default()).unwrap();
    let mut split = Drawn::on(&device, &queue, limbs(7), CrowdOptions::default());
    let cell = cell_view(&whole.character);
    let (view, place) = grid(&cell, 16, 256);
    let animation = whole.character.model().animation_ids().next().unwrap();
    for number in 0..256 {
        let mut member = CrowdMember::new(animation);
        member.start_secs = f64::from(number) * 0.013;
        // They overlap, so that the order of the chunks is visible.
        member.world_from_character = Affine2::from_translation(place(number) * 0.5);
        whole.crowd.add(member);
        split.crowd.add(member);
    }
    let expected = whole.picture(&view, Filter::Linear, 0.5);
    let found = split.picture(&view, Filter::Linear, 0.5);
    assert_eq!((whole.crowd.draw_calls(), expected.pixels().iter().max()), (1, Some(&255)));
    let capacity = 20_000 / (split.crowd.model().bytes_per_member() - 96 - 96);
    assert_eq!(split.crowd.draw_calls() as u64, 256_u64.div_ceil(capacity));
    assert!(found.pixels() == expected.pixels(), "the split crowd looks different");
}

#[test]
fn frames_that_do_not_fit_are_refused_with_their_number() {
    let Some((device, queue)) = small(100_000) else { return };
    let knight = asset("paper-knight.pchr");
    let bake = CrowdBake::new(&knight, CrowdOptions::default()).unwrap();
    let pipelines = Pipelines::new(&device, super::TARGET).unwrap();
    let pages = GpuModel::new(&device, &queue, &pipelines, knight.model()).unwrap();
    let refused = CrowdModel::new(&device, &pages, &bake).unwrap_err().to_string();
    let frames = bake.frame_count();
    let pattern = format!("the stored frames of the crowd, {frames} stored frames, need ");
    assert!(
        refused.starts_with(&pattern) && refused.contains("the limit of this device is 100000, enough for "),
        "{refused}"
    );
}

#[test]
fn a_device_with_few_storage_buffers_is_refused() {
    let Some(context) = gpu_or_skip() else { return };
    let limits = wgpu::Limits { max_storage_buffers_per_shader_stage: 6, ..context.device().limits() };
    let Some((device, queue)) = device_with(limits) else { return };
    let character = limbs(1);
    let bake = CrowdBake::new(&character, CrowdOptions::default()).unwrap();
    let pipelines = Pipelines::new(&device, super::TARGET).unwrap();
    let pages = GpuModel::new(&device, &queue, &pipelines, character.model()).unwrap();
    let refused = CrowdModel::new(&device, &pages, &bake).unwrap_err();
    assert_eq!(refused.code(), "no-crowds", "{refused}");
}

#[test]
fn what_a_crowd_cannot_show_is_listed() {
    let obstacles = |character: &pchr::Character| CrowdBake::new(character, CrowdOptions::default()).unwrap_err();
    let lamp = asset("paper-lamp.json");
    assert_eq!(obstacles(&lamp).0, [CrowdObstacle::Keys]);
    assert_eq!(
        obstacles(&lamp).to_string(),
        "a crowd cannot show this character: its motion has keys instead of stored frames, so it has to be baked"
    );
    // Baked, it can be shown.
    CrowdBake::new(&baked(&lamp), CrowdOptions::default()).unwrap();
}

#[test]
fn the_cost_of_a_frame_does_not_depend_on_the_number_of_members() {
    let Some(mut drawn) = Drawn::new(asset("paper-knight.pchr"), CrowdOptions::default()) else { return };
    let animation = drawn.character.model().find_animation("walk").unwrap();
    let view = cell_view(&drawn.character);
    let (device, queue) = (drawn.device.clone(), drawn.queue.clone());
    let mut ids: Vec<MemberId> = Vec::new();
    let mut costs = Vec::new();
    for count in [100, 20_000] {
        while ids.len() < count {
            let mut member = CrowdMember::new(animation);
            member.start_secs = ids.len() as f64 * 0.01;
            ids.push(drawn.crowd.add(member));
        }
        let prepare = |crowd: &mut pchr::gpu::Crowd, time: f64| {
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let count =
                allocations(|| crowd.prepare(&device, &queue, &mut encoder, view, Filter::Auto, time).unwrap());
            queue.submit([encoder.finish()]);
            let _ = device.poll(wgpu::PollType::wait_indefinitely());
            (count, crowd.uploaded_bytes())
        };
        for frame in 0..3 {
            prepare(&mut drawn.crowd, f64::from(frame));
        }
        let still = prepare(&mut drawn.crowd, 4.0);
        drawn.crowd.set_place(ids[7], Affine2::from_translation(vec2(3.0, 4.0)));
        drawn.crowd.switch(ids[99], animation, 4.0, 0.5);
        let changed = prepare(&mut drawn.crowd, 5.0);
        costs.push((still, changed, drawn.crowd.draw_calls()));
    }
    let ((_, still), (_, changed), calls) = costs[1];
    // The camera and the time; and two members.
    assert_eq!((still, changed, calls), (144, 144 + 2 * 96, 1));
    assert_eq!(costs[0], costs[1]);
}

#[test]
fn an_empty_crowd_draws_nothing() {
    let Some(mut drawn) = Drawn::new(asset("paper-knight.pchr"), CrowdOptions::default()) else { return };
    let view = cell_view(&drawn.character);
    assert!(drawn.crowd.is_empty());
    assert!(drawn.picture(&view, Filter::Auto, 0.0).pixels().iter().all(|byte| *byte == 0));
    let animation = drawn.character.model().find_animation("walk").unwrap();
    let id = drawn.crowd.add(CrowdMember::new(animation));
    assert!(drawn.picture(&view, Filter::Auto, 0.0).pixels().iter().any(|byte| *byte > 0));
    drawn.crowd.remove(id);
    assert!(drawn.picture(&view, Filter::Auto, 0.0).pixels().iter().all(|byte| *byte == 0));
    assert_eq!(drawn.crowd.draw_calls(), 0);
}
