import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { leadReasonText } from '#lib/domain/leads/lead-reasons'
import type { ContactHold } from '#lib/domain/sending/contact-hold'
import { logged } from '#lib/services/campaigns/decision-log'
import { type Campaign, columns, guard, moveSql, SENDER } from '#lib/services/leads/state/sql'
import { writeLeadLog } from '#lib/services/leads/told'

export type PutOffLead = {
  campaign_lead_id: string
  step: number
  until: Date
  channel: string
  action_type: string
  /** Why the contact policy makes the person wait; null: the person is away. */
  hold: ContactHold | null
  /** Whether the lead's log has no entry for this wait yet. */
  isNews: boolean
}

/**
 * Puts off leads whose turn came while their person was away or in another campaign: they wait for the same
 * step until then, among the follow-ups.
 */
export async function putOffLeads(
  client: Statements,
  campaign: Campaign,
  leads: PutOffLead[],
  now: Date,
): Promise<void> {
  if (leads.length === 0) return
  await client.query(
    moveSql(
      'put_off',
      {
        to: `'active'`,
        sets: {
          next_action_at: 'p.until',
          put_off_until: 'p.until',
          next_action_type: 'p.action_type',
          next_sender_id: SENDER('p.channel'),
          reason: 'p.reason',
        },
      },
      `FROM unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::text[], $5::text[], $6::text[])
         p (campaign_lead_id, step, until, action_type, channel, reason)
       WHERE l.campaign_lead_id = p.campaign_lead_id AND ${guard('put_off')} AND l.next_step = p.step
         AND l.next_action_at IS NOT NULL`,
    ),
    columns(
      leads,
      (lead) => lead.campaign_lead_id,
      (lead) => lead.step,
      (lead) => lead.until,
      (lead) => lead.action_type,
      (lead) => lead.channel,
      (lead) => lead.hold?.code ?? null,
    ),
  )
  await writeLeadLog(
    client,
    leads
      .filter(({ isNews }) => isNews)
      .map(({ campaign_lead_id, step, until, channel, hold }) =>
        logged(campaign, 'put_off', now, {
          campaign_lead_id,
          step,
          channel,
          reason: reasonInWords(hold),
          detail: hold
            ? {
                // When a colleague's sequence ends is unknown.
                until: hold.code === 'company_busy' ? null : new Date(hold.until).toISOString(),
                campaign_id: hold.campaign_id,
                ...(hold.colleague && { colleague: hold.colleague }),
              }
            : { until: until.toISOString() },
        }),
      ),
  )
}

function reasonInWords(hold: ContactHold | null): string | null {
  if (!hold) return 'The person is away.'
  if (hold.colleague) return `${hold.colleague} replied, so nobody else at the company is contacted for now.`
  return leadReasonText({ reason: hold.code, reason_detail: null })
}

/**
 * Wakes leads held by the contact policy: they wait for their turn from then on, among the follow-ups.
 * `put_off_until` records the wake-up. Their campaigns must be locked.
 */
export async function wakePutOff(
  client: Statements,
  leads: { campaign_lead_id: string; at: Date }[],
): Promise<void> {
  await client.query(
    moveSql(
      'put_off',
      { to: `'active'`, sets: { next_action_at: 'w.at', put_off_until: 'NULL' } },
      `FROM unnest($1::uuid[], $2::timestamptz[]) w (campaign_lead_id, at)
       WHERE l.campaign_lead_id = w.campaign_lead_id AND ${guard('put_off')} AND l.next_action_at = l.put_off_until`,
    ),
    columns(
      leads,
      (lead) => lead.campaign_lead_id,
      (lead) => lead.at,
    ),
  )
}

/**
 * Moves leads that an earlier absence notice put off and that wait only for that. Returns the campaigns, and
 * until when.
 */
export async function movePutOffs(
  client: Statements,
  away: readonly { workspace_id: string; email: string; until: Date }[],
): Promise<{ campaign_id: string; until: Date }[]> {
  const { rows } = await client.query<{ campaign_id: string; until: Date }>(
    prepared(
      moveSql(
        'put_off',
        { to: `'active'`, sets: { next_action_at: 'a.until', put_off_until: 'a.until' } },
        `FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) a (workspace_id, email, until)
         WHERE l.workspace_id = a.workspace_id AND l.email = a.email AND ${guard('put_off')}
           AND l.next_action_at = l.put_off_until AND l.put_off_until <> a.until RETURNING l.campaign_id, a.until`,
      ),
      columns(
        away,
        ({ workspace_id }) => workspace_id,
        ({ email }) => email,
        ({ until }) => until,
      ),
    ),
  )
  return rows
}
