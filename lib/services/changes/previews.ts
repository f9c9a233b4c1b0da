import type { z } from 'zod'
import { EditedCampaign } from '#lib/contracts/campaigns/campaign'
import type { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { settleSchedule } from '#lib/domain/calendar/sending-windows'
import type { MessageTemplate } from '#lib/domain/messages/template'
import { AppError } from '#lib/errors'
import { changesOfCampaign } from '#lib/services/changes/differences'
import { checkEdit, type Settings } from '#lib/services/changes/update'
import { forecastsOfEdit } from '#lib/services/forecast/forecasts'

/** What an update of a campaign would do; refused where the update would be. Nothing is written. */
export async function previewUpdate(
  workspaceId: string,
  campaignId: string,
  { playground_discovery_dismissed_at: _, version, ...fields }: z.output<typeof UpdateCampaign.body>,
  now: Date,
) {
  const settings = settleSchedule(fields)
  const edit = await checkEdit(workspaceId, campaignId, settings)
  if (version && version !== edit.before.version)
    throw new AppError('changed_meanwhile', {
      current: EditedCampaign.parse({ ...edit.before, edit_id: null }),
    })
  return previewEdit(edit, settings, new Map(), now)
}

/** `previewUpdate` for an edit that is known to be permitted, with the template texts it adopts. */
export async function previewEdit(
  { before, reached_step }: Awaited<ReturnType<typeof checkEdit>>,
  settings: Settings,
  texts: ReadonlyMap<string, MessageTemplate>,
  now: Date,
) {
  const { workspace_id, campaign_id } = before
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
  const changes = await changesOfCampaign(before, { ...before, ...given }, texts)
  return { changes, ...(await forecastsOfEdit(workspace_id, campaign_id, given, reached_step, now)) }
}
