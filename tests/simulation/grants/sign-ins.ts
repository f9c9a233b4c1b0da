import { randomUUID } from 'node:crypto'
import type { MailOAuth } from '#lib/providers/mail-oauth/port'
import { authorizeMailbox, completeMailboxOAuth } from '#lib/services/senders/grants/connect'
import { CLIENT_ID, grant } from '#tests/simulation/grants/vault'
import type { Outside, OutsideEvent } from '#tests/simulation/worlds/outside-event'

type Mailbox = Outside['scene']['mailboxes'][number]

/** Whether the vendor no longer accepts the mailbox's sign-in, and the product knows it. */
export function isSignedOut({ ledger }: Outside, mailboxId: string): boolean {
  const { status, failing_cause } = ledger.mailboxes.get(mailboxId) ?? {}
  return status === 'failing' && failing_cause === 'signed_out'
}

/** The owner signs in again, as a browser would: to the vendor and back. */
export const signIn = (outside: Outside, mailbox: Mailbox): OutsideEvent => ({
  actor: 'owner',
  workspace_id: mailbox.workspace_id,
  label: `${mailbox.address} signs in again`,
  work: async (now) => {
    const { workspace_id, mailbox_id } = mailbox
    const person = { workspace_id, session_id: randomUUID() }
    const vendors = () => vendorFor(outside, mailbox)
    const { url } = await authorizeMailbox(person, { vendor: 'google', mailbox_id }, now, vendors)
    const query = new URL(url).search
    await completeMailboxOAuth(person, { vendor: 'google', query }, now, vendors)
  },
})

function vendorFor({ vault, scene }: Outside, { mailbox_id, address }: Mailbox): MailOAuth {
  const place = scene.mailboxes.findIndex((one) => one.mailbox_id === mailbox_id)
  const granted = () => ({
    ...grant(vault, mailbox_id, address),
    account: { subject: address, address, name: null },
  })
  return {
    vendor: 'google',
    client_id: CLIENT_ID,
    route: vault.spec.mailboxes[place] ?? 'smtp',
    needed_scopes: [],
    servers: {
      smtp: { host: '127.0.0.1', port: 1, security: 'none' },
      imap: { host: '127.0.0.1', port: 1, security: 'none' },
    },
    authorizeUrl: async ({ state }) => `http://vendor.test/?state=${encodeURIComponent(state)}`,
    exchange: async () => ({ ok: true, ...granted() }),
    refresh: async () => ({ ok: false, fault: 'unreachable', said: 'nobody asks here' }),
    revoke: async () => true,
  }
}
