import type { Statements } from '#lib/db/statements'

/**
 * Of leads that come back from being over: forgets the mailbox or account that kept them, where its owner removed it
 * meanwhile, so that another takes them as on their first step. They would wait for it for good. A removal under way is
 * waited for, and one that comes later finds them waiting and is refused. Their campaign is locked already.
 */
export async function forgetGoneSenders(client: Statements, leadIds: string[]): Promise<void> {
  if (leadIds.length === 0) return
  for (const [table, id, kept] of [
    ['mailboxes', 'mailbox_id', 'mailbox_id'],
    ['connected_accounts', 'account_id', 'connected_account_id'],
  ])
    await client.query(
      `SELECT 1 FROM ${table} WHERE ${id} IN (SELECT ${kept} FROM campaign_leads WHERE campaign_lead_id = ANY ($1::uuid[]))
       ORDER BY ${id} FOR KEY SHARE`,
      [leadIds],
    )
  await client.query(
    `UPDATE campaign_leads l SET mailbox_id = NULL, next_sender_id = nullif(l.next_sender_id, l.mailbox_id)
     WHERE campaign_lead_id = ANY ($1::uuid[]) AND mailbox_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM mailboxes m WHERE m.mailbox_id = l.mailbox_id)`,
    [leadIds],
  )
  // Who they are, the network tells each account anew.
  await client.query(
    `UPDATE campaign_leads l SET connected_account_id = NULL, social_provider_id = NULL,
       next_sender_id = nullif(l.next_sender_id, l.connected_account_id)
     WHERE campaign_lead_id = ANY ($1::uuid[]) AND connected_account_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM connected_accounts a WHERE a.account_id = l.connected_account_id)`,
    [leadIds],
  )
}
