import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'
import type { db } from '#lib/db/client'
import { dayInWords } from '#lib/domain/calendar/day-words'
import type { Forecast } from '#lib/domain/forecast/forecast'
import { env } from '#lib/env'
import type { getCampaign } from '#lib/services/campaigns/campaigns'
import type { rowsByFate } from '#lib/services/launch/data-checks'
import type { Reach } from '#lib/services/leads/enrolment-rule'
import type { loadStepTexts } from '#lib/services/messages/step-texts'
import type { AccountRow } from '#lib/services/senders/accounts/account-rows'

type Found = Omit<LaunchCheck, 'fix'>

/** What is known about a campaign before its launch. */
export type Facts = {
  campaign: Awaited<ReturnType<typeof getCampaign>>
  planned: Forecast
  reach: Reach
  accounts: AccountRow[]
  rows: Awaited<ReturnType<typeof rowsByFate>>
  mailboxes: Awaited<ReturnType<typeof db.mailbox.findMany>>
  texts: Awaited<ReturnType<typeof loadStepTexts>>
  now: number
}

const LIMITED_BY: Record<Forecast['limited_by'], string | null> = {
  window: 'the sending window',
  daily_limit: 'the daily limit',
  min_interval: 'the interval between sends',
  sender: 'the limits of its senders',
  delay: 'the delays between the steps',
  none: null,
}

/** The plain facts about what the launch will do. */
export function launchFacts({ campaign, reach, planned, rows, mailboxes, accounts, texts }: Facts): Found[] {
  const findings: Found[] = [
    { code: 'leads', message: `${countLeads(rows.leads)} will be enrolled.`, step: null },
    ...(reach.mail
      ? [
          {
            code: 'senders',
            message: `It sends from ${mailboxes.length === 1 ? '1 mailbox' : `${mailboxes.length} mailboxes`}.`,
            step: null,
          },
        ]
      : []),
    ...(accounts.length > 0
      ? [
          {
            code: 'accounts',
            message: `Social steps are sent from ${accounts.map(({ name }) => name).join(', ')}.`,
            step: null,
          },
        ]
      : []),
  ]
  if (planned.finish_at !== null) {
    const date = dayInWords(campaign.timezone, planned.finish_at)
    const by = LIMITED_BY[planned.limited_by]
    findings.push({
      code: 'finish',
      message: `${planned.total_actions} sends, the last on ${date} (${campaign.timezone})${by ? `, limited by ${by}` : ''}.`,
      step: null,
    })
  }
  for (const { step, track_clicks } of campaign.steps_config)
    if (track_clicks)
      findings.push({
        code: 'clicks_tracked',
        message: `Links in step ${step} go through ${trackingHost()} first. The text part and the unsubscribe link are unchanged.`,
        step,
      })
  const isMail = (step: number) => campaign.steps_config[step - 1]?.channel === 'email'
  const footed = new Set(
    texts.filter(({ step, text }) => isMail(step) && text && !text.body.includes('unsubscribe_url')),
  )
  for (const step of new Set([...footed].map((text) => text.step)))
    findings.push({
      code: 'unsubscribe_footer',
      message: `Step ${step} has no unsubscribe link of its own: one is added below it.`,
      step,
    })
  return findings
}

/** The host of the campaign's tracked links. */
export const trackingHost = () => new URL(env().TRACKING_URL ?? env().APP_URL).host

export const countLeads = (count: number) => (count === 1 ? '1 lead' : `${count} leads`)
