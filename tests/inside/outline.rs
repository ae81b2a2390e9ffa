//! Outlines of large files, which skip pixels and frames.

use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use crate::common::memory::peak;
use crate::common::v1::{File, Image, Mesh, write};
use crate::common::{read, tiny, vertex};
use pchr::diagnostics::Diagnostics;
use pchr::formats::pchr::read_file_outline;
use pchr::formats::{NO_SIDECARS, ReadOptions};
use pchr::math::{Rect, vec2};

/// A sparse file of zeros, which counts the bytes read.
struct Sparse {
    /// Offset and content of each part; everything else is zeros.
    parts: Vec<(u64, Vec<u8>)>,
    len: u64,
    at: u64,
    read: Rc<Cell<u64>>,
}

impl Read for Sparse {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = (self.len - self.at).min(out.len() as u64) as usize;
        out[..len].fill(0);
        for (start, part) in &self.parts {
            let (from, to) = (self.at.max(*start), (self.at + len as u64).min(start + part.len() as u64));
            if from < to {
                let source = &part[(from - start) as usize..(to - start) as usize];
                out[(from - self.at) as usize..][..source.len()].copy_from_slice(source);
            }
        }
        self.at += len as u64;
        self.read.set(self.read.get() + len as u64);
        Ok(len)
    }
}

impl Seek for Sparse {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.at.saturating_add_signed(by),
            SeekFrom::End(by) => self.len.saturating_add_signed(by),
        };
        Ok(self.at)
    }
}

/// A gigabyte: an image of 12,000 × 12,000 pixels, and 2,000 animations of 230 kB each.
fn gigabyte() -> (Sparse, u64) {
    const SIDE: u16 = 12_000;
    const ANIMATIONS: usize = 2000;
    const FRAMES: u16 = 5000;
    let file = tiny();
    let (mut parts, mut at) = (Vec::new(), 0u64);
    let mut add = |bytes: &[u8], hole: u64| {
        parts.push((at, bytes.to_vec()));
        at += bytes.len() as u64 + hole;
    };
    // The tiny file in pieces: up to the pixels of its image, and from its number of bones to its number of
    // animations.
    let image = Image { width: SIDE, height: SIDE, ..file.images[0].clone() };
    let pixels = u64::from(SIDE) * u64::from(SIDE) * 4;
    let whole = write(&File { images: vec![image], animations: Vec::new(), ..file }).unwrap();
    let data = 14 + 2 + "atlas".len() + 9;
    let mut head = whole[..data].to_vec();
    head[data - 4..].copy_from_slice(&(pixels as u32).to_le_bytes());
    add(&head, pixels);
    add(&whole[data + 4..whole.len() - 2], 0);
    add(&(ANIMATIONS as u16).to_le_bytes(), 0);
    for _ in 0..ANIMATIONS {
        let record = [b"\x04\0walk\x01".as_slice(), &FRAMES.to_le_bytes()].concat();
        add(&record, u64::from(FRAMES) * 2 * 23);
    }
    let read = Rc::default();
    (Sparse { parts, len: at, at: 0, read }, at)
}

#[test]
fn the_outline_of_a_gigabyte_reads_less_than_a_megabyte() {
    let (file, len) = gigabyte();
    assert!(len > 1_000_000_000, "{len} bytes");
    let read = Rc::clone(&file.read);
    let (mut diagnostics, options) = (Diagnostics::default(), ReadOptions::default());
    let (outline, peak) = peak(|| read_file_outline(file, len, NO_SIDECARS, &options, &mut diagnostics));
    let outline = outline.unwrap();
    assert!(read.get() < 1 << 20, "{} bytes were read", read.get());
    assert!(peak < 8 << 20, "{peak} bytes were allocated");
    assert!(diagnostics.is_empty());
    let document = &outline.document.file;
    assert_eq!((document.images.len(), document.bones.len(), document.meshes.len()), (1, 2, 1));
    assert_eq!(document.animations.len(), 2000);
    assert!(document.images[0].data.is_skipped() && document.animations[1999].frames.is_skipped());
    // The meshes are read, so their owners are known.
    assert_eq!(outline.meshes[0].owner, Some(1));
    // A document with skipped parts cannot be written.
    assert_eq!(pchr::formats::pchr::write(document).unwrap_err().code(), "skipped-data");
}

#[test]
fn meshes_are_loaded_one_at_a_time() {
    // 40 meshes of 60,000 vertices: 96 MB.
    let vertices: Vec<_> = (0..60_000).map(|index| vertex(index as f32, 0.0, index % 2)).collect();
    let mesh = |index| Mesh::new(format!("mesh {index}"), 0, &vertices, &[0, 1, 2]);
    let bytes = write(&File { meshes: (0..40).map(mesh).collect(), ..tiny() }).unwrap();
    let (len, options) = (bytes.len() as u64, ReadOptions::default());
    assert!(len > 90_000_000);
    let file = io::Cursor::new(&bytes);
    let (outline, peak) =
        peak(|| read_file_outline(file, len, NO_SIDECARS, &options, &mut Diagnostics::default()));
    assert!(peak < 8 << 20, "{peak} bytes were allocated");
    assert!(outline.unwrap().meshes.iter().all(|mesh| mesh.owner == Some(0) && mesh.influences == 1));
}

#[test]
fn an_outline_is_the_file_without_its_pixels_and_frames() {
    let bytes = write(&tiny()).unwrap();
    let (len, options) = (bytes.len() as u64, ReadOptions::default());
    let outline =
        read_file_outline(io::Cursor::new(&bytes), len, NO_SIDECARS, &options, &mut Diagnostics::default())
            .unwrap();
    let whole = read(&tiny());
    let found = &outline.document.file;
    assert_eq!(found.fps, 24);
    assert!(found.meshes[0].vertices.is_skipped());
    assert_eq!((found.meshes[0].vertex_count(), outline.meshes[0].influences), (3, 1));
    assert_eq!(outline.meshes[0].bounds, Rect { min: vec2(0.0, 10.0), max: vec2(10.0, 20.0) });
    let names: Vec<String> = found.animations.iter().map(|animation| animation.name.clone()).collect();
    assert_eq!(
        names,
        whole.model().animations().iter().map(|animation| animation.name.clone()).collect::<Vec<_>>()
    );
}

#[test]
fn a_cut_file_is_reported_as_truncated() {
    let bytes = write(&tiny()).unwrap();
    for len in 1..bytes.len() {
        let file = io::Cursor::new(&bytes[..len]);
        let options = ReadOptions::default();
        let result = read_file_outline(file, len as u64, NO_SIDECARS, &options, &mut Diagnostics::default());
        assert_eq!(result.unwrap_err().code(), "truncated", "{len}");
    }
}
