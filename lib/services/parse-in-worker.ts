import { Worker } from 'node:worker_threads'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import type { LeadBatch, LeadColumns, LeadRowsJob } from '#lib/services/lead-rows'
import type { RowCheck, RowCheckJob } from '#lib/services/row-check'
import type { WorkbookPreview } from '#lib/services/spreadsheet-preview'
import type { WorkerReport, WorkerTask } from '#lib/services/spreadsheet-worker'

/** Files read at a time in one process; the next ones wait. Each may take a core and, for xls and ods, a gigabyte. */
const MAX_WORKERS = 2
const WORKER_HEAP_MB = 2_048
/** A file of 25 MiB takes seconds; one that takes this long is made to. */
const SILENCE_MS = 120_000

/** What stands in a file (see previewWorkbook), read without blocking this thread. Throws SpreadsheetError. */
export async function previewInWorker(bytes: Uint8Array, filename: string): Promise<WorkbookPreview> {
  for await (const report of reports({ kind: 'preview', bytes, filename })) {
    if (report.kind === 'preview') return report.preview
  }
  throw new Error('The worker ended without an answer.')
}

/** What an import of one sheet would do (see checkRows), read without blocking this thread. Throws SpreadsheetError. */
export async function checkInWorker(bytes: Uint8Array, job: RowCheckJob): Promise<RowCheck> {
  for await (const report of reports({ kind: 'check', bytes, job })) {
    if (report.kind === 'check') return report.check
  }
  throw new Error('The worker ended without an answer.')
}

/**
 * The rows of one sheet as COPY lines (see leadRows), read without blocking this thread and no faster than they are
 * taken. Leaving the loop ends the work. Throws SpreadsheetError.
 */
export async function* leadRowsInWorker(
  bytes: Uint8Array,
  job: LeadRowsJob,
): AsyncGenerator<LeadBatch, LeadColumns> {
  for await (const report of reports({ kind: 'lead_rows', bytes, job })) {
    if (report.kind === 'batch') yield report.batch
    if (report.kind === 'columns') return report.columns
  }
  throw new Error('The worker ended without an answer.')
}

let running = 0
const waiting: (() => void)[] = []

async function takeSlot(): Promise<void> {
  if (running < MAX_WORKERS) running++
  // The one that ends hands its slot over, so a newcomer cannot slip in between.
  else await new Promise<void>((resolve) => waiting.push(resolve))
}

function giveSlot() {
  const next = waiting.shift()
  if (next) next()
  else running--
}

/** Starts a worker for the task and hands its reports on; asks for another batch when one has been taken. */
async function* reports(task: Exclude<WorkerTask, { kind: 'more' }>): AsyncGenerator<WorkerReport> {
  await takeSlot()
  const worker = new Worker(new URL('./spreadsheet-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
  })
  try {
    const inbox = listen(worker)
    // A copy of its own, because the caller still needs the bytes (a Buffer's slice would be a view of them).
    const bytes = new Uint8Array(task.bytes)
    worker.postMessage({ ...task, bytes }, [bytes.buffer])
    for (;;) {
      const report = await inbox.next()
      if (report.kind === 'failed') throw failure(report)
      yield report
      if (report.kind === 'batch') worker.postMessage({ kind: 'more' } satisfies WorkerTask)
    }
  } finally {
    await worker.terminate()
    giveSlot()
  }
}

function failure(report: Extract<WorkerReport, { kind: 'failed' }>): Error {
  return report.code === null ? new Error(report.message) : new SpreadsheetError(report.code, report.message)
}

/** The worker's messages one by one; its death or its silence is the last of them. */
function listen(worker: Worker): { next: () => Promise<WorkerReport> } {
  const arrived: WorkerReport[] = []
  let wake = () => {}
  const receive = (report: WorkerReport) => {
    arrived.push(report)
    wake()
  }
  const tooMuch = 'The file needs more memory or time than there is. Split it into smaller files.'
  worker.on('message', receive)
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    receive({
      kind: 'failed',
      code: outOfMemory ? 'too_large' : null,
      message: outOfMemory ? tooMuch : error.message,
    })
  })
  worker.on('exit', () =>
    receive({ kind: 'failed', code: null, message: 'The worker ended without an answer.' }),
  )

  async function next(): Promise<WorkerReport> {
    const timer = setTimeout(
      () => receive({ kind: 'failed', code: 'too_large', message: tooMuch }),
      SILENCE_MS,
    )
    try {
      for (;;) {
        const report = arrived.shift()
        if (report) return report
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    } finally {
      clearTimeout(timer)
    }
  }
  return { next }
}
