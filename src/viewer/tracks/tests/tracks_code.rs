// The code that “Copy as code” copies in `copied_code_plays_the_same`.
{
animator.play_on(0, "idle")?.set_loop_mode(pchr::player::LoopMode::PingPong);
animator.play_on(1, "hop")?.set_weight(0.5).set_additive(true);
animator.queue_on(1, "idle", 0.0)?.set_fade(0.2).set_weight(0.5).set_additive(true);
}
