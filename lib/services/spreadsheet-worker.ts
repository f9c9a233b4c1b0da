import { parentPort } from 'node:worker_threads'
import { SpreadsheetError, type SpreadsheetErrorCode } from '#lib/providers/spreadsheet/port'
import { type LeadBatch, type LeadColumns, type LeadRowsJob, leadRows } from '#lib/services/lead-rows'
import { checkRows, type RowCheck, type RowCheckJob } from '#lib/services/row-check'
import { previewWorkbook, type WorkbookPreview } from '#lib/services/spreadsheet-preview'

export type WorkerTask =
  | { kind: 'preview'; bytes: Uint8Array; filename: string }
  | { kind: 'check'; bytes: Uint8Array; job: RowCheckJob }
  | { kind: 'lead_rows'; bytes: Uint8Array; job: LeadRowsJob }
  /** The reader has taken a batch and has room for another. */
  | { kind: 'more' }

export type WorkerReport =
  | { kind: 'preview'; preview: WorkbookPreview }
  | { kind: 'check'; check: RowCheck }
  | { kind: 'batch'; batch: LeadBatch }
  | { kind: 'columns'; columns: LeadColumns }
  | { kind: 'failed'; code: SpreadsheetErrorCode | null; message: string }

/** Batches that may be under way before the reader has taken one: one in its hands, one ready. */
const BATCHES_AHEAD = 2

/** One worker does one task and is then ended by parse-in-worker.ts, so nothing of a hostile file outlives it. */
function serve(port: NonNullable<typeof parentPort>) {
  let room = BATCHES_AHEAD
  let onRoom = () => {}
  const report = (message: WorkerReport, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

  port.on('message', async (task: WorkerTask) => {
    if (task.kind === 'more') {
      room++
      return onRoom()
    }
    try {
      if (task.kind === 'preview')
        report({ kind: 'preview', preview: await previewWorkbook(task.bytes, task.filename) })
      else if (task.kind === 'check') report({ kind: 'check', check: await checkRows(task.bytes, task.job) })
      else await sendLeadRows(task.bytes, task.job)
    } catch (error) {
      const code = error instanceof SpreadsheetError ? error.code : null
      report({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) })
    }
  })

  async function sendLeadRows(bytes: Uint8Array, job: LeadRowsJob) {
    const batches = leadRows(bytes, job)
    let next = await batches.next()
    for (; !next.done; next = await batches.next()) {
      while (room === 0) await new Promise<void>((resolve) => (onRoom = resolve))
      room--
      const { rows, rejects } = next.value
      report({ kind: 'batch', batch: next.value }, [rows.buffer, rejects.buffer] as ArrayBuffer[])
    }
    report({ kind: 'columns', columns: next.value })
  }
}

if (parentPort) serve(parentPort)
