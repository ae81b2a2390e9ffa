// Prepended, after common.wgsl, to the shaders of crowds that pose themselves. The structs mirror
// src/gpu/shaders/crowd_data.rs; tests/inside/gpu_layout.rs compares them.

// What is the same for all members of a chunk.
struct CrowdGlobals {
    camera: Globals,
    // Half the viewport, in pixels.
    half_viewport: vec2f,
    // A circle around everything that a member can show, in its own space.
    reach_center: vec2f,
    // Seconds: the fraction in units of 2⁻³², then the whole seconds.
    now: vec2u,
    reach_radius: f32,
    member_count: u32,
    bone_count: u32,
    // Pairs of numbers in a pose: three for each bone, then half of one for each part.
    pose_stride: u32,
    // INTERPOLATES, USES_LEVELS.
    flags: u32,
    // A bit for each page that is sampled without filtering.
    nearest_pages: u32,
    // The vertices of the largest draw order.
    vertex_count: u32,
}

// Blends stored frames.
const INTERPOLATES: u32 = 1u;
// Minified parts are sampled from mipmap levels.
const USES_LEVELS: u32 = 2u;

// An animation and how its time passes. Positions are counted in cycles of the animation, in fixed point: the
// fraction in units of 2⁻³², then the whole cycles.
struct Play {
    // Cycles at time 0, as a signed number.
    start: vec2u,
    // Cycles per second in units of 2⁻⁴⁸, as a signed number.
    rate: vec2u,
    animation: u32,
    // LOOP, LOOP_TO_FIRST, ONCE or PING_PONG.
    loop_mode: u32,
}

// Starts again after the last frame, which is held.
const LOOP: u32 = 0u;
// Starts again, and the last frame is blended with the first.
const LOOP_TO_FIRST: u32 = 1u;
const ONCE: u32 = 2u;
const PING_PONG: u32 = 3u;

// A member of the crowd.
struct MemberRecord {
    // `world_from_character`, three columns.
    x_axis: vec2f,
    y_axis: vec2f,
    translation: vec2f,
    // Straight RGBA, 8 bits each, red in the lowest.
    tint: u32,
    // 0 for a place without a member.
    is_present: u32,
    shown: Play,
    // What `shown` replaces while it fades in.
    faded: Play,
    // The time at which `shown` begins to replace `faded`, like `CrowdGlobals.now`.
    fade_start: vec2u,
    // The seconds that this takes; 0 if it is over.
    fade_secs: f32,
    // Its z in the world.
    z: f32,
}

// The frames of an animation.
struct CrowdAnimation {
    first_frame: u32,
    // Not 0 in animations that are shown.
    frame_count: u32,
}

// The draw order of a stored frame: a range of `indices`.
struct CrowdOrder {
    first_index: u32,
    index_count: u32,
}

// A member as it is drawn: an element of vertex buffer 0.
struct Drawn {
    @location(0) x_axis: vec2f,
    @location(1) y_axis: vec2f,
    @location(2) translation: vec2f,
    // As in `MemberRecord`.
    @location(3) tint: u32,
    // The first element of its pose.
    @location(4) pose: u32,
    // Its draw order; no indices if it is not visible.
    @location(5) first_index: u32,
    @location(6) index_count: u32,
    // The number of picture pixels per pixel of the character's own space, by area.
    @location(7) magnification: f32,
    // As in `MemberRecord`.
    @location(8) z: f32,
}

// Two neighbouring stored frames of all animations, and the fraction between them.
struct Instant {
    frame: u32,
    next: u32,
    fraction: f32,
}

const TWO_POW_MINUS_32: f32 = 2.3283064365386963e-10;

// The product of two 32-bit numbers: low and high word.
fn multiplied(a: u32, b: u32) -> vec2u {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let low = a_low * b_low;
    let middle = a_high * b_low + (low >> 16u);
    let other = a_low * b_high + (middle & 0xffffu);
    return vec2u((other << 16u) | (low & 0xffffu), a_high * b_high + (middle >> 16u) + (other >> 16u));
}

fn added(a: vec2u, b: vec2u) -> vec2u {
    let low = a.x + b.x;
    return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn subtracted(a: vec2u, b: vec2u) -> vec2u {
    return vec2u(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// Cycles after `time`, at a rate in units of 2⁻⁴⁸: the product, shifted by 48 bits. `time` is not negative.
fn cycles_after(rate: vec2u, time: vec2u) -> vec2u {
    let low = multiplied(rate.x, time.x);
    let cross_a = multiplied(rate.y, time.x);
    let cross_b = multiplied(rate.x, time.y);
    let high = multiplied(rate.y, time.y);
    // Words 1 to 3 of the product; word 0 is shifted out.
    var words = vec3u(low.y, 0u, 0u);
    var sum = added(vec2u(words.x, 0u), vec2u(cross_a.x, 0u));
    sum = added(sum, vec2u(cross_b.x, 0u));
    words.x = sum.x;
    sum = added(vec2u(sum.y, 0u), vec2u(cross_a.y, 0u));
    sum = added(sum, vec2u(cross_b.y, 0u));
    sum = added(sum, vec2u(high.x, 0u));
    words.y = sum.x;
    words.z = sum.y + high.y;
    if (rate.y & 0x80000000u) != 0u {
        // The words were taken as unsigned.
        let signed = subtracted(words.yz, time);
        words = vec3u(words.x, signed.x, signed.y);
    }
    return vec2u((words.x >> 16u) | (words.y << 16u), (words.y >> 16u) | (words.z << 16u));
}
