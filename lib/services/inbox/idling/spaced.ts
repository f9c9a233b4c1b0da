/** Does it at once, and then after a pause at the earliest, however often it is asked meanwhile. */
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
