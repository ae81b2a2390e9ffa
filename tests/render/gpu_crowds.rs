//! Crowds: many members in few draw calls, exactly as if every member were drawn alone.

use crate::common::characters::{limbs, list_at, list_of};
use crate::common::gpu::{device_with, gpu_or_skip};
use crate::common::influences::{same_influences, with_lists};
use crate::common::memory::allocations;
use crate::scenes;
use pchr::Character;
use pchr::draw::{BlendClass, Command, DrawList, Filter, OverlayVertex, Picture, View};
use pchr::gpu::{GpuError, GpuModel, Member, OffscreenTarget, Pipelines, Readback, ViewBuffers};
use pchr::math::{Affine2, Vec2, vec2};
use pchr::model::Model;
use pchr::motion::{Cue, Position};

/// Size of a record in the table of sprites.
const SPRITE_BYTES: u64 = 64;

/// A device, and a model on it with the target that it is drawn into.
struct Stage<'a> {
    device: &'a wgpu::Device,
    queue: &'a wgpu::Queue,
    model: &'a Model,
    target: OffscreenTarget,
    pipelines: Pipelines,
    uploaded: GpuModel,
}

impl<'a> Stage<'a> {
    fn new(
        device: &'a wgpu::Device,
        queue: &'a wgpu::Queue,
        model: &'a Model,
        view: &View,
    ) -> Result<Self, GpuError> {
        let target = OffscreenTarget::for_model(device, model, view.width(), view.height(), 1)?;
        let pipelines = Pipelines::new(device, target.format())?;
        let uploaded = GpuModel::new(device, queue, &pipelines, model)?;
        Ok(Self { device, queue, model, target, pipelines, uploaded })
    }

    fn buffers(&self) -> ViewBuffers {
        ViewBuffers::new(self.device, &self.pipelines, &self.uploaded).unwrap()
    }

    fn prepare(&self, buffers: &mut ViewBuffers, members: &[Member<'_>], view: &View, filter: Filter) {
        buffers.prepare(self.device, self.queue, self.model, members, view, filter).unwrap();
    }

    fn draw(&self, all: &[ViewBuffers]) -> Picture {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = self.target.begin_pass(&mut encoder, wgpu::Color::TRANSPARENT);
        all.iter().for_each(|buffers| buffers.draw(&mut pass));
        drop(pass);
        let mut readback = Readback::default();
        readback.record(self.device, &mut encoder, &self.target).unwrap();
        readback.wait(self.device, self.queue.submit([encoder.finish()]));
        let mut picture = Picture::default();
        readback.take(&mut picture).unwrap();
        picture
    }

    /// Draws every member with buffers of its own.
    fn one_by_one(&self, members: &[Member<'_>], view: &View, filter: Filter) -> Picture {
        let alone = |member: &Member<'_>| {
            let mut buffers = self.buffers();
            self.prepare(&mut buffers, &[*member], view, filter);
            buffers
        };
        self.draw(&members.iter().map(alone).collect::<Vec<_>>())
    }

    /// Draws all members together. Returns the number of draw calls, too.
    fn together(&self, members: &[Member<'_>], view: &View, filter: Filter) -> (Picture, usize) {
        let mut buffers = self.buffers();
        self.prepare(&mut buffers, members, view, filter);
        let calls = buffers.draw_calls();
        (self.draw(&[buffers]), calls)
    }

    /// Checks that the members together give the same bytes as one by one. Returns the number of draw calls.
    #[track_caller]
    fn expect_same(&self, name: &str, members: &[Member<'_>], view: &View, filter: Filter) -> usize {
        let (found, calls) = self.together(members, view, filter);
        let expected = self.one_by_one(members, view, filter);
        let covered = expected.pixels().iter().filter(|channel| **channel > 0).count();
        assert!(covered > 500, "{name}: only {covered} channels are covered");
        let off = found.pixels().iter().zip(expected.pixels()).filter(|(a, b)| a != b).count();
        assert_eq!(off, 0, "{name}: channels differ");
        calls
    }
}

/// Lists that differ from `list` in pose, colours, order, attachments and overlays.
fn variants(list: &DrawList) -> Vec<DrawList> {
    let with = |change: &dyn Fn(&mut DrawList)| {
        let mut list = list.clone();
        change(&mut list);
        list
    };
    let tinted = |share: f32| {
        move |list: &mut DrawList| {
            for command in &mut list.commands {
                if let Command::Sprite(sprite) = command {
                    sprite.color.light[1] *= share;
                }
            }
        }
    };
    let blended = |list: &mut DrawList| {
        for command in &mut list.commands {
            if let Command::Sprite(sprite) = command {
                sprite.blend = BlendClass::Screen;
            }
        }
    };
    let overlay = |list: &mut DrawList| {
        let first = list.overlay.len() as u32;
        let corner = |x, y| OverlayVertex { position: vec2(x, y), color: [200, 0, 0, 200] };
        list.overlay.extend([corner(-12.0, -9.0), corner(15.0, -3.0), corner(2.0, 17.0)]);
        list.commands.push(Command::Overlay(first..first + 3));
    };
    vec![
        list.clone(),
        // Another pose.
        with(&|list| list.palette.iter_mut().for_each(|bone| bone.translation += vec2(3.0, -2.0))),
        with(&|list| list.palette.iter_mut().for_each(|bone| bone.x_axis *= 0.8)),
        with(&|list| list.deform.iter_mut().for_each(|offset| *offset *= -1.5)),
        // Other colours.
        with(&tinted(0.5)),
        with(&tinted(0.0)),
        with(&tinted(0.5)),
        with(&blended),
        // Hidden.
        with(&|list| list.commands.clear()),
        DrawList::default(),
        with(&|list| list.commands.truncate(list.commands.len() / 2)),
        list.clone(),
        with(&overlay),
        with(&overlay),
        // In another order.
        with(&|list| list.commands.reverse()),
        with(&|list| list.commands.reverse()),
        list.clone(),
        // The same attachments twice.
        with(&|list| list.commands.extend_from_within(..)),
        with(&|list| list.commands.extend_from_within(..)),
        with(&tinted(0.5)),
    ]
}

/// A place for each list, so that most members overlap.
fn crowd(lists: &[DrawList], spacing: Vec2) -> Vec<Member<'_>> {
    let place = |(number, list): (usize, _)| {
        let turn = Affine2::from_angle(number as f32 * 0.37);
        let offset = vec2((number % 5) as f32 - 2.0, (number / 5) as f32 - 2.0) * spacing;
        Member { list, world_from_character: Affine2::from_translation(offset) * turn, z: 0.0 }
    };
    lists.iter().enumerate().map(place).collect()
}

#[test]
fn a_crowd_is_drawn_as_its_members_are_one_by_one() {
    let Some(context) = gpu_or_skip() else { return };
    for scene in scenes::scenes() {
        scene.with_list(1.5, |model, list, view, _| {
            let stage = Stage::new(context.device(), context.queue(), model, &view).unwrap();
            let lists = variants(list);
            let members = crowd(&lists, vec2(9.0, 7.0) / view.scale());
            for filter in [Filter::Auto, Filter::Linear] {
                stage.expect_same(scene.name, &members, &view, filter);
            }
        });
    }
    context.check().unwrap();
}

/// Lists of a character in different phases of an animation.
fn walking(character: &Character, count: u32, view: &View) -> Vec<DrawList> {
    let animation = character.model().animation_ids().next();
    let cue = |number| Cue {
        animation,
        position: Position::Seconds(f64::from(number) * 0.13),
        interpolate: true,
        ..Cue::default()
    };
    (0..count).map(|number| list_of(character, &cue(number), view)).collect()
}

#[test]
fn walking_characters_are_drawn_as_they_are_one_by_one() {
    let Some(context) = gpu_or_skip() else { return };
    let view = View::centered(200, 160, vec2(0.0, 60.0), 0.4);
    for name in ["paper-knight.pchr", "paper-lamp.json", "paper-lamp-4.2.json"] {
        if name.ends_with("json") && !cfg!(feature = "spine") {
            continue;
        }
        let character = Character::open(format!("{}/assets/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let stage = Stage::new(context.device(), context.queue(), character.model(), &view).unwrap();
        let lists = walking(&character, 24, &view);
        for filter in [Filter::Auto, Filter::Nearest] {
            let calls = stage.expect_same(name, &crowd(&lists, vec2(40.0, 25.0)), &view, filter);
            // The lamp of Spine 4.2 has a clip mask and other blend modes.
            assert!(name.contains("4.2") || calls < 24, "{name}, {filter:?}: {calls} draw calls");
        }
    }
    context.check().unwrap();
}

#[test]
fn levels_in_a_texture_of_their_own_are_drawn_as_one_by_one() {
    let Some(context) = gpu_or_skip() else { return };
    let character = Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr")).unwrap();
    let model = character.model();
    // The page fits, but not with its mipmap levels below.
    let side = model.pages()[0].width;
    let limits = wgpu::Limits { max_texture_dimension_2d: side, ..context.device().limits() };
    let Some((device, queue)) = device_with(limits) else { return };
    // At the size at which rounding decides, some sprites are drawn from the page and others from levels.
    let view = View::centered(300, 300, vec2(0.0, 180.0), 1.001_f32.sqrt());
    let lists = walking(&character, 24, &view);
    let mut members = crowd(&lists, vec2(40.0, 25.0));
    // And of a large and a small one everything is drawn from the one and from the other.
    for (member, size) in members[16..].iter_mut().zip([2.0, 0.2].into_iter().cycle()) {
        member.list = &lists[0];
        member.world_from_character.matrix2 = member.world_from_character.matrix2 * size;
    }
    let [together, apart] = [(context.device(), context.queue()), (&device, &queue)].map(|(device, queue)| {
        let stage = Stage::new(device, queue, model, &view).unwrap();
        stage.expect_same("knights", &members, &view, Filter::Auto)
    });
    assert!(together < 24 && apart > 2 * 24, "{together} and {apart} draw calls");
}

/// A list without the `nth` sprite of `list`.
fn without(list: &DrawList, nth: usize) -> DrawList {
    let mut list = list.clone();
    list.commands.remove(nth);
    list
}

#[test]
fn consecutive_members_with_the_same_order_and_page_are_one_draw_call() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let character = Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr")).unwrap();
    let view = View::centered(64, 64, vec2(0.0, 200.0), 0.1);
    let stage = Stage::new(device, queue, character.model(), &view).unwrap();
    let list = list_at(&character, 0, &view);
    let mut moved = list.clone();
    moved.palette.iter_mut().for_each(|bone| bone.translation.x += 9.0);
    let (other, hidden) = (without(&list, 3), DrawList::default());
    let mut with_overlay = list.clone();
    with_overlay.add_rectangle([0, 0, 9, 9], [9; 4], &view);
    let calls = |lists: &[&DrawList]| {
        let mut buffers = stage.buffers();
        let members: Vec<Member<'_>> = lists.iter().map(|list| Member::from(*list)).collect();
        stage.prepare(&mut buffers, &members, &view, Filter::Linear);
        buffers.draw_calls()
    };
    assert_eq!(calls(&[&list]), 1);
    assert_eq!(calls(&[&list, &moved, &list, &moved]), 1);
    assert_eq!(calls(&[&list, &moved, &hidden, &hidden, &list]), 1);
    assert_eq!(calls(&[&hidden, &hidden]), 0);
    assert_eq!(calls(&[&list, &moved, &other, &other]), 2);
    assert_eq!(calls(&[&list, &other, &moved, &other]), 4);
    // An overlay belongs between its member and the next.
    assert_eq!(calls(&[&list, &moved, &with_overlay]), 2);
    assert_eq!(calls(&[&list, &with_overlay, &with_overlay, &list]), 5);

    // Two pages: two draw calls for each member, or one would be drawn over the other's front.
    let character = limbs(3);
    let stage = Stage::new(device, queue, character.model(), &view).unwrap();
    let list = list_at(&character, 0, &view);
    let mut buffers = stage.buffers();
    stage.prepare(&mut buffers, &[Member::from(&list); 5], &view, Filter::Linear);
    assert_eq!(buffers.draw_calls(), 10);
    context.check().unwrap();
}

/// Holds crowds on a device with the smallest buffers that hold the model against the same crowds on another.
#[track_caller]
fn expect_same_in_parts(name: &str, model: &Model, members: &[Member<'_>], view: &View) -> usize {
    let Some(context) = gpu_or_skip() else { return 2 };
    let whole = Stage::new(context.device(), context.queue(), model, view).unwrap();
    let (expected, calls) = whole.together(members, view, Filter::Linear);
    for size in (6..24).map(|power| 1 << power) {
        let limits = wgpu::Limits { max_storage_buffer_binding_size: size, ..context.device().limits() };
        let Some((device, queue)) = device_with(limits) else { return 2 };
        let Ok(stage) = Stage::new(&device, &queue, model, view) else { continue };
        let mut buffers = stage.buffers();
        if let Err(error) = buffers.prepare(&device, &queue, model, members, view, Filter::Linear) {
            // Each member alone is too large.
            assert_eq!(error.code(), "buffer-too-large", "{name}, {size}: {error}");
            continue;
        }
        let in_parts = buffers.draw_calls();
        assert!(stage.draw(&[buffers]) == expected, "{name}, {size}: the picture differs");
        // Another crowd of the same buffers, and the first again.
        let mut buffers = stage.buffers();
        for members in [&members[..members.len() / 2], members, &members[..1], members] {
            stage.prepare(&mut buffers, members, view, Filter::Linear);
        }
        assert!(stage.draw(&[buffers]) == expected, "{name}, {size}: the second picture differs");
        return in_parts.div_ceil(calls);
    }
    panic!("{name} does not fit");
}

#[test]
fn a_crowd_larger_than_a_buffer_is_drawn_in_parts() {
    for scene in scenes::scenes() {
        scene.with_list(1.0, |model, list, view, _| {
            let lists: Vec<DrawList> = (0..4).flat_map(|_| variants(list)).collect();
            expect_same_in_parts(scene.name, model, &crowd(&lists, vec2(9.0, 2.0) / view.scale()), &view);
        });
    }
    let character = limbs(3);
    let view = View::centered(120, 120, vec2(0.0, 60.0), 0.5);
    let lists: Vec<DrawList> = (0..200).map(|number| list_at(&character, number % 3, &view)).collect();
    let members = crowd(&lists, vec2(20.0, 2.0));
    for model in [character.model(), &with_lists(character.model(), same_influences)] {
        expect_same_in_parts("limbs", model, &members, &view);
    }
}

#[test]
fn draw_calls_are_divided_at_the_end_of_a_buffer_only() {
    let Some(context) = gpu_or_skip() else { return };
    let character = Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr")).unwrap();
    let model = character.model();
    let view = View::centered(64, 64, vec2(0.0, 200.0), 0.1);
    let list = list_at(&character, 0, &view);
    let palette = size_of_val(&*list.palette) as u64;
    // Room for seven palettes, and a table of sprites.
    let size = (7 * palette + 20).max((model.attachments().len() * SPRITE_BYTES as usize) as u64);
    let in_a_part = size / palette;
    let limits = wgpu::Limits { max_storage_buffer_binding_size: size, ..context.device().limits() };
    let Some((device, queue)) = device_with(limits) else { return };
    let stage = Stage::new(&device, &queue, model, &view).unwrap();
    for count in [1, in_a_part, in_a_part + 1, 5 * in_a_part, 5 * in_a_part + 1] {
        let members = vec![Member::from(&list); count as usize];
        let mut buffers = stage.buffers();
        stage.prepare(&mut buffers, &members, &view, Filter::Linear);
        assert_eq!(buffers.draw_calls() as u64, count.div_ceil(in_a_part), "{count} members");
    }

    // One member that does not fit.
    let limits = wgpu::Limits { max_storage_buffer_binding_size: palette - 4, ..context.device().limits() };
    let Some((device, queue)) = device_with(limits) else { return };
    let stage = Stage::new(&device, &queue, model, &view).unwrap();
    let mut buffers = stage.buffers();
    let refused =
        buffers.prepare(&device, &queue, model, &[Member::from(&list)], view, Filter::Linear).unwrap_err();
    let limit = palette - 4;
    let expected = format!("the bone matrix buffer needs {palette} bytes; the limit of this device is {limit}");
    assert_eq!(refused.to_string(), expected);
    assert_eq!(buffers.draw_calls(), 0);
}

#[test]
fn too_many_orders_are_refused_with_the_number_that_fits() {
    let Some(context) = gpu_or_skip() else { return };
    let character = Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr")).unwrap();
    let model = character.model();
    let view = View::centered(64, 64, vec2(0.0, 200.0), 0.1);
    let list = list_at(&character, 0, &view);
    let size = 1 << 16;
    let limits =
        wgpu::Limits { max_buffer_size: size, max_storage_buffer_binding_size: size, ..context.device().limits() };
    let Some((device, queue)) = device_with(limits) else { return };
    let stage = Stage::new(&device, &queue, model, &view).unwrap();
    let mut buffers = stage.buffers();
    let others: Vec<DrawList> = (0..list.commands.len())
        .flat_map(|first| (0..list.commands.len() - 1).map(move |second| (first, second)))
        .map(|(first, second)| without(&without(&list, first), second))
        .collect();
    let members: Vec<Member<'_>> = others.iter().map(Member::from).collect();
    let mut prepare = |members: &[Member<'_>]| {
        buffers.prepare(&device, &queue, model, members, view, Filter::Linear).map(|()| buffers.draw_calls())
    };
    let refused = prepare(&members).unwrap_err();
    assert_eq!(refused.code(), "crowd-too-large");
    let fitting = refused.fitting_members().expect("some fit");
    assert!(0 < fitting && fitting < members.len());
    let expected = format!(
        "the index buffer of the crowd needs more than {size} bytes, the limit of this device; {fitting} members fit"
    );
    assert_eq!(refused.to_string(), expected);
    prepare(&members[..fitting]).unwrap();
    prepare(&members[..fitting + 1]).unwrap_err();
    // However often: orders are stored once.
    let twice = [&members[..fitting], &members[..fitting]].concat();
    prepare(&twice).unwrap();
}

#[test]
fn only_what_changed_is_uploaded() {
    let Some(context) = gpu_or_skip() else { return };
    let character = Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr")).unwrap();
    let model = character.model();
    let view = View::centered(64, 64, vec2(0.0, 200.0), 0.1);
    let stage = Stage::new(context.device(), context.queue(), model, &view).unwrap();
    let mut buffers = stage.buffers();
    let mut lists = vec![list_at(&character, 0, &view); 500];
    let mut uploaded = |lists: &[DrawList], view: &View| {
        let members = crowd(lists, vec2(3.0, 5.0));
        stage.prepare(&mut buffers, &members, view, Filter::Linear);
        assert!(buffers.buffer_bytes() >= buffers.uploaded_bytes());
        buffers.uploaded_bytes()
    };
    let (camera, instance) = (80, 40);
    let palette = size_of_val(&*lists[0].palette) as u64;
    let table = (model.attachments().len() * SPRITE_BYTES as usize) as u64;
    let indices = (lists[0].commands.iter())
        .map(|command| match command {
            Command::Sprite(sprite) => {
                model.attachment(sprite.attachment).mesh().unwrap().indices.len() as u64 * 4
            }
            Command::ClipBegin(_) | Command::ClipEnd | Command::Overlay(_) => 0,
        })
        .sum::<u64>();
    // All look the same, so they share a table.
    assert_eq!(uploaded(&lists, &view), camera + indices + table + 500 * (palette + instance));
    assert_eq!(uploaded(&lists, &view), 500 * palette);
    assert_eq!(uploaded(&lists, &view.resized(64, 64, 1.1)), 500 * palette + camera);
    // A hidden member has no matrices, and those after it move up.
    lists[498].commands.clear();
    assert_eq!(uploaded(&lists, &view), 499 * palette + camera + instance);
    // The others still share a table.
    let tint = |list: &mut DrawList| {
        for command in &mut list.commands {
            if let Command::Sprite(sprite) = command {
                sprite.color.light[0] *= 0.5;
            }
        }
    };
    tint(&mut lists[200]);
    // The buffer grows, so its contents are lost.
    assert_eq!(uploaded(&lists, &view), 499 * palette + instance + 2 * table);
    assert_eq!(uploaded(&lists, &view), 499 * palette);
    tint(&mut lists[200]);
    let with_another_tint = uploaded(&lists, &view);
    assert!(499 * palette < with_another_tint && with_another_tint <= 499 * palette + table);
    // One attachment less is another order, but no other table.
    lists[201].commands.pop();
    let with_another_order = uploaded(&lists, &view);
    assert!(with_another_order > 499 * palette + indices && with_another_order < 499 * palette + 2 * indices);
    assert_eq!(uploaded(&lists, &view), 499 * palette);
}

#[test]
fn a_crowd_allocates_as_little_as_one() {
    let Some(context) = gpu_or_skip() else { return };
    let (device, queue) = (context.device(), context.queue());
    let character = Character::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/paper-knight.pchr")).unwrap();
    let view = View::centered(64, 64, vec2(0.0, 200.0), 0.3);
    let stage = Stage::new(device, queue, character.model(), &view).unwrap();
    let mut lists = walking(&character, 24, &view);
    let last = lists[0].commands.len() - 1;
    let others: Vec<DrawList> = (0..last).map(|nth| without(&lists[0], nth)).collect();
    let varied: Vec<DrawList> = (0..6).flat_map(|_| variants(&lists[0])).collect();
    lists.extend(others.into_iter().chain(varied));
    let mut buffers = stage.buffers();
    let other = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 1 << 20,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::VERTEX,
        mapped_at_creation: false,
    });
    // What one write allocates in wgpu once it is warm, and what the pictures do.
    let (mut write, mut pictures) = (u64::MAX, Vec::new());
    for _ in 0..32 {
        lists.rotate_left(1);
        let members = crowd(&lists, vec2(3.0, 5.0));
        pictures.push(allocations(|| stage.prepare(&mut buffers, &members, &view, Filter::Auto)));
        write = write.min(allocations(|| queue.write_buffer(&other, 0, &[0; 1 << 16])));
        let submission = Some(queue.submit([]));
        device.poll(wgpu::PollType::Wait { submission_index: submission, timeout: None }).unwrap();
    }
    // The camera, matrices, overlays, instances, sprites and indices.
    let writes = 6;
    for allocated in &pictures[16..] {
        assert!(*allocated <= writes * write, "{allocated}, {write} for each write: {pictures:?}");
    }
    context.check().unwrap();
}
