import type { PoolClient } from 'pg'
import type { Reader } from '#lib/db/client'
import { hidden, prepared } from '#lib/db/prepared'
import { type ContactHold, holdAfterReply } from '#lib/domain/sending/contact-hold'

type Answered = { workspace_id: string; campaign_lead_id: string; at: Date }

/** Records in the leads' companies who replied and when, whatever the contact policy makes of it. */
export async function noteCompanyReplies(client: PoolClient, answered: readonly Answered[]): Promise<void> {
  await client.query(
    prepared(
      `UPDATE companies c SET replied_at = r.at, replied_person_id = r.person_id
       FROM (SELECT DISTINCT ON (p.company_id) p.company_id, p.workspace_id, p.person_id, a.at
         FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) WITH ORDINALITY a (campaign_lead_id, workspace_id, at, place)
           JOIN campaign_leads l ON l.campaign_lead_id = a.campaign_lead_id AND l.workspace_id = a.workspace_id
           JOIN people p ON p.person_id = l.person_id AND p.workspace_id = l.workspace_id
         WHERE p.company_id IS NOT NULL ORDER BY p.company_id, a.at DESC, a.place) r
       WHERE c.company_id = r.company_id AND c.workspace_id = r.workspace_id
         AND (c.replied_at IS NULL OR c.replied_at < r.at)`,
      [
        answered.map(({ campaign_lead_id }) => campaign_lead_id),
        answered.map(({ workspace_id }) => workspace_id),
        answered.map(({ at }) => at),
      ],
    ),
  )
}

/**
 * Locks the companies of leads that replied, in one order, so that concurrent writers wait for each other
 * without deadlocking.
 */
export async function lockCompanies(client: PoolClient, leadIds: string[]): Promise<void> {
  await client.query(
    prepared(
      `SELECT 1 FROM companies WHERE company_id IN (
         SELECT p.company_id FROM campaign_leads l JOIN people p ON p.person_id = l.person_id AND p.workspace_id = l.workspace_id
         WHERE l.campaign_lead_id = ANY ($1::uuid[])) ORDER BY company_id FOR NO KEY UPDATE`,
      [leadIds],
    ),
  )
}

/**
 * The campaigns, to be locked, with waiting leads at the companies of these leads, if the policy makes
 * colleagues wait after a reply.
 */
export async function campaignsOfColleagues(client: PoolClient, leadIds: string[]): Promise<string[]> {
  const { rows } = await client.query<{ campaign_id: string }>(
    prepared(
      `SELECT DISTINCT l.campaign_id FROM campaign_leads replied
         JOIN workspaces w ON w.workspace_id = replied.workspace_id AND w.colleague_reply_days > 0
         JOIN people them ON them.person_id = replied.person_id AND them.workspace_id = w.workspace_id
         JOIN people p ON p.workspace_id = w.workspace_id AND p.company_id = them.company_id
         JOIN campaign_leads l ON l.person_id = p.person_id AND l.workspace_id = p.workspace_id
       WHERE replied.campaign_lead_id = ANY (${hidden('$1::uuid[]')}::uuid[]) AND l.status IN ('pending', 'active')`,
      [leadIds],
    ),
  )
  return rows.map((row) => row.campaign_id)
}

/**
 * SQL: companies `c` of workspace $1 whose person `r` replied so recently that colleagues still have to wait
 * after $2.
 */
const REPLIED = `workspaces w JOIN companies c ON c.workspace_id = w.workspace_id AND w.colleague_reply_days > 0
    AND c.replied_at > $2::timestamptz - interval '24 hours' * w.colleague_reply_days
  LEFT JOIN people r ON r.person_id = c.replied_person_id AND r.workspace_id = c.workspace_id`
const HOLD = `(extract(epoch FROM c.replied_at) * 1000)::float8 AS replied_at, w.colleague_reply_days AS days,
  coalesce(nullif(btrim(concat_ws(' ', r.first_name, r.last_name)), ''), r.email) AS colleague`

type Held = { lead_index: number; replied_at: number; days: number; colleague: string | null }

const toHolds = (rows: Held[]): ReadonlyMap<number, ContactHold> =>
  new Map(
    rows.map(({ lead_index, replied_at, days, colleague }) => [
      lead_index,
      holdAfterReply(replied_at, days, colleague),
    ]),
  )

type Campaign = { workspace_id: string; campaign_id: string; contact_policy_override: string | null }

/**
 * By lead_index, the leads that must wait because a colleague replied; empty if the campaign ignores the
 * policy.
 */
export async function leadsAfterColleague(
  client: PoolClient,
  campaign: Campaign,
  leadIds: string[],
  now: Date,
): Promise<ReadonlyMap<number, ContactHold>> {
  if (campaign.contact_policy_override !== null || leadIds.length === 0) return new Map()
  const { rows } = await client.query<Held>(
    prepared(
      `SELECT l.lead_index, ${HOLD} FROM unnest($3::uuid[]) asked (campaign_lead_id)
         JOIN campaign_leads l USING (campaign_lead_id)
         JOIN people p ON p.person_id = l.person_id AND p.workspace_id = l.workspace_id
         JOIN (${REPLIED}) ON c.company_id = p.company_id AND p.person_id IS DISTINCT FROM c.replied_person_id
       WHERE w.workspace_id = $1`,
      [campaign.workspace_id, now, leadIds],
    ),
  )
  return toHolds(rows)
}

/** The same for all unfinished leads of a campaign. */
export async function waitingAfterColleague(reader: Reader, campaign: Campaign, after: Date) {
  if (campaign.contact_policy_override !== null) return toHolds([])
  const { rows } = await reader.query<Held>(
    `SELECT l.lead_index, ${HOLD} FROM ${REPLIED}
       JOIN people p ON p.workspace_id = c.workspace_id AND p.company_id = c.company_id
         AND p.person_id IS DISTINCT FROM c.replied_person_id
       JOIN campaign_leads l ON l.person_id = p.person_id AND l.workspace_id = p.workspace_id
     WHERE w.workspace_id = $1 AND l.campaign_id = $3 AND l.status IN ('pending', 'active')`,
    [campaign.workspace_id, after, campaign.campaign_id],
  )
  return toHolds(rows)
}

/**
 * The same for the rows of a dataset before they are enrolled. Somebody new to the workspace belongs to the
 * company of their address.
 */
export async function rowsAfterColleague(reader: Reader, campaign: Campaign, datasetId: string, after: Date) {
  if (campaign.contact_policy_override !== null) return toHolds([])
  const { rows } = await reader.query<Held>(
    `WITH replied AS MATERIALIZED (
       SELECT c.company_id, c.domain, c.replied_person_id, ${HOLD} FROM ${REPLIED} WHERE w.workspace_id = $1)
     SELECT d.lead_index, h.replied_at, h.days, h.colleague
     FROM dataset_rows d
       LEFT JOIN people named ON named.workspace_id = d.workspace_id AND named.email = d.email
       LEFT JOIN people p ON p.person_id = coalesce(named.merged_into_id, named.person_id)
       JOIN replied h ON CASE WHEN p.person_id IS NULL THEN h.domain = split_part(d.email, '@', 2)
         ELSE h.company_id = p.company_id AND p.person_id IS DISTINCT FROM h.replied_person_id END
     WHERE d.workspace_id = $1 AND d.dataset_id = $3 AND d.email IS NOT NULL AND EXISTS (SELECT 1 FROM replied)`,
    [campaign.workspace_id, after, datasetId],
  )
  return toHolds(rows)
}
