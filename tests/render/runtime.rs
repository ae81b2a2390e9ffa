//! What a game changes in a character looks the same on both renderers.

use crate::common::doll::doll;
use crate::common::gpu::gpu_or_skip;
use crate::common::pictures::{Pair, SIZE, agrees};
use pchr::Animator;
use pchr::draw::{Antialias, DrawList, Filter, Settings, View};
use pchr::math::{Affine2, vec2};
use pchr::model::{AlphaSource, AtlasPage, Tint};
use pchr::motion::{BoneOverride, DrawPlace, SlotOverride};

#[test]
fn both_renderers_draw_what_was_changed() {
    let Some(context) = gpu_or_skip() else { return };
    let mut doll = Animator::new(doll());
    let page = AtlasPage {
        name: "club".into(),
        width: 2,
        height: 2,
        pixels: [0, 255, 0, 255, 0, 0, 255, 128, 255, 255, 0, 255, 255, 0, 255, 64].to_vec().into(),
        is_premultiplied: false,
        alpha_source: AlphaSource::Stated,
    };
    doll.add_picture("weapon", "club", page, Affine2::from_scale(vec2(20.0, 10.0))).expect("a picture");
    doll.set_attachment("weapon", Some("club")).expect("an attachment");
    doll.set_attachment("mask", Some("mask")).expect("a mask");
    let [body, mask, flag] = ["body", "mask", "flag"].map(|name| doll.model().find_slot(name).expect("a slot"));
    let behind = |slot, order| SlotOverride { order: Some(order), ..SlotOverride::new(slot) };
    doll.override_slot(behind(mask, DrawPlace::Behind(body)));
    doll.override_slot(behind(flag, DrawPlace::Back));
    doll.override_slot(SlotOverride::tinted(
        body,
        Tint { light: [0.2, 0.6, 1.0, 0.75], dark: Some([0.4, 0.0, 0.0]) },
    ));
    doll.set_whole_tint(Tint { light: [1.0, 0.9, 0.8, 0.9], dark: Some([0.0, 0.1, 0.3]) });
    let lower = doll.model().skeleton().find("lower").expect("a bone");
    let placement = Affine2::from_scale_angle_translation(vec2(-1.5, 1.2), 0.3, vec2(40.0, -20.0));
    // The tip is on the edge of the mask.
    doll.override_bone(BoneOverride::placed(lower, placement * Affine2::from_translation(vec2(-55.0, 10.0))));
    doll.set_placement(placement);
    doll.update(0.5);
    let view = View::fit(SIZE, SIZE, doll.bounds().expand(5.0));
    let mut pair = Pair::new(context, doll.model());
    let (mut whole, mut behind, mut front) = (DrawList::default(), DrawList::default(), DrawList::default());
    doll.build_draw_list(&view, &mut whole);
    doll.build_draw_list_around("body", &view, &mut behind, &mut front).expect("a slot");
    let settings = Settings { filter: Filter::Linear, antialias: Antialias::None };
    for (name, list) in [("whole", &whole), ("behind", &behind), ("front", &front)] {
        let difference = pair.compare(&format!("runtime-{name}"), doll.model(), list, view, settings);
        assert!(difference.inside > 500, "{name} shows something");
        let (worst, off) = (difference.worst, difference.off);
        assert!(agrees(&difference, settings), "{name}: worst {worst:?}, {off} off");
    }
}
