//! A character on a stage: one table `[[character]]` of a scene.

use super::command_line::Arguments;
use super::parts::{AttachmentSpec, BoneSpec};
use super::table::options;
use super::track::TrackSpec;
use super::values;
use crate::math::{Affine2, Vec2, vec2};
use crate::model::Tint;

options! {
    /// A character on a stage, what it shows and where it stands.
    pub struct StagedCharacter {
        /// Its file
        #[arg(long, value_name = "FILE", default_value = "")]
        pub file: String,
        /// Its animation, by name or #index [default: `idle`, else the first that moves]
        #[arg(long, value_name = "NAME")]
        pub animation: Option<String>,
        /// The position of its animation in the first frame of the stage
        #[arg(long, value_name = "SECONDS", value_parser = values::seconds, default_value = "0", allow_hyphen_values = true)]
        pub start: f64,
        /// Animation on a track, as with --track
        #[arg(long = "track", value_name = "N=NAME@SECONDS")]
        pub tracks: Vec<TrackSpec>,
        /// Skin, as with --skin
        #[arg(long = "skin", value_name = "NAME")]
        pub skins: Vec<String>,
        /// Bone that is placed before constraints, as with --bone
        #[arg(long = "bone", value_name = "NAME=X,Y")]
        pub bones: Vec<BoneSpec>,
        /// Attachment of a slot, as with --attach
        #[arg(long = "attach", value_name = "SLOT=NAME")]
        pub attachments: Vec<AttachmentSpec>,
        /// Whether its physics is simulated, as with --physics
        #[arg(long, value_name = "on|off", value_parser = values::switch())]
        pub physics: Option<bool>,
        /// The place of its origin on the stage, in pixels, y up [default: in a row beside others without a position]
        #[arg(long, value_name = "X,Y", value_parser = values::point, allow_hyphen_values = true)]
        pub position: Option<Vec2>,
        /// Scale factor
        #[arg(long, value_name = "X", value_parser = values::factor, default_value = "1")]
        pub scale: f32 = 1.0,
        /// Swaps left and right
        #[arg(long)]
        pub flip_x: bool,
        /// Swaps top and bottom
        #[arg(long)]
        pub flip_y: bool,
        /// Those with higher numbers are in front; of equal numbers, later tables are
        #[arg(long, value_name = "N", value_parser = values::whole, default_value = "0", allow_hyphen_values = true)]
        pub order: i32,
        /// Colour that all of it is multiplied by, with its opacity
        #[arg(long, value_name = "COLOUR", value_parser = values::tint, default_value = "#ffffff")]
        pub tint: [u8; 4] = [255; 4],
    }
}

impl StagedCharacter {
    /// Puts the character of a file on the stage.
    pub fn new(file: String) -> Self {
        Self { file, ..Self::default() }
    }

    /// Returns its scale, negative where it is flipped.
    pub fn scales(&self) -> Vec2 {
        let side = |is_flipped: bool| if is_flipped { -self.scale } else { self.scale };
        vec2(side(self.flip_x), side(self.flip_y))
    }

    /// Returns its place on the stage, if its origin is at `position`.
    pub fn placed_at(&self, position: Vec2) -> Affine2 {
        Affine2::from_scale_angle_translation(self.scales(), 0.0, position)
    }

    /// Returns the tint.
    pub fn whole_tint(&self) -> Tint {
        Tint { light: self.tint.map(|channel| f32::from(channel) / 255.0), dark: None }
    }

    /// Returns its keys and values in a scene.
    pub fn values(&self) -> Vec<(&'static str, Vec<String>)> {
        let mut args = Arguments::default();
        args.all(self);
        args.values()
    }
}
