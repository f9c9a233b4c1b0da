import { db } from '#lib/db/client'
import { Prisma } from '#lib/db/generated/client'
import { AppError, type ErrorCode } from '#lib/errors'

/** Every table that people edit. A row's `version` counts edits only, not changes of counters or status. */
type EditedTable =
  | 'api_keys'
  | 'campaigns'
  | 'connected_accounts'
  | 'conversations'
  | 'dataset_rows'
  | 'datasets'
  | 'forms'
  | 'generations'
  | 'group_roles'
  | 'inbox_drafts'
  | 'mail_domains'
  | 'mail_organizations'
  | 'mailboxes'
  | 'members'
  | 'notification_preferences'
  | 'passkeys'
  | 'people'
  | 'sender_profiles'
  | 'sign_in_domains'
  | 'social_posts'
  | 'templates'
  | 'threads'
  | 'users'
  | 'views'
  | 'webhooks'
  | 'workspace_brandings'
  | 'workspaces'

export type EditTx = Prisma.TransactionClient

type Edit<T> = {
  table: EditedTable
  /** Columns that identify the row, uuids and numbers, including its owner. */
  key: Record<string, string | number>
  /** The version that the edit was made from; none: the current one. */
  version: number | null | undefined
  /** The current row, by its contract; returned to a caller whose version is outdated. */
  current: () => Promise<unknown>
  missing: ErrorCode
  /** Takes locks that must come before this row's. */
  first?: (tx: EditTx) => Promise<unknown>
  write: (tx: EditTx) => Promise<T>
}

/**
 * The only function that writes edits: it requires the version the edit was made from, and increments it. It locks the row, so that of two
 * edits of one version the second is refused, and `write` sees a stable row.
 */
export async function edit<T>({ first, write, current, ...claimed }: Edit<T>): Promise<T> {
  const written = await db.$transaction(async (tx) => {
    await first?.(tx)
    return (await claim(tx, claimed)) ? { value: await write(tx) } : null
  })
  if (written) return written.value
  throw new AppError('changed_meanwhile', { current: await current() })
}

async function claim(tx: EditTx, edit: Pick<Edit<never>, 'table' | 'key' | 'version' | 'missing'>) {
  const { table, key, version, missing } = edit
  const where = Prisma.join(
    Object.entries(key).map(([column, value]) =>
      typeof value === 'number'
        ? Prisma.sql`${Prisma.raw(column)} = ${value}::int`
        : Prisma.sql`${Prisma.raw(column)} = ${value}::uuid`,
    ),
    ' AND ',
  )
  const name = Prisma.raw(table)
  const expected = version ?? null
  const count = await tx.$executeRaw`
    UPDATE ${name} SET version = version + 1
    WHERE ${where} AND (${expected}::int IS NULL OR version = ${expected}::int)`
  if (count > 0) return true
  const existing = await tx.$queryRaw<unknown[]>`SELECT 1 FROM ${name} WHERE ${where}`
  if (existing.length === 0) throw new AppError(missing)
  return false
}

const unchangedRows = new WeakSet<object>()

/** Marks the result of an edit that changed nothing, so that the audit log skips it. */
export function unchanged<Row extends object>(row: Row): Row {
  unchangedRows.add(row)
  return row
}

export const isUnchanged = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && unchangedRows.has(result)
