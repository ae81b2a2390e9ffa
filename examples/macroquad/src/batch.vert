#version 100
precision highp float;
attribute vec3 position;
attribute vec2 texcoord;
attribute vec4 color0;
attribute vec4 normal;
uniform mat4 Model;
uniform mat4 Projection;
varying highp vec2 at;
varying highp vec2 uv;
varying lowp vec4 light;
varying lowp vec4 dark;

void main() {
    gl_Position = Projection * Model * vec4(position, 1.0);
    at = position.xy;
    uv = texcoord;
    light = color0 / 255.0;
    dark = normal;
}
