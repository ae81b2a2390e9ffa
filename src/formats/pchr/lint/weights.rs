//! Weights of a vertex that do not add up to 1, or are all 0.

use super::{Report, Subject};
use crate::formats::pchr::document::{At, VertexField};
use crate::model::WEIGHT_SUM_TOLERANCE;

/// Reports the first offence of each mesh, and the number of offences.
pub fn check(subject: &Subject<'_>, report: &mut Report<'_>) {
    // Without bones there are no weights to check.
    if subject.file.bones.is_empty() {
        return;
    }
    let (mut off, mut none) = (Vec::new(), Vec::new());
    for (index, mesh, _) in subject.meshes() {
        let (mut first_off, mut count_off) = (None, 0);
        let (mut first_none, mut count_none) = (None, 0);
        subject.each_vertex(index, |vertex, _, influences| {
            // As used: negative weights count as 0.
            let sum: f64 = influences.iter().map(|&(_, weight)| f64::from(weight.max(0.0))).sum();
            if sum == 0.0 {
                first_none.get_or_insert(vertex);
                count_none += 1;
            } else if (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE {
                first_off.get_or_insert((vertex, sum));
                count_off += 1;
            }
        });
        let place = |vertex| At::Vertex(index, vertex, VertexField::Whole);
        if let Some((vertex, sum)) = first_off {
            let message = format!(
                "the weights add up to {sum:.4}, not to 1, so the vertex is drawn closer to the origin or farther \
                 from it; affected vertices of `{}`: {count_off}",
                mesh.name
            );
            off.push((place(vertex), message));
        }
        if let Some(vertex) = first_none {
            let all = mesh.vertex_count();
            let message = if count_none == all {
                format!("no vertex of `{}` has a weight, so the mesh follows no bone and never moves", mesh.name)
            } else {
                format!(
                    "all weights are 0, so the vertex stays where it is while others move; affected vertices of `{}`: \
                     {count_none} of {all}",
                    mesh.name
                )
            };
            none.push((place(vertex), message));
        }
    }
    report.warn_all("weight-sum", off);
    report.warn_all("no-weight", none);
}
