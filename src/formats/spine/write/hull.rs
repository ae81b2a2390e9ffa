//! Triangles → the order of vertices that Spine wants: those around the outside first, one after the other.

/// An order of vertices.
pub struct Hull {
    /// By new place: the vertex that comes there.
    pub order: Vec<u16>,
    /// By vertex: its new place.
    pub place: Vec<u16>,
    /// How many are around the outside; 0 where there is no single way round, and nothing is reordered.
    pub length: usize,
}

impl Hull {
    /// The order for triangles of `count` vertices, which exist.
    pub fn of(triangles: &[[u16; 3]], count: usize) -> Self {
        let all = 0..count.min(usize::from(u16::MAX) + 1);
        let Some(mut order) = way_round(triangles, count) else {
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

/// The vertices on edges that only one triangle has, if those make one closed line that meets itself nowhere.
fn way_round(triangles: &[[u16; 3]], count: usize) -> Option<Vec<u16>> {
    let directed = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<([u16; 2], [u16; 2])> = directed.map(|[a, b]| ([a.min(b), a.max(b)], [a, b])).collect();
    edges.sort_unstable();
    let mut next: Vec<Option<u16>> = vec![None; count];
    let mut outer = 0;
    let mut first = None;
    for same in edges.chunk_by(|a, b| a.0 == b.0) {
        let [(_, [from, to])] = *same else { continue };
        // Triangles that turn different ways, or a corner where two lines meet.
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
    fn the_outside_comes_first() {
        // A square around vertex 0, and vertex 5 that nothing uses.
        let hull = Hull::of(&[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]], 6);
        assert_eq!(hull.length, 4);
        assert_eq!(hull.order, [1, 2, 3, 4, 0, 5]);
        assert_eq!(hull.place, [4, 0, 1, 2, 3, 5]);
    }

    #[test]
    fn no_single_way_round() {
        for triangles in [
            // Two that do not touch, two that touch at a corner, two that turn different ways, nothing.
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
