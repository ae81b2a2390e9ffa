//! Packed Pachario: a header, JSON and its picture.

/// Returns the bytes of a packed file.
pub fn write(json: &[u8], picture: &[u8]) -> Vec<u8> {
    let [version, json_len, picture_len] =
        [1, json.len(), picture.len()].map(|number| u32::try_from(number).expect("it fits").to_le_bytes());
    [b"PCHR", &version[..], &json_len, &picture_len, json, picture].concat()
}
