//! The text of a contact sheet: captions, and messages in the place of frames that cannot be drawn.

use crate::cpu;
use crate::draw::text::{Label, columns, shortened};
use crate::draw::{DrawList, Picture, Settings, View};
use crate::export::frames::renderer;
use crate::export::options::Background;
use crate::export::plan::Planned;
use crate::export::plan::contact_layout::Layout;
use crate::math::Vec2;
use crate::model::{Model, ModelBuilder};
use crate::motion::Position;

/// The sheet around the frames, unless the background is an opaque colour.
const DARK: [u8; 4] = [38, 38, 43, 255];
/// The place of a frame that cannot be drawn.
const FAILED: [u8; 4] = [122, 32, 32, 255];
/// Text on dark and on light colours.
const INKS: [[u8; 4]; 2] = [[240, 240, 240, 255], [16, 16, 18, 255]];

/// Returns the colour of the sheet around the frames. It is opaque, so that captions are legible anywhere.
pub fn paper(background: &Background) -> [u8; 4] {
    match *background {
        Background::Color(color @ [_, _, _, 255]) => color,
        Background::Color(_) | Background::Transparent | Background::Checker(_) | Background::Picture(_) => DARK,
    }
}

/// Returns the colour of text that contrasts with `paper`.
fn ink([r, g, b, _]: [u8; 4]) -> [u8; 4] {
    // Weights of BT.601. Black on medium grey is easier to read than white.
    let luma = (299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b)) / 1000;
    INKS[usize::from(luma >= 112)]
}

/// Returns the lines of the caption of a picture in at most `most` columns: the `name` of its character, if several share
/// the sheet, the animation, and the frame and time.
pub fn lines(name: Option<&str>, model: &Model, picture: &Planned, most: usize) -> Vec<String> {
    let animation = picture.animation.map_or("bind pose", |id| &model.animation(id).name);
    let time = picture.seconds(model).map(|seconds| format!("{seconds:.3} s"));
    let frame = picture.frame;
    let forms = match (time, picture.cue.position) {
        (Some(time), Position::Seconds(_)) => [time.clone(), time],
        (Some(time), Position::Frame { .. }) => [format!("frame {frame} · {time}"), format!("{frame} · {time}")],
        (None, _) => [format!("frame {frame}"), frame.to_string()],
    };
    let [long, short] = &forms;
    let last = if columns(long) <= most { long } else { short };
    name.into_iter().chain([animation, last]).map(|line| shortened(line, most)).collect()
}

/// Breaks text into at most `rows` lines of at most `most` columns; the rest is left out.
fn wrapped(text: &str, most: usize, rows: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shortened(word, most);
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(&word) <= most => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
        if lines.len() > rows {
            break;
        }
    }
    lines.truncate(rows);
    lines
}

/// Draws the text of a sheet. Text and background are opaque, so the pixels are the same in straight and premultiplied
/// alpha.
pub struct Typesetter {
    /// Without parts: text needs none.
    model: Model,
    renderer: cpu::Renderer,
    paper: [u8; 4],
}

impl Typesetter {
    /// Draws on a sheet of this colour.
    pub fn new(paper: [u8; 4]) -> Self {
        let model = ModelBuilder::default().build();
        let renderer = renderer(&model);
        Self { model, renderer, paper }
    }

    /// Draws a caption of the size given by `layout`.
    pub fn caption(&mut self, layout: &Layout, lines: &[String]) -> Picture {
        self.draw(layout, [layout.cell_width, layout.caption_height], self.paper, lines)
    }

    /// Draws a message in the place of a frame.
    pub fn message(&mut self, layout: &Layout, text: &str) -> Picture {
        let rows = layout.frame[1] / layout.line_height();
        let lines = wrapped(text, layout.text_columns(), rows.saturating_sub(1) as usize);
        self.draw(layout, [layout.cell_width, layout.frame[1]], FAILED, &lines)
    }

    fn draw(&mut self, layout: &Layout, [width, height]: [u32; 2], paper: [u8; 4], lines: &[String]) -> Picture {
        let view = View::new(width, height, Vec2::ZERO, 1.0);
        let mut list = DrawList::default();
        list.add_rectangle([0, 0, width as i32, height as i32], paper, &view);
        for (index, line) in lines.iter().enumerate() {
            let corner = layout.line(index, columns(line));
            list.add_label(
                &Label { text: line, corner, dot: layout.dot, color: ink(paper), outline: None },
                &view,
            );
        }
        let mut picture = Picture::default();
        self.renderer.render(&self.model, &list, &view, Settings::default(), &mut picture);
        picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Character;
    use crate::motion::Cue;

    #[test]
    fn captions_name_animation_frame_and_time() {
        let knight = Character::open("assets/paper-knight.pchr").unwrap();
        let model = knight.model();
        let picture = |name: &str, position| {
            let animation = model.find_animation(name);
            Planned { animation, frame: 12, cue: Cue { animation, position, ..Cue::default() }, path: None }
        };
        let walk = picture("walk", Position::frame(12));
        assert_eq!(lines(None, model, &walk, 18), ["walk", "frame 12 · 0.500 s"]);
        assert_eq!(lines(Some("old/knight"), model, &walk, 8), ["old...ht", "walk", "12 ... s"]);
        assert_eq!(lines(None, model, &walk, 17), ["walk", "12 · 0.500 s"]);
        assert_eq!(lines(None, model, &walk, 8), ["walk", "12 ... s"]);
        assert_eq!(lines(None, model, &walk, 3), ["...", "..."]);
        // Between two frames.
        assert_eq!(lines(None, model, &picture("walk", Position::Seconds(0.25)), 20), ["walk", "0.250 s"]);
        // The bind pose, without a file that has animations.
        assert_eq!(lines(None, model, &picture("", Position::frame(12)), 20), ["bind pose", "frame 12"]);
    }

    #[test]
    fn text_contrasts_with_the_sheet() {
        let ink_of = |background| ink(paper(background));
        assert_eq!(ink_of(&Background::Transparent), INKS[0]);
        assert_eq!(ink_of(&Background::Checker(8)), INKS[0]);
        assert_eq!(ink_of(&Background::Color([255, 255, 255, 255])), INKS[1]);
        // Too transparent to be a sheet.
        assert_eq!(paper(&Background::Color([255, 255, 255, 128])), DARK);
        for grey in 0..=255 {
            let difference = i32::from(ink([grey, grey, grey, 255])[0]) - i32::from(grey);
            assert!(difference.abs() >= 96, "{grey}");
        }
    }

    #[test]
    fn messages_are_broken_into_lines() {
        let text = "hero/broken.json: line 1: expected a value, found the end of the file";
        assert_eq!(wrapped(text, 16, 3), ["hero/br....json:", "line 1: expected", "a value, found"]);
        assert_eq!(
            wrapped(text, 40, 9),
            ["hero/broken.json: line 1: expected a", "value, found the end of the file"]
        );
        assert_eq!((wrapped(" ", 9, 9), wrapped(text, 9, 0)), (Vec::<String>::new(), Vec::new()));
    }
}
