import { rowsByPlace } from '#lib/services/datasets/rows-by-place'
import {
  enrolledAs,
  type Lists,
  type OnList,
  profileSql,
  type Reach,
} from '#lib/services/leads/enrolment-rule'
import { joinKnownSql, knownPersonSql, rowPersonSql } from '#lib/services/leads/people/identify'
import type { ByTelephone } from '#lib/services/leads/people/telephones'
import { reasonSets } from '#lib/services/leads/state/sql'

/**
 * Appended to the statement to leave already enrolled rows unchanged. Without it the statement fails on such
 * a row, and is a tenth faster.
 */
export const UNLESS_ENROLLED = 'ON CONFLICT (campaign_id, lead_index) DO NOTHING'

const WHY = reasonSets('n.reason')

/**
 * SQL: enrols rows as leads. `rows` selects lead_index, email, created_at, due_at, action_type, `reason`
 * (null for active leads; all others are skipped at once), social_profile, person_id, timezone and
 * timezone_source.
 */
export const enrolSql = (
  ids: { campaign_id: string; workspace_id: string; dataset_id: string },
  rows: string,
) => `
  INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, next_step, next_action_at,
    next_action_type, reason, reason_detail, created_at, social_profile, person_id, timezone, timezone_source)
  SELECT ${ids.campaign_id}, ${ids.workspace_id}, ${ids.dataset_id}, n.lead_index, n.email,
    CASE WHEN n.reason IS NULL THEN 'pending' ELSE 'skipped' END::"LeadStatus",
    CASE WHEN n.reason IS NULL THEN 1 END,
    CASE WHEN n.reason IS NULL THEN n.due_at END,
    CASE WHEN n.reason IS NULL THEN n.action_type END,
    ${WHY.reason}, ${WHY.reason_detail}, n.created_at, n.social_profile, n.person_id,
    n.timezone, n.timezone_source
  FROM (${rows}) n`

const joinClocks = (
  first: number,
) => `LEFT JOIN unnest($${first}::int[], $${first + 1}::text[], $${first + 2}::text[])
  clock (lead_index, timezone, source) ON clock.lead_index = r.lead_index`

/**
 * SQL: enrols the rows `r` of dataset $2 selected by `which` into campaign $1 of workspace $3: due at $4 for
 * action $5, as of $6.
 *
 * The rule decides which rows are skipped; `found` are its conditions, `listed` the rows that the suppression
 * list has by other names, and `lists` the lists not known to be empty. `people` are the people of rows
 * identified by telephone, or `known`: then only rows whose person is known and about whom they say nothing
 * new are enrolled, and of several rows with an address only the first counts. `clocks` is the number of the
 * first of four parameters if leads follow their own clocks (`clockColumns` and the campaign's zone), else
 * null.
 */
export const enrolRowsSql = (
  reach: Reach,
  { listed, lists, people }: { listed: OnList; lists?: Lists; people: ByTelephone | 'known' },
  found: Parameters<typeof enrolledAs>[2],
  which: string,
  clocks: number | null,
) =>
  enrolSql(
    { campaign_id: '$1', workspace_id: '$3', dataset_id: '$2' },
    `SELECT r.lead_index, r.email, $4::timestamptz AS due_at, $5 AS action_type, $6::timestamptz AS created_at, why.reason,
       ${reach.network ? `left(${profileSql(reach.network)}, 500)` : 'NULL'} AS social_profile,
       ${people === 'known' ? knownPersonSql : rowPersonSql('$3::uuid', reach.network, people)} AS person_id,
       ${clocks === null ? 'NULL' : `coalesce(clock.timezone, $${clocks + 3})`} AS timezone,
       ${clocks === null ? 'NULL' : 'clock.source'} AS timezone_source
     FROM ${rowsByPlace('$2', which)} r
     ${people === 'known' ? joinKnownSql('$3::uuid', reach.network) : ''}
     ${clocks === null ? '' : joinClocks(clocks)}
     ${enrolledAs(reach, listed, found, lists)}
     ${people === 'known' ? `WHERE told OR ${found.address}` : ''}`,
  )
