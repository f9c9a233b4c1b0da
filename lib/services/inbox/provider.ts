import type { Pool } from 'pg'
import { unseal } from '#lib/db/seal'
import { env } from '#lib/env'
import { timedProvider } from '#lib/metrics'
import { createImapProvider } from '#lib/providers/inbox/imap'
import type { InboxConnection, InboxOutcome, InboxProvider, InboxReading } from '#lib/providers/inbox/port'
import { readSandbox } from '#lib/providers/inbox/sandbox'
import { accessToken, type Token, type Vendors } from '#lib/services/senders/grants/access-token'

/** The IMAP driver, under the policy that says which hosts users may have us connect to. */
export function inboxProvider(): InboxProvider {
  return createImapProvider({ policy: { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS } })
}

export type ReadableMailbox = {
  mailbox_id: string
  imap: Omit<InboxConnection, 'password'> | null
  imap_password: string | null
  by_oauth: boolean
}

type Options = { pool: Pool; imap: InboxProvider; now: Date; vendors?: Vendors | undefined }

/** Its new mail, by its password, by what its vendor granted, or out of the sandbox. */
export async function readFrom(
  { pool, imap, now, vendors }: Options,
  mailbox: ReadableMailbox,
  reading: InboxReading,
) {
  if (!mailbox.imap) return { ok: true as const, ...(await readSandbox(pool, mailbox.mailbox_id, reading)) }
  const server = mailbox.imap
  const read = (credentials: Pick<InboxConnection, 'password' | 'access_token'>) =>
    timedProvider('imap', () => imap.read({ ...server, ...credentials }, reading))
  if (!mailbox.by_oauth) return read({ password: mailbox.imap_password && unseal(mailbox.imap_password) })
  return readByToken((refused) => accessToken(mailbox.mailbox_id, { pool, now, refused, vendors }), read)
}

/** A token that the server refuses is renewed once: it may have been taken back before its time. */
async function readByToken(
  token: (refused?: string) => Promise<Token>,
  read: (credentials: { password: null; access_token: string }) => Promise<InboxOutcome>,
): Promise<InboxOutcome> {
  const unopened = (said: string): InboxOutcome => ({ ok: false, reason: 'auth', error: said, read: 0 })
  const first = await token()
  if (!first.ok) return unopened(first.said)
  const outcome = await read({ password: null, access_token: first.access_token })
  if (outcome.ok || outcome.reason !== 'auth') return outcome
  const anew = await token(first.access_token)
  return anew.ok ? read({ password: null, access_token: anew.access_token }) : unopened(anew.said)
}
