import type { Pool } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import type { InboxProvider, SentMark } from '#lib/providers/inbox/port'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { settleCampaigns } from '#lib/services/campaigns/state'
import type { FoundLead } from '#lib/services/inbox/arrived-mail'
import { settleByEvidence } from '#lib/services/inbox/evidence'
import { findSentBy, type ReadableMailbox } from '#lib/services/inbox/mailboxes/provider'
import { noteServerMessageId } from '#lib/services/leads/ledger'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import { IN_SENT } from '#lib/services/senders/sent/sent-mark'

/**
 * After this many hours, an uncertain mail without a copy is left to its owner: a missing copy proves
 * nothing.
 */
const HOURS = 25
const BATCH = 20

type Options = { pool: Pool; imap: InboxProvider; now: Date; vendors?: Vendors | undefined }
type Row = FoundLead & { message_id: string; performed_at: Date; offered_to: string }

/**
 * When a mailbox is read, looks for its uncertain mails in the Sent folder. Returns how many were sent after
 * all.
 */
export async function settleSent(options: Options, mailbox: ReadableMailbox): Promise<number> {
  const { pool, now } = options
  const { rows } = await pool.query<Row>(
    `SELECT a.action_id, a.campaign_lead_id, a.campaign_id, a.workspace_id, a.step, a.channel, l.email, a.message_id,
       a.performed_at, l.email AS offered_to
     FROM actions a JOIN campaign_leads l USING (campaign_lead_id)
     WHERE a.mailbox_id = $1 AND a.status = 'uncertain' AND a.channel = 'email' AND a.message_id IS NOT NULL
       AND l.email IS NOT NULL AND a.performed_at > $2::timestamptz - make_interval(hours => $3)
     ORDER BY a.performed_at LIMIT $4`,
    [mailbox.mailbox_id, now, HOURS, BATCH],
  )
  let settled = 0
  for (const row of rows) {
    const looked = await findSentBy(options, mailbox, toMark(row))
    if (!looked?.ok) return settled
    if (!looked.found) continue
    await settle(pool, row, looked.found.message_id, now)
    settled += 1
  }
  return settled
}

const toMark = ({ message_id, offered_to, performed_at }: Row): SentMark => ({
  message_id,
  to: offered_to,
  since: performed_at,
})

const settle = (pool: Pool, lead: Row, serverMessageId: string | null, now: Date): Promise<void> =>
  inTransaction(pool, async (client) => {
    await lockCampaigns(client, [lead.campaign_id])
    const match = { how: 'message_id' as const, found: lead.message_id, email: lead.email }
    await settleByEvidence(client, [{ match, lead, why: IN_SENT }], now)
    if (serverMessageId && serverMessageId !== lead.message_id)
      await noteServerMessageId(client, lead.action_id, serverMessageId)
    await settleCampaigns(client, [lead.campaign_id], now)
  })
