import type { z } from 'zod'
import type { FileAnswer } from '#lib/contracts/fields'
import type { ExportPeople } from '#lib/contracts/leads/people'
import { pool } from '#lib/db/client'
import { withExportSeat } from '#lib/services/files/export-seats'
import { tableFile } from '#lib/services/files/table-file'
import { type PeopleFilters, peoplePages } from '#lib/services/leads/people/list'

const PAGE = 2_000
const COLUMNS = [
  'email',
  'profile',
  'first_name',
  'last_name',
  'title',
  'company',
  'country',
  'phone',
  'tags',
  'replied',
  'last_contacted_at',
  'person_id',
] as const

/** The filtered people, read page by page while the file is written. */
export function exportPeople(
  workspaceId: string,
  { format, ...filters }: z.output<typeof ExportPeople.query>,
  now: Date,
): Promise<FileAnswer> {
  return withExportSeat(
    workspaceId,
    tableFile('People', format, [...COLUMNS], pages(workspaceId, filters, now)),
  )
}

async function* pages(workspaceId: string, filters: PeopleFilters, now: Date) {
  for await (const people of peoplePages(pool(), workspaceId, filters, { now, page_size: PAGE }))
    yield people.map((person) =>
      COLUMNS.map((column) => {
        const value = person[column]
        if (Array.isArray(value)) return value.join(', ')
        if (value instanceof Date) return value.toISOString()
        return typeof value === 'boolean' ? String(value) : value
      }),
    )
}
