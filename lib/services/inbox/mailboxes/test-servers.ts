import { Mailbox } from '#lib/contracts/senders/mailbox'
import { db, pool } from '#lib/db/client'
import { failureCause, type SenderCause } from '#lib/domain/sending/sender-failures'
import { AppError } from '#lib/errors'
import type { InboxCheck } from '#lib/providers/inbox/imap-check'
import type { MailProvider } from '#lib/providers/mail/port'
import { inboxCheck, type ReadableMailbox, tryReading } from '#lib/services/inbox/mailboxes/provider'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import { type AliasReaders, aliasReaders, keepAliases } from '#lib/services/senders/grants/aliases'
import { mailProvider } from '#lib/services/senders/mail-provider'
import { testMailbox } from '#lib/services/senders/mailbox-test'
import { noteReadable } from '#lib/services/senders/sender-failures'

type Tested = { ok: boolean; cause: SenderCause | null; error: string | null }
type Servers = { mail?: MailProvider; check?: InboxCheck; vendors?: Vendors; aliases?: AliasReaders }

const WORKS: Tested = { ok: true, cause: null, error: null }

/** Tests both servers of a mailbox independently, and refreshes the addresses its provider lists for it. */
export async function testServers(
  workspaceId: string,
  mailboxId: string,
  now: Date,
  { mail = mailProvider(), check = inboxCheck(), vendors, aliases = aliasReaders() }: Servers = {},
) {
  const row = await db.mailbox.findFirst({
    where: { mailbox_id: mailboxId, workspace_id: workspaceId },
    include: { grant: { select: { route: true } } },
  })
  if (!row) throw new AppError('mailbox_not_found')
  // Refresh the addresses first: which one it may send as decides whether it can send.
  if (row.grant) await keepAliases({ pool: pool(), now, vendors, aliases }, row, { isAsked: true })
  const settings = Mailbox.shape.imap.parse(row.imap)
  // An API serves both: a mailbox that can send can also be read.
  const readable =
    settings && row.grant?.route !== 'api'
      ? { ...row, imap: { username: null, ...settings }, by_oauth: row.grant !== null }
      : null
  const reading = readable ? testReading(readable, now, { check, vendors }) : Promise.resolve(null)
  // An error here is thrown again when the result of the reading is awaited.
  const isReadable = reading.then(
    (tested) => tested?.ok ?? true,
    () => false,
  )
  const [{ checked_at, ...smtp }, imap] = await Promise.all([
    testMailbox(workspaceId, mailboxId, now, mail, vendors, isReadable),
    reading,
  ])
  const ways = { smtp, imap: imap ?? (settings && smtp) }
  const error = [smtp.error, imap?.error && `Incoming emails cannot be read: ${imap.error}`]
    .filter(Boolean)
    .join(' ')
  return { ok: smtp.ok && (imap?.ok ?? true), error: error || null, checked_at, ...ways }
}

type Readable = ReadableMailbox & { imap: NonNullable<ReadableMailbox['imap']> }

/** Stores the result as a regular read would, unless the server settings changed meanwhile. */
async function testReading(
  mailbox: Readable,
  now: Date,
  { check, vendors }: { check: InboxCheck; vendors: Vendors | undefined },
): Promise<Tested> {
  const { mailbox_id, imap, imap_password } = mailbox
  const tested = await tryReading({ pool: pool(), now, vendors, check }, mailbox)
  const error = tested.ok ? null : tested.error.slice(0, 1_000)
  const { rowCount } = await pool().query(
    `UPDATE mailboxes SET inbox_error = $2::text,
       inbox_failing_since = CASE WHEN $2::text IS NULL THEN NULL ELSE coalesce(inbox_failing_since, $3::timestamptz) END,
       inbox_due_at = CASE WHEN $2::text IS NULL AND inbox_error IS NOT NULL THEN $3::timestamptz ELSE inbox_due_at END
     WHERE mailbox_id = $1 AND imap ->> 'host' = $4 AND imap_password IS NOT DISTINCT FROM $5`,
    [mailbox_id, error, now, imap.host, imap_password],
  )
  if (tested.ok && rowCount) await noteReadable(pool(), mailbox_id, now)
  return tested.ok ? WORKS : { ok: false, cause: failureCause(tested.reason), error }
}
