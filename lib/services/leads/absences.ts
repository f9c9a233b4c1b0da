import type { PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import { absentUntil } from '#lib/domain/calendar/working-days'
import { isTimeZone } from '#lib/domain/calendar/zoned-time'
import type { Absence } from '#lib/domain/inbox/absence/absence'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import { movePutOff } from '#lib/services/leads/state/put-off'

type AbsentLead = { campaign_lead_id: string; workspace_id: string; email: string }

/**
 * A notice says that a lead's person is away: they get nothing from any campaign of the workspace before the morning of
 * the first working day after, in their own zone. Claims look there; leads that an earlier notice put off are moved. All
 * their campaigns must be locked. Answers until when; null where that is over already.
 */
export async function noteAbsence(
  client: PoolClient,
  lead: AbsentLead,
  absence: Absence,
  notice: { inbound_message_id: string; received_at: Date },
  now: Date,
): Promise<Date | null> {
  const zone = await zoneOfLead(client, lead.campaign_lead_id)
  const until = new Date(absentUntil(absence.last_day, notice.received_at.getTime(), zone))
  if (until <= now) return null
  const person = { workspace_id: lead.workspace_id, email: lead.email.toLowerCase() }
  await client.query(
    prepared(
      `INSERT INTO absences (workspace_id, email, until, last_day, said, deputy_email, deputy_name, inbound_message_id, noted_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (workspace_id, email) DO UPDATE SET until = excluded.until, last_day = excluded.last_day,
         said = excluded.said, deputy_email = excluded.deputy_email, deputy_name = excluded.deputy_name,
         inbound_message_id = excluded.inbound_message_id, noted_at = excluded.noted_at`,
      [
        person.workspace_id,
        person.email,
        until,
        absence.last_day,
        absence.said,
        absence.deputy?.email ?? null,
        absence.deputy?.name ?? null,
        notice.inbound_message_id,
        now,
      ],
    ),
  )
  const campaigns = await movePutOff(client, person, until)
  await wakeCampaigns(client, campaigns, until)
  return until
}

/** What its row says, where that is a zone; else the campaign's. */
async function zoneOfLead(client: PoolClient, leadId: string): Promise<string> {
  const { rows } = await client.query<{ own: string | null; timezone: string }>(
    prepared(
      `SELECT r.data ->> 'timezone' AS own, coalesce(l.timezone, c.timezone) AS timezone FROM campaign_leads l JOIN campaigns c USING (campaign_id)
         LEFT JOIN dataset_rows r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
       WHERE l.campaign_lead_id = $1`,
      [leadId],
    ),
  )
  const [row] = rows
  return row?.own && isTimeZone(row.own) ? row.own : (row?.timezone ?? 'UTC')
}
