//! What the versions of Spine do differently.
//!
//! The rules were measured on files that programs of each version play, as docs/decisions/spine.md describes. Everything
//! else is the same in all versions.

/// The rules of one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rules {
    /// A bone has a rotation and two scales in the world, sums and products of its ancestors', so that nothing is skewed.
    pub adds_rotations: bool,
    /// A bone that inherits only scale is stretched by what animations make of its ancestors, without constraints.
    pub stretches_before_reach: bool,
    /// A bone that inherits no scale below a mirrored one is sheared the other way.
    pub shears_mirrored_oppositely: bool,
    /// Inverse kinematics with a part of its strength turns bones from their rotation to the solution as numbers, even if
    /// the other way round is shorter.
    pub reaches_long_way: bool,
    /// Spacing on a path does not depend on the scale of bones.
    pub spaces_unscaled: bool,
    /// One-bone inverse kinematics takes into account what the bone inherits; otherwise only its matrix does.
    pub points_by_inherit: bool,
    /// Bones at a fixed spacing on a path are spaced by the number itself, whatever their scale and length.
    pub spaces_by_number: bool,
    /// The beginning of a curve of a path is taken a ten-thousandth after it.
    pub begins_curves_late: bool,
    /// Bones that are scaled along a path are spaced by a share of it times their scale.
    pub scales_shares: bool,
    /// Attachments and draw orders are keyed on the way out too, unless they are reset to the rest pose.
    pub keys_on_way_out: bool,
    /// Before its first key, a draw order leaves the order even if it is the first to change it. Otherwise it resets it.
    pub leaves_early_order: bool,
    /// A deformation is applied in full if nothing has deformed the attachment yet, whatever its weight.
    pub deforms_in_full: bool,
    /// A deformation stays if a mesh is replaced by another one with the same timelines.
    pub keeps_shared_deforms: bool,
    /// A deformation with a part of the weight over another one is added once more from its last key on.
    pub deforms_twice_at_end: bool,
    /// A rotation that has not begun leaves what is there while it is mixed.
    pub waits_for_rotation: bool,
    /// An animation with its whole strength is applied as if nothing were below it.
    pub starts_over_when_whole: bool,
    /// What is replaced without a fade starts from the rest pose on every track, not only on the first.
    pub resets_cut_tracks: bool,
    /// An animation can keep the previous one at its full strength.
    pub holds_previous: bool,
    /// What is held starts from the rest pose, even if something is below it.
    pub resets_held: bool,
    /// A held value is released by an animation that does not change it, even if it is of one that began without a fade.
    pub always_releases: bool,
    /// Only an animation that fades in releases held values.
    pub releases_by_fades: bool,
    /// An animation that is being replaced continues to fade in. Otherwise its strength stays.
    pub continues_fades: bool,
    /// Values are held on every track, over others too.
    pub holds_above: bool,
    /// Between weighted animations a held value moves on a straight line.
    pub fades_straight: bool,
    /// When an animation has been replaced, what is held above it stays held.
    pub freezes_holds: bool,
    /// Inheritance and pictures are held like other values.
    pub holds_steps: bool,
    /// A timeline of several values continues from the current ones if any of them was changed before. Without this rule,
    /// all of them must have been changed.
    pub keeps_parts: bool,
    /// Before the first key, a value stays if a track below changes it, and not on every track but the first.
    pub waits_for_lower_tracks: bool,
    /// Only values that can be added are treated as added, also on the first track.
    pub adds_by_value: bool,
    /// Added animations that are being replaced stay until everything has been replaced.
    pub keeps_added: bool,
    /// Which added animations count as being below others.
    pub added_below: AddedBelow,
    /// An animation that is being replaced shows no attachments.
    pub hides_replaced: bool,
    /// An animation that was never shown is dropped only if the same one replaces it.
    pub drops_same_only: bool,
    /// The speed of an animation applies to its fade.
    pub speeds_fades: bool,
    /// A queued animation that should have started before the previous one starts with what it has missed.
    pub starts_late: bool,
    /// When an animation without length, or one that does not repeat, ends for a queue.
    pub queues_after: QueuesAfter,
    /// A mixed rotation that passes its start after whole turns makes one turn more.
    pub turns_on: bool,
    /// Rotations are interpolated and mixed the short way round.
    pub turns_short_way: bool,
    /// A cross-fade over exactly half a turn goes counter-clockwise.
    pub turns_left_by_half: bool,
    /// A scale that is added keeps the sign of the key.
    pub adds_signed_scale: bool,
    /// Positions on a path in pixels are rescaled by its length at rest.
    pub rescales_fixed_positions: bool,
    /// Two-bone inverse kinematics drops the second bone's local y only if the first bone's scales differ;
    /// otherwise also while it may stretch.
    pub stretches_offset_bones: bool,
    /// Two-bone inverse kinematics may stretch both axes.
    pub stretches_two_uniformly: bool,
    /// Two-bone inverse kinematics acts on bones that do not inherit everything.
    pub bends_any_inherit: bool,
    /// Two-bone inverse kinematics keeps the shear of the first bone.
    pub bends_sheared: bool,
    /// A bone that is computed again starts from its pose before constraints, not from what they did to it.
    pub restarts_bones: bool,
    /// Transform constraints scale y only if they also scale x.
    pub needs_scale_x: bool,
    /// Transform constraints between local poses do not scale mirrored bones.
    pub keeps_mirrored_scale: bool,
    /// Transform constraints between local rotations and shears take the short way round.
    pub copies_short_way: bool,
    /// Timelines of sequences have no effect on the way out.
    pub keeps_pictures: bool,
    /// Bones without a length take no space on a path.
    pub packs_short_bones: bool,
    /// The local pose of a bone that constraints have moved in the world is derived in the space that the bone
    /// inherits, not always in the space of its parent.
    pub derives_by_inherit: bool,
    /// Its shear is derived with the opposite sign.
    pub derives_opposite_shear: bool,
    /// The derivation is exact, also for sheared bones.
    pub derives_exactly: bool,
    /// A bone that a transform constraint changes locally is computed again if the constraint also changes an ancestor
    /// of the bone.
    pub follows_parents: bool,
    /// Physics shows what happens between its steps, one step late.
    pub shows_steps_late: bool,
    /// Values of constraints are added, not replaced, by animations that are added.
    pub adds_constraint_values: bool,
}

/// Which added animations count as being below others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddedBelow {
    /// All of them.
    All,
    /// Those that replace nothing.
    Alone,
    /// Those that are not being replaced.
    Current,
}

/// When an animation without length, or one that does not repeat, ends for a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueuesAfter {
    /// After its length, whatever time it has reached.
    Length,
    /// At its present time if it has no length; a queued fade-out begins its own fade earlier.
    Now,
    /// After its length or at its present time, whichever is later.
    Latest,
}

impl Rules {
    pub const V2_1: Self = Self { adds_rotations: true, reaches_long_way: false, ..Self::V3_1 };
    /// Also of 3.0.
    pub const V3_1: Self = Self { stretches_before_reach: true, ..Self::V3_2 };
    pub const V3_2: Self = Self { reaches_long_way: true, ..Self::V3_4 };
    /// Also of 3.3.
    pub const V3_4: Self = Self { spaces_unscaled: true, ..Self::V3_6 };
    pub const V3_5: Self = Self { shears_mirrored_oppositely: true, ..Self::V3_6 };
    pub const V3_6: Self = Self {
        rescales_fixed_positions: false,
        spaces_by_number: true,
        begins_curves_late: true,
        scales_shares: true,
        leaves_early_order: true,
        deforms_in_full: true,
        deforms_twice_at_end: false,
        waits_for_rotation: true,
        starts_over_when_whole: true,
        resets_cut_tracks: true,
        holds_previous: false,
        always_releases: true,
        speeds_fades: true,
        queues_after: QueuesAfter::Length,
        ..Self::V3_7
    };
    pub const V3_7: Self = Self {
        points_by_inherit: false,
        keys_on_way_out: true,
        deforms_twice_at_end: true,
        resets_held: true,
        added_below: AddedBelow::All,
        ..Self::V3_8
    };
    pub const V3_8: Self = Self {
        adds_rotations: false,
        stretches_before_reach: false,
        shears_mirrored_oppositely: false,
        reaches_long_way: false,
        spaces_unscaled: false,
        points_by_inherit: true,
        spaces_by_number: false,
        begins_curves_late: false,
        scales_shares: false,
        keys_on_way_out: false,
        leaves_early_order: false,
        deforms_in_full: false,
        keeps_shared_deforms: false,
        deforms_twice_at_end: false,
        waits_for_rotation: false,
        starts_over_when_whole: false,
        resets_cut_tracks: false,
        holds_previous: true,
        resets_held: false,
        always_releases: false,
        releases_by_fades: false,
        continues_fades: false,
        holds_above: false,
        fades_straight: false,
        freezes_holds: false,
        holds_steps: true,
        keeps_parts: false,
        waits_for_lower_tracks: false,
        adds_by_value: false,
        keeps_added: true,
        added_below: AddedBelow::Alone,
        hides_replaced: false,
        drops_same_only: false,
        speeds_fades: false,
        starts_late: true,
        queues_after: QueuesAfter::Now,
        turns_on: true,
        turns_short_way: true,
        turns_left_by_half: false,
        adds_signed_scale: true,
        rescales_fixed_positions: true,
        stretches_offset_bones: true,
        stretches_two_uniformly: false,
        bends_any_inherit: true,
        bends_sheared: false,
        restarts_bones: true,
        // Without effect, as both axes have one mix.
        needs_scale_x: true,
        copies_short_way: true,
        keeps_mirrored_scale: true,
        keeps_pictures: false,
        derives_by_inherit: false,
        derives_opposite_shear: true,
        derives_exactly: false,
        follows_parents: false,
        shows_steps_late: false,
        adds_constraint_values: false,
        packs_short_bones: true,
    };
    pub const V4_0: Self = Self {
        keeps_shared_deforms: true,
        keeps_added: false,
        added_below: AddedBelow::Current,
        queues_after: QueuesAfter::Latest,
        turns_short_way: false,
        adds_signed_scale: false,
        rescales_fixed_positions: false,
        stretches_offset_bones: false,
        stretches_two_uniformly: true,
        restarts_bones: false,
        keeps_mirrored_scale: false,
        packs_short_bones: false,
        ..Self::V3_8
    };
    pub const V4_1: Self = Self { needs_scale_x: false, ..Self::V4_0 };
    pub const V4_2: Self = Self {
        starts_late: false,
        turns_on: false,
        turns_left_by_half: true,
        bends_any_inherit: false,
        copies_short_way: false,
        keeps_pictures: true,
        derives_by_inherit: true,
        derives_opposite_shear: false,
        ..Self::V4_1
    };
    pub const V4_3: Self = Self {
        holds_previous: false,
        always_releases: true,
        releases_by_fades: true,
        continues_fades: true,
        holds_above: true,
        fades_straight: true,
        freezes_holds: true,
        holds_steps: false,
        keeps_parts: true,
        waits_for_lower_tracks: true,
        adds_by_value: true,
        added_below: AddedBelow::All,
        hides_replaced: true,
        drops_same_only: true,
        bends_sheared: true,
        derives_exactly: true,
        follows_parents: true,
        shows_steps_late: true,
        adds_constraint_values: true,
        ..Self::V4_2
    };
}

impl Default for Rules {
    fn default() -> Self {
        Self::V3_8
    }
}
