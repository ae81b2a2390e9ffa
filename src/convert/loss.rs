//! Which losses of a conversion are printed.

use std::collections::HashMap;

use crate::formats::Loss;

/// Keeps only the worst of the losses of one mesh in several animations.
pub fn worst_of_each(losses: &[Loss]) -> impl Iterator<Item = &Loss> {
    let px = |loss: &Loss| loss.error_px.unwrap_or(0.0);
    let mut worst: HashMap<(&str, &str), usize> = HashMap::new();
    for (at, loss) in losses.iter().enumerate() {
        if let Some(mesh) = &loss.mesh {
            let known = worst.entry((loss.code, mesh)).or_insert(at);
            if px(loss) > px(&losses[*known]) {
                *known = at;
            }
        }
    }
    losses.iter().enumerate().filter_map(move |(at, loss)| {
        let is_worst = loss.mesh.as_ref().is_none_or(|mesh| worst.get(&(loss.code, mesh)) == Some(&at));
        is_worst.then_some(loss)
    })
}
