//! `PCHR_LOOK=FOLDER` writes the pictures that tests compare.

use std::path::Path;

use pchr::draw::Picture;

/// Writes each premultiplied picture as `name-who.png` if someone wants to look at it.
pub fn look(name: &str, pictures: [(&str, &Picture); 2]) {
    let Some(folder) = std::env::var_os("PCHR_LOOK") else { return };
    for (who, picture) in pictures {
        let mut picture = picture.clone();
        picture.keep_light();
        picture.unpremultiply();
        let path = Path::new(&folder).join(format!("{name}-{who}.png"));
        let file = std::fs::File::create(&path).expect("the folder can be written");
        let mut encoder = png::Encoder::new(file, picture.width(), picture.height());
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().expect("it can be written");
        writer.write_image_data(picture.pixels()).expect("it can be written");
    }
}
