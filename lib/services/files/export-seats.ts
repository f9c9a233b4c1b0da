import type { FileAnswer } from '#lib/contracts/fields'
import { EXPORT_SEATS, seatOrRefusal } from '#lib/services/instance/seats'

/** An export that nothing reads for this long is abandoned, and its resources are released. */
const STALLED_MS = 60_000

/**
 * A file that occupies one of its owner's export seats until it is read, aborted or abandoned, so that exports cannot take every
 * connection. Throws `rate_limited`.
 */
export async function withExportSeat(
  workspaceId: string,
  answer: FileAnswer,
  stalledMs = STALLED_MS,
): Promise<FileAnswer> {
  const giveBack = await seatOrRefusal(EXPORT_SEATS, workspaceId)
  const parts = answer.parts[Symbol.asyncIterator]()
  let timer: NodeJS.Timeout | undefined
  let isForgotten = false
  const forget = () => {
    isForgotten = true
    void giveBack()
    // Releases what the export holds. Nobody is left to see an error of this.
    parts.return?.().catch(() => undefined)
  }
  const watch = () => {
    timer = setTimeout(forget, stalledMs).unref()
  }
  const end = () => {
    clearTimeout(timer)
    return giveBack()
  }
  watch()
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      clearTimeout(timer)
      // A truncated file must not look complete.
      if (isForgotten) throw new Error('The export timed out because nothing was reading it.')
      try {
        const part = await parts.next()
        if (part.done) await end()
        else watch()
        return part
      } catch (error) {
        await end()
        throw error
      }
    },
    async return() {
      await end()
      await parts.return?.()
      return { done: true, value: undefined }
    },
  }
  return { ...answer, parts: { [Symbol.asyncIterator]: () => iterator } }
}
