// Prepended, after crowd.wgsl, to the shaders that need the position of a member in its animation. They declare
// `crowd` and `animations`.

// How far from a stored frame a position is rounded to it, in units of 2⁻³² frames: a millionth of a frame. Added to
// it is the error of the fixed-point cycles, which grows with the number of frames.
const SNAP: u32 = 4295u;

// The position in cycles → stored frames, in the same way as `player::Clock`.
fn instant(play: Play) -> Instant {
    let animation = animations[play.animation];
    let last = animation.frame_count - 1u;
    let cycles = added(play.start, cycles_after(play.rate, crowd.now));
    var frame = 0u;
    var fraction = 0u;
    if last == 0u {
        return Instant(animation.first_frame, animation.first_frame, 0.0);
    }
    if play.loop_mode == ONCE && cycles.y != 0u {
        // Before the start, or after the end.
        frame = select(last, 0u, (cycles.y & 0x80000000u) != 0u);
    } else {
        var steps = animation.frame_count;
        if play.loop_mode == ONCE {
            steps = last;
        } else if play.loop_mode == PING_PONG {
            steps = 2u * last;
        }
        let position = multiplied(cycles.x, steps);
        frame = position.y;
        fraction = position.x;
        let snap = SNAP + 8u * steps;
        if fraction > 0xffffffffu - snap {
            frame += 1u;
            fraction = 0u;
        } else if fraction < snap {
            fraction = 0u;
        }
        if frame >= steps && play.loop_mode != ONCE {
            frame = 0u;
        }
        if play.loop_mode == PING_PONG && (frame > last || (frame == last && fraction > 0u)) {
            // On its way back.
            frame = steps - frame;
            if fraction > 0u {
                // Without blending, a frame is shown until the one before it is reached.
                frame -= select(0u, 1u, (crowd.flags & INTERPOLATES) != 0u);
                fraction = 0u - fraction;
            }
        }
    }
    if (crowd.flags & INTERPOLATES) == 0u {
        fraction = 0u;
    }
    var next = min(frame + 1u, last);
    if frame == last && play.loop_mode == LOOP_TO_FIRST {
        next = 0u;
    }
    return Instant(
        animation.first_frame + frame, animation.first_frame + next, f32(fraction) * TWO_POW_MINUS_32);
}
