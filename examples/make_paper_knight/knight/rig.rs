//! The bones: names, parents, and positions in the bind pose.
//!
//! World pixels, y up, feet on y = 0. Degrees counter-clockwise; a bone points along its own +y,
//! so 0 is up, 180 is down and 270 is to the right, where the knight looks.

use super::shape::{Point, turned};

macro_rules! bones {
    ($($bone:ident $name:literal $parent:ident $at:tt $degrees:literal $z:literal)*) => {
        /// Every bone, parents before children.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u16)]
        pub enum Bone { $($bone),* }

        pub const BONES: &[Joint] = &[
            $(Joint { bone: Bone::$bone, name: $name, parent: Bone::$parent, at: $at, degrees: $degrees, z: $z }),*
        ];
    };
}

/// A bone in the bind pose.
pub struct Joint {
    pub bone: Bone,
    pub name: &'static str,
    /// Its parent; the root is its own.
    pub parent: Bone,
    /// Position in world pixels.
    pub at: Point,
    /// Rotation in world degrees.
    pub degrees: f64,
    pub z: i16,
}

// The far side is `Back`, the near side `Front`: he looks to the right, a little towards us.
bones! {
    Root "root" Root [0.0, 0.0] 0.0 0
    Hips "hips" Root [0.0, 138.0] 0.0 50
    Spine "spine" Hips [0.0, 156.0] 0.0 58
    Chest "chest" Spine [0.0, 188.0] 0.0 60
    Neck "neck" Chest [3.0, 236.0] 0.0 70
    Head "head" Neck [4.0, 250.0] 0.0 90
    Face "face" Head [34.0, 290.0] 0.0 80
    EyesOpen "eyes_open" Face [36.0, 296.0] 0.0 82
    EyesClosed "eyes_closed" Face [36.0, 296.0] 0.0 84
    Visor "visor" Head [3.0, 304.0] -24.0 94
    PlumeRoot "plume_root" Head [-7.0, 350.0] 24.0 10
    PlumeMiddle "plume_middle" PlumeRoot [-22.0, 383.0] 78.0 11
    PlumeTip "plume_tip" PlumeMiddle [-56.0, 390.0] 122.0 12
    PlumeEnd "plume_end" PlumeTip [-83.0, 373.0] 148.0 13
    CapeTop "cape_top" Chest [-6.0, 232.0] 174.0 0
    CapeUpper "cape_upper" CapeTop [-11.0, 184.0] 172.0 1
    CapeMiddle "cape_middle" CapeUpper [-18.0, 136.0] 171.0 2
    CapeLower "cape_lower" CapeMiddle [-26.0, 88.0] 170.0 3
    ArmUpperBack "arm_upper_back" Chest [27.0, 222.0] 202.0 20
    ArmLowerBack "arm_lower_back" ArmUpperBack [44.25, 179.25] 202.0 22
    HandBack "hand_back" ArmLowerBack [60.0, 140.25] 202.0 24
    Shield "shield" ArmLowerBack [54.0, 155.0] 0.0 64
    ShoulderBack "shoulder_back" Chest [27.0, 222.0] 202.0 28
    LegUpperBack "leg_upper_back" Hips [16.0, 134.0] 180.0 30
    LegLowerBack "leg_lower_back" LegUpperBack [16.0, 78.0] 180.0 32
    FootBack "foot_back" LegLowerBack [16.0, 22.0] 270.0 34
    ToeBack "toe_back" FootBack [34.0, 2.0] 270.0 36
    LegUpperFront "leg_upper_front" Hips [-16.0, 134.0] 180.0 40
    LegLowerFront "leg_lower_front" LegUpperFront [-16.0, 78.0] 180.0 42
    FootFront "foot_front" LegLowerFront [-16.0, 22.0] 270.0 44
    ToeFront "toe_front" FootFront [2.0, 2.0] 270.0 46
    Sword "sword" Hips [-10.0, 142.0] 143.0 66
    Scabbard "scabbard" Sword [-10.0, 142.0] 143.0 68
    ArmUpperFront "arm_upper_front" Chest [-28.0, 221.0] 158.0 74
    ArmLowerFront "arm_lower_front" ArmUpperFront [-45.25, 178.25] 158.0 76
    HandFront "hand_front" ArmLowerFront [-61.0, 139.25] 158.0 75
    ShoulderFront "shoulder_front" Chest [-28.0, 221.0] 158.0 78
}

impl Bone {
    pub fn joint(self) -> &'static Joint {
        &BONES[self as usize]
    }

    /// `None` for the root.
    pub fn parent(self) -> Option<Self> {
        let parent = self.joint().parent;
        (parent != self).then_some(parent)
    }

    /// Returns offset and rotation relative to the parent in the bind pose.
    pub fn local(self) -> (Point, f64) {
        let joint = self.joint();
        let Some(parent) = self.parent().map(Self::joint) else { return (joint.at, joint.degrees) };
        let offset = [joint.at[0] - parent.at[0], joint.at[1] - parent.at[1]];
        (turned(offset, -parent.degrees, [0.0, 0.0]), joint.degrees - parent.degrees)
    }
}
