import type { PoolClient } from 'pg'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { campaignsWithLeads } from '#lib/services/leads/endings'
import { onWritten } from '#lib/services/leads/state/by-hand'
import { type ChatAccount, type ChatLead, chatLeads } from '#lib/services/social/chat-threads'

type Written = { inbox_message_id: string; at: Date; from: string }

/**
 * Handles a message that was written by hand to the person of a chat: as with an email by hand, it ends their waiting steps. Only for leads
 * that a campaign had contacted by then; an earlier message does not respond to the campaign. The leads' campaigns must be locked.
 */
export async function onWrittenInChat(
  client: PoolClient,
  leads: ChatLead[],
  { inbox_message_id, at, from }: Written,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<{ campaign_lead_id: string }>(
    `SELECT DISTINCT campaign_lead_id FROM actions WHERE campaign_lead_id = ANY ($1) AND performed_at <= $2
       AND status IN ('sending', 'sent', 'uncertain')`,
    [leads.map((lead) => lead.campaign_lead_id), at],
  )
  const begun = new Set(rows.map((row) => row.campaign_lead_id))
  for (const lead of leads.filter((one) => begun.has(one.campaign_lead_id)))
    await onWritten(client, lead, { inbox_message_id, received_at: at, from, subject: '' }, now)
}

/**
 * The same for a message written here. The caller must not hold a lock on an account or a conversation, since campaigns are locked first.
 * `providerId`: the person, if the conversation does not say it.
 */
export async function onWrittenHere(
  client: PoolClient,
  account: ChatAccount,
  thread_id: string,
  written: Written,
  now: Date,
  providerId: string | null = null,
): Promise<void> {
  const { rows } = await client.query<{ social_provider_id: string | null }>(
    `SELECT coalesce(t.social_provider_id, p.provider_id) AS social_provider_id FROM threads t
     LEFT JOIN social_people p ON p.account_id = t.connected_account_id AND p.chat_id = t.chat_id
     WHERE t.thread_id = $1 AND t.workspace_id = $2`,
    [thread_id, account.workspace_id],
  )
  const leads = await chatLeads(client, account, rows[0]?.social_provider_id ?? providerId)
  if (leads.length === 0) return
  const emails = leads.flatMap(({ email }) => email ?? [])
  const elsewhere = await campaignsWithLeads(client, account.workspace_id, emails)
  const campaigns = [...new Set([...leads.map(({ campaign_id }) => campaign_id), ...elsewhere])]
  await lockCampaigns(client, campaigns)
  await onWrittenInChat(client, leads, written, now)
  await settleCampaigns(client, campaigns, now)
}

/**
 * Whether a step wrote this text: the note of an invitation appears in the chat once it is accepted, with a new id and with spaces as the
 * network normalizes them.
 */
export async function isOfStep(client: PoolClient, leads: ChatLead[], text: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM actions WHERE campaign_lead_id = ANY ($1) AND channel = 'social'
       AND regexp_replace(body, '\\s+', '', 'g') = regexp_replace($2, '\\s+', '', 'g') LIMIT 1`,
    [leads.map((lead) => lead.campaign_lead_id), text],
  )
  return rows.length > 0
}
