//! Convex hulls.

use std::cmp::Ordering;

use super::Vec2;

/// Keeps the corners of the convex hull, counter-clockwise, and removes everything else. `at` is the position; what is
/// not at a finite one does not count. Takes no memory, and time for sorting.
pub fn keep_hull<T>(points: &mut Vec<T>, at: impl Fn(&T) -> Vec2) {
    points.retain(|point| at(point).is_finite());
    if points.len() < 2 {
        return;
    }
    // From the leftmost point to the rightmost one, and then back.
    let below = take_chain(points, &at, left_to_right);
    points[..below].rotate_left(1);
    let above = take_chain(&mut points[below - 2..], &at, |a, b| left_to_right(b, a));
    // The leftmost point ends both.
    points.truncate(below - 2 + above);
    points.dedup_by(|b, a| at(b) == at(a));
}

/// Sorts the points and moves those between which the way only turns left to the front. Returns how many they are: the
/// first and the last one, at least.
fn take_chain<T>(points: &mut [T], at: &impl Fn(&T) -> Vec2, order: impl Fn(Vec2, Vec2) -> Ordering) -> usize {
    points.sort_unstable_by(|a, b| order(at(a), at(b)));
    let mut len = 0;
    for next in 0..points.len() {
        while len >= 2 && !turns_left(at(&points[len - 2]), at(&points[len - 1]), at(&points[next])) {
            len -= 1;
        }
        points.swap(len, next);
        len += 1;
    }
    len
}

/// A total order, since the positions are finite.
fn left_to_right(a: Vec2, b: Vec2) -> Ordering {
    (a.x, a.y).partial_cmp(&(b.x, b.y)).unwrap_or(Ordering::Equal)
}

fn turns_left(a: Vec2, b: Vec2, c: Vec2) -> bool {
    let [a, b, c] = [a, b, c].map(Vec2::as_dvec2);
    (b - a).perp_dot(c - b) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;

    fn hull(points: &[[f32; 2]]) -> Vec<[f32; 2]> {
        let mut points: Vec<Vec2> = points.iter().map(|&[x, y]| vec2(x, y)).collect();
        keep_hull(&mut points, |at| *at);
        points.iter().map(Vec2::to_array).collect()
    }

    #[test]
    fn corners_are_counter_clockwise_and_nothing_else_is_left() {
        let square = [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
        assert_eq!(hull(&square), square);
        assert_eq!(hull(&[[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]), square, "in any order");
        let more =
            [[0.5, 0.5], [0.0, 0.0], [1.0, 0.5], [1.0, 1.0], [0.5, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        assert_eq!(hull(&more), square, "inside, on edges, twice");
        let odd = [[f32::NAN, 0.0], [0.0, 0.0], [0.0, f32::INFINITY], [2.0, 0.0], [0.0, 1.0]];
        assert_eq!(hull(&odd), [[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]], "finite");
        let far = [[-3e38, -3e38], [3e38, -3e38], [0.0, 0.0], [3e38, 3e38], [-3e38, 3e38]];
        assert_eq!(hull(&far).len(), 4, "no overflow");
    }

    #[test]
    fn what_has_no_area_has_fewer_than_three_corners() {
        assert_eq!(hull(&[]), [[0.0; 2]; 0]);
        assert_eq!(hull(&[[1.0, 2.0]]), [[1.0, 2.0]]);
        assert_eq!(hull(&[[1.0, 2.0]; 5]), [[1.0, 2.0]]);
        assert_eq!(hull(&[[0.0, 0.0], [2.0, 2.0], [-0.0, 0.0], [1.0, 1.0]]), [[2.0, 2.0], [0.0, 0.0]]);
    }

    #[test]
    fn every_point_is_in_the_hull() {
        let mut state = 7_u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for round in 0..2000 {
            let side = 2 + round % 9;
            let points: Vec<[f32; 2]> =
                (0..3 + next(12)).map(|_| [next(side) as f32, next(side) as f32]).collect();
            let hull: Vec<Vec2> = hull(&points).into_iter().map(Vec2::from_array).collect();
            let Some(&last) = hull.last().filter(|_| hull.len() > 2) else { continue };
            let mut before = last;
            for (index, &corner) in hull.iter().enumerate() {
                assert!(turns_left(before, corner, hull[(index + 1) % hull.len()]), "{points:?}: {hull:?}");
                let is_left =
                    |point: &[f32; 2]| (corner - before).perp_dot(Vec2::from_array(*point) - before) >= 0.0;
                assert!(points.iter().all(is_left), "{points:?}: {hull:?}");
                before = corner;
            }
        }
    }
}
