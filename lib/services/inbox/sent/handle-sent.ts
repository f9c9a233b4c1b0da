import type { Pool } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { settleCampaigns } from '#lib/services/campaigns/state'
import type { ArrivedMail, InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { keepInConversation } from '#lib/services/inbox/conversations'
import { openNew, storeMails } from '#lib/services/inbox/keep-mail'
import { matchWritten, type WrittenTo } from '#lib/services/inbox/sent/match-written'
import { isKnownCopy } from '#lib/services/inbox/sent/own-copies'
import { findOurs } from '#lib/services/inbox/sent/pick-sent'
import { campaignsWithLeads } from '#lib/services/leads/endings'
import { onWritten } from '#lib/services/leads/state/by-hand'
import type { MailReader } from '#lib/services/reading/mail'

/**
 * Stores a mail that a user wrote to leads in another program: it appears in their conversations and ends
 * their campaigns. A mail that turns out to be from Opener, from a program or to no lead leaves no trace.
 */
export async function handleSent(
  pool: Pool,
  mailbox: InboundMailbox,
  arrived: ArrivedMail,
  now: Date,
  reader?: MailReader,
): Promise<void> {
  const [opened] = await openNew(pool, mailbox, [arrived], reader)
  if (!opened || opened.read.unreadable) return
  const { read, key } = opened
  const { mail, reading } = read
  const at = arrived.received_at
  if (mail.message_id && (await findOurs(pool, mailbox, [mail.message_id])).size > 0) return
  const [first, ...others] = await matchWritten(pool, mailbox, read, at)
  if (!first) return
  const people = [first, ...others]
  await inTransaction(pool, async (client) => {
    const emails = people.map(({ lead }) => lead.email)
    const elsewhere = await campaignsWithLeads(client, mailbox.workspace_id, emails)
    const campaigns = [...new Set([...people.map(({ lead }) => lead.campaign_id), ...elsewhere])]
    await lockCampaigns(client, campaigns)
    for (const { lead } of people) {
      const { campaign_lead_id } = lead
      const copy = { mail, campaign_lead_id, mailbox_id: mailbox.mailbox_id, at }
      if (await isKnownCopy(client, copy)) return
    }
    const evidence = people.map(toEvidence)
    const said = { ...read, mailbox, arrived, matched: first, writer: null }
    const judged = { ...said, kind: 'own_message', evidence } as const
    const [inbound_message_id] = await storeMails(client, [{ judged, key }])
    if (!inbound_message_id) return
    const written = {
      inbound_message_id,
      received_at: at,
      from: mail.from?.address ?? mailbox.address,
      subject: mail.subject,
    }
    for (const { lead, is_answered } of people) {
      const kept = lead === first.lead ? inbound_message_id : null
      const said = { mail, reading, kind: 'own_message', unreadable: null, mailbox, lead, at } as const
      if (is_answered) await keepInConversation(client, [{ ...said, inbound_message_id: kept }])
      await onWritten(client, lead, written, now)
    }
    await settleCampaigns(client, campaigns, now)
  })
}

const toEvidence = ({ match }: WrittenTo) => ({
  rule: `written_elsewhere_${match.how}`,
  found: match.found.slice(0, 200),
})
