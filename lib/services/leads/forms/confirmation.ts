import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { networkPlaceLabel } from '#lib/domain/text/network-place'
import { AppError, ERRORS } from '#lib/errors'
import { identifyRows } from '#lib/services/leads/people/identify'
import { addLeadsWithin } from '#lib/services/leads/rows/add-leads'
import { addRowsWithin } from '#lib/services/leads/rows/add-rows'
import { lockDataset } from '#lib/services/leads/rows/locked-dataset'

export const digestLink = (token: string) => createHash('sha256').update(token).digest('hex')

const RETRY_MS = 60_000

export type ShownEntry = { email: string; consent_text: string; is_confirmed: boolean }

/**
 * What the confirmation page shows. Reading it changes nothing, since mail scanners open every link. Null:
 * invalid link.
 */
export async function readConfirmation(token: string, now: Date): Promise<ShownEntry | null> {
  const { rows } = await pool().query<ShownEntry>(
    `SELECT email, consent_text, confirmed_at IS NOT NULL AS is_confirmed FROM form_entries
     WHERE digest = $1 AND (confirmed_at IS NOT NULL OR expires_at > $2)`,
    [digestLink(token), now],
  )
  return rows[0] ?? null
}

/**
 * Records a confirmation. A link works once; used again, the page says that the entry is already confirmed.
 * False: invalid link.
 */
export async function confirmEntry(token: string, place: string, now: Date): Promise<boolean> {
  const { rows } = await pool().query<{ form_entry_id: string }>(
    `UPDATE form_entries SET confirmed_at = $2, confirmed_network = $3, add_due_at = $2, mail_due_at = NULL
     WHERE digest = $1 AND confirmed_at IS NULL AND expires_at > $2 RETURNING form_entry_id`,
    [digestLink(token), now, networkPlaceLabel(place)],
  )
  const [entry] = rows
  if (!entry) return (await readConfirmation(token, now)) !== null
  await addEntry(entry.form_entry_id, now)
  return true
}

type Confirmed = {
  form_entry_id: string
  workspace_id: string
  email: string
  cells: Record<string, string>
  form_id: string | null
  dataset_id: string | null
  campaign_id: string | null
}

/**
 * Adds a confirmed entry to the dataset, and to a campaign if the form has one, exactly once; later if the
 * dataset is busy.
 */
export async function addEntry(formEntryId: string, now: Date): Promise<void> {
  try {
    await inTransaction(pool(), (client) => addWithin(client, formEntryId, now))
  } catch (error) {
    const isLater = error instanceof AppError && ERRORS[error.code].status === 409
    if (!isLater) throw error
    await pool().query(
      'UPDATE form_entries SET add_due_at = $2 WHERE form_entry_id = $1 AND add_due_at IS NOT NULL',
      [formEntryId, new Date(now.getTime() + RETRY_MS)],
    )
  }
}

async function addWithin(client: PoolClient, formEntryId: string, now: Date): Promise<void> {
  const { rows } = await client.query<Confirmed>(
    `SELECT e.form_entry_id, e.workspace_id, e.email, e.cells, e.form_id, f.dataset_id, c.campaign_id
     FROM form_entries e LEFT JOIN forms f ON f.form_id = e.form_id AND f.workspace_id = e.workspace_id
     LEFT JOIN campaigns c ON c.campaign_id = f.campaign_id AND c.workspace_id = e.workspace_id AND c.dataset_id = f.dataset_id
     WHERE e.form_entry_id = $1 AND e.add_due_at IS NOT NULL`,
    [formEntryId],
  )
  const [entry] = rows
  if (!entry) return
  // The dataset is locked first; only the transaction holding it looks at the entry.
  if (entry.dataset_id) await lockDataset(client, entry.workspace_id, entry.dataset_id)
  const { rowCount } = await client.query(
    'UPDATE form_entries SET add_due_at = NULL WHERE form_entry_id = $1 AND workspace_id = $2 AND add_due_at IS NOT NULL',
    [formEntryId, entry.workspace_id],
  )
  if (rowCount === 0) return
  const outcome = await bringIn(client, entry, now)
  await client.query('UPDATE form_entries SET outcome = $3 WHERE form_entry_id = $1 AND workspace_id = $2', [
    formEntryId,
    entry.workspace_id,
    outcome,
  ])
}

/** The address was confirmed by its owner, so their own statements override the list. */
async function bringIn(client: PoolClient, entry: Confirmed, now: Date): Promise<string> {
  const { workspace_id, dataset_id, campaign_id, cells, email } = entry
  if (!dataset_id) return 'form_deleted'
  // Placed before the other cells, so that no cell under the same column name replaces the address.
  const given = { rows: [{ email, ...cells }], on_conflict: 'update' as const }
  const done = campaign_id
    ? await addLeadsWithin(client, { workspace_id, campaign_id, dataset_id }, given, now)
    : await addRowsWithin(client, workspace_id, dataset_id, given, now)
  if (done.added + done.updated > 0)
    await identifyRows(client, { workspace_id, dataset_id, which: 'r.email = $3', values: [email] }, null)
  return done.added > 0 ? 'added' : done.updated > 0 ? 'updated' : (done.skipped[0]?.code ?? 'unchanged')
}
