//! A reader of PSDs after the specification, which shares nothing with the writer, and a compositor of their layers.

pub type Pixel = [u8; 4];

/// What a reader finds.
pub struct Psd {
    pub width: usize,
    pub height: usize,
    /// With straight alpha, and without the white that programs take away.
    pub merged: Vec<Pixel>,
    /// From back to front, with the ends of groups.
    pub layers: Vec<Layer>,
}

#[derive(Default)]
pub struct Layer {
    pub name: String,
    /// The name for old programs.
    pub short_name: String,
    pub blend: String,
    pub opacity: u8,
    pub is_visible: bool,
    /// 0: pixels; 1 and 2: an open and a closed group; 3: the end of a group.
    pub kind: u32,
    /// Left, top, width and height.
    pub area: [usize; 4],
    /// With straight alpha.
    pub pixels: Vec<Pixel>,
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn number(&mut self, bytes: usize) -> usize {
        self.take(bytes).iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
    }

    fn section(&mut self) -> Bytes<'a> {
        let length = self.number(4);
        Bytes(self.take(length))
    }

    /// Reads channels of PackBits: the lengths of all rows, then the rows.
    fn channels(&mut self, count: usize, [width, height]: [usize; 2]) -> Vec<Vec<u8>> {
        assert_eq!(self.number(2), 1, "PackBits");
        let lengths: Vec<usize> = (0..count * height).map(|_| self.number(2)).collect();
        let mut rows = lengths.into_iter().map(|length| {
            let (mut packed, mut row) = (Bytes(self.take(length)), Vec::new());
            while !packed.0.is_empty() {
                match packed.number(1) {
                    128 => {}
                    count @ 0..128 => row.extend(packed.take(count + 1)),
                    count => row.extend(packed.take(1).repeat(257 - count)),
                }
            }
            assert_eq!(row.len(), width);
            row
        });
        (0..count).map(|_| rows.by_ref().take(height).flatten().collect()).collect()
    }
}

impl Psd {
    pub fn read(bytes: &[u8]) -> Self {
        let mut file = Bytes(bytes);
        assert_eq!(file.take(14), b"8BPS\0\x01\0\0\0\0\0\0\0\x04");
        let (height, width) = (file.number(4), file.number(4));
        assert_eq!(file.take(4), b"\0\x08\0\x03");
        assert!(file.section().0.is_empty() && file.section().0.is_empty());
        let mut section = file.section();
        let mut info = section.section();
        assert_eq!(section.take(4), [0; 4], "no global mask");
        assert!(section.0.is_empty() && info.0.len().is_multiple_of(2));
        let count = -(info.number(2) as i16);
        assert!(count > 0, "the merged picture is transparent");
        let mut layers: Vec<_> = (0..count).map(|_| Layer::record(&mut info)).collect();
        for (layer, lengths) in &mut layers {
            layer.read_pixels(&mut info, lengths);
        }
        assert!(info.0.len() < 4 && info.0.iter().all(|byte| *byte == 0), "only padding is left");
        let channels = file.channels(4, [width, height]);
        assert!(file.0.is_empty());
        let merged = (0..width * height).map(|at| unmatted([0, 1, 2, 3].map(|channel| channels[channel][at])));
        Self {
            width,
            height,
            merged: merged.collect(),
            layers: layers.into_iter().map(|(layer, _)| layer).collect(),
        }
    }

    /// Composites the visible layers, with premultiplied colours from 0 to 1.
    pub fn composite(&self) -> Vec<[f64; 4]> {
        let mut canvas = vec![[0.0; 4]; self.width * self.height];
        let mut groups = Vec::new();
        let mut shown = Vec::new();
        for layer in self.layers.iter().rev() {
            match layer.kind {
                1 | 2 => groups.push(layer.is_visible),
                3 => assert!(groups.pop().is_some(), "a group ends"),
                _ if layer.is_visible && groups.iter().all(|is_visible| *is_visible) => shown.push(layer),
                _ => {}
            }
        }
        assert!(groups.is_empty());
        for layer in shown.into_iter().rev() {
            let [left, top, width, height] = layer.area;
            assert!(left + width <= self.width && top + height <= self.height, "{}", layer.name);
            for (at, pixel) in layer.pixels.iter().enumerate() {
                let place = &mut canvas[(top + at / width) * self.width + left + at % width];
                *place = blended(*pixel, f64::from(layer.opacity) / 255.0, &layer.blend, *place);
            }
        }
        canvas
    }

    /// Returns name, blend mode and opacity of all layers, indented by group, from front to back.
    pub fn outline(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut depth = 0;
        for layer in self.layers.iter().rev() {
            let Layer { name, blend, opacity, is_visible, .. } = layer;
            if layer.kind == 3 {
                depth -= 1;
                continue;
            }
            let hidden = if *is_visible { "" } else { " hidden" };
            lines.push(format!("{}{name} {blend} {opacity}{hidden}", "  ".repeat(depth)));
            depth += usize::from(layer.kind != 0);
        }
        lines
    }
}

impl Layer {
    /// Reads a layer without its pixels, and the lengths of its channels by id.
    fn record(info: &mut Bytes<'_>) -> (Self, Vec<(i16, usize)>) {
        let [top, left, bottom, right] = [(); 4].map(|()| info.number(4));
        let channels = (0..info.number(2)).map(|_| (info.number(2) as i16, info.number(4))).collect();
        assert_eq!(info.take(4), b"8BIM");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("ASCII");
        let blend = text(info.take(4));
        let [opacity, clipping, flags, filler] = [(); 4].map(|()| info.number(1) as u8);
        assert_eq!([clipping, filler], [0, 0]);
        let mut extra = info.section();
        assert_eq!(extra.take(8), [0; 8], "no mask, no ranges");
        let length = extra.number(1);
        let short_name = text(extra.take(length));
        extra.take((4 - (length + 1) % 4) % 4);
        let area = [left, top, right - left, bottom - top];
        let is_visible = flags & 2 == 0;
        let mut layer = Self { short_name, blend, opacity, is_visible, area, ..Self::default() };
        while !extra.0.is_empty() {
            assert_eq!(extra.take(4), b"8BIM");
            let key = extra.take(4);
            let mut content = extra.section();
            match key {
                b"luni" => {
                    let units: Vec<u16> = (0..content.number(4)).map(|_| content.number(2) as u16).collect();
                    layer.name = String::from_utf16(&units).expect("UTF-16");
                }
                b"lsct" => layer.kind = content.number(4) as u32,
                other => panic!("{other:?}"),
            }
        }
        (layer, channels)
    }

    fn read_pixels(&mut self, info: &mut Bytes<'_>, lengths: &[(i16, usize)]) {
        let [_, _, width, height] = self.area;
        self.pixels = vec![[0; 4]; width * height];
        for (id, length) in lengths {
            let mut bytes = Bytes(info.take(*length));
            let plane = bytes.channels(1, [width, height]).remove(0);
            assert!(bytes.0.is_empty());
            let place = if *id < 0 { 3 } else { *id as usize };
            self.pixels.iter_mut().zip(plane).for_each(|(pixel, value)| pixel[place] = value);
        }
    }
}

/// Takes white away from a colour on white.
fn unmatted([r, g, b, a]: Pixel) -> Pixel {
    let color = |value: u8| {
        let own = u32::from(value).checked_sub(255 - u32::from(a)).expect("a colour on white");
        ((own * 255 + u32::from(a) / 2).checked_div(u32::from(a)).unwrap_or(0)) as u8
    };
    [color(r), color(g), color(b), a]
}

/// Blends a pixel with straight alpha over premultiplied colours, as PDF and Photoshop do.
fn blended(pixel: Pixel, opacity: f64, blend: &str, below: [f64; 4]) -> [f64; 4] {
    let [r, g, b, a] = pixel.map(|value| f64::from(value) / 255.0);
    let (source, alpha, backdrop) = ([r, g, b], a * opacity, below[3]);
    let mixed = |source: f64, below: f64| match blend {
        "norm" => source,
        "lddg" => (source + below).min(1.0),
        "mul " => source * below,
        "scrn" => source + below - source * below,
        other => panic!("unknown blend mode {other}"),
    };
    let mut result = [0.0, 0.0, 0.0, alpha + backdrop - alpha * backdrop];
    for (channel, value) in result.iter_mut().enumerate().take(3) {
        let color = if backdrop > 0.0 { below[channel] / backdrop } else { 0.0 };
        let own = (1.0 - backdrop) * source[channel] + backdrop * mixed(source[channel], color);
        *value = (1.0 - alpha) * below[channel] + alpha * own;
    }
    result
}
