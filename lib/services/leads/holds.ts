import type { PoolClient } from 'pg'
import type { PersonHold } from '#lib/contracts/leads/lead-holds'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { holdChoices } from '#lib/domain/calendar/working-days'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { mayWait } from '#lib/domain/leads/lead-moves'
import { AppError, invalid } from '#lib/errors'
import { logged } from '#lib/services/campaigns/decision-log'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { endHold, putOffAnew } from '#lib/services/leads/absences'
import { campaignsWithLeads } from '#lib/services/leads/endings'
import { writeLeadLog } from '#lib/services/leads/told'

const MAX_DAYS = 366

type Hold = Omit<PersonHold, 'until'> & { until: Date }
type Named = { workspaceId: string; campaignId: string; leadId: string }

const HOLD = `email, until, to_char(last_day, 'YYYY-MM-DD') AS last_day, said, deputy_email, deputy_name`

/** Until when the person of an address is held, and why; null if they are not held now. */
export async function findHold(workspaceId: string, email: string | null, now: Date): Promise<Hold | null> {
  if (email === null) return null
  const { rows } = await pool().query<Hold>(
    `SELECT ${HOLD} FROM absences WHERE workspace_id = $1 AND email = $2 AND until > $3`,
    [workspaceId, email.toLowerCase(), now],
  )
  return rows[0] ?? null
}

type Holdable = { email: string | null; status: LeadStatus }

/**
 * The current hold of a lead's person, and the dates offered for a new one; null if the lead has nothing
 * ahead or no address.
 */
export async function readHold(workspaceId: string, lead: Holdable, timezone: string, now: Date) {
  if (lead.email === null || !mayWait(lead.status)) return null
  return { hold: await findHold(workspaceId, lead.email, now), choices: holdChoices(timezone, now) }
}

/**
 * A member sets the date before which nobody contacts a person. All campaigns with that person are locked, as
 * for an absence notice.
 */
export async function holdLead(named: Named, until: Date, now: Date): Promise<Hold> {
  if (until <= now) throw invalid(['body', 'until'], 'must be in the future')
  if (until.getTime() > now.getTime() + MAX_DAYS * DAY_MS)
    throw invalid(['body', 'until'], 'must be at most a year from now')
  return inTransaction(pool(), async (client) => {
    const person = await lockedPerson(client, named)
    const { rows } = await client.query<Hold>(
      `INSERT INTO absences (workspace_id, email, until, noted_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace_id, email) DO UPDATE SET until = excluded.until, noted_at = excluded.noted_at,
         last_day = NULL, said = NULL, deputy_email = NULL, deputy_name = NULL, inbound_message_id = NULL
       RETURNING ${HOLD}`,
      [person.workspace_id, person.email, until, now],
    )
    const [hold] = rows
    if (!hold) throw new Error('a hold was not written')
    await putOffAnew(client, [{ ...person, until }])
    await log(client, named, 'hold_set', { until: until.toISOString() }, now)
    return hold
  })
}

/** Ends a hold; leads that were put off continue at once. Returns false if the person was not held. */
export async function releaseLead(named: Named, now: Date): Promise<{ was_held: boolean }> {
  return inTransaction(pool(), async (client) => {
    const person = await lockedPerson(client, named)
    const until = await endHold(client, person, now)
    if (!until || until <= now) return { was_held: false }
    await putOffAnew(client, [{ ...person, until: now }])
    await log(client, named, 'hold_lifted', {}, now)
    return { was_held: true }
  })
}

/** The person of a lead, after locking every campaign that has them. */
async function lockedPerson(client: PoolClient, { workspaceId, campaignId, leadId }: Named) {
  const { rows } = await client.query<{ email: string | null }>(
    'SELECT email FROM campaign_leads WHERE campaign_lead_id = $1 AND campaign_id = $2 AND workspace_id = $3',
    [leadId, campaignId, workspaceId],
  )
  const [lead] = rows
  if (!lead) throw new AppError('lead_not_found')
  if (lead.email === null)
    throw new AppError('invalid_state', { message: 'The lead has no email address to identify the person.' })
  const email = lead.email.toLowerCase()
  await lockCampaigns(client, await campaignsWithLeads(client, workspaceId, [email]))
  return { workspace_id: workspaceId, email }
}

const log = (
  client: PoolClient,
  { workspaceId, campaignId, leadId }: Named,
  kind: 'hold_set' | 'hold_lifted',
  detail: Record<string, string>,
  now: Date,
) =>
  writeLeadLog(client, [
    logged({ campaign_id: campaignId, workspace_id: workspaceId }, kind, now, {
      campaign_lead_id: leadId,
      detail,
    }),
  ])
