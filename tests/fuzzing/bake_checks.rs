//! What must hold when anything that opens is sampled frame by frame: it is written as PCHR, opens again, and is no
//! farther from its source than the report says; or it is refused for a reason.

use bytes::Bytes;
use pchr::Character;
use pchr::export::{BakeOptions, bake as sample};
use pchr::limits::Limits;
use pchr::model::SkinId;

use super::opened::{assert_refused, open, reopened};
use crate::common::baking::{compare_all, reread};

/// More animations than this tell nothing new.
const MOST_ANIMATIONS: usize = 4;

/// Frames a second, one of which each input is sampled with: its own, few, many.
const RATES: [Option<u16>; 4] = [None, Some(1), Some(7), Some(240)];

/// Bakes what opens, without a skin and with one.
pub fn bake(bytes: &Bytes, limits: &Limits) {
    let Some(character) = open(bytes, limits) else { return };
    for skins in outfits(&character) {
        let options = BakeOptions {
            fps: RATES[bytes.len() % RATES.len()],
            animations: character.model().motions().take(MOST_ANIMATIONS).collect(),
            skins,
            limits: limits.clone(),
            ..BakeOptions::default()
        };
        comes_back(&character, &options);
    }
}

/// No skin beside the default one, and the last of the others.
fn outfits(character: &Character) -> Vec<Vec<SkinId>> {
    let last = character.model().skin_ids().last();
    std::iter::once(Vec::new()).chain(last.map(|skin| vec![skin])).collect()
}

fn comes_back(character: &Character, options: &BakeOptions) {
    let baked = match sample(character, options) {
        Ok(baked) => baked,
        Err(error) => return assert_refused(&error),
    };
    let mut limits = options.limits.clone();
    // What is written may be longer than what was read.
    limits.file_bytes = u64::MAX;
    let Some(written) = reopened(reread(&baked, &limits), "baked") else { return };
    let found = compare_all(character, &written, options, "baked");
    let told = baked.worst_error_px;
    assert!(found.worst <= told || told.is_nan(), "{} px are off, {told} are reported", found.worst);
    let worst = |worst: f32, loss: &pchr::export::BakeLoss| worst.max(loss.worst.map_or(0.0, |(px, _)| px));
    let listed = baked.losses.iter().fold(0.0, worst);
    assert!(told <= pchr::export::NOTED || listed == told, "{told} px are off, a loss of {listed} px is listed");
}
