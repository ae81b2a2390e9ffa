//! Slots changed by the caller.

use pchr::cpu::Renderer;
use pchr::draw::{DrawList, Picture, Settings, View};
use pchr::model::{SlotId, Tint};
use pchr::motion::{Cue, Dynamics, SlotOverride, evaluate};
use pchr::pose::Pose;
use pchr::{Animator, Character};

const ASSETS: [&str; 2] = ["assets/paper-lamp.json", "assets/paper-knight.pchr"];
const RED: Tint = Tint { light: [1.0, 0.0, 0.0, 0.5], dark: Some([0.25, 0.0, 0.0]) };

fn open(asset: &str) -> Character {
    Character::open(format!("{}/{asset}", env!("CARGO_MANIFEST_DIR"))).expect("an asset")
}

/// Draws the current pose on the CPU.
fn picture(animator: &Animator) -> Picture {
    let bounds = animator.bounds();
    let view = View::fit(64, 64, bounds);
    let mut list = DrawList::default();
    animator.build_draw_list(&view, &mut list);
    let mut picture = Picture::default();
    Renderer::new(animator.model()).render(animator.model(), &list, &view, Settings::default(), &mut picture);
    picture
}

#[test]
fn slots_are_changed_in_every_format_and_nothing_else_is() {
    for asset in ASSETS {
        let character = open(asset);
        let model = character.model();
        let (mut plain, mut changed) = (Pose::default(), Pose::default());
        let cue = Cue { animation: model.motions().next(), ..Cue::default() };
        evaluate(&character, &cue, &mut plain);
        let shown = |id: &SlotId| plain.slots[id.index()].attachment;
        let slot = model.slot_ids().find(|id| shown(id).is_some()).expect("a slot that shows something");
        let other = model.slot_ids().filter_map(|id| shown(&id)).last().expect("an attachment");
        for (change, attachment, tint) in [
            (SlotOverride::empty(slot), None, plain.slots[slot.index()].tint),
            (SlotOverride::showing(slot, other), Some(other), plain.slots[slot.index()].tint),
            (SlotOverride::tinted(slot, RED), shown(&slot), RED),
        ] {
            // The last one is ignored.
            let nan = Tint { light: [f32::NAN; 4], dark: None };
            let slots = vec![change, SlotOverride::tinted(slot, nan)];
            evaluate(&character, &Cue { slots: slots.clone(), ..cue.clone() }, &mut changed);
            assert_eq!(
                (changed.slots[slot.index()].attachment, changed.slots[slot.index()].tint),
                (attachment, tint)
            );
            changed.slots[slot.index()] = plain.slots[slot.index()];
            assert!(changed.slots == plain.slots && changed.world_from_bone == plain.world_from_bone, "{asset}");
            // With physics, too.
            Dynamics::default().replay(&character, &Cue { slots, ..cue.clone() }, &mut changed);
            assert_eq!(changed.slots[slot.index()].attachment, attachment, "{asset}");
        }
    }
}

#[test]
fn changes_last_until_they_are_released() {
    let mut lamp = Animator::new(open(ASSETS[0]));
    lamp.play("hop").expect("an animation");
    let bulb = lamp.model().find_slot("bulb").expect("a slot").index();
    lamp.refresh();
    let before = picture(&lamp);
    let authored = lamp.pose().slots[bulb].attachment;
    lamp.set_attachment("bulb", None).expect("a slot");
    lamp.set_tint("bulb", RED).expect("a slot");
    for _ in 0..90 {
        lamp.update(1.0 / 60.0);
        assert_eq!((lamp.pose().slots[bulb].attachment, lamp.pose().slots[bulb].tint), (None, RED));
    }
    lamp.set_attachment("bulb", Some("bulb")).expect("an attachment");
    lamp.refresh();
    assert_eq!((lamp.pose().slots[bulb].attachment, lamp.pose().slots[bulb].tint), (authored, RED));
    lamp.playback_mut(0).expect("it plays").seek_secs(0.0);
    lamp.refresh();
    assert!(picture(&lamp) != before, "it is tinted");
    lamp.release_slot("bulb").expect("a slot");
    lamp.refresh();
    let released = &lamp.pose().slots[bulb];
    assert_eq!((released.attachment, released.tint), (authored, Tint::NONE));
    assert!(lamp.slot_overrides().is_empty());
    let missing = lamp.set_attachment("bulb", Some("a\u{1b}")).expect_err("it does not exist");
    assert_eq!(missing.to_string(), "the slot `bulb` has no attachment `a\\u{1b}` in any skin");
    lamp.set_attachment("bulp", None).expect_err("a misspelt slot");
}
