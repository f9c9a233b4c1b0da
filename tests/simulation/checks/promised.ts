import type pg from 'pg'
import type { SendDay } from '#lib/domain/calendar/schedule'
import { forecast } from '#lib/domain/forecast/forecast'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import { loadHolidays } from '#lib/services/campaigns/holidays'
import type { AccountRow, CampaignRow, Claim, Ledger, MailboxRow } from '#tests/simulation/checks/ledger'
import { Violation } from '#tests/simulation/checks/violation'

type Action = { lead_index: number; step: number; at: number }

/** What a campaign promises when it becomes active, from the rows as they are then. */
export async function promiseOf(
  control: pg.Client,
  campaignId: string,
  ownerTimezone: string,
  startsAt: number,
): Promise<Action[]> {
  const { rows: campaigns } = await control.query<CampaignRow & { launched_at: Date }>(
    'SELECT * FROM campaigns WHERE campaign_id = $1',
    [campaignId],
  )
  const campaign = campaigns[0]
  if (!campaign?.launched_at) throw new Error('nothing is promised before the launch')
  const { rows: mailboxes } = await control.query<MailboxRow & { ramp_up_started_at: Date }>(
    `SELECT * FROM mailboxes WHERE $1::uuid[] IS NULL OR mailbox_id = ANY ($1)`,
    [campaign.alias_ids],
  )
  const { rows: accounts } = await control.query<AccountRow & { ramp_up_started_at: Date }>(
    'SELECT * FROM connected_accounts WHERE $1::uuid IS NULL OR account_id = $1',
    [campaign.connected_account_id],
  )
  const { rows: leads } = await control.query<{ lead_index: number }>(
    `SELECT lead_index FROM campaign_leads WHERE campaign_id = $1 AND status = 'pending' ORDER BY lead_index`,
    [campaignId],
  )
  const { rows: away } = await control.query<{ lead_index: number; until: Date }>(
    'SELECT l.lead_index, b.until FROM campaign_leads l JOIN absences b USING (workspace_id, email) WHERE campaign_id = $1',
    [campaignId],
  )
  const planned = forecast({
    campaign: {
      ...campaign,
      send_days: campaign.send_days as SendDay[],
      holidays: await loadHolidays({ ...campaign, holiday_region: null }),
      launched_at: new Date(campaign.launched_at).getTime(),
    },
    pace: FRESH_PACE,
    senders: [
      ...accounts.map((account) => ({
        ...account,
        sender_id: account.account_id,
        channel: 'social' as const,
        daily_limit: null,
        ramp_up_started_at: new Date(account.ramp_up_started_at).getTime(),
        action_limits: account.limits,
        last_action_at: null,
        used: [],
      })),
      ...mailboxes.map((box) => ({
        sender_id: box.mailbox_id,
        channel: 'email' as const,
        daily_limit: box.daily_limit,
        min_interval_seconds: box.min_interval_seconds,
        ramp_up: box.ramp_up,
        ramp_up_started_at: new Date(box.ramp_up_started_at).getTime(),
        action_limits: {},
        last_action_at: null,
        used: [],
      })),
    ],
    ...(campaign.sender_rotation === 'members' && {
      rotation: { members: await givenTo(control), shares: {} },
    }),
    owner_timezone: ownerTimezone,
    follow_ups: [],
    away: new Map(away.map(({ lead_index, until }) => [lead_index, new Date(until).getTime()])),
    new_leads: leads.map((lead) => lead.lead_index),
    starts_at: startsAt,
  })
  return [...planned.at].map((at, index) => ({
    at,
    lead_index: planned.lead_index[index] ?? -1,
    step: planned.step[index] ?? -1,
  }))
}

/** Whom each mailbox is given to. */
async function givenTo(control: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await control.query<{ mailbox_id: string; people: string[] }>(
    'SELECT mailbox_id, array_agg(user_id::text) AS people FROM mailbox_members GROUP BY mailbox_id',
  )
  return new Map(rows.map(({ mailbox_id, people }) => [mailbox_id, people]))
}

/** I9: the same lead, the same step, the same instant, and nothing else. */
export function judgePromise(ledger: Ledger, campaignId: string, promised: Action[]): void {
  const performed = ledger.claims
    .filter((claim) => claim.campaign_id === campaignId)
    .map(
      (claim: Claim): Action => ({
        at: claim.at,
        lead_index: ledger.leads.get(claim.lead)?.lead_index ?? -1,
        step: claim.step,
      }),
    )
  const told = (actions: Action[]) =>
    actions
      .map(({ at, lead_index, step }) => `${new Date(at).toISOString()} lead ${lead_index} step ${step}`)
      .sort()
  const [kept, said] = [told(performed), told(promised)]
  for (let index = 0; index < Math.max(kept.length, said.length); index++)
    if (kept[index] !== said[index])
      throw new Violation(
        'I9',
        `forecast ${said[index] ?? 'nothing more'}, performed ${kept[index] ?? 'nothing more'}`,
      )
}
