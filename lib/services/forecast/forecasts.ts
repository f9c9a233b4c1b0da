import type { z } from 'zod'
import type { CreateCampaign } from '#lib/contracts/campaigns/campaigns'
import type { ForecastCampaign, ForecastDraft, ForecastEdit } from '#lib/contracts/campaigns/forecasts'
import { db, pool } from '#lib/db/client'
import { settleSchedule } from '#lib/domain/calendar/sending-windows'
import { type CampaignStatus, editsNextStep, hasLaunched } from '#lib/domain/campaigns/campaign-status'
import { asPerformed } from '#lib/domain/campaigns/campaign-type'
import type { SkipEmails } from '#lib/domain/campaigns/skip-emails'
import { type Forecast, forecastActions } from '#lib/domain/forecast/forecast'
import { AppError } from '#lib/errors'
import { typedCampaign } from '#lib/services/campaigns/campaigns'
import { checkHolidays, nextHolidays } from '#lib/services/campaigns/days/holidays'
import { forecastBeforeLaunch } from '#lib/services/forecast/before-launch'
import { forecastFromState, playFromState } from '#lib/services/forecast/beside'
import { forecastable } from '#lib/services/forecast/campaign'
import { heldRowsElsewhere } from '#lib/services/forecast/contact-held'
import { applyEditToInput } from '#lib/services/forecast/edited'
import { type Forecastable, inputFromState } from '#lib/services/forecast/input'
import { launchAgainstPerformed } from '#lib/services/forecast/launch-dates'
import { awayRows, leadsToEnrol, unreachedRows } from '#lib/services/forecast/leads'
import { campaignReach } from '#lib/services/leads/channels'
import { rowsAfterColleague } from '#lib/services/leads/colleagues'
import { clocksOfDataset, findTimezones } from '#lib/services/leads/rows/clocks'
import { checkReferences } from '#lib/services/messages/references'
import { heldTexts } from '#lib/services/sending/missing-texts'
import { providersOfRows } from '#lib/services/sending/providers/recipient-providers'

type Query = z.output<typeof ForecastCampaign.query>
/** The fields of the schedule page; `alias_ids` null means every connected mailbox. */
type ScheduleEdit = z.output<typeof ForecastEdit.body>
type Draft = z.output<typeof ForecastDraft.body>
type EditedSettings = z.output<typeof CreateCampaign.body>

/**
 * What a campaign will do, from its start or from its current state, compared with the forecast made at its
 * launch.
 */
export async function forecastCampaign(workspaceId: string, campaignId: string, query: Query, now: Date) {
  const row = await campaignWithOwner(workspaceId, campaignId)
  const [planned, launch] = await Promise.all([
    planForecast(row, query.starts_at, now),
    launchAgainstPerformed(campaignId),
  ])
  return {
    ...answer(planned, query),
    next_holidays: await nextHolidays(typedCampaign(row), new Date(planned.starts_at)),
    launch,
  }
}

/** The forecast of a campaign, launched or not, with an unsaved change of its schedule. */
export async function forecastEdited(
  workspaceId: string,
  campaignId: string,
  edit: ScheduleEdit,
  query: Query,
  now: Date,
) {
  const row = await campaignWithOwner(workspaceId, campaignId)
  await checkReferences(workspaceId, edit, typedCampaign(row))
  const edited = { ...row, ...settleSchedule(edit) }
  await checkHolidays(edited)
  const planned = await planForecast(edited, query.starts_at, now, row)
  return {
    ...answer(planned, query),
    next_holidays: await nextHolidays(typedCampaign(edited), new Date(planned.starts_at)),
    launch: await launchAgainstPerformed(campaignId),
  }
}

/** The forecasts of a campaign as it is, and after an unsaved edit has been applied to its leads. */
export async function forecastsOfEdit(
  workspaceId: string,
  campaignId: string,
  settings: Partial<EditedSettings>,
  reachedStep: number,
  now: Date,
): Promise<{ forecast_before: Forecast; forecast_after: Forecast }> {
  const row = await campaignWithOwner(workspaceId, campaignId)
  const edited = { ...row, ...settings }
  const forecast_before = await planForecast(row, undefined, now)
  if (Object.keys(settings).length === 0) return { forecast_before, forecast_after: forecast_before }
  if (!hasLaunched(row))
    return { forecast_before, forecast_after: await planForecast(edited, undefined, now) }
  const before = forecastable(row, row.workspace.timezone)
  const after = forecastable(edited, row.workspace.timezone)
  const input = await inputFromState(
    pool(),
    after,
    now,
    now,
    before,
    editsNextStep(before, after, reachedStep),
  )
  const inLine = await applyEditToInput(pool(), input, before, after, reachedStep)
  const forecast_after = await playFromState(pool(), after, inLine, now)
  return { forecast_before, forecast_after }
}

/** The complete forecast of one campaign, for pages and timelines. */
export async function wholeForecast(workspaceId: string, campaignId: string, now: Date): Promise<Forecast> {
  return planForecast(await campaignWithOwner(workspaceId, campaignId), undefined, now)
}

/** The forecast of an unsaved campaign; nothing is stored. */
export async function forecastDraft(workspaceId: string, draft: Draft, query: Query, now: Date) {
  await checkReferences(workspaceId, draft)
  await checkHolidays(draft)
  const owner = await db.workspace.findUniqueOrThrow({
    where: { workspace_id: workspaceId },
    select: { timezone: true },
  })
  const campaign: Forecastable = {
    ...settleSchedule(draft),
    steps_config: asPerformed(draft.steps_config),
    dataset_id: draft.dataset_id ?? UNSAVED,
    campaign_id: UNSAVED,
    workspace_id: workspaceId,
    owner_timezone: owner.timezone,
    open_from: null,
    open_until: null,
    launched_at: null,
    last_action_at: null,
    last_action_lead_index: null,
    last_action_step: null,
    member_shares: {},
  }
  const start = query.starts_at ?? scheduledStart(draft, now) ?? now
  const launched =
    draft.leads_count === undefined
      ? await leadsToReach(
          { ...campaign, skip_emails: draft.skip_emails },
          draft.dataset_id ?? UNSAVED,
          start,
        )
      : { leads: Float64Array.from({ length: draft.leads_count }, (_, index) => index), unreached: null }
  return {
    ...answer(await forecastBeforeLaunch(pool(), campaign, launched, start, now), query),
    next_holidays: await nextHolidays(draft, start),
    launch: null,
  }
}

const UNSAVED = '00000000-0000-0000-0000-000000000000'

async function campaignWithOwner(workspaceId: string, campaignId: string) {
  const row = await db.campaign.findFirst({
    where: { campaign_id: campaignId, workspace_id: workspaceId },
    include: { workspace: { select: { timezone: true } } },
  })
  if (!row) throw new AppError('campaign_not_found')
  return row
}

async function planForecast(
  row: Awaited<ReturnType<typeof campaignWithOwner>>,
  startsAt: Date | undefined,
  now: Date,
  /** The campaign as saved, if `row` is an edit of it. */
  saved = row,
): Promise<Forecast> {
  const campaign = forecastable(row, row.workspace.timezone)
  if (hasLaunched(row)) {
    const start = startsAt && startsAt > now ? startsAt : now
    return forecastFromState(pool(), campaign, start, now, forecastable(saved, saved.workspace.timezone))
  }
  const start = startsAt ?? scheduledStart(row, now) ?? now
  const launched = await leadsToReach({ ...campaign, skip_emails: row.skip_emails }, row.dataset_id, start)
  const held = await heldTexts(pool(), campaign, launched.leads)
  return forecastBeforeLaunch(pool(), campaign, { ...launched, held }, start, now)
}

/** The rows that a launch would enrol, and those of them that one channel does not reach. */
async function leadsToReach(
  campaign: Forecastable & { skip_emails: SkipEmails },
  datasetId: string,
  start: Date,
) {
  const reach = await campaignReach(campaign)
  const keepsClocks = campaign.schedule_timezone === 'lead'
  const owned = { workspace_id: campaign.workspace_id, dataset_id: datasetId }
  const [leads, unreached, away, after_colleague, providers, clocks] = await Promise.all([
    leadsToEnrol(pool(), owned, reach),
    unreachedRows(pool(), datasetId, reach),
    awayRows(pool(), campaign.workspace_id, datasetId, start),
    rowsAfterColleague(pool(), campaign, datasetId, start),
    providersOfRows(pool(), campaign, datasetId, start),
    keepsClocks ? clocksOfDataset(pool(), campaign.workspace_id, datasetId) : null,
  ])
  return {
    leads,
    unreached,
    away,
    after_colleague,
    providers,
    ...(clocks && { timezones: findTimezones(clocks) }),
    elsewhere: () => heldRowsElsewhere(pool(), { campaign, after: start, people: leads.length }, datasetId),
  }
}

/** The start date that a launch would wait for; null if it would start at once. */
function scheduledStart(
  campaign: { launch_type: 'immediate' | 'scheduled'; start_date: Date | null; status?: CampaignStatus },
  now: Date,
): Date | null {
  const waits =
    campaign.launch_type === 'scheduled' && campaign.start_date !== null && campaign.start_date > now
  return waits ? campaign.start_date : null
}

function answer(planned: Forecast, { offset, limit }: Query) {
  const { starts_at, timezone, total_actions, first_at, finish_at, limited_by, warnings, days } = planned
  return {
    starts_at,
    timezone,
    total_actions,
    first_at,
    finish_at,
    limited_by,
    warnings,
    days,
    actions: forecastActions(planned, offset, limit),
  }
}
