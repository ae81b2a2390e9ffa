//! Influences that share a vertex position in their bone spaces → bones of the mesh that move as the influences do
//! together.
//!
//! This occurs where no bind pose is undone: in SkelForm a vertex has the same position for every bone. In the
//! rest pose those bones are elsewhere, or flat, so no single position represents the vertex. But a bone that
//! belongs to the mesh may be anywhere in the bind pose, so the common position serves all of them. Bones that
//! share their weight in the same proportions all over the mesh are merged into one such bone, and so are
//! influences beyond the fourth.

use std::collections::{BTreeMap, HashMap};

use super::bones::{Alone, alone};
use super::sample::Sampling;
use crate::formats::pchr::schema::BoneTransform;
use crate::math::angle::atan2_degrees;
use crate::math::{DAffine2, DMat2, DVec2};

/// Bones with their shares, which add up to 1.
type Blend = Vec<(usize, f64)>;

/// A vertex with the same position in all of its bones.
pub struct Shared {
    /// Index of the vertex in the mesh.
    pub vertex: usize,
    pub position: DVec2,
    /// By bone of the source.
    pub weights: Vec<(usize, f64)>,
}

/// Bones that replace bones of the source.
pub struct Blended {
    /// Bind pose of all of them.
    pub bind: BoneTransform,
    /// The bones, with their transforms by frame of the animations.
    pub bones: Vec<Alone>,
    /// By requested vertex: indices into `bones` and weights. More than four only if they are kept.
    pub vertices: Vec<Vec<(usize, f64)>>,
}

/// Weights that differ by less are equal.
const SAME: f64 = 2e-6;
/// Maximum number of bones a bone is compared with.
const MAX_COMPARED: usize = 32;
/// Number of influences per vertex in the format.
const INFLUENCES: usize = 4;

/// Returns the bones needed by `vertices`, or `None` if that takes more than `room`. If vertices `keeps` all of
/// their influences, only bones in equal proportions everywhere are merged.
pub fn blend(vertices: &[Shared], sampling: &Sampling, keeps: bool, room: usize) -> Option<Blended> {
    let count = sampling.world.len() / sampling.frames.len().max(1);
    let mut weights: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
    for (vertex, shared) in vertices.iter().enumerate() {
        for &(bone, weight) in &shared.weights {
            weights.entry(bone).or_default().push((vertex, weight));
        }
    }
    let total = |list: &[(usize, f64)]| list.iter().map(|(_, weight)| weight).sum::<f64>();
    let heaviest = weights.iter().max_by(|a, b| total(a.1).total_cmp(&total(b.1))).map(|(&bone, _)| bone);
    // A bone that is zero in every frame adds nothing.
    let is_nothing = |bone: usize| {
        let mut frames = (1..sampling.frames.len()).map(|frame| sampling.world[frame * count + bone]);
        frames.all(|matrix| matrix == crate::math::Affine2::ZERO)
    };
    weights.retain(|&bone, _| !is_nothing(bone));

    let classes = classes(&weights);
    let mut blends: Vec<Blend> = Vec::with_capacity(classes.len());
    let mut lists: Vec<Vec<(usize, f64)>> = vec![Vec::new(); vertices.len()];
    for (number, class) in classes.iter().enumerate() {
        let totals: Vec<(usize, f64)> = class.iter().map(|bone| (*bone, total(&weights[bone]))).collect();
        let whole: f64 = total(&totals);
        blends.push(totals.into_iter().map(|(bone, weight)| (bone, weight / whole)).collect());
        for &(vertex, _) in &weights[&class[0]] {
            lists[vertex].push((number, 0.0));
        }
        for &(vertex, weight) in class.iter().flat_map(|bone| &weights[bone]) {
            if let Some(last) = lists[vertex].last_mut() {
                last.1 += weight;
            }
        }
    }
    if !keeps {
        merge_rest(&mut lists, &mut blends, room);
    }
    // A blend may need two bones. A vertex without bones would not be moved to its place.
    if 2 * blends.len() > room || lists.iter().any(Vec::is_empty) {
        return None;
    }
    let rest = heaviest.map_or(DAffine2::IDENTITY, |bone| sampling.world[bone].as_daffine2());
    let bones = blends.iter().map(|blend| alone(&matrices(blend, sampling, count))).collect();
    Some(Blended { bind: rigid(rest), bones, vertices: lists })
}

/// Groups bones whose weights are in the same proportion at every vertex.
fn classes(weights: &BTreeMap<usize, Vec<(usize, f64)>>) -> Vec<Vec<usize>> {
    let mut by_vertices: HashMap<Vec<usize>, Vec<usize>> = HashMap::new();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for (&bone, list) in weights {
        let vertices = list.iter().map(|(vertex, _)| *vertex).collect();
        let known = by_vertices.entry(vertices).or_default();
        let is_same = |class: &&usize| are_proportional(list, &weights[&classes[**class][0]]);
        match known.iter().take(MAX_COMPARED).find(is_same).copied() {
            Some(class) => classes[class].push(bone),
            None => {
                known.push(classes.len());
                classes.push(vec![bone]);
            }
        }
    }
    classes
}

/// Both lists cover the same vertices.
fn are_proportional(a: &[(usize, f64)], b: &[(usize, f64)]) -> bool {
    let most = a.iter().zip(b).max_by(|(_, b), (_, other)| b.1.total_cmp(&other.1));
    let ratio = most.map_or(0.0, |(a, b)| a.1 / b.1);
    a.iter().zip(b).all(|(a, b)| (a.1 - ratio * b.1).abs() <= SAME * ratio.max(1.0))
}

/// Reduces every vertex to four influences: all but the heaviest three are merged, as long as there is room.
fn merge_rest(lists: &mut [Vec<(usize, f64)>], blends: &mut Vec<Blend>, room: usize) {
    let mut known: HashMap<Vec<(usize, u64)>, usize> = HashMap::new();
    for list in lists.iter_mut().filter(|list| list.len() > INFLUENCES) {
        list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let rest = list.split_off(INFLUENCES - 1);
        let whole: f64 = rest.iter().map(|(_, weight)| weight).sum();
        let shares: Vec<(usize, f64)> = rest.iter().map(|(number, weight)| (*number, weight / whole)).collect();
        let key = shares.iter().map(|(number, share)| (*number, (share * (1u64 << 20) as f64).round() as u64));
        let key: Vec<(usize, u64)> = key.collect();
        let number = match known.get(&key) {
            Some(number) => *number,
            None if 2 * (blends.len() + 1) > room => {
                list.extend(rest);
                continue;
            }
            None => {
                let parts = |&(number, share): &(usize, f64)| {
                    blends[number].iter().map(move |&(bone, part)| (bone, part * share))
                };
                let blend: Blend = shares.iter().flat_map(parts).collect();
                known.insert(key, blends.len());
                blends.push(blend);
                blends.len() - 1
            }
        };
        list.push((number, whole));
    }
}

/// Returns the combined matrix of a blend in every frame of the animations.
pub fn matrices(blend: &[(usize, f64)], sampling: &Sampling, count: usize) -> Vec<DAffine2> {
    let at = |frame: usize| {
        let mut sum = DAffine2 { matrix2: DMat2::ZERO, translation: DVec2::ZERO };
        for &(bone, share) in blend {
            let matrix = sampling.world[frame * count + bone].as_daffine2();
            sum.matrix2 += matrix.matrix2 * share;
            sum.translation += matrix.translation * share;
        }
        sum
    };
    (1..sampling.frames.len()).map(at).collect()
}

/// Returns position and rotation of a bone at rest, without its scale, so that no vertex collapses there.
fn rigid(rest: DAffine2) -> BoneTransform {
    let DMat2 { x_axis: x, y_axis: y } = rest.matrix2;
    let degrees = atan2_degrees(x.y - y.x, x.x + y.y);
    let finite = |number: f64| if number.is_finite() { number as f32 } else { 0.0 };
    BoneTransform {
        x: finite(rest.translation.x),
        y: finite(rest.translation.y),
        rotation: finite(degrees),
        ..BoneTransform::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_proportions_are_merged_and_others_are_not() {
        let half = vec![(0, 0.2), (1, 0.4), (2, 0.05)];
        let other = vec![(0, 0.6), (1, 0.2), (2, 0.9)];
        let third = vec![(0, 0.6), (1, 1.2), (2, 0.15)];
        let weights = BTreeMap::from([(3, half.clone()), (5, other), (7, half), (9, third), (11, vec![(1, 0.4)])]);
        assert_eq!(classes(&weights), [vec![3, 7, 9], vec![5], vec![11]]);
    }

    #[test]
    fn excess_influences_are_merged_once() {
        let list = vec![(0, 0.3), (1, 0.05), (2, 0.25), (3, 0.2), (4, 0.15), (5, 0.05)];
        let mut lists = vec![list.clone(), list[..4].to_vec(), list];
        let mut blends: Vec<Blend> = (0..6).map(|bone| vec![(bone, 1.0)]).collect();
        merge_rest(&mut lists, &mut blends, 100);
        assert_eq!(lists[0], lists[2]);
        assert_eq!((lists[0].len(), lists[1].len(), blends.len()), (4, 4, 7));
        assert!((lists[0][3].1 - 0.25).abs() < 1e-12 && (blends[6][0].1 - 0.6).abs() < 1e-12, "{blends:?}");
        // Without room they stay and are cut later.
        let mut full = vec![(0..5).map(|bone| (bone, 0.2)).collect::<Vec<_>>()];
        merge_rest(&mut full, &mut blends, 14);
        assert_eq!((full[0].len(), blends.len()), (5, 7));
    }
}
