// The code that “Copy as code” copies in `copied_code_plays_the_same`.
{
animator.play_on(0, "idle")?.apply(&"loop=ping-pong".parse()?);
animator.play_on(1, "hop")?.apply(&"weight=0.5,add".parse()?);
animator.queue_on(1, "idle", 0.0)?.apply(&"fade=0.2,weight=0.5,add".parse()?);
}
