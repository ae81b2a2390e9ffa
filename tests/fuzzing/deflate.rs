//! Hand-made zlib streams for tests: stored ones that can be decoded again, and bombs.

/// Maximum size of a stored block in bytes.
const MAX_STORED: usize = u16::MAX as usize;

/// Returns a zlib stream of `data` in stored (uncompressed) blocks.
pub fn stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut rest = data;
    loop {
        let (block, after) = rest.split_at(rest.len().min(MAX_STORED));
        stream.push(u8::from(after.is_empty()));
        stream.extend((block.len() as u16).to_le_bytes());
        stream.extend((!(block.len() as u16)).to_le_bytes());
        stream.extend(block);
        if after.is_empty() {
            break;
        }
        rest = after;
    }
    stream.extend(adler32(data).to_be_bytes());
    stream
}

/// Decodes a stream made by [`stored`]; `None` for other streams.
pub fn unstored(stream: &[u8]) -> Option<Vec<u8>> {
    let (mut data, mut rest) = (Vec::new(), stream.get(2..)?);
    loop {
        let (&kind, after) = rest.split_first()?;
        let length = usize::from(u16::from_le_bytes(*after.first_chunk()?));
        if kind > 1 {
            return None;
        }
        data.extend(after.get(4..4 + length)?);
        rest = &after[4 + length..];
        if kind == 1 {
            return Some(data);
        }
    }
}

/// Returns a stream of about `len` zeros, compressed to less than a hundredth of that.
pub fn bomb(len: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // The last block, with fixed codes; a literal 0, then copies of 258 bytes from one byte before.
    bits.push(0b011, 3);
    bits.push_code(0b0011_0000, 8);
    let copies = len / 258;
    for _ in 0..copies {
        bits.push_code(0b1100_0101, 8);
        bits.push_code(0, 5);
    }
    bits.push_code(0, 7);
    let mut stream = vec![0x78, 0x01];
    stream.extend(bits.bytes);
    // For zeros, the second sum is their number.
    let count = (1 + 258 * copies) % MODULUS as usize;
    stream.extend(((count as u32) << 16 | 1).to_be_bytes());
    stream
}

/// A bit stream in the order of deflate: lowest bit of a byte first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    /// Appends a number, lowest bit first.
    fn push(&mut self, number: u32, bits: u32) {
        for bit in 0..bits {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            self.bytes[self.count / 8] |= ((number >> bit & 1) as u8) << (self.count % 8);
            self.count += 1;
        }
    }

    /// Appends a Huffman code, highest bit first.
    fn push_code(&mut self, code: u32, bits: u32) {
        (0..bits).rev().for_each(|bit| self.push(code >> bit & 1, 1));
    }
}

const MODULUS: u32 = 65_521;

fn adler32(data: &[u8]) -> u32 {
    let (a, b) = data.iter().fold((1, 0), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % MODULUS;
        (a, (b + a) % MODULUS)
    });
    b << 16 | a
}
