//! Reorders vertices as Spine expects them: the hull first, in order along the outline.

/// A vertex order with the hull first.
pub struct Hull {
    /// Old vertex index by new index.
    pub order: Vec<u16>,
    /// New vertex index by old index.
    pub place: Vec<u16>,
    /// Number of hull vertices; 0 if there is no single outline, in which case the order is unchanged.
    pub length: usize,
}

impl Hull {
    /// Computes the order for triangles of `count` vertices, whose indices are valid.
    pub fn of(triangles: &[[u16; 3]], count: usize) -> Self {
        let all = 0..count.min(usize::from(u16::MAX) + 1);
        let Some(mut order) = outline(triangles, count) else {
            let same: Vec<u16> = all.map(|vertex| vertex as u16).collect();
            return Self { place: same.clone(), order: same, length: 0 };
        };
        let length = order.len();
        let mut place = vec![u16::MAX; count];
        order.iter().enumerate().for_each(|(at, &vertex)| place[usize::from(vertex)] = at as u16);
        for vertex in all {
            if place[vertex] == u16::MAX && !order[..length].contains(&(vertex as u16)) {
                place[vertex] = order.len() as u16;
                order.push(vertex as u16);
            }
        }
        Self { order, place, length }
    }
}

/// The vertices on edges of only one triangle, if they form a single closed outline that does not touch itself.
fn outline(triangles: &[[u16; 3]], count: usize) -> Option<Vec<u16>> {
    let directed = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<([u16; 2], [u16; 2])> = directed.map(|[a, b]| ([a.min(b), a.max(b)], [a, b])).collect();
    edges.sort_unstable();
    let mut next: Vec<Option<u16>> = vec![None; count];
    let mut outer = 0;
    let mut first = None;
    for same in edges.chunk_by(|a, b| a.0 == b.0) {
        let [(_, [from, to])] = *same else { continue };
        // Inconsistent winding, or a vertex where two outlines touch.
        if from == to || next[usize::from(from)].replace(to).is_some() {
            return None;
        }
        first = first.or(Some(from));
        outer += 1;
    }
    let first = first?;
    let mut line = vec![first];
    let mut at = next[usize::from(first)]?;
    while at != first {
        if line.len() > outer {
            return None;
        }
        line.push(at);
        at = next[usize::from(at)]?;
    }
    (line.len() == outer).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_comes_first() {
        // A square around vertex 0, and the unused vertex 5.
        let hull = Hull::of(&[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]], 6);
        assert_eq!(hull.length, 4);
        assert_eq!(hull.order, [1, 2, 3, 4, 0, 5]);
        assert_eq!(hull.place, [4, 0, 1, 2, 3, 5]);
    }

    #[test]
    fn no_single_outline() {
        for triangles in [
            // Two separate triangles, two that share a vertex, inconsistent winding, none.
            &[[0, 1, 2], [3, 4, 5]][..],
            &[[0, 1, 2], [2, 3, 4]],
            &[[0, 1, 2], [1, 3, 2], [0, 1, 3]],
            &[],
        ] {
            let hull = Hull::of(triangles, 6);
            assert_eq!((hull.length, &hull.order[..]), (0, &[0, 1, 2, 3, 4, 5][..]), "{triangles:?}");
        }
    }
}
