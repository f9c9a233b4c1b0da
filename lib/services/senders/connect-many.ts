import type { z } from 'zod'
import { type ConnectedRows, CreateMailbox } from '#lib/contracts/senders/mailboxes'
import {
  MAX_MAILBOX_ROWS,
  type MailboxCells,
  readMailboxTable,
  toMailboxFields,
} from '#lib/domain/domains/mailbox-table'
import { AppError, invalid, ValidationError } from '#lib/errors'
import type { DnsProvider } from '#lib/providers/dns/port'
import type { MailConfig } from '#lib/providers/mail-config/port'
import { findServers } from '#lib/services/senders/discovery/find-servers'
import { createMailbox } from '#lib/services/senders/mailboxes'

/** Rows processed at once: each makes DNS queries and connects to some hosts and its mail servers. */
const CONCURRENCY = 10
/** No test begins later than this, since the caller waits for all of them. */
const TESTS_MS = 40_000

type Row = ConnectedRows['rows'][number]
type Looking = {
  now: Date
  dns: DnsProvider
  config: MailConfig
  test: (workspaceId: string, mailboxId: string, now: Date) => Promise<{ ok: boolean; error: string | null }>
  clock?: () => Date
}

/** Connects each row independently: a faulty row does not affect the others, and connected mailboxes stay. */
export async function connectMany(
  workspaceId: string,
  csv: string,
  looking: Looking,
): Promise<ConnectedRows> {
  const { columns, ignored_columns, rows } = readMailboxTable(csv)
  if (!columns.includes('address'))
    throw invalid(['body', 'csv'], 'must name its columns in the first row, including address')
  if (rows.length === 0) throw invalid(['body', 'csv'], 'has no rows below the first')
  if (rows.length > MAX_MAILBOX_ROWS)
    throw invalid(['body', 'csv'], `has ${rows.length} rows, but the maximum is ${MAX_MAILBOX_ROWS}`)
  const clock = looking.clock ?? (() => new Date())
  const until = clock().getTime() + TESTS_MS
  const done = new Map<MailboxCells, Row>()
  const waiting = [...rows]
  const worker = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift())
      done.set(row, await connectRow(workspaceId, row, looking, () => clock().getTime() < until))
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  const answered = rows.flatMap((row) => done.get(row) ?? [])
  const count = (...outcomes: Row['outcome'][]) =>
    answered.filter(({ outcome }) => outcomes.includes(outcome)).length
  return {
    connected: count('connected', 'untested'),
    failing: count('failing'),
    refused: count('refused'),
    ignored_columns,
    rows: answered,
  }
}

async function connectRow(
  workspaceId: string,
  row: MailboxCells,
  looking: Looking,
  mayTest: () => boolean,
): Promise<Row> {
  const { now, test } = looking
  const answer = { row_number: row.row_number, address: row.cells.address?.toLowerCase() ?? null }
  const refused = (error: string): Row => ({ ...answer, outcome: 'refused', mailbox_id: null, error })
  const settings = await readRow(row, looking)
  if (typeof settings === 'string') return refused(settings)
  try {
    const { mailbox_id } = await createMailbox(workspaceId, settings, now)
    if (!mayTest()) return { ...answer, outcome: 'untested', mailbox_id, error: null }
    const { ok, error } = await test(workspaceId, mailbox_id, now)
    return { ...answer, outcome: ok ? 'connected' : 'failing', mailbox_id, error }
  } catch (error) {
    if (error instanceof AppError) return refused(error.message)
    const [problem] = error instanceof ValidationError ? error.problems : []
    if (problem) return refused(`The column ${problem.loc.slice(1).join('_')} ${problem.msg}.`)
    throw error
  }
}

/** What to connect, or why the row is refused. Messages never repeat a value, since it may be a password in the wrong column. */
async function readRow(
  row: MailboxCells,
  { dns, config }: Looking,
): Promise<z.output<typeof CreateMailbox.body> | string> {
  const { success, data: address } = CreateMailbox.body.shape.address.safeParse(row.cells.address)
  if (!success) return 'The address is missing or not an email address.'
  const servers = row.cells.smtp_host ? { smtp: null, imap: null } : await findServers(address, dns, config)
  if (!row.cells.smtp_host && !servers.smtp)
    return 'Its servers were not found. Enter them in smtp_host and imap_host.'
  const hasPassword = row.cells.password ?? row.cells.smtp_password
  if (!hasPassword && !row.cells.smtp_host) return 'The password is missing.'
  const read = CreateMailbox.body.safeParse(toMailboxFields(row, servers))
  if (read.success) return read.data
  const [issue] = read.error.issues
  return `The column ${issue?.path.join('_') ?? ''} cannot be read.`
}
