//! Computes exactly which columns of a row a triangle covers.

use std::ops::Range;

use super::setup::{Edge, SUBPIXELS, Triangle};

/// Calls `visit` with every row of `rows` that a triangle covers in part, and the columns that it covers.
#[inline]
pub fn for_each_row(
    triangle: &Triangle,
    rows: Range<i32>,
    sample: (i64, i64),
    mut visit: impl FnMut(i32, Range<i32>),
) {
    let rows = triangle.rows[0].max(rows.start)..triangle.rows[1].min(rows.end);
    let mut bounds = triangle.edges.map(|edge| Bound::new(edge, rows.start, sample));
    for row in rows {
        let mut columns = triangle.columns;
        for bound in &mut bounds {
            bound.narrow(&mut columns);
            bound.next_row();
        }
        let [from, to] = columns;
        if from < to {
            visit(row, from..to);
        }
    }
}

/// [`for_each_row`] for several samples per pixel: visits every row in which any of them is covered, with the
/// columns of each.
#[inline]
pub fn for_each_sampled_row<const N: usize>(
    triangle: &Triangle,
    rows: Range<i32>,
    samples: [(i64, i64); N],
    mut visit: impl FnMut(i32, [[i32; 2]; N]),
) {
    let rows = triangle.rows[0].max(rows.start)..triangle.rows[1].min(rows.end);
    let mut bounds = samples.map(|sample| triangle.edges.map(|edge| Bound::new(edge, rows.start, sample)));
    for row in rows {
        let mut spans = [triangle.columns; N];
        let mut is_covered = false;
        for (span, bounds) in spans.iter_mut().zip(&mut bounds) {
            for bound in bounds {
                bound.narrow(span);
                bound.next_row();
            }
            is_covered |= span[0] < span[1];
        }
        if is_covered {
            visit(row, spans);
        }
    }
}

/// The column at which an edge begins or ends a row. Updated exactly from row to row as quotient and remainder, so
/// that only the first row needs a division.
struct Bound {
    kind: BoundKind,
    quotient: i64,
    remainder: i64,
    divisor: i64,
    step_quotient: i64,
    step_remainder: i64,
}

enum BoundKind {
    /// `quotient` is the first column inside.
    From,
    /// `quotient` is the last column inside.
    To,
    /// The edge is horizontal: the row is inside if `quotient` is not negative.
    Level,
}

impl Bound {
    fn new(edge: Edge, row: i32, (sample_x, sample_y): (i64, i64)) -> Self {
        // At column x the edge's value is `x · step + value`.
        let step = edge.a * SUBPIXELS;
        let value = edge.a * sample_x + edge.b * (i64::from(row) * SUBPIXELS + sample_y) + edge.c;
        let row_step = edge.b * SUBPIXELS;
        let (kind, divisor, numerator, numerator_step) = match edge.a {
            // x >= -value / step, rounded up
            1.. => (BoundKind::From, step, step - 1 - value, -row_step),
            // x <= value / -step, rounded down
            ..0 => (BoundKind::To, -step, value, row_step),
            0 => (BoundKind::Level, 1, value, row_step),
        };
        Self {
            kind,
            quotient: numerator.div_euclid(divisor),
            remainder: numerator.rem_euclid(divisor),
            divisor,
            step_quotient: numerator_step.div_euclid(divisor),
            step_remainder: numerator_step.rem_euclid(divisor),
        }
    }

    #[inline]
    fn narrow(&self, [from, to]: &mut [i32; 2]) {
        match self.kind {
            BoundKind::From => *from = self.quotient.clamp((*from).into(), (*to).into()) as i32,
            BoundKind::To => *to = (self.quotient + 1).clamp((*from).into(), (*to).into()) as i32,
            BoundKind::Level if self.quotient < 0 => *to = *from,
            BoundKind::Level => {}
        }
    }

    #[inline]
    fn next_row(&mut self) {
        self.quotient += self.step_quotient;
        self.remainder += self.step_remainder;
        if self.remainder >= self.divisor {
            self.remainder -= self.divisor;
            self.quotient += 1;
        }
    }
}
