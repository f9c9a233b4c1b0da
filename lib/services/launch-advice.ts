import type { Campaign } from '#lib/contracts/campaigns'
import type { LaunchCheck } from '#lib/contracts/launch-checks'
import { db } from '#lib/db/client'
import type { Forecast } from '#lib/domain/forecast'
import { mergeFields } from '#lib/domain/render/template'
import { scheduleOf, upcomingWindow } from '#lib/domain/schedule'
import { alwaysHolds } from '#lib/domain/step-conditions'
import { dayOf, formatDay, SECOND_MS, zoneOf } from '#lib/domain/zoned-time'
import { env } from '#lib/env'
import { getCampaign } from '#lib/services/campaigns'
import { domainWarnings } from '#lib/services/domains/senders'
import { wholeForecast } from '#lib/services/forecasts'
import { ALWAYS_THERE, blockingProblems, senderFilter, textsOf } from '#lib/services/launch-checks'
import { emptyFields, rowsByFate } from '#lib/services/launch-data'

type Found = Omit<LaunchCheck, 'fix'> & { fix?: string }

/** What stands in the way of a launch, what deserves a look, and what will happen; each with the page that mends it. */
export async function launchChecks(userId: string, campaignId: string, now: Date) {
  const campaign = await getCampaign(userId, campaignId)
  const [blocks, planned, rows, mailboxes, texts] = await Promise.all([
    blockingProblems(campaign),
    wholeForecast(userId, campaignId, now),
    rowsByFate(campaign),
    db.mailbox.findMany({ where: senderFilter(campaign), orderBy: { mailbox_id: 'asc' } }),
    textsOf(campaign),
  ])
  const facts: Facts = { campaign, planned, rows, mailboxes, texts, now: now.getTime() }
  const warns = [
    ...(await valuesMissing(facts)),
    ...rowsPassedOver(facts),
    ...scheduleWarnings(facts),
    ...senderWarnings(facts),
    ...(await domainWarnings(userId, facts.mailboxes)),
    ...trackingWarnings(facts),
  ]
  const withFix = ({ fix, ...found }: Found): LaunchCheck => ({
    ...found,
    fix: fix ?? fixOf(found, campaign),
  })
  return {
    blocks: blocks.map(withFix),
    warns: warns.map(withFix),
    informs: informs(facts).map(withFix),
  }
}

type Facts = {
  campaign: Awaited<ReturnType<typeof getCampaign>>
  planned: Forecast
  rows: Awaited<ReturnType<typeof rowsByFate>>
  mailboxes: Awaited<ReturnType<typeof db.mailbox.findMany>>
  texts: Awaited<ReturnType<typeof textsOf>>
  now: number
}

/** A lead without a value for a field that has no fallback gets no message: it would fail when its turn comes. */
async function valuesMissing({ campaign, texts }: Facts): Promise<Found[]> {
  const asked = new Map<string, number>()
  for (const { step, text } of texts)
    for (const { name, has_fallback } of text ? mergeFields(text) : [])
      if (!has_fallback && !name.startsWith('sender.') && !ALWAYS_THERE.includes(name) && !asked.has(name))
        asked.set(name, step)
  const empty = await emptyFields(campaign, [...asked.keys()])
  return empty.map(({ field, count, lead_index, email }) => ({
    code: 'merge_value_missing',
    message: `${leads(count)} ${count === 1 ? 'has' : 'have'} no value for {{ ${field} }}, which has no fallback, and would fail: for example row ${lead_index + 1}, ${email}.`,
    step: asked.get(field) ?? null,
  }))
}

const PASSED_OVER: Record<string, string> = {
  no_address: 'without an address',
  suppressed: 'on the suppression list',
  suppressed_domain: 'of a suppressed domain',
  duplicate_address: 'with an address that came before',
}

function rowsPassedOver({ rows }: Facts): Found[] {
  return rows.passed_over.map(({ reason, count }) => ({
    code: `rows_${reason}`,
    message: `${count === 1 ? '1 row' : `${count} rows`} ${PASSED_OVER[reason] ?? reason} will be passed over.`,
    step: null,
  }))
}

/** What the forecast warns of, but for what blocks the launch anyway, and a window in which a day's quota has no room. */
function scheduleWarnings({ campaign, planned, now }: Facts): Found[] {
  const warns: Found[] = planned.warnings
    .filter(({ code }) => !['no_sender', 'no_steps', 'no_leads'].includes(code))
    .map((warning) => ({ ...warning, step: null }))
  const window = upcomingWindow(scheduleOf(campaign), now)
  const { min_interval_seconds, daily_limit } = campaign
  if (window && min_interval_seconds > 0) {
    const fit = Math.ceil((window.closes_at - window.opens_at) / (min_interval_seconds * SECOND_MS))
    if (fit < daily_limit)
      warns.push({
        code: 'window_too_small',
        message: `The window has room for ${fit} actions ${min_interval_seconds} s apart, fewer than the daily limit of ${daily_limit}.`,
        step: null,
      })
  }
  return warns
}

function senderWarnings({ campaign, mailboxes }: Facts): Found[] {
  const warns: Found[] = mailboxes
    .filter((mailbox) => mailbox.last_checked_at === null)
    .map(({ mailbox_id, address }) => ({
      code: 'mailbox_untested',
      message: `The connection of ${address} was never tested.`,
      step: null,
      fix: `/mailboxes/${mailbox_id}`,
    }))
  const together = mailboxes.reduce((sum, mailbox) => sum + mailbox.daily_limit, 0)
  if (mailboxes.length > 0 && together < campaign.daily_limit)
    warns.push({
      code: 'senders_below_daily_limit',
      message: `The mailboxes may send ${together} a day together, fewer than the daily limit of ${campaign.daily_limit}.`,
      step: null,
    })
  return warns
}

/** What watching costs, and conditions that ask for what nobody watches. */
function trackingWarnings({ campaign: { steps_config } }: Facts): Found[] {
  return steps_config.flatMap((config, index): Found[] => {
    const { step, condition, track_opens } = config
    const always = alwaysHolds(steps_config, index)
    return [
      ...(track_opens
        ? [
            {
              code: 'opens_tracked',
              message: `Step ${step} tracks opens: its invisible image makes filters stricter, and many of the opens it counts are machines’.`,
              step,
            },
          ]
        : []),
      ...(always
        ? [
            {
              code: 'condition_always_holds',
              message: `Step ${step} is for every lead (${condition}): ${always}.`,
              step,
            },
          ]
        : []),
    ]
  })
}

const LIMITED_BY: Record<Forecast['limited_by'], string | null> = {
  window: 'the sending window',
  daily_limit: 'the daily limit',
  min_interval: 'the minimum interval',
  sender: 'the limits of its senders',
  delay: 'the delays between the steps',
  none: null,
}

function informs({ campaign, planned, rows, mailboxes, texts }: Facts): Found[] {
  const found: Found[] = [
    { code: 'leads', message: `${leads(rows.leads)} will be enrolled.`, step: null },
    {
      code: 'senders',
      message: `It sends from ${mailboxes.length === 1 ? '1 mailbox' : `${mailboxes.length} mailboxes`}.`,
      step: null,
    },
  ]
  if (planned.finish_at !== null) {
    const date = formatDay(dayOf(zoneOf(campaign.timezone), planned.finish_at))
    const by = LIMITED_BY[planned.limited_by]
    found.push({
      code: 'finish',
      message: `${planned.total_actions} actions, the last on ${date} (${campaign.timezone})${by ? `; what takes longest is ${by}` : ''}.`,
      step: null,
    })
  }
  for (const { step, track_clicks } of campaign.steps_config)
    if (track_clicks)
      found.push({
        code: 'clicks_tracked',
        message: `The web links of step ${step} lead through ${trackingHost()} first; its text part and the unsubscribe link stay as they are.`,
        step,
      })
  const footed = new Set(texts.filter(({ text }) => text && !text.body.includes('unsubscribe_url')))
  for (const step of new Set([...footed].map((text) => text.step)))
    found.push({
      code: 'unsubscribe_footer',
      message: `Step ${step} has no unsubscribe link of its own: a line with one is added below it.`,
      step,
    })
  return found
}

const PAGES: Record<string, (campaign: Pick<Campaign, 'campaign_id' | 'dataset_id'>) => string> = {
  sequence: ({ campaign_id }) => `/campaigns/${campaign_id}/sequence`,
  schedule: ({ campaign_id }) => `/campaigns/${campaign_id}/schedule`,
  dataset: ({ dataset_id }) => `/datasets/${dataset_id}`,
  mailboxes: () => '/mailboxes',
  domains: () => '/domains',
}

const MENDED_ON: Record<string, keyof typeof PAGES> = {
  no_steps: 'sequence',
  dataset_empty: 'dataset',
  leads: 'dataset',
  no_sender: 'mailboxes',
  senders: 'mailboxes',
  senders_below_daily_limit: 'mailboxes',
  domain_unverified: 'domains',
  rows_no_address: 'dataset',
  rows_suppressed: 'dataset',
  rows_suppressed_domain: 'dataset',
  rows_duplicate_address: 'dataset',
}

function fixOf({ code, step }: Pick<Found, 'code' | 'step'>, campaign: Facts['campaign']): string | null {
  const page = MENDED_ON[code] ?? (step === null ? 'schedule' : 'sequence')
  return PAGES[page]?.(campaign) ?? null
}

const trackingHost = () => new URL(env().TRACKING_URL ?? env().APP_URL).host

const leads = (count: number) => (count === 1 ? '1 lead' : `${count} leads`)
