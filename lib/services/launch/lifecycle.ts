import type { PoolClient } from 'pg'
import { db, pool } from '#lib/db/client'
import type { CampaignModel } from '#lib/db/generated/models'
import { inTransaction } from '#lib/db/transaction'
import { readLocalTime } from '#lib/domain/calendar/local-time'
import { mayDispatch, statusAfter, statusAfterResume } from '#lib/domain/campaigns/campaign-status'
import type { PauseReason } from '#lib/domain/campaigns/pause-reasons'
import { isAiStep } from '#lib/domain/personalize/review'
import { AppError, invalid } from '#lib/errors'
import { CampaignLaunchRequested, CampaignStopped } from '#lib/events/catalog'
import { emit } from '#lib/events/client'
import { getCampaign, type Typed, typedCampaign } from '#lib/services/campaigns/campaigns'
import { lockCampaign } from '#lib/services/campaigns/locks'
import { keepPaused, LACKS_ACCOUNT, moveCampaign } from '#lib/services/campaigns/state'
import { requireGiven } from '#lib/services/instance/given-senders'
import { blockingProblems } from '#lib/services/launch/checks'
import { releaseHeldLeads } from '#lib/services/sending/approved-texts'

type Of = Pick<CampaignModel, 'campaign_id' | 'workspace_id' | 'status'> & { version?: number }

/**
 * Moves a campaign. If two callers decided on the same status, one gets 409; with a `version`, so does a caller whose version is outdated
 * by an edit.
 */
async function move(campaign: Of, how: Parameters<typeof moveCampaign>[2], now: Date): Promise<Typed> {
  const row = await inTransaction(pool(), async (client) => {
    const stands = await lockCampaign(client, campaign)
    const isSame = campaign.version === undefined || campaign.version === stands?.version
    return isSame ? moveCampaign(client, campaign, how, now) : null
  })
  if (!row) throw new AppError('conflict')
  return typedCampaign(row)
}

/**
 * Starts a draft or failed campaign now, or keeps it `scheduled` for a `start_date` in the future. A refusal names every blocking problem,
 * and then nothing has changed.
 */
export async function launchCampaign(
  workspaceId: string,
  campaignId: string,
  startDate: Date | null | undefined,
  now: Date,
) {
  const campaign = await getCampaign(workspaceId, campaignId)
  const start = startDate ?? (campaign.launch_type === 'scheduled' ? campaign.start_date : null)
  const later = start !== null && start > now
  const by = later ? 'schedule' : 'launch'
  if (!statusAfter(by, campaign.status)) throw new AppError('campaign_not_launchable')

  const problems = await blockingProblems(campaign)
  if (problems.length > 0)
    throw new AppError('launch_blocked', { message: problems.map((p) => p.message).join(' ') })

  if (later)
    return move(
      campaign,
      { by, facts: { launch_type: 'scheduled', start_date: start }, log: { kind: 'launch_scheduled' } },
      now,
    )
  const facts = {
    launch_type: startDate ? ('scheduled' as const) : campaign.launch_type,
    start_date: start,
    launch_job_id: crypto.randomUUID(),
    launch_requested_at: now,
  }
  // No log entry here: the log says `launched` once the leads are enrolled.
  const launched = await move(campaign, { by, facts }, now)
  await requestLaunch(launched)
  return launched
}

/** Launches at a local date and time ("2026-11-30T09:00") in the campaign's time zone. */
export async function launchAt(workspaceId: string, campaignId: string, local: string, now: Date) {
  const { timezone } = await getCampaign(workspaceId, campaignId)
  const start = readLocalTime(local, timezone)
  if (!start) throw invalid(['body', 'start_local'], 'Choose a date and a time.')
  if (start <= now) throw invalid(['body', 'start_local'], 'Choose a time in the future.')
  return launchCampaign(workspaceId, campaignId, start, now)
}

async function requestLaunch({
  campaign_id,
  launch_job_id,
}: {
  campaign_id: string
  launch_job_id: string | null
}) {
  if (launch_job_id) await emit(CampaignLaunchRequested.create({ campaign_id, launch_job_id }))
}

/** The only pause reason that ends without the owner: when the account is connected again. */
const PASSING = 'sender_disconnected'

async function stayPaused(campaignId: string, now: Date): Promise<Typed> {
  const row = await inTransaction(pool(), (client) => keepPaused(client, campaignId, PASSING, now))
  if (!row) throw new AppError('conflict')
  return typedCampaign(row)
}

/** Stops all sending of one campaign. Actions already handed to a provider still go out. */
export async function pauseCampaign(workspaceId: string, campaignId: string, now: Date) {
  const campaign = await getCampaign(workspaceId, campaignId)
  const { status } = campaign
  if (!statusAfter('pause', status)) throw new AppError('campaign_not_pausable')
  if (status === 'paused') return campaign.paused_reason === PASSING ? stayPaused(campaignId, now) : campaign
  const how = { by: 'pause', paused_reason: 'user', log: { kind: 'paused', reason: 'user' } } as const
  const paused = await move({ campaign_id: campaignId, workspace_id: workspaceId, status }, how, now)
  await emit(CampaignStopped.create({ campaign_id: campaignId }))
  return paused
}

async function requireAccount(client: PoolClient, campaignId: string): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM campaigns c WHERE c.campaign_id = $1 AND ${LACKS_ACCOUNT}`,
    [campaignId],
  )
  if (rowCount)
    throw new AppError('account_not_connected', {
      message: 'The account of this campaign was removed. Choose another one, then resume.',
    })
}

/**
 * Resumes a campaign to its earlier status. The next slot is searched from now on, so nothing is caught up in a burst. With
 * `paused_reason`, only a campaign still paused for that reason is resumed; a later pause for another reason stays.
 */
export async function resumeCampaign(
  workspaceId: string,
  campaignId: string,
  now: Date,
  paused_reason?: PauseReason,
) {
  const before = await getCampaign(workspaceId, campaignId)
  if (!statusAfterResume(before, now)) throw new AppError('campaign_not_resumable')
  await requireGiven(before)
  const resumed = await inTransaction(pool(), async (client) => {
    const campaign = await lockCampaign(client, before)
    const isMeant = campaign && (paused_reason ?? campaign.paused_reason) === campaign.paused_reason
    const status = isMeant ? statusAfterResume(campaign, now) : null
    if (!campaign || !status) throw new AppError('conflict')
    await requireAccount(client, campaignId)
    const facts =
      status === 'launching'
        ? { launch_requested_at: now, launch_job_id: campaign.launch_job_id ?? crypto.randomUUID() }
        : {}
    const how = { by: { resume: status }, facts, log: { kind: 'resumed' } } as const
    const row = await moveCampaign(client, campaign, how, now)
    if (!row) throw new AppError('conflict')
    // The policy or the texts may have changed, so held leads are checked again.
    if (mayDispatch(status)) await releaseHeldLeads(client, campaignId, now)
    return typedCampaign(row)
  })
  if (resumed.status === 'launching') await requestLaunch(resumed)
  return resumed
}

/**
 * Starts scheduled campaigns whose time has come, by their review policy, and requests launches again whose event was lost. Returns how
 * many of each.
 */
export async function startDueCampaigns(now: Date): Promise<{ started: number; asked_again: number }> {
  const due = await db.campaign.findMany({
    where: { status: 'scheduled', start_date: { lte: now } },
    take: 1_000,
  })
  let started = 0
  for (const row of due) started += (await startScheduled(row, now)) ? 1 : 0
  const stuck = await db.campaign.findMany({
    where: { status: 'launching', launch_requested_at: { lt: new Date(now.getTime() - 60_000) } },
    take: 1_000,
  })
  for (const row of stuck) await requestLaunch(row)
  return { started, asked_again: stuck.length }
}

const UNREVIEWED = 'personalization_review_pending'

/**
 * If AI text was never reviewed, `hold` pauses the campaign and `cancel` returns it to draft; otherwise the campaign launches. False if it
 * was paused, started or rescheduled meanwhile.
 */
async function startScheduled(due: CampaignModel, now: Date): Promise<boolean> {
  const moved = await inTransaction(pool(), async (client) => {
    const row = await lockCampaign(client, due)
    if (row?.status !== 'scheduled' || row.start_date === null || row.start_date > now) return null
    const campaign = typedCampaign(row)
    const unreviewed = campaign.reviewed_at === null && campaign.steps_config.some(isAiStep)
    const policy = unreviewed ? campaign.unreviewed_launch_policy : 'launch_default'
    return moveCampaign(client, campaign, START[policy](now), now)
  })
  if (moved?.status === 'launching') await requestLaunch(moved)
  return moved !== null
}

const START: Record<Typed['unreviewed_launch_policy'], (now: Date) => Parameters<typeof moveCampaign>[2]> = {
  hold: () => ({ by: 'hold', paused_reason: UNREVIEWED, log: { kind: 'paused', reason: UNREVIEWED } }),
  cancel: () => ({
    by: 'cancel',
    launch_error:
      'The personalization was not reviewed by the start time, so the launch was cancelled as set.',
    log: { kind: 'launch_cancelled', reason: UNREVIEWED },
  }),
  launch_default: (now: Date) => ({
    by: 'start',
    facts: { launch_job_id: crypto.randomUUID(), launch_requested_at: now },
  }),
}
