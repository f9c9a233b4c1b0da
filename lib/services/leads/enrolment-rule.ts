import { jsonText } from '#lib/db/json-text'
import type { SkipEmails } from '#lib/domain/campaigns/skip-emails'
import { profileFields } from '#lib/domain/social/social-profile'

/** Rows that a suppression list has by profile or telephone number, by lead_index, each with its entry. */
export type OnList = ReadonlyMap<number, string>

/** Which lists have anything that could pass a row over: to join one that is empty costs each of a hundred thousand rows as much. */
export type Lists = { own: boolean; parent: boolean; verified: boolean }

const ANY_LIST: Lists = { own: true, parent: true, verified: true }

/** The channels that a campaign reaches leads by. */
export type Reach = {
  mail: boolean
  /** The network of its social steps; null where it has none. */
  network: string | null
  /** Whom campaigns of mail alone pass over for what verification found of their address. */
  skip_emails: SkipEmails
  /** Whether it writes to people who have left: it has a reason not to keep to the contact policy. */
  writes_to_left: boolean
}

/** SQL for what a row `r` says of the lead's profile; null where it says nothing. The fields are names of ours. */
export const profileSql = (network: string): string =>
  `coalesce(${profileFields(network)
    .map((field) => `nullif(btrim(r.data ->> '${field}', E' \\t\\r\\n'), '')`)
    .join(', ')})`

/** SQL for what a row `r` says of the lead's profile, in one spelling: see profileKey. */
export const profileKeySql = (network: string): string => `profile_key('${network}', ${profileSql(network)})`

/** Rows, by lead_index, whose `key` an earlier row of the dataset has. */
export const repeatedRows = (key: string, datasetId: string) => `SELECT k.lead_index FROM (
    SELECT r.lead_index, row_number() OVER (PARTITION BY ${key} ORDER BY r.lead_index) AS occurrence
    FROM dataset_rows r WHERE r.dataset_id = ${datasetId} AND ${key} IS NOT NULL) k WHERE k.occurrence > 1`

/**
 * The same by address: most datasets have each address once, and to learn that costs a third of numbering all rows in their order. It
 * is asked once and for all, not joined: of a dataset that came in since its statistics Postgres expects one row, and would
 * gather the addresses anew for each.
 */
export const repeatedAddresses = (datasetId: string) => `${repeatedRows('r.email', datasetId)} AND EXISTS (
    SELECT 1 FROM dataset_rows d WHERE d.dataset_id = ${datasetId} AND d.email IS NOT NULL GROUP BY d.email HAVING count(*) > 1)`

const repeatedProfiles = (network: string) => repeatedRows(profileKeySql(network), '$2')

const REPEATED_ADDRESS = `EXISTS (SELECT 1 FROM dataset_rows d
  WHERE d.dataset_id = r.dataset_id AND d.email = r.email AND d.lead_index < r.lead_index)`

/** Whom nothing reaches. Campaigns of mail alone ask for nothing else than they always did. */
function unreachableReason({ mail, network }: Reach): string {
  if (network === null) return `WHEN r.email IS NULL THEN 'no_address'`
  const without = `${profileSql(network)} IS NULL`
  return mail
    ? `WHEN r.email IS NULL AND ${without} THEN 'no_address_or_profile'`
    : `WHEN ${without} THEN 'no_profile'`
}

/** Whom social steps reach is worth reaching, whatever becomes of mail to them. */
const skipsEmails = ({ network, skip_emails }: Reach) => network === null && skip_emails !== 'none'

const VERIFICATION = `LEFT JOIN email_verifications verified
    ON verified.workspace_id = r.workspace_id AND verified.email = r.email`

/**
 * SQL: a rule on replies asked for the person of `address` to be taken on, and they have not replied, or left, `since`. `into` is
 * SQL of which campaigns `b` are meant.
 */
export const isBranched = (
  into: string,
  address: string,
  since = 'replied.last_event_at',
) => `EXISTS (SELECT 1 FROM lead_branches b
    WHERE ${into} AND b.email = ${address} AND b.asked_at >= ${since} AND b.outcome IS DISTINCT FROM 'cancelled')`

/** Whichever campaign over its dataset that is: the others are asked again when they claim. */
const isBranchedRow = (row: string, since?: string) =>
  isBranched(
    `b.campaign_id IN (SELECT c.campaign_id FROM campaigns c WHERE c.dataset_id = ${row}.dataset_id)`,
    `${row}.email`,
    since,
  )

/** Rows, by lead_index, whose person replied to a campaign of the workspace, where its policy ends them; asked once. */
export const repliedRows = (
  datasetId: string,
) => `SELECT d.lead_index FROM datasets s JOIN workspaces w USING (workspace_id)
    JOIN campaign_leads replied ON replied.workspace_id = w.workspace_id AND replied.status = 'replied'
    JOIN dataset_rows d ON d.dataset_id = s.dataset_id AND d.email = replied.email
  WHERE s.dataset_id = ${datasetId} AND w.after_reply = 'everywhere' AND NOT ${isBranchedRow('d')}`

/** The same of rows whose person has left, as an automatic answer of their address said. */
export const leftRows = (
  datasetId: string,
) => `SELECT d.lead_index FROM datasets s JOIN workspaces w USING (workspace_id)
    JOIN absences gone ON gone.workspace_id = w.workspace_id AND gone.left_at IS NOT NULL
    JOIN dataset_rows d ON d.dataset_id = s.dataset_id AND d.email = gone.email
  WHERE s.dataset_id = ${datasetId} AND w.after_reply = 'everywhere' AND NOT ${isBranchedRow('d', 'gone.left_at')}`

/** The entry that names a row by profile or telephone number: numbers and ids of ours, looked up by binary search. */
const entryOfRow = (
  listed: OnList,
) => `LEFT JOIN suppressions entry ON entry.workspace_id IN (own.workspace_id, own.parent_workspace_id)
    AND entry.suppression_id = ('${jsonText(Object.fromEntries(listed))}'::jsonb ->> r.lead_index::text)::uuid`

const addressOn = (name: string, list: string) =>
  `LEFT JOIN suppressions ${name} ON ${name}.workspace_id = ${list} AND ${name}.value = r.email`
const domainOn = (name: string, list: string) =>
  `LEFT JOIN suppressions ${name} ON ${name}.workspace_id = ${list} AND ${name}.value = '@' || split_part(r.email, '@', 2)`

/**
 * Why a dataset row `r` is enrolled as skipped; null where it becomes a lead to act on. OFFSET 0 keeps Postgres from copying
 * the CASE, with its look-up of repeats, into every place that reads the reason. The last are conditions for rows whose person
 * replied before, or has left (empty: nobody has), and that have the address, or the profile, of an earlier one. `lists` are those
 * that are not known to be empty.
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
 * The same conditions for a few rows that come to a campaign under way, where asking for each is cheap. Whoever it has under
 * an address already is not written to again, whatever their row says by now; only who left with a removed row before anything
 * was offered to them may come back. `campaign` is SQL of its id.
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
