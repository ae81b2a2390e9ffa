//! Damages to the bytes of a file, and limits below what it needs.

use super::{Damage, EVERY, FIELDS, Form, How, Subject, TEXTS, V1, layout};

const fn damage(
    code: &'static str,
    name: &'static str,
    forms: &'static [Form],
    change: fn(&mut Subject, &mut Vec<u8>),
) -> Damage {
    Damage { code, name, forms, how: How::Bytes(change) }
}

pub const DAMAGES: &[Damage] = &[
    damage("bad-utf8", "a byte of a name", V1, |s, bytes| {
        let named: Vec<_> =
            layout::needs(&FIELDS).into_iter().filter(|need| need.path.ends_with(".name")).collect();
        // A length and a text per name.
        let text = &named[2 * s.below(named.len() / 2) + 1];
        let at = text.at + s.below(text.len);
        bytes[at] = s.one_of(&[0x80, 0xbf, 0xc0, 0xff]);
        s.expect_at(text.path.clone(), Some(at), "not valid UTF-8 from here on");
    }),
    damage("truncated", "cut anywhere", V1, |s, bytes| {
        let to = 1 + s.below(bytes.len() - 1);
        bytes.truncate(to);
        expect_cut(s, to);
    }),
    damage("truncated", "cut between small records", V1, |s, bytes| {
        let needs = layout::needs(&FIELDS);
        let need = &needs[s.below(needs.len())];
        // Most needs lack at least their last byte.
        let to = (need.at + s.below(need.len.clamp(1, 12))).clamp(1, bytes.len() - 1);
        bytes.truncate(to);
        expect_cut(s, to);
    }),
    damage("truncated", "a count that is too large", V1, |s, bytes| {
        let (count, list, shortest) = s.one_of(&[
            ("imageCount", "images", 11),
            ("boneCount", "bones", 4),
            ("meshCount", "meshes", 10),
            ("animationCount", "animations", 5),
        ]);
        let at = layout::offset(&FIELDS, count);
        let most = (bytes.len() - at - 2) / shortest;
        let many = most + 1 + s.below(65_535 - most);
        bytes[at..at + 2].copy_from_slice(&(many as u16).to_le_bytes());
        s.expect_at(list, Some(at + 2), format!("{many} {list} take at least {} bytes", many * shortest));
    }),
    damage("truncated", "a length that is too large", V1, |s, bytes| {
        let (mesh, animation) = (s.mesh(), s.below(5));
        let (length, block, size) = match s.below(4) {
            0 => ("images[0].dataLength".to_owned(), "images[0].data".to_owned(), 4),
            1 => (format!("meshes[{mesh}].vertexCount"), format!("meshes[{mesh}].vertices"), 2),
            2 => (format!("meshes[{mesh}].indexCount"), format!("meshes[{mesh}].indices"), 4),
            _ => (format!("animations[{animation}].frameCount"), format!("animations[{animation}].frames"), 2),
        };
        let [at, block_at] = [&length, &block].map(|path| layout::offset(&FIELDS, path));
        // The largest value, a multiple of 3 in both 16 and 32 bits.
        bytes[at..at + size].fill(0xff);
        s.expect_at(block, Some(block_at), "the file ends too early");
    }),
    damage("unknown-format", "a byte of the magic", &[Form::V1, Form::Packed], |s, bytes| {
        let at = s.below(4);
        bytes[at] ^= 1 << s.below(5);
        s.expect_at("", None, "not a format that pchr knows: the file starts with");
    }),
    damage("unknown-format", "an empty file", EVERY, |s, bytes| {
        bytes.clear();
        s.expect_at("", None, "the file is empty");
    }),
    damage("unknown-version", "another version", &[Form::V1, Form::Packed], |s, bytes| {
        let version = 2 + s.below(1 << 31) as u32;
        bytes[4..8].copy_from_slice(&version.to_le_bytes());
        s.expect_at("version", Some(4), format!("version {version}; only version 1 is supported"));
    }),
    damage("trailing-bytes", "bytes after the end", V1, |s, bytes| {
        let (end, more) = (bytes.len(), 1 + s.below(50));
        bytes.resize(end + more, 0);
        s.expect_at("", Some(end), "the bytes after the last animation");
    }),
    damage("limit-exceeded", "bytes of the file", EVERY, |s, bytes| {
        s.options.limits.file_bytes = (bytes.len() - 1 - s.below(1000)) as u64;
        let allowed = s.options.limits.file_bytes;
        let says = format!("`file-bytes` exceeded: at least {} needed, {allowed} allowed", bytes.len());
        s.expect_at("", None, says);
    }),
    damage("limit-exceeded", "pixels", EVERY, |s, _| {
        s.options.limits.pixels = s.below(1 << 20) as u64;
        s.expect("images[0].width", "`pixels` exceeded: at least 1048576 needed, ");
    }),
    damage("limit-exceeded", "records", EVERY, |s, _| {
        let allowed = s.below(70);
        s.options.limits.records = allowed as u64;
        let counts = [("imageCount", 1), ("boneCount", 38), ("meshCount", 65), ("animationCount", 70)];
        let (count, needed) = counts.into_iter().find(|(_, needed)| *needed > allowed).expect("more than it has");
        s.expect(count, format!("`records` exceeded: at least {needed} needed, {allowed} allowed"));
    }),
    damage("limit-exceeded", "memory", TEXTS, |s, _| {
        s.options.limits.memory_bytes = s.below(100) as u64;
        s.expect("boneCount", "`memory-bytes` exceeded");
    }),
    damage("limit-exceeded", "memory", V1, |s, _| {
        // Less than an image needs.
        s.options.limits.memory_bytes = s.below(20) as u64;
        s.expect("imageCount", "`memory-bytes` exceeded");
    }),
    damage("limit-exceeded", "depth of the text", TEXTS, |s, bytes| {
        let allowed = s.below(6);
        s.options.limits.json_depth = allowed as u64;
        // No name in the knight contains brackets.
        let text = &bytes[s.form.text_at()..];
        let mut depth = 0;
        let too_deep = |byte: &u8| {
            depth += isize::from(matches!(byte, b'{' | b'[')) - isize::from(matches!(byte, b'}' | b']'));
            depth > allowed as isize
        };
        let at = text.iter().position(too_deep).expect("six nested levels");
        s.expect_at(
            "",
            Some(s.form.text_at() + at),
            format!("`json-depth` exceeded: at least {} needed, {allowed} allowed", allowed + 1),
        );
    }),
];

/// The first need that is not met by a file of `len` bytes.
fn expect_cut(s: &mut Subject, len: usize) {
    let needs = layout::needs(&FIELDS);
    let cut = needs.into_iter().find(|need| need.at + need.len > len).expect("something is missing");
    s.expect_at(cut.path, Some(cut.at), "the file ends too early");
}
