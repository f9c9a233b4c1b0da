import { z } from 'zod'
import { StepsConfig } from '#lib/contracts/campaigns/steps'
import { text, timezone } from '#lib/contracts/fields'
import { CreateForm } from '#lib/contracts/leads/forms'
import { TemplateContent } from '#lib/contracts/messages/templates'
import { postText } from '#lib/contracts/posts/social-posts'
import {
  ACCOUNT_PROVIDERS,
  ConnectedAccount,
  UpdateConnectedAccount,
} from '#lib/contracts/senders/connected-accounts'
import { Mailbox } from '#lib/contracts/senders/mailbox'
import { EVENT_TYPES } from '#lib/contracts/telling/webhook-events'
import { UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { UpdateBranding } from '#lib/contracts/workspaces/branding'
import { ContactPolicy } from '#lib/contracts/workspaces/contact-policy'
import { jsonText } from '#lib/db/json-text'
import { readDomain } from '#lib/domain/domains/domain-name'
import { ZONE_SOURCES } from '#lib/domain/enrichment/zone-evidence'
import { AppError } from '#lib/errors'
import { measureDepth } from '#lib/services/files/json-depth'
import type { Incoming } from '#lib/services/files/working-copy'
import { isWebhookUrl } from '#lib/services/telling/webhooks'
import { ARCHIVE_TABLES, NOT_IMPORTED } from '#lib/services/workspaces/archive/tables'

const MAX_LINE_BYTES = 64 * 1024 * 1024
const MAX_ROWS = 20_000_000
/** Exports nest far less; Postgres and other code that walks a value use recursion. */
const MAX_DEPTH = 100
/** The archive version that this release reads and writes. */
export const ARCHIVE_VERSION = 1

const Header = z.object({ export: z.literal('opener'), version: z.int().min(1), workspace_id: z.uuid() })
const Row = z.object({ table: z.string().max(63), row: z.record(z.string(), z.unknown()) })
const End = z.object({ end: z.literal(true), rows: z.int() })
const File = z.object({ file: z.string() })
const isDomain = (value: string) => {
  const read = readDomain(value)
  return read.ok && read.domain === value
}
/** Bytes as Postgres writes them in JSON; a logo has up to 256 KiB. */
const LOGO_CHARACTERS = 2 + 2 * 256 * 1024
/** Columns that shared workers read, so a bad value could stop everybody's work; they must have the form that the API accepts. */
const FORMS: Record<string, z.ZodType> = {
  workspaces: ContactPolicy.pick({
    after_reply: true,
    one_campaign_at_a_time: true,
    company_max_active: true,
    rest_days: true,
    colleague_reply_days: true,
  })
    .extend({
      workspace_id: z.uuid(),
      name: z.string(),
      timezone: z.string(),
      require_verified_domain: z.boolean(),
      share_unsubscribes: z.boolean(),
      ai_tokens_per_month: UpdateAccountSettings.body.shape.ai_tokens_per_month.unwrap(),
    })
    .partial(),
  campaigns: z.object({
    timezone: timezone(),
    steps_config: StepsConfig,
    alias_ids: z.array(z.uuid()).nullish(),
  }),
  campaign_leads: z.object({
    timezone: timezone().nullish(),
    timezone_source: z.enum(ZONE_SOURCES).nullish(),
  }),
  mailboxes: Mailbox.pick({ smtp: true, imap: true }).extend({
    ramp_up: Mailbox.shape.limits.shape.ramp_up,
  }),
  templates: z.object({ content: TemplateContent }),
  campaign_texts: z.object({ content: TemplateContent }),
  mail_domains: z.object({ domain: z.string().refine(isDomain) }),
  workspace_brandings: UpdateBranding.body.omit({ logo: true, version: true }).extend({
    logo: z.string().max(LOGO_CHARACTERS).startsWith('\\x').nullish(),
  }),
  webhooks: z.object({
    url: text(1, 2_000).refine(isWebhookUrl),
    event_types: z.array(z.enum(EVENT_TYPES)).min(1),
    description: text(0, 200).nullable(),
  }),
  connected_accounts: z.object({
    ...UpdateConnectedAccount.body.pick({ limits: true, min_interval_seconds: true, name: true }).shape,
    ramp_up: UpdateConnectedAccount.body.shape.ramp_up,
    provider: z.enum(ACCOUNT_PROVIDERS),
    driver: ConnectedAccount.shape.driver,
    kind: text(1, 100),
    handle: text(0, 500).nullable(),
  }),
  forms: CreateForm.body.pick({
    name: true,
    fields: true,
    consent_text: true,
    mail_subject: true,
    mail_text: true,
    allowed_origins: true,
    redirect_url: true,
    mails_per_day: true,
    keep_days: true,
  }),
  social_posts: z.object({
    text: postText().or(z.literal('')),
    share_url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .nullish(),
  }),
  dataset_rows: z.object({ data: z.record(z.string(), z.unknown()) }),
}
const IDS = new Map(ARCHIVE_TABLES.map(({ name, id }) => [name, id]))
const Id = z.uuid()

export type ArchiveRow = { line: number; table: string; row: string }

/** `left_out` (skipped rows by table) is complete only after `rows` was read. */
export type Archive = {
  workspace_id: string
  rows: AsyncGenerator<ArchiveRow>
  left_out: Map<string, number>
}

export const refused = (message: string, cause?: unknown) =>
  new AppError('invalid_state', { message: `Nothing was imported: ${message}`, cause })

type NumberedLine = { number: number; text: string }

/** Magic bytes of gzip, zip, zstd, xz and bzip2. Packed files are refused, so no decompression bomb is possible. */
const PACKED = ['1f8b', '504b', '28b52ffd', 'fd377a58', '425a68']

function refusePacked(part: Buffer): void {
  const head = part.subarray(0, 4).toString('hex')
  if (PACKED.some((magic) => head.startsWith(magic)))
    throw refused('the file is packed. Unpack it first: an archive is lines of JSON.')
}

/** Splits a stream of bytes into lines up to a maximum length; every byte is examined once. */
async function* readLines(parts: Incoming['parts']): AsyncGenerator<NumberedLine> {
  let begun: Buffer[] = []
  let length = 0
  let number = 1
  for await (const part of parts) {
    let rest = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    if (number === 1 && length === 0) refusePacked(rest)
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      if (length + end > MAX_LINE_BYTES) throw tooLong(number)
      begun.push(rest.subarray(0, end))
      yield { number, text: decoded(Buffer.concat(begun), number) }
      begun = []
      length = 0
      number += 1
      rest = rest.subarray(end + 1)
    }
    length += rest.length
    if (length > MAX_LINE_BYTES) throw tooLong(number)
    if (rest.length > 0) begun.push(rest)
  }
  if (length > 0) throw refused(`the archive ends in the middle of line ${number}.`)
}

const tooLong = (number: number) => refused(`line ${number} is longer than 64 MB.`)

function decoded(line: Buffer, number: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line)
  } catch (error) {
    throw refused(`line ${number} is not in UTF-8.`, error)
  }
}

/** Quick check of a line that may come from any file. */
const isJson = (text: string) => text.startsWith('{')

function parsed({ number, text }: NumberedLine): unknown {
  if (measureDepth(text) > MAX_DEPTH) throw refused(`line ${number} nests deeper than ${MAX_DEPTH} levels.`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refused(`line ${number} is no JSON.`, error)
  }
}

type Header = z.output<typeof Header>

function checkedHeader(first: NumberedLine | undefined): Header {
  const header = Header.safeParse(first && isJson(first.text) ? parsed(first) : null)
  if (!header.success) throw refused('this is no export of Opener.')
  const { version } = header.data
  if (version > ARCHIVE_VERSION)
    throw refused(`it is of version ${version}, and this release reads up to ${ARCHIVE_VERSION}.`)
  return header.data
}

/** Refuses a file that does not begin as an archive; only its first line is read. */
export async function checkArchive(parts: Incoming['parts']): Promise<void> {
  for await (const first of readLines(parts)) return void checkedHeader(first)
  checkedHeader(undefined)
}

/** Reads the archive's header, then streams its rows; refuses an incomplete archive. */
export async function readArchive(parts: AsyncIterable<Uint8Array>): Promise<Archive> {
  const lines = readLines(parts)
  const first = await lines.next()
  const { workspace_id } = checkedHeader(first.done ? undefined : first.value)
  const left_out = new Map<string, number>()
  return { workspace_id, left_out, rows: readRows(lines, workspace_id, left_out) }
}

async function* readRows(
  lines: AsyncGenerator<NumberedLine>,
  workspaceId: string,
  leftOut: Map<string, number>,
): AsyncGenerator<ArchiveRow> {
  let count = 0
  let isOver = false
  for await (const line of lines) {
    const { number } = line
    if (isOver) throw refused(`line ${number} comes after the end.`)
    const value = parsed(line)
    const row = Row.safeParse(value)
    if (row.success) {
      count += 1
      if (count > MAX_ROWS) throw refused(`it has more than ${MAX_ROWS} rows.`)
      const { table } = row.data
      if (Object.hasOwn(NOT_IMPORTED, table)) leftOut.set(table, (leftOut.get(table) ?? 0) + 1)
      else yield { line: number, table, row: checkedRow(number, row.data, workspaceId) }
      continue
    }
    const end = End.safeParse(value)
    if (end.success && end.data.rows !== count)
      throw refused(`it should have ${end.data.rows} rows, and has ${count}.`)
    isOver = end.success
    if (!isOver && !File.safeParse(value).success) throw refused(`line ${number} is of no known kind.`)
  }
  if (!isOver) throw refused('its end is missing.')
}

/** Checks a row of an imported table; returns it as JSON for the database. */
function checkedRow(number: number, { table, row }: z.output<typeof Row>, workspaceId: string): string {
  const isWorkspace = table === 'workspaces'
  if (!isWorkspace && !IDS.has(table))
    throw refused(`line ${number} is of a table that this release does not have, ${jsonText(table)}.`)
  if ((isWorkspace || row.workspace_id !== undefined) && row.workspace_id !== workspaceId)
    throw refused(`line ${number} (${table}) is of another workspace.`)
  const id = IDS.get(table)
  if (id && !Id.safeParse(row[id]).success) throw refused(`line ${number} (${table}) has no ${id}.`)
  const form = FORMS[table]?.safeParse(row)
  if (form?.success === false)
    throw refused(
      `line ${number} is no row of ${table}: ${form.error.issues[0]?.path.join('.').slice(0, 200)}.`,
    )
  return jsonText(row)
}
