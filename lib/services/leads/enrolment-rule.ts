import { jsonText } from '#lib/db/json-text'
import type { SkipEmails } from '#lib/domain/campaigns/skip-emails'
import { profileFields } from '#lib/domain/social/social-profile'

/**
 * By lead_index: rows that a suppression list names by profile or telephone number, each with the entry's id.
 */
export type OnList = ReadonlyMap<number, string>

/**
 * Which lists are not empty. Joining an empty list costs as much per row as joining a full one, for a hundred
 * thousand rows.
 */
export type Lists = { own: boolean; parent: boolean; verified: boolean }

const ANY_LIST: Lists = { own: true, parent: true, verified: true }

/** The channels by which a campaign reaches its leads. */
export type Reach = {
  mail: boolean
  /** The network of its social steps; null if it has none. */
  network: string | null
  /** Which addresses an email-only campaign skips, given the result of their verification. */
  skip_emails: SkipEmails
  /** Whether the campaign writes to people who have left, because it overrides the contact policy. */
  writes_to_left: boolean
}

/**
 * SQL: the lead's profile according to row `r`; null if the row has none. The field names are constants, not
 * user input.
 */
export const profileSql = (network: string): string =>
  `coalesce(${profileFields(network)
    .map((field) => `nullif(btrim(r.data ->> '${field}', E' \\t\\r\\n'), '')`)
    .join(', ')})`

/** SQL: the key of row `r`'s profile, see profileKey. */
export const profileKeySql = (network: string): string => `profile_key('${network}', ${profileSql(network)})`

/** SQL: rows, by lead_index, whose `key` an earlier row of the dataset already has. */
export const repeatedRows = (key: string, datasetId: string) => `SELECT k.lead_index FROM (
    SELECT r.lead_index, row_number() OVER (PARTITION BY ${key} ORDER BY r.lead_index) AS occurrence
    FROM dataset_rows r WHERE r.dataset_id = ${datasetId} AND ${key} IS NOT NULL) k WHERE k.occurrence > 1`

/**
 * The same by address. Most datasets have each address once, and checking that costs a third of numbering all
 * rows. It is an uncorrelated subquery rather than a join: for a dataset imported since the last statistics
 * Postgres expects one row and would group the addresses again for each.
 */
export const repeatedAddresses = (datasetId: string) => `${repeatedRows('r.email', datasetId)} AND EXISTS (
    SELECT 1 FROM dataset_rows d WHERE d.dataset_id = ${datasetId} AND d.email IS NOT NULL GROUP BY d.email HAVING count(*) > 1)`

const repeatedProfiles = (network: string) => repeatedRows(profileKeySql(network), '$2')

const REPEATED_ADDRESS = `EXISTS (SELECT 1 FROM dataset_rows d
  WHERE d.dataset_id = r.dataset_id AND d.email = r.email AND d.lead_index < r.lead_index)`

/** SQL: the reason for rows that no channel reaches. Email-only campaigns check only for an address. */
function unreachableReason({ mail, network }: Reach): string {
  if (network === null) return `WHEN r.email IS NULL THEN 'no_address'`
  const without = `${profileSql(network)} IS NULL`
  return mail
    ? `WHEN r.email IS NULL AND ${without} THEN 'no_address_or_profile'`
    : `WHEN ${without} THEN 'no_profile'`
}

/** A lead that social steps reach is enrolled whatever the verification of its address says. */
const skipsEmails = ({ network, skip_emails }: Reach) => network === null && skip_emails !== 'none'

const VERIFICATION = `LEFT JOIN email_verifications verified
    ON verified.workspace_id = r.workspace_id AND verified.email = r.email`

/**
 * SQL: a reply rule asked for the person of `address` to be added to a campaign, and they have not replied or
 * left `since`. `into` is SQL that selects the campaigns `b` meant.
 */
export const isBranched = (
  into: string,
  address: string,
  since = 'replied.last_event_at',
) => `EXISTS (SELECT 1 FROM lead_branches b
    WHERE ${into} AND b.email = ${address} AND b.asked_at >= ${since} AND b.outcome IS DISTINCT FROM 'cancelled')`

/**
 * Any campaign over the row's dataset counts here; campaigns for which it does not are checked again at their
 * claims.
 */
const isBranchedRow = (row: string, since?: string) =>
  isBranched(
    `b.campaign_id IN (SELECT c.campaign_id FROM campaigns c WHERE c.dataset_id = ${row}.dataset_id)`,
    `${row}.email`,
    since,
  )

/**
 * SQL: rows, by lead_index, whose person replied to a campaign of the workspace, if its policy ends leads for
 * that. Evaluated once.
 */
export const repliedRows = (
  datasetId: string,
) => `SELECT d.lead_index FROM datasets s JOIN workspaces w USING (workspace_id)
    JOIN campaign_leads replied ON replied.workspace_id = w.workspace_id AND replied.status = 'replied'
    JOIN dataset_rows d ON d.dataset_id = s.dataset_id AND d.email = replied.email
  WHERE s.dataset_id = ${datasetId} AND w.after_reply = 'everywhere' AND NOT ${isBranchedRow('d')}`

/** SQL: the same for rows whose person has left, according to an automatic reply from their address. */
export const leftRows = (
  datasetId: string,
) => `SELECT d.lead_index FROM datasets s JOIN workspaces w USING (workspace_id)
    JOIN absences gone ON gone.workspace_id = w.workspace_id AND gone.left_at IS NOT NULL
    JOIN dataset_rows d ON d.dataset_id = s.dataset_id AND d.email = gone.email
  WHERE s.dataset_id = ${datasetId} AND w.after_reply = 'everywhere' AND NOT ${isBranchedRow('d', 'gone.left_at')}`

/**
 * SQL: the entry that names a row by profile or telephone number. The values are numbers and our own ids,
 * found by binary search.
 */
const entryOfRow = (
  listed: OnList,
) => `LEFT JOIN suppressions entry ON entry.workspace_id IN (own.workspace_id, own.parent_workspace_id)
    AND entry.suppression_id = ('${jsonText(Object.fromEntries(listed))}'::jsonb ->> r.lead_index::text)::uuid`

const addressOn = (name: string, list: string) =>
  `LEFT JOIN suppressions ${name} ON ${name}.workspace_id = ${list} AND ${name}.value = r.email`
const domainOn = (name: string, list: string) =>
  `LEFT JOIN suppressions ${name} ON ${name}.workspace_id = ${list} AND ${name}.value = '@' || split_part(r.email, '@', 2)`

/**
 * SQL: why dataset row `r` is enrolled as skipped; null if it becomes an active lead. OFFSET 0 keeps Postgres
 * from copying the CASE, with its lookup of repeated rows, into every place that reads the reason. The last
 * parameters are conditions for rows whose person replied before or has left (empty: nobody has), and for rows
 * that have the address or profile of an earlier row. `lists` are the lists not known to be empty.
 */
export const enrolledAs = (
  reach: Reach,
  listed: OnList,
  { replied, left, ...repeats }: { replied: string; left: string; address: string; profile: string },
  lists: Lists = ANY_LIST,
) => {
  const isVerified = skipsEmails(reach) && lists.verified
  const when = (isAsked: boolean, sql: string) => (isAsked ? sql : '')
  return `
  ${when(lists.own, addressOn('address', 'r.workspace_id'))}
  ${when(lists.own, domainOn('domain', 'r.workspace_id'))}
  ${when(lists.parent || listed.size > 0, 'LEFT JOIN workspaces own ON own.workspace_id = r.workspace_id')}
  ${when(lists.parent, addressOn('parent_address', 'own.parent_workspace_id'))}
  ${when(lists.parent, domainOn('parent_domain', 'own.parent_workspace_id'))}
  ${when(listed.size > 0, entryOfRow(listed))}
  ${when(isVerified, VERIFICATION)}
  CROSS JOIN LATERAL (SELECT CASE
    ${unreachableReason(reach)}
    ${when(lists.own, `WHEN address.suppression_id IS NOT NULL THEN 'suppressed: ' || address.reason`)}
    ${when(lists.parent, `WHEN parent_address.suppression_id IS NOT NULL THEN 'suppressed: ' || parent_address.reason`)}
    ${when(lists.own, `WHEN domain.suppression_id IS NOT NULL THEN 'suppressed_domain: ' || domain.reason`)}
    ${when(lists.parent, `WHEN parent_domain.suppression_id IS NOT NULL THEN 'suppressed_domain: ' || parent_domain.reason`)}
    ${when(listed.size > 0, `WHEN entry.suppression_id IS NOT NULL THEN 'suppressed: ' || entry.reason`)}
    WHEN ${replied} THEN 'replied_elsewhere'
    ${when(left !== '', `WHEN ${left} THEN 'has_left'`)}
    ${when(isVerified, `WHEN verified.status = 'invalid' THEN 'undeliverable'`)}
    ${when(isVerified && reach.skip_emails === 'invalid_and_risky', `WHEN verified.status = 'risky' THEN 'risky_address'`)}
    WHEN ${repeats.address} THEN 'duplicate_address'
    ${when(reach.network !== null, `WHEN ${repeats.profile} THEN 'duplicate_profile'`)}
  END AS reason OFFSET 0) why`
}

/**
 * The same conditions for a few rows added to a launched campaign, for which a check per row is cheap. An
 * address the campaign already has is not contacted again, whatever its row says now; only a lead that left
 * with a removed row before anything was sent to it may come back. `campaign` is SQL of the campaign's id.
 */
export const foundIn = (campaign: string, { network, writes_to_left }: Reach) => ({
  replied: `EXISTS (SELECT 1 FROM workspaces w JOIN campaign_leads replied ON replied.workspace_id = w.workspace_id
      AND replied.status = 'replied' AND replied.email = r.email AND replied.campaign_id <> ${campaign}
    WHERE w.workspace_id = r.workspace_id AND w.after_reply = 'everywhere' AND NOT ${isBranchedRow('r')})`,
  left: writes_to_left
    ? ''
    : `EXISTS (SELECT 1 FROM workspaces w JOIN absences gone ON gone.workspace_id = w.workspace_id
      AND gone.email = r.email AND gone.left_at IS NOT NULL
    WHERE w.workspace_id = r.workspace_id AND w.after_reply = 'everywhere' AND NOT ${isBranchedRow('r', 'gone.left_at')})`,
  address: `(${REPEATED_ADDRESS} OR ${hasAddress(campaign)})`,
  profile: network === null ? '' : `r.lead_index IN (${repeatedProfiles(network)})`,
})

const hasAddress = (campaign: string) => `EXISTS (SELECT 1 FROM campaign_leads o
  WHERE o.workspace_id = r.workspace_id AND o.email = r.email AND o.campaign_id = ${campaign} AND o.lead_index <> r.lead_index
    AND NOT (o.status = 'skipped' AND o.reason = 'row_removed'
      AND NOT EXISTS (SELECT 1 FROM actions a WHERE a.campaign_lead_id = o.campaign_lead_id)))`
