/** Runs at once, and again only after a pause, however often it is called meanwhile. */
export function spaced(work: () => void, pause_ms: number): () => void {
  let pause: NodeJS.Timeout | undefined
  let isAsked = false
  const go = () => {
    work()
    pause = setTimeout(() => {
      pause = undefined
      if (isAsked) go()
      isAsked = false
    }, pause_ms).unref()
  }
  return () => {
    if (pause) isAsked = true
    else go()
  }
}
