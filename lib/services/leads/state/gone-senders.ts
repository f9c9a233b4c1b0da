import type { Statements } from '#lib/db/statements'
import { moveSql } from '#lib/services/leads/state/sql'

/**
 * For leads that are resumed: clears the mailbox or account they keep if its owner has removed it, so that
 * another sender takes them as on their first step. Otherwise they would wait for it forever. A removal in
 * progress is waited for; a later one finds the leads waiting and is refused. Their campaign must be locked.
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
  const isGone = (table: string, id: string, kept: string) =>
    `WHERE l.campaign_lead_id = ANY ($1::uuid[]) AND l.${kept} IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM ${table} s WHERE s.${id} = l.${kept})`
  const mailbox = { mailbox_id: 'NULL', next_sender_id: 'nullif(l.next_sender_id, l.mailbox_id)' }
  await client.query(
    moveSql('replace', { to: 'l.status', sets: mailbox }, isGone('mailboxes', 'mailbox_id', 'mailbox_id')),
    [leadIds],
  )
  const account = {
    connected_account_id: 'NULL',
    // Each account looks the person up again, since provider ids differ between accounts.
    social_provider_id: 'NULL',
    next_sender_id: 'nullif(l.next_sender_id, l.connected_account_id)',
  }
  await client.query(
    moveSql(
      'replace',
      { to: 'l.status', sets: account },
      isGone('connected_accounts', 'account_id', 'connected_account_id'),
    ),
    [leadIds],
  )
}
