import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'
import { Mailbox } from '#lib/contracts/senders/mailbox'
import { db, pool } from '#lib/db/client'
import { compileSchedule, upcomingWindow, windowsOfDay } from '#lib/domain/calendar/schedule'
import { SECOND_MS } from '#lib/domain/calendar/zoned-time'
import { alwaysHolds, neverHolds } from '#lib/domain/campaigns/step-conditions'
import type { Forecast } from '#lib/domain/forecast/forecast'
import { mergeFields } from '#lib/domain/messages/template'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { domainWarnings } from '#lib/services/domains/sender-domains'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { leadsOfDataset } from '#lib/services/forecast/leads'
import { blockingProblems } from '#lib/services/launch/checks'
import { clockChecks } from '#lib/services/launch/clock-checks'
import { contactWarnings } from '#lib/services/launch/contact-checks'
import { contentFindings } from '#lib/services/launch/content'
import { copyChecks } from '#lib/services/launch/copy-checks'
import { emptyFields, rowsByFate, unverifiedRows } from '#lib/services/launch/data-checks'
import { fileChecks } from '#lib/services/launch/file-checks'
import { findFix } from '#lib/services/launch/fixes'
import { countLeads, type Facts, launchFacts, trackingHost } from '#lib/services/launch/launch-facts'
import { leadFileChecks } from '#lib/services/launch/lead-file-checks'
import { lengthWarnings } from '#lib/services/launch/lengths'
import { providerChecks } from '#lib/services/launch/provider-checks'
import { reviewWarnings } from '#lib/services/launch/review'
import { socialWarnings } from '#lib/services/launch/social-checks'
import { campaignReach } from '#lib/services/leads/channels'
import { datasetRule } from '#lib/services/leads/rows/whole-dataset'
import { ALWAYS_THERE, knownFields, loadStepTexts } from '#lib/services/messages/step-texts'
import { connectedAccounts } from '#lib/services/senders/accounts/account-rows'
import { senderFilter } from '#lib/services/senders/mailboxes'
import { isSandboxServer } from '#lib/services/senders/sandbox'

type Found = Omit<LaunchCheck, 'fix'> & { fix?: string | null }

/** All findings about a campaign before its launch: `blocks`, `warns` and `informs`, each with the page that fixes it. */
export async function launchChecks(workspaceId: string, campaignId: string, now: Date) {
  const campaign = await getCampaign(workspaceId, campaignId)
  const reach = await campaignReach(campaign)
  const rule = await datasetRule(pool(), campaign, reach)
  const [blocks, planned, rows, mailboxes, accounts, texts] = await Promise.all([
    blockingProblems(campaign),
    wholeForecast(workspaceId, campaignId, now),
    rowsByFate(campaign, rule),
    db.mailbox.findMany({ where: senderFilter(campaign), orderBy: { mailbox_id: 'asc' } }),
    connectedAccounts(pool(), campaign),
    loadStepTexts(campaign),
  ])
  const content = contentFindings(campaign, texts, trackingHost())
  const clocks = await clockChecks(campaign, rule)
  const copies = await copyChecks(campaign)
  const providers = await providerChecks(campaign, rule)
  const files = await fileChecks(campaign, texts)
  const leadFiles = await leadFileChecks(campaign, texts, rule)
  const facts: Facts = { campaign, reach, planned, rows, mailboxes, accounts, texts, now: now.getTime() }
  const warns = [
    ...(await valuesMissing(facts, rule)),
    ...rowsPassedOver(facts),
    ...(await contactWarnings(campaign, planned, now)),
    ...(await socialWarnings(campaign, accounts, reach)),
    ...(await lengthWarnings(campaign, accounts)),
    ...(await reviewWarnings(campaign, rows.leads, () =>
      leadsOfDataset(pool(), workspaceId, campaign.dataset_id, rule),
    )),
    ...scheduleWarnings(facts),
    ...clocks.warns,
    ...copies.warns,
    ...providers.warns,
    ...files.warns,
    ...leadFiles.warns,
    ...senderWarnings(facts),
    ...(await domainWarnings(workspaceId, facts.mailboxes, now.getTime())),
    ...trackingWarnings(facts),
    ...content.warns,
  ]
  const withFix = ({ fix, ...findings }: Found): LaunchCheck => ({
    ...findings,
    fix: fix ?? findFix(findings, campaign),
  })
  return {
    blocks: blocks.map(withFix),
    warns: warns.map(withFix),
    informs: [
      ...launchFacts(facts),
      ...clocks.informs,
      ...copies.informs,
      ...providers.informs,
      ...files.informs,
      ...leadFiles.informs,
      ...content.informs,
      ...(await verificationMissing(facts)),
    ].map(withFix),
    leads: rows.leads,
    plan: toPlan(planned),
  }
}

/** A forecast's instants are numbers; the contract writes them as dates. */
const toPlan = ({ total_actions, first_at, finish_at, limited_by }: Forecast) => ({
  total_actions,
  first_at,
  finish_at,
  limited_by,
})

/**
 * Warns of leads without a value for a merge field that has no fallback: their message would fail at dispatch. A field that is not a column
 * blocks the launch, so it is reported there.
 */
async function valuesMissing({ campaign, texts }: Facts, rule: string): Promise<Found[]> {
  const { dataset_id, workspace_id } = campaign
  const columns = knownFields(
    await db.dataset.findFirst({ where: { dataset_id, workspace_id }, select: { columns: true } }),
  )
  const asked = new Map<string, number>()
  for (const { step, text } of texts)
    for (const { name, has_fallback } of text ? mergeFields(text) : [])
      if (!has_fallback && columns.has(name) && !ALWAYS_THERE.includes(name) && !asked.has(name))
        asked.set(name, step)
  const empty = await emptyFields(campaign, [...asked.keys()], rule)
  return empty.map(({ field, count, lead_index, email }) => ({
    code: 'merge_value_missing',
    message: `${countLeads(count)} ${count === 1 ? 'has' : 'have'} no value for {{ ${field} }} and would fail because it has no fallback, for example row ${lead_index + 1}${email ? `, ${email}` : ''}.`,
    step: asked.get(field) ?? null,
  }))
}

const PASSED_OVER: Record<string, string> = {
  no_address: 'without an address',
  no_profile: 'without a profile',
  no_address_or_profile: 'without an address and without a profile',
  duplicate_profile: 'with a profile that came before',
  suppressed: 'on the suppression list',
  suppressed_domain: 'at a suppressed domain',
  replied_elsewhere: 'for people who replied in another campaign',
  has_left: 'for people who have left',
  duplicate_address: 'with an address that came before',
  undeliverable: 'with an invalid address',
  risky_address: 'with a risky address',
}

function rowsPassedOver({ rows }: Facts): Found[] {
  return rows.passed_over.map(({ reason, count }) => ({
    code: `rows_${reason}`,
    message: `${count === 1 ? '1 row' : `${count} rows`} ${PASSED_OVER[reason] ?? reason} will be skipped.`,
    step: null,
  }))
}

async function verificationMissing({ campaign, reach }: Facts): Promise<Found[]> {
  if (!reach.mail) return []
  const { all, unverified } = await unverifiedRows(campaign)
  if (unverified === 0) return []
  const which = unverified === all ? 'None of the addresses is' : `${unverified} of ${all} addresses are not`
  return [{ code: 'addresses_unverified', message: `${which} verified.`, step: null }]
}

/**
 * The forecast's warnings, except those that block the launch or are reported per step, and a warning if a day's window is too short for
 * the daily limit.
 */
function scheduleWarnings({ campaign, planned, now }: Facts): Found[] {
  const warns: Found[] = planned.warnings
    .filter(({ code }) => !['no_sender', 'no_steps', 'no_leads', 'texts_held'].includes(code))
    // A condition that never holds blocks the launch and is reported there.
    .filter(({ step }) => !step || neverHolds(campaign.steps_config, step - 1) === null)
    .map(({ step = null, ...warning }) => ({ ...warning, step }))
  const schedule = compileSchedule(campaign)
  const window = upcomingWindow(schedule, now)
  const { min_interval_seconds, daily_limit } = campaign
  // Only for the campaign's own zone: with the leads' zones the window is open for longer.
  if (window && min_interval_seconds > 0 && campaign.schedule_timezone === 'campaign') {
    const fit = windowsOfDay(schedule, window.day).reduce(
      (sum, { opens_at, closes_at }) =>
        sum + Math.ceil(Math.max(0, closes_at - opens_at) / (min_interval_seconds * SECOND_MS)),
      0,
    )
    if (fit < daily_limit)
      warns.push({
        code: 'window_too_small',
        message: `The window fits ${fit} actions ${min_interval_seconds} s apart, fewer than the daily limit of ${daily_limit}.`,
        step: null,
      })
  }
  return warns
}

function senderWarnings({ campaign, reach, mailboxes }: Facts): Found[] {
  const warns: Found[] = (reach.mail ? mailboxes : [])
    // The sandbox is this instance's own server, so there is nothing to test.
    .filter(
      ({ last_checked_at, smtp }) => !last_checked_at && !isSandboxServer(Mailbox.shape.smtp.parse(smtp)),
    )
    .map(({ mailbox_id, address }) => ({
      code: 'mailbox_untested',
      message: `The connection to ${address} has never been tested.`,
      step: null,
      fix: `/mailboxes/${mailbox_id}`,
    }))
  const together = mailboxes.reduce((sum, mailbox) => sum + mailbox.daily_limit, 0)
  if (reach.mail && mailboxes.length > 0 && together < campaign.daily_limit)
    warns.push({
      code: 'senders_below_daily_limit',
      message: `Together the mailboxes can send ${together} a day, fewer than the daily limit of ${campaign.daily_limit}.`,
      step: null,
    })
  return warns
}

/** Warns of open tracking, and of conditions that always hold, for example because nothing is tracked. */
function trackingWarnings({ campaign: { steps_config } }: Facts): Found[] {
  return steps_config.flatMap((config, index): Found[] => {
    const { step, condition, track_opens } = config
    const always = alwaysHolds(steps_config, index)
    return [
      ...(track_opens
        ? [
            {
              code: 'opens_tracked',
              message: `Step ${step} tracks opens. The invisible image makes filters stricter, and many counted opens come from machines.`,
              step,
            },
          ]
        : []),
      ...(always
        ? [
            {
              code: 'condition_always_holds',
              message: `Step ${step} goes to every lead (${condition}): ${always}.`,
              step,
            },
          ]
        : []),
    ]
  })
}
