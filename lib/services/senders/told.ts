import type { Statements } from '#lib/db/statements'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import type { SenderCause } from '#lib/domain/sending/sender-failures'
import { type Told, tell } from '#lib/services/telling/tell'

type Failing = {
  workspace_id: string
  name: string
  said: string | null
  cause: SenderCause
  next_try_at: Date
  is_known: boolean
}

/** A sender that fails repeatedly is notified only once while its owner has not read the notification. */
const UNREAD = `read_at IS NULL AND created_at > now() - interval '6 hours'`
const FAILING = {
  email: `SELECT workspace_id, address AS name, last_error AS said, failing_cause AS cause, next_try_at,
      EXISTS (SELECT 1 FROM notifications n WHERE n.workspace_id = m.workspace_id AND n.kind = 'mailbox_failing'
        AND n.mailbox_id = m.mailbox_id AND ${UNREAD}) AS is_known
    FROM mailboxes m WHERE mailbox_id = $1`,
  social: `SELECT workspace_id, name, status_reason AS said, failing_cause AS cause, next_try_at,
      EXISTS (SELECT 1 FROM notifications n WHERE n.workspace_id = a.workspace_id AND n.kind = 'account_failing'
        AND n.data ->> 'account_id' = a.account_id::text AND ${UNREAD}) AS is_known
    FROM connected_accounts a WHERE account_id = $1`,
}

/** Reports that a sender can no longer send, once per outage. */
export async function tellOfFailing(client: Statements, channel: Channel, id: string, at: Date) {
  const { rows } = await client.query<Failing>(FAILING[channel], [id])
  const [row] = rows
  if (!row) return
  const { workspace_id, name, said, cause, next_try_at, is_known } = row
  const reason = said?.slice(0, 500) ?? null
  if (channel === 'social') {
    const data = { name, address: name, reason, account_id: id }
    return tell(client, [], is_known ? [] : [{ workspace_id, kind: 'account_failing', data }])
  }
  const outage = { mailbox_id: id, address: name, error: said, cause }
  const again = { ...outage, next_try_at: next_try_at.toISOString() }
  await tell(
    client,
    [
      { type: 'mailbox.disconnected', workspace_id, at, data: outage },
      { type: 'mailbox.failing', workspace_id, at, data: again },
    ],
    is_known
      ? []
      : [{ workspace_id, kind: 'mailbox_failing', mailbox_id: id, data: { address: name, reason } }],
  )
}

/** What keeps an organization's mailboxes from sending. */
export type Outage = {
  workspace_id: string
  name: string
  said: string
  cause: SenderCause
  next_try_at: Date
}

/** One webhook event per mailbox, but only one notification for the organization. */
export async function tellOfOrganization(
  client: Statements,
  { workspace_id, name, said: error, cause, next_try_at }: Outage,
  mailboxes: { mailbox_id: string; address: string }[],
  at: Date,
): Promise<void> {
  const events = mailboxes.flatMap(({ mailbox_id, address }): Told[] => {
    const outage = { mailbox_id, address, error, cause }
    const again = { ...outage, next_try_at: next_try_at.toISOString() }
    return [
      { type: 'mailbox.disconnected', workspace_id, at, data: outage },
      { type: 'mailbox.failing', workspace_id, at, data: again },
    ]
  })
  const [first] = mailboxes
  const who = mailboxes.length === 1 ? first?.address : `${mailboxes.length} mailboxes of ${name}`
  const data = { address: who ?? name, reason: error.slice(0, 500) }
  const notice = { workspace_id, kind: 'mailbox_failing' as const, data }
  await tell(client, events, [first ? { ...notice, mailbox_id: first.mailbox_id } : notice])
}

type Lost = { workspace_id: string; provider: string; name: string; status_reason: string | null }

/** Reports an account that its owner must sign in to again. */
export async function tellOfLost(client: Statements, accountId: string, lost: Lost, at: Date): Promise<void> {
  const { workspace_id, provider, name, status_reason: error } = lost
  const reason = error?.slice(0, 500) ?? null
  await tell(
    client,
    [
      {
        type: 'account.disconnected',
        workspace_id,
        at,
        data: { account_id: accountId, provider, name, error },
      },
    ],
    [
      {
        workspace_id,
        kind: 'account_disconnected',
        data: { name, address: name, reason, account_id: accountId },
      },
    ],
  )
}
