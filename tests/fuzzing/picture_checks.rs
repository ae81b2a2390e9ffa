//! Invariants of decoding any bytes as an image: the result has the size in the header or is an error about the
//! image, also if it is part of another file.

use crate::common::v1::write;
use crate::common::v1::{Animation, Bone, BoneTransform, File, Image, Mesh, Vertex};
use bytes::Bytes;
use pchr::error::Place;
use pchr::formats::image::{decode_picture as decode, decode_png, encode_png, picture_size, straight_png, to_png};
use pchr::formats::sheet::header;
use pchr::formats::{Grid, PageAlpha};
use pchr::limits::{Budget, Limits};
use pchr::{Error, Result};

use super::opened::within;
use crate::common::checks::{assert_same_verdict, examined, verdict};

/// Decodes an image alone, cut by a grid, in a character and in a packed sheet.
pub fn decode_picture(bytes: &Bytes, limits: &Limits) {
    let decoded = decoded(bytes, limits);
    match &decoded {
        Ok((width, height, pixels)) => can_be_written([*width, *height], pixels, bytes),
        Err(error) => assert_of_picture(error),
    }
    let is_png = bytes.starts_with(b"\x89PNG");
    if is_png {
        in_a_grid(bytes, &decoded, limits);
        in_a_character(bytes, &decoded, limits);
    }
    in_a_sheet(bytes, limits);
}

/// Returns width, height and pixels, within the limits.
fn decoded(bytes: &Bytes, limits: &Limits) -> Result<(u32, u32, Vec<u8>)> {
    let place = || Place::file("picture");
    let (width, height) = picture_size(bytes, place)?;
    limits.check_picture(width, height).map_err(|error| error.in_file("picture"))?;
    let pixels = decode(bytes, place)?;
    assert_eq!(pixels.len() as u64, 4 * u64::from(width) * u64::from(height), "{width}×{height} pixels");
    let png = to_png(bytes.clone(), &mut Budget::new(limits), place).expect("it was decoded");
    assert!(decode_png(&png, place).expect("it was decoded") == pixels, "converting to PNG changes pixels");
    Ok((width, height, pixels))
}

fn assert_of_picture(error: &Error) {
    const CODES: [&str; 5] = ["bad-png", "bad-jpeg", "bad-webp", "empty-image", "limit-exceeded"];
    assert!(CODES.contains(&error.code()), "{}: {error}", error.code());
    let place = error.place().expect("not a misuse");
    assert_eq!(place.file.as_deref(), Some("picture"), "{error}");
}

/// Writes decoded pixels, straight and premultiplied, and decodes them again.
fn can_be_written([width, height]: [u32; 2], pixels: &[u8], bytes: &Bytes) {
    let png = encode_png(width, height, pixels).expect("it fits");
    assert!(decode_png(&png, Place::default).expect("it was written") == pixels, "writing changes pixels");
    if bytes.starts_with(b"\x89PNG") {
        let straight = straight_png(bytes, (width, height), Place::default).expect("it was decoded");
        decode_png(&straight, Place::default).expect("it was written");
    }
}

/// Opens the image with a grid of one frame and of quarters.
fn in_a_grid(bytes: &Bytes, decoded: &Result<(u32, u32, Vec<u8>)>, limits: &Limits) {
    let size = pchr::formats::image::png_size(bytes).unwrap_or_default();
    for parts in [1, 2] {
        let mut options = within(limits);
        let side = |pixels: u32| (pixels / parts).max(1);
        options.grid = Some(Grid {
            width: side(size.0),
            height: side(size.1),
            count: Some(parts * parts),
            ..Grid::default()
        });
        options.page_alpha = if parts == 1 { PageAlpha::Auto } else { PageAlpha::Premultiplied };
        let read = verdict(bytes, &options);
        assert_same_verdict(bytes, &options, &read, &examined(bytes, &options));
        if let (Ok(character), Ok((_, _, pixels))) = (&read.result, decoded) {
            assert!(character.model().pages()[0].pixels == pixels[..], "cutting changes pixels");
        }
        assert!(read.result.is_err() || decoded.is_ok(), "an image that cannot be decoded was cut");
    }
}

/// Opens the image as that of a character.
fn in_a_character(bytes: &Bytes, decoded: &Result<(u32, u32, Vec<u8>)>, limits: &Limits) {
    let size = pchr::formats::image::png_size(bytes).unwrap_or_default();
    let (Ok(width), Ok(height)) = (u16::try_from(size.0), u16::try_from(size.1)) else { return };
    let image = Image {
        name: "atlas".to_owned(),
        width,
        height,
        format: Image::PNG,
        data: bytes.to_vec().into(),
        offset: 0,
    };
    let vertex =
        |x: f32, y: f32| Vertex { x, y, u: x, v: y, bone_weights: [1.0, 0.0, 0.0, 0.0], ..Vertex::default() };
    let corners = [vertex(0.0, 0.0), vertex(1.0, 0.0), vertex(1.0, 1.0)];
    let file = File {
        fps: 24,
        images: vec![image],
        bones: vec![Bone { name: "root".to_owned(), parent: -1, offset: 0 }],
        meshes: vec![Mesh::new("mesh", 0, &corners, &[0, 1, 2])],
        animations: vec![Animation::new("bind", false, &[vec![BoneTransform::default()]])],
        ..File::default()
    };
    let file = Bytes::from(write(&file).expect("it fits"));
    let options = within(limits);
    let read = verdict(&file, &options);
    assert_same_verdict(&file, &options, &read, &examined(&file, &options));
    match (&read.result, decoded) {
        (Ok(character), Ok((_, _, pixels))) => {
            assert!(character.model().pages()[0].pixels == pixels[..], "the character has other pixels");
        }
        (Ok(_), Err(error)) => panic!("an image that cannot be decoded was opened: {error}"),
        (Err(error), Ok(_)) => assert_eq!(error.code(), "limit-exceeded", "{error}"),
        (Err(_), Err(_)) => {}
    }
}

/// Opens the image in a packed sheet of one frame.
fn in_a_sheet(bytes: &Bytes, limits: &Limits) {
    const TEXT: &[u8] =
        br#"{"frames":[{"filename":"0","frame":{"x":0,"y":0,"w":1,"h":1}}],"meta":{"image":"a.png"}}"#;
    let head = header(TEXT, bytes.len() as u64).expect("it fits");
    let file = Bytes::from([&head[..], bytes].concat());
    for page_alpha in [PageAlpha::Auto, PageAlpha::Premultiplied] {
        let mut options = within(limits);
        options.page_alpha = page_alpha;
        let read = verdict(&file, &options);
        assert_same_verdict(&file, &options, &read, &examined(&file, &options));
    }
}
