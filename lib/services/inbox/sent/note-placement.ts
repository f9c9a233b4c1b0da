import type { PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import { receiverResults } from '#lib/domain/domains/authentication-results'
import { placementByLabels } from '#lib/domain/domains/placement'
import { findReceiver } from '#lib/domain/domains/receiver'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'
import type { ArrivedMail, InboundMailbox } from '#lib/services/inbox/arrived-mail'

type Arrived = { judged: { arrived: ArrivedMail; mail: InboundMail } }
type Test = {
  placement_test_id: string
  host: string | null
  sent_at: Date
  message_id: string | null
  server_message_id: string | null
}

const SEARCHED_MS = 2 * 86_400_000

/**
 * Records placement tests sent by another mailbox of the workspace: in which folder they arrived, and the
 * receiver's authentication results.
 */
export async function notePlacements(
  client: PoolClient,
  mailbox: InboundMailbox,
  mails: readonly Arrived[],
): Promise<void> {
  if (mails.length === 0) return
  const { rows } = await client.query<Test>(
    prepared(
      `SELECT t.placement_test_id, m.imap ->> 'host' AS host, t.sent_at, t.message_id, t.server_message_id
       FROM placement_tests t JOIN mailboxes m ON m.mailbox_id = t.seed_mailbox_id
       WHERE t.seed_mailbox_id = $1 AND t.arrived_at IS NULL AND (t.message_id = ANY ($2) OR t.server_message_id = ANY ($2))`,
      [mailbox.mailbox_id, mails.flatMap(readNames)],
    ),
  )
  for (const test of rows) {
    const arrived = mails.find((mail) => isAbout(test, mail))
    if (arrived) await notePlacement(client, mailbox, test, arrived)
  }
}

function readNames({ judged: { mail } }: Arrived): string[] {
  const ref = mail.headers.find(({ name }) => name === MESSAGE_REF.toLowerCase())?.value
  return [ref, mail.message_id].flatMap((id) => (id ? [id] : []))
}

const isAbout = ({ sent_at, message_id, server_message_id }: Test, mail: Arrived): boolean =>
  sent_at.getTime() > mail.judged.arrived.received_at.getTime() - SEARCHED_MS &&
  readNames(mail).some((id) => id === message_id || id === server_message_id)

async function notePlacement(
  client: PoolClient,
  mailbox: InboundMailbox,
  test: Test,
  { judged: { arrived, mail } }: Arrived,
): Promise<void> {
  const seen = receiverResults(mail.headers, findReceiver(mailbox.address, test.host))
  await client.query(
    prepared(
      'UPDATE placement_tests SET arrived_at = $2, placement = $3, authentication = $4 WHERE placement_test_id = $1',
      [
        test.placement_test_id,
        arrived.received_at,
        placementByLabels(arrived.labels ?? ['INBOX']),
        seen && jsonText(seen),
      ],
    ),
  )
}
