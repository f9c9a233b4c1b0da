import type { z } from 'zod'
import type { ListCampaignEdits } from '#lib/contracts/campaigns/campaign-edits'
import { db, pool } from '#lib/db/client'
import { storableJson } from '#lib/db/json'
import { rowsOfPage } from '#lib/db/page'
import { UNSEEN_FIELDS } from '#lib/domain/campaigns/campaign-changes'
import { changedSteps, editScope, mayTakeTexts } from '#lib/domain/campaigns/campaign-status'
import { AppError } from '#lib/errors'
import { getCampaign, isSame } from '#lib/services/campaigns/campaigns'
import { type EditRow, readEdit } from '#lib/services/changes/edit-log'
import { previewEdit } from '#lib/services/changes/previews'
import { applyEdit, checkEdit, reachedStep, type Settings } from '#lib/services/changes/update'
import { campaignTexts } from '#lib/services/messages/campaign-texts'

type Campaign = Awaited<ReturnType<typeof getCampaign>>

/** What of a campaign's sequence may be edited: `locked` says why nothing may; steps up to `reached_step` are fixed. */
export async function editLimits(workspaceId: string, campaignId: string) {
  const { status } = await getCampaign(workspaceId, campaignId)
  const locked =
    editScope(status) === 'none'
      ? status === 'completed'
        ? 'The campaign has ended, so its steps cannot change.'
        : 'While the campaign runs, leads could get the wrong step. Sent messages do not change.'
      : null
  return { locked, reached_step: await reachedStep(campaignId) }
}

/** The edits of a campaign since it was launched, newest first, and which of them can be undone. */
export async function listCampaignEdits(
  workspaceId: string,
  campaignId: string,
  { page, page_size }: z.output<typeof ListCampaignEdits.query>,
) {
  const campaign = await getCampaign(workspaceId, campaignId)
  const where = { campaign_id: campaignId, workspace_id: workspaceId }
  const [rows, total] = await Promise.all([
    db.campaignEdit.findMany({
      where,
      orderBy: [{ at: 'desc' }, { edit_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.campaignEdit.count({ where }),
  ])
  const items = await Promise.all(
    rows.map(readEdit).map(async (edit) => {
      const stands = await undoObstacle(campaign, edit)
      const { edit_id, at, changes, undone_at } = edit
      return { edit_id, at, changes, undone_at, may_undo: stands === null, why_not: stands?.message ?? null }
    }),
  )
  return { items, total, page, page_size }
}

/** Reverts an edit and the leads that it moved; refused once anything was sent because of it. */
export async function undoCampaignEdit(workspaceId: string, campaignId: string, editId: string, now: Date) {
  const { edit, checked, settings, texts } = await planUndo(workspaceId, campaignId, editId)
  // Checked again in the transaction: something may be sent between the decision and the write.
  const check = async (tx: Pick<typeof db, 'action'>) => {
    if (await wasSentBy(checked.before, edit, tx)) throw new AppError('edit_sent')
  }
  return applyEdit(checked.before, { ...checked, settings, texts, undoes: edit.edit_id, check }, now)
}

export async function previewUndo(workspaceId: string, campaignId: string, editId: string, now: Date) {
  const { checked, settings, texts } = await planUndo(workspaceId, campaignId, editId)
  return previewEdit(checked, settings, texts, now)
}

/** Expresses an undo as an edit. */
async function planUndo(workspaceId: string, campaignId: string, editId: string) {
  const campaign = await getCampaign(workspaceId, campaignId)
  const row = await db.campaignEdit.findFirst({
    where: { edit_id: editId, campaign_id: campaignId, workspace_id: workspaceId },
  })
  if (!row) throw new AppError('edit_not_found')
  const edit = readEdit(row)
  const stands = await undoObstacle(campaign, edit)
  if (stands) throw stands
  const settings = toSettings(edit.before.settings)
  const checked = await checkEdit(workspaceId, campaignId, settings)
  return { edit, checked, settings, texts: new Map(Object.entries(edit.before.texts)) }
}

/** Settings as read from JSON, with their instants as dates again. */
const toSettings = ({ start_date, ...rest }: Record<string, unknown>): Settings => ({
  ...rest,
  ...(start_date === undefined
    ? {}
    : { start_date: start_date === null ? null : new Date(String(start_date)) }),
})

/** Why an edit cannot be undone; null if it can. */
async function undoObstacle(campaign: Campaign, edit: EditRow): Promise<AppError | null> {
  if (edit.undone_at) return new AppError('edit_undone')
  const settings: Record<string, unknown> = campaign
  const current = await campaignTexts(pool(), campaign, Object.keys(edit.after.texts))
  const isOvertaken =
    Object.entries(edit.after.settings).some(
      ([key, value]) => !isSame(value, storableJson(settings[key] ?? null)),
    ) || Object.entries(edit.after.texts).some(([id, text]) => !isSame(text, current.get(id)))
  if (isOvertaken) return new AppError('edit_overtaken')
  if (await wasSentBy(campaign, edit)) return new AppError('edit_sent')
  const isPermitted =
    Object.keys(edit.before.settings).length > 0
      ? editScope(campaign.status) === 'unreached'
      : mayTakeTexts(campaign.status)
  return isPermitted
    ? null
    : new AppError('campaign_not_editable', {
        message:
          campaign.status === 'completed' || campaign.status === 'failed'
            ? `A ${campaign.status} campaign cannot be changed.`
            : 'Pause the campaign first, then undo the edit.',
      })
}

/** Whether anything was sent since that the edit influenced. Sends of steps that it did not change do not count. */
async function wasSentBy(
  { campaign_id, workspace_id, steps_config }: Campaign,
  edit: EditRow,
  tx: Pick<typeof db, 'action'> = db,
): Promise<boolean> {
  const steps = stepsConcerned(steps_config, edit)
  const sent = await tx.action.findFirst({
    where: {
      campaign_id,
      workspace_id,
      status: { in: ['sending', 'sent', 'uncertain'] },
      ...(steps ? { step: { in: steps } } : {}),
      OR: [{ performed_at: { gte: edit.at } }, { recorded_at: { gte: edit.at } }],
    },
    select: { action_id: true },
  })
  return sent !== null
}

/** The steps that an edit changed; null if it concerns all of them. */
function stepsConcerned(steps: Campaign['steps_config'], { before, after }: EditRow): number[] | null {
  const fields = Object.keys(after.settings).filter((field) => !UNSEEN_FIELDS.has(field))
  if (fields.some((field) => field !== 'steps_config')) return null
  const list = (of: unknown) => (Array.isArray(of) ? of : [])
  const edited = changedSteps(list(before.settings.steps_config), list(after.settings.steps_config))
  const said = Object.keys(after.texts)
  const named = steps.filter(({ variants }) =>
    variants.some(({ template_id }) => template_id && said.includes(template_id)),
  )
  return [...new Set([...edited, ...named.map(({ step }) => step)])]
}
