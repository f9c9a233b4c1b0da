import { readPastedRows } from '#lib/domain/datasets/pasted-table'

export const MAX_MAILBOX_ROWS = 50

/** The accepted column names by field; `headerName` normalizes them for comparison. */
const COLUMNS = {
  address: ['email', 'email_address', 'mailbox'],
  name: ['full_name', 'sender_name', 'from_name'],
  password: ['app_password'],
  smtp_host: ['smtp_server'],
  smtp_port: [],
  smtp_security: ['smtp_encryption'],
  smtp_username: ['smtp_user'],
  smtp_password: [],
  imap_host: ['imap_server'],
  imap_port: [],
  imap_security: ['imap_encryption'],
  imap_username: ['imap_user'],
  imap_password: [],
  daily_limit: [],
  min_interval_seconds: [],
  ramp_up_start: [],
  ramp_up_increase_per_day: [],
  reply_to: [],
  send_as: ['from', 'from_address', 'alias'],
  signature: [],
} as const satisfies Record<string, readonly string[]>
type Column = keyof typeof COLUMNS

const isColumn = (name: string): name is Column => Object.hasOwn(COLUMNS, name)
export const MAILBOX_COLUMNS: Column[] = Object.keys(COLUMNS).filter(isColumn)

const BY_NAME: ReadonlyMap<string, Column> = new Map(
  MAILBOX_COLUMNS.flatMap((column) => [column, ...COLUMNS[column]].map((name) => [name, column] as const)),
)

export type MailboxCells = { row_number: number; cells: Partial<Record<Column, string>> }
type MailboxTable = { columns: Column[]; ignored_columns: string[]; rows: MailboxCells[] }

const headerName = (cell: string) =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s.-]/g, '_')

const findColumn = (cell: string): Column | null => BY_NAME.get(headerName(cell)) ?? null

/** Parses a table of mailboxes whose first row names the columns; empty rows are left out. */
export function readMailboxTable(text: string): MailboxTable {
  const [head, ...body] = readPastedRows(text.replace(/^\uFEFF/, ''))
  const places = head?.cells.map((cell) => findColumn(String(cell ?? ''))) ?? []
  const rows = body.flatMap(({ row_number, cells }) => {
    const named = places.flatMap((column, i): [Column, string][] => {
      const text = String(cells[i] ?? '').trim()
      return column && text ? [[column, text]] : []
    })
    return named.length === 0 ? [] : [{ row_number, cells: Object.fromEntries(named) }]
  })
  return {
    columns: places.flatMap((column) => column ?? []),
    ignored_columns:
      head?.cells.flatMap((cell, i) => (places[i] || !cell ? [] : String(cell).slice(0, 100))) ?? [],
    rows,
  }
}

type Server = { host: string; port: number; security: string; username?: string | null }

/** The fields of a row, in the form in which a single mailbox is connected; servers that it does not name are those found for it. */
export function toMailboxFields(
  { cells }: MailboxCells,
  found: { smtp: Server | null; imap: Server | null },
): Record<string, unknown> {
  const { address = '', name = null, signature = null, reply_to = null, send_as = null } = cells
  return {
    address,
    name,
    signature,
    reply_to,
    send_as,
    aliases: send_as ? [send_as] : [],
    smtp: toServer('smtp', cells, found.smtp),
    imap: cells.imap_host || found.imap ? toServer('imap', cells, found.imap) : null,
    ...(cells.daily_limit && { daily_limit: Number(cells.daily_limit) }),
    ...(cells.min_interval_seconds && { min_interval_seconds: Number(cells.min_interval_seconds) }),
    ...(cells.ramp_up_start && {
      ramp_up: {
        start: Number(cells.ramp_up_start),
        increase_per_day: Number(cells.ramp_up_increase_per_day ?? 0),
      },
    }),
  }
}

const USUAL = { smtp: { port: 465, security: 'tls' }, imap: { port: 993, security: 'tls' } }
/** Ports on which a connection begins in plain text. */
const STARTTLS_PORTS = new Set([25, 143, 587])

function toServer(kind: 'smtp' | 'imap', cells: MailboxCells['cells'], found: Server | null) {
  const host = cells[`${kind}_host`]
  const base = host ? { ...USUAL[kind], host, username: null } : (found ?? { ...USUAL[kind], host: '' })
  const given = cells[`${kind}_port`]
  const port = given ? Number(given) : base.port
  const usual = given ? (STARTTLS_PORTS.has(port) ? 'starttls' : 'tls') : base.security
  const password = cells[`${kind}_password`] ?? cells.password ?? null
  const username =
    cells[`${kind}_username`] ?? base.username ?? (password ? (cells.address ?? '').toLowerCase() : null)
  return {
    host: base.host,
    port,
    security: (cells[`${kind}_security`] ?? usual).toLowerCase(),
    username,
    password,
  }
}
