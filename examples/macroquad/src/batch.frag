#version 100
precision highp float;
varying highp vec2 at;
varying highp vec2 uv;
varying lowp vec4 light;
varying lowp vec4 dark;
uniform sampler2D Texture;
// The corners of the clip polygon; -1: everything is visible.
uniform int count;
uniform vec2 corners[64];

void main() {
    // The even-odd rule: a ray to the right crosses the outline an odd number of times.
    bool inside = count < 0;
    for (int i = 0; i < 64; i++) {
        if (i >= count) break;
        vec2 a = corners[i], b = i + 1 < count ? corners[i + 1] : corners[0];
        vec2 low = a.y < b.y ? a : b, high = a.y < b.y ? b : a;
        if (low.y <= at.y && at.y < high.y && at.x < low.x + (at.y - low.y) / (high.y - low.y) * (high.x - low.x)) inside = !inside;
    }
    if (!inside) discard;
    vec4 texel = texture2D(Texture, uv);
    gl_FragColor = vec4(texel.rgb * light.rgb + (texel.a - texel.rgb) * dark.rgb, texel.a * light.a);
}
