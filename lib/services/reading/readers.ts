import { existsSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { pool } from '#lib/db/client'
import { processState } from '#lib/process-state'
import { childHost, threadHost } from '#lib/providers/reader/hosts'
import { makeReader, type Reader } from '#lib/providers/reader/pool'
import type { Host } from '#lib/providers/reader/port'
import { SHEET_SEATS, takeSeat } from '#lib/services/instance/seats'
import type { FILE_TASKS } from '#lib/services/reading/file-tasks'
import type { MAIL_TASKS } from '#lib/services/reading/mail-tasks'

/** Failed process starts before a thread is used instead. */
const PROCESS_STARTS = 2
/** V8's heap limit; memory outside the heap counts against `memory_mb`, which ends the task first. */
const HEAP_MB = 256
/** Files create rows by the thousand, and a larger young generation moves them less; a mail is one object as large as its limit. */
const YOUNG_MB = { mail: 8, files: 16 }
/** The largest allowed mail needs about 290 MB in a reader that has read others. */
const MEMORY_MB = { mail: 340, files: 300 }

type Readers = { mail: Reader<typeof MAIL_TASKS>; files: Reader<typeof FILE_TASKS> }

/**
 * Untrusted content is read in separate processes, with a deadline, a memory limit, and a fair share for each owner. Mail has one warm
 * reader; files have two, so that one owner's file never holds up another's.
 */
export const readers = (): Readers =>
  processState('readers', () => ({
    mail: makeReader({ size: 1, memory_mb: MEMORY_MB.mail, idle_ms: null, start: starter('mail') }),
    files: makeReader({
      // Fixed, however many slots there are in all: one machine has memory for two of these.
      size: 2,
      memory_mb: MEMORY_MB.files,
      idle_ms: 60_000,
      start: starter('files'),
      admit: async (owner) => (await takeSeat(pool(), SHEET_SEATS, owner)).give_back,
    }),
  }))

/** A process runs the source files. A deployment without them, or without a Node that runs them, uses a thread. */
function starter(group: keyof Readers): (attempt: number) => Host {
  return (attempt) => {
    const entry = path.join(/* turbopackIgnore: true */ process.cwd(), 'lib/services/reading/main.ts')
    if (attempt < PROCESS_STARTS && process.features.typescript && existsSync(entry))
      return childHost(entry, [group], { heap_mb: HEAP_MB, young_mb: YOUNG_MB[group] })
    const worker = new Worker(new URL('./main.ts', import.meta.url), {
      workerData: { group },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    return threadHost(worker)
  }
}
