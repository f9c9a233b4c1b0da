import { jsonText } from '#lib/db/json-text'
import type { Statements } from '#lib/db/statements'
import { companyDomain } from '#lib/domain/inbox/company-domain'
import { DEFAULT_NETWORK } from '#lib/domain/social/social-profile'
import { rowsByPlace } from '#lib/services/datasets/rows-by-place'
import { profileKeySql } from '#lib/services/leads/enrolment-rule'
import {
  type ByTelephone,
  nameTelephones,
  peopleByTelephone,
  type Rows,
  telephoneRows,
} from '#lib/services/leads/people/telephones'

/** SQL: the profile of row `r` as stored for people: the network and the normalized handle. */
const rowProfileSql = (network: string | null) =>
  `'${network ?? DEFAULT_NETWORK}:' || left(nullif(${profileKeySql(network ?? DEFAULT_NETWORK)}, ''), 500)`

const cell = (field: string) => `nullif(btrim(r.data ->> '${field}'), '')`
/** What lists say about people: the newest non-empty value counts, until somebody corrects it by hand. */
const TOLD = ['first_name', 'last_name', 'title', 'company', 'country', 'phone', 'profile']

const rowParameters = ({ workspace_id, dataset_id, values }: Rows) => [workspace_id, dataset_id, ...values]

/** SQL: what row `r` says about its person. */
const saidOfRowSql = (
  network: string | null,
) => `${rowProfileSql(network)} AS profile, ${cell('first_name')} AS first_name,
      ${cell('last_name')} AS last_name, ${cell('title')} AS title, ${cell('company')} AS company,
      ${cell('country')} AS country, ${cell('phone')} AS phone`

const saidSql = ({ which }: Rows, network: string | null) =>
  `SELECT r.lead_index, r.email, ${saidOfRowSql(network)}
    FROM ${rowsByPlace('$2', `r.workspace_id = $1 AND ${which}`)} r`

/**
 * Creates or updates the people and companies that these rows name. Statements process rows in key order, so
 * two launches over the same people wait for each other without deadlocking. Returns the people of rows that
 * have neither address nor profile, found by telephone number.
 */
export async function identifyRows(
  client: Statements,
  rows: Rows,
  network: string | null,
): Promise<ByTelephone> {
  const values = rowParameters(rows)
  const said = saidSql(rows, network)
  await nameCompanies(client, rows)
  const dialled = await telephoneRows(client, rows, unnamedSql(network))
  await nameTelephones(client, rows, said)
  // People known only by a profile who now have an address.
  await client.query(
    `UPDATE people p SET email = s.email, updated_at = now() FROM (
       SELECT DISTINCT ON (said.profile) said.profile, said.email FROM (${said}) said
       WHERE said.profile IS NOT NULL AND said.email IS NOT NULL
         AND EXISTS (SELECT 1 FROM people alone WHERE alone.workspace_id = $1 AND alone.email IS NULL)
         AND NOT EXISTS (SELECT 1 FROM people known WHERE known.workspace_id = $1 AND known.email = said.email)
       ORDER BY said.profile, said.lead_index) s
     WHERE p.workspace_id = $1 AND p.profile = s.profile AND p.email IS NULL AND NOT EXISTS (
       SELECT 1 FROM people other WHERE other.workspace_id = $1 AND other.email = s.email)`,
    values,
  )
  // People about whom nothing new is said are not written at all: checking first costs a third of a write
  // that changes nothing, which would lock each row. Only the statement's own check is decisive, since others
  // may write meanwhile.
  await client.query(
    `INSERT INTO people AS p (workspace_id, email, company_id, ${TOLD.join(', ')})
     SELECT $1::uuid, n.email, c.company_id, ${TOLD.map((column) => `n.${column}`).join(', ')} FROM (
       SELECT DISTINCT ON (said.email) said.* FROM (${said}) said
       WHERE said.email IS NOT NULL ORDER BY said.email, said.lead_index) n
     LEFT JOIN LATERAL (SELECT c.company_id FROM companies c
       WHERE c.workspace_id = $1 AND c.domain = split_part(n.email, '@', 2) LIMIT 1) c ON true
     LEFT JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = $1 AND p.email = n.email LIMIT 1) known ON true
     WHERE known.person_id IS NULL OR ${saysMore('known', 'n', 'c.company_id')}
     ORDER BY n.email
     ON CONFLICT (workspace_id, email) DO UPDATE SET updated_at = now(), company_id = excluded.company_id,
       ${TOLD.map((column) => `${column} = coalesce(excluded.${column}, p.${column})`).join(', ')}
     WHERE ${saysMore('p', 'excluded', 'excluded.company_id')}`,
    values,
  )
  await client.query(
    `INSERT INTO people (workspace_id, ${TOLD.join(', ')})
     SELECT $1::uuid, ${TOLD.map((column) => `n.${column}`).join(', ')} FROM (
       SELECT DISTINCT ON (said.profile) said.* FROM (${said}) said
       WHERE said.email IS NULL AND said.profile IS NOT NULL AND NOT said.lead_index = ANY ($${values.length + 1}::int[])
         AND NOT EXISTS (SELECT 1 FROM people p WHERE p.workspace_id = $1 AND p.profile = said.profile)
       ORDER BY said.profile, said.lead_index) n
     ORDER BY n.profile
     ON CONFLICT DO NOTHING`,
    [...values, [...dialled.keys()]],
  )
  return peopleByTelephone(client, rows, dialled)
}

/**
 * SQL: rows `r` that have neither address nor profile. On networks whose profile is a telephone number, such
 * as WhatsApp, the number counts as a telephone number, unless a person is known by that spelling as a
 * profile from before that rule.
 */
const unnamedSql = (network: string | null) => {
  const profile = rowProfileSql(network)
  return network === 'whatsapp'
    ? `r.email IS NULL AND NOT EXISTS (SELECT 1 FROM people known WHERE known.workspace_id = $1 AND known.profile = ${profile})`
    : `r.email IS NULL AND ${profile} IS NULL`
}

/** SQL: a list has a new value for the person, whom nobody corrected by hand. */
const saysMore = (person: string, said: string, company: string) => `${person}.edited_at IS NULL
  AND (${['company_id', ...TOLD].map((column) => `${person}.${column}`).join(', ')}) IS DISTINCT FROM (${company},
    ${TOLD.map((column) => `coalesce(${said}.${column}, ${person}.${column})`).join(', ')})`

/** Creates companies for the addresses of these rows if they are missing. */
async function nameCompanies(client: Statements, rows: Rows): Promise<void> {
  const { rows: unknown } = await client.query<{ domain: string; name: string | null }>(
    `SELECT split_part(said.email, '@', 2) AS domain, min(said.company) AS name FROM (${saidSql(rows, null)}) said
     WHERE said.email IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM companies c WHERE c.workspace_id = $1 AND c.domain = split_part(said.email, '@', 2))
     GROUP BY 1 ORDER BY 1`,
    rowParameters(rows),
  )
  const companies = unknown.filter(({ domain }) => companyDomain(`somebody@${domain}`) !== null)
  if (companies.length === 0) return
  await client.query(
    `INSERT INTO companies (workspace_id, domain, name)
     SELECT $1::uuid, domain, name FROM unnest($2::text[], $3::text[]) of_rows (domain, name) ORDER BY domain
     ON CONFLICT (workspace_id, domain) DO NOTHING`,
    [rows.workspace_id, companies.map(({ domain }) => domain), companies.map(({ name }) => name)],
  )
}

/**
 * SQL: joins to row `r` of workspace `workspaceId` (SQL) the person with its address as `known`, and as
 * `told` whether the row says nothing new about them, so that `identifyRows` would change nothing. A person's
 * company must be that of their address. Rows with an unknown address are dropped.
 */
export const joinKnownSql = (workspaceId: string, network: string | null) => `
  CROSS JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = ${workspaceId} AND p.email = r.email LIMIT 1) known
  LEFT JOIN LATERAL (SELECT c.company_id FROM companies c WHERE known.company_id IS NULL
    AND c.workspace_id = ${workspaceId} AND c.domain = split_part(r.email, '@', 2) LIMIT 1) c ON true
  CROSS JOIN LATERAL (SELECT ${saidOfRowSql(network)}) said
  CROSS JOIN LATERAL (SELECT NOT (${saysMore('known', 'said', 'coalesce(known.company_id, c.company_id)')}) AS told) told`

/** SQL: the person_id of a row after `joinKnownSql`. */
export const knownPersonSql = 'coalesce(known.merged_into_id, known.person_id)'

/**
 * SQL: the person_id of row `r` of workspace `workspaceId` (SQL); for merged people, the one they were merged
 * into. Rows identified by telephone are found by binary search over our own ids.
 */
export const rowPersonSql = (
  workspaceId: string,
  network: string | null,
  byTelephone: ByTelephone,
): string => `coalesce(
    (SELECT coalesce(p.merged_into_id, p.person_id) FROM people p WHERE p.workspace_id = ${workspaceId} AND p.email = r.email),
    (SELECT coalesce(p.merged_into_id, p.person_id) FROM people p
     WHERE r.email IS NULL AND p.workspace_id = ${workspaceId} AND p.profile = ${rowProfileSql(network)}
     ORDER BY p.email IS NULL DESC, p.person_id LIMIT 1)${
       byTelephone.size > 0
         ? `,\n    ('${jsonText(Object.fromEntries(byTelephone))}'::jsonb ->> r.lead_index::text)::uuid`
         : ''
     })`
