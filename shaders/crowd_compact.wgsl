// Copies the visible members to the front, in the same order. One invocation a member.

@group(0) @binding(0) var<uniform> crowd: CrowdGlobals;
@group(0) @binding(4) var<storage, read> drawn: array<Drawn>;
// The place of the first visible member of each workgroup.
@group(0) @binding(5) var<storage, read> counts: array<u32>;
@group(0) @binding(11) var<storage, read_write> compacted: array<Drawn>;

var<workgroup> sums: array<u32, 256>;

@compute @workgroup_size(256)
fn cs_main(
    @builtin(global_invocation_id) global: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3u,
) {
    var own = 0u;
    if global.x < crowd.member_count && drawn[global.x].index_count > 0u {
        own = 1u;
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
    if own == 1u {
        compacted[counts[workgroup.x] + sums[local] - 1u] = drawn[global.x];
    }
}
