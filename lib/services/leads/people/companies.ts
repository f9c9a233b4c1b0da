import type { z } from 'zod'
import type { ListCompanies } from '#lib/contracts/leads/companies'
import { MAX_COUNTED } from '#lib/contracts/leads/people'
import { pool } from '#lib/db/client'
import { likeText } from '#lib/db/like'
import { firstRow } from '#lib/db/page'
import { type Who, withName } from '#lib/domain/leads/person-name'
import { holdAfterReply } from '#lib/domain/sending/contact-hold'
import { AppError } from '#lib/errors'
import { CONTACTED, REPLIED } from '#lib/services/leads/people/list'
import { companyTouches, WHO } from '#lib/services/leads/people/touches'

type ListedCompany = {
  company_id: string
  domain: string
  name: string | null
  people_count: number
  contacted_count: number
  replied_count: number
  created_at: Date
}
type Asked = z.output<typeof ListCompanies.query>

const PEOPLE = `FROM people p WHERE p.workspace_id = c.workspace_id AND p.company_id = c.company_id AND p.merged_into_id IS NULL`
const COMPANY = `c.company_id, c.domain, c.name, c.created_at, (SELECT count(*)::int ${PEOPLE}) AS people_count,
  (SELECT count(*)::int ${PEOPLE} AND ${CONTACTED}) AS contacted_count,
  (SELECT count(*)::int ${PEOPLE} AND ${REPLIED}) AS replied_count`
const FOUND = `c.workspace_id = $1 AND ($2::text IS NULL OR c.domain LIKE $2 OR lower(c.name) LIKE $2)
  AND ($3::boolean IS NULL OR EXISTS (SELECT 1 ${PEOPLE} AND ${REPLIED}) = $3)`

/**
 * SQL: joins to companies `c` the number of their people that match `also`, counted once for all companies
 * being sorted.
 */
const counted = (also: string) => `LEFT JOIN (SELECT p.company_id, count(*) AS people FROM people p
  WHERE p.workspace_id = $1 AND p.merged_into_id IS NULL AND ${also} GROUP BY p.company_id) n ON n.company_id = c.company_id`
/** The sort orders, each with its expression and the join it needs. */
const SORTED_BY: Record<string, { by: string; from?: string }> = {
  name: { by: 'lower(coalesce(c.name, c.domain))' },
  domain: { by: 'c.domain' },
  people_count: { by: 'coalesce(n.people, 0)', from: counted('true') },
  contacted_count: { by: 'coalesce(n.people, 0)', from: counted(CONTACTED) },
  replied_count: { by: 'coalesce(n.people, 0)', from: counted(REPLIED) },
}

const toValues = (workspaceId: string, { search, replied }: Pick<Asked, 'search' | 'replied'>) => [
  workspaceId,
  search ? `%${likeText(search.toLowerCase())}%` : null,
  replied ?? null,
]

/** Sorted by domain unless `sort` says otherwise. The total is capped like that of people. */
export async function listCompanies(workspaceId: string, query: Asked) {
  const { page, page_size, sort = 'domain' } = query
  const { by = 'c.domain', from = '' } = SORTED_BY[sort.replace('-', '')] ?? {}
  const order = `sorted ${sort.startsWith('-') ? 'DESC' : 'ASC'}, c.domain`
  const [items, total] = await Promise.all([
    pool().query<ListedCompany>(
      `SELECT ${COMPANY} FROM (SELECT c.*, ${by} AS sorted FROM companies c ${from} WHERE ${FOUND}
         ORDER BY ${order} OFFSET $4 LIMIT $5) c ORDER BY ${order}`,
      [...toValues(workspaceId, query), firstRow({ page, page_size }), page_size],
    ),
    countCompanies(workspaceId, query),
  ])
  return { items: items.rows, total, page, page_size }
}

export async function countCompanies(workspaceId: string, query: Pick<Asked, 'search' | 'replied'>) {
  const { rows } = await pool().query<{ total: number }>(
    `SELECT count(*)::int AS total FROM (SELECT 1 FROM companies c WHERE ${FOUND} LIMIT ${MAX_COUNTED}) counted`,
    toValues(workspaceId, query),
  )
  return rows[0]?.total ?? 0
}

/** A company with its whole history between its people and the workspace. */
export async function readCompany(workspaceId: string, companyId: string, now: Date) {
  const { rows } = await pool().query<ListedCompany>(
    `SELECT ${COMPANY} FROM companies c WHERE c.workspace_id = $1 AND c.company_id = $2`,
    [workspaceId, companyId],
  )
  if (!rows[0]) throw new AppError('company_not_found')
  const [last_reply, touches] = await Promise.all([
    readLastReply(workspaceId, companyId, now),
    companyTouches(workspaceId, companyId),
  ])
  return { ...rows[0], last_reply, touches }
}

async function readLastReply(workspaceId: string, companyId: string, now: Date) {
  const { rows } = await pool().query<Who & { at: Date; person_id: string; days: number }>(
    `SELECT c.replied_at AS at, coalesce(p.merged_into_id, p.person_id) AS person_id, w.colleague_reply_days AS days, ${WHO}
     FROM companies c JOIN workspaces w ON w.workspace_id = c.workspace_id
       JOIN people p ON p.person_id = c.replied_person_id AND p.workspace_id = c.workspace_id
       LEFT JOIN people m ON m.person_id = p.merged_into_id AND m.workspace_id = c.workspace_id
     WHERE c.workspace_id = $1 AND c.company_id = $2 AND c.replied_at IS NOT NULL`,
    [workspaceId, companyId],
  )
  if (!rows[0]) return null
  const { days, ...reply } = withName(rows[0])
  const { until } = holdAfterReply(reply.at.getTime(), days, reply.name)
  return { ...reply, others_wait_until: until > now.getTime() && days > 0 ? new Date(until) : null }
}
