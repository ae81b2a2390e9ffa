//! An atlas → text in the older form, which every version of Spine reads.

use std::fmt::Write as _;

use super::Atlas;

impl Atlas {
    /// Returns true if `text` uses properties that only Spine 4 reads.
    pub fn needs_spine_4(text: &str) -> bool {
        let key = |line: &'_ str| line.split_once(':').map(|(key, _)| key.trim().to_owned());
        text.lines().filter_map(key).any(|key| ["bounds", "offsets", "pma", "scale"].contains(&&*key))
    }

    /// Returns the text of the atlas in the older form, in the order in which older programs expect the properties.
    pub fn in_older_form(&self) -> String {
        let mut text = String::new();
        for (index, page) in self.pages.iter().enumerate() {
            text += &format!("\n{}\n", page.file);
            if let Some([width, height]) = page.size {
                text += &format!("size: {width},{height}\n");
            }
            let filter = page.filter.as_deref().unwrap_or("Linear,Linear");
            let repeat = page.repeat.as_deref().unwrap_or("none");
            text += &format!("format: RGBA8888\nfilter: {filter}\nrepeat: {repeat}\n");
            for region in self.regions.iter().filter(|region| region.page == index) {
                let rotate = match region.degrees {
                    0 => "false".to_owned(),
                    90 => "true".to_owned(),
                    degrees => degrees.to_string(),
                };
                let pair = |[x, y]: [f32; 2]| format!("{x}, {y}");
                // Writing to a string cannot fail.
                _ = write!(
                    text,
                    "{}\n  rotate: {rotate}\n  xy: {}\n  size: {}\n  orig: {}\n  offset: {}\n  index: {}\n",
                    region.name,
                    pair(region.at),
                    pair(region.size),
                    pair(region.whole()),
                    pair(region.offset),
                    region.index.map_or(-1, i64::from)
                );
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Diagnostics;

    #[test]
    fn the_older_form_has_the_same_regions() {
        let new = "one.png\nsize: 64, 32\nfilter: Nearest, Linear\npma: true\nscale: 0.5\na/b\nbounds: 2, 4, 10, 20\n\
                   offsets: 1, 3, 14, 28\nrotate: 90\nplain\nbounds: 30, 4, 8, 6\nindex: 3\n\ntwo.png\nsize: 8, 8\nrepeat: xy\n\
                   last\nbounds: 0, 0, 8, 8\nrotate: 270\n";
        let parse = |text: &str| Atlas::parse(text, "a.atlas", &mut Diagnostics::default()).unwrap();
        let (atlas, older) = (parse(new), parse(new).in_older_form());
        assert!(Atlas::needs_spine_4(new) && !Atlas::needs_spine_4(&older), "{older}");
        let again = parse(&older);
        let facts = |atlas: &Atlas| {
            let region = |region: &super::super::Region| {
                (region.name.clone(), region.page, region.corners(), region.whole(), region.index)
            };
            atlas.regions.iter().map(region).collect::<Vec<_>>()
        };
        assert_eq!(facts(&again), facts(&atlas));
        assert!(older.contains(
            "\none.png\nsize: 64,32\nformat: RGBA8888\nfilter: Nearest,Linear\nrepeat: none\na/b\n  rotate: true\n"
        ));
        assert!(older.contains("filter: Linear,Linear\nrepeat: xy\nlast\n  rotate: 270\n"), "{older}");
    }
}
