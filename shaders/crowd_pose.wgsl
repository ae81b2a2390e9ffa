// Interpolates the stored frames of each visible member and composes its bones. One invocation a member.

// Where bones and areas come from.
struct CrowdBone {
    // NO_BONE for a root. Parents precede their children.
    parent: u32,
}

// The area of a part in the space of one of its bones, see `draw::mipmaps`. Those of a part follow each other.
struct CrowdShare {
    part: u32,
    // NO_BONE if no bone scales it.
    bone: u32,
    area: f32,
}

struct Sample {
    translation: vec2f,
    scale: vec2f,
    rotation_degrees: f32,
}

@group(0) @binding(0) var<uniform> crowd: CrowdGlobals;
@group(0) @binding(1) var<storage, read> members: array<MemberRecord>;
@group(0) @binding(2) var<storage, read> animations: array<CrowdAnimation>;
@group(0) @binding(4) var<storage, read> drawn: array<Drawn>;
// Five numbers for each bone of each stored frame.
@group(0) @binding(6) var<storage, read> samples: array<f32>;
@group(0) @binding(7) var<storage, read> bones: array<CrowdBone>;
@group(0) @binding(8) var<storage, read> shares: array<CrowdShare>;
// Of each member, `world_from_bone` as three columns for each bone, and then the area of each part.
@group(0) @binding(9) var<storage, read_write> poses: array<vec2f>;

@compute @workgroup_size(64)
fn cs_main(@builtin(global_invocation_id) global: vec3u) {
    if global.x >= crowd.member_count || drawn[global.x].index_count == 0u {
        return;
    }
    let member = members[global.x];
    let base = global.x * crowd.pose_stride;
    let shown = instant(member.shown);
    var weight = 1.0;
    if member.fade_secs > 0.0 {
        let since = subtracted(crowd.now, member.fade_start);
        let secs = f32(i32(since.y)) + f32(since.x) * TWO_POW_MINUS_32;
        weight = clamp(secs / member.fade_secs, 0.0, 1.0);
    }
    if weight < 1.0 {
        let faded = instant(member.faded);
        for (var bone = 0u; bone < crowd.bone_count; bone++) {
            compose(base, bone, blended(interpolated(faded, bone), interpolated(shown, bone), weight));
        }
    } else {
        for (var bone = 0u; bone < crowd.bone_count; bone++) {
            compose(base, bone, interpolated(shown, bone));
        }
    }
    measure(base);
}

fn sample(frame: u32, bone: u32) -> Sample {
    let at = 5u * (frame * crowd.bone_count + bone);
    return Sample(vec2f(samples[at], samples[at + 1u]), vec2f(samples[at + 2u], samples[at + 3u]), samples[at + 4u]);
}

fn interpolated(instant: Instant, bone: u32) -> Sample {
    let here = sample(instant.frame, bone);
    if instant.fraction == 0.0 {
        return here;
    }
    return blended(here, sample(instant.next, bone), instant.fraction);
}

fn blended(a: Sample, b: Sample, t: f32) -> Sample {
    return Sample(
        a.translation + (b.translation - a.translation) * t,
        a.scale + (b.scale - a.scale) * t,
        a.rotation_degrees + shortest_turn(a.rotation_degrees, b.rotation_degrees) * t);
}

// The same as `math::angle::shortest_turn_degrees`.
fn shortest_turn(start: f32, end: f32) -> f32 {
    var turn = end - start;
    if abs(turn) > 540.0 {
        turn -= 360.0 * trunc(turn / 360.0);
    }
    return turn - select(0.0, 360.0 * sign(turn), abs(turn) > 180.0);
}

// Sine and cosine. The functions of WGSL may be off by 2⁻¹¹, half a pixel of a large character.
fn sin_cos(degrees: f32) -> vec2f {
    let quarters = round(degrees / 90.0);
    let x = (degrees - quarters * 90.0) * 0.017453292519943295;
    let x2 = x * x;
    let sin = x + x * x2 * (-1.0 / 6.0 + x2 * (1.0 / 120.0 + x2 * (-1.0 / 5040.0 + x2 * (1.0 / 362880.0))));
    let cos = 1.0 + x2 * (-0.5 + x2 * (1.0 / 24.0 + x2 * (-1.0 / 720.0 + x2 * (1.0 / 40320.0))));
    switch u32(i32(quarters - 4.0 * floor(quarters / 4.0))) & 3u {
        case 0u: {
            return vec2f(sin, cos);
        }
        case 1u: {
            return vec2f(cos, -sin);
        }
        case 2u: {
            return vec2f(-sin, -cos);
        }
        default: {
            return vec2f(-cos, sin);
        }
    }
}

// Writes `world_from_bone`.
fn compose(base: u32, bone: u32, local: Sample) {
    let turn = sin_cos(local.rotation_degrees);
    var x_axis = vec2f(turn.y, turn.x) * local.scale.x;
    var y_axis = vec2f(-turn.x, turn.y) * local.scale.y;
    var translation = local.translation;
    let parent = bones[bone].parent;
    if parent != NO_BONE {
        let above = base + 3u * parent;
        let parent_x = poses[above];
        let parent_y = poses[above + 1u];
        x_axis = parent_x * x_axis.x + parent_y * x_axis.y;
        y_axis = parent_x * y_axis.x + parent_y * y_axis.y;
        translation = parent_x * translation.x + parent_y * translation.y + poses[above + 2u];
    }
    let at = base + 3u * bone;
    poses[at] = x_axis;
    poses[at + 1u] = y_axis;
    poses[at + 2u] = translation;
}

// Writes the areas of the parts, two in each element.
fn measure(base: u32) {
    let first = base + 3u * crowd.bone_count;
    let count = arrayLength(&shares);
    var part = 0u;
    var area = 0.0;
    for (var i = 0u; i < count; i++) {
        let share = shares[i];
        if share.part != part {
            write_area(first, part, area);
            part = share.part;
            area = 0.0;
        }
        var growth = 1.0;
        if share.bone != NO_BONE {
            let at = base + 3u * share.bone;
            let x_axis = poses[at];
            let y_axis = poses[at + 1u];
            growth = abs(x_axis.x * y_axis.y - x_axis.y * y_axis.x);
        }
        area += share.area * growth;
    }
    write_area(first, part, area);
}

fn write_area(first: u32, part: u32, area: f32) {
    let at = first + part / 2u;
    if part % 2u == 0u {
        poses[at].x = area;
    } else {
        poses[at].y = area;
    }
}
