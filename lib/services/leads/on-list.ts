import type { Statements } from '#lib/db/statements'
import { listedNames, NAMING_FIELDS, type Naming } from '#lib/domain/leads/listed-names'
import type { Lists, OnList } from '#lib/services/leads/enrolment-rule'
import { TAIL, tailSql } from '#lib/services/leads/people/telephones'

/** Rows checked at a time. */
const PAGE = 5_000

/** SQL: the cells of row `r` that identify a person besides the address. */
const CELLS = `jsonb_strip_nulls(jsonb_build_object(${NAMING_FIELDS.map((field) => `'${field}', r.data -> '${field}'`).join(', ')}))`

/**
 * SQL: whether the list of a workspace or its parent has any profile or telephone number. Most have none, and
 * then nothing else is queried.
 */
export const listsNames = (workspace: string) => `EXISTS (SELECT 1 FROM effective_suppressions s
    WHERE s.workspace_id = ${workspace} AND strpos(s.value, '@') = 0)`

/**
 * Which lists are not empty for a workspace. A list that gets its first entry later is checked at the claim.
 */
export async function filledLists(client: Statements, workspaceId: string): Promise<Lists> {
  const { rows } = await client.query<Lists>(
    `SELECT EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = $1) AS own,
       EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = w.parent_workspace_id) AS parent,
       EXISTS (SELECT FROM email_verifications v WHERE v.workspace_id = $1) AS verified
     FROM workspaces w WHERE w.workspace_id = $1`,
    [workspaceId],
  )
  return rows[0] ?? { own: true, parent: true, verified: true }
}

async function hasNames(client: Statements, workspaceId: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`SELECT ${listsNames('$1')} AS found`, [
    workspaceId,
  ])
  return rows[0]?.found ?? false
}

/** The entries for these names; an entry of the workspace's own list comes before one of its parent's. */
async function findEntries(client: Statements, workspaceId: string, names: string[]) {
  const { rows } = await client.query<{ value: string; suppression_id: string }>(
    `SELECT DISTINCT ON (s.value) s.value, s.suppression_id FROM effective_suppressions s
     WHERE s.workspace_id = $1 AND s.value = ANY ($2::text[]) ORDER BY s.value, s.listed_in <> $1`,
    [workspaceId, names],
  )
  return new Map(rows.map(({ value, suppression_id }) => [value, suppression_id]))
}

/** Rows `r` of one dataset: `which` is SQL with `values` from $5 on; without it, all rows. */
type Rows = { workspace_id: string; dataset_id: string; which?: string; values?: unknown[] }

type NamedRow = Naming & { lead_index: number }

/**
 * Which rows of a dataset the list names by something other than their address: cells of the row, or what is
 * known of the person with that address.
 */
export async function rowsOnList(
  client: Statements,
  { workspace_id, dataset_id, which = 'true', values = [] }: Rows,
): Promise<OnList> {
  const listed = new Map<number, string>()
  if (!(await hasNames(client, workspace_id))) return listed
  let after = -1
  for (;;) {
    const { rows } = await client.query<NamedRow>(
      `SELECT r.lead_index, ${CELLS} AS data, p.profile, p.phone, p.country
       FROM dataset_rows r LEFT JOIN people p ON p.workspace_id = r.workspace_id AND p.email = r.email
       WHERE r.workspace_id = $1::uuid AND r.dataset_id = $2::uuid AND r.lead_index > $3::int AND (${which})
       ORDER BY r.lead_index LIMIT $4::int`,
      [workspace_id, dataset_id, after, PAGE, ...values],
    )
    const named = rows.map((row) => ({ lead_index: row.lead_index, names: listedNames(row) }))
    const entries = await findEntries(
      client,
      workspace_id,
      named.flatMap(({ names }) => names),
    )
    for (const { lead_index, names } of named) {
      const entry = names.flatMap((name) => entries.get(name) ?? [])[0]
      if (entry) listed.set(lead_index, entry)
    }
    const last = rows.at(-1)
    if (rows.length < PAGE || !last) return listed
    after = last.lead_index
  }
}

type NamedLead = Naming & { campaign_lead_id: string; campaign_id: string }

/** Leads `l` with everything that identifies them: their rows as they are now, and their person's data. */
const NAMED_LEADS = `SELECT l.campaign_lead_id, l.campaign_id, l.social_profile, ${CELLS} AS data, p.profile, p.phone, p.country
  FROM campaign_leads l JOIN dataset_rows r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
  LEFT JOIN people p ON p.workspace_id = l.workspace_id AND (p.person_id = l.person_id OR p.merged_into_id = l.person_id)`

/** The profiles and telephone numbers of leads. */
export async function namesOfLeads(
  client: Statements,
  workspaceId: string,
  leadIds: string[],
): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>()
  if (leadIds.length === 0) return names
  const { rows } = await client.query<NamedLead>(
    `${NAMED_LEADS} WHERE l.workspace_id = $1::uuid AND l.campaign_lead_id = ANY ($2::uuid[])`,
    [workspaceId, leadIds],
  )
  for (const lead of rows) {
    const { campaign_lead_id } = lead
    names.set(campaign_lead_id, [...(names.get(campaign_lead_id) ?? []), ...listedNames(lead)])
  }
  return names
}

/** A person who is contacted by hand: an address, and the lead whose conversation it is. */
export type Addressee = { email: string; campaign_lead_id?: string | null }

/**
 * By address, the profiles and telephone numbers of people contacted by hand: of the person with the address,
 * of their leads, and of the lead whose conversation it is. Empty if the list has no such names.
 */
export async function namesOfAddressees(
  client: Statements,
  workspaceId: string,
  addressees: Addressee[],
): Promise<Map<string, string[]>> {
  if (!(await hasNames(client, workspaceId))) return new Map()
  const emails = addressees.map(({ email }) => email)
  const { rows: leads } = await client.query<{ email: string; campaign_lead_id: string }>(
    `SELECT email, campaign_lead_id FROM campaign_leads WHERE workspace_id = $1 AND email = ANY ($2::text[])`,
    [workspaceId, emails],
  )
  const { rows: people } = await client.query<Omit<Naming, 'data'> & { email: string }>(
    `SELECT named.email, p.profile, p.phone, p.country FROM people named
       JOIN people p ON p.workspace_id = named.workspace_id AND (p.person_id = coalesce(named.merged_into_id, named.person_id)
         OR p.merged_into_id = coalesce(named.merged_into_id, named.person_id))
     WHERE named.workspace_id = $1 AND named.email = ANY ($2::text[])`,
    [workspaceId, emails],
  )
  const own = addressees.flatMap(({ email, campaign_lead_id }) =>
    campaign_lead_id ? [{ email, campaign_lead_id }] : [],
  )
  const all = [...leads, ...own]
  const byLead = await namesOfLeads(client, workspaceId, [
    ...new Set(all.map((lead) => lead.campaign_lead_id)),
  ])
  const names = new Map<string, string[]>()
  const add = (email: string, more: string[]) => names.set(email, [...(names.get(email) ?? []), ...more])
  for (const { email, campaign_lead_id } of all) add(email, byLead.get(campaign_lead_id) ?? [])
  for (const { email, ...known } of people) add(email, listedNames({ data: {}, ...known }))
  return names
}

/** Which of these leads the list names by profile or telephone number. */
export async function leadsOnList(
  client: Statements,
  workspaceId: string,
  leadIds: string[],
): Promise<Set<string>> {
  if (leadIds.length === 0 || !(await hasNames(client, workspaceId))) return new Set()
  const names = await namesOfLeads(client, workspaceId, leadIds)
  const entries = await findEntries(client, workspaceId, [...names.values()].flat())
  const isListed = (lead: string) => names.get(lead)?.some((name) => entries.has(name)) ?? false
  return new Set(leadIds.filter(isListed))
}

const lastPartSql = (text: string) => `regexp_replace(profile_key('', ${text}), '^.*[:/@]', '')`
const PROFILE_CELLS = NAMING_FIELDS.filter((field) => !['phone', 'whatsapp', 'country'].includes(field))

const LIKELY = [
  `${tailSql(`r.data ->> 'phone'`)} = ANY ($2::text[])`,
  `${tailSql(`r.data ->> 'whatsapp'`)} = ANY ($2::text[])`,
  `${tailSql('p.phone')} = ANY ($2::text[])`,
  ...PROFILE_CELLS.map((field) => `${lastPartSql(`r.data ->> '${field}'`)} = ANY ($3::text[])`),
  `${lastPartSql(`substr(p.profile, strpos(p.profile, ':') + 1)`)} = ANY ($3::text[])`,
]

/**
 * Waiting leads of these workspaces that list entries name by profile or telephone number. Postgres selects
 * candidates by the last characters; the exact comparison happens here. A lead missed because of its spelling
 * is found at its claim.
 */
export async function waitingLeadsNamed(
  client: Statements,
  workspaceIds: string[],
  values: readonly string[],
): Promise<NamedLead[]> {
  const names = new Set(values.filter((value) => !value.includes('@')))
  if (names.size === 0) return []
  const tails = [...names].flatMap((name) => (name.startsWith('+') ? name.slice(-TAIL) : []))
  const parts = [...names].flatMap((name) => {
    const part = name.slice(name.lastIndexOf('/') + 1)
    return name.includes('/') ? [part, encodeURIComponent(part).toLowerCase()] : []
  })
  const { rows } = await client.query<NamedLead>(
    `${NAMED_LEADS} WHERE l.workspace_id = ANY ($1::uuid[]) AND l.status IN ('pending', 'active') AND (${LIKELY.join(' OR ')})`,
    [workspaceIds, tails, parts],
  )
  return rows.filter((lead) => listedNames(lead).some((name) => names.has(name)))
}
