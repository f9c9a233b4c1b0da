import type pg from 'pg'
import { handleInbound } from '#lib/services/inbox/handle-mail'
import type { MailReader } from '#lib/services/reading/mail'
import { Violation } from '#tests/simulation/checks/violation'
import type { OutsideEvent } from '#tests/simulation/worlds/outside-event'
import type { Offer } from '#tests/simulation/worlds/provider'
import { awayNotice } from '#tests/support/scenes/arrivals'
import { bytes } from '#tests/support/scenes/inbound-mail'

const DAY_MS = 86_400_000

type Notice = {
  mailbox: { mailbox_id: string; address: string; workspace_id: string }
  offer: Offer
  mail: Parameters<typeof awayNotice>[0]
  /** How many days they will be away; null: not stated. */
  days: number | null
}

/** An auto-reply says that the person is away: whatever it says, it ends no lead. */
export function absence(
  inbound: pg.Pool,
  reader: MailReader,
  { mailbox, offer, mail, days }: Notice,
): OutsideEvent {
  return {
    actor: 'inbound',
    workspace_id: mailbox.workspace_id,
    label: `${offer.to} is away for ${days ?? 'some'} days`,
    work: async (now) => {
      const last = days === null ? null : new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
      const content = bytes(awayNotice(mail, `I am on vacation${last ? ` until ${last}` : ''}.`, now))
      const handled = await handleInbound(
        inbound,
        mailbox,
        {
          folder: 'INBOX',
          uid_validity: 2n,
          uid: Math.floor(now.getTime() / 1_000) % 2_000_000_000,
          raw: content,
          size_bytes: content.length,
          received_at: now,
        },
        now,
        reader,
      )
      if (handled && handled.kind !== 'automatic_reply')
        throw new Violation('I17', `the notice of ${offer.to} was taken for a ${handled.kind}`)
    },
  }
}
