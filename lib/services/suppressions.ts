import { setImmediate as breath } from 'node:timers/promises'
import type { z } from 'zod'
import {
  type AddSuppressions,
  type ImportSuppressions,
  type ListSuppressions,
  MAX_SUPPRESSIONS,
} from '#lib/contracts/suppressions'
import { db, pool } from '#lib/db/client'
import { readSuppression, valueColumn } from '#lib/domain/suppression-value'
import { AppError, type FieldProblem, ValidationError } from '#lib/errors'
import { csvRows } from '#lib/providers/spreadsheet/csv'
import { SpreadsheetError } from '#lib/providers/spreadsheet/port'
import { decodeText } from '#lib/providers/spreadsheet/text-file'
import { suppress } from '#lib/services/lead-endings'

/** Texts read in one go; between slices other requests have their turn. */
const SLICE = 500
/** How many entries or refusals an answer lists. */
const LISTED = 100

export async function listSuppressions(userId: string, query: z.output<typeof ListSuppressions.query>) {
  const { page, page_size, search } = query
  const where = { user_id: userId, ...(search ? { value: { contains: search.toLowerCase() } } : {}) }
  const [items, total] = await Promise.all([
    db.suppression.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { suppression_id: 'desc' }],
      skip: (page - 1) * page_size,
      take: page_size,
    }),
    db.suppression.count({ where }),
  ])
  return { items, total, page, page_size }
}

async function add(userId: string, values: string[], reason: string, now: Date) {
  const entry = { user_id: userId, values, reason, status: 'unsubscribed' as const }
  const { added, ended } = await suppress(pool(), entry, now)
  return { added, already_listed: values.length - added, leads_ended: ended }
}

/** All or nothing: one text that is neither address nor domain refuses the request and names it. */
export async function addSuppressions(
  userId: string,
  { value, values = [], reason }: z.output<typeof AddSuppressions.body>,
  now: Date,
) {
  const problems: FieldProblem[] = []
  const all: string[] = []
  const given = [
    ...(value === undefined ? [] : [{ text: value, loc: ['body', 'value'] }]),
    ...values.map((text, index) => ({ text, loc: ['body', 'values', `${index}`] })),
  ]
  for (const [index, { text, loc }] of given.entries()) {
    if (index % SLICE === 0) await breath()
    const reading = readSuppression(text)
    if ('values' in reading) all.push(...reading.values)
    else problems.push({ loc, msg: reading.reason, type: 'value_error' })
  }
  if (problems.length > 0) throw new ValidationError(problems.slice(0, LISTED))
  const unique = [...new Set(all)]
  const counts = await add(userId, unique, reason, now)
  const items = await db.suppression.findMany({
    where: { user_id: userId, value: { in: unique.slice(0, LISTED) } },
    orderBy: { value: 'asc' },
  })
  return { ...counts, items }
}

/** Rows in = rows taken + rows refused, each of these with its reason. */
export async function importSuppressions(
  userId: string,
  { file, reason }: z.output<typeof ImportSuppressions.body>,
  now: Date,
) {
  const text = decodeText(new Uint8Array(await file.arrayBuffer()))?.text
  if (text === undefined)
    throw new AppError('bad_request', { message: 'The file is not a csv or text file.' })
  const { values, refused } = await readList(text)
  const counts = await add(userId, [...values], reason, now)
  return { ...counts, refused_count: refused.length, refused: refused.slice(0, LISTED) }
}

type Refused = { row_number: number; value: string; reason: string }

async function readList(text: string) {
  const values = new Set<string>()
  const refused: Refused[] = []
  let column: number | undefined
  try {
    for await (const batch of csvRows(text, ',')) {
      await breath()
      for (const { row_number, cells } of batch) {
        const isFirst = column === undefined
        column ??= valueColumn(cells)
        if (isFirst && column >= 0) continue
        const reading = readRow(cells, column)
        if ('values' in reading) for (const value of reading.values) values.add(value)
        else refused.push({ row_number, ...reading })
      }
      if (values.size + refused.length > MAX_SUPPRESSIONS)
        throw new AppError('body_too_large', { message: `The list has more than ${MAX_SUPPRESSIONS} rows.` })
    }
  } catch (error) {
    if (error instanceof SpreadsheetError)
      throw new AppError('bad_request', { message: error.message, cause: error })
    throw error
  }
  return { values, refused }
}

/** The named column's cell; without one, the first cell of the row that can be read. */
function readRow(cells: readonly string[], column: number) {
  const candidates = column >= 0 ? [cells[column] ?? ''] : cells.filter((cell) => cell.trim() !== '')
  const readings = candidates.map(readSuppression)
  const [first] = readings
  const reading = readings.find((one) => 'values' in one) ?? first
  if (reading && 'values' in reading) return reading
  return { value: (candidates[0] ?? '').slice(0, 320), reason: reading?.reason ?? 'The row is empty.' }
}

/** Leads that it ended stay ended. */
export async function deleteSuppression(userId: string, suppressionId: string): Promise<void> {
  const { count } = await db.suppression.deleteMany({
    where: { suppression_id: suppressionId, user_id: userId },
  })
  if (count === 0) throw new AppError('suppression_not_found')
}

/** Several at once; answers what went, so that it can be put back. Ids of others, or of none, are passed over. */
export async function deleteSuppressions(userId: string, suppressionIds: string[]) {
  return db.$transaction(async (tx) => {
    const where = { user_id: userId, suppression_id: { in: suppressionIds } }
    const rows = await tx.suppression.findMany({
      where,
      select: { suppression_id: true, value: true, reason: true },
    })
    await tx.suppression.deleteMany({ where })
    return rows
  })
}
