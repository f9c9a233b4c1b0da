import type { Reader } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { connectedMailboxes, type MailboxRow } from '#lib/services/senders/mailbox-rows'

/** The mail thread of a lead. */
export type MailThread = {
  /** Message-IDs as received, oldest first. Ids of social messages are not among them. */
  message_ids: string[]
  /** The mailbox under the address that wrote the last mail, if it now sends as another one; null if that has not changed. */
  mailbox: MailboxRow | null
}

type Row = {
  campaign_lead_id: string
  message_ids: string[]
  mailbox_id: string | null
  from_address: string | null
}

/** An alias that was removed from the mailbox may not be used any more. Old mails without one came from the mailbox's own address. */
const THREADS = `SELECT t.campaign_lead_id, t.message_ids, m.mailbox_id, coalesce(t.from_address, m.address) AS from_address
  FROM (SELECT campaign_lead_id, array_agg(coalesce(server_message_id, message_id) ORDER BY step) AS message_ids,
      (array_agg(mailbox_id ORDER BY step DESC))[1] AS mailbox_id,
      (array_agg(from_address ORDER BY step DESC))[1] AS from_address
    FROM actions WHERE workspace_id = $1 AND campaign_lead_id = ANY ($2) AND step < $3 AND channel = 'email'
      AND status IN ('sent', 'uncertain') AND message_id IS NOT NULL
    GROUP BY campaign_lead_id) t
  LEFT JOIN mailboxes m ON m.workspace_id = $1 AND m.mailbox_id = t.mailbox_id
    AND lower(coalesce(t.from_address, m.address)) <> lower(coalesce(m.send_as, m.address))
    AND lower(coalesce(t.from_address, m.address)) = ANY (lower(m.address) || m.aliases)`

const ANY_STEP = 1_000

/** The threads of leads that got a mail; only of the steps before `before`, if given. */
export async function loadMailThreads(
  reader: Reader,
  workspace_id: string,
  lead_ids: string[],
  before = ANY_STEP,
): Promise<Map<string, MailThread>> {
  if (lead_ids.length === 0) return new Map()
  const { rows } = await reader.query<Row>(prepared(THREADS, [workspace_id, lead_ids, before]))
  const writers = await loadWriters(reader, workspace_id, rows)
  return new Map(
    rows.map((row) => [
      row.campaign_lead_id,
      { message_ids: row.message_ids, mailbox: writers.get(toKey(row)) ?? null },
    ]),
  )
}

const toKey = ({ mailbox_id, from_address }: Pick<Row, 'mailbox_id' | 'from_address'>) =>
  `${mailbox_id} ${from_address}`

/** The mailboxes under the addresses they wrote as, with the DKIM keys of those addresses. */
async function loadWriters(reader: Reader, workspace_id: string, rows: Row[]) {
  const writers = new Map<string, MailboxRow>()
  for (const row of rows) {
    const { mailbox_id, from_address } = row
    if (!mailbox_id || writers.has(toKey(row))) continue
    const [mailbox] = await connectedMailboxes(
      reader,
      { workspace_id, alias_ids: [mailbox_id] },
      from_address,
    )
    if (mailbox) writers.set(toKey(row), mailbox)
  }
  return writers
}
