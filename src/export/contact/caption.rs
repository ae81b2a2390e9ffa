//! The captions of a contact sheet: their texts, colours and pictures.

use super::layout::{LINES, Layout};
use crate::draw::text::{Label, columns, shortened};
use crate::draw::{DrawList, Picture, View};
use crate::export::{Background, Drawing, ExportError, Planned, Sequence};
use crate::math::Vec2;
use crate::model::Model;
use crate::motion::Position;

/// The sheet around the frames, unless the background is an opaque colour.
const DARK: [u8; 4] = [38, 38, 43, 255];
/// Text on dark and on light colours.
const INKS: [[u8; 4]; 2] = [[240, 240, 240, 255], [16, 16, 18, 255]];

/// Returns the colour of the sheet around the frames. It is opaque, so that captions are legible anywhere.
pub fn paper(background: Background) -> [u8; 4] {
    match background {
        Background::Color(color @ [_, _, _, 255]) => color,
        Background::Color(_) | Background::Transparent | Background::Checker(_) => DARK,
    }
}

/// Returns the colour of text that contrasts with `paper`.
fn ink([r, g, b, _]: [u8; 4]) -> [u8; 4] {
    // Weights of BT.601. Black on medium grey is easier to read than white.
    let luma = (299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b)) / 1000;
    INKS[usize::from(luma >= 112)]
}

/// Returns the lines of the caption of a picture in at most `most` columns: the animation, and the frame and time.
pub fn lines(model: &Model, picture: &Planned, most: usize) -> [String; LINES as usize] {
    let name = picture.animation.map_or("bind pose", |id| &model.animation(id).name);
    let time = picture.seconds(model).map(|seconds| format!("{seconds:.3} s"));
    let frame = picture.frame;
    let forms = match (time, picture.cue.position) {
        (Some(time), Position::Seconds(_)) => [time.clone(), time],
        (Some(time), Position::Frame { .. }) => [format!("frame {frame} · {time}"), format!("{frame} · {time}")],
        (None, _) => [format!("frame {frame}"), frame.to_string()],
    };
    let [long, short] = &forms;
    let second = if columns(long) <= most { long } else { short };
    [shortened(name, most), shortened(second, most)]
}

impl Sequence<'_> {
    /// Draws a caption of the size given by `layout`. Text and background are opaque, so the pixels are the same in
    /// straight and premultiplied alpha.
    pub(super) fn caption(
        &self,
        drawing: &mut Drawing<'_>,
        layout: &Layout,
        lines: &[String],
    ) -> Result<Picture, ExportError> {
        let view = View::new(layout.cell_width, layout.caption_height, Vec2::ZERO, 1.0);
        let paper = paper(self.surface.background);
        let mut list = DrawList::default();
        list.add_rectangle([0, 0, layout.cell_width as i32, layout.caption_height as i32], paper, &view);
        for (index, line) in lines.iter().enumerate() {
            let corner = layout.line(index, columns(line));
            let label = Label { text: line, corner, dot: layout.dot, color: ink(paper), outline: None };
            list.add_label(&label, &view);
        }
        let mut picture = Picture::default();
        drawing.draw(self.character.model(), &list, &view, self.settings, &mut picture)?;
        Ok(picture)
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
        assert_eq!(lines(model, &walk, 18), ["walk", "frame 12 · 0.500 s"]);
        assert_eq!(lines(model, &walk, 17), ["walk", "12 · 0.500 s"]);
        assert_eq!(lines(model, &walk, 8), ["walk", "12 ... s"]);
        assert_eq!(lines(model, &walk, 3), ["...", "..."]);
        // Between two frames.
        assert_eq!(lines(model, &picture("walk", Position::Seconds(0.25)), 20), ["walk", "0.250 s"]);
        // The bind pose, without a file that has animations.
        assert_eq!(lines(model, &picture("", Position::frame(12)), 20), ["bind pose", "frame 12"]);
    }

    #[test]
    fn text_contrasts_with_the_sheet() {
        let ink_of = |background| ink(paper(background));
        assert_eq!(ink_of(Background::Transparent), INKS[0]);
        assert_eq!(ink_of(Background::Checker(8)), INKS[0]);
        assert_eq!(ink_of(Background::Color([255, 255, 255, 255])), INKS[1]);
        // Too transparent to be a sheet.
        assert_eq!(paper(Background::Color([255, 255, 255, 128])), DARK);
        for grey in 0..=255 {
            let difference = i32::from(ink_of(Background::Color([grey, grey, grey, 255]))[0]) - i32::from(grey);
            assert!(difference.abs() >= 96, "{grey}");
        }
    }
}
