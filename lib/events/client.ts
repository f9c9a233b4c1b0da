import { Inngest, Middleware } from 'inngest'
import { traced, traceparent } from '#lib/tracing'

/** Propagates the trace context with each event. */
class Tracing extends Middleware.BaseMiddleware {
  readonly id = 'tracing'
  override transformSendEvent(given: Middleware.TransformSendEventArgs) {
    const parent = traceparent()
    if (!parent) return given
    const events = given.events.map((event) => ({ ...event, data: { ...event.data, traceparent: parent } }))
    return { ...given, events }
  }
  override wrapFunctionHandler({ ctx, fn, next }: Middleware.WrapFunctionHandlerArgs) {
    const from: unknown = ctx.event.data?.traceparent
    const parent = typeof from === 'string' ? from : undefined
    return traced(`run ${fn.id('')}`, { kind: 'CONSUMER', parent }, next)
  }
}

/** The SDK reads the server's address, and whether calls are signed, from INNGEST_* by itself. */
export const inngest = new Inngest({ id: 'opener', middleware: [Tracing] })

const PATIENCE_MS = 2_000

type Hint = Parameters<typeof inngest.send>[0]

/**
 * Sends a hint, and never fails the caller: whatever an event would start, a bell or the hourly sweep starts too. Returns false
 * if the engine did not accept it in time.
 */
export async function emit(hint: Hint): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, PATIENCE_MS, false)
  try {
    return await Promise.race([
      traced('event', { kind: 'PRODUCER' }, () => inngest.send(hint)).then(
        () => true,
        () => false,
      ),
      promise,
    ])
  } finally {
    clearTimeout(timer)
  }
}
