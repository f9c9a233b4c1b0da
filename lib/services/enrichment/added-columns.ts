import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { UndoneColumn } from '#lib/contracts/enrichment/dataset-sessions'
import { Form } from '#lib/contracts/leads/forms'
import { db, pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import type { Statements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { mergeFields } from '#lib/domain/messages/template'
import { typedCampaign } from '#lib/services/campaigns/campaigns'
import { FIELD_NAMES } from '#lib/services/enrichment/field-names'
import { loadStepTexts } from '#lib/services/messages/step-texts'

type Session = { session_id: string; dataset_id: string; workspace_id: string }
type Column = { key: string; name: string; added_by?: string }

/** Adds columns for new fields, after those of the file; each records the session that added it. */
export async function addColumns(
  client: Statements,
  { dataset_id, session_id }: Pick<Session, 'dataset_id' | 'session_id'>,
  fields: readonly string[],
): Promise<void> {
  const columns = fields.map((key): Column => ({ key, name: FIELD_NAMES[key] ?? key, added_by: session_id }))
  await client.query(
    `UPDATE datasets SET columns = columns || (
       SELECT coalesce(jsonb_agg(c), '[]') FROM jsonb_array_elements($2::jsonb) c
       WHERE NOT EXISTS (SELECT 1 FROM jsonb_array_elements(columns) known WHERE known ->> 'key' = c ->> 'key'))
     WHERE dataset_id = $1 AND EXISTS (
       SELECT 1 FROM jsonb_array_elements($2::jsonb) c
       WHERE NOT EXISTS (SELECT 1 FROM jsonb_array_elements(columns) known WHERE known ->> 'key' = c ->> 'key'))`,
    [dataset_id, jsonText(columns)],
  )
}

/** Removes the columns that an undone session added, except those with a filled cell and those that a step or form uses. */
export async function removeAddedColumns(session: Session, now: Date): Promise<UndoneColumn[]> {
  const { session_id, dataset_id, workspace_id } = session
  const used = await usedColumns(session)
  return inTransaction(pool(), async (client) => {
    const { rows } = await client.query<{ columns: Column[] }>(
      'SELECT columns FROM datasets WHERE dataset_id = $1 AND workspace_id = $2 FOR NO KEY UPDATE',
      [dataset_id, workspace_id],
    )
    const columns = rows[0]?.columns ?? []
    const added = columns.filter(({ added_by }) => added_by === session_id)
    if (added.length === 0) return []
    const filled = await filledColumns(
      client,
      session,
      added.map(({ key }) => key),
    )
    const judged = added.map(({ key, name }): UndoneColumn => {
      const kept_reason = filled.has(key) ? 'filled' : (used.get(key) ?? null)
      return { key, name, kept_reason }
    })
    const gone = new Set(judged.flatMap(({ key, kept_reason }) => (kept_reason === null ? [key] : [])))
    if (gone.size > 0)
      await client.query('UPDATE datasets SET columns = $2::jsonb, updated_at = $3 WHERE dataset_id = $1', [
        dataset_id,
        jsonText(columns.filter(({ key }) => !gone.has(key))),
        now,
      ])
    return judged
  })
}

/** Must run after the dataset is locked, so that it sees every earlier write. */
async function filledColumns(
  client: Statements,
  { dataset_id, workspace_id }: Session,
  keys: string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT k.key FROM unnest($3::text[]) k (key) WHERE EXISTS (
       SELECT 1 FROM dataset_rows r WHERE r.dataset_id = $1 AND r.workspace_id = $2 AND r.data ->> k.key <> '')`,
    [dataset_id, workspace_id, keys],
  )
  return new Set(rows.map(({ key }) => key))
}

/** The columns used by forms of the dataset, and by texts or files of campaign steps. */
async function usedColumns({ dataset_id, workspace_id }: Session) {
  const used = new Map<string, 'used_by_step' | 'used_by_form'>()
  const where = { dataset_id, workspace_id }
  for (const { fields } of await db.form.findMany({ where, select: { fields: true } }))
    for (const { column } of Form.shape.fields.parse(fields)) used.set(column, 'used_by_form')
  for (const campaign of await db.campaign.findMany({ where }))
    for (const column of await columnsOfSteps(typedCampaign(campaign))) used.set(column, 'used_by_step')
  return used
}

async function columnsOfSteps(
  campaign: Pick<Campaign, 'campaign_id' | 'workspace_id' | 'steps_config'>,
): Promise<string[]> {
  const texts = await loadStepTexts(campaign)
  return texts.flatMap(({ text }) =>
    text === null ? [] : [...mergeFields(text).map(({ name }) => name), text.lead_files?.column ?? ''],
  )
}
