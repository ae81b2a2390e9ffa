//! Headless pictures by Bevy against those of the CPU renderer.

#[allow(dead_code, reason = "every test uses its own part")]
#[path = "../../../tests/common/compare.rs"]
mod compare;

use std::time::Duration;

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{CompositingSpace, RenderTarget};
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::gpu_readback::{Readback, ReadbackComplete};
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_pchr::pchr::cpu::Renderer;
use bevy_pchr::pchr::draw::{Antialias, DrawList, Filter, Picture, Settings, View};
use bevy_pchr::pchr::math::vec2;
use bevy_pchr::pchr::model::{Select, SlotId};
use bevy_pchr::pchr::player::EventKind;
use bevy_pchr::{Character2d, CharacterAnimator, CharacterEvent, LoadSettings, PchrPlugin, SplitAt};

use compare::{Scene, difference};

/// Rows of this many pixels are read back without padding.
const WIDTH: u32 = 512;
const HEIGHT: u32 = 512;
/// Of 255, as between our own renderers, and one for the way of the picture through linear light.
const TOLERANCE: u8 = 3;
/// The largest share of covered pixels at edges, which are only compared with their surroundings.
const EXCLUDED: f64 = 0.25;

#[derive(Resource, Default)]
struct Read(Vec<u8>);

/// A world without a window, which shows one character.
struct Stage {
    app: App,
    character: Entity,
    camera: Entity,
    view: View,
    antialias: Antialias,
}

impl Stage {
    /// Loads a file, plays `animation` for `secs`, and looks at `center` with `scale` pixels per world pixel.
    fn new(
        file: &'static str,
        atlas: Option<&'static str>,
        animation: &str,
        secs: f32,
        center: [f32; 2],
        scale: f32,
    ) -> Self {
        let mut app = App::new();
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..").to_owned();
        let window = WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
        let plugins = DefaultPlugins
            .set(AssetPlugin { file_path: root, ..default() })
            .set(RenderPlugin { synchronous_pipeline_compilation: true, ..default() })
            .set(window)
            .disable::<WinitPlugin>();
        app.add_plugins((plugins, PchrPlugin)).init_resource::<Read>();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        app.finish();
        app.cleanup();

        let mut target = Image::new_target_texture(WIDTH, HEIGHT, TextureFormat::Rgba8UnormSrgb, None);
        target.texture_descriptor.usage |= TextureUsages::COPY_SRC;
        let target = app.world_mut().resource_mut::<Assets<Image>>().add(target);
        app.world_mut()
            .spawn(Readback::texture(target.clone()))
            .observe(|picture: On<ReadbackComplete>, mut read: ResMut<Read>| read.0 = picture.data.clone());
        let projection = OrthographicProjection { scale: 1.0 / scale, ..OrthographicProjection::default_2d() };
        let camera = (
            Camera2d,
            Camera { clear_color: ClearColorConfig::Custom(Color::NONE), ..default() },
            RenderTarget::Image(target.into()),
            Projection::Orthographic(projection),
            CompositingSpace::Srgb,
            Msaa::Off,
            Transform::from_xyz(center[0], center[1], 0.0),
        );
        let camera = app.world_mut().spawn(camera).id();
        let settings = move |settings: &mut LoadSettings| {
            settings.atlases = atlas.map(Into::into).into_iter().collect();
            settings.is_sharp = Some(false);
        };
        let file = app.world().resource::<AssetServer>().load_builder().with_settings(settings).load(file);
        let character = app.world_mut().spawn(Character2d(file.clone())).id();
        let view = View::centered(WIDTH, HEIGHT, center.into(), scale);
        let mut stage = Self { app, character, camera, view, antialias: Antialias::None };
        stage.update_until("the file is loaded", |stage| {
            let state = stage.app.world().resource::<AssetServer>().load_state(&file);
            assert!(!state.is_failed(), "{state:?}");
            stage.entity().contains::<CharacterAnimator>()
        });
        stage.animator().play(animation).expect("an animation of the file");
        stage.pass(secs);
        stage
    }

    fn entity(&mut self) -> EntityWorldMut<'_> {
        self.app.world_mut().entity_mut(self.character)
    }

    fn animator(&mut self) -> Mut<'_, CharacterAnimator> {
        self.entity().into_mut().expect("a character that was loaded")
    }

    fn update_until(&mut self, what: &str, is_done: impl Fn(&mut Self) -> bool) {
        for _ in 0..500 {
            self.app.update();
            if is_done(self) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("waited in vain until {what}");
    }

    /// Lets time pass. Bevy's clock is never ahead by more than a quarter of a second.
    fn pass(&mut self, secs: f32) {
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(secs / 2.0)));
        (0..2).for_each(|_| self.app.update());
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    }

    /// The picture by Bevy, which is late by some frames.
    fn picture(&mut self) -> Picture {
        for _ in 0..4 {
            self.app.update();
        }
        self.app.world_mut().resource_mut::<Read>().0.clear();
        self.update_until("a picture is read", |stage| !stage.app.world().resource::<Read>().0.is_empty());
        let mut picture = Picture::default();
        picture.reset(WIDTH, HEIGHT);
        picture.pixels_mut().copy_from_slice(&self.app.world().resource::<Read>().0);
        picture
    }

    /// The picture by the CPU renderer, with its list. `split` has a slot, and the colour of what lies behind what is in
    /// front of it.
    fn expected(&mut self, split: Option<(SlotId, [u8; 4])>) -> (Picture, DrawList) {
        let (view, mut behind) = (self.view, DrawList::default());
        let (mut list, mut picture) = (DrawList::default(), Picture::default());
        let settings = Settings { filter: Filter::Linear, antialias: self.antialias };
        let animator = self.animator();
        let mut renderer = Renderer::new(animator.model());
        match split {
            Some((slot, color)) => {
                animator.build_draw_list_around(slot, &view, &mut behind, &mut list).expect("its slot");
                let mut wall = Picture::default();
                wall.reset(WIDTH, HEIGHT);
                wall.lay_over(|_, _| color);
                renderer.render_over(animator.model(), &list, &view, settings, &wall, &mut picture);
                picture.lay_over(|_, _| color);
            }
            None => {
                animator.build_draw_list(&view, &mut list);
                renderer.render(animator.model(), &list, &view, settings, &mut picture);
            }
        }
        (picture, list)
    }

    fn compare(&mut self, split: Option<(SlotId, [u8; 4])>) {
        let found = self.picture();
        let (expected, list) = self.expected(split);
        let view = self.view;
        keep(&found, &expected);
        let animator = self.animator();
        let scene = Scene { model: animator.model(), list: &list, view };
        let difference = difference(&scene, &found, &expected, TOLERANCE);
        println!("{} inside, worst {:?}, edges {:.3}", difference.inside, difference.worst, difference.excluded());
        assert!(
            difference.inside > 5000 && difference.excluded() <= EXCLUDED,
            "too little was compared: {difference:?}"
        );
        let may_be_off = if self.antialias == Antialias::None { 0 } else { difference.inside / 10_000 };
        assert!(difference.stray.is_empty() && difference.off <= may_be_off, "{difference:?}");
        // Behind what is in front of a slot is a wall.
        // With antialiasing, a tip between the middles of pixels is visible.
        let is_smooth = self.antialias != Antialias::None;
        assert!(split.is_some() || is_smooth || difference.spill.is_empty(), "{difference:?}");
    }
}

/// Writes both pictures into the folder that the environment names, to look at them.
fn keep(found: &Picture, expected: &Picture) {
    let Some(folder) = std::env::var_os("PCHR_LOOK") else { return };
    for (name, picture) in [("found", found), ("expected", expected)] {
        let name = format!("{}-{name}.png", std::thread::current().name().unwrap_or("picture").replace(':', "-"));
        let mut picture = picture.clone();
        picture.unpremultiply();
        let png = bevy_pchr::pchr::formats::image::encode_png(WIDTH, HEIGHT, picture.pixels()).expect("a picture");
        std::fs::write(std::path::Path::new(&folder).join(name), png).expect("a folder");
    }
}

fn panes(secs: f32, scale: f32) -> Stage {
    Stage::new(
        "bindings/bevy/tests/panes.json",
        Some("bindings/bevy/tests/art.atlas"),
        "turn",
        secs,
        [3.0, 2.0],
        scale,
    )
}

#[test]
fn the_knight_is_equal() {
    Stage::new("assets/paper-knight.pchr", None, "walk", 0.3, [0.0, 210.0], 1.1).compare(None);
}

#[test]
fn the_lamp_is_equal_where_its_entity_is() {
    let mut stage = Stage::new("assets/paper-lamp.json", None, "hop", 0.4, [100.0, 140.0], 1.7);
    stage.compare(None);
    let place = Transform::from_xyz(170.0, 30.0, 5.0)
        .with_scale(Vec3::new(-0.9, 0.9, 1.0))
        .with_rotation(Quat::from_rotation_z(0.2));
    stage.entity().insert(place);
    stage.compare(None);
}

#[test]
fn clip_masks_and_every_blend_mode_are_equal() {
    panes(0.0, 2.6).compare(None);
    panes(0.37, 2.3).compare(None);
}

#[test]
fn smooth_edges_are_equal() {
    let mut stage = panes(0.0, 2.6);
    let camera = stage.camera;
    stage.app.world_mut().entity_mut(camera).insert(Msaa::Sample4);
    stage.antialias = Antialias::Msaa4;
    stage.compare(None);
}

#[test]
fn opaque_colours_are_equal_in_linear_light() {
    let mut stage = panes(0.0, 2.6);
    let camera = stage.camera;
    stage.app.world_mut().entity_mut(camera).remove::<CompositingSpace>();
    let found = stage.picture();
    let (expected, _) = stage.expected(None);
    // The wall, beside everything that is laid over it.
    let corner = stage.view.pixel_from_world(vec2(-80.0, -70.0));
    for (x, y) in (0..20).flat_map(|y| (0..20).map(move |x| (x + corner.x as u32, y + corner.y as u32 - 20))) {
        let (found, expected) = (found.pixel(x, y), expected.pixel(x, y));
        assert!(
            expected[3] == 255 && (0..4).all(|at| found[at].abs_diff(expected[at]) <= TOLERANCE),
            "{found:?} {expected:?}"
        );
    }
}

#[test]
fn a_sprite_is_drawn_between_slots() {
    let mut stage = panes(0.0, 2.6);
    let slot: SlotId = "star".select(stage.animator().model()).expect("its slot");
    let sprite = Sprite::from_color(Color::srgb_u8(60, 200, 120), Vec2::splat(1000.0));
    stage.entity().insert(SplitAt(slot)).with_child((sprite, Transform::from_xyz(0.0, 0.0, 0.5)));
    stage.compare(Some((slot, [60, 200, 120, 255])));
}

#[test]
fn parts_have_the_layers_and_the_visibility_of_the_character() {
    let mut stage = panes(0.0, 2.6);
    assert!(stage.picture().pixels().iter().any(|byte| *byte > 0));
    stage.entity().insert(Visibility::Hidden);
    assert!(stage.picture().pixels().iter().all(|byte| *byte == 0), "hidden");
    stage.entity().insert((Visibility::Visible, RenderLayers::layer(3)));
    assert!(stage.picture().pixels().iter().all(|byte| *byte == 0), "on another layer");
    stage.entity().remove::<RenderLayers>();
    assert!(stage.picture().pixels().iter().any(|byte| *byte > 0));
    stage.entity().despawn_children();
    stage.compare(None);
}

#[test]
fn events_are_messages() {
    let mut stage = panes(0.4, 2.6);
    stage.app.world_mut().resource_mut::<Messages<CharacterEvent>>().clear();
    stage.pass(0.2);
    let events: Vec<_> = stage.app.world_mut().resource_mut::<Messages<CharacterEvent>>().drain().collect();
    let [CharacterEvent { entity, track: 0, animation: Some(_), kind: EventKind::Fired(fired) }] = &events[..]
    else {
        panic!("{events:?}");
    };
    assert_eq!(
        (*entity, fired.name.as_str(), fired.int, fired.string.as_str()),
        (stage.character, "chime", 3, "glass")
    );
}
