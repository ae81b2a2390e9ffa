//! Invariants of baking any character that opens: the result can be written as PCHR, opens again, and deviates
//! from its source by no more than the report states; or baking fails with a valid reason.

use bytes::Bytes;
use pchr::Character;
use pchr::bake::{BakeOptions, bake as sample};
use pchr::limits::Limits;
use pchr::model::SkinId;

use super::opened::{assert_refused, open, reopened};
use super::stated_key_checks::list_keys;
use crate::common::baking::{compare_all, reread};

/// Maximum number of animations; more would not find more.
const MOST_ANIMATIONS: usize = 4;

/// Frame rates, one of which is used for each input: its own, low, high.
const RATES: [Option<u16>; 4] = [None, Some(1), Some(7), Some(240)];

/// Lists the keys, and bakes the character, with and without a skin.
pub fn bake(bytes: &Bytes, limits: &Limits) {
    list_keys(bytes, limits);
    let Some(character) = open(bytes, limits) else { return };
    for skins in outfits(&character) {
        let options = BakeOptions {
            fps: RATES[bytes.len() % RATES.len()],
            animations: character.model().motions().take(MOST_ANIMATIONS).collect(),
            skins,
            limits: limits.clone(),
            ..BakeOptions::default()
        };
        check_round_trip(&character, &options);
    }
}

/// Returns the skins to test: none besides the default, and the last of the others.
fn outfits(character: &Character) -> Vec<Vec<SkinId>> {
    let last = character.model().skin_ids().last();
    std::iter::once(Vec::new()).chain(last.map(|skin| vec![skin])).collect()
}

fn check_round_trip(character: &Character, options: &BakeOptions) {
    let baked = match sample(character, options) {
        Ok(baked) => baked,
        Err(error) => return assert_refused(&error),
    };
    let mut limits = options.limits.clone();
    // The output may be larger than the input.
    limits.file_bytes = u64::MAX;
    let Some(written) = reopened(reread(&baked, &limits), "baked") else { return };
    let found = compare_all(character, &written, options, "baked");
    let reported = baked.worst_error_px;
    let is_covered = found.worst <= reported || reported.is_nan();
    assert!(is_covered, "the error is {} px, but {reported} px are reported", found.worst);
    let worst = |worst: f32, loss: &pchr::formats::Loss| worst.max(loss.error_px.unwrap_or(0.0));
    let listed = baked.losses.iter().fold(0.0, worst);
    // Smaller ones are not losses.
    let is_listed = reported <= 0.01 || listed == reported;
    assert!(is_listed, "the error is {reported} px, but a loss of {listed} px is listed");
}
