//! The colours of marks: premultiplied, and distinguishable with any kind of colour vision (Okabe and Ito).

pub const WHITE: [u8; 4] = [255, 255, 255, 255];
pub const ORANGE: [u8; 4] = [230, 159, 0, 255];
pub const SKY: [u8; 4] = [86, 180, 233, 255];
pub const GREEN: [u8; 4] = [0, 200, 140, 255];
pub const YELLOW: [u8; 4] = [240, 228, 66, 255];
pub const VERMILION: [u8; 4] = [255, 110, 40, 255];
pub const PURPLE: [u8; 4] = [224, 140, 190, 255];
