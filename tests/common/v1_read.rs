//! The bytes of a valid PCHR v1 file → its records, with their offsets: the counterpart of [`super::v1`].

use super::v1::{Animation, Block, Bone, BoneTransform, File, Image, Mesh, Vertex};

/// Reads a valid file. Panics if it ends early.
pub fn read(bytes: &[u8]) -> File {
    let mut reader = Reader { bytes, at: 0 };
    assert_eq!(&reader.take(8)[..], b"PCHR\x01\0\0\0");
    let (fps, flags) = (reader.u16(), reader.u16());
    let images = reader.list(|reader| {
        let offset = reader.at as u64;
        let (name, width, height, format) = (reader.text(), reader.u16(), reader.u16(), reader.take(1)[0]);
        let len = reader.u32();
        Image { name, width, height, format, data: reader.block(len), offset }
    });
    let bones = reader.list(|reader| {
        let offset = reader.at as u64;
        Bone { name: reader.text(), parent: reader.u16() as i16, offset }
    });
    let meshes = reader.list(|reader| {
        let offset = reader.at as u64;
        let (name, image, vertices) = (reader.text(), reader.u16(), usize::from(reader.u16()));
        let indices = reader.u32();
        let (vertices, indices) = (reader.block(vertices * Vertex::SIZE), reader.block(indices * 2));
        Mesh { name, image, vertices, indices, offset }
    });
    let bone_count = bones.len();
    let animations = reader.list(|reader| {
        let offset = reader.at as u64;
        let (name, flags, frame_count) = (reader.text(), reader.take(1)[0], reader.u16());
        let frames = reader.block(usize::from(frame_count) * bone_count * BoneTransform::SIZE);
        Animation { name, flags, frame_count, frames, offset }
    });
    File { fps, flags, images, bones, meshes, animations }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, len: usize) -> Vec<u8> {
        let taken = self.bytes[self.at..self.at + len].to_vec();
        self.at += len;
        taken
    }

    fn u16(&mut self) -> u16 {
        let bytes = self.take(2);
        u16::from_le_bytes([bytes[0], bytes[1]])
    }

    fn u32(&mut self) -> usize {
        usize::from(self.u16()) + (usize::from(self.u16()) << 16)
    }

    fn text(&mut self) -> String {
        let len = self.u16().into();
        String::from_utf8(self.take(len)).expect("UTF-8")
    }

    fn block(&mut self, len: usize) -> Block {
        Block { offset: self.at as u64, bytes: self.take(len) }
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.u16()).map(|_| item(self)).collect()
    }
}
