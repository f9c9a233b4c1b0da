import type { PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import { receiverResults } from '#lib/domain/domains/authentication-results'
import { placementByLabels } from '#lib/domain/domains/placement'
import { findReceiver } from '#lib/domain/domains/receiver'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'
import type { ArrivedMail, InboundMailbox } from '#lib/services/inbox/arrived-mail'

type Arrived = { mailbox: InboundMailbox; arrived: ArrivedMail; mail: InboundMail }

/** A mail that another mailbox of the workspace sent to see what becomes of it: where it lies, and what its receiver says. */
export async function notePlacement(client: PoolClient, { mailbox, arrived, mail }: Arrived): Promise<void> {
  const ref = mail.headers.find(({ name }) => name === MESSAGE_REF.toLowerCase())?.value
  const ids = [ref, mail.message_id].flatMap((id) => (id ? [id] : []))
  const { rows } = await client.query<{ placement_test_id: string; host: string | null }>(
    prepared(
      `SELECT t.placement_test_id, m.imap ->> 'host' AS host
       FROM placement_tests t JOIN mailboxes m ON m.mailbox_id = t.seed_mailbox_id
       WHERE t.seed_mailbox_id = $1 AND t.sent_at > $2::timestamptz - interval '2 days' AND t.arrived_at IS NULL
         AND (t.message_id = ANY ($3) OR t.server_message_id = ANY ($3))`,
      [mailbox.mailbox_id, arrived.received_at, ids],
    ),
  )
  const [test] = rows
  if (!test) return
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
