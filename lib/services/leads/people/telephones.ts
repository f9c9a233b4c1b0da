import type { Statements } from '#lib/db/statements'
import { countryCode } from '#lib/domain/enrichment/country'
import { onlyUser, type TelephoneUser } from '#lib/domain/leads/telephone-users'
import { telephone } from '#lib/domain/text/phone-number'
import { rowsByPlace } from '#lib/services/datasets/rows-by-place'

/** Rows `r` of one dataset: `which` is SQL with `values` from $3 on. */
export type Rows = { workspace_id: string; dataset_id: string; which: string; values: unknown[] }

/** By lead_index, the person ids of rows identified by their telephone number alone. */
export type ByTelephone = ReadonlyMap<number, string>

/** Trailing digits that all spellings of a number share, with or without country and area codes. */
export const TAIL = 6
/** SQL for these digits; people have an index on the same expression. */
export const tailSql = (text: string) => `right(regexp_replace(${text}, '\\D', '', 'g'), ${TAIL})`

const PHONE = `coalesce(nullif(btrim(r.data ->> 'whatsapp'), ''), nullif(btrim(r.data ->> 'phone'), ''))`
const COUNTRY = `r.data ->> 'country'`

type Written = { phone: string; country: string | null }

/** The number as E.164; null if it is invalid or its country is unknown. */
export const toNumber = ({ phone, country }: Written): string | null =>
  telephone(phone, countryCode(country ?? ''))

/** The telephone numbers of rows that have neither address nor profile; `unnamed` is SQL for these. */
export async function telephoneRows(
  client: Statements,
  { workspace_id, dataset_id, which, values }: Rows,
  unnamed: string,
): Promise<Map<number, string>> {
  const { rows } = await client.query<Written & { lead_index: number }>(
    `SELECT r.lead_index, ${PHONE} AS phone, ${COUNTRY} AS country
     FROM ${rowsByPlace('$2', `r.workspace_id = $1 AND ${which}`)} r
     WHERE ${unnamed} AND ${PHONE} IS NOT NULL ORDER BY r.lead_index`,
    [workspace_id, dataset_id, ...values],
  )
  return new Map(
    rows.flatMap((row) => {
      const number = toNumber(row)
      return number ? [[row.lead_index, number] as const] : []
    }),
  )
}

/** The users of these numbers, among the people of the workspace and the rows of the dataset. */
async function findUsers(client: Statements, { workspace_id, dataset_id }: Rows, numbers: Iterable<string>) {
  const users = new Map<string, TelephoneUser[]>(Array.from(numbers, (number) => [number, []]))
  const tails = [...users.keys()].map((number) => number.slice(-TAIL))
  const { rows: people } = await client.query<Written & TelephoneUser>(
    `SELECT coalesce(p.merged_into_id, p.person_id) AS person_id, coalesce(p.email, p.profile) AS name, p.phone, p.country
     FROM people p WHERE p.workspace_id = $1 AND ${tailSql('p.phone')} = ANY ($2::text[]) AND p.phone IS NOT NULL
       AND coalesce(p.email, p.profile) IS NOT NULL`,
    [workspace_id, tails],
  )
  const { rows } = await client.query<Written & { name: string }>(
    `SELECT DISTINCT r.email AS name, ${PHONE} AS phone, ${COUNTRY} AS country FROM dataset_rows r
     WHERE r.workspace_id = $1 AND r.dataset_id = $2 AND r.email IS NOT NULL AND ${tailSql(PHONE)} = ANY ($3::text[])`,
    [workspace_id, dataset_id, tails],
  )
  for (const user of [...people, ...rows.map((row) => ({ ...row, person_id: null }))])
    users.get(toNumber(user) ?? '')?.push({ person_id: user.person_id, name: user.name })
  return users
}

type Adopted = Written & {
  person_id: string
  telephone: string
  email: string | null
  profile: string | null
}

/**
 * Gives people known only by a number their address or profile, if nobody else has the number. `said` is SQL
 * of rows with their email and profile.
 */
export async function nameTelephones(client: Statements, rows: Rows, said: string): Promise<void> {
  const values = [rows.workspace_id, rows.dataset_id, ...rows.values]
  const alone = `alone.workspace_id = $1 AND alone.telephone IS NOT NULL AND alone.email IS NULL AND alone.profile IS NULL
    AND alone.merged_into_id IS NULL`
  const { rows: likely } = await client.query<Adopted>(
    `SELECT alone.person_id, alone.telephone, said.email, said.profile, said.phone, said.country
     FROM (${said}) said JOIN people alone ON ${alone} AND right(alone.telephone, ${TAIL}) = ${tailSql('said.phone')}
     WHERE said.phone IS NOT NULL AND coalesce(said.email, said.profile) IS NOT NULL
       AND EXISTS (SELECT 1 FROM people alone WHERE ${alone})
     ORDER BY said.lead_index`,
    values,
  )
  const meant = likely.filter((row) => toNumber(row) === row.telephone)
  if (meant.length === 0) return
  const users = await findUsers(client, rows, new Set(meant.map((row) => row.telephone)))
  const named = new Map<string, Adopted>()
  for (const row of meant) {
    const { telephone: number, email, profile } = row
    const others = meant.filter((one) => one.telephone === number)
    const all = [
      ...(users.get(number) ?? []),
      ...others.map((one) => ({ person_id: null, name: one.email ?? one.profile ?? '' })),
    ]
    if (onlyUser(all)?.name === (email ?? profile) && !named.has(row.person_id)) named.set(row.person_id, row)
  }
  const adopted = [...named.values()]
  await client.query(
    `UPDATE people p SET email = n.email, profile = n.profile, updated_at = now()
     FROM (SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[]) n (person_id, email, profile) ORDER BY person_id) n
     WHERE p.workspace_id = $1 AND p.person_id = n.person_id AND p.email IS NULL AND p.profile IS NULL
       AND NOT EXISTS (SELECT 1 FROM people other WHERE other.workspace_id = $1
         AND (other.email = n.email OR (n.email IS NULL AND other.profile = n.profile)))`,
    [
      rows.workspace_id,
      adopted.map(({ person_id }) => person_id),
      adopted.map(({ email }) => email),
      adopted.map(({ profile }) => profile),
    ],
  )
}

/**
 * The people of these rows: the person known by the number, or the only person who has it, or else a new
 * person.
 */
export async function peopleByTelephone(
  client: Statements,
  rows: Rows,
  dialled: ReadonlyMap<number, string>,
): Promise<ByTelephone> {
  if (dialled.size === 0) return new Map()
  const people = new Map<string, string>()
  const rowOf = new Map([...dialled].toReversed().map(([lead_index, number]) => [number, lead_index]))
  const unknown = () => [...rowOf.keys()].filter((number) => !people.has(number)).toSorted()
  const note = async () => {
    const { rows: known } = await client.query<{ person_id: string; telephone: string }>(
      `SELECT coalesce(merged_into_id, person_id) AS person_id, telephone FROM people
       WHERE workspace_id = $1 AND telephone = ANY ($2::text[])`,
      [rows.workspace_id, unknown()],
    )
    for (const { telephone: number, person_id } of known) people.set(number, person_id)
  }
  await note()
  for (const [number, users] of await findUsers(client, rows, unknown())) {
    const only = onlyUser(users)
    if (only?.person_id) people.set(number, only.person_id)
  }
  const anew = unknown()
  const cell = (field: string) => `nullif(btrim(r.data ->> '${field}'), '')`
  await client.query(
    `INSERT INTO people (workspace_id, telephone, phone, first_name, last_name, title, company, country)
     SELECT r.workspace_id, n.number, coalesce(${cell('phone')}, n.number),
       ${['first_name', 'last_name', 'title', 'company', 'country'].map(cell).join(', ')}
     FROM unnest($3::int[], $4::text[]) n (lead_index, number)
     JOIN dataset_rows r ON r.workspace_id = $1 AND r.dataset_id = $2 AND r.lead_index = n.lead_index
     ORDER BY n.number ON CONFLICT DO NOTHING`,
    [rows.workspace_id, rows.dataset_id, anew.map((number) => rowOf.get(number)), anew],
  )
  if (anew.length > 0) await note()
  return new Map(
    [...dialled].flatMap(([lead_index, number]) => {
      const person_id = people.get(number)
      return person_id ? [[lead_index, person_id] as const] : []
    }),
  )
}
