import type { PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { inTransaction } from '#lib/db/transaction'
import { AppError } from '#lib/errors'
import { removeAddedColumns } from '#lib/services/enrichment/added-columns'
import { addressesTaken, loadLocks } from '#lib/services/enrichment/batch'
import { holding } from '#lib/services/enrichment/dataset-lock'
import { getSession, sessionView } from '#lib/services/enrichment/sessions'
import { followClocks, lockClockKeepers } from '#lib/services/leads/rows/readdress'

/** Rows per transaction. */
const ROWS = 2_000

type Change = {
  change_id: string
  lead_index: number
  field: string
  old_value: string | null
  new_value: string
  now_value: string | null
  is_gone: boolean
}

/**
 * Restores the cells that a session changed. A cell stays as it is, with a reason, if it was changed since, if its lead is still contacted
 * by a campaign, if its row was removed, or if another row has the old address by now. Each batch is marked as undone, so that a second
 * call continues.
 */
export async function undoDatasetSession(
  workspaceId: string,
  datasetId: string,
  sessionId: string,
  now: Date,
) {
  const session = await getSession(workspaceId, datasetId, sessionId)
  if (session.work === 'import')
    throw new AppError('invalid_state', {
      message: 'An import cannot be undone. Delete the dataset instead.',
    })
  if (session.work === 'personalization')
    throw new AppError('invalid_state', {
      message: 'Personalization changes no cells. Reject the run instead.',
    })
  if (session.status === 'queued' || session.status === 'processing')
    throw new AppError('invalid_state', { message: 'Cancel the session before you undo it.' })
  const outcome = await holding(datasetId, async () => {
    let from = 0
    let restored = 0
    for (;;) {
      const step = await inTransaction(pool(), (client) =>
        undoBatch(client, { workspaceId, datasetId, sessionId, from, now }),
      )
      if (!step) break
      restored += step.restored
      from = step.next
    }
    const named = { session_id: sessionId, dataset_id: datasetId, workspace_id: workspaceId }
    return { restored, columns: await removeAddedColumns(named, now) }
  })
  if (outcome === 'busy') throw new AppError('dataset_busy')
  await pool().query(
    'UPDATE dataset_sessions SET undone_at = coalesce(undone_at, $2) WHERE session_id = $1',
    [sessionId, now],
  )
  const { rows } = await pool().query<{ kept: number }>(
    'SELECT count(*)::int AS kept FROM dataset_cell_changes WHERE session_id = $1 AND undone_at IS NULL',
    [sessionId],
  )
  const after = await getSession(workspaceId, datasetId, sessionId)
  return { session: sessionView(after), ...outcome, kept: rows[0]?.kept ?? 0 }
}

type Step = { workspaceId: string; datasetId: string; sessionId: string; from: number; now: Date }

async function undoBatch(client: PoolClient, { workspaceId, datasetId, sessionId, from, now }: Step) {
  const { rows: changes } = await client.query<Change>(
    `SELECT c.change_id, c.lead_index, c.field, c.old_value, c.new_value, r.data ->> c.field AS now_value, r.data IS NULL AS is_gone
     FROM dataset_cell_changes c LEFT JOIN dataset_rows r USING (dataset_id, lead_index)
     WHERE c.session_id = $1 AND c.undone_at IS NULL AND c.lead_index >= $2 AND c.lead_index < (
       SELECT min(lead_index) + $3 FROM dataset_cell_changes
       WHERE session_id = $1 AND undone_at IS NULL AND lead_index >= $2)
     ORDER BY c.lead_index`,
    [sessionId, from, ROWS],
  )
  const last = changes.at(-1)
  if (!last) return null
  const locks = await loadLocks(client, datasetId, changes[0]?.lead_index ?? 0, last.lead_index + 1)
  const wanted = changes.flatMap(({ field, old_value }) =>
    field === 'email' && old_value !== null ? [old_value] : [],
  )
  const taken = await addressesTaken(client, datasetId, wanted)
  const judged = changes.map((change) => ({
    ...change,
    kept: keptReason(change, locks(change.lead_index), taken),
  }))
  const restored = judged.filter(({ kept }) => kept === null)
  const fields = restored.map(({ field }) => field)
  const keeping = await lockClockKeepers(client, workspaceId, datasetId, fields)
  await restore(client, datasetId, restored)
  const moved = [...new Set(restored.map(({ lead_index }) => lead_index))]
  await followClocks(client, keeping, moved, now)
  await client.query(
    `UPDATE dataset_cell_changes c SET kept_reason = k.reason, undone_at = CASE WHEN k.reason IS NULL THEN $2::timestamptz END
     FROM unnest($1::bigint[], $3::text[]) k (change_id, reason) WHERE c.change_id = k.change_id`,
    [judged.map((one) => one.change_id), now, judged.map(({ kept }) => kept)],
  )
  return { restored: restored.length, next: last.lead_index + 1 }
}

function keptReason(
  change: Change,
  lock: { filled_cells: string | null; email: string | null },
  taken: ReadonlySet<string>,
): string | null {
  if (change.is_gone) return 'row_removed'
  if (change.now_value !== change.new_value) return 'changed_since'
  if (change.field !== 'email') return lock.filled_cells
  const held = lock.email ?? lock.filled_cells
  return held ?? (change.old_value !== null && taken.has(change.old_value) ? 'address_taken' : null)
}

/** A cell that was empty is removed; `email` is also a column of the row. */
async function restore(client: PoolClient, datasetId: string, changes: readonly Change[]): Promise<void> {
  const rows = [...Map.groupBy(changes, (change) => change.lead_index)]
  const patch = (all: readonly Change[]) =>
    Object.fromEntries(all.flatMap((one) => (one.old_value === null ? [] : [[one.field, one.old_value]])))
  const gone = (all: readonly Change[]) => all.flatMap((one) => (one.old_value === null ? [one.field] : []))
  await client.query(
    `UPDATE dataset_rows r SET data = (r.data || p.patch) - ARRAY(SELECT jsonb_array_elements_text(p.gone)),
       email = CASE WHEN p.gone ? 'email' THEN NULL ELSE coalesce(p.patch ->> 'email', r.email) END
     FROM unnest($2::int[], $3::jsonb[], $4::jsonb[]) p (lead_index, patch, gone)
     WHERE r.dataset_id = $1 AND r.lead_index = p.lead_index`,
    [
      datasetId,
      rows.map(([leadIndex]) => leadIndex),
      rows.map(([, all]) => jsonText(patch(all))),
      rows.map(([, all]) => jsonText(gone(all))),
    ],
  )
}
