import { Inngest } from 'inngest'

/** Where its server is, and whether calls are signed, the SDK reads from INNGEST_* by itself. */
export const inngest = new Inngest({ id: 'opener' })

const PATIENCE_MS = 2_000

type Hint = Parameters<typeof inngest.send>[0]

/**
 * Sends a hint, and never fails the caller: what an event would start, a bell or the sweep of the hour starts too.
 * Answers false where the engine did not take it in time.
 */
export async function emit(hint: Hint): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, PATIENCE_MS, false)
  try {
    return await Promise.race([
      inngest.send(hint).then(
        () => true,
        () => false,
      ),
      promise,
    ])
  } finally {
    clearTimeout(timer)
  }
}
