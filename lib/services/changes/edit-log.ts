import { z } from 'zod'
import { CampaignChange } from '#lib/contracts/campaigns/edit-preview'
import type { PrismaClient } from '#lib/db/generated/client'
import type { CampaignEditModel } from '#lib/db/generated/models'
import { storableJson } from '#lib/db/json'
import type { MessageTemplate } from '#lib/domain/messages/template'
import { AppError } from '#lib/errors'
import { StoredText } from '#lib/services/messages/stored'

export type Tx = Pick<
  PrismaClient,
  '$executeRawUnsafe' | '$queryRaw' | '$queryRawUnsafe' | 'campaignEdit' | 'campaignText'
>

/** One side of an edit: only what differs. */
const Side = z.object({
  settings: z.record(z.string(), z.unknown()),
  texts: z.record(z.string(), StoredText),
})
export type Side = z.output<typeof Side>

/** The JSON of an edit's row. */
const Edit = z.object({ before: Side, after: Side, changes: z.array(CampaignChange) })
export type EditRow = Omit<CampaignEditModel, 'before' | 'after' | 'changes'> & z.output<typeof Edit>

export const readEdit = (row: CampaignEditModel): EditRow => ({ ...row, ...Edit.parse(row) })

/** The template texts that a launched campaign has stored. */
export async function keptTexts(tx: Tx, campaignId: string): Promise<Map<string, MessageTemplate>> {
  const rows = await tx.campaignText.findMany({ where: { campaign_id: campaignId } })
  return new Map(rows.map(({ template_id, content }) => [template_id, StoredText.parse(content)]))
}

/** Replaces the template texts that the campaign has stored. */
export async function takeTexts(
  tx: Tx,
  { campaign_id, workspace_id }: { campaign_id: string; workspace_id: string },
  texts: ReadonlyMap<string, MessageTemplate>,
  now: Date,
): Promise<void> {
  for (const [template_id, content] of texts)
    await tx.campaignText.updateMany({
      where: { campaign_id, workspace_id, template_id },
      data: { content, kept_at: now },
    })
}

/** Formats an instant the same in every session time zone. */
const instant = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A lead's position, as far as an edit may move it. */
const PLACE = (lead: string) => `jsonb_build_object('status', ${lead}.status, 'next_step', ${lead}.next_step,
  'next_action_at', ${instant(`${lead}.next_action_at`)}, 'next_action_type', ${lead}.next_action_type,
  'next_sender_id', ${lead}.next_sender_id, 'mailbox_id', ${lead}.mailbox_id,
  'connected_account_id', ${lead}.connected_account_id, 'social_provider_id', ${lead}.social_provider_id,
  'social_profile', ${lead}.social_profile, 'social_problem', ${lead}.social_problem,
  'last_event', ${lead}.last_event, 'last_event_at', ${instant(`${lead}.last_event_at`)}, 'reason', ${lead}.reason,
  'reason_detail', ${lead}.reason_detail)`

/** Inserts the row of an edit, with the position of each lead if the edit may move any. */
export async function openEdit(
  tx: Tx,
  { campaign_id, workspace_id }: { campaign_id: string; workspace_id: string },
  mayMove: boolean,
  now: Date,
): Promise<string> {
  const row = { campaign_id, workspace_id, at: now, before: {}, after: {}, changes: [] }
  const { edit_id } = await tx.campaignEdit.create({ data: row })
  if (!mayMove) return edit_id
  await tx.$executeRawUnsafe(
    `INSERT INTO campaign_edit_leads (edit_id, campaign_lead_id, workspace_id, before, after)
     SELECT $1::uuid, l.campaign_lead_id, l.workspace_id, ${PLACE('l')}, 'null' FROM campaign_leads l
     WHERE l.campaign_id = $2::uuid AND l.status IN ('pending', 'active', 'completed')`,
    edit_id,
    campaign_id,
  )
  return edit_id
}

/** Completes an edit's row once everything is written: only the leads that it moved are kept. */
export async function closeEdit(
  tx: Tx,
  editId: string,
  { before, after, changes }: Pick<EditRow, 'before' | 'after' | 'changes'>,
): Promise<void> {
  await tx.$executeRawUnsafe(
    `DELETE FROM campaign_edit_leads e USING campaign_leads l
     WHERE e.edit_id = $1::uuid AND l.campaign_lead_id = e.campaign_lead_id AND e.before = ${PLACE('l')}`,
    editId,
  )
  await tx.$executeRawUnsafe(
    `UPDATE campaign_edit_leads e SET after = ${PLACE('l')} FROM campaign_leads l
     WHERE e.edit_id = $1::uuid AND l.campaign_lead_id = e.campaign_lead_id`,
    editId,
  )
  await tx.campaignEdit.update({
    where: { edit_id: editId },
    data: { before: storableJson(before), after: storableJson(after), changes: storableJson(changes) },
  })
}

/** Leads that an edit moved and nothing has moved since. */
export async function unmovedSince(tx: Tx, editId: string): Promise<string[]> {
  const sql = `SELECT e.campaign_lead_id FROM campaign_edit_leads e JOIN campaign_leads l USING (campaign_lead_id)
    WHERE e.edit_id = $1::uuid AND e.after = ${PLACE('l')} FOR NO KEY UPDATE OF l`
  const rows = await tx.$queryRawUnsafe<{ campaign_lead_id: string }[]>(sql, editId)
  return rows.map(({ campaign_lead_id }) => campaign_lead_id)
}

/** Marks an edit as undone; of two concurrent undos one is refused. */
export async function closeUndone(tx: Tx, editId: string, now: Date): Promise<void> {
  const { count } = await tx.campaignEdit.updateMany({
    where: { edit_id: editId, undone_at: null },
    data: { undone_at: now },
  })
  if (count === 0) throw new AppError('edit_undone')
}
