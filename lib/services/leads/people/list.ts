import type { z } from 'zod'
import { type ListPeople, MAX_COUNTED, type peopleFilters } from '#lib/contracts/leads/people'
import { pool } from '#lib/db/client'
import { bytesPattern, containsPattern } from '#lib/db/like'
import { firstRow } from '#lib/db/page'
import type { Statements } from '#lib/db/statements'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import type { PeopleSort } from '#lib/domain/leads/person-columns'

export type ListedPerson = {
  person_id: string
  email: string | null
  profile: string | null
  first_name: string | null
  last_name: string | null
  title: string | null
  company: string | null
  country: string | null
  phone: string | null
  tags: string[]
  company_id: string | null
  replied: boolean
  last_contacted_at: Date | null
  version: number
  created_at: Date
  updated_at: Date
}

/**
 * SQL: the leads `l` of person `p`. A merged person may still have leads that were enrolled while the merge
 * was in progress.
 */
const LEADS = `FROM campaign_leads l WHERE l.workspace_id = p.workspace_id AND l.person_id = p.person_id`
const sentSince = (since: string) => `EXISTS (SELECT 1 FROM campaign_leads l
    JOIN actions a ON a.campaign_lead_id = l.campaign_lead_id AND a.status = 'sent' ${since}
    WHERE l.workspace_id = p.workspace_id AND l.person_id = p.person_id)`
/** SQL: whether anything was sent to person `p`, and whether they replied. */
export const CONTACTED = sentSince('')
export const REPLIED = `EXISTS (SELECT 1 ${LEADS} AND l.status = 'replied')`

/** SQL: the columns of a person `p` in answers. */
export const PERSON = `p.person_id, p.email, p.profile, p.first_name, p.last_name, p.title, p.company, p.country, p.phone, p.tags,
    p.company_id, p.version, p.created_at, p.updated_at, ${REPLIED} AS replied,
    (SELECT max(a.performed_at) FROM campaign_leads l JOIN actions a ON a.campaign_lead_id = l.campaign_lead_id
     WHERE l.workspace_id = p.workspace_id AND l.person_id = p.person_id AND a.status = 'sent') AS last_contacted_at`

/** The text that a search of person `p` covers. Must match the trigger that maintains `people_texts`. */
export const SEARCHED = `lower(concat_ws(' ', p.first_name, p.last_name, p.email, p.profile, p.company))`

export type PeopleFilters = z.output<ReturnType<typeof peopleFilters>> & { person_ids?: string[] | undefined }

/**
 * SQL: people found by the search index, plus those who were added after its last entry. All three values are
 * in one parameter. The index's last entry is read beforehand, because only a plan that knows it can see that
 * few people came after it.
 */
const foundBySearch = (searchedTo: string | null) => (value: string) => {
  const [plain, bytes, to] = [1, 2, 3].map((place) => `(${value}::text[])[${place}]`)
  const since = `SELECT p.person_id FROM people p WHERE p.workspace_id = $1 AND p.merged_into_id IS NULL
      AND ${searchedTo === null ? 'true' : `p.person_id > ${to}::uuid`} AND ${SEARCHED} LIKE ${plain}`
  const indexed = `SELECT s.person_id FROM people_texts s
    WHERE s.workspace_id = $1 AND search_bytes(s.text) LIKE ${bytes} AND s.text LIKE ${plain}`
  return `p.person_id IN (${indexed} UNION ALL ${since})`
}

async function findSearchedTo(client: Statements, workspaceId: string): Promise<string | null> {
  const { rows } = await client.query<{ to: string | null }>(
    'SELECT people_searched_to AS to FROM workspaces WHERE workspace_id = $1',
    [workspaceId],
  )
  return rows[0]?.to ?? null
}

/**
 * The conditions that were requested, each with its value. The SQL texts are constants, so that Postgres
 * plans for exactly these.
 */
function conditions(
  query: PeopleFilters,
  searchedTo: string | null,
  now: Date,
): [sql: (value: string) => string, value: unknown][] {
  const { search, company_id, campaign_id, replied, contacted, title, country, tag } = query
  const { last_contacted_before: before, last_contacted_after: after } = query
  const { contacted_in_days, not_contacted_in_days, person_ids } = query
  const daysAgo = (days = 0) => new Date(now.getTime() - days * DAY_MS)
  const recently = (value: string) => sentSince(`AND a.performed_at >= ${value}::timestamptz`)
  const notSince = (value: string) => `${CONTACTED} AND NOT ${recently(value)}`
  const asked: [boolean, (value: string) => string, unknown][] = [
    [
      search !== undefined,
      foundBySearch(searchedTo),
      [containsPattern(search ?? ''), bytesPattern(search ?? ''), searchedTo],
    ],
    [company_id !== undefined, (value) => `p.company_id = ${value}::uuid`, company_id],
    [
      campaign_id !== undefined,
      (value) => `EXISTS (SELECT 1 ${LEADS} AND l.campaign_id = ${value}::uuid)`,
      campaign_id,
    ],
    [replied !== undefined, (value) => `${REPLIED} = ${value}::boolean`, replied],
    [contacted !== undefined, (value) => `${CONTACTED} = ${value}::boolean`, contacted],
    [after !== undefined, recently, after],
    [before !== undefined, notSince, before],
    [contacted_in_days !== undefined, recently, daysAgo(contacted_in_days)],
    [not_contacted_in_days !== undefined, notSince, daysAgo(not_contacted_in_days)],
    [title !== undefined, (value) => `lower(p.title) LIKE ${value}`, containsPattern(title ?? '')],
    [country !== undefined, (value) => `lower(p.country) = ${value}`, country?.toLowerCase()],
    [tag !== undefined, (value) => `p.tags @> ARRAY[${value}]::text[]`, tag],
    [person_ids !== undefined, (value) => `p.person_id = ANY (${value}::uuid[])`, person_ids],
  ]
  return asked.flatMap(([isAsked, sql, value]): [(value: string) => string, unknown][] =>
    isAsked ? [[sql, value]] : [],
  )
}

/**
 * SQL: the filtered people `p`, never merged ones. Its values are appended to the given ones, of which the
 * workspace is the first.
 */
async function matching(
  client: Statements,
  workspaceId: string,
  filters: PeopleFilters,
  now: Date,
  values: unknown[] = [workspaceId],
) {
  const searchedTo = filters.search === undefined ? null : await findSearchedTo(client, workspaceId)
  const where = [
    'p.workspace_id = $1 AND p.merged_into_id IS NULL',
    ...conditions(filters, searchedTo, now).map(([sql, value]) => sql(`$${values.push(value)}`)),
  ].join(' AND ')
  return { where, values }
}

/** SQL: sort expressions for people `p`; a person known only by an address is sorted by that. */
const SORTED_BY: Record<string, string> = {
  name: `lower(coalesce(nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.email, p.profile))`,
  company: 'lower(p.company)',
  title: 'lower(p.title)',
  tags: `nullif(lower(array_to_string(p.tags, ', ')), '')`,
  country: 'lower(p.country)',
  phone: 'p.phone',
  profile: 'lower(p.profile)',
  last_contacted_at: 'sends.last_at',
  replied: REPLIED,
  created_at: 'p.created_at',
}

/**
 * SQL: joins to people `p` when something was last sent to them, computed once for all people being sorted.
 */
const SENDS = `LEFT JOIN (SELECT l.person_id, max(a.performed_at) AS last_at
    FROM campaign_leads l JOIN actions a ON a.campaign_lead_id = l.campaign_lead_id AND a.status = 'sent'
    WHERE l.workspace_id = $1 AND l.person_id IS NOT NULL GROUP BY l.person_id) sends ON sends.person_id = p.person_id`

/** SQL: the sort expression and direction; without `sort`, by creation only. */
function sorting(sort: PeopleSort | undefined) {
  const by = sort && SORTED_BY[sort.replace('-', '')]
  const way = sort?.startsWith('-') ? 'DESC' : 'ASC'
  return { by: by ?? 'NULL', order: `${by ? `sorted ${way} NULLS LAST, ` : ''}p.person_id DESC` }
}

/**
 * Newest first unless `sort` says otherwise. The total is capped: nobody reads the last page of a million
 * people.
 */
export async function listPeople(workspaceId: string, query: z.output<typeof ListPeople.query>, now: Date) {
  const { page, page_size } = query
  const { where, values } = await matching(pool(), workspaceId, query, now)
  const last = values.length
  const { by, order } = sorting(query.sort)
  const sends = by === SORTED_BY.last_contacted_at ? SENDS : ''
  const [items, counted] = await Promise.all([
    pool().query<ListedPerson>(
      `SELECT ${PERSON} FROM (SELECT p.*, ${by} AS sorted FROM people p ${sends} WHERE ${where}
         ORDER BY ${order} OFFSET $${last + 1} LIMIT $${last + 2}) p ORDER BY ${order}`,
      [...values, firstRow({ page, page_size }), page_size],
    ),
    pool().query<{ total: number }>(
      `SELECT count(*)::int AS total FROM (SELECT 1 FROM people p WHERE ${where} LIMIT ${MAX_COUNTED}) counted`,
      values,
    ),
  ])
  return { items: items.rows, total: counted.rows[0]?.total ?? 0, page, page_size }
}

/**
 * In a workspace with more people the filters are not counted together, because the page would have to wait
 * for it.
 */
const MOST_COUNTED_TOGETHER = 10_000

/** The number of people that each of these filters matches; null if the workspace has too many people. */
export async function countPeople(
  workspaceId: string,
  several: PeopleFilters[],
  now: Date,
): Promise<number[] | null> {
  const values: unknown[] = [workspaceId, MOST_COUNTED_TOGETHER + 1]
  const counts: string[] = []
  for (const filters of several) {
    const { where } = await matching(pool(), workspaceId, filters, now, values)
    counts.push(`(SELECT count(*)::int FROM people p WHERE ${where})`)
  }
  const { rows } = await pool().query<{ counts: number[] | null }>(
    `SELECT CASE WHEN (SELECT count(*) FROM (SELECT 1 FROM people p WHERE p.workspace_id = $1 LIMIT $2) counted) < $2
       THEN ARRAY[${counts.join()}]::int[] END AS counts`,
    values,
  )
  return rows[0]?.counts ?? null
}

/**
 * All matching people, newest first, one page at a time. Uses keyset pagination, so the last page costs as
 * much as the first.
 */
export async function* peoplePages(
  client: Statements,
  workspaceId: string,
  filters: PeopleFilters,
  { now, page_size }: { now: Date; page_size: number },
): AsyncGenerator<ListedPerson[]> {
  const { where, values } = await matching(client, workspaceId, filters, now)
  const [before, limit] = [`$${values.length + 1}::uuid`, `$${values.length + 2}`]
  for (let last: string | null = null; ; ) {
    const { rows }: { rows: ListedPerson[] } = await client.query<ListedPerson>(
      `SELECT ${PERSON} FROM (SELECT * FROM people p WHERE ${where} AND (${before} IS NULL OR p.person_id < ${before})
         ORDER BY p.person_id DESC LIMIT ${limit}) p ORDER BY p.person_id DESC`,
      [...values, last, page_size],
    )
    if (rows.length > 0) yield rows
    if (rows.length < page_size) return
    last = rows.at(-1)?.person_id ?? null
  }
}

/** Tags of the workspace's latest people, as suggestions while typing; any other tag can be typed as well. */
export async function suggestTags(workspaceId: string): Promise<string[]> {
  const { rows } = await pool().query<{ tag: string }>(
    `SELECT DISTINCT tag, lower(tag) AS place FROM (SELECT tags FROM people
       WHERE workspace_id = $1 AND merged_into_id IS NULL ORDER BY person_id DESC LIMIT $3) p, unnest(p.tags) tag
     ORDER BY place, tag LIMIT $2`,
    [workspaceId, MOST_TAGS, LATEST_PEOPLE],
  )
  return rows.map(({ tag }) => tag)
}

const MOST_TAGS = 500
/**
 * How many people are read for suggestions: reading a million would take longer than the rest of the page.
 */
const LATEST_PEOPLE = 10_000
