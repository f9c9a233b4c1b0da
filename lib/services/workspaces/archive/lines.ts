import { z } from 'zod'
import { StepsConfig } from '#lib/contracts/campaigns/steps'
import { timezone } from '#lib/contracts/fields'
import { TemplateContent } from '#lib/contracts/messages/templates'
import { Mailbox } from '#lib/contracts/senders/mailboxes'
import { jsonText } from '#lib/db/json-text'
import { AppError } from '#lib/errors'

const MAX_LINE_BYTES = 64 * 1024 * 1024
const MAX_ROWS = 20_000_000
/** What this release reads and writes. */
export const ARCHIVE_VERSION = 1

const Header = z.object({ export: z.literal('opener'), version: z.int().min(1), workspace_id: z.uuid() })
const Row = z.object({ table: z.string().max(63), row: z.record(z.string(), z.unknown()) })
const End = z.object({ end: z.literal(true), rows: z.int() })
const File = z.object({ file: z.string() })
/** What workers read: their turn is everybody's, so it has the form that the API would have taken. */
const FORMS: Record<string, z.ZodType> = {
  campaigns: z.object({
    timezone: timezone(),
    steps_config: StepsConfig,
    alias_ids: z.array(z.uuid()).nullish(),
  }),
  mailboxes: Mailbox.pick({ smtp: true, imap: true }).extend({
    ramp_up: Mailbox.shape.limits.shape.ramp_up,
  }),
  templates: z.object({ content: TemplateContent }),
  campaign_texts: z.object({ content: TemplateContent }),
  dataset_rows: z.object({ data: z.record(z.string(), z.unknown()) }),
}
export type ArchiveRow = { table: string; row: string }

export const refused = (message: string, cause?: unknown) =>
  new AppError('invalid_state', { message: `Nothing was imported: ${message}`, cause })

/** Lines of a stream of bytes, none longer than allowed; every byte is looked at once. */
async function* readLines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  let length = 0
  for await (const part of parts) {
    let rest = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      begun.push(rest.subarray(0, end))
      yield Buffer.concat(begun).toString('utf8')
      begun = []
      length = 0
      rest = rest.subarray(end + 1)
    }
    length += rest.length
    if (length > MAX_LINE_BYTES) throw refused('a line is longer than 64 MB.')
    if (rest.length > 0) begun.push(rest)
  }
  if (length > 0) throw refused('the archive ends in the middle of a line.')
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw refused(`line ${number} is no JSON.`, error)
  }
}

/** The archive's header, and then its rows as they come; refuses what is not whole. */
export async function readArchive(parts: AsyncIterable<Uint8Array>) {
  const lines = readLines(parts)
  const first = await lines.next()
  const header = Header.safeParse(first.done ? null : parsed(first.value, 1))
  if (!header.success) throw refused('this is no export of Opener.')
  if (header.data.version > ARCHIVE_VERSION)
    throw refused(`it is of version ${header.data.version}, and this release reads up to ${ARCHIVE_VERSION}.`)
  return { header: header.data, rows: readRows(lines) }
}

async function* readRows(lines: AsyncGenerator<string>): AsyncGenerator<ArchiveRow> {
  let number = 1
  let count = 0
  let isOver = false
  for await (const line of lines) {
    number += 1
    if (isOver) throw refused(`line ${number} comes after the end.`)
    const value = parsed(line, number)
    const row = Row.safeParse(value)
    if (row.success) {
      count += 1
      if (count > MAX_ROWS) throw refused(`it has more than ${MAX_ROWS} rows.`)
      if (FORMS[row.data.table]?.safeParse(row.data.row).success === false)
        throw refused(`line ${number} is no row of ${row.data.table}.`)
      yield { table: row.data.table, row: jsonText(row.data.row) }
      continue
    }
    const end = End.safeParse(value)
    if (end.success && end.data.rows !== count) throw refused(`it should have ${end.data.rows} rows.`)
    isOver = end.success
    if (!isOver && !File.safeParse(value).success) throw refused(`line ${number} is of no known kind.`)
  }
  if (!isOver) throw refused('its end is missing.')
}
