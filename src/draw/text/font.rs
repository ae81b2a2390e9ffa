//! Characters → glyphs: drawn ones, and letters with accents, which are composed.

use super::glyphs::{ASCII, DRAWN_ROWS, Drawn, LATIN, LATIN_CHARS};

/// Rows of a glyph: room for the accents of capitals, seven rows above the baseline and two below.
pub const ROWS: usize = 12;
/// Columns of a glyph. The next glyph begins one column further right.
pub const COLUMNS: usize = 5;
/// Rows above capitals.
const ABOVE: usize = ROWS - DRAWN_ROWS;

/// The rows of a glyph; the highest of the five bits is the leftmost dot.
pub type Glyph = [u8; ROWS];

/// Returns the glyph of `c`, or `None` if the font does not have one.
pub fn glyph(c: char) -> Option<Glyph> {
    drawn(c).map(|drawn| in_cell(&drawn)).or_else(|| composed(c))
}

fn drawn(c: char) -> Option<Drawn> {
    let found = match c {
        ' '..='~' => ASCII.get(c as usize - ' ' as usize),
        // No-break space.
        '\u{a0}' => ASCII.first(),
        _ => LATIN_CHARS.chars().position(|known| known == c).and_then(|at| LATIN.get(at)),
    };
    found.copied()
}

fn in_cell(drawn: &Drawn) -> Glyph {
    let mut glyph = [0; ROWS];
    glyph[ABOVE..].copy_from_slice(drawn);
    glyph
}

/// An accent, and the letters that have it: each is followed by its base letter.
struct Accent {
    rows: [u8; 3],
    /// Drawn below the letter instead of above.
    is_below: bool,
    letters: &'static str,
}

#[rustfmt::skip]
const ACCENTS: [Accent; 8] = [
    Accent { rows: [0b01000, 0b00100, 0], is_below: false, letters: "ÀAÈEÌIÒOÙUàaèeìıòoùu" },
    Accent {
        rows: [0b00010, 0b00100, 0], is_below: false,
        letters: "ÁAÉEÍIÓOÚUÝYáaéeíıóoúuýyĆCŃNŚSŹZćcńnśsźz",
    },
    Accent { rows: [0b00100, 0b01010, 0], is_below: false, letters: "ÂAÊEÎIÔOÛUâaêeîıôoûu" },
    Accent { rows: [0b01001, 0b10110, 0], is_below: false, letters: "ÃAÑNÕOãañnõo" },
    Accent { rows: [0b01010, 0, 0], is_below: false, letters: "ÄAËEÏIÖOÜUŸYäaëeïıöoüuÿy" },
    Accent { rows: [0b00100, 0b01010, 0b00100], is_below: false, letters: "ÅAŮUåaůu" },
    Accent { rows: [0b01010, 0b00100, 0], is_below: false, letters: "ČCĚEŇNŘRŠSŽZčcěeňnřršsžz" },
    Accent { rows: [0, 0b00100, 0b01100], is_below: true, letters: "ÇCŞSçcşs" },
];

fn composed(c: char) -> Option<Glyph> {
    ACCENTS.iter().find_map(|accent| {
        let mut letters = accent.letters.chars();
        let base =
            std::iter::from_fn(|| Some((letters.next()?, letters.next()?))).find(|(known, _)| *known == c)?.1;
        let mut glyph = in_cell(&drawn(base)?);
        let first = match accent.is_below {
            true => ROWS - accent.rows.len(),
            false if base.is_uppercase() => 0,
            // Small letters begin two rows below the top of capitals.
            false => 2,
        };
        for (row, dots) in glyph.iter_mut().skip(first).zip(accent.rows) {
            *row |= dots;
        }
        Some(glyph)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Returns every character that has a glyph.
    fn known() -> Vec<char> {
        (' '..='\u{2fff}').filter(|c| glyph(*c).is_some()).collect()
    }

    #[test]
    fn ascii_and_latin_1_are_complete() {
        let has = |c: &char| glyph(*c).is_some();
        assert!((' '..='~').all(|c| has(&c)));
        // Soft hyphen is a formatting character.
        let missing: Vec<char> = ('\u{a0}'..='ÿ').filter(|c| *c != '\u{ad}' && !has(c)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert_eq!(known().len(), 95 + 95 + LATIN_CHARS.chars().filter(|c| *c > 'ÿ').count() + 27);
        for c in ['\0', '\n', '\u{7f}', '\u{80}', '\u{ad}', '\u{202e}', '\u{301}', '中', '😀'] {
            assert_eq!(glyph(c), None, "{c:?}");
        }
    }

    #[test]
    fn glyphs_are_distinct_and_inside_their_cells() {
        let mut seen = HashMap::new();
        for c in known() {
            let glyph = glyph(c).unwrap();
            assert!(glyph.iter().all(|row| u32::from(*row) < 1 << COLUMNS), "{c} is too wide");
            assert_eq!(glyph.iter().all(|row| *row == 0), c.is_whitespace(), "{c:?}");
            if c != '\u{a0}' {
                assert_eq!(seen.insert(glyph, c), None, "{c} looks like another glyph");
            }
        }
    }

    #[test]
    fn accents_do_not_touch_capitals() {
        for (letter, base) in [('É', 'E'), ('Ñ', 'N'), ('Ö', 'O'), ('é', 'e'), ('ñ', 'n'), ('ö', 'o')] {
            let (letter, base) = (glyph(letter).unwrap(), glyph(base).unwrap());
            let top = base.iter().position(|row| *row != 0).unwrap();
            assert_eq!(letter[top..], base[top..]);
            assert_eq!(letter[top - 1], 0);
            assert!(letter[..top].iter().any(|row| *row != 0));
        }
    }
}
