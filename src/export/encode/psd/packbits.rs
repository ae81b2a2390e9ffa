//! Rows of pixels → channels compressed by PackBits.

/// The fewest equal bytes that are stored as a run.
const RUN: usize = 3;
/// The most bytes after one header.
const MOST: usize = 128;

/// Compressed rows, and the length of each of them.
#[derive(Default)]
pub struct Channels {
    lengths: Vec<u8>,
    rows: Vec<u8>,
    /// The channel of a row.
    plane: Vec<u8>,
}

impl Channels {
    /// Adds the row of one channel; `of` returns it for a pixel.
    pub fn add(&mut self, pixels: &[[u8; 4]], of: impl Fn(&[u8; 4]) -> u8) {
        self.plane.clear();
        self.plane.extend(pixels.iter().map(of));
        let start = self.rows.len();
        pack(&self.plane, &mut self.rows);
        // A row of 30,000 bytes takes at most 30,235.
        self.lengths.extend(((self.rows.len() - start) as u16).to_be_bytes());
    }

    /// Returns the compression, and all lengths before all rows.
    pub fn into_bytes(self) -> Vec<u8> {
        /// Run-length encoding.
        const PACK_BITS: [u8; 2] = 1u16.to_be_bytes();
        [&PACK_BITS[..], &self.lengths, &self.rows].concat()
    }
}

/// Appends a header and a repeated byte for each run, and a header and the bytes for anything else.
fn pack(mut rest: &[u8], to: &mut Vec<u8>) {
    while let [first, ..] = rest {
        let run = rest.iter().take(MOST).take_while(|byte| *byte == first).count();
        let taken = if run >= RUN {
            to.extend([(257 - run) as u8, *first]);
            run
        } else {
            let is_run = |bytes: &[u8]| bytes.iter().all(|byte| *byte == bytes[0]);
            let end = rest.windows(RUN).take(MOST).position(is_run).unwrap_or(rest.len().min(MOST));
            to.push((end - 1) as u8);
            to.extend(&rest[..end]);
            end
        };
        rest = &rest[taken..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(mut packed: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let [header, rest @ ..] = packed {
            let (count, taken) = match *header as i8 {
                header @ 0.. => (1, header as usize + 1),
                header => (1 - isize::from(header), 1),
            };
            bytes.extend(rest[..taken].repeat(count as usize));
            packed = &rest[taken..];
        }
        bytes
    }

    #[test]
    fn runs_and_other_bytes_of_any_length_come_back() {
        let other = |length: usize| (0..length).map(|at| (at * 7 % 251) as u8).collect::<Vec<_>>();
        for length in (0..=5).chain(125..=132).chain(254..=260).chain([30_000]) {
            for row in [vec![9; length], other(length), [other(length), vec![3; length], other(2)].concat()] {
                let mut packed = Vec::new();
                pack(&row, &mut packed);
                assert_eq!(unpacked(&packed), row, "{length}");
                assert!(packed.len() <= row.len() + row.len() / MOST + 3, "{} of {length}", packed.len());
            }
        }
        let mut packed = Vec::new();
        pack(&[1, 1, 2, 2, 2, 2], &mut packed);
        assert_eq!(packed, [1, 1, 1, 253, 2]);
    }
}
