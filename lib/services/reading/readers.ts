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

/** Tried as processes before a thread has to do. */
const PROCESS_STARTS = 2
/** What V8 may keep; memory beside its heap counts against `memory_mb`, which ends the task before. */
const HEAP_MB = 256
/** Rows come and go by the thousand, and are moved less with more room; a mail is one thing as large as its limit. */
const YOUNG_MB = { mail: 8, files: 16 }
/** A mail that is as large as it may be needs some 290 MB in a reader that has read others. */
const MEMORY_MB = { mail: 340, files: 300 }

type Readers = { mail: Reader<typeof MAIL_TASKS>; files: Reader<typeof FILE_TASKS> }

/**
 * Where strangers' words are read: in processes of their own, with a deadline and a limit of memory, and with a fair
 * share for each owner. Mail keeps one that is warm; files have two, so that one owner's file never holds up another's.
 */
export const readers = (): Readers =>
  processState('readers', () => ({
    mail: makeReader({ size: 1, memory_mb: MEMORY_MB.mail, idle_ms: null, start: starter('mail') }),
    files: makeReader({
      // However many places there are in all: two of these are what one machine has memory for.
      size: 2,
      memory_mb: MEMORY_MB.files,
      idle_ms: 60_000,
      start: starter('files'),
      admit: async (owner) => (await takeSeat(pool(), SHEET_SEATS, owner)).give_back,
    }),
  }))

/** A process runs the sources as they stand; a deployment that brings none of them, or no Node that reads them, a thread. */
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
