import type { z } from 'zod'
import type { ListCompanies } from '#lib/contracts/leads/companies'
import { MAX_COUNTED } from '#lib/contracts/leads/people'
import { pool } from '#lib/db/client'
import { likeText } from '#lib/db/like'
import { firstRow } from '#lib/db/page'
import { AppError } from '#lib/errors'
import { CONTACTED, REPLIED } from '#lib/services/leads/people/list'

type ListedCompany = {
  company_id: string
  domain: string
  name: string | null
  people_count: number
  created_at: Date
}

const PEOPLE = `FROM people p WHERE p.workspace_id = c.workspace_id AND p.company_id = c.company_id AND p.merged_into_id IS NULL`
const COMPANY = `c.company_id, c.domain, c.name, c.created_at, (SELECT count(*)::int ${PEOPLE}) AS people_count`
const FOUND = `c.workspace_id = $1 AND ($2::text IS NULL OR c.domain LIKE $2 OR lower(c.name) LIKE $2)`

/** In the order of their domains; the total is bounded as that of people is. */
export async function listCompanies(workspaceId: string, query: z.output<typeof ListCompanies.query>) {
  const { page, page_size, search } = query
  const asked = [workspaceId, search ? `%${likeText(search.toLowerCase())}%` : null]
  const [items, counted] = await Promise.all([
    pool().query<ListedCompany>(
      `SELECT ${COMPANY} FROM (SELECT * FROM companies c WHERE ${FOUND} ORDER BY c.domain OFFSET $3 LIMIT $4) c
       ORDER BY c.domain`,
      [...asked, firstRow({ page, page_size }), page_size],
    ),
    pool().query<{ total: number }>(
      `SELECT count(*)::int AS total FROM (SELECT 1 FROM companies c WHERE ${FOUND} LIMIT ${MAX_COUNTED}) counted`,
      asked,
    ),
  ])
  return { items: items.rows, total: counted.rows[0]?.total ?? 0, page, page_size }
}

export async function readCompany(workspaceId: string, companyId: string) {
  const { rows } = await pool().query<ListedCompany & { contacted_count: number; replied_count: number }>(
    `SELECT ${COMPANY}, (SELECT count(*)::int ${PEOPLE} AND ${CONTACTED}) AS contacted_count,
       (SELECT count(*)::int ${PEOPLE} AND ${REPLIED}) AS replied_count
     FROM companies c WHERE c.workspace_id = $1 AND c.company_id = $2`,
    [workspaceId, companyId],
  )
  if (!rows[0]) throw new AppError('company_not_found')
  return rows[0]
}
