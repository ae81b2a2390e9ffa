//! The calls of the player: characters, players and their pictures.

mod answers;
mod area;
mod characters;
mod player;
mod pose_bytes;
#[cfg(not(feature = "all"))]
mod spine_alone;
mod still;

use std::sync::Arc;

use pchr::Result;
use pchr::progress::Progress;
use serde::Serialize;

use crate::abi::{STATE, State, call};

pub use characters::Character;
pub use player::Player;

/// The most pixels that the page decodes itself where there can be a worker. They take about 50 ms.
const QUICK_PIXELS: u64 = 1 << 21;

/// Runs a call on a player.
fn on_player(player: i32, run: impl FnOnce(&mut Player) -> Result<i32>) -> i32 {
    call(|state| run(state.players.get(player)?))
}

/// Runs a call on a player with the text that the caller has left.
fn told(player: i32, run: impl FnOnce(&mut Player, &str) -> Result<i32>) -> i32 {
    call(|state| {
        let text = state.text();
        run(state.players.get(player)?, &text)
    })
}

/// Answers something about a player.
fn answered<Answer: Serialize>(player: i32, ask: impl FnOnce(&Player) -> Answer) -> i32 {
    call(|state| {
        let answer = ask(state.players.get(player)?);
        state.say(&answer);
        Ok(0)
    })
}

/// Opens the file named by the input, one of those added. Returns its handle; the answer is an `Opened`. With `quick`,
/// it is cancelled rather than decode pictures that take long. Takes a list of decoded pictures, or none if it is negative.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_open(quick: u32, pictures: i32) -> i32 {
    STATE.with_borrow_mut(|state| {
        let name = state.text();
        let decoded = state.pictures.get(pictures).map(std::mem::take).unwrap_or_default();
        state.pictures.remove(pictures);
        let progress =
            if quick != 0 { Progress::decoding_at_most(QUICK_PIXELS) } else { Progress::with_decoded(decoded) };
        match Character::open(&state.files, &name, Arc::new(progress)) {
            Ok((character, opened)) => {
                state.say(&opened);
                state.characters.add(character)
            }
            Err(failure) => {
                state.say(&*failure);
                -1
            }
        }
    })
}

/// Decodes the pictures of the file named by the input, for [`pchr_picture`] in another instance of this module. Answers a
/// `Made`.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_decode() -> i32 {
    call(|state| {
        let name = state.text();
        let progress = Arc::new(Progress::keeping_decoded());
        // The other instance says what is wrong.
        _ = Character::open(&state.files, &name, Arc::clone(&progress));
        let pictures = progress.take_decoded().into_iter().zip(0..);
        state.give(pictures.map(|(pixels, index)| (index.to_string(), pixels)).collect());
        Ok(0)
    })
}

/// Adds the input to a list of decoded pictures, or to a new one if it is negative. Returns the list, which [`pchr_open`] takes.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_picture(list: i32) -> i32 {
    call(|state| {
        let list = if list < 0 { state.pictures.add(Vec::new()) } else { list };
        state.pictures.get(list)?.push(std::mem::take(&mut state.input).into());
        Ok(list)
    })
}

/// Frees a list of decoded pictures.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_pictures_free(list: i32) {
    STATE.with_borrow_mut(|state| state.pictures.remove(list));
}

/// Frees a character; players that show it go on.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_close(character: i32) {
    STATE.with_borrow_mut(|state| state.characters.remove(character));
}

/// Writes the premultiplied pixels of `rows` of a page as the answer, in RGBA. The sizes of pages are in the `Opened`.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_page(character: i32, page: usize, row: usize, rows: usize) -> i32 {
    call(|state| {
        state.output = state.characters.get(character)?.page(page, row, rows);
        Ok(0)
    })
}

/// Creates a player of a character and returns its handle.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_player(character: i32) -> i32 {
    call(|state| {
        let player = Player::new(state.characters.get(character)?);
        Ok(state.players.add(player))
    })
}

/// Frees a player.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_player_free(player: i32) {
    STATE.with_borrow_mut(|state| state.players.remove(player));
}

/// Plays an animation, or queues it `delay` seconds after the previous one. The input is its settings, as in
/// `pchr::player::PlaySettings`, in a line, and its name; without one, the track fades out.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_play(player: i32, track: usize, queue: u32, delay: f64) -> i32 {
    told(player, |player, input| player.play(input, track, (queue != 0).then_some(delay)))
}

/// Fades a track out, or stops it at once if `secs` is not a number: what it has set stays. With a negative track, stops all and
/// shows the rest pose.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_stop(player: i32, track: i32, secs: f64) -> i32 {
    on_player(player, |player| player.stop(track, secs))
}

/// Moves track 0 to a time of its animation.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_seek(player: i32, secs: f64) -> i32 {
    on_player(player, |player| player.seek(secs))
}

/// Moves track 0 to the frame that a still picture of its animation shows: the first that shows enough.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_seek_still(player: i32) -> i32 {
    on_player(player, Player::seek_still)
}

/// Sets the speed of everything, the duration of cross-fades and whether physics is simulated (0, 1; 2: as by default).
#[unsafe(no_mangle)]
pub extern "C" fn pchr_settings(player: i32, speed: f64, fade: f64, loop_mode: u32, physics: u32) -> i32 {
    on_player(player, |player| player.set(speed, fade, loop_mode, physics))
}

/// Puts on the skins named by the input, one a line; without any, those that the file starts with.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_skins(player: i32) -> i32 {
    told(player, |player, names| player.set_skins(names))
}

/// Shows another attachment: the input is the names of the slot and the attachment in two lines; an empty one hides the slot.
/// With `release`, the slot shows again what the animation says.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_attachment(player: i32, release: u32) -> i32 {
    told(player, |player, names| player.set_attachment(names, release != 0))
}

/// Moves the bone named by the input to a place in the world, or releases it if that is not a number.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_move_bone(player: i32, x: f32, y: f32) -> i32 {
    told(player, |player, name| player.move_bone(name, [x, y]))
}

/// Lets time pass. Returns the number of events; if there are any, the answer is the list of them.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_update(player: i32, secs: f64) -> i32 {
    call(|state| {
        let events = state.players.get(player)?.update(secs);
        if !events.is_empty() {
            state.output = events;
            return Ok(1);
        }
        Ok(0)
    })
}

/// Evaluates the pose after changes, without time.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_refresh(player: i32) -> i32 {
    on_player(player, |player| player.refresh())
}

/// Answers what track 0 plays: a `Playing`.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_playing(player: i32) -> i32 {
    answered(player, |player| player.playing())
}

/// The number of the animation that track 0 plays, in the order of the file; -1: none.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_animation(player: i32) -> i32 {
    STATE.with_borrow_mut(|state| state.players.get(player).map_or(-1, |player| player.animation()))
}

/// The time of track 0 in its animation.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_time(player: i32) -> f64 {
    STATE.with_borrow_mut(|state| state.players.get(player).map_or(0.0, |player| player.time()))
}

/// 1 if time changes what is shown.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_is_moving(player: i32) -> i32 {
    on_player(player, |player| Ok(player.is_moving().into()))
}

/// Answers a rectangle of the world, `[left, bottom, right, top]`: `which` is 0: what the animation of track 0 covers, 1:
/// what all animations cover, 2: what is shown now.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_area(player: i32, which: u32) -> i32 {
    answered(player, |player| area::of(player, which))
}

/// Sets the size of pictures and the rectangle of the world that they show.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_view(
    player: i32,
    width: u32,
    height: u32,
    left: f32,
    bottom: f32,
    right: f32,
    top: f32,
) -> i32 {
    on_player(player, |player| player.set_view([width, height], [left, bottom, right, top]))
}

/// Sets the overlays. The input has one per line, as in `--show`: `bones`, `weights=BONE`.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_overlay(player: i32) -> i32 {
    told(player, |player, names| player.show(names))
}

/// Answers the active targets of inverse kinematics: a list of `{bone, x, y}`, with the place in the world.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_ik_targets(player: i32) -> i32 {
    answered(player, Player::targets)
}

/// Picture pixels per unit of the world.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_scale(player: i32) -> f32 {
    STATE.with_borrow_mut(|state| state.players.get(player).map_or(1.0, |player| player.view().scale()))
}

/// Answers what is at a pixel of the picture: `{slot, x, y}`, with the place in the world; the slot may be `null`.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_hit(player: i32, x: f32, y: f32) -> i32 {
    answered(player, |player| player.hit([x, y]))
}

/// Makes triangles of the pose. Returns the address of a table of addresses and lengths, valid until the next call: vertices,
/// indices, batches (five numbers each: page + 1, blend, clip + 1, first index, indices), clips (first point, points), points; then
/// 1 if the picture is a heavy one.
/// It is a number that can state any address; negative: an error.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_batches(player: i32) -> f64 {
    STATE.with_borrow_mut(|state| {
        let table = state.players.get(player).and_then(Player::batches);
        match table {
            Ok(table) => f64::from(table as u32),
            Err(error) => f64::from(state.settle(Err(error))),
        }
    })
}

/// Writes the pose as the answer, for [`pchr_paint`] elsewhere.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_pose(player: i32) -> i32 {
    call(|state| {
        state.output.clear();
        let State { players, output, .. } = state;
        pose_bytes::write(players.get(player)?.pose(), output);
        Ok(0)
    })
}

/// Draws on the CPU. The answer is the pixels, RGBA with straight alpha, rows from the top. With `with_pose`, the input is a
/// pose of [`pchr_pose`].
#[unsafe(no_mangle)]
pub extern "C" fn pchr_paint(player: i32, with_pose: u32) -> i32 {
    call(|state| {
        let State { players, output, input, .. } = state;
        let player = players.get(player)?;
        let pose = (with_pose != 0).then_some(&input[..]);
        player.paint(pose)?.clone_into(output);
        Ok(0)
    })
}

/// Draws a still picture as [`pchr_paint`] does. `secs` is a time of the animation named by the input, from its start as
/// `pchr-view -t` counts; if it is not a number, the present pose is drawn.
#[unsafe(no_mangle)]
pub extern "C" fn pchr_paint_still(player: i32, secs: f64) -> i32 {
    call(|state| {
        let text = state.text();
        let State { players, output, .. } = state;
        still::paint(players.get(player)?, &text, secs)?.clone_into(output);
        Ok(0)
    })
}
