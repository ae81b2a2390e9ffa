//! The drawing → SVG.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Drawing, Piece, SIDE, Shape};

/// Units of the file per unit of the drawing: a tenth of a pixel of a large icon.
const UNITS: f64 = 20.0;

/// Returns the text of the file.
pub fn write(drawing: &Drawing) -> String {
    let mut definitions = Definitions::default();
    let plate = definitions.clip(&path(&drawing.plate));
    let pieces: String = drawing.pieces.iter().map(|piece| element(piece, &mut definitions)).collect();
    let box_side = SIDE * UNITS;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIDE}\" height=\"{SIDE}\" viewBox=\"0 0 {box_side} {box_side}\">\n\
        <defs>\n{}</defs>\n<g clip-path=\"url(#{plate})\">\n{pieces}</g>\n</svg>\n",
        definitions.text
    )
}

/// Clip paths and gradients, each defined once.
#[derive(Default)]
struct Definitions {
    text: String,
    ids: BTreeMap<String, String>,
}

impl Definitions {
    fn clip(&mut self, path: &str) -> String {
        self.define("c", |id| {
            format!("<clipPath id=\"{id}\"><path clip-rule=\"evenodd\" d=\"{path}\"/></clipPath>")
        })
    }

    fn gradient(&mut self, [top, bottom]: [String; 2]) -> String {
        self.define("g", |id| {
            format!(
                "<linearGradient id=\"{id}\" x2=\"0\" y2=\"1\"><stop stop-color=\"{top}\"/>\
                <stop offset=\"1\" stop-color=\"{bottom}\"/></linearGradient>"
            )
        })
    }

    /// Returns the id of a definition, which is added unless the same one exists.
    fn define(&mut self, prefix: &str, text: impl Fn(&str) -> String) -> String {
        let next = format!("{prefix}{}", self.ids.len());
        let id = self.ids.entry(text("")).or_insert_with(|| next.clone()).clone();
        if id == next {
            self.text += &(text(&id) + "\n");
        }
        id
    }
}

fn element(piece: &Piece, definitions: &mut Definitions) -> String {
    let [top, bottom] = piece.colors.map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}"));
    let fill = if top == bottom { top } else { format!("url(#{})", definitions.gradient([top, bottom])) };
    let mut text = format!("<path fill=\"{fill}\"");
    if piece.opacity < 1.0 {
        let _ = write!(text, " fill-opacity=\"{}\"", piece.opacity);
    }
    let _ = write!(text, " d=\"{}\"/>", path(&piece.shape));
    // Everything except the hole, as the whole canvas with the hole cut out.
    let outside = piece.minus.as_ref().map(|hole| format!("M0 0H{0}V{0}H0z{1}", SIDE * UNITS, path(hole)));
    for clip in [outside, piece.inside.as_ref().map(path)].into_iter().flatten() {
        text = format!("<g clip-path=\"url(#{})\">{text}</g>", definitions.clip(&clip));
    }
    text + "\n"
}

/// Writes polygons as relative steps in whole units, without the sum of their rounding errors.
fn path(shape: &Shape) -> String {
    let mut text = String::new();
    for contour in &shape.contours {
        let mut points = contour.iter().map(|point| point.map(|value| (value * UNITS).round() as i64));
        let Some(mut last) = points.next() else { continue };
        let _ = write!(text, "M{} {}l", last[0], last[1]);
        for point in points {
            let [x, y] = [point[0] - last[0], point[1] - last[1]];
            // A minus sign separates numbers as well.
            if [x, y] != [0, 0] {
                let [before_x, before_y] = [x, y].map(|value| if value < 0 { "" } else { " " });
                let _ = write!(text, "{before_x}{x}{before_y}{y}");
            }
            last = point;
        }
        text.push('z');
    }
    text
}
