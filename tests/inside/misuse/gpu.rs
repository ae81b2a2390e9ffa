//! The same on the GPU: misuse is reported before wgpu sees it.

use pchr::draw::{Antialias, DrawList, Filter, Picture, Settings, View};
use pchr::gpu::{Headless, Member, OffscreenTarget, Readback, Renderer, TargetFormat};
use pchr::math::{Affine2, vec2};
use pchr::motion::{Cue, evaluate};
use pchr::pose::Pose;

use super::drawing::{blind_views, hand_made_lists};
use super::{bones, large, small};
use crate::common::gpu::{device_with, gpu_or_skip};
use crate::common::memory::peak;
use crate::common::show::is_blank;

fn list_of(character: &pchr::Character, view: &View) -> DrawList {
    let (mut pose, mut list) = (Pose::default(), DrawList::default());
    evaluate(character, &Cue::default(), &mut pose);
    list.build(character.model(), &pose, view);
    list
}

fn view() -> View {
    View::new(24, 24, vec2(0.0, 24.0), 1.0)
}

#[test]
fn models_and_lists_that_were_not_uploaded_are_reported() {
    let Some(context) = gpu_or_skip() else { return };
    let (character, other) = (small(), large());
    let mut headless = Headless::new(context, character.model()).expect("it fits");
    let (own, foreign) = (list_of(&character, &view()), list_of(&other, &view()));
    let mut render = |model: &pchr::model::Model, list: &DrawList| {
        let mut picture = Picture::default();
        headless.render(model, list, &view(), Settings::default(), &mut picture).map(|()| picture)
    };
    let mut refused = |model: &pchr::model::Model, list: &DrawList, message: &str| {
        let error = render(model, list).expect_err(message);
        assert_eq!(error.code(), "wrong-model", "{error:?}");
        assert_eq!(error.to_string(), message);
    };
    let message = "the model is not the one that was uploaded: it has 40 attachments and 1 pages, the uploaded one has \
                   1 and 1";
    refused(other.model(), &foreign, message);
    refused(other.model(), &own, message);
    let message = "attachment 39 does not exist, the model has 1: the id belongs to another model";
    refused(character.model(), &foreign, message);
    let emptied = DrawList { palette: Vec::new(), ..own.clone() };
    let message = "the draw list belongs to another model: it has 0 matrices, the model has 2 bones";
    refused(character.model(), &emptied, message);
    let message = "the model is not the one that was uploaded: it has 0 attachments and 0 pages, the uploaded one has 1 \
                   and 1";
    refused(bones(2).model(), &own, message);
    // Another model with the same counts, too.
    assert!(render(small().model(), &own).is_err());
    assert!(!is_blank(&render(&character.model().clone(), &own).expect("a clone is the same model")));
    // It still draws afterwards.
    assert!(!is_blank(&render(character.model(), &own).expect("the list belongs to the model")));
}

#[test]
fn hand_made_lists_and_empty_views_are_drawn() {
    let Some(context) = gpu_or_skip() else { return };
    let character = small();
    let mut headless = Headless::new(context, character.model()).expect("it fits");
    let mut picture = Picture::default();
    for list in hand_made_lists(&character) {
        headless
            .render(character.model(), &list, &view(), Settings::default(), &mut picture)
            .expect("it is drawn");
    }
    for view in blind_views() {
        let list = list_of(&character, &view);
        headless.render(character.model(), &list, &view, Settings::default(), &mut picture).expect("it is drawn");
        assert!(is_blank(&picture) && picture.width() == 24, "{view:?}");
    }
}

#[test]
fn unsupported_sizes_and_sample_counts_are_errors() {
    let Some(context) = gpu_or_skip() else { return };
    let character = small();
    let device = context.device();
    let limit = device.limits().max_texture_dimension_2d;
    for (width, height) in [(0, 0), (0, 5), (5, 0), (u32::MAX, u32::MAX), (limit + 1, 1)] {
        let refused = OffscreenTarget::new(device, width, height, 1);
        assert!(refused.is_err(), "{width}×{height}");
    }
    for samples in [3, 64, u32::MAX] {
        assert!(OffscreenTarget::new(device, 8, 8, samples).is_err(), "{samples} samples");
        let target = TargetFormat { color: OffscreenTarget::FORMAT, samples, depth_stencil: None };
        let refused = Renderer::new(device, context.queue(), character.model(), target);
        assert!(refused.is_err(), "{samples} samples");
    }
    let target = TargetFormat { color: wgpu::TextureFormat::Stencil8, samples: 1, depth_stencil: None };
    assert!(Renderer::new(device, context.queue(), character.model(), target).is_err());
    context.check().expect("every error was returned");
    let mut headless = Headless::new(context, character.model()).expect("it fits");
    let list = list_of(&character, &view());
    for (width, height, antialias) in [
        (u32::MAX, u32::MAX, Antialias::None),
        (u32::MAX, 1, Antialias::Ssaa4),
        (limit / 2 + 1, 1, Antialias::Ssaa2),
    ] {
        let view = View::new(width, height, vec2(0.0, 24.0), 1.0);
        let settings = Settings { antialias, ..Settings::default() };
        let refused = headless.submit(character.model(), &list, &view, settings);
        assert_eq!(refused.err().map(|error| error.code()), Some("picture-too-large"), "{width}×{height}");
    }
    assert_eq!(headless.in_flight(), 0);
}

#[test]
fn calls_in_the_wrong_order_are_errors() {
    let Some(context) = gpu_or_skip() else { return };
    let character = small();
    let (device, queue) = (context.device(), context.queue());
    let mut readback = Readback::default();
    assert!(!readback.is_ready());
    let taken = readback.take(&mut Picture::default());
    assert_eq!(taken.err().map(|error| error.code()), Some("nothing-to-receive"));
    let target = OffscreenTarget::new(device, 8, 8, 1).expect("it is small");
    let renderer = Renderer::new(device, queue, character.model(), target.format()).expect("it fits");
    let mut encoder = device.create_command_encoder(&Default::default());
    // Nothing was prepared.
    renderer.draw(&mut target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT));
    assert_eq!(renderer.draw_calls(), 0);
    readback.record(device, &mut encoder, &target).expect("it fits");
    let taken = readback.take(&mut Picture::default());
    assert_eq!(taken.err().map(|error| error.code()), Some("nothing-to-receive"), "not submitted");
    drop(encoder);
    context.check().expect("nothing was wrong");
    let mut headless = Headless::new(context, character.model()).expect("it fits");
    let received = headless.receive(&mut Picture::default());
    assert_eq!(received.err().map(|error| error.code()), Some("nothing-to-receive"));
}

#[test]
fn an_oversized_crowd_is_refused_before_allocating() {
    let Some(context) = gpu_or_skip() else { return };
    let character = large();
    let view = view();
    let size = 1 << 16;
    let limits =
        wgpu::Limits { max_buffer_size: size, max_storage_buffer_binding_size: size, ..context.device().limits() };
    let Some((device, queue)) = device_with(limits) else { return };
    let target = TargetFormat { color: OffscreenTarget::FORMAT, samples: 1, depth_stencil: None };
    let mut renderer = Renderer::new(&device, &queue, character.model(), target).expect("it fits");
    let list = list_of(&character, &view);
    // Each shows its attachments from another one on, in as many orders as there are attachments.
    let rotated = |by: usize| {
        let mut list = list.clone();
        list.commands.rotate_left(by);
        list
    };
    let orders: Vec<DrawList> = (0..list.commands.len()).map(rotated).collect();
    let member = |list| Member { list, world_from_character: Affine2::IDENTITY, z: 0.0 };
    let mut prepare = |members: &[Member<'_>]| {
        renderer.prepare_crowd(&device, &queue, character.model(), members, view, Filter::Auto)
    };
    // Matrices of 40 bones, 24 bytes each: more than a hundred buffers.
    let count = 100 * size as usize / (40 * 24);
    let members: Vec<Member<'_>> = orders.iter().map(member).cycle().take(count).collect();
    prepare(&members).expect("it is divided");
    // Without its first `n` sprites, a list has 40 - n more orders.
    let shorter = |list: &DrawList, by: usize| {
        let mut list = list.clone();
        list.commands.drain(..by);
        list
    };
    let all: Vec<DrawList> = (0..40).flat_map(|by| orders.iter().map(move |list| shorter(list, by))).collect();
    let members: Vec<Member<'_>> = all.iter().map(member).cycle().take(count).collect();
    let (refused, taken) = peak(|| prepare(&members));
    let fitting = refused.expect_err("it does not fit").fitting_members().expect("some fit");
    assert!(0 < fitting && fitting < members.len());
    assert!(taken as u64 <= 8 * size, "{taken} bytes");
    prepare(&members[..fitting]).expect("these fit");
    prepare(&members[..1]).expect("one fits");
}
