//! Packed Pachario: a header, JSON and its picture.

/// Returns the bytes of a packed file.
pub fn write(json: &[u8], picture: &[u8]) -> Vec<u8> {
    let [version, json_len, picture_len] =
        [1, json.len(), picture.len()].map(|number| u32::try_from(number).expect("it fits").to_le_bytes());
    [b"PCHR", &version[..], &json_len, &picture_len, json, picture].concat()
}

/// Returns the JSON text of a JSON file or of a packed file, and its offset.
pub fn json_text(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let length = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    if bytes.starts_with(b"PCHR") && bytes.get(16) == Some(&b'{') {
        let (json, picture) = (length(8)?, length(12)?);
        return (bytes.len() == 16 + json + picture).then(|| (16, &bytes[16..16 + json]));
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_json = text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    is_json.then(|| (bytes.len() - text.len(), text))
}
