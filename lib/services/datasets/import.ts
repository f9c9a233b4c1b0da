import type { ClientBase } from 'pg'
import { ColumnMapping } from '#lib/contracts/datasets/uploads'
import { db, pool } from '#lib/db/client'
import { copyLines, DATASET_REJECTS, DATASET_ROWS } from '#lib/db/copy'
import type { UploadedFileModel } from '#lib/db/generated/models'
import { jsonText } from '#lib/db/json-text'
import { inTransaction, withHeldParent } from '#lib/db/transaction'
import { SESSIONS_UNDER_WAY } from '#lib/domain/datasets/session-moves'
import { DatasetProcessRequested } from '#lib/events/catalog'
import { emit } from '#lib/events/client'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { beginImport, completeImport, failImport } from '#lib/services/datasets/session-state'
import { needsEmail } from '#lib/services/datasets/uploads'
import { discardUploaded, openUploaded } from '#lib/services/files/uploads'
import { withCopy } from '#lib/services/files/working-copy'
import { readLeadRows } from '#lib/services/reading/files'
import type { LeadBatch, LeadColumns } from '#lib/services/reading/lead-rows'

/** An import without progress for this long has lost its event or its worker. */
const STALE_MS = 120_000

/** About 50,000 rows, so that a page that polls each second shows progress. Larger is faster: Postgres idles between two statements. */
const BATCHES_PER_COPY = 25

type Outcome = { kept: number; refused: number; columns: object[] }

/**
 * Imports the rows of an uploaded file in one transaction: after a crash there are no rows, and the import starts over from the kept file.
 * Faults of the file end the session as `failed` with the reason; other errors are thrown, and the import is retried. Returns null if there
 * is nothing to do.
 */
export async function importRows(datasetId: string, sessionId: string, now: Date): Promise<Outcome | null> {
  const hasBegun = await beginImport(datasetId, sessionId)
  const upload = await db.upload.findUnique({ where: { dataset_id: datasetId } })
  const session = await db.datasetSession.findUnique({ where: { session_id: sessionId } })
  if (!hasBegun || !upload || !session) return null
  const file = await db.uploadedFile.findUnique({ where: { dataset_id: datasetId } })
  try {
    const incoming = upload.bytes
      ? { filename: upload.filename, parts: [upload.bytes] }
      : file && (await openUploaded(file))
    if (!incoming) throw new SpreadsheetError('damaged', 'The uploaded file is gone. Upload it again.')
    return await withCopy(incoming, (copy) => copyUploadRows({ ...upload, path: copy.path }, session, now))
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error
    await failImport(sessionId, error.message)
    await db.uploadedFile.deleteMany({ where: { dataset_id: datasetId } })
    return null
  } finally {
    await discardIfLetGo(file)
  }
}

/** Discards the file once its row is gone. An import that will be retried still needs it. */
async function discardIfLetGo(file: UploadedFileModel | null): Promise<void> {
  if (!file) return
  const { upload_id } = file
  if (!(await db.uploadedFile.findUnique({ where: { upload_id } }))) await discardUploaded(file)
}

async function copyUploadRows(
  upload: {
    dataset_id: string
    workspace_id: string
    filename: string
    sheet: string
    mapping: unknown
    path: string
  },
  session: { session_id: string; pipeline_type: 'enrichment' | 'personalization' | 'extraction' | null },
  now: Date,
): Promise<Outcome> {
  const { dataset_id, workspace_id, filename, sheet } = upload
  const job = {
    dataset_id,
    workspace_id,
    filename,
    sheet,
    mapping: ColumnMapping.parse(upload.mapping),
    email_required: needsEmail(session.pipeline_type),
  }
  const batches = readLeadRows(upload.path, job)
  try {
    // Read before the transaction, because the reader may queue, and that must not hold a connection.
    const first = await batches.next()
    return await copyBatches(dataset_id, session.session_id, first, batches, now)
  } finally {
    await batches.return([])
  }
}

async function copyBatches(
  dataset_id: string,
  session_id: string,
  first: IteratorResult<LeadBatch, LeadColumns>,
  batches: AsyncGenerator<LeadBatch, LeadColumns>,
  now: Date,
): Promise<Outcome> {
  return inTransaction(pool(), async (client) => {
    // Imports of one dataset run one at a time. An advisory lock leaves the dataset's row free, so that it can be renamed meanwhile.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [dataset_id])
    // Keeps the dataset from being deleted before its rows are committed.
    const held = await client.query('SELECT 1 FROM datasets WHERE dataset_id = $1 FOR KEY SHARE', [
      dataset_id,
    ])
    if (held.rowCount === 0) throw new Error('The dataset was deleted before its rows were imported.')
    await client.query('DELETE FROM dataset_rows WHERE dataset_id = $1', [dataset_id])
    await client.query('DELETE FROM dataset_rejects WHERE dataset_id = $1', [dataset_id])
    const taken = { next: first, kept: 0, refused: 0 }
    while (!taken.next.done) {
      // On another connection, so that the progress is visible before the rows are.
      const shown = showProgress(session_id, taken.kept, taken.refused)
      await Promise.all([copySome(client, batches, taken), shown])
    }
    const { kept, refused } = taken
    const columns = taken.next.value
    await client.query(
      `UPDATE datasets SET row_count = $2, reject_count = $3, columns = $4, updated_at = $5 WHERE dataset_id = $1`,
      [dataset_id, kept, refused, jsonText(columns), now],
    )
    await completeImport(client, session_id, { kept, refused }, now)
    await client.query('DELETE FROM uploads WHERE dataset_id = $1', [dataset_id])
    await client.query('DELETE FROM uploaded_files WHERE dataset_id = $1', [dataset_id])
    return { kept, refused, columns }
  })
}

type Taken = { next: IteratorResult<LeadBatch, LeadColumns>; kept: number; refused: number }

/** Copies several batches in one statement; the next batch is read while Postgres takes the one before. */
async function copySome(
  client: ClientBase,
  batches: AsyncGenerator<LeadBatch, LeadColumns>,
  taken: Taken,
): Promise<void> {
  const rejects: Uint8Array[] = []
  async function* rows() {
    for (let count = 0; count < BATCHES_PER_COPY && !taken.next.done; count++) {
      const batch = taken.next.value
      taken.kept += batch.kept
      taken.refused += batch.refused
      if (batch.refused > 0) rejects.push(batch.rejects)
      if (batch.kept > 0) yield batch.rows
      taken.next = await batches.next()
    }
  }
  await withHeldParent(client, 'dataset_rows', () => copyLines(client, DATASET_ROWS, rows()))
  if (rejects.length > 0) await copyLines(client, DATASET_REJECTS, rejects)
}

async function showProgress(sessionId: string, kept: number, refused: number): Promise<void> {
  await db.datasetSession.updateMany({
    where: { session_id: sessionId, status: 'processing' },
    data: { processed_count: kept + refused, failed_count: refused },
  })
}

/** Requests imports again whose event was lost or whose worker died. Returns how many. */
export async function askForStaleImports(now: Date): Promise<number> {
  const stale = await db.datasetSession.findMany({
    where: {
      work: 'import',
      status: { in: [...SESSIONS_UNDER_WAY] },
      session_updated_at: { lt: new Date(now.getTime() - STALE_MS) },
      dataset: { upload: { isNot: null } },
    },
    take: 100,
  })
  for (const { workspace_id, dataset_id, session_id } of stale)
    await emit(DatasetProcessRequested.create({ workspace_id, dataset_id, session_id }))
  return stale.length
}
