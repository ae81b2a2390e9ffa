//! A lamp that hops to and fro, behind a post and in front of a wall.

use bevy::camera::CompositingSpace;
use bevy::math::ops;
use bevy::prelude::*;
use bevy_pchr::pchr::player::EventKind;
use bevy_pchr::{Character2d, CharacterAnimator, CharacterEvent, PchrPlugin};

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, PchrPlugin))
        .add_systems(Startup, set_up)
        .add_systems(Update, (start, walk, listen))
        .run();
}

fn set_up(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn((Camera2d, CompositingSpace::Srgb));
    // From the folder `assets` of the program; its atlas and its page are found there.
    let lamp = assets.load("paper-lamp.json");
    commands.spawn((Character2d(lamp), Transform::from_xyz(0.0, -150.0, 0.0)));
    let [wall, post] = [Color::srgb(0.9, 0.85, 0.7), Color::srgb(0.3, 0.35, 0.45)];
    commands.spawn((Sprite::from_color(wall, vec2(900.0, 400.0)), Transform::from_xyz(0.0, 0.0, -1.0)));
    commands.spawn((Sprite::from_color(post, vec2(40.0, 400.0)), Transform::from_xyz(0.0, 0.0, 2.0)));
}

fn start(mut lamps: Query<&mut CharacterAnimator, Added<CharacterAnimator>>) -> Result {
    for mut lamp in &mut lamps {
        lamp.play("hop")?;
    }
    Ok(())
}

fn walk(time: Res<Time>, mut lamps: Query<&mut Transform, With<CharacterAnimator>>) {
    for mut place in &mut lamps {
        place.translation.x = 200.0 * ops::sin(time.elapsed_secs());
        place.scale.x = ops::cos(time.elapsed_secs()).signum();
    }
}

fn listen(mut events: MessageReader<CharacterEvent>) {
    for event in events.read() {
        if let EventKind::Fired(fired) = &event.kind {
            println!("{}", fired.name);
        }
    }
}
