//! Writes archives for tests, and reads those without quirks.

/// An entry as it is written.
#[derive(Debug, Clone)]
pub struct Entry {
    pub name: String,
    /// Compression method: 0 stored, 8 deflated.
    pub method: u16,
    pub flags: u16,
    pub crc: u32,
    pub size: u32,
    /// The data as stored in the archive.
    pub packed: Vec<u8>,
}

impl Entry {
    pub fn stored(name: &str, data: &[u8]) -> Self {
        let (crc, size) = (crc32(data), data.len() as u32);
        Self { name: name.to_owned(), method: 0, flags: 0, crc, size, packed: data.to_vec() }
    }

    /// Returns an entry for `data`, which is deflated to `packed`.
    pub fn deflated(name: &str, data: &[u8], packed: Vec<u8>) -> Self {
        Self { method: 8, packed, ..Self::stored(name, data) }
    }
}

/// Returns the bytes of an archive.
pub fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut listed) = (Vec::new(), Vec::new());
    for entry in entries {
        let Entry { name, method, flags, crc, size, packed } = entry;
        let offset = bytes.len() as u32;
        let mut common = Vec::new();
        for short in [20, *flags, *method, 0, 0x21] {
            common.extend(short.to_le_bytes());
        }
        for long in [*crc, packed.len() as u32, *size] {
            common.extend(long.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(packed);
        listed.extend(b"PK\x01\x02\x14\0");
        listed.extend(&common);
        listed.extend([0; 10]);
        listed.extend(offset.to_le_bytes());
        listed.extend(name.as_bytes());
    }
    let at = bytes.len() as u32;
    bytes.extend(&listed);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([entries.len() as u16; 2].map(u16::to_le_bytes).as_flattened());
    bytes.extend((listed.len() as u32).to_le_bytes());
    bytes.extend(at.to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}

/// Returns the stored entries of a valid archive in order, and none if the archive is invalid.
pub fn entries(bytes: &[u8]) -> Vec<Entry> {
    let mut found = Vec::new();
    let mut at = 0;
    let short = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let long = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    while bytes.get(at..at + 4) == Some(b"PK\x03\x04") {
        let mut next = || {
            let (method, size) = (short(at + 8)?, long(at + 18)?);
            let (name, extra) = (usize::from(short(at + 26)?), usize::from(short(at + 28)?));
            let data = at + 30 + name + extra;
            let name = std::str::from_utf8(bytes.get(at + 30..at + 30 + name)?).ok()?;
            let entry = Entry::stored(name, bytes.get(data..data.checked_add(size)?)?);
            at = data + size;
            (method == 0).then_some(entry)
        };
        match next() {
            Some(entry) => found.push(entry),
            None => return Vec::new(),
        }
    }
    found
}

/// Returns the checksum used by archives and PNG chunks.
pub fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |crc, byte| {
        let mut crc: u32 = crc ^ u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
        crc
    })
}
