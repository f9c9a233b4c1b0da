import type { FileAnswer } from '#lib/contracts/fields'
import { EXPORT_SEATS, seatOrRefusal } from '#lib/services/instance/seats'

/** Whoever takes no part of a file for so long has stopped reading; what it holds is given back. */
const STALLED_MS = 60_000

/**
 * A file that takes a seat of its owner's until it is read, left or forgotten, so that nobody's exports take every
 * connection there is. Throws `rate_limited`.
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
    // What it holds ends with it; an error of that is nobody's any more.
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
      // A file that ends early must not look whole.
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
