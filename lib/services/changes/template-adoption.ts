import { pool } from '#lib/db/client'
import { mayTakeTexts } from '#lib/domain/campaigns/campaign-status'
import type { MessageTemplate } from '#lib/domain/messages/template'
import { AppError, invalid } from '#lib/errors'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { namedTemplates } from '#lib/services/changes/differences'
import { previewEdit } from '#lib/services/changes/previews'
import { applyEdit, reachedStep } from '#lib/services/changes/update'
import { textBlocks } from '#lib/services/messages/step-texts'

/** Makes a launched campaign adopt the current texts of its templates; a running one need not be paused. */
export async function adoptTemplates(
  workspaceId: string,
  campaignId: string,
  templateIds: string[] | null | undefined,
  now: Date,
) {
  const edit = await planAdoption(workspaceId, campaignId, templateIds)
  const preview = await previewEdit(edit, {}, edit.texts, now)
  if (edit.texts.size === 0) return { ...preview, edit_id: null }
  const { edit_id } = await applyEdit(edit.before, { ...edit, settings: {} }, now)
  return { ...preview, edit_id }
}

export async function previewAdoption(
  workspaceId: string,
  campaignId: string,
  templateIds: string[] | null | undefined,
  now: Date,
) {
  const edit = await planAdoption(workspaceId, campaignId, templateIds)
  return previewEdit(edit, {}, edit.texts, now)
}

/** The texts to adopt: those of these templates, or of all, that differ from what the campaign has stored. */
async function planAdoption(
  workspaceId: string,
  campaignId: string,
  templateIds: string[] | null | undefined,
) {
  const before = await getCampaign(workspaceId, campaignId)
  if (!mayTakeTexts(before.status))
    throw new AppError('campaign_not_editable', {
      message:
        before.status === 'completed'
          ? 'The campaign has ended, so its texts cannot change.'
          : 'A campaign that is not launched always uses the current templates.',
    })
  const named = new Set(namedTemplates(before))
  const place = templateIds?.findIndex((id) => !named.has(id)) ?? -1
  if (place >= 0)
    throw invalid(
      ['body', 'template_ids', `${place}`],
      'is not a template of this campaign',
      'unknown_reference',
    )
  const { rows } = await pool().query<{ template_id: string; content: MessageTemplate }>(
    `SELECT t.template_id, t.content FROM campaign_texts k JOIN usable_templates t USING (template_id)
     WHERE k.campaign_id = $2 AND t.workspace_id = $1 AND k.workspace_id = $1 AND k.content <> t.content
       AND ($3::uuid[] IS NULL OR t.template_id = ANY ($3))`,
    [workspaceId, campaignId, templateIds ?? null],
  )
  const texts = new Map(rows.map(({ template_id, content }) => [template_id, content]))
  const problems = texts.size > 0 ? await textBlocks(before, texts) : []
  if (problems.length > 0)
    throw new AppError('launch_blocked', { message: problems.map(({ message }) => message).join(' ') })
  return { before, changed: [], reached_step: await reachedStep(campaignId), texts }
}
