// Finds what each member shows: its draw order, its pose, and whether it can be seen. One invocation a member.

@group(0) @binding(0) var<uniform> crowd: CrowdGlobals;
@group(0) @binding(1) var<storage, read> members: array<MemberRecord>;
@group(0) @binding(2) var<storage, read> animations: array<CrowdAnimation>;
// One per stored frame.
@group(0) @binding(3) var<storage, read> orders: array<CrowdOrder>;
@group(0) @binding(4) var<storage, read_write> drawn: array<Drawn>;
// The visible members of each workgroup.
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;

var<workgroup> visible: atomic<u32>;

@compute @workgroup_size(256)
fn cs_main(
    @builtin(global_invocation_id) global: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3u,
) {
    if global.x < crowd.member_count {
        let found = placed(global.x);
        drawn[global.x] = found;
        if found.index_count > 0u {
            atomicAdd(&visible, 1u);
        }
    }
    workgroupBarrier();
    if local == 0u {
        counts[workgroup.x] = atomicLoad(&visible);
    }
}

fn placed(index: u32) -> Drawn {
    let member = members[index];
    var found = Drawn(member.x_axis, member.y_axis, member.translation, member.tint, 0u, 0u, 0u, 0.0, member.z);
    if member.is_present == 0u || !is_in_view(member) {
        return found;
    }
    let instant = instant(member.shown);
    let order = orders[instant.frame];
    let row = select(instant.frame, index, (crowd.flags & INTERPOLATES) != 0u);
    found.pose = row * crowd.pose_stride;
    found.first_index = order.first_index;
    found.index_count = order.index_count;
    found.magnification = magnification(member);
    return found;
}

// True if the circle around everything that the member can show is in the view, or nearly.
fn is_in_view(member: MemberRecord) -> bool {
    let a = member.x_axis;
    let b = member.y_axis;
    let center = a * crowd.reach_center.x + b * crowd.reach_center.y + member.translation;
    // The square of the largest scale: the larger eigenvalue of the matrix times its transpose.
    let sum = dot(a, a) + dot(b, b);
    let area = a.x * b.y - a.y * b.x;
    let scale = sqrt(max(0.5 * (sum + sqrt(max(sum * sum - 4.0 * area * area, 0.0))), 0.0));
    let radius = crowd.reach_radius * scale;
    let camera = crowd.camera;
    let offset = center - camera.origin;
    let clip = camera.x_axis * offset.x + camera.y_axis * offset.y + camera.z_axis * member.z + camera.translation;
    // The distance to the four sides of the view, and its slope along the axes of the world.
    let inside = vec4f(clip.w + clip.x, clip.w - clip.x, clip.w + clip.y, clip.w - clip.y);
    let slope_x = vec4f(camera.x_axis.w) + vec4f(camera.x_axis.x, -camera.x_axis.x, camera.x_axis.y, -camera.x_axis.y);
    let slope_y = vec4f(camera.y_axis.w) + vec4f(camera.y_axis.x, -camera.y_axis.x, camera.y_axis.y, -camera.y_axis.y);
    let slope = sqrt(slope_x * slope_x + slope_y * slope_y);
    // A thousandth of the view more, for rounding.
    return all(inside + radius * slope >= -0.001 * abs(vec4f(clip.w)));
}

// The number of picture pixels per pixel of the member's own space, by area, at its origin.
fn magnification(member: MemberRecord) -> f32 {
    let camera = crowd.camera;
    let offset = member.translation - camera.origin;
    let clip = camera.x_axis * offset.x + camera.y_axis * offset.y + camera.z_axis * member.z + camera.translation;
    let projected = clip.xy / clip.w;
    let x_axis = (camera.x_axis.xy - projected * camera.x_axis.w) / clip.w * crowd.half_viewport;
    let y_axis = (camera.y_axis.xy - projected * camera.y_axis.w) / clip.w * crowd.half_viewport;
    let view = x_axis.x * y_axis.y - x_axis.y * y_axis.x;
    let growth = member.x_axis.x * member.y_axis.y - member.x_axis.y * member.y_axis.x;
    return abs(view * growth);
}
