// Turns the number of visible members of each workgroup into the place of its first one, and writes the draw call.
// One workgroup.

@group(0) @binding(0) var<uniform> crowd: CrowdGlobals;
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;
// The arguments of an indirect draw: vertices, instances, first vertex, first instance.
@group(0) @binding(10) var<storage, read_write> call: array<u32, 4>;

var<workgroup> sums: array<u32, 256>;

@compute @workgroup_size(256)
fn cs_main(@builtin(local_invocation_index) local: u32) {
    let workgroups = (crowd.member_count + 255u) / 256u;
    var before = 0u;
    for (var first = 0u; first < workgroups; first += 256u) {
        let at = first + local;
        var own = 0u;
        if at < workgroups {
            own = counts[at];
        }
        sums[local] = own;
        workgroupBarrier();
        for (var step = 1u; step < 256u; step *= 2u) {
            var other = 0u;
            if local >= step {
                other = sums[local - step];
            }
            workgroupBarrier();
            sums[local] += other;
            workgroupBarrier();
        }
        if at < workgroups {
            counts[at] = before + sums[local] - own;
        }
        before += sums[255];
        workgroupBarrier();
    }
    if local == 0u {
        call[0] = crowd.vertex_count;
        call[1] = before;
        call[2] = 0u;
        call[3] = 0u;
    }
}
