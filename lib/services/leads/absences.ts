import type { PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { absentUntil } from '#lib/domain/calendar/working-days'
import { isTimeZone } from '#lib/domain/calendar/zoned-time'
import type { Absence } from '#lib/domain/inbox/absence/absence'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import { movePutOffs } from '#lib/services/leads/state/put-off'

type AbsentLead = { campaign_lead_id: string; workspace_id: string; email: string }
type Noted = {
  lead: AbsentLead
  absence: Absence
  notice: { inbound_message_id: string; received_at: Date }
}

/**
 * Records that the people of leads are away, as their automatic replies say. No campaign of the workspace
 * contacts them before the morning of the first working day after the absence, in their own zone. Claims read
 * this; leads already put off by an earlier notice are moved. All campaigns of these people must be locked.
 * Returns, by lead, until when, for absences that are not over yet.
 */
export async function noteAbsences(
  client: PoolClient,
  notices: readonly Noted[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  if (notices.length === 0) return new Map()
  const zones = await zonesOfLeads(
    client,
    notices.map(({ lead }) => lead.campaign_lead_id),
  )
  const away = notices.flatMap(({ lead, absence, notice }) => {
    const zone = zones.get(lead.campaign_lead_id) ?? 'UTC'
    const until = new Date(absentUntil(absence.last_day, notice.received_at.getTime(), zone))
    const { inbound_message_id } = notice
    return until > now
      ? [{ ...lead, email: lead.email.toLowerCase(), absence, inbound_message_id, until }]
      : []
  })
  if (away.length === 0) return new Map()
  const kept = await keepAbsences(client, away, now)
  await putOffAnew(client, kept)
  return new Map(kept.map(({ campaign_lead_id, until }) => [campaign_lead_id, until]))
}

type Until = { workspace_id: string; email: string; until: Date }

/**
 * People are away until another instant, or no longer: moves the leads that were put off. Their campaigns
 * must be locked.
 */
export async function putOffAnew(client: Statements, people: readonly Until[]): Promise<void> {
  for (const { campaign_id, until } of await movePutOffs(client, people))
    await wakeCampaigns(client, [campaign_id], until)
}

/**
 * Ends the hold of an address: any hold, or only the one that this message caused. That the person has left stays remembered. Returns
 * when the hold would have ended; null if there was none.
 */
export async function endHold(
  client: Statements,
  { workspace_id, email }: { workspace_id: string; email: string | null },
  now: Date,
  messageId: string | null = null,
): Promise<Date | null> {
  const { rows } = await client.query<{ until: Date }>(
    `WITH held AS (SELECT * FROM absences WHERE workspace_id = $1 AND email = $2
         AND ($4::uuid IS NULL OR inbound_message_id = $4) FOR UPDATE),
       over AS (DELETE FROM absences b USING held
         WHERE b.workspace_id = held.workspace_id AND b.email = held.email AND held.left_at IS NULL),
       kept AS (UPDATE absences b SET until = least(held.until, $3) FROM held
         WHERE b.workspace_id = held.workspace_id AND b.email = held.email AND held.left_at IS NOT NULL)
     SELECT until FROM held`,
    [workspace_id, email, now, messageId],
  )
  return rows[0]?.until ?? null
}

type Away = AbsentLead & { absence: Absence; inbound_message_id: string; until: Date }

const byProgram = (id: string) =>
  `EXISTS (SELECT 1 FROM inbound_messages i WHERE i.inbound_message_id = ${id} AND i.kind = 'automatic_reply')`
/**
 * SQL: an automatic reply reports an absence for somebody for whom a person has named a day that is still
 * ahead.
 */
const OVER_A_PERSON = `(b.until > $9 AND ${byProgram('excluded.inbound_message_id')} AND NOT ${byProgram('b.inbound_message_id')})`

/**
 * Written in one order, so that two writers of the same people do not deadlock. An automatic reply never
 * brings forward a day that a person named, since it knows nothing of it; if it moves the day back, the entry
 * still counts as the person's. Returns what was stored.
 */
async function keepAbsences(client: PoolClient, away: readonly Away[], now: Date): Promise<Away[]> {
  const column = <T>(pick: (one: Away) => T) => away.map(pick)
  const { rows } = await client.query<{ workspace_id: string; email: string }>(
    prepared(
      `INSERT INTO absences AS b (workspace_id, email, until, last_day, said, deputy_email, deputy_name, inbound_message_id, noted_at)
       SELECT a.*, $9::timestamptz FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::date[], $5::text[], $6::text[],
         $7::text[], $8::uuid[]) a (workspace_id, email, until, last_day, said, deputy_email, deputy_name, inbound_message_id)
       ORDER BY a.workspace_id, a.email
       ON CONFLICT (workspace_id, email) DO UPDATE SET until = excluded.until, last_day = excluded.last_day,
         said = excluded.said, deputy_email = excluded.deputy_email, deputy_name = excluded.deputy_name,
         inbound_message_id = CASE WHEN ${OVER_A_PERSON} THEN b.inbound_message_id ELSE excluded.inbound_message_id END,
         noted_at = excluded.noted_at
       WHERE excluded.until >= b.until OR NOT ${OVER_A_PERSON}
       RETURNING workspace_id, email`,
      [
        column(({ workspace_id }) => workspace_id),
        column(({ email }) => email),
        column(({ until }) => until),
        column(({ absence }) => absence.last_day),
        column(({ absence }) => absence.said),
        column(({ absence }) => absence.deputy?.email ?? null),
        column(({ absence }) => absence.deputy?.name ?? null),
        column(({ inbound_message_id }) => inbound_message_id),
        now,
      ],
    ),
  )
  const kept = new Set(rows.map(({ workspace_id, email }) => `${workspace_id} ${email}`))
  return away.filter(({ workspace_id, email }) => kept.has(`${workspace_id} ${email}`))
}

/** The zone from each lead's row if the row has one, else the campaign's. */
async function zonesOfLeads(client: PoolClient, leadIds: string[]): Promise<Map<string, string>> {
  const { rows } = await client.query<{ campaign_lead_id: string; own: string | null; timezone: string }>(
    prepared(
      `SELECT l.campaign_lead_id, r.data ->> 'timezone' AS own, coalesce(l.timezone, c.timezone) AS timezone
       FROM campaign_leads l JOIN campaigns c USING (campaign_id)
         LEFT JOIN dataset_rows r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
       WHERE l.campaign_lead_id = ANY ($1::uuid[])`,
      [leadIds],
    ),
  )
  return new Map(
    rows.map(({ campaign_lead_id, own, timezone }) => [
      campaign_lead_id,
      own && isTimeZone(own) ? own : timezone,
    ]),
  )
}
