//! Computes exactly which columns of a row a triangle covers.

use std::ops::Range;

use super::setup::{Edge, SUBPIXELS, Triangle};

/// Calls `visit` with every row of `rows` in which a triangle covers any of `samples`, and with the columns that it covers, by
/// sample: the first one and the one after the last, which is not greater if it covers none. Samples are in subpixels from
/// the corner of the pixel.
#[inline]
pub fn for_each_row<const N: usize>(
    triangle: &Triangle,
    rows: Range<i32>,
    samples: [(i64, i64); N],
    mut visit: impl FnMut(i32, [[i32; 2]; N]),
) {
    let rows = triangle.rows[0].max(rows.start)..triangle.rows[1].min(rows.end);
    let mut bounds = triangle.edges.map(|edge| Bounds::new(edge, rows.start, samples));
    for row in rows {
        let mut spans = [triangle.columns; N];
        for bounds in &mut bounds {
            bounds.narrow(&mut spans);
            bounds.next_row();
        }
        if spans.iter().any(|[from, to]| from < to) {
            visit(row, spans);
        }
    }
}

/// The columns at which an edge begins or ends a row, by sample. Updated exactly from row to row as quotients and remainders,
/// so that only the first row needs divisions.
struct Bounds<const N: usize> {
    kind: BoundKind,
    quotients: [i64; N],
    remainders: [i64; N],
    divisor: i64,
    step_quotient: i64,
    step_remainder: i64,
}

enum BoundKind {
    /// A quotient is the first column inside.
    From,
    /// A quotient is the last column inside.
    To,
    /// The edge is horizontal: the row is inside if the quotient is not negative.
    Level,
}

impl<const N: usize> Bounds<N> {
    fn new(edge: Edge, row: i32, samples: [(i64, i64); N]) -> Self {
        // At column x the edge's value is `x · step + value`.
        let step = edge.a * SUBPIXELS;
        let values = samples.map(|(x, y)| edge.a * x + edge.b * (i64::from(row) * SUBPIXELS + y) + edge.c);
        let row_step = edge.b * SUBPIXELS;
        let (kind, divisor, numerators, numerator_step) = match edge.a {
            // x >= -value / step, rounded up
            1.. => (BoundKind::From, step, values.map(|value| step - 1 - value), -row_step),
            // x <= value / -step, rounded down
            ..0 => (BoundKind::To, -step, values, row_step),
            0 => (BoundKind::Level, 1, values, row_step),
        };
        Self {
            kind,
            quotients: numerators.map(|numerator| numerator.div_euclid(divisor)),
            remainders: numerators.map(|numerator| numerator.rem_euclid(divisor)),
            divisor,
            step_quotient: numerator_step.div_euclid(divisor),
            step_remainder: numerator_step.rem_euclid(divisor),
        }
    }

    #[inline]
    fn narrow(&self, spans: &mut [[i32; 2]; N]) {
        let within = |column: i64, [from, to]: [i32; 2]| column.clamp(from.into(), to.into()) as i32;
        let spans = spans.iter_mut().zip(self.quotients);
        match self.kind {
            BoundKind::From => spans.for_each(|(span, quotient)| span[0] = within(quotient, *span)),
            BoundKind::To => spans.for_each(|(span, quotient)| span[1] = within(quotient + 1, *span)),
            BoundKind::Level => {
                spans.filter(|(_, quotient)| *quotient < 0).for_each(|(span, _)| span[1] = span[0])
            }
        }
    }

    #[inline]
    fn next_row(&mut self) {
        for (quotient, remainder) in self.quotients.iter_mut().zip(&mut self.remainders) {
            *quotient += self.step_quotient;
            *remainder += self.step_remainder;
            if *remainder >= self.divisor {
                *remainder -= self.divisor;
                *quotient += 1;
            }
        }
    }
}
