import type { Statements } from '#lib/db/statements'
import type { LeadReason } from '#lib/domain/leads/lead-reasons'
import { enrolledAs, foundIn, profileSql, type Reach } from '#lib/services/leads/enrolment-rule'
import { rowsOnList } from '#lib/services/leads/on-list'
import { identifyRows, rowPersonSql } from '#lib/services/leads/people/identify'
import { guard, moveSql } from '#lib/services/leads/state/sql'

/**
 * The rows of these leads were removed, so nothing is known about whom to contact. Their campaigns must be
 * locked. Returns the number of leads ended.
 */
export async function loseRows(
  client: Statements,
  campaignIds: string[],
  leadIndexes: number[],
  now: Date,
): Promise<number> {
  const reason: LeadReason = 'row_removed'
  const { rows } = await client.query(
    moveSql(
      'lose_row',
      { to: `'skipped'`, event: `'edited'`, at: '$3', sets: { reason: `'${reason}'` } },
      `WHERE l.campaign_id = ANY ($1::uuid[]) AND l.lead_index = ANY ($2::int[]) AND ${guard('lose_row')} RETURNING 1`,
    ),
    [campaignIds, leadIndexes, now],
  )
  return rows.length
}

/**
 * Updates leads that have not begun and whose rows now name another address or profile. A lead that would not
 * have been enrolled that way is skipped for that reason.
 */
export async function readdress(
  client: Statements,
  campaign: { campaign_id: string; workspace_id: string; dataset_id: string; reach: Reach },
  leadIndexes: number[],
  now: Date,
): Promise<void> {
  const { reach } = campaign
  const of = { workspace_id: campaign.workspace_id, dataset_id: campaign.dataset_id }
  const people = await identifyRows(
    client,
    { ...of, which: 'r.lead_index = ANY ($3::int[])', values: [leadIndexes] },
    reach.network,
  )
  const listed = await rowsOnList(client, {
    ...of,
    which: 'r.lead_index = ANY ($5::int[])',
    values: [leadIndexes],
  })
  const profile = reach.network ? `left(${profileSql(reach.network)}, 500)` : 'NULL'
  await client.query(
    moveSql(
      'readdress',
      {
        to: `CASE WHEN n.reason IS NULL THEN 'pending' ELSE 'skipped' END`,
        event: `CASE WHEN n.reason IS NULL THEN l.last_event::text ELSE 'edited' END`,
        at: 'CASE WHEN n.reason IS NULL THEN l.last_event_at ELSE $4::timestamptz END',
        sets: {
          email: 'n.email',
          social_profile: 'n.social_profile',
          person_id: 'n.person_id',
          reason: 'n.reason',
        },
      },
      `FROM (SELECT r.lead_index, r.email, why.reason, ${profile} AS social_profile,
           ${rowPersonSql('r.workspace_id', reach.network, people)} AS person_id
         FROM dataset_rows r ${enrolledAs(reach, listed, foundIn('$1::uuid', reach))}
         WHERE r.dataset_id = $2::uuid AND r.lead_index = ANY ($3::int[])) n
       WHERE l.campaign_id = $1::uuid AND l.lead_index = n.lead_index AND ${guard('readdress')}
         AND (l.email IS DISTINCT FROM n.email OR l.social_profile IS DISTINCT FROM n.social_profile)`,
    ),
    [campaign.campaign_id, campaign.dataset_id, leadIndexes, now],
  )
}
