import { pool } from '#lib/db/client'
import { testMailbox } from '#lib/services/senders/mailbox-test'
import { regainAccount } from '#lib/services/social/account-return'
import type { Outside, OutsideEvent } from '#tests/simulation/worlds/outside-event'

type Mailbox = Outside['scene']['mailboxes'][number]
type Account = Outside['scene']['accounts'][number]

const verified = ({ down }: Outside, address: string) => ({
  verify: async () =>
    down.has(address)
      ? ({ ok: false, reason: 'connect', error: 'ECONNREFUSED' } as const)
      : ({ ok: true } as const),
  send: () => Promise.reject(new Error('A test sends nothing.')),
  close: async () => undefined,
})

const tested = (outside: Outside, { workspace_id, mailbox_id, address }: Mailbox, now: Date) =>
  testMailbox(workspace_id, mailbox_id, now, verified(outside, address), outside.vendors)

/** A server is down from now on; sometimes its owner tests the mailbox before any message fails. */
export function outage(outside: Outside, mailbox: Mailbox): OutsideEvent {
  const isSeen = outside.rng.chance(0.3)
  return {
    actor: 'owner',
    workspace_id: mailbox.workspace_id,
    label: `${mailbox.address} goes down${isSeen ? ', and its owner tests it' : ''}`,
    work: async (now) => {
      outside.down.add(mailbox.address)
      if (isSeen) await tested(outside, mailbox, now)
    },
  }
}

export const accountOutage = ({ down }: Outside, { name }: Account): OutsideEvent => ({
  actor: 'owner',
  label: `${name} cannot be reached`,
  work: async () => void down.add(name),
})

/** A server is up again: unnoticed, so that the next try finds out, or tested by its owner. */
export function recovery(outside: Outside, mailbox: Mailbox): OutsideEvent {
  const isTested = outside.rng.chance(0.4)
  return {
    actor: 'owner',
    workspace_id: mailbox.workspace_id,
    label: `${mailbox.address} is up again${isTested ? ', and its owner tests it' : ''}`,
    work: async (now) => {
      outside.down.delete(mailbox.address)
      if (isTested) await tested(outside, mailbox, now)
    },
  }
}

export function accountRecovery(outside: Outside, { account_id, name }: Account): OutsideEvent {
  const isToldOf = outside.rng.chance(0.3)
  const isThere = () => outside.ledger.accounts.get(account_id)?.status !== 'deleted'
  return {
    actor: 'owner',
    label: `${name} can be reached again${isToldOf ? ', as its provider says' : ''}`,
    work: async (now) => {
      outside.down.delete(name)
      if (isToldOf && isThere()) await regainAccount(pool(), account_id, now)
    },
  }
}
